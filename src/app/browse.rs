//! The list of memories: which rows, in which order, and what is picked.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::cursor::Cursor;
use super::filter::Filter;
use super::sections::{Heading, Row, Section};
use super::world::{Stamp, World};
use crate::memory::schema::Kind;
use crate::memory::{Memory, MemoryId, Role, StoreId, Value};
use crate::search::Hit;

/// The order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sort {
    /// By path and position; best match first while words are searched for.
    #[default]
    Path,
    /// Most important first.
    Importance,
    /// Newest first.
    Age,
    /// By title.
    Title,
}

impl Sort {
    /// All, in the order they are gone through.
    pub const ALL: [Self; 4] = [Self::Path, Self::Importance, Self::Age, Self::Title];

    /// Its name on the screen.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Importance => "importance",
            Self::Age => "age",
            Self::Title => "title",
        }
    }
}

/// The list of memories.
#[derive(Debug, Default)]
pub struct Browse {
    /// The filter above it.
    pub filter: Filter,
    /// Its order.
    pub sort: Sort,
    /// The rows.
    pub rows: Vec<Row>,
    /// The sections, where the list has them.
    pub headings: Vec<Heading>,
    /// Number of them that are no loose matches: those stand below a line of their own.
    pub close: usize,
    /// Tokens of each store that every session is given.
    pub every_session: HashMap<StoreId, usize>,
    /// The snapshot that they were counted in.
    pub counted: Option<Stamp>,
    /// Number of loose matches.
    loose: usize,
    /// The selected row.
    pub cursor: Cursor<MemoryId>,
    /// The picked memories.
    pub picked: HashSet<MemoryId>,
    /// The row a range began on.
    pub range: Option<usize>,
    /// True if archived memories are listed.
    pub archived: bool,
    /// True if all memories stand in one list without sections.
    pub is_flat: bool,
    /// The sections whose memories have no rows.
    pub folded: HashSet<Section>,
    /// The last known index of the chosen memory in the snapshot.
    last: usize,
}

