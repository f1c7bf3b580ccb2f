//! Restores entries of an index that has changed since they were removed.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::blocks::{Block, Blocks, columns, end_of_line, with_end, without_end};
use super::{IndexLink, links};
use crate::memory::format::LinkForm;
use crate::memory::link::{TextLink, text_links};

/// Restores the links to some files from an earlier version of an index, or from an excerpt around
/// them: each entry goes beside its old neighbours, else to the end of its list. None if nothing
/// can be restored.
pub fn put_back(text: &str, before: &str, is_own: impl Fn(&str) -> bool) -> Option<String> {
    let mut new = with_end(text);
    let old = Blocks::new(before);
    let all = links(before, 0);
    let is_own: Vec<bool> = all.iter().map(|link| is_own(&link.target)).collect();
    let mut items: Vec<Item> = Vec::new();
    let mut worded = None;
    for (at, link) in all.iter().enumerate() {
        let start = link.range.start;
        let is_in = |item: &Item| item.kept.iter().any(|kept| kept.contains(&start));
        let is_done = worded == Some(start) || items.iter().any(is_in);
        if is_done || is_own.get(at) != Some(&true) {
            continue;
        }
        let first = all.partition_point(|other| other.range.start < start);
        let own = all.iter().zip(is_own.iter().copied()).skip(first);
        let own: Vec<_> = own
            .take_while(|(other, _)| other.range == link.range)
            .collect();
        let place = (!link.is_item()).then(|| place_of(&own, before, &new));
        if let Some((place, line)) = place.flatten() {
            new.replace_range(place, &indented(&line, blanks_of(&line), &new));
            worded = Some(start);
        } else if let Some(block) = &link.item {
            let inner = all.iter().zip(&is_own).skip(at + 1);
            let inner = inner.take_while(|(other, _)| other.range.start < block.end);
            let away = inner
                .filter(|(other, is_own)| !**is_own && other.range != link.range)
                .map(|(other, _)| other.range.start);
            items.push(Item::new(block, &old, away));
        }
    }
    while !items.is_empty() {
        items = insert(&mut new, (before, &old), items)?;
    }
    let new = without_end(new, text);
    (new != text).then_some(new)
}

/// An entry that is restored: the start of its block, and the parts of the block to restore.
struct Item {
    start: usize,
    kept: Vec<Range<usize>>,
}

impl Item {
    /// A block without the nested entries that are not restored; `away` has the starts of their lines.
    fn new(block: &Range<usize>, old: &Blocks, away: impl Iterator<Item = usize>) -> Self {
        let (mut kept, mut done) = (Vec::new(), block.start);
        for line in away {
            let entry = old.at(line).map(|entry| &entry.range);
            if let Some(entry) = entry.filter(|entry| entry.start == line && line >= done) {
                kept.push(done..line);
                done = entry.end;
            }
        }
        kept.push(done..block.end);
        Self {
            start: block.start,
            kept,
        }
    }

    fn end(&self) -> usize {
        self.kept.last().map_or(self.start, |last| last.end)
    }

    fn text(&self, before: &str) -> String {
        let parts = self.kept.iter().filter_map(|part| before.get(part.clone()));
        parts.collect()
    }
}

/// Finds the line that was left when links of an earlier line became plain words: those that are
/// restored, or all of them. Returns its range, and the line with the restored links.
fn place_of(
    own: &[(&IndexLink, bool)],
    before: &str,
    text: &str,
) -> Option<(Range<usize>, String)> {
    let range = own.first()?.0.range.clone();
    let with_words = |is_word: &dyn Fn(bool) -> bool| {
        let mut line = before.get(range.clone()).unwrap_or_default().to_owned();
        for (link, _) in own.iter().rev().filter(|(_, is_own)| is_word(*is_own)) {
            let TextLink { whole, label, .. } = &link.link;
            let label = before.get(label.clone()).unwrap_or_default();
            line.replace_range(whole.start - range.start..whole.end - range.start, label);
        }
        line
    };
    let find = |words: String| {
        let mut at = 0;
        let mut places = text.split_inclusive('\n').map(|line| {
            at += line.len();
            (at - line.len()..at, line)
        });
        let same = places.find(|(_, line)| line.trim_end() == words.trim_end());
        same.map(|(place, _)| place)
    };
    let one = find(with_words(&|is_own| is_own)).map(|place| (place, with_words(&|_| false)));
    let all = || find(with_words(&|_| true)).map(|place| (place, with_words(&|is_own| !is_own)));
    one.or_else(all)
}

/// Lines indented with `blanks` in place of the indentation of the first one, and with the line ends
/// of `text`.
pub fn indented(own: &str, blanks: &str, text: &str) -> String {
    let old = blanks_of(own);
    let is_same = columns(old) == columns(blanks);
    let lines = own.lines().map(|line| match columns(line) {
        _ if line.trim().is_empty() => String::new(),
        _ if is_same => line.to_owned(),
        deep => {
            let deeper = " ".repeat(deep.saturating_sub(columns(old)));
            format!("{blanks}{deeper}{}", line.trim_start())
        }
    });
    let end = end_of_line(text);
    lines.map(|line| line + end).collect()
}

fn blanks_of(line: &str) -> &str {
    let words = line.trim_start_matches([' ', '\t']);
    line.strip_suffix(words).unwrap_or_default()
}

