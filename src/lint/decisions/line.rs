//! A line of a person in the file of decisions, and the key by which it knows a finding again.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::curate::{DecisionKey, Mark, Resolution, Silenced};
use crate::lint::fingerprint::{fingerprint, short, text_print};
use crate::lint::judged::{Asked, Judgement};
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::text::patterns::compact;

/// One decision of a person: a line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    pub(super) fn new(
        rule: &str,
        answer: Answer,
        sides: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let (ids, texts) = sides.into_iter().unzip();
        Self {
            rule: rule.to_owned(),
            ids,
            texts,
            answer,
            print: String::new(),
            message: String::new(),
            reason: None,
            by: None,
            at: None,
            until: None,
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

    /// The line of the file, with its end.
    pub fn to_line(&self) -> String {
        to_line(self)
    }

    pub(super) fn sorted(mut self) -> Self {
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
        DecisionKey {
            rule: self.rule.clone(),
            ids: self.ids.clone(),
            print: self.print.clone(),
        }
    }

    /// The answer on two memories.
    pub const fn resolution(&self) -> Option<Resolution> {
        match self.answer {
            Answer::Pair(answer) => Some(answer),
            Answer::Other(_) => None,
        }
    }

    pub(super) fn keeps_both(&self) -> bool {
        self.resolution().is_some_and(Resolution::keeps_both)
    }

    /// True if a later line takes the place of this one.
    pub(super) fn is_replaced_by(&self, later: &Self) -> bool {
        let kind = |one: &Self| match one.answer {
            Answer::Pair(_) => None,
            Answer::Other(word) => Some(word),
        };
        (&self.rule, &self.print, kind(self)) == (&later.rule, &later.print, kind(later))
    }

    /// True if it holds at this time.
    pub(super) fn holds(&self, now: Timestamp) -> bool {
        let end = self.until.as_deref().and_then(Timestamp::parse_iso);
        end.is_none_or(|end| now < end)
    }
}

/// The id of a memory, with the fingerprint of its body.
fn side(memory: &Memory, text: &str) -> (String, String) {
    (memory.id.to_string(), text_print(memory, text))
}

pub(super) const LEAVE: Answer = Answer::Other(Word::Leave);

/// The lines that remember answered requests to a model.
pub fn lines(judgements: &[Judgement], asked: &[Asked]) -> String {
    let judged = judgements.iter().map(to_line);
    judged.chain(asked.iter().map(to_line)).collect()
}

/// A line of the file, with its end.
fn to_line(line: &impl Serialize) -> String {
    // Nothing in it can fail to be written.
    serde_json::to_string(line).unwrap_or_default() + "\n"
}

/// The key of a finding; `all` are its memories with their texts. A question about two memories has
/// the same key on either.
pub(super) fn key(finding: &Silenced, all: &[(&Memory, String)]) -> Option<DecisionKey> {
    let Silenced { rule, mark, .. } = finding;
    let ids = all.iter().map(|(memory, _)| memory.id.to_string());
    let statements = match mark {
        Mark::Statements(all) => {
            let mut all: Vec<&str> = all.iter().map(String::as_str).collect();
            all.sort_unstable();
            all.join("\n")
        }
        Mark::Bytes(_) | Mark::Message => String::new(),
    };
    let print = match all {
        [] => return None,
        [(_, text)] => {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let found = match mark {
                Mark::Bytes(bytes) => text.get(bytes.clone()).map(words).unwrap_or_default(),
                Mark::Statements(_) | Mark::Message => statements,
            };
            match found.is_empty() {
                true => format!("{rule}\n\n{}", without_numbers(&finding.message)),
                false => format!("{rule}\n\n{found}"),
            }
        }
        _ => {
            let prints = all.iter();
            let prints = prints.map(|(memory, text)| fingerprint(rule, memory, text));
            let mut prints: Vec<String> = prints.collect();
            prints.sort_unstable();
            // Two memories can contradict each other in several things.
            format!("{rule}\n{}\n{statements}", prints.join("\n"))
        }
    };
    Some(DecisionKey::new(rule, ids.collect(), short(&print, 24)))
}

/// A sentence in which each number is `#`: counts and ages change from day to day.
pub(super) fn without_numbers(text: &str) -> String {
    static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| compact("[0-9]+(?:,[0-9]+)*"));
    let replaced = NUMBER.as_ref().map(|number| number.replace_all(text, "#"));
    replaced.map_or_else(String::new, Cow::into_owned)
}
