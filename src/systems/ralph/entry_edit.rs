//! Changes to a file that touch no byte but those of what is changed. After each the file is
//! read again: the other entries must stand as they stood, and the changed one as intended. What Ralph
//! reads of the others counts too: the bytes of an entry may stay as they are and Ralph may still
//! read it otherwise, for what stands below a heading that it does not know, it takes for that of
//! the entry above.

mod splices;

use std::ops::Range;

use super::scan::{Entry, Layout, Seen, lines, read, section};
use super::{Type, content, content_lines, part, written};
use crate::memory::edit::{EditError, splice};
use crate::memory::to_u32;
use crate::systems::codec::{Result, refuse};
use splices::{insert, insert_at, places};

/// One change to an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces its content; lines that stay keep their bytes.
    Content(String),
    /// Replaces its tags.
    Tags(Vec<String>),
    /// Replaces its date, `YYYY-MM-DD`.
    Created(String),
    /// Moves it to the section of a type.
    Type(Type),
    /// Gives it another id.
    Id(String),
    /// Writes what Ralph does not read the way it reads it.
    Normalize,
}

struct File<'a> {
    bytes: &'a [u8],
    layout: Layout,
}

impl<'a> File<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let layout = read(bytes);
        Self { bytes, layout }
    }

    fn entry(&self, index: usize) -> Result<&Entry> {
        let none = || EditError(format!("the file has no entry {}", index + 1));
        self.layout.entries.get(index).ok_or_else(none)
    }

    fn part(&self, range: &Range<usize>) -> &'a [u8] {
        part(self.bytes, range)
    }

    const fn eol(&self) -> &'static str {
        if self.layout.crlf { "\r\n" } else { "\n" }
    }

    fn text_end(&self, entry: &Entry) -> usize {
        let end = entry.span.end;
        without_end(self.bytes, end).unwrap_or(end)
    }

    fn text(&self, entry: &Entry) -> &'a [u8] {
        self.part(&(entry.span.start..self.text_end(entry)))
    }

    fn has_line(&self, entry: &Entry, line: u32) -> bool {
        let count = to_u32(lines(self.part(&entry.span)).count());
        (entry.line..entry.line.saturating_add(count)).contains(&line)
    }

    /// The entries but some, which are in the order of the file.
    fn others(&self, own: &[usize]) -> impl Iterator<Item = &Entry> {
        let all = self.layout.entries.iter().enumerate();
        let others = all.filter(|(index, _)| own.binary_search(index).is_err());
        others.map(|(_, entry)| entry)
    }
}

/// The places of the entries that a change is about, before and after it.
#[derive(Clone, Copy)]
struct Changed<'a> {
    old: &'a [usize],
    new: &'a [usize],
}

impl Changed<'_> {
    fn leaves_others(self, before: &File<'_>, after: &File<'_>) -> bool {
        let old = before.others(self.old).map(|entry| before.text(entry));
        let new = after.others(self.new).map(|entry| after.text(entry));
        old.eq(new)
    }
}

/// Applies one edit; gives the file and the entry's place among its entries. Refused where Ralph
/// would read another one worse afterwards, unless it does not read the file.
pub fn change(
    bytes: &[u8],
    index: usize,
    edit: &Edit,
    today: &str,
    is_read: bool,
) -> Result<(Vec<u8>, usize)> {
    let before = File::new(bytes);
    let entry = before.entry(index)?;
    let splices = match edit {
        Edit::Type(kind) => return move_to(&before, index, *kind),
        Edit::Content(text) => before.content_splices(entry, text)?,
        Edit::Tags(tags) => before.metadata_splices(entry, today, Some(tags), None)?,
        Edit::Created(date) => before.metadata_splices(entry, today, None, Some(date))?,
        Edit::Id(id) => vec![(entry.id.clone(), id.clone().into_bytes())],
        Edit::Normalize => before.normal_splices(entry, today)?,
    };
    let bytes = splice(bytes, splices);
    let after = File::new(&bytes);
    check_edit(&before, &after, index, edit)?;
    if is_read {
        let own = &[index];
        check_reading(&before, &after, Changed { old: own, new: own })?;
    }
    Ok((bytes, index))
}

