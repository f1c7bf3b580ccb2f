//! Lookups of memories by their names, as hashes: a tenth of the room that the texts would take.

use super::repository::hash;
pub(super) use crate::memory::link::folded as fold;
use crate::memory::{Memory, StoreId};
use crate::retrieval::Snapshot;
use crate::text::mentions::last;

/// A name that memories are looked up by, as a hash.
pub(super) type Key = u32;

/// More files than this share a word that says nothing.
const COMMON: usize = 300;

fn key(kind: char, store: &StoreId, text: &str) -> Key {
    u32::try_from(hash((kind, store, text)) >> 33).unwrap_or_default()
}

/// The key of the memories of a store that links call by this folded name.
pub(super) fn called(store: &StoreId, folded: &str) -> Key {
    key('t', store, folded)
}

/// The key of the memories of a store whose file has this name.
pub(super) fn named(store: &StoreId, name: &str) -> Key {
    key('n', store, &name.to_lowercase())
}

/// The keys of the memories of a store whose file's name shares something with this one.
pub(super) fn like(store: &StoreId, name: &str) -> impl Iterator<Item = Key> {
    let parts = parts(name).into_iter();
    parts.map(|part| key('p', store, &part))
}

/// The key of the memory of a store with this LOCAL.
pub(super) fn local(store: &StoreId, local: &str) -> Key {
    key('l', store, local)
}

/// Memories by their keys, in order. Different texts may have one hash.
pub(super) struct Index(Vec<(Key, u32)>);

impl Index {
    /// Indexes memories by the keys of each.
    pub fn new<A: IntoIterator<Item = Key>>(
        memories: &Snapshot,
        keys: impl Fn(&Memory) -> A,
    ) -> Self {
        let mut index = Vec::new();
        for (at, memory) in (0_u32..).zip(memories.iter()) {
            index.extend(keys(memory).into_iter().map(|key| (key, at)));
        }
        index.sort_unstable();
        index.dedup();
        index.shrink_to_fit();
        Self(index)
    }

    /// The memories with a key, in order.
    pub fn get(&self, key: Key) -> impl Iterator<Item = usize> + Clone {
        let from = self.0.partition_point(|(known, _)| *known < key);
        let found = self.0.iter().skip(from);
        let found = found.take_while(move |(known, _)| *known == key);
        found.map(|(_, at)| *at as usize)
    }

    /// The memories with one of these keys, without those that too many have.
    pub fn sharing(&self, keys: impl Iterator<Item = Key>) -> Vec<usize> {
        let found = keys.map(|key| self.get(key));
        let found = found.filter(|found| found.clone().nth(COMMON).is_none());
        let mut found: Vec<usize> = found.flatten().collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// LOCAL without the number of a later memory of the same file.
pub(super) fn file_name(local: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match local.rsplit_once('#') {
        Some((name, number)) if is_number(number) => name,
        _ => local,
    }
}

/// The name of a memory's file without folders; none for a later memory of the same file.
pub(super) fn own_name(memory: &Memory) -> Option<&str> {
    let local = &*memory.id.local;
    (file_name(local) == local).then(|| last(local))
}

/// The name of a memory's file without folders.
pub(super) fn name_of(memory: &Memory) -> &str {
    last(file_name(&memory.id.local))
}

/// The words of a name in the order of the alphabet.
pub(super) fn words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    let mut words: Vec<String> = words.map(str::to_lowercase).collect();
    words.sort_unstable();
    words
}

/// A name's words, all of them as one key, and the two ends of the name.
fn parts(name: &str) -> Vec<String> {
    let mut parts = words(name);
    let lower = name.to_lowercase();
    let begin: String = lower.chars().take(4).collect();
    let end: String = lower.chars().rev().take(4).collect();
    parts.push(format!("={}", parts.join("-")));
    parts.push(format!("^{begin}"));
    parts.push(format!("${end}"));
    parts
}
