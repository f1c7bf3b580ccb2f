//! Fits the models that compare statements and writes `assets/lint/pairs.toml`:
//! `cargo bench --bench fit_pairs -- [--bench-dir PATH] [--corpus PATH] [--dry-run]`.
//!
//! It reads the repository's own pairs, the labelled pairs of the bench folder, and like statements
//! of the stores of a corpus, which count as no contradictions.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

#[path = "support/fitting.rs"]
mod fitting;
#[path = "support/rows.rs"]
mod rows;
#[path = "support/texts.rs"]
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fitting::{Label, Pair};
use memkeep::text::compare::{Levels, Model, NAMES, Sentence, Weights, compare};
use texts::argument;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pairs = fitting::own(&root.join("benches/labelled"));
    if let Some(folder) = argument("--bench-dir").map(PathBuf::from) {
        pairs.extend(fitting::public(&folder));
    }
    if let Some(folder) = argument("--corpus").map(PathBuf::from) {
        pairs.extend(fitting::corpus(&folder));
    }
    left_out(&pairs);
    let (weights, common) = fitting::fit(&pairs, &|_| false);
    let text = format!(
        "# Models that compare two statements. Written by `cargo bench --bench fit_pairs`; each feature has its\n\
         # mean, its scale and its weight.\n\n{}",
        written(&weights, common)
    );
    println!("fitted on {} pairs", pairs.len());
    if !std::env::args().any(|arg| arg == "--dry-run") {
        fs::write(root.join("assets/lint/pairs.toml"), text).unwrap();
    } else {
        print!("{text}");
    }
}

/// `assets/lint/pairs.toml` but for its comment.
#[derive(serde::Serialize)]
struct File {
    levels: Levels,
    same: BTreeMap<&'static str, [f64; 3]>,
    contradiction: BTreeMap<&'static str, [f64; 3]>,
    opposed: BTreeMap<&'static str, [f64; 3]>,
    common: BTreeMap<String, f64>,
}

/// The text of these weights, with the stems of their common words.
fn written(weights: &Weights, common: BTreeMap<String, f64>) -> String {
    let terms = |model: &Model| {
        let terms = NAMES.into_iter().zip(model.terms);
        terms.chain([("bias", [0.0, 1.0, model.bias])]).collect()
    };
    let file = File {
        levels: weights.levels,
        same: terms(&weights.same),
        contradiction: terms(&weights.contradiction),
        opposed: terms(&weights.opposed),
        common,
    };
    toml::to_string(&file).unwrap()
}

/// Prints how right the models are on each set, each source of it left out in turn.
fn left_out(pairs: &[Pair]) {
    println!(
        "| set, each source left out | `same` P | R | `contradiction` P | R | pairs of the set |\n|---|---|---|---|---|---|"
    );
    let sets: BTreeSet<&str> = pairs.iter().map(|pair| pair.set).collect();
    for set in sets {
        // Flagged, right and wanted, of each model.
        let mut counts = [[0_usize; 3]; 2];
        let own = || pairs.iter().filter(|pair| pair.set == set);
        let sources: BTreeSet<&str> = own().map(|pair| &*pair.source).collect();
        for source in sources {
            let (weights, _) =
                fitting::fit(pairs, &|pair| pair.set == set && pair.source == source);
            for pair in own().filter(|pair| pair.source == source) {
                let (a, b) = (
                    Sentence::new(&pair.a, &weights),
                    Sentence::new(&pair.b, &weights),
                );
                let found = compare(&a, &b, &weights);
                let flagged = found.map_or([false; 2], |found| {
                    [weights.are_same(&found), weights.warns(&found, 1)]
                });
                let wanted = [
                    pair.label != Label::Apart,
                    pair.label == Label::Contradiction,
                ];
                for (counts, (flagged, wanted)) in
                    counts.iter_mut().zip(flagged.into_iter().zip(wanted))
                {
                    counts[0] += usize::from(flagged);
                    counts[1] += usize::from(flagged && wanted);
                    counts[2] += usize::from(wanted);
                }
            }
        }
        let ratio = |right: usize, of: usize| right as f64 / of.max(1) as f64;
        let [same, contradiction] = counts.map(|[flagged, right, wanted]| {
            format!("{:.3} | {:.3}", ratio(right, flagged), ratio(right, wanted))
        });
        println!("| {set} | {same} | {contradiction} | {} |", own().count());
    }
}
