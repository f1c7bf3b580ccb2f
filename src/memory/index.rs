//! The index of a store: a file that lists the others, of which a loader gives the beginning only.

mod back;
mod blocks;

use std::collections::HashMap;
use std::ops::Range;

pub use self::back::put_back;
pub use self::blocks::marked;
use self::blocks::{Blocks, with_end, without_end};
use super::comments;
use super::document::part;
use super::format::{IndexTable, LinkForm};
use super::link::{TextLink, text_links};
use super::{Memory, Role};

/// An entry of an index: a line that links to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line in the file, from 1.
    pub line: usize,
    /// The line's bytes, with its end.
    pub range: Range<usize>,
    /// Its line and what is indented below it, up to the next entry.
    pub own: Range<usize>,
    /// The item of a list that it stands in, with all that is indented below it.
    pub block: Option<Range<usize>>,
    /// The text of the link.
    pub title: String,
    /// The path that it leads to, without anchor and escapes.
    pub target: String,
    /// Where it stands.
    pub place: Range<usize>,
    /// What follows the link.
    pub hook: String,
    /// UTF-16 units of the line.
    pub units: usize,
    /// Whether the loader gives the line to an agent.
    pub is_loaded: bool,
}

impl Entry {
    /// The file that it names, without what leads into it.
    pub fn file(&self) -> &str {
        let path = self.target.split(['#', '?']).next().unwrap_or_default();
        path.strip_prefix("./").unwrap_or(path)
    }
}

/// What a loader gives of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The text, without frontmatter and comments, as far as it is given.
    pub text: String,
    /// Lines and UTF-16 units of all of it.
    pub lines: usize,
    /// UTF-16 units of all of it.
    pub units: usize,
    /// Where the file's bytes stop being given; none where all are.
    pub cut: Option<usize>,
}

impl IndexTable {
    /// True if the index is to list a file, among the names of all: not one whose folder has an
    /// index of its own or is none of those that are listed, nor such an index.
    pub fn should_list<'n>(&self, name: &str, mut all: impl Iterator<Item = &'n str>) -> bool {
        let folder = name.split_once('/').map(|(folder, _)| folder);
        let is_unlisted = folder.is_some_and(|own| self.unlisted.iter().any(|one| one == own));
        let has_own = |other: &str| {
            let folder = other.strip_suffix(&*self.file);
            folder.is_some_and(|folder| folder.ends_with('/') && name.starts_with(folder))
        };
        !is_unlisted && !all.any(has_own)
    }
}

impl Loaded {
    /// How long the whole index is, what the limits are, and what is left or over.
    pub fn size(&self, table: &IndexTable) -> String {
        let part = |count: usize, limit: usize, one: &str| {
            let many = if count == 1 { "" } else { "s" };
            let rest = match count.checked_sub(limit) {
                Some(over @ 1..) => format!("{over} over"),
                _ => format!("{} left", limit.saturating_sub(count)),
            };
            format!("{count} {one}{many} (limit {limit}, {rest})")
        };
        format!(
            "{} and {}",
            part(self.lines, table.lines, "line"),
            part(self.units, table.units, "unit")
        )
    }

    /// The line of the text that is the first one cut off, from 1.
    pub fn cut_line(&self, text: &[u8]) -> Option<usize> {
        let before = part(text, 0..self.cut?);
        Some(before.iter().filter(|byte| **byte == b'\n').count() + 1)
    }
}

/// What the loader gives of an index (formats: claude, "MEMORY.md load"): frontmatter and comments
/// are taken out and the text trimmed, then the first lines count, of these as many whole ones as
/// fit.
pub fn load(bytes: &[u8], front: usize, table: &IndexTable) -> Loaded {
    let text = String::from_utf8_lossy(part(bytes, front..bytes.len()));
    let kept = comments::kept(&text);
    let is_blank =
        |range: &Range<usize>| text.get(range.clone()).is_none_or(|t| t.trim().is_empty());
    let first = kept
        .iter()
        .position(|range| !is_blank(range))
        .unwrap_or(kept.len());
    let last = kept
        .iter()
        .rposition(|range| !is_blank(range))
        .map_or(first, |last| last + 1);
    let kept = kept.get(first..last).unwrap_or_default();
    let all: String = kept
        .iter()
        .filter_map(|range| text.get(range.clone()))
        .collect();
    let all = all.trim();
    let units = all.encode_utf16().count();
    let (mut given, mut room, mut cut) = (String::new(), table.units, None);
    for (number, range) in kept.iter().enumerate() {
        let line = text.get(range.clone()).unwrap_or_default();
        let own = line.encode_utf16().count();
        // The end of the last line is trimmed off.
        let needs = line.trim_end_matches(['\n', '\r']).encode_utf16().count();
        if number >= table.lines || needs > room {
            cut = Some(front + range.start);
            break;
        }
        room = room.saturating_sub(own);
        given.push_str(line);
    }
    Loaded {
        text: given.trim().to_owned(),
        lines: all.lines().count(),
        units,
        cut,
    }
}

