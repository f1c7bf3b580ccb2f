//! A person's answers about pairs of memories: a rule does not ask again until one of the two
//! changes.
//!
//! ```text
//! .memkeep/verdicts.jsonl   one line per answer, appended and never rewritten; later lines win
//! {"rule":"contradiction","ids":["rawko:a","rawko:b"],"texts":["91…","0c…"],
//!  "answer":"both","scope":"a is about staging","by":"Ada","at":"2026-02-01T00:00:00Z"}
//! ```
//! `ids` are in order, `texts` are the [`fingerprint`]s of what the rule compared, by which a renamed
//! memory is known again, and `keep-a` is about the first of them. Unknown fields and lines of later
//! versions are skipped.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::judged::Judged;
use super::report::some_of;
use super::{Context, Rule, silence, subject};
use crate::curate::{Digest, Resolution};
use crate::memory::{Memory, MemoryId, Timestamp};

/// One remembered answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The rule that asked.
    pub rule: String,
    /// The two memories, in the order of their ids.
    pub ids: [String; 2],
    /// The fingerprints of what was compared of them.
    pub texts: [String; 2],
    /// What was said.
    pub answer: Resolution,
    /// In which cases which of them holds, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Who said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When, RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl Answer {
    /// An answer on two memories with their [`fingerprint`]s; `answer` is about them in this order.
    pub fn new(
        rule: &str,
        a: (&MemoryId, String),
        b: (&MemoryId, String),
        answer: Resolution,
    ) -> Self {
        Self {
            rule: rule.to_owned(),
            ids: [a.0.to_string(), b.0.to_string()],
            texts: [a.1, b.1],
            answer,
            scope: None,
            by: None,
            at: None,
        }
        .sorted()
    }

    /// Sets the time and the person.
    pub fn signed(mut self, at: Timestamp, by: Option<String>) -> Self {
        self.at = Some(at.to_rfc3339());
        self.by = by;
        self
    }

    /// Sets the scope.
    pub fn within(mut self, scope: Option<String>) -> Self {
        self.scope = scope;
        self
    }

    /// The line of the file, with its end.
    pub fn to_line(&self) -> String {
        to_line(self)
    }

    fn sorted(mut self) -> Self {
        if self.ids[0] > self.ids[1] {
            self.ids.reverse();
            self.texts.reverse();
            self.answer = self.answer.swapped();
        }
        self
    }
}

/// Every answer, the newest of each pair and rule; with the lines of the file, from 1, that cannot
/// be read, and with what models judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers(BTreeMap<[String; 2], Vec<Answer>>, Vec<usize>, Judged);

/// Nothing was answered.
pub static NONE: LazyLock<Answers> = LazyLock::new(Answers::default);

impl Answers {
    /// Reads the file. Skips lines of other kinds, and keeps the numbers of lines that are no JSON,
    /// as after a merge conflict.
    pub fn parse(text: &str) -> Self {
        Self::from_lines(text.lines())
    }

    /// Reads the lines of the file.
    pub fn from_lines(lines: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let mut all = Self::default();
        for (line, number) in lines.zip(1..) {
            let line = line.as_ref().trim_start_matches('\u{feff}');
            if let Ok(answer) = serde_json::from_str::<Answer>(line) {
                all.add(answer.sorted());
            } else if !line.trim().is_empty()
                && !all.2.take(line)
                && serde_json::from_str::<serde::de::IgnoredAny>(line).is_err()
            {
                all.1.push(number);
            }
        }
        all
    }

    /// What models judged.
    pub const fn judged(&self) -> &Judged {
        &self.2
    }

    /// True if a person answered that both of two memories with these texts stay; ids in order.
    pub fn overrules(&self, ids: &[String; 2], texts: &[String; 2]) -> bool {
        let answers = self.0.get(ids).into_iter().flatten();
        let compares = |rule: &str| super::rule(rule).is_some_and(Rule::compares);
        let mut answers = answers.filter(|one| compares(&one.rule) && one.texts == *texts);
        answers.any(|one| one.answer.keeps_both())
    }

    /// The same with no answer of a person.
    pub fn of_models(mut self) -> Self {
        self.0.clear();
        self
    }

    /// The note about lines that cannot be read.
    pub(super) fn unread(&self) -> Option<String> {
        let lines: Vec<String> = self.1.iter().take(5).map(usize::to_string).collect();
        let which = some_of(&lines, self.1.len());
        let (line, is) = match lines.as_slice() {
            [] => return None,
            [_] => ("line", "is"),
            _ => ("lines", "are"),
        };
        let file = ".memkeep/verdicts.jsonl";
        Some(format!(
            "{line} {which} of {file} {is} no JSON and {is} not read"
        ))
    }

