//! The memories, their findings, and the new ones.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::lint::{Digest, Finding, Note};
use crate::memory::{Memory, MemoryId, Schema, Severity, State, StoreId};
use crate::retrieval::Snapshot;
use crate::search::Hit;
use crate::search::query::Marks;

/// The memories of this moment and what is known of each.
#[derive(Debug, Default)]
pub struct World {
    /// All memories by path and position, archived ones included.
    pub memories: Snapshot,
    /// True if the load ended; until then rows are only appended.
    pub complete: bool,
    /// Places that could not be read.
    pub problems: Vec<String>,
    /// Files that are no memories, in a store without memories.
    pub skipped: Vec<String>,
    /// The marks of each memory, in the order of `memories`.
    pub marks: Arc<Vec<Marks>>,
    /// Memories that changed on disk with the last snapshot.
    pub fresh: HashSet<MemoryId>,
    /// Number of memories that are not archived.
    pub active: usize,
    /// Number of these that are context files.
    pub context: usize,
    /// The schemas of the formats at hand.
    pub schemas: Vec<&'static Schema>,
    /// The stores that have memories, in their order.
    pub stores: Vec<StoreId>,
    findings: Findings,
    news: News,
    /// Number of memories that are news.
    changed: usize,
    /// Which memories are archived: every key asks all of them.
    archived: Vec<bool>,
}

/// The memories that are new since the last commit.
#[derive(Debug, Default)]
pub struct News {
    /// Files that are new or changed, absolute.
    pub changed: HashSet<PathBuf>,
    /// Memories of these files that are as the last commit has them.
    pub same: HashSet<MemoryId>,
}

impl News {
    /// True if a memory is new or changed.
    pub fn has(&self, memory: &Memory) -> bool {
        !self.changed.is_empty()
            && self.changed.contains(&*memory.path)
            && !self.same.contains(&memory.id)
    }
}

/// The findings, and their snapshot.
#[derive(Debug, Default)]
struct Findings {
    memories: Snapshot,
    all: Vec<Finding>,
    /// Number of findings that are more than suggestions.
    warnings: usize,
    /// The marks of each memory of the linted snapshot.
    marks: Vec<Marks>,
    /// Findings that are counted and not held, by rule.
    left_out: BTreeMap<&'static str, usize>,
    /// Notes on rules that could not check.
    notes: Vec<Note>,
    /// The findings of each memory that has some.
    of: HashMap<MemoryId, Vec<usize>>,
    /// The findings at another memory that ask about this one too.
    with: HashMap<MemoryId, Vec<usize>>,
    /// The memories whose entries stand below the cut of an index.
    cut_off: HashSet<MemoryId>,
}

impl World {
    /// Nothing yet, from stores of these formats.
    pub fn with(schemas: Vec<&'static Schema>) -> Self {
        Self {
            schemas,
            ..Self::default()
        }
    }

    /// Notes on rules that could not check.
    pub fn notes(&self) -> &[Note] {
        &self.findings.notes
    }

    /// The memory at an index of the snapshot.
    pub fn memory(&self, index: usize) -> Option<&Arc<Memory>> {
        self.memories.get(index)
    }

    /// True if the memory at an index of the snapshot is there and not archived.
    pub fn is_active(&self, index: usize) -> bool {
        self.archived.get(index) == Some(&false)
    }

    /// The index of a memory.
    pub fn index_of(&self, id: &MemoryId) -> Option<usize> {
        self.memories.iter().position(|memory| memory.id == *id)
    }

    /// The same of one that mostly is where it is looked for first: going through all of them
    /// takes long.
    pub fn index_near(&self, id: &MemoryId, near: usize) -> Option<usize> {
        match self.memory(near) {
            Some(memory) if memory.id == *id => Some(near),
            _ => self.index_of(id),
        }
    }

    /// The memories with these ids, in the order of the ids; what is gone is left out. Goes
    /// through the snapshot once, however many are wanted.
    pub fn all_of(&self, ids: &[MemoryId]) -> Vec<&Arc<Memory>> {
        let places: HashMap<&MemoryId, usize> = ids.iter().zip(0..).collect();
        let mut found = vec![None; ids.len()];
        for memory in self.memories.iter() {
            let place = places.get(&memory.id);
            if let Some(slot) = place.and_then(|place| found.get_mut(*place)) {
                slot.get_or_insert(memory);
            }
        }
        found.into_iter().flatten().collect()
    }

    /// The findings, in the contract's order.
    pub fn findings(&self) -> &[Finding] {
        &self.findings.all
    }

    /// A finding by its index.
    pub fn finding(&self, index: usize) -> Option<&Finding> {
        self.findings.all.get(index)
    }