/// The lines of an index that link to a file of its store, by their order.
pub fn entries(bytes: &[u8], front: usize, table: &IndexTable) -> Vec<Entry> {
    let cut = load(bytes, front, table).cut.unwrap_or(usize::MAX);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Vec::new();
    };
    let blocks = Blocks::new(text);
    let mut found: Vec<Entry> = Vec::new();
    for link in links_in(text, front, &blocks) {
        let (range, place) = (link.range, link.link.name);
        // The first link of a line is the entry.
        if found.last().is_some_and(|last| last.range == range) {
            continue;
        }
        let line = text.get(range.clone()).unwrap_or_default();
        let title = text.get(link.link.label).unwrap_or_default();
        let after = text.get(link.link.whole.end..range.end).unwrap_or_default();
        let block = blocks.at(range.start).map(|block| block.range.clone());
        let first = block.as_ref().filter(|block| block.start == range.start);
        if let Some(last) = found.last_mut() {
            last.own.end = last.own.end.min(range.start);
        }
        found.push(Entry {
            line: link.line,
            title: title.to_owned(),
            target: link.target,
            hook: after
                .trim()
                .trim_start_matches(['—', '–', '-', ':'])
                .trim()
                .to_owned(),
            units: line.trim_end().encode_utf16().count(),
            is_loaded: range.start < cut,
            own: first.unwrap_or(&range).clone(),
            block,
            range,
            place,
        });
    }
    found
}

/// A link of an index to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexLink {
    /// The line in the file, from 1.
    pub line: usize,
    /// The line's bytes, with its end.
    pub range: Range<usize>,
    /// The path, without anchor and escapes.
    pub target: String,
    /// Where it stands.
    pub link: TextLink,
    /// The item of a list with all that is indented below it, where it begins with this line and
    /// the line has no other link: it goes with its file, unless entries of other files are in it.
    pub item: Option<Range<usize>>,
    /// Whether other links to files are in the item.
    pub has_inner: bool,
}

impl IndexLink {
    /// Whether the entry goes where the file does.
    pub const fn is_item(&self) -> bool {
        self.item.is_some() && !self.has_inner
    }

    /// The bytes that go where the file does, and the text that stays in their place.
    pub fn taken_out(&self, text: &str) -> (Range<usize>, String) {
        let item = self.item.as_ref().filter(|_| !self.has_inner);
        if let Some(item) = cut(text, item).into_iter().next() {
            return (item, String::new());
        }
        let label = text.get(self.link.label.clone()).unwrap_or_default();
        (self.link.whole.clone(), label.to_owned())
    }
}

/// Byte ranges to delete for these blocks, in order. Adjacent blocks form one range; it includes the
/// blank line after them if there is one before them too.
pub fn cut<'b>(
    text: &str,
    blocks: impl IntoIterator<Item = &'b Range<usize>>,
) -> Vec<Range<usize>> {
    let is_blank = |line: &str| line.trim().is_empty();
    let end = |run: &Range<usize>| {
        let before = text.get(..run.start).unwrap_or_default();
        let behind = text.get(run.end..).unwrap_or_default();
        let next = behind.split_inclusive('\n').next();
        let parted = before.lines().next_back().is_none_or(is_blank);
        let blank = next.filter(|next| parted && is_blank(next));
        run.end + blank.map_or(0, str::len)
    };
    let mut runs: Vec<Range<usize>> = Vec::new();
    for block in blocks {
        match runs.last_mut().filter(|run| end(run) >= block.start) {
            Some(run) => run.end = run.end.max(block.end),
            None => runs.push(block.clone()),
        }
    }
    runs.iter().map(|run| run.start..end(run)).collect()
}

/// The links of an index to files, by their order; not those in code and comments.
pub fn links(text: &str, front: usize) -> Vec<IndexLink> {
    links_in(text, front, &Blocks::new(text))
}

