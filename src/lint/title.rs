//! Two memories with one title.

use super::chars::quote;
use super::lookup::fold;
use super::{Check, Finding, RuleInfo, Subject};
use crate::memory::{Memory, Role, Severity, Value};
use crate::systems::golemcore::kin;

/// Titles that differ in case and white space at most.
pub(super) static DUPLICATE_TITLE: Check =
    Check(RuleInfo("duplicate-title", Severity::Warning), check);

fn check(rule: RuleInfo, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let memory = subject.memory;
    let title = |name| Some((name, memory.field(name)?.as_str()?));
    let spec = memory.schema.role(Role::Title);
    let Some((field, title)) = spec.and_then(|spec| title(spec.name)) else {
        return;
    };
    let folded = fold(title);
    if folded.is_empty() || kin::has_made_title(memory, subject.body().1) {
        return;
    }
    let same = subject.called(title);
    // New knowledge for a title is appended to its file: that is no second memory to choose
    // between. The first of them all is the one that the others repeat.
    let mut before = same.take_while(|(index, _)| *index < subject.index);
    let is_another = |other: &Memory| match other.path == memory.path {
        true => kin::are_two_rows(memory, other),
        false => !kin::is_copy(memory, other),
    };
    let is_same = |other: &Memory| {
        let title = other.field(field).and_then(Value::as_str);
        title.is_some_and(|title| fold(title) == folded) && is_another(other)
    };
    let Some((first, other)) = before.find(|(_, other)| is_same(other)) else {
        return;
    };
    let place = subject.at_field(field, None);
    let id = quote(&other.id.to_string());
    let finding = subject.finding(rule.0, rule.1, place);
    let finding = finding.because(format!("both are called {}", quote(title)));
    let finding = finding.says(format!("{id} has the same title"));
    out.push(finding.sure(0.95).beside([first]));
}
