//! Where memories of one snapshot stand in the next.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::lint::asks::{self, Ask};
use crate::memory::{Memory, MemoryId};
use crate::retrieval::Snapshot;

/// Where memories of one snapshot stand in another, the same as they were.
pub(in crate::lint) struct Places {
    /// By their place in the old one; none where it is another memory now, or gone.
    to: Vec<Option<u32>>,
    /// How many lines further down in its file each stands; empty where none moved.
    down: Vec<i32>,
    /// Whether all have the place that they had.
    pub(super) all_stay: bool,
}

impl Places {
    /// Finds the memories of the old snapshot in the new one: those that were not read again, and
    /// those of which all that is known is as it was, and the text too, of which `says_the_same`
    /// is asked with both places.
    pub(super) fn of(
        old: &Snapshot,
        new: &Snapshot,
        says_the_same: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Self {
        let mut to = unread(old, new);
        read_again((old, new), &mut to, says_the_same);
        let line = |memories: &Snapshot, n: usize| memories.get(n).map_or(0, |memory| memory.line);
        let down = |(n, to): (usize, &Option<u32>)| {
            to.map_or(0, |to| {
                line(new, to as usize).cast_signed() - line(old, n).cast_signed()
            })
        };
        let mut down: Vec<i32> = to.iter().enumerate().map(down).collect();
        if down.iter().all(|down| *down == 0) {
            down = Vec::new();
        }
        let in_place = (0_u32..)
            .zip(&to)
            .all(|(n, to)| to.is_none_or(|to| to == n));
        Self {
            all_stay: in_place && down.is_empty(),
            to,
            down,
        }
    }

    /// The line that a line of the file of a memory of the old snapshot is now.
    pub fn line(&self, index: usize, line: u32) -> u32 {
        line.saturating_add_signed(self.down(index))
    }

    /// How many lines further down a memory of the old snapshot stands.
    pub fn down(&self, index: usize) -> i32 {
        self.down.get(index).copied().unwrap_or_default()
    }

    /// Where a memory of the old snapshot stands.
    pub fn to(&self, index: usize) -> Option<usize> {
        self.to.get(index)?.map(|to| to as usize)
    }

    /// What has another answer in the new snapshot than in the old one; none where memories stand
    /// in another order now, for that may be another answer to anything.
    pub(super) fn touched(&self, old: &Snapshot, new: &Snapshot) -> Option<HashSet<Ask>> {
        let mut from: Vec<Option<usize>> = vec![None; new.len()];
        let mut gone: HashMap<&MemoryId, usize> = HashMap::new();
        for (n, memory) in old.iter().enumerate() {
            match self.to(n).and_then(|to| from.get_mut(to)) {
                Some(from) => *from = Some(n),
                None => drop(gone.insert(&memory.id, n)),
            }
        }
        let mut touched = HashSet::new();
        let mut others = false;
        for (memory, from) in new.iter().zip(&mut from).filter(|(_, from)| from.is_none()) {
            *from = gone.remove(&memory.id);
            others |= from.is_none();
            let before = from.and_then(|n| old.get(n));
            asks::touch(memory, before.map(|before| &**before), &mut touched);
        }
        others |= !gone.is_empty();
        for memory in gone.into_values().filter_map(|n| old.get(n)) {
            asks::touch(memory, None, &mut touched);
        }
        // What was answered of one that had another name depends on all names.
        touched.extend(others.then_some(asks::ANSWERS));
        from.iter().flatten().is_sorted().then_some(touched)
    }
}

/// Where the memories stand that were not read again.
fn unread(old: &Snapshot, new: &Snapshot) -> Vec<Option<u32>> {
    let is_same = |(a, b): &(&Arc<Memory>, &Arc<Memory>)| Arc::ptr_eq(a, b);
    let shared = old.len().min(new.len());
    let before = old.iter().zip(new.iter()).take_while(is_same).count();
    let behind = old.iter().rev().zip(new.iter().rev());
    let behind = behind.take(shared - before).take_while(is_same).count();
    let within = (before..new.len() - behind).filter_map(|n| Some((Arc::as_ptr(new.get(n)?), n)));
    let within: HashMap<*const Memory, usize> = within.collect();
    let last = old.len() - behind;
    let to = old.iter().enumerate().map(|(n, memory)| {
        let to = match n {
            _ if n < before => Some(n),
            _ if n >= last => Some(n + new.len() - old.len()),
            _ => within.get(&Arc::as_ptr(memory)).copied(),
        };
        to.and_then(|to| u32::try_from(to).ok())
    });
    to.collect()
}

/// Finds those that were read again and are as they were: of a file with many memories one changed.
fn read_again(
    (old, new): (&Snapshot, &Snapshot),
    to: &mut [Option<u32>],
    says_the_same: &(dyn Fn(usize, usize) -> bool + Sync),
) {
    let mut met = vec![false; new.len()];
    for at in to.iter().flatten() {
        if let Some(met) = met.get_mut(*at as usize) {
            *met = true;
        }
    }
    let free = new.iter().zip(0_u32..).zip(&met);
    let free = free.filter(|(_, met)| !**met);
    let free: HashMap<&MemoryId, u32> = free.map(|((new, n), _)| (&new.id, n)).collect();
    if free.is_empty() {
        return;
    }
    let same = |(n, (memory, to)): (usize, (&Arc<Memory>, &mut Option<u32>))| {
        if to.is_none()
            && let Some(&at) = free.get(&memory.id)
            && new.get(at as usize).is_some_and(|new| new.is_as(memory))
            && says_the_same(n, at as usize)
        {
            *to = Some(at);
        }
    };
    old.par_iter().zip(to).enumerate().for_each(same);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::tests::{Store, memory};

    #[test]
    fn what_moved_down_in_its_file_is_known_where_it_says_the_same() {
        let store = |above: u32, names: &[&str], body: &str| {
            let sample = |name: &&str| {
                let body = if *name == "b" { body } else { "Ten." };
                memory(name).front("", body).change(|memory| {
                    memory.line += above;
                    memory.stamp.modified = i64::from(above);
                })
            };
            Store::new(names.iter().map(sample).collect())
        };
        let old = store(0, &["a", "b", "c", "d"], "Ten.");
        let new = store(4, &["x", "a", "b", "c"], "Nine");
        let text = |store: &Store, n: usize| store.cx().texts.text(&store.memories[n]);
        let same = |n: usize, at: usize| text(&old, n) == text(&new, at);
        let places = Places::of(&old.memories, &new.memories, &same);
        assert_eq!(
            [0, 1, 2, 3].map(|n| places.to(n)),
            [Some(1), None, Some(3), None]
        );
        assert_eq!((places.line(0, 7), places.line(1, 7)), (11, 7));
        // Another title is seen without reading.
        let other = store(4, &["a"], "Ten.");
        let titled = memory("a")
            .front("", "Ten.")
            .change(|memory| memory.title = "B".into());
        let titled = Store::new(vec![titled]);
        let asked = |_: usize, _: usize| -> bool { panic!("read") };
        let places = Places::of(&other.memories, &titled.memories, &asked);
        assert_eq!(places.to(0), None);
    }
}
