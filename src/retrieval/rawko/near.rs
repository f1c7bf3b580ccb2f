//! The scores of all memories of a snapshot without reading each: nearly all of them share
//! importance, author and tags with many others, and few have a word of the task in their title.

use std::cmp::Reverse;
use std::collections::HashMap;

use memchr::memmem;
use rayon::prelude::*;

use super::Dialect;
use super::fault;
use super::judge::Judge;
use super::lists::{Lists, number};
use super::score::{CAP, Context, Facts, Kin};
use crate::memory::Timestamp;
use crate::retrieval::Snapshot;

/// What scores are made of, for a whole snapshot.
#[derive(Default)]
pub struct Near {
    classes: Vec<Class>,
    /// For each memory, its class.
    class_of: Vec<u32>,
    /// When each memory was written; long ago where that is not known.
    created: Vec<i64>,
    /// The words of all titles between blanks, in lower case, each once and behind a blank.
    words: String,
    /// Where each word ends.
    ends: Vec<u32>,
    /// For each word, the memories that have it in their title.
    of_word: Lists,
}

/// Memories that earn the same but for their age and their title: what they have in common, and
/// for each dialect whether its code gets as far as their patterns.
type Class = (Kin, [bool; Dialect::ALL.len()]);

/// Score and index, ordered as rejected memories are: the best first, last those without a score.
pub type Ranked = (Reverse<Option<i64>>, usize);

/// What gives the classes and the words of titles their numbers.
#[derive(Default)]
struct Known {
    classes: HashMap<Class, u32>,
    words: HashMap<Box<str>, u32>,
    /// Word and memory.
    pairs: Vec<(u32, u32)>,
}

/// Memories that are read before they are put into the lists.
const PIECE: usize = 4096;

impl Near {
    /// Reads a snapshot.
    pub fn of(memories: &Snapshot) -> Self {
        let (mut near, mut known) = (Self::default(), Known::default());
        for piece in memories.chunks(PIECE) {
            let facts = piece.par_iter().map(|memory| {
                let judged = Dialect::ALL.map(|dialect| fault::of(memory, dialect).is_none());
                let facts = Facts::of(memory);
                ((facts.kin(), judged), facts.created, facts.title)
            });
            for (class, created, title) in facts.collect::<Vec<_>>() {
                near.add(class, created, &title, &mut known);
            }
        }
        let mut classes: Vec<_> = known.classes.into_iter().collect();
        classes.sort_unstable_by_key(|(_, at)| *at);
        near.classes = classes.into_iter().map(|(class, _)| class).collect();
        near.of_word = Lists::of_pairs(near.ends.len(), &known.pairs);
        near.classes.shrink_to_fit();
        near.class_of.shrink_to_fit();
        near.created.shrink_to_fit();
        near.words.shrink_to_fit();
        near.ends.shrink_to_fit();
        near
    }

    fn add(&mut self, class: Class, created: Option<Timestamp>, title: &str, known: &mut Known) {
        let memory = number(self.class_of.len());
        let next = number(known.classes.len());
        self.class_of
            .push(*known.classes.entry(class).or_insert(next));
        self.created.push(created.map_or(i64::MIN, |at| at.0));
        let from = known.pairs.len();
        for word in title.split(' ').filter(|word| !word.is_empty()) {
            let at = known.words.get(word).copied().unwrap_or_else(|| {
                let at = number(self.ends.len());
                known.words.insert(word.into(), at);
                self.words.push(' ');
                self.words.push_str(word);
                self.ends.push(number(self.words.len()));
                at
            });
            let own = known.pairs.get(from..).unwrap_or_default();
            if !own.contains(&(at, memory)) {
                known.pairs.push((at, memory));
            }
        }
    }

