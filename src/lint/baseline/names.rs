//! Memories that another program renamed, as `git mv` does.

use std::collections::{BTreeMap, HashSet};

use super::{Baseline, Present};
use crate::curate::BaselineKey;
use crate::lint::Context;
use crate::lint::answers::fingerprint;
use crate::memory::State;

/// The ids that memories had when a baseline was written, by their ids now.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, String>);

impl Names {
    /// Finds the texts of missing memories in memories of the same store that the baseline does not
    /// know. Several with one text cannot be told apart.
    pub fn new(cx: &Context<'_>, baseline: &Baseline) -> Self {
        let present = || Present::new(cx.memories);
        let texts = &baseline.texts;
        let present = (!texts.is_empty()).then(present);
        let is_gone = |id: &str| present.as_ref().is_some_and(|present| !present.has(id));
        let gone: Vec<(&String, &String)> = texts.iter().filter(|(id, _)| is_gone(id)).collect();
        if gone.is_empty() {
            return Self::default();
        }
        let known: HashSet<&str> = baseline.entries.keys().flat_map(BaselineKey::ids).collect();
        let mut now: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for memory in cx.memories.iter() {
            let id = memory.id.to_string();
            if memory.state == State::Active
                && !known.contains(&*id)
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
            let store = |id: &str| id.split(':').next().map(str::to_owned);
            (twins == 1 && store(new) == store(old)).then(|| (new.clone(), (*old).clone()))
        });
        Self(names.collect())
    }

    /// A key with the ids that the baseline knows.
    pub fn old(&self, key: &BaselineKey) -> BaselineKey {
        let ids: Vec<String> = key.ids().map(str::to_owned).collect();
        let names = ids.iter().filter_map(|id| Some((id, self.0.get(id)?)));
        names.fold(key.clone(), |key, (new, old)| key.renamed(new, old))
    }
}
