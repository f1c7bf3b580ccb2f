//! Pairs of memories: which contradict each other, and which say the same twice.
//!
//! ```text
//! every body, once ──> neighbouring words of its statements ──> statements that share most of them
//!            │                                                    │ both, again (text::compare)
//!            └──> runs of words, templates left out ──> likeness, differences
//! ```

mod candidates;
mod comparable;
mod verify;

use std::ops::Range;

use super::subject::Position;
use super::{Context, Facts, Finding, Rule, Subject, repository};
use crate::text::compare::{Comparison, Difference};
use candidates::{Candidates, Features, Keys};

/// A statement that differs from another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    /// Its place in its file.
    pub place: Position,
    /// Its text.
    pub text: String,
    /// The bytes of the text that differ.
    pub marks: Vec<Range<usize>>,
}

impl Side {
    /// The same with the line of its place in a document before its text.
    pub fn behind(mut self, path: &str) -> Self {
        let before = format!("{path}{}: ", self.place.line);
        for mark in &mut self.marks {
            *mark = mark.start + before.len()..mark.end + before.len();
        }
        self.text.insert_str(0, &before);
        self
    }
}

/// Two statements about one thing that differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Conflict {
    /// How they differ.
    pub difference: Difference,
    /// How sure it is that they contradict each other, 0 to 1.
    pub confidence: f64,
    /// True if it is a warning, not a suggestion.
    pub warns: bool,
    /// The statements of both memories.
    pub sides: [Side; 2],
}

/// The likeness of two memories.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Likeness {
    /// The share of the shorter one that the other has, 0 to 1; of a single statement the probability
    /// that the other has it.
    pub share: f64,
    /// The length of the shorter as a part of the longer, 0 to 1.
    pub size: f64,
    /// The share of the first one that the second has, 0 to 1.
    pub of_first: f64,
    /// True if one of the two is a single statement.
    pub single: bool,
    /// True if it is a warning, not a suggestion.
    pub warns: bool,
}

/// A document of the project that agents are given beside memories. It is compared with memories
/// alone, and no fix changes it.
pub(super) struct Document {
    /// Its path below the root.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Document {
    /// True if it holds everywhere: what a folder's document says may be otherwise elsewhere.
    fn is_general(&self) -> bool {
        !self.path.contains('/') || self.path.starts_with('.')
    }
}

/// The documents of the project. Their indexes in pairs follow those of the memories.
pub(super) fn documents<'f>(cx: &Context<'_>, facts: &'f Facts) -> &'f Vec<Document> {
    let new = |(path, text)| Document { path, text };
    facts.of(|| repository::documents(cx).map(new).collect())
}

/// The contradictions or the likeness of two memories, or of a memory and a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// The first, by its index in the snapshot.
    pub a: usize,
    /// The second; the first again where a merge appended text to it.
    pub b: usize,
    /// Statements that contradict each other; of memories that are alike, the statements that differ
    /// most in a name, a number, a negation or a word.
    pub conflicts: Vec<Conflict>,
    /// Their likeness, if nothing contradicts.
    pub alike: Option<Likeness>,
}

fn keys(facts: &Facts) -> &Keys {
    facts.of(Keys::default)
}

/// The pairs with conflicts or likeness among the gathered memories, by index.
pub(super) fn pairs<'f>(cx: &Context<'_>, facts: &'f Facts) -> &'f Vec<Found> {
    facts.of(|| {
        let (documents, memories) = (documents(cx, facts), cx.memories.len());
        for (n, document) in (memories..).zip(documents) {
            keys(facts).add(n, Features::new(&document.text, cx.weights));
        }
        let candidates = &Candidates::new(keys(facts), memories);
        let reader = verify::Reader {
            cx,
            documents,
            candidates,
        };
        reader.check()
    })
}

/// Marks a memory that a rule about pairs has gathered.
struct Seen;

/// Gathers the keys of a memory for the first rule about pairs that asks.
pub(super) fn gather(_: &Rule, subject: &Subject<'_>) {
    subject.of(|| {
        // An expired memory contradicts nothing, and an index repeats what it lists.
        let (cx, memory) = (subject.cx, subject.memory);
        if !memory.is_expired(cx.now) && memory.index_table().is_none() {
            let body = verify::written(memory, subject.body().1.into());
            keys(subject.facts).add(subject.index, Features::new(&body, cx.weights));
        }
        Seen
    });
}

/// Adds both statements to a finding, with their positions: first the one of its own memory.
pub(super) fn tell(cx: &Context<'_>, finding: &mut Finding, [here, there]: [&Side; 2]) {
    (finding.line, finding.column) = (here.place.line, here.place.column);
    finding.place.clone_from(&here.place.bytes);
    let other = finding.related.first();
    let other = other.and_then(|index| cx.memories.get(*index));
    let start = there.place.bytes.as_ref().map(|bytes| bytes.start);
    let in_file = other
        .zip(start)
        .and_then(|(other, at)| cx.texts.places(other, &[at])?.first().copied());
    let line = in_file.unwrap_or((there.place.line, there.place.column));
    finding.there = other.map(|_| line);
    for side in [here, there] {
        // A line end becomes a blank of the same length, so that marks stay valid.
        let text = side.text.replace(['\n', '\r'], " ");
        finding.show(text, side.marks.iter().cloned());
    }
}

/// The message about a statement that contradicts one of NAME: `Conflicting number with NAME`.
pub(super) fn against(difference: Difference, name: &str) -> String {
    match difference {
        Difference::Number => format!("Conflicting number with {name}"),
        Difference::Name => format!("Conflicting name with {name}"),
        Difference::Wording => format!("Conflicting statement with {name}"),
        Difference::Negation => format!("Contradicts {name}"),
        Difference::Opposite => format!("Opposite of {name}"),
    }
}

/// The two words that differ, if each side has one and both are short: `: 10 and 15`.
pub(super) fn differing_words(finding: &Finding) -> String {
    const LONGEST: usize = 24;
    let word = |(piece, bytes): &(usize, Range<usize>)| {
        let text = finding.evidence.get(*piece)?.get(bytes.clone())?.trim();
        (!text.is_empty() && text.len() <= LONGEST).then_some(text)
    };
    let words = match finding.marks.as_slice() {
        [here, there] if (here.0, there.0) == (0, 1) => word(here).zip(word(there)),
        _ => None,
    };
    words.map_or_else(String::new, |(here, there)| format!(": {here} and {there}"))
}

/// How sure a contradiction is: at least .9 where it is a warning, at least .75 where it is a
/// suggestion, as measured on sources that the models were not fitted on.
fn confidence(found: &Comparison, warns: bool) -> f64 {
    let (least, room) = if warns { (0.9, 0.1) } else { (0.75, 0.15) };
    least + room * found.same * found.contradiction
}