/// Takes entries out, in the order of the file, each with the blank line before it; refused where
/// Ralph would read another one worse without them, unless it does not read the file.
pub fn take_out(bytes: &[u8], gone: &[usize], is_read: bool) -> Result<Vec<u8>> {
    let before = File::new(bytes);
    let mut splices = Vec::with_capacity(gone.len());
    for index in gone {
        let span = &before.entry(*index)?.span;
        splices.push((blank_before(bytes, span.start)..span.end, Vec::new()));
    }
    let mut rest = splice(bytes, splices);
    // A file whose last line has no line end still has none.
    if !bytes.ends_with(b"\n") {
        rest.truncate(without_end(&rest, rest.len()).unwrap_or(rest.len()));
    }
    let after = File::new(&rest);
    let changed = Changed {
        old: gone,
        new: &[],
    };
    if !changed.leaves_others(&before, &after) {
        return refuse("taking it out would change another entry");
    }
    if is_read {
        check_reading(&before, &after, changed)?;
    }
    Ok(rest)
}

/// Adds the block of an entry as Ralph does: the newest first, right below the header of its section;
/// where there is no such section, both at the end.
pub fn add_block(bytes: &[u8], kind: Type, block: &[u8]) -> Result<Vec<u8>> {
    insert(&File::new(bytes), (kind, block, true), None).map(|(bytes, _)| bytes)
}

/// Puts a block back into the section of a type: where it stood in one of the `earlier` contents of
/// the file, if that place is as it was, else close to what is left of the first; else where its id
/// says, for ids begin with the time and the newest stand first.
pub fn put_back(bytes: &[u8], kind: Type, text: &[u8], earlier: &[&[u8]]) -> Result<Vec<u8>> {
    let file = File::new(bytes);
    let block = File::new(text);
    let [entry] = block.layout.entries.as_slice() else {
        return refuse("this is not one entry of Ralph's");
    };
    let (own, id) = (block.part(&entry.span), entry.id(text));
    let find = |then: &&[u8]| places(&File::new(then), &file, own, id);
    let found: Vec<_> = earlier.iter().flat_map(find).collect();
    let exact = found.iter().find(|place| place.is_exact);
    // Restored text was in the file before, so any reading by Ralph is accepted.
    for place in exact.into_iter().chain(found.first()) {
        if let Ok((after, _)) = insert_at(&file, (kind, own, false), place.at, &place.lead) {
            return Ok(after);
        }
    }
    let place = place_by_age(&file, kind, seconds(id));
    let strict = insert(&file, (kind, own, true), place);
    let any = |_| insert(&file, (kind, own, false), place);
    strict.or_else(any).map(|(bytes, _)| bytes)
}

/// The place of an entry of this age in the section of a type; none where that has no entry.
fn place_by_age(file: &File<'_>, kind: Type, age: u64) -> Option<usize> {
    let of_section = |other: &&Entry| {
        let heading = other.section.as_ref();
        heading.and_then(|heading| section(file.part(heading))) == Some(kind)
    };
    let mut entries = file.layout.entries.iter().filter(of_section);
    let last = entries.clone().next_back()?.span.end;
    let older = entries.find(|other| seconds(other.id(file.bytes)) < age);
    Some(older.map_or(last, |older| blank_before(file.bytes, older.span.start)))
}

