//! How often `stale-path` is right: `cargo bench --bench stale_paths -- PATH [errors]`, where PATH
//! holds `notes.jsonl`, `refs.jsonl` and `trees/`.
//!
//! Nothing is fitted to a repository, so each is shown alone. The command fails below the floors of
//! `benches/labelled/floors_stale.toml`.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

#[path = "support/labelled.rs"]
mod labelled;
#[path = "support/rows.rs"]
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use labelled::Store;
use memkeep::lint::Finding;
use memkeep::lint::repository::{Gone, History, Log, Project};
use memkeep::memory::Severity;
use memkeep::text::compare::Weights;
use rows::{rows, text};
use serde_json::Value;

struct Trees(History);

impl Project for Trees {
    fn history(&self) -> Result<&History, &str> {
        Ok(&self.0)
    }
}

fn trees(folder: &Path, repo: &str) -> Trees {
    let name = repo.replace('/', "+");
    let read = |kind: &str| {
        let path = folder.join(format!("trees/{name}.{kind}.txt"));
        fs::read_to_string(path).unwrap()
    };
    let old = read("gone");
    let gone = old.lines().map(|path| Gone {
        path: path.into(),
        commit: 0,
        blob: memkeep::lint::repository::Blob::default(),
        to: None,
    });
    let log = Log {
        gone: gone.collect(),
        ..Log::default()
    };
    let files = read("head").lines().map(str::to_owned).collect();
    let root = format!("/repo/{}", repo.rsplit_once('/').unwrap().1);
    Trees(History::new(&root, files, Arc::new(log), BTreeMap::new()))
}

/// The paths that a finding is about: those of its message in front of what became of them, and the
/// others of its evidence.
fn written(finding: &Finding) -> Vec<String> {
    let ends = [
        " has moved",
        " have moved",
        " is gone",
        " are gone",
        " was deleted",
        " were deleted",
    ];
    // A path that never was is not said to be gone.
    let Some(end) = ends.iter().find_map(|end| finding.message.find(end)) else {
        return Vec::new();
    };
    let message = &finding.message[..end];
    let others = finding
        .evidence
        .iter()
        .filter(|one| one.starts_with("the others are"));
    let texts = std::iter::once(message).chain(others.map(String::as_str));
    texts
        .flat_map(|text| text.split('`').skip(1).step_by(2))
        .map(str::to_owned)
        .collect()
}

fn plain(token: &str) -> String {
    let token = token.trim_start_matches("./").trim_end_matches("/*");
    token.trim_end_matches('/').to_owned()
}

fn is_dead(label: &str) -> bool {
    matches!(label, "stale_deleted" | "stale_moved" | "stale_dir")
}

/// How many references were reported, and how many of them are dead.
#[derive(Clone, Copy, Default)]
struct Score {
    reported: usize,
    right: usize,
    dead: usize,
}

impl Score {
    fn ratio(of: usize, all: usize) -> f64 {
        of as f64 / all.max(1) as f64
    }

    fn precision(self) -> f64 {
        Self::ratio(self.right, self.reported)
    }

    fn recall(self) -> f64 {
        Self::ratio(self.right, self.dead)
    }

    fn cells(self) -> String {
        format!(
            "{:.3} | {:.3} | {} of {}",
            self.precision(),
            self.recall(),
            self.right,
            self.reported
        )
    }
}

/// Warnings, and warnings and suggestions together.
#[derive(Clone, Copy, Default)]
struct Scores {
    warnings: Score,
    all: Score,
    /// What was reported and is no question: gone before the note, ambiguous, or without a label.
    open: usize,
}

impl Scores {
    fn print(&self, name: &str) {
        let (warnings, all) = (self.warnings.cells(), self.all.cells());
        println!(
            "| {name} | {warnings} | {all} | {} | {} |",
            self.all.dead, self.open
        );
    }

    fn add(&mut self, other: &Self) {
        for (own, other) in [
            (&mut self.warnings, other.warnings),
            (&mut self.all, other.all),
        ] {
            own.reported += other.reported;
            own.right += other.right;
            own.dead += other.dead;
        }
        self.open += other.open;
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench");
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        println!("the folder with labelled notes is missing");
        return ExitCode::SUCCESS;
    };
    let shows_errors = arguments.next().is_some();
    let notes = rows(&folder.join("notes.jsonl"));
    let mut labels: BTreeMap<(String, String), String> = BTreeMap::new();
    for row in rows(&folder.join("refs.jsonl")) {
        if row["kind"] != "symbol" {
            let key = (text(&row, "note"), plain(&text(&row, "token")));
            labels.insert(key, text(&row, "label"));
        }
    }
    let repos: BTreeSet<String> = notes.iter().map(|note| text(note, "repo")).collect();
    println!(
        "| repository | warnings P | R | right | with suggestions P | R | right | dead | open |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut total = Scores::default();
    for repo in repos {
        let own: Vec<&Value> = notes.iter().filter(|note| note["repo"] == repo).collect();
        let store = Store::of(own.iter().map(|note| text(note, "text")).collect());
        let ids: BTreeSet<String> = own.iter().map(|note| text(note, "id")).collect();
        let mut scores = Scores::default();
        let mut reported = BTreeSet::new();
        for finding in &store.lint(&["stale-path"], &trees(&folder, &repo), Weights::bundled()) {
            let id = text(own[finding.memory], "id");
            for path in written(finding) {
                let key = (id.clone(), plain(&path));
                match labels.get(&key).map(String::as_str) {
                    None | Some("stale_before" | "ambiguous") => scores.open += 1,
                    Some(label) => {
                        let is_right = is_dead(label);
                        scores.all.reported += 1;
                        scores.all.right += usize::from(is_right);
                        if finding.severity == Severity::Warning {
                            scores.warnings.reported += 1;
                            scores.warnings.right += usize::from(is_right);
                        }
                        if shows_errors && !is_right {
                            println!("  {label}: {} {path} in {id}", finding.severity.word());
                        }
                    }
                }
                reported.insert(key);
            }
        }
        for (key, label) in labels.iter().filter(|(key, _)| ids.contains(&key.0)) {
            let is_dead = is_dead(label);
            scores.all.dead += usize::from(is_dead);
            scores.warnings.dead += usize::from(is_dead);
            if shows_errors && is_dead && !reported.contains(key) {
                println!("  missed: {} in {}", key.1, key.0);
            }
        }
        scores.print(&repo);
        total.add(&scores);
    }
    total.print("all");
    let floors: toml::Table = include_str!("labelled/floors_stale.toml").parse().unwrap();
    let floor = |name: &str| floors["stale-path"][name].as_float().unwrap();
    let is_below =
        total.all.precision() < floor("precision") || total.all.recall() < floor("recall");
    if is_below {
        println!(
            "below the floor of {} / {}",
            floor("precision"),
            floor("recall")
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
