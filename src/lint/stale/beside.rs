//! Places where a memory names the new path beside the old one: it tells of the move, and the old
//! path is to stay.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{Manners, Stale, base};
use crate::lint::Look;

/// Leaves out the places of a path beside which stands where it is now: the finding stands where
/// it misleads most of what is left. Whether any is left.
pub(super) fn without_told(look: &Look<'_>, stale: &mut Stale, now: &str) -> bool {
    let mut told = Told::of(look.text, stale.written.clone(), now);
    let count = stale.spots.len();
    let mut left: BTreeSet<usize> = BTreeSet::new();
    stale.spots.retain(|spot| {
        let keep = !told.is_at(spot);
        if keep {
            left.insert(spot.start);
        }
        keep
    });
    if stale.spots.len() == count {
        return true;
    }
    stale.places.retain(|place| left.contains(&place.start));
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

/// Where a text names the new path; what is known of a part of it holds for all paths in it.
struct Told<'t> {
    text: &'t str,
    /// Where the lines begin that open and close blocks of code.
    fences: Vec<usize>,
    old: Box<str>,
    now: &'t str,
    last: Option<(Range<usize>, bool)>,
}

impl<'t> Told<'t> {
    fn of(text: &'t str, old: Box<str>, now: &'t str) -> Self {
        let mut fences = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let head = line.trim_start();
            if head.starts_with("```") || head.starts_with("~~~") {
                fences.push(at);
            }
            at += line.len();
        }
        Self {
            text,
            fences,
            old,
            now,
            last: None,
        }
    }

    /// Whether the new path stands beside the old one at these bytes.
    fn is_at(&mut self, spot: &Range<usize>) -> bool {
        if let Some((part, told)) = &self.last
            && part.start <= spot.start
            && spot.end <= part.end
        {
            return *told;
        }
        let part = self.around(spot);
        let told = names(
            self.text.get(part.clone()).unwrap_or_default(),
            &self.old,
            self.now,
        );
        self.last = Some((part, told));
        told
    }

    /// The line that a path stands in; the whole of a block of code.
    fn around(&self, spot: &Range<usize>) -> Range<usize> {
        let before = self.fences.partition_point(|at| *at <= spot.start);
        let open = before.checked_sub(1).and_then(|at| self.fences.get(at));
        if let Some(open) = open.filter(|_| before % 2 == 1) {
            let close = self.fences.get(before).copied();
            return *open..close.unwrap_or(self.text.len());
        }
        let line = self
            .text
            .get(..spot.start)
            .and_then(|text| text.rfind('\n'));
        let end = self.text.get(spot.end..).and_then(|text| text.find('\n'));
        line.map_or(0, |at| at + 1)..end.map_or(self.text.len(), |at| spot.end + at)
    }
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
