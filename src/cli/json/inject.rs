//! What `inject` prints as JSON. It has a verdict for every memory, so verdicts are written in
//! pieces, by all processors.

use std::io::{self, Write};

use rayon::prelude::*;
use serde::Serialize;

use crate::memory::{Memory, tokens_of};
use crate::retrieval::{Preview, Snapshot, Task, Verdict};
use crate::workspace::Picture;

/// The preview of a store, with the memories it speaks of and the settings that do nothing.
pub type Of<'a> = (&'a str, &'a Preview, &'a Snapshot, &'a [String]);

/// Prints a task, what each store gives for it, the prompt that all of them make, and what is given
/// altogether.
pub fn print<'a>(
    task: &Task,
    previews: impl Iterator<Item = Of<'a>>,
    prompt: &str,
    picture: &Picture,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut all = Object::new(to, 0);
    all.key("task")?;
    print_task(task, all.to)?;
    all.key("previews")?;
    write!(all.to, "[")?;
    let mut end = "";
    for (n, of) in previews.enumerate() {
        write!(all.to, "{}\n    ", if n > 0 { "," } else { "" })?;
        print_preview(of, all.to)?;
        end = "\n  ";
    }
    write!(all.to, "{end}]")?;
    all.field("prompt", prompt)?;
    all.field("tokens", &tokens_of(prompt.len()))?;
    all.field("context", &picture.context)?;
    all.field("repeats", &picture.repeats)?;
    all.field("together", &picture.together)?;
    all.end()?;
    writeln!(to)
}

fn print_task(task: &Task, to: &mut impl Write) -> io::Result<()> {
    let mut one = Object::new(to, 1);
    one.field("text", &task.text)?;
    one.field(
        "agent",
        &Some(&task.agent).filter(|agent| !agent.is_empty()),
    )?;
    one.field("plan", &task.plan)?;
    one.field("history", &task.history)?;
    one.texts("files", &task.files)?;
    one.field("now", &task.now.to_rfc3339())?;
    one.end()
}

fn print_preview((store, preview, memories, notes): Of<'_>, to: &mut impl Write) -> io::Result<()> {
    let mut one = Object::new(to, 2);
    one.field("store", store)?;
    one.field("policy", preview.policy)?;
    let dialect = Some(preview.dialect).filter(|name| !name.is_empty());
    one.field("dialect", &dialect)?;
    one.verdicts("selected", &preview.selected, memories)?;
    one.verdicts("rejected", &preview.rejected, memories)?;
    one.field("prompt", &preview.prompt)?;
    one.field("skill", &preview.skill)?;
    one.field("tokens", &preview.tokens())?;
    one.field("budget", &preview.budget)?;
    let said = preview.notes.iter().map(|note| &note.text);
    let said = said.filter(|said| !notes.contains(said));
    let all: Vec<&String> = notes.iter().chain(said).collect();
    if !all.is_empty() {
        one.field("notes", &all)?;
    }
    one.end()
}

/// Verdicts that one thread writes in a row, and those that are in memory at a time.
const TOGETHER: usize = 128;
const PIECE: usize = 4096;

/// An object that is written field by field, so many levels deep.
struct Object<'a, W> {
    to: &'a mut W,
    depth: usize,
    before: char,
}

impl<'a, W: Write> Object<'a, W> {
    const fn new(to: &'a mut W, depth: usize) -> Self {
        Self {
            to,
            depth,
            before: '{',
        }
    }

    fn key(&mut self, name: &str) -> io::Result<()> {
        let before = std::mem::replace(&mut self.before, ',');
        let indent = 2 * (self.depth + 1);
        write!(self.to, "{before}\n{:indent$}\"{name}\": ", "")
    }

    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
        self.key(name)?;
        Ok(serde_json::to_writer(&mut *self.to, value)?)
    }

    /// A list of texts, each on its line.
    fn texts(&mut self, name: &str, texts: &[String]) -> io::Result<()> {
        self.key(name)?;
        let indent = 2 * (self.depth + 2);
        let mut before = '[';
        for text in texts {
            write!(self.to, "{before}\n{:indent$}", "")?;
            serde_json::to_writer(&mut *self.to, text)?;
            before = ',';
        }
        match before {
            '[' => write!(self.to, "[]"),
            _ => write!(self.to, "\n{:indent$}]", "", indent = indent - 2),
        }
    }

    fn verdicts(&mut self, name: &str, all: &[Verdict], memories: &Snapshot) -> io::Result<()> {
        self.key(name)?;
        write!(self.to, "[")?;
        let mut skip = 1;
        // Used again for every piece: so much is never in memory at once.
        let mut texts = vec![Vec::new(); PIECE.div_ceil(TOGETHER)];
        for piece in all.chunks(PIECE) {
            let each = piece.par_chunks(TOGETHER).zip(&mut texts);
            each.try_for_each(|(verdicts, text)| write_verdicts(verdicts, memories, text))?;
            for text in texts.iter().take(piece.len().div_ceil(TOGETHER)) {
                // No comma before the first.
                self.to.write_all(text.get(skip..).unwrap_or_default())?;
                skip = skip.saturating_sub(text.len());
            }
        }
        if skip == 0 {
            write!(self.to, "\n{:indent$}", "", indent = 2 * (self.depth + 1))?;
        }
        write!(self.to, "]")
    }

    fn end(self) -> io::Result<()> {
        write!(self.to, "\n{:indent$}}}", "", indent = 2 * self.depth)
    }
}

