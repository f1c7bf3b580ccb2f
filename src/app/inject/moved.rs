//! Places of memories before and after an edit, or the last change of the task.

use super::Inject;
use crate::memory::StoreId;
use crate::retrieval::{Preview, StorePart, Verdict};

impl Inject {
    /// The verdict on a memory with the edit under the cursor made.
    pub fn after(&self, index: usize) -> Option<&Verdict> {
        let preview = self.what_if.as_ref()?;
        let mut all = preview.selected.iter().chain(&preview.rejected);
        all.find(|verdict| verdict.memory == index)
    }

    /// The places of a memory before and after the edit under the cursor or the last change of the
    /// task, in words; none where they are the same.
    pub fn moved(&self, verdict: &Verdict) -> Option<[String; 2]> {
        let place = |preview: &Preview| {
            let all = preview.selected.iter().chain(&preview.rejected);
            let own = all
                .filter(|one| one.memory == verdict.memory)
                .find_map(|one| {
                    let hook = one.handed_out.then(|| "hook".to_owned());
                    one.rank.map(|rank| rank.to_string()).or(hook)
                });
            own.unwrap_or("out".to_owned())
        };
        let now = self.preview().map(place)?;
        let moved = match (&self.what_if, &self.baseline) {
            (Some(after), _) => [now, place(after)],
            (None, Some(before)) => [place(before), now],
            (None, None) => return None,
        };
        (moved[0] != moved[1]).then_some(moved)
    }

    /// Compares the first change of the task since its box was entered, and all that follow in it,
    /// with what is shown now.
    pub(super) fn begin(&mut self, is_other_task: bool) {
        self.begins |= !self.editing;
        if is_other_task && self.begins {
            self.baseline = self.preview.as_ref().map(|(_, preview)| preview.clone());
            self.begins = false;
        }
    }

    /// The part of a store before the last change of the task.
    pub fn part_before(&self, store: &StoreId) -> Option<&StorePart> {
        let mut parts = self.baseline.iter().flat_map(|preview| &preview.parts);
        parts.find(|part| part.store == *store)
    }
}
