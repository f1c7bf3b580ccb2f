//! Cuts memories into groups of a size, so that each meets those that are nearest to it.
//!
//! Nearest are those that the policy `hybrid` would give for a memory's text. Pairs of near memories
//! are edges, the nearest of each memory the heaviest. Each group grows from the heaviest edge that
//! no group covers yet, by the memory that covers most weight for its size.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;
use rayon::prelude::*;

use super::request::Note;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::retrieval::hybrid;
use crate::retrieval::{Limits, Previews, Snapshot, Task, Texts};

/// A memory that is near another one, and how near: 1 is the nearest.
pub type Near = (usize, f64);

/// Neighbours of each memory.
const NEIGHBOURS: usize = 8;

/// Bodies that are read already.
struct Bodies<'a>(HashMap<&'a MemoryId, &'a str>);

impl Texts for Bodies<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.0.get(&memory.id).map(|body| (*body).to_owned())
    }
}

/// For each note those near to it, the nearest first, and how near: the nearest is 1.
pub fn nearest(notes: &[Note], previews: &dyn Previews, now: Timestamp) -> Vec<Vec<Near>> {
    let memories: Snapshot = Arc::new(notes.iter().map(|note| note.memory.clone()).collect());
    let bodies = notes.iter().map(|note| (&note.memory.id, &*note.body));
    let bodies = Bodies(bodies.collect());
    let mut scorer = previews.build(&hybrid::POLICY, memories);
    scorer.index(&bodies);
    let limits = Limits {
        max: Some(NEIGHBOURS + 1),
        ..Limits::default()
    };
    let near_to = |(own, note): (usize, &Note)| -> Vec<Near> {
        let task = Task {
            text: format!("{}\n{}", note.memory.title, note.body),
            now,
            ..Task::default()
        };
        let preview = scorer.preview(&task, &limits, None, &bodies);
        let others = preview.selected.iter().filter(|one| one.memory != own);
        let others = others.filter_map(|one| Some((one.memory, one.score?)));
        let mut others = others.take(NEIGHBOURS).peekable();
        let top = others.peek().map_or(1.0, |(_, score)| *score);
        others.map(|(other, score)| (other, score / top)).collect()
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
pub fn groups(sizes: &[usize], near: &[Vec<Near>], room: Room) -> Vec<Vec<usize>> {
    if sizes.iter().sum::<usize>() <= room.group {
        let all = (0..sizes.len()).collect_vec();
        return Some(all).filter(|all| all.len() > 1).into_iter().collect();
    }
    let all = Cutting::new(sizes, near, room).cut();
    let members = all.iter().flatten().filter_map(|one| sizes.get(*one));
    if members.sum::<usize>() + all.len() * room.each <= room.most {
        return all;
    }
    // Too much: only the nearest of each decides what meets.
    let first = |all: &Vec<Near>| all.iter().take(1).copied().collect();
    let nearest: Vec<Vec<Near>> = near.iter().map(first).collect();
    Cutting::new(sizes, &nearest, room).cut()
}

/// Bonus for placing a memory with its nearest one, on top of nearness: outweighs all other pairs.
const NEAREST: f64 = 10.0;

/// Pairs that are looked at to fill a group when nothing near its members is left.
const LOOKED_AHEAD: usize = 1_000;

/// The pairs that no group covers yet.
struct Cutting<'a> {
    sizes: &'a [usize],
    room: Room,
    /// For each memory those that it has not met, with what it is worth that they meet.
    open: Vec<BTreeMap<usize, f64>>,
}

impl<'a> Cutting<'a> {
    fn new(sizes: &'a [usize], near: &[Vec<Near>], room: Room) -> Self {
        let mut open = vec![BTreeMap::new(); sizes.len()];
        for (memory, all) in near.iter().enumerate() {
            for (rank, (other, worth)) in all.iter().enumerate() {
                let worth = worth + if rank == 0 { NEAREST } else { 0.0 };
                for (one, other) in [(memory, *other), (*other, memory)] {
                    if let Some(open) = open.get_mut(one) {
                        *open.entry(other).or_insert(0.0) += worth;
                    }
                }
            }
        }
        Self { sizes, room, open }
    }

    fn size<'g>(&self, members: impl IntoIterator<Item = &'g usize>) -> usize {
        let sizes = members.into_iter().filter_map(|one| self.sizes.get(*one));
        sizes.sum()
    }

    /// Those that a memory has not met.
    fn open(&self, one: usize) -> impl Iterator<Item = (usize, f64)> {
        let open = self.open.get(one).into_iter().flatten();
        open.map(|(other, worth)| (*other, *worth))
    }

    fn is_open(&self, [one, other]: [usize; 2]) -> bool {
        let open = self.open.get(one);
        open.is_some_and(|open| open.contains_key(&other))
    }

    fn cut(mut self) -> Vec<Vec<usize>> {
        let pairs = (0..self.sizes.len()).flat_map(|one| {
            let later = self.open(one).filter(move |(other, _)| *other > one);
            later.map(move |(other, worth)| ([one, other], worth))
        });
        let queue = pairs.sorted_by(|(_, a), (_, b)| b.total_cmp(a));
        let queue = queue.collect_vec();
        let mut groups: Vec<BTreeSet<usize>> = Vec::new();
        let mut spent = 0;
        for (at, (pair, worth)) in queue.iter().enumerate().map(|(at, one)| (at + 1, *one)) {
            if !self.is_open(pair) {
                continue;
            }
            let group = self.grow(pair, queue.get(at..).unwrap_or_default());
            let cost = self.size(&group) + self.room.each;
            if worth < NEAREST && spent + cost > self.room.most {
                continue;
            }
            spent += cost;
            for one in &group {
                if let Some(open) = self.open.get_mut(*one) {
                    open.retain(|other, _| !group.contains(other));
                }
            }
            groups.push(group);
        }
        // Memories near to nothing are still sent once, and none is sent alone.
        let placed: HashSet<usize> = groups.iter().flatten().copied().collect();
        for one in (0..self.sizes.len()).filter(|one| !placed.contains(one)) {
            let fits = |group: &&mut BTreeSet<usize>| {
                self.size(&**group) + self.size(&[one]) <= self.room.group
            };
            match groups.iter_mut().rev().find(fits) {
                Some(group) => drop(group.insert(one)),
                None => groups.push(BTreeSet::from([one])),
            }
        }
        for group in groups.iter_mut().filter(|group| group.len() == 1) {
            let other = (0..self.sizes.len()).find(|other| !group.contains(other));
            group.extend(other);
        }
        groups
            .into_iter()
            .map(|group| group.into_iter().collect())
            .collect()
    }

    /// The group that grows from a pair, as large as there is room, by the memory that is worth most
    /// for its size; `later` are the pairs that fill it where nothing near is left.
    fn grow(&self, seed: [usize; 2], later: &[([usize; 2], f64)]) -> BTreeSet<usize> {
        let mut group = BTreeSet::from(seed);
        let mut ahead = later.iter().take(LOOKED_AHEAD);
        loop {
            let left = self.room.group.saturating_sub(self.size(&group));
            let mut gains: BTreeMap<usize, f64> = BTreeMap::new();
            for (other, worth) in group.iter().flat_map(|member| self.open(*member)) {
                if !group.contains(&other) && self.size(&[other]) <= left {
                    *gains.entry(other).or_insert(0.0) += worth;
                }
            }
            let per_token = |(other, gain): (usize, f64)| {
                let tokens = self.size(&[other]).max(1) as f64;
                (gain / tokens, other)
            };
            let best = gains.into_iter().map(per_token);
            let best = best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            if let Some((_, best)) = best {
                group.insert(best);
                continue;
            }
            let fits = |(pair, _): &&([usize; 2], f64)| {
                let tokens = self.size(pair.iter().filter(|one| !group.contains(one)));
                self.is_open(*pair) && tokens > 0 && tokens <= left
            };
            match ahead.find(fits) {
                Some((pair, _)) => group.extend(pair),
                None => return group,
            }
        }
    }
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
        let near = vec![
            vec![(3, 1.0)],
            vec![(2, 1.0)],
            vec![(1, 1.0)],
            vec![(0, 1.0)],
            Vec::new(),
        ];
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
            let near: Vec<Vec<Near>> = (0..count)
                .map(|memory| {
                    let mut known = HashSet::from([memory]);
                    let all = picks[memory].iter().map(|pick| pick % count);
                    let all: Vec<usize> = all.filter(|other| known.insert(*other)).collect();
                    let rank = |(rank, other)| (other, 1.0 / (rank + 1) as f64);
                    all.into_iter().enumerate().map(rank).collect()
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
                if let Some((nearest, _)) = all.first() {
                    prop_assert!(meet(&cut, memory, *nearest));
                }
            }
        }
    }
}
