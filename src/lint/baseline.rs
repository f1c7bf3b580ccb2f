//! Findings that a team has decided to live with: not reported, and not counted.
//!
//! ```text
//! .memkeep/baseline.json
//! {"version": 1, "texts": {"rawko:auth": "a1…", …}, "findings": [
//!   {"rule":"stale-path","id":"rawko:auth","print":"5f…","message":"…","reason":"…"},
//!   {"rule":"contradiction","id":"rawko:a","other":"rawko:b","print":"91…","message":"…"}, …]}
//! ```
//! The key of a finding is its rule, its memory and a fingerprint that does not change with the lines
//! above it, with counts and with ages. A question about two memories has both ids and both texts in
//! its key, as an answer has. A memory that another program renamed is found by its text.

mod expected;
mod key;
mod names;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

pub(super) use self::expected::{Expected, Gone};
use self::key::keys;
pub(super) use self::key::print;
use self::names::Names;
use super::answers::fingerprint;
use super::{Context, Finding, silence};
use crate::curate::{BaselineKey, Silenced};
use crate::memory::{Memory, MemoryId, State};
use crate::retrieval::Snapshot;

/// The old findings, and how often each occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<BaselineKey, Entry>,
    /// Fingerprints of the memories with findings, by id.
    texts: BTreeMap<String, String>,
    /// Fields of later versions.
    more: Vec<(String, Json)>,
}

/// There is no baseline.
pub static NONE: LazyLock<Baseline> = LazyLock::new(Baseline::default);

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: BaselineKey,
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
    /// An entry for a finding that is met once.
    fn new(key: BaselineKey, message: &str) -> Self {
        Self {
            key,
            count: 1,
            message: message.to_owned(),
            reason: None,
            more: Map::new(),
        }
    }
}

