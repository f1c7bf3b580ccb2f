//! Runs of three words, by which the share of one text that stands in another is measured.

use super::statements::statements;
use super::tokens::stems;

/// Hashes of each three tokens in a row of a statement, sorted, each once; shorter statements are
/// one shingle.
pub fn shingles(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for one in statements(text) {
        let stems = stems(text.get(one.at).unwrap_or_default());
        let runs = stems.windows(3.min(stems.len().max(1)));
        found.extend(runs.map(|run| run.iter().fold(7, |all, stem| join(all, *stem))));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// One hash of two.
pub const fn join(a: u32, b: u32) -> u32 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x9e37_79b1)
}

/// Number of entries that two sorted lists share.
pub fn common(a: &[u32], b: &[u32]) -> usize {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let has = |one: &&u32| long.binary_search(one).is_ok();
    short.iter().filter(has).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_text_shares_its_shingles() {
        let whole = shingles("The pool holds ten connections. Ask first.");
        let part = shingles("the pool holds 10 connection");
        assert_eq!((part.len(), common(&whole, &part)), (3, 3));
        assert_eq!(common(&part, &shingles("Nothing of that here.")), 0);
    }
}
