//! Memories that another program gave another name, as `git mv` does.

use std::collections::{BTreeMap, HashSet};

use super::{Baseline, Key, There};
use crate::lint::Context;
use crate::lint::answers::fingerprint;
use crate::memory::State;

/// The ids that memories had when a baseline was written, by those they have now.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// Where the texts of the memories that are gone stand now: in the same store, in a memory that
    /// the baseline does not name. Of several with one text it is not known which is which.
    pub fn of(cx: &Context<'_>, baseline: &Baseline) -> Self {
        let texts = &baseline.texts;
        if texts.is_empty() {
            return Self::default();
        }
        let there = There::of(cx.memories);
        let gone: Vec<(&String, &String)> = texts.iter().filter(|(id, _)| !there.has(id)).collect();
        if gone.is_empty() {
            return Self::default();
        }
        let named: HashSet<&str> = baseline.entries.keys().flat_map(Key::ids).collect();
        let mut now: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for memory in cx.memories.iter() {
            let id = memory.id.to_string();
            if memory.state == State::Active
                && !named.contains(&*id)
                && let Some(text) = cx.texts.text(memory)
            {
                let print = fingerprint("", memory, &text);
                now.entry(print).or_default().push(id);
            }
        }
        let names = gone.iter().filter_map(|(old, print)| {
            let twins = gone.iter().filter(|(_, other)| other == print).count();
            let [new] = now.get(*print)?.as_slice() else {
                return None;
            };
            let store = |id: &'_ str| id.split(':').next().map(str::to_owned);
            (twins == 1 && store(new) == store(old)).then(|| (new.clone(), (*old).clone()))
        });
        Self(names.collect())
    }

    /// A key as the baseline knows it.
    pub fn old(&self, key: &Key) -> Key {
        let ids: Vec<String> = key.ids().map(str::to_owned).collect();
        let names = ids.iter().filter_map(|id| Some((id, self.0.get(id)?)));
        names.fold(key.clone(), |key, (new, old)| key.renamed(new, old))
    }
}
