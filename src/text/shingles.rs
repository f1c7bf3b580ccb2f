//! Runs of three words, by which the share of one text that stands in another is measured.

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
