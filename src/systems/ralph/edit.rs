//! Changes to a file that touch no byte but those of what is changed. After each the file is
//! read again: the other entries must stand as they stood, and the changed one as intended.

mod insert;
mod splices;
mod spot;
mod views;

use std::ops::Range;

use super::block::{self, NewEntry, as_meant, block, content_lines};
use super::line;
use super::scan::{Entry, Layout, read};
use super::{Type, content};
use insert::{Strict, insert, insert_at};
use splices::{content_splices, metadata_splices, normal_splices};
pub use spot::Spot;
use views::About;
pub use views::misread;

/// Why an edit was not made. The bytes are as they were.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EditError(String);

impl EditError {
    /// An error that says this.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// One change to an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces its content; lines that stay keep their bytes.
    Content(String),
    /// Replaces its tags.
    Tags(Vec<String>),
    /// Replaces its date, `YYYY-MM-DD`; none: the day of the edit.
    Created(Option<String>),
    /// Moves it to the section of a type.
    Type(Type),
    /// Gives it another id.
    Id(String),
    /// Writes what Ralph does not read the way it reads it.
    Normalize,
}

/// Applies one edit; gives the file and the entry's place among its entries. Refused where Ralph
/// would read another one worse afterwards.
pub fn apply(
    bytes: &[u8],
    index: usize,
    edit: &Edit,
    today: &str,
) -> Result<(Vec<u8>, usize), EditError> {
    let (after, place) = apply_unread(bytes, index, edit, today)?;
    // A move was looked at when it was made.
    if !matches!(edit, Edit::Type(_)) {
        let about = About::Edited(index);
        views::check((bytes, &read(bytes)), (&after, &read(&after)), about)?;
    }
    Ok((after, place))
}

/// The same in a file that Ralph does not read.
pub fn apply_unread(
    bytes: &[u8],
    index: usize,
    edit: &Edit,
    today: &str,
) -> Result<(Vec<u8>, usize), EditError> {
    let before = read(bytes);
    let entry = entry_of(&before, index)?;
    let splices = match edit {
        Edit::Type(kind) => return move_to(bytes, &before, index, *kind),
        Edit::Content(text) => content_splices(bytes, &before, entry, text)?,
        Edit::Tags(tags) => metadata_splices(bytes, &before, entry, today, Some(tags), None)?,
        Edit::Created(date) => {
            let date = date.as_deref().unwrap_or(today);
            metadata_splices(bytes, &before, entry, today, None, Some(date))?
        }
        Edit::Id(id) => vec![(entry.id.clone(), id.clone().into_bytes())],
        Edit::Normalize => normal_splices(bytes, &before, entry, today)?,
    };
    let after = splice(bytes, splices);
    check_edit(bytes, &before, &after, index, edit)?;
    Ok((after, index))
}

/// Takes an entry out, and the blank line before it; refused where Ralph would read another one
/// worse without it.
pub fn delete(bytes: &[u8], index: usize) -> Result<Vec<u8>, EditError> {
    take_out_all(bytes, &read(bytes), &[index], true)
}

/// The same in a file that Ralph does not read.
pub fn take_out(bytes: &[u8], index: usize) -> Result<Vec<u8>, EditError> {
    take_out_all(bytes, &read(bytes), &[index], false)
}

/// The same for several entries, in the order of the file, of one that Ralph reads or not.
pub fn take_out_all(
    bytes: &[u8],
    before: &Layout,
    gone: &[usize],
    is_read: bool,
) -> Result<Vec<u8>, EditError> {
    let mut splices = Vec::with_capacity(gone.len());
    for index in gone {
        let span = &entry_of(before, *index)?.span;
        splices.push((cut(bytes, span), Vec::new()));
    }
    let after = splice(bytes, splices);
    let now = read(&after);
    let mut wanted = texts(bytes, before);
    let mut number = 0..;
    wanted.retain(|_| {
        number
            .next()
            .is_none_or(|n| gone.binary_search(&n).is_err())
    });
    if texts(&after, &now) != wanted {
        return Err(EditError::new("taking it out would change another entry"));
    }
    if is_read {
        views::check((bytes, before), (&after, &now), About::Removed(gone))?;
    }
    Ok(after)
}

/// Adds an entry as Ralph does: the newest first, right below the header of its section; where
/// there is no such section, both at the end.
pub fn add(bytes: &[u8], entry: &NewEntry<'_>) -> Result<Vec<u8>, EditError> {
    let layout = read(bytes);
    let text = block(entry, eol(&layout))?;
    let text = text.as_bytes();
    insert(bytes, &layout, entry.kind, text, None, Strict::Yes).map(|(bytes, _)| bytes)
}

