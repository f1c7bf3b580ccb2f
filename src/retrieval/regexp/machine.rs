//! The matcher of ECMA-262 §22.2.2, with its continuations on a stack of its own.
//!
//! It counts its steps and gives up at a limit, and so does the stack, which therefore bounds the
//! memory. No recursion: the length of the text costs no stack of the thread.

use super::fold;
use super::program::{First, Label, Lead, Op, Program, Slot};
use super::tree::{Edge, Sets, Test, UNBOUNDED};
use super::units::is_word;

/// A slot that holds nothing.
const NONE: usize = usize::MAX;

/// The most choices and changes kept at a time: about 30 MB.
const MAX_KEPT: usize = 500_000;

/// This many units read by a simple loop count as one step.
const UNITS_PER_STEP: usize = 8;

/// The limit was reached.
#[derive(Debug)]
pub(super) struct GaveUp;

/// A point to come back to.
#[derive(Clone, Copy, Debug)]
struct Choice {
    label: Label,
    at: usize,
    /// How many changes to keep.
    changes: usize,
    kind: ChoiceKind,
}

#[derive(Clone, Copy, Debug)]
enum ChoiceKind {
    Plain,
    /// A greedy run that can give back units, down to this position.
    GiveBack {
        until: usize,
        back: bool,
    },
    /// A lazy run that can take more units, so many.
    TakeMore {
        test: Test,
        left: u32,
        back: bool,
    },
}