/// The time in an id; 0 where there is none.
fn seconds(id: &[u8]) -> u64 {
    let text = std::str::from_utf8(id).unwrap_or_default();
    let digits = text.strip_prefix("mem-").unwrap_or_default();
    let digits = digits.split('-').next().unwrap_or_default();
    digits.parse().unwrap_or_default()
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

type Splice = (Range<usize>, Vec<u8>);

fn move_to(file: &File<'_>, index: usize, kind: Type) -> Result<(Vec<u8>, usize)> {
    let entry = file.entry(index)?;
    let stands = match &entry.section {
        Some(heading) => section(file.part(heading)),
        None => Some(Type::Pattern),
    };
    if stands == Some(kind) {
        return Ok((file.bytes.to_vec(), index));
    }
    let without = take_out(file.bytes, &[index], true)?;
    let wanted = (kind, file.part(&entry.span), true);
    insert(&File::new(&without), wanted, None)
}

/// After an edit: all other entries are as they were, and this one is as intended.
fn check_edit(before: &File<'_>, after: &File<'_>, index: usize, edit: &Edit) -> Result<()> {
    let own = &[index];
    if !(Changed { old: own, new: own }).leaves_others(before, after) {
        return refuse("this text would be read as another entry, or change one");
    }
    let entry = after.entry(index)?;
    let mut wanted = Meaning::new(before, before.entry(index)?);
    let is = Meaning::new(after, entry);
    let why = match edit {
        Edit::Content(text) => {
            wanted.content = plain_lines(content_lines(text)?.join("\n").as_bytes());
            "this text would not be read back as it is meant"
        }
        Edit::Tags(tags) => {
            wanted.tags.clone_from(tags);
            "these tags would not be read back as they are meant"
        }
        Edit::Id(id) => {
            wanted.id = id.clone().into_bytes();
            "this is no id that Ralph reads: mem-SECONDS-, four digits of 0-9a-f"
        }
        _ => "the edit would have changed more than it should",
    };
    // Ralph reads tags with a date only, and one that is asked for is checked when it is written.
    if wanted.date.is_none() || matches!(edit, Edit::Created(_)) {
        wanted.date.clone_from(&is.date);
    }
    let is_read = entry.seen.is_some() || !matches!(edit, Edit::Id(_));
    match is == wanted && is_read {
        true => Ok(()),
        false => refuse(why),
    }
}

/// An entry as a person reads it.
#[derive(PartialEq)]
struct Meaning {
    id: Vec<u8>,
    content: Vec<Vec<u8>>,
    tags: Vec<String>,
    date: Option<String>,
}

impl Meaning {
    fn new(file: &File<'_>, entry: &Entry) -> Self {
        let (tags, date) = written(file.bytes, entry);
        Self {
            id: entry.id(file.bytes).to_vec(),
            content: plain_lines(file.part(&entry.body)),
            tags,
            date,
        }
    }
}

/// The lines of quoted text; one of blanks is a blank one.
fn plain_lines(quoted: &[u8]) -> Vec<Vec<u8>> {
    let content = content(quoted);
    let lines = content.split(|byte| *byte == b'\n');
    let plain = |line: &[u8]| match line.trim_ascii().is_empty() {
        true => Vec::new(),
        false => line.to_vec(),
    };
    lines.map(plain).collect()
}

/// Refuses a change after which Ralph reads another entry worse than before: with text, tags or
/// a date that are not its own. One that was read so already may be read so further on, and a
/// change that lets Ralph read an entry as it is written is always right.
fn check_reading(before: &File<'_>, after: &File<'_>, changed: Changed<'_>) -> Result<()> {
    for (old, new) in before.others(changed.old).zip(after.others(changed.new)) {
        if let (Some(was), Some(is)) = (&old.seen, &new.seen)
            && let Some(from) = worse((before, was), (after, is), changed)
        {
            return Err(refused(before, after, new, from, changed));
        }
    }
    Ok(())
}

/// The line, after the change, from which something comes that is not an entry's own.
fn worse(
    (before, was): (&File<'_>, &Seen),
    (after, is): (&File<'_>, &Seen),
    changed: Changed<'_>,
) -> Option<u32> {
    if let Some(stray) = is.stray {
        let count = was.stray.map_or(0, |stray| stray.count);
        // The text of an entry that Ralph does not know may grow: it is added as it was before.
        let is_edit = !changed.old.is_empty() && !changed.new.is_empty();
        if stray.count > count && (count == 0 || !is_edit) {
            return Some(stray.line);
        }
    }
    let (line, _) = is.foreign?;
    let read = |file: &File<'_>, seen: &Seen| {
        let parts = seen.metadata.as_ref();
        parts.map(|(tags, date)| (file.part(tags).to_vec(), file.part(date).to_vec()))
    };
    let same = read(before, was) == read(after, is);
    let stands_in = |file: &File<'_>, own: &[usize], line: u32| {
        let mut own = own.iter().filter_map(|index| file.entry(*index).ok());
        own.any(|entry| file.has_line(entry, line))
    };
    // A stray line that came from the changed entry and is gone now was the intended repair.
    let was = was.foreign;
    let gave = was.is_some_and(|(line, _)| stands_in(before, changed.old, line));
    let gone = gave && !stands_in(after, changed.new, line);
    (!same && !gone).then_some(line)
}

/// An error that says what would happen to an entry, and what to do first.
fn refused(
    before: &File<'_>,
    after: &File<'_>,
    harmed: &Entry,
    line: u32,
    changed: Changed<'_>,
) -> EditError {
    let harmed = String::from_utf8_lossy(harmed.id(after.bytes));
    let harmed = harmed.escape_debug();
    let is_gone = changed.new.is_empty();
    let first = if is_gone { "without it " } else { "" };
    let line = line_before(before.bytes, after.bytes, line as usize);
    EditError(format!(
        "{first}Ralph would read what stands on line {line} as part of {harmed}: take that out of \
         the file first"
    ))
}

/// The number that a line of the changed file has in the file as it is.
fn line_before(before: &[u8], after: &[u8], line: usize) -> usize {
    let lines = |text| <[u8]>::split(text, |byte| *byte == b'\n').collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(after));
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    match line > same {
        true => (line + old.len()).saturating_sub(new.len()),
        false => line,
    }
}
