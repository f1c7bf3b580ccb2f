//! Aligns two lists of stems: the heaviest common subsequence, and the blocks between.

use std::ops::Range;

/// A range of one list, and the range of the other in its place; either may be empty.
pub type Block = (Range<usize>, Range<usize>);

/// Added to the weight of each match, so that words without weight are aligned as well.
const LEAST: f64 = 0.001;

/// The blocks in which two lists of weighed stems differ, in order.
pub fn blocks(a: &[(u32, f64)], b: &[(u32, f64)]) -> Vec<Block> {
    let same = |(a, b): &(&(u32, f64), &(u32, f64))| a.0 == b.0;
    let head = a.iter().zip(b).take_while(same).count();
    let (a_rest, b_rest) = (a.split_at(head).1, b.split_at(head).1);
    let ends = a_rest.iter().rev().zip(b_rest.iter().rev());
    let tail = ends.take_while(same).count();
    let (a_mid, b_mid) = (a_rest.len() - tail, b_rest.len() - tail);
    let (x, y) = (a_rest.split_at(a_mid).0, b_rest.split_at(b_mid).0);
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (n, m) in matches(x, y).into_iter().chain([(a_mid, b_mid)]) {
        if n > i || m > j {
            found.push((head + i..head + n, head + j..head + m));
        }
        (i, j) = (n + 1, m + 1);
    }
    found
}

/// The matches of the heaviest common subsequence.
fn matches(a: &[(u32, f64)], b: &[(u32, f64)]) -> Vec<(usize, usize)> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    // best[i * width + j]: the weight of the best match of what follows i and j.
    let width = b.len() + 1;
    let mut best = vec![0.0_f64; (a.len() + 1) * width];
    let at =
        |best: &[f64], i: usize, j: usize| best.get(i * width + j).copied().unwrap_or_default();
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            let skip = at(&best, i + 1, j).max(at(&best, i, j + 1));
            let found = match x.0 == y.0 {
                true => skip.max(at(&best, i + 1, j + 1) + x.1 + LEAST),
                false => skip,
            };
            if let Some(place) = best.get_mut(i * width + j) {
                *place = found;
            }
        }
    }
    let (mut found, mut i, mut j) = (Vec::new(), 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let here = at(&best, i, j);
        if x.0 == y.0 && here <= at(&best, i + 1, j + 1) + x.1 + LEAST {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&best, i + 1, j) >= at(&best, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(u32, f64)> {
        text.chars().map(|c| (u32::from(c), 1.0)).collect()
    }

    proptest::proptest! {
        #[test]
        fn what_stands_between_blocks_is_equal(a in "[a-c]{0,12}", b in "[a-c]{0,12}") {
            let (x, y) = (of(&a), of(&b));
            let (mut left, mut right) = (x.clone(), y.clone());
            for (i, j) in blocks(&x, &y).into_iter().rev() {
                left.drain(i);
                right.drain(j);
            }
            proptest::prop_assert_eq!(left, right);
        }
    }
}
