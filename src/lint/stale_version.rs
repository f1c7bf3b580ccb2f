//! `stale-version`: versions beside a name, where the manifests require another major version of it.
//!
//! Manifests are read by the patterns of `assets/lint/manifests.toml`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::chars::{cut, quote};
use super::cues::Cues;
use super::repository::{Project, own_files};
use super::{Finding, Rule, Subject};
use crate::text::mentions::{VersionMention, last, versions};

/// Manifests that are read, and findings in one memory.
const MOST_MANIFESTS: usize = 200;
const MOST: usize = 20;
/// Bytes of a line of a manifest that are shown.
const SHOWN: usize = 100;

/// Marks that begin a comment in manifests.
const COMMENTS: [&str; 4] = ["//", "#", "/*", "*"];

/// `assets/lint/manifests.toml` as it is written.
#[derive(Default, Deserialize)]
struct Table {
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

/// A requirement of a manifest.
struct Required {
    /// As it is written; `>=` stands before one that later versions fit too.
    version: String,
    path: String,
    /// Its line in the manifest, with its number.
    line: String,
}

/// Requirements of a project's manifests, by the [`folded`] name.
#[derive(Default)]
struct Manifests(BTreeMap<String, Vec<Required>>);

impl Manifests {
    fn read(project: &dyn Project) -> Self {
        let mut all = Self::default();
        let names: Vec<&str> = files().collect();
        for path in own_files(project, &names).into_iter().take(MOST_MANIFESTS) {
            all.add(&path, &project.read(&path).unwrap_or_default());
        }
        all
    }

    fn add(&mut self, path: &str, text: &str) {
        let is_comment = |line: &&str| COMMENTS.iter().any(|mark| line.starts_with(mark));
        // A line of a comment requires nothing, and still has a number.
        let lines = text.lines().map(str::trim_start);
        let lines = lines.map(|line| Some(line).filter(|line| !is_comment(line)));
        let lines: Vec<&str> = lines.map(Option::unwrap_or_default).collect();
        let text = lines.join("\n");
        let is_own = |one: &&Manifest| one.files.iter().any(|file| file == last(path));
        let own = TABLE.manifest.iter().filter(is_own);
        for row in own.flat_map(|one| &one.patterns) {
            let pattern = row.first().and_then(|pattern| Regex::new(pattern).ok());
            for found in pattern
                .iter()
                .flat_map(|pattern| pattern.captures_iter(&text))
            {
                let text_of = |group| found.name(group).map_or("", |one| one.as_str());
                let name = row.get(1).map_or(text_of("name"), String::as_str);
                let version = text_of("version").trim();
                let known = TABLE.names.get(name).and_then(|names| names.first());
                let name = folded(known.map_or(name, String::as_str));
                if is_of_kind("keys", &name) || major(version).is_none() {
                    continue;
                }
                let end = found.name("version").map_or(0, |version| version.start());
                let at = cut(&text, end).matches('\n').count();
                let line = lines.get(at).map_or("", |line| cut(line, SHOWN));
                let open = row.get(2).map_or("", String::as_str);
                self.0.entry(name).or_default().push(Required {
                    version: format!("{open}{version}"),
                    path: path.to_owned(),
                    line: format!("line {}: {line}", at + 1),
                });
            }
        }
    }

    /// The requirements of a package by its last two words or its last, and the name it was found by.
    fn get<'n>(&self, [short, long]: [&'n str; 2]) -> Option<(&'n str, &Required, &[Required])> {
        [long, short].into_iter().find_map(|name| {
            let required = names(name).iter().find_map(|name| self.0.get(name))?;
            Some((name, required.first()?, required.as_slice()))
        })
    }
}

/// The names of the files that are manifests.
pub(super) fn files() -> impl Iterator<Item = &'static str> {
    let all = TABLE.manifest.iter().flat_map(|one| &one.files);
    all.map(String::as_str)
}

