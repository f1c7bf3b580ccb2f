//! Which candidates get a place: the first of each layer, scope by scope, each only once (step
//! 6).

use std::collections::HashMap;

use super::plan::Plan;
use crate::systems::golemcore::{Instant, Layer};

/// A memory that may be selected.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its index in the snapshot.
    pub memory: usize,
    /// Its score.
    pub score: f64,
    /// Sort key.
    pub key: f64,
    /// Points of the second ranking, part by part.
    pub boost: [f64; 4],
    /// When it was changed last.
    pub stamp: Option<Instant>,
    /// Place of its file among those that are read.
    pub place: (u32, u32),
    /// Its place in that file.
    pub number: u32,
    /// Its layer.
    pub layer: Layer,
    /// The place of its scope in the chain.
    pub scope: u32,
}

/// The selection.
pub struct Selection {
    /// In the order of the pack, each once.
    pub chosen: Vec<Candidate>,
    /// Those that had a place and say the same as one before them, with that one.
    twins: Vec<(Candidate, usize)>,
    /// All others.
    rest: Vec<Candidate>,
}

impl Selection {
    /// Every candidate.
    pub fn all(&self) -> impl Iterator<Item = &Candidate> {
        let twins = self.twins.iter().map(|(candidate, _)| candidate);
        self.chosen.iter().chain(twins).chain(&self.rest)
    }

    /// Numbers of memories without a place in their layer, and of repetitions.
    pub fn dropped(&self) -> (usize, usize) {
        (self.rest.len(), self.twins.len())
    }

    /// The one that a memory with a place repeats.
    pub fn twin(&self, memory: usize) -> Option<usize> {
        let twin = self.twins.iter().find(|(twin, _)| twin.memory == memory);
        twin.map(|(_, first)| *first)
    }

    /// The last that got a place in the layer and the scope of a candidate: it goes first where
    /// that one is better. None where nearer scopes took them all.
    pub fn last_of(&self, own: &Candidate) -> Option<&Candidate> {
        let twins = self.twins.iter().map(|(candidate, _)| candidate);
        let had = self.chosen.iter().chain(twins);
        had.filter(|other| (other.layer, other.scope) == (own.layer, own.scope))
            .max_by(|a, b| compare(a, b))
    }

    /// Number of candidates of its layer before a candidate.
    pub fn before(&self, own: &Candidate) -> usize {
        let order = |other: &&Candidate| {
            other.layer == own.layer
                && other
                    .scope
                    .cmp(&own.scope)
                    .then_with(|| compare(other, own))
                    == std::cmp::Ordering::Less
        };
        self.all().filter(order).count()
    }
}

/// Selects.
pub fn select(
    all: Vec<Candidate>,
    plan: &Plan,
    identity: &dyn Fn(usize) -> Option<Box<str>>,
) -> Selection {
    let mut groups: HashMap<(u32, Layer), Vec<Candidate>> = HashMap::new();
    for candidate in all {
        groups
            .entry((candidate.scope, candidate.layer))
            .or_default()
            .push(candidate);
    }
    let mut taken = [0_usize; 4];
    let mut first: Vec<Candidate> = Vec::new();
    let mut rest: Vec<Candidate> = Vec::new();
    for scope in 0..u32::try_from(plan.scopes.len()).unwrap_or_default() {
        let mut of_scope: Vec<Candidate> = Vec::new();
        for layer in Layer::ALL {
            let Some(mut group) = groups.remove(&(scope, layer)) else {
                continue;
            };
            let at = layer as usize;
            let most = plan.config.top_k.get(at).copied().unwrap_or_default();
            let used = taken.get(at).copied().unwrap_or_default();
            let places = most.saturating_sub(used);
            if places < group.len() {
                if places > 0 {
                    group.select_nth_unstable_by(places - 1, compare);
                }
                rest.extend(group.drain(places..));
            }
            if let Some(taken) = taken.get_mut(at) {
                *taken += group.len();
            }
            of_scope.append(&mut group);
        }
        of_scope.sort_unstable_by(compare);
        first.append(&mut of_scope);
    }
    let mut seen: HashMap<Box<str>, usize> = HashMap::new();
    let mut selection = Selection {
        chosen: Vec::with_capacity(first.len()),
        twins: Vec::new(),
        rest,
    };
    for candidate in first {
        // A row without a key gets one from its position, which is unique.
        let number = selection.chosen.len();
        let key = identity(candidate.memory).unwrap_or_else(|| format!("row-{number}").into());
        match seen.get(&key) {
            Some(other) => selection.twins.push((candidate, *other)),
            None => {
                seen.insert(key, candidate.memory);
                selection.chosen.push(candidate);
            }
        }
    }
    selection
}

/// The order: by key, score, time (none last), then as they were collected.
fn compare(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    (b.key.total_cmp(&a.key))
        .then_with(|| b.score.total_cmp(&a.score))
        // Nothing is less than something: turned round it comes last.
        .then_with(|| b.stamp.cmp(&a.stamp))
        .then_with(|| (a.place, a.number).cmp(&(b.place, b.number)))
        .then_with(|| a.memory.cmp(&b.memory))
}
