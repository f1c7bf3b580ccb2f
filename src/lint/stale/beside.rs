//! Places where a memory names the new path beside the old one: it tells of the move, and the old
//! path is to stay.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::extract::{self, How, has_ending};
use super::fences::Fences;
use super::fix::stem;
use super::manner::is_item;
use super::places::is_common;
use super::{Manners, Stale, base};
use crate::lint::Look;
use crate::lint::repository::History;

/// A memory with paths that moved: what is read of it is read once for all of them.
pub(super) struct Beside<'l, 'a> {
    pub look: &'l Look<'a>,
    fences: Fences,
    manners: Manners<'a>,
}

impl<'l, 'a> Beside<'l, 'a> {
    /// Of this memory.
    pub fn of(look: &'l Look<'a>, history: &'a History) -> Self {
        Self {
            look,
            fences: Fences::of(look.text),
            manners: Manners::of_body(look).within(history),
        }
    }

    /// Leaves out the places of a path beside which stands where it is now: the finding stands
    /// where it misleads most of what is left. Whether any is left.
    pub fn without_told(&mut self, stale: &mut Stale, now: &str) -> bool {
        let title = self.without_told_title(stale, now);
        let count = stale.spots.len();
        let mut left: BTreeSet<usize> = BTreeSet::new();
        // A line may name the path ten thousand times.
        let mut last: Option<(Range<usize>, bool)> = None;
        stale.spots.retain(|spot| {
            let known =
                |(part, _): &(Range<usize>, bool)| part.start <= spot.start && spot.end <= part.end;
            let (line, told) = last.take().filter(known).unwrap_or_else(|| {
                let (line, part) = self.around(spot);
                let named = |bytes: &Range<usize>, below: bool| {
                    let text = self.look.text.get(bytes.clone()).unwrap_or_default();
                    match stale.import {
                        true => imports(text, now),
                        false => names(text, &stale.written, now, below),
                    }
                };
                // In another line a file below it is one of its own.
                let told = named(&line, true) || named(&part, false);
                (line, told)
            });
            last = Some((line, told));
            if !told {
                left.insert(spot.start);
            }
            !told
        });
        if stale.spots.len() == count {
            return title;
        }
        stale.places.retain(|place| left.contains(&place.start));
        let (start, _) = self.look.body();
        let manner = |spot: &Range<usize>| {
            let within = spot.start.saturating_sub(start)..spot.end.saturating_sub(start);
            (self.manners.manner(&within), spot.start, spot.end)
        };
        match stale.spots.iter().map(manner).min() {
            Some((manner, from, to)) => {
                stale.manner = manner;
                stale.finding = base(self.look, from..to);
                true
            }
            None => !stale.items.is_empty(),
        }
    }

    /// Leaves a title out that names where the path is now. Whether it stands anywhere still.
    fn without_told_title(&self, stale: &mut Stale, now: &str) -> bool {
        let title = |field: &str| {
            self.look
                .memory
                .field(field)
                .and_then(|title| title.as_str())
        };
        let told =
            |field: &&str| names(title(field).unwrap_or_default(), &stale.written, now, true);
        if stale.title.as_ref().is_some_and(told) {
            stale.title = None;
        }
        stale.title.is_some() || !stale.spots.is_empty() || !stale.items.is_empty()
    }

    /// The line that a path stands in, and the same with those that are one text with it; the whole
    /// of a block of code.
    fn around(&mut self, spot: &Range<usize>) -> (Range<usize>, Range<usize>) {
        let text = self.look.text;
        if let Some(block) = self.fences.around(spot.start) {
            return (block.clone(), block);
        }
        let line = text.get(..spot.start).and_then(|text| text.rfind('\n'));
        let line = line.map_or(0, |at| at + 1);
        let end = |from: usize| {
            let end = text.get(from..).and_then(|text| text.find('\n'));
            end.map_or(text.len(), |at| from + at)
        };
        let mut to = end(spot.end);
        // What stands below an item and deeper is of it.
        let of_item = |to: usize| {
            let next = text.get(to + 1..end(to + 1)).unwrap_or_default();
            next.starts_with("  ") && !next.trim().is_empty() && !is_item(next)
        };
        if text.get(line..to).is_some_and(is_item) {
            while to < text.len() && of_item(to) {
                to = end(to + 1);
            }
        }
        let (start, _) = self.look.body();
        let own = spot.start.checked_sub(start).map(|from| {
            let own = self.manners.own(&(from..spot.end - start));
            start + own.start..start + own.end
        });
        let own = own.unwrap_or(line..to);
        let part = line.min(own.start)..to.max(own.end);
        (line..end(spot.end), part)
    }
}

/// Whether a text imports what is at a path now: an old import beside the new path alone is wrong.
fn imports(text: &str, now: &str) -> bool {
    let now = stem(now);
    let mut found = false;
    extract::paths(text, "", &|_| false, &mut |named| {
        let end = now.strip_suffix(&*named.path);
        let same = end.is_some_and(|head| head.is_empty() || head.ends_with('/'));
        found |= same && named.how == How::Import;
    });
    found
}

/// Whether a text names where a path is now, whole or by an end of it that the old path has not;
/// perhaps by what is `below` it.
pub(super) fn names(text: &str, old: &str, now: &str, below: bool) -> bool {
    let ends = now.match_indices('/').map(|(at, _)| at + 1);
    let ends = std::iter::once(0).chain(ends);
    let ends = ends.filter_map(|at| now.get(at..));
    let telling = |end: &&str| {
        let same = old.strip_suffix(end);
        let file = end.contains('/') || has_ending(end);
        // Any line may name an `index.ts`.
        let known = *end == now || end.contains('/') || !is_common(end);
        file && known && !same.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    let text = match text.contains('\\') {
        true => Cow::from(text.replace('\\', "/")),
        false => Cow::from(text),
    };
    let mut ends = ends.filter(telling);
    ends.any(|end| stands(&text, end, end == now, below))
        || (!now.contains('/') && stands(&text, &format!("{now}/"), false, below))
}

/// Whether a path stands in a text, and not as a part of a longer one. A whole path may stand
/// behind where the repository is.
fn stands(text: &str, path: &str, whole: bool, below: bool) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let around = |c: char| c.is_whitespace() || "`'\"()[]<>|,".contains(c);
    text.match_indices(path).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let start = before.rfind(around).map_or(0, |at| at + 1);
        let root = before.get(start..).unwrap_or_default();
        let relative = root
            .trim_start_matches(['.', '/', '@', '-', '+', ':'])
            .is_empty();
        let from_root = root.starts_with(['/', '~']) || root.contains(":/");
        let own = relative || !root.ends_with('/') || (whole && from_root);
        let after = text.get(at + path.len()..).unwrap_or_default();
        let goes_on = after.starts_with(part) && !path.ends_with('/');
        let longer = after
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(part));
        let rest = after
            .strip_prefix('/')
            .or(path.ends_with('/').then_some(after));
        let file = rest.is_some_and(|rest| rest.starts_with(part));
        own && !before.ends_with(part) && !goes_on && !longer && (below || !file)
    })
}