    /// The memory a finding is about.
    pub fn memory_of(&self, finding: &Finding) -> Option<&Arc<Memory>> {
        self.findings.memories.get(finding.memory)
    }

    /// A memory by its index in the snapshot that was linted.
    pub fn linted(&self, index: usize) -> Option<&Arc<Memory>> {
        self.findings.memories.get(index)
    }

    /// The snapshot that was linted.
    pub const fn linted_all(&self) -> &Snapshot {
        &self.findings.memories
    }

    /// Which memories of the linted snapshot are among those that a filter leaves; loose matches
    /// are not.
    pub fn linted_among(&self, hits: &[Hit]) -> Vec<bool> {
        let linted = &self.findings.memories;
        let mut among = vec![false; linted.len()];
        let hits = hits.iter().filter(|hit| !hit.is_loose());
        let mut set = |n: usize| among.get_mut(n).into_iter().for_each(|is_in| *is_in = true);
        if Arc::ptr_eq(linted, &self.memories) {
            hits.for_each(|hit| set(hit.index as usize));
            return among;
        }
        let hits = hits.filter_map(|hit| self.memory(hit.index as usize));
        let ids: HashSet<&MemoryId> = hits.map(|memory| &memory.id).collect();
        let there = linted.iter().enumerate();
        there
            .filter(|(_, memory)| ids.contains(&memory.id))
            .for_each(|(n, _)| set(n));
        among
    }

    /// Lets go of findings that are answered, before they are looked for anew.
    pub fn forget(&mut self, is_over: impl Fn(&Self, &Finding) -> bool) {
        let mut all = std::mem::take(&mut self.findings.all);
        let over: Vec<bool> = all.iter().map(|finding| is_over(self, finding)).collect();
        for finding in all
            .iter()
            .zip(&over)
            .filter(|(_, over)| **over)
            .map(|(one, _)| one)
        {
            let weighty = usize::from(finding.severity != Severity::Info);
            self.findings.warnings = self.findings.warnings.saturating_sub(weighty);
            if let Some(marks) = self.findings.marks.get_mut(finding.memory) {
                marks.count = marks.count.saturating_sub(1);
            }
        }
        let mut over = over.into_iter();
        all.retain(|_| !over.next().unwrap_or_default());
        self.findings.all = all;
        self.index_findings();
        self.mark();
    }

    /// The findings of a memory, by their indexes, worst first.
    pub fn findings_of(&self, id: &MemoryId) -> &[usize] {
        self.findings.of.get(id).map_or(&[], Vec::as_slice)
    }

    /// The findings that ask about a memory and stand at another one.
    pub fn findings_with(&self, id: &MemoryId) -> &[usize] {
        self.findings.with.get(id).map_or(&[], Vec::as_slice)
    }

    /// True if its entry stands below the cut of an index, so that no agent is given it.
    pub fn is_cut_off(&self, id: &MemoryId) -> bool {
        self.findings.cut_off.contains(id)
    }

    /// True if a memory is new or changed since the last commit.
    pub fn is_new(&self, memory: &Memory) -> bool {
        self.news.has(memory)
    }

    /// Number of findings that are more than suggestions.
    pub const fn warnings(&self) -> usize {
        self.findings.warnings
    }

    /// A piece of the first load.
    pub fn append(&mut self, rows: Vec<Arc<Memory>>) {
        self.count(&rows);
        Arc::make_mut(&mut self.memories).extend(rows);
    }

    /// The state of the stores after a load or a rescan.
    pub fn replace(&mut self, memories: Snapshot, problems: Vec<String>) {
        if self.complete {
            self.fresh = changed(&self.memories, &memories);
        }
        self.complete = true;
        self.memories = memories;
        self.problems = problems;
        self.active = 0;
        self.context = 0;
        self.archived.clear();
        let all = Arc::clone(&self.memories);
        self.count(&all);
        self.mark();
    }

    /// Findings of a rule that are counted and not held.
    pub fn left_out(&self, rule: &str) -> usize {
        self.findings
            .left_out
            .get(rule)
            .copied()
            .unwrap_or_default()
    }

    /// Number of findings, held or not; each of those that are shown as one.
    pub fn found(&self) -> usize {
        let held = self.findings.all.iter().map(Finding::count);
        held.sum::<usize>() + self.findings.left_out.values().sum::<usize>()
    }

    /// Takes the findings of a snapshot.
    pub fn linted_as(&mut self, memories: Snapshot, digest: Digest) {
        self.findings = Findings {
            warnings: digest.warnings,
            all: crate::lint::join(&memories, digest.findings),
            memories,
            of: HashMap::new(),
            with: HashMap::new(),
            cut_off: HashSet::new(),
            marks: digest.marks,
            left_out: digest.left_out,
            notes: digest.notes,
        };
        self.index_findings();
        self.mark();
    }

