//! golemcore's JSON lines as a file of entries: every line that is not blank is a memory, whatever
//! is wrong with it.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::java::{eol, lines, with_end};
use super::line_edit::{self, coerced};
use super::row::fields_of;
use super::row_memory::{RowReader, content, name_of};
use super::{
    CONTENT, Config, GOLEMCORE, Instant, LAYERS, Layer, Place, Row, TYPES, Tree, fingerprint,
    id_of, java, marker, scope,
};
use crate::memory::document::BOM;
use crate::memory::edit::{EditError, FieldEdit, splice};
use crate::memory::json::splice::object;
use crate::memory::json::{self, Kind, slice};
use crate::memory::lines::Lines;
use crate::memory::{Fields, Memory, Schema, State, Timestamp, Value};
use crate::retrieval::Options;
use crate::systems::codec::{
    Change, Codec, Composed, Edited, EntryFile, Moment, NewMemory, Raised, Result, refuse,
};

/// The codec.
pub struct GolemcoreCodec;

impl Codec for GolemcoreCodec {
    fn schema(&self) -> &'static Schema {
        &GOLEMCORE
    }

    fn is_own(&self, bytes: &[u8]) -> bool {
        bytes.trim_ascii().is_empty() || are_memories(bytes, 0)
    }

    fn empty(&self, _state: State) -> Vec<u8> {
        Vec::new()
    }

    fn spans(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        rows(bytes).map(|(_, span)| span).collect()
    }

    fn memories(&self, bytes: &[u8], file: &EntryFile<'_>) -> Vec<Memory> {
        // A file that was given by its path and stands in no tree is taken for one of facts.
        let place = Place::of(&file.path).or_else(|| file.is_alone.then(Place::facts));
        let reader = RowReader {
            place,
            config: Config::of(file.options),
            file,
        };
        let rows: Vec<_> = rows(bytes).zip(0..).collect();
        let rows = rows.into_par_iter().with_min_len(256);
        let memory = |((line, span), document)| Memory {
            document,
            ..reader.memory(bytes, line, span)
        };
        rows.map(memory).collect()
    }

    /// Its id, else its file and line.
    fn name(&self, memory: &Memory) -> Option<String> {
        Some(name_of(memory.field("id"), &memory.path, memory.line))
    }

    fn mark_of_copies(&self) -> Option<&'static str> {
        Some("fingerprint")
    }

    /// Its content; of a line that is no object the line.
    fn text(&self, entry: &[u8]) -> Vec<u8> {
        let Ok(object) = object(entry) else {
            return entry.to_vec();
        };
        content(entry, &object).into_bytes()
    }

    fn loader_text(&self, from_entry: &[u8], length: usize) -> Vec<u8> {
        self.text(slice(from_entry, &(0..length)))
    }

    fn places(&self, entry: &[u8], bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        let lines = Lines::new(entry);
        let column = |byte: usize| (0, lines.in_file(entry, byte).1);
        Some(sources(entry, bytes).into_iter().map(column).collect())
    }

    fn change(&self, bytes: &[u8], index: usize, change: Change<'_>, at: Moment) -> Result<Edited> {
        let edits = match change {
            Change::Name(_) => return refuse("it has no name but its id: set the field `id`"),
            Change::Normal => {
                let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes).to_vec();
                return Ok(Edited::new(bytes, index));
            }
            Change::Fields(edits) => edits,
        };
        let span = rows(bytes).nth(index).map(|(_, span)| span);
        let span = span.ok_or_else(|| EditError::no_document(index))?;
        let line = slice(bytes, &span);
        // The text of a row that can be read is its content, that of another one is all of the line.
        let readable = object(line).is_ok();
        let own = |edit: &FieldEdit| match edit {
            FieldEdit::Text(text) if readable => FieldEdit::Body(text.clone()),
            FieldEdit::Body(text) if !readable => FieldEdit::Text(text.clone()),
            edit => edit.clone(),
        };
        let edits: Vec<FieldEdit> = edits.iter().map(own).collect();
        let mut scopes = edits.iter().filter_map(|edit| match edit {
            FieldEdit::Set { field, value } if field == "scope" => Some(value),
            _ => None,
        });
        scopes.try_for_each(known_scope)?;
        let edited = line_edit::apply(line, &edits, at.now)?;
        let faulty = fields_of(&edited.line).and_then(|fields| Row::of(&fields).err());
        let names = |field| edits.iter().any(|edit| edit.field_name() == field);
        if let Some(fault) = faulty.filter(|fault| names(fault.field)) {
            let why = fault.message;
            return refuse(format!("{why}: its system would skip the memory"));
        }
        let after = splice(bytes, vec![(span, edited.line)]);
        // The rows around it are the same ones still.
        if rows(&after).count() != rows(bytes).count() {
            return refuse("this text would change another memory of the file");
        }
        Ok(Edited {
            notes: neutralised(edited.neutralised),
            ..Edited::new(after, index)
        })
    }

    fn cut(&self, bytes: &[u8], indexes: &[usize]) -> Vec<Vec<u8>> {
        let rows = self.spans(bytes);
        let rows = indexes.iter().filter_map(|index| rows.get(*index));
        rows.map(|row| slice(bytes, row).to_vec()).collect()
    }

    fn without(&self, bytes: &[u8], indexes: &[usize], _: State) -> Result<Vec<u8>> {
        let rows = self.spans(bytes);
        let gone = |index: &usize| {
            let row = rows.get(*index);
            let row = row.ok_or_else(|| EditError::no_document(*index))?;
            Ok((with_end(bytes, row), Vec::new()))
        };
        let gone = indexes.iter().map(gone).collect::<Result<_>>()?;
        Ok(splice(bytes, gone))
    }

    /// Adds the line at the end of the file.
    fn insert(&self, bytes: &[u8], entry: &[u8], _: Option<&[&[u8]]>) -> Result<Vec<u8>> {
        let end = eol(bytes).as_bytes();
        let gap = match rows(bytes).last() {
            Some((_, row)) if with_end(bytes, &row).end == row.end => end,
            _ => b"",
        };
        Ok([bytes, gap, entry, end].concat())
    }

    fn compose(&self, new: NewMemory<'_>, _: &[Vec<u8>], at: Moment) -> Result<Composed> {
        let body = new.body.trim_end_matches(['\n', '\r']);
        if java::is_blank(body) {
            return refuse("a memory without content is never read");
        }
        let mut found = 0;
        let mut all: Vec<(String, Value)> = Vec::new();
        let given = [("title", new.title.into()), (CONTENT, body.into())];
        let fields = new.fields.iter();
        let fields = fields.map(|(name, value)| (&**name, value.clone()));
        for (name, value) in given.into_iter().chain(fields) {
            let (value, count) = marker::clean(&value);
            found += count;
            all.push((name.to_owned(), word(name, value)?));
        }
        let now = Value::from(at.now.to_rfc3339());
        for (name, value) in [
            ("layer", "SEMANTIC".into()),
            ("type", "PROJECT_FACT".into()),
            ("scope", scope::GLOBAL.into()),
            ("createdAt", now.clone()),
            ("updatedAt", now),
        ] {
            default(&mut all, name, value);
        }
        let get = |name: &str| {
            let found = all.iter().find(|(known, _)| known == name);
            let text = found.and_then(|(_, value)| value.as_str());
            text.unwrap_or_default().to_owned()
        };
        let (kind, source, content) = (get("type"), get("source"), get(CONTENT));
        let layer = Layer::named(&get("layer")).unwrap_or(Layer::Semantic);
        // The day of an episode is the one, here, on which it was made (formats: golemcore, "Storage").
        let created = Instant::parse(&get("createdAt")).map_or(at.now, Instant::timestamp);
        // There is no file for working memory; its rows pass as episodes of the day.
        let file = Place::file(&scope::normal(&get("scope")), layer, &at.day(created));
        let seed = format!("{file}|{}|{}|{content}", at.now.0, get("title"));
        let print = fingerprint(Some(&kind), Some(&source), &content);
        // What did not come from the user starts below what promotion asks for (specs: golemcore,
        // section 14.2).
        let is_users = source.eq_ignore_ascii_case("user");
        let confidence = if is_users { 0.85 } else { UNTRUSTED };
        default(&mut all, "confidence", confidence.into());
        default(&mut all, "id", id_of(&seed).into());
        default(&mut all, "fingerprint", print.into());
        let known: Fields = all.into_iter().collect();
        if let Err(fault) = Row::of(&known) {
            return refuse(fault.message);
        }
        Ok(Composed {
            entry: line_edit::compose(&known).into_bytes(),
            file,
            notes: neutralised(found),
        })
    }

    /// Its layer and its scope say which file it belongs to. The system has none for working
    /// memory.
    fn home(&self, entry: &[u8], edits: &[FieldEdit], path: &Path, at: Moment) -> Option<String> {
        let mut edits = edits.iter();
        if !edits.any(|edit| ["layer", "scope"].contains(&edit.field_name())) {
            return None;
        }
        let fields = fields_of(entry)?;
        let row = Row::of(&fields).ok()?;
        let layer = row.layer.filter(|layer| *layer != Layer::Working)?;
        let scope = scope::normal(row.scope.as_deref().unwrap_or_default());
        let place = Place::of(path)?;
        let (own, day) = match place.file {
            // An episode stays one of its day.
            Tree::Day(_) => (Layer::Episodic, path.file_stem()?.to_str()?.to_owned()),
            Tree::Semantic => (Layer::Semantic, at.day(at.now)),
            Tree::Procedural => (Layer::Procedural, at.day(at.now)),
        };
        let stays = own == layer && place.scope == scope;
        (!stays).then(|| Place::file(&scope, layer, &day))
    }

    /// They have one fingerprint, or one id (formats: golemcore, "Fingerprint").
    fn twin(&self, bytes: &[u8], entry: &[u8]) -> Option<(usize, &'static str)> {
        let fields = fields_of(entry)?;
        let twin = |(name, why)| {
            let own = fields.get(name).and_then(Value::as_str);
            let own = own.filter(|own| !own.trim().is_empty())?;
            // Few files have it: those that have not need not be read row by row.
            memchr::memmem::find(bytes, own.as_bytes())?;
            let has = |(_, row): (u32, Range<usize>)| {
                let fields = fields_of(slice(bytes, &row));
                fields.is_some_and(|fields| fields.get(name).and_then(Value::as_str) == Some(own))
            };
            Some((rows(bytes).position(has)?, why))
        };
        let marks = [("fingerprint", "says the same"), ("id", "has the same id")];
        marks.into_iter().find_map(twin)
    }

    /// Promotes an entry to a more lasting layer, or back to the episodes (formats: golemcore,
    /// "Extraction / promotion"). The line moves: no copy stays behind to take a place. One that the
    /// system promoted itself has its copy there and is refused.
    fn raise(&self, entry: &[u8], up: bool, options: &Options) -> Option<Result<Raised>> {
        Some(raise(entry, up, &Config::of(options)))
    }

    /// A memory that expires at once, as the system's own tool has it; the bot takes the row out
    /// when it next writes the file.
    fn forget(&self, entry: &[u8], now: Timestamp) -> Option<Vec<FieldEdit>> {
        let fields = fields_of(entry).unwrap_or_default();
        let created = Row::of(&fields).ok().and_then(|row| row.created);
        let mut edits = vec![FieldEdit::set("ttlDays", Value::Int(0))];
        // Days are counted from the creation: without one they would never be over, and from one
        // that is still to come not before that.
        if created.is_none_or(|created| created.timestamp() >= now) {
            let before = Timestamp(now.0.saturating_sub(1));
            edits.push(FieldEdit::set("createdAt", before.to_rfc3339()));
        }
        Some(edits)
    }
}

