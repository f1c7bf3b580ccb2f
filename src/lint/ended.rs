//! Memories that are over: another one has taken their place, their system stopped reading them, or
//! a day that they name as their end is past.

use std::sync::LazyLock;

use regex::Regex;

use super::chars::quote;
use super::cues::Cue::{Elsewhere, Example, Log, Record};
use super::report::counted;
use super::succession::{OVER, Over, STATES, SUPERSEDED_BY, SUPERSEDES};
use super::succession::{names, over, supersedes, values};
use super::{Finding, Fix, Rule, Subject};
use crate::curate::Change;
use crate::curate::merge::bare;
use crate::memory::{Memory, Severity, State, Timestamp};
use crate::text::patterns::compact;

pub(super) fn superseded(_: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    if let Some(finding) = own_state(subject) {
        out.push(finding);
        return;
    }
    let names = values(subject.memory, SUPERSEDES).chain(supersedes(subject.body().1));
    let mut named = Vec::new();
    for name in names {
        // A link's text may be the name of its target.
        if let Some(old) = find(subject, name).filter(|old| !named.contains(old)) {
            named.push(old);
            out.extend(replaced(subject, name, old));
        }
    }
}

/// The finding on a memory that this one names as replaced.
fn replaced(subject: &Subject<'_>, name: &str, old: usize) -> Option<Finding> {
    let other = subject.cx.memories.get(old)?;
    let in_use = other.state == State::Active && !other.is_expired(subject.cx.now);
    // A memory that says so itself is reported by its own check.
    if !in_use
        || old == subject.index
        || values(other, SUPERSEDED_BY).next().is_some()
        || says_it_is_over(subject, other)
        || subject.cx.answered("superseded-active", old, subject.index)
    {
        return None;
    }
    let place = super::subject::Position::start(other.line);
    let mut finding = subject.finding("superseded-active", Severity::Warning, place);
    finding.memory = old;
    let id = quote(&subject.memory.id.to_string());
    let says = format!("{id} supersedes this memory, which is still in use");
    let finding = finding.sure(0.95).says(says);
    let finding = finding.because(format!("it names {}", quote(name)));
    let archive = Change::Archive(vec![other.id.clone()]);
    let fix = Fix::reviewed("archive it", old, archive);
    Some(finding.beside([subject.index]).fixed_by(Some(fix)))
}

/// The finding on a memory whose own field or first line says that it is over.
fn own_state(subject: &Subject<'_>) -> Option<Finding> {
    let memory = subject.memory;
    let by = values(memory, SUPERSEDED_BY).next();
    let mut states = values(memory, STATES);
    let state = states.find(|state| OVER.split(' ').any(|over| over == state.to_lowercase()));
    let (start, body) = subject.body();
    let over = over(body).filter(|over| is_about_memory(subject, over));
    if by.is_none() && state.is_none() && over.is_none() {
        return None;
    }
    let mut fields = SUPERSEDED_BY.split(' ').chain(STATES.split(' '));
    let place = match fields.find(|name| memory.field(name).is_some()) {
        Some(field) if by.is_some() || state.is_some() => subject.at_field(field, None),
        _ => subject.at(start + over.as_ref().map_or(0, |over| over.at)),
    };
    let named = over.iter().flat_map(|over| names(over.rest));
    let (cx, index) = (subject.cx, subject.index);
    let mut successors = by.into_iter().chain(named);
    let other = successors.find_map(|name| find(subject, name));
    let other = other.filter(|other| *other != index);
    let answered = |other| cx.answered("superseded-active", index, other);
    if other.is_some_and(answered) {
        return None;
    }
    let evidence = match (by, state) {
        (Some(by), _) => format!("{} is named as what replaced it", quote(by)),
        (None, Some(state)) => format!("its state is {}", quote(state)),
        (None, None) => {
            let word = over.map_or("", |over| over.word);
            format!("its body begins with {}", quote(word))
        }
    };
    let finding = subject.finding("superseded-active", Severity::Warning, place);
    let finding = finding.sure(0.9).because(evidence).beside(other);
    let finding = finding.says("this memory was replaced, and is still in use");
    Some(finding.fixed_by(subject.archive()))
}

