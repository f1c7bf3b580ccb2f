//! Runs: a test of one unit, repeated greedily. They keep one choice for all their lengths.

use super::TooSlow;
use super::machine::{Choice, Machine, Next, UNITS_PER_STEP};
use super::program::{Label, Op, Run};
use super::tree::Test;

impl Machine<'_> {
    pub(super) fn run(&mut self, run: Run, (next, at): (Label, usize)) -> Result<Next, TooSlow> {
        let taken = self.count(run, at);
        self.pay(taken / UNITS_PER_STEP)?;
        if taken < run.min {
            return Ok(None);
        }
        let reached = moved(at, taken, run.back);
        if taken > run.min {
            let until = moved(at, run.min, run.back);
            self.choose(next, reached, Some((until, run.back)))?;
        }
        Ok(Some((next, reached)))
    }

    /// Number of the next units, at most so many, that pass the test.
    fn count(&self, run: Run, at: usize) -> usize {
        let passes = |unit: &&u16| self.program.sets.matches(run.test, **unit);
        let (before, after) = self.units.split_at_checked(at).unwrap_or_default();
        match run.back {
            true => before.iter().rev().take(run.max).take_while(passes).count(),
            false => after.iter().take(run.max).take_while(passes).count(),
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

    /// Gives back units of a run until what follows could match.
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