impl Browse {
    /// The memory on a row.
    pub fn on<'a>(&self, world: &'a World, row: usize) -> Option<&'a Arc<Memory>> {
        world.memory(self.rows.get(row)?.memory()?)
    }

    /// The section that is folded into a row.
    pub fn folded_at(&self, row: usize) -> Option<&Heading> {
        match self.rows.get(row)? {
            Row::Folded(at) => self.headings.get(*at),
            Row::Memory(_) => None,
        }
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

    /// Goes to a row.
    pub fn go(&mut self, world: &World, row: usize) {
        let row = row.min(self.rows.len().saturating_sub(1));
        let chosen = self.on(world, row).map(|memory| memory.id.clone());
        let chosen = chosen.or_else(|| Some(self.folded_at(row)?.section.key()));
        self.cursor.go(row, self.rows.len(), |_| chosen);
    }

    /// True if a row lies in the range that is being picked.
    pub fn in_range(&self, row: usize) -> bool {
        self.range.is_some_and(|from| {
            let (low, high) = (from.min(self.cursor.row), from.max(self.cursor.row));
            (low..=high).contains(&row)
        })
    }

    /// True if the best match stands first.
    pub fn by_match(&self) -> bool {
        let ranked = |hits: &Vec<Hit>| hits.iter().any(|hit| hit.score > 0);
        self.sort == Sort::Path && self.filter.hits.as_ref().is_some_and(ranked)
    }

    /// Number of loose matches in the list.
    pub const fn loose(&self) -> usize {
        self.loose
    }

    /// The line above the loose matches, where some are listed.
    pub fn loose_line(&self) -> Option<usize> {
        (self.loose() > 0).then_some(self.close)
    }

    /// The sections whose heading has a line of its own.
    fn unfolded(&self) -> impl Iterator<Item = &Heading> {
        self.headings.iter().filter(|heading| !heading.is_folded)
    }

    /// The line that a row stands on.
    pub fn line_of(&self, row: usize) -> usize {
        let above = self.unfolded().filter(|heading| heading.row <= row).count();
        row + above + usize::from(self.loose_line().is_some_and(|line| row >= line))
    }

    /// The heading that stands on a line.
    pub fn heading_at(&self, line: usize) -> Option<&Heading> {
        let mut lines = (0..).zip(self.unfolded());
        let found = lines.find(|(above, heading)| heading.row + above == line);
        found.map(|(_, heading)| heading)
    }

    /// The row that stands on a line; none on a heading and on the line above the loose matches.
    pub fn row_at(&self, line: usize) -> Option<usize> {
        if self.heading_at(line).is_some() || self.loose_line() == Some(line) {
            return None;
        }
        let headings = (0..).zip(self.unfolded());
        let headings = headings.take_while(|(above, heading)| heading.row + above < line);
        let loose = self.loose_line().is_some_and(|loose| line > loose);
        line.checked_sub(headings.count() + usize::from(loose))
    }

    /// Works the rows out anew and stays on the memory.
    pub fn arrange(&mut self, world: &World) {
        let all = self.archived || self.asks_for_archived();
        let shown = |n: &u32| all || world.is_active(*n as usize);
        let hits = self.filter.hits.as_ref();
        let total = u32::try_from(world.memories.len()).unwrap_or(u32::MAX);
        let mut rows: Vec<u32> = match hits {
            None => (0..total).filter(shown).collect(),
            Some(hits) => hits.iter().map(|hit| hit.index).filter(shown).collect(),
        };
        if !self.by_match() {
            rows.sort_unstable();
            let sort = if world.complete {
                self.sort
            } else {
                Sort::Path
            };
            sort_rows(sort, world, &mut rows);
        }
        self.set_apart(&mut rows, world.memories.len());
        self.divide(rows, world);
        let (rows, headings, last) = (&self.rows, &self.headings, &mut self.last);
        self.cursor.follow(rows.len(), |id| {
            let folded = headings
                .iter()
                .find(|one| one.is_folded && one.section.key() == *id);
            if let Some(heading) = folded {
                return Some(heading.row);
            }
            *last = world.index_near(id, *last)?;
            let row = Row::Memory(u32::try_from(*last).ok()?);
            rows.iter().position(|one| *one == row)
        });
    }

    /// Puts rows into the sections of their memories, unless they stand by how well they match.
    fn divide(&mut self, rows: Vec<u32>, world: &World) {
        self.headings.clear();
        self.rows.clear();
        if self.is_flat || self.by_match() || self.loose() > 0 {
            self.rows.extend(rows.into_iter().map(Row::Memory));
            return;
        }
        // A store that was never committed waits as a whole: that says nothing about a memory.
        let is_new = |n: &u32| {
            world
                .memory(*n as usize)
                .is_some_and(|one| world.is_new(one))
        };
        let is_apart = !rows.iter().all(is_new);
        let stores = world.stores.iter().cloned().map(Section::Store);
        let all = std::iter::once(Section::Waiting).chain(stores);
        let all: Vec<Section> = all.chain([Section::Context]).collect();
        let mut parts = vec![Vec::new(); all.len()];
        for n in rows {
            let Some(memory) = world.memory(n as usize) else {
                continue;
            };
            let store = || {
                world
                    .stores
                    .iter()
                    .position(|store| *store == memory.id.store)
            };
            let place = match memory.schema.can.context {
                _ if is_apart && world.is_new(memory) => Some(0),
                true => Some(all.len() - 1),
                false => store().map(|at| at + 1),
            };
            if let Some(part) = place.and_then(|place| parts.get_mut(place)) {
                part.push(n);
            }
        }
        for (section, part) in all.into_iter().zip(parts) {
            if part.is_empty() {
                continue;
            }
            let is_folded = self.folded.contains(&section);
            let (row, count) = (self.rows.len(), part.len());
            match is_folded {
                true => self.rows.push(Row::Folded(self.headings.len())),
                false => self.rows.extend(part.into_iter().map(Row::Memory)),
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

    /// A query about states decides itself whether archived memories are listed.
    fn asks_for_archived(&self) -> bool {
        let text = self.filter.line.text();
        text.contains("state:") || text.contains("archived")
    }
}

/// Sorts rows; ties by path, as everywhere.
fn sort_rows(sort: Sort, world: &World, rows: &mut [u32]) {
    let at = |n: &u32| world.memory(*n as usize);
    match sort {
        Sort::Path => {}
        Sort::Importance => {
            rows.sort_by_cached_key(|n| at(n).map(|memory| standing(world, memory)));
        }
        Sort::Age => rows.sort_by_key(|n| {
            let last = at(n).and_then(|memory| world.written(memory));
            Reverse(last.map_or(i64::MIN, |(time, _)| time.0))
        }),
        Sort::Title => {
            rows.sort_by_cached_key(|n| at(n).map(|memory| memory.title.to_lowercase()));
        }
    }
}

/// The place of a memory when the most important come first: on one scale whatever its format.
/// Behind them stand those that do not say, and those of formats that have types instead, store by
/// store and in each the first type first.
fn standing(world: &World, memory: &Memory) -> impl Ord + use<> {
    let part = part(memory);
    let level = part.map_or(0, step);
    let others = (level == 0).then(|| {
        let store = &memory.id.store;
        let store = world.stores.iter().position(|known| known == store);
        (store, Reverse(type_level(memory)))
    });
    // Numbers of a step are told apart; none is negative, so that their bits are in their order.
    let bits = part.filter(|_| level > 0).map(f64::to_bits);
    (Reverse(level), Reverse(bits), others)
}

/// How important a memory is, as one of four steps: 0 where it does not say.
pub fn level(memory: &Memory) -> usize {
    part(memory).map_or(0, step)
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
        (Kind::Number(low, high), value) => Some((value.as_f64()? - low) / (high - low)),
        _ => None,
    }
}

/// The place of a memory's type among those that its schema knows, the first the highest.
fn type_level(memory: &Memory) -> usize {
    let spec = memory.schema.role(Role::Type);
    let Some(Kind::Choice(words)) = spec.map(|spec| spec.kind) else {
        return 0;
    };
    let own = memory.role(Role::Type).and_then(Value::as_str);
    let place = words.iter().position(|word| Some(*word) == own);
    place.map_or(0, |place| words.len() - place)
}

/// The step of a part of the whole, from 1; 0 where it is none.
fn step(part: f64) -> usize {
    let reached = [0.0, 0.25, 0.5, 0.75];
    let reached = reached.iter().filter(|least| part >= **least).count();
    if part <= 1.0 { reached } else { 0 }
}
