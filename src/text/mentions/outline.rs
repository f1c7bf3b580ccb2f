//! The sentence, the block of lines and the headings around a byte of a text.

use std::ops::Range;

use crate::memory::steps::step;
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

    /// The blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = (Range<usize>, Block)> {
        self.blocks.iter().cloned()
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

    /// The sentence around a byte; all of its block if that is one short sentence.
    pub fn sentence(&self, at: usize) -> Range<usize> {
        let (block, _) = self.block(at);
        let starts = (block.start..=at.min(block.end)).rev();
        let mut starts = starts.filter(|at| self.text.is_char_boundary(*at));
        let at = starts.next().unwrap_or(block.start);
        let before = self.text.get(block.start..at).unwrap_or_default();
        let behind = self.text.get(at..block.end).unwrap_or_default();
        let block = at - last_of(before, LONGEST).len()..at + cut(behind, LONGEST).len();
        step(block.len());
        let text = self.text.get(block.clone()).unwrap_or_default();
        let mut sentence = block.clone();
        for (end, sign) in text.match_indices(['.', '!', '?', ';']) {
            let behind = text.get(end + 1..).unwrap_or_default();
            let next = behind.trim_start().chars().next();
            let begins = next.is_none_or(|c| !c.is_lowercase());
            // `e.g.` and `etc.` end no sentence, nor does a sign within a word.
            let before = text.get(..end).unwrap_or_default();
            let short = ["e.g", "i.e", "vs"]
                .iter()
                .any(|short| before.ends_with(short));
            let ends = behind.starts_with(char::is_whitespace) && (begins || sign == ";");
            if !ends || short {
                continue;
            }
            let end = block.start + end + 1;
            if end > at {
                sentence.end = end;
                break;
            }
            sentence.start = end;
        }
        sentence
    }

    /// The headings above a byte, the nearest first, one of each level.
    pub fn headings(&self, at: usize) -> impl Iterator<Item = &'t str> {
        let above = self.index(at).and_then(|index| self.blocks.get(..=index));
        let mut level = usize::MAX;
        above
            .unwrap_or_default()
            .iter()
            .rev()
            .take(MOST_ABOVE)
            .filter_map(move |(bytes, kind)| {
                let line = self
                    .text
                    .get(bytes.clone())
                    .filter(|_| *kind == Block::Heading)?
                    .trim();
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
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = number.len() < line.len() && number.starts_with([')', '.']);
    line.starts_with(['|', '#'])
        || ["- ", "* ", "+ ", "• "]
            .iter()
            .any(|mark| line.starts_with(mark))
        || (numbered && number.get(1..).is_some_and(|rest| rest.starts_with(' ')))
}
