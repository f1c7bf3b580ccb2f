//! `stale-version`: versions beside a name, where the manifests require another major version of it.
//! Manifests are read by the patterns of `assets/lint/manifests.toml`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use itertools::Itertools as _;
use regex::{Captures, Match, Regex};
use serde::Deserialize;

use super::chars::quote;
use super::repository::{Project, own_files};
use super::{Finding, Rule, Subject};
use crate::text::mentions::last;
use crate::text::patterns::compact;

/// Manifests that are read, and findings in one memory.
const MOST_MANIFESTS: usize = 200;
const MOST: usize = 20;

const COMMENTS: [&str; 4] = ["//", "#", "/*", "*"];

/// `assets/lint/manifests.toml` as it is written.
#[derive(Default, Deserialize)]
struct Table {
    mention: String,
    manifest: Vec<Manifest>,
    names: HashMap<String, Vec<String>>,
    kinds: HashMap<String, Vec<String>>,
}

/// The files of one kind, and each pattern of a requirement with what it is about if it is fixed.
#[derive(Deserialize)]
struct Manifest {
    files: Vec<String>,
    patterns: Vec<Vec<String>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    toml::from_str(include_str!("../../assets/lint/manifests.toml")).unwrap_or_default()
});

static MENTION: LazyLock<Option<Regex>> = LazyLock::new(|| compact(&TABLE.mention));

fn is_of_kind(kind: &str, name: &str) -> bool {
    let mut all = TABLE.kinds.get(kind).into_iter().flatten();
    all.any(|one| one == name)
}

/// The form in which names are compared.
fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace(['_', ' '], "-")
}

/// The names that manifests use for a thing, the likeliest first.
fn names(name: &str) -> Vec<String> {
    let known = TABLE.names.get(&name.to_lowercase()).cloned();
    known.unwrap_or_else(|| vec![folded(name), folded(name.trim_end_matches(".js"))])
}

struct Required {
    /// The [`folded`] name.
    name: String,
    /// As it is written; `>=` stands before one that later versions fit too.
    version: String,
    path: String,
}

fn requirements(path: &str, text: &str) -> Vec<Required> {
    let is_comment = |line: &&str| COMMENTS.iter().any(|mark| line.starts_with(mark));
    let lines = text.lines().map(str::trim_start);
    let text = lines.filter(|line| !is_comment(line)).join("\n");
    let is_own = |one: &&Manifest| one.files.iter().any(|file| file == last(path));
    let own = TABLE.manifest.iter().filter(is_own);
    let mut all = Vec::new();
    for row in own.flat_map(|one| &one.patterns) {
        let [pattern, fixed, open] = [0, 1, 2].map(|n| row.get(n).map_or("", String::as_str));
        let pattern = Regex::new(pattern).ok();
        let found = pattern.iter().flat_map(|one| one.captures_iter(&text));
        all.extend(found.filter_map(|found| {
            let (version, name) = (found.name("version")?, found.name("name"));
            let name = name.map_or(fixed, |name| name.as_str());
            let known = TABLE.names.get(name).and_then(|names| names.first());
            let name = folded(known.map_or(name, String::as_str));
            let is_name = !is_of_kind("keys", &name) && major(version.as_str()).is_some();
            is_name.then(|| Required {
                name,
                version: format!("{open}{}", version.as_str().trim()),
                path: path.to_owned(),
            })
        }));
    }
    all
}

fn read(project: &dyn Project) -> BTreeMap<String, Vec<Required>> {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let paths = own_files(project, &files().collect::<Vec<_>>()).into_iter();
    for path in paths.take(MOST_MANIFESTS) {
        for one in requirements(&path, &project.read(&path).unwrap_or_default()) {
            all.entry(one.name.clone()).or_default().push(one);
        }
    }
    all
}

pub(super) fn files() -> impl Iterator<Item = &'static str> {
    let all = TABLE.manifest.iter().flat_map(|one| &one.files);
    all.map(String::as_str)
}

pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let manifests = subject.facts.of(|| read(subject.cx.project));
    let pattern = MENTION.iter().filter(|_| !manifests.is_empty());
    let mentions = pattern.flat_map(|one| one.captures_iter(subject.body().1));
    let found = mentions.filter_map(|one| finding((rule, subject), manifests, &one));
    out.extend(found.take(MOST));
}

