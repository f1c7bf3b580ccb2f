//! Which memories share something rare: pairs worth reading again.
//!
//! Of each statement the features with the smallest hashes are kept (bottom-k sampling: Broder,
//! "On the resemblance and containment of documents", 1997), so that two statements which are
//! alike keep some of the same. Beside these there are the frames of statements, which find every
//! two of which one word differs.

use std::sync::{Mutex, PoisonError};

use super::frames::frames;
use super::statement::{Statement, statements};
use super::words::{hash, join};

/// Features kept of a statement: these in a large store, up to [`MOST_KEPT`] in a small one,
/// where nearly every pair of like statements is then found.
const KEPT: usize = 4;

/// Features kept of a statement at most.
const MOST_KEPT: usize = 16;

/// Features kept of all memories together, 8 bytes each.
const ALL: usize = 600_000;

/// More memories than this share a feature that says nothing.
const COMMON: usize = 64;

/// Up to so many memories that share a feature, each is held against each; of more only
/// neighbours are.
const EACH: usize = 12;

/// The same in a store of which every pair would be too much.
const EACH_OF_MANY: usize = 4;

/// A store of more memories is one of many.
const MANY: usize = 20_000;

/// Pairs that are read again at most, the likeliest: about one for each memory, within these; of
/// many, half of the most, for those are then sought that are alike as a whole.
const LEAST_PAIRS: usize = 5_000;
const MOST_PAIRS: usize = 20_000;

/// In a store of more memories two have to share more than one feature, in one of many more than
/// two: by chance too many share one.
const SMALL: usize = 2_000;

/// Parts by hash, so that no list of all features has to grow in one piece.
const PARTS: usize = 64;

/// Features in a piece of a part.
const PIECE: usize = 1_024;

/// A part is thinned where it has grown by a share of this, and by so many pieces.
const THINNED: usize = 4;
const PIECES: usize = 4;

/// More memories than this fill a frame in: that is a list, each line of which says another thing.
pub const LIST: usize = 4;

/// Pairs that share a frame and are read again at most: those first of which the frame is rare and
/// the kind of what differs sure.
const MOST_FRAMED: usize = 50_000;

/// Bits of a memory in an entry of a frame, of what fills it in, and of the kind of that.
const MEMORY: u32 = 24;
const VALUE: u32 = 12;
const CLASS: u32 = 2;

/// A pair with its rank in front, the lower the likelier: two memories, and what is left.
const PAIR: u64 = (1 << (2 * MEMORY)) - 1;
const RANK: u32 = u64::BITS - 2 * MEMORY;

/// What is kept of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// What its statements share with others about the same.
    words: Box<[u32]>,
    /// The frames of its statements, each with what stands in it, without the memory.
    frames: Box<[u64]>,
}

/// Entries in the upper half or all of which is a hash, in parts by that.
struct Parts {
    parts: Mutex<Vec<Part>>,
    /// Whether two entries are of one group.
    is_same: Same,
    /// How many entries of a group are kept: where there are more it says nothing, however many
    /// come.
    kept: fn(&[u64]) -> usize,
}

type Same = fn(&u64, &u64) -> bool;

/// The entries of a part.
#[derive(Clone, Default)]
struct Part {
    /// Those that are in order, thinned.
    sorted: Vec<u64>,
    /// Those that came since, in pieces of one size: a list that doubles would be half empty.
    pieces: Vec<Vec<u64>>,
}

/// Features of all memories.
pub struct Index {
    words: Parts,
    frames: Parts,
    memories: usize,
}

impl Index {
    /// An empty index for so many memories.
    pub fn new(memories: usize) -> Self {
        Self {
            words: Parts::new(same_feature, |group| group.len().min(COMMON + 1)),
            frames: Parts::new(same_frame, needed),
            memories,
        }
    }

    /// What is kept of a body.
    pub fn features(&self, body: &str) -> Features {
        let room = ALL / self.memories.max(1);
        let statements = statements(body);
        let mut words = words(&statements, (room / 10).clamp(KEPT, MOST_KEPT));
        words.truncate(room.clamp(24, 600));
        words.push(whole(body));
        let mut framed = Vec::new();
        // With another word of no known kind in it a sentence is a suggestion: of many there are
        // enough without.
        let surest = if self.memories > MANY { 1 } else { 2 };
        for statement in &statements {
            frames(statement, &mut |frame| {
                if frame.class > surest {
                    return;
                }
                let stands = (u32::from(frame.class) << VALUE) | (frame.value & ((1 << VALUE) - 1));
                framed.push((u64::from(frame.key) << (VALUE + CLASS)) | u64::from(stands));
            });
        }
        framed.sort_unstable();
        framed.dedup();
        Features {
            words: words.into(),
            frames: framed.into(),
        }
    }

