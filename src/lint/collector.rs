//! Collects the findings of all rules, without those that are silenced, in the baseline or tuned off.

use std::collections::BTreeMap;

use super::chars::quote;
use super::decisions::{Expected, Gone, print};
use super::held::{Complete, Digest, Held, Unreported};
use super::silence::{Silence, UNUSED, silences};
use super::tuning::Level;
use super::{Context, Finding, Fix, Rule, Subject, redact, rule};
use crate::curate::Change;
use crate::memory::{MemoryId, Severity, State};

/// The findings in one memory.
pub(super) struct Found {
    /// The findings, each with its fingerprint if there is a baseline.
    findings: Vec<(Finding, String)>,
    silences: Vec<Silence>,
    /// Rules that say nothing about this memory because another one covers them.
    covered: Vec<&'static str>,
}

impl Found {
    /// These findings of a memory, and what it silences.
    pub fn new(subject: &Subject<'_>, findings: Vec<Finding>, covered: Vec<&'static str>) -> Self {
        let is_printed = |finding: &Finding| {
            is_alone(finding, subject.index) && subject.cx.decisions.has_baseline()
        };
        let findings = findings.into_iter().map(|finding| {
            let printed = is_printed(&finding);
            let print = printed.then(|| print(&finding, subject.text));
            (finding, print.unwrap_or_default())
        });
        Self {
            findings: findings.collect(),
            silences: silences(subject),
            covered,
        }
    }
}

/// True if the report of a finding depends on this memory and no other.
const fn is_alone(finding: &Finding, memory: usize) -> bool {
    finding.memory == memory && !finding.asks()
}

/// Suggestions less certain than this are never fixed without review.
const CERTAIN: f64 = 0.95;

/// Collects findings. Findings about several memories wait until the silences of all are known.
pub struct Collector<'c> {
    cx: &'c Context<'c>,
    held: Held,
    silences: BTreeMap<usize, Vec<Silence>>,
    covered: BTreeMap<usize, Vec<&'static str>>,
    expected: Expected<'c>,
    waiting: Vec<Finding>,
    unreported: Unreported,
}

impl<'c> Collector<'c> {
    /// Nothing yet; of each rule so many findings are held.
    pub(super) fn new(cx: &'c Context<'c>, most: usize) -> Self {
        Self {
            cx,
            held: Held::new(cx.memories.len(), most),
            silences: BTreeMap::new(),
            covered: BTreeMap::new(),
            expected: Expected::new(cx),
            waiting: Vec::new(),
            unreported: Unreported::default(),
        }
    }

    /// Takes the findings in a memory.
    pub(super) fn take(&mut self, memory: usize, found: Found) {
        if !found.silences.is_empty() {
            self.silences.insert(memory, found.silences);
        }
        if !found.covered.is_empty() {
            self.covered.insert(memory, found.covered);
        }
        for (finding, print) in found.findings {
            if !is_alone(&finding, memory) {
                self.waiting.push(finding);
            } else if let Some(finding) = self.reported(finding, &mut |_| {}, Some(print)) {
                self.held.hold(finding, &mut |_| {});
            }
        }
    }

    /// Takes the findings that waited until all memories were checked.
    pub(super) fn take_waiting(&mut self) {
        for finding in std::mem::take(&mut self.waiting) {
            self.push_complete(finding, &mut |_| {});
        }
    }

    /// Takes a finding.
    pub fn push(&mut self, finding: Finding) {
        self.push_with(finding, |_| {});
    }

    /// Takes a finding of which only the rule, the memories, the severity and the confidence are
    /// known. The rest is added if somebody asks for it: a rule may find more than is held.
    pub fn push_with(&mut self, finding: Finding, complete: impl FnOnce(&mut Finding)) {
        if self.is_covered(&finding) {
            return;
        }
        let mut complete = Some(complete);
        self.push_complete(finding, &mut |finding| {
            if let Some(complete) = complete.take() {
                complete(finding);
                redact(None, std::slice::from_mut(finding));
            }
        });
    }

    /// True if another rule covers this one in each memory that the finding is about.
    fn is_covered(&self, finding: &Finding) -> bool {
        let is_covered = |memory: &usize| {
            let rules = self.covered.get(memory);
            rules.is_some_and(|rules| rules.contains(&finding.rule))
        };
        let asks = finding.asks();
        is_covered(&finding.memory) || asks && finding.related.iter().all(is_covered)
    }

    fn push_complete(&mut self, finding: Finding, complete: Complete<'_>) {
        if let Some(finding) = self.reported(finding, complete, None) {
            self.held.hold(finding, complete);
        }
    }

    /// True if a memory silences a rule; the silence then counts as used.
    pub fn silences(&mut self, rule: &str, memory: usize) -> bool {
        let all = self.silences.get_mut(&memory).into_iter().flatten();
        let mut all = all.filter(|one| one.rule == Some(rule));
        all.next().map(|one| one.used = true).is_some()
    }

