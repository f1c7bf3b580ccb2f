//! The policy of RUM: recall. An agent asks by id, by file, by a query or by filters, and says
//! how deep (formats: rum, "Retrieval"; `rum-memory-schema`, "Memory Lifecycle").
//!
//! Counting an access is the system's own affair: nothing here writes.

mod recall;

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::layers::{items, of};
use super::{LINKS, is_fragment, time, types};
use crate::memory::{Memory, Timestamp, Value};
use crate::retrieval::{
    Asked, Limits, Options, Policy, Preview, Scorer, Snapshot, Task, Texts, Verdict,
};
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
        let most = asked.wanted.map_or(asked.limits.rejected, <[usize]>::len);
        let is_wanted = |index| asked.wanted.is_none_or(|wanted| wanted.contains(index));
        let rest = rest.into_iter().filter(|(_, (.., index))| is_wanted(index));
        let rejected: Vec<Verdict> = rest.take(most).filter_map(verdicts).collect();
        // Who asks about single memories has no use for the prompt.
        let returned = selected.iter().filter(|_| asked.wanted.is_none());
        let returned = returned.filter_map(|verdict| recall.memory(verdict.memory));
        Arc::new(Preview {
            policy: "rum",
            dialect: if ask.is_ranked { "spec" } else { "rum" },
            rejected_total: self.0.len() - selected.len(),
            prompt: prompt(returned, &ask, asked.texts),
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

const FILTERS: [&str; 5] = ["type", "agent-id", "success", "since", "before"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Id,
    File,
    Filters,
}

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

    fn reaches(&self, name: &str) -> bool {
        depth(name).is_some_and(|depth| depth <= self.depth)
    }

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
    memory.items(name).filter_map(Value::as_str)
}

/// The text an agent is given: a JSON array of memories, each with the fields of the depth (formats:
/// rum, "Depth"; `rum-memory-schema`, "Depth Levels for Retrieval"); empty where nothing is returned.
fn prompt<'a>(
    memories: impl Iterator<Item = &'a Memory>,
    ask: &Ask<'_>,
    texts: &dyn Texts,
) -> String {
    let shown = memories.map(|memory| {
        let row = texts.loader_body(memory);
        let row: Option<Json> = row.and_then(|row| serde_json::from_str(&row).ok());
        match (ask.is_ranked, row.unwrap_or_default()) {
            (_, row) if !is_fragment(memory) => knowledge(memory, &row),
            (true, row) => by_spec(memory, &row, ask),
            (false, row) => by_code(&row, ask),
        }
    });
    let shown: Vec<Json> = shown.collect();
    if shown.is_empty() {
        return String::new();
    }
    // Values that were read as JSON can be written as JSON.
    serde_json::to_string_pretty(&shown).unwrap_or_default()
}

/// Columns of a chapter and of wisdom, in the order in which the system returns them.
const COLUMNS: &str = "id title summary learnings insights patterns best_practices start_ts end_ts \
    tags topics origin created_at updated_at";

/// A chapter or wisdom as the system's tools return it: its columns, lists read.
fn knowledge(memory: &Memory, row: &Json) -> Json {
    let columns: Vec<&str> = COLUMNS.split_whitespace().collect();
    let mut out = picked(row, &columns);
    for (name, value) in &mut out {
        let spec = memory.schema.field(name);
        if spec.is_some_and(|spec| spec.kind.is_list()) {
            let text = value.as_str();
            let list = text.and_then(|text| serde_json::from_str(text).ok());
            *value = list.unwrap_or_else(|| json!([]));
        }
    }
    if memory.schema.field("topics").is_some() {
        let count = texts(memory, "members").count();
        out.insert("memory_count".to_owned(), count.into());
    }
    out.into()
}

/// A memory as the real code returns it; what the memory does not have is left out.
fn by_code(row: &Json, ask: &Ask<'_>) -> Json {
    let (intent, outcome) = (of(row, "intent"), of(row, "outcome"));
    let mut out = picked(row, &["id", "agent_id", "created_at"]);
    let parts = [
        ("confidence", 1.into()),
        ("intent", picked(intent, &["goal", "task_type"]).into()),
        ("outcome", picked(outcome, &["success", "summary"]).into()),
    ];
    out.extend(parts.map(|(name, value)| (name.to_owned(), value)));
    let deeper = [
        ("outcome", outcome, "learnings"),
        ("reasoning", row, "reasoning"),
        ("full", row, "perception"),
        ("complete", row, "actions"),
    ];
    for (depth, from, name) in deeper {
        if ask.reaches(depth) && is_truthy(of(from, name)) {
            out.extend(picked(from, &[name]));
        }
    }
    if ask.has_links && ask.reaches("full") {
        out.extend(picked(row, &["links"]));
    }
    Json::Object(out)
}

fn picked(object: &Json, names: &[&str]) -> Map<String, Json> {
    let member = |name: &&str| Some(((*name).to_owned(), object.get(name)?.clone()));
    names.iter().filter_map(member).collect()
}

/// True for the values that `if (value)` takes in JavaScript.
fn is_truthy(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => false,
        Json::Number(number) => number.as_f64() != Some(0.0),
        Json::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// A memory as the specification has it.
fn by_spec(memory: &Memory, row: &Json, ask: &Ask<'_>) -> Json {
    let layer = |name: &str| of(row, name).clone();
    let intent = match ask.reaches("full") {
        true => layer("intent"),
        false => json!({ "goal": of(of(row, "intent"), "goal") }),
    };
    let outcome = match ask.reaches("outcome") {
        true => layer("outcome"),
        false => json!({ "summary": of(of(row, "outcome"), "summary") }),
    };
    let mut out = vec![("intent", intent), ("outcome", outcome)];
    if ask.reaches("reasoning") {
        out.push(("reasoning", layer("reasoning")));
    }
    if ask.reaches("full") {
        let actions = match ask.reaches("complete") {
            true => layer("actions"),
            false => items(of(row, "actions")).iter().map(outline).collect(),
        };
        out.extend([
            ("perception", layer("perception")),
            ("actions", actions),
            ("links", links(memory)),
            ("tags", texts(memory, "tags").collect()),
        ]);
        let fields = ["importance", "created_at", "agent_id", "session_id"];
        out.extend(fields.map(|name| (name, layer(name))));
    }
    out.into_iter().collect()
}

fn outline(action: &Json) -> Json {
    match action {
        Json::Object(_) => picked(action, &["type", "timestamp", "result"]).into(),
        other => other.clone(),
    }
}

fn links(memory: &Memory) -> Json {
    let links = LINKS.iter();
    let links = links.map(|kind| (*kind, texts(memory, kind).collect::<Vec<_>>()));
    let links = links.filter(|(_, ends)| !ends.is_empty());
    links.map(|(kind, ends)| (kind, json!(ends))).collect()
}
