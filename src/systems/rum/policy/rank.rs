//! Which memories are returned, in which order, and what comes next.

use std::cmp::Reverse;

use super::ask::{Ask, Way};
use super::word_weights::{self, Words, text, texts};
use crate::memory::{Memory, Problem, Severity, State, Value};
use crate::retrieval::{Reason, Snapshot, memory_at};
use crate::systems::rum::RUM;

/// Default importance (`rum-memory-schema`, "SQLite Schema").
const IMPORTANCE: f64 = 0.5;

/// A score that can be compared and is the same every time: in ten-thousandths.
type Score = i64;

/// A place in the order: the best first, ties by path and position.
type Key = (Reverse<Score>, usize);

/// The memories for what is asked.
pub struct Ranking<'a> {
    /// The request.
    pub ask: &'a Ask<'a>,
    /// The words that are asked for.
    pub wanted: Vec<Box<str>>,
    memories: &'a Snapshot,
    what_if: Option<(usize, &'a Memory)>,
    relevance: Option<Vec<f64>>,
    /// Those that are returned, were there room for all.
    matching: Vec<Key>,
}

/// Why recall does not return a memory, whatever is asked.
pub fn never(memory: &Memory) -> Option<Reason> {
    if memory.state == State::Archived {
        return Some(Reason::Archived);
    }
    if !std::ptr::eq(memory.schema, &*RUM) {
        return Some(Reason::NotApplicable);
    }
    // A row that is intact and hidden is one of another project.
    let breaks =
        |problem: &Problem| problem.rule == "load-error" && problem.severity == Severity::Error;
    memory.hidden.as_ref()?;
    Some(match memory.problems.iter().any(breaks) {
        true => Reason::Invalid,
        false => Reason::Invisible,
    })
}

/// When a memory was made, milliseconds since 1970; the system's database always says.
pub fn created(memory: &Memory) -> i64 {
    memory.created.map_or(0, |at| at.0)
}

/// The importance of a memory, 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "0 or 1 where it is right")]
pub fn importance(memory: &Memory) -> f64 {
    match memory.field("importance") {
        Some(Value::Int(number)) => *number as f64,
        Some(Value::Float(number)) if number.is_finite() => *number,
        _ => IMPORTANCE,
    }
}

/// True if a path is like `%file%` in SQLite, the file escaped: it contains the file, the letters of
/// ASCII being equal in either case (formats: rum).
fn contains(path: &str, file: &str) -> bool {
    path.to_ascii_lowercase()
        .contains(&file.to_ascii_lowercase())
}

impl<'a> Ranking<'a> {
    /// The order of a snapshot, with one memory replaced.
    pub fn new(
        memories: &'a Snapshot,
        words: Option<&Words>,
        ask: &'a Ask<'a>,
        what_if: Option<(usize, &'a Memory)>,
    ) -> Self {
        let wanted = match ask.is_ranked() {
            true => word_weights::wanted(&ask.query),
            false => Vec::new(),
        };
        let relevance = words
            .filter(|_| !wanted.is_empty())
            .map(|words| words.relevance(&wanted, memories.len()));
        let mut ranking = Self {
            ask,
            wanted,
            memories,
            what_if,
            relevance,
            matching: Vec::new(),
        };
        let all = 0..memories.len();
        ranking.matching = all
            .filter(|index| ranking.reason(*index) == Reason::Selected)
            .map(|index| (Reverse(ranking.score(index)), index))
            .collect();
        ranking.matching.sort_unstable();
        ranking
    }

    /// A memory.
    pub fn memory(&self, index: usize) -> Option<&Memory> {
        memory_at(self.memories, self.what_if, index)
    }

    /// Share of the words that a memory has, 0 to 1.
    pub fn relevance(&self, index: usize) -> f64 {
        match (&self.relevance, self.what_if) {
            (Some(_), Some((replaced, memory))) if replaced == index => {
                word_weights::evidence(memory, &self.wanted).0
            }
            (Some(relevance), _) => relevance.get(index).copied().unwrap_or_default(),
            (None, _) => 0.0,
        }
    }

    /// True if it is returned where there is room, or why not.
    pub fn reason(&self, index: usize) -> Reason {
        let Some(memory) = self.memory(index) else {
            return Reason::NotApplicable;
        };
        if let Some(never) = never(memory) {
            return never;
        }
        let found = match self.ask.way {
            Way::Id => *memory.id.local == *self.ask.id,
            Way::File => self.file(memory).is_some(),
            Way::Filters => self.relevance.is_none() || self.relevance(index) > 0.0,
        };
        match found && self.refused(memory).is_none() {
            true => Reason::Selected,
            false => Reason::NoMatch,
        }
    }

    /// The file of a memory that is like one that is asked for, and that one.
    pub fn file<'m>(&self, memory: &'m Memory) -> Option<(&'m str, &'a str)> {
        let asked = self.ask.files.iter();
        let mut pairs = asked.flat_map(|asked| texts(memory, "files").map(move |own| (own, asked)));
        let found = pairs.find(|(own, asked)| contains(own, asked));
        found.map(|(own, asked)| (own, asked.as_str()))
    }

