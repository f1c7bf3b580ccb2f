//! Old findings that a team has decided to live with: not reported, and not counted.
//!
//! ```text
//! .memkeep/baseline.json
//! {"version": 1, "texts": {"rawko:auth": "a1…", …}, "findings": [
//!   {"rule":"stale-path","id":"rawko:auth","print":"5f…","message":"…","reason":"…"},
//!   {"rule":"contradiction","id":"rawko:a","other":"rawko:b","print":"91…","message":"…"}, …]}
//! ```
//! A finding is known by its rule, its memory and a fingerprint of what was found, which does not
//! change with the lines above it, with counts and with ages. What a rule asks about two memories is
//! known by both and by both texts, as an answer is: neither dates nor titles tell on which of the
//! two it is reported. A memory that another program gave another name is known by its text.

mod expected;
mod key;
mod names;

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

pub(super) use self::expected::{Expected, Gone};
use self::key::keys;
pub(super) use self::key::print;
pub use self::key::{Key, Old};
use self::key::{about, alone};
use self::names::Names;
use super::answers::fingerprint;
use super::{Context, Finding, silence};
use crate::memory::{Memory, MemoryId, State};
use crate::retrieval::Snapshot;

/// The old findings, and how often each occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<Key, Entry>,
    /// What the memories of the findings say, each as a fingerprint, by id.
    texts: BTreeMap<String, String>,
    /// What a later version says beside them.
    more: Vec<(String, Json)>,
}

/// There is no baseline.
pub static NONE: Baseline = Baseline {
    entries: BTreeMap::new(),
    texts: BTreeMap::new(),
    more: Vec::new(),
};

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    rule: String,
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    print: String,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    count: usize,
    /// What was found, for people; not compared.
    #[serde(default)]
    message: String,
    /// Why it stays as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    more: Map<String, Json>,
}

const fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
const fn is_one(count: &usize) -> bool {
    *count == 1
}

impl Entry {
    /// A finding that is met once.
    fn new(key: Key, message: &str) -> Self {
        Self {
            rule: key.rule,
            id: key.id,
            other: key.other,
            print: key.print,
            count: 1,
            message: message.to_owned(),
            reason: None,
            more: Map::new(),
        }
    }

    /// The same under another key.
    fn under(&self, key: Key) -> Self {
        Self {
            count: self.count,
            reason: self.reason.clone(),
            more: self.more.clone(),
            ..Self::new(key, &self.message)
        }
    }

    fn key(&self) -> Key {
        Key {
            rule: self.rule.clone(),
            id: self.id.clone(),
            other: self.other.clone(),
            print: self.print.clone(),
        }
    }
}

/// What a baseline has that the one before has not, and the other way round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// How many findings are new in it, by rule.
    pub new: BTreeMap<&'static str, usize>,
    /// How many are not in it any more, for their memory is gone.
    pub gone: usize,
    /// How many are not, for they are no longer found.
    pub over: usize,
}

/// What is wrong with a baseline file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BaselineError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

#[derive(Deserialize)]
struct File {
    version: u32,
    #[serde(default)]
    texts: BTreeMap<String, String>,
    findings: Vec<Entry>,
    #[serde(flatten)]
    more: Map<String, Json>,
}

/// The version that is written, and the newest that is read.
const VERSION: u32 = 1;

impl Baseline {
    /// Reads the file.
    pub fn parse(text: &str) -> Result<Self, BaselineError> {
        let file: File = serde_json::from_str(text).map_err(|error| BaselineError {
            line: error.line().max(1),
            column: error.column().max(1),
            message: {
                let said = error.to_string();
                let at = said.find(" at line ").unwrap_or(said.len());
                said.get(..at).unwrap_or_default().to_owned()
            },
        })?;
        if file.version > VERSION {
            return Err(BaselineError {
                line: 1,
                column: 1,
                message: format!("version {} is of a later memkeep", file.version),
            });
        }
        let mut baseline = Self {
            texts: file.texts,
            more: file.more.into_iter().collect(),
            ..Self::default()
        };
        for entry in file.findings {
            baseline.add(entry);
        }
        Ok(baseline)
    }

    fn add(&mut self, entry: Entry) {
        let key = entry.key();
        match self.entries.get_mut(&key) {
            Some(known) => {
                // Either of two memories may have been the one it was found in.
                known.count = match key.other {
                    Some(_) => 1,
                    None => known.count + entry.count,
                };
                known.reason = entry.reason.or_else(|| known.reason.take());
            }
            None => drop(self.entries.insert(key, entry)),
        }
    }

