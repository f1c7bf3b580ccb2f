//! Reads a row: its fields, its body, and its problems.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value as Json;

use super::entries::{IN_LAYERS, Part};
use super::layers::{Layers, items, of, text};
use super::{RUM, markdown, time};
use crate::memory::row::Cell;
use crate::memory::{Fields, Memory, Problem, Severity, Stamp, Timestamp, Value, tokens_of};

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

    /// The state of a row: another program changes one, and a change to that one alone is refused.
    pub fn stamp(self) -> Stamp {
        let mut hasher = DefaultHasher::new();
        let mut size = 0_u64;
        for (name, cell) in self.names.iter().zip(self.cells) {
            // Reading a memory counts it, which is no change to what it says.
            if ["access_count", "last_accessed"].contains(&name.as_str()) {
                continue;
            }
            match cell {
                Cell::Null => 0_u8.hash(&mut hasher),
                Cell::Int(number) => number.hash(&mut hasher),
                Cell::Real(number) => number.to_bits().hash(&mut hasher),
                Cell::Text(bytes) | Cell::Blob(bytes) => {
                    size += bytes.len() as u64;
                    bytes.hash(&mut hasher);
                }
            }
        }
        Stamp {
            modified: i64::from_ne_bytes(hasher.finish().to_ne_bytes()),
            size,
            inode: 0,
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

impl Read {
    /// A memory with what its row says; it stands at `document` among the rows.
    pub fn into_memory(self, memory: Memory, document: u32) -> Memory {
        let line = document.saturating_add(1);
        // The system's own code fails on JSON that it cannot parse.
        let fails =
            |(severity, rule, _): &&Fault| *rule == "load-error" && *severity == Severity::Error;
        let hidden = self.faults.iter().find(fails);
        let hidden =
            hidden.map(|(.., what)| format!("the system's code fails on it: {what}").into());
        let problem = |(severity, rule, what)| Problem::new(rule, severity, (line, 1), what);
        let length = self.body.len();
        let words = self.body.split_whitespace().count();
        Memory {
            document,
            line,
            hidden,
            span: 0..length,
            body: 0..length,
            title: self.title.into(),
            fields: self.fields,
            created: self.created,
            updated: self.updated,
            words: u32::try_from(words).unwrap_or(u32::MAX),
            tokens: u32::try_from(tokens_of(length)).unwrap_or(u32::MAX),
            problems: self.faults.into_iter().map(problem).collect(),
            ..memory
        }
    }
}

/// Fields in their order, those without a value left out.
struct Out {
    fields: Vec<(String, Value)>,
    faults: Vec<Fault>,
}

impl Out {
    fn new() -> Self {
        Self {
            fields: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn add(&mut self, name: &str, value: Value) {
        if self.fields.iter().all(|(own, _)| own != name) {
            self.fields.push((name.to_owned(), value));
        }
    }

    fn text(&mut self, name: &str, text: Option<Cow<'_, str>>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.add(name, Value::from(&*text));
        }
    }

    fn names<'n>(&mut self, name: &str, names: impl Iterator<Item = &'n Box<str>>) {
        let mut names = names.map(|name| Value::from(&**name)).peekable();
        if names.peek().is_some() {
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
    let mut created = None;
    for spec in RUM.fields {
        let name = spec.name;
        if let Some((_, layer, key, mirror)) = IN_LAYERS.iter().find(|row| row.0 == name) {
            out.in_layer(cells, name, (layers.of(layer), layer, key), mirror);
            continue;
        }
        match name {
            _ if RUM.is_inner(name) => {}
            "tags" => out.json_list(cells, "memories", name),
            "importance" => importance(cells, &mut out),
            "created_at" => created = out.time(cells, "memories", name),
            "last_accessed" => drop(out.time(cells, "memories", name)),
            "agent_id" | "session_id" | "project_id" => out.text(name, cells.text(name)),
            "files" => out.names(name, around.files.iter()),
            "chapters" => out.names(name, around.members.iter()),
            "access_count" => {
                let count = cells.get(name).and_then(Cell::as_int);
                if let Some(count) = count.filter(|count| *count != 0) {
                    out.add(name, Value::Int(count));
                }
            }
            "embedding" => embedding(cells, &mut out),
            _ => match Part::named(name) {
                Some(part) => {
                    if let Some(value) = part.get(layers.of(part.layer)) {
                        out.add(name, value);
                    }
                }
                None => {
                    let links = around.links.iter().filter(|(kind, _)| **kind == *name);
                    out.names(name, links.map(|(_, end)| end));
                }
            },
        }
    }
    let goal = text(of(layers.of("intent"), "goal")).or_else(|| cells.text("intent_goal"));
    let title = goal.filter(|goal| !goal.trim().is_empty());
    let title = title.or_else(|| cells.text("id")).unwrap_or_default();
    Read {
        title: title.lines().next().unwrap_or_default().trim().to_owned(),
        body: markdown::memory(&layers),
        fields: out.fields.into_iter().collect(),
        created,
        updated: None,
        faults: out.faults,
    }
}

impl Out {
    /// A member of a layer, or else the column that repeats it; recall filters by the column.
    fn in_layer(
        &mut self,
        cells: Cells<'_>,
        name: &str,
        (layer, place, key): (&Json, &str, &str),
        mirror: &str,
    ) {
        if name == "success" {
            let column = cells.get(mirror).and_then(Cell::as_int);
            let said = of(layer, key).as_bool();
            if let (Some(own), Some(said)) = (column, said)
                && (own != 0) != said
            {
                let what = format!("memories.{mirror} is {own}, {place}.{key} is {said}");
                self.fault(Severity::Warning, "load-error", what);
            }
            if let Some(success) = column.map(|own| own != 0).or(said) {
                self.add(name, Value::Bool(success));
            }
            return;
        }
        let (said, own) = (text(of(layer, key)), cells.text(mirror));
        if let (Some(own), Some(said)) = (&own, &said)
            && own != said
        {
            let what = format!("memories.{mirror} says `{own}`, {place}.{key} says `{said}`");
            self.fault(Severity::Warning, "load-error", what);
        }
        let required = ["goal", "type"].contains(&name);
        if required && said.is_none() && own.is_none() {
            let what = format!("`{name}` is missing");
            self.fault(Severity::Error, "missing-field", what);
        }
        let value = match name {
            "type" => own.or(said),
            _ => said.or(own),
        };
        let known = super::types();
        if let Some(word) = value.as_deref().filter(|word| !known.contains(word))
            && name == "type"
        {
            let what = format!("`{name}` is `{word}`, none of {}", known.join(", "));
            self.fault(Severity::Warning, "unknown-value", what);
        }
        self.text(name, value);
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

/// Of an embedding only its length in bytes is read: it holds four for each number.
fn embedding(cells: Cells<'_>, out: &mut Out) {
    if let Some(bytes) = cells.get("embedding").and_then(Cell::as_int) {
        out.add("embedding", Value::Int(bytes / 4));
        if bytes % 4 != 0 {
            let what = format!("memories.embedding has {bytes} bytes, no multiple of 4");
            out.fault(Severity::Warning, "load-error", what);
        }
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
    out.names("members", around.members.iter());
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
        fields: out.fields.into_iter().collect(),
        created,
        updated,
        faults: out.faults,
    }
}
