//! Runs: a test of one unit, repeated. They keep one choice for all their lengths.

use super::TooSlow;
use super::machine::{Choice, ChoiceKind, Machine, Next, UNITS_PER_STEP};
use super::program::{Label, Op, Run};
use super::tree::Test;

impl Machine<'_> {
    pub(super) fn run(&mut self, run: Run, (next, at): (Label, usize)) -> Result<Next, TooSlow> {
        let Run {
            test,
            min,
            max,
            greedy,
            back,
        } = run;
        let taken = self.count(test, at, if greedy { max } else { min }, back);
        self.pay(taken / UNITS_PER_STEP)?;
        if taken < min {
            return Ok(None);
        }
        let reached = moved(at, taken, back);
        if greedy && taken > min {
            let until = moved(at, min, back);
            self.choose(next, reached, ChoiceKind::GiveBack { until, back })?;
        } else if !greedy && max > min {
            let left = max - min;
            self.choose(next, reached, ChoiceKind::TakeMore { test, left, back })?;
        }
        Ok(Some((next, reached)))
    }

    /// Number of the next units, at most so many, that pass the test.
    fn count(&self, test: Test, at: usize, most: usize, back: bool) -> usize {
        let passes = |unit: &&u16| self.program.sets.matches(test, **unit);
        let (before, after) = self.units.split_at_checked(at).unwrap_or_default();
        match back {
            true => before.iter().rev().take(most).take_while(passes).count(),
            false => after.iter().take(most).take_while(passes).count(),
        }
    }

    /// True if going on at a label, behind a run, fails for all that is known.
    fn is_vain(&self, following: Option<Test>, label: Label, at: usize, back: bool) -> bool {
        match following {
            Some(test) => {
                let next = moved(at, 1, back);
                !self.is_unit(test, at, back) || self.is_seen(label + 1, next)
            }
            None => self.is_seen(label, at),
        }
    }

    /// Gives back units of a greedy run until what follows could match.
    pub(super) fn give_back(
        &mut self,
        mut choice: Choice,
        until: usize,
        back: bool,
    ) -> Result<Option<usize>, TooSlow> {
        let following = self.following(choice.label, back);
        let from = choice.at;
        let mut found = false;
        while !found && choice.at != until {
            choice.at = moved(choice.at, 1, !back);
            found = !self.is_vain(following, choice.label, choice.at, back);
        }
        if found && choice.at != until {
            self.choices.push(choice);
        }
        self.pay(from.abs_diff(choice.at) / UNITS_PER_STEP)?;
        Ok(found.then_some(choice.at))
    }

    /// Takes more units into a lazy run until what follows could match.
    pub(super) fn take_more(
        &mut self,
        mut choice: Choice,
        (test, mut left, back): (Test, usize, bool),
    ) -> Result<Option<usize>, TooSlow> {
        let following = self.following(choice.label, back);
        let from = choice.at;
        let mut found = false;
        while !found && left > 0 && self.is_unit(test, choice.at, back) {
            choice.at = moved(choice.at, 1, back);
            // A run without a bound never comes to its end.
            left -= 1;
            found = !self.is_vain(following, choice.label, choice.at, back);
        }
        if found {
            choice.kind = ChoiceKind::TakeMore { test, left, back };
            self.choices.push(choice);
        }
        self.pay(from.abs_diff(choice.at) / UNITS_PER_STEP)?;
        Ok(found.then_some(choice.at))
    }

    /// The test that comes next in the same direction, where one does.
    fn following(&self, label: Label, back: bool) -> Option<Test> {
        match self.program.ops.get(label) {
            Some(Op::Unit { test, back: own }) if *own == back => Some(*test),
            _ => None,
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
