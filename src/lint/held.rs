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
    pub baseline: Baseline,
    /// Number of findings of a rule that are held, errors apart.
    held: BTreeMap<&'static str, usize>,
}

/// Decisions of the baseline that no longer describe the stores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// Those that are no longer found.
    pub over: Vec<DecisionKey>,
    /// Those whose memory does not exist any more.
    pub lost: Vec<DecisionKey>,
}

impl Digest {
    /// The digest of these findings, all of them held.
    pub fn of(memories: usize, findings: Vec<Finding>) -> Self {
        let mut digest = Self::empty(memories);
        for finding in findings {
            digest.hold(finding, usize::MAX);
        }
        digest
    }

    /// The digest of a run over so many memories that found nothing yet.
    pub(super) fn empty(memories: usize) -> Self {
        Self {
            marks: vec![Marks::default(); memories],
            ..Self::default()
        }
    }

    /// Counts a finding, and holds it unless `most` of its rule are held; errors always are.
    pub(super) fn hold(&mut self, finding: Finding, most: usize) {
        let rule = finding.rule;
        if let Some(marks) = self.marks.get_mut(finding.memory) {
            marks.findings.add(RuleSet::of(rule));
            marks.count += 1;
        }
        self.warnings += usize::from(finding.severity != Severity::Info);
        // A finding about two memories is marked on both, and counted once.
        let other = finding.related.first();
        let other = other.filter(|_| finding.about == About::Pair);
        if let Some(marks) = other.and_then(|other| self.marks.get_mut(*other)) {
            marks.findings.add(RuleSet::of(rule));
        }
        if finding.severity != Severity::Error {
            let held = self.held.entry(rule).or_default();
            if *held >= most {
                *self.left_out.entry(rule).or_default() += 1;
                return;
            }
            *held += 1;
        }
        self.findings.push(finding);
    }
}
