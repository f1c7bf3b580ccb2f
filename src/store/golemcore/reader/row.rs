//! Reads a line as a memory.

use std::path::Path;
use std::sync::Arc;

use super::RowPlace;
use crate::memory::json::splice::{Object, object};
use crate::memory::json::{Kind, slice};
use crate::memory::{
    Expiry, Fields, Memory, MemoryId, Problem, Severity, Sight, Stamp, State, Timestamp, Value,
    title_of, tokens_of,
};
use crate::store::Store as _;
use crate::store::golemcore::GolemcoreStore;
use crate::systems::golemcore::row::{self, Fault};
use crate::systems::golemcore::schema::CONTENT;
use crate::systems::golemcore::{Config, GOLEMCORE, Instant, Place, Row, Tree, java};

/// Facts that all rows of one file share.
pub(super) struct FileFacts<'a> {
    store: &'a GolemcoreStore,
    path: Arc<Path>,
    state: State,
    /// Place in the system's tree; none outside it.
    place: Option<Place>,
    config: &'a Config,
}

impl<'a> FileFacts<'a> {
    pub(super) fn new(store: &'a GolemcoreStore, path: &Path, config: &'a Config) -> Self {
        let archived = path.starts_with(&store.info().archive);
        Self {
            store,
            path: path.into(),
            state: if archived {
                State::Archived
            } else {
                State::Active
            },
            // A file that was given by its path and stands in no tree is taken for one of facts.
            place: Place::of(path).or_else(|| store.is_file.then(Place::facts)),
            config,
        }
    }

    fn blank(&self, line: u32) -> Memory {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let id = MemoryId::new(&self.store.info().id, format!("{name}:{line}"));
        let mut memory = Memory::new(id, self.path.clone(), &GOLEMCORE);
        memory.state = self.state;
        memory.line = line;
        memory
    }

    /// The memory of a file that cannot be read.
    pub(super) fn unreadable(&self, message: String) -> Memory {
        Memory {
            sight: Sight::Invalid,
            problems: [Problem::new("load-error", Severity::Error, (1, 1), message)].into(),
            ..self.blank(1)
        }
    }

    /// The memory of a row.
    pub(super) fn memory(&self, bytes: &[u8], stamp: Stamp, place: &RowPlace) -> Memory {
        let line = slice(bytes, &place.span);
        let mut memory = self.blank(place.line);
        memory.document = place.number;
        memory.stamp = stamp;
        memory.span = place.span.clone();
        match object(line) {
            Ok(object) => self.fill(&mut memory, line, &object),
            Err(error) => {
                let message = format!("not a JSON object: {}", error.message);
                let column = column(line, error.at);
                memory.sight = Sight::NoFields;
                memory.hidden = Some("the reader skips the line: it is no JSON object".into());
                memory.title = title_of(&String::from_utf8_lossy(line));
                memory.body = place.span.clone();
                memory.words = count(String::from_utf8_lossy(line).split_whitespace());
                memory.tokens = u32::try_from(tokens_of(line.len())).unwrap_or(u32::MAX);
                memory.problems = [Problem::new(
                    "load-error",
                    Severity::Error,
                    (place.line, column),
                    message,
                )]
                .into();
            }
        }
        if self.state == State::Archived {
            memory.hidden = Some("it is archived".into());
        }
        memory
    }

    fn fill(&self, memory: &mut Memory, line: &[u8], object: &Object) {
        let content = object.entry(line, CONTENT).map(|entry| &entry.value);
        let body = content.map(|node| row::meaning(line, CONTENT, node).to_string());
        let body = body.unwrap_or_default();
        // All of the text that people read.
        memory.body = memory.span.start..memory.span.start + body.len();
        memory.words = count(body.split_whitespace());
        memory.tokens = u32::try_from(tokens_of(body.len())).unwrap_or(u32::MAX);
        let fields = row::fields_without(line, &object.entries, CONTENT);
        let content_fault = content.and_then(|node| match &node.kind {
            Kind::List(_) | Kind::Map(_) => Some(Fault {
                field: CONTENT,
                rule: "unknown-value",
                message: format!(
                    "`content` is {}, not text",
                    row::meaning(line, CONTENT, node).kind()
                ),
            }),
            _ => None,
        });
        let mut problems = Vec::new();
        match content_fault.map_or_else(|| Row::of(&fields), Err) {
            Ok(row) => {
                self.read(memory, &row, &body);
                problems.extend(out_of_range(&row, |field| {
                    let at = object
                        .entry(line, field)
                        .map(|entry| entry.value.span.start);
                    (memory.line, column(line, at.unwrap_or_default()))
                }));
            }
            Err(fault) => {
                memory.sight = Sight::Invalid;
                memory.hidden =
                    Some(format!("the reader skips the line: {}", fault.message).into());
                let at = object
                    .entry(line, fault.field)
                    .map_or(0, |entry| entry.value.span.start);
                let column = column(line, at);
                problems.push(Problem::new(
                    fault.rule,
                    Severity::Error,
                    (memory.line, column),
                    fault.message,
                ));
                memory.created = date(&fields, "createdAt");
                memory.updated = date(&fields, "updatedAt");
            }
        }
        memory.title = title(&fields, &body).unwrap_or(std::mem::take(&mut memory.title));
        problems.extend(trailing(line, object, memory.line));
        memory.problems = problems.into();
        memory.fields = fields;
    }

