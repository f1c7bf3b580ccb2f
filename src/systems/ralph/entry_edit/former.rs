//! Finds where an entry belongs by an earlier content of its file, so that it comes back there after
//! other changes.

use std::ops::Range;

use similar::DiffOp;

use super::{File, blank_before, seconds};
use crate::memory::lines::ops;
use crate::systems::ralph::line::lines;

/// A place for an entry that comes back.
pub(super) struct Place {
    /// Its byte in the file as it is.
    pub at: usize,
    /// The blank line that stood before the entry.
    pub lead: Vec<u8>,
    /// True if what stood on its two sides is still side by side there.
    pub is_exact: bool,
}

/// An entry with the blank line before it, or a line that belongs to none.
struct Piece<'a> {
    range: Range<usize>,
    entry: Option<usize>,
    bytes: &'a [u8],
}

/// The places in a file of an entry that an earlier content has and the file has not; several where
/// its text stood there more than once.
pub(super) fn places(then: &File<'_>, now: &File<'_>, entry: &[u8], id: &[u8]) -> Vec<Place> {
    let (was, is) = (pieces(then), pieces(now));
    let mut kept: Vec<Option<usize>> = vec![None; was.len()];
    for op in ops(&texts(&was), &texts(&is)) {
        let same = kept.get_mut(op.old_range()).into_iter().flatten();
        if matches!(op, DiffOp::Equal { .. }) {
            same.zip(op.new_range())
                .for_each(|(slot, new)| *slot = Some(new));
        }
    }
    let newer = |piece: &&Piece<'_>| {
        let entry = piece.entry.and_then(|index| now.layout.entries.get(index));
        entry.is_some_and(|entry| seconds(entry.id(now.bytes)) > seconds(id))
    };
    let place = |(n, piece): (usize, &Piece<'_>)| {
        let is_it = piece.entry.is_some() && piece.bytes.trim_ascii() == entry.trim_ascii();
        let (before, rest) = kept.split_at_checked(n).filter(|_| is_it)?;
        let before = before.iter().rev().flatten().next();
        let (None, after) = (rest.first()?, rest.iter().flatten().next()) else {
            return None;
        };
        before.or(after)?;
        let from = before.map_or(0, |piece| piece + 1);
        let to = after.map_or(is.len(), |piece| *piece);
        // Newer entries that were added since stand above.
        let between = is.get(from..to).unwrap_or_default();
        let at = from + between.iter().take_while(newer).count();
        let lead = piece.bytes.len() - piece.bytes.trim_ascii_start().len();
        Some(Place {
            at: is
                .get(at)
                .map_or(now.bytes.len(), |piece| piece.range.start),
            lead: piece.bytes.get(..lead)?.to_vec(),
            is_exact: from == to,
        })
    };
    was.iter().enumerate().filter_map(place).collect()
}

/// The texts of pieces without the blanks around them.
fn texts<'a>(pieces: &[Piece<'a>]) -> Vec<&'a [u8]> {
    let texts = pieces.iter().map(|piece| piece.bytes.trim_ascii());
    texts.collect()
}

/// A file as pieces, all of its bytes in order.
fn pieces<'a>(file: &File<'a>) -> Vec<Piece<'a>> {
    let mut pieces = Vec::with_capacity(file.layout.entries.len() * 2);
    let piece = |range: Range<usize>, entry| Piece {
        bytes: file.part(&range),
        range,
        entry,
    };
    let mut at = 0;
    let end = file.bytes.len();
    let entries = file.layout.entries.iter().enumerate();
    let entries = entries.map(|(index, entry)| (entry.span.clone(), Some(index)));
    for (span, entry) in entries.chain([(end..end, None)]) {
        let start = match entry {
            Some(_) => blank_before(file.bytes, span.start).max(at),
            None => end,
        };
        for line in lines(file.part(&(at..start))) {
            pieces.push(piece(at + line.text.start..at + line.end, None));
        }
        if entry.is_some() {
            pieces.push(piece(start..span.end, entry));
        }
        at = span.end;
    }
    pieces
}
