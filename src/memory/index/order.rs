//! The order of an index, with one entry first or last.

use std::collections::HashMap;
use std::ops::Range;

use super::Entry;
use super::blocks::{Blocks, with_end, without_end};

/// Sorts each list of an index, nested ones too, by the `value` of its entries; an entry moves with
/// everything indented below it. Blank lines and items without a link keep their places. None if the
/// order does not change.
pub(super) fn ordered<K: Ord>(
    text: &str,
    entries: &[Entry],
    value: impl Fn(&Entry) -> K,
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
        let keyed = linked.map(|(range, entry)| (range.clone(), value(entry)));
        arrange(&mut new, keyed.collect())?;
    }
    let new = without_end(new, text);
    (new != text).then_some(new)
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
    ordered(text, entries, |entry| (entry.block == own.block) != up)
}
