//! Decides which memories a system gives its agents for a task, and why: the one scorer that the
//! screen, the command line and agents share.
//!
//! Pure: bodies come in through [`Texts`], the clock as a value of the [`Task`].

pub mod expect;
mod globs;
pub mod hint;
pub mod hybrid;
mod index;
pub mod js;
mod listing;
pub mod multi_store;
pub mod phrase;
pub mod regexp;
mod scorer;
pub mod tasks;
pub mod whole;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

pub use self::globs::{GLOBS, MAY_CUT, dead_globs, in_one_line};
pub use self::hybrid::about::Candidate;
pub use self::index::INDEX;
pub use self::listing::{ALWAYS, NAMES, NO_CARRIER, full_names};
pub use self::multi_store::{MultiScorer, Previews, StorePolicy};
pub use self::scorer::{Asked, Faults, Options, Policy, RANKED_BY, STORE, Scorer, StoreFault};
use crate::memory::edit::FieldEdit;
use crate::memory::{Fields, Memory, State, StoreId, Timestamp, tokens_of};

/// A task of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The task in the person's words.
    pub text: String,
    /// The agent that runs it; empty for none.
    pub agent: String,
    /// The agent's plan, where there is one.
    pub plan: Option<String>,
    /// The recent history, if it is known.
    pub history: Option<String>,
    /// Files the task touches.
    pub files: Vec<String>,
    /// The clock.
    pub now: Timestamp,
}

/// Limits of the selection, and the variant of the system's rules.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Limits {
    /// The dialect that was asked for; empty for that of the store, or the policy's first.
    pub dialect: &'static str,
    /// The most memories to select; the policy's default where none.
    pub max: Option<usize>,
    /// The least importance to select, by its word.
    pub min_importance: Option<String>,
    /// Tokens the prompt should stay within.
    pub budget: Option<usize>,
    /// Points added once where a tag of the memory is one of the agent's.
    pub score_bonus: i64,
    /// Number of rejected memories to report, best first.
    pub rejected: usize,
    /// True if nobody reads hints.
    pub no_hints: bool,
    /// Options of single policies, by the name of the flag or the system's setting.
    pub options: Options,
    /// Stores that are left out of a preview of several.
    pub hidden: BTreeSet<StoreId>,
    /// The policy that decides instead of the stores' own, by its name.
    pub policy: Option<&'static str>,
}

/// Why a memory is in or out (the contract's "verdict").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It is injected.
    Selected,
    /// No pattern matches the task.
    #[default]
    NoMatch,
    /// Its importance is below the least asked for.
    BelowImportance,
    /// It matches, but the places are taken.
    OverLimit,
    /// It matches, but the budget is used up.
    OverBudget,
    /// The system's code would fail on it.
    Invalid,
    /// The system's loader does not see it.
    Invisible,
    /// Its time is over.
    Expired,
    /// It was put aside.
    Archived,
    /// Another one says the same.
    Duplicate,
    /// Injection is switched off.
    Disabled,
    /// The agent can open it, but it is not injected.
    Reachable,
    /// The rule does not apply to it.
    NotApplicable,
    /// A pattern takes too long.
    PatternTooSlow,
}

impl Reason {
    /// The word of the contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Selected => "selected",
            Self::NoMatch => "no_match",
            Self::BelowImportance => "below_importance",
            Self::OverLimit => "over_limit",
            Self::OverBudget => "over_budget",
            Self::Invalid => "invalid",
            Self::Invisible => "invisible",
            Self::Expired => "expired",
            Self::Archived => "archived",
            Self::Duplicate => "duplicate",
            Self::Disabled => "disabled",
            Self::Reachable => "reachable",
            Self::NotApplicable => "not_applicable",
            Self::PatternTooSlow => "pattern_too_slow",
        }
    }
}

/// One part of a score.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// Source of the points, e.g. `importance`.
    pub name: &'static str,
    /// The points.
    pub points: f64,
    /// The evidence, e.g. the words of the title that the task has.
    pub detail: String,
}

