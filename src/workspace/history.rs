//! The changes that memkeep made.

use super::{Error, Workspace};
use crate::app::history::State;
use crate::store::journal::Entry;

impl Workspace {
    /// Every change of the journal, newest first, undone ones too.
    pub fn journal(&self) -> Result<Vec<(Entry, State)>, Error> {
        let collection = &self.collection;
        let kinds = [
            (collection.applied()?, State::Done),
            (collection.undone()?, State::Undone),
            (collection.dropped()?, State::Dropped),
        ];
        let each = kinds.into_iter().flat_map(|(entries, state)| {
            let entries = entries.into_iter();
            entries.map(move |entry| (entry, state))
        });
        let mut all: Vec<(Entry, State)> = each.collect();
        all.sort_by_key(|(entry, _)| std::cmp::Reverse((entry.time, entry.seq)));
        Ok(all)
    }
}

/// Message for a step that has nothing to do.
pub const NOTHING: &str = "all stands that way already: nothing was written";

/// Title of a step, with what it found.
pub fn title(entry: &Entry) -> String {
    let mut all = vec![entry.plan.title.as_str()];
    all.extend(entry.stood.then_some(NOTHING));
    all.extend(entry.away.iter().map(String::as_str));
    all.join(" · ")
}
