//! Cuts memories into groups of a size, so that each meets those that are nearest to it.
//!
//! Nearest are those that the policy `hybrid` would give for a memory's text. Pairs of near memories
//! are met in the order of their ranks: the nearest of each first. Each group begins with the first
//! pair that no group has yet, and takes in further pairs as long as there is room.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;
use rayon::prelude::*;

use super::request::Note;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::retrieval::hybrid;
use crate::retrieval::{Limits, Previews, Scorer, Snapshot, Task, Texts};

/// Neighbours of each memory.
const NEIGHBOURS: usize = 8;

/// Bodies that are read already.
struct Bodies<'a>(HashMap<&'a MemoryId, &'a str>);

impl Texts for Bodies<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.0.get(&memory.id).map(|body| (*body).to_owned())
    }
}

impl<'a> Bodies<'a> {
    fn new(notes: &'a [Note]) -> Self {
        let bodies = notes.iter().map(|note| (&note.memory.id, &*note.body));
        Self(bodies.collect())
    }
}

/// Builds the ranking of notes by a text.
fn scorer(notes: &[Note], previews: &dyn Previews) -> (Box<dyn Scorer>, Limits) {
    let memories: Snapshot = Arc::new(notes.iter().map(|note| note.memory.clone()).collect());
    let scorer = previews.build(&hybrid::POLICY, memories);
    let limits = Limits {
        max: Some(NEIGHBOURS + 1),
        ..Limits::default()
    };
    (scorer, limits)
}

/// All notes, those that are nearest to a text first.
pub fn ranked(notes: &[Note], previews: &dyn Previews, now: Timestamp, text: &str) -> Vec<usize> {
    let bodies = Bodies::new(notes);
    let (scorer, limits) = scorer(notes, previews);
    let task = Task {
        text: text.to_owned(),
        now,
        ..Task::default()
    };
    let preview = scorer.preview(&task, &limits, None, &bodies);
    let near = preview.selected.iter().map(|one| one.memory);
    near.chain(0..notes.len()).unique().collect()
}

/// For each note those near to it, the nearest first.
pub fn nearest(notes: &[Note], previews: &dyn Previews, now: Timestamp) -> Vec<Vec<usize>> {
    let bodies = Bodies::new(notes);
    let (scorer, limits) = scorer(notes, previews);
    let near_to = |(own, note): (usize, &Note)| -> Vec<usize> {
        let task = Task {
            text: format!("{}\n{}", note.memory.title, note.body),
            now,
            ..Task::default()
        };
        let preview = scorer.preview(&task, &limits, None, &bodies);
        let others = preview.selected.iter().map(|one| one.memory);
        let others = others.filter(|one| *one != own);
        // Two documents are never compared.
        let is_context = |one: &usize| notes.get(*one).is_some_and(Note::is_context);
        let others = others.filter(|one| !(note.is_context() && is_context(one)));
        others.take(NEIGHBOURS).collect()
    };
    notes.par_iter().enumerate().map(near_to).collect()
}

/// Token limits of the groups.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Tokens of the memories of one group.
    pub group: usize,
    /// Tokens that each group costs beside its memories.
    pub each: usize,
    /// Tokens of all groups, after which only what must meet is still put together.
    pub most: usize,
}

/// Groups of memories by their indices: each memory is in one at least, and together with its
/// nearest where the two fit into one. `near` lists for each memory its nearest first.
pub fn groups(sizes: &[usize], near: &[Vec<usize>], room: Room) -> Vec<Vec<usize>> {
    if sizes.iter().sum::<usize>() <= room.group {
        let all = (0..sizes.len()).collect_vec();
        return Some(all).filter(|all| all.len() > 1).into_iter().collect();
    }
    let all = cut(sizes, near, NEIGHBOURS, room);
    let members = all.iter().flatten().filter_map(|one| sizes.get(*one));
    match members.sum::<usize>() + all.len() * room.each <= room.most {
        true => all,
        // Too much: only the nearest of each decides what meets.
        false => cut(sizes, near, 1, room),
    }
}

