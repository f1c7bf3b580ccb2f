//! What `inject` prints as JSON. It has a verdict for every memory, so verdicts are written in
//! pieces, by all processors.

use std::io::{self, Write};

use rayon::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::memory::{Memory, MemoryId, tokens_of};
use crate::retrieval::{Factor, Preview, Snapshot, Task, Verdict};

/// The preview of a store, with the memories it speaks of and the settings that do nothing.
pub type Of<'a> = (&'a str, &'a Preview, &'a Snapshot, &'a [String]);

/// Prints a task, what each store gives for it, and the prompt that all of them make.
pub fn print<'a>(
    task: &Task,
    previews: impl Iterator<Item = Of<'a>>,
    prompt: &str,
    to: &mut impl Write,
) -> io::Result<()> {
    let mut all = Object::new(to, 0);
    all.field("task", &TaskJson::new(task))?;
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
    all.end()?;
    writeln!(to)
}

fn print_preview((store, preview, memories, notes): Of<'_>, to: &mut impl Write) -> io::Result<()> {
    let mut one = Object::new(to, 2);
    one.field("store", store)?;
    one.field("policy", preview.policy)?;
    one.field("dialect", preview.dialect)?;
    one.verdicts("selected", &preview.selected, memories)?;
    one.verdicts("rejected", &preview.rejected, memories)?;
    one.field("prompt", &preview.prompt)?;
    one.field("skill", &preview.skill)?;
    one.field("tokens", &preview.tokens)?;
    one.field("budget", &preview.budget)?;
    if !notes.is_empty() {
        one.field("notes", notes)?;
    }
    one.end()
}

/// Writes a value as it stands inside so many others.
fn pretty(value: &(impl Serialize + ?Sized), depth: usize, to: impl Write) -> io::Result<()> {
    let layout = Layout {
        depth,
        filled: false,
    };
    let mut to = serde_json::Serializer::with_formatter(to, layout);
    Ok(value.serialize(&mut to)?)
}

/// The layout of `serde_json::to_writer_pretty`, which neither begins inside of anything nor
/// writes an indent in one go.
struct Layout {
    depth: usize,
    /// Whether anything stands in the innermost list or object.
    filled: bool,
}

impl Layout {
    fn line<W: Write + ?Sized>(&self, to: &mut W, before: &[u8]) -> io::Result<()> {
        const BLANKS: &[u8] = &[b' '; 64];
        to.write_all(before)?;
        match BLANKS.get(..2 * self.depth) {
            Some(indent) => to.write_all(indent),
            None => write!(to, "{:indent$}", "", indent = 2 * self.depth),
        }
    }

    fn begin<W: Write + ?Sized>(&mut self, to: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        to.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, to: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.filled {
            self.line(to, b"\n")?;
        }
        self.filled = true;
        to.write_all(bracket)
    }
}

impl Formatter for Layout {
    fn begin_array<W: Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        self.begin(to, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        self.end(to, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.line(to, if first { b"\n" } else { b",\n" })
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        self.begin(to, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        self.end(to, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.line(to, if first { b"\n" } else { b",\n" })
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}

/// Verdicts that one thread writes in a row, and those that are in memory at a time.
const TOGETHER: usize = 256;
const PIECE: usize = 8192;

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
        pretty(value, self.depth + 1, &mut *self.to)
    }

    fn verdicts(&mut self, name: &str, all: &[Verdict], memories: &Snapshot) -> io::Result<()> {
        self.key(name)?;
        let depth = self.depth + 2;
        let one = |mut text: Vec<u8>, verdict: &Verdict| {
            if let Some(memory) = memories.get(verdict.memory) {
                write!(text, ",\n{:indent$}", "", indent = 2 * depth)?;
                pretty(&VerdictJson::new(verdict, memory), depth, &mut text)?;
            }
            io::Result::Ok(text)
        };
        let mut skip = 1;
        write!(self.to, "[")?;
        for piece in all.chunks(PIECE) {
            let texts = piece.par_chunks(TOGETHER);
            let texts = texts.map(|verdicts| verdicts.iter().try_fold(Vec::new(), one));
            for text in texts.collect::<io::Result<Vec<_>>>()? {
                // No comma before the first.
                self.to.write_all(text.get(skip..).unwrap_or_default())?;
                skip = 0;
            }
        }
        if skip == 0 {
            write!(self.to, "\n{:indent$}", "", indent = 2 * (depth - 1))?;
        }
        write!(self.to, "]")
    }

    fn end(self) -> io::Result<()> {
        write!(self.to, "\n{:indent$}}}", "", indent = 2 * self.depth)
    }
}

fn factors<S: Serializer>(factors: &&[Factor], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(factors.iter().map(|factor| FactorJson {
        name: factor.name,
        points: Number(factor.points),
        detail: &factor.detail,
    }))
}

fn shown<S: Serializer>(id: &MemoryId, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(id)
}

/// A task.
#[derive(Serialize)]
struct TaskJson<'a> {
    text: &'a str,
    agent: Option<&'a str>,
    plan: Option<&'a str>,
    history: Option<&'a str>,
    files: &'a [String],
    now: String,
}

impl<'a> TaskJson<'a> {
    /// A task as the contract has it.
    fn new(task: &'a Task) -> Self {
        Self {
            text: &task.text,
            agent: Some(task.agent.as_str()).filter(|agent| !agent.is_empty()),
            plan: task.plan.as_deref(),
            history: task.history.as_deref(),
            files: &task.files,
            now: task.now.to_rfc3339(),
        }
    }
}

#[derive(Serialize)]
struct VerdictJson<'a> {
    #[serde(serialize_with = "shown")]
    id: &'a MemoryId,
    title: &'a str,
    rank: Option<usize>,
    score: Option<Number>,
    #[serde(serialize_with = "factors")]
    factors: &'a [Factor],
    #[serde(rename = "match")]
    matched: Option<MatchJson<'a>>,
    reason: &'static str,
    hint: Option<&'a str>,
    tokens: usize,
}

#[derive(Serialize)]
struct FactorJson<'a> {
    name: &'a str,
    points: Number,
    detail: &'a str,
}

#[derive(Serialize)]
struct MatchJson<'a> {
    pattern: &'a str,
    kind: &'a str,
    hit: &'a str,
}

/// A number that is printed without a fraction where it has none.
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "only where nothing is lost"
        )]
        if self.0.fract() == 0.0 && self.0.abs() < 1e15 {
            to.serialize_i64(self.0 as i64)
        } else {
            to.serialize_f64(self.0)
        }
    }
}

impl<'a> VerdictJson<'a> {
    fn new(verdict: &'a Verdict, memory: &'a Memory) -> Self {
        let matched = verdict.matched.as_ref();
        Self {
            id: &memory.id,
            title: &memory.title,
            rank: verdict.rank,
            score: verdict.score.map(Number),
            factors: &verdict.factors,
            matched: matched.map(|found| MatchJson {
                pattern: &found.pattern,
                kind: found.kind,
                hit: &found.hit,
            }),
            reason: verdict.reason.word(),
            hint: verdict.hint.as_deref(),
            tokens: verdict.tokens,
        }
    }
}
