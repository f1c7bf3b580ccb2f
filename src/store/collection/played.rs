//! Plays a staged change: compares what loaders and policies give to agents before and after it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use itertools::Itertools as _;

use super::Collection;
use super::texts::Staged;
use crate::memory::format::table_of;
use crate::memory::{Memory, State, StoreId, index, tokens_of};
use crate::retrieval::{
    Limits, MultiScorer, Options, Scorer as _, Snapshot, StorePolicy, Task, Texts as _,
};
use crate::store::markdown::carrier;
use crate::store::{Overlay, Result, Store};
use crate::systems::policy;

/// Totals of what some stores give to agents.
#[derive(Default)]
struct Given {
    /// Memories that their loaders see.
    seen: usize,
    /// Lines and tokens that agents get without a task.
    prompt: [usize; 2],
    /// Words of the changed files, and of the bodies in them.
    words: [usize; 2],
    /// The indexes among the changed files.
    indexes: BTreeMap<String, IndexView>,
}

struct IndexView {
    lines: Vec<String>,
    /// Lines that count, and the most that are loaded.
    size: [usize; 2],
    /// Entries that the loader cuts off.
    cut_off: usize,
}

impl Collection {
    /// Settings of a store's system, with the files that tell a model to read the store.
    pub fn settings(&self, store: &dyn Store) -> Result<Options> {
        let mut options = store.settings(&self.root)?;
        let carriers = table_of(store.schema()).and_then(|table| table.carriers.as_ref());
        if let Some((carriers, previews)) = carriers.zip(self.previews) {
            let folders = (&*self.root, &*store.info().path);
            carrier::set(&mut options, folders, carriers, previews);
        }
        Ok(options)
    }

    /// The policy of each store, in their order; an unreadable configuration counts for nothing.
    pub fn policies(&self) -> Vec<StorePolicy> {
        let one = |store: &dyn Store| {
            Some(StorePolicy {
                store: store.info().id.clone(),
                policy: policy(store.info().policy())?,
                options: self.settings(store).unwrap_or_default(),
            })
        };
        self.stores.iter().filter_map(one).collect()
    }

    /// Describes what a change does to agents and to a person's text, a sentence for each effect.
    pub(super) fn effects(
        &self,
        (before, after): (&Overlay, &Overlay),
        memories: &[Arc<Memory>],
    ) -> Vec<String> {
        // What memkeep writes beside the stores is given to nobody.
        let own = self.root.join(".memkeep");
        let files = after.changed().filter(|path| !path.starts_with(&own));
        let files: BTreeSet<&Path> = files.collect();
        let stores = files.iter().filter_map(|path| self.store_at(path));
        let stores: BTreeSet<&StoreId> = stores.map(|store| &store.info().id).collect();
        if stores.is_empty() {
            return Vec::new();
        }
        let mut policies = self.policies();
        policies.retain(|of| stores.contains(&of.store));
        let own = memories.iter();
        let own = own.filter(|memory| stores.contains(&memory.id.store));
        let own: Vec<Arc<Memory>> = own.cloned().collect();
        let [was, is] = [before, after].map(|overlay| {
            let collection = self;
            let staged = Staged {
                collection,
                overlay,
            };
            let memories = Arc::new(staged.memories(&own));
            self.given(&policies, &staged, &memories, &files)
        });
        let notes = after.notes().iter();
        let notes = notes.filter(|note| !before.notes().contains(note));
        was.effects(&is).into_iter().chain(notes.cloned()).collect()
    }

