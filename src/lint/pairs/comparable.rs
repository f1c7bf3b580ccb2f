//! A body, read statement by statement for comparison.

use std::ops::Range;
use std::sync::OnceLock;

use super::candidates::{self, keys};
use crate::text::compare::{Sentence, Weights};
use crate::text::stance::{Stance, denies};
use crate::text::statements::{Form, Statement};
use crate::text::tokens::{common, stems};

/// True if two lines have the same label, under similar headings.
pub fn have_one_label(one: &One<'_>, other: &One<'_>) -> bool {
    let rows = [&one.at, &other.at].map(|one| one.form == Form::Row);
    let least = one.heading.len().max(other.heading.len());
    rows[0] == rows[1]
        && one.label == other.label
        && (one.label.is_empty() || 2 * common(&one.heading, &other.heading) >= least)
}

/// True if one of two bodies is a single statement.
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
    /// Its attitude to what it is about.
    pub fn stance(&self) -> Stance {
        *self
            .stance
            .get_or_init(|| Stance::new(&self.sentence, self.below))
    }

    /// The part with its claim: a label such as "How to apply" is no part of it, and the other cells
    /// of a row are not what its first is about.
    pub fn claimed(&self) -> &str {
        let (text, start) = (self.sentence.text, self.at.at.start);
        let claimed = match &self.at.label {
            Some(first) if self.at.form == Form::Row => text.get(..first.end - start),
            label => text.get(label.as_ref().map_or(0, |label| label.end - start)..),
        };
        claimed.unwrap_or_default()
    }
}

/// A body, read for comparison.
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
    /// Reads a part of a text.
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
