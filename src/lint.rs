//! Checks over memories: what is wrong, where, why it matters and how to put it right.
//!
//! Pure: texts and facts about the repository come in through traits.

use std::ops::Range;

use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Severity, Timestamp};
use crate::retrieval::{Snapshot, Texts};

/// What a rule found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// How sure the rule is, 0 to 1.
    pub confidence: f64,
    /// The memory, by its index in the snapshot.
    pub memory: usize,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The bytes of the memory's text (from its span's start) that it is about, where it is
    /// about a part.
    pub place: Option<Range<usize>>,
    /// What is wrong, in a sentence without a full stop.
    pub message: String,
    /// What shows it.
    pub evidence: Vec<String>,
    /// Other memories it is about, by their index in the snapshot.
    pub related: Vec<usize>,
    /// The change that puts it right, where one is safe.
    pub fix: Option<Fix>,
}

/// A change that puts a finding right: a plan before it meets the bytes of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What it does, as an order: `split into two patterns`.
    pub title: String,
    /// The memory it changes, by its index in the snapshot.
    pub memory: usize,
    /// The change.
    pub action: FixAction,
}

/// What a fix does.
#[derive(Clone, Debug, PartialEq)]
pub enum FixAction {
    /// Edits fields or text of the memory.
    Edit(Vec<FieldEdit>),
    /// Gives the memory's file another name (LOCAL without extension).
    Rename(String),
    /// Gives every memory of the file, from the second on, a file of its own.
    SplitFile,
    /// Turns the file's line ends, BOM and leading blank lines into what the loader reads.
    Normalize,
}

/// What the rules look at.
pub struct Context<'a> {
    /// All memories, archived ones included (rules skip them).
    pub memories: &'a Snapshot,
    /// Their texts.
    pub texts: &'a dyn Texts,
    /// The clock.
    pub now: Timestamp,
}

/// One check. It sees every memory once (`check`, called in parallel) and then all of them
/// together (`finish`), so that each text is read once for all rules.
pub trait Rule: Send + Sync {
    /// The ids it reports under, with their severities; the first is its own.
    fn id(&self) -> &'static str;
    /// Its usual severity.
    fn severity(&self) -> Severity;
    /// What it finds, in one line.
    fn title(&self) -> &'static str;
    /// The page of help.
    fn help(&self) -> &'static str;
    /// Looks at one memory. `text` is its whole text, read once for all rules.
    fn check(
        &self,
        _cx: &Context<'_>,
        _index: usize,
        _memory: &Memory,
        _text: &str,
        _out: &mut Vec<Finding>,
    ) {
    }
    /// Looks at all memories together.
    fn finish(&self, _cx: &Context<'_>, _out: &mut Vec<Finding>) {}
}