    /// Previews stores for agents that have no task yet.
    fn given(
        &self,
        policies: &[StorePolicy],
        staged: &Staged<'_>,
        memories: &Snapshot,
        files: &BTreeSet<&Path>,
    ) -> Given {
        let task = Task {
            now: staged.overlay.now,
            ..Task::default()
        };
        let preview = |previews| {
            let scorer = MultiScorer::new(previews, policies, memories);
            scorer.preview(&task, &Limits::default(), None, staged)
        };
        let preview = self.previews.map(preview);
        let prompt = preview.map_or_else(String::new, |one| without_comments(&one.prompt));
        let lines = prompt.lines().filter(|line| has_words(line));
        let is_seen = |one: &&Arc<Memory>| one.state == State::Active && one.hidden.is_none();
        let mut given = Given {
            seen: memories.iter().filter(is_seen).count(),
            prompt: [lines.count(), tokens_of(prompt.len())],
            ..Given::default()
        };
        for memory in memories.iter().filter(|one| files.contains(&*one.path)) {
            let [text, body] =
                [staged.text(memory), staged.body(memory)].map(Option::unwrap_or_default);
            for (count, text) in given.words.iter_mut().zip([&text, &body]) {
                let text = without_comments(text);
                let words = text.split_whitespace();
                *count += words.filter(|word| has_words(word)).count();
            }
            let table = memory.index_table();
            let Some(table) = table else { continue };
            let front = memory.body.start.saturating_sub(memory.span.start);
            let entries = index::entries(text.as_bytes(), front, table).into_iter();
            let counted = index::load(text.as_bytes(), front, table).lines;
            let view = IndexView {
                lines: text.lines().map(str::to_owned).collect(),
                size: [counted, table.lines],
                cut_off: entries.filter(|entry| !entry.is_loaded).count(),
            };
            given.indexes.insert(self.shown(&memory.path), view);
        }
        given
    }
}

impl Given {
    fn effects(&self, then: &Self) -> Vec<String> {
        let mut effects = Vec::new();
        if then.seen < self.seen {
            let lost = self.seen - then.seen;
            effects.push(format!("memories that agents no longer get: {lost}"));
        }
        let gone = self.words.iter().zip(then.words);
        let gone = gone.map(|(was, is)| was.saturating_sub(is));
        if let Some(words @ 1..) = gone.min() {
            effects.push(format!("words of the text that go: {words}"));
        }
        let indexes = self.indexes.iter();
        let pairs = indexes.filter_map(|(name, was)| Some((name, was, then.indexes.get(name)?)));
        effects.extend(pairs.flat_map(|(name, was, is)| was.effects(is, name)));
        let ([was, size], [is, then]) = (self.prompt, then.prompt);
        if was != is {
            effects.push(format!(
                "what agents always get: {was} lines become {is}, {size} tokens become {then}"
            ));
        }
        effects
    }
}

impl IndexView {
    /// Describes the lines that come, go and move, and the cut.
    fn effects(&self, then: &Self, name: &str) -> Vec<String> {
        let mut effects = Vec::new();
        let limit = self.size[1];
        let (stay, gone) = shared(&self.lines, &then.lines);
        let (still, new) = shared(&then.lines, &self.lines);
        if new.len() > gone.len() {
            effects.push(format!("adds line {} of {limit} to {name}", new.join(", ")));
        }
        if gone.len() > new.len() {
            effects.push(format!("removes line {} of {name}", gone.join(", ")));
        }
        if stay != still {
            effects.push(format!("moves lines of {name}"));
        }
        if !effects.is_empty() || self.cut_off != then.cut_off {
            effects.push(format!(
                "{name}: {} lines become {} (limit {limit}), entries below the cut: {} become {}",
                self.size[0], then.size[0], self.cut_off, then.cut_off
            ));
        }
        effects
    }
}

/// Lines that others have too, and the numbers of the rest, without blank ones and comments.
fn shared<'a>(lines: &'a [String], others: &[String]) -> (Vec<&'a str>, Vec<String>) {
    let mut left = others.iter().map(String::as_str).counts();
    let (mut both, mut rest) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(lines) {
        match left.get_mut(&**line).filter(|count| **count > 0) {
            _ if !has_words(&without_comments(line)) => {}
            Some(count) => {
                *count -= 1;
                both.push(&**line);
            }
            None => rest.push(usize::to_string(&number)),
        }
    }
    (both, rest)
}

fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// A text without its HTML comments, which are notes to programs.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| match part.split_once("-->") {
        Some((_, rest)) => kept + rest,
        None => kept + "<!--" + part,
    })
}
