//! Two memories with one title.

use super::chars::quote;
use super::questions::fold;
use super::{Finding, Rule, RuleInfo, Subject};
use crate::memory::golemcore::kin;
use crate::memory::{Memory, Role, Severity, Value};

/// Titles that differ in case and white space at most.
pub(super) struct DuplicateTitle;

impl Rule for DuplicateTitle {
    fn info(&self) -> RuleInfo {
        RuleInfo("duplicate-title", Severity::Warning)
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let memory = subject.memory;
        let Some(spec) = memory.schema.role(Role::Title) else {
            return;
        };
        let Some(title) = memory.field(spec.name).and_then(Value::as_str) else {
            return;
        };
        let folded = fold(title);
        if folded.is_empty() || kin::has_made_title(memory, subject.body().1) {
            return;
        }
        let same = subject.titled(&folded);
        // New knowledge for a title is appended to its file: that is no second memory to choose
        // between. The first of them all is the one that the others repeat.
        let before = same.take_while(|index| *index < subject.index);
        let mut before = before.filter_map(|index| Some((index, subject.cx.memories.get(index)?)));
        let is_another = |other: &Memory| match other.path == memory.path {
            true => kin::are_two_rows(memory, other),
            false => !kin::is_copy(memory, other),
        };
        let Some(first) = before.find(|(_, other)| is_another(other)) else {
            return;
        };
        let finding = subject
            .finding(
                self.id(),
                self.severity(),
                subject.at_field(spec.name, None),
            )
            .sure(0.95)
            .says(format!(
                "{} has the same title",
                quote(&first.1.id.to_string())
            ))
            .because(format!("both are called {}", quote(title)));
        out.push(Finding {
            related: vec![first.0],
            there: None,
            ..finding
        });
    }
}
