//! Problems that the loader met, and dates in the future.

use chrono::{Datelike as _, NaiveDate, NaiveTime, SecondsFormat};

use super::chars::visible;
use super::report::counted;
use super::select::distance;
use super::{Finding, Fix, Rule, Subject};
use crate::memory::schema::{FieldSpec, Kind};
use crate::memory::{Problem, Role, Severity, Timestamp};
use crate::text::word_lists::Words;

/// Reports the problems of a rule that the loader met, files of which only a part is looked at, and
/// dates in the future.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let met = subject.memory.problems.iter();
    for problem in met.filter(|problem| problem.rule == rule.id) {
        let fix = match rule.id {
            "bad-date" => fix_date(subject, problem),
            "unknown-value" => fix_choice(subject, problem),
            _ => None,
        };
        let finding = Finding::new(rule.id, problem.severity, subject.index, problem.line);
        let finding = finding.says(visible(&problem.message)).fixed_by(fix);
        out.push(Finding {
            column: problem.column,
            ..finding
        });
    }
    match rule.id {
        "load-error" => first_part(rule, subject, out),
        "bad-date" => future(rule, subject, out),
        _ => {}
    }
}

/// The field that a problem is about: one whose name it says.
fn field_of<'a>(
    subject: &Subject<'a>,
    problem: &Problem,
    kind: fn(&FieldSpec) -> bool,
) -> Option<(&'static FieldSpec, &'a str)> {
    let memory = subject.memory;
    let specs = memory.schema.fields.iter().filter(|spec| kind(spec));
    let mut texts = specs.filter_map(|spec| Some((spec, memory.field(spec.name)?.as_str()?)));
    let only = texts.clone().count() == 1;
    texts.find(|(spec, _)| only || problem.message.contains(spec.name))
}

fn fix_choice(subject: &Subject<'_>, problem: &Problem) -> Option<Fix> {
    let is_choice = |spec: &FieldSpec| matches!(spec.kind, Kind::Choice(_));
    let (spec, text) = field_of(subject, problem, is_choice)?;
    let Kind::Choice(words) = spec.kind else {
        return None;
    };
    let word = meant_word(text, words).filter(|word| *word != text)?;
    Some(subject.set(spec.name, word.into()))
}

fn fix_date(subject: &Subject<'_>, problem: &Problem) -> Option<Fix> {
    let (spec, text) = field_of(subject, problem, |spec| spec.kind == Kind::Date)?;
    let is_iso = |text: &str| Timestamp::parse_iso(text).is_some();
    let iso = iso_date(text).filter(|iso| is_iso(iso) && !is_iso(text))?;
    Some(subject.set(spec.name, iso.into()))
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
        let (name, hours) = (
            spec.name,
            usize::try_from(ahead / 3_600_000).unwrap_or_default(),
        );
        let long = match hours {
            0..24 => counted(hours, "hour"),
            _ => counted(hours / 24, "day"),
        };
        let finding = subject.finding(rule.id, Severity::Warning, place);
        out.push(finding.says(format!(
            "`{name}` is {long} in the future and earns the points for recency until then"
        )));
    }
}

/// Forms of a day in which the month cannot be taken for the day.
const DAYS: [&str; 8] = [
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d %b %Y", "%b %d %Y", "%B %d %Y", "%d-%b-%Y",
];

/// The ISO form of a date that cannot be read otherwise; none if it could be two dates.
fn iso_date(text: &str) -> Option<String> {
    let text = text.trim().replace(',', "");
    let day = |text: &str| {
        let mut days = DAYS.iter();
        let day = days.find_map(|form| NaiveDate::parse_from_str(text, form).ok());
        day.filter(|day| (1970..3000).contains(&day.year()))
    };
    if let Some(day) = day(&text) {
        return Some(day.to_string());
    }
    let (date, time) = text.split_once([' ', 'T'])?;
    let time = time
        .trim_end_matches("UTC")
        .trim_end_matches('Z')
        .trim_end();
    let mut forms = ["%H:%M:%S%.f", "%H:%M"].iter();
    let time = forms.find_map(|form| NaiveTime::parse_from_str(time, form).ok())?;
    let time = day(date)?.and_time(time).and_utc();
    Some(time.to_rfc3339_opts(SecondsFormat::Secs, true))
}

/// The words of a scale, each with words that people and agents use for it.
static SYNONYMS: [(&str, Words); 4] = [
    ("critical", Words::named("critical")),
    ("high", Words::named("high")),
    ("medium", Words::named("medium")),
    ("low", Words::named("low")),
];

/// The one word of a scale that a text was meant for.
fn meant_word(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let text = text.trim().to_lowercase();
    let has = |word: &str| words.iter().copied().find(|known| *known == word);
    if let Some(word) = has(&text) {
        return Some(word);
    }
    if let Some((word, _)) = SYNONYMS.iter().find(|(_, others)| others.has(&text)) {
        return has(word);
    }
    let mut near = words
        .iter()
        .copied()
        .filter(|word| text.len() >= 3 && distance(&text, word, 1).is_some());
    near.next().filter(|_| near.next().is_none())
}

#[cfg(test)]
mod tests {
    use crate::text::rows;

    #[test]
    fn each_value_is_read_as_its_row_says() {
        for [text, iso] in &rows::<Vec<[String; 2]>>("values", "dates") {
            let found = super::iso_date(text).unwrap_or_default();
            assert_eq!(found, *iso, "{text}");
        }
        for [text, word] in &rows::<Vec<[String; 2]>>("values", "words") {
            let found = super::meant_word(text, &["low", "medium", "high", "critical"]);
            assert_eq!(found.unwrap_or_default(), word, "{text}");
        }
    }
}
