//! Place of an entry among its neighbours, so that it comes back there after other changes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{File, blank_before, seconds};
use crate::systems::ralph::line::lines;

/// Pieces that are remembered on either side: so many neighbours may be gone as well.
const NEAR: usize = 8;

/// The place of an entry that is taken out of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    /// The blank line before it that went with it.
    lead: String,
    /// Hashes of the pieces before it, the nearest first; fewer where the file begins there.
    before: Vec<u64>,
    /// Hashes of the pieces after it, the nearest first; fewer where the file ends there.
    after: Vec<u64>,
}

/// An entry with the blank line before it, or a line that belongs to none.
struct Piece {
    range: Range<usize>,
    entry: Option<usize>,
    /// Hash of its text without the blanks around it; 0 for an empty text.
    hash: u64,
}

impl Spot {
    /// The place of an entry.
    pub fn of(bytes: &[u8], index: usize) -> Option<Self> {
        Self::of_all(bytes, &[index]).pop()
    }

    /// The places of some entries, in the order of the file.
    pub fn of_all(bytes: &[u8], indexes: &[usize]) -> Vec<Self> {
        let pieces = pieces(&File::new(bytes));
        let hash = |piece: &Piece| piece.hash;
        let spot = |(at, piece): (usize, &Piece)| {
            piece.entry.filter(|n| indexes.binary_search(n).is_ok())?;
            // A blank line that goes with an entry is the first of its piece.
            let own = bytes.get(piece.range.clone())?;
            let lead = own.len() - own.trim_ascii_start().len();
            let (before, after) = (pieces.get(..at)?, pieces.get(at + 1..)?);
            Some(Self {
                lead: String::from_utf8_lossy(own.get(..lead)?).into_owned(),
                before: before.iter().rev().take(NEAR).map(hash).collect(),
                after: after.iter().take(NEAR).map(hash).collect(),
            })
        };
        pieces.iter().enumerate().filter_map(spot).collect()
    }

    /// The blank line before the entry.
    pub(super) const fn lead(&self) -> &[u8] {
        self.lead.as_bytes()
    }

    /// The place in a file as it is now, for an entry with this id, and whether what stood on its
    /// two sides is still side by side there.
    pub(super) fn find(&self, file: &File<'_>, id: &[u8]) -> Option<(usize, bool)> {
        let pieces = pieces(file);
        let hashes: Vec<u64> = pieces.iter().map(|piece| piece.hash).collect();
        let backwards: Vec<u64> = hashes.iter().rev().copied().collect();
        let behind = behind(&hashes, &self.before);
        let ahead = self::behind(&backwards, &self.after).map(|count| hashes.len() - count);
        let at = match (behind, ahead) {
            (Some(from), Some(to)) if from <= to => {
                // Newer entries added since stand above.
                let newer = |piece: &&Piece| {
                    let entry = piece.entry.and_then(|index| file.layout.entries.get(index));
                    entry.is_some_and(|entry| seconds(entry.id(file.bytes)) > seconds(id))
                };
                let between = pieces.get(from..to).unwrap_or_default();
                let by_age = from + between.iter().take_while(newer).count();
                let fits = |at: &usize| (self.neighbours(&hashes, *at), *at == by_age);
                (from..=to).max_by_key(fits).unwrap_or(by_age)
            }
            (Some(_), Some(_)) | (None, None) => return None,
            (Some(at), None) | (None, Some(at)) => at,
        };
        let place = pieces.get(at).map(|piece| piece.range.start);
        Some((place.unwrap_or(file.bytes.len()), behind == ahead))
    }

    /// Number of pieces on both sides of a place that stood beside the entry.
    fn neighbours(&self, pieces: &[u64], at: usize) -> usize {
        let (before, after) = pieces.split_at(at.min(pieces.len()));
        let same = |(a, b): &(&u64, &u64)| a == b;
        let is_text = |(a, _): &(&u64, &u64)| **a != 0;
        let before = before.iter().rev().zip(&self.before).take_while(same);
        let after = after.iter().zip(&self.after).take_while(same);
        let (before, after) = (before.filter(is_text), after.filter(is_text));
        before.count().min(after.count())
    }
}

/// Number of pieces before a place, found by the pieces that stood before it, the nearest first: the
/// first of these that is there, and once only, and what follows it as it did. Blank pieces are
/// skipped.
fn behind(pieces: &[u64], near: &[u64]) -> Option<usize> {
    let once = |wanted: u64| {
        let mut found = (1..).zip(pieces).filter(|(_, hash)| **hash == wanted);
        let (count, _) = found.next()?;
        (wanted != 0 && found.next().is_none()).then_some(count)
    };
    let mut anchors = near.iter().enumerate();
    let anchor = anchors.find_map(|(distance, hash)| Some((distance, once(*hash)?)));
    // The file began there.
    let is_at_start = near.len() < NEAR;
    let (distance, mut count) = anchor.or(is_at_start.then_some((near.len(), 0)))?;
    for hash in near.iter().take(distance).rev() {
        count += usize::from(pieces.get(count) == Some(hash));
    }
    Some(count)
}

/// A file as pieces, all of its bytes in order.
fn pieces(file: &File<'_>) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(file.layout.entries.len() * 2);
    let piece = |range: Range<usize>, entry| Piece {
        hash: hash(file.part(&range)),
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

/// A number for a text, the same in every version of the program (FNV-1a); 0 for none.
fn hash(text: &[u8]) -> u64 {
    let text = text.trim_ascii();
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    match text.is_empty() {
        true => 0,
        false => text.iter().fold(0xcbf2_9ce4_8422_2325, step).max(1),
    }
}
