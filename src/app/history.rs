//! The earlier versions of a memory.

use std::sync::Arc;

use super::msg::{Change, Question, Slot};
use super::proposal::{Proposal, propose};
use super::{Model, Page};
use crate::curate::Version;
use crate::memory::{Memory, Timestamp, plural};

#[derive(Clone, Debug)]
pub struct Versions {
    pub of: Arc<Memory>,
    /// Its versions, newest first, or why there are none; nothing until they are read.
    pub all: Option<Result<Vec<Arc<Version>>, String>>,
    pub row: usize,
    pub scroll: usize,
}

impl Versions {
    /// The versions, as far as they are read.
    pub fn rows(&self) -> &[Arc<Version>] {
        match &self.all {
            Some(Ok(all)) => all,
            _ => &[],
        }
    }

    pub fn current(&self) -> Option<&Arc<Version>> {
        self.rows().get(self.row)
    }
}

/// Reads the versions of a memory, newest first.
#[derive(Debug)]
pub struct ReadVersions(pub Arc<Memory>);

impl Question for ReadVersions {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = Result<Vec<Version>, String>;

    fn settle(versions: Self::Answer, model: &mut Model) {
        if let Page::Versions(page) = &mut model.page {
            page.all = Some(versions.map(|all| all.into_iter().map(Arc::new).collect()));
        }
    }
}

pub fn open(model: &mut Model) {
    let Some(memory) = model.current().cloned() else {
        return;
    };
    model.page = Page::Versions(Box::new(Versions {
        of: Arc::clone(&memory),
        all: None,
        row: 0,
        scroll: 0,
    }));
    model.request(ReadVersions(memory));
}

pub fn turn(model: &mut Model, by: isize) {
    if let Page::Versions(versions) = &mut model.page {
        let last = versions.rows().len().saturating_sub(1);
        versions.row = versions.row.saturating_add_signed(by).min(last);
        versions.scroll = 0;
    }
}

/// Shows what bringing the selected version back would change.
pub fn restore(model: &mut Model) {
    let Page::Versions(versions) = &model.page else {
        return;
    };
    let (memory, Some(version)) = (&versions.of, versions.current()) else {
        return;
    };
    let title = format!("restore {} to {}", memory.id, version.short());
    let change = Change::Version {
        id: memory.id.clone(),
        version: Arc::clone(version),
    };
    let mut proposal = Proposal::new(title, change, vec![Arc::clone(memory)]);
    proposal.behind = Some(Box::new(model.page.clone()));
    propose(model, proposal)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is in force.
    Done,
    /// It was undone and can be redone.
    Undone,
    /// It was undone, and another change followed.
    Dropped,
}

/// An age in words, as the short one has it: `3 days ago`, `in 2 weeks`.
pub fn ago(then: Timestamp, now: Timestamp) -> String {
    let short = then.age_words(now);
    let number = short.trim_start_matches('+');
    let units = ["minute", "hour", "day", "week", "month", "year"];
    let age = "mhdwMy".chars().zip(units).find_map(|(sign, unit)| {
        let count = number.strip_suffix(sign)?.parse().ok()?;
        Some(plural(count, unit))
    });
    match age {
        None => "just now".to_owned(),
        Some(age) if short.starts_with('+') => format!("in {age}"),
        Some(age) => format!("{age} ago"),
    }
}
