//! The outcome of a run: as many findings as are worth holding, and the numbers of all.

use std::collections::BTreeMap;

use super::{About, Finding};
use crate::curate::DecisionKey;
use crate::memory::Severity;
use crate::search::query::{Marks, RuleSet};

/// Numbers of findings that are not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unreported {
    /// Silenced by their memory.
    pub silenced: usize,
    /// In the baseline.
    pub old: usize,
    /// In the baseline, of memories that do not exist any more.
    pub gone: usize,
}

/// A part that a rule could not check. It is about no memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// The rule's id.
    pub rule: &'static str,
    /// The part and the reason, in a sentence without a full stop.
    pub message: String,
}

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Digest {
    /// The findings, in the contract's order.
    pub findings: Vec<Finding>,
    /// Marks of each memory of the snapshot, for findings left out too.
    pub marks: Vec<Marks>,
    /// Number of findings that are more than suggestions, left out or not.
    pub warnings: usize,
    /// Number of findings of a rule that are counted and not held.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Parts that rules could not check.
    pub notes: Vec<Note>,
    /// Findings that are not reported.
    pub unreported: Unreported,
    /// The decisions of the baseline that changed.
    pub baseline: Box<Baseline>,
}

/// Decisions of the baseline that no longer describe the stores; each with how often it was expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// Those that are no longer found.
    pub over: Vec<(DecisionKey, usize)>,
    /// Those whose memory does not exist any more.
    pub lost: Vec<(DecisionKey, usize)>,
    /// Those that were met under another id, with their new keys.
    pub renamed: Vec<(DecisionKey, DecisionKey)>,
}

impl Digest {
    /// The digest of these findings, all of them held.
    pub fn of(memories: usize, findings: Vec<Finding>) -> Self {
        let mut held = Held::new(memories, usize::MAX);
        for finding in findings {
            held.hold(finding, &mut |_| {});
        }
        held.into_digest()
    }
}

/// Completes a finding once it is known that it is held.
pub(super) type Complete<'f> = &'f mut dyn FnMut(&mut Finding);

/// The findings that are held, and how many there were.
#[derive(Default)]
pub(super) struct Held {
    pub most: usize,
    findings: Vec<Finding>,
    warnings: usize,
    marks: Vec<Marks>,
    pub held: BTreeMap<&'static str, usize>,
    pub left_out: BTreeMap<&'static str, usize>,
}

impl Held {
    pub fn new(memories: usize, most: usize) -> Self {
        Self {
            most,
            marks: vec![Marks::default(); memories],
            ..Self::default()
        }
    }

    /// Takes a finding in, which is completed if it is held.
    pub fn hold(&mut self, mut finding: Finding, complete: Complete<'_>) {
        self.mark(finding.memory, finding.rule, finding.severity);
        // A finding about two memories is marked on both, and counted once.
        let other = finding.related.first();
        let other = other.filter(|_| finding.about == About::Pair);
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
        complete(&mut finding);
        self.findings.push(finding);
    }

    pub fn mark(&mut self, memory: usize, rule: &'static str, severity: Severity) {
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
            ..Digest::default()
        }
    }
}
