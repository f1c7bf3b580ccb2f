//! The findings that the baseline expects, and those that were not met.

use std::collections::{BTreeMap, HashSet};

use super::key::{keys, print};
use super::{Decision, Decisions};
use crate::curate::DecisionKey;
use crate::lint::fingerprint::text_print;
use crate::lint::{Baseline, Context, Finding};
use crate::memory::{Memory, MemoryId, State};
use crate::retrieval::Snapshot;

/// Decisions of the baseline that no finding met yet.
#[derive(Default)]
pub(in crate::lint) struct Expected<'d> {
    all: BTreeMap<DecisionKey, (&'d Decision, usize)>,
    /// Those whose memories do not all exist, by rule and print: a memory may have another name.
    gone: BTreeMap<(&'d str, &'d str), Vec<DecisionKey>>,
    present: Present,
    /// Decisions that were met under another id.
    renamed: Vec<(DecisionKey, DecisionKey)>,
}

/// Decisions on a memory and a rule that were not met.
pub(in crate::lint) struct Gone {
    /// The memory, by its index.
    pub memory: usize,
    pub rule: String,
    pub messages: Vec<String>,
    /// The keys, and how often each was expected and not met.
    pub keys: Vec<(DecisionKey, usize)>,
}

impl<'d> Expected<'d> {
    /// The decisions that hold now.
    pub fn new(cx: &Context<'d>) -> Self {
        let decisions: &'d Decisions = cx.decisions;
        let left = decisions.left().filter(|one| one.holds(cx.now));
        let all: BTreeMap<_, _> = left.map(|one| (one.key(), (one, one.count))).collect();
        if all.is_empty() {
            return Self::default();
        }
        let present = Present::new(cx.memories);
        let mut gone: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (key, (one, _)) in all.iter().filter(|(key, _)| present.is_gone(key)) {
            let of = gone.entry((&*one.rule, &*one.print)).or_default();
            of.push(key.clone());
        }
        Self {
            all,
            gone,
            present,
            renamed: Vec::new(),
        }
    }

    /// True if nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Takes a finding as met; false if it is new. `known` is its fingerprint. Reads texts and
    /// completes a question about several memories only if the baseline knows all of them.
    pub fn meets(
        &mut self,
        cx: &Context<'_>,
        finding: &mut Finding,
        complete: &mut dyn FnMut(&mut Finding),
        known: Option<String>,
    ) -> bool {
        let all = finding.parties().filter_map(|n| cx.memories.get(n));
        let all: Vec<&Memory> = all.map(AsRef::as_ref).collect();
        let Some((own, others)) = all.split_first() else {
            return false;
        };
        let ids: Vec<String> = all.iter().map(|memory| memory.id.to_string()).collect();
        if self.covers(finding.rule, ids) {
            return true;
        }
        let own_id = own.id.to_string();
        let names = |other: &&Memory| self.names(finding.rule, &own_id, &other.id.to_string());
        if !others.iter().all(names) {
            return false;
        }
        let text = |memory: &Memory| cx.texts.text(memory).unwrap_or_default();
        if others.is_empty() {
            let known = known.unwrap_or_else(|| {
                complete(finding);
                print(finding, &text(own))
            });
            let key = DecisionKey::new(finding.rule, vec![own_id], known);
            return self.take(&key, &|| text_print(own, &text(own)));
        }
        complete(finding);
        let all: Vec<(&Memory, String)> = all.iter().map(|one| (*one, text(one))).collect();
        let silenced = finding.silenced(cx.memories);
        let keys = silenced.map(|one| keys(&one, &all)).unwrap_or_default();
        // Each of them is met, also if another one is new.
        let met = keys.iter().filter(|key| self.take(key, &String::new));
        met.count() == others.len()
    }

    /// True if a decision without a print is on all findings of a rule in these memories.
    fn covers(&mut self, rule: &str, ids: Vec<String>) -> bool {
        let key = DecisionKey::new(rule, ids, String::new());
        let left = self.all.get_mut(&key);
        left.map(|(_, left)| *left = 0).is_some()
    }

