//! Findings that are one decision, shown as one: those of a rule that joins them, in one store.

use std::collections::BTreeMap;

use super::chars::quote;
use super::{Finding, Fix, rule};
use crate::curate::Change;
use crate::retrieval::Snapshot;

/// Joins the findings of rules that ask for it: one finding stands for all of a store that have its
/// severity, which are [`Finding::joined`] to it. The order stays.
pub fn join(memories: &Snapshot, findings: Vec<Finding>) -> Vec<Finding> {
    let mut groups: Vec<Vec<Finding>> = Vec::with_capacity(findings.len());
    let mut first = BTreeMap::new();
    for finding in findings {
        let memory = memories.get(finding.memory);
        let memory = memory.filter(|_| rule(finding.rule).is_some_and(|rule| rule.joins()));
        let at = memory.map_or(groups.len(), |memory| {
            let key = (finding.rule, finding.severity, memory.id.store.clone());
            *first.entry(key).or_insert(groups.len())
        });
        match groups.get_mut(at) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    let joined = groups
        .into_iter()
        .filter_map(|mut group| match group.len() {
            0 | 1 => group.pop(),
            _ => joined(memories, group),
        });
    joined.collect()
}

/// The finding that stands for several: how many, their titles and one fix that makes all of theirs.
fn joined(memories: &Snapshot, all: Vec<Finding>) -> Option<Finding> {
    let first = all.first()?;
    let title = |finding: &Finding| Some(quote(&memories.get(finding.memory)?.title));
    let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
    let fixes = all.iter().filter_map(|finding| finding.fix.as_ref());
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
    Some(Finding {
        confidence: all.iter().map(|one| one.confidence).fold(1.0, f64::min),
        message: format!("{} memories: {}", all.len(), first.message),
        evidence: all.iter().filter_map(title).collect(),
        related: all.iter().skip(1).map(|one| one.memory).collect(),
        fix,
        joined: all.clone(),
        ..Finding::new(first.rule, first.severity, first.memory, first.line)
    })
}
