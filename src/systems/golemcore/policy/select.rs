//! Which candidates get a place: the first of each layer, scope by scope, each only once (steps 4
//! to 6).

use std::cmp::Ordering;
use std::collections::HashMap;

use super::query::Query;
use crate::systems::golemcore::{Instant, Layer};

/// A memory that may be selected.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its index in the snapshot.
    pub memory: usize,
    /// Its score.
    pub score: f64,
    /// Sort key: the score, with the points of the second ranking.
    pub key: f64,
    /// When it was changed last.
    pub stamp: Option<Instant>,
    /// Place of its file among those that are read, and its place in that file.
    pub place: ((u32, u32), u32),
    /// Its layer.
    pub layer: Layer,
    /// The place of its scope in the chain.
    pub scope: u32,
}

/// The selection.
#[derive(Default)]
pub struct Selection {
    /// In the order of the pack, each once.
    pub chosen: Vec<Candidate>,
    /// Those that had a place and say the same as one before them, with that one.
    pub twins: Vec<(Candidate, usize)>,
    /// All others.
    pub rest: Vec<Candidate>,
}

impl Selection {
    /// Selects.
    pub fn new(
        mut all: Vec<Candidate>,
        query: &Query,
        identity: &dyn Fn(usize) -> Option<Box<str>>,
    ) -> Self {
        // A second ranking of a single candidate changes nothing.
        if !query.config.rerank || all.len() < 2 {
            all.iter_mut().for_each(|one| one.key = one.score);
        }
        all.sort_unstable_by(|a, b| {
            let group = (a.scope, a.layer).cmp(&(b.scope, b.layer));
            group.then_with(|| compare(a, b))
        });
        let mut selection = Self::default();
        if query.is_spec {
            all.sort_unstable_by(before);
            all = selection.each_once(all, identity);
        }
        let mut left = query.config.top_k;
        let mut first = Vec::new();
        for candidate in all {
            match left.get_mut(candidate.layer as usize) {
                Some(places @ 1..) => {
                    *places -= 1;
                    first.push(candidate);
                }
                _ => selection.rest.push(candidate),
            }
        }
        first.sort_unstable_by(before);
        selection.chosen = selection.each_once(first, identity);
        selection
    }

    /// The candidates without those that repeat one before them, which become twins.
    fn each_once(
        &mut self,
        all: Vec<Candidate>,
        identity: &dyn Fn(usize) -> Option<Box<str>>,
    ) -> Vec<Candidate> {
        let mut seen: HashMap<Box<str>, usize> = HashMap::new();
        let mut once: Vec<Candidate> = Vec::new();
        for candidate in all {
            // A row without a key gets one from its position, which is unique.
            let number = once.len();
            let key = identity(candidate.memory).unwrap_or_else(|| format!("row-{number}").into());
            match seen.get(&key) {
                Some(other) => self.twins.push((candidate, *other)),
                None => {
                    seen.insert(key, candidate.memory);
                    once.push(candidate);
                }
            }
        }
        once
    }

    /// Every candidate.
    pub fn all(&self) -> impl Iterator<Item = &Candidate> {
        let twins = self.twins.iter().map(|(candidate, _)| candidate);
        self.chosen.iter().chain(twins).chain(&self.rest)
    }

    /// The one that a memory with a place repeats.
    pub fn twin(&self, memory: usize) -> Option<usize> {
        let twin = self.twins.iter().find(|(twin, _)| twin.memory == memory);
        twin.map(|(_, first)| *first)
    }

    /// Number of candidates of its layer before a candidate.
    pub fn before(&self, own: &Candidate) -> usize {
        let of_layer = self.all().filter(|other| other.layer == own.layer);
        of_layer.filter(|other| before(other, own).is_lt()).count()
    }
}

/// The order of the pack: by scope, then by rank.
fn before(a: &Candidate, b: &Candidate) -> Ordering {
    a.scope.cmp(&b.scope).then_with(|| compare(a, b))
}

/// The order: by key, score, time (none last), then as they were collected.
fn compare(a: &Candidate, b: &Candidate) -> Ordering {
    (b.key.total_cmp(&a.key))
        .then_with(|| b.score.total_cmp(&a.score))
        // Nothing is less than something: turned round it comes last.
        .then_with(|| b.stamp.cmp(&a.stamp))
        .then_with(|| (a.place, a.memory).cmp(&(b.place, b.memory)))
}
