//! The index of a store: a file that lists the others, of which a loader gives the beginning only.

mod blocks;

use std::cmp::Reverse;
use std::ops::Range;

use self::blocks::{Blocks, columns, with_end, without_end};
pub use self::blocks::{by_value, end_of_line, promoted};
use super::document::part;
use super::format::{IndexTable, LinkForm};
use super::lines::outside_comments;
use super::link::{TextLink, text_links};
use super::plural;

/// An entry of an index: a line that links to a file, or a list item that names one.
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
    /// The path that it leads to; see [`IndexLink::target`].
    pub target: String,
    /// The syntax of the link.
    pub form: LinkForm,
    /// True if only list marks or a label precede the link on its line.
    pub is_lead: bool,
    /// The text behind the link.
    pub hook: String,
    /// UTF-16 units of the line.
    pub units: usize,
    /// True if the loader gives the line to an agent.
    pub is_loaded: bool,
}

/// The part of an index that a loader gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The text, without frontmatter and comments, as far as it is given.
    pub text: String,
    /// Lines and UTF-16 units of all of it.
    pub lines: usize,
    /// UTF-16 units of all of it.
    pub units: usize,
    /// Position where the loader cuts the file; none if it keeps all.
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
            let rest = match count.checked_sub(limit) {
                Some(over @ 1..) => format!("{over} over"),
                _ => format!("{} left", limit.saturating_sub(count)),
            };
            format!("{} (limit {limit}, {rest})", plural(count, one))
        };
        let lines = part(self.lines, table.lines, "line");
        let units = part(self.units, table.units, "unit");
        format!("{lines} and {units}")
    }

    /// The line of the text that is the first one cut off, from 1.
    pub fn cut_line(&self, text: &[u8]) -> Option<usize> {
        let before = part(text, 0..self.cut?);
        Some(before.iter().filter(|byte| **byte == b'\n').count() + 1)
    }
}

/// Loads an index as the system does (formats: claude, "MEMORY.md load"): frontmatter and comments
/// are removed and the text trimmed, then the first lines count, as many whole ones as fit.
pub fn load(bytes: &[u8], front: usize, table: &IndexTable) -> Loaded {
    let text = String::from_utf8_lossy(part(bytes, front..bytes.len()));
    let kept = outside_comments(&text);
    let line = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let has_words = |range: &Range<usize>| !line(range).trim().is_empty();
    let first = kept.iter().position(has_words).unwrap_or(kept.len());
    let last = kept.iter().rposition(has_words);
    let kept = last.and_then(|last| kept.get(first..=last));
    let kept = kept.unwrap_or_default();
    let all: String = kept.iter().map(line).collect();
    let all = all.trim();
    let (mut given, mut room, mut cut) = (String::new(), table.units, None);
    for (number, range) in kept.iter().enumerate() {
        let line = line(range);
        let own = line.encode_utf16().count();
        // The end of the last line is trimmed off.
        let needs = line.trim_end_matches(['\n', '\r']).encode_utf16().count();
        if number >= table.lines || needs > room {
            // If the first line alone exceeds the limit, the loader gives its beginning.
            let beginning = if number == 0 { fitting(line, room) } else { "" };
            given.push_str(beginning);
            cut = Some(front + range.start + beginning.len());
            break;
        }
        room = room.saturating_sub(own);
        given.push_str(line);
    }
    Loaded {
        text: given.trim().to_owned(),
        lines: all.lines().count(),
        units: all.encode_utf16().count(),
        cut,
    }
}

