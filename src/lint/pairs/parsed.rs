//! The statements of a body, and where two bodies contradict each other.

use std::ops::Range;

use super::candidates::{self, neighbours};
use crate::text::compare::{Comparison, Sentence, Weights, compare};
use crate::text::statements::Statement;
use crate::text::tokens::stems;

/// A statement of a memory, with the values that comparisons need.
pub struct One<'t> {
    pub at: Statement,
    pub sentence: Sentence<'t>,
    /// The keys of its neighbours, and of its label.
    pub neighbours: Vec<u32>,
    pub key: Option<u32>,
    /// The stems of its label and of its heading, sorted.
    pub label: Vec<u32>,
    pub heading: Vec<u32>,
}

/// Statements by the telling words in them.
#[derive(Default, Hash)]
pub struct ByStem(Vec<(u32, usize)>);

impl ByStem {
    /// Reads statements, which keep their order.
    pub fn new<'s, 't: 's>(statements: impl Iterator<Item = &'s Sentence<'t>>) -> Self {
        let stems = |(n, one): (usize, &'s Sentence<'t>)| one.content().map(move |stem| (stem, n));
        let mut all: Vec<(u32, usize)> = statements.enumerate().flat_map(stems).collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    /// The statements that share telling words with a sentence, once for each of its words; sorted.
    pub fn sharing(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        let with = |stem| {
            let from = self.0.partition_point(|entry| entry.0 < stem);
            let rest = self.0.iter().skip(from);
            rest.take_while(move |entry| entry.0 == stem)
                .map(|entry| entry.1)
        };
        let mut found: Vec<usize> = sentence.content().flat_map(with).collect();
        found.sort_unstable();
        found
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
    by_stem: ByStem,
    pub weight: f64,
}

impl<'t> Body<'t> {
    pub fn new(memory: usize, whole: &'t str, range: Range<usize>, weights: &Weights) -> Self {
        let text = whole.get(range.clone()).unwrap_or_default();
        let part = |at: Option<&Range<usize>>| {
            let part = at.and_then(|at| text.get(at.clone()));
            stems(part.unwrap_or_default())
        };
        let one = |(at, sentence): (Statement, Sentence<'t>)| {
            let mut label = part(at.label.as_ref());
            // Headings are compared where lines have labels.
            let mut heading = part(at.label.as_ref().and(at.heading.as_ref()));
            let key = at.label.as_ref().map(|_| candidates::label(&label));
            label.sort_unstable();
            heading.sort_unstable();
            One {
                neighbours: neighbours(&sentence.content().collect::<Vec<u32>>()).collect(),
                key,
                label,
                heading,
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
            by_stem: ByStem::new(statements.iter().map(|one| &one.sentence)),
            statements,
        }
    }

    /// The statements that share a telling word with this one; all where there are few.
    pub fn near(&self, one: &Sentence<'_>) -> Vec<usize> {
        const FEW: usize = 4;
        if self.statements.len() <= FEW {
            return (0..self.statements.len()).collect();
        }
        let mut near = self.by_stem.sharing(one);
        near.dedup();
        near
    }
}

/// A statement by its bytes in a text, and the bytes of the statement that differ.
pub type Differing = (Range<usize>, Vec<Range<usize>>);

/// The first statement of a text that contradicts one in these bytes of another, as a warning:
/// how, and both.
pub fn differing(
    text: &str,
    (other, within): (&str, Range<usize>),
    weights: &Weights,
) -> Option<(Comparison, [Differing; 2])> {
    let a = Body::new(0, text, 0..text.len(), weights);
    let b = Body::new(0, other, within, weights);
    let many = a.statements.len().min(b.statements.len());
    a.statements.iter().find_map(|one| {
        let sentence = &one.sentence;
        if b.statements
            .iter()
            .any(|other| sentence.equals(&other.sentence))
        {
            return None;
        }
        let near = b.near(sentence).into_iter();
        let near = near.filter_map(|n| b.statements.get(n));
        let all =
            near.filter_map(|other| Some((other, compare(sentence, &other.sentence, weights)?)));
        let best = all.max_by(|x, y| x.1.same.total_cmp(&y.1.same));
        let (other, found) = best.filter(|(_, found)| weights.warns(found, many))?;
        let [x, y] = found.marks.clone();
        let there = b.start + other.at.at.start..b.start + other.at.at.end;
        Some((found, [(one.at.at.clone(), x), (there, y)]))
    })
}
