//! Cuts memories into groups of a size, so that each meets those that are nearest to it.
//!
//! Pairs of near memories are edges, the nearest of each memory the heaviest. Each group grows from
//! the heaviest edge that no group covers yet, by the memory that covers most weight for its size.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// A memory that is near another one, and how near: 1 is the nearest.
pub type Near = (usize, f64);

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
    let whole: usize = sizes.iter().sum();
    if whole <= room.group {
        return match sizes.len() {
            0 | 1 => Vec::new(),
            count => vec![(0..count).collect()],
        };
    }
    let all = Cutting::new(sizes, near, room).cut();
    let total: usize = all.iter().map(|group| cost(sizes, group, room)).sum();
    if total <= room.most {
        return all;
    }
    // Too much: only the nearest of each decides what meets.
    let first = |all: &Vec<Near>| all.iter().take(1).copied().collect();
    let nearest: Vec<Vec<Near>> = near.iter().map(first).collect();
    Cutting::new(sizes, &nearest, room).cut()
}

fn cost<'g>(sizes: &[usize], group: impl IntoIterator<Item = &'g usize>, room: Room) -> usize {
    let own = group.into_iter().filter_map(|member| sizes.get(*member));
    own.sum::<usize>() + room.each
}

/// The pairs that no group covers yet, and the groups so far.
struct Cutting<'a> {
    sizes: &'a [usize],
    room: Room,
    /// For each memory those that it has not met, with what it is worth that they meet.
    open: Vec<BTreeMap<usize, f64>>,
    /// All pairs: those that must meet first, then by what they are worth.
    queue: Vec<(bool, f64, usize, usize)>,
    /// The first pair of the queue that may be open.
    next: usize,
    placed: Vec<bool>,
    spent: usize,
}

/// Bonus for placing a memory with its nearest one, on top of nearness: outweighs all other pairs.
const NEAREST: f64 = 10.0;

/// Pairs that are looked at to fill a group when nothing near its members is left.
const LOOKED_AHEAD: usize = 1_000;

impl<'a> Cutting<'a> {
    fn new(sizes: &'a [usize], near: &[Vec<Near>], room: Room) -> Self {
        let mut open = vec![BTreeMap::new(); sizes.len()];
        let mut nearest: HashSet<(usize, usize)> = HashSet::new();
        for (memory, all) in near.iter().enumerate() {
            for (rank, (other, worth)) in all.iter().enumerate() {
                let pair = (memory.min(*other), memory.max(*other));
                let mut worth = *worth;
                if rank == 0 {
                    nearest.insert(pair);
                    worth += NEAREST;
                }
                for (one, other) in [pair, (pair.1, pair.0)] {
                    if let Some(open) = open.get_mut(one) {
                        *open.entry(other).or_insert(0.0) += worth;
                    }
                }
            }
        }
        let mut queue = Vec::new();
        for (one, all) in open.iter().enumerate() {
            let later = all.range(one + 1..);
            queue.extend(
                later.map(|(other, worth)| (nearest.contains(&(one, *other)), *worth, one, *other)),
            );
        }
        queue.sort_by(|a, b| {
            let by_worth = b.0.cmp(&a.0).then(b.1.total_cmp(&a.1));
            by_worth.then((a.2, a.3).cmp(&(b.2, b.3)))
        });
        Self {
            sizes,
            room,
            open,
            queue,
            next: 0,
            placed: vec![false; sizes.len()],
            spent: 0,
        }
    }

    fn size(&self, memory: usize) -> usize {
        self.sizes.get(memory).copied().unwrap_or_default()
    }

    fn is_open(&self, one: usize, other: usize) -> bool {
        self.open
            .get(one)
            .is_some_and(|open| open.contains_key(&other))
    }

