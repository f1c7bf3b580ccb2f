//! Findings, and the changes that put them right.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::Arc;

use itertools::Itertools as _;

use super::chars::{quote, replaced};
use super::judged::PairVerdict;
use super::{Trait, UNUSED, misleads, rule};
use crate::curate::{Change, Mark, Silenced};
use crate::memory::{Memory, Severity};
use crate::retrieval::Snapshot;
use crate::systems::golemcore::kin;

/// A finding of a rule.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// The rule's id.
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// How sure the rule is, 0 to 1.
    pub confidence: f64,
    /// The memory, by its index in the snapshot.
    pub memory: usize,
    /// Line in the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The bytes of the memory's text that it is about; none for the whole memory.
    pub place: Option<Range<usize>>,
    /// The problem, in a sentence without a full stop.
    pub message: String,
    /// The evidence.
    pub evidence: Vec<String>,
    /// The parts of the evidence that matter: the piece, and bytes of it in order.
    pub marks: Vec<(usize, Range<usize>)>,
    /// Other memories it is about, by their index in the snapshot.
    pub related: Vec<usize>,
    /// The path of a document of the project that it is about too.
    pub source: Option<String>,
    /// The change that puts it right, if one is known; most findings have none.
    pub fix: Option<Box<Fix>>,
    /// The findings of other memories that this one stands for: [`join`].
    pub joined: Vec<Finding>,
}

impl Finding {
    /// A certain finding at the start of a line, without a message yet.
    pub fn new(rule: &'static str, severity: Severity, memory: usize, line: u32) -> Self {
        Self {
            rule,
            severity,
            confidence: 1.0,
            memory,
            line,
            column: 1,
            ..Self::default()
        }
    }

    /// How sure the rule is: `confidence 94 %`; none if it is as good as certain.
    pub fn sureness(&self) -> Option<String> {
        let certain = self.confidence >= 0.95;
        (!certain).then(|| format!("confidence {:.0} %", self.confidence * 100.0))
    }

    /// Each finding it stands for; itself if there is no other.
    pub fn each(&self) -> impl Iterator<Item = &Self> {
        let own = [self].into_iter().filter(|one| one.joined.is_empty());
        own.chain(&self.joined)
    }

    /// The number of findings it counts as.
    pub fn count(&self) -> usize {
        let is_one = || rule(self.rule).is_some_and(|rule| rule.joins == Joins::Always);
        match self.joined.len() {
            0 => 1,
            _ if is_one() => 1,
            many => many,
        }
    }

    /// True if it lists several memories, none of which it is about more than about the others.
    pub fn is_list(&self) -> bool {
        !self.joined.is_empty()
    }

    /// True if it asks which of two memories holds: a decision then counts for either.
    pub fn asks(&self) -> bool {
        !self.related.is_empty() && rule(self.rule).is_some_and(|rule| rule.has(Trait::Asks))
    }

    /// True if it is about its memory and the first related one alike, unlike a superseded one.
    pub fn is_of_pair(&self) -> bool {
        !self.related.is_empty() && rule(self.rule).is_some_and(|rule| rule.has(Trait::Compares))
    }

    /// True if it warns that an agent is misled by what it is about.
    pub fn misleads(&self) -> bool {
        self.severity != Severity::Info && misleads(self.rule)
    }

    /// The memories it is about, by their index: its own, and the one it asks about too.
    pub fn parties(&self) -> impl Iterator<Item = usize> {
        let other = self.related.first().filter(|_| self.asks());
        [&self.memory].into_iter().chain(other).copied()
    }

    /// Its entry for the baseline; none without its memory, and for an unused entry.
    pub fn silenced(&self, memories: &[Arc<Memory>]) -> Option<Silenced> {
        let memory = |index: usize| memories.get(index).map(|memory| memory.id.clone());
        let own = memory(self.memory).filter(|_| self.rule != UNUSED)?;
        let others = self.parties().skip(1).filter_map(memory);
        Some(Silenced {
            ids: [own].into_iter().chain(others).collect(),
            rule: self.rule.to_owned(),
            message: self.message.clone(),
            mark: self.mark(),
        })
    }