/// The rows of a file: the lines that are not blank, by their numbers from 1.
fn rows(bytes: &[u8]) -> impl Iterator<Item = (u32, Range<usize>)> {
    let is_row = |(_, span): &(u32, Range<usize>)| {
        let line = slice(bytes, span);
        let plain = line.first().is_some_and(u8::is_ascii_graphic);
        plain || !java::is_blank(&String::from_utf8_lossy(line))
    };
    (1..).zip(lines(bytes)).filter(is_row)
}

/// True if there are memories among rows, and at least so many of a hundred are.
pub fn are_memories(bytes: &[u8], percent: usize) -> bool {
    let is_memory = |(_, row): &(u32, Range<usize>)| {
        let line = slice(bytes, row);
        let has = |name| object(line).is_ok_and(|object| object.entry(line, name).is_some());
        ["id", CONTENT].into_iter().all(has) && ["layer", "type"].into_iter().any(has)
    };
    let memories = rows(bytes).filter(is_memory).count();
    memories > 0 && 100 * memories >= percent * rows(bytes).count()
}

/// Positions in a line of bytes of its text, in order.
fn sources(line: &[u8], bytes: &[usize]) -> Vec<usize> {
    let Ok(object) = object(line) else {
        return bytes.to_vec();
    };
    let Some(entry) = object.entry(line, CONTENT) else {
        return vec![0; bytes.len()];
    };
    let span = &entry.value.span;
    match entry.value.kind {
        Kind::Text => {
            let places = json::sources(slice(line, span), bytes).into_iter();
            places.map(|at| span.start + at).collect()
        }
        _ => vec![span.start; bytes.len()],
    }
}

