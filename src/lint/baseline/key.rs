//! What a finding is known by.

use std::sync::Arc;

use crate::curate::Digest;
use crate::lint::answers::fingerprint;
use crate::lint::{Finding, silence};
use crate::memory::{Memory, MemoryId};

/// What an old finding is known by: its rule, its memory or the two that it is about, in the order
/// of their ids, and a fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The rule.
    pub rule: String,
    /// The id of the memory.
    pub id: String,
    /// That of the other one.
    pub other: Option<String>,
    /// What tells what was found from what else the rule finds there.
    pub print: String,
}

impl Key {
    /// What is found in one memory.
    pub fn one(rule: &str, id: &str, print: String) -> Self {
        Self {
            rule: rule.to_owned(),
            id: id.to_owned(),
            other: None,
            print,
        }
    }

    /// What is asked about two memories with these [`fingerprint`]s, and what they say where that
    /// tells it from what else is asked about them. Which of them has which text and says what is no
    /// part of it, so that either can get another name.
    pub fn pair(rule: &str, ids: [String; 2], mut texts: [String; 2], mut said: Vec<&str>) -> Self {
        texts.sort_unstable();
        said.sort_unstable();
        let said = said.join("\n");
        let print = digest(&format!("{rule}\n{}\n{}\n{said}", texts[0], texts[1]));
        let [id, other] = ids;
        Self {
            rule: rule.to_owned(),
            id,
            other: Some(other),
            print,
        }
        .sorted()
    }

    fn sorted(mut self) -> Self {
        if let Some(other) = &mut self.other
            && *other < self.id
        {
            std::mem::swap(other, &mut self.id);
        }
        self
    }

    /// The ids of its memories.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        [Some(&*self.id), self.other.as_deref()]
            .into_iter()
            .flatten()
    }

    /// The same where a memory has another id now.
    pub(super) fn renamed(&self, from: &str, to: &str) -> Self {
        let of = |id: &str| if id == from { to } else { id }.to_owned();
        Self {
            rule: self.rule.clone(),
            id: of(&self.id),
            other: self.other.as_deref().map(of),
            print: self.print.clone(),
        }
        .sorted()
    }
}

/// A finding that is to be old, with the ids of its memories: they may stand elsewhere by then.
#[derive(Clone, Debug, PartialEq)]
pub struct Old {
    /// The memory it is about.
    pub id: MemoryId,
    /// The others, where a rule asks about them.
    pub others: Vec<MemoryId>,
    /// What was found.
    pub finding: Finding,
}

impl Old {
    /// A finding of these memories; none of the rule about silences, for which there is a fix.
    pub fn of(finding: &Finding, memories: &[Arc<Memory>]) -> Option<Self> {
        let mut ids = about(finding, memories).map(|memory| memory.id.clone());
        let id = ids.next().filter(|_| finding.rule != silence::UNUSED)?;
        Some(Self {
            id,
            others: ids.collect(),
            finding: finding.clone(),
        })
    }

    /// The ids of all its memories.
    pub fn ids(&self) -> impl Iterator<Item = &MemoryId> {
        [&self.id].into_iter().chain(&self.others)
    }
}

/// The memories that a finding is about.
pub(super) fn about<'m>(
    finding: &Finding,
    memories: &'m [Arc<Memory>],
) -> impl Iterator<Item = &'m Memory> {
    let parties = finding.parties();
    parties.filter_map(|index| memories.get(index).map(AsRef::as_ref))
}

/// What a finding is known by; given are the memories it is [`about`], with their texts. Of several
/// that are alike each pair with the one it is reported on is known, for with other names it may be
/// reported on another one of them.
pub fn keys(finding: &Finding, all: &[(&Memory, String)]) -> Vec<Key> {
    let [own, others @ ..] = all else {
        return Vec::new();
    };
    if others.is_empty() {
        return alone(finding, all).into_iter().collect();
    }
    let print = |(memory, text): &(&Memory, String)| fingerprint(finding.rule, memory, text);
    let first = print(own);
    // Two memories can say otherwise of several things.
    let said = statements(finding).iter().map(String::as_str);
    let said: Vec<&str> = said.filter(|_| finding.rule == "contradiction").collect();
    let pair = |other: &(&Memory, String)| {
        let ids = [own.0.id.to_string(), other.0.id.to_string()];
        Key::pair(
            finding.rule,
            ids,
            [first.clone(), print(other)],
            said.clone(),
        )
    };
    others.iter().map(pair).collect()
}

/// What a finding is known by as one of its memory alone. Earlier versions know by it what is
/// asked about two as well.
pub(super) fn alone(finding: &Finding, all: &[(&Memory, String)]) -> Option<Key> {
    let [(memory, text), others @ ..] = all else {
        return None;
    };
    let other = others.first().map(|(other, _)| &other.id);
    let id = memory.id.to_string();
    Some(Key::one(finding.rule, &id, print(finding, other, text)))
}

/// The statements that a finding shows, without what decided between them.
fn statements(finding: &Finding) -> &[String] {
    let count = finding.evidence.len().min(2);
    finding.evidence.get(..count).unwrap_or_default()
}

/// Characters of a fingerprint.
const PRINT: usize = 24;

fn digest(said: &str) -> String {
    let mut print = Digest::of(said.as_bytes()).0;
    print.truncate(PRINT);
    print
}

/// What tells what was found from other findings of a rule in a memory. `text` is the memory's,
/// `other` the one it asks about too.
pub(in crate::lint) fn print(finding: &Finding, other: Option<&MemoryId>, text: &str) -> String {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let place = finding.place.clone().and_then(|place| text.get(place));
    let found = match place.map(words) {
        // What both say; what stands where it was found is one of the two.
        _ if finding.rule == "contradiction" => statements(finding).join("\n"),
        // Not even the digest of a short password.
        Some(place) if !place.is_empty() && finding.rule != "secret" => place,
        _ => in_first_words(without_numbers(&finding.message)),
    };
    let other = other.map(MemoryId::to_string).unwrap_or_default();
    digest(&format!(
        "{}
{other}
{found}",
        finding.rule
    ))
}

/// The message that a baseline knows a finding by, as the version worded it that wrote the first
/// ones.
fn in_first_words(message: String) -> String {
    match message.as_str() {
        "Cut at line #: the limit is # characters" => {
            "the prompt ends in line #: # characters are the most".to_owned()
        }
        _ => message,
    }
}

/// A sentence in which each number is `#`: counts and ages change from day to day.
pub(super) fn without_numbers(text: &str) -> String {
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
