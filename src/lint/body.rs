//! The length of a body: how long it is, and how much of it an agent is given.

use super::chars::fence_after;
use super::report::counted;
use super::tuning::Threshold;
use super::{Finding, Rule, Subject};
use crate::memory::{Role, Severity};
use crate::retrieval::js;
use crate::systems::rawko::{self, Dialect};

/// Words of a body that the format allows.
const MOST: f64 = 2000.0;

/// The advised lengths.
pub(super) const LIMITS: &[Threshold; 2] = &[
    Threshold {
        name: "least",
        usual: 200.0,
        range: (0.0, 1e6),
        what: "words of a body below which it is short",
    },
    Threshold {
        name: "most",
        usual: 500.0,
        range: (0.0, 1e6),
        what: "words of a body above which it is long",
    },
];

/// Reports a body shorter or longer than the format advises.
pub(super) fn length(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    // Of a file that could not be read it is not known what the body is.
    let advised = subject.memory.schema.can.advised_words;
    let Some(own) = advised.filter(|_| !subject.has_problem("load-error")) else {
        return;
    };
    let words = subject.memory.words;
    // The format's advised limit, unless the configuration says otherwise.
    let limit = |one: &Threshold, own: u32| {
        let set = subject.cx.threshold(rule.id, one.name, subject.index);
        let is_usual = set == one.usual;
        if is_usual { f64::from(own) } else { set }
    };
    let [least, most] = LIMITS;
    let (least, most) = (limit(least, own.0), limit(most, own.1));
    let count = f64::from(words);
    if (least..=most).contains(&count) {
        return;
    }
    let says = format!("the body has {}", counted(words as usize, "word"));
    let advised = format!("{says}; {least} to {most} are advised");
    let too_long = format!("{says}; the limit is 2,000");
    let (severity, confidence, message) = match count < least {
        true => (Severity::Info, 0.3, advised),
        false if count <= MOST || most > MOST => (Severity::Info, 0.4, advised),
        false => (Severity::Warning, 0.9, too_long),
    };
    let (start, body) = subject.body();
    let blanks = body.len() - body.trim_start().len();
    let finding = subject.finding(rule.id, severity, subject.at(start + blanks));
    out.push(finding.sure(confidence).says(message));
}

/// Reports a body of which the prompt keeps the beginning only.
pub(super) fn cut_in_prompt(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    if !rawko::cuts(subject.memory.schema) || subject.memory.role(Role::Patterns).is_none() {
        return;
    }
    let (start, body) = subject.body();
    let Some(cut) = rawko::cut(body, Dialect::Natural) else {
        return;
    };
    let (before, after) = body.split_at_checked(cut.at).unwrap_or((body, ""));
    let hidden = js::trim(after).split_whitespace().count();
    let offset = start + cut.at;
    // The line that the cut stands on, not the end of the one before.
    let mut place = subject.at(if cut.heading { offset + 1 } else { offset });
    place.bytes = Some(offset..offset);
    let line = place.line.saturating_sub(u32::from(cut.heading));
    let fenced = before.lines().fold(None, fence_after).is_some();
    let is_prose = |line: &str| !line.starts_with('#') && line.contains(char::is_alphanumeric);
    let (confidence, what) = match cut.heading {
        true if fenced => (
            0.95,
            "a line of code that begins with `# ` is taken for a heading",
        ),
        true if !before.lines().any(is_prose) => (
            0.95,
            "nothing but headings stands before the next first-level heading",
        ),
        true => (0.5, "a first-level heading ends the preview"),
        false => (0.2, "the limit is 500 characters"),
    };
    let finding = subject
        .finding(rule.id, Severity::of(confidence >= 0.95), place)
        .sure(confidence)
        .says(format!("Cut at line {line}: {what}"))
        .because(format!(
            "an agent never sees the last {}",
            counted(hidden, "word")
        ));
    out.push(finding);
}
