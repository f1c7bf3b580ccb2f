//! Findings that are one decision, shown as one: those of a rule that joins them, in one store.

use std::collections::BTreeMap;

use super::chars::quote;
use super::{Finding, rule};
use crate::retrieval::Snapshot;

/// Joins the findings of rules that ask for it: the first of each store stands for the others of
/// its severity, which are [`Finding::joined`] to it. The order stays.
pub fn join(memories: &Snapshot, findings: Vec<Finding>) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::with_capacity(findings.len());
    let mut first = BTreeMap::new();
    for finding in findings {
        let memory = memories.get(finding.memory);
        let memory = memory.filter(|_| rule(finding.rule).is_some_and(|rule| rule.joins()));
        let Some(memory) = memory else {
            all.push(finding);
            continue;
        };
        let key = (finding.rule, finding.severity, memory.id.store.clone());
        let at = *first.entry(key).or_insert(all.len());
        match all.get_mut(at) {
            Some(one) => one.joined.push(finding),
            None => all.push(finding),
        }
    }
    for one in all.iter_mut().filter(|one| !one.joined.is_empty()) {
        summarize(memories, one);
    }
    all
}

/// Words a finding that stands for others: how many, their titles and what their fixes do.
fn summarize(memories: &Snapshot, one: &mut Finding) {
    let joined = std::mem::take(&mut one.joined);
    let mut fixes: BTreeMap<&str, usize> = BTreeMap::new();
    let own = one.fix.as_ref().map(|fix| fix.title.clone());
    let titles = joined.iter().filter_map(|other| other.fix.as_ref());
    for title in own
        .as_deref()
        .into_iter()
        .chain(titles.map(|fix| &*fix.title))
    {
        *fixes.entry(title).or_default() += 1;
    }
    let fixes: Vec<String> = match fixes.len() {
        1 => fixes
            .keys()
            .map(|title| format!("{title}, for each"))
            .collect(),
        _ => fixes
            .iter()
            .map(|(title, count)| format!("{title} ({count})"))
            .collect(),
    };
    let title = |index: usize| Some(quote(&memories.get(index)?.title));
    one.message = format!("{} memories, each {}", joined.len() + 1, one.message);
    one.related = joined.iter().map(|other| other.memory).collect();
    one.evidence = [one.memory]
        .iter()
        .chain(&one.related)
        .filter_map(|n| title(*n))
        .collect();
    one.marks.clear();
    one.place = None;
    if let Some(fix) = &mut one.fix {
        fix.title = fixes.join(", ");
    }
    one.joined = joined;
}
