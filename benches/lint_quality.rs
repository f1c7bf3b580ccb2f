//! How far lint can be believed: `cargo bench --bench lint_quality -- [--bench-dir PATH]
//! [--corpus PATH] [--repo PATH] [--errors ROW]`. Fails below the floors of
//! `benches/labelled/floors.toml`.
//!
//! Each row is lint itself, run over stores made of labelled texts: the repository's own set in
//! `benches/labelled`, and sets of others where `--bench-dir` and `--corpus` name their folders.
//! Figures of those come from models fitted without their repository, author or store.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

#[path = "support/commits.rs"]
mod commits;
#[path = "support/fitting.rs"]
mod fitting;
#[path = "support/labelled.rs"]
mod labelled;
#[path = "support/ranking.rs"]
mod ranking;
#[path = "support/rows.rs"]
mod rows;
#[path = "support/texts.rs"]
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use fitting::{Pair, fit, stores};
use labelled::Store;
use memkeep::lint::Finding;
use memkeep::lint::repository::Nowhere;
use memkeep::memory::Severity;
use memkeep::text::compare::Weights;
use rows::{rows, text};
use serde::Deserialize;
use serde_json::Value;
use texts::{argument, files};

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

/// Flagged, right and wanted.
#[derive(Clone, Copy, Default)]
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

    /// Precision and recall; 1 of nothing.
    fn ratios(&self) -> [f64; 2] {
        let ratio = |of: usize| {
            if of == 0 {
                1.0
            } else {
                self.right as f64 / of as f64
            }
        };
        [ratio(self.flagged), ratio(self.wanted)]
    }
}

/// The least that a row may reach.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Floor {
    /// Precision and recall of warnings alone.
    warnings: Option<[f64; 2]>,
    /// The same with suggestions.
    all: Option<[f64; 2]>,
    /// The most findings, of a row that counts false ones.
    most: Option<usize>,
}

/// Prints rows and compares them with `benches/labelled/floors.toml`.
struct Gate {
    floors: BTreeMap<String, Floor>,
    below: Vec<String>,
    errors: Option<String>,
}

impl Gate {
    /// A row of warnings alone, and with suggestions.
    fn row(&mut self, name: &str, [warnings, all]: [Score; 2]) {
        let said = |score: Score| {
            let [precision, recall] = score.ratios();
            format!("{precision:.3} | {recall:.3} | {}", score.flagged)
        };
        println!(
            "| {name} | {} | {} | {} |",
            said(warnings),
            said(all),
            warnings.wanted
        );
        let floor = self.floors.get(name);
        for (score, least, of) in [
            (warnings, floor.and_then(|floor| floor.warnings), "warnings"),
            (all, floor.and_then(|floor| floor.all), "with suggestions"),
        ] {
            let [precision, recall] = score.ratios();
            if let Some([p, r]) = least
                && (precision < p || recall < r)
            {
                self.below.push(format!(
                    "{name}, {of}: {precision:.3}/{recall:.3}, floor {p}/{r}"
                ));
            }
        }
    }

    /// A row of findings of which none is right.
    fn none(&mut self, name: &str, warnings: usize, all: usize) {
        println!("| {name} | | | {warnings} | | | {all} | 0 |");
        let most = self.floors.get(name).and_then(|floor| floor.most);
        if most.is_some_and(|most| all > most) {
            self.below.push(format!("{name}: {all} false"));
        }
    }

    fn error(&self, set: &str, kind: &str, row: &Value) {
        if self.errors.as_deref() == Some(set) {
            println!("  {kind}\n    {}\n    {}", row["a"], row["b"]);
        }
    }
}

/// Findings of the rules about pairs on two texts, each one memory.
fn compared(row: &Value, weights: &Weights) -> Vec<Finding> {
    Store::of(vec![text(row, "a"), text(row, "b")]).lint(&PAIR_RULES, &Nowhere, weights)
}

/// Whether one of these rules warns, and whether it finds anything.
fn flagged(found: &[Finding], rules: &[&str]) -> [bool; 2] {
    let mut own = found.iter().filter(|one| rules.contains(&one.rule));
    let all = own.clone().next().is_some();
    [own.any(|one| one.severity != Severity::Info), all]
}

