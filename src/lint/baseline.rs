//! Old findings that a team has decided to live with: not reported, and not counted.
//!
//! ```text
//! .memkeep/baseline.json
//! {"version": 1, "findings": [
//!   {"rule":"stale-path","id":"rawko:auth","print":"5f…","message":"…","reason":"…"}, …]}
//! ```
//! A finding is known by its rule, its memory and a fingerprint of what was found, which does not
//! change with the lines above it, with counts and with ages.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::{Context, Finding, answers, silence};
use crate::curate::Digest;
use crate::memory::{Memory, MemoryId};

/// What an old finding is known by: rule, id of the memory, fingerprint.
pub type Key = (String, String, String);

/// A finding that is to be old, with the ids of its memories: they may stand elsewhere by then.
#[derive(Clone, Debug, PartialEq)]
pub struct Old {
    /// The memory it is about.
    pub id: MemoryId,
    /// The other one, where it is about two.
    pub other: Option<MemoryId>,
    /// What was found.
    pub finding: Finding,
}

impl Old {
    /// A finding of these memories; none of the rule about silences, for which there is a fix.
    pub fn of(finding: &Finding, memories: &[Arc<Memory>]) -> Option<Self> {
        let memory = memories.get(finding.memory);
        let memory = memory.filter(|_| finding.rule != silence::UNUSED)?;
        Some(Self {
            id: memory.id.clone(),
            other: other(finding, memories).cloned(),
            finding: finding.clone(),
        })
    }
}

/// The old findings, and how often each occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<Key, Entry>,
    /// What a later version says beside them.
    more: Vec<(String, Json)>,
}

/// There is no baseline.
pub static NONE: Baseline = Baseline {
    entries: BTreeMap::new(),
    more: Vec::new(),
};

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    rule: String,
    id: String,
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
    fn new((rule, id, print): Key, message: &str) -> Self {
        Self {
            rule,
            id,
            print,
            count: 1,
            message: message.to_owned(),
            reason: None,
            more: Map::new(),
        }
    }
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
            more: file.more.into_iter().collect(),
            ..Self::default()
        };
        for entry in file.findings {
            baseline.add(entry);
        }
        Ok(baseline)
    }

    fn add(&mut self, entry: Entry) {
        let key = (entry.rule.clone(), entry.id.clone(), entry.print.clone());
        match self.entries.get_mut(&key) {
            Some(known) => {
                known.count += entry.count;
                known.reason = entry.reason.or_else(|| known.reason.take());
            }
            None => drop(self.entries.insert(key, entry)),
        }
    }

    /// The baseline of these findings; what the one before says beside them stays.
    pub fn of<'f>(
        cx: &Context<'_>,
        findings: impl IntoIterator<Item = &'f Finding>,
        before: &Self,
    ) -> Self {
        let mut baseline = Self {
            more: before.more.clone(),
            ..Self::default()
        };
        for finding in findings
            .into_iter()
            .filter(|one| one.rule != silence::UNUSED)
        {
            let Some(memory) = cx.memories.get(finding.memory) else {
                continue;
            };
            let text = cx.texts.text(memory).unwrap_or_default();
            let print = print(finding, other(finding, cx.memories), &text);
            let key = (finding.rule.to_owned(), memory.id.to_string(), print);
            let known = before.entries.get(&key);
            baseline.add(Entry {
                reason: known.and_then(|entry| entry.reason.clone()),
                more: known.map_or_else(Map::new, |entry| entry.more.clone()),
                ..Entry::new(key, &finding.message)
            });
        }
        baseline
    }

    /// Adds a finding, as the text of its memory is now.
    pub fn put(&mut self, old: &Old, text: &str, reason: Option<&str>) {
        let Old { id, other, finding } = old;
        let print = print(finding, other.as_ref(), text);
        self.add(Entry {
            reason: reason.map(str::to_owned),
            ..Entry::new(
                (finding.rule.to_owned(), id.to_string(), print),
                &finding.message,
            )
        });
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
        left
    }

    /// What is to be met.
    pub(super) fn expected(&self) -> Expected<'_> {
        let left = self.entries.iter().map(|(key, entry)| (key, entry.count));
        Expected {
            baseline: self,
            left: left.collect(),
        }
    }
}

/// What of a baseline was not met yet.
pub(super) struct Expected<'b> {
    baseline: &'b Baseline,
    left: BTreeMap<&'b Key, usize>,
}

/// Old findings of a memory and a rule that do not occur any more.
pub(super) struct Gone {
    pub rule: String,
    pub id: String,
    /// What they said.
    pub messages: Vec<String>,
    /// What they are known by, and how often each was expected and not met.
    pub keys: Vec<(Key, usize)>,
}

impl Expected<'_> {
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Takes a finding as met; false where it is a new one.
    pub fn take(&mut self, rule: &str, id: &str, print: &str) -> bool {
        let key = (rule.to_owned(), id.to_owned(), print.to_owned());
        let mut left = self.left.get_mut(&key).filter(|left| **left > 0);
        if left.is_none()
            && let Some(file) = file_of_line(id)
        {
            left = self.left.iter_mut().find_map(|((its, other, of), left)| {
                let same = its == rule && of == print && file_of_line(other) == Some(file);
                (same && *left > 0).then_some(left)
            });
        }
        left.map(|left| *left -= 1).is_some()
    }

    /// What was not met, by memory and rule.
    pub fn gone(self) -> Vec<Gone> {
        let mut all: BTreeMap<(&str, &str), Gone> = BTreeMap::new();
        for (key, count) in self.left.into_iter().filter(|(_, count)| *count > 0) {
            let (rule, id, _) = key;
            let gone = all.entry((id, rule)).or_insert_with(|| Gone {
                rule: rule.clone(),
                id: id.clone(),
                messages: Vec::new(),
                keys: Vec::new(),
            });
            gone.keys.push((key.clone(), count));
            let entry = self.baseline.entries.get(key);
            gone.messages
                .extend(entry.map(|entry| entry.message.clone()));
        }
        all.into_values().collect()
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

/// Characters of a fingerprint.
const PRINT: usize = 24;

/// The other memory that a finding is about.
pub(super) fn other<'m>(finding: &Finding, memories: &'m [Arc<Memory>]) -> Option<&'m MemoryId> {
    let memory = memories.get(*finding.related.first()?)?;
    Some(&memory.id)
}

/// What tells what was found from other findings of a rule in a memory. `text` is the memory's,
/// `other` the one it is about too.
pub(super) fn print(finding: &Finding, other: Option<&MemoryId>, text: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = finding.place.clone().and_then(|place| text.get(place));
    let found = match place.map(words) {
        // What both say; what stands where it was found is one of the two.
        _ if finding.rule == "contradiction" => finding.evidence.join("\n"),
        // Not even the digest of a short password.
        Some(place) if !place.is_empty() && finding.rule != "secret" => place,
        _ => without_numbers(&finding.message),
    };
    let other = other.filter(|_| answers::ASKING.contains(&finding.rule));
    let other = other.map(MemoryId::to_string);
    let said = format!("{}\n{}\n{found}", finding.rule, other.unwrap_or_default());
    let mut print = Digest::of(said.as_bytes()).0;
    print.truncate(PRINT);
    print
}

/// A sentence in which each number is `#`: counts and ages change from day to day.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_number = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let comma = in_number && c == ',' && chars.peek().is_some_and(char::is_ascii_digit);
        let digit = c.is_ascii_digit() || comma;
        if digit && !in_number {
            out.push('#');
        } else if !digit {
            out.push(c);
        }
        in_number = digit;
    }
    out
}

#[cfg(test)]
mod tests;
