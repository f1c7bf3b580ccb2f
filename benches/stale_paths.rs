//! How far `stale-path` can be believed: `cargo bench --bench stale_paths -- PATH [errors]`, where
//! PATH holds `notes.jsonl`, `refs.jsonl` and `trees/`.
//!
//! A repository falls in one of two halves by its name: rules were tuned on the first only.
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
use std::sync::Arc;

use labelled::Store;
use memkeep::lint::Finding;
use memkeep::lint::repository::{Gone, History, Log, Project, Rename};
use memkeep::memory::Severity;
use memkeep::text::compare::Weights;
use rows::{rows, text};
use serde_json::Value;

struct Trees(History);

impl Project for Trees {
    fn history(&self) -> Result<&History, &str> {
        Ok(&self.0)
    }

    fn renames(&self, _: &[&str]) -> Vec<Rename> {
        Vec::new()
    }

    fn untracked(&self, paths: &[&str]) -> Vec<bool> {
        vec![false; paths.len()]
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
    Trees(History::new(&root, files, Arc::new(log)))
}

fn written(finding: &Finding) -> String {
    let name = finding.message.split('`').nth(1);
    name.unwrap_or_default().to_owned()
}

fn plain(token: &str) -> String {
    let token = token.trim_start_matches("./").trim_end_matches("/*");
    token.trim_end_matches('/').to_owned()
}

/// Which half a repository falls in.
fn half(repo: &str) -> usize {
    repo.bytes().map(usize::from).sum::<usize>() % 2
}

#[derive(Default)]
struct Score {
    flagged: usize,
    right: usize,
    wanted: usize,
    unlabelled: usize,
    severities: BTreeMap<&'static str, usize>,
}

impl Score {
    fn line(&self, name: &str) {
        let ratio = |of: usize| self.right as f64 / of.max(1) as f64;
        println!(
            "| {name} | {:.3} | {:.3} | {} | {} | {} | {:?} |",
            ratio(self.flagged),
            ratio(self.wanted),
            self.flagged,
            self.wanted,
            self.unlabelled,
            self.severities
        );
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench");
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        println!("the folder with labelled notes is missing");
        return;
    };
    let errors = arguments.next().is_some();
    let notes = rows(&folder.join("notes.jsonl"));
    let mut labels: BTreeMap<(String, String), String> = BTreeMap::new();
    for row in rows(&folder.join("refs.jsonl")) {
        if row["kind"] != "symbol" {
            let key = (text(&row, "note"), plain(&text(&row, "token")));
            labels.insert(key, text(&row, "label"));
        }
    }
    let repos: BTreeSet<String> = notes.iter().map(|note| text(note, "repo")).collect();
    let mut halves = [Score::default(), Score::default()];
    let mut open = Score::default();
    for repo in repos {
        let own: Vec<&Value> = notes.iter().filter(|note| note["repo"] == repo).collect();
        let store = Store::of(own.iter().map(|note| text(note, "text")).collect());
        let found = store.lint(&["stale-path"], &trees(&folder, &repo), Weights::bundled());
        let score = &mut halves[half(&repo)];
        let mut flagged = BTreeSet::new();
        for finding in &found {
            let note = own[finding.memory];
            let key = (text(note, "id"), plain(&written(finding)));
            let label = labels.get(&key).map(String::as_str);
            let right = matches!(label, Some("stale_deleted" | "stale_moved" | "stale_dir"));
            if errors && !right {
                let line = finding.line as usize - 1;
                let line = store.bodies[finding.memory].lines().nth(line);
                println!("  {label:?} {repo} {} in {line:?}", finding.message);
            }
            if errors && right && finding.severity == Severity::Warning {
                let line = store.bodies[finding.memory]
                    .lines()
                    .nth(finding.line as usize - 1);
                println!("  WARN {} in {line:?}", finding.message);
            }
            flagged.insert(key);
            match label {
                Some("stale_before" | "ambiguous") => open.flagged += 1,
                None => score.unlabelled += 1,
                Some(_) => {
                    score.flagged += 1;
                    score.right += usize::from(right);
                    let severity = finding.severity.word();
                    *score.severities.entry(severity).or_default() += 1;
                }
            }
        }
        for note in &own {
            let id = text(note, "id");
            for (key, label) in labels.range((id.clone(), String::new())..) {
                if key.0 != id {
                    break;
                }
                let wanted = matches!(
                    label.as_str(),
                    "stale_deleted" | "stale_moved" | "stale_dir"
                );
                score.wanted += usize::from(wanted);
                if errors && wanted && !flagged.contains(key) {
                    println!("  missed {key:?}");
                }
            }
        }
    }
    println!(
        "| stale-path | precision | recall | flagged | wanted | without a label | severities |"
    );
    println!("|---|---|---|---|---|---|---|");
    halves[0].line("the half looked at");
    halves[1].line("the half held out");
    println!(
        "{} more were gone before the memory or had several meanings",
        open.flagged
    );
}
