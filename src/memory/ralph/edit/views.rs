//! What Ralph reads of the other entries before and after a change. The bytes of an entry may
//! stay as they are and Ralph may still read it otherwise: what stands below a heading that it
//! does not know, it takes for that of the entry above.

use super::{EditError, part};
use crate::memory::ralph::line::lines;
use crate::memory::ralph::scan::{Entry, Layout, Seen};

/// A file and what is written in it.
pub(super) type Text<'a> = (&'a [u8], &'a Layout);

/// What a change does to the entry it is about.
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

    /// Whether a line belonged to an entry that it is about.
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
            return Err(refused(after, new, line, left_over, about));
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
    // What came from the changed entry before, and does not any more, was to be put right.
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

/// Whether a line belongs to an entry.
fn stands_in(bytes: &[u8], entry: &Entry, line: u32) -> bool {
    let count = lines(part(bytes, &entry.span)).count();
    let end = entry
        .line
        .saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    (entry.line..end).contains(&line)
}

/// What would happen, and what to do first.
fn refused(
    (bytes, layout): Text<'_>,
    harmed: &Entry,
    line: u32,
    left_over: bool,
    about: About<'_>,
) -> EditError {
    let name = |entry: &Entry| {
        let id = String::from_utf8_lossy(entry.id(bytes));
        id.escape_debug().to_string()
    };
    let mut entries = layout.entries.iter().rev();
    let from = entries.find(|entry| stands_in(bytes, entry, line));
    let harmed = name(harmed);
    let first = match about {
        About::Removed(_) => "without it ",
        About::Edited(_) | About::Added(_) => "",
    };
    EditError::new(match from {
        Some(from) if left_over => {
            let from = name(from);
            format!(
                "{first}Ralph would give the tags and the date of {from}, which it drops as it \
                 has no text, to {harmed}: delete {from} first, or give it a text"
            )
        }
        Some(from) => {
            let from = name(from);
            format!(
                "{first}Ralph would read what stands below `{from}`, which is no id for it, as \
                 part of {harmed}: delete {from} first, or rename it to an id that Ralph reads"
            )
        }
        None => format!(
            "{first}Ralph would read what stands on line {line} as part of {harmed}: take that \
             out of the file first"
        ),
    })
}
