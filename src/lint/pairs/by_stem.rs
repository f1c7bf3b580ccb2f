//! Finds the statements that share words with another.

use crate::text::compare::Sentence;

/// Statements by the telling words in them.
#[derive(Default)]
pub struct ByStem(Vec<(u32, usize)>);

impl ByStem {
    /// Reads statements, which keep their order.
    pub fn new<'s, 't: 's>(statements: impl Iterator<Item = &'s Sentence<'t>>) -> Self {
        let stems = |(n, one): (usize, &'s Sentence<'t>)| one.content().map(move |stem| (stem, n));
        let mut all: Vec<(u32, usize)> = statements.enumerate().flat_map(stems).collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    /// The statements that share telling words with a sentence, once for each of its words; sorted.
    pub fn sharing(&self, sentence: &Sentence<'_>) -> Vec<usize> {
        self.with(sentence.content())
    }

    /// The statements with these words, once for each of them; sorted.
    fn with(&self, stems: impl Iterator<Item = u32>) -> Vec<usize> {
        let with = |stem| {
            let from = self.0.partition_point(|entry| entry.0 < stem);
            let rest = self.0.iter().skip(from);
            rest.take_while(move |entry| entry.0 == stem)
                .map(|entry| entry.1)
        };
        let mut found: Vec<usize> = stems.flat_map(with).collect();
        found.sort_unstable();
        found
    }

    /// So many statements that share most telling words with a sentence, but not words that too many
    /// have.
    pub fn nearest(&self, sentence: &Sentence<'_>, most: usize) -> Vec<usize> {
        /// A word of more statements than this tells nothing.
        const COMMON: usize = 256;
        let is_rare = |stem: &u32| {
            let from = self.0.partition_point(|entry| entry.0 < *stem);
            let beyond = self.0.get(from + COMMON);
            beyond.is_none_or(|entry| entry.0 != *stem)
        };
        let found = self.with(sentence.content().filter(is_rare));
        let counted = found.chunk_by(|a, b| a == b);
        let mut counted: Vec<(usize, usize)> = counted
            .filter_map(|all| Some((all.len(), *all.first()?)))
            .collect();
        counted.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        counted.truncate(most);
        counted.into_iter().map(|(_, n)| n).collect()
    }
}
