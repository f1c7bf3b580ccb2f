//! Parts of an index that move together, and their order: by the value of what it lists, or with one
//! entry first or last.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use super::{Entry, is_outside};
use crate::memory::format::LinkForm;
use crate::memory::{Memory, Role};

/// An item of a list, or a row of a table, with all that is indented below it.
///
/// ```text
/// - [Deploys](deploys.md) — how we ship      ┐
///   on Fridays never                         │ a block
///                                            │
///   - [Rollback](rollback.md)                ┘ a block in it
/// (blank)                                      of neither
/// - [Tests](tests.md)                          the next one of the list
/// ```
#[derive(Debug)]
pub(super) struct Block {
    /// Its bytes, up to the end of the last line that says something.
    pub range: Range<usize>,
    indent: usize,
    pub is_row: bool,
    /// The number of the block that it is nested in.
    pub parent: Option<usize>,
    /// The number of the first block of its list.
    pub list: usize,
}

/// The blocks of a text, by their beginnings.
#[derive(Debug)]
pub(super) struct Blocks(pub Vec<Block>);

impl Blocks {
    pub fn new(text: &str) -> Self {
        let mut all: Vec<Block> = Vec::new();
        // Those that the next line may belong to, each nested in the one before.
        let mut open: Vec<usize> = Vec::new();
        let (mut at, mut in_code) = (0, false);
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let words = line.trim();
            if words.is_empty() {
                continue;
            }
            let is_fence = words.starts_with("```") || words.starts_with("~~~");
            let is_code = in_code || is_fence;
            in_code ^= is_fence;
            let indent = columns(line);
            let mut before = None;
            let is_deep = |own: &mut usize| all.get(*own).is_none_or(|own| own.indent >= indent);
            while let Some(own) = open.pop_if(is_deep) {
                before = Some(own);
            }
            for own in &open {
                if let Some(own) = all.get_mut(*own) {
                    own.range.end = at;
                }
            }
            let is_row = words.starts_with('|');
            if is_code || !is_row && !is_item(words) {
                continue;
            }
            // Nothing but blank lines stands between the items of a list.
            let before = before.and_then(|before| all.get(before));
            let before = before.filter(|one| one.indent == indent && one.is_row == is_row);
            let own = all.len();
            let list = before.map_or(own, |before| before.list);
            all.push(Block {
                range: start..at,
                indent,
                is_row,
                parent: open.last().copied(),
                list,
            });
            open.push(own);
        }
        Self(all)
    }

    /// The innermost block that a byte is in.
    pub fn at(&self, byte: usize) -> Option<&Block> {
        let behind = self.0.partition_point(|block| block.range.start <= byte);
        let mut own = self.0.get(behind.checked_sub(1)?)?;
        while byte >= own.range.end {
            own = self.0.get(own.parent?)?;
        }
        Some(own)
    }

    /// The blocks of each list; those of one that is nested behind those of the outer one.
    pub fn lists(&self) -> BTreeMap<usize, Vec<&Block>> {
        let mut lists: BTreeMap<usize, Vec<&Block>> = BTreeMap::new();
        for block in &self.0 {
            lists.entry(block.list).or_default().push(block);
        }
        lists
    }

    /// Returns the end of the outermost list that contains a byte.
    pub fn end_of_list(&self, byte: usize) -> Option<usize> {
        let mut own = self.at(byte)?;
        while let Some(outer) = own.parent.and_then(|outer| self.0.get(outer)) {
            own = outer;
        }
        let mut list = self.0.iter().filter(|block| block.list == own.list);
        list.next_back().map(|last| last.range.end)
    }
}

/// Columns of blanks that a line begins with.
pub(super) fn columns(line: &str) -> usize {
    let blanks = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.fold(0, |columns, byte| match byte {
        b'\t' => columns / 4 * 4 + 4,
        _ => columns + 1,
    })
}

/// True if a line without its blanks is an item of a list; not a rule like `* * *`.
fn is_item(words: &str) -> bool {
    marked(words).is_some_and(|own| !own.chars().all(|c| matches!(c, '-' | '*' | '_' | ' ')))
}

