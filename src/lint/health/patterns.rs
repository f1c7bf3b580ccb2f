//! Patterns that go by agents, and words of tasks that would make a pattern.

use std::collections::{BTreeSet, HashSet};

use super::super::Context;
use super::play::Outcome;
use crate::memory::{Memory, Role, Value};
use crate::retrieval::phrase::meaning;
use crate::retrieval::phrase::{self, Lexicon};
use crate::systems::rawko::Dialect;
use crate::systems::rawko::pattern::{self, Matcher, SearchText};

/// The names of the agents that wrote memories or run tasks, which patterns may go by.
pub struct Agents {
    names: Vec<SearchText>,
    matcher: Matcher,
}

impl Agents {
    /// The agents of an outcome.
    pub fn of(cx: &Context<'_>, outcome: &Outcome) -> Self {
        const MOST: usize = 20;
        let authors = outcome.memories.iter();
        let authors = authors.filter_map(|at| cx.memories.get(*at)?.author());
        let named = outcome.tasks.iter().map(|played| &*played.task.agent);
        let names: BTreeSet<&str> = named.chain(authors).collect();
        let names = names.into_iter().filter(|name| !name.trim().is_empty());
        let names = names.take(MOST).map(|name| SearchText::new("", name));
        Self {
            names: names.collect(),
            matcher: Matcher::default(),
        }
    }

    /// True if the name of an agent, which the history does not tell, selects a memory.
    pub fn select(&self, memory: &Memory) -> bool {
        let lexicon = &mut Lexicon::default();
        patterns(memory).any(|pattern| {
            self.names.iter().any(|name| {
                let found = self.matcher.find(pattern, name, Dialect::Natural);
                // A pattern that times out counts as matching.
                matches!(found, pattern::Outcome::Hit(..) | pattern::Outcome::TooSlow)
                    || phrase::find(pattern, name.stems(), lexicon).is_some()
            })
        })
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
    let tasks = outcome.tasks.iter();
    let lower: Vec<String> = tasks.map(|one| one.task.text.to_lowercase()).collect();
    let own: HashSet<usize> = own.iter().copied().collect();
    let tags: Vec<&str> = memory.tags().collect();
    let text = format!("{} {}", memory.title, tags.join(" ")).to_lowercase();
    // A pattern matches inside words too: a short word does in those of which it says nothing
    // (`roll` in `controller`), and is taken where the memory itself says it.
    let own_words = meaning(&text);
    let is_long = |word: &String| word.len() >= SHORTEST || own_words.contains(word);
    let texts = own.iter().filter_map(|at| lower.get(*at));
    let mut words: BTreeSet<String> = texts.flat_map(|text| meaning(text)).collect();
    words.retain(|word| is_long(word) && word.len() >= 4 && word.chars().all(char::is_alphabetic));
    let mut left = own.clone();
    let mut chosen: Vec<String> = Vec::new();
    while chosen.len() < MOST_WORDS {
        // Skip words that are more frequent outside the group.
        let worth = |word: &String| {
            let has = |at: &usize| lower.get(*at).is_some_and(|text| text.contains(&**word));
            let covers = left.iter().filter(|at| has(at)).count();
            let others = (0..lower.len()).filter(|at| !own.contains(at) && has(at));
            let others = others.count();
            let is_own = usize::from(text.contains(&**word));
            (covers >= 2 && others <= covers).then(|| (2 * covers + is_own) - others)
        };
        let fitting = words.iter().filter_map(|word| Some((worth(word)?, word)));
        let Some((_, best)) = fitting.max_by_key(|(worth, _)| *worth) else {
            break;
        };
        let best = best.clone();
        left.retain(|at| !lower.get(*at).is_some_and(|text| text.contains(&best)));
        words.remove(&best);
        chosen.push(best);
    }
    let covered = own.len() - left.len();
    // One pattern for less than half of what it is for is a guess.
    (!chosen.is_empty() && 2 * covered >= own.len()).then(|| (chosen.join("|"), covered))
}
