//! The team's decisions about findings, and one lookup: `.memkeep/decisions.jsonl` has one JSON object a
//! line, a [`Decision`] or a line of a model (see `judged`); later lines win.
//!
//! `ids` are in order, and A is the first of them. `texts` are [`fingerprint`]s of the memories: a
//! decision ends when a text changes, and finds a memory under another name. A `leave` without a
//! `print` holds for every finding of its rule. Unknown lines are skipped and kept.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

pub use super::fingerprint::fingerprint;
use super::fingerprint::{key, text_print};
use super::judged::{Asked, Judged, Judgement};
use super::report::some_of;
use super::{Context, Trait};
use crate::curate::{DecisionKey, Resolution, Silenced};
use crate::memory::{Memory, MemoryId, State, Timestamp};

/// The text of the file without some decisions, and with others; further lines stay.
pub fn rewritten(text: &str, gone: &[DecisionKey], new: Vec<Decision>) -> String {
    let before = Decisions::parse(text);
    let mut added: BTreeMap<DecisionKey, Decision> = BTreeMap::new();
    for mut decision in new {
        let key = decision.key();
        let known = before.left().find(|one| one.key() == key);
        let known = added.get(&key).or(known);
        let reason = known.and_then(|known| known.reason.clone());
        decision.reason = decision.reason.or(reason);
        added.insert(key, decision);
    }
    let replaced: HashSet<&DecisionKey> = gone.iter().chain(added.keys()).collect();
    let is_kept = |line: &&str| {
        let decision = serde_json::from_str::<Decision>(line.trim_start_matches('\u{feff}'));
        let decision = decision.ok().filter(|one| one.answer == LEAVE);
        decision.is_none_or(|one| !replaced.contains(&one.sorted().key()))
    };
    let mut text: String = text.split_inclusive('\n').filter(is_kept).collect();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.extend(added.values().map(to_line));
    text
}

/// The text of the file with another id for a memory; none if it does not name the memory.
pub fn renamed(text: &str, from: &str, to: &str) -> Option<String> {
    let [from, to] = [from, to].map(|id| serde_json::Value::from(id).to_string());
    text.contains(&from).then(|| text.replace(&from, &to))
}

/// All decisions, the newest of each kind, and the numbers of lines that cannot be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decisions {
    people: BTreeMap<Vec<String>, Vec<Decision>>,
    /// The verdicts of models.
    pub judged: Judged,
    unread: Vec<usize>,
}

impl Decisions {
    /// Reads the text of the file.
    pub fn parse(text: &str) -> Self {
        Self::from_lines(text.lines())
    }

    /// Reads the lines of the file; keeps the numbers of those that are no JSON, as after a merge.
    pub fn from_lines(lines: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut all = Self::default();
        for (line, number) in lines.zip(1..) {
            let line = line.as_ref().trim_start_matches('\u{feff}');
            if let Ok(decision) = serde_json::from_str::<Decision>(line) {
                all.add(decision.sorted());
            } else if !line.trim().is_empty()
                && !all.judged.take(line)
                && serde_json::from_str::<serde::de::IgnoredAny>(line).is_err()
            {
                all.unread.push(number);
            }
        }
        all
    }

    fn add(&mut self, decision: Decision) {
        let same = self.people.entry(decision.ids.clone()).or_default();
        same.retain(|one| !one.is_replaced_by(&decision));
        same.push(decision);
    }

    fn every(&self) -> impl Iterator<Item = &Decision> {
        self.people.values().flatten()
    }

    /// The same with no decision of a person.
    pub fn of_models(mut self) -> Self {
        self.people.clear();
        self
    }

    /// The same with all findings reported.
    pub fn without_baseline(mut self) -> Self {
        for of_memories in self.people.values_mut() {
            of_memories.retain(|one| one.answer != LEAVE);
        }
        self
    }

    /// The findings that are not reported.
    pub(super) fn left(&self) -> impl Iterator<Item = &Decision> {
        self.every().filter(|one| one.answer == LEAVE)
    }

    /// True if a person answered that both of two memories with these texts stay; ids in order.
    pub fn overrules(&self, ids: &[String; 2], texts: &[String; 2]) -> bool {
        let mut answers = self.people.get(&ids[..]).into_iter().flatten();
        answers.any(|one| one.keeps_both() && compares(&one.rule) && one.texts == *texts)
    }

    pub(super) fn note(&self) -> Option<String> {
        let lines: Vec<String> = self.unread.iter().take(5).map(usize::to_string).collect();
        let which = some_of(&lines, self.unread.len());
        let file = ".memkeep/decisions.jsonl";
        (!lines.is_empty()).then(|| format!("not read, being no JSON: {file}, line {which}"))
    }

