//! The sentence, the block of lines and the headings around a byte of a text.

use std::ops::Range;

use crate::memory::steps::step;
use crate::text::statements::{item_mark, sentences};
use crate::text::{cut, fence_after, last_of};

/// A block of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading.
    Heading,
    /// An item of a list, a row of a table or a paragraph.
    Item,
    /// A line of a block of code.
    Code,
}

/// The blocks of a text, in order and without blank lines.
#[derive(Clone, Debug)]
pub struct Outline<'t> {
    text: &'t str,
    blocks: Vec<(Range<usize>, Block)>,
}

/// Bytes on either side of a place in which its sentence is looked for.
const LONGEST: usize = 2_000;
/// Blocks above a place among which its headings are looked for.
const MOST_ABOVE: usize = 1_000;

impl<'t> Outline<'t> {
    /// Reads the blocks of a text.
    pub fn new(text: &'t str) -> Self {
        let mut blocks: Vec<(Range<usize>, Block)> = Vec::new();
        let (mut at, mut fence, mut open) = (0, None, false);
        for line in text.split_inclusive('\n') {
            let bytes = at..at + line.len();
            at = bytes.end;
            let head = line.trim_start_matches(['>', ' ', '\t']);
            let after = fence_after(fence, head);
            if after != fence {
                (fence, open) = (after, false);
            } else if fence.is_some() {
                blocks.push((bytes, Block::Code));
            } else if head.trim().is_empty() {
                open = false;
            } else if head.starts_with('#') && head.trim_start_matches('#').starts_with(' ') {
                blocks.push((bytes, Block::Heading));
                open = false;
            } else if open
                && !is_item(head)
                && let Some((last, _)) = blocks.last_mut()
            {
                last.end = bytes.end;
            } else {
                blocks.push((bytes, Block::Item));
                open = !head.starts_with('|');
            }
        }
        Self { text, blocks }
    }

    fn index(&self, at: usize) -> Option<usize> {
        let after = self.blocks.partition_point(|(bytes, _)| bytes.start <= at);
        after.checked_sub(1)
    }

    /// The block around a byte.
    pub fn block(&self, at: usize) -> (Range<usize>, Block) {
        let found = self.index(at).and_then(|index| self.blocks.get(index));
        found.cloned().unwrap_or((0..self.text.len(), Block::Item))
    }

    /// The blocks that lead to the one around a byte, the nearest first: the items that it is indented
    /// below, and the line above its list or its code that ends in a colon or is bold.
    pub fn leads(&self, at: usize) -> Vec<Range<usize>> {
        let above = self.index(at).and_then(|index| self.blocks.get(..index));
        let above = above.unwrap_or_default().iter().rev().take(MOST_ABOVE);
        let above = above.take_while(|(_, kind)| *kind != Block::Heading);
        let (own, kind) = self.block(at);
        let is_code = kind == Block::Code;
        let own = self.item(&own).unwrap_or_default();
        let (mut found, mut depth) = (Vec::new(), if is_code { usize::MAX } else { own });
        for (bytes, _) in above.filter(|(_, kind)| *kind == Block::Item) {
            let item = self.item(bytes);
            if item.is_some_and(|item| item >= depth) {
                continue;
            }
            let line = self.text.get(bytes.clone()).unwrap_or_default().trim_end();
            let leads = line.ends_with([':', '：']) || line.ends_with("**");
            if depth > 0 && (leads || item.is_some() && !is_code) {
                found.push(bytes.clone());
            }
            depth = item.unwrap_or(0);
            if depth == 0 {
                break;
            }
        }
        found
    }

    /// The column behind which an item of a list begins, from 1; none for other blocks.
    fn item(&self, bytes: &Range<usize>) -> Option<usize> {
        let line = self.text.get(bytes.clone()).unwrap_or_default();
        let head = line.trim_start_matches(['>', ' ', '\t']);
        is_item(head).then(|| line.len() - head.len() + 1)
    }

    /// True if a byte is in a block of code.
    pub fn is_fenced(&self, at: usize) -> bool {
        self.block(at).1 == Block::Code
    }

    /// The sentence around a byte, or its part between semicolons; in code its line.
    pub fn sentence(&self, at: usize) -> Range<usize> {
        let (block, kind) = self.block(at);
        if kind == Block::Code {
            return block;
        }
        let at = cut(self.text, at).len();
        let part = |bytes: Range<usize>| self.text.get(bytes).unwrap_or_default();
        let from = at - last_of(part(block.start..at), LONGEST).len();
        let block = from..at + cut(part(at..block.end), LONGEST).len();
        step(block.len());
        let around = sentences(part(block.clone())).into_iter();
        let around = around.map(|one| from + one.start..from + one.end);
        let found = around.into_iter().find(|one| one.end > at);
        let found = found.unwrap_or(block);
        let start = part(found.start..at).rfind("; ").map(|end| end + 1);
        let end = part(at..found.end).find("; ").map(|end| at + end + 1);
        found.start + start.unwrap_or(0)..end.unwrap_or(found.end)
    }

    /// The headings above a byte, the nearest first, one of each level.
    pub fn headings(&self, at: usize) -> impl Iterator<Item = &'t str> {
        let above = self.index(at).and_then(|index| self.blocks.get(..=index));
        let above = above.unwrap_or_default().iter().rev().take(MOST_ABOVE);
        let headings = above.filter(|(_, kind)| *kind == Block::Heading);
        let mut level = usize::MAX;
        headings.filter_map(move |(bytes, _)| {
            let line = self.text.get(bytes.clone())?.trim();
            let title = line.trim_start_matches(['>', ' ']).trim_start_matches('#');
            let own = line.len() - title.len();
            let wanted = own < level;
            level = level.min(own);
            wanted.then_some(title.trim())
        })
    }
}

/// True if a line begins an item of a list or a row of a table.
fn is_item(line: &str) -> bool {
    line.starts_with(['|', '#']) || item_mark(line).is_some()
}
