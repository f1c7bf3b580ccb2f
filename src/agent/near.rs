//! The nearest memories of each: those that the policy `hybrid` would give for its text.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::group::Near;
use super::request::Note;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::retrieval::hybrid::Hybrid;
use crate::retrieval::{Limits, Previews, Snapshot, Task, Texts};

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
    let bodies = (notes.iter()).map(|note| (&note.memory.id, note.body.as_str()));
    let bodies = Bodies(bodies.collect());
    let mut scorer = previews.build(&Hybrid, memories);
    scorer.index(&bodies);
    let limits = Limits {
        max: Some(NEIGHBOURS + 1),
        ..Limits::default()
    };
    let near_to = |(own, note): (usize, &Note)| -> Vec<Near> {
        let task = Task {
            text: format!("{}\n{}", note.memory.title, note.body),
            agent: String::new(),
            plan: None,
            history: None,
            files: Vec::new(),
            now,
        };
        let preview = scorer.preview(&task, &limits, None, &bodies);
        let others = preview.selected.iter().filter(|one| one.memory != own);
        let mut others = others.filter_map(|one| Some((one.memory, one.score?)));
        let first = others.next();
        let top = first.map_or(1.0, |(_, score)| score);
        let all = first.into_iter().chain(others).take(NEIGHBOURS);
        all.map(|(other, score)| (other, score / top)).collect()
    };
    notes.par_iter().enumerate().map(near_to).collect()
}
