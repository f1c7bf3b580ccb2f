//! The best scored memories of a snapshot without scoring each: nearly all of them share
//! importance, author and tags with many others, and few are new or have a word of the task in
//! their title.

use std::cmp::Reverse;
use std::collections::HashMap;

use rayon::prelude::*;

use super::Dialect;
use super::fault;
use super::judge::Judge;
use super::score::{CAP, Facts, Kin};
use crate::memory::Timestamp;
use crate::retrieval::Snapshot;

/// What scores are made of, for a whole snapshot.
pub struct Near {
    classes: Vec<Class>,
    /// For each memory, its class.
    class_of: Vec<u32>,
    /// When memories were written, the newest first.
    written: Vec<(Timestamp, u32)>,
    /// The words of all titles between blanks, in lower case, with the memories that have them.
    words: Vec<(Box<str>, Vec<u32>)>,
}

/// Memories that earn the same but for their age and their title.
struct Class {
    kin: Kin,
    /// The dialects whose code gets as far as their patterns.
    judged: [bool; Dialect::ALL.len()],
    members: Vec<u32>,
}

/// Score and index, ordered as rejected memories are: the best first, last those without a score.
pub type Ranked = (Reverse<Option<i64>>, usize);

impl Near {
    /// Reads a snapshot.
    pub fn of(memories: &Snapshot) -> Self {
        let facts: Vec<_> = memories
            .par_iter()
            .map(|memory| {
                let judged = Dialect::ALL.map(|dialect| fault::of(memory, dialect).is_none());
                (Facts::of(memory).apart(), judged)
            })
            .collect();
        let mut near = Self {
            classes: Vec::new(),
            class_of: Vec::with_capacity(facts.len()),
            written: Vec::new(),
            words: Vec::new(),
        };
        let (mut classes, mut words) = (HashMap::new(), HashMap::<Box<str>, Vec<u32>>::new());
        for (index, ((kin, created, title), judged)) in (0_u32..).zip(facts) {
            let next = near.classes.len();
            let class = *classes
                .entry((kin, judged))
                .or_insert_with_key(|(kin, judged)| {
                    near.classes.push(Class {
                        kin: kin.clone(),
                        judged: *judged,
                        members: Vec::new(),
                    });
                    next
                });
            near.class_of.push(u32::try_from(class).unwrap_or(u32::MAX));
            if let Some(class) = near.classes.get_mut(class) {
                class.members.push(index);
            }
            near.written.extend(created.map(|created| (created, index)));
            for word in title.split(' ').filter(|word| !word.is_empty()) {
                if !words.contains_key(word) {
                    words.insert(word.into(), Vec::new());
                }
                if let Some(all) = words.get_mut(word).filter(|all| all.last() != Some(&index)) {
                    all.push(index);
                }
            }
        }
        near.written
            .par_sort_unstable_by_key(|(created, index)| (Reverse(*created), *index));
        near.words = words.into_iter().collect();
        for (_, all) in &mut near.words {
            all.shrink_to_fit();
        }
        near
    }

    /// The scores of a task.
    pub fn scores<'a>(&'a self, judge: &'a Judge<'_>) -> Scores<'a> {
        let kin = |class: &Class| {
            let mut judged = Dialect::ALL.iter().zip(class.judged);
            let judged = judged.any(|(dialect, judged)| judged && *dialect == judge.dialect);
            judged.then(|| judge.context().standing(&class.kin))
        };
        let (extra, everywhere) = self.extra(judge);
        Scores {
            near: self,
            judge,
            kin: self.classes.iter().map(kin).collect(),
            extra,
            everywhere,
        }
    }

    /// The memories that earn something beside what their class does, and the words of the task
    /// that every title has.
    fn extra(&self, judge: &Judge<'_>) -> (Extra, usize) {
        let context = judge.context();
        let mut extra = Extra {
            points: vec![(0, 0); self.class_of.len()],
        };
        for (created, index) in &self.written {
            match context.recency(Some(*created)) {
                0 => break,
                points => extra.add(*index, u8::try_from(points).unwrap_or(u8::MAX), 0),
            }
        }
        let mut everywhere = 0;
        for word in context.words() {
            if word.is_empty() {
                everywhere += 1;
                continue;
            }
            let lists = self
                .words
                .iter()
                .filter(|(own, _)| own.contains(word.as_str()));
            let lists: Vec<&Vec<u32>> = lists.map(|(_, all)| all).collect();
            if let [only] = lists.as_slice() {
                only.iter().for_each(|index| extra.add(*index, 0, 1));
                continue;
            }
            let mut all: Vec<u32> = lists.into_iter().flatten().copied().collect();
            all.sort_unstable();
            all.dedup();
            all.into_iter().for_each(|index| extra.add(index, 0, 1));
        }
        (extra, everywhere)
    }
}

/// The scores of all memories for one task.
pub struct Scores<'a> {
    near: &'a Near,
    judge: &'a Judge<'a>,
    /// For each class, what its memories earn without age and title; none where they are not
    /// judged.
    kin: Vec<Option<i64>>,
    extra: Extra,
    everywhere: usize,
}

impl Scores<'_> {
    /// The score of a memory; none where the code does not get as far as its patterns.
    pub fn of(&self, index: usize) -> Option<i64> {
        let class = self.near.class_of.get(index)?;
        let standing = (*self.kin.get(*class as usize)?)?;
        let (recency, found) = self.extra.points.get(index).copied().unwrap_or_default();
        Some(self.total(standing, recency, found))
    }

    fn total(&self, standing: i64, recency: u8, found: u8) -> i64 {
        let found = usize::from(found) + self.everywhere;
        (standing + i64::from(recency) + self.judge.context().keyword_points(found)).min(CAP)
    }

    /// The best `most` of the memories that `counts` lets through; in no order, and perhaps some
    /// more.
    pub fn best(&self, most: usize, counts: &dyn Fn(usize) -> bool) -> Vec<Ranked> {
        let all = 0..self.near.class_of.len();
        let apart = all.filter(|index| !self.extra.is_plain(*index) && counts(*index));
        let mut best: Vec<Ranked> = apart
            .filter_map(|index| Some((Reverse(Some(self.of(index)?)), index)))
            .collect();
        let score = |kin: &Option<i64>| kin.map(|standing| self.total(standing, 0, 0));
        let classes = self.near.classes.iter().zip(&self.kin);
        let mut order: Vec<_> = classes
            .map(|(class, kin)| (Reverse(score(kin)), class))
            .collect();
        order.sort_by_key(|(score, _)| *score);
        let mut taken = 0;
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            if taken >= most {
                break;
            }
            for (score, class) in group {
                let plain = class.members.iter().map(|index| *index as usize);
                // Without a score, what else there is of it does not count.
                let plain = plain.filter(|at| score.0.is_none() || self.extra.is_plain(*at));
                let before = best.len();
                let plain = plain.filter(|index| counts(*index)).take(most);
                best.extend(plain.map(|index| (*score, index)));
                taken += best.len() - before;
            }
        }
        best
    }
}

/// For each memory the points for its age, and how many words of the task are in its title.
struct Extra {
    points: Vec<(u8, u8)>,
}

impl Extra {
    fn add(&mut self, index: u32, recency: u8, found: u8) {
        if let Some(points) = self.points.get_mut(index as usize) {
            points.0 = points.0.saturating_add(recency);
            points.1 = points.1.saturating_add(found);
        }
    }

    fn is_plain(&self, index: usize) -> bool {
        self.points
            .get(index)
            .is_none_or(|points| *points == (0, 0))
    }
}
