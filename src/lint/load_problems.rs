//! Problems that the loader met, and dates in the future.

use super::chars::visible;
use super::report::counted;
use super::select::distance;
use super::{Finding, Fix, Rule, Subject};
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Problem, Role, Severity};

/// Reports the problems of a rule that the loader met, files of which only a part is looked at, and
/// dates in the future.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let met = subject.memory.problems.iter();
    for problem in met.filter(|problem| problem.rule == rule.id) {
        let is_value = rule.id == "unknown-value";
        let fix = is_value.then(|| fix_choice(subject, problem)).flatten();
        let mut finding = Finding::new(rule.id, problem.severity, subject.index, problem.line);
        finding.column = problem.column;
        out.push(finding.says(visible(&problem.message)).fixed_by(fix));
    }
    match rule.id {
        "load-error" => first_part(rule, subject, out),
        "bad-date" => future(rule, subject, out),
        _ => {}
    }
}

/// Writes the word that was meant, in the field whose name the problem says.
fn fix_choice(subject: &Subject<'_>, problem: &Problem) -> Option<Fix> {
    let memory = subject.memory;
    let word = |spec: &FieldSpec| {
        let text = memory.field(spec.name)?.as_str()?;
        let Kind::Choice(words) = spec.kind else {
            return None;
        };
        let word = meant_word(text, words).filter(|word| *word != text)?;
        Some((spec.name, word))
    };
    let mut fields = memory.schema.fields.iter().filter_map(word);
    let (name, word) = fields.find(|(name, _)| problem.message.contains(name))?;
    Some(subject.set(name, word.into()))
}

/// Says that only the first part of a long memory was looked at.
fn first_part(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    if subject.is_cut() {
        let megabytes = |bytes: usize| format!("{:.1} MB", bytes as f64 / 1e6);
        let (part, whole) = (megabytes(subject.text.len()), megabytes(subject.whole));
        let finding = subject.finding(rule.id, Severity::Info, subject.at(0));
        let says = format!("lint looked only at the first {part} of its {whole}");
        out.push(finding.says(says));
    }
}

/// A time without an offset is taken for UTC: where the clock is furthest ahead, one that was
/// right when it was written is 14 hours in the future.
const AHEAD: i64 = 14 * 3_600_000;

/// Dates that have not come yet earn the points of a new memory.
fn future(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let memory = subject.memory;
    let dates = [
        (Role::Created, memory.created),
        (Role::Updated, memory.updated),
    ];
    for (role, at) in dates {
        let (Some(spec), Some(at)) = (memory.schema.role(role), at) else {
            continue;
        };
        let ahead = at.0.saturating_sub(subject.cx.now.0);
        let place = subject.at_field(spec.name, None);
        // The load may have reported it already.
        let is_known = |one: &Finding| one.rule == rule.id && one.line == place.line;
        if ahead <= AHEAD || out.iter().any(is_known) {
            continue;
        }
        let hours = usize::try_from(ahead / 3_600_000).unwrap_or_default();
        let long = match hours {
            0..24 => counted(hours, "hour"),
            _ => counted(hours / 24, "day"),
        };
        let finding = subject.finding(rule.id, Severity::Warning, place);
        out.push(finding.says(format!(
            "`{}` is {long} in the future and earns the points for recency until then",
            spec.name
        )));
    }
}

/// The one word of a scale that a text was meant for: the same but for case and blanks, or one letter
/// apart.
fn meant_word(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let text = text.trim().to_lowercase();
    let mut words = words.iter().copied();
    if let Some(same) = words.clone().find(|word| *word == text) {
        return Some(same);
    }
    let is_near = |word: &&str| text.len() >= 3 && distance(&text, word, 1).is_some();
    let near = words.find(is_near);
    near.filter(|_| !words.any(|word| is_near(&word)))
}

#[cfg(test)]
mod tests {
    use crate::text::rows;

    #[test]
    fn each_value_is_read_as_its_row_says() {
        for [text, word] in &rows::<Vec<[String; 2]>>("tables", "words") {
            let found = super::meant_word(text, &["low", "medium", "high", "critical"]);
            assert_eq!(found.unwrap_or_default(), word, "{text}");
        }
    }
}
