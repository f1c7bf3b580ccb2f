//! The findings that the baseline expects, and those that were not met.

use std::collections::{BTreeMap, HashMap};

use super::line::key;
use super::{Decision, id_before};
use crate::curate::DecisionKey;
use crate::lint::{Context, Finding};
use crate::memory::{Memory, State};
use crate::retrieval::Snapshot;

/// The decisions of the baseline that hold now, each with true once a finding met it.
#[derive(Default)]
pub(in crate::lint) struct Expected<'d>(BTreeMap<DecisionKey, (&'d Decision, bool)>);

/// Decisions on a memory and a rule that were not met.
pub(in crate::lint) struct Gone {
    /// The memory, by its index.
    pub memory: usize,
    pub rule: String,
    pub messages: Vec<String>,
    pub keys: Vec<DecisionKey>,
}

impl<'d> Expected<'d> {
    /// The decisions that hold now.
    pub fn new(cx: &Context<'d>) -> Self {
        let left = cx.decisions.left().filter(|one| one.holds(cx.now));
        Self(left.map(|one| (one.key(), (one, false))).collect())
    }

    /// Takes a finding as met; false if it is new. Reads texts only if the baseline knows the rule
    /// in the memories.
    pub fn meets(&mut self, cx: &Context<'_>, finding: &Finding) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let all = finding.parties().filter_map(|n| cx.memories.get(n));
        let all: Vec<&Memory> = all.map(AsRef::as_ref).collect();
        let ids = all.iter().map(|memory| memory.id.to_string()).collect();
        // A decision without a print is on all findings of a rule in these memories.
        let of_rule = DecisionKey::new(finding.rule, ids, String::new());
        if self.take(&of_rule) {
            return true;
        }
        let next = self.0.range(&of_rule..).next();
        if next.is_none_or(|(key, _)| (&key.rule, &key.ids) != (&of_rule.rule, &of_rule.ids)) {
            return false;
        }
        let text = |memory: &Memory| cx.texts.text(memory).unwrap_or_default();
        let all: Vec<(&Memory, String)> = all.iter().map(|one| (*one, text(one))).collect();
        let key = finding
            .silenced(cx.memories)
            .and_then(|one| key(&one, &all));
        key.is_some_and(|key| self.take(&key))
    }

    fn take(&mut self, key: &DecisionKey) -> bool {
        let known = self.0.get_mut(key);
        known.map(|(_, is_met)| *is_met = true).is_some()
    }

    /// The decisions that were not met, by memory and rule; then those of memories that do not exist.
    /// Decisions on archived memories are none of them.
    pub fn gone(self, memories: &Snapshot) -> (Vec<Gone>, Vec<DecisionKey>) {
        let mut all: BTreeMap<(String, String), Gone> = BTreeMap::new();
        let mut lost = Vec::new();
        let left = self.0.into_iter().filter(|(_, (_, is_met))| !is_met);
        let left: Vec<_> = left.collect();
        let mut present: HashMap<String, Option<usize>> = HashMap::new();
        for (index, memory) in memories.iter().enumerate().filter(|_| !left.is_empty()) {
            match memory.state {
                State::Active => present.insert(memory.id.to_string(), Some(index)),
                State::Archived => present.insert(id_before(&memory.id), None),
            };
        }
        for (key, (one, _)) in left {
            let found = key.ids.iter().map(|id| present.get(id).copied());
            let Some(found) = found.collect::<Option<Vec<_>>>() else {
                lost.push(key);
                continue;
            };
            if let Some([memory, ..]) = found.into_iter().collect::<Option<Vec<_>>>().as_deref() {
                let id = key.ids.first().cloned().unwrap_or_default();
                let gone = all.entry((id, key.rule.clone())).or_insert_with(|| Gone {
                    memory: *memory,
                    rule: key.rule.clone(),
                    messages: Vec::new(),
                    keys: Vec::new(),
                });
                gone.keys.push(key);
                gone.messages.push(one.message.clone());
            }
        }
        (all.into_values().collect(), lost)
    }
}
