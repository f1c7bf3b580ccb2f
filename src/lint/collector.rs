//! One run of rules over a store: collects their findings, without those that are in the baseline
//! or tuned off.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::chars::quote;
use super::decisions::{Decision, first_id};
use super::fingerprint::key;
use super::report::counted;
use super::tuning::Level;
use super::{Context, Facts, Finding, Fix, Rule, Selection, Subject, Trait};
use super::{check, redact, sort};
use crate::curate::{Change, DecisionKey};
use crate::memory::{Memory, Severity, State};
use crate::retrieval::StoreFault;
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
        let findings = findings.into_iter();
        findings.for_each(|finding| digest.hold(finding, usize::MAX));
        digest
    }

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

/// The findings in one memory, and the rules that another one covers there.
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
    /// The decisions of the baseline that hold now, each with true once a finding met it.
    expected: BTreeMap<DecisionKey, (&'c Decision, bool)>,
}

/// Decisions on a memory and a rule that were not met.
#[derive(Default)]
struct Gone {
    memory: usize,
    messages: Vec<String>,
    keys: Vec<DecisionKey>,
}

impl<'c> Collector<'c> {
    fn new(cx: &'c Context<'c>, most: usize) -> Self {
        let expected = cx.decisions.left().filter(|one| one.holds(cx.now));
        Self {
            cx,
            most,
            digest: Digest::empty(cx.memories.len()),
            covered: HashMap::new(),
            expected: expected.map(|one| (one.key(), (one, false))).collect(),
        }
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
        let is_old = !is_unused && self.meets(&finding);
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

    /// Takes a finding as met; false if it is new. Reads texts only if the baseline knows the rule.
    fn meets(&mut self, finding: &Finding) -> bool {
        let cx = self.cx;
        if self.expected.is_empty() {
            return false;
        }
        let all = finding.parties().filter_map(|n| cx.memories.get(n));
        let all: Vec<&Memory> = all.map(AsRef::as_ref).collect();
        let ids = all.iter().map(|memory| memory.id.to_string()).collect();
        // A decision without a print is on all findings of a rule in these memories.
        let of_rule = DecisionKey::new(finding.rule, ids, String::new());
        let is_of_rule = |key: &DecisionKey| (&key.rule, &key.ids) == (&of_rule.rule, &of_rule.ids);
        let known = self.expected.range(&of_rule..).next();
        let known = known.map(|(key, _)| key).filter(|key| is_of_rule(key));
        let key = match known {
            None => return false,
            Some(known) if *known == of_rule => Some(of_rule),
            Some(_) => {
                let text = |memory: &Memory| cx.texts.text(memory).unwrap_or_default();
                let all: Vec<(&Memory, String)> = all.iter().map(|one| (*one, text(one))).collect();
                let silenced = finding.silenced(cx.memories);
                silenced.and_then(|one| key(&one, &all))
            }
        };
        let known = key.and_then(|key| self.expected.get_mut(&key));
        known.map(|(_, is_met)| *is_met = true).is_some()
    }

    /// The decisions that were not met, by memory and rule; then those of memories that are gone.
    fn gone(&mut self) -> (BTreeMap<(String, String), Gone>, Vec<DecisionKey>) {
        let mut all: BTreeMap<(String, String), Gone> = BTreeMap::new();
        let mut lost = Vec::new();
        let left = std::mem::take(&mut self.expected).into_iter();
        let left: Vec<_> = left.filter(|(_, (_, is_met))| !is_met).collect();
        let memories = self.cx.memories.iter().enumerate();
        let present = memories.filter(|_| !left.is_empty());
        let active =
            |at: usize, memory: &Memory| Some(at).filter(|_| memory.state == State::Active);
        let present = present.map(|(at, memory)| (first_id(memory), active(at, memory)));
        let present: HashMap<String, Option<usize>> = present.collect();
        for (key, (one, _)) in left {
            let found = key.ids.iter().map(|id| present.get(id).copied());
            let Some(found) = found.collect::<Option<Vec<_>>>() else {
                lost.push(key);
                continue;
            };
            if let Some([memory, ..]) = found.into_iter().collect::<Option<Vec<_>>>().as_deref() {
                let id = key.ids.first().cloned().unwrap_or_default();
                let gone = all.entry((id, key.rule.clone())).or_default();
                gone.memory = *memory;
                gone.keys.push(key);
                gone.messages.push(one.message.clone());
            }
        }
        (all, lost)
    }

    /// Ends a run that checked each memory. `complete`: rules that checked everything.
    fn end(&mut self, complete: &[&Rule]) {
        let cx = self.cx;
        let (gone, lost) = self.gone();
        let is_complete = |id: &str| complete.iter().any(|one| one.id == id);
        if is_complete(UNUSED) {
            self.digest.unreported.gone = lost.len();
        }
        self.digest.baseline.lost = lost;
        for ((_, rule), gone) in gone {
            let is_asked = cx.focus.is_none_or(|focus| focus.contains(&gone.memory));
            let is_on = |one: &&Arc<Memory>| cx.tuning.level(&rule, &one.id.store) != Level::Off;
            let memory = cx.memories.get(gone.memory).filter(is_on);
            let Some(memory) = memory.filter(|_| is_asked && is_complete(&rule)) else {
                continue;
            };
            self.digest.baseline.over.extend(gone.keys.iter().cloned());
            if is_complete(UNUSED) {
                self.report(not_met(memory, &rule, gone));
            }
        }
    }
}

fn not_met(memory: &Memory, rule: &str, gone: Gone) -> Finding {
    let (findings, rule) = (counted(gone.keys.len(), "finding"), quote(rule));
    let occur = if gone.keys.len() == 1 {
        "occurs"
    } else {
        "occur"
    };
    let says = format!("{findings} of {rule} in the baseline no longer {occur}");
    let change = Change::Unlist(memory.id.clone(), gone.keys);
    let fix = Fix {
        safe: true,
        ..Fix::reviewed("take it out of the baseline", gone.memory, change)
    };
    let finding = Finding::new(UNUSED, Severity::Info, gone.memory, memory.line);
    let finding = finding.sure(0.9).says(says).because_of(gone.messages);
    finding.fixed_by(Some(fix))
}

impl Extend<Finding> for Collector<'_> {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, found: T) {
        found.into_iter().for_each(|finding| self.push(finding));
    }
}

