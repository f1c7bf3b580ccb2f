//! Findings as they come from the rules, sifted: what a person tuned, silenced or put into the
//! baseline, and in the end what of that was without need.

use std::collections::BTreeMap;

use super::answers::ASKING;
use super::baseline::{Expected, Gone, There, print};
use super::chars::quote;
use super::memo::Places;
use super::silence::{Silence, UNUSED, silences};
use super::tuning::Level;
use super::{Context, Finding, Fix, FixAction, Look, Rule};
use crate::memory::{MemoryId, Severity, State};

/// How many findings are not reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unreported {
    /// For their memory silences them.
    pub silenced: usize,
    /// For they are old.
    pub old: usize,
    /// Old findings of memories that are not there any more.
    pub gone: usize,
}

/// What was found in one memory.
#[derive(Clone)]
pub(super) struct Found {
    /// The findings, each with its fingerprint where there is a baseline.
    findings: Vec<(Finding, String)>,
    silences: Vec<Silence>,
    /// Rules that say nothing about this memory, for another one covers them.
    pub covered: Vec<&'static str>,
}

impl Found {
    /// These findings of a memory, and what it silences.
    pub fn of(look: &Look<'_>, findings: Vec<Finding>, covered: Vec<&'static str>) -> Self {
        let print = |finding: &Finding| match look.cx.baseline.is_empty() {
            true => String::new(),
            false => print(finding, None, look.text),
        };
        let printed = findings.into_iter().map(|finding| {
            let own = is_alone(&finding, look.index);
            let print = if own { print(&finding) } else { String::new() };
            (finding, print)
        });
        Self {
            findings: printed.collect(),
            silences: silences(look),
            covered,
        }
    }

    /// The same where memories stand at other places now.
    pub fn moved(&mut self, memory: usize, places: &Places) {
        for (finding, _) in &mut self.findings {
            finding.moved(places);
        }
        for silence in &mut self.silences {
            silence.moved(memory, places);
        }
    }

    /// Whether something that was found names a line of a file, which is another one now.
    pub fn names_moved_lines(&self, places: &Places) -> bool {
        let said = |(finding, _): &(Finding, String)| {
            let mut said = finding.evidence.iter().chain([&finding.message]);
            places.down(finding.memory) != 0 && said.any(|said| said.contains("line "))
        };
        self.findings.iter().any(said)
    }

    /// Whether what is reported of it depends on nothing else: neither on what is silenced nor on
    /// what is old, and it is about this memory alone.
    pub fn is_plain(&self, memory: usize) -> bool {
        let own =
            |(finding, print): &(Finding, String)| is_alone(finding, memory) && print.is_empty();
        self.silences.is_empty() && self.covered.is_empty() && self.findings.iter().all(own)
    }
}

/// Whether what is reported of a finding depends on what this memory says and on no other.
fn is_alone(finding: &Finding, memory: usize) -> bool {
    finding.memory == memory && !finding.asks()
}

/// Below this certainty a suggestion is put right by a person only.
const CERTAIN: f64 = 0.95;

/// Sifts findings. What is found in a memory is sifted once it is known what that one silences.
pub(super) struct Sift<'c> {
    cx: &'c Context<'c>,
    silences: BTreeMap<usize, Vec<Silence>>,
    expected: Expected<'c>,
    later: Vec<Finding>,
    unreported: Unreported,
}

impl<'c> Sift<'c> {
    /// Nothing found yet.
    pub fn new(cx: &'c Context<'c>) -> Self {
        Self {
            cx,
            silences: BTreeMap::new(),
            expected: cx.baseline.expected(cx),
            later: Vec::new(),
            unreported: Unreported::default(),
        }
    }

    /// Takes what was found in a memory; gives what is reported of it.
    pub fn take(&mut self, memory: usize, found: Found) -> Vec<Finding> {
        if !found.silences.is_empty() {
            self.silences.insert(memory, found.silences);
        }
        let mut reported = Vec::with_capacity(found.findings.len());
        for (finding, print) in found.findings {
            if is_alone(&finding, memory) {
                reported.extend(self.reported(finding, &mut |_| {}, Some(print)));
            } else {
                self.later.push(finding);
            }
        }
        reported
    }

    /// What is reported of what was found in one memory that concerns another, once each was looked
    /// at.
    pub fn later(&mut self) -> Vec<Finding> {
        let found = std::mem::take(&mut self.later).into_iter();
        found
            .filter_map(|finding| self.one(finding, &mut |_| {}))
            .collect()
    }

    /// A finding of all memories together as it is reported; none where it is not. The rest of it
    /// is told where that depends on what it says.
    pub fn one(&mut self, finding: Finding, tell: &mut dyn FnMut(&mut Finding)) -> Option<Finding> {
        self.reported(finding, tell, None)
    }

    /// Whether a memory silences a rule, which is then no silence without need.
    pub fn silences(&mut self, rule: &str, memory: usize) -> bool {
        let all = self.silences.get_mut(&memory).into_iter().flatten();
        let mut all = all.filter(|one| one.rule == Some(rule));
        all.next().map(|one| one.used = true).is_some()
    }

