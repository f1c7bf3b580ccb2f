//! Requests to a model: memories with their texts, and the question about them.

use std::sync::Arc;

use rayon::prelude::*;

use crate::lint::chars::{cut, oddity};
use crate::lint::judged::{document_print, masked_body, sent, text_print};
use crate::lint::mask;
use crate::lint::repository::Document;
use crate::memory::{Memory, MemoryId, State, Timestamp, format, tokens_of};
use crate::retrieval::{Snapshot, Texts};

/// Question to the model.
const QUESTION: &str = include_str!("../../assets/agent/judge.md");

/// Heading above pairs that rules suspect.
const SUSPECTED: &str =
    "\nChecks that compare words suspect these pairs. Answer each with a line:\n";

/// Tokens that the reasons in a second request have room for.
const REASONS: usize = 120;

/// Marker in place of text that was cut.
const CUT: &str = "\n[cut]";

/// Tokens of a request besides its memories: the question, room for suspected pairs, and for the
/// reasons in a second request.
pub const OVERHEAD: usize = QUESTION.len().div_ceil(4) + 60 + REASONS;

/// A memory as it is sent.
pub struct Note {
    /// The memory.
    pub memory: Arc<Memory>,
    /// Its id.
    pub id: String,
    /// Its body, secrets masked.
    pub body: String,
    /// The fingerprint of its body.
    pub print: String,
    /// The same in short, as it is noted that it was sent.
    pub sent: String,
    /// Its part of a request.
    pub block: String,
}

impl Note {
    /// A memory whose part of a request takes at most so many tokens.
    fn new(memory: &Arc<Memory>, texts: &dyn Texts, most: usize) -> Option<Self> {
        let text = texts.text(memory)?;
        let (_, body) = masked_body(memory, &text);
        let date = memory.written();
        let date = date.map(|at| format!(" date=\"{}\"", at.date()));
        let (title, date) = (attribute(&mask(&memory.title)), date.unwrap_or_default());
        let more = format!(" title=\"{title}\"{date}");
        let (id, print) = (memory.id.to_string(), text_print(memory, &text));
        let own = (Arc::clone(memory), id);
        Self::shown(own, body, print, ("memory", &more), most)
    }

    /// The same of a document of the project, whose id is its path.
    fn context(Document { path, text }: &Document, most: usize) -> Option<Self> {
        let id = MemoryId::new(&"context".into(), path.as_str());
        let schema = format::schema("context");
        let memory = Memory::new(id, std::path::Path::new(path).into(), schema);
        let (body, print) = (mask(text).into_owned(), document_print(text));
        let own = (Arc::new(memory), path.clone());
        Self::shown(own, body, print, ("context", ""), most)
    }

    /// A note in a tag with more attributes; none if it has no text.
    fn shown(
        (memory, id): (Arc<Memory>, String),
        body: String,
        print: String,
        (tag, more): (&str, &str),
        most: usize,
    ) -> Option<Self> {
        let head = format!("<{tag} id=\"{}\"{more}>", attribute(&id));
        let room = (most * 4).saturating_sub(head.len() + 17);
        let shown = shortened(&escaped(body.trim()), room);
        let block = format!("{head}\n{shown}\n</{tag}>\n");
        let sent = sent(&print);
        (!body.trim().is_empty()).then_some(Self {
            memory,
            id,
            body,
            print,
            sent,
            block,
        })
    }

    /// True if it is a document of the project and no memory.
    pub fn is_context(&self) -> bool {
        self.memory.schema.can.context
    }

    /// Tokens of its part of a request.
    pub fn tokens(&self) -> usize {
        tokens_of(self.block.len())
    }
}

/// The memories that can be asked about: active, not expired, and with a text; behind them the
/// documents. No two are together larger than a request with this budget.
pub fn notes(
    (memories, context): (&Snapshot, &[Document]),
    texts: &dyn Texts,
    now: Timestamp,
    budget: usize,
) -> Vec<Note> {
    let most = budget.saturating_sub(OVERHEAD) / 2;
    let in_use = |memory: &&Arc<Memory>| {
        memory.state == State::Active && !memory.is_expired(now) && !memory.schema.can.context
    };
    let in_use = memories.par_iter().filter(in_use);
    let notes = in_use.filter_map(|memory| Note::new(memory, texts, most));
    let mut notes: Vec<Note> = notes.collect();
    let context = context.iter().filter(|_| !notes.is_empty());
    let context: Vec<Note> = context.filter_map(|one| Note::context(one, most)).collect();
    notes.extend(context);
    notes
}

