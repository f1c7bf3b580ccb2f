//! The statements of a document, found by their words: only similar ones are compared.

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
        let all = Sentence::all(text, Weights::bundled()).into_iter();
        let mut shared: Vec<usize> = all
            .flat_map(|(_, one)| self.by_stem.sharing(&one))
            .collect();
        shared.sort_unstable();
        let groups = shared
            .chunk_by(|a, b| a == b)
            .filter(|group| group.len() > 1);
        let mut likely: Vec<(usize, usize)> = groups
            .filter_map(|group| Some((group.len(), *group.first()?)))
            .collect();
        likely.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let likely = likely.into_iter().take(MOST);
        likely
            .filter_map(|(_, n)| self.bytes.get(n).cloned())
            .collect()
    }
}
