//! Findings that are one decision, shown as one: those of a rule that joins them, in one store.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use itertools::Itertools as _;

use super::chars::quote;
use super::{Finding, Fix, rule};
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
pub fn join(memories: &Snapshot, mut findings: Vec<Finding>, on_screen: bool) -> Vec<Finding> {
    let key = |one: &Finding| {
        let severity = match joins(one) {
            Joins::Always => None,
            Joins::OnScreen if on_screen => Some(one.severity),
            _ => return None,
        };
        Some((one.rule, severity, &memories.get(one.memory)?.id.store))
    };
    let mut known = HashSet::new();
    let is_later = |one: &mut Finding| key(one).is_some_and(|key| !known.insert(key));
    let later = findings.extract_if(.., is_later);
    let mut later = later
        .filter_map(|one| Some((key(&one)?, one)))
        .into_group_map();
    for one in &mut findings {
        if let Some(others) = key(one).and_then(|key| later.remove(&key)) {
            let all = [one.clone()].into_iter().chain(others).collect();
            *one = joined(memories, one, all);
        }
    }
    findings
}

fn joins(one: &Finding) -> Joins {
    rule(one.rule).map_or(Joins::Never, |rule| rule.joins)
}

/// The finding that stands for several, with their number, a line for each and one fix for all.
fn joined(memories: &Snapshot, first: &Finding, mut all: Vec<Finding>) -> Finding {
    let is_one = joins(first) == Joins::Always;
    if is_one {
        all.sort_by_key(|one| (one.memory, one.line));
    }
    let first = all.first().unwrap_or(first);
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
    let fix = match fixes.as_slice() {
        [] | [_] => fixes.first().map(|one| (*one).clone()),
        _ => Some(Fix {
            title: titles.join(", "),
            memory: first.memory,
            change: Change::Fix(fixes.iter().map(|fix| fix.change.clone()).collect()),
            safe: fixes.iter().all(|fix| fix.safe),
        }),
    };
    let worst = all.iter().map(|one| one.severity).min();
    let worst = worst.unwrap_or(first.severity);
    let one = Finding::new(first.rule, worst, first.memory, first.line);
    let evidence = |one: &Finding| {
        let memory = memories.get(one.memory)?;
        Some(match is_one {
            true => format!("{}:{}: {}", memory.id.local, one.line, one.message),
            false => quote(&memory.title),
        })
    };
    let message = match is_one {
        true => format!("{} links lead to no memory of the store", all.len()),
        false => format!("{} memories: {}", all.len(), first.message),
    };
    let mut related: Vec<usize> = all.iter().map(|one| one.memory).collect();
    related.retain(|memory| *memory != first.memory);
    related.dedup();
    Finding {
        confidence: all.iter().map(|one| one.confidence).fold(1.0, f64::min),
        message,
        evidence: all.iter().filter_map(evidence).collect(),
        related,
        column: first.column,
        fix: fix.map(Box::new),
        joined: all,
        ..one
    }
}
