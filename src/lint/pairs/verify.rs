//! Reads two memories statement by statement.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use rayon::prelude::*;

use super::candidates::{Candidates, LABEL, Pair, TEMPLATE};
use super::{Body, Conflict, Found, Likeness, One, Side, confidence};
use super::{have_one_label, is_single};
use crate::lint::Context;
use crate::lint::repository::Document;
use crate::lint::subject::Position;
use crate::lint::subject::{body_range, first_part};
use crate::lint::succession::body_decides;
use crate::memory::Memory;
use crate::memory::lines::Lines;
use crate::systems::rum::{RUM, markdown};
use crate::text::compare::{Comparison, Difference, compare};
use crate::text::stance::{Stance, orders_denied};

/// Minimum share of a memory in another at which the two are compared as a whole.
const LEAST_SHARE: f64 = 0.1;

/// The share of the wording from which on two memories are alike, whatever else they say.
const SURE: f64 = 0.5;

/// Minimum letters of a body that is compared as a whole.
const LEAST: usize = 10;

/// Memories that are held at once, for all pairs of them.
const HELD: usize = 512;

pub struct Reader<'p> {
    pub cx: &'p Context<'p>,
    /// Their indexes follow those of the memories.
    pub documents: &'p [Document],
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
        let pairs = self.candidates.pairs.iter();
        let Some(focus) = self.cx.focus else {
            return self.read(&pairs.collect::<Vec<_>>());
        };
        let any = |of: &(u32, u32), is: &dyn Fn(&usize) -> bool| {
            let both = [of.0 as usize, of.1 as usize];
            both.iter().any(is)
        };
        let is_own = |one: &usize| focus.contains(one);
        let (own, mut others): (Vec<_>, Vec<_>) = pairs.partition(|(of, _)| any(of, &is_own));
        let mut all = self.read(&own);
        // What is like a memory in focus tells by its other pairs whether it is a template.
        let near: HashSet<usize> = all.iter().flat_map(|found| [found.a, found.b]).collect();
        others.retain(|(of, _)| any(of, &|one| near.contains(one)));
        all.extend(self.read(&others));
        all.sort_by_key(|found| (found.a, found.b));
        all
    }

    fn read(&self, mut pairs: &[(&(u32, u32), &Pair)]) -> Vec<Found> {
        let mut all = Vec::new();
        while !pairs.is_empty() {
            let mut held = HashSet::new();
            let fits = pairs.iter().take_while(|(of, _)| {
                held.extend([of.0, of.1]);
                held.len() <= HELD
            });
            let (piece, others) = pairs.split_at(fits.count());
            pairs = others;
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
            let Some(memory) = self.cx.memories.get(index) else {
                return Some(self.document(index)?.text.clone());
            };
            let text = self.cx.texts.text(memory)?;
            Some(written(memory, first_part(&text).into()).into_owned())
        };
        read().unwrap_or_default()
    }

    fn document(&self, index: usize) -> Option<&Document> {
        self.documents
            .get(index.checked_sub(self.cx.memories.len())?)
    }

    fn body<'t>(&self, index: usize, text: &'t str) -> Body<'t> {
        let memory = self.cx.memories.get(index);
        let range = memory.map_or(0..text.len(), |memory| body_range(memory, text));
        Body::new(index, text, range, self.cx.weights)
    }

    fn against(&self, a: &Body<'_>, b: &Body<'_>, pair: &Pair) -> Option<Found> {
        // The statements of the shorter are looked for in the longer.
        let swap = a.weight > b.weight;
        let both = if swap { [b, a] } else { [a, b] };
        let of = |(n, m): &(u32, u32)| if swap { (*m, *n) } else { (*n, *m) };
        let mut compared = self.statements(both, pair.statements.iter().map(of).collect());
        // Two versions of one memory are alike unless they surely contradict each other.
        let counts = |one: &Compared<'_, '_>| one.warns || pair.wording.0 < SURE;
        let is_conflict = compared.conflicts.iter().any(counts);
        let is_one = a.memory == b.memory;
        let alike = (!is_conflict && !is_one).then(|| Self::alike(both, (pair, &compared)));
        let alike = alike.flatten();
        let decides = |body: &Body<'_>, other: &Body<'_>| {
            let other = self.cx.memories.get(other.memory);
            other.is_some_and(|other| body_decides(body.text, other))
        };
        let something = is_conflict || alike.is_some();
        if !something || decides(a, b) || decides(b, a) {
            return None;
        }
        let mut found = match is_conflict {
            true => compared.conflicts,
            false => Vec::from_iter(compared.conflicts.pop().or(compared.differing)),
        };
        found.retain(|one| one.warns || !is_one);
        let is_general = self.document(b.memory).is_none_or(is_general);
        let masked = both.map(|body| match found.is_empty() {
            true => Cow::Borrowed(""),
            false => crate::lint::mask(body.whole),
        });
        let conflicts = found.into_iter().map(|compared| {
            let warns = compared.warns && is_general;
            let confidence = confidence(&compared.found, warns);
            let [marks, marks_there] = compared.found.marks;
            let mut sides = [
                self.side((both[0], &masked[0]), compared.one, marks),
                self.side((both[1], &masked[1]), compared.other, marks_there),
            ];
            if swap {
                sides.reverse();
            }
            Conflict {
                difference: compared.found.difference,
                confidence,
                warns,
                sides,
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

    fn statements<'b, 't>(
        &self,
        [short, long]: [&'b Body<'t>; 2],
        mut pairs: Vec<(u32, u32)>,
    ) -> Statements<'b, 't> {
        let weights = self.cx.weights;
        // The number of statements, as a geometric mean.
        let size = (short.statements.len() * long.statements.len()).isqrt();
        let single = is_single(short, long);
        pairs.sort_unstable();
        let mut all = Statements::default();
        for near in pairs.chunk_by(|one, next| one.0 == next.0) {
            let others = near.iter();
            let others = others.filter_map(|(_, m)| long.statements.get(*m as usize));
            let one = near
                .first()
                .and_then(|(n, _)| short.statements.get(*n as usize));
            let found = one.and_then(|one| Some((one, self.best(one, others, single, size)?)));
            let Some((one, best)) = found else { continue };
            let weight = one.sentence.weight();
            let Some(best) = best else {
                match self.is_template(one, &mut one.keys.iter()) {
                    true => all.template += weight,
                    false => all.shared += weight,
                }
                continue;
            };
            let found = &best.found;
            if best.conflicts {
                all.conflicts.push(best);
            } else if weights.are_same(found) {
                all.is_doubtful |= !weights.repeats(found);
                let stands_there = one.sentence.stands_in(&best.other.sentence);
                let is_likely = single && (found.is_turned() || !stands_there);
                all.shared += weight * if is_likely { found.same } else { 1.0 };
                let known = all.differing.as_ref();
                let known = known.map(|known| known.found.contradiction);
                if found.differs() && known.is_none_or(|known| known < found.contradiction) {
                    all.differing = Some(best);
                }
            }
        }
        all
    }

    /// A statement of a shorter body with the most similar one of a longer; none if both are equal.
    fn best<'b, 't: 'b>(
        &self,
        one: &'b One<'t>,
        near: impl Iterator<Item = &'b One<'t>>,
        single: bool,
        size: usize,
    ) -> Option<Option<Compared<'b, 't>>> {
        let mut best: Option<Compared<'_, '_>> = None;
        for other in near {
            if one.sentence.equals(&other.sentence) {
                return Some(None);
            }
            if !(single || have_one_label(one, other)) || self.share_a_template(one, other) {
                continue;
            }
            let known = best
                .as_ref()
                .map_or(f64::NEG_INFINITY, |known| known.found.same);
            let compared = self.compared(one, other, size);
            best = compared.filter(|one| known < one.found.same).or(best);
        }
        best.map(Some)
    }

    /// Compares two statements. One may order what the other denies.
    fn compared<'b, 't>(
        &self,
        one: &'b One<'t>,
        other: &'b One<'t>,
        size: usize,
    ) -> Option<Compared<'b, 't>> {
        let weights = self.cx.weights;
        let found = compare(&one.sentence, &other.sentence, weights);
        let denied = match [one.stance(), other.stance()] {
            [Stance::Orders, Stance::Denies] => {
                orders_denied(one.claimed(), other.claimed(), weights)
            }
            [Stance::Denies, Stance::Orders] => {
                orders_denied(other.claimed(), one.claimed(), weights)
            }
            _ => None,
        };
        // What stands below a denial is compared by its words with what stands there too.
        let is_like = |found: &Comparison| one.below == other.below || found.is_turned();
        let conflicts = |found: &Comparison| is_like(found) && weights.conflicts(found, size);
        let warns = |found: &Comparison| is_like(found) && weights.warns(found, size);
        let in_words = found.as_ref().is_some_and(conflicts);
        let warns = found.as_ref().is_some_and(warns) || denied == Some(true);
        let denial = denied.filter(|_| !in_words).map(|surely| Comparison {
            same: 1.0,
            contradiction: if surely { 0.5 } else { 0.0 },
            opposed: 1.0,
            difference: Difference::Negation,
            can_coexist: false,
            marks: [Vec::new(), Vec::new()],
        });
        Some(Compared {
            one,
            other,
            found: denial.or(found)?,
            conflicts: in_words || denied.is_some(),
            warns,
        })
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
        [short, long]: [&Body<'_>; 2],
        (pair, all): (&Pair, &Statements<'_, '_>),
    ) -> Option<Likeness> {
        let letters = short.text.chars().filter(|c| c.is_alphanumeric());
        let copies = short.text.trim() == long.text.trim() && letters.count() > LEAST;
        let least = (short.weight - all.template).max(f64::MIN_POSITIVE);
        let share = (all.shared / least).min(1.0);
        let (wording, size) = if copies { (1.0, 1.0) } else { pair.wording };
        let in_runs = wording >= share.max(LEAST_SHARE);
        let (share, size) = match in_runs {
            true => (wording, size),
            false => (share, least / (long.weight - all.template)),
        };
        let is_first = short.memory < long.memory;
        (share >= LEAST_SHARE).then(|| Likeness {
            share,
            size,
            of_first: if is_first { share } else { share * size },
            single: !in_runs && is_single(short, long),
            warns: wording >= SURE || !all.is_doubtful,
        })
    }
}

/// True for a document that holds everywhere: a folder's may say otherwise than another's.
fn is_general(document: &Document) -> bool {
    !document.path.contains('/') || document.path.starts_with('.')
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
struct Compared<'b, 't> {
    one: &'b One<'t>,
    other: &'b One<'t>,
    found: Comparison,
    conflicts: bool,
    warns: bool,
}
