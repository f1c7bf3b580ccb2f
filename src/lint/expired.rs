//! Memories whose time is over: by the rules of their system, or by what they say themselves.

use std::sync::LazyLock;

use chrono::{DateTime, Days, NaiveTime};
use serde::Deserialize;

use super::chars::quote;
use super::cues::{Cue, Cues, Table};
use super::{Check, Finding, RuleInfo, Subject};
use crate::memory::{Severity, Timestamp};
use crate::text::mentions::{DateMention, dates};

/// A memory whose time is over.
pub(super) static EXPIRED: Check = Check(RuleInfo("expired", Severity::Info), check);

/// The meaning of a day in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Deadline {
    /// Something holds until then.
    Ends,
    /// Something is to be done then.
    Due,
    /// Something probably holds until then.
    MayEnd,
    /// Something is probably to be done then.
    MayBeDue,
    /// The day says nothing of the kind.
    None,
}

static DEADLINES: LazyLock<Table<Deadline>> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/deadlines.toml")));

fn check(_rule: RuleInfo, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    out.extend(unread(subject));
    let (start, body) = subject.body();
    let cues = Cues::new(body, &subject.memory.title);
    let past = |date: &DateMention| is_over(subject, date);
    let past = dates(body).into_iter().filter(past);
    let deadlines = past.filter_map(|date| Some((deadline(body, &cues, &date)?, date)));
    // The surest stands for all, and of those the first.
    if let Some((deadline, date)) = deadlines.min_by_key(|(deadline, _)| *deadline) {
        out.push(finding(subject, (start, body), &cues, (deadline, &date)));
    }
}

/// A memory that its system stopped reading.
fn unread(subject: &Subject<'_>) -> Option<Finding> {
    let memory = subject.memory;
    // A memory that is hidden anyway has a finding of its own.
    let is_read = !memory.is_expired(subject.cx.now) || memory.hidden.is_some();
    let expiry = memory.expires.filter(|_| !is_read)?;
    let says = format!(
        "{} does not read it since {}: {}",
        memory.schema.format,
        expiry.at.date(),
        expiry.why
    );
    // A memory that still holds is worth a `confirm` or an edit: a person decides.
    let finding = subject.finding("expired", Severity::Info, subject.at(0));
    Some(finding.says(says).fixed_by(subject.archive()))
}

/// True if a day is over, and was still to come when the memory was last written or confirmed:
/// otherwise the sentence is about the past.
fn is_over(subject: &Subject<'_>, date: &DateMention) -> bool {
    let end = date.last.checked_add_days(Days::new(1));
    let end = end.map(|day| day.and_time(NaiveTime::MIN).and_utc().timestamp_millis());
    let memory = subject.memory;
    let known = memory.written().max(memory.confirmed);
    end.map(Timestamp)
        .is_some_and(|end| known.is_none_or(|known| known < end) && end <= subject.cx.now)
}

/// The deadline that a day is.
fn deadline(body: &str, cues: &Cues<'_>, date: &DateMention) -> Option<Deadline> {
    let sentence = cues.outline().sentence(date.bytes.start);
    let before = body.get(sentence.start..date.bytes.start)?;
    let after = body.get(date.bytes.end..)?;
    let after = after.lines().next().unwrap_or_default();
    // A quoted deadline is an example, or another text's.
    let quoted = |open: char, close: char| {
        let opened = match open == close {
            true => before.matches(open).count() % 2 == 1,
            false => before.rfind(open) > before.rfind(close),
        };
        opened && after.contains(close)
    };
    if quoted('"', '"') || quoted('`', '`') || quoted('“', '”') {
        return None;
    }
    let deadline = *cues.find(&DEADLINES, &date.bytes)?;
    let cue = cues.at(&date.bytes);
    let is_told = matches!(
        cue,
        Some(Cue::Elsewhere | Cue::Example | Cue::Record | Cue::Log)
    );
    (deadline != Deadline::None && !is_told).then_some(deadline)
}

fn finding(
    subject: &Subject<'_>,
    (start, body): (usize, &str),
    cues: &Cues<'_>,
    (deadline, date): (Deadline, &DateMention),
) -> Finding {
    let at = start + date.bytes.start..start + date.bytes.end;
    let (severity, confidence) = match deadline {
        Deadline::Ends | Deadline::Due => (Severity::Warning, 0.85),
        _ => (Severity::Info, 0.5),
    };
    let today = DateTime::from_timestamp_millis(subject.cx.now.0).map(|now| now.date_naive());
    let ago = match today.map_or(0, |today| (today - date.last).num_days()) {
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    };
    let day = quote(body.get(date.bytes.clone()).unwrap_or_default());
    let sentence = cues.outline().sentence(date.bytes.start);
    let sentence = body.get(sentence).unwrap_or_default().trim();
    let finding = subject.finding("expired", severity, subject.at(at.start));
    let finding = finding.about(at).sure(confidence);
    let finding = finding.because(sentence.replace('\n', " "));
    if matches!(deadline, Deadline::Due | Deadline::MayBeDue) {
        // Archiving the memory does not do what is due.
        return finding.says(format!("due {day}, {ago}: do it, or set a new date"));
    }
    let rest = body.replacen(sentence, "", 1);
    // Other sentences may hold on.
    let goes_on =
        |line: &str| !line.trim_start().starts_with('#') && line.contains(char::is_alphanumeric);
    let is_all = !sentence.contains([';', '\n']) && !rest.lines().any(goes_on);
    finding
        .says(format!("the deadline {day} passed {ago}"))
        .fixed_by(subject.archive().filter(|_| is_all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_matches_its_example_and_no_row_its_counter_example() {
        DEADLINES.check("2026-01-20", |cue| *cue != Deadline::None);
    }
}