    fn cut(mut self) -> Vec<Vec<usize>> {
        let mut all = Vec::new();
        while let Some((must, _, one, other)) = self.queue.get(self.next).copied() {
            self.next += 1;
            if !self.is_open(one, other) {
                continue;
            }
            let group = self.grow([one, other]);
            let after = self.spent + cost(self.sizes, &group, self.room);
            if !must && after > self.room.most {
                continue;
            }
            self.spent = after;
            all.push(self.close(group));
        }
        // Memories near to nothing are still sent once.
        let mut group = BTreeSet::new();
        let mut size = 0;
        let alone: Vec<usize> = (0..self.sizes.len()).collect();
        for memory in alone {
            if self.placed.get(memory) != Some(&false) {
                continue;
            }
            if size + self.size(memory) > self.room.group {
                all.push(self.close(std::mem::take(&mut group)));
                size = 0;
            }
            group.insert(memory);
            size += self.size(memory);
        }
        match group.len() {
            0 => {}
            // One alone meets whoever has room for it.
            1 => {
                let fits = |members: &&mut Vec<usize>| {
                    let own: usize = members.iter().map(|member| self.size(*member)).sum();
                    own + size <= self.room.group
                };
                match all.iter_mut().find(fits) {
                    Some(members) => members.extend(group),
                    None => {
                        let other = (0..self.sizes.len()).find(|other| !group.contains(other));
                        group.extend(other);
                        all.push(group.into_iter().collect());
                    }
                }
            }
            _ => all.push(group.into_iter().collect()),
        }
        for members in &mut all {
            members.sort_unstable();
        }
        all
    }

    /// The group that grows from a pair, as large as there is room.
    fn grow(&self, seed: [usize; 2]) -> BTreeSet<usize> {
        let mut group = BTreeSet::new();
        let mut size = 0;
        let mut gains: HashMap<usize, f64> = HashMap::new();
        let mut add = |memory: usize, group: &mut BTreeSet<usize>, size: &mut usize| {
            *size += self.size(memory);
            group.insert(memory);
            gains.remove(&memory);
            for (other, worth) in self.open.get(memory).into_iter().flatten() {
                if !group.contains(other) {
                    *gains.entry(*other).or_insert(0.0) += worth;
                }
            }
            let left = self.room.group.saturating_sub(*size);
            let fitting = gains.iter().filter(|(other, _)| self.size(**other) <= left);
            let per_token = |(other, gain): (&usize, &f64)| {
                let tokens = self.size(*other).max(1) as f64;
                (*gain / tokens, *other)
            };
            fitting
                .map(per_token)
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
                .map(|(_, best)| best)
        };
        let mut best = None;
        for memory in seed {
            best = add(memory, &mut group, &mut size);
        }
        let mut ahead = self.queue.iter().skip(self.next).take(LOOKED_AHEAD);
        loop {
            if let Some(memory) = best {
                best = add(memory, &mut group, &mut size);
                continue;
            }
            let left = self.room.group.saturating_sub(size);
            let next = ahead.find(|(_, _, one, other)| {
                let new = [one, other].into_iter().filter(|one| !group.contains(*one));
                let tokens: usize = new.map(|one| self.size(*one)).sum();
                self.is_open(*one, *other) && tokens > 0 && tokens <= left
            });
            let Some((_, _, one, other)) = next else {
                return group;
            };
            for memory in [*one, *other] {
                if !group.contains(&memory) {
                    best = add(memory, &mut group, &mut size);
                }
            }
        }
    }

    /// Marks that these have met.
    fn close(&mut self, group: BTreeSet<usize>) -> Vec<usize> {
        for member in &group {
            if let Some(placed) = self.placed.get_mut(*member) {
                *placed = true;
            }
            if let Some(open) = self.open.get_mut(*member) {
                open.retain(|other, _| !group.contains(other));
            }
        }
        group.into_iter().collect()
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
            let total: usize = cut.iter().map(|group| cost(&sizes, group, room)).sum();
            prop_assert!(total <= 3 * whole, "{total} of {whole}");
            for members in &cut {
                prop_assert!(cost(&sizes, members, room) <= group);
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
