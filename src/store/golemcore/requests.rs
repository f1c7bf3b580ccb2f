//! Stages requests on a tree of golemcore memories.

mod aside;
mod promote;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{GolemcoreStore, reader, text_of};
use crate::memory::edit::{EditError, FieldEdit};
use crate::memory::json::splice::object;
use crate::memory::{Fields, Memory, State, Value};
use crate::store::{Overlay, Request, StoreError};
use crate::systems::golemcore::line_edit::{self, coerced};
use crate::systems::golemcore::lines::{eol, with_end};
use crate::systems::golemcore::schema::{CONTENT, LAYERS, TYPES};
use crate::systems::golemcore::{
    Instant, Layer, Place, Row, Tree, fingerprint, id_of, java, marker, row, scope,
};

pub(super) use aside::put_back;
use aside::{archive, remembered, restore};
pub(super) use promote::{forget, promote};

/// Stages a request; see [`crate::store::Store::stage`].
pub(super) fn stage(
    store: &GolemcoreStore,
    request: &Request<'_>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    match *request {
        Request::Edit { memory, edits } => edit(store, memory, edits, overlay),
        Request::Save {
            memory,
            expected,
            text,
        } => {
            let (_, line) = line(memory, overlay, false)?;
            if String::from_utf8_lossy(&text_of(&line)) != expected {
                return Err(StoreError::Changed(memory.path.to_path_buf()));
            }
            let edits = [match object(&line) {
                Ok(_) => FieldEdit::Body(text.to_owned()),
                Err(_) => FieldEdit::Text(text.to_owned()),
            }];
            let after = line_edit::apply(&line, &edits, overlay.now)?;
            overlay.note(neutralised(after.neutralised));
            put(memory, &after.line, overlay)
        }
        Request::Add {
            title,
            fields,
            body,
            ..
        } => add(store, title, fields, body, overlay),
        Request::Rename { memory, .. } => Err(StoreError::Refused(format!(
            "{} has no name but its id: set the field `id`",
            memory.id
        ))),
        Request::Delete(memory) => {
            let line = take_out(memory, overlay)?;
            overlay.took(&memory.id, remembered(store, memory, &line));
            Ok(())
        }
        Request::Archive(memory) => archive(store, memory, overlay),
        Request::Restore(memory) => restore(store, memory, overlay),
        Request::SplitFile(memory) => Err(StoreError::Refused(format!(
            "{} holds many memories as its system wants it",
            memory.path.display()
        ))),
        Request::Normalize(memory) => {
            let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
            let after = bytes
                .strip_prefix(b"\xEF\xBB\xBF")
                .unwrap_or(bytes)
                .to_vec();
            overlay.write(&memory.path, after)
        }
    }
}

/// The number of a memory's line among the rows of its file, as it is staged, and the line.
fn line(
    memory: &Memory,
    overlay: &mut Overlay,
    unchanged: bool,
) -> Result<(usize, Vec<u8>), StoreError> {
    let bytes = overlay.read(&memory.path, unchanged.then_some(memory.stamp))?;
    let number = memory.document as usize;
    let row = reader::rows(bytes).into_iter().nth(number);
    let line = row.and_then(|row| bytes.get(row.span));
    match line {
        Some(line) => Ok((number, line.to_vec())),
        None => Err(EditError::NoSuchDocument(number).into()),
    }
}

/// Puts another line in the place of a memory's.
fn put(memory: &Memory, line: &[u8], overlay: &mut Overlay) -> Result<(), StoreError> {
    let bytes = overlay.read(&memory.path, None)?;
    let rows = reader::rows(bytes);
    let place = rows.get(memory.document as usize);
    let Some(span) = place.map(|row| row.span.clone()) else {
        return Err(StoreError::Changed(memory.path.to_path_buf()));
    };
    let head = bytes.get(..span.start).unwrap_or_default();
    let tail = bytes.get(span.end..).unwrap_or_default();
    let after = [head, line, tail].concat();
    // The rows around it are the same ones still.
    if reader::rows(&after).len() != rows.len() {
        return Err(EditError::Refused("this text would change another memory of the file").into());
    }
    overlay.write(&memory.path, after)
}

