//! Runs the rows of every `tests/lint/*.toml` that has a `[[case]]`: examples of what a rule finds,
//! and counter-examples in which it finds nothing.
//!
//! A case names one rule and a repository; each row is a memory, or several. `{random:24}` in a text
//! stands for 24 characters that look random, so that no file holds anything like a real token.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Deserialize;

use super::fresh::{Fake, taken};
use super::*;
use crate::lint::repository::Was;
use crate::memory::edit::FieldEdit;

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    case: Vec<Case>,
}

/// A rule and the repository around its memories.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    rule: String,
    /// Paths that are gone, each with its new path or an empty text.
    #[serde(default)]
    gone: BTreeMap<String, String>,
    /// Files that exist.
    #[serde(default)]
    files: Vec<String>,
    /// Manifests by their path.
    #[serde(default)]
    manifests: BTreeMap<String, String>,
    /// Names that left the code, each with whether the code defined it.
    #[serde(default)]
    names: BTreeMap<String, bool>,
    /// Bodies in which the rule finds something.
    #[serde(default)]
    found: Vec<String>,
    /// Bodies in which the rule has a warning or an error.
    #[serde(default)]
    warned: Vec<String>,
    /// Bodies in which the rule has suggestions only.
    #[serde(default)]
    suggested: Vec<String>,
    /// Bodies in which the rule finds nothing.
    #[serde(default)]
    clean: Vec<String>,
    #[serde(default)]
    row: Vec<Row>,
}

/// One memory, or several, and what the rule finds in it.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Row {
    #[serde(default)]
    body: String,
    /// Frontmatter lines in addition to those that every memory needs.
    #[serde(default)]
    front: String,
    /// The whole file, in place of body and frontmatter.
    text: Option<String>,
    /// Bodies by the name of their memory, in place of `body`; one that begins with a frontmatter
    /// fence is a whole file.
    #[serde(default)]
    memories: BTreeMap<String, String>,
    /// Every finding: `severity message`, after `name: ` in a row of several memories.
    #[serde(default)]
    finds: Vec<String>,
    /// The texts that the findings cover; enough alone where messages do not matter.
    at: Option<Vec<String>>,
    /// What the fixes make of the body, or of the whole text.
    fixed: Option<String>,
}

fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn project_of(case: &Case) -> Fake {
    let gone: Vec<(&str, Option<&str>)> = case
        .gone
        .iter()
        .map(|(path, to)| (path.as_str(), Some(to.as_str()).filter(|to| !to.is_empty())))
        .collect();
    let moved = gone.iter().filter_map(|(_, to)| *to);
    let files = case.files.iter().chain(case.manifests.keys());
    let files: Vec<&str> = files.map(String::as_str).chain(moved).collect();
    let was = |defined| Was {
        path: "src/holds.ts".to_owned(),
        defined,
        ..Was::default()
    };
    let manifests = case.manifests.iter();
    let names = case.names.iter();
    Fake {
        files: manifests
            .map(|(path, text)| (leaked(path), leaked(text)))
            .collect(),
        history: taken(&gone, &files).with_remotes(&["git@github.com:acme/tide.git".to_owned()]),
        gone: names
            .map(|(name, defined)| (name.clone(), was(*defined)))
            .collect(),
        ..Fake::default()
    }
}

/// So many characters of an alphabet that look random, the same in every run.
fn random(length: usize, alphabet: &str) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap()
    };
    let letters = (0..length).map(|_| letters[next() % letters.len()]);
    letters.collect()
}

/// A text with its placeholders filled: `{random:24}`, `{hex:32}`, `{base32:16}`.
pub(crate) fn filled(text: &str) -> String {
    static PLACEHOLDER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{(random|hex|base32):([0-9]+)\}").unwrap());
    let fill = |captures: &Captures<'_>| {
        let alphabet = match &captures[1] {
            "hex" => "0123456789abcdef",
            "base32" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            _ => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        };
        random(captures[2].parse().unwrap(), alphabet)
    };
    PLACEHOLDER.replace_all(text, fill).into_owned()
}

