//! Finds statements that may be about one thing, and memories that share their wording. All keys are
//! counted, so that a pair does not depend on the memories beside it.

use std::collections::BTreeMap;

use rayon::slice::ParallelSliceMut as _;

use crate::text::compare::{Sentence, Weights};
use crate::text::tokens::{hash, join, stems};

/// Keys that a table holds at most, 8 bytes each; of more keys a part is held, the same of each memory.
const HELD: usize = 8_000_000;

/// A key of more statements than this is never followed.
const COMMON: usize = 64;

/// Pairs that are counted at most.
const COUNTED: usize = 4_000_000;

/// Pairs are counted in so many parts, one after the other: all at once take too much room.
const PARTS: u64 = 8;

/// Pairs of statements given out at most.
const PAIRS: usize = 100_000;

/// Minimum share of the keys of one of two statements that the other has.
const SHARED: f64 = 0.2;

/// Keys that more statements of a store have are a template, and so are runs of more memories.
pub const TEMPLATE: usize = 4;

/// A label that more statements of a store have is one of a template.
pub const LABEL: usize = 2;

/// Words of a run, and the minimum number of runs that two memories share.
const RUN: usize = 5;
const RUNS: usize = 15;

/// Statements with fewer words are found by single words too.
const SHORT: usize = 4;

/// The heading of text that a merge appends to a memory.
const UPDATE: &str = "\n## Update (";

pub struct Features {
    /// The keys of all statements, one after the other.
    keys: Box<[u32]>,
    /// For each statement the number of its keys, and whether a merge appended it.
    statements: Box<[(u32, bool)]>,
    runs: Box<[u32]>,
    /// One key of all words.
    copy: u32,
}

/// The keys of a statement: each two content words with at most one between them, in any order.
pub fn keys(sentence: &Sentence<'_>) -> Vec<u32> {
    let units = sentence.units();
    let key = |a: &u32, b: &u32| join(*a.min(b), *a.max(b));
    let beside = |by: usize| units.iter().zip(units.iter().skip(by));
    let mut keys: Vec<u32> = beside(1).chain(beside(2)).map(|(a, b)| key(a, b)).collect();
    if units.len() < SHORT {
        keys.extend(&units);
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

pub fn label(stems: &[u32]) -> u32 {
    stems.iter().copied().fold(0x6c61_6265, join)
}

impl Features {
    pub fn new(body: &str, weights: &Weights) -> Self {
        let (mut statements, mut every, mut all) = (Vec::new(), Vec::new(), Vec::new());
        let appended = body.find(UPDATE).unwrap_or(body.len());
        for (at, one) in Sentence::all(body, weights) {
            let before = every.len();
            every.extend(keys(&one));
            let of_label = at.label.and_then(|at| body.get(at));
            every.extend(of_label.map(|text| label(&stems(text))));
            statements.push((narrow(every.len() - before), at.at.start > appended));
            all.extend(one.tokens.iter().map(|token| token.stem));
        }
        let runs = all.windows(RUN);
        let mut runs: Vec<u32> = runs.map(|run| run.iter().copied().fold(7, join)).collect();
        runs.sort_unstable();
        runs.dedup();
        let copy = body.split_whitespace().map(hash).fold(7, join);
        Self {
            keys: every.into(),
            statements: statements.into(),
            runs: runs.into(),
            copy,
        }
    }
}

pub fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Keys in the upper half of each entry, what has them in the lower; in order.
struct Table {
    /// Of so many keys, as a power of two, one is held.
    thinned: u32,
    entries: Vec<u64>,
}

const fn is_held(key: u32, thinned: u32) -> bool {
    key.wrapping_mul(0x85eb_ca6b).leading_zeros() >= thinned
}

impl Table {
    fn new<'k>(all: impl Iterator<Item = (u32, &'k [u32])> + Clone) -> Self {
        let count: usize = all.clone().map(|(_, keys)| keys.len()).sum();
        let thinned = count.div_ceil(HELD).max(1).next_power_of_two().ilog2();
        let mut entries = Vec::with_capacity(count >> thinned);
        for (owner, keys) in all {
            let held = keys.iter().filter(|key| is_held(**key, thinned));
            entries.extend(held.map(|key| (u64::from(*key) << 32) | u64::from(owner)));
        }
        entries.par_sort_unstable();
        entries.dedup();
        Self { thinned, entries }
    }

    /// The owners of each key of several.
    fn groups(&self) -> Vec<&[u64]> {
        let groups = self.entries.chunk_by(|a, b| *a >> 32 == *b >> 32);
        groups.filter(|group| group.len() > 1).collect()
    }
}

/// The number of owners below a bound: those of memories; the others are of documents.
fn below(group: &[u64], bound: usize) -> usize {
    group.partition_point(|entry| (half(*entry) as usize) < bound)
}