    /// Tells it from other findings of the rule in the same memories.
    fn mark(&self) -> Mark {
        let rule = rule(self.rule);
        let verdict = rule.and_then(|rule| rule.verdict);
        if verdict == Some(PairVerdict::Contradiction) {
            return Mark::Statements(self.evidence.iter().take(2).cloned().collect());
        }
        let place = self.place.clone();
        let place = place.filter(|_| rule.is_some_and(|rule| !rule.has(Trait::Leaks)));
        place.map_or(Mark::Message, Mark::Bytes)
    }

    /// Sets the message.
    pub fn says(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Sets the confidence.
    pub const fn sure(mut self, confidence: f64) -> Self {
        self.confidence = confidence;
        self
    }

    /// Adds a piece of evidence.
    pub fn because(mut self, evidence: impl Into<String>) -> Self {
        self.evidence.push(evidence.into());
        self
    }

    /// Adds pieces of evidence.
    pub fn because_of(mut self, evidence: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.evidence.extend(evidence.into_iter().map(Into::into));
        self
    }

    /// Adds a piece of evidence, of which these bytes are what matters.
    pub fn show(&mut self, evidence: String, marks: impl IntoIterator<Item = Range<usize>>) {
        let piece = self.evidence.len();
        self.evidence.push(evidence);
        self.marks
            .extend(marks.into_iter().map(|bytes| (piece, bytes)));
    }

    /// A piece of evidence with what matters in it between `‹` and `›`.
    pub fn shown(&self, evidence: usize) -> String {
        let text = self.evidence.get(evidence).map_or("", String::as_str);
        let marks = self.marks.iter().filter(|(piece, _)| *piece == evidence);
        let marked = |bytes: &Range<usize>| Some(format!("‹{}›", text.get(bytes.clone())?));
        let marks = marks.filter_map(|(_, bytes)| Some((bytes.clone(), marked(bytes)?)));
        replaced(text, marks)
    }

    /// Adds related memories.
    pub fn beside(mut self, related: impl IntoIterator<Item = usize>) -> Self {
        self.related.extend(related);
        self
    }

    /// Sets the fix, if there is one.
    pub fn fixed_by(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix.map(Box::new);
        self
    }

    /// Sets the bytes of the text that it is about.
    pub fn about(mut self, bytes: Range<usize>) -> Self {
        self.place = Some(bytes);
        self
    }
}

/// A change that puts a finding right.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// Its effect, as an order: `split into two patterns`.
    pub title: String,
    /// The memory it changes, by its index in the snapshot.
    pub memory: usize,
    /// The change of that memory.
    pub change: Change,
    /// True if nobody has to judge it. It is applied without review only if playing it shows no harm.
    pub safe: bool,
}

impl Fix {
    pub(super) fn reviewed(title: impl Into<String>, memory: usize, change: Change) -> Self {
        Self {
            title: title.into(),
            memory,
            change,
            safe: false,
        }
    }

    /// The fix that merges two memories of one format; the lasting one stays.
    pub(super) fn merge(memories: &[Arc<Memory>], stays: usize, goes: usize) -> Option<Self> {
        let turn = kin::outlasts(memories.get(goes)?, memories.get(stays)?);
        let (stays, goes) = if turn { (goes, stays) } else { (stays, goes) };
        let (keep, with) = (memories.get(stays)?, memories.get(goes)?);
        let title = format!("merge it into {}", keep.id);
        let is_one_format = keep.schema.format == with.schema.format;
        is_one_format.then(|| Self::reviewed(title, stays, Change::merge(&keep.id, &with.id)))
    }
}

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
    let later = later.filter_map(|one| Some((key(&one)?, one)));
    let mut later = later.into_group_map();
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
    // Of two edits of one memory the second is found again.
    let mut fixed = BTreeSet::new();
    let fixes = all.iter().filter_map(|finding| finding.fix.as_deref());
    let fixes: Vec<&Fix> = fixes.filter(|fix| fixed.insert(fix.memory)).collect();
    let titles = fixes.iter().map(|fix| &*fix.title).counts().into_iter();
    let titles = titles.sorted();
    let mut titles = titles.map(|(title, count)| format!("{title} ({count})"));
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
