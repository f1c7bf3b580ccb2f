//! Secrets: keys, tokens, private keys and passwords. No finding shows one in full.
//!
//! Forms are rows of `assets/lint/secrets.toml`; `columns` reads tables with a telling heading.

mod columns;
mod mask;

use std::ops::Range;
use std::sync::LazyLock;

use super::chars::cut;
use super::rows::Table;
use super::{Finding, MarkedBy, Rule, RuleInfo, Subject};
use crate::memory::Severity;

use super::rows::Hit;
pub use mask::{mask, mask_diff};

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/secrets.toml")));

/// A secret in a memory.
pub(super) struct Secret;

impl Rule for Secret {
    fn info(&self) -> RuleInfo {
        RuleInfo("secret", Severity::Warning)
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let hits = hits(subject);
        if hits.is_empty() {
            return;
        }
        // Random text beside a secret may be another secret.
        let masked = mask::hide_random(&mask(subject.text));
        for hit in hits {
            let secret = subject.text.get(hit.at.clone()).unwrap_or_default();
            let length = secret.chars().count();
            let s = if length == 1 { "" } else { "s" };
            let name = &hit.row.name;
            let finding = subject
                .finding(self.id(), self.severity(), subject.at(hit.at.start))
                .about(hit.at.clone())
                .marked_by(MarkedBy::Message)
                .sure(hit.row.confidence)
                .says(format!(
                    "{name} of {length} character{s} stands in the memory"
                ))
                .because(line_around(&masked, &hit.at));
            out.push(finding);
        }
    }
}

/// Removes from findings what must not be shown: those of one memory, or of all together.
pub fn redact(subject: Option<&Subject<'_>>, findings: &mut [Finding]) {
    match subject.filter(|_| !findings.is_empty()) {
        Some(subject) => mask::hide_all((subject.text, hits(subject)), findings),
        None => mask::hide_all(("", &[]), findings),
    }
}

/// The secrets in a memory: the rule reports them, and hides them in what other rules report.
fn hits<'l>(subject: &'l Subject<'_>) -> &'l [Hit] {
    subject.of(|| find(subject.text))
}

/// The secrets of a text, in order, none inside another.
pub(super) fn find(text: &str) -> Vec<Hit> {
    let mut hits = TABLE.find(text);
    columns::find(text, &mut hits);
    hits.into_vec()
}

/// Bytes around a secret that are shown.
const AROUND: usize = 60;

/// The line a secret stands in, masked, and cut where it is long.
fn line_around(masked: &str, at: &Range<usize>) -> String {
    let before = masked.get(..at.start).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let after = masked.get(at.start..).unwrap_or_default();
    let end = after.find('\n').map_or(masked.len(), |n| at.start + n);
    let from = cut(masked, start.max(at.start.saturating_sub(AROUND))).len();
    let to = cut(masked, end.min(at.start + AROUND)).len();
    let line = masked.get(from.max(start)..to).unwrap_or_default();
    line.trim().to_owned()
}

#[cfg(test)]
mod tests;
