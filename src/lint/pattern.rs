//! Patterns that say something else than they seem to.

mod analyse;
mod intent;
mod reading;
mod sentence;
mod syntax;

use std::collections::HashSet;

use super::{Finding, Fix, Rule, Subject};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Role, Severity, Value};

/// One pattern of a memory, and what is wrong with it.
pub(super) struct Item {
    /// Its place in the list.
    index: usize,
    flaws: Vec<Flaw>,
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flaw {
    rule: &'static str,
    confidence: f64,
    message: String,
    evidence: Vec<String>,
    cure: Cure,
}

/// What would put a pattern right.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cure {
    /// Nothing that could be said for certain.
    None,
    /// These patterns in its place; none of them: it goes away.
    Replace(Vec<String>),
    /// One more pattern beside it.
    Add(String),
}

/// The patterns of a memory that something is wrong with.
pub(super) fn items(memory: &Memory) -> Vec<Item> {
    let texts: Vec<(usize, &str)> = memory
        .role(Role::Patterns)
        .into_iter()
        .flat_map(Value::items)
        .enumerate()
        .filter_map(|(index, value)| Some((index, value.as_str()?)))
        .collect();
    let beside = sentence::Beside::new(texts.iter().map(|(_, text)| *text), memory);
    let items = texts.iter().map(|(index, text)| {
        let mut flaws = Vec::from_iter(analyse::flaw(text));
        if flaws.is_empty() {
            flaws.extend(sentence::flaw(text, &beside));
        }
        Item {
            index: *index,
            flaws,
        }
    });
    items.filter(|item| !item.flaws.is_empty()).collect()
}

/// A rule about patterns; they share the analysis.
pub(super) struct Pattern {
    id: &'static str,
    severity: Severity,
    title: &'static str,
}

/// Everything matches.
pub(super) static MATCHES_ALL: Pattern = Pattern {
    id: "pattern-matches-all",
    severity: Severity::Warning,
    title: "a pattern that matches every task",
};

/// Nothing matches.
pub(super) static NEVER_MATCHES: Pattern = Pattern {
    id: "pattern-never-matches",
    severity: Severity::Warning,
    title: "a pattern that no task can match",
};

/// Regular expressions between bars.
pub(super) static ALTERNATIVE_REGEX: Pattern = Pattern {
    id: "pattern-alternative-regex",
    severity: Severity::Warning,
    title: "a regular expression inside alternatives, where it is taken literally",
};

/// What does not compile.
pub(super) static INVALID: Pattern = Pattern {
    id: "pattern-invalid",
    severity: Severity::Warning,
    title: "a pattern that is read as a regular expression and is not a valid one",
};

/// What takes too long.
pub(super) static TOO_SLOW: Pattern = Pattern {
    id: "pattern-too-slow",
    severity: Severity::Warning,
    title: "a pattern that takes too long to match, or is too large to be tried",
};

/// Sentences.
pub(super) static SENTENCE: Pattern = Pattern {
    id: "pattern-sentence",
    severity: Severity::Info,
    title: "a pattern that is a sentence and matches only where it stands word for word",
};

impl Rule for Pattern {
    fn id(&self) -> &'static str {
        self.id
    }

    fn severity(&self) -> Severity {
        self.severity
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let Some(field) = subject.memory.schema.role(Role::Patterns) else {
            return;
        };
        let value = subject.memory.field(field.name);
        let listed: HashSet<&str> = value
            .into_iter()
            .flat_map(Value::items)
            .filter_map(Value::as_str)
            .collect();
        for item in subject.of(|| items(subject.memory)) {
            for flaw in item.flaws.iter().filter(|flaw| flaw.rule == self.id) {
                let place = subject.at_field(field.name, Some(item.index));
                let finding = subject
                    .finding(self.id, self.severity, place)
                    .sure(flaw.confidence)
                    .says(&flaw.message)
                    .fixed_by(fix(
                        subject,
                        (field.name, value, &listed),
                        item.index,
                        &flaw.cure,
                    ));
                out.push(Finding {
                    evidence: flaw.evidence.clone(),
                    ..finding
                });
            }
        }
    }
}

/// The edits that put patterns in the place of one of a list; none where it would be left empty.
fn replace_item(
    field: &str,
    index: usize,
    (items, listed): (&[Value], &HashSet<&str>),
    texts: &[String],
) -> Option<Vec<FieldEdit>> {
    // What stands beside it already is not said twice.
    let mut fresh = texts.iter().filter(|text| !listed.contains(text.as_str()));
    let Some(first) = fresh.next() else {
        let remove = FieldEdit::RemoveItem {
            field: field.to_owned(),
            index,
        };
        return (items.len() > 1).then(|| vec![remove]);
    };
    let mut edits = vec![FieldEdit::SetItem {
        field: field.to_owned(),
        index,
        value: first.as_str().into(),
    }];
    edits.extend(fresh.map(|text| FieldEdit::AddItem {
        field: field.to_owned(),
        item: text.as_str().into(),
    }));
    Some(edits)
}

/// The edits that put a pattern right. The field is given with its value and the texts in it.
fn fix(
    subject: &Subject<'_>,
    (field, value, listed): (&str, Option<&Value>, &HashSet<&str>),
    index: usize,
    cure: &Cure,
) -> Option<Fix> {
    let name = || field.to_owned();
    let set = |value| FieldEdit::Set {
        field: name(),
        value,
    };
    let add = |text: &String| FieldEdit::AddItem {
        field: name(),
        item: text.as_str().into(),
    };
    let value = value?;
    let list = match value {
        Value::List(items) => Some(items),
        _ => None,
    };
    let quoted = |texts: &[String]| {
        let texts: Vec<_> = texts.iter().map(|text| super::chars::quote(text)).collect();
        texts.join(" and ")
    };
    match (cure, list) {
        (Cure::None, _) => None,
        (Cure::Replace(texts), Some(items)) => {
            let edits = replace_item(field, index, (items, listed), texts)?;
            let title = if matches!(edits.as_slice(), [FieldEdit::RemoveItem { .. }]) {
                "remove the pattern".to_owned()
            } else {
                format!("write {}", quoted(texts))
            };
            Some(subject.edit(title, edits))
        }
        (Cure::Replace(texts), None) => {
            let value = match texts.as_slice() {
                [] => return None,
                [one] => one.as_str().into(),
                several => several
                    .iter()
                    .map(|text| Value::from(text.as_str()))
                    .collect(),
            };
            Some(subject.edit(format!("write {}", quoted(texts)), vec![set(value)]))
        }
        (Cure::Add(text), list) => {
            let edit = if list.is_some() {
                add(text)
            } else {
                set([value.clone(), text.as_str().into()].into_iter().collect())
            };
            let title = format!("add {} beside it", super::chars::quote(text));
            Some(subject.edit(title, vec![edit]))
        }
    }
}

/// The rows of `tests/lint/patterns.toml` under this key.
#[cfg(test)]
fn rows<T: serde::de::DeserializeOwned>(key: &str) -> T {
    let text = include_str!("../../tests/lint/patterns.toml");
    let table: toml::Table = toml::from_str(text).expect("the table parses");
    table[key]
        .clone()
        .try_into()
        .expect("the rows have their form")
}