/// The confidence of what did not come from the user.
pub const UNTRUSTED: f64 = 0.6;

fn neutralised(count: usize) -> Vec<String> {
    let what = match count {
        0 => return Vec::new(),
        1 => "a marker of prompt injection".to_owned(),
        _ => format!("{count} markers of prompt injection"),
    };
    vec![format!("{what} neutralised")]
}

fn default(all: &mut Vec<(String, Value)>, name: &str, value: Value) {
    if !all.iter().any(|(known, _)| known == name) {
        all.push((name.to_owned(), value));
    }
}

/// A value as it is written: words of choices in the system's letters, numbers as numbers.
fn word(name: &str, value: Value) -> Result<Value> {
    let words = match name {
        "scope" => {
            known_scope(&value)?;
            return Ok(value);
        }
        "layer" => *LAYERS,
        "type" => *TYPES,
        _ => return Ok(coerced(name, &value)),
    };
    let text = value.as_str().unwrap_or_default();
    match words.iter().find(|word| word.eq_ignore_ascii_case(text)) {
        Some(word) => Ok(Value::from(*word)),
        None => refuse(format!(
            "`{text}` is no {name}: it can be {}",
            words.join(", ")
        )),
    }
}

/// Refuses a scope that the system would take for the global one.
fn known_scope(value: &Value) -> Result<()> {
    let text = value.to_string();
    let is_known = text.trim().is_empty() || scope::known(java::trim(&text)).is_some();
    match is_known {
        true => Ok(()),
        false => refuse(format!("`{text}` is no scope: it can be {}", scope::FORMS)),
    }
}

