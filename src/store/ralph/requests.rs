//! Stages requests on Ralph's file and its archive.

mod together;

use std::collections::HashSet;
use std::path::Path;

use super::RalphStore;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, State, Value, document};
use crate::store::{Deleted, Overlay, Request, StoreError};
use crate::systems::ralph::{self, Edit, EditError, Entry, Layout, NewEntry, Spot, TEMPLATE, Type};

pub(super) use self::together::stage_all;

impl From<EditError> for StoreError {
    fn from(error: EditError) -> Self {
        Self::Refused(error.to_string())
    }
}

/// Stages a request; see [`crate::store::Store::stage`].
pub(super) fn stage(
    store: &RalphStore,
    request: &Request<'_>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    match *request {
        Request::Edit { memory, edits } => edit(memory, edits, overlay),
        Request::Save {
            memory,
            expected,
            text,
        } => save(memory, expected, text, overlay),
        Request::Add { fields, body, .. } => add(store, fields, body, overlay),
        Request::Rename { memory, to } => {
            let id = to.strip_prefix(super::ARCHIVED).unwrap_or(to).to_owned();
            one(memory, &Edit::Id(id), overlay)
        }
        Request::Delete(memory) => take_out(memory, overlay).map(drop),
        Request::Archive(memory) => archive(store, memory, overlay),
        Request::Restore(memory) => restore(store, memory, overlay),
        Request::SplitFile(_) => Err(StoreError::Refused(
            "Ralph keeps all its entries in one file".to_owned(),
        )),
        Request::Normalize(memory) => one(memory, &Edit::Normalize, overlay),
    }
}

/// The bytes of a memory's file as staged, and which of its entries the memory is now.
fn find(memory: &Memory, overlay: &mut Overlay) -> Result<(Vec<u8>, usize), StoreError> {
    let bytes = overlay.read(&memory.path, Some(memory.stamp))?.to_vec();
    let layout = ralph::read(&bytes);
    let gone = || StoreError::Changed(memory.path.to_path_buf());
    let number = memory.document as usize;
    let before = overlay.before(&memory.path);
    let text = |bytes: &[u8], entry: &Entry| part(bytes, &entry.span).trim_ascii_end().to_vec();
    // If nothing is staged yet, its position is unchanged.
    let Some(before) = before.filter(|before| **before != *bytes) else {
        let is_there = |entry: &&Entry| entry.span == memory.span;
        let found = layout.entries.get(number).filter(is_there);
        return found.map(|_| (bytes.clone(), number)).ok_or_else(gone);
    };
    let own = part(before, &memory.span).trim_ascii_end().to_vec();
    let same = |(_, entry): &(usize, &Entry)| text(&bytes, entry) == own;
    let found = layout.entries.iter().enumerate().find(same);
    // An earlier request of the same plan may have changed it.
    let by_name = || numbered(&bytes, &layout, &memory.id.local);
    let index = found.map(|(index, _)| index).or_else(by_name);
    index.map(|index| (bytes, index)).ok_or_else(gone)
}

/// The entry with a LOCAL.
fn numbered(bytes: &[u8], layout: &Layout, local: &str) -> Option<usize> {
    let local = local.strip_prefix(super::ARCHIVED).unwrap_or(local);
    let (id, count) = match local.rsplit_once('#') {
        Some((id, count)) => (id, count.parse().unwrap_or(1)),
        None => (local, 1_usize),
    };
    let same = |(_, entry): &(usize, &Entry)| entry.id(bytes) == id.as_bytes();
    let mut all = layout.entries.iter().enumerate().filter(same);
    all.nth(count.checked_sub(1)?).map(|(index, _)| index)
}

fn part<'a>(bytes: &'a [u8], range: &std::ops::Range<usize>) -> &'a [u8] {
    document::part(bytes, range.clone())
}

/// The day of the change, as Ralph writes days.
fn today(overlay: &Overlay) -> String {
    overlay.now.date()
}

/// The bytes after an edit, and the entry's place. Ralph does not read the archive.
fn applied(
    memory: &Memory,
    bytes: &[u8],
    index: usize,
    edit: &Edit,
    today: &str,
) -> Result<(Vec<u8>, usize), EditError> {
    match memory.state {
        State::Archived => ralph::apply_unread(bytes, index, edit, today),
        State::Active => ralph::apply(bytes, index, edit, today),
    }
}

