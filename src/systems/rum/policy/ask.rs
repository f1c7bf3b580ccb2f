//! The request to recall.

use super::word_weights::text;
use crate::memory::{Memory, Timestamp, Value};
use crate::retrieval::{Limits, Options, Task};
use crate::systems::rum;

/// Memories that recall returns where nobody says how many (formats: rum).
const DEFAULT_MAX: usize = 5;

/// Depths with the tokens that the system counts for a memory (`rum-memory-schema`, "Depth Levels
/// for Retrieval").
const DEPTHS: [(&str, usize); 5] = [
    ("summary", 20),
    ("outcome", 50),
    ("reasoning", 150),
    ("full", 300),
    ("complete", 500),
];

/// Flags that keep memories out.
const FILTERS: [&str; 5] = ["type", "agent-id", "success", "since", "before"];

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
    /// True for the dialect `spec`, in which memories are ranked rather than taken newest first.
    pub is_ranked: bool,
    /// How they are found.
    pub way: Way,
    /// The id that is asked for.
    pub id: &'a str,
    /// The files that are asked for.
    pub files: &'a [String],
    /// The words that are asked for: those of the task and the query.
    pub query: String,
    /// The most memories that are returned.
    pub places: usize,
    /// True if the links of each memory are asked for.
    pub has_links: bool,
    depth: usize,
    options: &'a Options,
}

impl<'a> Ask<'a> {
    /// The request of a task and its limits.
    pub fn new(task: &'a Task, limits: &'a Limits) -> Self {
        let id = given(&limits.options, "id").unwrap_or_default();
        let words = [Some(task.text.as_str()), given(&limits.options, "query")];
        let depth = given(&limits.options, "depth").and_then(depth);
        Self {
            is_ranked: limits.dialect == "spec",
            way: match (id.is_empty(), task.files.is_empty()) {
                (false, _) => Way::Id,
                (true, false) => Way::File,
                (true, true) => Way::Filters,
            },
            // An id as `memkeep list` prints it names its store too.
            id: id.rsplit_once(':').map_or(id, |(_, local)| local),
            files: &task.files,
            query: words.into_iter().flatten().collect::<Vec<_>>().join(" "),
            places: limits.max.unwrap_or(DEFAULT_MAX),
            has_links: given(&limits.options, "links") == Some("true"),
            depth: depth.unwrap_or_default(),
            options: &limits.options,
        }
    }

    /// True if memories are returned at this depth or a deeper one.
    pub fn reaches(&self, name: &str) -> bool {
        depth(name).is_some_and(|depth| depth <= self.depth)
    }

    /// The tokens that the system counts for a memory.
    pub fn tokens(&self) -> usize {
        DEPTHS.get(self.depth).map_or(0, |(_, tokens)| *tokens)
    }

    /// The filter that keeps a memory out: its flag, what it asks for, and what the memory has.
    /// The real code looks at the filters only where neither an id nor a file is asked for
    /// (formats: rum).
    pub fn refused(&self, memory: &Memory) -> Option<(&'static str, String, String)> {
        if self.way == Way::Id || (self.way == Way::File && !self.is_ranked) {
            return None;
        }
        let refused = |flag: &'static str| {
            let wanted = given(self.options, flag)?;
            if matches!(flag, "since" | "before") {
                let (at, wanted) = (created(memory), moment(wanted)?);
                let is_out = match flag {
                    "since" => at < wanted,
                    _ => at > wanted,
                };
                return is_out.then(|| (flag, wanted.to_rfc3339(), at.to_rfc3339()));
            }
            let own = match flag {
                "type" => text(memory, "type"),
                "agent-id" => text(memory, "agent_id"),
                _ if memory.field("success") == Some(&Value::Bool(true)) => "true",
                _ => "false",
            };
            (own != wanted).then(|| (flag, wanted.to_owned(), own.to_owned()))
        };
        FILTERS.into_iter().find_map(refused)
    }
}

/// When a memory was made; the system's database always says.
pub fn created(memory: &Memory) -> Timestamp {
    memory.created.unwrap_or(Timestamp(0))
}

fn given<'a>(options: &'a Options, name: &str) -> Option<&'a str> {
    options.get(name).filter(|value| !value.is_empty())
}

fn depth(name: &str) -> Option<usize> {
    DEPTHS.iter().position(|(word, _)| *word == name)
}

/// A point in time as a flag gives it: a date, or the number of a database.
fn moment(text: &str) -> Option<Timestamp> {
    let number = text.parse().ok().filter(|number: &i64| number.abs() > 9999);
    Timestamp::parse_iso(text).or_else(|| number.map(rum::time))
}

/// True if a flag can have a value; what it could be where not.
pub fn check(name: &str, value: &str) -> Result<(), String> {
    let (types, depths) = (rum::types(), DEPTHS.map(|(word, _)| word));
    let date = "a date as 2026-11-20 or 2026-11-20T10:00:00Z";
    let (is_right, may_be) = match name {
        "depth" => (depths.contains(&value), depths.join(", ")),
        "success" => (value.parse::<bool>().is_ok(), "true or false".to_owned()),
        "type" => (types.contains(&value), types.join(", ")),
        "since" | "before" => (moment(value).is_some(), date.to_owned()),
        _ => return Ok(()),
    };
    if is_right { Ok(()) } else { Err(may_be) }
}