    /// The scores of all memories for a task.
    pub fn scores(&self, judge: &Judge<'_>) -> Scores {
        let standing = |(kin, judged): &Class| {
            let mut judged = Dialect::ALL.iter().zip(judged);
            let judged = judged.any(|(dialect, judged)| *judged && *dialect == judge.dialect);
            judged.then(|| judge.context().standing(kin))
        };
        let standing: Vec<Option<i64>> = self.classes.iter().map(standing).collect();
        let enough = |(kin, _): &Class| judge.is_enough(kin.importance().unwrap_or_default());
        let enough: Vec<bool> = self.classes.iter().map(enough).collect();
        let (found, everywhere) = self.found(judge.context());
        let each = self.class_of.iter().zip(&self.created).zip(&found);
        let score = |((class, created), found): ((&u32, &i64), &Found)| {
            let standing = standing.get(*class as usize).copied().flatten()?;
            let words = usize::from(found.words) + everywhere;
            let context = judge.context();
            let recency = context.recency(Some(Timestamp(*created)));
            Some(CAP.min(standing + recency + context.keyword_points(words)))
        };
        Scores {
            all: each.map(|one| score(one).unwrap_or(NONE)).collect(),
            enough,
        }
    }

    /// How many words of a task each title has, and how many words every title has.
    fn found(&self, context: &Context<'_>) -> (Vec<Found>, usize) {
        let mut everywhere = 0;
        let mut found = vec![Found::default(); self.class_of.len()];
        for (n, word) in (1..=u8::MAX).cycle().zip(context.words()) {
            if n == 1 {
                found.iter_mut().for_each(|one| one.last = 0);
            }
            if word.is_empty() {
                everywhere += 1;
            } else {
                self.count(word, n, &mut found);
            }
        }
        (found, everywhere)
    }

    /// Whether the importance of a memory is enough.
    pub fn is_enough(&self, scores: &Scores, index: usize) -> bool {
        let class = self.class_of.get(index);
        class.is_some_and(|class| scores.enough.get(*class as usize) == Some(&true))
    }

    /// Counts a word of the task, the `n`th, for the memories that have it in their title.
    fn count(&self, word: &str, n: u8, found: &mut [Found]) {
        let finder = memmem::Finder::new(word);
        let text = self.words.as_bytes();
        let (mut own, mut from) = (0, 0);
        while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)) {
            let hit = number(from + at);
            let ends = self.ends.get(own..).unwrap_or_default();
            own += ends.partition_point(|end| *end <= hit);
            for memory in self.of_word.get(own) {
                if let Some(found) = found.get_mut(*memory as usize).filter(|one| one.last != n) {
                    *found = Found {
                        words: found.words.saturating_add(1),
                        last: n,
                    };
                }
            }
            from = self.ends.get(own).map_or(text.len(), |end| *end as usize);
            own += 1;
        }
    }
}

/// How many words of the task a title has, and which was the last.
#[derive(Clone, Copy, Default)]
struct Found {
    words: u8,
    last: u8,
}

/// The scores of all memories for one task.
pub struct Scores {
    /// Of each memory; [`NONE`] where the code does not get as far as its patterns.
    all: Vec<i64>,
    /// For each class, whether its importance is enough.
    enough: Vec<bool>,
}

/// Stands for no score, which comes after all others.
const NONE: i64 = i64::MIN;

impl Scores {
    /// The score of a memory; none where the code does not get as far as its patterns.
    pub fn of(&self, index: usize) -> Option<i64> {
        self.all.get(index).copied().filter(|score| *score != NONE)
    }

    /// The best `most` of the memories that `counts` lets through; in no order, and perhaps some
    /// more.
    pub fn best(&self, most: usize, counts: &dyn Fn(usize) -> bool) -> Vec<Ranked> {
        let mut best = Vec::new();
        let mut last = None;
        for (index, score) in self.all.iter().enumerate() {
            // Of two that are level the earlier one comes first.
            if last.is_none_or(|last| *score > last) && counts(index) {
                best.push((Reverse(self.of(index)), index));
                if best.len() > most.saturating_mul(2) {
                    // What comes after these is not among the best.
                    let (Reverse(score), _) = *best.select_nth_unstable(most).1;
                    last = Some(score.unwrap_or(NONE));
                    best.truncate(most);
                }
            }
        }
        best
    }
}