/// Writes verdicts as they stand in a list of a preview, each behind a comma. There are as many as
/// there are memories: what is the same in all of them is written in one go.
fn write_verdicts(all: &[Verdict], memories: &Snapshot, to: &mut Vec<u8>) -> io::Result<()> {
    to.clear();
    for verdict in all {
        if let Some(memory) = memories.get(verdict.memory) {
            write_verdict(verdict, memory, to)?;
        }
    }
    Ok(())
}

fn write_verdict(verdict: &Verdict, memory: &Memory, to: &mut Vec<u8>) -> io::Result<()> {
    to.extend_from_slice(b",\n        {\n          \"id\": \"");
    content(&memory.id.store.0, to)?;
    to.push(b':');
    content(&memory.id.local, to)?;
    to.extend_from_slice(b"\",\n          \"title\": \"");
    content(&memory.title, to)?;
    to.extend_from_slice(b"\",\n          \"rank\": ");
    serde_json::to_writer(&mut *to, &verdict.rank)?;
    to.extend_from_slice(b",\n          \"score\": ");
    number(verdict.score, to)?;
    to.extend_from_slice(b",\n          \"factors\": [");
    let mut before: &[u8] = b"\n            {\n              \"name\": \"";
    for factor in &verdict.factors {
        to.extend_from_slice(before);
        content(factor.name, to)?;
        to.extend_from_slice(b"\",\n              \"points\": ");
        number(Some(factor.points), to)?;
        to.extend_from_slice(b",\n              \"detail\": \"");
        content(&factor.detail, to)?;
        to.extend_from_slice(b"\"\n            }");
        before = b",\n            {\n              \"name\": \"";
    }
    if !verdict.factors.is_empty() {
        to.extend_from_slice(b"\n          ");
    }
    to.extend_from_slice(b"],\n          \"match\": ");
    if let Some(found) = &verdict.matched {
        to.extend_from_slice(b"{\n            \"pattern\": \"");
        content(&found.pattern, to)?;
        to.extend_from_slice(b"\",\n            \"kind\": \"");
        content(found.kind, to)?;
        to.extend_from_slice(b"\",\n            \"hit\": \"");
        content(&found.hit, to)?;
        to.extend_from_slice(b"\"\n          }");
    } else {
        to.extend_from_slice(b"null");
    }
    to.extend_from_slice(b",\n          \"reason\": \"");
    content(verdict.reason.word(), to)?;
    to.extend_from_slice(b"\",\n          \"hint\": ");
    match &verdict.hint {
        Some(hint) => {
            to.push(b'"');
            content(hint, to)?;
            to.push(b'"');
        }
        None => to.extend_from_slice(b"null"),
    }
    to.extend_from_slice(b",\n          \"tokens\": ");
    serde_json::to_writer(&mut *to, &verdict.tokens)?;
    to.extend_from_slice(b"\n        }");
    Ok(())
}

/// Writes the content between the quotes of a text; nearly every text needs no escapes.
fn content(text: &str, to: &mut Vec<u8>) -> io::Result<()> {
    // No early way out: this way the compiler makes it one of vectors.
    let odd = text.bytes().fold(false, |odd, byte| {
        odd | (byte < b' ') | (byte == b'"') | (byte == b'\\')
    });
    if !odd {
        to.extend_from_slice(text.as_bytes());
        return Ok(());
    }
    let quoted = serde_json::to_string(text)?;
    let content = quoted.get(1..quoted.len() - 1).unwrap_or_default();
    to.extend_from_slice(content.as_bytes());
    Ok(())
}

/// A number, without a fraction where it has none.
fn number(number: Option<f64>, to: &mut Vec<u8>) -> io::Result<()> {
    let whole = number.filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only where nothing is lost"
    )]
    match whole {
        Some(whole) => serde_json::to_writer(to, &(whole as i64))?,
        None => serde_json::to_writer(to, &number)?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_written_as_serde_json_does() {
        for text in [
            "",
            "plain",
            "é😀 — \u{2028}",
            "\"q\" \\ \n\t\u{1}\u{1b}\u{7f}",
        ] {
            let mut own = vec![b'"'];
            content(text, &mut own).unwrap();
            own.push(b'"');
            assert_eq!(own, serde_json::to_vec(text).unwrap(), "{text:?}");
        }
        for (value, expected) in [
            (None, "null"),
            (Some(-5.0), "-5"),
            (Some(0.25), "0.25"),
            (Some(f64::NAN), "null"),
        ] {
            let mut own = Vec::new();
            number(value, &mut own).unwrap();
            assert_eq!(own, expected.as_bytes());
        }
    }
}