/// A match in progress.
pub(super) struct Machine<'a> {
    program: &'a Program,
    sets: &'a Sets,
    units: &'a [u16],
    ignore_case: bool,
    slots: Vec<usize>,
    changes: Vec<(Slot, usize)>,
    choices: Vec<Choice>,
    steps_left: u64,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        (program, sets): (&'a Program, &'a Sets),
        units: &'a [u16],
        ignore_case: bool,
        steps: u64,
    ) -> Self {
        Self {
            program,
            sets,
            units,
            ignore_case,
            slots: vec![NONE; program.slots],
            changes: Vec::new(),
            choices: Vec::new(),
            steps_left: steps,
        }
    }

    /// The first match: `RegExpBuiltinExec` (§22.2.7.2) from the start of the text.
    pub(super) fn find(&mut self) -> Result<Option<(usize, usize)>, GaveUp> {
        let mut start = 0;
        loop {
            if let Some(first) = self.program.first {
                match self.next_start(first, start) {
                    Some(next) => start = next,
                    None => return Ok(None),
                }
            }
            if matches!(self.program.lead, Lead::Start) && start > 0 {
                return Ok(None);
            }
            if let Some(end) = self.attempt(start)? {
                return Ok(Some((start, end)));
            }
            if let Lead::Run(test) = self.program.lead {
                while self.test_at(test, start) {
                    start += 1;
                }
            }
            start += 1;
            if start > self.units.len() {
                return Ok(None);
            }
        }
    }

    fn next_start(&self, first: First, start: usize) -> Option<usize> {
        let rest = self.units.get(start..)?;
        let skipped = rest.iter().position(|unit| first.contains(*unit))?;
        Some(start + skipped)
    }

    fn test_at(&self, test: Test, at: usize) -> bool {
        self.units
            .get(at)
            .is_some_and(|unit| self.sets.matches(test, *unit))
    }

    /// As `test_at`, of the unit that a step in the direction reads.
    fn test_step(&self, test: Test, at: usize, back: bool) -> bool {
        if back {
            at.checked_sub(1)
                .is_some_and(|before| self.test_at(test, before))
        } else {
            self.test_at(test, at)
        }
    }

    fn pay(&mut self, steps: usize) -> Result<(), GaveUp> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(GaveUp)?;
        Ok(())
    }

    /// A match that starts here; its end.
    fn attempt(&mut self, start: usize) -> Result<Option<usize>, GaveUp> {
        self.changes.clear();
        self.choices.clear();
        if let Some(groups) = self.slots.get_mut(..self.program.group_slots) {
            groups.fill(NONE);
        }
        let mut label = 0;
        let mut at = start;
        loop {
            self.pay(1)?;
            let Some(op) = self.program.ops.get(label).copied() else {
                return Ok(None);
            };
            if matches!(op, Op::Match) {
                return Ok(Some(at));
            }
            let next = match self.step(op, label, at)? {
                Some(next) => Some(next),
                None => self.retreat()?,
            };
            let Some(next) = next else {
                return Ok(None);
            };
            (label, at) = next;
        }
    }

    /// Carries out one operation; where it fails, nothing.
    #[inline]
    fn step(&mut self, op: Op, label: Label, at: usize) -> Result<Option<(Label, usize)>, GaveUp> {
        let next = label + 1;
        let passed = |passed: bool| Ok(passed.then_some((next, at)));
        match op {
            Op::Unit(test) => Ok(self.test_at(test, at).then(|| (next, at + 1))),
            Op::UnitBack(test) => {
                let found = self.test_step(test, at, true);
                Ok(found.then(|| (next, at.saturating_sub(1))))
            }
            Op::Run { .. } => self.run(op, next, at),
            Op::Split(first, second) => {
                self.choose(second, at, ChoiceKind::Plain)?;
                Ok(Some((first, at)))
            }
            Op::Jump(to) => Ok(Some((to, at))),
            Op::Edge(edge) => passed(self.is_edge(edge, at)),
            Op::Save(slot) => {
                self.set(slot, at)?;
                passed(true)
            }
            Op::Forget(from, to) => {
                for slot in from..to {
                    self.set(slot, NONE)?;
                }
                passed(true)
            }
            Op::NotEmpty(mark) => passed(self.slot(mark) != at),
            Op::Zero(count) => {
                self.set(count, 0)?;
                passed(true)
            }
            Op::Loop { .. } => self.loop_head(op, next, at),
            Op::Again {
                count,
                mark,
                min,
                head,
            } => {
                let done = self.slot(count);
                if done >= size(min) && self.slot(mark) == at {
                    return Ok(None);
                }
                self.set(count, done.saturating_add(1))?;
                Ok(Some((head, at)))
            }
            Op::Reference { start, back } => {
                let end = self.refer(start, at, back)?;
                Ok(end.map(|end| (next, end)))
            }
            Op::Look { height, otherwise } => {
                if let Some(otherwise) = otherwise {
                    self.choose(otherwise, at, ChoiceKind::Plain)?;
                }
                // Never undone: it is read only while this look-around is open.
                self.put(height, self.choices.len());
                if otherwise.is_none() {
                    self.choose(NONE, at, ChoiceKind::Plain)?;
                }
                passed(true)
            }
            Op::Looked { height, negative } => {
                Ok(self.looked(height, negative).map(|at| (next, at)))
            }
            Op::Match => Ok(None),
        }
    }

    /// Ends a look-around whose body matched: its other ways to match are dropped.
    fn looked(&mut self, height: Slot, negative: bool) -> Option<usize> {
        let height = self.slot(height);
        if negative {
            let choice = self.choices.get(height.checked_sub(1)?).copied()?;
            self.undo(choice.changes);
            self.choices.truncate(height - 1);
            return None;
        }
        let choice = self.choices.get(height).copied()?;
        self.choices.truncate(height);
        Some(choice.at)
    }

    fn loop_head(
        &mut self,
        op: Op,
        next: Label,
        at: usize,
    ) -> Result<Option<(Label, usize)>, GaveUp> {
        let Op::Loop {
            count,
            min,
            max,
            greedy,
            exit,
        } = op
        else {
            return Ok(None);
        };
        let done = self.slot(count);
        if done < size(min) {
            return Ok(Some((next, at)));
        }
        if max != UNBOUNDED && done >= size(max) {
            return Ok(Some((exit, at)));
        }
        let (first, second) = if greedy { (next, exit) } else { (exit, next) };
        self.choose(second, at, ChoiceKind::Plain)?;
        Ok(Some((first, at)))
    }

    fn run(&mut self, op: Op, next: Label, at: usize) -> Result<Option<(Label, usize)>, GaveUp> {
        let Op::Run {
            test,
            min,
            max,
            greedy,
            back,
        } = op
        else {
            return Ok(None);
        };
        let wanted = if greedy { max } else { min };
        let room = if back {
            at
        } else {
            self.units.len().saturating_sub(at)
        };
        let most = if wanted == UNBOUNDED {
            room
        } else {
            room.min(size(wanted))
        };
        let taken = self.count(test, at, most, back);
        self.pay(taken / UNITS_PER_STEP)?;
        if taken < size(min) {
            return Ok(None);
        }
        let reached = moved(at, taken, back);
        if greedy && taken > size(min) {
            let until = moved(at, size(min), back);
            self.choose(next, reached, ChoiceKind::GiveBack { until, back })?;
        } else if !greedy && max > min {
            let left = if max == UNBOUNDED { max } else { max - min };
            self.choose(next, reached, ChoiceKind::TakeMore { test, left, back })?;
        }
        Ok(Some((next, reached)))
    }

    /// How many of the next units, at most so many, pass the test.
    fn count(&self, test: Test, at: usize, most: usize, back: bool) -> usize {
        let failing = |unit: &u16| !self.sets.matches(test, *unit);
        let found = if back {
            let part = self.units.get(at.saturating_sub(most)..at);
            part.and_then(|part| part.iter().rev().position(failing))
        } else {
            let part = self.units.get(at..at.saturating_add(most));
            part.and_then(|part| part.iter().position(failing))
        };
        found.unwrap_or(most)
    }

    /// Goes back to the latest choice.
    fn retreat(&mut self) -> Result<Option<(Label, usize)>, GaveUp> {
        while let Some(choice) = self.choices.pop() {
            self.undo(choice.changes);
            match choice.kind {
                // A positive look-around whose body failed.
                ChoiceKind::Plain if choice.label == NONE => {}
                ChoiceKind::Plain => return Ok(Some((choice.label, choice.at))),
                ChoiceKind::GiveBack { until, back } => {
                    if let Some(at) = self.give_back(choice, until, back)? {
                        return Ok(Some((choice.label, at)));
                    }
                }
                ChoiceKind::TakeMore { test, left, back } => {
                    if let Some(at) = self.take_more(choice, (test, left, back))? {
                        return Ok(Some((choice.label, at)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Gives back units of a greedy run until what follows could match.
    fn give_back(
        &mut self,
        mut choice: Choice,
        until: usize,
        back: bool,
    ) -> Result<Option<usize>, GaveUp> {
        let following = self.following(choice.label, back);
        let from = choice.at;
        while choice.at != until {
            choice.at = moved(choice.at, 1, !back);
            if following.is_some_and(|test| !self.test_step(test, choice.at, back)) {
                continue;
            }
            if choice.at != until {
                self.choices.push(choice);
            }
            self.pay(from.abs_diff(choice.at) / UNITS_PER_STEP)?;
            return Ok(Some(choice.at));
        }
        self.pay(from.abs_diff(until) / UNITS_PER_STEP)?;
        Ok(None)
    }

    /// Takes more units into a lazy run until what follows could match.
    fn take_more(
        &mut self,
        mut choice: Choice,
        (test, mut left, back): (Test, u32, bool),
    ) -> Result<Option<usize>, GaveUp> {
        let following = self.following(choice.label, back);
        let from = choice.at;
        while left > 0 && self.test_step(test, choice.at, back) {
            choice.at = moved(choice.at, 1, back);
            if left != UNBOUNDED {
                left -= 1;
            }
            if following.is_some_and(|test| !self.test_step(test, choice.at, back)) {
                continue;
            }
            choice.kind = ChoiceKind::TakeMore { test, left, back };
            self.choices.push(choice);
            self.pay(from.abs_diff(choice.at) / UNITS_PER_STEP)?;
            return Ok(Some(choice.at));
        }
        self.pay(from.abs_diff(choice.at) / UNITS_PER_STEP)?;
        Ok(None)
    }

    /// The test that comes next in the same direction, where one does.
    fn following(&self, label: Label, back: bool) -> Option<Test> {
        match (self.program.ops.get(label), back) {
            (Some(Op::Unit(test)), false) | (Some(Op::UnitBack(test)), true) => Some(*test),
            _ => None,
        }
    }

    /// `BackreferenceMatcher` (§22.2.2.7.2): a group that has not matched is empty.
    fn refer(&mut self, start: Slot, at: usize, back: bool) -> Result<Option<usize>, GaveUp> {
        let (from, to) = (self.slot(start), self.slot(start + 1));
        if from == NONE || to == NONE {
            return Ok(Some(at));
        }
        let length = to.saturating_sub(from);
        self.pay(length / 2)?;
        let end = if back {
            at.checked_sub(length)
        } else {
            at.checked_add(length)
        };
        let Some(end) = end else {
            return Ok(None);
        };
        let (Some(group), Some(here)) = (
            self.units.get(from..to),
            self.units.get(at.min(end)..at.max(end)),
        ) else {
            return Ok(None);
        };
        let same = group.iter().zip(here).all(|(one, other)| {
            one == other
                || (self.ignore_case && fold::canonicalize(*one) == fold::canonicalize(*other))
        });
        Ok(same.then_some(end))
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

    fn choose(&mut self, label: Label, at: usize, kind: ChoiceKind) -> Result<(), GaveUp> {
        if self.choices.len() >= MAX_KEPT {
            return Err(GaveUp);
        }
        let changes = self.changes.len();
        self.choices.push(Choice {
            label,
            at,
            changes,
            kind,
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
    fn set(&mut self, slot: Slot, value: usize) -> Result<(), GaveUp> {
        let old = self.slot(slot);
        if old == value {
            return Ok(());
        }
        if !self.choices.is_empty() {
            if self.changes.len() >= MAX_KEPT {
                return Err(GaveUp);
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
    if back {
        at.saturating_sub(units)
    } else {
        at.saturating_add(units)
    }
}

fn size(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