    /// The baseline of these findings; what the one before says beside them stays, and what it says
    /// of memories that may come back.
    pub fn of<'f>(
        cx: &Context<'_>,
        findings: impl IntoIterator<Item = &'f Finding>,
        before: &Self,
    ) -> Self {
        let names = Names::of(cx, before);
        let mut baseline = Self {
            more: before.more.clone(),
            ..Self::default()
        };
        for finding in findings {
            if finding.rule == silence::UNUSED {
                continue;
            }
            let all = with_texts(cx, finding);
            baseline.know(&all);
            for key in keys(finding, &all) {
                let known = before.entries.get(&key);
                let known = known.or_else(|| before.entries.get(&names.old(&key)));
                baseline.add(Entry {
                    reason: known.and_then(|entry| entry.reason.clone()),
                    more: known.map_or_else(Map::new, |entry| entry.more.clone()),
                    ..Entry::new(key, &finding.message)
                });
            }
        }
        let there = There::of(cx.memories);
        for (key, entry) in &before.entries {
            if there.is_away(key) && !baseline.entries.contains_key(key) {
                baseline.add(entry.clone());
                for id in key.ids() {
                    let text = before
                        .texts
                        .get(id)
                        .map(|text| (id.to_owned(), text.clone()));
                    baseline.texts.extend(text);
                }
            }
        }
        baseline
    }

    /// Takes in what these memories say.
    fn know(&mut self, all: &[(&Memory, String)]) {
        let known = all.iter().map(|(memory, text)| {
            let print = fingerprint("", memory, text);
            (memory.id.to_string(), print)
        });
        self.texts.extend(known);
    }

    /// The same where what is asked about two of these findings is known by both: an earlier version
    /// knew it by the one it was reported on.
    pub fn by_both(&self, cx: &Context<'_>, findings: &[Finding]) -> Self {
        let mut baseline = self.clone();
        for finding in findings.iter().filter(|finding| finding.asks()) {
            let all = with_texts(cx, finding);
            let early = alone(finding, &all).and_then(|key| baseline.entries.remove(&key));
            let Some(early) = early else {
                continue;
            };
            for key in keys(finding, &all) {
                baseline.add(early.under(key));
            }
        }
        baseline
    }

    /// Adds what a finding is known by; given are the memories it is about, with their texts.
    pub fn put(&mut self, finding: &Finding, all: &[(&Memory, String)], reason: Option<&str>) {
        self.know(all);
        for key in keys(finding, all) {
            self.add(Entry {
                reason: reason.map(str::to_owned),
                ..Entry::new(key, &finding.message)
            });
        }
    }

    /// The same where a memory has another id now; none where it does not name it.
    pub fn renamed(&self, from: &str, to: &str) -> Option<Self> {
        let names = |key: &Key| key.id == from || key.other.as_deref() == Some(from);
        if !self.entries.keys().any(names) {
            return None;
        }
        let texts = self.texts.iter().map(|(id, text)| {
            let id = if id == from { to } else { id };
            (id.to_owned(), text.clone())
        });
        let mut renamed = Self {
            texts: texts.collect(),
            more: self.more.clone(),
            ..Self::default()
        };
        for (key, entry) in &self.entries {
            renamed.add(entry.under(key.renamed(from, to)));
        }
        Some(renamed)
    }

    /// What a later baseline of these findings takes in and leaves out.
    pub fn taken(&self, cx: &Context<'_>, findings: &[Finding], later: &Self) -> Taken {
        let there = There::of(cx.memories);
        let mut taken = Taken::default();
        let mut expected = self.expected(cx);
        for finding in findings.iter().filter(|one| one.rule != silence::UNUSED) {
            if !expected.meets(cx, &mut finding.clone(), &mut |_| {}, None) {
                *taken.new.entry(finding.rule).or_default() += 1;
            }
        }
        for (key, entry) in &self.entries {
            let kept = later.entries.get(key).map_or(0, |entry| entry.count);
            let lost = entry.count.saturating_sub(kept);
            match there.is_gone(key) {
                true => taken.gone += lost,
                false => taken.over += lost,
            }
        }
        taken
    }

    /// The text of the file: one finding to a line, so that two branches can add to it.
    pub fn to_text(&self) -> String {
        let mut lines: Vec<(&str, &str, String)> = Vec::new();
        for entry in self.entries.values() {
            // Nothing in it can fail to be written.
            let line = serde_json::to_string(entry).unwrap_or_default();
            lines.push((&entry.id, &entry.rule, line));
        }
        lines.sort_unstable();
        let lines: Vec<String> = lines
            .into_iter()
            .map(|(_, _, line)| format!("    {line}"))
            .collect();
        let findings = match lines.is_empty() {
            true => "[]".to_owned(),
            false => format!("[\n{}\n  ]", lines.join(",\n")),
        };
        let mut text = format!("{{\n  \"version\": {VERSION},\n");
        for (name, value) in &self.more {
            text.push_str(&format!("  {}: {value},\n", Json::from(name.as_str())));
        }
        let texts: Vec<String> = self
            .texts
            .iter()
            .map(|(id, text)| format!("    {}: {}", Json::from(&**id), Json::from(&**text)))
            .collect();
        if !texts.is_empty() {
            text.push_str(&format!("  \"texts\": {{\n{}\n  }},\n", texts.join(",\n")));
        }
        text.push_str(&format!("  \"findings\": {findings}\n}}\n"));
        text
    }

    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many findings it names.
    pub fn len(&self) -> usize {
        self.entries.values().map(|entry| entry.count).sum()
    }

    /// The same without these findings, each as often as it is given.
    pub fn without(&self, gone: &[(Key, usize)]) -> Self {
        let mut left = self.clone();
        for (key, count) in gone {
            if let Some(entry) = left.entries.get_mut(key) {
                entry.count = entry.count.saturating_sub(*count);
            }
        }
        left.entries.retain(|_, entry| entry.count > 0);
        let named: HashSet<&str> = left.entries.keys().flat_map(Key::ids).collect();
        left.texts.retain(|id, _| named.contains(&**id));
        left
    }

    /// What is to be met in these memories.
    pub(super) fn expected(&self, cx: &Context<'_>) -> Expected<'_> {
        self.under(Names::of(cx, self))
    }

    fn under(&self, names: Names) -> Expected<'_> {
        let left = self.entries.iter().map(|(key, entry)| (key, entry.count));
        Expected::new(self, left.collect(), names)
    }

    /// What a finding says for people.
    fn message(&self, key: &Key) -> Option<String> {
        Some(self.entries.get(key)?.message.clone())
    }
}

