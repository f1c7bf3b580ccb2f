//! Places in the text of a literal, and where they stand in it.

use super::text;

/// Maps bytes of a literal's [`text`], in order, to the positions in the literal they come from, in
/// bytes.
pub fn sources(literal: &[u8], bytes: &[usize]) -> Vec<usize> {
    let meant = |at: usize, length: usize| {
        // One byte on either side stands for the quotes.
        let piece = literal.get(at.saturating_sub(1)..at + length + 1);
        piece.map(text).unwrap_or_default()
    };
    let (mut at, mut out) = (1, 0);
    let mut found = Vec::with_capacity(bytes.len());
    while at + 1 < literal.len() && found.len() < bytes.len() {
        let (length, meant) = match (literal.get(at), literal.get(at + 1)) {
            (Some(b'\\'), Some(b'u')) => match (meant(at, 12), meant(at, 6)) {
                (pair, _) if pair.len() == 4 && pair.chars().count() == 1 => (12, 4),
                (_, single) => (6, single.len()),
            },
            (Some(b'\\'), _) => (2, meant(at, 2).len()),
            _ => (1, 1),
        };
        let here = bytes.iter().skip(found.len());
        let here = here.take_while(|byte| out + meant > **byte).count();
        found.extend(std::iter::repeat_n(at, here));
        out += meant;
        at += length;
    }
    found.resize(bytes.len(), at);
    found
}
