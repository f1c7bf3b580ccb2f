//! Extracts lessons from a session: reads a transcript, a conversation or a diff, and applies rules
//! that find failures, fixes, commands, limits and decisions. It asks no model.
//!
//! ```text
//! lines ─> intake ─┬─ transcript ─┐
//!                  └─ prose ──────┴─> Session ─┬─ sayings ──> Lessons ─> known ─> proposals
//!                                              └─ outcomes ─┘
//! ```

mod outcomes;
mod prose;
mod sayings;
pub mod session;
mod signatures;
pub mod trace;
pub mod transcript;
pub mod turn;
pub mod worth;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::curate::differences::Words;
use crate::text::cut;
use crate::text::statements::statements;
use crate::text::tokens::stems;
use session::{FileEdit, Session};

/// The types that stores may have for each kind of lesson, the best first.
static KINDS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../assets/extract/kinds.toml")).unwrap_or_default()
});

/// Something that is worth keeping.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson {
    /// Its kind: a key of `assets/extract/kinds.toml`, which is the tag of its proposal.
    pub kind: &'static str,
    /// A line that names it.
    pub title: String,
    /// The text of the memory.
    pub body: String,
    /// The files it is about.
    pub files: Vec<String>,
    /// The words of the session that show it.
    pub evidence: String,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// The failure that a fix puts right.
    pub fixes: Option<Box<Lesson>>,
}

impl Lesson {
    /// A lesson that a text names.
    fn new(kind: &'static str, sure: f64, name: &str, body: String, evidence: String) -> Self {
        Self {
            kind,
            title: title(name),
            body,
            evidence,
            confidence: sure,
            ..Self::default()
        }
    }

    /// The same lesson about changed files.
    fn about(mut self, edits: &[&FileEdit]) -> Self {
        self.files = edits.iter().map(|edit| edit.path.clone()).collect();
        self
    }

    /// Types that a store may have for it, the best first, in lower case.
    pub fn types(&self) -> impl Iterator<Item = &'static str> + use<> {
        let types = KINDS.get(self.kind).map_or("", String::as_str);
        types.split_whitespace()
    }
}

/// Longest title, in bytes.
const TITLE: usize = 90;

/// A text as a title: one line, without the stop at its end.
fn title(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut title = cut(&line, TITLE);
    if title.len() < line.len() {
        title = title.rsplit_once(' ').map_or(title, |(words, _)| words);
    }
    capital(title.trim_end_matches(['.', ',', ';', ':', '!', ' ', '。']))
}

/// A sentence that begins with a capital, unless it begins with code or the name of a file.
fn capital(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_word = first
        .trim_end_matches([',', ':'])
        .chars()
        .all(char::is_alphabetic);
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if is_word => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// Share of the words of two lessons from which on they are the same.
const SAME: f64 = 0.8;

/// The lessons of a session, in its order, each once.
pub fn lessons(session: &Session) -> Vec<Lesson> {
    let mut kept: Vec<(Lesson, Words)> = Vec::new();
    for lesson in sayings::lessons(session)
        .into_iter()
        .chain(outcomes::lessons(session))
    {
        let words = Words::new(&lesson.body);
        let is_same =
            |(other, own): &(Lesson, Words)| other.kind == lesson.kind && own.is_like(&words, SAME);
        if !kept.iter().any(is_same) {
            kept.push((lesson, words));
        }
    }
    kept.into_iter().map(|(lesson, _)| lesson).collect()
}

/// Share of the words of a lesson that one statement has from which on it says the same.
const SAYS: f64 = 0.75;

/// The texts that are there, memories and the files that agents are given: what they say is no lesson.
pub struct Known {
    texts: Vec<String>,
    /// The words of each statement of them.
    statements: Vec<Vec<u32>>,
}

impl Known {
    /// Reads texts.
    pub fn new(texts: Vec<String>) -> Self {
        let all = texts.iter().flat_map(|text| {
            let all = statements(text).into_iter();
            all.filter_map(|one| Some(stems(text.get(one.at)?)))
        });
        let statements = all.collect();
        Self { texts, statements }
    }

    /// True if no text says what a lesson says.
    pub fn is_new(&self, lesson: &Lesson) -> bool {
        let has = |part: &str| self.texts.iter().any(|text| text.contains(part));
        let first = lesson.body.lines().next().unwrap_or_default();
        let words = stems(first);
        let says = |one: &Vec<u32>| {
            let both = words.iter().filter(|word| one.contains(word)).count();
            both as f64 >= SAYS * words.len() as f64
        };
        !match lesson.kind {
            "command" | "fix" | "failure" => has(first) || has(&lesson.title),
            _ => self.statements.iter().any(says),
        }
    }
}
