//! How far lint can be believed: `cargo bench --bench lint_quality -- [--bench-dir PATH]
//! [--corpus PATH] [--repo PATH] [--errors ROW]`.
//!
//! Each row is lint itself, run over stores made of labelled texts: the repository's own set in
//! `benches/labelled`, and public sets where `--bench-dir` names their folder.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

#[path = "support/commits.rs"]
mod commits;
#[path = "support/labelled.rs"]
mod labelled;
#[path = "support/ranking.rs"]
mod ranking;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use labelled::{Store, rows, text};
use memkeep::lint::repository::Nowhere;
use serde_json::Value;

/// The sets of own pairs, by when they were written.
const SETS: [(&str, &str); 7] = [
    ("", "labelled pairs"),
    ("later", "pairs written when the rules were done"),
    ("last", "pairs written after that"),
    ("unseen", "pairs written without a look at the rules"),
    ("free", "pairs of free wording"),
    ("slots", "pairs of short statements"),
    (
        "scope",
        "pairs of a rule and its exception, of two dates, and with a reason",
    ),
];

const PAIR_RULES: [&str; 3] = ["contradiction", "near-duplicate", "contained"];

/// What a row counts.
#[derive(Default)]
struct Score {
    flagged: usize,
    right: usize,
    wanted: usize,
}

impl Score {
    fn count(&mut self, flagged: bool, wanted: bool) {
        self.flagged += usize::from(flagged);
        self.wanted += usize::from(wanted);
        self.right += usize::from(flagged && wanted);
    }

    fn line(&self, name: &str, must: &str) {
        let ratio = |of: usize| match of {
            0 => "–".to_owned(),
            of => format!("{:.3}", self.right as f64 / of as f64),
        };
        println!(
            "| {name} | {} | {} | {} | {} | {must} |",
            ratio(self.flagged),
            ratio(self.wanted),
            self.flagged,
            self.wanted
        );
    }
}

/// Which half a row belongs to, by a name all rows of one origin share.
fn half(name: &str) -> usize {
    let sum = name.bytes().fold(17_u32, |sum, b| {
        sum.wrapping_mul(31).wrapping_add(u32::from(b))
    });
    (sum.wrapping_mul(0x9e37_79b9) >> 31) as usize
}

struct Bench {
    errors: Option<String>,
}

impl Bench {
    fn error(&self, name: &str, kind: &str, row: &Value) {
        if self.errors.as_deref() == Some(name) {
            println!("  {kind}\n    {}\n    {}", row["a"], row["b"]);
        }
    }

    fn vitaminc(&self, path: &Path) {
        let mut halves = [Score::default(), Score::default()];
        let mut all = Score::default();
        for row in rows(path) {
            let wanted = row["label"] == "contradiction";
            let found =
                Store::of(vec![text(&row, "a"), text(&row, "b")]).lint(&PAIR_RULES, &Nowhere);
            let found = found.iter().find(|finding| finding.rule == "contradiction");
            let half = half(&text(&row, "page"));
            halves[half].count(found.is_some(), wanted);
            all.count(found.is_some(), wanted);
            if half == 0 && found.is_some() != wanted {
                let says = found.map_or("missed", |found| found.message.as_str());
                self.error("vitaminc", says, &row);
            }
        }
        all.line("contradiction, `vitaminc_revisions`", ".90 at .50");
        halves[0].line("– the half looked at", "");
        halves[1].line("– the half held out", "");
    }

    fn notes(&self, path: &Path) {
        let mut halves = [Score::default(), Score::default()];
        let mut all = Score::default();
        for row in rows(path) {
            let wanted = row["label"] == "revised";
            let found =
                Store::of(vec![text(&row, "a"), text(&row, "b")]).lint(&PAIR_RULES, &Nowhere);
            let half = half(&text(&row, "repo"));
            halves[half].count(!found.is_empty(), wanted);
            all.count(!found.is_empty(), wanted);
            if half == 0 || self.errors.as_deref() == Some("all") {
                let says = found.first().map_or("nothing".into(), |found| {
                    format!("{}: {}", found.rule, found.message)
                });
                self.error("notes", &format!("{} {says}", row["label"]), &row);
            }
        }
        all.line(
            "contradiction or near duplicate, `note_revisions`",
            ".90 at .60",
        );
        halves[0].line("– the half looked at", "");
        halves[1].line("– the half held out", "");
    }