fn count(scores: &mut [Score; 2], flagged: [bool; 2], wanted: bool) {
    for (score, flagged) in scores.iter_mut().zip(flagged) {
        score.count(flagged, wanted);
    }
}

/// Sets of other people: each figure comes from models fitted without its source.
impl Gate {
    /// A set of which a model fitted on others is asked: contradictions.
    fn others(&mut self, path: &Path, name: &str, weights: &Weights) {
        let mut scores = <[Score; 2]>::default();
        for row in rows(path) {
            let found = flagged(&compared(&row, weights), &["contradiction"]);
            count(&mut scores, found, row["label"] == "contradiction");
        }
        self.row(&format!("contradiction, `{name}`"), scores);
    }

    fn notes(&mut self, path: &Path, pairs: &[Pair]) {
        let mut scores = <[Score; 2]>::default();
        for (repo, rows) in by(rows(path), "repo") {
            let (weights, _) = fit(pairs, &|pair| pair.set == "notes" && pair.source == repo);
            for row in rows {
                let found = compared(&row, &weights);
                let wanted = row["label"] == "revised";
                count(&mut scores, flagged(&found, &PAIR_RULES), wanted);
                if found.is_empty() == wanted {
                    self.error("notes", "", &row);
                }
            }
        }
        self.row(
            "contradiction or near duplicate, `note_revisions`, a repository left out",
            scores,
        );
    }

    fn written(&mut self, path: &Path, pairs: &[Pair]) {
        let mut scores = [<[Score; 2]>::default(); 4];
        for (author, rows) in by(rows(path), "by") {
            let author = format!("author {author}");
            let (weights, _) = fit(pairs, &|pair| {
                pair.set == "written" && pair.source == author
            });
            for row in rows {
                let found = compared(&row, &weights);
                let kinds: [(&str, &[&str]); 2] = [
                    ("contradiction", &["contradiction"]),
                    ("duplicate", &["near-duplicate", "contained"]),
                ];
                for (n, (label, rules)) in kinds.into_iter().enumerate() {
                    let (found, wanted) = (flagged(&found, rules), row["label"] == label);
                    count(&mut scores[n], found, wanted);
                    // A false finding counts wherever it is.
                    if row["overlap"] == "high" || !wanted {
                        count(&mut scores[n + 2], found, wanted);
                    }
                }
            }
        }
        let [contradiction, duplicate, near, alike] = scores;
        self.row(
            "contradiction, `written_dev`, an author left out",
            contradiction,
        );
        self.row("– of those that share half their words", near);
        self.row("duplicate, `written_dev`, an author left out", duplicate);
        self.row("– duplicates that share half their words", alike);
    }

    /// Whole memories of a made-up project, with planted contradictions.
    fn planted(&mut self, folder: &Path, weights: &Weights) {
        let (mut names, mut bodies) = (Vec::new(), Vec::new());
        let files = fs::read_dir(folder.join(".rawko/memories")).unwrap();
        let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        for file in files {
            names.push(file.file_stem().unwrap().to_string_lossy().into_owned());
            let text = fs::read_to_string(file).unwrap();
            bodies.push(text.splitn(3, "---\n").last().unwrap().to_owned());
        }
        let planted: Value =
            serde_json::from_str(&fs::read_to_string(folder.join("planted.json")).unwrap())
                .unwrap();
        let found = Store::of(bodies).lint(&["contradiction"], &Nowhere, weights);
        let about = |finding: &Finding, row: &Value| {
            let own = [&names[finding.memory], &names[finding.related[0]]];
            let row = [text(row, "a"), text(row, "b")];
            own.iter().all(|name| row.contains(name))
        };
        let wanted = planted["contradictions"].as_array().unwrap();
        let mut scores = <[Score; 2]>::default();
        for (n, score) in scores.iter_mut().enumerate() {
            let counts = |finding: &&Finding| n == 1 || finding.severity != Severity::Info;
            let own: Vec<&Finding> = found.iter().filter(counts).collect();
            score.flagged = own.len();
            score.wanted = wanted.len();
            score.right = wanted
                .iter()
                .filter(|row| own.iter().any(|one| about(one, row)))
                .count();
        }
        if self.errors.as_deref() == Some("planted") {
            found
                .iter()
                .for_each(|one| println!("  {} {}\n  {}", one.shown(0), one.shown(1), one.message));
        }
        self.row("contradiction, whole memories of `store`", scores);
    }

