//! Reads two memories statement by statement.

use std::borrow::Cow;
use std::ops::Range;

use itertools::Itertools as _;
use rayon::prelude::*;

use super::by_stem::ByStem;
use super::candidates::{self, Candidates, LABEL, Pair, TEMPLATE, keys};
use super::{Conflict, Found, Likeness, Side, confidence};
use crate::lint::Context;
use crate::lint::subject::Position;
use crate::lint::subject::{body_range, first_part};
use crate::lint::succession::body_decides;
use crate::memory::Memory;
use crate::memory::lines::Lines;
use crate::systems::rum::{RUM, markdown};
use crate::text::compare::{Comparison, Sentence, Weights, compare};
use crate::text::shingles::common;
use crate::text::statements::{Form, Statement};
use crate::text::tokens::stems;

/// Minimum share of a memory in another at which the two are compared as a whole.
const LEAST_SHARE: f64 = 0.1;

/// Minimum letters of a body that is compared as a whole.
const LEAST: usize = 10;

/// Pairs that are read at once.
const PIECE: usize = 4_096;

/// Reads pairs of memories.
pub struct Reader<'p> {
    pub cx: &'p Context<'p>,
    pub candidates: &'p Candidates,
}

/// A memory's text with blanks in place of the frame that its format adds.
pub fn written<'t>(memory: &Memory, text: Cow<'t, str>) -> Cow<'t, str> {
    match std::ptr::eq(memory.schema, &*RUM) {
        true => Cow::Owned(markdown::written(&text)),
        false => text,
    }
}

