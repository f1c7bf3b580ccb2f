//! Entries that come back into an index which has changed since they were taken out.

use std::collections::HashMap;
use std::ops::Range;

use super::blocks::{Block, Blocks, columns, end_of_line, with_end, without_end};
use super::{IndexLink, links};
use crate::memory::format::LinkForm;
use crate::memory::link::text_links;

/// An index with the links to a file that an earlier version of it has, of which the surroundings
/// of these links are enough: each entry as it was, beside its old neighbours, or at the end of
/// its list. None where the earlier version has none that fits.
pub fn put_back(text: &str, before: &str, is_own: impl Fn(&str) -> bool) -> Option<String> {
    let mut new = with_end(text);
    let all = links(before, 0);
    let own = all.iter().enumerate();
    for (at, link) in own.filter(|(_, link)| is_own(&link.target)) {
        let next = all.get(at + 1).map_or(usize::MAX, |next| next.range.start);
        if let Some(place) = words_of(link, before, &new).filter(|_| !link.is_item()) {
            let line = before.get(link.range.clone())?;
            new.replace_range(place, &lines(line, blanks_of(line), &new));
        } else if let Some(item) = &link.item {
            insert(&mut new, before, item.start..item.end.min(next))?;
        }
    }
    let new = without_end(new, text);
    (new != text).then_some(new)
}

/// The line of a text that has the words of a link in its place, and else is the same.
fn words_of(link: &IndexLink, before: &str, text: &str) -> Option<Range<usize>> {
    let label = before.get(link.link.label.clone())?;
    let lead = before.get(link.range.start..link.link.whole.start)?;
    let rest = before.get(link.link.whole.end..link.range.end)?;
    let words = format!("{lead}{label}{rest}");
    let mut at = 0;
    let mut places = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len()..at, line)
    });
    let same = places.find(|(_, line)| line.trim_end() == words.trim_end());
    same.map(|(place, _)| place)
}

/// Lines with this before each of them instead of what the first one begins with, and with the line
/// ends of a text.
fn lines(own: &str, blanks: &str, text: &str) -> String {
    let old = blanks_of(own);
    let is_same = columns(old) == columns(blanks);
    let blanks = if is_same { old } else { blanks };
    let lines = own.lines().map(|line| match line.strip_prefix(old) {
        _ if line.trim().is_empty() => String::new(),
        rest => format!("{blanks}{}", rest.unwrap_or(line.trim_start())),
    });
    let end = end_of_line(text);
    lines.map(|line| line + end).collect()
}

fn blanks_of(line: &str) -> &str {
    let words = line.trim_start_matches([' ', '\t']);
    line.strip_suffix(words).unwrap_or_default()
}

/// What the same block has in two versions of an index: the file that its line links to, or else
/// the words of the line.
fn names(text: &str, block: &Block) -> (Option<String>, String) {
    let line = text.get(block.range.clone()).unwrap_or_default();
    let line = line.lines().next().unwrap_or_default();
    let Some(link) = text_links(line, &[LinkForm::Path]).into_iter().next() else {
        return (None, line.trim().to_owned());
    };
    let target = format!("({})", link.target(line));
    let label = line.get(link.label).unwrap_or_default();
    let mut words = line.to_owned();
    words.replace_range(link.whole, label);
    (Some(target), words.trim().to_owned())
}

/// The blocks of a text by what they are known by.
struct Known<'a> {
    text: &'a str,
    blocks: &'a Blocks,
    by_name: HashMap<String, &'a Block>,
}

impl<'a> Known<'a> {
    fn new(text: &'a str, blocks: &'a Blocks) -> Self {
        let mut by_name = HashMap::new();
        for block in blocks.0.iter().rev() {
            let (target, words) = names(text, block);
            by_name.extend(target.map(|target| (target, block)));
            by_name.insert(words, block);
        }
        Self {
            text,
            blocks,
            by_name,
        }
    }

    /// The one that is a block of another version.
    fn same(&self, before: &str, block: &Block) -> Option<&'a Block> {
        let (target, words) = names(before, block);
        let by_target = target.and_then(|target| self.by_name.get(&target));
        by_target.or_else(|| self.by_name.get(&words)).copied()
    }

    /// The blanks that a block begins with.
    fn blanks(&self, block: &Block) -> &'a str {
        blanks_of(self.text.get(block.range.clone()).unwrap_or_default())
    }

    /// The end of a block, and what the entries in it begin with.
    fn within(&self, block: &Block, usual: &str) -> (usize, String) {
        let is_inner = |one: &&Block| {
            let outer = one.parent.and_then(|outer| self.blocks.0.get(outer));
            outer.is_some_and(|outer| outer.range == block.range)
        };
        let last = self.blocks.0.iter().rev().find(is_inner);
        let deeper = || format!("{}{usual}", self.blanks(block));
        let blanks = last.map_or_else(deeper, |last| self.blanks(last).to_owned());
        (block.range.end, blanks)
    }
}