/// A value as an attribute holds it.
pub(super) fn attribute(value: &str) -> String {
    let visible = value.chars().filter(|c| oddity(*c).is_none());
    let visible = visible.map(|c| if c.is_whitespace() { ' ' } else { c });
    let visible: String = visible.collect();
    let escaped = visible.replace('&', "&amp;").replace('"', "&quot;");
    escaped.replace('<', "&lt;").replace('>', "&gt;")
}

/// The tags of notes and sessions.
const TAGS: [&str; 3] = ["memory", "context", "session"];

/// A text in which no note begins or ends, and without what a terminal obeys or nobody sees.
pub(super) fn escaped(text: &str) -> String {
    let visible: String = text.chars().filter(|c| oddity(*c).is_none()).collect();
    let mut escaped = String::with_capacity(visible.len());
    let mut rest = visible.as_str();
    while let Some((before, tag)) = rest.split_once('<') {
        escaped.push_str(before);
        let name = tag.trim_start_matches(['<', '/']);
        let begins = |tag: &str| cut(name, tag.len()).eq_ignore_ascii_case(tag);
        let is_tag = TAGS.into_iter().any(begins);
        escaped.push_str(if is_tag { "&lt;" } else { "<" });
        rest = tag;
    }
    escaped + rest
}

/// A quote as the text has it that was escaped.
pub fn unescaped(quoted: &str) -> String {
    quoted.replace("&lt;", "<")
}

/// The first lines of a text that fit into so many bytes.
fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let short = cut(text, most.saturating_sub(CUT.len()));
    let line_end = short.rfind('\n').filter(|at| *at > most / 3);
    let short = line_end.and_then(|at| short.get(..at)).unwrap_or(short);
    short.to_owned() + CUT
}

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The notes in it, by their indices.
    pub notes: Vec<usize>,
    /// Input of the command.
    pub text: String,
}

impl Request {
    /// A request about these notes, with those suspected pairs of them that the budget has room for.
    pub fn new(
        notes: &[Note],
        members: Vec<usize>,
        suspected: &[(usize, usize)],
        budget: usize,
    ) -> Self {
        let mut text = QUESTION.to_owned() + "\n";
        for note in members.iter().filter_map(|member| notes.get(*member)) {
            text += &note.block;
        }
        let among = |(a, b): &&(usize, usize)| members.contains(a) && members.contains(b);
        let mut head = SUSPECTED;
        for (a, b) in suspected.iter().filter(among) {
            let (Some(a), Some(b)) = (notes.get(*a), notes.get(*b)) else {
                continue;
            };
            let (a, b) = (attribute(&a.id), attribute(&b.id));
            let line = format!("{head}\"{a}\" and \"{b}\"\n");
            if tokens_of(text.len() + line.len()) + REASONS > budget {
                break;
            }
            (text, head) = (text + &line, "");
        }
        Self {
            notes: members,
            text,
        }
    }

    /// Its tokens.
    pub fn tokens(&self) -> usize {
        tokens_of(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_begins_or_ends_a_memory() {
        for (text, expected) in [
            ("a <b> <memory id=\"x\"> c", "a <b> &lt;memory id=\"x\"> c"),
            ("</memory>", "&lt;/memory>"),
            ("</Memory >", "&lt;/Memory >"),
            ("</context>", "&lt;/context>"),
            ("<<memory>", "&lt;&lt;memory>"),
            ("<\u{200b}memory>", "&lt;memory>"),
            ("\u{1b}[2J<m", "[2J<m"),
        ] {
            assert_eq!(escaped(text), expected);
        }
        assert_eq!(attribute("a\"\n<b>&\u{7}"), "a&quot; &lt;b&gt;&amp;");
    }

    #[test]
    fn a_long_text_is_cut_at_a_line() {
        let text = "one two three\nfour five six\nseven";
        assert_eq!(shortened(text, 100), text);
        assert_eq!(shortened(text, 27), "one two three\n[cut]");
        assert_eq!(shortened("äöüßé", 9), "ä\n[cut]");
    }
}
