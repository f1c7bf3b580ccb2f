//! The matcher of ECMA-262 §22.2.2, with its continuations on a stack of its own.
//!
//! It counts its steps and gives up at a limit, and so does the stack, which therefore bounds the
//! memory. No recursion: the length of the text costs no stack of the thread.

use std::collections::HashSet;
use std::ops::Range;

use super::TooSlow;
use super::program::{Label, Loop, Op, Program, Slot};
use super::tree::{Edge, Test};
use super::units::{canonicalize, is_word};

/// A slot that holds nothing.
const NONE: usize = usize::MAX;

/// The most choices and changes kept at a time: about 12 MB.
const MAX_KEPT: usize = 200_000;

/// The most states remembered.
const MAX_SEEN: usize = 1_000_000;

/// This many units read by a simple loop count as one step.
pub(super) const UNITS_PER_STEP: usize = 8;

/// This many slots of a remembered state count as one step.
const SLOTS_PER_STEP: usize = 4;

/// A point to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) label: Label,
    pub(super) at: usize,
    /// Number of changes to keep.
    changes: usize,
    /// The run that can give back units, down to this position, and whether it reads backwards.
    give_back: Option<(usize, bool)>,
}

/// A match in progress.
pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) units: &'a [u16],
    slots: Vec<usize>,
    changes: Vec<(Slot, usize)>,
    pub(super) choices: Vec<Choice>,
    steps_left: u64,
    /// The states that were reached, where they are remembered. None of them is worth trying again.
    seen: Option<HashSet<u64>>,
}

/// The label and position to go on from; none where the way ends.
pub(super) type Next = Option<(Label, usize)>;

impl<'a> Machine<'a> {
    pub(super) fn new(program: &'a Program, units: &'a [u16], steps: u64) -> Self {
        Self {
            program,
            units,
            slots: vec![NONE; program.slots],
            changes: Vec::new(),
            choices: Vec::new(),
            steps_left: steps,
            seen: None,
        }
    }

    /// The same, remembering states; right for a regular program only.
    pub(super) fn remembering(self) -> Self {
        Self {
            seen: Some(HashSet::new()),
            ..self
        }
    }

    /// The first match: `RegExpBuiltinExec` (§22.2.7.2) from the start of the text.
    pub(super) fn find(mut self) -> Result<Option<Range<usize>>, TooSlow> {
        let mut start = 0;
        while let Some(rest) = self.units.get(start..) {
            if let Some(first) = &self.program.first {
                match rest.iter().position(|unit| first.contains(*unit)) {
                    Some(skipped) => start += skipped,
                    None => return Ok(None),
                }
            }
            if let Some(end) = self.attempt(start)? {
                return Ok(Some(start..end));
            }
            if let Some(test) = self.program.lead {
                while self.is_unit(test, start, false) {
                    start += 1;
                }
            }
            start += 1;
        }
        Ok(None)
    }

    /// True if the unit that a step in the direction reads passes a test.
    pub(super) fn is_unit(&self, test: Test, at: usize, back: bool) -> bool {
        let at = if back { at.checked_sub(1) } else { Some(at) };
        let unit = at.and_then(|at| self.units.get(at));
        unit.is_some_and(|unit| self.program.sets.matches(test, *unit))
    }