/// The longest prefix of a text with at most this many UTF-16 units.
fn fitting(text: &str, units: usize) -> &str {
    let mut left = units;
    let fits = |c: &char| {
        let next = left.checked_sub(c.len_utf16());
        left = next.unwrap_or_default();
        next.is_some()
    };
    let bytes = text.chars().take_while(fits).map(char::len_utf8).sum();
    text.get(..bytes).unwrap_or_default()
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
        let range = link.range;
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
            form: link.link.form,
            is_lead: link.is_lead,
            hook: after
                .trim()
                .trim_end_matches('|')
                .trim_start_matches(['—', '–', '-', ':', '*', '|', ',', ' '])
                .trim()
                .to_owned(),
            units: line.trim_end().encode_utf16().count(),
            is_loaded: range.start < cut,
            own: first.unwrap_or(&range).clone(),
            block,
            range,
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
    /// The path, without anchor, escapes and a leading `./`; the name with `.md` for `[[name]]`.
    pub target: String,
    /// The link in the text.
    pub link: TextLink,
    /// True if only list marks or a label precede the link on its line.
    pub is_lead: bool,
    /// The list item, with everything indented below it, if this is its leading link. It is deleted
    /// with the file, unless it contains entries of other files.
    pub item: Option<Range<usize>>,
    /// True if the item contains other links to files.
    pub has_inner: bool,
}

/// True if a relative path leads out of its folder.
pub fn is_outside(path: &str) -> bool {
    path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..")
}

