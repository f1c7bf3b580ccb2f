//! Memories that repeat a document of the project.

use super::chars::quote;
use super::documents::{NAMES, repeated};
use super::{Finding, Rule, RuleInfo, Subject};
use crate::memory::Severity;

/// A memory that repeats a document of the project.
pub(super) struct RepeatsDocs;

impl Rule for RepeatsDocs {
    fn info(&self) -> RuleInfo {
        RuleInfo("repeats-docs", Severity::Warning)
    }

    fn files(&self) -> Vec<&'static str> {
        NAMES.to_vec()
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let Some((path, shared)) = repeated(subject) else {
            return;
        };
        let (start, _) = subject.body();
        let finding = subject.finding(self.id(), self.severity(), subject.at(start));
        let percent = (shared * 100.0).round();
        out.push(
            finding
                .sure(0.6 + 0.35 * shared.min(1.0))
                .says(format!("{} says this already", quote(path)))
                .because(format!("{percent}% of its wording stands there")),
        );
    }
}
