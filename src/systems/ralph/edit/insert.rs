//! Putting a block into its section, where it is read as it is written.

use super::views::{self, About};
use super::{EditError, cut, eol, part, splice, texts};
use crate::systems::ralph::Type;
use crate::systems::ralph::line::{self, lines};
use crate::systems::ralph::scan::{Layout, read};

/// Strictness: Ralph's reading of the other entries has to stay, or not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Strict {
    Yes,
    No,
}

/// Inserts a block into the section of a type: at a place, else right below the header.
pub(super) fn insert(
    bytes: &[u8],
    layout: &Layout,
    kind: Type,
    text: &[u8],
    place: Option<usize>,
    strict: Strict,
) -> Result<(Vec<u8>, usize), EditError> {
    let eol = eol(layout);
    let section = layout.sections.iter().find(|(known, _)| *known == kind);
    let Some((_, header)) = section else {
        return at_end(bytes, (kind, text), eol, strict);
    };
    // Text, quoted or not, between the header and the first heading would be read as part of the
    // new entry.
    let next = lines(bytes.get(header.end..).unwrap_or_default())
        .find(|line| {
            let text = bytes.get(header.end + line.text.start..header.end + line.text.end);
            text.is_some_and(line::is_heading)
        })
        .map(|line| {
            cut(
                bytes,
                &(header.end + line.text.start..header.end + line.end),
            )
            .start
        });
    let mut first = None;
    for place in [place, Some(header.end), next].into_iter().flatten() {
        let wanted = (kind, text, strict);
        match insert_at(bytes, layout, wanted, place, eol.as_bytes()) {
            Ok(done) => return Ok(done),
            Err(why) => first = first.or(why),
        }
    }
    Err(first.unwrap_or_else(|| {
        EditError::new(format!(
            "an entry below `## {}` would be read with text that stands there",
            kind.section()
        ))
    }))
}

/// Inserts a block at a place, behind a blank line or none. Refused where it would not be read as
/// it is written there, or another entry would not; with the reason where that is one entry.
pub(super) fn insert_at(
    bytes: &[u8],
    layout: &Layout,
    (kind, text, strict): (Type, &[u8], Strict),
    place: usize,
    lead: &[u8],
) -> Result<(Vec<u8>, usize), Option<EditError>> {
    let eol = eol(layout).as_bytes();
    let mut new = Vec::with_capacity(text.len() + 4);
    let head = bytes.get(..place).unwrap_or_default();
    if !head.is_empty() && !head.ends_with(b"\n") {
        new.extend_from_slice(eol);
    }
    new.extend_from_slice(lead);
    new.extend_from_slice(text);
    let ends = place == bytes.len() && !bytes.is_empty() && !bytes.ends_with(b"\n");
    match (ends, text.ends_with(b"\n")) {
        (false, false) if !bytes.is_empty() => new.extend_from_slice(eol),
        (true, true) => {
            new.pop();
            new.pop_if(|byte| *byte == b'\r');
        }
        _ => {}
    }
    let after = splice(bytes, vec![(place..place, new)]);
    let index = inserted(bytes, layout, &after, (kind, text, strict), place)?;
    Ok((after, index))
}

/// Makes a section at the end, as Ralph does.
fn at_end(
    bytes: &[u8],
    (kind, text): (Type, &[u8]),
    eol: &str,
    strict: Strict,
) -> Result<(Vec<u8>, usize), EditError> {
    let head = String::from_utf8_lossy(bytes);
    let trimmed = head.trim_end().len();
    // Not a byte of a broken text is lost.
    let head = match head {
        std::borrow::Cow::Borrowed(_) => part(bytes, &(0..trimmed)),
        std::borrow::Cow::Owned(_) => bytes.trim_ascii_end(),
    };
    let header = format!("{eol}## {}{eol}{eol}", kind.section());
    let mut after = [head, header.as_bytes(), text].concat();
    if !text.ends_with(b"\n") {
        after.extend_from_slice(eol.as_bytes());
    }
    let layout = read(bytes);
    match inserted(bytes, &layout, &after, (kind, text, strict), head.len()) {
        Ok(index) => Ok((after, index)),
        Err(why) => {
            let usual = || EditError::new("a new section would change another entry");
            Err(why.unwrap_or_else(usual))
        }
    }
}

/// The place of the one entry that came, where all others are as they were and Ralph reads the
/// new one as it is written; else the reason, where that is one entry.
fn inserted(
    bytes: &[u8],
    before: &Layout,
    after: &[u8],
    (kind, text, strict): (Type, &[u8], Strict),
    place: usize,
) -> Result<usize, Option<EditError>> {
    let index = before
        .entries
        .iter()
        .take_while(|entry| entry.span.start < place)
        .count();
    let read_again = read(after);
    let mut now = texts(after, &read_again);
    let own = (index < now.len()).then(|| now.remove(index)).ok_or(None)?;
    let is_whole = own.trim_ascii_end() == text.trim_ascii_end();
    (is_whole && now == texts(bytes, before))
        .then_some(())
        .ok_or(None)?;
    let (old, new) = ((bytes, before), (after, &read_again));
    let about = About::Added(index);
    if strict == Strict::Yes {
        views::check(old, new, about)?;
    }
    let entry = read_again.entries.get(index).ok_or(None)?;
    if let Some(seen) = &entry.seen {
        let stray = seen.stray.map(|stray| (stray.line, false));
        let foreign = seen.foreign.filter(|(_, left_over)| !left_over);
        if let Some(from) = stray.or(foreign) {
            return Err(Some(views::refused(old, new, entry, from, about)));
        }
    }
    (entry.kind == kind).then_some(index).ok_or(None)
}
