//! Statements of one text that contradict another text, or an earlier part of the same.

use std::ops::Range;

use super::body::Body;
use super::{Relation, Slot, best};

/// A statement by its bytes in a text, and the bytes of the statement that differ.
pub type Differing = (Range<usize>, Vec<Range<usize>>);

/// A statement that contradicts another: in what, and each of the two.
pub type Denied = (Slot, [Differing; 2]);

/// The first statement of a text that contradicts one in these bytes of another, surely enough.
pub fn denied(text: &str, other: &str, within: Range<usize>) -> Option<Denied> {
    let (a, b) = (
        Body::within(text, 0..text.len()),
        Body::within(other, within),
    );
    denials(&a, &b).find(|(slot, _)| *slot != Slot::Word)
}

/// Where the statements of a text stand that contradict one of another.
pub fn contradicted(text: &str, other: &str) -> Vec<Range<usize>> {
    let (a, b) = (
        Body::within(text, 0..text.len()),
        Body::within(other, 0..other.len()),
    );
    denials(&a, &b).map(|(_, [(here, _), _])| here).collect()
}

/// The first statement of a text that contradicts an earlier one, surely enough, both of these
/// parts of it.
pub fn denies_itself(text: &str, parts: &[Range<usize>]) -> Option<Denied> {
    let bodies = parts.iter().map(|part| Body::within(text, part.clone()));
    let bodies: Vec<Body<'_>> = bodies.collect();
    bodies.iter().enumerate().find_map(|(n, later)| {
        let mut earlier = bodies.iter().take(n);
        earlier.find_map(|earlier| denials(later, earlier).find(|(slot, _)| slot.is_sure()))
    })
}

/// The statements of one body that contradict one of another.
fn denials<'b>(a: &'b Body<'_>, b: &'b Body<'_>) -> impl Iterator<Item = Denied> {
    a.statements
        .iter()
        .filter_map(move |one| match best(one, b)? {
            (
                Relation::Contradiction {
                    slot, a: x, b: y, ..
                },
                other,
            ) => Some((slot, [(one.statement.bytes(), x), (other.bytes(), y)])),
            _ => None,
        })
}
