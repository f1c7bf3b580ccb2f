//! Reads a row: its fields, its body, and its problems.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value as Json;

use super::entries::{Member, Part};
use super::layers::{Layers, items, of, text};
use super::{RUM, markdown, time};
use crate::memory::row::{Cell, Row};
use crate::memory::schema::{FieldSpec, Kind, Schema};
use crate::memory::{
    Memory, Problem, Severity, Stamp, Timestamp, Value, to_u32, tokens_of, words_of,
};

/// Columns that the system counts in whenever a memory is read: they are nobody's change.
pub const COUNTED: [&str; 2] = ["access_count", "last_accessed"];

/// The text of a column, what is no UTF-8 in it replaced; none for NULL.
pub fn column<'a>(row: &'a Row, name: &str) -> Option<Cow<'a, str>> {
    match row.get(name)? {
        Cell::Null => None,
        Cell::Text(bytes) => Some(String::from_utf8_lossy(bytes)),
        other => Some(other.shown().into()),
    }
}

/// The state of a row: another program changes one, and a change to that one alone is refused.
pub fn stamp(row: &Row) -> Stamp {
    let mut hasher = DefaultHasher::new();
    let mut size = 0_u64;
    for (_, cell) in row.0.iter().filter(|(name, _)| !COUNTED.contains(&&**name)) {
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

/// What another table says of a memory: its field, and the other end.
pub type Link = (Box<str>, Box<str>);

/// The body of a row: the layers of a memory, else a summary and its lists.
pub fn body(schema: &Schema, row: &Row) -> String {
    if std::ptr::eq(schema, &*RUM) {
        return markdown::memory(&Layers::read(row).0);
    }
    let lists = schema.fields.iter().filter(|spec| spec.kind == Kind::Lines);
    let lists = lists.map(|spec| {
        let list = column(row, spec.name).and_then(|text| serde_json::from_str(&text).ok());
        let list: Json = list.unwrap_or_default();
        let lines = items(&list).iter().filter_map(text).map(Into::into);
        (spec.name, lines.collect())
    });
    let summary = column(row, "summary").unwrap_or_default();
    markdown::unit(&summary, &lists.collect::<Vec<_>>())
}

/// Reads the row of a memory; it stands at `document` among the rows.
pub fn read(memory: Memory, table: &str, row: &Row, links: &[Link], document: u32) -> Memory {
    let schema = memory.schema;
    let is_memory = std::ptr::eq(schema, &*RUM);
    let (layers, broken) = match is_memory {
        true => Layers::read(row),
        false => Default::default(),
    };
    let mut out = Out {
        row,
        table,
        line: document.saturating_add(1),
        created: None,
        updated: None,
        problems: Vec::new(),
    };
    for (layer, why) in broken {
        out.fault(Severity::Error, "load-error", layer, &format!("is {why}"));
    }
    for (name, cell) in &row.0 {
        if matches!(cell, Cell::Text(bytes) if str::from_utf8(bytes).is_err()) {
            out.fault(Severity::Warning, "load-error", name, "is not UTF-8");
        }
    }
    let mut fields: Vec<(String, Value)> = Vec::new();
    let specs = schema.fields.iter();
    for spec in specs.filter(|spec| !schema.is_inner(spec.name)) {
        let value = match is_memory {
            true => out.in_layers(spec, &layers, links),
            false => out.in_row(spec, links),
        };
        fields.extend(value.map(|value| (spec.name.to_owned(), value)));
    }
    if column(row, "id").is_none_or(|id| id.is_empty()) {
        let what = "the row has no id: its system can neither find nor change it";
        out.problem(Severity::Error, "missing-field", what.to_owned());
    }
    let goal = text(of(layers.of("intent"), "goal")).or_else(|| column(row, "intent_goal"));
    let others = ["title", "summary", "id"].map(|name| column(row, name));
    let titles = std::iter::once(goal).chain(others).flatten();
    let mut lines = titles.filter_map(|title| Some(title.trim().lines().next()?.trim().into()));
    let title = lines.next();
    let body = match is_memory {
        true => markdown::memory(&layers),
        false => body(schema, row),
    };
    // The system's own code fails on JSON that it cannot parse.
    let mut problems = out.problems.iter();
    let fails = problems.find(|one| one.rule == "load-error" && one.severity == Severity::Error);
    let hidden = fails.map(|one| format!("the system's code fails on it: {}", one.message));
    Memory {
        document,
        line: out.line,
        hidden: hidden.map(Into::into),
        span: 0..body.len(),
        body: 0..body.len(),
        title: title.unwrap_or_default(),
        fields: fields.into_iter().collect(),
        created: out.created,
        updated: out.updated,
        words: words_of(body.as_bytes()),
        tokens: to_u32(tokens_of(body.len())),
        problems: out.problems.into(),
        gist: is_memory.then(|| {
            let summary = text(of(layers.of("outcome"), "summary"));
            summary.unwrap_or_default().into()
        }),
        ..memory
    }
    .with_caution(body.as_bytes())
}

fn word(text: Option<Cow<'_, str>>) -> Option<Value> {
    let text = text.filter(|text| !text.is_empty())?;
    Some(Value::from(&*text))
}

fn names<'n>(names: impl Iterator<Item = &'n Box<str>>) -> Option<Value> {
    let mut names = names.map(|name| Value::from(&**name)).peekable();
    names.peek().is_some().then_some(())?;
    Some(names.collect())
}

struct Out<'a> {
    row: &'a Row,
    table: &'a str,
    created: Option<Timestamp>,
    updated: Option<Timestamp>,
    line: u32,
    problems: Vec<Problem>,
}