/// Reports versions of which no manifest has the major version.
pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let manifests = subject.facts.of(|| Manifests::read(subject.cx.project));
    if manifests.0.is_empty() {
        return;
    }
    let (start, body) = subject.body();
    let cues = Cues::new(body, subject.memory);
    let most = out.len() + MOST;
    versions(body, cues.outline(), &mut |mention| {
        let Some((name, first, required)) = manifests.get(mention.names) else {
            return;
        };
        let fits = |one: &Required| has_major(&one.version, &mention);
        let is_stale = is_claim(body, name, &mention) && !required.iter().any(fits);
        if !is_stale || out.len() == most || cues.at(&mention.bytes).is_some() {
            return;
        }
        let bytes = start + mention.bytes.start..start + mention.bytes.end;
        let finding = subject.finding(rule.id, rule.severity, subject.at(bytes.start));
        let (name, version) = (quote(name), quote(mention.version));
        let (path, other) = (quote(&first.path), quote(&first.version));
        let says = format!("{name} is at {version} here, {path} has {other}");
        let lines = required.iter().take(5);
        let lines = lines.map(|one| format!("{}, {}", quote(&one.path), one.line));
        out.push(lines.fold(finding.about(bytes).sure(0.7).says(says), Finding::because));
    });
}

/// True if a number behind a name is a version that the memory goes by. A whole number may count
/// anything, so its name has to be written as a name, or be a runtime, or `v` stands before it.
fn is_claim(body: &str, name: &str, mention: &VersionMention<'_>) -> bool {
    let before = body.get(..mention.bytes.start).unwrap_or_default();
    let behind = body.get(mention.bytes.end..).unwrap_or_default();
    let (above, _) = before.rsplit_once(name).unwrap_or_default();
    let since = above.split_whitespace().next_back().unwrap_or_default();
    let counted = behind.split(|c: char| !c.is_alphabetic()).nth(1);
    let is_bound = is_of_kind("bounds", &since.to_lowercase());
    if is_bound || mention.version.contains('.') {
        return !is_bound;
    }
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase()) || before.ends_with('v');
    let runs_code = || names(name).iter().any(|name| is_of_kind("runtimes", name));
    let is_count = mention.version.len() > 2 || mention.version == "0";
    !is_count
        && !counted.is_some_and(|word| is_of_kind("counted", word))
        && (is_name || runs_code())
}

/// The numbers of a version up to the first that is not 0: below 1.0 the minor version is the major
/// one. Of `^1.2.0-rc.1` it is 1.
fn major(text: &str) -> Option<Vec<u64>> {
    let text = text.get(text.find(|c: char| c.is_ascii_digit())?..)?;
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let numbers = text.get(..end.unwrap_or(text.len()))?.split('.');
    let mut numbers: Vec<u64> = numbers.map_while(|one| one.parse().ok()).collect();
    let first = numbers.iter().position(|number| *number != 0).unwrap_or(0);
    numbers.truncate(first + 1);
    (!numbers.is_empty()).then_some(numbers)
}

/// True if a requirement has the major version that a memory mentions, or is open towards it.
fn has_major(required: &str, mention: &VersionMention<'_>) -> bool {
    let Some(own) = major(mention.version) else {
        return true;
    };
    let is_open = required.contains('>');
    let parts = required.split([' ', ',', '|']).filter_map(major);
    parts.into_iter().any(|one| {
        let is_same = one.starts_with(&own) || own.starts_with(&one);
        is_same || (is_open && own > one) || (mention.or_newer && own < one)
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
            let mut manifests = Manifests::default();
            manifests.add(&row.file, &row.text);
            let all = manifests.0.iter();
            let all = all.flat_map(|(name, all)| all.iter().map(move |one| (name, one)));
            let all = all.map(|(name, one)| format!("{name} {}", one.version));
            let mut all: Vec<String> = all.collect();
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
