//! Which patterns of memories fire for a task, and which word would have.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::Context;
use super::play::Outcome;
use crate::memory::{Memory, Role, Value};
use crate::retrieval::rawko::pattern::{self, Matcher, Reading, SearchText};
use crate::retrieval::rawko::phrase::{self, Lexicon};
use crate::retrieval::rawko::{Dialect, meaning};

/// Patterns times tasks that are tried: more take longer than they are worth.
const MOST: usize = 300_000;

/// One of the alternatives of a memory's patterns.
pub struct Alternative {
    /// The memory.
    pub memory: usize,
    /// The pattern, or the part of one between two `|`.
    pub text: Box<str>,
}

/// Tries patterns on tasks.
pub struct Trial {
    texts: Vec<SearchText>,
    /// The names of agents that are known.
    agents: Vec<SearchText>,
    matcher: Matcher,
    dialect: Dialect,
}

impl Trial {
    /// The tasks of an outcome, and the agents that wrote memories or run those tasks.
    pub fn of(cx: &Context<'_>, outcome: &Outcome) -> Self {
        const MOST_AGENTS: usize = 20;
        let authors = outcome.memories.iter();
        let authors = authors.filter_map(|at| cx.memories.get(*at)?.author());
        let named = outcome.tasks.iter().map(|played| &*played.task.agent);
        let agents: BTreeSet<&str> = named.chain(authors).collect();
        let agents = agents.into_iter().filter(|agent| !agent.trim().is_empty());
        let texts = outcome.tasks.iter().map(|played| &played.task);
        Self {
            texts: texts
                .map(|task| SearchText::new(&task.text, &task.agent))
                .collect(),
            agents: agents
                .take(MOST_AGENTS)
                .map(|agent| SearchText::new("", agent))
                .collect(),
            matcher: Matcher::default(),
            dialect: Dialect::Natural,
        }
    }

    /// Whether a pattern fires for one of some texts; a part of one is looked for as it stands.
    fn fires(&self, on: &[SearchText], part: &str, whole: bool, lexicon: &mut Lexicon) -> bool {
        on.iter().any(|text| {
            if !whole {
                return text.lower.contains(part);
            }
            let found = self.matcher.find(part, text, self.dialect);
            // What is too slow to tell has not been seen to fail.
            matches!(found, pattern::Outcome::Hit(..) | pattern::Outcome::TooSlow)
                || phrase::find(part, text.stems(), lexicon).is_some()
        })
    }

    /// The alternatives of some memories that fired for no task, and how many there are in all;
    /// nothing where there are too many to try.
    pub fn idle(&self, memories: &[(usize, &Memory)]) -> Option<(Vec<Alternative>, usize)> {
        let all: usize = memories
            .iter()
            .map(|(_, memory)| patterns(memory).count())
            .sum();
        if all.saturating_mul(self.texts.len()) > MOST {
            return None;
        }
        let mut known: HashMap<(Box<str>, bool), bool> = HashMap::new();
        let mut lexicon = Lexicon::default();
        let (mut idle, mut count) = (Vec::new(), 0);
        for (at, memory) in memories {
            for pattern in patterns(memory) {
                let normal = pattern::normalized(pattern);
                let (parts, whole) = match pattern::reading(&normal, self.dialect) {
                    Reading::Alternatives(parts) => (parts, false),
                    _ => (vec![&*normal], true),
                };
                for part in parts {
                    count += 1;
                    let fires = *known.entry((part.into(), whole)).or_insert_with(|| {
                        self.fires(&self.texts, part, whole, &mut lexicon)
                            || self.fires(&self.agents, part, whole, &mut lexicon)
                    });
                    if !fires {
                        idle.push(Alternative {
                            memory: *at,
                            text: part.into(),
                        });
                    }
                }
            }
        }
        Some((idle, count))
    }

    /// Whether a memory is brought in by the name of an agent, which the history does not tell.
    pub fn goes_by_agent(&self, memory: &Memory) -> bool {
        let lexicon = &mut Lexicon::default();
        patterns(memory).any(|pattern| self.fires(&self.agents, pattern, true, lexicon))
    }
}

/// The patterns of a memory that are text.
pub fn patterns(memory: &Memory) -> impl Iterator<Item = &str> {
    let patterns = memory.role(Role::Patterns).into_iter();
    patterns.flat_map(Value::items).filter_map(Value::as_str)
}

/// A pattern that would have matched the tasks of some commits, and how many of them: of their
/// words those that most have and few others do.
pub fn suggest(outcome: &Outcome, own: &[usize], memory: &Memory) -> Option<(String, usize)> {
    const SHORTEST: usize = 5;
    const MOST_WORDS: usize = 2;
    let lower: Vec<String> = outcome
        .tasks
        .iter()
        .map(|played| played.task.text.to_lowercase())
        .collect();
    let own: HashSet<usize> = own.iter().copied().collect();
    let own_texts = own.iter().filter_map(|at| lower.get(*at));
    let mut words: BTreeSet<String> = own_texts.flat_map(|text| meaning(text)).collect();
    let said = format!(
        "{} {}",
        memory.title,
        memory.tags().collect::<Vec<_>>().join(" ")
    );
    let said = said.to_lowercase();
    // A pattern matches inside words too: a short word does in those of which it says nothing
    // (`roll` in `controller`), and is taken where the memory itself says it.
    let own_words = meaning(&said);
    let is_long = |word: &String| word.len() >= SHORTEST || own_words.contains(word);
    words.retain(|word| is_long(word) && word.len() >= 4 && word.chars().all(char::is_alphabetic));
    let mut left = own.clone();
    let mut chosen: Vec<String> = Vec::new();
    while chosen.len() < MOST_WORDS {
        let worth = |word: &String| {
            let has = |at: &usize| {
                lower
                    .get(*at)
                    .is_some_and(|text| text.contains(word.as_str()))
            };
            let covers = left.iter().filter(|at| has(at)).count();
            let others = (0..lower.len())
                .filter(|at| !own.contains(at) && has(at))
                .count();
            (covers, others)
        };
        // A word that more others have than these says little of them.
        let fits = |word: &&String| {
            let (covers, others) = worth(word);
            covers >= 2 && others <= covers
        };
        let best = words.iter().filter(fits).max_by_key(|word| {
            let (covers, others) = worth(word);
            (2 * covers + usize::from(said.contains(word.as_str()))).saturating_sub(others)
        });
        let Some(best) = best.cloned() else {
            break;
        };
        left.retain(|at| !lower.get(*at).is_some_and(|text| text.contains(&best)));
        words.remove(&best);
        chosen.push(best);
    }
    let covered = own.len() - left.len();
    // One pattern for less than half of what it is for is a guess.
    (!chosen.is_empty() && 2 * covered >= own.len()).then(|| (chosen.join("|"), covered))
}