    /// Whole files of real stores, of which no two contradict each other, a fourth of the stores
    /// left out at a time; and the lines of the files.
    fn corpus(&mut self, folder: &Path, pairs: &[Pair]) {
        const PARTS: usize = 4;
        let part = |store: &str| store.bytes().map(usize::from).sum::<usize>() % PARTS;
        let (mut counts, mut sizes) = ([[0; 2]; 2], [0; 2]);
        let mut whole = <[Score; 2]>::default();
        for n in 0..PARTS {
            let (weights, _) = fit(pairs, &|pair| {
                pair.set == "corpus" && part(&pair.source) == n
            });
            for store in stores(folder) {
                if part(&store.display().to_string()) != n {
                    continue;
                }
                let mut bodies = Vec::new();
                files(&store, &mut |text| bodies.push(text.to_owned()));
                let wanted = sharing_runs(&bodies);
                let repeats = Store::of(bodies.clone()).lint(&PAIR_RULES[1..], &Nowhere, &weights);
                for (n, score) in whole.iter_mut().enumerate() {
                    let found = repeats.iter();
                    let found = found.filter(|one| n == 1 || one.severity != Severity::Info);
                    let found: BTreeSet<_> = found
                        .flat_map(|one| one.related.iter().map(|other| (one.memory, *other)))
                        .map(|(a, b)| (a.min(b), a.max(b)))
                        .collect();
                    wanted.union(&found).for_each(|pair| {
                        score.count(found.contains(pair), wanted.contains(pair));
                    });
                }
                let lines: BTreeSet<String> = bodies.iter().flat_map(|body| lines(body)).collect();
                for (kind, bodies) in [bodies, lines.into_iter().collect()]
                    .into_iter()
                    .enumerate()
                {
                    sizes[kind] += bodies.len();
                    for finding in Store::of(bodies).lint(&["contradiction"], &Nowhere, &weights) {
                        counts[kind][1] += 1;
                        counts[kind][0] += usize::from(finding.severity != Severity::Info);
                        if self.errors.as_deref() == Some(["files", "lines"][kind]) {
                            println!(
                                "  {} {}\n    {}\n    {}",
                                store.display(),
                                finding.message,
                                finding.shown(0),
                                finding.shown(1)
                            );
                        }
                    }
                }
            }
        }
        self.row(
            "duplicates, whole files that share their runs of words",
            whole,
        );
        for (kind, name) in ["whole files", "lines"].into_iter().enumerate() {
            let [warnings, all] = counts[kind];
            println!("| ({} {name}) | | | | | | | |", sizes[kind]);
            self.none(
                &format!("contradictions among {name} of real stores"),
                warnings,
                all,
            );
        }
    }
}

/// Pairs of texts of which one has .6 of the other's runs of five words, at least 15, without the runs
/// that more than four texts have.
fn sharing_runs(texts: &[String]) -> BTreeSet<(usize, usize)> {
    let mut owners: BTreeMap<Vec<String>, BTreeSet<usize>> = BTreeMap::new();
    for (n, text) in texts.iter().enumerate() {
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        for run in words.windows(5) {
            let run = run.iter().map(|word| (*word).to_owned()).collect();
            owners.entry(run).or_default().insert(n);
        }
    }
    let (mut own, mut shared) = (vec![0; texts.len()], BTreeMap::new());
    for group in owners.values().filter(|group| group.len() <= 4) {
        for a in group {
            own[*a] += 1;
            for b in group.range(a + 1..) {
                *shared.entry((*a, *b)).or_insert(0) += 1;
            }
        }
    }
    let least = |(a, b): (usize, usize)| own[a].min(own[b]);
    shared.retain(|pair, count| *count >= 15 && 10 * *count >= 6 * least(*pair));
    shared.into_keys().collect()
}

