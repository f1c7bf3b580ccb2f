//! The request to recall.

use super::DEFAULT_MAX;
use crate::memory::Timestamp;
use crate::retrieval::{Limits, Task};
use crate::systems::rum;

/// Depth of the returned memories (`rum-memory-schema`, "Depth Levels for Retrieval").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The goal and what came of it.
    Summary,
    /// And what was learned.
    Outcome,
    /// And how it was decided.
    Reasoning,
    /// And what was seen.
    Full,
    /// And every action.
    Complete,
}

impl Depth {
    /// Each with its word and the tokens that the system counts for a memory.
    const ALL: [(Self, &'static str, usize); 5] = [
        (Self::Summary, "summary", 20),
        (Self::Outcome, "outcome", 50),
        (Self::Reasoning, "reasoning", 150),
        (Self::Full, "full", 300),
        (Self::Complete, "complete", 500),
    ];

    /// The depth with this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(_, word, _)| *word == name);
        found.map(|(depth, ..)| *depth)
    }

    /// The tokens that the system counts for a memory of this depth.
    pub fn tokens(self) -> usize {
        let found = Self::ALL.iter().find(|(depth, ..)| *depth == self);
        found.map_or(0, |(.., tokens)| *tokens)
    }
}

/// How the memories are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The one with an id.
    Id,
    /// Those that touched a file.
    File,
    /// Those that pass the filters.
    Filters,
}

/// The request to recall.
#[derive(Debug)]
pub struct Ask<'a> {
    /// `rum` or `spec`.
    pub dialect: &'static str,
    /// How they are found.
    pub way: Way,
    /// The id that is asked for.
    pub id: &'a str,
    /// The files that are asked for.
    pub files: &'a [String],
    /// The words that are asked for: those of the task and the query.
    pub query: String,
    /// The kind of task.
    pub kind: Option<&'a str>,
    /// The agent.
    pub agent: Option<&'a str>,
    /// True if it came off.
    pub success: Option<bool>,
    /// From when on, in milliseconds since 1970.
    pub since: Option<i64>,
    /// Up to when, in milliseconds since 1970.
    pub before: Option<i64>,
    /// How deep.
    pub depth: Depth,
    max: Option<usize>,
}

impl<'a> Ask<'a> {
    /// The request of a task and its limits.
    pub fn new(task: &'a Task, limits: &'a Limits) -> Self {
        let options = &limits.options;
        let given = |name: &str| options.get(name).filter(|value| !value.is_empty());
        let id = given("id").unwrap_or_default();
        let way = match (id.is_empty(), task.files.is_empty()) {
            (false, _) => Way::Id,
            (true, false) => Way::File,
            (true, true) => Way::Filters,
        };
        let words = [Some(task.text.as_str()), given("query")];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        Self {
            dialect: if limits.dialect == "spec" {
                "spec"
            } else {
                "rum"
            },
            way,
            // An id as `memkeep list` prints it names its store too.
            id: id.rsplit_once(':').map_or(id, |(_, local)| local),
            files: &task.files,
            query: words.join(" "),
            kind: given("type"),
            agent: given("agent-id"),
            success: given("success").and_then(|word| word.parse().ok()),
            since: given("since").and_then(moment),
            before: given("before").and_then(moment),
            depth: given("depth")
                .and_then(Depth::named)
                .unwrap_or(Depth::Summary),
            max: limits.max,
        }
    }

    /// True if memories are ranked, rather than taken newest first.
    pub fn is_ranked(&self) -> bool {
        self.dialect == "spec"
    }

    /// The most memories that are returned.
    pub fn places(&self) -> usize {
        self.max.unwrap_or(DEFAULT_MAX)
    }

    /// True if the filters count: the real code looks at them only where neither an id nor a
    /// file is asked for (formats: rum).
    pub fn filters(&self) -> bool {
        self.way == Way::Filters || (self.is_ranked() && self.way == Way::File)
    }
}

/// A point in time as a flag gives it: a date, or the number of a database.
fn moment(text: &str) -> Option<i64> {
    let number = || {
        text.parse()
            .ok()
            .filter(|n: &i64| n.abs() > 9999)
            .map(rum::time)
    };
    Timestamp::parse_iso(text).or_else(number).map(|at| at.0)
}

/// True if a flag can have a value; what it could be where not.
pub fn check(name: &str, value: &str) -> Result<(), String> {
    let words: Vec<&str> = Depth::ALL.iter().map(|(_, word, _)| *word).collect();
    let types = rum::types();
    let (is_right, may_be) = match name {
        "depth" => (Depth::named(value).is_some(), words.join(", ")),
        "success" => (value.parse::<bool>().is_ok(), "true or false".to_owned()),
        "type" => (types.contains(&value), types.join(", ")),
        "since" | "before" => (
            moment(value).is_some(),
            "a date as 2026-11-20 or 2026-11-20T10:00:00Z".to_owned(),
        ),
        _ => return Ok(()),
    };
    if is_right { Ok(()) } else { Err(may_be) }
}
