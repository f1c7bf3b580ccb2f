//! Paths of one person's machine: rows of `assets/lint/personal.toml`.

use std::sync::LazyLock;

use super::chars::quote;
use super::rows::Table;
use super::{Check, Finding, RuleInfo, Subject};
use crate::memory::Severity;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/personal.toml")));

/// A path in the home of one person.
pub(super) static PERSONAL_PATH: Check = Check(RuleInfo("personal-path", Severity::Info), check);

fn check(rule: RuleInfo, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let paths = TABLE.find(subject.text).into_vec();
    let Some(first) = paths.first() else {
        return;
    };
    let message = match paths.len() {
        1 => "a path exists on one machine only".to_owned(),
        count => format!("{count} paths exist on one machine only"),
    };
    let mut finding = subject
        .finding(rule.0, rule.1, subject.at(first.at.start))
        .about(first.at.clone())
        .sure(first.row.confidence)
        .says(message);
    for path in &paths {
        let shown = quote(subject.text.get(path.at.clone()).unwrap_or_default());
        if finding.evidence.len() < 5 && !finding.evidence.contains(&shown) {
            finding.evidence.push(shown);
        }
    }
    out.push(finding);
}
