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
    let (mut groups, mut first): (Vec<Vec<Finding>>, _) = (Vec::new(), BTreeMap::new());
    for finding in findings {
        let severity = match joins(&finding) {
            Joins::Always => Some(None),
            Joins::OnScreen if on_screen => Some(Some(finding.severity)),
            _ => None,
        };
        let key = severity.zip(memories.get(finding.memory).map(|memory| &memory.id.store));
        let at = key.map_or(groups.len(), |key| {
            *first.entry((finding.rule, key)).or_insert(groups.len())
        });
        match groups.get_mut(at) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    let groups = groups.into_iter();
    groups.filter_map(|all| joined(memories, all)).collect()
}

fn joins(one: &Finding) -> Joins {
    rule(one.rule).map_or(Joins::Never, |rule| rule.joins)
}

/// The finding that stands for several, with their number, a line for each and one fix for all.
fn joined(memories: &Snapshot, mut all: Vec<Finding>) -> Option<Finding> {
    if all.len() < 2 {
        return all.pop();
    }
    let is_one = joins(all.first()?) == Joins::Always;
    if is_one {
        all.sort_by_key(|one| (one.memory, one.line));
    }
    let first = all.first()?;
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
    let worst = all.iter().map(|one| one.severity).min()?;
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
    Some(Finding {
        confidence: all.iter().map(|one| one.confidence).fold(1.0, f64::min),
        message,
        evidence: all.iter().filter_map(evidence).collect(),
        related,
        about: if is_one { About::Store } else { first.about },
        column: first.column,
        fix: fix.map(Box::new),
        joined: all,
        ..one
    })
}
