//! Reads a row: its fields, its body, and its problems.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::entries::Part;
use super::layers::{Layers, items, of, text};
use super::{LINKS, markdown, time};
use crate::memory::row::Cell;
use crate::memory::value::FieldsBuilder;
use crate::memory::{Fields, Severity, Timestamp, Value};

/// A row by its columns, wherever its cells are held.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    /// The names of the columns.
    pub names: &'a [String],
    /// Their cells, in the same order.
    pub cells: &'a [Cell],
}

impl<'a> Cells<'a> {
    /// The cell of a column; none where the table has no such column.
    pub fn get(self, name: &str) -> Option<&'a Cell> {
        let at = self.names.iter().position(|column| column == name)?;
        self.cells.get(at)
    }

    /// The text of a column, what is no UTF-8 in it replaced; none for NULL.
    pub fn text(self, name: &str) -> Option<Cow<'a, str>> {
        match self.get(name)? {
            Cell::Null => None,
            Cell::Text(bytes) => Some(String::from_utf8_lossy(bytes)),
            other => Some(other.shown().into()),
        }
    }
}

/// Facts of other tables about a memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around<'a> {
    /// The type and the other end of each link, those derived from others included.
    pub links: &'a [(Box<str>, Box<str>)],
    /// The files it touched.
    pub files: &'a [Box<str>],
    /// The chapters it is part of, or the members that it has.
    pub members: &'a [Box<str>],
}

/// Something that is wrong with a row: severity, rule, and a sentence.
pub type Fault = (Severity, &'static str, String);

/// Reading of a row.
#[derive(Debug)]
pub struct Read {
    /// The title to show.
    pub title: String,
    /// Its fields.
    pub fields: Fields,
    /// When it was made.
    pub created: Option<Timestamp>,
    /// When it was last changed.
    pub updated: Option<Timestamp>,
    /// Its body.
    pub body: String,
    /// Its faults.
    pub faults: Vec<Fault>,
}

/// Fields in their order, those without a value left out.
struct Out {
    fields: FieldsBuilder,
    faults: Vec<Fault>,
}

impl Out {
    fn new() -> Self {
        Self {
            fields: FieldsBuilder::new(),
            faults: Vec::new(),
        }
    }

    fn add(&mut self, name: &str, value: Value) {
        self.fields.push(name, value);
    }

    fn text(&mut self, name: &str, text: Option<Cow<'_, str>>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.add(name, Value::from(&*text));
        }
    }

    /// A list inside a layer.
    fn part(&mut self, name: &str, layer: &Json) {
        if let Some(value) = Part::named(name).and_then(|part| part.get(layer)) {
            self.add(name, value);
        }
    }

    fn names(&mut self, name: &str, names: &[Box<str>]) {
        if !names.is_empty() {
            let names = names.iter().map(|name| Value::from(&**name));
            self.add(name, names.collect());
        }
    }

    fn fault(&mut self, severity: Severity, rule: &'static str, what: String) {
        self.faults.push((severity, rule, what));
    }

    /// A point in time of a row.
    fn time(&mut self, cells: Cells<'_>, table: &str, name: &str) -> Option<Timestamp> {
        let at = match cells.get(name)? {
            Cell::Null => return None,
            Cell::Int(number) => time(*number),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "fractions of a millisecond"
            )]
            Cell::Real(number) => time(*number as i64),
            other => {
                let what = format!("{table}.{name} is `{}`, not a number", other.shown());
                self.fault(Severity::Warning, "bad-date", what);
                self.add(name, other.shown().into());
                return None;
            }
        };
        self.add(name, at.to_rfc3339().into());
        Some(at)
    }

    /// The tags of a row: a list as JSON.
    fn json_list(&mut self, cells: Cells<'_>, table: &str, name: &str) {
        let Some(text) = cells.text(name).filter(|text| !text.is_empty()) else {
            return;
        };
        match serde_json::from_str::<Json>(&text) {
            Ok(Json::Null) => {}
            Ok(Json::Array(items)) if items.is_empty() => {}
            Ok(list @ Json::Array(_)) => self.add(name, list.into()),
            Ok(_) => self.fault(
                Severity::Error,
                "load-error",
                format!("{table}.{name} is not a list"),
            ),
            Err(error) => self.fault(
                Severity::Error,
                "load-error",
                format!("{table}.{name} is not JSON: {error}"),
            ),
        }
    }

    fn utf8(&mut self, cells: Cells<'_>, table: &str) {
        for (name, cell) in cells.names.iter().zip(cells.cells) {
            if matches!(cell, Cell::Text(bytes) if str::from_utf8(bytes).is_err()) {
                let what = format!("{table}.{name} is not UTF-8");
                self.fault(Severity::Warning, "load-error", what);
            }
        }
    }
}