/// The memories that a finding is about, with their texts.
fn with_texts<'c>(cx: &Context<'c>, finding: &Finding) -> Vec<(&'c Memory, String)> {
    let text = |memory| (memory, cx.texts.text(memory).unwrap_or_default());
    about(finding, cx.memories).map(text).collect()
}

/// Which memories there are.
pub(super) struct There {
    active: BTreeMap<String, usize>,
    /// In the archive, by the ids they had before.
    away: HashSet<String>,
}

impl There {
    /// These memories.
    pub fn of(memories: &Snapshot) -> Self {
        let (mut active, mut away) = (BTreeMap::new(), HashSet::new());
        for (index, memory) in memories.iter().enumerate() {
            match memory.state {
                State::Active => drop(active.insert(memory.id.to_string(), index)),
                State::Archived => drop(away.insert(before(&memory.id))),
            }
        }
        Self { active, away }
    }

    /// Whether one of its memories is not there any more.
    pub fn is_gone(&self, key: &Key) -> bool {
        key.ids().any(|id| !self.has(id))
    }

    /// Whether a memory is there, in the archive at least.
    fn has(&self, id: &str) -> bool {
        self.active.contains_key(id) || self.away.contains(id)
    }

    /// Whether its memories are all there, and one of them in the archive: nobody knows what would
    /// be found where that one comes back.
    pub fn is_away(&self, key: &Key) -> bool {
        !self.is_gone(key) && key.ids().any(|id| !self.active.contains_key(id))
    }

    /// The memory that it is said of where it does not occur any more.
    pub fn at(&self, key: &Key) -> Option<usize> {
        self.active.get(&key.id).copied()
    }
}

/// The id that an archived memory had before.
fn before(archived: &MemoryId) -> String {
    let local = &archived.local;
    let local = local.strip_prefix("archive/").unwrap_or(local);
    format!("{}:{local}", archived.store)
}

#[cfg(test)]
mod tests;
