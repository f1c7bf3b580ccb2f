//! Where memories of one snapshot stand in the next.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::lint::asks::{self, Ask};
use crate::memory::{Memory, MemoryId};
use crate::retrieval::Snapshot;

/// Where memories of one snapshot stand in another, the same as they were.
pub(super) struct Places {
    /// By their place in the old one; none where it is another memory now, or gone.
    to: Vec<Option<u32>>,
    /// Whether none of them moved.
    pub all_stay: bool,
}

impl Places {
    /// Finds the memories of the old snapshot in the new one.
    pub fn of(old: &Snapshot, new: &Snapshot) -> Self {
        let is_same = |(a, b): &(&Arc<Memory>, &Arc<Memory>)| Arc::ptr_eq(a, b);
        let shared = old.len().min(new.len());
        let before = old.iter().zip(new.iter()).take_while(is_same).count();
        let behind = old.iter().rev().zip(new.iter().rev());
        let behind = behind.take(shared - before).take_while(is_same).count();
        let within =
            (before..new.len() - behind).filter_map(|n| Some((Arc::as_ptr(new.get(n)?), n)));
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
        let to: Vec<Option<u32>> = to.collect();
        let all_stay = (0_u32..)
            .zip(&to)
            .all(|(n, to)| to.is_none_or(|to| to == n));
        Self { to, all_stay }
    }

    /// Where a memory of the old snapshot stands.
    pub fn to(&self, index: usize) -> Option<usize> {
        self.to.get(index)?.map(|to| to as usize)
    }

    /// What has another answer in the new snapshot than in the old one; none where memories stand
    /// in another order now, for that may be another answer to anything.
    pub fn touched(&self, old: &Snapshot, new: &Snapshot) -> Option<HashSet<Ask>> {
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
