//! The memories that are nearly injected: their order, and groups of those that share a reason.

use super::Inject;
use crate::app::cursor::Dividers;
use crate::retrieval::Reason;
use crate::retrieval::hint::parted;

/// Length from which a hint does not stand above its memory as it is.
const SHORT: usize = 48;

impl Inject {
    /// Puts near misses together that share their reason and the words of their hint.
    pub(super) fn group(&mut self) {
        let missed = (self.cut..self.rows()).filter_map(|row| Some((row, self.on(row)?)));
        let mut groups: Vec<((Reason, String), Vec<usize>)> = Vec::new();
        for (row, verdict) in missed {
            let hint = verdict.hint.as_deref().unwrap_or_default();
            let key = (verdict.reason, parted(hint).0);
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((key, vec![row])),
            }
        }
        let mut rows: Vec<u32> = self.rows.iter().copied().take(self.cut).collect();
        let mut heads = Vec::new();
        for ((_, shared), group) in groups {
            let mut hints = group
                .iter()
                .filter_map(|row| self.on(*row)?.hint.as_deref());
            let first = hints.next().unwrap_or_default().to_owned();
            let is_same = hints.all(|hint| hint == first) && first.len() < SHORT;
            heads.push((rows.len(), if is_same { first } else { shared }));
            rows.extend(group.iter().filter_map(|row| self.rows.get(*row)));
        }
        let lines = std::iter::once(self.cut).chain(heads.iter().map(|(at, _)| *at));
        self.dividers = Dividers(lines.collect());
        (self.rows, self.heads) = (rows, heads);
    }

    /// The part of the hint of a row that the others of its group do not have.
    pub fn own_hint(&self, row: usize) -> Option<String> {
        let shared = self.heads.iter().rev().find(|(at, _)| *at <= row)?;
        let hint = self.on(row)?.hint.as_deref()?;
        Some(parted(hint).1).filter(|own| shared.1 != hint && !own.is_empty())
    }
}