/// Puts a block back into the section of a type, where its id says: ids begin with the time,
/// and the newest stand first.
pub fn put_back(bytes: &[u8], kind: Type, text: &[u8]) -> Result<Vec<u8>, EditError> {
    put_back_at(bytes, kind, text, &[])
}

/// The same for an entry that stood in one of these places: where one is as it was the entry
/// comes back there, else close to what is left of the first.
pub fn put_back_at(
    bytes: &[u8],
    kind: Type,
    text: &[u8],
    spots: &[Spot],
) -> Result<Vec<u8>, EditError> {
    let layout = read(bytes);
    let of_text = read(text);
    let [entry] = of_text.entries.as_slice() else {
        return Err(EditError::new("this is not one entry of Ralph's"));
    };
    let own = part(text, &entry.span);
    let id = entry.id(text);
    let find = |spot: &Spot| Some((spot.find(bytes, &layout, id)?, spot.lead().to_vec()));
    let found: Vec<_> = spots.iter().filter_map(find).collect();
    let exact = found.iter().find(|((_, exact), _)| *exact);
    // Restored text was in the file before, so any reading by Ralph is accepted.
    let wanted = (kind, own, Strict::No);
    for ((place, _), lead) in exact.into_iter().chain(found.first()) {
        if let Ok((after, _)) = insert_at(bytes, &layout, wanted, *place, lead) {
            return Ok(after);
        }
    }
    let place = place_by_age(bytes, &layout, kind, seconds(id));
    let strict = insert(bytes, &layout, kind, own, place, Strict::Yes);
    let any = |_| insert(bytes, &layout, kind, own, place, Strict::No);
    strict.or_else(any).map(|(bytes, _)| bytes)
}

/// Place of an entry of this age in the section of a type; none where that has no entry.
fn place_by_age(bytes: &[u8], layout: &Layout, kind: Type, age: u64) -> Option<usize> {
    let older = layout.entries.iter().find(|other| {
        let of_section = other
            .section
            .as_ref()
            .and_then(|(heading, _)| line::section(bytes.get(heading.clone())?));
        of_section == Some(kind) && seconds(other.id(bytes)) < age
    });
    let last = layout.entries.iter().rev().find(|other| {
        let heading = other.section.as_ref();
        let heading = heading.and_then(|(heading, _)| bytes.get(heading.clone()));
        heading.and_then(line::section) == Some(kind)
    });
    match (older, last) {
        (Some(older), _) => Some(cut(bytes, &older.span).start),
        (None, Some(last)) => Some(last.span.end),
        (None, None) => None,
    }
}

/// The time in an id; 0 where there is none.
fn seconds(id: &[u8]) -> u64 {
    let text = std::str::from_utf8(id).unwrap_or_default();
    let digits = text.strip_prefix("mem-").unwrap_or_default();
    let digits = digits.split('-').next().unwrap_or_default();
    digits.parse().unwrap_or_default()
}

fn entry_of(layout: &Layout, index: usize) -> Result<&Entry, EditError> {
    let gone = || EditError::new(format!("the file has no entry {}", index + 1));
    layout.entries.get(index).ok_or_else(gone)
}

fn part<'a>(bytes: &'a [u8], range: &Range<usize>) -> &'a [u8] {
    bytes.get(range.clone()).unwrap_or_default()
}

const fn eol(layout: &Layout) -> &'static str {
    if layout.crlf { "\r\n" } else { "\n" }
}

/// The text of an entry without the last line end.
fn text_range(bytes: &[u8], entry: &Entry) -> Range<usize> {
    let text = part(bytes, &entry.span);
    let end = text
        .strip_suffix(b"\n")
        .map_or(text, |text| text.strip_suffix(b"\r").unwrap_or(text));
    entry.span.start..entry.span.start + end.len()
}

/// The texts of all entries, without the last line end of each.
fn texts<'a>(bytes: &'a [u8], layout: &Layout) -> Vec<&'a [u8]> {
    let text = |entry: &Entry| part(bytes, &text_range(bytes, entry));
    layout.entries.iter().map(text).collect()
}

/// The bytes that go with an entry: the blank line before it too. A file whose last line has no
/// line end still has none afterwards.
fn cut(bytes: &[u8], span: &Range<usize>) -> Range<usize> {
    let mut start = blank_before(bytes, span.start);
    if span.end == bytes.len() && !bytes.ends_with(b"\n") {
        start = without_end(bytes, start).unwrap_or(start);
    }
    start..span.end
}