    /// Real memories, each repository a store of its own, each statement a memory: what is
    /// flagged among them.
    fn corpus(&self, path: &Path) {
        let (mut statements, mut flags, mut pairs) = (0, 0, 0);
        for format in folders(path) {
            for repository in folders(&format) {
                let mut bodies = BTreeSet::new();
                files(&repository, &mut |text| bodies.extend(lines(text)));
                let store = Store::of(bodies.into_iter().collect());
                let count = store.bodies.len();
                statements += count;
                pairs += count * count.saturating_sub(1) / 2;
                for finding in store.lint(&["contradiction"], &Nowhere) {
                    flags += 1;
                    if self.errors.as_deref() == Some("corpus") {
                        println!("  {} {}", repository.display(), finding.message);
                        for n in 0..finding.evidence.len() {
                            println!("    {}", finding.shown(n));
                        }
                    }
                }
            }
        }
        println!(
            "| contradictions among {statements} lines of real stores ({pairs} pairs) | | | {flags} | | few |"
        );
    }
}

/// The repository's own set.
impl Bench {
    fn labelled_pairs(&self, path: &Path, (set, name): (&str, &str)) {
        let mut scores = [Score::default(), Score::default(), Score::default()];
        for row in rows(path).into_iter().filter(|row| text(row, "set") == set) {
            let found =
                Store::of(vec![text(&row, "a"), text(&row, "b")]).lint(&PAIR_RULES, &Nowhere);
            for (n, (label, rule)) in [
                ("contradiction", "contradiction"),
                ("duplicate", "near-duplicate"),
                ("contained", "contained"),
            ]
            .into_iter()
            .enumerate()
            {
                let flagged = found.iter().any(|finding| finding.rule == rule);
                let wanted = row["label"] == label;
                scores[n].count(flagged, wanted);
                if flagged != wanted {
                    self.error("labelled", &format!("{rule}: {flagged}"), &row);
                }
            }
        }
        scores[0].line(&format!("contradiction, {name}"), ".90 at .50");
        scores[1].line(&format!("near duplicate, {name}"), "1.0 at .96");
        scores[2].line(&format!("contained, {name}"), "1.0 at .96");
    }

    fn labelled_statements(path: &Path) {
        let bodies: Vec<String> = rows(path).iter().map(|row| text(row, "text")).collect();
        let count = bodies.len();
        let found = Store::of(bodies).lint(&PAIR_RULES, &Nowhere).len();
        let pairs = count * (count - 1) / 2;
        println!(
            "| findings among {count} independent statements ({pairs} pairs) | | | {found} | 0 | 0 |"
        );
    }

    fn labelled_notes(&self, path: &Path) {
        const RULES: [(&str, &str); 5] = [
            ("failure-log", ".95 at .95"),
            ("secret", "every one"),
            ("reader-instruction", ""),
            ("exfiltration-link", ""),
            ("personal-path", ""),
        ];
        let mut scores: Vec<Score> = RULES.iter().map(|_| Score::default()).collect();
        let mut echoed = 0;
        for row in rows(path) {
            let (body, secrets) = expand(&text(&row, "text"));
            let names: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
            let found = Store::of(vec![body]).lint(&names, &Nowhere);
            let said = format!("{found:?}");
            // Behind the first characters, by which a kind is known; of a short part all of it.
            echoed += secrets
                .iter()
                .map(|secret| {
                    if secret.len() > 4 {
                        &secret[4..]
                    } else {
                        secret
                    }
                })
                .filter(|secret| said.contains(secret))
                .count();
            for ((rule, _), score) in RULES.iter().zip(&mut scores) {
                // What is less sure than a coin is a question, not a claim.
                let flagged = found
                    .iter()
                    .any(|finding| finding.rule == *rule && finding.confidence >= 0.5);
                let wanted = row["label"] == *rule;
                score.count(flagged, wanted);
                if flagged != wanted && self.errors.as_deref() == Some("labelled") {
                    println!("  {rule}: {flagged}\n    {}", row["text"]);
                }
            }
        }
        for ((rule, must), score) in RULES.iter().zip(&scores) {
            score.line(&format!("{rule}, labelled notes"), must);
        }
        println!("| secrets of them shown in full | | | {echoed} | 0 | 0 |");
    }