fn half(half: u64) -> u32 {
    u32::try_from(half & u64::from(u32::MAX)).unwrap_or_default()
}

/// The features of a memory with its index, or of a document, whose index follows those of all memories.
pub type Featured = (u32, Features);

/// The memory of a statement, its number in it, and whether a merge appended it.
type Owner = (u32, u32, bool);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pair {
    /// The share of the shorter one's wording that the other has, and the length of the shorter as a
    /// part of the longer, without templates; 0 if it is little.
    pub wording: (f64, f64),
    /// The numbers of statements of the first and the second that may be about one thing.
    pub statements: Vec<(u32, u32)>,
}

/// The share of keys that two statements have in common, their memories and their numbers in those.
type Likely = (f64, (u32, u32, u32, u32));

/// The pairs worth comparing, and the keys that recur.
#[derive(Default)]
pub struct Candidates {
    /// Pairs by the indexes of their memories, the lower first.
    pub pairs: BTreeMap<(u32, u32), Pair>,
    thinned: u32,
    /// The keys that more statements have than a label may, with their number.
    recurring: Vec<(u32, usize)>,
}

impl Candidates {
    /// Finds the pairs of so many memories, with each other and with documents.
    pub fn new(mut all: Vec<Featured>, memories: usize) -> Self {
        all.sort_unstable_by_key(|(memory, _)| *memory);
        let mut found = Self::default();
        let runs = Table::new(all.iter().map(|(memory, one)| (*memory, &*one.runs)));
        // What is read already goes first: both tables at once would take twice the room.
        all.iter_mut()
            .for_each(|(_, one)| one.runs = Box::default());
        let copies = all.iter();
        let copies = copies.map(|(memory, one)| (*memory, std::slice::from_ref(&one.copy)));
        found.of_wording(&runs, &Table::new(copies), memories);
        drop(runs);
        found.of_statements(all, memories);
        found
    }

    /// Adds the statements that share most of their keys.
    fn of_statements(&mut self, all: Vec<Featured>, memories: usize) {
        let numbered = all.iter().flat_map(|(memory, one)| {
            let statements = (0..).zip(&one.statements);
            statements.map(move |(n, (_, appended))| (*memory, n, *appended))
        });
        let owners: Vec<Owner> = numbered.collect();
        let each = all.iter().flat_map(|(_, one)| {
            let mut rest = &*one.keys;
            one.statements.iter().map(move |(count, _)| {
                let (own, others) = rest.split_at_checked(*count as usize).unwrap_or_default();
                rest = others;
                own
            })
        });
        let table = Table::new((0..).zip(each));
        drop(all);
        self.thinned = table.thinned;
        let bound = owners.partition_point(|owner| (owner.0 as usize) < memories);
        let groups = table.groups();
        let key = |group: &&[u64]| Some((half(*group.first()? >> 32), below(group, bound)));
        let recurring = groups.iter().filter_map(key);
        self.recurring = recurring.filter(|(_, count)| *count > LABEL).collect();
        let mut keys = vec![0_usize; owners.len()];
        for entry in &table.entries {
            if let Some(count) = keys.get_mut(half(*entry) as usize) {
                *count += 1;
            }
        }
        let of = |count: usize, rare: usize, (a, b): (u32, u32)| {
            let [(x, n, p), (y, m, q)] = [*owners.get(a as usize)?, *owners.get(b as usize)?];
            let least = (*keys.get(a as usize)?).min(*keys.get(b as usize)?);
            let share = count as f64 / least.max(1) as f64;
            let pair = if x < y { (x, y, n, m) } else { (y, x, m, n) };
            // Of two that share a template only equal ones are read.
            let counts = share >= 1.0 || share >= SHARED && 3 * rare >= count;
            ((x != y || p != q) && counts).then_some((share, pair))
        };
        let mut pairs: Vec<Likely> = Vec::new();
        let keep_best = |pairs: &mut Vec<Likely>, room: usize| {
            if pairs.len() > PAIRS + room {
                pairs.par_sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                pairs.truncate(PAIRS);
            }
        };
        shared(groups, (bound, COMMON, 1), &mut |count, rare, both| {
            pairs.extend(of(count, rare, both));
            keep_best(&mut pairs, PAIRS);
        });
        keep_best(&mut pairs, 0);
        for (_, (a, b, n, m)) in pairs {
            let pair = self.pairs.entry((a, b)).or_default();
            pair.statements.push((n, m));
        }
    }

