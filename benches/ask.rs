//! How many planted pairs a model gets to see: `cargo bench --bench ask -- FOLDER`, where FOLDER is
//! a project with a store, and `planted.json` with `contradictions` and `duplicates`, each a list of
//! `{a, b}` by the memories' names.
//!
//! A pair is seen where both memories stand in one request. No pair is looked at to cut the groups.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench that cannot go on fails"
)]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use memkeep::agent::ask::{Plan, Sources};
use memkeep::lint::decisions::Decisions;
use memkeep::memory::Timestamp;
use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use serde_json::Value;

/// Budgets, each with the least part of the pairs that has to meet.
const BUDGETS: [(usize, f64); 4] = [(24_000, 1.0), (12_000, 0.0), (6_000, 0.9), (3_000, 0.0)];

/// How often the tokens of the store may be sent.
const TIMES: f64 = 3.0;

fn main() {
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let Some(folder) = folder else {
        println!("cargo bench --bench ask -- FOLDER");
        return;
    };
    let folder = fs::canonicalize(folder).unwrap();
    let planted = fs::read_to_string(folder.join("planted.json")).unwrap();
    let planted: Value = serde_json::from_str(&planted).unwrap();
    let pairs: Vec<(&str, [&str; 2])> = ["contradictions", "duplicates"]
        .into_iter()
        .flat_map(|kind| {
            let all = planted[kind].as_array().unwrap().iter();
            all.map(move |pair| (kind, [name(&pair["a"]), name(&pair["b"])]))
        })
        .collect();
    let state = tempfile::tempdir().unwrap();
    let search = Search {
        root: Some(folder.clone()),
        start: folder,
        ..Search::default()
    };
    let collection = Collection::open(&search, state.path()).unwrap();
    let memories = Arc::new(collection.load(&[], &mut |_| true).memories);
    let store: usize = memories.iter().map(|memory| memory.tokens as usize).sum();
    println!(
        "{} memories, {store} tokens of text, {} pairs",
        memories.len(),
        pairs.len()
    );
    let sources = Sources {
        previews: memkeep::workspace::preview::PREVIEWS,
        memories: &memories,
        texts: &collection,
        decisions: &Decisions::default(),
        context: &[],
        suspected: &[],
        now: Timestamp(1_800_000_000_000),
    };
    let mut fails = false;
    for (budget, least) in BUDGETS {
        let plan = Plan::new(&sources, "bench", budget);
        let meets = |pair: &[&str; 2]| {
            plan.requests.iter().any(|request| {
                let notes = request.notes.iter();
                let names: Vec<&str> = notes
                    .map(|note| &*plan.notes[*note].memory.id.local)
                    .map(|local| Path::new(local).file_name().unwrap().to_str().unwrap())
                    .collect();
                pair.iter().all(|name| names.contains(name))
            })
        };
        let met = pairs.iter().filter(|(_, pair)| meets(pair)).count();
        let part = met as f64 / pairs.len() as f64;
        let times = plan.tokens() as f64 / store as f64;
        let largest = plan
            .requests
            .iter()
            .map(|one| one.tokens())
            .max()
            .unwrap_or_default();
        println!(
            "{budget:>6} tokens a request: {met} of {} pairs meet ({part:.2}), {} requests, \
             {} tokens ({times:.2} times the store), the largest {largest}",
            pairs.len(),
            plan.requests.len(),
            plan.tokens(),
        );
        for (kind, pair) in pairs.iter().filter(|(_, pair)| !meets(pair)) {
            println!("         {kind}: {} and {} do not meet", pair[0], pair[1]);
        }
        fails |= part < least || (least > 0.0 && times > TIMES) || largest > budget;
    }
    std::process::exit(i32::from(fails));
}

fn name(value: &Value) -> &str {
    value.as_str().unwrap()
}