impl IndexLink {
    /// True if the whole entry is deleted with the file.
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

/// The links of an index to files, in text order. Links in code and comments are left out.
pub fn links(text: &str, front: usize) -> Vec<IndexLink> {
    links_in(text, front, &Blocks::new(text))
}

fn is_lead(words: &str) -> bool {
    let is_mark = |c: char| c.is_whitespace() || c.is_ascii_digit() || "-*+.)|`".contains(c);
    let label = words.trim_start_matches(is_mark);
    let label = label.trim_end_matches([' ', '*', '`']);
    label.is_empty() || label.ends_with([':', '—', '–', '-', '|'])
}

/// Bytes before a link that tell whether it leads its line.
const LEAD: usize = 512;

fn links_in(text: &str, front: usize, blocks: &Blocks) -> Vec<IndexLink> {
    let (mut line, mut range, mut end) = (0, 0..0, front);
    let mut lines = text.split_inclusive('\n').peekable();
    let mut found: Vec<IndexLink> = Vec::new();
    let body = text.get(front..).unwrap_or_default();
    let mut kept = outside_comments(body).into_iter().peekable();
    let mut all = text_links(text, &[LinkForm::Path, LinkForm::Wiki, LinkForm::Name]);
    all.sort_by_key(|link| (link.whole.start, Reverse(link.whole.end)));
    for link in all {
        let is_before = |line: &Range<usize>| front + line.end <= link.whole.start;
        while kept.next_if(is_before).is_some() {}
        let given = kept.peek().map(|line| front + line.start);
        let is_given = given.is_some_and(|start| start <= link.whole.start);
        // A link may contain another in its label.
        if link.is_code || link.whole.start < end || !is_given {
            continue;
        }
        while let Some(next) =
            lines.next_if(|next| range.end <= link.whole.start && !next.is_empty())
        {
            (line, range) = (line + 1, range.end..range.end + next.len());
        }
        let start = range.start;
        let near = link.whole.start.saturating_sub(LEAD).max(start);
        let mut near = (near..=link.whole.start).filter_map(|at| text.get(at..link.whole.start));
        let lead = near.next().unwrap_or_default();
        let block = blocks.at(start).filter(|block| block.range.start == start);
        let is_lead = is_lead(lead);
        let is_entry = is_lead || link.form == LinkForm::Wiki;
        if link.form != LinkForm::Path && (block.is_none() || !is_entry) {
            continue;
        }
        end = link.whole.end;
        let is_first = is_lead && !lead.contains("](") && !lead.contains("[[");
        let block = block.filter(|block| !block.is_row && is_first);
        let target = link.target(text);
        let mut target = target.strip_prefix("./").unwrap_or(&target).to_owned();
        if link.form == LinkForm::Wiki && !target.ends_with(".md") {
            target.push_str(".md");
        }
        found.push(IndexLink {
            line,
            target,
            is_lead,
            item: block.map(|block| block.range.clone()),
            has_inner: false,
            range: range.clone(),
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

/// Returns the position for a new line: after the list of the last entry in a list.
pub fn end_of_list(text: &str, entries: &[Entry]) -> usize {
    let blocks = Blocks::new(text);
    let last = entries.iter().rev().find_map(|entry| entry.block.as_ref());
    let end = last.and_then(|last| blocks.end_of_list(last.start));
    end.unwrap_or(text.len())
}

/// Restores the links that some files had in an earlier version of an index: in the lines that have
/// their labels still, else the entries at the end of the list, each without the entries of others
/// in it. None if they had none.
pub fn put_back(
    text: &str,
    entries: &[Entry],
    before: &str,
    is_own: impl Fn(&str) -> bool,
) -> Option<String> {
    let all = links(before, 0);
    // Lines that have the label of their link still, and how they were.
    let mut named: Vec<(usize, String, &str)> = Vec::new();
    for link in all.iter().filter(|link| is_own(&link.target)) {
        let (start, whole) = (link.range.start, &link.link.whole);
        let part = |range: Range<usize>| before.get(range).unwrap_or_default();
        let (line, label) = (part(link.range.clone()), part(link.link.label.clone()));
        let ends = [start..whole.start, whole.end..link.range.end].map(part);
        let plain = ends.join(label);
        if text.split_inclusive('\n').any(|now| now == plain) {
            named.push((start, plain, line));
        }
    }
    let own = |(at, link): (usize, &IndexLink)| {
        let is_named = named.iter().any(|(start, ..)| *start == link.range.start);
        let item = link.item.as_ref();
        let item = item.filter(|_| is_own(&link.target) && !is_named)?;
        let rest = all.get(at + 1..)?.iter().map(|next| next.range.start);
        let inner = rest.filter(|next| *next >= link.range.end).min();
        let end = inner.unwrap_or(item.end).min(item.end);
        Some(indented(before.get(item.start..end)?, "", text))
    };
    let own: String = all.iter().enumerate().filter_map(own).collect();
    let mut new = with_end(text);
    let at = match end_of_list(text, entries) {
        end if end == text.len() => new.len(),
        end => end,
    };
    new.insert_str(at, &own);
    for (_, plain, line) in &named {
        let lines = new.split_inclusive('\n');
        new = lines
            .map(|now| if now == plain { line } else { now })
            .collect();
    }
    (!own.is_empty() || !named.is_empty()).then(|| without_end(new, text))
}

/// Lines indented with `blanks` in place of the indentation of the first one, and with the line ends
/// of `text`.
pub fn indented(own: &str, blanks: &str, text: &str) -> String {
    let depth = columns(own);
    let lines = own.lines().map(|line| match columns(line) {
        _ if line.trim().is_empty() => String::new(),
        _ if depth == columns(blanks) => line.to_owned(),
        deep => {
            let deeper = " ".repeat(deep.saturating_sub(depth));
            format!("{blanks}{deeper}{}", line.trim_start())
        }
    });
    let end = end_of_line(text);
    lines.map(|line| line + end).collect()
}

/// A new line of an index, as its system writes one. The hook is cut to the words that fit.
pub fn line(title: &str, target: &str, hook: &str, table: &IndexTable) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = words(title).replace(['[', ']'], "");
    let head = format!("- [{title}]({target})");
    let line = format!("{head} — {}", words(hook));
    if fitting(&line, table.line) == line {
        return line.trim_end_matches([' ', '—']).to_owned();
    }
    match fitting(&line, table.line.saturating_sub(1)).rsplit_once(' ') {
        Some((given, _)) if given.len() > head.len() + " —".len() => format!("{given}…"),
        _ => head,
    }
}

#[cfg(test)]
mod tests;
