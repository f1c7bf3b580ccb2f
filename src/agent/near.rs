//! The nearest memories of each, as the policy `hybrid` ranks them for its sections.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::group::Near;
use super::request::Note;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::retrieval::{Limits, Policy as _, Snapshot, Task, Texts, hybrid};

/// Neighbours of each memory.
const NEIGHBOURS: usize = 16;

/// Sections of a memory that are looked for one by one, beside the whole of it.
const SECTIONS: usize = 12;

/// More memories than these are compared as wholes only.
const MANY: usize = 2_000;

/// Least words of a section.
const WORDS: usize = 6;

/// Bodies that are read already.
struct Bodies<'a>(HashMap<&'a MemoryId, &'a str>);

impl Texts for Bodies<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.0.get(&memory.id).map(|body| (*body).to_owned())
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        self.body(memory)
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        self.body(memory)
    }
}

/// For each note those near to it, the nearest first, and how near: the nearest by any section is 1.
pub fn nearest(notes: &[Note], now: Timestamp) -> Vec<Vec<Near>> {
    let memories: Snapshot = Arc::new(notes.iter().map(|note| note.memory.clone()).collect());
    let bodies = notes
        .iter()
        .map(|note| (&note.memory.id, note.body.as_str()));
    let bodies = Bodies(bodies.collect());
    let mut scorer = hybrid::Hybrid.scorer(memories);
    scorer.index(&bodies);
    let limits = Limits {
        max: Some(NEIGHBOURS + 1),
        ..Limits::default()
    };
    let near_to = |own: usize, text: String| -> Vec<Near> {
        let task = Task {
            text,
            agent: String::new(),
            plan: None,
            history: None,
            files: Vec::new(),
            now,
        };
        let preview = scorer.preview(&task, &limits, None, &bodies);
        let all = preview.selected.iter();
        all.filter(|verdict| verdict.memory != own)
            .filter_map(|verdict| Some((verdict.memory, verdict.score?)))
            .collect()
    };
    let of_note = |(own, note): (usize, &Note)| {
        let whole = format!("{}\n{}", note.memory.title, note.body);
        let mut texts = vec![whole];
        if notes.len() <= MANY {
            texts.extend(sections(&note.body));
        }
        let mut best: HashMap<usize, f64> = HashMap::new();
        for text in texts {
            let ranked = near_to(own, text);
            let top = ranked.first().map_or(1.0, |(_, score)| *score);
            for (rank, (other, score)) in ranked.into_iter().enumerate() {
                let worth = score / top / (rank + 1) as f64;
                let known = best.entry(other).or_insert(0.0);
                *known = known.max(worth);
            }
        }
        let mut all: Vec<Near> = best.into_iter().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(NEIGHBOURS);
        all
    };
    notes.par_iter().enumerate().map(of_note).collect()
}

/// The paragraphs and list items of a body that say something.
fn sections(body: &str) -> impl Iterator<Item = String> {
    let blocks = body.split("\n\n").map(str::trim);
    let says = |block: &&str| block.split_whitespace().count() >= WORDS;
    blocks.filter(says).take(SECTIONS).map(str::to_owned)
}