/// Memories that are checked before their findings are collected, and most of them dropped.
const PIECE: usize = 512;

/// Checks every memory with the selected rules, in parallel. Holds at most `most` findings of each
/// rule, errors apart: those of 100,000 memories take too much room.
pub fn digest(cx: &Context<'_>, rules: &Selection, most: usize) -> Digest {
    // Context is not checked.
    let memories = cx.memories.iter().enumerate();
    let checked = memories.filter(|(_, memory)| !memory.schema.can.context);
    let checked: Vec<usize> = checked.map(|(index, _)| index).collect();
    digest_of(cx, rules, most, &checked)
}

/// The same for the memories with these indexes only.
pub fn digest_of(cx: &Context<'_>, rules: &Selection, most: usize, indexes: &[usize]) -> Digest {
    let facts = &Facts::default();
    let rules: &Vec<&Rule> = &rules.rules().collect();
    let followed = cx.decisions.followed(cx);
    let decisions = followed.as_ref().unwrap_or(cx.decisions);
    let cx = &Context { decisions, ..*cx };
    let mut collector = Collector::new(cx, most);
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| {
            let plays = rules.iter().filter_map(|rule| Some((rule, rule.play?)));
            plays.for_each(|(rule, play)| play(rule, cx, facts));
        });
        // A memory that nobody asked about may be the place of a finding about one that is.
        let mut around = rules.clone();
        around.retain(|rule| rule.has(Trait::Relates));
        let of_memory = |index: &usize| match cx.focus {
            Some(focus) if !focus.contains(index) => &around,
            _ => rules,
        };
        for piece in indexes.chunks(PIECE) {
            let checked = piece.par_iter();
            let checked = checked.filter_map(|index| one(cx, facts, of_memory(index), *index));
            for (index, (findings, covered)) in checked.collect::<Vec<_>>() {
                collector
                    .covered
                    .extend(covered.map(|rules| (index, rules)));
                findings.into_iter().for_each(|one| collector.report(one));
            }
        }
    });
    for rule in rules {
        (rule.finish)(rule, cx, facts, &mut collector);
    }
    super::judged::finish(cx, rules, &mut collector);
    add_faults(cx, rules, &mut collector);
    // A rule that checked only a part may have missed findings.
    let mut complete = rules.clone();
    complete.retain(|rule| facts.is_complete(rule.id));
    if indexes.len() == cx.memories.len() {
        collector.end(&complete);
    }
    let mut digest = collector.digest;
    digest.notes = facts.notes();
    in_files(cx, &mut digest.findings);
    sort(cx, &mut digest.findings);
    digest
}

/// Translates positions in texts, as rules see them, into positions in files.
fn in_files(cx: &Context<'_>, findings: &mut [Finding]) {
    let mut parts: Vec<(usize, usize, &mut Finding)> = Vec::new();
    for finding in findings {
        // A finding about a whole memory stays at its beginning.
        let part = finding.place.as_ref().filter(|bytes| **bytes != (0..0));
        if let Some(at) = part.map(|bytes| bytes.start) {
            parts.push((finding.memory, at, finding));
        }
    }
    parts.sort_by_key(|(memory, at, _)| (*memory, *at));
    for of_memory in parts.chunk_by_mut(|(a, ..), (b, ..)| a == b) {
        let bytes: Vec<usize> = of_memory.iter().map(|(_, at, _)| *at).collect();
        let memory = of_memory.first().and_then(|part| cx.memories.get(part.0));
        let places = memory.and_then(|memory| cx.texts.places(memory, &bytes));
        for ((.., finding), place) in of_memory.iter_mut().zip(places.into_iter().flatten()) {
            (finding.line, finding.column) = place;
        }
    }
}

fn add_faults(cx: &Context<'_>, rules: &[&Rule], out: &mut Collector<'_>) {
    for way in &cx.play.policies {
        let own = cx.memories.iter().map(|memory| &**memory).enumerate();
        let own = own.filter(|(_, one)| one.id.store == way.store && one.state == State::Active);
        let own: Vec<_> = own.collect();
        let any = StoreFault::of_any(&own, &way.options, cx.texts);
        let faults = (way.policy.faults)(&own, &way.options, cx.texts);
        for fault in faults.into_iter().chain(any) {
            let line = cx.memories.get(fault.memory).map_or(1, |one| one.line);
            if rules.iter().any(|rule| rule.id == fault.rule) {
                let finding = Finding::new(fault.rule, fault.severity, fault.memory, line);
                out.push(finding.says(fault.message).because_of(fault.evidence));
            }
        }
    }
}

fn one(cx: &Context<'_>, facts: &Facts, rules: &[&Rule], index: usize) -> Option<(usize, Found)> {
    let memory = cx.memories.get(index);
    let memory = memory.filter(|memory| memory.state == State::Active)?;
    // An unreadable memory has no text, which is a finding too.
    let text = cx.texts.text(memory).unwrap_or_default();
    let subject = Subject::new(cx, facts, index, memory, &text);
    rules.iter().for_each(|rule| (rule.gather)(rule, &subject));
    Some((index, check(&subject, rules)))
}