    /// A finding as it is reported; none if it is not. `print` is its fingerprint, if known.
    fn reported(
        &mut self,
        mut finding: Finding,
        complete: Complete<'_>,
        print: Option<String>,
    ) -> Option<Finding> {
        let cx = self.cx;
        let memory = cx.memories.get(finding.memory)?;
        let severity = cx.tuning.severity(&finding, &memory.id.store);
        // A silence is used by a finding that is too uncertain to be reported as well.
        let counts = usize::from(severity.is_some());
        let other = finding.related.first().filter(|_| finding.asks()).copied();
        let both = [Some(finding.memory), other].into_iter().flatten();
        let silencing = both.filter(|memory| self.silences(finding.rule, *memory));
        let is_silenced = silencing.count() > 0;
        let is_floor = cx.tuning.floor(finding.rule).is_some();
        if is_silenced && !is_floor {
            self.unreported.silenced += counts;
            return None;
        }
        if !self.expected.is_empty()
            && finding.rule != UNUSED
            && self.expected.meets(cx, &mut finding, complete, print)
            && !is_floor
        {
            self.unreported.old += counts;
            return None;
        }
        finding.severity = severity?;
        if let Some(fix) = &mut finding.fix {
            fix.safe &= finding.severity != Severity::Info || finding.confidence >= CERTAIN;
        }
        Some(finding)
    }

    /// Ends. `complete`: rules that checked everything; `whole`: true if each memory was checked.
    pub(super) fn end(mut self, complete: &[&dyn Rule], whole: bool) -> Digest {
        let expected = std::mem::take(&mut self.expected);
        let (mut gone, mut baseline) = match whole {
            true => expected.gone(),
            false => Expected::default().gone(),
        };
        gone.retain(|gone| {
            let memory = self.cx.memories.get(gone.memory);
            memory.is_some_and(|memory| self.is_checked(complete, &gone.rule, &memory.id))
        });
        baseline.over = gone.iter().flat_map(|gone| gone.keys.clone()).collect();
        if complete.iter().any(|rule| rule.id() == UNUSED) {
            self.unreported.gone = baseline.lost.iter().map(|(_, count)| count).sum();
            for finding in self.unused(complete, gone) {
                self.held.hold(finding, &mut |_| {});
            }
        }
        Digest {
            unreported: self.unreported,
            baseline: Box::new(baseline),
            ..self.held.into_digest()
        }
    }

    /// True if one of these rules checked the memories of a store.
    fn is_checked(&self, rules: &[&dyn Rule], rule: &str, id: &MemoryId) -> bool {
        rules.iter().any(|one| one.id() == rule)
            && self.cx.tuning.level(rule, &id.store) != Level::Off
    }

    /// Silences and decisions that nothing was found for, as far as rules checked.
    fn unused(&mut self, rules: &[&dyn Rule], gone: Vec<Gone>) -> Vec<Finding> {
        let cx = self.cx;
        // A question about two memories may come back with an archived one.
        let mut all = cx.memories.iter();
        let may_return = all.any(|memory| memory.state == State::Archived);
        let waits = |id: &str| may_return && rule(id).is_some_and(Rule::asks);
        let mut found = Vec::new();
        for (memory, silences) in std::mem::take(&mut self.silences) {
            let Some(id) = cx.memories.get(memory).map(|memory| &memory.id) else {
                continue;
            };
            if silences.iter().any(|one| one.rule == Some(UNUSED)) {
                continue;
            }
            let is_idle = |one: &Silence| {
                let is_checked = |rule| self.is_checked(rules, rule, id) && !waits(rule);
                !one.used && one.rule.is_none_or(is_checked)
            };
            let idle = silences.into_iter().filter(is_idle);
            found.extend(idle.map(|one| one.finding(memory)));
        }
        found.extend(gone.into_iter().filter_map(|gone| {
            let memory = cx.memories.get(gone.memory)?;
            Some(not_met((&memory.id, memory.line), gone))
        }));
        let tuned = |finding: Finding| {
            let store = &cx.memories.get(finding.memory)?.id.store;
            let severity = cx.tuning.severity(&finding, store)?;
            Some(Finding {
                severity,
                ..finding
            })
        };
        found.into_iter().filter_map(tuned).collect()
    }
}

/// The finding about decisions on a memory and a rule that nothing was found for.
fn not_met((id, line): (&MemoryId, u32), gone: Gone) -> Finding {
    let count: usize = gone.keys.iter().map(|(_, count)| count).sum();
    let (findings, occur) = match count {
        1 => ("1 finding".to_owned(), "occurs"),
        _ => (format!("{count} findings"), "occur"),
    };
    let rule = quote(&gone.rule);
    Finding {
        confidence: 0.9,
        message: format!("{findings} of {rule} in the baseline no longer {occur}"),
        evidence: gone.messages,
        ..Finding::new(UNUSED, Severity::Info, gone.memory, line)
    }
    .fixed_by(Some(Fix {
        title: "take it out of the baseline".to_owned(),
        memory: gone.memory,
        change: Change::Unlist(id.clone(), gone.keys),
        safe: true,
    }))
}

impl Extend<Finding> for Collector<'_> {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, found: T) {
        for finding in found {
            self.push(finding);
        }
    }
}