/// The pattern that brought a memory in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The pattern as it is written in the memory.
    pub pattern: String,
    /// How it was read: `alternative`, `wildcard`, `regex`, `substring` or `phrase`.
    pub kind: &'static str,
    /// The part of the task (or agent name) it matched.
    pub hit: String,
}

/// The verdict of a policy on one memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// The memory, by its index in the snapshot.
    pub memory: usize,
    /// Its place among the selected, from 1.
    pub rank: Option<usize>,
    /// Its score, where the policy has one.
    pub score: Option<f64>,
    /// Parts of the score.
    pub factors: Vec<Factor>,
    /// The pattern that matched.
    pub matched: Option<Match>,
    /// In, or why not.
    pub reason: Reason,
    /// Hint on how to bring it in.
    pub hint: Option<String>,
    /// True if it is selected, but its system does not write it into the prompt.
    pub is_unwritten: bool,
    /// True if `memkeep hook` hands it out for the task.
    pub handed_out: bool,
    /// The edits that the hint speaks of, where they are edits of this memory.
    pub remedy: Vec<FieldEdit>,
    /// Tokens of its part of the prompt, where it is selected; of its body otherwise.
    pub tokens: usize,
}

impl Verdict {
    /// The verdict on a memory that is left out, and what would bring it in.
    pub fn left_out(index: usize, memory: &Memory, (reason, hint): (Reason, String)) -> Self {
        Self {
            hint: Some(hint),
            ..Self::of(index, memory, reason)
        }
    }

    /// Its order in a ranking for people: 0 is selected, 1 matched but was cut, 2 has a word of the
    /// task that its patterns lack or can be read on request, 3 is not read, 4 can never be. None if it has
    /// nothing to do with the task.
    pub const fn nearness(&self) -> Option<u8> {
        match self.reason {
            Reason::Selected => Some(0),
            Reason::OverLimit | Reason::OverBudget | Reason::BelowImportance => Some(1),
            _ if self.hint.is_none() => None,
            Reason::Invisible | Reason::Expired | Reason::Archived => Some(3),
            Reason::Invalid => Some(4),
            _ => Some(2),
        }
    }

    /// The verdict on a memory of which nothing more is to be said.
    pub fn of(index: usize, memory: &Memory, reason: Reason) -> Self {
        Self {
            memory: index,
            reason,
            tokens: memory.tokens as usize,
            ..Self::default()
        }
    }
}

/// Result of a policy on a store for a task.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// The policy's name.
    pub policy: &'static str,
    /// Which of its dialects.
    pub dialect: &'static str,
    /// The selected, in the order of the prompt.
    pub selected: Vec<Verdict>,
    /// As many others as were asked for, by score and path; last those without a score.
    pub rejected: Vec<Verdict>,
    /// Total number of rejected memories.
    pub rejected_total: usize,
    /// The text an agent is given, byte for byte; empty where nothing is selected.
    pub prompt: String,
    /// The text that teaches the agent to use memories, where the system adds one.
    pub skill: Option<String>,
    /// The budget that was asked for, as the system counts it.
    pub budget: Option<usize>,
    /// The most that could be selected.
    pub places: Option<usize>,
    /// Returns notes for the person beside it.
    pub notes: Vec<Note>,
    /// The memories that `memkeep hook` chooses from, the best of each store first.
    pub candidates: Vec<Candidate>,
    /// The stores it is made of, in their order, where there are several.
    pub parts: Vec<StorePart>,
}

impl Preview {
    /// Tokens of the text that an agent is given, whatever the system itself reckons.
    pub const fn tokens(&self) -> usize {
        tokens_of(self.prompt.len())
    }

    /// The selected memories, and behind them the rejected ones.
    pub fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        self.selected.iter().chain(&self.rejected)
    }
}

