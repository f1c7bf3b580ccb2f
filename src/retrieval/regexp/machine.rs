//! The matcher of ECMA-262 §22.2.2, with its continuations on a stack of its own.
//!
//! It counts its steps and gives up at a limit, and so does the stack, which therefore bounds the
//! memory. No recursion: the length of the text costs no stack of the thread.

use std::collections::HashSet;
use std::ops::Range;

use super::TooSlow;
use super::parse::{Edge, Test, UNBOUNDED};
use super::program::{Label, Loop, Op, Program, Run, Slot};
use super::units::is_word;

const NONE: usize = usize::MAX;

/// The most choices and changes kept at a time: about 12 MB.
const MAX_KEPT: usize = 200_000;

const MAX_SEEN: usize = 1_000_000;

/// This many units read by a run count as one step.
const UNITS_PER_STEP: usize = 8;

/// This many slots of a remembered state count as one step.
const SLOTS_PER_STEP: usize = 4;

/// A point to come back to.
#[derive(Clone, Copy, Debug)]
struct Choice {
    label: Label,
    at: usize,
    /// Number of changes to keep.
    changes: usize,
    /// The run that can give back units, down to this position, and whether it reads backwards.
    give_back: Option<(usize, bool)>,
}

pub(super) struct Machine<'a> {
    program: &'a Program,
    units: &'a [u16],
    slots: Vec<usize>,
    changes: Vec<(Slot, usize)>,
    choices: Vec<Choice>,
    steps: u64,
    /// Steps after which there is no answer.
    most: u64,
    /// Steps after which states are remembered.
    quick: u64,
    /// The states that were reached since. None of them is worth trying again.
    seen: HashSet<u64>,
}

/// The label and position to go on from; none where the way ends.
type Next = Option<(Label, usize)>;

impl<'a> Machine<'a> {
    /// A machine for so many steps; after `quick` it remembers states, of a regular program only.
    pub(super) fn new(
        program: &'a Program,
        units: &'a [u16],
        most: u64,
        quick: Option<u64>,
    ) -> Self {
        Self {
            program,
            units,
            slots: vec![NONE; program.slots],
            changes: Vec::new(),
            choices: Vec::new(),
            steps: 0,
            most,
            quick: quick.unwrap_or(u64::MAX),
            seen: HashSet::new(),
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
            if let Some(test) = &self.program.lead {
                while self.is_unit(test, start, false) {
                    start += 1;
                }
            }
            start += 1;
        }
        Ok(None)
    }

    /// True if the unit that a step in the direction reads passes a test.
    fn is_unit(&self, test: &Test, at: usize, back: bool) -> bool {
        let at = if back { at.checked_sub(1) } else { Some(at) };
        let unit = at.and_then(|at| self.units.get(at));
        unit.is_some_and(|unit| test.matches(*unit))
    }

