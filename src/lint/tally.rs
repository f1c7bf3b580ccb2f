//! What was found so far: as much of it as is worth holding, and how much there was.

use std::collections::{BTreeMap, HashMap};

use super::answers::of_equals;
use super::digest::Digest;
use super::sift::{Sift, Unreported};
use super::{Finding, secret};
use crate::memory::Severity;
use crate::search::query::{Marks, RuleSet};

/// What was found so far.
pub(super) struct Tally {
    most: usize,
    findings: Vec<Finding>,
    warnings: usize,
    marks: Vec<Marks>,
    held: BTreeMap<&'static str, usize>,
    left_out: BTreeMap<&'static str, usize>,
}

impl Tally {
    pub fn new(memories: usize, most: usize) -> Self {
        Self {
            most,
            findings: Vec::new(),
            warnings: 0,
            marks: vec![Marks::default(); memories],
            held: BTreeMap::new(),
            left_out: BTreeMap::new(),
        }
    }

    /// Whether any of so many findings would be held.
    pub fn holds(&self, counts: &[(&'static str, Severity)]) -> bool {
        counts.iter().any(|(rule, severity)| {
            let held = self.held.get(rule).copied().unwrap_or_default();
            *severity == Severity::Error || held < self.most
        })
    }

    /// Takes findings in.
    pub fn take(&mut self, found: Vec<Finding>) {
        for finding in found {
            self.take_one(finding, |_| {});
        }
    }

    /// Takes in a finding, of which the rest is told where it is held.
    fn take_one(&mut self, mut finding: Finding, tell: impl FnOnce(&mut Finding)) {
        self.mark(finding.memory, finding.rule, finding.severity);
        // What is asked about two memories is as much about the other one, and counted once.
        let other = finding.related.first().filter(|_| of_equals(finding.rule));
        if let Some(marks) = other.and_then(|other| self.marks.get_mut(*other)) {
            marks.findings.add(RuleSet::of(finding.rule));
        }
        if finding.severity != Severity::Error {
            let held = self.held.entry(finding.rule).or_default();
            if *held >= self.most {
                *self.left_out.entry(finding.rule).or_default() += 1;
                return;
            }
            *held += 1;
        }
        tell(&mut finding);
        self.findings.push(finding);
    }

    /// Takes in what is not held of a memory.
    pub fn count(&mut self, memory: usize, counts: &[(&'static str, Severity)]) {
        for &(rule, severity) in counts {
            self.mark(memory, rule, severity);
            *self.left_out.entry(rule).or_default() += 1;
        }
    }

    fn mark(&mut self, memory: usize, rule: &'static str, severity: Severity) {
        if let Some(marks) = self.marks.get_mut(memory) {
            marks.findings.add(RuleSet::of(rule));
            marks.count += 1;
        }
        self.warnings += usize::from(severity != Severity::Info);
    }

    pub fn into_digest(mut self) -> Digest {
        self.findings.shrink_to_fit();
        Digest {
            marks: self.marks,
            findings: self.findings,
            warnings: self.warnings,
            left_out: self.left_out,
            notes: Vec::new(),
            unreported: Unreported::default(),
        }
    }
}

/// Takes what a rule finds in all memories together.
pub struct Out<'o, 'c> {
    sift: &'o mut Sift<'c>,
    tally: &'o mut Tally,
    covered: &'o Covered,
}

/// The rules that say nothing about a memory, by its index, for another rule covers them there.
pub(super) type Covered = HashMap<usize, Vec<&'static str>>;

impl<'o, 'c> Out<'o, 'c> {
    /// What is found goes through the one into the other.
    pub(super) fn new(sift: &'o mut Sift<'c>, tally: &'o mut Tally, covered: &'o Covered) -> Self {
        Self {
            sift,
            tally,
            covered,
        }
    }

    /// True if another rule covers this one in a memory that the finding asks about.
    fn is_covered(&self, finding: &Finding) -> bool {
        let covers = |memory: &usize| {
            let rules = self.covered.get(memory);
            rules.is_some_and(|rules| rules.contains(&finding.rule))
        };
        covers(&finding.memory) || (finding.asks() && finding.related.iter().all(covers))
    }

    /// Takes a finding.
    pub fn push(&mut self, finding: Finding) {
        self.told(finding, |_| {});
    }

    /// Whether a memory silences a rule, for what is found in another one too.
    pub fn silences(&mut self, rule: &str, memory: usize) -> bool {
        self.sift.silences(rule, memory)
    }

    /// Takes a finding of which all but the rule, the memories, how much it weighs and how sure it
    /// is comes later, and only where somebody asks for it: a rule may find more than is held.
    pub fn told(&mut self, finding: Finding, tell: impl FnOnce(&mut Finding)) {
        if self.is_covered(&finding) {
            return;
        }
        let mut tell = Some(tell);
        let mut tell = |finding: &mut Finding| {
            if let Some(tell) = tell.take() {
                tell(finding);
                secret::hide_all(("", &[]), std::slice::from_mut(finding));
            }
        };
        if let Some(finding) = self.sift.one(finding, &mut tell) {
            self.tally.take_one(finding, tell);
        }
    }
}

impl Extend<Finding> for Out<'_, '_> {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, found: T) {
        for finding in found {
            self.push(finding);
        }
    }
}
