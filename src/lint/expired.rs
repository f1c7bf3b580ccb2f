//! Memories whose time is over: by the rules of their system, or by a day that they name as an end.

use std::sync::LazyLock;

use regex::Regex;

use super::chars::quote;
use super::cues::Cue;
use super::report::counted;
use super::{Finding, Rule, Subject};
use crate::memory::{Severity, Timestamp};
use crate::text::patterns::compact;

const DAY: i64 = 86_400_000;

/// A word for an end, and the day behind it.
static DEADLINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)(?:^|[^\w`“])(?:until|expires|ends|due|deadline|(?:valid|review)[ -]by)\W{1,3}(?:on |by )?\W{0,2}(?P<day>\d{4}-\d\d-\d\d)\b",
    )
});

/// Reports a memory that its system stopped reading, and the first end in its body that is past.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    out.extend(unread(rule, subject));
    out.extend(past_deadline(rule, subject));
}

fn unread(rule: &Rule, subject: &Subject<'_>) -> Option<Finding> {
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
    let finding = subject.finding(rule.id, rule.severity, subject.at(0));
    Some(finding.says(says).fixed_by(subject.archive()))
}

fn past_deadline(rule: &Rule, subject: &Subject<'_>) -> Option<Finding> {
    let memory = subject.memory;
    let (start, body) = subject.body();
    let cues = subject.cues();
    let known = memory.written().max(memory.confirmed);
    let mut found = DEADLINE.as_ref()?.captures_iter(body);
    let (day, ago) = found.find_map(|found| {
        let day = found.name("day")?;
        let end = Timestamp::parse_iso(day.as_str())?.0 + DAY;
        // A day that was past when the memory was written is a fact about the past.
        let is_new = known.is_none_or(|known| known.0 < end) && end <= subject.cx.now.0;
        let cue = cues.at(&day.range());
        let is_told = matches!(
            cue,
            Some(Cue::Elsewhere | Cue::Example | Cue::Record | Cue::Log)
        );
        (is_new && !is_told).then_some((day, (subject.cx.now.0 - end) / DAY + 1))
    })?;
    let at = start + day.start()..start + day.end();
    let sentence = cues.outline().sentence(day.start());
    let sentence = body.get(sentence).unwrap_or_default().trim();
    let ago = counted(ago.unsigned_abs() as usize, "day");
    let day = quote(day.as_str());
    let finding = subject.finding(rule.id, Severity::Warning, subject.at(at.start));
    let finding = finding.about(at).sure(0.85);
    let finding = finding.says(format!("the deadline {day} passed {ago} ago"));
    Some(finding.because(sentence.replace('\n', " ")))
}
