//! How well the policy `hybrid` ranks the memories of a repository for its own commits: the
//! subject of a commit is a task, and a memory that names a path which that commit touched answers
//! it.

use std::collections::BTreeSet;
use std::path::Path;

use memkeep::lint::repository::Project as _;
use memkeep::memory::Timestamp;
use memkeep::project::repository::Logs;
use memkeep::retrieval::{Limits, Task, Texts as _};
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use memkeep::systems::policy;

/// Places that count.
const PLACES: usize = 10;

/// The clock of every run.
const NOW: Timestamp = Timestamp(1_793_491_200_000);

/// What was measured in a repository.
pub struct Measured {
    /// Commits for which some memory names a path that they touched.
    pub tasks: usize,
    /// The mean nDCG@10 of these.
    pub gain: f64,
}

/// Plays the last commits of a repository.
pub fn measure(root: &Path) -> Measured {
    let root = root.canonicalize().unwrap();
    let search = Search {
        start: root.clone(),
        root: Some(root.clone()),
        paths: Vec::new(),
        format: None,
        only: Vec::new(),
        ..Search::default()
    };
    let collection = Collection::open(&search, &root.join(".none")).unwrap();
    let memories = collection.load(&[], &mut |_| true).memories;
    let memories = std::sync::Arc::new(memories);
    let texts: Vec<String> = memories
        .iter()
        .map(|memory| collection.text(memory).unwrap_or_default())
        .collect();
    let scorer = policy("hybrid").unwrap().scorer(memories);
    let limits = Limits {
        max: Some(PLACES),
        ..Limits::default()
    };
    let (mut tasks, mut sum) = (0, 0.0);
    let logs = Logs::kept_in(None);
    let facts = logs.facts(&root);
    for (commit, files) in facts.history().iter().flat_map(|history| history.recent()) {
        let names = |text: &String| files.iter().any(|path| names(text, path));
        let wanted: BTreeSet<usize> = texts
            .iter()
            .enumerate()
            .filter(|(_, text)| names(text))
            .map(|(n, _)| n)
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let task = Task {
            text: commit.subject.to_string(),
            agent: String::new(),
            plan: None,
            history: None,
            files: Vec::new(),
            now: NOW,
        };
        let preview = scorer.preview(&task, &limits, None, &collection);
        let worth = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let found = preview.selected.iter().take(PLACES).enumerate();
        let found = found.filter(|(_, one)| wanted.contains(&one.memory));
        let best: f64 = (0..wanted.len().min(PLACES)).map(worth).sum();
        sum += found.map(|(place, _)| worth(place)).sum::<f64>() / best;
        tasks += 1;
    }
    let gain = sum / (tasks.max(1) as f64);
    Measured { tasks, gain }
}

/// Whether a text names a path as a whole.
fn names(text: &str, path: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '_' | '-');
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        // A dot ends a sentence, or goes on with a name.
        let after = &text[at + path.len()..];
        let goes_on = after.strip_prefix('.').unwrap_or(after).starts_with(part);
        !before.is_some_and(|c| part(c) || c == '.') && !goes_on
    })
}

/// Prints the row of a repository.
pub fn print(root: &Path) {
    let Measured { tasks, gain } = measure(root);
    println!("\n| nDCG@10 | commits | hybrid |\n|---|---|---|");
    println!("| {} | {tasks} | {gain:.3} |", root.display());
}
