//! The queue of a review with the findings and effects that each change brings.

mod effects;
mod sides;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use self::sides::{SideTexts, Sides};
use super::Workspace;
use super::lint_facts::{Basis, MOST_COMPARED};
use crate::app::queue::{Card, Found, Queue};
use crate::curate::differences::{Against, Entry, Kind, Side};
use crate::lint::{self, Finding, mask};
use crate::memory::MemoryId;
use crate::retrieval::Snapshot;
use crate::store::queue::Review;
use crate::store::queue::guard::new_warnings;

/// Facts about one entry.
#[derive(Clone, Debug, Default)]
pub struct Assessed {
    /// Its findings as it is now, each with whether the change brought it.
    pub findings: Vec<(Finding, bool)>,
    /// Its effects on the tasks, a line each.
    pub effects: Vec<String>,
}

/// Tells the queue as soon as it is known, and again with findings.
pub fn tell_queue(
    workspace: &Workspace,
    memories: &Snapshot,
    tell: &mut dyn FnMut(Result<Queue, String>),
) {
    let review = match Review::open(&workspace.collection, "HEAD", memories) {
        Ok(review) => review,
        Err(error) => return tell(Err(error.to_string())),
    };
    let found = |(finding, is_new): (Finding, bool)| Found {
        rule: finding.rule,
        severity: finding.severity,
        message: mask(&finding.message).into_owned(),
        is_new,
    };
    // Blocking warnings are known before the change can be accepted.
    let card = |entry: &Entry| {
        let warnings = new_warnings(entry, &workspace.collection).into_iter();
        Card {
            entry: Arc::new(entry.clone()),
            findings: warnings.map(|finding| found((finding, true))).collect(),
            effects: Vec::new(),
            others: Vec::new(),
        }
    };
    let mut queue = Queue {
        cards: review.entries.par_iter().map(card).collect(),
        notes: review.notes.clone(),
        is_assessed: false,
    };
    tell(Ok(queue.clone()));
    let all = assess(workspace, memories, &review.entries);
    for (card, assessed) in queue.cards.iter_mut().zip(all) {
        card.effects = assessed.effects;
        card.findings = assessed.findings.into_iter().map(found).collect();
    }
    queue.is_assessed = true;
    tell(Ok(queue));
}

/// Looks for findings in the entries now and at the base; one that was not there at the base is
/// new.
pub fn assess(workspace: &Workspace, memories: &Snapshot, entries: &[Entry]) -> Vec<Assessed> {
    if entries.is_empty() {
        return Vec::new();
    }
    let sides = Sides::new(memories, entries);
    let befores = entries.iter().filter_map(|entry| entry.before.as_ref());
    let afters = entries.iter().filter_map(|entry| entry.after.as_ref());
    let was = findings(workspace, &sides.before, befores);
    let is = findings(workspace, &sides.after, afters);
    let effects = effects::effects(workspace, memories, entries);
    let all = entries.iter().zip(effects).map(|(entry, effects)| {
        let after = entry.after.as_ref().filter(|_| entry.kind != Kind::Deleted);
        let found = |side: &Side| {
            let before = entry.before.as_ref();
            let before = before.and_then(|side| was.get(&side.memory.id));
            let now = is.get(&side.memory.id).cloned().unwrap_or_default();
            judged(workspace, entry, before.map_or(&[], Vec::as_slice), now)
        };
        Assessed {
            findings: after.map(found).unwrap_or_default(),
            effects: [placement(workspace, entry), effects].concat(),
        }
    });
    all.collect()
}

/// The findings of an entry now, each with whether it is new.
fn judged(
    workspace: &Workspace,
    entry: &Entry,
    before: &[Finding],
    now: Vec<Finding>,
) -> Vec<(Finding, bool)> {
    // Counts and places in a message change with every edit.
    let name = |finding: &Finding| {
        let words = finding.message.chars().filter(|c| !c.is_ascii_digit());
        (finding.rule, words.collect::<String>())
    };
    let known: HashSet<_> = before.iter().map(name).collect();
    let mut warnings = new_warnings(entry, &workspace.collection);
    let found = now.into_iter().map(|mut finding| {
        let warned = warnings.iter().position(|one| one.rule == finding.rule);
        if let Some(at) = warned {
            finding.severity = warnings.remove(at).severity.min(finding.severity);
        }
        let is_guard = lint::is_floor(finding.rule);
        let is_new = warned.is_some() || !is_guard && !known.contains(&name(&finding));
        (finding, is_new)
    });
    let mut found: Vec<_> = found.collect();
    found.extend(warnings.into_iter().map(|finding| (finding, true)));
    found
}

/// The path of a proposal, and the lines that go with a deletion.
fn placement(workspace: &Workspace, entry: &Entry) -> Vec<String> {
    let path = entry.path().map(|path| workspace.collection.shown(path));
    let path = path.unwrap_or_default();
    match (entry.kind, &entry.against) {
        (Kind::Added, Against::Proposal(_)) => vec![format!("would be written to {path}")],
        (Kind::Modified, Against::Proposal(of)) if of.action == "add" => vec![format!(
            "changes the memory of {path}: its loader would never read a second one there"
        )],
        (Kind::Deleted, Against::Commit | Against::LastReview) => {
            let others = entry.others.iter().map(|other| &other.path);
            others
                .map(|path| format!("takes its line in {path} along"))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The findings of some memories of a snapshot, compared with all the others.
fn findings<'a>(
    workspace: &'a Workspace,
    memories: &Snapshot,
    own: impl Iterator<Item = &'a Side>,
) -> HashMap<MemoryId, Vec<Finding>> {
    let collection = &workspace.collection;
    let texts = SideTexts::new(collection, own);
    let own = memories.iter().enumerate();
    let own = own.filter(|(_, memory)| texts.has(memory));
    let own: Vec<usize> = own.map(|(at, _)| at).collect();
    let basis = Basis::with_floor(collection, &workspace.settings);
    let facts = workspace.lint_facts(workspace.now);
    let cx = facts.context(&basis, memories, &texts);
    // Of many memories only what each says by itself is looked at.
    let digest = match memories.len() <= MOST_COMPARED {
        true => lint::digest(&cx, &basis.rules(), usize::MAX),
        false => lint::digest_of(&cx, &basis.rules().alone(), usize::MAX, &own),
    };
    let own: HashSet<usize> = own.into_iter().collect();
    let mut out: HashMap<MemoryId, Vec<Finding>> = HashMap::new();
    for finding in digest.findings {
        for at in finding.parties().filter(|at| own.contains(at)) {
            let [memory, first] = [at, finding.memory].map(|at| memories.get(at));
            let Some((memory, first)) = memory.zip(first) else {
                continue;
            };
            let mut finding = finding.clone();
            if at != finding.memory {
                finding.message = format!("{}: {}", first.id, finding.message);
            }
            out.entry(memory.id.clone()).or_default().push(finding);
        }
    }
    out
}