/// Puts an entry of an earlier version back into a text: beside a neighbour, in the block that it
/// was nested in, or at the end of its list.
fn insert(text: &mut String, before: &str, own: Range<usize>) -> Option<()> {
    let (old, now) = (Blocks::new(before), Blocks::new(text));
    let known = Known::new(text, &now);
    let block = old.at(own.start)?;
    let list = || old.0.iter().filter(|other| other.list == block.list);
    let above = || list().filter(|other| other.range.start < own.start);
    let mut below = list().filter(|other| other.range.start > own.start);
    // Blank lines part the entries of some lists.
    let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
    let is_loose = above().next().is_some() && is_blank(before.get(..own.start)?.lines().last())
        || below.clone().next().is_some()
            && is_blank(before.get(block.range.end..)?.lines().next());
    let mut gap = if is_loose { end_of_line(text) } else { "" };
    let entry = before.get(own.clone())?;
    let parent = block.parent.and_then(|parent| old.0.get(parent));
    let same = |block: &Block| known.same(before, block);
    let (at, new) = if let Some(above) = above().rev().find_map(same) {
        let mut at = above.range.end;
        // The one that stands already at the end of the text does.
        let rest = text.get(at..)?;
        if is_loose && !rest.is_empty() && rest.trim().is_empty() {
            (at, gap) = (text.len(), "");
        }
        let new = lines(entry, known.blanks(above), text);
        (at, format!("{gap}{new}"))
    } else if let Some(below) = below.find_map(same) {
        let new = lines(entry, known.blanks(below), text);
        (below.range.start, format!("{new}{gap}"))
    } else if let Some((was, is)) = parent.and_then(|parent| Some((parent, same(parent)?))) {
        let outer = blanks_of(before.get(was.range.clone())?);
        let usual = blanks_of(entry).strip_prefix(outer).unwrap_or("  ");
        let (at, blanks) = known.within(is, usual);
        (at, lines(entry, &blanks, text))
    } else {
        let (at, last) = section(text, before.get(..own.start)?, &now);
        let blanks = last.map_or_else(|| blanks_of(entry), |last| known.blanks(last));
        // A list of its own is parted from what follows.
        let next = text.get(at..)?.lines().next();
        let is_own = last.is_none() && next.is_some_and(|line| !line.trim().is_empty());
        let gap = if is_own { end_of_line(text) } else { "" };
        (at, lines(entry, blanks, text) + gap)
    };
    text.insert_str(at, &new);
    Some(())
}

/// End and last item of the last list below the last heading of `lead`; of the whole text if that
/// heading is gone.
fn section<'b>(text: &str, lead: &str, blocks: &'b Blocks) -> (usize, Option<&'b Block>) {
    let mut lines = lead.lines().rev();
    let heading = lines.find(|line| line.starts_with('#'));
    let mut at = 0;
    let mut all = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at, line)
    });
    let found = all.find(|(_, line)| heading.is_some_and(|own| line.trim_end() == own.trim_end()));
    let mut start = found.map_or(0, |(end, _)| end);
    let next = all.find(|(_, line)| line.starts_with('#'));
    let end = next.map_or(text.len(), |(end, line)| end - line.len());
    let within =
        |block: &&Block| block.parent.is_none() && (start..end).contains(&block.range.start);
    if let Some(last) = blocks.0.iter().rev().find(within) {
        return (last.range.end, Some(last));
    }
    if found.is_none() {
        return (text.len(), None);
    }
    // A blank line below a heading stays above what it heads, and so does what is indented there.
    let is_blank = |line: &str| line.trim().is_empty();
    let below = text.get(start..).unwrap_or_default().split_inclusive('\n');
    let below = below.take_while(|line| is_blank(line) || line.starts_with([' ', '\t']));
    let mut end = start;
    for (at, line) in below.enumerate() {
        end += line.len();
        if at == 0 || !is_blank(line) {
            start = end;
        }
    }
    (start, None)
}