/// Cuts groups by the pairs of each memory with so many of its nearest.
fn cut(sizes: &[usize], near: &[Vec<usize>], ranks: usize, room: Room) -> Vec<Vec<usize>> {
    let size = |one: &usize| sizes.get(*one).copied().unwrap_or_default();
    let pair = |rank: usize, one: usize| Some((rank, [one, *near.get(one)?.get(rank)?]));
    let pairs = (0..ranks).cartesian_product(0..sizes.len());
    let mut open: Vec<_> = pairs.filter_map(|(rank, one)| pair(rank, one)).collect();
    let mut groups: Vec<BTreeSet<usize>> = Vec::new();
    let mut spent = 0;
    while let Some((rank, seed)) = open.first().copied() {
        let mut group = BTreeSet::from(seed);
        let mut left = room.group.saturating_sub(seed.iter().map(size).sum());
        // Pairs of which one is there already meet at the least cost.
        for most_new in [1, 2] {
            for (_, pair) in &open {
                let new = pair.iter().filter(|one| !group.contains(one));
                let (count, cost) = (new.clone().count(), new.map(size).sum::<usize>());
                if (1..=most_new).contains(&count) && cost <= left {
                    left -= cost;
                    group.extend(pair);
                }
            }
        }
        spent += room.group - left + room.each;
        if rank > 0 && spent > room.most {
            break;
        }
        open.retain(|(_, pair)| !pair.iter().all(|one| group.contains(one)));
        groups.push(group);
    }
    // Memories near to nothing are still sent once, and none is sent alone.
    let placed: HashSet<usize> = groups.iter().flatten().copied().collect();
    for one in (0..sizes.len()).filter(|one| !placed.contains(one)) {
        let fits = |group: &&mut BTreeSet<usize>| {
            group.iter().chain([&one]).map(size).sum::<usize>() <= room.group
        };
        match groups.iter_mut().rev().find(fits) {
            Some(group) => drop(group.insert(one)),
            None => groups.push(BTreeSet::from([one])),
        }
    }
    for group in groups.iter_mut().filter(|group| group.len() == 1) {
        let other = (0..sizes.len()).find(|other| !group.contains(other));
        group.extend(other);
    }
    let groups = groups.into_iter();
    groups.map(|group| group.into_iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn meet(groups: &[Vec<usize>], one: usize, other: usize) -> bool {
        let both = |group: &Vec<usize>| group.contains(&one) && group.contains(&other);
        groups.iter().any(both)
    }

    #[test]
    fn a_store_that_fits_is_one_group() {
        let room = Room {
            group: 30,
            each: 5,
            most: 90,
        };
        let near = vec![Vec::new(); 3];
        assert_eq!(groups(&[10, 10, 10], &near, room), [vec![0, 1, 2]]);
        assert!(groups(&[10], &near[..1], room).is_empty());
        assert!(groups(&[], &[], room).is_empty());
    }

    #[test]
    fn near_memories_meet_and_all_are_sent() {
        let near = vec![vec![3], vec![2], vec![1], vec![0], Vec::new()];
        let room = Room {
            group: 20,
            each: 0,
            most: 1000,
        };
        let cut = groups(&[10; 5], &near, room);
        assert!(meet(&cut, 0, 3) && meet(&cut, 1, 2), "{cut:?}");
        assert!(cut.iter().flatten().any(|memory| *memory == 4), "{cut:?}");
        assert!(cut.iter().all(|group| group.len() > 1), "{cut:?}");
    }

    proptest! {
        /// No group is too large, each memory meets its nearest, and all groups together are at
        /// most three times the store.
        #[test]
        fn each_meets_its_nearest_within_the_limits(
            sizes in prop::collection::vec(1..50_usize, 2..60),
            picks in prop::collection::vec(prop::collection::vec(0..1000_usize, 0..6), 60),
            group in 100..400_usize,
        ) {
            let count = sizes.len();
            let near: Vec<Vec<usize>> = (0..count)
                .map(|memory| {
                    let mut known = HashSet::from([memory]);
                    let all = picks[memory].iter().map(|pick| pick % count);
                    all.filter(|other| known.insert(*other)).collect()
                })
                .collect();
            let whole: usize = sizes.iter().sum();
            let room = Room { group, each: 0, most: 3 * whole };
            let cut = groups(&sizes, &near, room);
            let cost = |group: &Vec<usize>| group.iter().map(|one| sizes[*one]).sum::<usize>();
            let total: usize = cut.iter().map(cost).sum();
            prop_assert!(total <= 3 * whole, "{total} of {whole}");
            for members in &cut {
                prop_assert!(cost(members) <= group);
            }
            for (memory, all) in near.iter().enumerate() {
                prop_assert!(cut.iter().flatten().any(|member| *member == memory));
                if let Some(nearest) = all.first() {
                    prop_assert!(meet(&cut, memory, *nearest));
                }
            }
        }
    }
}
