//! The memories that are nearly injected: their order, and groups of those that share a reason.

use super::Inject;
use crate::app::cursor::Dividers;
use crate::retrieval::{Reason, Verdict};

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
            let is_same = hints.all(|hint| hint == first);
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
        Some(parted(hint).1).filter(|_| shared.1 != hint)
    }
}

/// A hint without its numbers and quoted words, and these alone.
fn parted(hint: &str) -> (String, String) {
    let (mut shared, mut own) = (String::new(), Vec::new());
    for (n, part) in hint.split('`').enumerate() {
        for word in part.split_inclusive(' ') {
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            if n % 2 == 0 && !is_number {
                shared.push_str(word);
                continue;
            }
            own.push(word.trim());
            let is_begun = shared.trim_end().ends_with('…');
            shared.push_str(if is_begun { "" } else { "… " });
        }
    }
    (shared.replace("…  ", "… ").trim().to_owned(), own.join(" "))
}

/// The order of a memory in the ranking: 0 is selected, 1 matched but was cut, 2 has a word of the task
/// that its patterns lack or can be read on request, 3 can never be selected. None if it has nothing to
/// do with the task.
pub(super) const fn nearness(verdict: &Verdict) -> Option<u8> {
    match verdict.reason {
        Reason::Selected => Some(0),
        Reason::OverLimit | Reason::OverBudget | Reason::BelowImportance => Some(1),
        // A memory that its system does not read is never near, whatever its text.
        Reason::Invisible | Reason::Expired | Reason::Archived => None,
        // A memory that can never load is a mistake, which the hint explains.
        Reason::Invalid if verdict.hint.is_some() => Some(3),
        _ if verdict.hint.is_some() => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_parted_into_shared_words_and_own_ones() {
        for (hint, shared, own) in [
            ("add `ledger` to whenToUse", "add … to whenToUse", "ledger"),
            ("line 42 of MEMORY.md", "line … of MEMORY.md", "42"),
            ("Windows line ends", "Windows line ends", ""),
            ("11 points short", "… points short", "11"),
        ] {
            assert_eq!(parted(hint), (shared.to_owned(), own.to_owned()));
        }
    }
}