impl Reader<'_> {
    /// Reads the candidates; those with conflicts or a likeness are found.
    pub fn check(&self) -> Vec<Found> {
        let mut all = Vec::new();
        let pairs: Vec<_> = self.candidates.pairs.iter().collect();
        for piece in pairs.chunks(PIECE) {
            let mut indexes: Vec<u32> = piece.iter().flat_map(|(of, _)| [of.0, of.1]).collect();
            indexes.sort_unstable();
            indexes.dedup();
            let texts = indexes.par_iter().map(|index| self.text(*index as usize));
            let texts: Vec<String> = texts.collect();
            let bodies = indexes.par_iter().zip(&texts);
            let bodies = bodies.map(|(index, text)| self.body(*index as usize, text));
            let bodies: Vec<Body<'_>> = bodies.collect();
            let body = |index| bodies.get(indexes.binary_search(&index).ok()?);
            let check =
                |((a, b), pair): &(&(u32, u32), &Pair)| self.against(body(*a)?, body(*b)?, pair);
            all.par_extend(piece.par_iter().filter_map(check));
            bodies.into_par_iter().for_each(drop);
        }
        all
    }

    fn text(&self, index: usize) -> String {
        let read = || {
            let memory = self.cx.memories.get(index)?;
            let text = self.cx.texts.text(memory)?;
            Some(written(memory, first_part(&text).into()).into_owned())
        };
        read().unwrap_or_default()
    }

    fn body<'t>(&self, index: usize, text: &'t str) -> Body<'t> {
        let memory = self.cx.memories.get(index);
        let range = memory.map_or(0..0, |memory| body_range(memory, text));
        Body::new(index, text, range, self.cx.weights)
    }

    /// The conflicts or the likeness of two bodies.
    fn against(&self, a: &Body<'_>, b: &Body<'_>, pair: &Pair) -> Option<Found> {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        let copies = a.text.trim() == b.text.trim() && letters(a.text) > LEAST;
        let compared = self.statements(a, b, pair);
        let is_conflict = !compared.conflicts.is_empty();
        let copy = Likeness {
            share: 1.0,
            size: 1.0,
            single: is_single(a, b),
            warns: true,
        };
        let alike = match is_conflict {
            true => None,
            false if copies => Some(copy),
            false => self.alike(a, b, (pair, &compared)),
        };
        let decides = |body: &Body<'_>, other: &Body<'_>| {
            let other = self.cx.memories.get(other.memory);
            other.is_some_and(|other| body_decides(body.text, other))
        };
        let something = is_conflict || alike.is_some();
        if !something || decides(a, b) || decides(b, a) {
            return None;
        }
        let found = match is_conflict {
            true => compared.conflicts,
            false => Vec::from_iter(compared.differing),
        };
        let masked = [a, b].map(|body| match found.is_empty() {
            true => Cow::Borrowed(""),
            false => crate::lint::mask(body.whole),
        });
        let swap = a.weight > b.weight;
        let conflicts = found.into_iter().map(|(one, other, found)| {
            let warns = self.cx.weights.warns(&found, size(a, b));
            let confidence = confidence(&found, warns);
            let [mut marks, mut marks_there] = found.marks;
            let (mut here, mut there) = (one, other);
            if swap {
                std::mem::swap(&mut here, &mut there);
                std::mem::swap(&mut marks, &mut marks_there);
            }
            let [in_a, in_b] = &masked;
            Conflict {
                difference: found.difference,
                confidence,
                warns,
                sides: [
                    self.side((a, in_a), here, marks),
                    self.side((b, in_b), there, marks_there),
                ],
            }
        });
        let mut conflicts: Vec<Conflict> = conflicts.collect();
        conflicts.sort_by_key(|one| one.sides[0].place.line);
        Some(Found {
            a: a.memory,
            b: b.memory,
            conflicts,
            alike,
        })
    }

    /// A statement of a body, with its place; its text without secrets.
    fn side(
        &self,
        (body, masked): (&Body<'_>, &str),
        one: &One<'_>,
        marks: Vec<Range<usize>>,
    ) -> Side {
        let at = body.start + one.at.at.start..body.start + one.at.at.end;
        let memory = self.cx.memories.get(body.memory);
        let line = memory.map_or(1, |memory| memory.line);
        let lines = Lines::new(body.whole.as_bytes());
        Side {
            text: masked.get(at.clone()).unwrap_or_default().to_owned(),
            place: Position::of_bytes((body.whole, &lines), line, at),
            marks,
        }
    }

    /// Compares the statements of two bodies.
    fn statements<'b, 't>(
        &self,
        a: &'b Body<'t>,
        b: &'b Body<'t>,
        pair: &Pair,
    ) -> Statements<'b, 't> {
        let weights = self.cx.weights;
        let swap = a.weight > b.weight;
        let (short, long) = if swap { (b, a) } else { (a, b) };
        let single = is_single(a, b);
        let of = |(n, m): &(u32, u32)| {
            let (n, m) = if swap { (m, n) } else { (n, m) };
            (*n as usize, *m as usize)
        };
        let mut pairs: Vec<(usize, usize)> = pair.statements.iter().map(of).collect();
        pairs.sort_unstable();
        let mut all = Statements::default();
        for near in pairs.chunk_by(|one, next| one.0 == next.0) {
            let one = near.first().and_then(|(n, _)| short.statements.get(*n));
            let near = near.iter().filter_map(|(_, m)| long.statements.get(*m));
            let Some((one, (other, found))) =
                one.and_then(|one| Some((one, self.best(one, near, single)?)))
            else {
                continue;
            };
            let weight = one.sentence.weight();
            let Some(found) = found else {
                match self.is_template(one, &mut one.keys.iter()) {
                    true => all.template += weight,
                    false => all.shared += weight,
                }
                continue;
            };
            if weights.conflicts(&found, size(a, b)) {
                all.conflicts.push((one, other, found));
            } else if weights.are_same(&found) {
                all.is_doubtful |= !weights.repeats(&found);
                all.shared += weight * if single { found.same } else { 1.0 };
                let known = all.differing.as_ref().map(|known| known.2.contradiction);
                if found.differs() && known.is_none_or(|known| known < found.contradiction) {
                    all.differing = Some((one, other, found));
                }
            }
        }
        all
    }

    /// The statement of a longer body that is most like one of a shorter one, with the comparison; no
    /// comparison if both are equal.
    fn best<'b, 't>(
        &self,
        one: &One<'_>,
        near: impl Iterator<Item = &'b One<'t>>,
        single: bool,
    ) -> Option<(&'b One<'t>, Option<Comparison>)>
    where
        't: 'b,
    {
        let mut best: Option<(&One<'_>, Comparison)> = None;
        for other in near {
            if one.sentence.equals(&other.sentence) {
                return Some((other, None));
            }
            if !(single || have_one_label(one, other)) || self.share_a_template(one, other) {
                continue;
            }
            let found = compare(&one.sentence, &other.sentence, self.cx.weights);
            let known = best
                .as_ref()
                .map_or(f64::NEG_INFINITY, |known| known.1.same);
            if let Some(found) = found.filter(|found| known < found.same) {
                best = Some((other, found));
            }
        }
        best.map(|(other, found)| (other, Some(found)))
    }

    /// True if the common words of two statements are a template of the store.
    fn share_a_template(&self, one: &One<'_>, other: &One<'_>) -> bool {
        let shared = one.keys.iter();
        let mut shared = shared.filter(|key| other.keys.contains(key));
        self.is_template(one, &mut shared)
    }

    /// True if a statement is part of a template of the store: its label is, or two thirds of these keys of it.
    fn is_template(&self, one: &One<'_>, keys: &mut dyn Iterator<Item = &u32>) -> bool {
        let candidates = self.candidates;
        if one.key.is_some_and(|label| candidates.recurs(label, LABEL)) {
            return true;
        }
        let (mut all, mut recurring) = (0, 0);
        for key in keys.filter(|key| candidates.is_counted(**key)) {
            all += 1;
            recurring += usize::from(candidates.recurs(*key, TEMPLATE));
        }
        3 * recurring > 2 * all
    }

    /// The likeness of two bodies beside a template of the store; none if it is too little.
    fn alike(
        &self,
        a: &Body<'_>,
        b: &Body<'_>,
        (pair, all): (&Pair, &Statements<'_, '_>),
    ) -> Option<Likeness> {
        let least = a.weight.min(b.weight) - all.template;
        let most = a.weight.max(b.weight) - all.template;
        let share = (all.shared / least).min(1.0);
        let (wording, size) = pair.wording;
        if wording >= share.max(LEAST_SHARE) {
            return Some(Likeness {
                share: wording,
                size,
                single: false,
                warns: true,
            });
        }
        (least > 0.0 && share >= LEAST_SHARE).then(|| Likeness {
            share,
            size: least / most,
            single: is_single(a, b),
            warns: !all.is_doubtful,
        })
    }
}

/// True if two lines have the same label, under similar headings.
fn have_one_label(one: &One<'_>, other: &One<'_>) -> bool {
    let rows = [&one.at, &other.at].map(|one| one.form == Form::Row);
    let least = one.heading.len().max(other.heading.len());
    rows[0] == rows[1]
        && one.label == other.label
        && (one.label.is_empty() || 2 * common(&one.heading, &other.heading) >= least)
}

/// The statements of the shorter of two bodies, compared with those of the longer.
#[derive(Default)]
struct Statements<'b, 't> {
    conflicts: Vec<Compared<'b, 't>>,
    /// Of two wordings of one statement those that contradict each other most.
    differing: Option<Compared<'b, 't>>,
    /// Weight of the statements that the longer has too.
    shared: f64,
    /// Weight of the statements that both have and that are a template of the store.
    template: f64,
    /// True if two similar statements may still differ in meaning.
    is_doubtful: bool,
}

/// A statement of the shorter body and one of the longer.
type Compared<'b, 't> = (&'b One<'t>, &'b One<'t>, Comparison);

fn is_single(a: &Body<'_>, b: &Body<'_>) -> bool {
    a.statements.len().min(b.statements.len()) <= 1
}

/// Number of statements of two bodies, as a geometric mean.
fn size(a: &Body<'_>, b: &Body<'_>) -> usize {
    (a.statements.len() * b.statements.len()).isqrt()
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
                keys: keys(&sentence),
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
            statements,
        }
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
    let many = size(&a, &b);
    let by_stem = ByStem::new(b.statements.iter().map(|one| &one.sentence));
    a.statements.iter().find_map(|one| {
        let sentence = &one.sentence;
        if b.statements
            .iter()
            .any(|other| sentence.equals(&other.sentence))
        {
            return None;
        }
        let near = by_stem.sharing(sentence).into_iter().dedup();
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