    /// Adds the memories that share much of their wording, and those that are copies.
    fn of_wording(&mut self, runs: &Table, copies: &Table, memories: usize) {
        shared(copies.groups(), (memories, COMMON, 1), &mut |_, _, pair| {
            self.pairs.entry(pair).or_default();
        });
        let last = runs.entries.iter().map(|entry| half(*entry) as usize).max();
        let mut own = vec![0_usize; last.map_or(0, |last| last + 1)];
        for run in runs.entries.chunk_by(|a, b| *a >> 32 == *b >> 32) {
            for entry in run.iter().filter(|_| below(run, memories) <= TEMPLATE) {
                if let Some(count) = own.get_mut(half(*entry) as usize) {
                    *count += 1;
                }
            }
        }
        let of = |memory: u32| own.get(memory as usize).map_or(1.0, |own| *own as f64);
        let least = (RUNS >> runs.thinned).max(2);
        let bounds = (memories, TEMPLATE, least);
        shared(runs.groups(), bounds, &mut |count, _, (a, b)| {
            let (short, long) = (of(a).min(of(b)), of(a).max(of(b)));
            self.pairs.entry((a, b)).or_default().wording = (count as f64 / short, short / long);
        });
    }

    /// True if more statements of the store than this have a key.
    pub fn recurs(&self, key: u32, most: usize) -> bool {
        let found = self.recurring.binary_search_by_key(&key, |one| one.0);
        let found = found.ok().and_then(|at| self.recurring.get(at));
        found.is_some_and(|(_, count)| *count > most)
    }

    pub const fn is_counted(&self, key: u32) -> bool {
        is_held(key, self.thinned)
    }
}

/// Calls `take` with the number of keys that a pair of owners shares, with the number of those that
/// are no template, and with the pair, if the keys are enough. Keys of too many owners do not count;
/// the rarest are counted first, as many as there is room for. At least one owner of a pair is below
/// the bound.
fn shared(
    mut groups: Vec<&[u64]>,
    (bound, common, least): (usize, usize, usize),
    take: &mut dyn FnMut(usize, usize, (u32, u32)),
) {
    groups.retain(|group| (1..=common).contains(&below(group, bound)));
    groups.sort_unstable_by_key(|group| group.len());
    let pairs = |group: &&[u64]| group.len() * (group.len() - 1) / 2;
    let (mut all, mut followed) = (0, 0);
    for of_size in groups.chunk_by(|a, b| a.len() == b.len()) {
        all += of_size.iter().map(pairs).sum::<usize>();
        if all > COUNTED {
            break;
        }
        followed += of_size.len();
    }
    groups.truncate(followed);
    // Two owners in one number are sorted faster than a tuple. Its last bit is set for a template.
    let mut shared: Vec<u64> = Vec::new();
    for part in 0..PARTS {
        shared.clear();
        for group in &groups {
            let own = below(group, bound);
            let template = u64::from(own > TEMPLATE);
            for (n, a) in group.iter().enumerate().take(own) {
                let later = group.iter().skip(n + 1).filter(|_| *a % PARTS == part);
                shared.extend(later.map(|b| *a << 33 | u64::from(half(*b)) << 1 | template));
            }
        }
        shared.par_sort_unstable();
        let counted = shared.chunk_by(|a, b| *a >> 1 == *b >> 1);
        for all in counted.filter(|all| all.len() >= least) {
            let both = all.first().copied().unwrap_or_default() >> 1;
            let rare = all.partition_point(|one| one & 1 == 0);
            take(all.len(), rare, (half(both >> 32), half(both)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(bodies: &[String]) -> Candidates {
        let featured = (0..).zip(
            bodies
                .iter()
                .map(|body| Features::new(body, Weights::bundled())),
        );
        Candidates::new(featured.collect(), bodies.len())
    }

    #[test]
    fn two_that_share_what_is_rare_are_found_among_many_of_one_template() {
        let mut bodies: Vec<String> = (0..300)
            .map(|n| {
                format!(
                    "Ticket {n} was closed by the harbour team. Owner of module{n}: team {}.",
                    n % 7
                )
            })
            .collect();
        bodies.push("The ferry of Gotland leaves the harbour at noon.".to_owned());
        bodies.push("The ferry of Gotland leaves the harbour at midnight.".to_owned());
        let found = candidates(&bodies);
        assert_eq!(found.pairs.keys().last(), Some(&(300, 301)));
        let template = |text: &str| {
            let one = Sentence::new(text, Weights::bundled());
            keys(&one).iter().all(|key| found.recurs(*key, TEMPLATE))
        };
        assert!(!template("The ferry of Gotland leaves"));
        assert!(template("closed by the harbour team"));
    }

    #[test]
    fn keys_of_long_memories_do_not_count_for_each_other() {
        let words = |n: usize| (0..2_000).map(move |at| format!("word{n}x{at} "));
        let mut bodies: Vec<String> = (0..20).map(|n| words(n).collect()).collect();
        bodies.push("The ferry of Gotland leaves the harbour at noon.".to_owned());
        bodies.push("The ferry of Gotland leaves the harbour at midnight.".to_owned());
        let found = candidates(&bodies);
        assert_eq!(Vec::from_iter(found.pairs.keys()), [&(20, 21)]);
        assert!(found.recurring.is_empty());
    }
}