fn edit(
    store: &GolemcoreStore,
    memory: &Memory,
    edits: &[FieldEdit],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let (_, line) = line(memory, overlay, true)?;
    // The text of a row that can be read is its content, that of another one is all of the line.
    let readable = object(&line).is_ok();
    let as_body = |edit: &FieldEdit| match edit {
        FieldEdit::Text(text) if readable => FieldEdit::Body(text.clone()),
        FieldEdit::Body(text) if !readable => FieldEdit::Text(text.clone()),
        edit => edit.clone(),
    };
    let own: Vec<FieldEdit> = edits.iter().map(as_body).collect();
    for edit in &own {
        if let FieldEdit::Set { field, value } = edit
            && field == "scope"
        {
            known_scope(value)?;
        }
    }
    let after = line_edit::apply(&line, &own, overlay.now)?;
    refuse_unreadable(&after.line, &|field| {
        own.iter().any(|edit| edit.field_name() == field)
    })?;
    overlay.note(neutralised(after.neutralised));
    let moves = edits
        .iter()
        .any(|edit| ["layer", "scope"].contains(&edit.field_name()));
    let target = if moves && memory.state == State::Active {
        target(store, memory, &after.line, overlay)
    } else {
        None
    };
    match target {
        None => put(memory, &after.line, overlay),
        Some(target) => {
            take_out(memory, overlay)?;
            let fields =
                object(&after.line).map(|object| row::fields(&after.line, &object.entries));
            let instead = "archive the one that is not needed";
            refuse_twin(
                store,
                &target,
                &fields.unwrap_or_default(),
                instead,
                overlay,
            )?;
            append(&target, &after.line, &memory.path, overlay)
        }
    }
}

/// Refuses a value that makes the reader skip the line, and a writer of the system lose it.
fn refuse_unreadable(line: &[u8], edited: &dyn Fn(&str) -> bool) -> Result<(), StoreError> {
    let Ok(object) = object(line) else {
        return Ok(());
    };
    let fields = row::fields(line, &object.entries);
    match Row::of(&fields) {
        Err(fault) if edited(fault.field) => Err(StoreError::Refused(format!(
            "{}: its system would skip the memory",
            fault.message
        ))),
        _ => Ok(()),
    }
}

/// Note about neutralised markers.
fn neutralised(count: usize) -> Option<String> {
    let what = if count == 1 {
        "a marker of prompt injection".to_owned()
    } else {
        format!("{count} markers of prompt injection")
    };
    (count > 0).then(|| format!("{what} neutralised"))
}

/// The file that a line belongs to where it is not the one it stands in: its layer and its scope
/// say which. The system has no file for working memory.
fn target(
    store: &GolemcoreStore,
    memory: &Memory,
    line: &[u8],
    overlay: &Overlay,
) -> Option<PathBuf> {
    let object = object(line).ok()?;
    let fields = row::fields(line, &object.entries);
    let row = Row::of(&fields).ok()?;
    let layer = row.layer.filter(|layer| *layer != Layer::Working)?;
    let scope = scope::normal(row.scope.as_deref().unwrap_or_default());
    let place = Place::of(&memory.path)?;
    let stays = match place.file {
        Tree::Day(_) => layer == Layer::Episodic,
        Tree::Semantic => layer == Layer::Semantic,
        Tree::Procedural => layer == Layer::Procedural,
    };
    if stays && place.scope == scope {
        return None;
    }
    let day = match place.file {
        // An episode stays one of its day.
        Tree::Day(_) => memory.path.file_stem()?.to_str()?.to_owned(),
        _ => overlay.day(overlay.now),
    };
    Some(store.info.path.join(Place::file(&scope, layer, &day)))
}

/// Adds a line at the end of a file.
fn append(path: &Path, line: &[u8], like: &Path, overlay: &mut Overlay) -> Result<(), StoreError> {
    if !overlay.exists(path) {
        return overlay.write_beside(path, [line, b"\n"].concat(), like);
    }
    let bytes = overlay.read(path, None)?;
    let end = eol(bytes).as_bytes();
    let gap: &[u8] = match reader::rows(bytes).last() {
        Some(row) if with_end(bytes, &row.span).end == row.span.end => end,
        _ => b"",
    };
    let after = [bytes, gap, line, end].concat();
    overlay.write(path, after)
}

/// Cuts a memory's line out of its file, the file with it where it was alone; gives the line.
fn take_out(memory: &Memory, overlay: &mut Overlay) -> Result<Vec<u8>, StoreError> {
    let (number, line) = line(memory, overlay, true)?;
    let bytes = overlay.read(&memory.path, None)?;
    let rows = reader::rows(bytes);
    let Some(row) = rows.get(number) else {
        return Err(StoreError::Changed(memory.path.to_path_buf()));
    };
    let gone = with_end(bytes, &row.span);
    let head = bytes.get(..gone.start).unwrap_or_default();
    let tail = bytes.get(gone.end..).unwrap_or_default();
    let rest = [head, tail].concat();
    if rest.is_empty() {
        overlay.remove(&memory.path, None)?;
    } else {
        overlay.write(&memory.path, rest)?;
    }
    Ok(line)
}

