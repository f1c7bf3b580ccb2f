//! Putting a block into its section, where it is read as it is written.

use super::{Changed, File, blank_before, reading};
use crate::memory::edit::{EditError, splice};
use crate::systems::codec::{Result, refuse};
use crate::systems::ralph::Type;
use crate::systems::ralph::line::{is_heading, lines};

/// The type of an entry, its block, and whether Ralph's reading of the other entries has to stay.
pub(super) type Wanted<'a> = (Type, &'a [u8], bool);

/// Inserts a block into the section of a type: at a place, else right below the header.
pub(super) fn insert(
    file: &File<'_>,
    wanted: Wanted<'_>,
    place: Option<usize>,
) -> Result<(Vec<u8>, usize)> {
    let (kind, ..) = wanted;
    let mut sections = file.layout.sections.iter();
    let Some((_, header)) = sections.find(|(known, _)| *known == kind) else {
        return at_end(file, wanted);
    };
    // Text, quoted or not, between the header and the first heading would be read as part of the
    // new entry.
    let below = file.part(&(header.end..file.bytes.len()));
    let next = lines(below).find(|line| is_heading(line.of(below)));
    let next = next.map(|line| blank_before(file.bytes, header.end + line.text.start));
    let mut first = None;
    for place in [place, Some(header.end), next].into_iter().flatten() {
        match insert_at(file, wanted, place, file.eol().as_bytes()) {
            Ok(done) => return Ok(done),
            Err(why) => first = first.or(why),
        }
    }
    first.map_or_else(
        || {
            let section = kind.section();
            let why = "would be read with text that stands there";
            refuse(format!("an entry below `## {section}` {why}"))
        },
        Err,
    )
}

/// Inserts a block at a place, behind a blank line or none. Refused where it would not be read as
/// it is written there, or another entry would not; with the reason where that is one entry.
pub(super) fn insert_at(
    file: &File<'_>,
    wanted: Wanted<'_>,
    place: usize,
    lead: &[u8],
) -> Result<(Vec<u8>, usize), Option<EditError>> {
    let (bytes, eol, (_, text, _)) = (file.bytes, file.eol().as_bytes(), wanted);
    let mut new = Vec::with_capacity(text.len() + 4);
    if place > 0 && bytes.get(place - 1) != Some(&b'\n') {
        new.extend_from_slice(eol);
    }
    new.extend_from_slice(lead);
    new.extend_from_slice(text);
    let ends = place == bytes.len() && !bytes.is_empty() && !bytes.ends_with(b"\n");
    if ends && text.ends_with(b"\n") {
        new.pop();
        new.pop_if(|byte| *byte == b'\r');
    } else if !ends && !text.ends_with(b"\n") && !bytes.is_empty() {
        new.extend_from_slice(eol);
    }
    let after = splice(bytes, vec![(place..place, new)]);
    let index = inserted(file, &after, wanted, place)?;
    Ok((after, index))
}

/// Makes a section at the end, as Ralph does.
fn at_end(file: &File<'_>, wanted: Wanted<'_>) -> Result<(Vec<u8>, usize)> {
    let (kind, text, _) = wanted;
    // Not a byte of a broken text is lost.
    let head = match std::str::from_utf8(file.bytes) {
        Ok(head) => head.trim_end().as_bytes(),
        Err(_) => file.bytes.trim_ascii_end(),
    };
    let eol = file.eol();
    let header = format!("{eol}## {}{eol}{eol}", kind.section());
    let end = if text.ends_with(b"\n") { "" } else { eol };
    let after = [head, header.as_bytes(), text, end.as_bytes()].concat();
    match inserted(file, &after, wanted, head.len()) {
        Ok(index) => Ok((after, index)),
        Err(Some(why)) => Err(why),
        Err(None) => refuse("a new section would change another entry"),
    }
}

/// The place of the one entry that came, where all others are as they were and Ralph reads the
/// new one as it is written; else the reason, where that is one entry.
fn inserted(
    before: &File<'_>,
    after: &[u8],
    (kind, text, strict): Wanted<'_>,
    place: usize,
) -> Result<usize, Option<EditError>> {
    let after = File::new(after);
    let mut entries = before.layout.entries.iter();
    let is_behind = |entry: &crate::systems::ralph::Entry| entry.span.start >= place;
    let last = entries.len();
    let index = entries.position(is_behind).unwrap_or(last);
    let entry = after.layout.entries.get(index).ok_or(None)?;
    let changed = Changed {
        old: &[],
        new: &[index],
    };
    let is_whole = after.part(&entry.span).trim_ascii_end() == text.trim_ascii_end();
    if !is_whole || !changed.leaves_others(before, &after) {
        return Err(None);
    }
    if strict {
        reading::check(before, &after, changed)?;
    }
    if let Some(seen) = &entry.seen {
        let stray = seen.stray.map(|stray| stray.line);
        let foreign = seen.foreign.filter(|(_, left_over)| !left_over);
        if let Some(line) = stray.or(foreign.map(|(line, _)| line)) {
            return Err(Some(reading::refused(before, &after, entry, line, changed)));
        }
    }
    (entry.kind == kind).then_some(index).ok_or(None)
}
