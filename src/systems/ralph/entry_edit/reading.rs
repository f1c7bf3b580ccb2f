//! What Ralph reads of the other entries before and after a change. The bytes of an entry may
//! stay as they are and Ralph may still read it otherwise: what stands below a heading that it
//! does not know, it takes for that of the entry above.

use super::{Changed, File};
use crate::memory::edit::EditError;
use crate::systems::codec::Result;
use crate::systems::ralph::line::lines;
use crate::systems::ralph::scan::{Entry, Seen};

/// Refuses a change after which Ralph reads another entry worse than before: with text, tags or
/// a date that are not its own. One that was read so already may be read so further on, and a
/// change that lets Ralph read an entry as it is written is always right.
pub(super) fn check(before: &File<'_>, after: &File<'_>, changed: Changed<'_>) -> Result<()> {
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

impl File<'_> {
    /// True if a line belongs to an entry.
    fn has_line(&self, entry: &Entry, line: u32) -> bool {
        let count = u32::try_from(lines(self.part(&entry.span)).count()).unwrap_or(u32::MAX);
        (entry.line..entry.line.saturating_add(count)).contains(&line)
    }
}

/// An error that says what would happen to an entry, and what to do first.
pub(super) fn refused(
    before: &File<'_>,
    after: &File<'_>,
    harmed: &Entry,
    line: u32,
    changed: Changed<'_>,
) -> EditError {
    let harmed = String::from_utf8_lossy(harmed.id(after.bytes));
    let harmed = harmed.escape_debug();
    let first = if changed.new.is_empty() {
        "without it "
    } else {
        ""
    };
    let line = line_before(before.bytes, after.bytes, line as usize);
    EditError(format!(
        "{first}Ralph would read what stands on line {line} as part of {harmed}: take that out of \
         the file first"
    ))
}

/// The number that a line of the changed file has in the file as it is.
fn line_before(before: &[u8], after: &[u8], line: usize) -> usize {
    let old: Vec<&[u8]> = before.split(|byte| *byte == b'\n').collect();
    let new: Vec<&[u8]> = after.split(|byte| *byte == b'\n').collect();
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    match line > same {
        true => (line + old.len()).saturating_sub(new.len()),
        false => line,
    }
}
