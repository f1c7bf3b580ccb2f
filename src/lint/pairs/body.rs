//! The statements of a body, and where two bodies contradict each other.

use std::ops::Range;

use crate::text::compare::{Comparison, Sentence, Weights, compare};
use crate::text::statements::Statement;
use crate::text::tokens::tokens;

/// A statement of a memory.
pub type One<'t> = (Statement, Sentence<'t>);

/// A body, read for comparison.
pub struct Body<'t> {
    pub text: &'t str,
    /// Where it begins in the text of its memory.
    pub start: usize,
    pub statements: Vec<One<'t>>,
    /// The statements that have a stem, sorted by stem.
    by_stem: Vec<(u32, usize)>,
    pub weight: f64,
}

impl<'t> Body<'t> {
    pub fn new(text: &'t str, range: Range<usize>, weights: &Weights) -> Self {
        let body = text.get(range.clone()).unwrap_or_default();
        let statements = Sentence::all(body, weights);
        let stems = statements.iter().enumerate();
        let mut by_stem: Vec<(u32, usize)> = stems
            .flat_map(|(n, (_, one))| one.content().map(move |stem| (stem, n)))
            .collect();
        by_stem.sort_unstable();
        by_stem.dedup();
        Self {
            text: body,
            start: range.start,
            weight: statements.iter().map(|(_, one)| one.weight()).sum(),
            statements,
            by_stem,
        }
    }

    /// The statements that share a telling word with this one; all where there are few.
    pub fn near(&self, one: &Sentence<'_>) -> Vec<usize> {
        const FEW: usize = 4;
        if self.statements.len() <= FEW {
            return (0..self.statements.len()).collect();
        }
        let mut near: Vec<usize> = one
            .content()
            .flat_map(|stem| {
                let from = self.by_stem.partition_point(|entry| entry.0 < stem);
                let rest = self.by_stem.get(from..).unwrap_or_default().iter();
                rest.take_while(move |entry| entry.0 == stem)
                    .map(|entry| entry.1)
            })
            .collect();
        near.sort_unstable();
        near.dedup();
        near
    }

    pub fn part(&self, at: Option<&Range<usize>>) -> Vec<u32> {
        let text = at
            .and_then(|at| self.text.get(at.clone()))
            .unwrap_or_default();
        let tokens = tokens(text).into_iter();
        let mut stems: Vec<u32> = tokens.map(|token| token.stem).collect();
        stems.sort_unstable();
        stems
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
    let a = Body::new(text, 0..text.len(), weights);
    let b = Body::new(other, within, weights);
    let many = a.statements.len().min(b.statements.len());
    a.statements.iter().find_map(|one| {
        let found = b
            .near(&one.1)
            .into_iter()
            .filter_map(|n| b.statements.get(n));
        let all: Vec<(&One<'_>, Comparison)> = found
            .filter_map(|other| Some((other, compare(&one.1, &other.1, weights)?)))
            .collect();
        if b.statements.iter().any(|other| one.1.equals(&other.1)) {
            return None;
        }
        let best = all.into_iter().max_by(|x, y| x.1.same.total_cmp(&y.1.same));
        let (other, found) = best.filter(|(_, found)| weights.warns(found, many))?;
        let [x, y] = found.marks.clone();
        let there = b.start + other.0.at.start..b.start + other.0.at.end;
        Some((found, [(one.0.at.clone(), x), (there, y)]))
    })
}
