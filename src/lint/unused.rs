//! Memories that sessions were given and made no use of, by the record of use.

use std::sync::LazyLock;

use super::tuning::Threshold;
use super::{Finding, Rule, Subject};
use crate::memory::worth::Worths;

/// A record without entries.
pub(super) static NOTHING: LazyLock<Worths> = LazyLock::new(Worths::default);

/// The sessions that it takes to say something.
pub(super) const LIMITS: &[Threshold; 1] = &[Threshold {
    name: "given",
    usual: 10.0,
    range: (1.0, 1e6),
    what: "sessions that were given a memory, from which on it is judged",
}];

/// Share of the sessions that go against a memory, as one of so many, from which on it is ignored.
const ONE_OF: u32 = 4;

/// Reports a memory that no session drew on, and one that many went against.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let Some(worth) = subject.cx.worths.of(&subject.memory.id) else {
        return;
    };
    let least = subject.cx.threshold(rule.id, "given", subject.index);
    if f64::from(worth.given) < least {
        return;
    }
    let finding = || subject.finding(rule.id, rule.severity, subject.at(0));
    let is_ignored = worth.against > 1 && worth.against * ONE_OF >= worth.given;
    match rule.id {
        "never-used" if worth.drawn + worth.against == 0 => {
            out.push(finding().sure(0.6).says(format!("{worth}")));
        }
        "ignored" if is_ignored => out.push(finding().sure(0.7).says(format!("{worth}"))),
        _ => {}
    }
}