/// Rows by the value of a key.
fn by(rows: Vec<Value>, key: &str) -> BTreeMap<String, Vec<Value>> {
    let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in rows {
        all.entry(text(&row, key)).or_default().push(row);
    }
    all
}

/// Stores of files that share a template and differ in what fills it.
fn templates() -> Vec<Vec<String>> {
    const AREAS: [&str; 8] = [
        "ledger",
        "checkout",
        "invoice",
        "ferry",
        "timetable",
        "refund",
        "voucher",
        "mailer",
    ];
    const DONE: [&str; 5] = [
        "split the parser",
        "moved the cache",
        "renamed the schema",
        "closed the socket",
        "pinned the driver",
    ];
    let skill = |n: usize| {
        let (area, done) = (AREAS[n % 8], DONE[n * 3 % 5]);
        format!(
            "# {area} {n}\n\n## Result\n\nIn the {area} we {done} once and for all.\n\n---\n\n\
             **Atomicity**: {}% | **Impact**: {}/10\n**Status**: {}\n**Confidence:** {}\n\n\
             Reviewed {} times by the team of the {area}; last edited in week {}.\n",
            70 + n % 30,
            n % 10 + 1,
            ["open", "done", "blocked"][n % 3],
            ["high", "low"][n % 2],
            n % 9,
            n % 52,
        )
    };
    let log = |n: usize| {
        format!(
            "Session {n}\n\n- Duration: {} min\n- Tests passed: {} of {}\n- Branch: feature/{}-{n}\n- Next step: {}\n\n\
             | metric | value |\n|---|---|\n| coverage | {}% |\n| files changed | {} |\n",
            n % 90 + 5,
            100 + n,
            120 + n,
            AREAS[n % 8],
            DONE[n % 5],
            50 + n % 40,
            n % 23,
        )
    };
    let stores = [skill as fn(usize) -> String, log].into_iter();
    stores
        .flat_map(|one| [3, 12, 150].map(|count| (0..count).map(one).collect()))
        .collect()
}

/// The repository's own set: regression tests rather than measures, for the models are fitted on it.
impl Gate {
    fn labelled_pairs(&mut self, path: &Path, (set, name): (&str, &str)) {
        let mut scores = [<[Score; 2]>::default(); 2];
        for row in rows(path).into_iter().filter(|row| text(row, "set") == set) {
            let found = compared(&row, Weights::bundled());
            let kinds: [(&[&str], &[&str]); 2] = [
                (&["contradiction"], &["contradiction"]),
                (
                    &["duplicate", "contained"],
                    &["near-duplicate", "contained"],
                ),
            ];
            for (scores, (labels, rules)) in scores.iter_mut().zip(kinds) {
                let (found, wanted) = (
                    flagged(&found, rules),
                    labels.contains(&&*text(&row, "label")),
                );
                count(scores, found, wanted);
                if found[0] != wanted {
                    self.error("labelled", &format!("{rules:?}: {found:?}"), &row);
                }
            }
        }
        let [contradictions, duplicates] = scores;
        self.row(&format!("contradiction, {name}"), contradictions);
        self.row(&format!("duplicate, {name}"), duplicates);
    }

    fn labelled_statements(&mut self, path: &Path) {
        let bodies: Vec<String> = rows(path).iter().map(|row| text(row, "text")).collect();
        let found = Store::of(bodies).lint(&PAIR_RULES, &Nowhere, Weights::bundled());
        let warnings = found
            .iter()
            .filter(|one| one.severity != Severity::Info)
            .count();
        self.none(
            "findings among independent statements",
            warnings,
            found.len(),
        );
    }

    fn labelled_templates(&mut self) {
        let found = templates().into_iter().flat_map(|bodies| {
            Store::of(bodies).lint(&["contradiction"], &Nowhere, Weights::bundled())
        });
        let found: Vec<Finding> = found.collect();
        if self.errors.as_deref() == Some("templates") {
            found
                .iter()
                .for_each(|one| println!("  {} {}", one.shown(0), one.shown(1)));
        }
        let warnings = found
            .iter()
            .filter(|one| one.severity != Severity::Info)
            .count();
        self.none(
            "contradictions among files of one template",
            warnings,
            found.len(),
        );
    }