    /// True if it may have a decision on a question about two memories.
    fn names(&self, rule: &str, own: &str, other: &str) -> bool {
        let ids = vec![own.to_owned(), other.to_owned()];
        let first = DecisionKey::new(rule, ids, String::new());
        let next = self.all.range(&first..).next();
        next.is_some_and(|(key, _)| (&key.rule, &key.ids) == (&first.rule, &first.ids))
            || self.gone.keys().any(|(of, _)| *of == rule)
    }

    /// Takes a key as met, or the same key of a memory that had another name. A question about two
    /// memories is met as often as it is asked.
    fn take(&mut self, key: &DecisionKey, text: &dyn Fn() -> String) -> bool {
        let is_pair = key.ids.len() > 1;
        let known = match self.all.get(key) {
            Some((_, left)) if is_pair || *left > 0 => key.clone(),
            _ => match self.under_another_id(key, is_pair, text) {
                Some(old) => {
                    self.renamed.push((old.clone(), key.clone()));
                    old
                }
                None => return false,
            },
        };
        if let Some((_, left)) = self.all.get_mut(&known) {
            *left = if is_pair { 0 } else { *left - 1 };
        }
        true
    }

    /// The same key with ids of memories that do not exist any more. The print of a pair is of both
    /// texts.
    fn under_another_id(
        &self,
        key: &DecisionKey,
        is_pair: bool,
        text: &dyn Fn() -> String,
    ) -> Option<DecisionKey> {
        let gone = self.gone.get(&(&*key.rule, &*key.print))?;
        let text = (!is_pair).then(text);
        let is_same = |old: &&DecisionKey| {
            let Some((one, left)) = self.all.get(*old) else {
                return false;
            };
            let is_of = |id: &String| key.ids.contains(id) || !self.present.has(id);
            old.ids.len() == key.ids.len()
                && (is_pair || *left > 0)
                && old.ids.iter().all(is_of)
                && text
                    .as_ref()
                    .is_none_or(|text| one.texts.first() == Some(text))
        };
        gone.iter().find(is_same).cloned()
    }

    /// The decisions that were not met, by memory and rule; then those of memories that do not exist,
    /// and those that were met under another id. Decisions on archived memories are none of them.
    pub fn gone(self) -> (Vec<Gone>, Baseline) {
        let mut all: BTreeMap<(&str, &str), Gone> = BTreeMap::new();
        let mut lost = Vec::new();
        for (key, (one, count)) in &self.all {
            if *count == 0 {
                continue;
            }
            if self.present.is_gone(key) {
                lost.push((key.clone(), *count));
                continue;
            }
            let memories = key.ids.iter().map(|id| self.present.active.get(id));
            let Some(Some(memory)) = memories
                .collect::<Option<Vec<_>>>()
                .map(|all| all.first().copied())
            else {
                continue;
            };
            let id = key.ids.first().map_or("", String::as_str);
            let gone = all.entry((id, &key.rule)).or_insert_with(|| Gone {
                memory: *memory,
                rule: key.rule.clone(),
                messages: Vec::new(),
                keys: Vec::new(),
            });
            gone.keys.push((key.clone(), *count));
            gone.messages.push(one.message.clone());
        }
        let baseline = Baseline {
            lost,
            renamed: self.renamed,
            ..Baseline::default()
        };
        (all.into_values().collect(), baseline)
    }
}

/// The memories that exist.
#[derive(Default)]
struct Present {
    active: BTreeMap<String, usize>,
    /// Archived memories, by the ids they had before.
    archived: HashSet<String>,
}

impl Present {
    fn new(memories: &Snapshot) -> Self {
        let mut present = Self::default();
        for (index, memory) in memories.iter().enumerate() {
            match memory.state {
                State::Active => drop(present.active.insert(memory.id.to_string(), index)),
                State::Archived => drop(present.archived.insert(id_before(&memory.id))),
            }
        }
        present
    }

    /// True if one of its memories does not exist any more.
    fn is_gone(&self, key: &DecisionKey) -> bool {
        key.ids.iter().any(|id| !self.has(id))
    }

    /// True if a memory exists, at least in the archive.
    fn has(&self, id: &str) -> bool {
        self.active.contains_key(id) || self.archived.contains(id)
    }
}

/// The id that an archived memory had before.
fn id_before(archived: &MemoryId) -> String {
    let local = &archived.local;
    let local = local.strip_prefix("archive/").unwrap_or(local);
    format!("{}:{local}", archived.store)
}
