//! The memories, their findings, and the new ones.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::lint::{Digest, Finding};
use crate::memory::worth::Worths;
use crate::memory::{Memory, MemoryId, Schema, Severity, State, StoreId, Timestamp};
use crate::retrieval::Snapshot;
use crate::search::Hit;
use crate::search::query::Marks;

/// A snapshot, told from others by its address and length (it grows while it is loaded).
pub type Stamp = (usize, usize);

pub fn stamp(memories: &Snapshot) -> Stamp {
    (Arc::as_ptr(memories).addr(), memories.len())
}

/// The memories of this moment and what is known of each.
#[derive(Debug, Default)]
pub struct World {
    /// All memories by path and position, archived ones included.
    pub memories: Snapshot,
    /// True if the load ended; until then rows are only appended.
    pub complete: bool,
    /// Places that could not be read.
    pub problems: Vec<String>,
    /// The marks of each memory, in the order of `memories`.
    pub marks: Arc<Vec<Marks>>,
    /// Memories that changed on disk with the last snapshot.
    pub fresh: HashSet<MemoryId>,
    /// Number of memories that are not archived.
    pub active: usize,
    /// Number of these that are context files.
    pub context: usize,
    pub schemas: Vec<&'static Schema>,
    /// The stores that have memories, in their order.
    pub stores: Vec<StoreId>,
    /// When files of memories without a date were last committed.
    pub dates: HashMap<PathBuf, Timestamp>,
    pub worths: Worths,
    pub digest: Digest,
    pub linted_all: Snapshot,
    findings: Findings,
    news: News,
}

/// The memories that are new or changed since the last commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct News {
    /// Files that are new or changed, absolute.
    pub changed: BTreeSet<PathBuf>,
    /// Memories of these files that are as the last commit has them.
    pub same: BTreeSet<MemoryId>,
    /// Memories of these files that the last commit has in another wording.
    pub edited: BTreeSet<MemoryId>,
    /// Memories that only the last commit has, with their titles.
    pub deleted: BTreeMap<MemoryId, Box<str>>,
}

impl News {
    /// True if a memory is new or changed.
    pub fn has(&self, memory: &Memory) -> bool {
        self.changed.contains(&*memory.path) && !self.same.contains(&memory.id)
    }
}

/// The memories that each finding is about.
#[derive(Debug, Default)]
struct Findings {
    /// The findings of each memory that has some.
    of: HashMap<MemoryId, Vec<usize>>,
    /// The findings at another memory that ask about this one too.
    with: HashMap<MemoryId, Vec<usize>>,
    /// The memories whose entries stand below the cut of an index.
    cut_off: HashSet<MemoryId>,
}

impl World {
    pub fn memory(&self, index: usize) -> Option<&Arc<Memory>> {
        self.memories.get(index)
    }

    pub fn is_active(&self, index: usize) -> bool {
        let memory = self.memory(index);
        memory.is_some_and(|memory| memory.state == State::Active)
    }

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

    pub fn find(&self, id: &MemoryId) -> Option<&Arc<Memory>> {
        self.memories.iter().find(|memory| memory.id == *id)
    }

    /// The memories with these ids, in the order of the ids; what is gone is left out.
    pub fn all_of(&self, ids: &[MemoryId]) -> Vec<&Arc<Memory>> {
        let places: HashMap<&MemoryId, usize> = ids.iter().zip(0..).collect();
        let place = |memory: &&Arc<Memory>| places.get(&memory.id).copied();
        let mut found: Vec<_> = self.memories.iter().collect();
        found.retain(|memory| place(memory).is_some());
        found.sort_by_key(place);
        found
    }

    pub fn findings(&self) -> &[Finding] {
        &self.digest.findings
    }

    pub fn finding(&self, index: usize) -> Option<&Finding> {
        self.findings().get(index)
    }

    pub fn memory_of(&self, finding: &Finding) -> Option<&Arc<Memory>> {
        self.linted(finding.memory)
    }

    pub fn linted(&self, index: usize) -> Option<&Arc<Memory>> {
        self.linted_all.get(index)
    }

    /// Which memories of the linted snapshot are among those that a filter leaves; loose matches
    /// are not.
    pub fn linted_among(&self, hits: &[Hit]) -> Vec<bool> {
        let close = hits.iter().filter(|hit| !hit.is_loose());
        let close = close.filter_map(|hit| self.memory(hit.index as usize));
        let ids: HashSet<&MemoryId> = close.map(|memory| &memory.id).collect();
        let linted = self.linted_all.iter();
        linted.map(|memory| ids.contains(&memory.id)).collect()
    }

    /// The findings of a memory, by their indexes, worst first.
    pub fn findings_of(&self, id: &MemoryId) -> &[usize] {
        self.findings.of.get(id).map_or(&[], Vec::as_slice)
    }

    pub fn own_findings(&self, id: &MemoryId) -> impl Iterator<Item = &Finding> + Clone {
        let own = self.findings_of(id).iter();
        own.filter_map(|n| self.finding(*n))
    }

    /// The findings that ask about a memory and stand at another one.
    pub fn findings_with(&self, id: &MemoryId) -> &[usize] {
        self.findings.with.get(id).map_or(&[], Vec::as_slice)
    }

    /// True if its entry stands below the cut of an index, so that no agent is given it.
    pub fn is_cut_off(&self, id: &MemoryId) -> bool {
        self.findings.cut_off.contains(id)
    }

