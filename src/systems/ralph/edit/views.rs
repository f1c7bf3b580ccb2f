//! What Ralph reads of the other entries before and after a change. The bytes of an entry may
//! stay as they are and Ralph may still read it otherwise: what stands below a heading that it
//! does not know, it takes for that of the entry above.

use super::{Edit, EditError, part};
use crate::systems::ralph::block::tags;
use crate::systems::ralph::line::lines;
use crate::systems::ralph::scan::{Entry, Layout, Seen, read};

/// A file and what is written in it.
pub(super) type Text<'a> = (&'a [u8], &'a Layout);

/// Effect of a change on its entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About<'a> {
    /// It stays where it is, with this place among the entries.
    Edited(usize),
    /// These go, in the order of the file.
    Removed(&'a [usize]),
    /// It comes, with this place among the entries afterwards.
    Added(usize),
}

impl<'a> About<'a> {
    /// The places before and after of all other entries.
    fn others(self, before: &Layout) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let all = 0..before.entries.len();
        all.filter_map(move |n| match self {
            Self::Edited(index) if n == index => None,
            Self::Removed(gone) => gone.binary_search(&n).err().map(|before| (n, n - before)),
            Self::Added(index) if n >= index => Some((n, n + 1)),
            _ => Some((n, n)),
        })
    }

    /// True if a line belonged to an entry that it is about.
    fn stood_in(self, (bytes, before): Text<'_>, line: u32) -> bool {
        let edited = match &self {
            Self::Edited(index) => std::slice::from_ref(index),
            Self::Removed(gone) => gone,
            Self::Added(_) => &[],
        };
        let mut own = edited.iter().filter_map(|n| before.entries.get(*n));
        own.any(|own| stands_in(bytes, own, line))
    }
}

/// Refuses a change after which Ralph reads another entry worse than before: with text, tags or
/// a date that are not its own. One that was read so already may be read so further on, and a
/// change that lets Ralph read an entry as it is written is always right.
pub(super) fn check(before: Text<'_>, after: Text<'_>, about: About<'_>) -> Result<(), EditError> {
    for (old, new) in about.others(before.1) {
        let (old, new) = (before.1.entries.get(old), after.1.entries.get(new));
        if let (Some(old), Some(new)) = (old, new)
            && let (Some(was), Some(is)) = (&old.seen, &new.seen)
            && let Some((line, left_over)) = worse((before, was), (after, is), about)
        {
            return Err(refused(before, after, new, (line, left_over), about));
        }
    }
    Ok(())
}

/// The line, after the change, from which something comes that is not an entry's own; and
/// whether it is left over from an entry that Ralph drops.
fn worse(
    ((old, layout), was): (Text<'_>, &Seen),
    ((new, after), is): (Text<'_>, &Seen),
    about: About<'_>,
) -> Option<(u32, bool)> {
    if let Some(stray) = is.stray {
        let count = was.stray.map_or(0, |stray| stray.count);
        // The text of an entry that Ralph does not know may grow: it is added as it was before.
        let grows = stray.count > count && (count == 0 || !matches!(about, About::Edited(_)));
        if grows {
            return Some((stray.line, false));
        }
    }
    let (line, left_over) = is.foreign?;
    let read = |bytes: &[u8], seen: &Seen| {
        let parts = seen.metadata.as_ref();
        parts.map(|(tags, date)| (part(bytes, tags).to_vec(), part(bytes, date).to_vec()))
    };
    let same = read(old, was) == read(new, is);
    // A stray line that came from the changed entry and is gone now was the intended repair.
    let gave = was
        .foreign
        .is_some_and(|(line, _)| about.stood_in((old, layout), line));
    let gives = match about {
        About::Edited(index) => after.entries.get(index),
        About::Removed(_) | About::Added(_) => None,
    };
    let gone = gave && !gives.is_some_and(|own| stands_in(new, own, line));
    (!same && !gone).then_some((line, left_over))
}

/// True if a line belongs to an entry.
fn stands_in(bytes: &[u8], entry: &Entry, line: u32) -> bool {
    let count = lines(part(bytes, &entry.span)).count();
    let end = entry
        .line
        .saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    (entry.line..end).contains(&line)
}

/// An error that says what would happen to an entry, and what to do first.
pub(super) fn refused(
    before: Text<'_>,
    after: Text<'_>,
    harmed: &Entry,
    (line, left_over): (u32, bool),
    about: About<'_>,
) -> EditError {
    let harmed = name(after.0, harmed);
    let first = match about {
        About::Removed(_) => "without it ",
        About::Edited(_) | About::Added(_) => "",
    };
    EditError::new(match owner(after, line) {
        Some(from) if left_over => {
            let from = name(after.0, from);
            format!(
                "{first}Ralph would give the tags and the date of {from}, which it drops as it \
                 has no text, to {harmed}: delete {from} first, or give it a text"
            )
        }
        Some(from) => {
            let from = name(after.0, from);
            format!(
                "{first}Ralph would read what stands below `{from}`, which is no id for it, as \
                 part of {harmed}: delete {from} first, or rename it to an id that Ralph reads"
            )
        }
        None => {
            let line = line_before(before.0, after.0, line);
            format!(
                "{first}Ralph would read what stands on line {line} as part of {harmed}: take \
                 that out of the file first"
            )
        }
    })
}

fn name(bytes: &[u8], entry: &Entry) -> String {
    let id = String::from_utf8_lossy(entry.id(bytes));
    id.escape_debug().to_string()
}

/// The entry that a line stands in.
fn owner<'a>((bytes, layout): Text<'a>, line: u32) -> Option<&'a Entry> {
    let mut entries = layout.entries.iter().rev();
    entries.find(|entry| stands_in(bytes, entry, line))
}