    fn add(&mut self, answer: Answer) {
        let of_pair = self.0.entry(answer.ids.clone()).or_default();
        of_pair.retain(|one| one.rule != answer.rule);
        of_pair.push(answer);
    }

    /// Every answer that holds until something changes, in the order of ids and rules.
    pub fn all(&self) -> Vec<&Answer> {
        let all = self.0.values().flatten();
        let all = all.filter(|one| one.answer != Resolution::AskAgain);
        let mut all: Vec<&Answer> = all.collect();
        all.sort_by_key(|one| (&one.ids, &one.rule));
        all
    }

    /// The lines that move the answers of a memory to its new id.
    pub fn renamed(&self, from: &str, to: &str) -> String {
        let named = self.all().into_iter();
        let named = named.filter(|one| one.ids.iter().any(|id| id == from));
        let of = |id: String| if id == from { to.to_owned() } else { id };
        named
            .map(|one| {
                let (mut before, mut now) = (one.clone(), one.clone());
                (before.answer, before.scope) = (Resolution::AskAgain, None);
                now.ids = now.ids.map(of);
                before.to_line() + &now.sorted().to_line()
            })
            .collect()
    }

    /// The last answer on two memories, even if they changed since.
    pub fn get(&self, rule: &str, a: &MemoryId, b: &MemoryId) -> Option<&Answer> {
        let last = self.last(rule, a, b)?;
        (last.answer != Resolution::AskAgain).then_some(last)
    }

    /// The last answer on two memories, `ask-again` included.
    fn last(&self, rule: &str, a: &MemoryId, b: &MemoryId) -> Option<&Answer> {
        if self.0.is_empty() {
            return None;
        }
        let mut ids = [a.to_string(), b.to_string()];
        ids.sort_unstable();
        self.0.get(&ids)?.iter().find(|one| one.rule == rule)
    }

    /// The ids of answers that keep two memories with these fingerprints, in their order.
    fn about<'s>(
        &'s self,
        rule: &'s str,
        texts: &'s [String; 2],
    ) -> impl Iterator<Item = [&'s str; 2]> {
        let [a, b] = texts;
        let all = self.0.values().flatten();
        let all = all.filter(move |one| one.rule == rule && one.answer.keeps_both());
        all.filter_map(move |one| {
            let [m, n] = one.ids.each_ref().map(String::as_str);
            let [x, y] = &one.texts;
            let is_same = x == a && y == b;
            is_same
                .then_some([m, n])
                .or((x == b && y == a).then_some([n, m]))
        })
    }
}

impl Context<'_> {
    /// True if a person or a model has decided what a rule would report about two memories.
    pub fn answered(&self, rule: &str, a: usize, b: usize) -> bool {
        self.decided(rule, a, b) || self.is_judged(rule, a, b)
    }

    /// True if a person answered that both of two memories stay, and neither changed since. A
    /// renamed memory is found by its text.
    pub(super) fn decided(&self, rule: &str, a: usize, b: usize) -> bool {
        let (Some(a), Some(b)) = (self.memories.get(a), self.memories.get(b)) else {
            return false;
        };
        if self.answers.0.is_empty() {
            return false;
        }
        let print = |memory: &Memory| {
            let text = self.texts.text(memory).unwrap_or_default();
            fingerprint(rule, memory, &text)
        };
        match self.answers.last(rule, &a.id, &b.id) {
            Some(answer) if !answer.answer.keeps_both() => false,
            Some(one) if one.ids[0] == a.id.to_string() => one.texts == [print(a), print(b)],
            Some(answer) => answer.texts == [print(b), print(a)],
            None => {
                let prints = [print(a), print(b)];
                let mut about = self.answers.about(rule, &prints);
                about.any(|[x, y]| self.was(a, x) && self.was(b, y))
            }
        }
    }

    /// Whether a memory has this id, or had: another one has its text too, but not its name.
    fn was(&self, memory: &Memory, id: &str) -> bool {
        let has = |memory: &Memory| memory.id.to_string() == id;
        has(memory) || !self.memories.iter().any(|other| has(other))
    }
}

/// A line of the file, with its end.
pub(super) fn to_line(line: &impl Serialize) -> String {
    // Nothing in it can fail to be written.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// Characters of a fingerprint: 128 bits, which no two texts share by chance.
const PRINT: usize = 32;

/// The fingerprint of what a rule compared: the body, and fields that the rule names. Line ends,
/// empty lines and silencing comments are ignored.
pub fn fingerprint(rule: &str, memory: &Memory, text: &str) -> String {
    let body = text
        .get(subject::body_range(memory, text))
        .unwrap_or_default();
    let mut compared = silence::settled(body);
    if let Some(rule) = super::rule(rule) {
        compared.push_str(&rule.compared(memory));
    }
    let mut print = Digest::of(compared.as_bytes()).0;
    print.truncate(PRINT);
    print
}

#[cfg(test)]
mod tests;