    /// The filter that keeps a memory out: what it has, what is asked for.
    pub fn refused(&self, memory: &Memory) -> Option<(&'static str, String, String)> {
        let ask = self.ask;
        if !ask.filters() {
            return None;
        }
        let date = |at: i64| crate::memory::Timestamp(at).to_rfc3339();
        let success = memory.field("success") == Some(&Value::Bool(true));
        let at = created(memory);
        let word = |flag, wanted: Option<&str>, own: &str| {
            let wanted = wanted.filter(|wanted| *wanted != own)?;
            Some((flag, own.to_owned(), wanted.to_owned()))
        };
        let since = || ask.since.filter(|since| at < *since);
        let before = || ask.before.filter(|before| at > *before);
        word("type", ask.kind, text(memory, "type"))
            .or_else(|| word("agent-id", ask.agent, text(memory, "agent_id")))
            .or_else(|| {
                let wanted = ask.success?.to_string();
                word("success", Some(&wanted), &success.to_string())
            })
            .or_else(|| Some(("since", date(at), date(since()?))))
            .or_else(|| Some(("before", date(at), date(before()?))))
    }

    /// Sort key: when it was made, or relevance and importance.
    fn score(&self, index: usize) -> Score {
        let Some(memory) = self.memory(index) else {
            return Score::MIN;
        };
        if !self.ask.is_ranked() {
            return created(memory);
        }
        #[expect(clippy::cast_possible_truncation, reason = "a number from 0 to 3")]
        let points = |part: f64| (part.clamp(-1e6, 1e6) * 10_000.0).round() as Score;
        points(self.relevance(index)) + points(importance(memory))
    }

    /// Those that are returned, in their order.
    pub fn selected(&self) -> Vec<usize> {
        let first = self.matching.iter().take(self.ask.places());
        first.map(|(_, index)| *index).collect()
    }

    /// The place of a memory among those that match, from 1; none where it does not.
    pub fn place(&self, index: usize) -> Option<usize> {
        let found = self.matching.iter().position(|(_, own)| *own == index);
        found.map(|place| place + 1)
    }

    /// The best of those that are not returned, with the places of those that match.
    pub fn rejected(&self, most: usize) -> Vec<(usize, Option<usize>)> {
        let places = self.ask.places();
        let after = (1..).zip(&self.matching).skip(places);
        let after = after.map(|(place, (_, index))| (*index, Some(place)));
        let mut others: Vec<Key> = (0..self.memories.len())
            .filter(|index| self.reason(*index) != Reason::Selected)
            .map(|index| (Reverse(self.score(index)), index))
            .collect();
        others.sort_unstable();
        let others = others.into_iter().map(|(_, index)| (index, None));
        after.chain(others).take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn files_are_looked_for_as_the_escaped_pattern_does() {
        for (path, file, expected) in [
            ("src/auth/interceptor.ts", "auth/inter", true),
            ("src/auth/interceptor.ts", "AUTH/INTER", true),
            ("src/a_b.rs", "a_b", true),
            ("src/axb.rs", "a_b", false),
            ("src/a/x/b.rs", "a%b", false),
            ("src/100%.rs", "0%", true),
            ("src\\a.rs", "c\\a", true),
            ("src/Ä.rs", "ä", false),
            ("", "", true),
            ("", "a", false),
            ("aaab", "aab", true),
        ] {
            assert_eq!(contains(path, file), expected, "{path} like %{file}%");
        }
    }
}