fn one(memory: &Memory, change: &Edit, overlay: &mut Overlay) -> Result<(), StoreError> {
    let (bytes, index) = find(memory, overlay)?;
    let (after, index) = applied(memory, &bytes, index, change, &today(overlay))?;
    note(memory, &after, index, change, overlay);
    overlay.write(&memory.path, after)
}

/// Says where Ralph reads another value than was just written.
fn note(memory: &Memory, after: &[u8], index: usize, change: &Edit, overlay: &mut Overlay) {
    if memory.state == State::Active {
        overlay.note(ralph::misread(after, index, change));
    }
}

fn edit(memory: &Memory, edits: &[FieldEdit], overlay: &mut Overlay) -> Result<(), StoreError> {
    let (mut bytes, mut index) = find(memory, overlay)?;
    let today = today(overlay);
    let mut tags: Vec<String> = memory.tags().map(ToOwned::to_owned).collect();
    let mut changes = Vec::with_capacity(edits.len());
    for edit in edits {
        let change = change_of(edit, &mut tags)?;
        (bytes, index) = applied(memory, &bytes, index, &change, &today)?;
        changes.push(change);
    }
    for change in &changes {
        note(memory, &bytes, index, change, overlay);
    }
    overlay.write(&memory.path, bytes)
}

/// An edit of a field as one of Ralph's file. `tags` are those that earlier edits left.
fn change_of(edit: &FieldEdit, tags: &mut Vec<String>) -> Result<Edit, StoreError> {
    let refused = |why: String| Err(StoreError::Refused(why));
    match edit {
        FieldEdit::Body(text) | FieldEdit::Text(text) => return Ok(Edit::Content(text.clone())),
        _ => {}
    }
    match (edit.field_name(), edit) {
        ("tags", edit) => {
            change_tags(edit, tags)?;
            Ok(Edit::Tags(tags.clone()))
        }
        ("type", FieldEdit::Set { value, .. }) => match value.as_str().and_then(Type::named) {
            Some(kind) => Ok(Edit::Type(kind)),
            None => refused(format!(
                "`{value}` is no type: one of {}",
                Type::WORDS.join(", ")
            )),
        },
        ("created", FieldEdit::Set { value, .. }) => {
            match value.as_str().and_then(ralph::date_of) {
                Some(date) => Ok(Edit::Created(Some(date))),
                None => refused(format!("`{value}` is no day of a year: YYYY-MM-DD")),
            }
        }
        ("type", _) => refused("an entry of Ralph's stands in one of its sections".to_owned()),
        ("created", _) => refused(
            "Ralph reads tags and date together, and takes today where there is none: give it a date"
                .to_owned(),
        ),
        (name, _) => refused(format!(
            "an entry of Ralph's has no `{name}`: it has type, tags and created"
        )),
    }
}

fn change_tags(edit: &FieldEdit, tags: &mut Vec<String>) -> Result<(), StoreError> {
    let text = |value: &Value| value.to_string().trim().to_owned();
    let none = || StoreError::Refused("there is no such tag".to_owned());
    match edit {
        FieldEdit::Set { value, .. } => {
            let all = value.items().map(text);
            *tags = all.filter(|tag| !tag.is_empty()).collect();
        }
        FieldEdit::Unset { .. } => tags.clear(),
        FieldEdit::AddItem { item, .. } => tags.push(text(item)),
        FieldEdit::RemoveItem { index, .. } => {
            tags.get(*index).ok_or_else(none)?;
            tags.remove(*index);
        }
        FieldEdit::SetItem { index, value, .. } => {
            *tags.get_mut(*index).ok_or_else(none)? = text(value);
        }
        FieldEdit::MoveItem { from, to, .. } => {
            tags.get(*from).ok_or_else(none)?;
            let tag = tags.remove(*from);
            tags.insert((*to).min(tags.len()), tag);
        }
        FieldEdit::Body(_) | FieldEdit::Text(_) => {}
    }
    Ok(())
}

