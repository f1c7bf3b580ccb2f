//! Places where a memory names the new path beside the old one: it tells of the move, and the old
//! path is to stay.

use std::ops::Range;

use super::{Manners, Stale, base};
use crate::lint::Look;

/// Leaves out the places of a path beside which stands where it is now: the finding stands where
/// it misleads most of what is left. Whether any is left.
pub(super) fn without_told(look: &Look<'_>, stale: &mut Stale, now: &str) -> bool {
    let text = look.text;
    let old = stale.written.clone();
    let is_told = |spot: &Range<usize>| {
        let around = around(text, spot);
        names(text.get(around).unwrap_or_default(), &old, now)
    };
    let count = stale.spots.len();
    stale.spots.retain(|spot| !is_told(spot));
    if stale.spots.len() == count {
        return true;
    }
    stale.places.retain(|place| stale.spots.contains(place));
    let (start, body) = look.body();
    let mut manners = Manners::of(body);
    let manner = |spot: &Range<usize>| {
        let within = spot.start.saturating_sub(start)..spot.end.saturating_sub(start);
        (manners.manner(&within), spot.start, spot.end)
    };
    match stale.spots.iter().map(manner).min() {
        Some((manner, from, to)) => {
            stale.manner = manner;
            stale.finding = base(look, from..to);
            true
        }
        None => !stale.items.is_empty(),
    }
}

/// The line that a path stands in; the whole of a code block.
fn around(text: &str, spot: &Range<usize>) -> Range<usize> {
    let before = text.get(..spot.start).unwrap_or_default();
    let after = text.get(spot.end..).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(text.len(), |at| spot.end + at);
    let is_fence = |line: &str| {
        let line = line.trim_start();
        line.starts_with("```") || line.starts_with("~~~")
    };
    let fences = before.lines().filter(|line| is_fence(line)).count();
    if fences % 2 == 0 {
        return start..end;
    }
    let mark = |text: &str| {
        [text.rfind("```"), text.rfind("~~~")]
            .into_iter()
            .flatten()
            .max()
    };
    let open = mark(before).unwrap_or(start);
    let close = ["```", "~~~"]
        .iter()
        .filter_map(|mark| after.find(mark))
        .min();
    open..close.map_or(text.len(), |at| spot.end + at)
}

/// Whether a text names where a path is now, whole or by an end of it that the old path has not.
fn names(text: &str, old: &str, now: &str) -> bool {
    let ends = now.match_indices('/').map(|(at, _)| at + 1);
    let ends = std::iter::once(0).chain(ends);
    let ends = ends.filter_map(|at| now.get(at..));
    let telling = |end: &&str| {
        let same = old.strip_suffix(end);
        let file = end.contains('/') || super::extract::has_ending(end);
        file && !same.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let text = text.replace('\\', "/");
    ends.filter(telling).any(|end| stands(&text, end))
        || (!now.contains('/') && stands(&text, &format!("{now}/")))
}

/// Whether a path stands in a text, and not as a part of a longer name.
fn stands(text: &str, path: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(path).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().chars().next_back();
        let after = text.get(at + path.len()..).unwrap_or_default();
        let goes_on = after.starts_with(part) && !path.ends_with('/');
        let longer = after
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(part));
        !before.is_some_and(part) && !goes_on && !longer
    })
}
