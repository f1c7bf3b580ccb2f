//! The parts of a memory that do not depend on a task, read once for many previews of a snapshot.

use rayon::prelude::*;

use super::Dialect;
use super::pattern::{normalized, required};
use super::phrase::{self, Lexicon};
use super::score::Facts;
use crate::memory::{Memory, Role, Timestamp, Value};
use crate::retrieval::Snapshot;
use crate::text::tokens::hash;

/// What is prepared of a memory.
pub struct Prepared {
    /// The title in lower case.
    pub title: Box<str>,
    /// When it was written.
    pub created: Option<Timestamp>,
    /// Its patterns, in order.
    pub patterns: Box<[Filter]>,
}

/// Tells patterns apart that surely do not match.
pub struct Filter {
    /// A literal text that every match has in the dialects with the code of SPEC-0007; empty if there
    /// is none.
    literal: Box<str>,
    /// Hashes of the stems that it needs as a phrase; empty if it is none.
    stems: Box<[u32]>,
}

impl Prepared {
    /// Prepares all memories of a snapshot.
    pub fn all(memories: &Snapshot) -> Vec<Self> {
        let each = memories.par_iter().with_min_len(64);
        let each = each.map_init(Lexicon::default, |lexicon, memory| {
            let facts = Facts::of(memory);
            Self {
                created: facts.created,
                patterns: patterns(memory)
                    .map(|one| Filter::new(one, lexicon))
                    .collect(),
                title: facts.title.into(),
            }
        });
        each.collect()
    }
}

/// The patterns of a memory, and whatever else stands among them.
pub fn patterns(memory: &Memory) -> impl Iterator<Item = &Value> + Clone {
    let patterns = memory.role(Role::Patterns);
    patterns.into_iter().flat_map(Value::items)
}

impl Filter {
    fn new(pattern: &Value, lexicon: &mut Lexicon) -> Self {
        let text = pattern.as_str().unwrap_or_default();
        let normal = normalized(text);
        let runs = required(&normal, Dialect::Arbiter).unwrap_or_default();
        let longest = runs.into_iter().max_by_key(|run| run.len());
        let stems = phrase::needs(text, lexicon).unwrap_or_default();
        Self {
            literal: longest.unwrap_or_default().into(),
            stems: stems.iter().map(|stem| hash(stem)).collect(),
        }
    }

    /// True if a text may match the pattern by the rules of the specs.
    pub fn may_match(&self, lower: &str, dialect: Dialect) -> bool {
        dialect == Dialect::Unified || lower.contains(&*self.literal)
    }

    /// True if a text with these stems, in order, may match the pattern as a phrase.
    pub fn may_mean(&self, stems: &[u32]) -> bool {
        let has = |stem: &u32| stems.binary_search(stem).is_ok();
        !self.stems.is_empty() && self.stems.iter().all(has)
    }
}
