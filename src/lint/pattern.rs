//! Patterns that do not match what they seem to.

mod analyse;
#[cfg(test)]
mod tests;

use std::cell::LazyCell;
use std::collections::HashSet;

use itertools::Itertools as _;

use self::analyse::is_literal;
use super::chars::quote;
use super::rows::SURE;
use super::{Finding, Fix, Rule, Subject};
use crate::curate::change::set_item;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Role, Severity, Sight, Value};
use crate::retrieval::js::trim;
use crate::retrieval::{MAY_CUT, dead_globs, in_one_line};
use crate::text::word_lists::Words;

/// Words that begin a description of an occasion.
static OCCASIONS: Words = Words::named("occasions");

/// Separators of lists, each with the minimum number of items: a comma may stand in a name.
const SIGNS: [(&str, usize); 3] = [(",", 3), (";", 2), (" / ", 2)];

fn sentence_flaw(written: &str) -> Option<Flaw> {
    // Skip regular expressions first: most patterns are some.
    if written.contains(['|', '*', '?']) {
        return None;
    }
    let written = trim(written);
    let says = format!("{} matches only a task that says just that", quote(written));
    if let Some((sign, items)) = listed(written) {
        let sign = quote(sign.trim());
        let says = says + &format!(": alternatives are parted by |, not by {sign}");
        let flaw = Flaw::new("pattern-sentence", 0.8, says);
        return Some(flaw.cured_by(Some(vec![items.join("|")])));
    }
    if !is_sentence(&written.to_lowercase()) || !is_literal(written) {
        return None;
    }
    let mut flaw = Flaw::new("pattern-sentence", 0.8, says + ", word for word");
    let natural = "the dialect `natural` finds it by its words, the system's own code does not";
    flaw.evidence.push(natural.to_owned());
    Some(flaw)
}

/// The items of a list that is written as people write one, and the sign between them.
fn listed(written: &str) -> Option<(&'static str, Vec<&str>)> {
    const WORDS: usize = 3;
    let is_item = |item: &&str| {
        let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let first = item.split(' ').next().unwrap_or_default().to_lowercase();
        item.chars().all(plain)
            && item.contains(char::is_alphabetic)
            && item.split(' ').count() <= WORDS
            && !OCCASIONS.has(&first)
    };
    SIGNS.iter().find_map(|(sign, least)| {
        let items = written.split(sign).map(str::trim);
        let items = items.map(|item| item.trim_start_matches("and ").trim_start_matches("or "));
        let items: Vec<&str> = items.collect();
        (items.len() >= *least && items.iter().all(is_item)).then_some((*sign, items))
    })
}

fn is_sentence(text: &str) -> bool {
    // A command line or a place is no sentence, however long.
    if text.contains(['/', '=', '`', '{', '(', '<', '\\']) || text.contains(" -") {
        return false;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some(first) = words.first() else {
        return false;
    };
    // "to", "in" and "on" begin names too.
    let least = if first.len() <= 2 { 3 } else { 2 };
    let doing = first.len() >= 6 && first.ends_with("ing") && words.len() >= 3;
    words.len() >= 4 || doing || OCCASIONS.has(first) && words.len() >= least
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flaw {
    rule: &'static str,
    confidence: f64,
    message: String,
    evidence: Vec<String>,
    /// The patterns to write in its place, an empty list to remove it; none if not certain.
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

    fn cured_by(self, cure: Option<Vec<String>>) -> Self {
        Self { cure, ..self }
    }
}

/// The flaws of a memory's patterns, each with the position of its pattern in the list.
pub(super) fn flaws(memory: &Memory) -> Vec<(usize, Flaw)> {
    if !memory.schema.can.task_patterns {
        return globs(memory).into_iter().map(|flaw| (0, flaw)).collect();
    }
    let values = memory.role(Role::Patterns).into_iter();
    let values = values.flat_map(Value::items).enumerate();
    let flaws = values.filter_map(|(index, value)| {
        let text = value.as_str()?;
        let flaw = analyse::flaw(text).or_else(|| sentence_flaw(text))?;
        Some((index, flaw))
    });
    flaws.collect()
}

/// Patterns of files that their system cannot match.
fn globs(memory: &Memory) -> Vec<Flaw> {
    let dialect = memory.schema.can.globs;
    let value = memory.role(Role::Patterns);
    // `load-error` reports values that the loader cannot read; a rule that always holds needs none.
    let is_always = memory.role(Role::Mode) == Some(&Value::Bool(true));
    let value = value.filter(|_| memory.sight != Sight::TextOnly && !is_always);
    let dead = dialect
        .zip(value)
        .map(|(dialect, value)| dead_globs(dialect, value));
    let flaw = |(pattern, why): (String, String)| {
        let (confidence, says) = match why == MAY_CUT {
            true => (0.5, format!("{}: {why}", quote(&pattern))),
            false if pattern.is_empty() => (0.95, why),
            false => (0.95, format!("{} matches nothing: {why}", quote(&pattern))),
        };
        Flaw::new("pattern-never-matches", confidence, says)
    };
    dead.into_iter().flatten().map(flaw).collect()
}

/// Reports the flaws of one rule; the rules about patterns share the analysis.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let Some(field) = subject.memory.schema.role(Role::Patterns) else {
        return;
    };
    let flaws = subject.of(|| flaws(subject.memory)).iter();
    let values = subject.memory.role(Role::Patterns).into_iter();
    let values = values.flat_map(Value::items).filter_map(Value::as_str);
    let known = LazyCell::new(|| values.collect::<HashSet<&str>>());
    for (index, flaw) in flaws.filter(|(_, flaw)| flaw.rule == rule.id) {
        let place = subject.at_field(field.name, Some(*index));
        let severity = Severity::of(flaw.confidence >= SURE).max(rule.severity);
        let finding = subject.finding(rule.id, severity, place);
        let finding = finding.sure(flaw.confidence).says(&flaw.message);
        let cure = flaw.cure.as_deref();
        let fix = cure.and_then(|cure| fix(subject, (field.name, *index), cure, &known));
        let text = || in_one_line(subject.memory).map(|text| subject.set(field.name, text));
        let mut fix = fix.or_else(text);
        if let Some(fix) = &mut fix {
            // A pattern that matches again adds to prompts: that is for a person to decide.
            fix.safe &= rule.id != "pattern-never-matches";
        }
        out.push(finding.because_of(&flaw.evidence).fixed_by(fix));
    }
}

/// The fix that writes new patterns over an item; none where the field would be left empty.
fn fix(
    subject: &Subject<'_>,
    (name, index): (&str, usize),
    cure: &[String],
    known: &HashSet<&str>,
) -> Option<Fix> {
    let field = name.to_owned();
    let mut fresh = cure.iter().filter(|text| !known.contains(text.as_str()));
    let Some(first) = fresh.next() else {
        let remove = FieldEdit::RemoveItem { field, index };
        return (known.len() > 1).then(|| subject.edit("remove the pattern", vec![remove]));
    };
    let first = set_item(field, index, first.as_str());
    let others = fresh.map(|text| FieldEdit::add(name, text.as_str()));
    let cure = cure.iter().map(|text| quote(text)).join(" and ");
    let title = format!("write {cure}");
    Some(subject.edit(title, [first].into_iter().chain(others).collect()))
}