    fn labelled_notes(&mut self, path: &Path) {
        const RULES: [&str; 5] = [
            "failure-log",
            "secret",
            "reader-instruction",
            "exfiltration-link",
            "personal-path",
        ];
        let mut scores = [<[Score; 2]>::default(); 5];
        let mut echoed = 0;
        for row in rows(path) {
            let (body, secrets) = expand(&text(&row, "text"));
            let found = Store::of(vec![body]).lint(&RULES, &Nowhere, Weights::bundled());
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
            for (rule, score) in RULES.iter().zip(&mut scores) {
                // What is less sure than a coin is a question, not a claim.
                let flagged = found
                    .iter()
                    .any(|finding| finding.rule == *rule && finding.confidence >= 0.5);
                let wanted = row["label"] == *rule;
                count(score, [flagged; 2], wanted);
                if flagged != wanted && self.errors.as_deref() == Some("labelled") {
                    println!("  {rule}: {flagged}\n    {}", row["text"]);
                }
            }
        }
        for (rule, score) in RULES.iter().zip(scores) {
            self.row(&format!("{rule}, labelled notes"), score);
        }
        self.none("secrets of them shown in full", echoed, echoed);
    }

    /// Entries of real Ralph stores: those that begin with `failure:` are logs; few others are.
    fn ralph(&mut self, path: &Path) {
        let mut score = <[Score; 2]>::default();
        files(&path.join("ralph"), &mut |text| {
            for entry in text.split("### mem-").skip(1) {
                let body = entry.split_once('\n').map_or("", |(_, body)| body);
                let body = body.split("\n## ").next().unwrap_or_default();
                let found = Store::of(vec![body.to_owned()]).lint(
                    &["failure-log"],
                    &Nowhere,
                    Weights::bundled(),
                );
                let wanted = body
                    .trim_start_matches(['>', ' ', '\n'])
                    .starts_with("failure:");
                count(&mut score, [!found.is_empty(); 2], wanted);
                if found.is_empty() == wanted && self.errors.as_deref() == Some("ralph") {
                    println!("  {wanted}: {body}");
                }
            }
        });
        self.row("failure-log, entries of real Ralph stores", score);
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

fn main() -> ExitCode {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/labelled");
    let floors = fs::read_to_string(own.join("floors.toml")).unwrap();
    let mut gate = Gate {
        floors: toml::from_str(&floors).unwrap(),
        below: Vec::new(),
        errors: argument("--errors"),
    };
    println!(
        "| what | P of warnings | R | warnings | P with suggestions | R | all | wanted |\n|---|---|---|---|---|---|---|---|"
    );
    for set in SETS {
        gate.labelled_pairs(&own.join("pairs.jsonl"), set);
    }
    gate.labelled_statements(&own.join("statements.jsonl"));
    gate.labelled_templates();
    gate.labelled_notes(&own.join("notes.jsonl"));
    let (folder, corpus) = (argument("--bench-dir"), argument("--corpus"));
    if let Some(folder) = folder.map(PathBuf::from) {
        let mut pairs = fitting::own(&own);
        pairs.extend(fitting::public(&folder));
        if let Some(corpus) = corpus.as_ref().map(Path::new) {
            pairs.extend(fitting::corpus(corpus));
            gate.corpus(corpus, &pairs);
            gate.ralph(corpus);
        }
        let sets = folder.join("contradiction");
        gate.notes(&sets.join("note_revisions.jsonl"), &pairs);
        gate.written(&sets.join("written_dev.jsonl"), &pairs);
        let (weights, _) = fit(&pairs, &|_| false);
        gate.planted(&folder.join("store"), &weights);
        for name in [
            "vitaminc_revisions",
            "fever_symmetric_dev",
            "statebench_dev",
        ] {
            gate.others(&sets.join(format!("{name}.jsonl")), name, &weights);
        }
        ranking::print(&folder.join("retrieval"), gate.errors.as_deref());
    }
    if let Some(root) = argument("--repo").map(PathBuf::from) {
        commits::print(&root);
    }
    gate.below
        .iter()
        .for_each(|below| eprintln!("below its floor: {below}"));
    ExitCode::from(u8::from(!gate.below.is_empty()))
}
