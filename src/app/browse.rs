//! The list of memories: its rows, their sections and order, what is picked, and what each store gives
//! to every session.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;

use super::Model;
use super::cursor::{Cursor, Dividers};
use super::filter::Filter;
use super::msg::{Question, Slot};
use super::world::{Stamp, World, stamp};
use crate::memory::schema::Kind;
use crate::memory::{Memory, MemoryId, Role, StoreId, Value};
use crate::retrieval::Snapshot;
use crate::search::Hit;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sort {
    /// By path and position; best match first while words are searched for.
    #[default]
    Path,
    Importance,
    Age,
    Title,
    /// Most drawn on first, and those that were only given last.
    Use,
}

impl Sort {
    /// All, in the order they are gone through.
    pub const ALL: [Self; 5] = [
        Self::Path,
        Self::Importance,
        Self::Age,
        Self::Title,
        Self::Use,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Importance => "importance",
            Self::Age => "age",
            Self::Title => "title",
            Self::Use => "use",
        }
    }
}

#[derive(Debug, Default)]
pub struct Browse {
    pub filter: Filter,
    pub sort: Sort,
    pub rows: Vec<Row>,
    pub headings: Vec<Heading>,
    /// The lines of headings, and the one above the loose matches.
    pub dividers: Dividers,
    /// Number of them that are no loose matches: those stand below a line of their own.
    pub close: usize,
    pub every_session: HashMap<StoreId, EverySession>,
    /// The snapshot that they were counted in.
    counted: Option<Stamp>,
    pub loose: usize,
    pub cursor: Cursor<MemoryId>,
    pub picked: HashSet<MemoryId>,
    /// The row a range began on.
    pub range: Option<usize>,
    pub archived: bool,
    /// True if all memories stand in one list without sections.
    pub is_flat: bool,
    pub folded: HashSet<Section>,
}

