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

    /// The best `most` memories for a task among those that `counts` lets through; in no order,
    /// and perhaps some more.
    pub fn best(
        &self,
        judge: &Judge<'_>,
        most: usize,
        counts: &dyn Fn(usize) -> bool,
    ) -> Vec<Ranked> {
        let context = judge.context();
        let kin = |class: &Class| {
            let judged = Dialect::ALL
                .iter()
                .zip(class.judged)
                .any(|(dialect, judged)| judged && *dialect == judge.dialect);
            judged.then(|| context.standing(&class.kin))
        };
        let kin: Vec<Option<i64>> = self.classes.iter().map(kin).collect();
        let (extra, everywhere) = self.extra(judge);
        let mut best = Vec::new();
        for (index, points) in (0_u32..).zip(&extra.points) {
            let (recency, found) = (i64::from(points.0), usize::from(points.1));
            if recency == 0 && found == 0 {
                continue;
            }
            let class = self
                .class_of
                .get(index as usize)
                .and_then(|class| kin.get(*class as usize));
            if let Some(Some(standing)) = class
                && counts(index as usize)
            {
                let score = standing + recency + context.keyword_points(found + everywhere);
                best.push((Reverse(Some(score.min(CAP))), index as usize));
            }
        }
        let same = context.keyword_points(everywhere);
        let score = |standing: Option<i64>| standing.map(|standing| (standing + same).min(CAP));
        let mut order: Vec<_> = self
            .classes
            .iter()
            .zip(&kin)
            .map(|(class, kin)| (Reverse(score(*kin)), class))
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
                let plain = plain.filter(|index| score.0.is_none() || extra.is_plain(*index));
                let before = best.len();
                best.extend(
                    plain
                        .filter(|index| counts(*index))
                        .take(most)
                        .map(|index| (*score, index)),
                );
                taken += best.len() - before;
            }
        }
        best
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