/// Saves a content over the one that the person saw.
fn save(
    memory: &Memory,
    expected: &str,
    text: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let bytes = overlay.read(&memory.path, None)?.to_vec();
    let layout = ralph::read(&bytes);
    let is_it = |entry: &Entry| {
        let content = ralph::content(part(&bytes, &entry.body));
        String::from_utf8_lossy(&content) == expected
    };
    let by_name = numbered(&bytes, &layout, &memory.id.local);
    let named = by_name.filter(|index| layout.entries.get(*index).is_some_and(is_it));
    let index = named.or_else(|| layout.entries.iter().position(is_it));
    let Some(index) = index else {
        return Err(StoreError::Changed(memory.path.to_path_buf()));
    };
    let change = Edit::Content(text.to_owned());
    let (after, index) = applied(memory, &bytes, index, &change, &today(overlay))?;
    note(memory, &after, index, &change, overlay);
    overlay.write(&memory.path, after)
}

/// Writes a new entry, with an id of the moment that no other has.
fn add(
    store: &RalphStore,
    fields: &[(String, Value)],
    body: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let path = &store.info.path;
    let mut tags = Vec::new();
    let mut kind = Type::default();
    let mut created = today(overlay);
    for (field, value) in fields {
        let field = field.clone();
        let value = value.clone();
        match change_of(&FieldEdit::Set { field, value }, &mut tags)? {
            Edit::Type(named) => kind = named,
            Edit::Created(Some(date)) => created = date,
            _ => {}
        }
    }
    let bytes = overlay.current(path)?;
    let bytes = bytes.map_or_else(|| TEMPLATE.into(), <[u8]>::to_vec);
    let archive = overlay.current(&store.info.archive)?;
    let archive = archive.unwrap_or_default().to_vec();
    if std::str::from_utf8(&bytes).is_err() {
        let why = "the file is not UTF-8, and Ralph reads nothing of it";
        overlay.note(Some(why.to_owned()));
    }
    let id = new_id(&[&bytes, &archive], overlay.now.0);
    let entry = NewEntry {
        id: &id,
        kind,
        content: body,
        tags: &tags,
        created: &created,
    };
    let after = ralph::add(&bytes, &entry)?;
    overlay.write(path, after)
}

/// An id as Ralph makes it: seconds, and of the microseconds what four digits hold; the next one
/// that is free.
fn new_id(files: &[&[u8]], milliseconds: i64) -> String {
    let layouts = files.iter().map(|bytes| (*bytes, ralph::read(bytes)));
    let mut taken: HashSet<Vec<u8>> = HashSet::new();
    for (bytes, layout) in layouts {
        taken.extend(layout.entries.iter().map(|entry| entry.id(bytes).to_vec()));
    }
    let seconds = milliseconds.div_euclid(1000).max(0);
    let micros = milliseconds.rem_euclid(1000) * 1000;
    let id = |step: i64| format!("mem-{seconds}-{:04x}", (micros + step) % 0x1_0000);
    let free = (0..0x1_0000)
        .map(id)
        .find(|id| !taken.contains(id.as_bytes()));
    free.unwrap_or_else(|| id(0))
}

/// Remembers the block of an entry that is taken out. Its section says the type, and is not in
/// the block.
fn took(memory: &Memory, kind: Type, text: &[u8], spot: Option<&Spot>, overlay: &mut Overlay) {
    let place = spot.and_then(|spot| serde_json::to_value(spot).ok());
    let header = format!("## {}\n\n", kind.section()).into_bytes();
    overlay.took_from(&memory.id, [&*header, text].concat(), place);
}

/// Cuts an entry out of its file; gives its block, which the plan remembers.
fn take_out(memory: &Memory, overlay: &mut Overlay) -> Result<Vec<u8>, StoreError> {
    let (bytes, index) = find(memory, overlay)?;
    let layout = ralph::read(&bytes);
    let entry = layout.entries.get(index);
    let text = entry
        .map_or(&[][..], |entry| part(&bytes, &entry.span))
        .to_vec();
    let kind = entry.map_or_else(Type::default, |entry| entry.kind);
    let after = match memory.state {
        State::Archived => ralph::take_out(&bytes, index)?,
        State::Active => ralph::delete(&bytes, index)?,
    };
    overlay.write(&memory.path, after)?;
    // Its place among its neighbours as they were before the plan took some of them.
    let before = overlay.before(&memory.path).unwrap_or(&bytes);
    let number = memory.document as usize;
    let entries = ralph::read(before).entries;
    let spot = match entries.get(number) {
        Some(entry) if entry.span == memory.span => Spot::of(before, number),
        _ => Spot::of(&bytes, index),
    };
    took(memory, kind, &text, spot.as_ref(), overlay);
    Ok(text)
}

