//! Plays a staged change: compares what the stores give to agents before it and after it, by their
//! own loaders and policies.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use super::Collection;
use crate::memory::format::IndexTable;
use crate::memory::index;
use crate::memory::{Memory, MemoryId, StoreId, tokens_of};
use crate::retrieval::together::{Together, Way};
use crate::retrieval::{Limits, Reason, Scorer as _, Snapshot, Task, Texts as _, policy};
use crate::store::staged::Staged;
use crate::store::{Overlay, Store};

/// How near a memory is to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Never,
    OnDemand,
    Given,
}

/// What one store gives to agents.
struct Given {
    reaches: BTreeMap<MemoryId, Reach>,
    prompt: String,
    /// Words of the changed files and of the bodies in them.
    words: (usize, usize),
    indexes: BTreeMap<String, IndexView>,
}

/// An index as its loader reads it.
struct IndexView {
    table: &'static IndexTable,
    lines: Vec<String>,
    /// Lines that count towards the limit.
    counted: usize,
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
        let own = memories.iter();
        let own = own.filter(|memory| stores.contains_key(&memory.id.store));
        let own: Vec<Arc<Memory>> = own.cloned().collect();
        let given = [before, after].map(|overlay| {
            let staged = Staged {
                collection: self,
                overlay,
            };
            let memories = staged.memories(&own);
            let given = stores.values();
            given
                .map(|store| self.given(*store, &staged, &memories, &files))
                .collect::<Vec<_>>()
        });
        let [was, is] = given;
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
            let reach = match verdict.reason {
                Reason::Selected => Reach::Given,
                Reason::Invisible | Reason::Invalid | Reason::Archived | Reason::Disabled => {
                    Reach::Never
                }
                _ => Reach::OnDemand,
            };
            Some((own.get(verdict.memory)?.id.clone(), reach))
        });
        let mut given = Given {
            reaches: reach.collect(),
            prompt: without_comments(&preview.prompt),
            words: (0, 0),
            indexes: BTreeMap::new(),
        };
        for memory in own.iter().filter(|memory| files.contains(&*memory.path)) {
            let words = |text: String| without_comments(&text).split_whitespace().count();
            given.words.0 += staged.text(memory).map_or(0, words);
            given.words.1 += staged.body(memory).map_or(0, words);
            let index = memory.index_table().zip(staged.text(memory));
            given.indexes.extend(index.map(|(table, text)| {
                let front = memory.body.start.saturating_sub(memory.span.start);
                (self.shown(&memory.path), IndexView::new(table, &text, front))
            }));
        }
        given
    }
}

impl Given {
    fn effects(&self, then: &Self, store: &StoreId) -> Vec<String> {
        let mut effects = Vec::new();
        let reach = |given: &Self, id: &MemoryId| given.reaches.get(id).copied();
        let lost = self.reaches.iter();
        let lost = lost.filter(|(id, was)| reach(then, id).unwrap_or(Reach::Never) < **was);
        let lost: Vec<String> = lost.map(|(id, _)| id.to_string()).collect();
        let new = then.reaches.iter();
        let new = new.filter(|(id, is)| **is > Reach::Never && reach(self, id).is_none());
        // A memory with a new name is not lost.
        if lost.len() > new.count() {
            effects.push(format!("agents no longer get {}", lost.join(", ")));
        }
        let (text, body) = (
            self.words.0.saturating_sub(then.words.0),
            self.words.1.saturating_sub(then.words.1),
        );
        if text.min(body) > 0 {
            effects.push(format!("removes {} of the text", counted(body, "word")));
        }
        let indexes = self.indexes.iter();
        let pairs = indexes.filter_map(|(name, was)| Some((name, was, then.indexes.get(name)?)));
        effects.extend(pairs.flat_map(|(name, was, is)| was.effects(is, name)));
        let lines = |prompt: &str| prompt.lines().filter(|one| !one.trim().is_empty()).count();
        let (was, is) = (lines(&self.prompt), lines(&then.prompt));
        if was != is {
            let tokens = |prompt: &str| tokens_of(prompt.len());
            effects.push(format!(
                "what agents always get of {store}: {was} lines become {is} ({} tokens become {})",
                tokens(&self.prompt),
                tokens(&then.prompt)
            ));
        }
        effects
    }
}

impl IndexView {
    fn new(table: &'static IndexTable, text: &str, front: usize) -> Self {
        let entries = index::entries(text.as_bytes(), front, table).into_iter();
        Self {
            table,
            lines: without_comments(text).lines().map(str::to_owned).collect(),
            counted: index::load(text.as_bytes(), front, table).lines,
            cut_off: entries.filter(|entry| !entry.is_loaded).count(),
        }
    }

    /// Describes the lines that come, go and move, and the cut.
    fn effects(&self, then: &Self, name: &str) -> Vec<String> {
        let mut effects = Vec::new();
        let (stay, gone) = shared(&self.lines, &then.lines);
        let (still, new) = shared(&then.lines, &self.lines);
        let limit = self.table.lines;
        if new.len() > gone.len() {
            let new: Vec<String> = new.iter().map(usize::to_string).collect();
            effects.push(format!("adds line {} of {limit} to {name}", new.join(", ")));
        }
        if gone.len() > new.len() {
            let gone: Vec<String> = gone.iter().map(usize::to_string).collect();
            effects.push(format!("removes line {} of {name}", gone.join(", ")));
        }
        if stay != still {
            effects.push(format!("moves lines of {name}"));
        }
        if (self.counted, self.cut_off) != (then.counted, then.cut_off) {
            effects.push(format!(
                "{name}: {} lines become {} (limit {limit}), entries below the cut: {} become {}",
                self.counted, then.counted, self.cut_off, then.cut_off
            ));
        }
        effects
    }
}

/// The lines that other lines have too, in order, and the numbers of the rest. Blank lines are left
/// out.
fn shared<'a>(lines: &'a [String], others: &[String]) -> (Vec<&'a str>, Vec<usize>) {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for line in others {
        *left.entry(line).or_default() += 1;
    }
    let (mut both, mut rest) = (Vec::new(), Vec::new());
    let lines = (1..).zip(lines).filter(|(_, line)| !line.trim().is_empty());
    for (number, line) in lines {
        match left.get_mut(&**line).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                both.push(&**line);
            }
            None => rest.push(number),
        }
    }
    (both, rest)
}

/// A text without its HTML comments, which are notes to programs.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once("-->") {
            Some((_, rest)) => kept.push_str(rest),
            None => kept.extend(["<!--", part]),
        }
    }
    kept
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