/// Reads a row of `memories`.
pub fn memory(cells: Cells<'_>, around: Around<'_>) -> Read {
    let (layers, broken) = Layers::read(|name| cells.get(name));
    let mut out = Out::new();
    for (column, why) in broken {
        let what = format!("memories.{column} is {why}");
        out.fault(Severity::Error, "load-error", what);
    }
    out.utf8(cells, "memories");
    in_step(cells, &layers, &mut out);
    let (intent, outcome) = (&layers.intent, &layers.outcome);
    let goal = text(of(intent, "goal")).or_else(|| cells.text("intent_goal"));
    out.text("goal", goal.clone());
    // Recall filters by the columns, not by the layers.
    let kind = cells
        .text("intent_type")
        .or_else(|| text(of(intent, "task_type")));
    word(kind.as_deref(), "type", super::types(), &mut out);
    out.text("type", kind);
    if let Some(success) = success(cells, outcome) {
        out.add("success", Value::Bool(success));
    }
    let summary = text(of(outcome, "summary")).or_else(|| cells.text("outcome_summary"));
    out.text("summary", summary);
    out.text("context", text(of(intent, "context")));
    out.part("constraints", intent);
    out.part("learnings", outcome);
    out.text("failure_reason", text(of(outcome, "failure_reason")));
    out.text("failure_category", text(of(outcome, "failure_category")));
    out.part("follow_up_needed", outcome);
    out.text(
        "approach_chosen",
        text(of(&layers.reasoning, "approach_chosen")),
    );
    out.text("why_chosen", text(of(&layers.reasoning, "why_chosen")));
    out.json_list(cells, "memories", "tags");
    importance(cells, &mut out);
    let created = out.time(cells, "memories", "created_at");
    for name in ["agent_id", "session_id", "project_id"] {
        out.text(name, cells.text(name));
    }
    out.names("files", around.files);
    for link in LINKS.iter().chain(&["superseded_by"]) {
        let ends: Vec<Box<str>> = around
            .links
            .iter()
            .filter(|(kind, _)| **kind == **link)
            .map(|(_, end)| end.clone())
            .collect();
        out.names(link, &ends);
    }
    out.names("chapters", around.members);
    rest(cells, &mut out);
    for name in ["goal", "type"] {
        if missing(cells, name, &layers) {
            let what = format!("`{name}` is missing");
            out.fault(Severity::Error, "missing-field", what);
        }
    }
    let title = goal.filter(|goal| !goal.trim().is_empty());
    let title = title.or_else(|| cells.text("id")).unwrap_or_default();
    Read {
        title: title.lines().next().unwrap_or_default().trim().to_owned(),
        body: markdown::memory(&layers),
        fields: out.fields.finish(),
        created,
        updated: None,
        faults: out.faults,
    }
}

fn missing(cells: Cells<'_>, name: &str, layers: &Layers) -> bool {
    match name {
        "goal" => text(of(&layers.intent, "goal")).is_none() && cells.text("intent_goal").is_none(),
        "type" => {
            text(of(&layers.intent, "task_type")).is_none() && cells.text("intent_type").is_none()
        }
        _ => false,
    }
}

/// True if it came off, by the column or else the layer.
fn success(cells: Cells<'_>, outcome: &Json) -> Option<bool> {
    let column = cells.get("outcome_success").and_then(Cell::as_int);
    column
        .map(|number| number != 0)
        .or(of(outcome, "success").as_bool())
}

/// A word that the format does not know.
fn word(word: Option<&str>, name: &str, known: &[&str], out: &mut Out) {
    if let Some(word) = word.filter(|word| !known.contains(word)) {
        let what = format!("`{name}` is `{word}`, none of {}", known.join(", "));
        out.fault(Severity::Warning, "unknown-value", what);
    }
}

fn importance(cells: Cells<'_>, out: &mut Out) {
    let value = match cells.get("importance") {
        None | Some(Cell::Null) => return,
        Some(Cell::Int(number)) => Value::Int(*number),
        Some(Cell::Real(number)) => Value::Float(*number),
        Some(other) => other.shown().into(),
    };
    #[expect(clippy::cast_precision_loss, reason = "compared with 0 and 1")]
    let right = match value {
        Value::Int(number) => (0.0..=1.0).contains(&(number as f64)),
        Value::Float(number) => (0.0..=1.0).contains(&number),
        _ => false,
    };
    if !right {
        let what = format!("memories.importance is `{value}`, not a number from 0 to 1");
        out.fault(Severity::Warning, "unknown-value", what);
    }
    out.add("importance", value);
}