/// Share of one of several stores.
#[derive(Clone, Debug, PartialEq)]
pub struct StorePart {
    /// The store.
    pub store: StoreId,
    /// Number of its selected memories.
    pub selected: usize,
    /// The most that could be.
    pub places: Option<usize>,
    /// True if the task does not matter to it.
    pub is_always: bool,
    /// Number of those that are left out.
    pub rejected: usize,
    /// The text an agent is given.
    pub prompt: String,
    /// The text that teaches the agent to use memories, where the system adds one.
    pub skill: Option<String>,
}

/// Note for the person beside a preview: settings that do nothing, used and dropped memories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The store it is about, where there are several.
    pub store: Option<StoreId>,
    /// A sentence without a full stop.
    pub text: String,
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self { store: None, text }
    }
}

/// The memories of one moment, shared between threads.
pub type Snapshot = Arc<Vec<Arc<Memory>>>;

/// The memory at this place of a snapshot, or the one that is put there to see what would be.
pub(crate) fn memory_at<'a>(
    memories: &'a [Arc<Memory>],
    what_if: Option<(usize, &'a Memory)>,
    index: usize,
) -> Option<&'a Memory> {
    match what_if {
        Some((replaced, memory)) if replaced == index => Some(memory),
        _ => memories.get(index).map(AsRef::as_ref),
    }
}

/// Why no system gives its agents a memory: it is archived, or the loader does not see it.
pub fn unseen(memory: &Memory) -> Option<(Reason, String)> {
    let hidden = memory.hidden.as_deref();
    match memory.state {
        State::Archived => Some((Reason::Archived, "it is archived: restore it".to_owned())),
        State::Active => hidden.map(|why| (Reason::Invisible, why.to_owned())),
    }
}

/// Reads the text of memories, which is not held in memory.
pub trait Texts: Sync {
    /// The body of a memory.
    fn body(&self, memory: &Memory) -> Option<String>;
    /// The body as words are looked for in it: without what is drawn around what was written.
    fn said(&self, memory: &Memory) -> Option<String> {
        self.body(memory)
    }
    /// The body as the system's own loader reads it: of several memories the rest of the file.
    fn loader_body(&self, memory: &Memory) -> Option<String> {
        self.body(memory)
    }
    /// The whole text of a memory: frontmatter, fences and body.
    fn text(&self, memory: &Memory) -> Option<String> {
        self.body(memory)
    }
    /// The fields that a memory does not hold, as [`crate::memory::Schema::inner`] names them.
    fn inner(&self, _memory: &Memory) -> Fields {
        Fields::default()
    }
    /// The things a memory names that are no memories: the kind of each, and a line about it.
    fn beside(&self, _memory: &Memory) -> Vec<(&'static str, String)> {
        Vec::new()
    }
    /// True if a path leads to a file.
    fn is_file(&self, _path: &Path) -> bool {
        true
    }
    /// Places of bytes of that text, in order, in the file: line and column in characters, from 1. None where the text is that of the file, byte for byte.
    fn places(&self, _memory: &Memory, _bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        None
    }
}

/// The gap to the last of so many places, for people; no points where it is level with it.
pub fn short_of_place(points: f64, places: usize) -> String {
    if places == 0 {
        return "there are no places".to_owned();
    }
    let words = ["first", "second", "third", "fourth", "fifth"];
    let end = match (places % 10, places % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    let place = words.get(places - 1).map(|word| (*word).to_owned());
    let place = place.unwrap_or_else(|| format!("{places}{end}"));
    match points {
        1.0 => format!("1 point short of the {place} place"),
        _ if points > 0.0 => format!("{points} points short of the {place} place"),
        _ => format!("level with the {place} place, which is first by path"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_by_their_number() {
        let some = [1, 5, 6, 11, 21, 22, 103, 112].map(|places| short_of_place(2.0, places));
        let names = some.map(|text| text.split(' ').nth(5).unwrap().to_owned());
        assert_eq!(
            names.join(" "),
            "first fifth 6th 11th 21st 22nd 103rd 112th"
        );
    }
}
