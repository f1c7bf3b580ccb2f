//! The order of an index: by the value of what it lists, or with one entry first or last.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::blocks::{Block, Blocks, with_end, without_end};
use super::{Entry, is_outside};
use crate::memory::format::LinkForm;
use crate::memory::{Memory, Role};

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
