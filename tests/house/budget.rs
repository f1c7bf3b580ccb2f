//! What the code costs to read, with limits that only fall: lines, circles of files, sentences that
//! are riddles, file names that stand in many folders.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;

use super::source::{Source, all};

/// Lines of Rust below each folder of `src`, inline tests and comments in; at most.
const LINES: &[(&str, usize)] = &[
    ("store", 16_650),
    ("lint", 12_440),
    ("app", 10_970),
    ("memory", 8_760),
    ("retrieval", 7_030),
    ("systems", 9_610),
    ("ui", 7_150),
    ("cli", 11_030),
    ("curate", 4_790),
    ("project", 3_070),
    ("search", 2_560),
    ("workspace", 3_150),
    ("text", 2_340),
    ("run", 2_010),
    ("agent", 2_950),
    ("term", 1_030),
    ("config", 920),
    ("extract", 2_670),
    ("lib", 60),
    ("main", 20),
];
/// Circles of files that import each other, and the files of the largest one.
const CIRCLES: (usize, usize) = (0, 0);
/// Sentences of docs in percent that open with a question word; of a folder with at least 20.
const RIDDLES: usize = 5;
/// Folders that have a file of the same name.
const SAME_NAME: usize = 3;

/// The path of a file as its modules: `src/app/act.rs` is `app`, `act`.
fn module(source: &Source) -> Vec<String> {
    let path = source.name.trim_start_matches("src/");
    let path = path.trim_end_matches(".rs");
    path.split('/').map(str::to_owned).collect()
}

/// The files that each file names, parents left out: naming them is what `super` is for.
fn imports(sources: &[Source]) -> Vec<Vec<usize>> {
    let modules: Vec<Vec<String>> = sources.iter().map(module).collect();
    let at: HashMap<&[String], usize> = (0..)
        .zip(&modules)
        .map(|(at, module)| (&**module, at))
        .collect();
    let named = |from: usize, path: &str| -> Option<usize> {
        let mut parts: Vec<&str> = path.split("::").collect();
        let own = &modules[from];
        let mut whole: Vec<String> = match *parts.first()? {
            "crate" => Vec::new(),
            "self" | "super" => own.clone(),
            _ => return None,
        };
        let is_step = |part: &&str| matches!(*part, "crate" | "self" | "super");
        let steps = parts.iter().take_while(|part| is_step(part)).count();
        let up = parts.drain(..steps).filter(|part| *part == "super").count();
        whole.truncate(whole.len().checked_sub(up)?);
        whole.extend(parts.into_iter().map(str::to_owned));
        let to = (1..=whole.len()).rev().find_map(|n| at.get(&whole[..n]))?;
        let is_parent = own.starts_with(&modules[*to]);
        (!is_parent).then_some(*to)
    };
    let sources = (0..).zip(sources);
    let all = sources.map(|(from, source)| {
        let paths = source.paths().into_iter();
        let found: HashSet<usize> = paths.filter_map(|(_, path)| named(from, &path)).collect();
        found.into_iter().collect()
    });
    all.collect()
}

/// The sets of two files or more that reach each other, the largest first.
fn circles(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let reach = |graph: &[Vec<usize>], from: usize| -> HashSet<usize> {
        let (mut seen, mut open) = (HashSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            open.extend(graph[at].iter().filter(|to| seen.insert(**to)));
        }
        seen
    };
    let mut back = vec![Vec::new(); graph.len()];
    for (from, to) in graph.iter().enumerate() {
        to.iter().for_each(|to| back[*to].push(from));
    }
    let mut done = HashSet::new();
    let mut found = Vec::new();
    for from in 0..graph.len() {
        if done.contains(&from) {
            continue;
        }
        let (to, of) = (reach(graph, from), reach(&back, from));
        let circle: Vec<usize> = to.intersection(&of).copied().collect();
        done.extend(circle.iter().copied());
        found.extend((circle.len() > 1).then_some(circle));
    }
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

#[test]
fn folders_keep_within_their_lines() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for source in all() {
        *lines.entry(source.module.clone()).or_default() += source.whole().count();
    }
    let total: usize = lines.values().sum();
    let mut found = Vec::new();
    for (folder, have) in &lines {
        let limit = LINES.iter().find(|(name, _)| name == folder);
        let limit = limit.map_or(0, |(_, limit)| *limit);
        if *have > limit {
            found.push(format!("src/{folder}: {have} lines, at most {limit}"));
        }
    }
    println!("src: {total} lines");
    super::none("folders have fewer lines than their limits", &found);
}

