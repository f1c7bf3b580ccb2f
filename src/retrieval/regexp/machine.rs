//! The matcher of ECMA-262 §22.2.2, with its continuations on a stack of its own.
//!
//! It counts its steps and gives up at a limit, and so does the stack, which therefore bounds the
//! memory. No recursion: the length of the text costs no stack of the thread.

mod run;

use super::fold;
use super::program::{First, Label, Lead, Op, Program, Slot};
use super::tree::{Edge, Sets, Test, UNBOUNDED};
use super::units::is_word;

/// A slot that holds nothing.
const NONE: usize = usize::MAX;

/// The most choices and changes kept at a time: about 12 MB.
const MAX_KEPT: usize = 200_000;

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
    /// Number of changes to keep.
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
        match op {
            Op::Unit(test) => Ok(self.test_at(test, at).then(|| (next, at + 1))),
            Op::UnitBack(test) => {
                let found = self.test_step(test, at, true);
                Ok(found.then(|| (next, at.saturating_sub(1))))
            }
            Op::Run { .. } => self.run(op, next, at),
            Op::Split(first, second) => {
                if self.fails(first, at) {
                    return Ok(Some((second, at)));
                }
                if !self.fails(second, at) {
                    self.choose(second, at, ChoiceKind::Plain)?;
                }
                Ok(Some((first, at)))
            }
            Op::Jump(to) => Ok(Some((to, at))),
            Op::Loop { .. } => self.loop_head(op, next, at),
            Op::Again { head, .. } => Ok(self.again(op, at)?.then_some((head, at))),
            Op::Reference { start, back } => {
                let end = self.refer(start, at, back)?;
                Ok(end.map(|end| (next, end)))
            }
            Op::Looked { height, negative } => {
                let outside = self.looked(height, negative);
                Ok(outside.map(|at| (next, at)))
            }
            _ => Ok(self.stay(op, at)?.then_some((next, at))),
        }
    }

    /// An operation that stays where it is: whether it succeeds.
    fn stay(&mut self, op: Op, at: usize) -> Result<bool, GaveUp> {
        match op {
            Op::Edge(edge) => return Ok(self.is_edge(edge, at)),
            Op::NotEmpty(mark) => return Ok(self.slot(mark) != at),
            Op::Save(slot) => self.set(slot, at)?,
            Op::Zero(count) => self.set(count, 0)?,
            Op::Forget(from, to) => {
                for slot in from..to {
                    self.set(slot, NONE)?;
                }
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
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The end of an iteration, which must have matched something unless it had to be (the empty
    /// check of §22.2.2.3.1).
    fn again(&mut self, op: Op, at: usize) -> Result<bool, GaveUp> {
        let Op::Again {
            count, mark, min, ..
        } = op
        else {
            return Ok(false);
        };
        let done = self.slot(count);
        if done >= size(min) && self.slot(mark) == at {
            return Ok(false);
        }
        self.set(count, done.saturating_add(1))?;
        Ok(true)
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

    /// True if it is plain to see that going on at the label fails.
    fn fails(&self, label: Label, at: usize) -> bool {
        match self.program.ops.get(label) {
            Some(Op::Unit(test)) => !self.test_at(*test, at),
            _ => false,
        }
    }

    /// `BackreferenceMatcher` (§22.2.2.7.2): a group that has not matched is empty.
    fn refer(&mut self, start: Slot, at: usize, back: bool) -> Result<Option<usize>, GaveUp> {
        let (from, to) = (self.slot(start), self.slot(start + 1));
        if from == NONE || to == NONE {
            return Ok(Some(at));
        }
        let length = to.saturating_sub(from);
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
        let differ = |(one, other): (&u16, &u16)| {
            one != other
                && (!self.ignore_case || fold::canonicalize(*one) != fold::canonicalize(*other))
        };
        let difference = group.iter().zip(here).position(differ);
        self.pay(difference.unwrap_or(length) / UNITS_PER_STEP)?;
        Ok(difference.is_none().then_some(end))
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

fn size(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
