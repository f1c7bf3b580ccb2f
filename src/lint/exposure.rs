//! Links and commands that carry data to another host.
//!
//! The forms are rows of `assets/lint/exfiltration.toml`.

use std::sync::LazyLock;

use super::chars::{cut, quote};
use super::rows::{Hit, SURE, Table};
use super::subject::first_part;
use super::{Finding, Rule, Subject};
use crate::memory::Severity;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::parse(include_str!("../../assets/lint/exfiltration.toml")));

/// Bytes of a command that are shown.
const SHOWN: usize = 160;

/// Links and commands of a text that carry data to another host.
fn hits(text: &str) -> impl Iterator<Item = Hit> {
    let hits = TABLE.find(text).into_vec().into_iter();
    hits.filter(|hit| !stays(text.get(hit.at.clone()).unwrap_or_default()))
}

/// True if a text carries data to another host for sure.
pub fn carries_data_away(text: &str) -> bool {
    hits(first_part(text)).any(|hit| hit.row.confidence >= SURE)
}

/// Reports links and commands that carry data to another host.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    for hit in hits(subject.text) {
        let matched = subject.text.get(hit.at.clone()).unwrap_or_default();
        let severity = Severity::of(hit.row.confidence >= SURE);
        let finding = subject
            .finding(rule.id, severity, subject.at_bytes(hit.at))
            .sure(hit.row.confidence)
            .says(hit.row.name.as_str())
            .because(quote(cut(matched, SHOWN)));
        out.push(finding);
    }
}

/// True if all addresses in a command are local; without addresses, if a word of it is a local host.
fn stays(command: &str) -> bool {
    const HERE: &str = "localhost 127.0.0.1 0.0.0.0 [::1] host.docker.internal";
    let is_here = |address: &str| {
        let end = ['/', '?', '#', ' ', '"', '\'', '`', ')'];
        let host = address.split(end).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        HERE.split(' ').any(|here| {
            let rest = host.strip_prefix(here);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        })
    };
    let mut addresses = command.split("://").skip(1).peekable();
    if addresses.peek().is_some() {
        return addresses.all(is_here);
    }
    let mut words = command.split(|c: char| c.is_whitespace() || "/'\"".contains(c));
    words.any(is_here)
}
