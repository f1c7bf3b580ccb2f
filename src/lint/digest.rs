//! All findings of a store, as many as are worth holding.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Context, Facts, Finding, Look, Rule, Selection, check, sort};
use crate::memory::{Severity, State};
use crate::search::query::{Marks, RuleSet};

/// Memories that are looked at before what was found is sorted out, and most of it let go.
const PIECE: usize = 512;

/// What lint found in a store.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Digest {
    /// The findings, in the contract's order.
    pub findings: Vec<Finding>,
    /// What was found in each memory of the snapshot, left out or not.
    pub marks: Vec<Marks>,
    /// How many findings are more than suggestions, left out or not.
    pub warnings: usize,
    /// How many findings of a rule are counted and not held.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Whether memories were not compared with each other, for they are too many.
    pub not_compared: bool,
}

impl Digest {
    /// The digest of these findings, all of them held.
    pub fn of(memories: usize, findings: Vec<Finding>) -> Self {
        let mut tally = Tally::new(memories, usize::MAX);
        tally.take(findings);
        tally.into_digest()
    }
}

/// Looks at every memory with the selected rules, in parallel. Of each rule no more than `most`
/// findings are held, errors apart: in a store of 100,000 they would take more room than the memories.
pub fn digest(cx: &Context<'_>, rules: &Selection, most: usize) -> Digest {
    let all: Vec<usize> = (0..cx.memories.len()).collect();
    digest_of(cx, rules, most, &all)
}

/// The same, looking at the memories with these indexes only.
pub fn digest_of(cx: &Context<'_>, rules: &Selection, most: usize, indexes: &[usize]) -> Digest {
    let facts = Facts::new(cx);
    let rules: Vec<&dyn Rule> = rules.rules().collect();
    let compares = rules.iter().any(|rule| rule.compares());
    let mut tally = Tally::new(cx.memories.len(), most);
    for piece in indexes.chunks(PIECE) {
        let found: Vec<Vec<Finding>> = piece
            .par_iter()
            .map(|index| look(cx, &facts, &rules, compares, *index))
            .collect();
        found.into_iter().for_each(|found| tally.take(found));
    }
    let mut found = Vec::new();
    for rule in rules {
        rule.finish(cx, &facts, &mut found);
    }
    super::secret::hide_all("", &mut found);
    tally.take(found);
    let mut digest = tally.into_digest();
    sort(cx, &mut digest.findings);
    digest
}

fn look(
    cx: &Context<'_>,
    facts: &Facts,
    rules: &[&dyn Rule],
    compares: bool,
    index: usize,
) -> Vec<Finding> {
    let memory = cx.memories.get(index);
    let active = memory.filter(|memory| memory.state == State::Active);
    // What cannot be read has no text, and that is a finding too.
    let text = active.map(|memory| cx.texts.text(memory).unwrap_or_default());
    let (Some(memory), Some(text)) = (active, text) else {
        return Vec::new();
    };
    if compares {
        facts.pairs.add(&Look::new(cx, facts, index, memory, &text));
    }
    check(cx, facts, rules, index, &text)
}

/// What was found so far.
struct Tally {
    most: usize,
    findings: Vec<Finding>,
    warnings: usize,
    marks: Vec<Marks>,
    held: BTreeMap<&'static str, usize>,
    left_out: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn new(memories: usize, most: usize) -> Self {
        Self {
            most,
            findings: Vec::new(),
            warnings: 0,
            marks: vec![Marks::default(); memories],
            held: BTreeMap::new(),
            left_out: BTreeMap::new(),
        }
    }

    fn take(&mut self, found: Vec<Finding>) {
        for finding in found {
            if let Some(marks) = self.marks.get_mut(finding.memory) {
                marks.findings.add(RuleSet::of(finding.rule));
                marks.count += 1;
            }
            self.warnings += usize::from(finding.severity != Severity::Info);
            if finding.severity != Severity::Error {
                let held = self.held.entry(finding.rule).or_default();
                if *held >= self.most {
                    *self.left_out.entry(finding.rule).or_default() += 1;
                    continue;
                }
                *held += 1;
            }
            self.findings.push(finding);
        }
    }

    fn into_digest(self) -> Digest {
        Digest {
            marks: self.marks,
            findings: self.findings,
            warnings: self.warnings,
            left_out: self.left_out,
            not_compared: false,
        }
    }
}
