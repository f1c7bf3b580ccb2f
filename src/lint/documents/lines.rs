//! The statements of a document, found by their words: only similar ones are compared.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::lint::pairs::ByStem;
use crate::text::compare::{Sentence, Weights};

/// The statements of a text.
#[derive(Default, Hash)]
pub struct Lines {
    bytes: Vec<Range<usize>>,
    by_stem: ByStem,
}

impl Lines {
    /// The statements of this text.
    pub fn new(text: &str) -> Self {
        let all = Sentence::all(text, Weights::bundled());
        Self {
            by_stem: ByStem::new(all.iter().map(|(_, one)| one)),
            bytes: all.into_iter().map(|(at, _)| at.at).collect(),
        }
    }

    /// The bytes of the statements that share at least two words with a text, sorted by number of
    /// shared words.
    pub fn like(&self, text: &str) -> Vec<Range<usize>> {
        const MOST: usize = 8;
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for (_, one) in Sentence::all(text, Weights::bundled()) {
            let sharing = self.by_stem.sharing(&one).into_iter();
            sharing.for_each(|n| *shared.entry(n).or_default() += 1);
        }
        let mut likely: Vec<_> = shared.into_iter().filter(|(_, count)| *count > 1).collect();
        likely.sort_by_key(|(n, count)| (Reverse(*count), *n));
        let likely = likely.into_iter().take(MOST);
        let bytes = likely.filter_map(|(n, _)| self.bytes.get(n).cloned());
        bytes.collect()
    }
}
