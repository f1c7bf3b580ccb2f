//! Collects the findings of all rules, without those that are in the baseline or tuned off.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::chars::quote;
use super::decisions::{Expected, Gone};
use super::tuning::Level;
use super::{Context, Finding, Fix, Rule, redact};
use crate::curate::{Change, DecisionKey};
use crate::memory::{MemoryId, Severity};
use crate::search::query::{Marks, RuleSet};
use crate::text::word_lists::Words;

/// The id of the rule about decisions that no longer match a finding.
pub const UNUSED: &str = "unused-silence";

/// Numbers of findings that are not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unreported {
    /// In the baseline.
    pub old: usize,
    /// In the baseline, of memories that do not exist any more.
    pub gone: usize,
}

/// A part that a rule could not check. It is about no memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    fn empty(memories: usize) -> Self {
        Self {
            marks: vec![Marks::default(); memories],
            ..Self::default()
        }
    }

    /// Counts a finding, and holds it unless `most` of its rule are held; errors always are.
    fn hold(&mut self, finding: Finding, most: usize) {
        let rule = finding.rule;
        if let Some(marks) = self.marks.get_mut(finding.memory) {
            marks.findings.add(RuleSet::of(rule));
            marks.count += 1;
        }
        self.warnings += usize::from(finding.severity != Severity::Info);
        // A finding about two memories is marked on both, and counted once.
        let other = finding.related.first().filter(|_| finding.is_of_pair());
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

/// The findings in one memory, and the rules that say nothing about it because another one covers
/// them.
pub(super) type Found = (Vec<Finding>, Option<&'static Words>);

/// Suggestions less certain than this are never fixed without review.
const CERTAIN: f64 = 0.95;

/// Collects findings.
pub struct Collector<'c> {
    cx: &'c Context<'c>,
    /// Findings of one rule that are held.
    most: usize,
    digest: Digest,
    covered: HashMap<usize, &'static Words>,
    expected: Expected<'c>,
}

impl<'c> Collector<'c> {
    /// Nothing yet; of each rule so many findings are held.
    pub(super) fn new(cx: &'c Context<'c>, most: usize) -> Self {
        Self {
            cx,
            most,
            digest: Digest::empty(cx.memories.len()),
            covered: HashMap::new(),
            expected: Expected::new(cx),
        }
    }

    /// Takes the findings in a memory.
    pub(super) fn take(&mut self, memory: usize, (findings, covered): Found) {
        if let Some(covered) = covered {
            self.covered.insert(memory, covered);
        }
        findings
            .into_iter()
            .for_each(|finding| self.report(finding));
    }

    /// Takes a finding.
    pub fn push(&mut self, mut finding: Finding) {
        if !self.is_covered(&finding) {
            redact(None, std::slice::from_mut(&mut finding));
            self.report(finding);
        }
    }

    /// True if another rule covers this one in each memory that the finding is about.
    fn is_covered(&self, finding: &Finding) -> bool {
        let is_covered = |memory: &usize| {
            let rules = self.covered.get(memory);
            rules.is_some_and(|rules| rules.has(finding.rule))
        };
        let asks = finding.asks();
        is_covered(&finding.memory) || asks && finding.related.iter().all(is_covered)
    }

    /// Holds a finding as it is reported, or counts it as one that is not.
    fn report(&mut self, mut finding: Finding) {
        let cx = self.cx;
        let Some(memory) = cx.memories.get(finding.memory) else {
            return;
        };
        // A decision is met by a finding that is too uncertain to be reported as well.
        let severity = cx.tuning.severity(&finding, &memory.id.store);
        let is_unused = finding.rule == UNUSED;
        let is_old = !is_unused && self.expected.meets(cx, &finding);
        if is_old && cx.tuning.floor(finding.rule).is_none() {
            self.digest.unreported.old += usize::from(severity.is_some());
            return;
        }
        let Some(severity) = severity else {
            return;
        };
        finding.severity = severity;
        if let Some(fix) = finding.fix.as_mut().filter(|_| !is_unused) {
            fix.safe &= severity != Severity::Info || finding.confidence >= CERTAIN;
        }
        self.digest.hold(finding, self.most);
    }

    /// Ends. `complete`: rules that checked everything; `whole`: true if each memory was checked.
    pub(super) fn end(mut self, complete: &[&Rule], whole: bool) -> Digest {
        if !whole {
            return self.digest;
        }
        let cx = self.cx;
        let (mut gone, lost) = std::mem::take(&mut self.expected).gone(cx.memories);
        gone.retain(|gone| {
            let is_asked = |focus: &BTreeSet<usize>| focus.contains(&gone.memory);
            let memory = cx.memories.get(gone.memory);
            let memory = memory.filter(|_| cx.focus.is_none_or(is_asked));
            let is_complete = complete.iter().any(|one| one.id == gone.rule);
            let level = memory.map(|memory| cx.tuning.level(&gone.rule, &memory.id.store));
            is_complete && level.is_some_and(|level| level != Level::Off)
        });
        self.digest.baseline.over = gone.iter().flat_map(|gone| gone.keys.clone()).collect();
        if complete.iter().any(|rule| rule.id == UNUSED) {
            self.digest.unreported.gone = lost.len();
            for gone in gone {
                let memory = cx.memories.get(gone.memory);
                let found = memory.map(|memory| not_met((&memory.id, memory.line), gone));
                found.into_iter().for_each(|finding| self.report(finding));
            }
        }
        self.digest.baseline.lost = lost;
        self.digest
    }
}

/// The finding about decisions on a memory and a rule that nothing was found for.
fn not_met((id, line): (&MemoryId, u32), gone: Gone) -> Finding {
    let (findings, occur) = match gone.keys.len() {
        1 => ("1 finding".to_owned(), "occurs"),
        count => (format!("{count} findings"), "occur"),
    };
    let rule = quote(&gone.rule);
    let change = Change::Unlist(id.clone(), gone.keys);
    let fix = Fix {
        safe: true,
        ..Fix::reviewed("take it out of the baseline", gone.memory, change)
    };
    Finding::new(UNUSED, Severity::Info, gone.memory, line)
        .sure(0.9)
        .says(format!(
            "{findings} of {rule} in the baseline no longer {occur}"
        ))
        .because_of(gone.messages)
        .fixed_by(Some(fix))
}

impl Extend<Finding> for Collector<'_> {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, found: T) {
        for finding in found {
            self.push(finding);
        }
    }
}