    /// Puts the findings of each memory together, the worst first.
    fn index_findings(&mut self) {
        let known = &mut self.findings;
        known.of.clear();
        known.with.clear();
        let cut = known.all.iter().filter(|one| one.rule == "index-overflow");
        let cut = cut.flat_map(|one| &one.related);
        let cut = cut.filter_map(|other| Some(known.memories.get(*other)?.id.clone()));
        known.cut_off = cut.collect();
        for (n, finding) in known.all.iter().enumerate() {
            for one in finding.each() {
                if let Some(memory) = known.memories.get(one.memory) {
                    known.of.entry(memory.id.clone()).or_default().push(n);
                }
            }
            let with = finding.related.first().filter(|_| finding.asks());
            if let Some(other) = with.and_then(|other| known.memories.get(*other)) {
                known.with.entry(other.id.clone()).or_default().push(n);
            }
        }
        let all = &known.all;
        for list in known.of.values_mut() {
            list.sort_by_key(|n| all.get(*n).map(|finding| (finding.severity, finding.line)));
        }
    }

    /// Which files are new or changed since the last commit, and which of their memories are not.
    pub fn committed(&mut self, changed: Vec<PathBuf>, same: Vec<MemoryId>) {
        self.news = News {
            changed: changed.into_iter().collect(),
            same: same.into_iter().collect(),
        };
        self.mark();
    }

    fn count(&mut self, rows: &[Arc<Memory>]) {
        for memory in rows {
            let archived = memory.state == State::Archived;
            self.archived.push(archived);
            self.active += usize::from(!archived);
            self.context += usize::from(!archived && memory.schema.can.context);
            if self.stores.last() != Some(&memory.id.store)
                && !self.stores.contains(&memory.id.store)
            {
                self.stores.push(memory.id.store.clone());
            }
            if !self
                .schemas
                .iter()
                .any(|known| std::ptr::eq(*known, memory.schema))
            {
                self.schemas.push(memory.schema);
            }
        }
    }

    fn mark(&mut self) {
        let known = &self.findings;
        // If the linted snapshot is another one, its memories are found by their ids.
        let same = Arc::ptr_eq(&known.memories, &self.memories);
        let linted = (0..).zip(known.memories.iter()).filter(|_| !same);
        let places: HashMap<&MemoryId, usize> = linted.map(|(n, memory)| (&memory.id, n)).collect();
        let marks = self.memories.iter().enumerate().map(|(n, memory)| {
            let place = if same {
                Some(n)
            } else {
                places.get(&memory.id).copied()
            };
            let marks = place.and_then(|place| known.marks.get(place)).copied();
            Marks {
                new: self.news.has(memory),
                ..marks.unwrap_or_default()
            }
        });
        let marks: Vec<Marks> = marks.collect();
        self.changed = marks.iter().filter(|marks| marks.new).count();
        self.marks = Arc::new(marks);
    }

    /// Number of memories that are new or changed since the last commit.
    pub const fn changed(&self) -> usize {
        self.changed
    }
}

/// The memories that say something else than before. If a file was written and each of its memories
/// is known as it was, one of them says something else in as many words: all are named.
fn changed(before: &Snapshot, now: &Snapshot) -> HashSet<MemoryId> {
    let known: HashSet<*const Memory> = before.iter().map(Arc::as_ptr).collect();
    let other = |memory: &&Arc<Memory>| !known.contains(&Arc::as_ptr(memory));
    let read: Vec<&Arc<Memory>> = now.iter().filter(other).collect();
    let files: HashSet<&Path> = read.iter().map(|memory| &*memory.path).collect();
    let mut old: HashMap<&MemoryId, &Arc<Memory>> = HashMap::new();
    let of_files = before.iter().filter(|one| files.contains(&*one.path));
    old.extend(of_files.map(|memory| (&memory.id, memory)));
    let mut explained: HashSet<&Path> = HashSet::new();
    let mut fresh: HashSet<MemoryId> = HashSet::new();
    for memory in &read {
        let same = old.remove(&memory.id).is_some_and(|old| old.is_as(memory));
        if !same {
            explained.insert(&memory.path);
            fresh.insert(memory.id.clone());
        }
    }
    // Removed memories count as written too.
    explained.extend(old.values().map(|memory| &*memory.path));
    let unexplained = read.iter().filter(|one| !explained.contains(&*one.path));
    fresh.extend(unexplained.map(|memory| memory.id.clone()));
    fresh
}