impl Out<'_> {
    fn problem(&mut self, severity: Severity, rule: &'static str, what: String) {
        let problem = Problem::new(rule, severity, (self.line, 1), what);
        self.problems.push(problem);
    }

    fn fault(&mut self, severity: Severity, rule: &'static str, column: &str, what: &str) {
        let what = format!("{}.{column} {what}", self.table);
        self.problem(severity, rule, what);
    }

    fn in_layers(&mut self, spec: &FieldSpec, layers: &Layers, links: &[Link]) -> Option<Value> {
        if let Some(member) = Member::named(spec.name) {
            return self.member(&member, of(layers.of(member.layer), member.name));
        }
        match Part::named(spec.name) {
            Some(part) => part.get(layers.of(part.layer)),
            None => self.in_row(spec, links),
        }
    }

    fn in_row(&mut self, spec: &FieldSpec, links: &[Link]) -> Option<Value> {
        let name = spec.name;
        match (name, spec.kind) {
            ("type", Kind::Choice([kind, ..])) => Some((*kind).into()),
            ("importance", _) => self.importance(),
            ("embedding", _) => self.embedding(),
            ("files" | "chapters" | "members", _) | (_, Kind::Names) => {
                let links = links.iter().filter(|(field, _)| **field == *name);
                names(links.map(|(_, end)| end))
            }
            (_, Kind::Number(..)) => {
                let number = self.row.get(name).and_then(Cell::as_int);
                number.filter(|number| *number != 0).map(Value::Int)
            }
            (_, Kind::Date) => self.time(name),
            (_, Kind::Tags | Kind::Lines) => self.list(name),
            _ => word(column(self.row, name)),
        }
    }

    /// A point in time; what is none stays as it is.
    fn time(&mut self, name: &str) -> Option<Value> {
        let at = match self.row.get(name)? {
            Cell::Null => return None,
            Cell::Int(number) => time(*number),
            Cell::Real(number) => time(*number as i64),
            other => {
                let own = other.shown();
                let what = format!("is `{own}`, not a number");
                self.fault(Severity::Warning, "bad-date", name, &what);
                return Some(own.into());
            }
        };
        match name {
            "created_at" => self.created = Some(at),
            "updated_at" => self.updated = Some(at),
            _ => {}
        }
        Some(at.to_rfc3339().into())
    }

    fn list(&mut self, name: &str) -> Option<Value> {
        let text = column(self.row, name).filter(|text| !text.is_empty())?;
        let what = match serde_json::from_str::<Json>(&text) {
            Ok(Json::Null) => return None,
            Ok(Json::Array(items)) if items.is_empty() => return None,
            Ok(list @ Json::Array(_)) => return Some(list.into()),
            Ok(_) => "is not a list".to_owned(),
            Err(error) => format!("is not JSON: {error}"),
        };
        self.fault(Severity::Error, "load-error", name, &what);
        None
    }

    /// A member of a layer, or else the column that repeats it; recall filters by the column.
    fn member(&mut self, member: &Member, said: &Json) -> Option<Value> {
        let (field, layer, name, mirror) = (member.field, member.layer, member.name, member.mirror);
        if field == "success" {
            let (own, said) = (self.row.get(mirror).and_then(Cell::as_int), said.as_bool());
            if let (Some(own), Some(said)) = (own, said)
                && (own != 0) != said
            {
                let what = format!("is {own}, {layer}.{name} is {said}");
                self.fault(Severity::Warning, "load-error", mirror, &what);
            }
            return own.map(|own| own != 0).or(said).map(Value::Bool);
        }
        let (said, own) = (text(said), column(self.row, mirror));
        if let (Some(own), Some(said)) = (&own, &said)
            && own != said
        {
            let what = format!("says `{own}`, {layer}.{name} says `{said}`");
            self.fault(Severity::Warning, "load-error", mirror, &what);
        }
        if ["goal", "type"].contains(&field) && said.is_none() && own.is_none() {
            let what = format!("`{field}` is missing");
            self.problem(Severity::Error, "missing-field", what);
        }
        if field != "type" {
            return word(said.or(own));
        }
        let kind = own.or(said);
        let known = super::types();
        if let Some(kind) = kind.as_deref().filter(|kind| !known.contains(kind)) {
            let what = format!("`type` is `{kind}`, none of {}", known.join(", "));
            self.problem(Severity::Warning, "unknown-value", what);
        }
        word(kind)
    }

    fn importance(&mut self) -> Option<Value> {
        let value = match self.row.get("importance")? {
            Cell::Null => return None,
            Cell::Int(number) => Value::Int(*number),
            Cell::Real(number) => Value::Float(*number),
            other => other.shown().into(),
        };
        let is_right = match value {
            Value::Int(number) => (0..=1).contains(&number),
            Value::Float(number) => (0.0..=1.0).contains(&number),
            _ => false,
        };
        if !is_right {
            let what = format!("is `{value}`, not a number from 0 to 1");
            self.fault(Severity::Warning, "unknown-value", "importance", &what);
        }
        Some(value)
    }

    /// Of an embedding only its length in bytes is read: it holds four for each number.
    fn embedding(&mut self) -> Option<Value> {
        let bytes = self.row.get("embedding")?.as_int()?;
        if bytes % 4 != 0 {
            let what = format!("has {bytes} bytes, no multiple of 4");
            self.fault(Severity::Warning, "load-error", "embedding", &what);
        }
        Some(Value::Int(bytes / 4))
    }
}