    /// When a memory was last written, and whether it says so itself: else its last commit does, or
    /// its file where that changed since.
    pub fn written(&self, memory: &Memory) -> Option<(Timestamp, bool)> {
        let commit = || self.dates.get(&*memory.path).copied();
        let commit = (!self.is_new(memory)).then(commit).flatten();
        let modified = Some(Timestamp(memory.stamp.modified / 1_000_000));
        let file = commit.or(modified.filter(|time| time.0 > 0));
        let own = memory.written().map(|time| (time, true));
        own.or(file.map(|time| (time, false)))
    }

    pub fn is_new(&self, memory: &Memory) -> bool {
        self.news.has(memory)
    }

    /// True if the last commit has a memory in another wording.
    pub fn is_edited(&self, memory: &Memory) -> bool {
        self.news.edited.contains(&memory.id)
    }

    /// The memories that only the last commit has, with their titles.
    pub fn deleted(&self) -> impl ExactSizeIterator<Item = (&MemoryId, &str)> {
        let all = self.news.deleted.iter();
        all.map(|(id, title)| (id, &**title))
    }

    pub fn append(&mut self, rows: Vec<Arc<Memory>>) {
        Arc::make_mut(&mut self.memories).extend(rows);
        self.count();
    }

    /// The state of the stores after a load or a rescan.
    pub fn replace(&mut self, memories: Snapshot, problems: Vec<String>) {
        if self.complete {
            self.fresh = changed(&self.memories, &memories);
        }
        self.complete = true;
        self.memories = memories;
        self.problems = problems;
        self.count();
        self.mark();
    }

    /// Number of findings, held or not; each of those that are shown as one.
    pub fn found(&self) -> usize {
        let held = self.findings().iter().map(Finding::count);
        let left_out = self.digest.left_out.values().copied();
        held.chain(left_out).sum()
    }

    /// Takes the findings of a snapshot.
    pub fn linted_as(&mut self, memories: Snapshot, mut digest: Digest) {
        digest.findings = crate::lint::join(&memories, digest.findings, true);
        // The digest counts each finding that one stands for.
        let warnings = digest.findings.iter();
        let warnings = warnings.filter(|one| one.severity != Severity::Info);
        let more = warnings.map(|one| one.each().count() - one.count());
        digest.warnings = digest.warnings.saturating_sub(more.sum());
        self.linted_all = memories;
        self.digest = digest;
        self.index_findings();
        self.mark();
    }

    /// Puts the findings of each memory together, the worst first.
    fn index_findings(&mut self) {
        let all = &self.digest.findings;
        let id = |n: usize| self.linted_all.get(n).map(|memory| memory.id.clone());
        let (mut of, mut with) = (HashMap::new(), HashMap::new());
        let push = |ids: &mut HashMap<MemoryId, Vec<usize>>, memory, n| {
            let Some(id) = id(memory) else { return };
            let list = ids.entry(id).or_default();
            // A finding that stands for several of one memory is shown once.
            if list.last() != Some(&n) {
                list.push(n);
            }
        };
        for (n, finding) in all.iter().enumerate() {
            for one in finding.each() {
                push(&mut of, one.memory, n);
            }
            if let Some(other) = finding.related.first().filter(|_| finding.asks()) {
                push(&mut with, *other, n);
            }
        }
        for list in of.values_mut() {
            list.sort_by_key(|n| all.get(*n).map(|finding| (finding.severity, finding.line)));
        }
        let cut = all.iter().filter(|one| one.rule == "index-overflow");
        let cut = cut.flat_map(|one| &one.related);
        let cut_off = cut.filter_map(|other| id(*other)).collect();
        self.findings = Findings { of, with, cut_off };
    }

    /// Which files are new or changed since the last commit, and which of their memories are not.
    pub fn committed(&mut self, news: News) {
        self.news = news;
        self.mark();
    }

    fn count(&mut self) {
        (self.active, self.context) = (0, 0);
        for memory in self.memories.iter() {
            let is_active = memory.state == State::Active;
            self.active += usize::from(is_active);
            self.context += usize::from(is_active && memory.schema.can.context);
            let store = &memory.id.store;
            if self.stores.last() != Some(store) && !self.stores.contains(store) {
                self.stores.push(store.clone());
            }
            let is_own = |known: &&Schema| std::ptr::eq(*known, memory.schema);
            if !self.schemas.iter().any(is_own) {
                self.schemas.push(memory.schema);
            }
        }
    }

    fn mark(&mut self) {
        // The linted snapshot may be another one: its memories are found by their ids.
        let linted = self.linted_all.iter().map(|memory| &memory.id);
        let known: HashMap<_, _> = linted.zip(&self.digest.marks).collect();
        let marks = self.memories.iter().map(|memory| Marks {
            new: self.news.has(memory),
            worth: self.worths.of(&memory.id).unwrap_or_default(),
            ..known.get(&memory.id).copied().copied().unwrap_or_default()
        });
        self.marks = Arc::new(marks.collect());
    }

    /// Number of memories that are new or changed since the last commit.
    pub fn changed(&self) -> usize {
        self.marks.iter().filter(|marks| marks.new).count()
    }
}

/// The memories that say something else than before.
fn changed(before: &Snapshot, now: &Snapshot) -> HashSet<MemoryId> {
    let known: HashSet<*const Memory> = before.iter().map(Arc::as_ptr).collect();
    let is_read = |memory: &&Arc<Memory>| !known.contains(&Arc::as_ptr(memory));
    let old: HashMap<&MemoryId, _> = before.iter().map(|memory| (&memory.id, memory)).collect();
    let is_other = |memory: &&Arc<Memory>| old.get(&memory.id).is_none_or(|old| !old.is_as(memory));
    let fresh = now.iter().filter(is_read).filter(is_other);
    fresh.map(|memory| memory.id.clone()).collect()
}
