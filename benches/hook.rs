//! How well `memkeep hook` tells a prompt about a topic from one about another project:
//! `cargo bench --bench hook -- CORPUS`, where CORPUS is a folder of projects with Claude Code or
//! Serena stores.
//!
//! Prompts are made of the descriptions of topics: the whole text, every other word, six words in a
//! question, and every other word inside a longer message. A prompt finds its topic if that is
//! among the first three above the floor. Each prompt is also put to the stores of all other
//! projects, where it should find nothing; "anywhere" counts the prompts that find nothing in any.
//! Prompts from sentences of bodies are printed for comparison; no floor depends on them.
#![expect(clippy::unwrap_used, reason = "a bench that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use memkeep::memory::{Memory, Role, Timestamp, Value};
use memkeep::retrieval::hybrid::about::{About, FLOOR, LEAST_WORDS, about};
use memkeep::retrieval::{Snapshot, Task, Texts as _};
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;

/// Memories that the hook gives for a prompt at most.
const FIRST: usize = 3;

/// Least share of prompts that have to find their topic, and that have to find nothing elsewhere.
const LEAST: f64 = 0.9;

struct Project {
    collection: Collection,
    topics: Snapshot,
}

fn main() {
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let Some(folder) = folder.filter(|folder| Path::new(folder).is_dir()) else {
        println!("skipped, no corpus: cargo bench --bench hook -- CORPUS");
        return;
    };
    let state = tempfile::tempdir().unwrap();
    let mut folders: Vec<_> = fs::read_dir(&folder).unwrap().flatten().collect();
    folders.sort_by_key(fs::DirEntry::path);
    let projects = folders
        .iter()
        .map(|folder| open(&folder.path(), state.path()));
    let projects: Vec<Project> = projects.filter(|one| !one.topics.is_empty()).collect();
    let topics: usize = projects.iter().map(|project| project.topics.len()).sum();
    println!(
        "{} projects, {topics} topics, floor {FLOOR}",
        projects.len()
    );
    let mut fails = false;
    for (name, make) in PROMPTS {
        let (found, foreign) = measure(&projects, *make);
        for floor in [FLOOR, 0.25, 0.3, 0.35, 0.4, 0.5, 0.55, 0.6] {
            let above = |about: &&About| about.share >= floor && about.words.len() >= LEAST_WORDS;
            let hits = found.iter().filter(|(at, list)| {
                let mut first = list.iter().filter(above).take(FIRST);
                first.any(|about| about.memory == *at)
            });
            let silent = foreign.iter().map(|lists| {
                let silent = lists
                    .iter()
                    .filter(|list| !list.iter().any(|about| above(&about)));
                silent.count()
            });
            let silent: Vec<usize> = silent.collect();
            let others = projects.len() - 1;
            let part = |count: usize, all: usize| count as f64 / all.max(1) as f64;
            let nowhere = silent.iter().filter(|count| **count == others).count();
            let hits = part(hits.count(), found.len());
            let each = part(silent.iter().sum(), foreign.len() * others);
            println!(
                "{name:<8} floor {floor:.2}: {hits:.3} of {} find their topic; nothing in {each:.3} of other stores, anywhere {:.3}",
                found.len(),
                part(nowhere, foreign.len()),
            );
            fails |= floor == FLOOR && *name != "body" && (hits < LEAST || each < LEAST);
        }
    }
    assert!(!fails, "below {LEAST}");
}

fn open(folder: &Path, state: &Path) -> Project {
    let folder = fs::canonicalize(folder).unwrap();
    let search = Search {
        root: Some(folder.clone()),
        start: folder,
        ..Search::default()
    };
    let collection = Collection::open(&search, state).unwrap();
    let memories = collection.load(&[], &mut |_| true).memories;
    let topics = memories
        .into_iter()
        .filter(|memory| &*memory.id.local != "MEMORY");
    Project {
        topics: Arc::new(topics.collect()),
        collection,
    }
}

type Make = fn(&Project, &Memory) -> Option<String>;

/// The rest of the longer message.
const REST: &str = "The test in the folder beside it fails since yesterday, so please explain which \
    part we compare and write a small unit test for the failing case.";

/// The kinds of prompts.
const PROMPTS: &[(&str, Make)] = &[
    ("whole", |_, memory| description(memory)),
    ("half", |_, memory| Some(every(&description(memory)?, 2))),
    ("question", |_, memory| {
        let words = description(memory)?;
        let step = (words.split_whitespace().count() / 6).max(1);
        let words: Vec<String> = every(&words, step)
            .split(' ')
            .take(6)
            .map(String::from)
            .collect();
        Some(format!("Can you help me with {}?", words.join(" ")))
    }),
    ("message", |_, memory| {
        let question = every(&description(memory)?, 2);
        Some(format!("How does this go: {question}? {REST}"))
    }),
    ("body", |project, memory| {
        let body = project.collection.body(memory)?;
        let long = |line: &&str| line.split_whitespace().count() > 8 && !line.starts_with('#');
        let line = body.lines().filter(long).nth(1)?;
        Some(
            line.split_whitespace()
                .take(20)
                .collect::<Vec<_>>()
                .join(" "),
        )
    }),
];

fn description(memory: &Memory) -> Option<String> {
    let text = memory.role(Role::Description).and_then(Value::as_str);
    text.map(str::to_owned)
}

fn every(text: &str, step: usize) -> String {
    text.split_whitespace()
        .step_by(step)
        .collect::<Vec<_>>()
        .join(" ")
}

type Found = (usize, Vec<About>);

/// What the prompts find in their own project, and in each of the others.
fn measure(projects: &[Project], make: Make) -> (Vec<Found>, Vec<Vec<Vec<About>>>) {
    let (mut found, mut foreign) = (Vec::new(), Vec::new());
    for (own, project) in projects.iter().enumerate() {
        for (at, memory) in project.topics.iter().enumerate() {
            let Some(prompt) = make(project, memory) else {
                continue;
            };
            let mut elsewhere = Vec::new();
            for (number, other) in projects.iter().enumerate() {
                let list = about(&other.topics, &task(&prompt), &other.collection);
                match number == own {
                    true => found.push((at, list)),
                    false => elsewhere.push(list),
                }
            }
            foreign.push(elsewhere);
        }
    }
    (found, foreign)
}

fn task(text: &str) -> Task {
    Task {
        text: text.to_owned(),
        agent: String::new(),
        plan: None,
        history: None,
        files: Vec::new(),
        now: Timestamp(0),
    }
}
