//! The files of stores by their names, and by what a wrong name may still share with them.

use super::Look;
use super::asks::{self, Ask};
use super::look::file_name;
use crate::memory::Memory;
use crate::retrieval::Snapshot;
use crate::text::mentions::{Form, PathMention};

/// More files than this share a word that says nothing.
const COMMON: usize = 300;

impl<'a> Look<'a> {
    /// The name of the memory that a link in the body leads to, in the folder of this one: one that
    /// the store has, or had by the history.
    pub(super) fn linked_memory<'m>(&self, mention: &'m PathMention<'_>) -> Option<&'m str> {
        let name = mention.path.strip_suffix(".md")?;
        let before = self.body().1.get(..mention.bytes.start);
        let is_here = mention.is_bare() && before.is_none_or(|before| !before.ends_with("../"));
        if mention.form != Form::Link || !is_here || self.memory.schema.in_rows() {
            return None;
        }
        let was = || {
            let history = self.cx.project.history().ok()?;
            let own = history.below_root(&self.memory.path)?;
            let (folder, _) = own.rsplit_once('/')?;
            history.gone(&format!("{folder}/{}", mention.path))
        };
        (self.named(name).next().is_some() || was().is_some()).then_some(name)
    }
}

/// Memories by the numbers of what can be asked of them, in order: a tenth of the room that the
/// texts would take. Different texts may have one number.
pub(super) struct Index(Vec<(Ask, u32)>);

impl Index {
    /// What of each memory answers which questions.
    pub(super) fn of<A: IntoIterator<Item = Ask>>(
        memories: &Snapshot,
        answers: impl Fn(&Memory) -> A,
    ) -> Self {
        let mut index = Vec::new();
        for (at, memory) in (0_u32..).zip(memories.iter()) {
            index.extend(answers(memory).into_iter().map(|ask| (ask, at)));
        }
        index.sort_unstable();
        index.dedup();
        index.shrink_to_fit();
        Self(index)
    }

    /// Files by their name without folders but for case.
    pub(super) fn by_name(memories: &Snapshot) -> Self {
        Self::of(memories, |memory| {
            own_name(memory).map(|name| asks::named(&memory.id.store, name))
        })
    }

    /// Files by their words, the same without their order, and by how their names begin.
    pub(super) fn by_parts(memories: &Snapshot) -> Self {
        Self::of(memories, |memory| {
            let name = own_name(memory).into_iter();
            let asks = name.flat_map(|name| asks::like(&memory.id.store, name));
            asks.collect::<Vec<_>>()
        })
    }

    /// The memories that have what is asked, in order.
    pub(super) fn get(&self, ask: Ask) -> impl Iterator<Item = usize> + Clone {
        let from = self.0.partition_point(|(number, _)| *number < ask);
        let found = self.0.iter().skip(from);
        let found = found.take_while(move |(number, _)| *number == ask);
        found.map(|(_, at)| *at as usize)
    }

    /// Those that have something of it, without what too many have.
    pub(super) fn sharing(&self, asks: impl Iterator<Item = Ask>) -> Vec<usize> {
        let found = asks.map(|ask| self.get(ask));
        let found = found.filter(|found| found.clone().nth(COMMON).is_none());
        let mut found: Vec<usize> = found.flatten().collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The name of a memory's file without folders; none for a later one of the same file.
fn own_name(memory: &Memory) -> Option<&str> {
    let local = &*memory.id.local;
    (file_name(local) == local).then(|| last(local))
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