/// Keys that identify a block in two versions of an index: the file that its line links to, and the
/// words of the line.
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

/// The blocks of a text by their keys; see [`names`].
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

    /// Finds the same block of another version.
    fn same(&self, before: &str, block: &Block) -> Option<&'a Block> {
        let (target, words) = names(before, block);
        let by_target = target.and_then(|target| self.by_name.get(&target));
        by_target.or_else(|| self.by_name.get(&words)).copied()
    }

    /// The indentation of a block.
    fn blanks(&self, block: &Block) -> &'a str {
        blanks_of(self.text.get(block.range.clone()).unwrap_or_default())
    }

    /// The end of a block, and the indentation of entries in it.
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

/// Insertion point of an entry, the blank lines it replaces, and the lines to insert.
struct Spot {
    at: usize,
    end: usize,
    columns: usize,
    lines: String,
}

impl Spot {
    fn new(at: usize, blanks: &str, entry: &str, text: &str) -> Self {
        Self {
            at,
            end: at,
            columns: columns(blanks),
            lines: indented(entry, blanks, text),
        }
    }
}

/// Inserts entries of an earlier version into a text. Returns those that have to wait until their
/// parent or a neighbour is there.
fn insert(
    text: &mut String,
    (before, old): (&str, &Blocks),
    items: Vec<Item>,
) -> Option<Vec<Item>> {
    let now = Blocks::new(text);
    let known = Known::new(text, &now);
    let same = old.0.iter().map(|block| known.same(before, block));
    let same: Vec<Option<&Block>> = same.collect();
    let (mut spots, mut left, mut has_end) = (Vec::new(), Vec::new(), false);
    let ranges: Vec<Range<usize>> = items.iter().map(|item| item.start..item.end()).collect();
    for item in items {
        let block = old.at(item.start)?;
        let entry = item.text(before);
        if let Some(spot) = beside(&known, (before, old), (block, &entry), &same) {
            spots.push(spot);
            continue;
        }
        let parent = block.parent.and_then(|parent| old.0.get(parent));
        let comes = |parent: &Block| ranges.iter().any(|own| own.contains(&parent.range.start));
        if has_end || parent.is_some_and(comes) {
            left.push(item);
            continue;
        }
        let (at, last) = section(text, before.get(..item.start)?, &now);
        let blanks = last.map_or_else(|| blanks_of(&entry), |last| known.blanks(last));
        let mut spot = Spot::new(at, blanks, &entry, text);
        // A blank line follows a new list.
        let next = text.get(at..)?.lines().next();
        if last.is_none() && next.is_some_and(|line| !line.trim().is_empty()) {
            spot.lines.push_str(end_of_line(text));
        }
        spots.push(spot);
        has_end = true;
    }
    // At the same place the more deeply nested entry comes first: its parent ends there.
    spots.sort_by_key(|spot| (spot.at, Reverse(spot.columns)));
    let (mut new, mut done) = (String::new(), 0);
    for spot in spots {
        new.push_str(text.get(done..spot.at.max(done))?);
        new.push_str(&spot.lines);
        done = done.max(spot.end);
    }
    new.push_str(text.get(done..)?);
    *text = new;
    Some(left)
}

/// Finds the place of an entry: beside an old neighbour, else in its old parent.
fn beside(
    known: &Known<'_>,
    (before, old): (&str, &Blocks),
    (block, entry): (&Block, &str),
    same: &[Option<&Block>],
) -> Option<Spot> {
    let text = known.text;
    let own = block.range.clone();
    let list = old
        .0
        .iter()
        .zip(same)
        .filter(|(other, _)| other.list == block.list);
    let above = list
        .clone()
        .take_while(|(other, _)| other.range.start < own.start);
    let mut below = list.skip_while(|(other, _)| other.range.start <= own.start);
    // Some lists have blank lines between their entries.
    let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
    let is_first = block.range.start == old.0.get(block.list)?.range.start;
    let is_loose = !is_first && is_blank(before.get(..own.start)?.lines().next_back())
        || below.clone().next().is_some() && is_blank(before.get(own.end..)?.lines().next());
    let gap = if is_loose { end_of_line(text) } else { "" };
    if let Some(above) = above.filter_map(|(_, same)| *same).last() {
        let mut spot = Spot::new(above.range.end, known.blanks(above), entry, text);
        spot.lines.insert_str(0, gap);
        // A blank line at the end of the text serves as this one.
        let rest = text.get(spot.at..)?;
        if is_loose && rest.trim().is_empty() {
            spot.end = text.len();
        }
        return Some(spot);
    }
    if let Some(below) = below.find_map(|(_, same)| *same) {
        let mut spot = Spot::new(below.range.start, known.blanks(below), entry, text);
        spot.lines.push_str(gap);
        return Some(spot);
    }
    let (was, is) = (old.0.get(block.parent?)?, (*same.get(block.parent?)?)?);
    let outer = blanks_of(before.get(was.range.clone())?);
    let usual = blanks_of(entry).strip_prefix(outer).unwrap_or("  ");
    let (at, blanks) = known.within(is, usual);
    Some(Spot::new(at, &blanks, entry, text))
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
    // The entry goes below the blank line after a heading, and below indented lines there.
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