/// Adds the fields that a person sees and does not edit.
fn rest(cells: Cells<'_>, out: &mut Out) {
    if let Some(count) = cells
        .get("access_count")
        .and_then(Cell::as_int)
        .filter(|n| *n != 0)
    {
        out.add("access_count", Value::Int(count));
    }
    if cells
        .get("last_accessed")
        .is_some_and(|cell| !cell.is_null())
    {
        out.time(cells, "memories", "last_accessed");
    }
    // Of an embedding only its length in bytes is read: it holds four for each number.
    if let Some(bytes) = cells.get("embedding").and_then(Cell::as_int) {
        out.add("embedding", Value::Int(bytes / 4));
        if bytes % 4 != 0 {
            let what = format!("memories.embedding has {bytes} bytes, no multiple of 4");
            out.fault(Severity::Warning, "load-error", what);
        }
    }
}

/// Columns that repeat what a layer says, where they say something else.
fn in_step(cells: Cells<'_>, layers: &Layers, out: &mut Out) {
    let pairs = [
        ("intent_goal", &layers.intent, "intent", "goal"),
        ("intent_type", &layers.intent, "intent", "task_type"),
        ("outcome_summary", &layers.outcome, "outcome", "summary"),
    ];
    for (column, layer, place, name) in pairs {
        let (Some(own), Some(said)) = (cells.text(column), text(of(layer, name))) else {
            continue;
        };
        if own != said {
            out.fault(
                Severity::Warning,
                "load-error",
                format!("memories.{column} says `{own}`, {place}.{name} says `{said}`"),
            );
        }
    }
    let own = cells.get("outcome_success").and_then(Cell::as_int);
    if let (Some(own), Some(said)) = (own, of(&layers.outcome, "success").as_bool())
        && (own != 0) != said
    {
        out.fault(
            Severity::Warning,
            "load-error",
            format!("memories.outcome_success is {own}, outcome.success is {said}"),
        );
    }
}

/// Reads a row of `chapters`.
pub fn chapter(cells: Cells<'_>, around: Around<'_>) -> Read {
    let lists = [("learnings", "Learnings"), ("topics", "Topics")];
    unit(cells, around, "chapters", "chapter", &lists)
}

/// Reads a row of `wisdom`.
pub fn wisdom(cells: Cells<'_>, around: Around<'_>) -> Read {
    let lists = [
        ("insights", "Insights"),
        ("patterns", "Patterns"),
        ("best_practices", "Best practices"),
    ];
    unit(cells, around, "wisdom", "wisdom", &lists)
}

fn unit(
    cells: Cells<'_>,
    around: Around<'_>,
    table: &str,
    kind: &str,
    lists: &[(&str, &str)],
) -> Read {
    let mut out = Out::new();
    out.utf8(cells, table);
    let summary = cells.text("summary").unwrap_or_default();
    out.text("title", cells.text("title"));
    out.add("type", kind.into());
    out.text("summary", Some(summary.clone()));
    let mut sections = Vec::new();
    for (name, heading) in lists {
        out.json_list(cells, table, name);
        let list: Json = cells
            .text(name)
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        let lines = items(&list).iter().filter_map(text).map(Into::into);
        sections.push((*heading, lines.collect::<Vec<String>>()));
    }
    out.json_list(cells, table, "tags");
    out.text("origin", cells.text("origin"));
    let created = out.time(cells, table, "created_at");
    let updated = out.time(cells, table, "updated_at");
    out.time(cells, table, "start_ts");
    out.time(cells, table, "end_ts");
    out.text("project_id", cells.text("project_id"));
    out.names("members", around.members);
    let first = |text: &str| text.lines().next().unwrap_or_default().trim().to_owned();
    let title = cells.text("title").filter(|title| !title.trim().is_empty());
    let title = title.map_or_else(|| first(&summary), |title| first(&title));
    let title = if title.is_empty() {
        cells.text("id").unwrap_or_default().into_owned()
    } else {
        title
    };
    Read {
        title,
        body: markdown::unit(&summary, &sections),
        fields: out.fields.finish(),
        created,
        updated,
        faults: out.faults,
    }
}
