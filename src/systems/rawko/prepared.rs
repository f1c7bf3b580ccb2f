//! The parts of a memory that do not depend on a task, read once for many previews of a snapshot.

use rayon::prelude::*;

use super::grams::{Grams, bits, grams};
use super::pattern::{normalized, required};
use super::score::Facts;
use super::{Dialect, fault};
use crate::memory::{Memory, Role, Timestamp, Value};
use crate::retrieval::Snapshot;
use crate::retrieval::phrase::{self, Lexicon};
use crate::text::tokens::hash;

/// What is prepared of a memory.
pub struct Prepared {
    /// The title in lower case, and its [`bits`].
    pub title: Box<str>,
    pub bits: u64,
    /// When it was written.
    pub created: Option<Timestamp>,
    /// True for each dialect whose code gets as far as its patterns.
    pub is_judged: [bool; Dialect::ALL.len()],
    /// Its patterns, in order.
    pub patterns: Box<[Filter]>,
}

/// Tells patterns apart that surely do not match.
pub struct Filter {
    /// A literal text that every match has in the dialects with the code of SPEC-0007; empty if there
    /// is none.
    literal: Box<str>,
    /// The number of the first three bytes of that text; none if it is shorter.
    gram: Option<u16>,
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
                is_judged: Dialect::ALL.map(|dialect| fault::of(memory, dialect).is_none()),
                patterns: patterns(memory)
                    .map(|one| Filter::new(one, lexicon))
                    .collect(),
                bits: bits(&facts.title),
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
        let literal = longest.unwrap_or_default();
        let stems = phrase::needs(text, lexicon).unwrap_or_default();
        Self {
            literal: literal.into(),
            gram: grams(literal).next(),
            stems: stems.iter().map(|stem| hash(stem)).collect(),
        }
    }

    /// True if a text may match the pattern by the rules of the specs; most are told by their grams.
    pub fn may_match(&self, (lower, known): (&str, &Grams), dialect: Dialect) -> bool {
        let has = |gram: u16| known.has(gram);
        dialect == Dialect::Unified || self.gram.is_none_or(has) && lower.contains(&*self.literal)
    }

    /// True if a text with these stems, in order, may match the pattern as a phrase.
    pub fn may_mean(&self, stems: &[u32]) -> bool {
        let has = |stem: &u32| stems.binary_search(stem).is_ok();
        !self.stems.is_empty() && self.stems.iter().all(has)
    }
}
