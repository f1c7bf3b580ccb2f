//! The parts of a memory that a rule gathers for the end of a run.

use std::sync::Arc;

use super::Subject;
use super::facts::{Gathered, Unchecked};
use super::repository::History;
use crate::text::mentions::local_paths;

/// The part of a memory that a rule gathers for the end of the run.
pub enum Gather {
    /// Nothing.
    Nothing,
    /// What the engine adds in this run and in each later one until the memory changes.
    Keep(Arc<dyn Gathered>),
    /// Something that the rule added itself, and gathers again in every run.
    Again,
}

impl Gather {
    /// The part that a rule gathers with the help of the history; without one, the number of unchecked
    /// paths.
    pub(super) fn from_history(
        subject: &Subject<'_>,
        rule: &'static str,
        gather: fn(&Subject<'_>, &History) -> Self,
    ) -> Self {
        match subject.cx.project.history() {
            Ok(history) => gather(subject, history),
            Err("") => Self::Nothing,
            Err(_) => Self::keep(Unchecked(rule, local_paths(subject.body().1))),
        }
    }

    /// This, kept for later runs.
    pub fn keep(one: impl Gathered + 'static) -> Self {
        Self::Keep(Arc::new(one))
    }
}