/// True if the word of an end stands alone, or a memory of the store is named as the successor.
fn is_about_memory(subject: &Subject<'_>, over: &Over<'_>) -> bool {
    let rest = over.rest.trim_start_matches(['*', '_']);
    let is_alone = rest.starts_with(['.', '!', ']', ')']) || !rest.contains(char::is_alphanumeric);
    is_alone || names(over.rest).any(|name| find(subject, name).is_some())
}

fn says_it_is_over(subject: &Subject<'_>, other: &std::sync::Arc<Memory>) -> bool {
    let text = subject.cx.texts.text(other).unwrap_or_default();
    let body = text.get(super::subject::body_range(other, &text));
    let over = body.and_then(over);
    over.is_some_and(|over| is_about_memory(subject, &over))
}

fn find(subject: &Subject<'_>, name: &str) -> Option<usize> {
    let store = &subject.memory.id.store;
    let name = bare(name);
    let local = name.strip_prefix(&format!("{store}:")).unwrap_or(name);
    subject.local(local)
}

const DAY: i64 = 86_400_000;

/// A word for an end, and the day behind it.
static DEADLINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)(?:^|[^\w`“])(?:until|expires|ends|due|deadline|(?:valid|review)[ -]by)\W{1,3}(?:on |by )?\W{0,2}(?P<day>\d{4}-\d\d-\d\d)\b",
    )
});

/// Reports a memory that its system stopped reading, and the first end in its body that is past.
pub(super) fn expired(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    out.extend(unread(rule, subject));
    out.extend(past_deadline(rule, subject));
}

fn unread(rule: &Rule, subject: &Subject<'_>) -> Option<Finding> {
    let memory = subject.memory;
    // A memory that is hidden anyway has a finding of its own.
    let is_read = !memory.is_expired(subject.cx.now) || memory.hidden.is_some();
    let expiry = memory.expires.filter(|_| !is_read)?;
    let (format, since, why) = (memory.schema.format, expiry.at.date(), expiry.why);
    let says = format!("{format} does not read it since {since}: {why}");
    // A memory that still holds is worth a `confirm` or an edit: a person decides.
    let finding = subject.finding(rule.id, rule.severity, subject.at(0));
    Some(finding.says(says).fixed_by(subject.archive()))
}

fn past_deadline(rule: &Rule, subject: &Subject<'_>) -> Option<Finding> {
    let memory = subject.memory;
    let (_, body) = subject.body();
    let cues = subject.cues();
    let known = memory.written().max(memory.confirmed);
    let mut found = DEADLINE.as_ref()?.captures_iter(body);
    let (day, ago) = found.find_map(|found| {
        let day = found.name("day")?;
        let end = Timestamp::parse_iso(day.as_str())?.0 + DAY;
        // A day that was past when the memory was written is a fact about the past.
        let is_new = known.is_none_or(|known| known.0 < end) && end <= subject.cx.now.0;
        let cue = cues.at(&day.range());
        let is_told = matches!(cue, Some(Elsewhere | Example | Record | Log));
        (is_new && !is_told).then_some((day, (subject.cx.now.0 - end) / DAY + 1))
    })?;
    let place = subject.in_body(&day.range());
    let sentence = cues.outline().sentence(day.start());
    let sentence = body.get(sentence).unwrap_or_default().trim();
    let ago = counted(ago.unsigned_abs() as usize, "day");
    let day = quote(day.as_str());
    let finding = subject.finding(rule.id, Severity::Warning, place);
    let says = format!("the deadline {day} passed {ago} ago");
    let finding = finding.sure(0.85).says(says);
    Some(finding.because(sentence.replace('\n', " ")))
}