fn marked(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let rest = text.strip_prefix(['-', '*', '+']).or_else(|| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = text.get(digits..)?;
        (1..=9).contains(&digits).then_some(())?;
        rest.strip_prefix(['.', ')'])
    })?;
    rest.starts_with([' ', '\t']).then(|| rest.trim())
}

/// The line ending of a text.
pub fn end_of_line(text: &str) -> &'static str {
    match text.contains("\r\n") {
        true => "\r\n",
        false => "\n",
    }
}

/// A text whose last line has an end.
pub(super) fn with_end(text: &str) -> String {
    let is_open = !text.is_empty() && !text.ends_with('\n');
    let end = if is_open { end_of_line(text) } else { "" };
    format!("{text}{end}")
}

/// Undoes [`with_end`] on an edited text: its last line gets a line end only if the original had
/// one.
pub(super) fn without_end(mut new: String, text: &str) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        let end = if new.ends_with("\r\n") { 2 } else { 1 };
        new.truncate(new.len().saturating_sub(end));
    }
    new
}

/// Sorts each list of an index, nested ones too, by the `value` of its entries; an entry moves with
/// everything indented below it. `value` gets an entry and all entries inside it. Blank lines and
/// items without a link keep their places. None if the order does not change.
pub(super) fn ordered<K: Ord>(
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
    // Inner lists first: sorting them does not change the length of the outer one.
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

/// The entries whose lines begin in a byte range of an index.
fn within<'e>(entries: &'e [Entry], part: &Range<usize>) -> &'e [Entry] {
    let before = |byte| entries.partition_point(|entry| entry.range.start < byte);
    let all = entries.get(before(part.start)..before(part.end));
    all.unwrap_or_default()
}

/// Sorts parts of a text by their keys; the text between them keeps its place.
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

/// Moves an entry to the top of its list, or to the bottom. None if it is there already.
pub fn promoted(text: &str, entries: &[Entry], own: &Entry, up: bool) -> Option<String> {
    ordered(text, entries, |entry, _| (entry.block == own.block) != up)
}

/// Sorts each list of an index: memories of type `user` or `feedback` first, then the newest, then
/// entries without a memory. An entry ranks as high as the best one inside it. None if the order
/// does not change.
pub fn by_value<'m>(
    text: &str,
    entries: &[Entry],
    of_entry: impl Fn(&Entry) -> Option<&'m Memory>,
) -> Option<String> {
    let value = |entry: &Entry| {
        let own = of_entry(entry);
        let kind = own.and_then(|memory| memory.role(Role::Type)?.as_str());
        let changed = own.and_then(Memory::written);
        let is_from_person = matches!(kind, Some("user" | "feedback"));
        (own.is_none(), !is_from_person, Reverse(changed))
    };
    let best = |all: &[Entry]| all.iter().map(value).min();
    // A bare file name without a memory is a word, and a link in a sentence is a mention.
    let is_entry = |entry: &&Entry| {
        let is_word = entry.form == LinkForm::Name && of_entry(entry).is_none();
        entry.is_lead && !is_word && !is_outside(&entry.target)
    };
    let all: Vec<Entry> = entries.iter().filter(is_entry).cloned().collect();
    let entries = &in_index_lists(text, all);
    ordered(text, entries, |_, all| best(all))
}

/// Drops entries of lists in which fewer than half of the items are entries: such lists only mention
/// files.
fn in_index_lists(text: &str, mut entries: Vec<Entry>) -> Vec<Entry> {
    let start_of = |one: &Entry| Some(one.block.as_ref()?.start);
    let starts: HashSet<usize> = entries.iter().filter_map(start_of).collect();
    let is_entry = |block: &&Block| starts.contains(&block.range.start);
    let mut others = HashSet::new();
    for list in Blocks::new(text).lists().into_values() {
        let count = list.iter().copied().filter(is_entry).count();
        if count * 2 < list.len() {
            others.extend(list.iter().map(|block| block.range.start));
        }
    }
    entries.retain(|one| start_of(one).is_none_or(|start| !others.contains(&start)));
    entries
}
