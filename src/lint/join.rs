//! Findings that are one decision, shown as one: those of a rule that joins them, in one store.

use std::collections::{BTreeMap, BTreeSet};

use super::chars::quote;
use super::{About, Finding, Fix, rule};
use crate::curate::Change;
use crate::retrieval::Snapshot;

/// The findings of a rule in one store that are shown as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joins {
    /// None.
    Never,
    /// Those of one severity, where people read them.
    OnScreen,
    /// All, everywhere: they count as one.
    Always,
}

/// Joins the findings of rules that ask for it, of those that do so only on a screen if this is for
/// one: one finding stands for the others, which are its [`Finding::joined`]. Keeps the order.
pub fn join(memories: &Snapshot, findings: Vec<Finding>, on_screen: bool) -> Vec<Finding> {
    let (mut shown, mut first) = (Vec::with_capacity(findings.len()), BTreeMap::new());
    let mut rest: BTreeMap<usize, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        let severity = match joins(&finding) {
            Joins::Always => Some(None),
            Joins::OnScreen if on_screen => Some(Some(finding.severity)),
            _ => None,
        };
        let memory = memories.get(finding.memory);
        let key = memory.zip(severity);
        let at = key.map_or(shown.len(), |(memory, severity)| {
            let key = (finding.rule, severity, memory.id.store.clone());
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
            if joins(first) == Joins::Always {
                all.sort_by_key(|one| (one.memory, one.line));
            }
            *first = joined(memories, all).unwrap_or_else(|| first.clone());
        }
    }
    shown
}

fn joins(one: &Finding) -> Joins {
    rule(one.rule).map_or(Joins::Never, |rule| rule.joins)
}

/// The finding that stands for several, with their number, their titles and one fix for all.
fn joined(memories: &Snapshot, all: Vec<Finding>) -> Option<Finding> {
    let first = all.first()?;
    let title = |finding: &Finding| Some(quote(&memories.get(finding.memory)?.title));
    let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
    // Of two edits of one memory the second is found again.
    let mut fixed = BTreeSet::new();
    let fixes = all.iter().filter_map(|finding| finding.fix.as_deref());
    let fixes: Vec<&Fix> = fixes.filter(|fix| fixed.insert(fix.memory)).collect();
    for fix in &fixes {
        *titles.entry(&fix.title).or_default() += 1;
    }
    let titles: Vec<String> = titles
        .iter()
        .map(|(title, count)| format!("{title} ({count})"))
        .collect();
    let changes: Vec<Change> = fixes.iter().map(|fix| fix.change.clone()).collect();
    let fix = (!changes.is_empty()).then(|| Fix {
        title: titles.join(", "),
        memory: first.memory,
        change: Change::Fix(changes),
        safe: fixes.iter().all(|fix| fix.safe),
    });
    let is_one = joins(first) == Joins::Always;
    let worst = all.iter().map(|one| one.severity).min()?;
    let one = Finding::new(first.rule, worst, first.memory, first.line);
    let (message, evidence): (_, Vec<String>) = match is_one {
        true => {
            let line = |one: &Finding| {
                let memory = memories.get(one.memory)?;
                Some(format!("{}:{}: {}", memory.id.local, one.line, one.message))
            };
            let says = format!("{} links lead to no memory of the store", all.len());
            (says, all.iter().filter_map(line).collect())
        }
        false => (
            format!("{} memories: {}", all.len(), first.message),
            all.iter().filter_map(title).collect(),
        ),
    };
    let mut related: Vec<usize> = all.iter().map(|one| one.memory).collect();
    related.retain(|memory| *memory != first.memory);
    related.dedup();
    Some(Finding {
        confidence: all.iter().map(|one| one.confidence).fold(1.0, f64::min),
        message,
        evidence,
        related,
        about: if is_one { About::Store } else { first.about },
        column: first.column,
        fix: fix.map(Box::new),
        joined: all,
        ..one
    })
}
