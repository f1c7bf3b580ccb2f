//! The findings that the baseline expects, and those that were not met.

use std::collections::BTreeMap;

use super::key::{keys, print};
use super::{Baseline, Names, Present};
use crate::curate::BaselineKey;
use crate::lint::{Context, Finding};
use crate::memory::Memory;

/// Entries of a baseline that were not met yet.
pub(in crate::lint) struct Expected<'b> {
    baseline: &'b Baseline,
    left: BTreeMap<&'b BaselineKey, usize>,
    names: Names,
}

/// Entries of a memory and a rule that were not met.
pub(in crate::lint) struct Gone {
    /// The memory, by its index.
    pub memory: usize,
    pub rule: String,
    pub messages: Vec<String>,
    /// The keys, and how often each was expected and not met.
    pub keys: Vec<(BaselineKey, usize)>,
}

impl<'b> Expected<'b> {
    pub(super) fn new(baseline: &'b Baseline, names: Names) -> Self {
        let left = baseline.entries.iter();
        Self {
            baseline,
            left: left.map(|(key, entry)| (key, entry.count)).collect(),
            names,
        }
    }

    /// Nothing.
    pub fn nothing() -> Self {
        Self::new(&super::NONE, Names::default())
    }

    /// True if nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Takes a finding as met; false if it is new. `known` is its fingerprint.
    pub fn meets(
        &mut self,
        cx: &Context<'_>,
        finding: &mut Finding,
        complete: &mut dyn FnMut(&mut Finding),
        known: Option<String>,
    ) -> bool {
        if finding.asks() {
            return self.take_asked(cx, finding, complete);
        }
        let Some(memory) = cx.memories.get(finding.memory) else {
            return false;
        };
        let known = known.unwrap_or_else(|| {
            complete(finding);
            let text = cx.texts.text(memory).unwrap_or_default();
            print(finding, &text)
        });
        self.take(finding.rule, &memory.id.to_string(), &known)
    }

    /// Takes a finding of one memory as met; false if it is new.
    pub fn take(&mut self, rule: &str, id: &str, print: &str) -> bool {
        let key = BaselineKey::one(rule, id, print.to_owned());
        let key = self.names.old(&key);
        let mut left = self.left.get_mut(&key).filter(|left| **left > 0);
        if left.is_none()
            && let Some(file) = file_of_line(id)
        {
            left = self.left.iter_mut().find_map(|(other, left)| {
                let same = other.rule == rule
                    && other.print == print
                    && file_of_line(&other.id) == Some(file);
                (same && *left > 0).then_some(left)
            });
        }
        left.map(|left| *left -= 1).is_some()
    }

    /// Takes a question about several memories as met; false if one of the others is new. Reads
    /// texts and completes the finding only if the baseline has all of them.
    fn take_asked(
        &mut self,
        cx: &Context<'_>,
        finding: &mut Finding,
        complete: &mut dyn FnMut(&mut Finding),
    ) -> bool {
        let all = finding.parties().filter_map(|n| cx.memories.get(n));
        let all: Vec<&Memory> = all.map(AsRef::as_ref).collect();
        let Some((own, others)) = all.split_first() else {
            return false;
        };
        let is_known = |other: &&&Memory| {
            let ids = [own.id.to_string(), other.id.to_string()];
            self.names(&BaselineKey::pair(finding.rule, ids, String::new()))
        };
        if !others.iter().all(|other| is_known(&other)) {
            return false;
        }
        complete(finding);
        let text = |memory: &Memory| cx.texts.text(memory).unwrap_or_default();
        let all: Vec<(&Memory, String)> = all.iter().map(|one| (*one, text(one))).collect();
        let silenced = finding.silenced(cx.memories);
        let keys = silenced.map(|one| keys(&one, &all)).unwrap_or_default();
        let mut met = 0;
        for key in &keys {
            if let Some(left) = self.left.get_mut(&self.names.old(key)) {
                *left = 0;
                met += 1;
            }
        }
        met == others.len()
    }

    /// True if it has an entry of the rule and the memories of a key, with any fingerprint.
    fn names(&self, key: &BaselineKey) -> bool {
        let first = &self.names.old(key);
        let mut from = self.left.range::<BaselineKey, _>(first..);
        from.next().is_some_and(|(next, _)| {
            (&next.rule, &next.id, &next.other) == (&first.rule, &first.id, &first.other)
        })
    }

    /// The entries that were not met, by memory and rule, and how many are of memories that do not
    /// exist. Entries of archived memories are neither.
    pub fn gone(self, present: &Present) -> (Vec<Gone>, usize) {
        let mut all: BTreeMap<(&str, &str), Gone> = BTreeMap::new();
        let mut lost = 0;
        for (key, count) in self.left.into_iter().filter(|(_, count)| *count > 0) {
            if present.is_gone(key) {
                lost += count;
                continue;
            }
            let Some(memory) = present.active(key).filter(|_| !present.is_archived(key)) else {
                continue;
            };
            let gone = all.entry((&key.id, &key.rule)).or_insert_with(|| Gone {
                memory,
                rule: key.rule.clone(),
                messages: Vec::new(),
                keys: Vec::new(),
            });
            gone.keys.push((key.clone(), count));
            let entry = self.baseline.entries.get(key);
            gone.messages
                .extend(entry.map(|entry| entry.message.clone()));
        }
        (all.into_values().collect(), lost)
    }
}

/// The file in the id of a memory that is named by its line: `STORE:FILE` of `STORE:FILE:7`. Such
/// an id changes with the lines above.
fn file_of_line(id: &str) -> Option<&str> {
    let (file, line) = id.rsplit_once(':')?;
    let line = line.split('#').next()?;
    let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    (is_line && file.contains(':')).then_some(file)
}