    pub(super) fn pay(&mut self, steps: usize) -> Result<(), TooSlow> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(TooSlow)?;
        Ok(())
    }

    /// A match that starts here; its end.
    fn attempt(&mut self, start: usize) -> Result<Option<usize>, TooSlow> {
        self.changes.clear();
        self.choices.clear();
        let forgotten = match self.seen {
            Some(_) => self.slots.len(),
            None => self.program.group_slots,
        };
        self.slots
            .iter_mut()
            .take(forgotten)
            .for_each(|slot| *slot = NONE);
        let (mut label, mut at) = (0, start);
        loop {
            self.pay(1)?;
            let next = match self.program.ops.get(label).copied() {
                None => return Ok(None),
                Some(Op::Match) => return Ok(Some(at)),
                Some(op) if self.is_new(op, label, at)? => self.step(op, label, at)?,
                Some(_) => None,
            };
            let next = match next {
                Some(next) => Some(next),
                None => self.retreat()?,
            };
            let Some(next) = next else {
                return Ok(None);
            };
            (label, at) = next;
        }
    }

    /// A hash of label, position, and what the slots mean there: of a count its number matters, of a
    /// position whether it is this one.
    fn state(&self, label: Label, at: usize) -> u64 {
        let mix = |hash: u64, number: usize| {
            let number = u64::try_from(number).unwrap_or(u64::MAX);
            (hash.rotate_left(5) ^ number).wrapping_mul(0x0100_0000_01b3)
        };
        let here = mix(mix(0, label), at);
        self.slots.chunks(2).fold(here, |hash, pair| {
            let is_here = pair.last() == Some(&at);
            mix(
                mix(hash, pair.first().copied().unwrap_or(NONE)),
                is_here.into(),
            )
        })
    }

    /// Remembers the state before an operation from which several ways may lead; false if it was
    /// reached before.
    fn is_new(&mut self, op: Op, label: Label, at: usize) -> Result<bool, TooSlow> {
        let forks = matches!(op, Op::Split(..) | Op::Run(_) | Op::Loop(_) | Op::Again(..));
        if self.seen.is_none() || !forks {
            return Ok(true);
        }
        self.pay(self.slots.len() / SLOTS_PER_STEP)?;
        let state = self.state(label, at);
        match &mut self.seen {
            Some(seen) if seen.len() >= MAX_SEEN => Err(TooSlow),
            Some(seen) => Ok(seen.insert(state)),
            None => Ok(true),
        }
    }

    /// True if a remembered state was reached before.
    pub(super) fn is_seen(&self, label: Label, at: usize) -> bool {
        let seen = self.seen.as_ref();
        seen.is_some_and(|seen| seen.contains(&self.state(label, at)))
    }

    /// Carries out one operation; where it fails, nothing.
    #[inline]
    fn step(&mut self, op: Op, label: Label, at: usize) -> Result<Next, TooSlow> {
        let next = (label + 1, at);
        match op {
            Op::Unit { test, back } => {
                let end = if back { at.wrapping_sub(1) } else { at + 1 };
                return Ok(self.is_unit(test, at, back).then_some((label + 1, end)));
            }
            Op::Run(run) => return self.run(run, next),
            Op::Split(first, second) => {
                if self.fails(first, at) {
                    return Ok(Some((second, at)));
                }
                if !self.fails(second, at) {
                    self.choose(second, at, None)?;
                }
                return Ok(Some((first, at)));
            }
            Op::Jump(to) => return Ok(Some((to, at))),
            Op::Loop(counted) => return self.loop_head(counted, next),
            Op::Again(counted, head) => return self.again(counted, head, at),
            Op::Reference { start, back } => {
                let end = self.refer(start, at, back)?;
                return Ok(end.map(|end| (label + 1, end)));
            }
            Op::Looked { height, negative } => {
                let outside = self.looked(height, negative);
                return Ok(outside.map(|at| (label + 1, at)));
            }
            Op::Edge(edge) => return Ok(self.is_edge(edge, at).then_some(next)),
            Op::NotEmpty(mark) => return Ok((self.slot(mark) != at).then_some(next)),
            Op::Save(slot) => self.set(slot, at)?,
            Op::Zero(count) => self.set(count, 0)?,
            Op::Forget(from, to) => {
                for slot in from..to {
                    self.set(slot, NONE)?;
                }
            }
            Op::Look { height, otherwise } => {
                // A choice with no label is a positive look-around whose body failed.
                let height_at = self.choices.len() + usize::from(otherwise.is_some());
                self.choose(otherwise.unwrap_or(NONE), at, None)?;
                // Never undone: it is read only while this look-around is open.
                self.put(height, height_at);
            }
            Op::Match => return Ok(None),
        }
        Ok(Some(next))
    }

    /// The end of an iteration, which must have matched something unless it had to be (the empty
    /// check of §22.2.2.3.1).
    fn again(&mut self, counted: Loop, head: Label, at: usize) -> Result<Next, TooSlow> {
        let done = self.slot(counted.count);
        if done >= counted.min && counted.may_be_empty && self.slot(counted.count + 1) == at {
            return Ok(None);
        }
        // More than the least number is as good as it, if there is no largest.
        if done < counted.min || counted.max != usize::MAX {
            self.set(counted.count, done.saturating_add(1))?;
        }
        Ok(Some((head, at)))
    }

    fn loop_head(&mut self, counted: Loop, body: (Label, usize)) -> Result<Next, TooSlow> {
        let done = self.slot(counted.count);
        let exit = (counted.exit, body.1);
        if done < counted.min {
            return Ok(Some(body));
        }
        if done >= counted.max {
            return Ok(Some(exit));
        }
        let (first, second) = if counted.greedy {
            (body, exit)
        } else {
            (exit, body)
        };
        self.choose(second.0, second.1, None)?;
        Ok(Some(first))
    }

    /// Ends a look-around whose body matched: its other ways to match are dropped.
    fn looked(&mut self, height: Slot, negative: bool) -> Option<usize> {
        let height = self.slot(height);
        let own = height.checked_sub(usize::from(negative))?;
        let choice = self.choices.get(own).copied()?;
        self.choices.truncate(own);
        if negative {
            self.undo(choice.changes);
        }
        (!negative).then_some(choice.at)
    }

    /// Goes back to the latest choice.
    fn retreat(&mut self) -> Result<Next, TooSlow> {
        while let Some(choice) = self.choices.pop() {
            self.undo(choice.changes);
            let at = match choice.give_back {
                None => (choice.label != NONE).then_some(choice.at),
                Some((until, back)) => self.give_back(choice, until, back)?,
            };
            if let Some(at) = at {
                return Ok(Some((choice.label, at)));
            }
        }
        Ok(None)
    }

    /// True if it is plain to see that going on at the label fails.
    fn fails(&self, label: Label, at: usize) -> bool {
        match self.program.ops.get(label) {
            Some(Op::Unit { test, back }) => !self.is_unit(*test, at, *back),
            Some(Op::Edge(edge)) => !self.is_edge(*edge, at),
            _ => false,
        }
    }

    /// `BackreferenceMatcher` (§22.2.2.7.2): a group that has not matched is empty.
    fn refer(&mut self, start: Slot, at: usize, back: bool) -> Result<Option<usize>, TooSlow> {
        let (from, to) = (self.slot(start), self.slot(start + 1));
        if from == NONE || to == NONE {
            return Ok(Some(at));
        }
        let length = to.saturating_sub(from);
        let end = match back {
            true => at.checked_sub(length),
            false => at.checked_add(length),
        };
        let group = self.units.get(from..to);
        let here = end.and_then(|end| self.units.get(at.min(end)..at.max(end)));
        let Some((group, here)) = group.zip(here) else {
            return Ok(None);
        };
        let fold = |unit: u16| match self.program.ignore_case {
            true => canonicalize(unit),
            false => unit,
        };
        let differ = |(one, other): (&u16, &u16)| one != other && fold(*one) != fold(*other);
        let difference = group.iter().zip(here).position(differ);
        self.pay(difference.unwrap_or(length) / UNITS_PER_STEP)?;
        Ok(end.filter(|_| difference.is_none()))
    }

    fn is_edge(&self, edge: Edge, at: usize) -> bool {
        let word = |at: usize| self.units.get(at).is_some_and(|unit| is_word(*unit));
        let boundary = || at.checked_sub(1).is_some_and(word) != word(at);
        match edge {
            Edge::Start => at == 0,
            Edge::End => at == self.units.len(),
            Edge::Boundary => boundary(),
            Edge::NoBoundary => !boundary(),
        }
    }

    pub(super) fn choose(
        &mut self,
        label: Label,
        at: usize,
        give_back: Option<(usize, bool)>,
    ) -> Result<(), TooSlow> {
        if self.choices.len() >= MAX_KEPT {
            return Err(TooSlow);
        }
        let changes = self.changes.len();
        self.choices.push(Choice {
            label,
            at,
            changes,
            give_back,
        });
        Ok(())
    }

    fn slot(&self, slot: Slot) -> usize {
        self.slots.get(slot).copied().unwrap_or(NONE)
    }

    fn put(&mut self, slot: Slot, value: usize) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = value;
        }
    }

    /// Changes a slot such that going back restores it.
    fn set(&mut self, slot: Slot, value: usize) -> Result<(), TooSlow> {
        let old = self.slot(slot);
        if old == value {
            return Ok(());
        }
        if !self.choices.is_empty() {
            if self.changes.len() >= MAX_KEPT {
                return Err(TooSlow);
            }
            self.changes.push((slot, old));
        }
        self.put(slot, value);
        Ok(())
    }

    fn undo(&mut self, keep: usize) {
        while self.changes.len() > keep {
            if let Some((slot, old)) = self.changes.pop() {
                self.put(slot, old);
            }
        }
    }
}
