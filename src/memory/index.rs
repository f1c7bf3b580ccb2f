//! The index of a store: a file that lists the others, of which a loader gives the beginning only.

use std::ops::Range;

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

    /// True if its line, in this text, is an item of a list and nothing more stands before the
    /// link: what else a line says is not only about the file.
    pub fn is_item(&self, text: &[u8]) -> bool {
        let line = part(text, self.range.clone()).trim_ascii_start();
        line.starts_with(b"- [") || line.starts_with(b"* [")
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
    let mut found: Vec<Entry> = Vec::new();
    for link in links(text, front) {
        let (range, place) = (link.range, link.link.name);
        // The first link of a line is the entry.
        if found.last().is_some_and(|last| last.range == range) {
            continue;
        }
        let line = text.get(range.clone()).unwrap_or_default();
        let title = text.get(link.link.label).unwrap_or_default();
        let after = text.get(link.link.whole.end..range.end).unwrap_or_default();
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
    /// Whether the line is an item of a list and has no other link: it goes with its file.
    pub is_item: bool,
}

impl IndexLink {
    /// The bytes that go where the file does, and the text that stays in their place.
    pub fn taken_out(&self, text: &str) -> (Range<usize>, String) {
        if self.is_item {
            return (self.range.clone(), String::new());
        }
        let label = text.get(self.link.label.clone()).unwrap_or_default();
        (self.link.whole.clone(), label.to_owned())
    }
}

/// The links of an index to files, by their order; not those in code.
pub fn links(text: &str, front: usize) -> Vec<IndexLink> {
    let (mut line, mut start) = (1, 0);
    let all = text_links(text, &[LinkForm::Path]).into_iter();
    let own = all.filter(|link| !link.is_code && link.whole.start >= front);
    own.map(|link| {
        let before = text.get(start..link.whole.start).unwrap_or_default();
        line += before.matches('\n').count();
        start += before.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(start..).unwrap_or_default();
        let range = start..start + rest.find('\n').map_or(rest.len(), |at| at + 1);
        let own = text.get(range.clone()).unwrap_or_default();
        let mark = own.split_whitespace().next().unwrap_or_default();
        let number = mark.trim_end_matches(['.', ')']);
        let is_number = number != mark && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_list = matches!(mark, "-" | "*" | "+") || is_number;
        IndexLink {
            line,
            target: link.target(text).into_owned(),
            is_item: is_list && own.matches("](").count() == 1 && !own.contains("[["),
            range,
            link,
        }
    })
    .collect()
}

/// An index whose entries stand in another order, the least by `value` first: those of each list
/// among themselves, for a heading above them says what they are. None where that is the order.
pub fn ordered<K: Ord>(
    text: &str,
    entries: &[Entry],
    value: impl Fn(&Entry) -> K,
) -> Option<String> {
    let mut new = text.to_owned();
    for list in entries.chunk_by(|one, next| one.range.end == next.range.start) {
        let (first, last) = (list.first()?, list.last()?);
        let mut sorted: Vec<&Entry> = list.iter().collect();
        sorted.sort_by_key(|entry| value(entry));
        let lines = sorted
            .iter()
            .filter_map(|entry| text.get(entry.range.clone()));
        let mut lines: String = lines
            .map(|line| format!("{}\n", line.trim_end_matches('\n')))
            .collect();
        if !text.get(last.range.clone())?.ends_with('\n') {
            lines.pop();
        }
        new.replace_range(first.range.start..last.range.end, &lines);
    }
    (new != text).then_some(new)
}

/// How many of new lines, written into an index at a byte, the loader would cut off.
pub fn cut_off(text: &str, lines: &str, at: usize, (front, table): (usize, &IndexTable)) -> usize {
    let mut new = text.to_owned();
    new.insert_str(at, lines);
    let all = entries(new.as_bytes(), front, table).into_iter();
    all.filter(|one| !one.is_loaded && (at..at + lines.len()).contains(&one.place.start))
        .count()
}

/// An index with each list by the value of what it lists: what a person said or corrected, then
/// what was changed last, then what is not there. None where that is the order.
pub fn by_value<'m>(
    text: &str,
    entries: &[Entry],
    of_entry: impl Fn(&Entry) -> Option<&'m Memory>,
) -> Option<String> {
    ordered(text, entries, |entry| {
        let own = of_entry(entry);
        let kind = own.and_then(|memory| memory.role(Role::Type)?.as_str());
        let changed = own.and_then(|memory| memory.updated.or(memory.created));
        let is_from_person = matches!(kind, Some("user" | "feedback"));
        (own.is_none(), !is_from_person, std::cmp::Reverse(changed))
    })
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
mod tests {
    use super::*;

    fn table(lines: usize, units: usize) -> IndexTable {
        IndexTable {
            file: "MEMORY.md".to_owned(),
            lines,
            units,
            line: 200,
            unlisted: Vec::new(),
        }
    }

    #[test]
    fn lines_count_first_and_then_units_of_whole_lines() {
        let text = "one\ntwo 😀\nthree\n";
        for (lines, units, given, cut) in [
            (9, 99, "one\ntwo 😀\nthree", None),
            (2, 99, "one\ntwo 😀", Some(13)),
            // A line that the limit falls in is dropped whole; an emoji is two units.
            (9, 10, "one\ntwo 😀", Some(13)),
            (9, 9, "one", Some(4)),
            (9, 2, "", Some(0)),
            (9, 16, "one\ntwo 😀\nthree", None),
        ] {
            let loaded = load(text.as_bytes(), 0, &table(lines, units));
            assert_eq!((&*loaded.text, loaded.cut), (given, cut), "{lines} {units}");
            assert_eq!((loaded.lines, loaded.units), (3, 16));
        }
    }

    #[test]
    fn the_size_says_what_is_there_the_limit_and_the_rest() {
        let text = "---\nname: x\n---\none\ntwo\n";
        let table = table(1, 9);
        let loaded = load(text.as_bytes(), 16, &table);
        let size = "2 lines (limit 1, 1 over) and 7 units (limit 9, 2 left)";
        assert_eq!(loaded.size(&table), size);
        // The line is that of the file.
        assert_eq!(loaded.cut_line(text.as_bytes()), Some(5));
    }

    #[test]
    fn comments_and_blank_ends_do_not_count() {
        let text = "\n<!-- a\nb -->\none\n```\n<!-- code -->\n```\n\n";
        let loaded = load(text.as_bytes(), 0, &table(4, 99));
        assert_eq!(loaded.text, "one\n```\n<!-- code -->\n```");
        assert_eq!((loaded.lines, loaded.cut), (4, None));
    }

    #[test]
    fn each_list_is_ordered_by_itself() {
        let text = "# A\n- [c](c.md)\n- [a](a.md)\n\n- [b](b.md)\n- [a](a.md)";
        let found = entries(text.as_bytes(), 0, &table(99, 999));
        let new = ordered(text, &found, |entry| entry.title.clone());
        let sorted = "# A\n- [a](a.md)\n- [c](c.md)\n\n- [a](a.md)\n- [b](b.md)";
        assert_eq!(new.as_deref(), Some(sorted));
        let again = entries(sorted.as_bytes(), 0, &table(99, 999));
        assert_eq!(ordered(sorted, &again, |entry| entry.title.clone()), None);
    }

    #[test]
    fn entries_are_lines_that_link_to_files() {
        let text = "# Index\n- [A b](a.md) — what it says\n- see [site](https://x.y/z.md) [B](sub/b.md): why\n```\n- [C](c.md)\n```\n- [D](d.md)\n";
        let found = entries(text.as_bytes(), 0, &table(3, 999));
        let found: Vec<_> = found
            .iter()
            .map(|e| (e.line, &*e.title, &*e.target, &*e.hook, e.is_loaded))
            .collect();
        assert_eq!(
            found,
            [
                (2, "A b", "a.md", "what it says", true),
                (3, "B", "sub/b.md", "why", true),
                (7, "D", "d.md", "", false),
            ]
        );
    }
}