impl Browse {
    pub fn on<'a>(&self, world: &'a World, row: usize) -> Option<&'a Arc<Memory>> {
        world.memory(self.rows.get(row)?.memory()?)
    }

    pub fn folded_at(&self, row: usize) -> Option<&Heading> {
        match self.rows.get(row)? {
            Row::Folded(at) => self.headings.get(*at),
            Row::Memory(_) | Row::Deleted(_) => None,
        }
    }

    /// The memory on a row that only the last commit has, and its title.
    pub fn deleted_at<'a>(&self, world: &'a World, row: usize) -> Option<(&'a MemoryId, &'a str)> {
        match self.rows.get(row)? {
            Row::Deleted(at) => world.deleted().nth(*at),
            Row::Memory(_) | Row::Folded(_) => None,
        }
    }

    pub fn key(&self, world: &World, row: usize) -> Option<MemoryId> {
        let memory = self.on(world, row).map(|memory| memory.id.clone());
        let folded = || Some(self.folded_at(row)?.section.key());
        let deleted = || Some(self.deleted_at(world, row)?.0.clone());
        memory.or_else(folded).or_else(deleted)
    }

    /// Folds the section of the row the person stands on, or unfolds it; false where there is none.
    pub fn fold(&mut self, world: &World, is_folded: bool) -> bool {
        let mut headings = self.headings.iter().rev();
        let heading = headings.find(|heading| heading.row <= self.cursor.row);
        let Some(heading) = heading.filter(|heading| heading.is_folded != is_folded) else {
            return false;
        };
        let row = heading.row;
        match is_folded {
            true => self.folded.insert(heading.section.clone()),
            false => self.folded.remove(&heading.section),
        };
        self.arrange(world);
        self.go(world, row);
        true
    }

    pub fn go(&mut self, world: &World, row: usize) {
        let row = row.min(self.rows.len().saturating_sub(1));
        let chosen = self.key(world, row);
        self.cursor.go(row, self.rows.len(), |_| chosen);
    }

    pub fn in_range(&self, row: usize) -> bool {
        self.range.is_some_and(|from| {
            let (low, high) = (from.min(self.cursor.row), from.max(self.cursor.row));
            (low..=high).contains(&row)
        })
    }

    pub fn ranged<'a>(&'a self, world: &'a World) -> impl Iterator<Item = &'a Arc<Memory>> {
        let rows = (0..self.rows.len()).filter(|row| self.in_range(*row));
        rows.filter_map(|row| self.on(world, row))
    }

    pub fn by_match(&self) -> bool {
        let ranked = |hits: &Vec<Hit>| hits.iter().any(|hit| hit.score > 0);
        self.sort == Sort::Path && self.filter.hits.as_ref().is_some_and(ranked)
    }

    /// The heading of its own line, by its place among the dividers; else the line is that above the
    /// loose matches.
    pub fn heading(&self, n: usize) -> Option<&Heading> {
        let mut unfolded = self.headings.iter().filter(|heading| !heading.is_folded);
        unfolded.nth(n)
    }

    /// Works the rows out anew and stays on the memory.
    pub fn arrange(&mut self, world: &World) {
        // A query about states decides itself whether archived memories are listed.
        let text = self.filter.line.text();
        let all = self.archived || text.contains("state:") || text.contains("archived");
        let shown = |n: &u32| all || world.is_active(*n as usize);
        let hits = self.filter.hits.as_ref();
        let total = u32::try_from(world.memories.len()).unwrap_or(u32::MAX);
        let mut rows: Vec<u32> = match hits {
            None => (0..total).filter(shown).collect(),
            Some(hits) => hits.iter().map(|hit| hit.index).filter(shown).collect(),
        };
        if !self.by_match() {
            rows.sort_unstable();
            let sort = Some(self.sort).filter(|_| world.complete);
            sort_rows(sort.unwrap_or_default(), world, &mut rows);
        }
        self.set_apart(&mut rows, world.memories.len());
        self.divide(rows, world);
        let unfolded = self.headings.iter().filter(|heading| !heading.is_folded);
        let loose = (self.loose > 0).then_some(self.close);
        self.dividers = Dividers(unfolded.map(|heading| heading.row).chain(loose).collect());
        let (rows, headings) = (&self.rows, &self.headings);
        self.cursor.follow(rows.len(), |id| {
            let index = world.index_of(id);
            rows.iter().position(|row| match row {
                Row::Memory(n) => index == Some(*n as usize),
                Row::Folded(at) => headings
                    .get(*at)
                    .is_some_and(|one| one.section.key() == *id),
                Row::Deleted(at) => world.deleted().nth(*at).is_some_and(|(one, _)| one == id),
            })
        });
    }

    /// Puts rows into the sections of their memories, unless they stand by how well they match.
    fn divide(&mut self, rows: Vec<u32>, world: &World) {
        self.headings.clear();
        self.rows.clear();
        if self.is_flat || self.by_match() || self.loose > 0 {
            self.rows.extend(rows.into_iter().map(Row::Memory));
            return;
        }
        // A store that was never committed waits as a whole: that says nothing about a memory.
        let new = |n: &u32| world.memory(*n as usize).filter(|one| world.is_new(one));
        let is_apart = !rows.iter().all(|n| new(n).is_some());
        let section = |n: &u32| match world.memory(*n as usize) {
            // The lines of an index wait with the memories that they name.
            Some(one) if is_apart && world.is_new(one) && one.index_table().is_none() => {
                Section::Waiting
            }
            Some(one) if !one.schema.can.context => Section::Store(one.id.store.clone()),
            _ => Section::Context,
        };
        let mut parts = rows.into_iter().into_group_map_by(section);
        let stores = world.stores.iter().cloned().map(Section::Store);
        let all = std::iter::once(Section::Waiting).chain(stores);
        for section in all.chain([Section::Context]) {
            let part = parts.remove(&section).unwrap_or_default();
            let is_waiting = section == Section::Waiting && self.filter.hits.is_none();
            let deleted = if is_waiting { world.deleted().len() } else { 0 };
            if part.is_empty() && deleted == 0 {
                continue;
            }
            let is_folded = self.folded.contains(&section);
            let (row, count) = (self.rows.len(), part.len() + deleted);
            match is_folded {
                true => self.rows.push(Row::Folded(self.headings.len())),
                false => {
                    let deleted = (0..deleted).map(Row::Deleted);
                    self.rows
                        .extend(part.into_iter().map(Row::Memory).chain(deleted));
                }
            }
            self.headings.push(Heading {
                section,
                row,
                count,
                is_folded,
            });
        }
    }

    /// Puts loose matches behind the others, whatever the order.
    fn set_apart(&mut self, rows: &mut [u32], memories: usize) {
        let mut is_loose = vec![false; memories];
        let hits = self.filter.hits.iter().flatten();
        for hit in hits.filter(|hit| hit.is_loose()) {
            if let Some(slot) = is_loose.get_mut(hit.index as usize) {
                *slot = true;
            }
        }
        let is_loose = |n: &u32| is_loose.get(*n as usize) == Some(&true);
        rows.sort_by_key(is_loose);
        self.close = rows.partition_point(|n| !is_loose(n));
        self.loose = rows.len() - self.close;
    }
}

