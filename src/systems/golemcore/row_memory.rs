//! Reads a line as a memory, whatever is wrong with it.

use std::ops::Range;
use std::path::Path;

use super::row::{self, Fault};
use super::{CONTENT, Config, GOLEMCORE, Instant, Place, Row, Tree, java};
use crate::memory::json::splice::{Object, object};
use crate::memory::json::{self, Kind, slice};
use crate::memory::{
    Expiry, Fields, Memory, Problem, Severity, Sight, Timestamp, Value, title_of, to_u32,
    tokens_of, words_of,
};
use crate::systems::codec::EntryFile;

/// The name of a row: its id, else its file and line.
pub fn name_of(id: Option<&Value>, path: &Path, line: u32) -> String {
    match id {
        Some(Value::Text(id)) if !id.trim().is_empty() => id.to_string(),
        Some(id @ (Value::Int(_) | Value::Float(_) | Value::Bool(_))) => id.to_string(),
        _ => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            format!("{name}:{line}")
        }
    }
}

pub struct RowReader<'a> {
    pub file: &'a EntryFile<'a>,
    /// Place in the system's tree; none outside it.
    pub place: Option<Place>,
    pub config: Config,
}

/// A fault of a row: the rule, how bad it is, the byte it stands at, and why.
type RowFault = (&'static str, Severity, usize, String);

impl RowReader<'_> {
    pub fn memory(&self, bytes: &[u8], number: u32, span: Range<usize>) -> Memory {
        let line = slice(bytes, &span);
        let object = object(line);
        let (fields, text) = match &object {
            Ok(object) => {
                let fields = json::fields_as(line, &object.entries, |name, node| {
                    (name != CONTENT).then(|| row::meaning(line, name, node))
                });
                (fields, content(line, object))
            }
            Err(_) => (
                Fields::default(),
                String::from_utf8_lossy(line).into_owned(),
            ),
        };
        let name = name_of(fields.get("id"), &self.file.path, number);
        let mut memory = self.file.memory(&name, number, &GOLEMCORE);
        let archived = memory.hidden.take();
        let faults = match &object {
            Ok(object) => self.read(&mut memory, (line, object), &fields, &text),
            Err(error) => {
                memory.sight = Sight::NoFields;
                memory.hidden = Some("the reader skips the line: it is no JSON object".into());
                let why = format!("not a JSON object: {}", error.message);
                vec![("load-error", Severity::Error, error.at, why)]
            }
        };
        let problem = |(rule, severity, at, why): RowFault| {
            let before = String::from_utf8_lossy(slice(line, &(0..at)));
            let column = to_u32(before.chars().count() + 1);
            Problem::new(rule, severity, (number, column), why)
        };
        let own = fields.get("title").and_then(Value::as_str);
        let own = own.filter(|title| !title.trim().is_empty()).map(Into::into);
        let title = Some(own.unwrap_or_else(|| title_of(&text)));
        let title = title.filter(|title| !title.is_empty());
        // A line that is no object is text as it stands.
        let is_text = object.is_err();
        let length = if is_text { line.len() } else { text.len() };
        Memory {
            body: span.start..span.start + length,
            words: words_of(text.as_bytes()),
            tokens: to_u32(tokens_of(length)),
            hidden: archived.or(memory.hidden),
            title: title.unwrap_or(memory.title),
            problems: faults.into_iter().map(problem).collect(),
            span,
            fields,
            ..memory
        }
        .with_caution(text.as_bytes())
    }

    fn read(
        &self,
        memory: &mut Memory,
        (line, object): (&[u8], &Object),
        fields: &Fields,
        text: &str,
    ) -> Vec<RowFault> {
        let place = |field: &str| {
            let entry = object.entry(line, field);
            entry.map_or(0, |entry| entry.value.span.start)
        };
        let mut faults = Vec::new();
        match read_row(line, object, fields) {
            Ok(row) => {
                memory.created = row.created.map(Instant::timestamp);
                memory.updated = row.updated.map(Instant::timestamp);
                memory.expires = self.expiry(&row);
                if let Some(why) = self.unread(text) {
                    (memory.sight, memory.hidden) = (Sight::Invalid, Some(why.into()));
                }
                // The reader takes what is no share, and counts it in a score as the nearest that
                // is one (spec section 6.1; formats: golemcore, "Retrieval").
                for (field, share) in [("confidence", row.confidence), ("salience", row.salience)] {
                    if let Some(share) = share.filter(|share| !(0.0..=1.0).contains(share)) {
                        let why = format!("`{field}` is {share}, not a number from 0 to 1");
                        faults.push(("unknown-value", Severity::Warning, place(field), why));
                    }
                }
            }
            Err(fault) => {
                memory.sight = Sight::Invalid;
                let why = format!("the reader skips the line: {}", fault.message);
                memory.hidden = Some(why.into());
                memory.created = date(fields, "createdAt");
                memory.updated = date(fields, "updatedAt");
                let place = place(fault.field);
                faults.push((fault.rule, Severity::Error, place, fault.message));
            }
        }
        let end = object.span.end;
        if !slice(line, &(end..line.len())).trim_ascii().is_empty() {
            let why = "text behind the object, which the reader does not see and a rewrite loses";
            faults.push(("load-error", Severity::Warning, end, why.to_owned()));
        }
        faults
    }

    /// Why the system does not use a row that its reader takes.
    fn unread(&self, text: &str) -> Option<&'static str> {
        match &self.place {
            None => Some(
                "the bot reads items/episodic/YYYY-MM-DD.jsonl, items/semantic.jsonl and \
                 items/procedural.jsonl, and those of scopes with valid names only",
            ),
            Some(_) => {
                java::is_blank(text).then_some("its content is blank, which retrieval skips")
            }
        }
    }

    /// When the system stops seeing a row: its `ttlDays`, the decay, the look back over day files.
    fn expiry(&self, row: &Row<'_>) -> Option<Expiry> {
        let config = &self.config;
        let ttl = row.ttl_end().map(|at| (at, "its ttlDays are over"));
        let decay = row.stamp().filter(|_| config.decay).map(|at| {
            let why = "it was not updated for decayDays";
            (at.plus_days(config.decay_days), why)
        });
        let back = match self.place.as_ref().map(|place| place.file) {
            Some(Tree::Day(day)) => {
                let at = Instant::of_day(day).plus_days(config.lookback);
                Some((at, "its day is further back than retrievalLookbackDays"))
            }
            _ => None,
        };
        let all = [ttl, decay, back].into_iter().flatten();
        let (at, why) = all.min_by_key(|(at, _)| *at)?;
        let at = at.timestamp();
        Some(Expiry { at, why })
    }
}

/// The row that the system's reader makes of an object; `fields` are those beside the content.
fn read_row<'a>(line: &[u8], object: &Object, fields: &'a Fields) -> Result<Row<'a>, Fault> {
    let content = object.entry(line, CONTENT).map(|entry| &entry.value);
    if let Some(node) = content.filter(|node| matches!(node.kind, Kind::List(_) | Kind::Map(_))) {
        let content = row::meaning(line, CONTENT, node);
        Row::of(&Fields::from_iter([(CONTENT, content)])).map(drop)?;
    }
    Row::of(fields)
}

fn date(fields: &Fields, name: &str) -> Option<Timestamp> {
    let text = fields.get(name).and_then(Value::as_str)?;
    Instant::parse(text).map(Instant::timestamp)
}

/// The content of a row as people read it.
pub fn content(line: &[u8], object: &Object) -> String {
    let content = object.entry(line, CONTENT).map(|entry| &entry.value);
    let text = content.map(|node| row::meaning(line, CONTENT, node).to_string());
    text.unwrap_or_default()
}
