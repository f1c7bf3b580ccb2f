//! What stands together in a text.

use std::ops::Range;

use crate::memory::index::marked;

/// What stands together in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading and its level.
    Heading(usize),
    /// A code block, whole.
    Code,
    /// A table, whole.
    Table,
    /// An item of a list with what is indented below it.
    Item,
    /// A paragraph.
    Paragraph,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub kind: Kind,
    pub bytes: Range<usize>,
}

/// The pieces of a text in their order.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut all: Vec<Block> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut open = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let end = start + line.trim_end().len();
        let blank = line.trim().is_empty();
        let indented = line.starts_with([' ', '\t']);
        if let Some(mark) = fence {
            extend(&mut all, end.max(start));
            if fence_of(line).is_some_and(|own| closes(mark, own, line)) {
                fence = None;
                open = false;
            }
            continue;
        }
        let goes_on =
            |all: &[Block], kind: Kind| open && all.last().is_some_and(|b| b.kind == kind);
        let in_item = all.last().is_some_and(|block| block.kind == Kind::Item);
        if blank {
            // What is indented below an item belongs to it after a blank line too.
            open = false;
        } else if in_item && indented && (open || marked(line).is_none()) {
            fence = fence_of(line);
            extend(&mut all, end);
            open = true;
        } else if let Some(mark) = fence_of(line) {
            fence = Some(mark);
            push(&mut all, Kind::Code, start..end);
        } else if let Some(level) = heading(line) {
            push(&mut all, Kind::Heading(level), start..end);
            open = false;
        } else if line.trim_start().starts_with('|') {
            if goes_on(&all, Kind::Table) {
                extend(&mut all, end);
            } else {
                push(&mut all, Kind::Table, start..end);
            }
            open = true;
        } else if marked(line).is_some() {
            push(&mut all, Kind::Item, start..end);
            open = true;
        } else if goes_on(&all, Kind::Paragraph) || goes_on(&all, Kind::Item) {
            extend(&mut all, end);
        } else {
            push(&mut all, Kind::Paragraph, start..end);
            open = true;
        }
    }
    all
}

fn push(all: &mut Vec<Block>, kind: Kind, bytes: Range<usize>) {
    all.push(Block { kind, bytes });
}

fn extend(all: &mut [Block], end: usize) {
    if let Some(last) = all.last_mut() {
        last.bytes.end = end;
    }
}

/// The level of a heading.
fn heading(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let rest = line.get(level..)?;
    ((1..=6).contains(&level) && (rest.trim().is_empty() || rest.starts_with([' ', '\t'])))
        .then_some(level)
}

/// The marks of a fence.
pub(super) fn fence_of(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let first = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.chars().take_while(|c| *c == first).count();
    text.get(..length).filter(|_| length >= 3)
}

/// Whether a line of marks ends a block that others opened.
pub(super) fn closes(open: &str, mark: &str, line: &str) -> bool {
    mark.starts_with(open) && line.trim().len() == mark.len()
}
