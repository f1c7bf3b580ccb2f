//! Patterns that say something else than they seem to.

mod analyse;
mod intent;
mod reading;
mod sentence;
mod syntax;
#[cfg(test)]
mod tests;

use super::chars::quote;
use super::{Finding, Fix, Rule, RuleInfo, Subject};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Role, Severity, Value};

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flaw {
    rule: &'static str,
    confidence: f64,
    message: String,
    evidence: Vec<String>,
    /// The patterns to write in its place, an empty list to remove it; none where that is not
    /// certain.
    cure: Option<Vec<String>>,
}

impl Flaw {
    fn new(rule: &'static str, confidence: f64, message: String) -> Self {
        Self {
            rule,
            confidence,
            message,
            evidence: Vec::new(),
            cure: None,
        }
    }
}

/// The flaws of a memory's patterns, each with the position of its pattern in the list.
pub(super) fn flaws(memory: &Memory) -> Vec<(usize, Flaw)> {
    let values = memory.role(Role::Patterns).into_iter();
    let values = values.flat_map(Value::items).enumerate();
    let texts: Vec<(usize, &str)> = values
        .filter_map(|(index, value)| Some((index, value.as_str()?)))
        .collect();
    let mut others = sentence::Others::new(texts.iter().map(|(_, text)| *text));
    let flaws = texts.iter().filter_map(|(index, text)| {
        let flaw = analyse::flaw(text).or_else(|| sentence::flaw(text, &mut others))?;
        Some((*index, flaw))
    });
    flaws.collect()
}

/// A rule about patterns; they share the analysis.
pub(super) struct Pattern(RuleInfo);

/// Everything matches.
pub(super) static MATCHES_ALL: Pattern =
    Pattern(RuleInfo("pattern-matches-all", Severity::Warning));

/// Nothing matches.
pub(super) static NEVER_MATCHES: Pattern =
    Pattern(RuleInfo("pattern-never-matches", Severity::Warning));

/// Regular expressions between bars.
pub(super) static ALTERNATIVE_REGEX: Pattern =
    Pattern(RuleInfo("pattern-alternative-regex", Severity::Warning));

/// What does not compile.
pub(super) static INVALID: Pattern = Pattern(RuleInfo("pattern-invalid", Severity::Warning));

/// What takes too long.
pub(super) static TOO_SLOW: Pattern = Pattern(RuleInfo("pattern-too-slow", Severity::Warning));

/// Sentences.
pub(super) static SENTENCE: Pattern = Pattern(RuleInfo("pattern-sentence", Severity::Info));

impl Rule for Pattern {
    fn info(&self) -> RuleInfo {
        self.0
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let Some(field) = subject.memory.schema.role(Role::Patterns) else {
            return;
        };
        let flaws = subject.of(|| flaws(subject.memory)).iter();
        for (index, flaw) in flaws.filter(|(_, flaw)| flaw.rule == self.id()) {
            let place = subject.at_field(field.name, Some(*index));
            let finding = subject
                .finding(self.id(), self.severity(), place)
                .sure(flaw.confidence)
                .says(&flaw.message)
                .fixed_by(fix(subject, field.name, *index, flaw.cure.as_deref()));
            out.push(Finding {
                evidence: flaw.evidence.clone(),
                ..finding
            });
        }
    }
}

/// The fix that writes these patterns in the place of one; none where the field would be left empty.
fn fix(subject: &Subject<'_>, name: &str, index: usize, cure: Option<&[String]>) -> Option<Fix> {
    let (value, texts) = (subject.memory.field(name)?, cure?);
    let field = name.to_owned();
    let is_listed = |text: &&str| value.items().any(|item| item.as_str() == Some(text));
    let mut fresh = texts
        .iter()
        .map(String::as_str)
        .filter(|text| !is_listed(text));
    let Some(first) = fresh.next() else {
        let remove = FieldEdit::RemoveItem { field, index };
        let others = value.items().count() > 1;
        return others.then(|| subject.edit("remove the pattern", vec![remove]));
    };
    let value = first.into();
    let mut edits = vec![FieldEdit::SetItem {
        field,
        index,
        value,
    }];
    edits.extend(fresh.map(|text| FieldEdit::AddItem {
        field: name.to_owned(),
        item: text.into(),
    }));
    let quoted: Vec<String> = texts.iter().map(|text| quote(text)).collect();
    Some(subject.edit(format!("write {}", quoted.join(" and ")), edits))
}