    /// Entries of real Ralph stores: those that begin with `failure:` are logs; few others are.
    fn ralph(&self, path: &Path) {
        let mut score = Score::default();
        files(&path.join("ralph"), &mut |text| {
            for entry in text.split("### mem-").skip(1) {
                let body = entry.split_once('\n').map_or("", |(_, body)| body);
                let body = body.split("\n## ").next().unwrap_or_default();
                let found = Store::of(vec![body.to_owned()]).lint(&["failure-log"], &Nowhere);
                let wanted = body
                    .trim_start_matches(['>', ' ', '\n'])
                    .starts_with("failure:");
                score.count(!found.is_empty(), wanted);
                if found.is_empty() == wanted && self.errors.as_deref() == Some("ralph") {
                    println!("  {wanted}: {body}");
                }
            }
        });
        score.line("failure-log, entries of real Ralph stores", ".95 at .95");
    }
}

/// Puts random text in the place of `{A36}` (letters and digits), `{U16}` (capitals) and `{H40}`
/// (hexadecimal), so that the file holds no secret; gives those texts as well.
fn expand(text: &str) -> (String, Vec<String>) {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut pick = |from: &[u8]| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        char::from(from[(state >> 33) as usize % from.len()])
    };
    let (mut expanded, mut made, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        expanded.push_str(before);
        rest = after;
        let count = after
            .get(1..)
            .and_then(|rest| rest.split('}').next()?.parse::<usize>().ok());
        let alphabet: &[u8] = match after.bytes().next() {
            Some(b'A') => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            Some(b'U') => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            Some(b'H') => b"0123456789abcdef",
            _ => b"",
        };
        let (Some(count), false) = (count, alphabet.is_empty()) else {
            expanded.push('{');
            continue;
        };
        let random: String = (0..count).map(|_| pick(alphabet)).collect();
        expanded.push_str(&random);
        made.push(random);
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    expanded.push_str(rest);
    (expanded, made)
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

fn files(path: &Path, take: &mut impl FnMut(&str)) {
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files(&entry, take);
        } else if let Ok(text) = fs::read_to_string(&entry) {
            take(&text);
        }
    }
}

/// The lines of a note that say something.
fn lines(text: &str) -> Vec<String> {
    let mut fence = false;
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            fence = !fence;
        } else if !fence && line.len() >= 20 && !line.starts_with(['#', '|', '<']) {
            found.push(line.to_owned());
        }
    }
    found
}

fn argument(name: &str) -> Option<String> {
    let mut args = env::args();
    args.find(|arg| arg == name)?;
    args.next()
}

fn main() {
    let bench = Bench {
        errors: argument("--errors"),
    };
    println!("| what | precision | recall | flags | wanted | must |\n|---|---|---|---|---|---|");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/labelled");
    for set in SETS {
        bench.labelled_pairs(&own.join("pairs.jsonl"), set);
    }
    Bench::labelled_statements(&own.join("statements.jsonl"));
    bench.labelled_notes(&own.join("notes.jsonl"));
    if let Some(folder) = argument("--bench-dir").map(PathBuf::from) {
        bench.vitaminc(&folder.join("contradiction/vitaminc_revisions.jsonl"));
        bench.notes(&folder.join("contradiction/note_revisions.jsonl"));
    }
    if let Some(folder) = argument("--corpus").map(PathBuf::from) {
        bench.ralph(&folder);
        bench.corpus(&folder);
    }
    if let Some(folder) = argument("--bench-dir").map(PathBuf::from) {
        ranking::print(&folder.join("retrieval"), bench.errors.as_deref());
    }
    if let Some(root) = argument("--repo").map(PathBuf::from) {
        commits::print(&root);
    }
}