    /// A row that the reader takes.
    fn read(&self, memory: &mut Memory, row: &Row<'_>, body: &str) {
        memory.created = row.created.map(Instant::timestamp);
        memory.updated = row.updated.map(Instant::timestamp);
        memory.expires = self.expiry(row);
        let why = match &self.place {
            None => Some(
                "the bot reads items/episodic/YYYY-MM-DD.jsonl, items/semantic.jsonl and \
                 items/procedural.jsonl, and those of scopes with valid names only",
            ),
            Some(_) if java::is_blank(body) => Some("its content is blank, which retrieval skips"),
            Some(_) => None,
        };
        if why.is_some() {
            memory.sight = Sight::Invalid;
        }
        memory.hidden = why.map(Into::into);
    }

    /// When the system stops seeing a row: its `ttlDays`, the decay, the look back over day files.
    fn expiry(&self, row: &Row<'_>) -> Option<Expiry> {
        let ttl = row.ttl_end().map(|at| (at, "its ttlDays are over"));
        let days = self.config.decay_days;
        let decay = row.stamp().filter(|_| self.config.decay);
        let decay = decay.map(|at| (at.plus_days(days), "it was not updated for decayDays"));
        let day = match self.place.as_ref().map(|place| place.file) {
            Some(Tree::Day(day)) => Some(Instant {
                seconds: day.saturating_mul(86_400),
                nanos: 0,
            }),
            _ => None,
        };
        let back = self.config.lookback;
        let day = day.map(|at| {
            (
                at.plus_days(back),
                "its day is further back than retrievalLookbackDays",
            )
        });
        let first = [ttl, decay, day]
            .into_iter()
            .flatten()
            .min_by_key(|(at, _)| *at)?;
        Some(Expiry {
            at: first.0.timestamp(),
            why: first.1,
        })
    }
}

/// Shares that are none: the reader takes them, and counts them in a score as the nearest that is
/// one (spec section 6.1; formats: golemcore, "Retrieval").
fn out_of_range(row: &Row<'_>, place: impl Fn(&str) -> (u32, u32)) -> Vec<Problem> {
    let shares = [("confidence", row.confidence), ("salience", row.salience)];
    let wrong = shares.into_iter().filter_map(|(name, share)| {
        let share = share.filter(|share| !(0.0..=1.0).contains(share))?;
        let message = format!("`{name}` is {share}, not a number from 0 to 1");
        let at = place(name);
        Some(Problem::new(
            "unknown-value",
            Severity::Warning,
            at,
            message,
        ))
    });
    wrong.collect()
}

/// Text behind the object: the reader does not look there.
fn trailing(line: &[u8], object: &Object, number: u32) -> Option<Problem> {
    let rest = line.get(object.span.end..).unwrap_or_default();
    if rest.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let message = "text behind the object, which the reader does not see and a rewrite loses";
    let column = column(line, object.span.end);
    Some(Problem::new(
        "load-error",
        Severity::Warning,
        (number, column),
        message,
    ))
}

/// The title to show: its own, else the beginning of the content.
fn title(fields: &Fields, body: &str) -> Option<Box<str>> {
    let own = fields.get("title").and_then(Value::as_str);
    if let Some(own) = own.filter(|title| !title.trim().is_empty()) {
        return Some(own.into());
    }
    Some(title_of(body)).filter(|title| !title.is_empty())
}

fn date(fields: &Fields, name: &str) -> Option<Timestamp> {
    let text = fields.get(name).and_then(Value::as_str)?;
    Instant::parse(text).map(Instant::timestamp)
}

fn count<'a>(words: impl Iterator<Item = &'a str>) -> u32 {
    u32::try_from(words.count()).unwrap_or(u32::MAX)
}

/// The column of a byte of a line, in characters, from 1.
fn column(line: &[u8], at: usize) -> u32 {
    let before = line.get(..at).unwrap_or_default();
    let characters = String::from_utf8_lossy(before).chars().count();
    u32::try_from(characters + 1).unwrap_or(u32::MAX)
}
