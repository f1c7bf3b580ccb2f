//! Finds the findings that each change of a review brings.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::curate::review::{Against, Entry, GUARDS, Kind, Other, Side};
use crate::lint::{self, Finding};
use crate::memory::{Fields, Memory, MemoryId};
use crate::retrieval::{Snapshot, Texts};
use crate::store::review::guard::new_warnings;
use crate::workspace::Workspace;
use crate::workspace::lint::{Basis, MOST_COMPARED};

/// Facts about one entry.
#[derive(Clone, Debug, Default)]
pub struct Assessed {
    /// Its findings as it is now, each with whether the change brought it.
    pub findings: Vec<(Finding, bool)>,
    /// Its effects on the tasks, a line each.
    pub effects: Vec<String>,
}

/// The memories as they were at the base of the entries, and as they are with proposals made.
pub struct Sides {
    /// At the base.
    pub before: Snapshot,
    /// Now.
    pub after: Snapshot,
}

impl Sides {
    /// Both sides of a queue.
    pub fn new(memories: &Snapshot, entries: &[Entry]) -> Self {
        let side = |of: fn(&Entry) -> Option<&Side>| {
            // Of two changes of one memory the later one counts.
            let own = entries.iter().filter_map(of).map(|side| &side.memory);
            let own: BTreeMap<_, _> = own.map(|memory| (memory.id.clone(), memory)).collect();
            let touched: HashSet<&MemoryId> = entries
                .iter()
                .flat_map(|entry| [&entry.before, &entry.after])
                .flatten()
                .map(|side| &side.memory.id)
                .collect();
            let rest = memories
                .iter()
                .filter(|memory| !touched.contains(&memory.id));
            in_order(memories, rest.chain(own.into_values()).cloned().collect())
        };
        Self {
            before: side(|entry| entry.before.as_ref()),
            after: side(|entry| {
                entry.after.as_ref().or_else(|| {
                    entry
                        .before
                        .as_ref()
                        .filter(|_| entry.kind != Kind::Deleted)
                })
            }),
        }
    }
}

/// Memories as a snapshot in the order of another one: by store, file and place.
pub fn in_order(memories: &Snapshot, mut all: Vec<Arc<Memory>>) -> Snapshot {
    let stores: HashMap<_, _> = memories
        .chunk_by(|a, b| a.id.store == b.id.store)
        .enumerate()
        .filter_map(|(at, run)| Some((run.first()?.id.store.clone(), at)))
        .collect();
    all.sort_by_cached_key(|memory| {
        let store = stores.get(&memory.id.store).copied();
        (
            store.unwrap_or(usize::MAX),
            memory.path.clone(),
            memory.document,
        )
    });
    Arc::new(all)
}

/// Texts of a snapshot some memories of which are not those of the stores.
pub struct SideTexts<'a> {
    stores: &'a dyn Texts,
    own: HashMap<&'a MemoryId, &'a Side>,
}

impl<'a> SideTexts<'a> {
    /// The texts of some sides, and of the stores for all others.
    pub fn new(stores: &'a dyn Texts, sides: impl Iterator<Item = &'a Side>) -> Self {
        let own = sides.map(|side| (&side.memory.id, side)).collect();
        Self { stores, own }
    }
}

