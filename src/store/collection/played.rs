//! Plays a staged change: compares what the stores give to agents before it and after it, by their
//! own loaders and policies.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use super::Collection;
use crate::memory::{Memory, MemoryId, StoreId, comments, index, tokens_of};
use crate::retrieval::together::{Together, Way};
use crate::retrieval::{Limits, Reason, Scorer as _, Snapshot, Task, Texts as _, policy};
use crate::store::staged::Staged;
use crate::store::{Overlay, Store};

/// What one store gives to agents.
struct Given {
    /// How agents get each memory: not at all, on demand, or unasked.
    reach: BTreeMap<MemoryId, Option<bool>>,
    /// What they get unasked, without comments.
    prompt: String,
    /// Words of the changed files, and of the bodies in them.
    words: [usize; 2],
    /// The indexes among the changed files.
    indexes: BTreeMap<String, IndexView>,
}

/// An index as its loader reads it.
struct IndexView {
    lines: Vec<String>,
    /// Lines that count, and the most that are loaded.
    size: [usize; 2],
    /// Entries that the loader cuts off.
    cut_off: usize,
}

impl Collection {
    /// Describes what the change from `before` to `after` does to agents and to a person's text, a
    /// sentence for each effect; empty if the change is harmless. Edits within a line have no effect.
    pub(super) fn effects(
        &self,
        (before, after): (&Overlay, &Overlay),
        memories: &[Arc<Memory>],
    ) -> Vec<String> {
        let files: BTreeSet<&Path> = after.changed().collect();
        let stores = files.iter().filter_map(|path| self.store_at(path));
        let stores: BTreeMap<&StoreId, &dyn Store> =
            stores.map(|store| (&store.info().id, store)).collect();
        let is_own = |memory: &&Arc<Memory>| stores.contains_key(&memory.id.store);
        let own: Vec<Arc<Memory>> = memories.iter().filter(is_own).cloned().collect();
        let [was, is] = [before, after].map(|overlay| {
            let staged = Staged {
                collection: self,
                overlay,
            };
            let memories = staged.memories(&own);
            let given = |store: &&dyn Store| self.given(*store, &staged, &memories, &files);
            stores.values().map(given).collect::<Vec<Given>>()
        });
        let pairs = stores.keys().zip(was.iter().zip(&is));
        pairs
            .flat_map(|(store, (was, is))| was.effects(is, store))
            .collect()
    }

    /// Previews a store for an agent that has no task yet.
    fn given(
        &self,
        store: &dyn Store,
        staged: &Staged<'_>,
        memories: &[Arc<Memory>],
        files: &BTreeSet<&Path>,
    ) -> Given {
        let info = store.info();
        let own = memories.iter().filter(|memory| memory.id.store == info.id);
        let own: Snapshot = Arc::new(own.cloned().collect());
        let way = policy(info.policy()).map(|policy| Way {
            store: info.id.clone(),
            policy,
            options: store.settings(&self.root).unwrap_or_default(),
        });
        let task = Task {
            now: staged.overlay.now,
            ..Task::default()
        };
        let limits = Limits {
            rejected: usize::MAX,
            ..Limits::default()
        };
        let scorer = Together::new(way.as_slice(), &own);
        let preview = scorer.preview(&task, &limits, None, staged);
        let verdicts = preview.selected.iter().chain(&preview.rejected);
        let reach = verdicts.filter_map(|verdict| {
            use Reason::{Archived, Disabled, Invalid, Invisible, Selected};
            let reason = verdict.reason;
            let is_shut = matches!(reason, Archived | Disabled | Invalid | Invisible);
            let reach = (!is_shut).then_some(reason == Selected);
            Some((own.get(verdict.memory)?.id.clone(), reach))
        });
        let mut given = Given {
            reach: reach.collect(),
            prompt: comments::without(&preview.prompt),
            words: [0; 2],
            indexes: BTreeMap::new(),
        };
        for memory in own.iter().filter(|memory| files.contains(&*memory.path)) {
            let (text, body) = (staged.text(memory), staged.body(memory));
            let text = text.unwrap_or_default();
            for (count, text) in given
                .words
                .iter_mut()
                .zip([&text, &body.unwrap_or_default()])
            {
                *count += comments::without(text).split_whitespace().count();
            }
            let Some(table) = memory.index_table() else {
                continue;
            };
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
    fn effects(&self, then: &Self, store: &StoreId) -> Vec<String> {
        let mut effects = Vec::new();
        let lost = self.reach.iter();
        let lost = lost.filter(|(id, was)| then.reach.get(id).copied().flatten() < **was);
        let lost: Vec<String> = lost.map(|(id, _)| id.to_string()).collect();
        let new = then.reach.iter();
        let new = new.filter(|(id, is)| is.is_some() && !self.reach.contains_key(id));
        // A memory with a new name is not lost.
        if lost.len() > new.count() {
            effects.push(format!("agents no longer get {}", lost.join(", ")));
        }
        let gone = self.words.iter().zip(then.words);
        let gone = gone.map(|(was, is)| was.saturating_sub(is));
        if let Some(words @ 1..) = gone.min() {
            effects.push(format!("removes words of the text: {words}"));
        }
        let indexes = self.indexes.iter();
        let pairs = indexes.filter_map(|(name, was)| Some((name, was, then.indexes.get(name)?)));
        effects.extend(pairs.flat_map(|(name, was, is)| was.effects(is, name)));
        let lines = |text: &str| text.lines().filter(|one| !one.trim().is_empty()).count();
        let [was, is] = [self, then].map(|one| (lines(&one.prompt), tokens_of(one.prompt.len())));
        if was.0 != is.0 {
            effects.push(format!(
                "what agents always get of {store}: {} lines become {}, {} tokens become {}",
                was.0, is.0, was.1, is.1
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

/// The lines that others have too, in order, and the numbers of the rest; without blank lines and
/// comments.
fn shared<'a>(lines: &'a [String], others: &[String]) -> (Vec<&'a str>, Vec<String>) {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for line in others {
        *left.entry(line).or_default() += 1;
    }
    let (mut both, mut rest) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(lines) {
        match left.get_mut(&**line).filter(|count| **count > 0) {
            _ if comments::without(line).trim().is_empty() => {}
            Some(count) => {
                *count -= 1;
                both.push(&**line);
            }
            None => rest.push(usize::to_string(&number)),
        }
    }
    (both, rest)
}