/// Start of the blank line before a place; the place itself where there is none.
fn blank_before(bytes: &[u8], at: usize) -> usize {
    let is_blank = |end: &usize| *end == 0 || bytes.get(*end - 1) == Some(&b'\n');
    without_end(bytes, at).filter(is_blank).unwrap_or(at)
}

/// Start of the line end right before a place.
fn without_end(bytes: &[u8], at: usize) -> Option<usize> {
    let head = bytes.get(..at)?.strip_suffix(b"\n")?;
    Some(head.strip_suffix(b"\r").unwrap_or(head).len())
}

/// A replacement of bytes.
type Splice = (Range<usize>, Vec<u8>);

/// Makes replacements that do not overlap.
fn splice(bytes: &[u8], mut splices: Vec<Splice>) -> Vec<u8> {
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = Vec::with_capacity(bytes.len() + 256);
    let mut at = 0;
    for (range, new) in splices {
        out.extend_from_slice(part(bytes, &(at..range.start)));
        out.extend_from_slice(&new);
        at = at.max(range.end);
    }
    out.extend_from_slice(part(bytes, &(at..bytes.len())));
    out
}

/// Moves an entry to the section of another type, its bytes as they are.
fn move_to(
    bytes: &[u8],
    before: &Layout,
    index: usize,
    kind: Type,
) -> Result<(Vec<u8>, usize), EditError> {
    let entry = entry_of(before, index)?;
    let heading = entry.section.as_ref();
    let heading = heading.map(|(heading, _)| part(bytes, heading));
    let stands = match heading {
        Some(heading) => line::section(heading),
        None => Some(Type::Pattern),
    };
    if stands == Some(kind) {
        return Ok((bytes.to_vec(), index));
    }
    let text = part(bytes, &entry.span).to_vec();
    let without = delete(bytes, index)?;
    insert(&without, &read(&without), kind, &text, None, Strict::Yes)
}

/// After an edit: all other entries are as they were, and this one is as intended.
fn check_edit(
    bytes: &[u8],
    before: &Layout,
    after: &[u8],
    index: usize,
    edit: &Edit,
) -> Result<(), EditError> {
    let now = read(after);
    let (old, new) = (texts(bytes, before), texts(after, &now));
    let others = old.iter().zip(&new).enumerate();
    let same = others
        .filter(|(n, _)| *n != index)
        .all(|(_, (a, b))| a == b);
    if !same || old.len() != new.len() {
        return Err(EditError::new(
            "this text would be read as another entry, or change one",
        ));
    }
    let (Some(was), Some(is)) = (before.entries.get(index), now.entries.get(index)) else {
        return Err(EditError::new("the entry would be lost"));
    };
    let refuse = |why: &str| Err(EditError::new(why));
    let body = |bytes: &[u8], entry: &Entry| content(part(bytes, &entry.body));
    let same_body = body(bytes, was) == body(after, is);
    let same_id = was.id(bytes) == is.id(after);
    let meta = |bytes: &[u8], entry: &Entry| {
        let line = entry.metadata.as_ref();
        line.map(|line| as_meant(part(bytes, &line.line)))
    };
    match edit {
        Edit::Content(text) => {
            let wanted = content(content_lines(text)?.join("\n").as_bytes());
            let read_back = body(after, is);
            let blank = |text: &[u8]| {
                let lines = text.split(|byte| *byte == b'\n');
                let trim = |line: &[u8]| {
                    if line.trim_ascii().is_empty() {
                        Vec::new()
                    } else {
                        line.to_vec()
                    }
                };
                lines.map(trim).collect::<Vec<_>>()
            };
            if blank(&wanted) != blank(&read_back)
                || !same_id
                || meta(bytes, was) != meta(after, is)
            {
                return refuse("this text would not be read back as it is meant");
            }
        }
        Edit::Tags(wanted) => {
            let parts = is.metadata.as_ref().and_then(|line| line.parts.as_ref());
            let tags = parts.map(|(tags, _)| block::tags(part(after, tags)));
            let as_wanted = match wanted.as_slice() {
                [] => meta(after, is).is_none_or(|(tags, _)| tags.is_empty()),
                _ => tags.as_deref() == Some(wanted),
            };
            if !as_wanted || !same_body || !same_id {
                return refuse("these tags would not be read back as they are meant");
            }
        }
        Edit::Created(_) | Edit::Normalize if !same_id => {
            return refuse("the edit would have changed more than it should");
        }
        Edit::Id(id) => {
            let unread = is.seen.is_none();
            if is.id(after) != id.as_bytes() || unread || !same_body {
                return refuse(
                    "this is no id that Ralph reads: mem-SECONDS-, four digits of 0-9a-f",
                );
            }
        }
        _ => {}
    }
    Ok(())
}