    fn pay(&mut self, steps: usize) -> Result<(), TooSlow> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.most {
            return Err(TooSlow);
        }
        Ok(())
    }

    /// A match that starts here; its end.
    fn attempt(&mut self, start: usize) -> Result<Option<usize>, TooSlow> {
        self.changes.clear();
        self.choices.clear();
        self.slots.fill(NONE);
        let (mut label, mut at) = (0, start);
        while let Some(op) = self.program.ops.get(label) {
            self.pay(1)?;
            if matches!(op, Op::Match) {
                return Ok(Some(at));
            }
            let next = match self.is_new(label, at)? {
                true => self.step(op, label, at)?,
                false => None,
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
        Ok(None)
    }

    /// A hash of label, position, counts, and which slots are at this position.
    fn state(&self, label: Label, at: usize) -> u64 {
        let mix = |hash: u64, number: usize| {
            let number = u64::try_from(number).unwrap_or(u64::MAX);
            (hash.rotate_left(5) ^ number).wrapping_mul(0x0100_0000_01b3)
        };
        let here = mix(mix(0, label), at);
        self.slots.chunks(2).fold(here, |hash, pair| {
            let is_here = pair.last() == Some(&at);
            let count = pair.first().copied().unwrap_or(NONE);
            mix(mix(hash, count), is_here.into())
        })
    }

    /// Remembers a state from which several ways may lead; false if it was reached before.
    fn is_new(&mut self, label: Label, at: usize) -> Result<bool, TooSlow> {
        if self.steps <= self.quick {
            return Ok(true);
        }
        let op = |label| self.program.ops.get(label);
        let forks = matches!(op(label), Some(Op::Split(..) | Op::Run(_) | Op::Loop(_)));
        let is_behind_run = matches!(op(label.wrapping_sub(1)), Some(Op::Run(_)));
        if !forks && !is_behind_run {
            return Ok(true);
        }
        self.pay(self.slots.len() / SLOTS_PER_STEP)?;
        if self.seen.len() >= MAX_SEEN {
            return Err(TooSlow);
        }
        let state = self.state(label, at);
        Ok(self.seen.insert(state))
    }

    /// Carries out one operation; where it fails, nothing.
    #[inline]
    fn step(&mut self, op: &Op, label: Label, at: usize) -> Result<Next, TooSlow> {
        let next = (label + 1, at);
        match *op {
            Op::Unit { ref test, back } => {
                let end = moved(at, 1, back);
                return Ok(self.is_unit(test, at, back).then_some((label + 1, end)));
            }
            Op::Run(ref run) => return self.run(run, next),
            Op::Split(first, second) => return self.fork((first, at), (second, at)),
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
            Op::Save(slot) => self.set(slot, at)?,
            Op::Zero(count) => self.set(count, 0)?,
            Op::Forget(from, to) => {
                for slot in from..to {
                    self.set(slot, NONE)?;
                }
            }
            Op::Look {
                height,
                negative,
                end,
            } => {
                // A choice with no label is a positive look-around whose body failed.
                let height_at = self.choices.len() + usize::from(negative);
                self.choose((if negative { end } else { NONE }, at), None)?;
                // Never undone: it is read only while this look-around is open.
                self.put(height, height_at);
            }
            Op::Match => return Ok(None),
        }
        Ok(Some(next))
    }

    /// Takes as many units as pass the test, to be given back one by one.
    fn run(&mut self, run: &Run, (next, at): (Label, usize)) -> Result<Next, TooSlow> {
        let passes = |unit: &&u16| run.test.matches(**unit);
        let (before, after) = self.units.split_at_checked(at).unwrap_or_default();
        let taken = match run.back {
            true => before.iter().rev().take(run.max).take_while(passes).count(),
            false => after.iter().take(run.max).take_while(passes).count(),
        };
        self.pay(taken / UNITS_PER_STEP)?;
        if taken < run.min {
            return Ok(None);
        }
        let reached = moved(at, taken, run.back);
        if taken > run.min {
            let until = moved(at, run.min, run.back);
            self.choose((next, reached), Some((until, run.back)))?;
        }
        Ok(Some((next, reached)))
    }

    /// Goes the first way, and the second where that fails.
    fn fork(&mut self, first: (Label, usize), second: (Label, usize)) -> Result<Next, TooSlow> {
        if self.fails(first.0, first.1) {
            return Ok(Some(second));
        }
        if !self.fails(second.0, second.1) {
            self.choose(second, None)?;
        }
        Ok(Some(first))
    }

    /// The end of an iteration, with the empty check of §22.2.2.3.1.
    fn again(&mut self, counted: Loop, head: Label, at: usize) -> Result<Next, TooSlow> {
        let done = self.slot(counted.count);
        if done >= counted.min && counted.may_be_empty && self.slot(counted.count + 1) == at {
            return Ok(None);
        }
        // More than the least number is as good as it, if there is no largest.
        if done < counted.min || counted.max != UNBOUNDED {
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
        match counted.greedy {
            true => self.fork(body, exit),
            false => self.fork(exit, body),
        }
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
        while let Some(mut choice) = self.choices.pop() {
            self.undo(choice.changes);
            let Some((until, back)) = choice.give_back else {
                match choice.label {
                    NONE => continue,
                    label => return Ok(Some((label, choice.at))),
                }
            };
            // Gives back units of a run until what follows could match.
            let (from, mut is_vain) = (choice.at, true);
            while is_vain && choice.at != until {
                choice.at = moved(choice.at, 1, !back);
                is_vain = self.fails(choice.label, choice.at)
                    || !self.seen.is_empty()
                        && self.seen.contains(&self.state(choice.label, choice.at));
            }
            self.pay(from.abs_diff(choice.at) / UNITS_PER_STEP)?;
            if !is_vain {
                let more = (choice.at != until).then_some(choice);
                self.choices.extend(more);
                return Ok(Some((choice.label, choice.at)));
            }
        }
        Ok(None)
    }

    /// True if it is plain to see that going on at the label fails.
    fn fails(&self, label: Label, at: usize) -> bool {
        match self.program.ops.get(label) {
            Some(Op::Unit { test, back }) => !self.is_unit(test, at, *back),
            Some(Op::Edge(edge)) => !self.is_edge(*edge, at),
            Some(Op::Zero(_)) => self.fails(label + 1, at),
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
        self.pay(length / UNITS_PER_STEP)?;
        let end = moved(at, length, back);
        let here = self.units.get(at.min(end)..at.max(end));
        Ok((self.units.get(from..to) == here).then_some(end))
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

    fn choose(
        &mut self,
        (label, at): (Label, usize),
        give_back: Option<(usize, bool)>,
    ) -> Result<(), TooSlow> {
        if self.choices.len() >= MAX_KEPT {
            return Err(TooSlow);
        }
        self.choices.push(Choice {
            label,
            at,
            changes: self.changes.len(),
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

/// The position so many units further in the direction.
fn moved(at: usize, units: usize, back: bool) -> usize {
    match back {
        true => at.saturating_sub(units),
        false => at.saturating_add(units),
    }
}