fn links_in(text: &str, front: usize, blocks: &Blocks) -> Vec<IndexLink> {
    let (mut line, mut start) = (1, 0);
    let mut found: Vec<IndexLink> = Vec::new();
    let body = text.get(front..).unwrap_or_default();
    let mut kept = comments::kept(body).into_iter().peekable();
    for link in text_links(text, &[LinkForm::Path]) {
        let is_before = |line: &Range<usize>| front + line.end <= link.whole.start;
        while kept.next_if(is_before).is_some() {}
        let is_given = kept
            .peek()
            .is_some_and(|line| front + line.start <= link.whole.start);
        if link.is_code || link.whole.start < front || !is_given {
            continue;
        }
        let before = text.get(start..link.whole.start).unwrap_or_default();
        line += before.matches('\n').count();
        start += before.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(start..).unwrap_or_default();
        let range = start..start + rest.find('\n').map_or(rest.len(), |at| at + 1);
        let own = text.get(range.clone()).unwrap_or_default();
        let is_alone = own.matches("](").count() == 1 && !own.contains("[[");
        let block = blocks
            .at(start)
            .filter(|block| !block.is_row && block.range.start == start);
        found.push(IndexLink {
            line,
            target: link.target(text).into_owned(),
            item: block.filter(|_| is_alone).map(|block| block.range.clone()),
            has_inner: false,
            range,
            link,
        });
    }
    // The next link is in the item, or none of the others is.
    let mut next = usize::MAX;
    for one in found.iter_mut().rev() {
        one.has_inner = one.item.as_ref().is_some_and(|item| next < item.end);
        next = one.range.start;
    }
    found
}

/// An index whose entries stand in another order, the least by `value` first, which is given an
/// entry and all those in it: those of each list among themselves, each with all that is indented
/// below it, in which lists are ordered as well. Blank lines and items without a link keep their
/// places. None where that is the order.
pub fn ordered<K: Ord>(
    text: &str,
    entries: &[Entry],
    value: impl Fn(&Entry, &[Entry]) -> K,
) -> Option<String> {
    let mut new = with_end(text);
    let mut first: HashMap<usize, &Entry> = HashMap::new();
    for entry in entries {
        if let Some(block) = &entry.block {
            first.entry(block.start).or_insert(entry);
        }
    }
    // What is nested comes first: the bytes of the list that it is in stay as many as they are.
    for list in Blocks::new(&new).lists().into_values().rev() {
        let linked = list.into_iter().map(|block| &block.range);
        let linked = linked.filter_map(|range| Some((range, *first.get(&range.start)?)));
        let keyed = linked.map(|(range, entry)| {
            let key = value(entry, within(entries, range));
            (range.clone(), key)
        });
        arrange(&mut new, keyed.collect())?;
    }
    let new = without_end(new, text);
    (new != text).then_some(new)
}

/// The entries whose lines begin in a part of an index.
fn within<'e>(entries: &'e [Entry], part: &Range<usize>) -> &'e [Entry] {
    let before = |byte| entries.partition_point(|entry| entry.range.start < byte);
    let all = entries.get(before(part.start)..before(part.end));
    all.unwrap_or_default()
}

/// Sorts parts of a text by their keys; what stands between them keeps its place.
fn arrange<K: Ord>(text: &mut String, parts: Vec<(Range<usize>, K)>) -> Option<()> {
    let mut sorted: Vec<_> = parts.iter().collect();
    sorted.sort_by_key(|(_, key)| key);
    let start = parts.first().map_or(0, |(range, _)| range.start);
    let (mut at, mut new) = (start, String::new());
    for ((place, _), (from, _)) in parts.iter().zip(sorted) {
        new.push_str(text.get(at..place.start)?);
        new.push_str(text.get(from.clone())?);
        at = place.end;
    }
    text.replace_range(start..at, &new);
    Some(())
}

