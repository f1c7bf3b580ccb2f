//! The rows of the conflict view: lines of both texts that belong together, and who changed them.

use std::ops::Range;

use similar::{MergeResolution, TextMerge};

use super::words::differing;

/// Lines that stay are shown so far around a difference.
const CONTEXT: usize = 3;
/// Texts of more lines are not merged line by line: comparing two that have nothing in common
/// would take seconds.
const MOST: usize = 10_000;
/// What a mark around overlapping changes begins with.
pub(super) const MARK: &str = "<<<<<<< ";

/// Who changed a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Only the person.
    Mine,
    /// Only the disk.
    Theirs,
    /// Both, alike.
    Both,
    /// Both, differently.
    Overlap,
}

/// A line with the words that differ, as byte ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The line, without its end.
    pub text: String,
    /// What differs.
    pub words: Vec<Range<usize>>,
}

/// A row of the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A line that both have.
    Same(String),
    /// So many lines that both have.
    Fold(usize),
    /// A line that both began with and at least one no longer has.
    Base(String),
    /// Lines that belong together; none where one has no such line.
    Pair {
        /// Who changed it.
        side: Side,
        /// The person's line.
        mine: Option<Cell>,
        /// The line on disk.
        theirs: Option<Cell>,
    },
}

impl Row {
    /// Whether it is part of a difference.
    pub const fn differs(&self) -> bool {
        matches!(self, Self::Base(_) | Self::Pair { .. })
    }
}

/// Merges two texts line by line; how many changes overlap.
pub(super) fn merge(base: &str, mine: &str, theirs: &str) -> (String, usize) {
    if too_long(base, mine, theirs) {
        let text = format!("{MARK}yours\n{mine}\n=======\n{theirs}\n>>>>>>> on disk\n");
        return (text, 1);
    }
    let mut merge = TextMerge::from_lines(base, mine, theirs);
    merge.labels("before", "yours", "on disk");
    (merge.to_string(), merge.conflict_count())
}

fn too_long(base: &str, mine: &str, theirs: &str) -> bool {
    let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    lines(base).max(lines(mine)).max(lines(theirs)) > MOST
}

/// The rows of two texts that began as one.
pub(super) fn rows(base: &str, mine: &str, theirs: &str, with_base: bool) -> Vec<Row> {
    if too_long(base, mine, theirs) {
        return pairs(Side::Overlap, lines(mine), lines(theirs)).collect();
    }
    let merge = TextMerge::from_lines(base, mine, theirs);
    let line = |text: Option<&str>| {
        let text = text.unwrap_or_default();
        text.trim_end_matches(['\n', '\r']).to_owned()
    };
    let mut rows = Vec::new();
    for region in merge.regions() {
        let of_base = || region.base_range().map(|n| line(merge.base_line(n)));
        let ours: Vec<String> = region
            .ours_range()
            .map(|n| line(merge.ours_line(n)))
            .collect();
        let theirs = region.theirs_range().map(|n| line(merge.theirs_line(n)));
        let side = match region.resolution() {
            MergeResolution::Unchanged => {
                rows.extend(of_base().map(Row::Same));
                continue;
            }
            MergeResolution::Ours => Side::Mine,
            MergeResolution::Theirs => Side::Theirs,
            MergeResolution::Both => Side::Both,
            _ => Side::Overlap,
        };
        if with_base {
            rows.extend(of_base().map(Row::Base));
        }
        rows.extend(pairs(side, ours, theirs.collect()));
    }
    fold(rows)
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// Lines side by side, with the words that differ.
fn pairs(side: Side, mine: Vec<String>, theirs: Vec<String>) -> impl Iterator<Item = Row> {
    let count = mine.len().max(theirs.len());
    let mut mine = mine.into_iter();
    let mut theirs = theirs.into_iter();
    (0..count).map(move |_| {
        let (mut left, mut right) = (mine.next().map(cell), theirs.next().map(cell));
        if let (Some(left), Some(right)) = (&mut left, &mut right) {
            (left.words, right.words) = differing(&left.text, &right.text);
        }
        Row::Pair {
            side,
            mine: left,
            theirs: right,
        }
    })
}

fn cell(text: String) -> Cell {
    Cell {
        text,
        words: Vec::new(),
    }
}

/// Leaves out lines that stay and are far from any difference.
fn fold(rows: Vec<Row>) -> Vec<Row> {
    let near: Vec<bool> = {
        let mut near = vec![false; rows.len()];
        for at in rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.differs())
            .map(|(at, _)| at)
        {
            let around = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(rows.len());
            if let Some(part) = near.get_mut(around) {
                part.fill(true);
            }
        }
        near
    };
    let mut out: Vec<Row> = Vec::new();
    for (row, near) in rows.into_iter().zip(near) {
        match (near, out.last_mut()) {
            (true, _) => out.push(row),
            (false, Some(Row::Fold(count))) => *count += 1,
            (false, _) => out.push(Row::Fold(1)),
        }
    }
    out
}
