//! The files of stores by their names, and by what a wrong name may still share with them.

use std::collections::HashMap;

use super::look::file_name;
use crate::memory::{Memory, StoreId};
use crate::retrieval::Snapshot;

/// More files than this share a word that says nothing.
const COMMON: usize = 300;

/// Indices of the first memories of files, by a key in a store.
#[derive(Default)]
pub(super) struct Index(HashMap<(StoreId, Box<str>), Vec<usize>>);

impl Index {
    /// Files by their name without folders, in lower case.
    pub(super) fn by_name(memories: &Snapshot) -> Self {
        Self::of(memories, |name, add| add(&name.to_lowercase()))
    }

    /// Files by their words, the same without their order, and by how their names begin.
    pub(super) fn by_parts(memories: &Snapshot) -> Self {
        Self::of(memories, |name, add| {
            for part in parts(name) {
                add(&part);
            }
        })
    }

    fn of(memories: &Snapshot, keys: impl Fn(&str, &mut dyn FnMut(&str))) -> Self {
        let mut index = Self::default();
        for (at, memory) in memories.iter().enumerate() {
            // The second memory of a file has no name of its own.
            if file_name(&memory.id.local) != &*memory.id.local {
                continue;
            }
            keys(last(file_name(&memory.id.local)), &mut |key| {
                let key = (memory.id.store.clone(), key.into());
                let found = index.0.entry(key).or_default();
                if found.last() != Some(&at) {
                    found.push(at);
                }
            });
        }
        index
    }

    /// The files with this name but for case.
    pub(super) fn named(&self, store: &StoreId, name: &str) -> &[usize] {
        self.get(store, &name.to_lowercase())
    }

    /// The files that share something with a name, without what too many share.
    pub(super) fn sharing(&self, store: &StoreId, name: &str) -> Vec<usize> {
        let mut found: Vec<usize> = parts(name)
            .iter()
            .map(|part| self.get(store, part))
            .filter(|found| found.len() <= COMMON)
            .flatten()
            .copied()
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn get(&self, store: &StoreId, key: &str) -> &[usize] {
        self.0
            .get(&(store.clone(), key.into()))
            .map_or(&[], Vec::as_slice)
    }
}

/// The name of a memory's file without folders.
pub(super) fn name_of(memory: &Memory) -> &str {
    last(file_name(&memory.id.local))
}

/// What stands after the last `/`.
pub(super) fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The words of a name in order of the alphabet.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.sort_unstable();
    words
}

/// A name's words, all of them as one key, and the two ends of the name.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut parts = words(name);
    let lower = name.to_lowercase();
    let begin: String = lower.chars().take(4).collect();
    let end: String = lower.chars().rev().take(4).collect();
    parts.push(format!("={}", parts.join("-")));
    parts.push(format!("^{begin}"));
    parts.push(format!("${end}"));
    parts
}
