//! Old findings that are to be met, and those that were not.

use std::collections::BTreeMap;

use super::key::{about, alone, keys, print};
use super::{Baseline, Key, Names, There};
use crate::lint::{Context, Finding};
use crate::memory::Memory;

/// What of a baseline was not met yet.
pub(in crate::lint) struct Expected<'b> {
    baseline: &'b Baseline,
    left: BTreeMap<&'b Key, usize>,
    names: Names,
}

/// Old findings of a memory and a rule that do not occur any more.
pub(in crate::lint) struct Gone {
    /// The memory, by its index.
    pub memory: usize,
    pub rule: String,
    /// What they said.
    pub messages: Vec<String>,
    /// What they are known by, and how often each was expected and not met.
    pub keys: Vec<(Key, usize)>,
}

impl<'b> Expected<'b> {
    pub(super) const fn new(
        baseline: &'b Baseline,
        left: BTreeMap<&'b Key, usize>,
        names: Names,
    ) -> Self {
        Self {
            baseline,
            left,
            names,
        }
    }

    /// Nothing.
    pub fn nothing() -> Self {
        Self::new(&super::NONE, BTreeMap::new(), Names::default())
    }

    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Takes a finding as met; false where it is a new one. Given are what tells the rest of it, and
    /// its fingerprint where that is known.
    pub fn meets(
        &mut self,
        cx: &Context<'_>,
        finding: &mut Finding,
        tell: &mut dyn FnMut(&mut Finding),
        known: Option<String>,
    ) -> bool {
        if finding.asks() {
            return self.take_asked(cx, finding, tell);
        }
        let Some(memory) = cx.memories.get(finding.memory) else {
            return false;
        };
        let known = known.unwrap_or_else(|| {
            tell(finding);
            let text = cx.texts.text(memory).unwrap_or_default();
            print(finding, None, &text)
        });
        self.take(finding.rule, &memory.id.to_string(), &known)
    }

    /// Takes a finding of one memory as met; false where it is a new one.
    pub fn take(&mut self, rule: &str, id: &str, print: &str) -> bool {
        let key = self.names.old(&Key::one(rule, id, print.to_owned()));
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

    /// Takes what is asked about several memories as met; false where one of the others is new.
    /// Texts are read, and the rest of the finding told, where both are named only.
    fn take_asked(
        &mut self,
        cx: &Context<'_>,
        finding: &mut Finding,
        tell: &mut dyn FnMut(&mut Finding),
    ) -> bool {
        let all: Vec<&Memory> = about(finding, cx.memories).collect();
        let [own, others @ ..] = all.as_slice() else {
            return false;
        };
        let text = |memory: &Memory| cx.texts.text(memory).unwrap_or_default();
        let named = |other: &&&Memory| {
            let ids = [own.id.to_string(), other.id.to_string()];
            self.names(&Key::pair(
                finding.rule,
                ids,
                Default::default(),
                Vec::new(),
            ))
        };
        let named: Vec<&&Memory> = others.iter().filter(named).collect();
        if !named.is_empty() {
            tell(finding);
            let with = [own].into_iter().chain(named.iter().copied());
            let with: Vec<(&Memory, String)> = with.map(|one| (*one, text(one))).collect();
            let mut met = 0;
            for key in keys(finding, &with) {
                if let Some(left) = self.left.get_mut(&self.names.old(&key)) {
                    *left = 0;
                    met += 1;
                }
            }
            if met == others.len() {
                return true;
            }
        }
        let early = Key::one(finding.rule, &own.id.to_string(), String::new());
        if !self.names(&early) {
            return false;
        }
        tell(finding);
        let all: Vec<(&Memory, String)> = all.into_iter().map(|one| (one, text(one))).collect();
        let key = alone(finding, &all);
        key.is_some_and(|key| self.take(&key.rule, &key.id, &key.print))
    }

    /// Whether it has something of the rule and the memories of a key, with any fingerprint.
    fn names(&self, key: &Key) -> bool {
        let key = &self.names.old(key);
        let first = Key {
            print: String::new(),
            ..key.clone()
        };
        let mut from = self.left.range::<Key, _>(&first..);
        from.next().is_some_and(|(next, _)| {
            next.rule == key.rule && next.id == key.id && next.other == key.other
        })
    }

    /// What was not met, by memory and rule, and how much of it is of memories that are not there.
    /// What is of memories that may come back is neither.
    pub fn gone(self, there: &There) -> (Vec<Gone>, usize) {
        let mut all: BTreeMap<(&str, &str), Gone> = BTreeMap::new();
        let mut lost = 0;
        for (key, count) in self.left.into_iter().filter(|(_, count)| *count > 0) {
            if there.is_gone(key) {
                lost += count;
                continue;
            }
            let Some(memory) = there.at(key).filter(|_| !there.is_away(key)) else {
                continue;
            };
            let gone = all.entry((&key.id, &key.rule)).or_insert_with(|| Gone {
                memory,
                rule: key.rule.clone(),
                messages: Vec::new(),
                keys: Vec::new(),
            });
            gone.keys.push((key.clone(), count));
            gone.messages.extend(self.baseline.message(key));
        }
        (all.into_values().collect(), lost)
    }
}

/// What an id names beside a line, where it does: `STORE:FILE` of `STORE:FILE:7`. Such is the name
/// of what has none of its own, and it changes with the lines above.
fn file_of_line(id: &str) -> Option<&str> {
    let (file, line) = id.rsplit_once(':')?;
    let line = line.split('#').next()?;
    let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    (is_line && file.contains(':')).then_some(file)
}