    /// Takes in what is kept of the body of a memory.
    pub fn add(&self, memory: usize, features: &Features) {
        let Ok(memory) = u32::try_from(memory) else {
            return;
        };
        let words = features.words.iter();
        self.words.put(words.map(|feature| {
            (
                *feature as usize,
                (u64::from(*feature) << 32) | u64::from(memory),
            )
        }));
        if memory < 1 << MEMORY {
            // The part knows the lowest bits of a frame, so that there is room for the memory.
            let parts = PARTS as u64;
            let entries = features.frames.iter().map(|frame| {
                let (key, stands) = (
                    frame >> (VALUE + CLASS),
                    frame & ((1 << (VALUE + CLASS)) - 1),
                );
                let entry = (key / parts) << (MEMORY + VALUE + CLASS);
                let part = usize::try_from(key % parts).unwrap_or_default();
                (part, entry | (stands << MEMORY) | u64::from(memory))
            });
            self.frames.put(entries);
        }
    }

    /// Pairs of memories that share features or a frame, the first before the second, the
    /// likeliest where there are too many; empties the index.
    pub fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs = self.alike();
        pairs.append(&mut self.framed());
        pairs.sort_unstable();
        pairs.dedup();
        pairs
            .into_iter()
            .map(|pair| (high(pair), low(pair)))
            .collect()
    }

    /// Pairs that share features.
    fn alike(&self) -> Vec<u64> {
        let mut shared: Vec<u64> = Vec::new();
        for part in self.words.take() {
            for group in part.chunk_by(same_feature) {
                self.share(group, &mut shared);
            }
        }
        shared.sort_unstable();
        let by_chance = usize::from(self.memories > SMALL) + usize::from(self.memories > MANY);
        // Those that share something by chance are most of them: no list is made of these.
        let counted = shared.chunk_by(|a, b| a == b);
        let counted = counted.filter(|group| group.len() > by_chance);
        let mut pairs: Vec<(usize, u64)> = counted
            .filter_map(|group| Some((group.len(), *group.first()?)))
            .collect();
        drop(shared);
        let most = match self.memories > MANY {
            true => MOST_PAIRS / 2,
            false => self.memories.clamp(LEAST_PAIRS, MOST_PAIRS),
        };
        if pairs.len() > most {
            pairs.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            pairs.truncate(most);
        }
        pairs.into_iter().map(|(_, pair)| pair).collect()
    }

    /// Pairs that fill a frame in, each in another way.
    fn framed(&self) -> Vec<u64> {
        let mut found: Vec<u64> = Vec::new();
        for part in self.frames.take() {
            for group in part.chunk_by(same_frame) {
                if group.len() > 1 {
                    fill(group, &mut found);
                }
            }
        }
        // A pair may share several frames: the best of them counts.
        found.sort_unstable_by_key(|one| one.rotate_left(RANK));
        found.dedup_by_key(|one| *one & PAIR);
        let most = self.memories.clamp(LEAST_PAIRS, MOST_FRAMED);
        if found.len() > most {
            found.sort_unstable();
            found.truncate(most);
        }
        let memory = (1 << MEMORY) - 1;
        let pairs = found.into_iter();
        pairs
            .map(|one| (((one >> MEMORY) & memory) << 32) | (one & memory))
            .collect()
    }

    /// The pairs of a group of memories that share a feature.
    fn share(&self, group: &[u64], shared: &mut Vec<u64>) {
        let each = if self.memories > MANY {
            EACH_OF_MANY
        } else {
            EACH
        };
        if group.len() <= each {
            for (n, a) in group.iter().enumerate() {
                shared.extend(group.iter().skip(n + 1).map(|b| pair(*a, *b)));
            }
        } else if group.len() <= COMMON {
            shared.extend(
                group
                    .iter()
                    .zip(group.iter().skip(1))
                    .map(|(a, b)| pair(*a, *b)),
            );
        }
    }
}

fn high(pair: u64) -> u32 {
    u32::try_from(pair >> 32).unwrap_or_default()
}

fn low(pair: u64) -> u32 {
    u32::try_from(pair & u64::from(u32::MAX)).unwrap_or_default()
}

/// A pair of memories, of two entries that end in them.
fn pair(a: u64, b: u64) -> u64 {
    (u64::from(low(a)) << 32) | u64::from(low(b))
}

/// What tells frames apart.
const fn key(entry: u64) -> u64 {
    entry >> (MEMORY + VALUE + CLASS)
}

