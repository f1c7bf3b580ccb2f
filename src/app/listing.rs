//! The list of each view after something changed, and going from one view to another.

use super::line::Line;
use super::lints::{Row, key};
use super::msg::{Change, Effect};
use super::prompt::{Prompt, Question};
use super::{Model, Overlay, Page, Pane, Proposal, View};
use crate::memory::MemoryId;

impl Model {
    /// Arranges the rows of the list anew.
    pub(super) fn arrange(&mut self) {
        self.browse.arrange(&self.world);
    }

    /// Lists the findings of the memories that the filter leaves.
    pub(super) fn arrange_lints(&mut self) {
        self.lints
            .arrange(&self.world, &self.browse.filter, self.now);
    }

    /// Follows a changed filter; findings that are not on the screen follow when they are.
    pub(super) fn filtered(&mut self) {
        if self.view == View::Lint {
            self.arrange_lints();
        }
    }

    /// Renews two memories side by side after one of them or their findings changed.
    pub(super) fn renew_pair(&mut self) {
        let Page::Pair(pair) = &self.page else {
            return;
        };
        match pair.renewed(&self.world) {
            Some(new) => {
                if !new.asked && pair.asked {
                    let what = "one of the two changed on disk: review both again";
                    self.status.fail(what, None);
                }
                self.page = Page::Pair(Box::new(new));
            }
            None => {
                self.page = Page::Usual;
                let what = "the question about these two is settled";
                self.status.say(what, None);
            }
        }
    }

    /// The effect that makes a change, unless nothing may be written.
    pub(super) fn apply(&mut self, change: Change) -> Vec<Effect> {
        match &self.read_only {
            Some(why) => {
                self.status.fail(why.clone(), None);
                Vec::new()
            }
            None => vec![Effect::Apply(change)],
        }
    }

    /// Asks a question, an answer typed already.
    pub(super) fn ask(&mut self, question: Question, typed: &str) -> Vec<Effect> {
        let line = Line::new(typed);
        self.overlay = Some(Overlay::Ask(Prompt { question, line }));
        Vec::new()
    }

    /// The fix of a finding, to be shown.
    pub(super) fn fix_of(&self, n: usize) -> Option<Proposal> {
        let finding = self.world.finding(n)?;
        let fix = finding.fix.as_deref()?;
        let each = finding.each().filter_map(|one| one.fix.as_deref());
        let fixes: Vec<_> = each.collect();
        let memories = fixes.iter();
        let memories = memories.map(|fix| self.world.linted(fix.memory).cloned());
        let change = Change::Fix(fixes.iter().map(|fix| fix.change.clone()).collect());
        Some(Proposal {
            about: Some((key(&self.world, finding)?, n)),
            ..Proposal::new(fix.title.clone(), change, memories.collect::<Option<_>>()?)
        })
    }

    /// Goes to a view and stays on the memory.
    pub(super) fn show(&mut self, view: View) {
        let before = std::mem::replace(&mut self.view, view);
        self.pane = Pane::List;
        self.page = Page::Usual;
        if before == view {
            return;
        }
        let chosen = match before {
            View::Browse => self.browse.cursor.chosen.clone(),
            View::Inject => self.inject.cursor.chosen.clone(),
            View::Lint => self.lints.cursor.chosen.as_ref().map(|key| key.0.clone()),
            View::Review => self.review.cursor.chosen.clone(),
        };
        self.filtered();
        let Some(id) = chosen else {
            return;
        };
        match view {
            View::Browse => {
                self.browse.cursor.chosen = Some(id);
                self.arrange();
            }
            View::Inject => {
                self.inject.cursor.chosen = Some(id);
                self.inject.follow();
            }
            View::Lint => {
                let row = self.first_finding_row(&id).or_else(|| {
                    let first = *self.world.findings_of(&id).first()?;
                    let rule = self.world.finding(first)?.rule;
                    self.lints.unfold(rule);
                    self.arrange_lints();
                    self.first_finding_row(&id)
                });
                if let Some(row) = row {
                    // From the top: the rows above it are seen where there is room for both.
                    self.lints.cursor.top = 0;
                    self.lints.go(&self.world, row);
                }
            }
            View::Review => {
                let mut cards = self.review.cards.iter();
                if let Some(row) = cards.position(|card| card.entry.id == id) {
                    self.review.go(row);
                }
            }
        }
    }

    /// The row of the first finding of a memory, if one is listed.
    fn first_finding_row(&self, id: &MemoryId) -> Option<usize> {
        let of = self.world.findings_of(id);
        let mut rows = self.lints.rows.iter();
        rows.position(|row| matches!(row, Row::Finding(n) if of.contains(n)))
    }
}