impl Texts for SideTexts<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        match self.own.get(&memory.id) {
            Some(side) => Some(side.body.to_string()),
            None => self.stores.body(memory),
        }
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        match self.own.get(&memory.id) {
            Some(side) => Some(side.body.trim().to_owned()),
            None => self.stores.loader_body(memory),
        }
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        match self.own.get(&memory.id) {
            Some(side) => Some(side.text.to_string()),
            None => self.stores.text(memory),
        }
    }

    fn said(&self, memory: &Memory) -> Option<String> {
        match self.own.get(&memory.id) {
            Some(side) => Some(side.body.to_string()),
            None => self.stores.said(memory),
        }
    }

    fn inner(&self, memory: &Memory) -> Fields {
        match self.own.contains_key(&memory.id) {
            true => Fields::default(),
            false => self.stores.inner(memory),
        }
    }
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
    let one = |entry: &Entry| {
        let (Some(side), false) = (&entry.after, entry.kind == Kind::Deleted) else {
            return Assessed::default();
        };
        let old = entry
            .before
            .as_ref()
            .and_then(|side| was.get(&side.memory.id));
        // Counts and places in a message change with every edit.
        let name = |finding: &Finding| {
            let words = finding.message.chars().filter(|c| !c.is_ascii_digit());
            (finding.rule, words.collect::<String>())
        };
        let known: HashSet<_> = old.into_iter().flatten().map(name).collect();
        let mut warnings = new_warnings(entry, &workspace.collection);
        let found = is.get(&side.memory.id).into_iter().flatten().cloned();
        let found = found.map(|mut finding| {
            let warned = warnings.iter().position(|one| one.rule == finding.rule);
            if let Some(at) = warned {
                finding.severity = warnings.remove(at).severity.min(finding.severity);
            }
            let is_guard = GUARDS.contains(&finding.rule);
            let is_new = warned.is_some() || !is_guard && !known.contains(&name(&finding));
            (finding, is_new)
        });
        let mut findings: Vec<_> = found.collect();
        findings.extend(warnings.into_iter().map(|finding| (finding, true)));
        Assessed {
            findings,
            effects: Vec::new(),
        }
    };
    let effects = super::effects::effects(workspace, memories, entries);
    let all = entries.iter().map(one).zip(effects);
    let all = all.zip(entries);
    all.map(|((one, effects), entry)| Assessed {
        effects: placement(workspace, entry)
            .into_iter()
            .chain(effects)
            .collect(),
        ..one
    })
    .collect()
}

/// The path of a proposal, and the lines that go with a deletion.
fn placement(workspace: &Workspace, entry: &Entry) -> Vec<String> {
    let path = entry.path().map(|path| workspace.collection.shown(path));
    let path = path.unwrap_or_default();
    let line = |other: &Other| format!("takes its line in {} along", other.path);
    match (entry.kind, &entry.against) {
        (Kind::Added, Against::Proposal(_)) => vec![format!("would be written to {path}")],
        (Kind::Modified, Against::Proposal(of)) if of.action == "add" => vec![format!(
            "changes the memory of {path}: its loader would never read a second one there"
        )],
        (Kind::Deleted, Against::Commit | Against::LastReview) => {
            entry.others.iter().map(line).collect()
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
    let indexes: Vec<usize> = memories
        .iter()
        .enumerate()
        .filter(|(_, memory)| texts.own.contains_key(&memory.id))
        .map(|(at, _)| at)
        .collect();
    let basis = Basis::with_floor(collection, &workspace.settings);
    let facts = workspace.lint_facts(workspace.now);
    let cx = facts.context(&basis, memories, &texts);
    // Of many memories only what each says by itself is looked at.
    let digest = match memories.len() <= MOST_COMPARED {
        true => lint::digest(&cx, &basis.rules(), usize::MAX),
        false => lint::digest_of(&cx, &basis.rules().alone(), usize::MAX, &indexes),
    };
    let own: HashSet<usize> = indexes.into_iter().collect();
    let mut out: HashMap<MemoryId, Vec<Finding>> = HashMap::new();
    for finding in digest.findings {
        let first = memories.get(finding.memory).map(|memory| &memory.id);
        for at in finding.parties().filter(|at| own.contains(at)) {
            let mut finding = finding.clone();
            if let Some(other) = first.filter(|_| at != finding.memory) {
                finding.message = format!("{other}: {}", finding.message);
            }
            let memory = memories.get(at).map(|memory| memory.id.clone());
            if let Some(id) = memory {
                out.entry(id).or_default().push(finding);
            }
        }
    }
    out
}