/// The sections of an index that are ordered: those below the headings of the highest level that
/// has several, in runs that no higher heading parts. Each is from its heading to the last line
/// that has a word.
fn sections(text: &str, front: usize) -> Vec<Vec<Range<usize>>> {
    let body = text.get(front..).unwrap_or_default();
    let (mut in_code, mut headings) = (false, Vec::new());
    for line in comments::kept(body) {
        let start = front + line.start;
        let line = body.get(line).unwrap_or_default();
        in_code ^= line.starts_with("```") || line.starts_with("~~~");
        let level = line.len() - line.trim_start_matches('#').len();
        let words = line.get(level..).unwrap_or_default();
        if (1..=6).contains(&level) && !in_code && words.starts_with([' ', '\t']) {
            headings.push((level, start));
        }
    }
    let of_level = |level: usize| {
        headings
            .iter()
            .filter(move |(own, _)| *own == level)
            .count()
    };
    let Some(level) = (1..=6).find(|level| of_level(*level) > 1) else {
        return Vec::new();
    };
    let higher = headings.iter().filter(|(own, _)| *own <= level);
    let ends = higher.clone().skip(1).map(|(_, start)| *start);
    let mut runs = vec![Vec::new()];
    for ((own, start), end) in higher.zip(ends.chain([text.len()])) {
        if *own < level {
            runs.push(Vec::new());
            continue;
        }
        let words = text.get(*start..end).unwrap_or_default().trim_end();
        let rest = text.get(start + words.len()..end).unwrap_or_default();
        let end = start + words.len() + rest.find('\n').map_or(rest.len(), |at| at + 1);
        if let Some(run) = runs.last_mut() {
            run.push(*start..end);
        }
    }
    runs
}

/// An index with an entry above all others of its list, or below them. None where it stands there.
pub fn promoted(text: &str, entries: &[Entry], own: &Entry, up: bool) -> Option<String> {
    ordered(text, entries, |entry, _| (entry.block == own.block) != up)
}

/// Where a new line goes: behind the list of the last entry that stands in one.
pub fn end_of_list(text: &str, entries: &[Entry]) -> usize {
    let blocks = Blocks::new(text);
    let last = entries.iter().rev().find_map(|entry| entry.block.as_ref());
    let end = last.and_then(|last| blocks.end_of_list(last.start));
    end.unwrap_or(text.len())
}

/// How many of new lines, written into an index at a byte, the loader would cut off.
pub fn cut_off(text: &str, lines: &str, at: usize, (front, table): (usize, &IndexTable)) -> usize {
    let mut new = text.to_owned();
    new.insert_str(at, lines);
    let all = entries(new.as_bytes(), front, table).into_iter();
    all.filter(|one| !one.is_loaded && (at..at + lines.len()).contains(&one.place.start))
        .count()
}

/// What [`by_value`] does.
pub const BY_VALUE: &str = "order the index: what people said first, then the newest";

/// An index with each list by the value of what it lists: what a person said or corrected, then
/// what was changed last, then what is not there. An entry is worth as much as the best one in it.
/// Where the loader cuts the index, sections that list memories stand in the order of the best of
/// these. None where that is the order.
pub fn by_value<'m>(
    (text, front): (&str, usize),
    entries: &[Entry],
    of_entry: impl Fn(&Entry) -> Option<&'m Memory>,
) -> Option<String> {
    let value = |entry: &Entry| {
        let own = of_entry(entry);
        let kind = own.and_then(|memory| memory.role(Role::Type)?.as_str());
        let changed = own.and_then(|memory| memory.updated.or(memory.created));
        let is_from_person = matches!(kind, Some("user" | "feedback"));
        (own.is_none(), !is_from_person, std::cmp::Reverse(changed))
    };
    let best = |all: &[Entry]| all.iter().map(value).min();
    let lists = ordered(text, entries, |_, all| best(all));
    let mut new = with_end(lists.as_deref().unwrap_or(text));
    if entries.iter().any(|entry| !entry.is_loaded) {
        // A list stays in its section, and has as many bytes there.
        for run in sections(&new, front) {
            let keyed = run
                .into_iter()
                .map(|own| (best(within(entries, &own)), own));
            let keyed = keyed.filter(|(key, _)| key.is_some_and(|(is_unknown, ..)| !is_unknown));
            arrange(&mut new, keyed.map(|(key, own)| (own, key)).collect())?;
        }
    }
    let new = without_end(new, text);
    (new != text).then_some(new)
}

/// How many entries of an index the loader cuts off; none where it cuts off none.
pub fn still_below(entries: &[Entry], name: &str) -> Option<String> {
    let below = entries.iter().filter(|entry| !entry.is_loaded).count();
    let count = format!("{below} of {} entries", entries.len());
    (below > 0).then(|| format!("{count} of {name} stay below the cut: shorten the others"))
}

/// A new line of an index, as its system writes one.
pub fn line(title: &str, target: &str, hook: &str) -> String {
    let title = title.replace(['[', ']'], "");
    match hook.is_empty() {
        true => format!("- [{title}]({target})"),
        false => format!("- [{title}]({target}) — {hook}"),
    }
}

#[cfg(test)]
mod tests;
