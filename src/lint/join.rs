//! Findings that are one decision, shown as one: those of a rule that joins them, in one store.

use std::collections::BTreeMap;

use super::chars::quote;
use super::{Finding, Fix, rule};
use crate::curate::Change;
use crate::retrieval::Snapshot;

/// Joins the findings of rules that ask for it: one finding per rule, store and severity stands for the
/// others, which are its [`Finding::joined`]. Keeps the order.
pub fn join(memories: &Snapshot, findings: Vec<Finding>) -> Vec<Finding> {
    let joins = |one: &Finding| rule(one.rule).is_some_and(|rule| rule.joins);
    let (mut shown, mut first) = (Vec::with_capacity(findings.len()), BTreeMap::new());
    let mut rest: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        let memory = memories.get(finding.memory);
        let memory = memory.filter(|_| joins(&finding));
        let at = memory.map_or(shown.len(), |memory| {
            let key = (finding.rule, finding.severity, memory.id.store.clone());
            *first.entry(key).or_insert(shown.len())
        });
        match at < shown.len() {
            true => rest.entry(at).or_default().push(finding),
            false => shown.push(finding),
        }
    }
    for (at, mut all) in rest {
        if let Some(first) = shown.get_mut(at) {
            all.insert(0, first.clone());
            *first = joined(memories, all).unwrap_or_else(|| first.clone());
        }
    }
    shown
}

/// The finding that stands for several, with their number, their titles and one fix for all.
fn joined(memories: &Snapshot, all: Vec<Finding>) -> Option<Finding> {
    let first = all.first()?;
    let title = |finding: &Finding| Some(quote(&memories.get(finding.memory)?.title));
    let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
    let fixes = all.iter().filter_map(|finding| finding.fix.as_deref());
    for fix in fixes.clone() {
        *titles.entry(&fix.title).or_default() += 1;
    }
    let titles: Vec<String> = titles
        .iter()
        .map(|(title, count)| format!("{title} ({count})"))
        .collect();
    let changes: Vec<Change> = fixes.map(|fix| fix.change.clone()).collect();
    let fix = (!changes.is_empty()).then(|| Fix {
        title: titles.join(", "),
        memory: first.memory,
        change: Change::Fix(changes),
        safe: false,
    });
    let one = Finding::new(first.rule, first.severity, first.memory, first.line);
    Some(Finding {
        confidence: all.iter().map(|one| one.confidence).fold(1.0, f64::min),
        message: format!("{} memories: {}", all.len(), first.message),
        evidence: all.iter().filter_map(title).collect(),
        related: all.iter().skip(1).map(|one| one.memory).collect(),
        fix: fix.map(Box::new),
        joined: all,
        ..one
    })
}