fn add(
    store: &GolemcoreStore,
    title: &str,
    fields: &[(String, Value)],
    body: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let body = body.trim_end_matches(['\n', '\r']);
    if java::is_blank(body) {
        return Err(StoreError::Refused(
            "a memory without content is never read".to_owned(),
        ));
    }
    let (title, in_title) = clean(title);
    let (content, in_content) = clean(body);
    let now = Value::from(overlay.now.to_rfc3339());
    let mut all: Vec<(String, Value)> = vec![
        ("title".to_owned(), title.into()),
        (CONTENT.to_owned(), content.as_str().into()),
    ];
    let mut in_fields = 0;
    for (name, value) in fields {
        let (value, count) = marker::clean(value);
        in_fields += count;
        all.push((name.clone(), word(name, &value)?));
    }
    overlay.note(neutralised(in_title + in_content + in_fields));
    let default = |all: &mut Vec<(String, Value)>, name: &str, value: Value| {
        if !all.iter().any(|(known, _)| known == name) {
            all.push((name.to_owned(), value));
        }
    };
    for (name, value) in [
        ("layer", "SEMANTIC".into()),
        ("type", "PROJECT_FACT".into()),
        ("scope", scope::GLOBAL.into()),
        ("createdAt", now.clone()),
        ("updatedAt", now),
    ] {
        default(&mut all, name, value);
    }
    let get = |name: &str| -> String {
        let found = all.iter().find(|(known, _)| known == name);
        found
            .and_then(|(_, value)| value.as_str())
            .unwrap_or_default()
            .to_owned()
    };
    let (layer, scope, kind) = (get("layer"), get("scope"), get("type"));
    let (title, layer) = (
        get("title"),
        Layer::named(&layer).unwrap_or(Layer::Semantic),
    );
    let scope = scope::normal(&scope);
    // The day of an episode is the one, here, on which it was made (formats: golemcore, "Storage").
    let created = Instant::parse(&get("createdAt")).map_or(overlay.now, Instant::timestamp);
    let day = overlay.day(created);
    // There is no file for working memory; its rows pass as episodes of the day.
    let place = Place::file(&scope, layer, &day);
    let path = store.file(Path::new(&place));
    let seed = format!("{place}|{}|{}|{content}", overlay.now.0, title);
    let made = fingerprint(Some(&kind), Some(&get("source")), &content);
    default(&mut all, "id", id_of(&seed).into());
    default(&mut all, "fingerprint", made.into());
    let known: Fields = all.iter().cloned().collect();
    Row::of(&known).map_err(|fault| StoreError::Refused(fault.message))?;
    refuse_twin(store, &path, &known, "edit that one", overlay)?;
    append(&path, line_edit::compose(&all).as_bytes(), &path, overlay)
}

fn clean(text: &str) -> (String, usize) {
    marker::neutralised(text).unwrap_or_else(|| (text.to_owned(), 0))
}

/// A value as it is written: words of choices in the system's letters, numbers as numbers.
fn word(name: &str, value: &Value) -> Result<Value, StoreError> {
    let words = match name {
        "scope" => {
            known_scope(value)?;
            return Ok(value.clone());
        }
        "layer" => LAYERS,
        "type" => TYPES,
        _ => return Ok(coerced(name, value)),
    };
    let text = value.as_str().unwrap_or_default();
    let found = words.iter().find(|word| word.eq_ignore_ascii_case(text));
    match found {
        Some(word) => Ok(Value::from(*word)),
        None => Err(StoreError::Refused(format!(
            "`{text}` is no {name}: it can be {}",
            words.join(", ")
        ))),
    }
}

/// Refuses a scope that the system would take for the global one.
fn known_scope(value: &Value) -> Result<(), StoreError> {
    let text = value.to_string();
    let is_known = matches!(value, Value::Null)
        || text.trim().is_empty()
        || scope::known(java::trim(&text)).is_some();
    match is_known {
        true => Ok(()),
        false => Err(StoreError::Refused(format!(
            "`{text}` is no scope: it can be {}",
            scope::FORMS
        ))),
    }
}

/// Refuses a row that the system would merge with one of the file: they have one fingerprint, or
/// one id (formats: golemcore, "Fingerprint").
fn refuse_twin(
    store: &GolemcoreStore,
    path: &Path,
    fields: &Fields,
    instead: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let Some(bytes) = overlay.current(path)? else {
        return Ok(());
    };
    for (name, what) in [("fingerprint", "says the same"), ("id", "has the same id")] {
        let own = fields.get(name).and_then(Value::as_str);
        let own = own.filter(|own| !own.trim().is_empty());
        // Few files have it: those that have not need not be read row by row.
        let has = |own: &&str| memchr::memmem::find(bytes, own.as_bytes()).is_some();
        let Some(own) = own.filter(has) else { continue };
        let rows = reader::parse(store, path, bytes, crate::memory::Stamp::default());
        let mut rows = rows.iter();
        let is_twin = |row: &&Arc<Memory>| row.field(name).and_then(Value::as_str) == Some(own);
        if let Some(twin) = rows.find(is_twin) {
            let why = format!("{} {what} already: {instead}", twin.id);
            return Err(StoreError::Refused(why));
        }
    }
    Ok(())
}
