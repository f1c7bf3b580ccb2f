//! The statements of a document by their words, so that few of them are compared.

use std::ops::Range;

use crate::text::compare::{Sentence, Weights};

/// The statements of a text.
#[derive(Default, Hash)]
pub struct Lines {
    bytes: Vec<Range<usize>>,
    /// The statements that have a stem, sorted by stem.
    by_stem: Vec<(u32, usize)>,
}

impl Lines {
    /// Those of this text.
    pub fn new(text: &str) -> Self {
        let all = Sentence::all(text, Weights::bundled());
        let stems = all.iter().enumerate();
        let stems = stems.flat_map(|(n, (_, one))| one.content().map(move |stem| (stem, n)));
        let mut by_stem: Vec<_> = stems.collect();
        by_stem.sort_unstable();
        by_stem.dedup();
        Self {
            bytes: all.into_iter().map(|(at, _)| at.at).collect(),
            by_stem,
        }
    }

    /// The bytes of the statements that share at least two words with a text, those first that
    /// share most.
    pub fn like(&self, text: &str) -> Vec<Range<usize>> {
        const MOST: usize = 8;
        let mut shared: Vec<usize> = Vec::new();
        for (_, one) in Sentence::all(text, Weights::bundled()) {
            for stem in one.content() {
                let from = self.by_stem.partition_point(|(one, _)| *one < stem);
                let with = self.by_stem.iter().skip(from);
                shared.extend(with.take_while(|(one, _)| *one == stem).map(|(_, n)| *n));
            }
        }
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