/// The difference between a baseline and the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Number of new findings, by rule.
    pub new: BTreeMap<&'static str, usize>,
    /// Number of entries dropped because their memory no longer exists.
    pub gone: usize,
    /// Number of entries dropped because they are no longer found.
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
                let reason = error.to_string();
                let at = reason.find(" at line ").unwrap_or(reason.len());
                reason.get(..at).unwrap_or_default().to_owned()
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
        match self.entries.get_mut(&entry.key) {
            Some(known) => {
                // Either of two memories may have been the one it was found in.
                known.count = match entry.key.other {
                    Some(_) => 1,
                    None => known.count + entry.count,
                };
                known.reason = entry.reason.or_else(|| known.reason.take());
            }
            None => drop(self.entries.insert(entry.key.clone(), entry)),
        }
    }

    /// The baseline of these findings, with reasons, unknown fields and archived memories of `before`.
    pub fn of<'f>(
        cx: &Context<'_>,
        findings: impl IntoIterator<Item = &'f Finding>,
        before: &Self,
    ) -> Self {
        let names = Names::new(cx, before);
        let mut baseline = Self {
            more: before.more.clone(),
            ..Self::default()
        };
        let text = |memory| (memory, cx.texts.text(memory).unwrap_or_default());
        for finding in findings {
            let all = finding.parties().filter_map(|n| cx.memories.get(n));
            let all: Vec<(&Memory, String)> = all.map(|memory| text(&**memory)).collect();
            let Some(finding) = silenced(finding, cx.memories) else {
                continue;
            };
            baseline.know(&all);
            for key in keys(&finding, &all) {
                let known = before.entries.get(&key);
                let known = known.or_else(|| before.entries.get(&names.old(&key)));
                baseline.add(Entry {
                    reason: known.and_then(|entry| entry.reason.clone()),
                    more: known.map_or_else(Map::new, |entry| entry.more.clone()),
                    ..Entry::new(key, &finding.message)
                });
            }
        }
        let present = Present::new(cx.memories);
        for (key, entry) in &before.entries {
            if present.is_archived(key) && !baseline.entries.contains_key(key) {
                baseline.add(entry.clone());
                let text = |id| Some((String::from(id), before.texts.get(id)?.clone()));
                baseline.texts.extend(key.ids().filter_map(text));
            }
        }
        baseline
    }

    /// Keeps the fingerprints of these texts.
    fn know(&mut self, all: &[(&Memory, String)]) {
        let known = all.iter().map(|(memory, text)| {
            let print = fingerprint("", memory, text);
            (memory.id.to_string(), print)
        });
        self.texts.extend(known);
    }

    /// Adds a finding; `all` are its memories with their texts.
    pub fn put(&mut self, finding: &Silenced, all: &[(&Memory, String)], reason: Option<&str>) {
        self.know(all);
        for key in keys(finding, all) {
            self.add(Entry {
                reason: reason.map(str::to_owned),
                ..Entry::new(key, &finding.message)
            });
        }
    }

    /// Renames an id; none if the baseline does not have it.
    pub fn renamed(&self, from: &str, to: &str) -> Option<Self> {
        let mut ids = self.entries.keys().flat_map(BaselineKey::ids);
        if !ids.any(|id| id == from) {
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
            renamed.add(Entry {
                key: key.renamed(from, to),
                ..entry.clone()
            });
        }
        Some(renamed)
    }

    /// What a later baseline of these findings takes in and leaves out.
    pub fn taken(&self, cx: &Context<'_>, findings: &[Finding], later: &Self) -> Taken {
        let present = Present::new(cx.memories);
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
            match present.is_gone(key) {
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
            lines.push((&entry.key.id, &entry.key.rule, line));
        }
        lines.sort_unstable();
        let lines = lines.iter().map(|(.., line)| format!("    {line}"));
        let lines: Vec<String> = lines.collect();
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

    /// True if it has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of findings in it.
    pub fn len(&self) -> usize {
        self.entries.values().map(|entry| entry.count).sum()
    }

    /// The baseline without these findings, each as often as given.
    pub fn without(&self, gone: &[(BaselineKey, usize)]) -> Self {
        let mut left = self.clone();
        for (key, count) in gone {
            if let Some(entry) = left.entries.get_mut(key) {
                entry.count = entry.count.saturating_sub(*count);
            }
        }
        left.entries.retain(|_, entry| entry.count > 0);
        let named: HashSet<&str> = left.entries.keys().flat_map(BaselineKey::ids).collect();
        left.texts.retain(|id, _| named.contains(&**id));
        left
    }

    /// The entries that lint expects to find again in these memories.
    pub(super) fn expected(&self, cx: &Context<'_>) -> Expected<'_> {
        Expected::new(self, Names::new(cx, self))
    }
}

/// A finding as an entry; none for an unused silence, which has a fix.
pub fn silenced(finding: &Finding, memories: &[Arc<Memory>]) -> Option<Silenced> {
    let is_own = finding.rule == silence::UNUSED;
    finding.silenced(memories).filter(|_| !is_own)
}

/// Which memories exist.
pub(super) struct Present {
    active: BTreeMap<String, usize>,
    /// Archived memories, by the ids they had before.
    archived: HashSet<String>,
}

impl Present {
    /// These memories.
    pub fn new(memories: &Snapshot) -> Self {
        let (mut active, mut archived) = (BTreeMap::new(), HashSet::new());
        for (index, memory) in memories.iter().enumerate() {
            match memory.state {
                State::Active => drop(active.insert(memory.id.to_string(), index)),
                State::Archived => drop(archived.insert(before(&memory.id))),
            }
        }
        Self { active, archived }
    }

    /// True if one of its memories does not exist any more.
    pub fn is_gone(&self, key: &BaselineKey) -> bool {
        key.ids().any(|id| !self.has(id))
    }

    /// True if a memory exists, at least in the archive.
    fn has(&self, id: &str) -> bool {
        self.active.contains_key(id) || self.archived.contains(id)
    }

    /// True if its memories exist, and one of them is archived: it may come back.
    pub fn is_archived(&self, key: &BaselineKey) -> bool {
        !self.is_gone(key) && key.ids().any(|id| !self.active.contains_key(id))
    }

    /// Its memory, if that is active.
    pub fn active(&self, key: &BaselineKey) -> Option<usize> {
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
