//! Pairs of memories: which contradict each other, and which say the same twice.
//!
//! ```text
//! every body, once ──> neighbouring words of its statements ──> statements that share most of them
//!            │                                                    │ both, again (text::compare)
//!            └──> runs of words, templates left out ──> likeness, differences
//! ```

mod candidates;
mod verify;

use std::ops::Range;
use std::sync::OnceLock;

use self::candidates::{Candidates, Featured, Features, keys, narrow};
use super::repository::{self, Document};
use super::subject::Position;
use super::{Context, Facts, Finding, Rule, Subject};
use crate::text::compare::{Comparison, Difference, Sentence, Weights};
use crate::text::stance::{Stance, denies};
use crate::text::statements::{Form, Statement};
use crate::text::tokens::{common, stems};

/// A statement that differs from another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    pub place: Position,
    pub text: String,
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
    pub difference: Difference,
    /// How sure it is that they contradict each other, 0 to 1.
    pub confidence: f64,
    pub warns: bool,
    pub sides: [Side; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Likeness {
    /// For whole memories, the share of the shorter text found in the other; for statements, a probability.
    pub share: f64,
    /// The length of the shorter as a part of the longer, 0 to 1.
    pub size: f64,
    /// The share of the first one that the second has, 0 to 1.
    pub of_first: f64,
    /// True if one of the two is a single statement.
    pub single: bool,
    pub warns: bool,
}

/// The documents of the project. Their indexes in pairs follow those of the memories.
pub(super) fn documents<'f>(cx: &Context<'_>, facts: &'f Facts) -> &'f Vec<Document> {
    facts.of(|| repository::documents(cx).collect())
}

/// The contradictions or the likeness of two memories, or of a memory and a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// The first, by its index in the snapshot.
    pub a: usize,
    /// The second; the first again where a merge appended text to it.
    pub b: usize,
    /// Statements that contradict each other; of memories that are alike, those that differ most.
    pub conflicts: Vec<Conflict>,
    /// Their likeness, if nothing contradicts.
    pub alike: Option<Likeness>,
}

/// The pairs with conflicts or likeness among the gathered memories, by index.
pub(super) fn pairs<'f>(cx: &Context<'_>, facts: &'f Facts) -> &'f Vec<Found> {
    facts.of(|| {
        let (documents, memories) = (documents(cx, facts), cx.memories.len());
        let mut all = facts.kept::<Featured>();
        let features = documents
            .iter()
            .map(|one| Features::new(&one.text, cx.weights));
        all.extend((narrow(memories)..).zip(features));
        let candidates = &Candidates::new(all, memories);
        verify::Reader {
            cx,
            documents,
            candidates,
        }
        .check()
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
            let features = Features::new(&body, cx.weights);
            subject.facts.keep(vec![(narrow(subject.index), features)]);
        }
        Seen
    });
}

/// Adds both statements to a finding, with their positions: first the one of its own memory.
pub(super) fn tell(finding: &mut Finding, [here, there]: [&Side; 2]) {
    (finding.line, finding.column) = (here.place.line, here.place.column);
    finding.place.clone_from(&here.place.bytes);
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

/// True if two lines have the same label, under similar headings.
pub fn have_one_label(one: &One<'_>, other: &One<'_>) -> bool {
    let rows = [&one.at, &other.at].map(|one| one.form == Form::Row);
    let least = one.heading.len().max(other.heading.len());
    rows[0] == rows[1]
        && one.label == other.label
        && (one.label.is_empty() || 2 * common(&one.heading, &other.heading) >= least)
}

pub fn is_single(a: &Body<'_>, b: &Body<'_>) -> bool {
    a.statements.len().min(b.statements.len()) <= 1
}

/// A statement of a memory, with the values that comparisons need.
pub struct One<'t> {
    pub at: Statement,
    pub sentence: Sentence<'t>,
    /// The keys of its words, and of its label.
    pub keys: Vec<u32>,
    pub key: Option<u32>,
    /// The stems of its label and of its heading, sorted.
    pub label: Vec<u32>,
    pub heading: Vec<u32>,
    /// True if it stands below a heading or a line that denies.
    pub below: bool,
    stance: OnceLock<Stance>,
}

impl One<'_> {
    pub fn stance(&self) -> Stance {
        *self
            .stance
            .get_or_init(|| Stance::new(&self.sentence, self.below))
    }

    /// The part with its claim: without its label, and of a row the first cell alone.
    pub fn claimed(&self) -> &str {
        let (text, start) = (self.sentence.text, self.at.at.start);
        let claimed = match &self.at.label {
            Some(first) if self.at.form == Form::Row => text.get(..first.end - start),
            label => text.get(label.as_ref().map_or(0, |label| label.end - start)..),
        };
        claimed.unwrap_or_default()
    }
}

pub struct Body<'t> {
    /// The index of its memory, and the text of that.
    pub memory: usize,
    pub whole: &'t str,
    pub text: &'t str,
    /// Its beginning in the text of its memory.
    pub start: usize,
    pub statements: Vec<One<'t>>,
    pub weight: f64,
}

impl<'t> Body<'t> {
    pub fn new(memory: usize, whole: &'t str, range: Range<usize>, weights: &Weights) -> Self {
        let text = whole.get(range.clone()).unwrap_or_default();
        let part = |at: Option<&Range<usize>>| {
            let part = at.and_then(|at| text.get(at.clone()));
            stems(part.unwrap_or_default())
        };
        // The last heading, and the last line above a list.
        let (mut heading_at, mut is_heading, mut is_list) = (None, false, false);
        let one = |(at, sentence): (Statement, Sentence<'t>)| {
            if at.heading != heading_at {
                heading_at.clone_from(&at.heading);
                let heading = heading_at.clone().and_then(|at| text.get(at));
                is_heading = heading.is_some_and(denies);
                is_list = false;
            }
            let end = sentence.text.trim_end_matches(['*', '_', ' ']);
            if at.form != Form::Item {
                is_list = end.ends_with(':') && denies(end);
            }
            let mut label = part(at.label.as_ref());
            // Headings are compared where lines have labels.
            let mut heading = part(at.label.as_ref().and(at.heading.as_ref()));
            let key = at.label.as_ref().map(|_| candidates::label(&label));
            label.sort_unstable();
            heading.sort_unstable();
            One {
                keys: keys(&sentence),
                key,
                label,
                heading,
                below: is_heading || is_list && at.form == Form::Item,
                stance: OnceLock::new(),
                at,
                sentence,
            }
        };
        let statements: Vec<One<'t>> = Sentence::all(text, weights).into_iter().map(one).collect();
        Self {
            memory,
            whole,
            text,
            start: range.start,
            weight: statements.iter().map(|one| one.sentence.weight()).sum(),
            statements,
        }
    }
}