#[test]
fn files_import_each_other_in_few_circles() {
    let sources = all();
    let found = circles(&imports(&sources));
    let largest = found.first().map_or(0, Vec::len);
    let name = |at: &usize| sources[*at].name.clone();
    let names: Vec<Vec<String>> = found
        .iter()
        .map(|all| all.iter().map(name).collect())
        .collect();
    println!("{} circles, the largest of {largest} files", found.len());
    assert!(
        found.len() <= CIRCLES.0 && largest <= CIRCLES.1,
        "{} circles of at most {}, the largest of {largest} files of at most {}: {names:#?}",
        found.len(),
        CIRCLES.0,
        CIRCLES.1
    );
}

#[test]
fn docs_say_what_is_and_ask_nothing() {
    let open = regex::Regex::new("^(What|Whose|Whether|Where|How many|How much|That) [a-z]");
    let (open, mut counts) = (open.unwrap(), BTreeMap::<String, (usize, usize)>::new());
    for source in all() {
        let text = fs::read_to_string(&source.name).unwrap();
        let mut doc = String::new();
        for line in text.lines().chain([""]) {
            let line = line.trim();
            if let Some(remark) = line.strip_prefix("///").or(line.strip_prefix("//!")) {
                doc.push_str(remark);
                continue;
            }
            let sentences = doc.split(". ").map(str::trim);
            let count = counts.entry(source.module.clone()).or_default();
            for sentence in sentences.filter(|sentence| sentence.len() > 12) {
                count.0 += 1;
                count.1 += usize::from(open.is_match(sentence));
            }
            doc.clear();
        }
    }
    let mut found = Vec::new();
    for (folder, (sentences, riddles)) in counts {
        let share = 100 * riddles / sentences.max(1);
        println!("src/{folder}: {riddles} of {sentences} sentences, {share} %");
        if sentences >= 20 && share > RIDDLES {
            found.push(format!("src/{folder}: {share} %, at most {RIDDLES}"));
        }
    }
    super::none("sentences that open with a question word", &found);
}

#[test]
fn file_names_stand_in_few_folders() {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for source in all().iter().filter(|source| !source.is_test()) {
        let name = source.name.rsplit('/').next().unwrap_or_default();
        *names.entry(name.to_owned()).or_default() += 1;
    }
    let most = names.iter().max_by_key(|(_, count)| **count);
    println!("{most:?}");
    let many = names.iter().filter(|(_, count)| **count > SAME_NAME);
    let found: Vec<String> = many
        .map(|(name, count)| format!("{name}: {count} folders, at most {SAME_NAME}"))
        .collect();
    super::none("files of one name", &found);
}

#[test]
fn circles_are_found() {
    let graph = [vec![1], vec![2], vec![0, 3], vec![4], vec![]];
    let found = circles(&graph);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].len(), 3);
}

/// Keys become actions once: the pure rooms name a key code in the keymap's own file and in the
/// text editor alone.
#[test]
fn key_codes_stay_in_two_files() {
    const FILES: &[&str] = &["src/app/key.rs", "src/app/text.rs"];
    let rooms = all().into_iter();
    let rooms = rooms.filter(|source| ["app", "ui"].contains(&&*source.module));
    let others = rooms.filter(|source| !FILES.contains(&&*source.name));
    let names = |source: &Source| source.whole().any(|(_, line)| line.contains("KeyCode"));
    let found: Vec<String> = others.filter(names).map(|source| source.name).collect();
    super::none("key codes elsewhere", &found);
}
