//! The policy of RUM: recall. An agent asks by id, by file, by a query or by filters, and says
//! how deep (formats: rum, "Retrieval"; `rum-memory-schema`, "Memory Lifecycle").
//!
//! Counting an access is the system's own affair: nothing here writes.

mod prompt;
mod recall;

use std::sync::Arc;

use super::{time, types};
use crate::memory::{Memory, Timestamp, Value};
use crate::retrieval::{Asked, Limits, Options, Policy, Preview, Scorer, Snapshot, Task, Verdict};
use recall::Recall;

/// The policy.
pub static RUM: Policy = Policy {
    dialects: &["rum", "spec"],
    flags: &[
        "id", "file", "query", "type", "agent-id", "success", "since", "before", "depth", "links",
        "max",
    ],
    check,
    goes_by_task: |dialect| dialect == "spec",
    touch_days: Some(30),
    literal_files: true,
    skill: Some(include_str!("../../../assets/skill/rum.md")),
    ..Policy::new("rum", |memories| Box::new(RumScorer(memories)))
};

/// The policy at work on a snapshot.
struct RumScorer(Snapshot);

impl Scorer for RumScorer {
    fn answer(&self, asked: &Asked<'_>) -> Arc<Preview> {
        let ask = Ask::new(asked.task, asked.limits);
        let recall = Recall::new(&self.0, &ask, asked.what_if);
        let order = recall.order();
        let places = (1..).zip(&order);
        let verdicts = |place: (usize, &recall::Place)| recall.verdict(place);
        let (selected, rest): (Vec<_>, Vec<_>) =
            places.partition(|(n, (is_out, ..))| !is_out && *n <= ask.places);
        let selected: Vec<Verdict> = selected.into_iter().filter_map(verdicts).collect();
        let rest = rest.into_iter();
        let rejected: Vec<Verdict> = match asked.wanted {
            Some(wanted) => {
                let wanted = rest.filter(|(_, (.., index))| wanted.contains(index));
                wanted.filter_map(verdicts).collect()
            }
            None => rest
                .take(asked.limits.rejected)
                .filter_map(verdicts)
                .collect(),
        };
        // Who asks about single memories has no use for the prompt.
        let returned = selected.iter().filter(|_| asked.wanted.is_none());
        let returned = returned.filter_map(|verdict| recall.memory(verdict.memory));
        Arc::new(Preview {
            policy: "rum",
            dialect: if ask.is_ranked { "spec" } else { "rum" },
            rejected_total: self.0.len() - selected.len(),
            prompt: prompt::prompt(returned, &ask, asked.texts),
            selected,
            rejected,
            places: Some(ask.places),
            ..Preview::default()
        })
    }
}

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
enum Way {
    /// The one with an id.
    Id,
    /// Those that touched a file.
    File,
    /// Those that pass the filters.
    Filters,
}

/// The request to recall.
#[derive(Debug)]
struct Ask<'a> {
    /// True for the dialect `spec`, in which memories are ranked rather than taken newest first.
    is_ranked: bool,
    way: Way,
    id: &'a str,
    files: &'a [String],
    /// The words that are asked for: those of the task and the query.
    query: String,
    places: usize,
    has_links: bool,
    depth: usize,
    options: &'a Options,
}

impl<'a> Ask<'a> {
    fn new(task: &'a Task, limits: &'a Limits) -> Self {
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
    fn reaches(&self, name: &str) -> bool {
        depth(name).is_some_and(|depth| depth <= self.depth)
    }

    /// The tokens that the system counts for a memory.
    fn tokens(&self) -> usize {
        DEPTHS.get(self.depth).map_or(0, |(_, tokens)| *tokens)
    }

    /// The filter that keeps a memory out: its flag, what it asks for, and what the memory has.
    /// The real code looks at the filters only where neither an id nor a file is asked for
    /// (formats: rum).
    fn refused(&self, memory: &Memory) -> Option<(&'static str, String, String)> {
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
fn created(memory: &Memory) -> Timestamp {
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
    Timestamp::parse_iso(text).or_else(|| number.map(time))
}

/// True if a flag can have a value; what it could be where not.
fn check(name: &str, value: &str) -> Result<(), String> {
    let (types, depths) = (types(), DEPTHS.map(|(word, _)| word));
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

fn text<'a>(memory: &'a Memory, name: &str) -> &'a str {
    let value = memory.field(name).and_then(Value::as_str);
    value.unwrap_or_default()
}

fn texts<'a>(memory: &'a Memory, name: &str) -> impl Iterator<Item = &'a str> {
    let items = memory.field(name).into_iter().flat_map(Value::items);
    items.filter_map(Value::as_str)
}