/// The number that a line of the changed file has in the file as it is.
fn line_before(before: &[u8], after: &[u8], line: u32) -> usize {
    let line = line as usize;
    let texts = |bytes: &'_ [u8]| -> Vec<Vec<u8>> {
        lines(bytes).map(|line| line.of(bytes).to_vec()).collect()
    };
    let (old, new) = (texts(before), texts(after));
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    match line > same {
        true => (line + old.len()).saturating_sub(new.len()),
        false => line,
    }
}

/// Where Ralph reads another value than an edit has written, and how to mend that. The file is as
/// it is after the edit, and the entry has this place in it.
pub fn misread(bytes: &[u8], index: usize, edit: &Edit) -> Option<String> {
    if let Err(error) = std::str::from_utf8(bytes) {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = memchr::memchr_iter(b'\n', valid).count() + 1;
        return Some(format!(
            "the file is not UTF-8, and Ralph reads nothing of it: put line {line} right"
        ));
    }
    let layout = read(bytes);
    let entry = layout.entries.get(index)?;
    let id = name(bytes, entry);
    let Some(seen) = &entry.seen else {
        return Some(format!(
            "Ralph does not read this entry, as `{id}` is no id for it: rename it to an id that \
             Ralph reads"
        ));
    };
    if !seen.kept {
        return Some(format!("Ralph drops {id}, as it has no text: give it one"));
    }
    let text = || in_text(bytes, &layout, entry, seen);
    let foreign = |is_other: fn(&[u8], &Entry, &Seen) -> bool| {
        let (line, left_over) = seen.foreign.filter(|_| is_other(bytes, entry, seen))?;
        let mend = mend((bytes, &layout), line, left_over);
        Some(format!(
            "Ralph reads the tags and the date on line {line} as those of {id}: {mend}"
        ))
    };
    match edit {
        Edit::Content(_) => text(),
        Edit::Tags(_) => foreign(has_other_tags),
        Edit::Created(_) => foreign(has_other_date),
        Edit::Normalize => text().or_else(|| {
            foreign(|bytes, entry, seen| {
                has_other_tags(bytes, entry, seen) || has_other_date(bytes, entry, seen)
            })
        }),
        Edit::Type(_) | Edit::Id(_) => None,
    }
}

/// Where Ralph reads another text of an entry than is written.
fn in_text(bytes: &[u8], layout: &Layout, entry: &Entry, seen: &Seen) -> Option<String> {
    let id = name(bytes, entry);
    if let Some(stray) = seen.stray {
        let (line, mend) = (stray.line, mend((bytes, layout), stray.line, false));
        return Some(format!(
            "Ralph adds what stands on line {line} to the text of {id}: {mend}"
        ));
    }
    if let Some(tight) = seen.tight {
        let line = tight.line;
        return Some(format!(
            "Ralph drops line {line} of {id}: put a blank behind its `>`"
        ));
    }
    (seen.blank > 0).then(|| {
        format!("Ralph drops the blank lines of {id}: put two blanks behind the `>` of each")
    })
}

fn has_other_tags(bytes: &[u8], entry: &Entry, seen: &Seen) -> bool {
    let own = entry.metadata.as_ref().and_then(|own| own.parts.as_ref());
    let [own, read] = [own, seen.metadata.as_ref()]
        .map(|parts| parts.map_or_else(Vec::new, |(own, _)| tags(part(bytes, own))));
    own != read
}

fn has_other_date(bytes: &[u8], entry: &Entry, seen: &Seen) -> bool {
    let own = entry.metadata.as_ref().and_then(|own| own.parts.as_ref());
    let [own, read] =
        [own, seen.metadata.as_ref()].map(|parts| parts.map(|(_, date)| part(bytes, date)));
    own != read
}

/// Advice that keeps Ralph from reading a line as part of another entry.
fn mend(text: Text<'_>, line: u32, left_over: bool) -> String {
    let Some(from) = owner(text, line) else {
        return "take that line out of the file".to_owned();
    };
    let from = name(text.0, from);
    match left_over {
        true => format!("delete {from}, or give it a text"),
        false => format!("delete {from}, or rename it to an id that Ralph reads"),
    }
}
