//! What the statements of a text share with those of many others, so that few of them are read again.

use std::ops::Range;

use super::statement::{Statement, statements};

/// The statements of a text.
#[derive(Default, Hash)]
pub struct Lines {
    bytes: Vec<Range<usize>>,
    /// Which statements have a feature, in the order of features.
    by_feature: Vec<(u32, usize)>,
}

impl Lines {
    /// Those of this text.
    pub fn of(text: &str) -> Self {
        let statements = statements(text);
        let features = statements.iter().enumerate();
        let features = features.flat_map(|(n, one)| {
            let features = one.features().into_iter();
            features.map(move |feature| (feature, n))
        });
        let mut by_feature: Vec<_> = features.collect();
        by_feature.sort_unstable();
        Self {
            bytes: statements.iter().map(Statement::bytes).collect(),
            by_feature,
        }
    }

    /// The bytes of the statements that share something with one of these of another text, those
    /// first that share most.
    pub fn like(&self, others: &[Statement<'_>]) -> Vec<Range<usize>> {
        const MOST: usize = 8;
        let mut shared: Vec<usize> = Vec::new();
        for one in others {
            for feature in one.features() {
                let from = self.by_feature.partition_point(|(one, _)| *one < feature);
                let with = self.by_feature.iter().skip(from);
                let with = with.take_while(|(one, _)| *one == feature);
                shared.extend(with.map(|(_, n)| *n));
            }
        }
        shared.sort_unstable();
        let groups = shared.chunk_by(|a, b| a == b);
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
