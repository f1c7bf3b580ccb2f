//! The figures in the tables and blocks of code of a body, which no statement says.

use crate::lint::body::step;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{hash, join, tokens};

/// Whether each of two bodies has a figure in a table or a block of code that the other lacks.
pub(super) fn have_other_figures(a: &str, b: &str) -> bool {
    let (a, b) = (figures(a), figures(b));
    let lacks = |a: &[u32], b: &[u32]| a.iter().any(|one| b.binary_search(one).is_err());
    lacks(&a, &b) && lacks(&b, &a)
}

/// All words with a digit there, each with the unit behind it, as numbers in order.
fn figures(body: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut fence = None;
    for line in body.lines() {
        let was = fence;
        fence = step(fence, line);
        if !(was.is_some() && fence.is_some() || line.trim_start().starts_with('|')) {
            continue;
        }
        let mut tokens = tokens(line).into_iter().peekable();
        while let Some(token) = tokens.next() {
            let word = line.get(token.at).unwrap_or_default();
            if !word.contains(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let next = tokens.peek().and_then(|next| line.get(next.at.clone()));
            let next = next.map(str::to_lowercase);
            let unit = next.filter(|next| table::is_unit(next));
            found.push(join(
                token.hash,
                unit.map_or(0, |unit| hash(unit.as_bytes())),
            ));
        }
    }
    found.sort_unstable();
    found
}
