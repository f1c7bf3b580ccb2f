//! Which memory of the base is which one of now.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::{Against, Entry, Kind, Side};
use crate::memory::{Memory, MemoryId, State, Value};

/// LOCAL without the number of a later memory of the same file or name.
pub fn without_number(id: &MemoryId) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match id.local.rsplit_once('#') {
        Some((name, number)) if is_number(number) => name,
        _ => &id.local,
    }
}

/// True if two ids differ only by the place of the memory in its file.
fn differ_by_place(a: &Memory, b: &Memory) -> bool {
    let has_no_name = |memory: &Memory| {
        let is_blank = |id: &Value| id.to_string().trim().is_empty();
        memory.schema.field("id").is_some() && memory.field("id").is_none_or(is_blank)
    };
    a.path == b.path
        && (without_number(&a.id) == without_number(&b.id) || has_no_name(a) && has_no_name(b))
}

/// Takes out the memories that are the same on both sides. Ids that only count memories of one
/// name or name a line mean another memory once one above it is gone: the text tells.
fn without_same(before: &mut Vec<Side>, after: &mut Vec<Side>) -> Vec<MemoryId> {
    let old = before.iter().map(|side| (&side.memory.id, side));
    let mut old: HashMap<&MemoryId, &Side> = old.collect();
    let mut texts: HashMap<&str, Vec<&Side>> = HashMap::new();
    let mut same: HashSet<MemoryId> = HashSet::new();
    let mut gone: HashSet<MemoryId> = HashSet::new();
    for side in after.iter() {
        let id = &side.memory.id;
        if old.get(id).is_some_and(|was| is_same(was, side)) {
            old.remove(id);
            same.insert(id.clone());
            gone.insert(id.clone());
        }
    }
    let is_left = |side: &&Side| old.contains_key(&side.memory.id);
    for side in before.iter().filter(is_left) {
        texts.entry(&side.text).or_default().push(side);
    }
    let mut shifted = Vec::new();
    for side in after.iter() {
        let alike = texts.get_mut(&*side.text);
        let Some(alike) = alike.filter(|_| !same.contains(&side.memory.id)) else {
            continue;
        };
        let is_it = |was: &&Side| differ_by_place(&was.memory, &side.memory) && is_same(was, side);
        if let Some(at) = alike.iter().position(is_it) {
            let was = alike.remove(at).memory.id.clone();
            gone.insert(was.clone());
            same.insert(side.memory.id.clone());
            shifted.extend([was, side.memory.id.clone()]);
        }
    }
    before.retain(|side| !gone.contains(&side.memory.id));
    after.retain(|side| !same.contains(&side.memory.id));
    shifted
}

/// The names of memories in the file of an entry that stand for other memories than they did.
fn shifted_with(entry: &Entry, shifted: &[MemoryId]) -> Vec<Box<str>> {
    let names = entry.sides().map(|side| without_number(&side.memory.id));
    let names: Vec<&str> = names.collect();
    // A row that its line names goes where the rows around it go.
    let is_alike = |id: &&MemoryId| {
        let name = without_number(id);
        names.contains(&name) || *name == *id.local
    };
    let alike = shifted.iter().filter(is_alike);
    alike.map(|id| id.local.clone()).collect()
}

/// Pairs the memories of one store at the base with those of now. A memory with another name and
/// the same text, or the same title if both names are new, counts as renamed.
pub fn pair(mut before: Vec<Side>, mut after: Vec<Side>, against: &Against) -> Vec<Entry> {
    let known: HashSet<Arc<Path>> = before.iter().map(|side| side.memory.path.clone()).collect();
    let shifted = without_same(&mut before, &mut after);
    let named = |side: Side| (side.memory.id.clone(), side);
    let mut old: HashMap<MemoryId, Side> = before.into_iter().map(named).collect();
    let mut out = Vec::new();
    let mut new = Vec::new();
    for side in after {
        match old.remove(&side.memory.id) {
            Some(was) => out.push((Some(was), Some(side), Kind::Modified)),
            None => new.push(side),
        }
    }
    let mut gone: Vec<Side> = old.into_values().collect();
    gone.sort_by(|a, b| a.memory.id.cmp(&b.memory.id));
    let same: [fn(&Side, &Side) -> bool; 2] = [
        |a, b| a.text == b.text || !a.body.trim().is_empty() && a.body == b.body,
        |a, b| a.memory.title == b.memory.title,
    ];
    for is_same in same {
        let mut left = Vec::new();
        for side in new {
            let Some(at) = gone.iter().position(|was| is_same(was, &side)) else {
                left.push(side);
                continue;
            };
            let was = gone.remove(at);
            let kind = match (was.memory.state, side.memory.state) {
                (State::Active, State::Archived) => Kind::Deleted,
                (State::Archived, State::Active) => Kind::Added,
                _ => Kind::Renamed,
            };
            out.push((Some(was), Some(side), kind));
        }
        new = left;
    }
    out.extend(new.into_iter().map(|side| (None, Some(side), Kind::Added)));
    let gone = gone.into_iter();
    out.extend(gone.map(|side| (Some(side), None, Kind::Deleted)));
    // A memory that was archived before anyone committed it is out of everyone's sight.
    out.retain(|(_, after, kind)| {
        let is_archived = |side: &Side| side.memory.state == State::Archived;
        *kind != Kind::Added || !after.as_ref().is_some_and(is_archived)
    });
    let entry = |(before, after, kind): (Option<Side>, Option<Side>, Kind)| {
        let now = after.as_ref().filter(|_| kind != Kind::Deleted);
        let side = now.or(before.as_ref()).or(after.as_ref())?;
        let id = side.memory.id.clone();
        let mut entry = Entry::new(id, kind, (before, after), against.clone());
        let is_added = kind == Kind::Added;
        entry.is_appended = is_added && entry.path().is_some_and(|path| known.contains(path));
        entry.shifted = shifted_with(&entry, &shifted);
        Some(entry)
    };
    out.into_iter().filter_map(entry).collect()
}

/// True if nothing differs that a person would see.
pub fn is_same(a: &Side, b: &Side) -> bool {
    a.text == b.text && a.memory.fields == b.memory.fields && a.memory.state == b.memory.state
}