    /// Every answer that holds until something changes, in the order of ids and rules.
    pub fn answers(&self) -> Vec<&Decision> {
        let asks = Some(Resolution::AskAgain);
        let holds = |one: &&Decision| one.resolution().is_some() && one.resolution() != asks;
        let mut all: Vec<&Decision> = self.every().filter(holds).collect();
        all.sort_by_key(|one| (&one.ids, &one.rule));
        all
    }

    /// The time at which a memory was confirmed; none if its text, read if needed, changed since.
    pub fn confirmed(
        &self,
        memory: &Memory,
        text: &dyn Fn(&Memory) -> Option<String>,
    ) -> Option<Timestamp> {
        let mut all = self.people.get(&[memory.id.to_string()][..])?.iter();
        let one = all.find(|one| one.answer == Answer::Other(Word::Confirmed))?;
        let at = Timestamp::parse_iso(one.at.as_deref()?)?;
        (one.texts == [text_print(memory, &text(memory)?)]).then_some(at)
    }

    /// The last answer on two memories, `ask-again` included.
    fn last(&self, rule: &str, a: &MemoryId, b: &MemoryId) -> Option<&Decision> {
        let mut ids = [a.to_string(), b.to_string()];
        ids.sort_unstable();
        let mut all = self.people.get(&ids[..])?.iter();
        all.find(|one| one.rule == rule && one.resolution().is_some())
    }

    /// The same for memories that another program renamed, by their texts; none if all are there.
    pub(super) fn followed(&self, cx: &Context<'_>) -> Option<Self> {
        let sides = self.every().flat_map(|one| one.ids.iter().zip(&one.texts));
        let mut lost: HashMap<&String, &String> = sides.chain(self.judged.sides()).collect();
        if lost.is_empty() {
            return None;
        }
        for memory in cx.memories.iter() {
            lost.remove(&first_id(memory));
        }
        if lost.is_empty() {
            return None;
        }
        let active = cx.memories.iter();
        let active = active.filter(|memory| memory.state == State::Active);
        let by_text = active.filter_map(|memory| {
            let text = cx.texts.text(memory)?;
            Some((text_print(memory, &text), memory.id.to_string()))
        });
        let by_text: HashMap<String, String> = by_text.collect();
        let now = |(id, text)| Some((id, by_text.get(text)?.clone()));
        let now: HashMap<&String, String> = lost.into_iter().filter_map(now).collect();
        let rename = |ids: &mut [String]| {
            for id in ids {
                if let Some(now) = now.get(id) {
                    id.clone_from(now);
                }
            }
        };
        let mut all = Self {
            judged: self.judged.renamed(&rename),
            unread: self.unread.clone(),
            ..Self::default()
        };
        // What is said of the ids that memories have now goes first.
        let is_renamed = |one: &&Decision| one.ids.iter().any(|id| now.contains_key(id));
        let (renamed, others): (Vec<_>, Vec<_>) = self.every().partition(is_renamed);
        for mut one in renamed.into_iter().chain(others).cloned() {
            rename(&mut one.ids);
            all.add(one.sorted());
        }
        Some(all)
    }
}

fn compares(rule: &str) -> bool {
    super::rule(rule).is_some_and(|rule| rule.has(Trait::Compares))
}

/// The id of a memory; of an archived one that which it had before.
pub(super) fn first_id(memory: &Memory) -> String {
    let MemoryId { store, local } = &memory.id;
    let is_archived = memory.state == State::Archived;
    let before = local.strip_prefix("archive/").filter(|_| is_archived);
    format!("{store}:{}", before.unwrap_or(local))
}

impl Context<'_> {
    /// True if a person or a model has decided what a rule would report about two memories.
    pub fn answered(&self, rule: &str, a: usize, b: usize) -> bool {
        self.decided(rule, a, b) || compares(rule) && self.judgement(a, b).is_some()
    }

    /// True if a person answered that both of two memories stay, and neither changed since.
    pub(super) fn decided(&self, rule: &str, a: usize, b: usize) -> bool {
        let both = self.memories.get(a).zip(self.memories.get(b));
        let last = both.and_then(|(a, b)| self.decisions.last(rule, &a.id, &b.id));
        let Some(one) = last.filter(|one| one.keeps_both() && one.holds(self.now)) else {
            return false;
        };
        let mut sides = [self.side(rule, a), self.side(rule, b)];
        sides.sort_unstable();
        let sides = sides.into_iter().flatten();
        sides.map(|(_, print)| print).eq(one.texts.iter().cloned())
    }

    /// The id of a memory, with the fingerprint of what a rule compares of it.
    pub(super) fn side(&self, rule: &str, memory: usize) -> Option<(String, String)> {
        let memory = self.memories.get(memory)?;
        let text = self.texts.text(memory)?;
        Some((memory.id.to_string(), fingerprint(rule, memory, &text)))
    }
}

