//! Reads two memories statement by statement.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use rayon::prelude::*;

use super::candidates::{Index, LABEL, TEMPLATE};
use super::parsed::{Body, One};
use super::{Conflict, Found, Likeness, Side, confidence};
use crate::lint::Context;
use crate::lint::position::Position;
use crate::lint::subject::{body_range, first_part};
use crate::lint::succession::body_decides;
use crate::memory::Memory;
use crate::memory::lines::Lines;
use crate::systems::rum::{RUM, markdown};
use crate::text::compare::{Comparison, compare};
use crate::text::shingles::common;
use crate::text::statements::Form;

/// Minimum share of a memory in another at which the two are compared as a whole.
const LEAST_SHARE: f64 = 0.1;

/// Minimum letters of a body that is compared as a whole.
const LEAST: usize = 10;

/// Pairs that are read at once.
const PIECE: usize = 4_096;

/// Reads pairs of memories.
pub struct Reader<'p> {
    pub cx: &'p Context<'p>,
    pub index: &'p Index,
}

/// A memory's text with blanks in place of the frame that its format adds.
pub fn written<'t>(memory: &Memory, text: Cow<'t, str>) -> Cow<'t, str> {
    match std::ptr::eq(memory.schema, &*RUM) {
        true => Cow::Owned(markdown::written(&text)),
        false => text,
    }
}