/// A memory that fills a frame in.
struct Filler {
    memory: u64,
    /// What it says there first, and the kind of that.
    value: u64,
    class: u8,
    /// Whether it says another thing there as well.
    more: bool,
}

/// The pairs of a group of memories that fill a frame in, with the rank of each: the fewer fill
/// it in, and the surer the kind of what they say there, the lower.
fn fill(group: &[u64], found: &mut Vec<u64>) {
    let mut fillers: Vec<Filler> = Vec::new();
    for entry in group {
        let (memory, value) = (entry & ((1 << MEMORY) - 1), entry >> MEMORY);
        if let Some(known) = fillers.iter_mut().find(|one| one.memory == memory) {
            known.more |= known.value != value;
        } else if fillers.len() == LIST {
            return;
        } else {
            let class = (value >> VALUE) & ((1 << CLASS) - 1);
            fillers.push(Filler {
                memory,
                value,
                class: u8::try_from(class).unwrap_or(u8::MAX),
                more: false,
            });
        }
    }
    let size = u64::try_from(fillers.len()).unwrap_or(u64::MAX);
    for (n, a) in fillers.iter().enumerate() {
        for b in fillers.iter().skip(n + 1) {
            if a.value != b.value || a.more || b.more {
                let rank = (size << CLASS) | u64::from(a.class.max(b.class));
                let (first, second) = (a.memory.min(b.memory), a.memory.max(b.memory));
                found.push((rank << (2 * MEMORY)) | (first << MEMORY) | second);
            }
        }
    }
}

impl Parts {
    fn new(is_same: Same, kept: fn(&[u64]) -> usize) -> Self {
        Self {
            parts: Mutex::new(vec![Part::default(); PARTS]),
            is_same,
            kept,
        }
    }

    /// Takes entries in, each into the part of its number.
    fn put(&self, entries: impl Iterator<Item = (usize, u64)>) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, entry) in entries {
            let Some(part) = parts.get_mut(number % PARTS) else {
                continue;
            };
            if part.pieces.last().is_none_or(|piece| piece.len() == PIECE) {
                if part.pieces.len() >= PIECES.max(part.sorted.len() / PIECE / THINNED) {
                    self.thin(part);
                }
                part.pieces.push(Vec::with_capacity(PIECE));
            }
            if let Some(piece) = part.pieces.last_mut() {
                piece.push(entry);
            }
        }
    }

    /// Puts a part in order, without what is there twice or changes nothing.
    fn thin(&self, part: &mut Part) {
        let mut all = std::mem::take(&mut part.sorted);
        all.reserve_exact(part.pieces.iter().map(Vec::len).sum());
        for piece in part.pieces.drain(..) {
            all.extend(piece);
        }
        all.sort_unstable();
        all.dedup();
        let mut thin = Vec::with_capacity(all.len());
        for group in all.chunk_by(self.is_same) {
            let kept = (self.kept)(group);
            thin.extend(group.iter().take(kept));
        }
        thin.shrink_to_fit();
        part.sorted = thin;
    }

    /// The parts, each as one list in order, one after the other; empties them.
    fn take(&self) -> impl Iterator<Item = Vec<u64>> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *parts).into_iter().map(|mut part| {
            self.thin(&mut part);
            part.sorted
        })
    }
}

/// Whether two entries are of one feature.
const fn same_feature(a: &u64, b: &u64) -> bool {
    *a >> 32 == *b >> 32
}

/// Whether two entries are of one frame.
const fn same_frame(a: &u64, b: &u64) -> bool {
    key(*a) == key(*b)
}

/// How many entries of a frame are needed to know who fills it in, or that too many do.
fn needed(group: &[u64]) -> usize {
    let mut fillers = Vec::new();
    let memory = |entry: &u64| entry & ((1 << MEMORY) - 1);
    let over = group.iter().map(memory).position(|memory| {
        if !fillers.contains(&memory) {
            fillers.push(memory);
        }
        fillers.len() > LIST
    });
    over.map_or(group.len(), |last| last + 1)
}

/// The features kept of statements, the smallest first.
fn words(statements: &[Statement<'_>], most: usize) -> Vec<u32> {
    let mut kept = Vec::new();
    for statement in statements {
        let mut features = statement.features();
        features.truncate(most);
        kept.append(&mut features);
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// A feature of the whole body: copies share it, however common their statements are.
fn whole(body: &str) -> u32 {
    body.split_whitespace()
        .fold(7, |all, word| join(all, hash(word.as_bytes())))
}

#[cfg(test)]
mod tests;