/// One decision of a person: a line of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The rule that it is about; none if a memory is confirmed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rule: String,
    /// The memory or the two memories, in the order of their ids.
    pub ids: Vec<String>,
    /// The fingerprints of the memories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    /// The decision.
    pub answer: Answer,
    /// Tells a finding from others of its rule in the same memories.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub print: String,
    /// The message of the finding, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The person's reason, or in which cases which of two memories holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When, RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The end of the decision, a date or a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
}

/// The decision itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Answer {
    /// The answer to a question about two memories.
    Pair(Resolution),
    /// Another decision.
    Other(Word),
}

/// A decision that answers no question about two memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// The memory is still right.
    Confirmed,
    /// The finding is not reported.
    Leave,
}

impl Decision {
    fn new(rule: &str, answer: Answer, sides: impl IntoIterator<Item = (String, String)>) -> Self {
        let (ids, texts) = sides.into_iter().unzip();
        Self {
            rule: rule.to_owned(),
            ids,
            texts,
            answer,
            ..Self::default()
        }
        .sorted()
    }

    /// An answer on two memories with their [`fingerprint`]s; `answer` is about them in this order.
    pub fn answer(
        rule: &str,
        a: (&MemoryId, String),
        b: (&MemoryId, String),
        answer: Resolution,
    ) -> Self {
        let sides = [a, b].map(|(id, text)| (id.to_string(), text));
        Self::new(rule, Answer::Pair(answer), sides)
    }

    /// Confirms a memory with this text.
    pub fn confirmed(memory: &Memory, text: &str) -> Self {
        Self::new("", Answer::Other(Word::Confirmed), [side(memory, text)])
    }

    /// Leaves a finding as it is; `all` are its memories with their texts.
    pub fn leave(finding: &Silenced, all: &[(&Memory, String)]) -> Option<Self> {
        let key = key(finding, all)?;
        let sides = all.iter().map(|(memory, text)| side(memory, text));
        Some(Self {
            print: key.print,
            message: finding.message.clone(),
            ..Self::new(&key.rule, LEAVE, sides)
        })
    }

    /// Sets the time and the person.
    pub fn signed(mut self, at: Timestamp, by: Option<String>) -> Self {
        self.at = Some(at.to_rfc3339());
        self.by = by;
        self
    }

    fn sorted(mut self) -> Self {
        if matches!(self.ids.as_slice(), [a, b] if a > b) {
            self.ids.reverse();
            self.texts.reverse();
            if let Answer::Pair(answer) = &mut self.answer {
                *answer = answer.swapped();
            }
        }
        self
    }

    pub(super) fn key(&self) -> DecisionKey {
        DecisionKey::new(&self.rule, self.ids.clone(), self.print.clone())
    }

    /// The answer on two memories.
    pub const fn resolution(&self) -> Option<Resolution> {
        match self.answer {
            Answer::Pair(answer) => Some(answer),
            Answer::Other(_) => None,
        }
    }

    fn keeps_both(&self) -> bool {
        self.resolution().is_some_and(Resolution::keeps_both)
    }

    /// True if a later line takes the place of this one.
    fn is_replaced_by(&self, later: &Self) -> bool {
        let kind = |one: &Self| match one.answer {
            Answer::Pair(_) => None,
            Answer::Other(word) => Some(word),
        };
        (&self.rule, &self.print, kind(self)) == (&later.rule, &later.print, kind(later))
    }

    pub(super) fn holds(&self, now: Timestamp) -> bool {
        let end = self.until.as_deref().and_then(Timestamp::parse_iso);
        end.is_none_or(|end| now < end)
    }
}

/// The id of a memory, with the fingerprint of its body.
fn side(memory: &Memory, text: &str) -> (String, String) {
    (memory.id.to_string(), text_print(memory, text))
}

const LEAVE: Answer = Answer::Other(Word::Leave);

impl Default for Answer {
    fn default() -> Self {
        LEAVE
    }
}

/// The lines that remember answered requests to a model.
pub fn lines(judgements: &[Judgement], asked: &[Asked]) -> String {
    let judged = judgements.iter().map(to_line);
    judged.chain(asked.iter().map(to_line)).collect()
}

/// A line of the file, with its end.
pub fn to_line(line: &impl Serialize) -> String {
    // Nothing in it can fail to be written.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests;
