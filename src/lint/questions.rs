//! What a rule asks about other memories while it checks one. Questions are kept as hashes, so that
//! after a change only the memories are checked again that asked something with another answer now.

use std::collections::HashSet;

use super::repository::hash;
pub(super) use crate::memory::link::folded as fold;
use crate::memory::{Memory, MemoryId, StoreId, link};
use crate::retrieval::Snapshot;
use crate::text::mentions::last;

/// A question, as a hash.
pub(super) type Question = u32;

/// How a person or a model answered, and which memories exist at all.
pub(super) const ANSWERS: Question = 0;

/// What time it is.
pub(super) const CLOCK: Question = 1;

/// More files than this share a word that says nothing.
const COMMON: usize = 300;

fn question(kind: char, store: &StoreId, text: &str) -> Question {
    // Past the numbers of the other questions.
    u32::try_from(hash((kind, store, text)) >> 33).unwrap_or_default() | 2
}

/// Which memories of a store links call by this folded name.
pub(super) fn called(store: &StoreId, folded: &str) -> Question {
    question('t', store, folded)
}

/// Which memories of a store have a file with this name.
pub(super) fn named(store: &StoreId, name: &str) -> Question {
    question('n', store, &name.to_lowercase())
}

/// Which memories of a store have a file whose name shares something with this one.
pub(super) fn like(store: &StoreId, name: &str) -> impl Iterator<Item = Question> {
    let parts = parts(name).into_iter();
    parts.map(|part| question('p', store, &part))
}

/// Which memory of a store has this LOCAL.
pub(super) fn local(store: &StoreId, local: &str) -> Question {
    question('l', store, local)
}

/// What a memory says.
pub(super) fn text(id: &MemoryId) -> Question {
    question('m', &id.store, &id.local)
}

/// Adds the questions with another answer after a memory came, went or changed.
pub(super) fn touch(memory: &Memory, before: Option<&Memory>, touched: &mut HashSet<Question>) {
    touched.insert(text(&memory.id));
    let seen = |memory: &Memory| {
        let place = (memory.id.clone(), memory.path.clone(), memory.document);
        let state = (memory.state, memory.sight, memory.title.clone());
        (place, state, memory.fields.clone())
    };
    if before.is_some_and(|before| seen(before) == seen(memory)) {
        return;
    }
    for memory in [Some(memory), before].into_iter().flatten() {
        let store = &memory.id.store;
        let name = name_of(memory);
        touched.extend([local(store, &memory.id.local), named(store, name)]);
        touched.extend(like(store, name));
        let names = link::names(memory).into_iter();
        touched.extend(names.map(|name| called(store, &name)));
    }
}

/// Memories by the questions that they are an answer to, in order: a tenth of the room that the
/// texts would take. Different texts may have one hash.
pub(super) struct Index(Vec<(Question, u32)>);

impl Index {
    /// Looks up which questions each memory answers.
    pub fn new<A: IntoIterator<Item = Question>>(
        memories: &Snapshot,
        answers: impl Fn(&Memory) -> A,
    ) -> Self {
        let mut index = Vec::new();
        for (at, memory) in (0_u32..).zip(memories.iter()) {
            index.extend(answers(memory).into_iter().map(|question| (question, at)));
        }
        index.sort_unstable();
        index.dedup();
        index.shrink_to_fit();
        Self(index)
    }

    /// The memories that answer a question, in order.
    pub fn get(&self, question: Question) -> impl Iterator<Item = usize> + Clone {
        let from = self.0.partition_point(|(known, _)| *known < question);
        let found = self.0.iter().skip(from);
        let found = found.take_while(move |(known, _)| *known == question);
        found.map(|(_, at)| *at as usize)
    }

    /// The memories that answer one of these, without the questions that too many answer.
    pub fn sharing(&self, questions: impl Iterator<Item = Question>) -> Vec<usize> {
        let found = questions.map(|question| self.get(question));
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