    /// Ends, `whole` where each memory was looked at; gives what is said of silences.
    pub fn end(mut self, (rules, whole): (&[&dyn Rule], bool)) -> (Vec<Finding>, Unreported) {
        let mut reported = Vec::new();
        if !whole {
            // Of memories that were not looked at nobody knows what is old.
            self.expected = Expected::nothing();
        }
        if rules.iter().any(|rule| rule.id() == UNUSED) {
            let unused = self.unused(rules);
            reported.extend(unused);
        }
        (reported, self.unreported)
    }

    /// A finding as it is reported; none where it is not.
    fn reported(
        &mut self,
        mut finding: Finding,
        tell: &mut dyn FnMut(&mut Finding),
        known: Option<String>,
    ) -> Option<Finding> {
        let cx = self.cx;
        let memory = cx.memories.get(finding.memory)?;
        // What is not sure enough to be reported is silenced all the same.
        let severity = self.cx.tuning.severity(&finding, &memory.id.store);
        let counts = usize::from(severity.is_some());
        let other = finding.asks().then(|| finding.related.first()).flatten();
        // Both are to be told that they are needed.
        let silenced = [Some(&finding.memory), other]
            .map(|memory| memory.is_some_and(|memory| self.silences(finding.rule, *memory)));
        if silenced.contains(&true) {
            self.unreported.silenced += counts;
            return None;
        }
        if !self.expected.is_empty() && finding.rule != UNUSED {
            let old = self.expected.meets(cx, &mut finding, tell, known);
            if old {
                self.unreported.old += counts;
                return None;
            }
        }
        finding.severity = severity?;
        // On what may be so a person decides.
        if let Some(fix) = &mut finding.fix {
            fix.safe &= finding.severity != Severity::Info || finding.confidence >= CERTAIN;
        }
        Some(finding)
    }

    /// What silences nothing. Only rules that looked can say so.
    fn unused(&mut self, rules: &[&dyn Rule]) -> Vec<Finding> {
        let cx = self.cx;
        let looked = |rule: &str, id: &MemoryId| {
            rules.iter().any(|one| one.id() == rule)
                && cx.tuning.level(rule, &id.store) != Level::Off
        };
        // What is asked about two is silenced in either: nobody knows what would be found where one
        // comes back from the archive.
        let mut all = cx.memories.iter();
        let may_come = all.any(|memory| memory.state == State::Archived);
        let waits = |rule: &str| may_come && ASKING.contains(&rule);
        let mut found = Vec::new();
        for (memory, silences) in std::mem::take(&mut self.silences) {
            let Some(id) = cx.memories.get(memory).map(|memory| &memory.id) else {
                continue;
            };
            // A memory may say that it wants to hear nothing of this.
            if silences.iter().any(|one| one.rule == Some(UNUSED)) {
                continue;
            }
            let idle = |one: &Silence| {
                !one.used && one.rule.is_none_or(|rule| looked(rule, id) && !waits(rule))
            };
            let idle = silences.into_iter().filter(idle);
            found.extend(idle.map(|one| one.finding(memory)));
        }
        found.extend(self.not_met(&looked));
        let tuned = |finding: Finding| {
            let store = &cx.memories.get(finding.memory)?.id.store;
            cx.tuning.tuned(finding, store)
        };
        found.into_iter().filter_map(tuned).collect()
    }

    /// Old findings that do not occur any more.
    fn not_met(&mut self, looked: &dyn Fn(&str, &MemoryId) -> bool) -> Vec<Finding> {
        let cx = self.cx;
        let expected = std::mem::replace(&mut self.expected, Expected::nothing());
        if expected.is_empty() {
            return Vec::new();
        }
        let (gone, lost) = expected.gone(&There::of(cx.memories));
        self.unreported.gone += lost;
        let of_rule = |gone: Gone| {
            let memory = cx.memories.get(gone.memory)?;
            looked(&gone.rule, &memory.id).then(|| not_met(memory.line, gone))
        };
        gone.into_iter().filter_map(of_rule).collect()
    }
}

fn not_met(line: u32, gone: Gone) -> Finding {
    let memory = gone.memory;
    let count: usize = gone.keys.iter().map(|(_, count)| count).sum();
    let (findings, occur) = match count {
        1 => ("1 finding".to_owned(), "occurs"),
        _ => (format!("{count} findings"), "occur"),
    };
    Finding {
        rule: UNUSED,
        severity: Severity::Info,
        confidence: 0.9,
        memory,
        line,
        column: 1,
        place: None,
        message: format!(
            "{findings} of {} in the baseline no longer {occur}",
            quote(&gone.rule)
        ),
        evidence: gone.messages,
        marks: Vec::new(),
        related: Vec::new(),
        there: None,
        joined: Vec::new(),
        fix: Some(Fix {
            title: "take it out of the baseline".to_owned(),
            memory,
            action: FixAction::Unlist(gone.keys),
            safe: true,
        }),
    }
}

#[cfg(test)]
mod tests;