/// Sorts rows; ties by path, as everywhere.
fn sort_rows(sort: Sort, world: &World, rows: &mut [u32]) {
    let at = |n: &u32| world.memory(*n as usize);
    match sort {
        Sort::Path => {}
        Sort::Importance => {
            // None is negative, so that their bits are in their order.
            let part = |n: &u32| at(n).and_then(|memory| part(memory)).map(f64::to_bits);
            rows.sort_by_cached_key(|n| Reverse(part(n)));
        }
        Sort::Age => rows.sort_by_key(|n| {
            let last = at(n).and_then(|memory| world.written(memory));
            Reverse(last.map_or(i64::MIN, |(time, _)| time.0))
        }),
        Sort::Title => {
            rows.sort_by_cached_key(|n| at(n).map(|memory| memory.title.to_lowercase()));
        }
        Sort::Use => rows.sort_by_cached_key(|n| {
            let worth = at(n).and_then(|memory| world.worths.of(&memory.id));
            let worth = worth.unwrap_or_default();
            (Reverse(worth.drawn), worth.given)
        }),
    }
}

/// How important a memory is, as one of four steps: 0 where it does not say.
pub fn level(memory: &Memory) -> usize {
    let part = part(memory).filter(|part| *part <= 1.0);
    let steps = [0.0, 0.25, 0.5, 0.75].iter();
    steps.filter(|least| part >= Some(**least)).count()
}

/// How important a memory is, as a part of the most that its schema knows.
#[expect(clippy::cast_precision_loss, reason = "there are few words")]
fn part(memory: &Memory) -> Option<f64> {
    let spec = memory.schema.role(Role::Importance)?;
    match (spec.kind, memory.field(spec.name)?) {
        (Kind::Choice(words), Value::Text(word)) => {
            let place = words.iter().position(|known| **known == **word)?;
            // The least of four words is the lowest of four steps, above the numbers in it.
            Some((place as f64 + 0.99) / words.len() as f64)
        }
        (Kind::Number((low, high)), value) => Some((value.as_f64()? - low) / (high - low)),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// A memory, by its index in the snapshot.
    Memory(u32),
    /// A folded section, by its place among the sections.
    Folded(usize),
    /// A memory that only the last commit has, by its place among those.
    Deleted(usize),
}

impl Row {
    pub const fn memory(self) -> Option<usize> {
        match self {
            Self::Memory(index) => Some(index as usize),
            Self::Folded(_) | Self::Deleted(_) => None,
        }
    }
}

/// The memories that stand together below a heading.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// Those that are new or changed since the last commit.
    Waiting,
    Store(StoreId),
    /// The files that agents read beside memories.
    Context,
}

#[derive(Debug)]
pub struct Heading {
    pub section: Section,
    /// Its first row; its only one where it is folded.
    pub row: usize,
    pub count: usize,
    pub is_folded: bool,
}

impl Section {
    /// The key of a folded section for the cursor: an id that no memory has.
    pub fn key(&self) -> MemoryId {
        let none = || StoreId("".into());
        let (store, local) = match self {
            Self::Store(store) => (store.clone(), ""),
            Self::Waiting => (none(), "waiting"),
            Self::Context => (none(), "context"),
        };
        MemoryId {
            store,
            local: local.into(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct EverySession {
    pub tokens: usize,
    /// Of an index: what it has of what its system loads, and the unit.
    pub limits: Vec<(usize, usize, &'static str)>,
}

#[derive(Debug)]
pub struct CountEverySession(pub Snapshot);

impl Question for CountEverySession {
    const SLOT: Slot = "sections";
    const ASIDE: bool = true;
    /// By store; of a store that goes by the task nothing.
    type Answer = HashMap<StoreId, EverySession>;

    fn settle(answer: Self::Answer, model: &mut Model) {
        model.browse.every_session = answer;
    }
}

/// Every complete snapshot is counted.
pub fn ask(model: &mut Model) {
    let now = stamp(&model.world.memories);
    if model.world.complete && model.browse.counted != Some(now) {
        model.browse.counted = Some(now);
        model.request(CountEverySession(Arc::clone(&model.world.memories)));
    }
}
