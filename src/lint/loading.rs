//! Problems that the loader met, dates in the future, and memories that it never sees.

use super::chars::visible;
use super::report::counted;
use super::select::distance;
use super::{Finding, Fix, Rule, Subject};
use crate::curate::Change;
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Memory, Problem, Role, Severity, Sight};

/// Reports the problems that the loader met, files of which a part is read, and future dates.
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

/// The one word of a scale that a text was meant for, but for case, blanks or one letter.
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

pub(super) fn invisible(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let hidden = subject.memory.hidden.as_ref();
    let is_wanted = is_appended(subject.memory) || subject.memory.sight == Sight::Off;
    let Some(reason) = hidden.filter(|_| !is_wanted) else {
        return;
    };
    let layout = layout_is_off(subject.text);
    // Another rule reports what also breaks the specification.
    let mut problems = subject.memory.problems.iter();
    let is_broken = problems.any(|problem| problem.severity == Severity::Error);
    if is_broken && !layout {
        return;
    }
    let normalize = Change::Normalize(subject.memory.id.clone());
    let fix = subject.fix("write the file the way its loader reads it", normalize);
    let (cause, format) = (visible(cause(reason)), subject.memory.schema.format);
    let says = format!("{cause}, so {format} never loads this memory");
    let finding = subject.finding(rule.id, rule.severity, subject.at(0));
    out.push(finding.says(says).fixed_by(layout.then_some(fix)));
}

/// The cause in a loader's reason, without its effect.
fn cause(reason: &str) -> &str {
    match reason.split_once(": ") {
        Some((lead, cause)) if lead.starts_with("the loader") => cause,
        Some((lead, cause)) if lead.starts_with("the reader") => cause,
        _ => reason,
    }
}

/// True if there is a frontmatter that only bytes before or between its lines hide.
fn layout_is_off(text: &str) -> bool {
    let inner = text.trim_start_matches('\u{feff}').trim_start();
    let first = inner.split('\n').next().unwrap_or_default();
    let windows = first.ends_with('\r') || inner.contains("\r\n---");
    inner.starts_with("---") && (inner.len() < text.len() || windows)
}

/// True if a memory stands behind another one where each has a file and patterns of its own.
pub fn is_appended(memory: &Memory) -> bool {
    memory.document > 0 && memory.schema.role(Role::Patterns).is_some()
}

pub(super) fn appended(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    if !is_appended(subject.memory) {
        return;
    }
    let memory = subject.memory;
    let (format, number) = (memory.schema.format, memory.document.saturating_add(1));
    let says = format!(
        "{format} itself reads only the first memory of a file: it never tries the patterns of \
         this one, number {number}"
    );
    let title = "give every appended memory of the file a file of its own";
    let fix = subject.fix(title, Change::SplitFile(memory.id.clone()));
    let finding = subject.finding(rule.id, rule.severity, subject.at(0));
    out.push(finding.says(says).fixed_by(Some(fix)));
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