/// The layer that promotion moves a type to; none for a state of a task.
pub fn lasting_layer(kind: &str) -> Option<Layer> {
    match kind {
        "CONSTRAINT" | "PREFERENCE" | "PROJECT_FACT" | "DECISION" => Some(Layer::Semantic),
        "FAILURE" | "FIX" | "COMMAND_RESULT" => Some(Layer::Procedural),
        _ => None,
    }
}

fn raise(entry: &[u8], up: bool, config: &Config) -> Result<Raised> {
    let Some(fields) = fields_of(entry) else {
        return refuse("its line is no JSON object");
    };
    let row = Row::of(&fields).or_else(|fault| refuse(fault.message))?;
    let layer = row.layer.unwrap_or(Layer::Episodic);
    let kind = row.kind.unwrap_or_default();
    if !up {
        if layer <= Layer::Episodic {
            return refuse("it is an episode already, the lowest layer with a file");
        }
        return Ok(Raised {
            edits: vec![FieldEdit::set("layer", "EPISODIC")],
            why: format!("{} back to EPISODIC", layer.word()),
            doubt: None,
        });
    }
    if layer >= Layer::Semantic {
        return refuse("it is promoted already; `edit --set layer=…` moves it elsewhere");
    }
    let lasting = lasting_layer(kind);
    let to = lasting.unwrap_or(Layer::Semantic).word();
    let least = config.promotion;
    let confidence = row.confidence.unwrap_or(0.75);
    let doubt = if !config.promotes {
        Some("the system promotes nothing: the setting `promotionEnabled` is false".to_owned())
    } else if confidence < least {
        Some(format!(
            "its confidence is {confidence}, promotion asks for {least}, and sets it so"
        ))
    } else if lasting.is_none() {
        let kind = if kind.is_empty() { "no type" } else { kind };
        Some(format!("it has {kind}, which the system never promotes"))
    } else {
        None
    };
    let mut edits = vec![
        FieldEdit::set("layer", to),
        FieldEdit::set("scope", scope::GLOBAL),
    ];
    if confidence < least {
        edits.push(FieldEdit::set("confidence", least));
    }
    Ok(Raised {
        edits,
        why: format!("{kind} with confidence {confidence} to {to}"),
        doubt,
    })
}
