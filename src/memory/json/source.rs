//! Places in the text of a literal, and where they stand in it.

use super::text;

/// Where the piece of a literal stands that a byte of its [`text`] comes from, in bytes of the
/// literal.
pub fn source(literal: &[u8], byte: usize) -> usize {
    let meant = |at: usize, length: usize| {
        // One byte on either side stands for the quotes.
        let piece = literal.get(at.saturating_sub(1)..at + length + 1);
        piece.map(text).unwrap_or_default()
    };
    let (mut at, mut out) = (1, 0);
    while at + 1 < literal.len() {
        let (length, bytes) = match (literal.get(at), literal.get(at + 1)) {
            (Some(b'\\'), Some(b'u')) => match (meant(at, 12), meant(at, 6)) {
                (pair, _) if pair.len() == 4 && pair.chars().count() == 1 => (12, 4),
                (_, single) => (6, single.len()),
            },
            (Some(b'\\'), _) => (2, meant(at, 2).len()),
            _ => (1, 1),
        };
        if out + bytes > byte {
            break;
        }
        out += bytes;
        at += length;
    }
    at
}
