//! Paths of one person's machine: rows of `assets/lint/personal.toml`.

use std::sync::LazyLock;

use super::chars::quote;
use super::rows::Table;
use super::{Finding, Rule, Subject};

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/personal.toml")));

/// Reports paths in the home of one person.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let paths = TABLE.find(subject.text).into_vec();
    let Some(first) = paths.first() else {
        return;
    };
    let message = match paths.len() {
        1 => "a path exists on one machine only".to_owned(),
        count => format!("{count} paths exist on one machine only"),
    };
    let mut finding = subject
        .finding(rule.id, rule.severity, subject.at_bytes(first.at.clone()))
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