/// What a rule makes of the memories of a row, in the form of the row.
fn outcome(project: &Fake, rule: &str, row: &Row) -> Row {
    let text = |name: &str, body: &str| match body.starts_with("---\n") {
        true => memory(name).text(&filled(body)),
        false => memory(name).front(&row.front, &filled(body)),
    };
    let samples: Vec<Sample> = match (&row.text, row.memories.is_empty()) {
        (Some(whole), _) => vec![memory("a").text(&filled(whole))],
        (None, true) => vec![memory("a").front(&row.front, &filled(&row.body))],
        (None, false) => row.memories.iter().map(|(n, body)| text(n, body)).collect(),
    };
    let texts: Vec<String> = samples.iter().map(|one| one.text.clone()).collect();
    let store = Store::new(samples);
    let cx = Context {
        project,
        ..store.cx()
    };
    let findings = digest(&cx, &Selection::of(&[rule]).unwrap(), usize::MAX).findings;
    let one = |one: &Finding| {
        let name = match row.memories.is_empty() {
            true => String::new(),
            false => format!("{}: ", store.memories[one.memory].id.local),
        };
        format!("{name}{} {}", one.severity.word(), one.message)
    };
    let covered = |one: &Finding| {
        let place = one.place.clone().unwrap_or_default();
        texts[one.memory][place].to_owned()
    };
    let edits = |one: &Finding| match &one.fix.as_ref()?.change {
        Change::Edit { edits, .. } => edits.iter().find_map(|edit| match edit {
            FieldEdit::Body(text) | FieldEdit::Text(text) => Some(text.clone()),
            _ => None,
        }),
        _ => None,
    };
    Row {
        finds: findings.iter().map(one).collect(),
        at: Some(findings.iter().map(covered).collect()),
        fixed: findings.iter().find_map(edits),
        ..Row::default()
    }
}

/// What is wrong with the outcome of a row.
fn wrong(row: &Row, outcome: &Row) -> Option<String> {
    let fill = |texts: &[String]| texts.iter().map(|text| filled(text)).collect::<Vec<_>>();
    let places = row.at.as_ref().map(|at| fill(at));
    // Places alone may stand for the findings.
    let finds = places.is_some() && row.finds.is_empty() || fill(&row.finds) == outcome.finds;
    let right = finds
        && (places.is_none() || places == outcome.at)
        && row.fixed.as_deref().map(filled) == outcome.fixed;
    let given = (&row.body, &row.text, &row.memories, &row.front);
    let got = (&outcome.finds, &outcome.at, &outcome.fixed);
    (!right).then(|| format!("{given:?}\n   finds {got:?}"))
}

#[test]
fn rules_find_the_examples_and_leave_the_counter_examples_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint");
    let mut wrongs = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let table: Table = toml::from_str(&text).unwrap();
        for case in &table.case {
            let project = project_of(case);
            let wrongs_before = wrongs.len();
            let check = |row: &Row| wrong(row, &outcome(&project, &case.rule, row));
            wrongs.extend(case.row.iter().filter_map(check));
            let is_info = |find: &String| find.starts_with("info ");
            type Expected<'a> = (&'a [String], &'a dyn Fn(&[String]) -> bool);
            let lists: [Expected<'_>; 4] = [
                (&case.found, &|finds| !finds.is_empty()),
                (&case.warned, &|finds| !finds.iter().all(is_info)),
                (&case.suggested, &|finds| {
                    !finds.is_empty() && finds.iter().all(is_info)
                }),
                (&case.clean, &<[String]>::is_empty),
            ];
            for (bodies, is_right) in lists {
                for body in bodies.iter().cloned() {
                    let row = Row {
                        body,
                        ..Row::default()
                    };
                    let finds = outcome(&project, &case.rule, &row).finds;
                    if !is_right(&finds) {
                        wrongs.push(format!("{:?}\n   finds {finds:?}", row.body));
                    }
                }
            }
            for wrong in wrongs.iter_mut().skip(wrongs_before) {
                *wrong = format!("{}: {wrong}", case.rule);
            }
        }
    }
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}