fn finding(
    (rule, subject): (&Rule, &Subject<'_>),
    manifests: &BTreeMap<String, Vec<Required>>,
    found: &Captures<'_>,
) -> Option<Finding> {
    let ((_, body), cues) = (subject.body(), subject.cues());
    let (name, version) = (found.name("name")?, found.name("version")?);
    let first = found.name("first").unwrap_or(name).start();
    let sign = body.get(name.end()..version.start())?;
    let written = [body.get(first..name.end())?, name.as_str()];
    let required = |name: &str| names(name).iter().find_map(|name| manifests.get(name));
    let mut written = written.into_iter();
    let (name, required) = written.find_map(|name| Some((name, required(name)?)))?;
    let goes_on = found.name("behind").is_some() || cues.outline().is_fenced(version.start());
    let is_open = found.name("newer").is_some() || sign.contains('>');
    let fits = |one: &Required| has_major(&one.version, version.as_str(), is_open);
    let is_stale = is_claim(body, name, version) && !required.iter().any(fits);
    if goes_on || !is_stale || cues.at(&version.range()).is_some() {
        return None;
    }
    let place = subject.in_body(&version.range());
    let finding = subject.finding(rule.id, rule.severity, place);
    let (name, version) = (quote(name), quote(version.as_str()));
    let has = |one: &Required| format!("{} has {}", quote(&one.path), quote(&one.version));
    let mut all = required.iter().map(has).take(5);
    let first = all.next().unwrap_or_default();
    let says = format!("{name} is at {version} here, {first}");
    Some(finding.sure(0.7).says(says).because_of(all))
}

/// True if a number behind a name is a version that the memory goes by. A whole number may count
/// anything, so its name has to be written as a name, or be a runtime, or `v` stands before it.
fn is_claim(body: &str, name: &str, version: Match<'_>) -> bool {
    let before = body.get(..version.start()).unwrap_or_default();
    let behind = body.get(version.end()..).unwrap_or_default();
    let (above, _) = before.rsplit_once(name).unwrap_or_default();
    let since = above.split_whitespace().next_back().unwrap_or_default();
    let counted = behind.split(|c: char| !c.is_alphabetic()).nth(1);
    let (since, version) = (since.to_lowercase(), version.as_str());
    let is_bound = is_of_kind("bounds", &since);
    if is_bound || version.contains('.') {
        return !is_bound;
    }
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase()) || before.ends_with('v');
    let is_name = is_name || names(name).iter().any(|name| is_of_kind("runtimes", name));
    let is_count = version.len() > 2 || version == "0";
    let is_count = is_count || counted.is_some_and(|word| is_of_kind("counted", word));
    is_name && !is_count
}

/// The numbers of a version up to the first that is not 0: below 1.0 the minor one counts.
fn major(text: &str) -> Option<Vec<u64>> {
    let text = text.get(text.find(|c: char| c.is_ascii_digit())?..)?;
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let numbers = text.get(..end.unwrap_or(text.len()))?.split('.');
    let mut numbers: Vec<u64> = numbers.map_while(|one| one.parse().ok()).collect();
    let first = numbers.iter().position(|number| *number != 0).unwrap_or(0);
    numbers.truncate(first + 1);
    (!numbers.is_empty()).then_some(numbers)
}

/// True if a requirement has the major version of a mention, or one is open to later ones.
fn has_major(required: &str, mention: &str, or_newer: bool) -> bool {
    let Some(own) = major(mention) else {
        return true;
    };
    let is_open = required.contains('>');
    let mut parts = required.split([' ', ',', '|']).filter_map(major);
    parts.any(|one| {
        let is_same = one.starts_with(&own) || own.starts_with(&one);
        is_same || (is_open && own > one) || (or_newer && own < one)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Row {
        file: String,
        text: String,
        requires: Vec<String>,
    }

    #[test]
    fn each_manifest_of_the_table_is_read() {
        let rows: Vec<Row> = crate::text::rows("manifests", "row");
        for row in &rows {
            let all = requirements(&row.file, &row.text).into_iter();
            let mut all: Vec<_> = all
                .map(|one| format!("{} {}", one.name, one.version))
                .collect();
            let mut requires = row.requires.clone();
            all.sort();
            requires.sort();
            assert_eq!(all, requires, "{}", row.file);
        }
        let tested = |files: &[String]| rows.iter().any(|row| files.contains(&row.file));
        let untested = TABLE.manifest.iter().find(|one| !tested(&one.files));
        assert!(untested.is_none());
    }
}