fn archive(store: &RalphStore, memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
    if memory.state == State::Archived {
        return Err(StoreError::Refused(format!(
            "{} is archived already",
            memory.id
        )));
    }
    let text = take_out(memory, overlay)?;
    into_archive(store, memory, &text, overlay)
}

fn into_archive(
    store: &RalphStore,
    memory: &Memory,
    text: &[u8],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    insert(
        &store.info.archive,
        "Archived memories",
        kind_of(memory),
        text,
        &memory.path,
        overlay,
    )
}

fn restore(store: &RalphStore, memory: &Memory, overlay: &mut Overlay) -> Result<(), StoreError> {
    if memory.state != State::Archived {
        return Err(StoreError::Refused(format!(
            "{} is not archived",
            memory.id
        )));
    }
    let kind = kind_of(memory);
    let (bytes, index) = find(memory, overlay)?;
    let layout = ralph::read(&bytes);
    let entry = layout.entries.get(index);
    let text = entry
        .map_or(&[][..], |entry| part(&bytes, &entry.span))
        .to_vec();
    let rest = ralph::take_out(&bytes, index)?;
    // An archive that holds nothing any more goes with its last entry.
    if rest == ralph::template("Archived memories").as_bytes() {
        overlay.remove(&memory.path, None)?;
    } else {
        overlay.write(&memory.path, rest)?;
    }
    insert(
        &store.info.path,
        "Memories",
        kind,
        &text,
        &memory.path,
        overlay,
    )
}

fn kind_of(memory: &Memory) -> Type {
    let word = memory.field("type").and_then(Value::as_str);
    word.and_then(Type::named).unwrap_or_default()
}

/// Puts a block into a file where its id says, and makes the file where there is none.
fn insert(
    path: &Path,
    title: &str,
    kind: Type,
    text: &[u8],
    from: &Path,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let bytes = overlay.current(path)?;
    let bytes = bytes.map_or_else(|| ralph::template(title).into(), <[u8]>::to_vec);
    let after = ralph::put_back_at(&bytes, kind, text, &spots(text, overlay))?;
    overlay.write_beside(path, after, from)
}

/// Places where a block stood when it was taken out.
fn spots(block: &[u8], overlay: &Overlay) -> Vec<Spot> {
    let block = block.trim_ascii_end();
    let same = overlay
        .gone()
        .iter()
        .filter(|gone| gone.text.trim_ascii_end().ends_with(block));
    let places = same.filter_map(|gone| gone.place.clone());
    places
        .filter_map(|place| serde_json::from_value(place).ok())
        .collect()
}

/// Brings a deleted entry back; `text` is its section's header and its block.
pub(super) fn put_back(
    store: &RalphStore,
    &Deleted { id, text, .. }: &Deleted<'_>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let of_text = ralph::read(text);
    let path = match id.local.starts_with(super::ARCHIVED) {
        true => &store.info.archive,
        false => &store.info.path,
    };
    let bytes = overlay.current(path)?;
    let bytes = bytes.map_or_else(|| TEMPLATE.into(), <[u8]>::to_vec);
    let Some(entry) = of_text.entries.first() else {
        return Err(StoreError::Changed(path.clone()));
    };
    let block = part(text, &entry.span);
    let layout = ralph::read(&bytes);
    let there =
        |other: &Entry| part(&bytes, &other.span).trim_ascii_end() == block.trim_ascii_end();
    if layout.entries.iter().any(there) {
        return Err(StoreError::Refused(format!("{id} is there already")));
    }
    let after = ralph::put_back_at(&bytes, entry.kind, block, &spots(block, overlay))?;
    overlay.write(path, after)
}
