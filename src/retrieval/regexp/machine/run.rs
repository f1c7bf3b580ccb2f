//! Runs: a test of one unit, repeated. They keep one choice for all their lengths.

use super::super::program::{Label, Op};
use super::super::tree::{Test, UNBOUNDED};
use super::{Choice, ChoiceKind, GaveUp, Machine, UNITS_PER_STEP, size};

impl Machine<'_> {
    pub(super) fn run(
        &mut self,
        op: Op,
        next: Label,
        at: usize,
    ) -> Result<Option<(Label, usize)>, GaveUp> {
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

    /// Number of the next units, at most so many, that pass the test.
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

    /// Gives back units of a greedy run until what follows could match.
    pub(super) fn give_back(
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
    pub(super) fn take_more(
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
}

/// The position so many units further in the direction.
fn moved(at: usize, units: usize, back: bool) -> usize {
    if back {
        at.saturating_sub(units)
    } else {
        at.saturating_add(units)
    }
}