impl Reader<'_> {
    /// Reads pairs. The statements of `spelled` pairs are kept.
    pub fn check(&self, pairs: &[(u32, u32)], spelled: usize) -> Vec<Found> {
        let is_spelled = |found: &Found| found.conflicts.iter().any(|one| one.sides.is_some());
        let (mut all, mut room) = (Vec::new(), spelled);
        for piece in pairs.chunks(PIECE) {
            let mut indexes: Vec<u32> = piece.iter().flat_map(|pair| [pair.0, pair.1]).collect();
            indexes.sort_unstable();
            indexes.dedup();
            let texts = indexes.par_iter().map(|index| self.text(*index as usize));
            let texts: Vec<String> = texts.collect();
            let bodies = indexes.par_iter().zip(&texts);
            let bodies = bodies.map(|(index, text)| self.body(*index as usize, text));
            let bodies: Vec<Body<'_>> = bodies.collect();
            let body = |index| bodies.get(indexes.binary_search(&index).ok()?);
            let check = |(a, b): &(u32, u32)| self.against((body(*a)?, body(*b)?), false);
            for mut found in piece.par_iter().filter_map(check).collect::<Vec<_>>() {
                if room == 0 {
                    found.conflicts.iter_mut().for_each(|one| one.sides = None);
                }
                room = room.saturating_sub(usize::from(is_spelled(&found)));
                all.push(found);
            }
            bodies.into_par_iter().for_each(drop);
        }
        all
    }

    /// The conflicts or the likeness of two memories, with the statements.
    pub fn pair(&self, a: usize, b: usize) -> Option<Found> {
        let texts = [self.text(a), self.text(b)];
        let [first, second] = &texts;
        let (first, second) = (self.body(a, first), self.body(b, second));
        self.against((&first, &second), true)
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

    /// The conflicts or the likeness of two bodies. Of bodies that are alike the statements that differ
    /// are kept if they are `spelled`: most of many such pairs are never shown.
    fn against(&self, (a, b): (&Body<'_>, &Body<'_>), spelled: bool) -> Option<Found> {
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        let copies = a.text.trim() == b.text.trim() && letters(a.text) > LEAST;
        let compared = self.statements((a, b));
        let is_conflict = !compared.conflicts.is_empty();
        let copy = Likeness {
            share: 1.0,
            size: 1.0,
            single: false,
            warns: true,
        };
        let alike = match is_conflict {
            true => None,
            false if copies => Some(copy),
            false => self.alike(a, b, &compared),
        };
        let decides = |body: &Body<'_>, other: usize| {
            let other = self.cx.memories.get(other);
            other.is_some_and(|other| body_decides(body.text, other))
        };
        let something = is_conflict || alike.is_some();
        if !something || decides(a, b.memory) || decides(b, a.memory) {
            return None;
        }
        let many = self.index.compared();
        let (weights, swap) = (self.cx.weights, a.weight > b.weight);
        let found = match is_conflict {
            true => compared.conflicts,
            false => Vec::from_iter(compared.differing),
        };
        let masked = [OnceCell::new(), OnceCell::new()];
        let side = |n: usize, one: &One<'_>, marks: Vec<Range<usize>>| {
            let (index, text, start) = match n {
                0 => (a.memory, a.whole, a.start),
                _ => (b.memory, b.whole, b.start),
            };
            let at = start + one.at.at.start..start + one.at.at.end;
            let line = self.cx.memories.get(index).map_or(1, |memory| memory.line);
            let whole = masked
                .get(n)
                .map(|masked| masked.get_or_init(|| crate::lint::mask(text).into_owned()));
            Side {
                text: whole
                    .and_then(|text| text.get(at.clone()))
                    .unwrap_or_default()
                    .to_owned(),
                place: Position::of_bytes((text, &Lines::new(text.as_bytes())), line, at),
                marks,
            }
        };
        let conflicts = found.into_iter().map(|(one, other, found)| {
            let warns = weights.warns(&found, many);
            let (here, there) = if swap { (other, one) } else { (one, other) };
            let confidence = confidence(&found, warns);
            let [mut marks, mut marks_there] = found.marks;
            if swap {
                std::mem::swap(&mut marks, &mut marks_there);
            }
            Conflict {
                difference: found.difference,
                confidence,
                warns,
                sides: (is_conflict || spelled).then(|| {
                    let sides = [side(0, here, marks), side(1, there, marks_there)];
                    Box::new(sides)
                }),
                because: found.evidence,
            }
        });
        let mut conflicts: Vec<Conflict> = conflicts.collect();
        let line = |one: &Conflict| {
            let [first, _] = one.sides.as_deref()?;
            Some(first.place.line)
        };
        conflicts.sort_by_key(line);
        Some(Found {
            a: a.memory,
            b: b.memory,
            conflicts,
            alike,
        })
    }

    /// Compares the statements of two bodies.
    fn statements<'b, 't>(&self, (a, b): (&'b Body<'t>, &'b Body<'t>)) -> Statements<'b, 't> {
        let weights = self.cx.weights;
        let (short, long) = if a.weight > b.weight { (b, a) } else { (a, b) };
        let single = is_single(a, b);
        let mut all = Statements::default();
        for one in &short.statements {
            let best = self.best((short, one), long);
            let Some((other, found)) = best else { continue };
            let weight = one.sentence.weight();
            let Some(found) = found else {
                match self.is_template(one, &mut one.neighbours.iter()) {
                    true => all.template += weight,
                    false => all.shared += weight,
                }
                continue;
            };
            if weights.conflicts(&found, self.index.compared()) {
                all.conflicts.push((one, other, found));
            } else if found.same >= weights.levels.suggested {
                all.is_doubtful |= !weights.repeats(&found);
                all.shared += weight * if single { found.same } else { 1.0 };
                let known = all.differing.as_ref();
                if found.differs()
                    && known.is_none_or(|known| known.2.contradiction < found.contradiction)
                {
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
        (short, one): (&Body<'_>, &One<'_>),
        long: &'b Body<'t>,
    ) -> Option<(&'b One<'t>, Option<Comparison>)> {
        let mut best: Option<(&One<'_>, Comparison)> = None;
        for n in long.near(&one.sentence) {
            let Some(other) = long.statements.get(n) else {
                continue;
            };
            if one.sentence.equals(&other.sentence) {
                return Some((other, None));
            }
            if !self.may_conflict((short, one), (long, other)) {
                continue;
            }
            if let Some(found) = compare(&one.sentence, &other.sentence, self.cx.weights)
                && best
                    .as_ref()
                    .is_none_or(|(_, known)| known.same < found.same)
            {
                best = Some((other, found));
            }
        }
        best.map(|(other, found)| (other, Some(found)))
    }

    /// True if two statements may be about one thing: their common words are no template of the store,
    /// and lines with labels have the same label, which no template has, under similar headings.
    fn may_conflict(
        &self,
        (a, one): (&Body<'_>, &One<'_>),
        (b, other): (&Body<'_>, &One<'_>),
    ) -> bool {
        let single = is_single(a, b);
        let rows = [&one.at, &other.at].map(|one| one.form == Form::Row);
        let is_alike = single
            || rows[0] == rows[1]
                && one.label == other.label
                && (one.label.is_empty()
                    || 2 * common(&one.heading, &other.heading)
                        >= one.heading.len().max(other.heading.len()));
        let shared = one.neighbours.iter();
        let mut shared = shared.filter(|key| other.neighbours.contains(key));
        is_alike && !self.is_template(one, &mut shared)
    }

    /// True if a statement is part of a template of the store: its label is, or most of these keys of it.
    fn is_template(&self, one: &One<'_>, keys: &mut dyn Iterator<Item = &u32>) -> bool {
        let recurs = |key: u32, most: u8| self.index.recurs(key, most);
        if one.key.is_some_and(|label| recurs(label, LABEL)) {
            return true;
        }
        let (mut all, mut recurring) = (0, 0);
        for key in keys {
            all += 1;
            recurring += usize::from(recurs(*key, TEMPLATE));
        }
        2 * recurring > all
    }

    /// The likeness of two bodies beside a template of the store; none if it is too little.
    fn alike(&self, a: &Body<'_>, b: &Body<'_>, all: &Statements<'_, '_>) -> Option<Likeness> {
        let least = a.weight.min(b.weight) - all.template;
        let most = a.weight.max(b.weight) - all.template;
        let share = (all.shared / least).min(1.0);
        let single = is_single(a, b);
        (least > 0.0 && share >= LEAST_SHARE).then(|| Likeness {
            share,
            size: least / most,
            single,
            warns: !all.is_doubtful && (!single || share >= self.cx.weights.levels.same),
        })
    }
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
