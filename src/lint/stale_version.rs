//! `stale-version`: versions beside a name, where the manifests require another major version of it.
//!
//! Manifests are read by the patterns of `assets/lint/manifests.toml`.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::chars::{cut, quote};
use super::cues::Cues;
use super::repository::{History, Project};
use super::{Finding, Rule, Subject};
use crate::memory::Severity;
use crate::text::mentions::{VersionMention, last, versions};
use crate::text::word_lists::Words;

/// Manifests that are read, and findings in one memory.
const MOST_MANIFESTS: usize = 200;
const MOST: usize = 20;
/// Bytes of a line of a manifest that are shown.
const SHOWN: usize = 100;

/// Folders whose manifests are not the project's.
static NOT_OURS: Words =
    Words::of("node_modules vendor target fixtures testdata examples third_party");

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

/// The names that manifests use for a thing, the likeliest first; none for servers, which they lack.
fn names(name: &str) -> Vec<String> {
    if let Some(known) = TABLE.names.get(&name.to_lowercase()) {
        return known.clone();
    }
    let name = folded(name);
    if is_of_kind("servers", &name) {
        return Vec::new();
    }
    let plain = name.strip_suffix(".js").unwrap_or(&name).to_owned();
    let core = [
        format!("@{name}/core"),
        format!("{name}-core"),
        format!("{name}-bom"),
    ];
    [name, plain].into_iter().chain(core).collect()
}

/// A requirement of a manifest.
struct Required {
    path: String,
    version: String,
    /// True if later versions fit too.
    is_lowest: bool,
    /// Its line in the manifest, with its number.
    line: String,
}

/// Requirements of a project's manifests, by the [`folded`] name.
#[derive(Default)]
struct Manifests(BTreeMap<String, Vec<Required>>);

impl Manifests {
    /// Reads the manifests of a project: those in the tree, or at the root if no history lists files.
    fn read(project: &dyn Project) -> Self {
        let is_ours = |path: &&str| !path.split('/').any(|part| NOT_OURS.has(part));
        let tree = |history: &History| {
            let named = files().flat_map(|name| history.named(name));
            let mut paths: Vec<String> = named.filter(is_ours).map(str::to_owned).collect();
            paths.sort_by_key(|path| (path.matches('/').count(), path.clone()));
            paths
        };
        let root = |_| files().map(str::to_owned).collect();
        let mut all = Self::default();
        for path in project
            .history()
            .map_or_else(root, tree)
            .into_iter()
            .take(MOST_MANIFESTS)
        {
            if let Some(text) = project.read(&path) {
                all.add(&path, &text);
            }
        }
        all
    }

    fn add(&mut self, path: &str, text: &str) {
        let starts = |line: &str, mark: &str| line.trim_start().starts_with(mark);
        let is_comment = |line: &str| ["//", "#", "/*", "*"].iter().any(|mark| starts(line, mark));
        // A line of a comment requires nothing, and still has a number.
        let lines = text
            .lines()
            .map(|line| if is_comment(line) { "" } else { line });
        let lines: Vec<&str> = lines.collect();
        let text = lines.join("\n");
        let is_own = |one: &&Manifest| one.files.iter().any(|file| file == last(path));
        for row in TABLE
            .manifest
            .iter()
            .filter(is_own)
            .flat_map(|one| &one.patterns)
        {
            let Some(pattern) = row.first().and_then(|pattern| Regex::new(pattern).ok()) else {
                continue;
            };
            for found in pattern.captures_iter(&text) {
                let name = found.name("name").map(|name| name.as_str());
                let name = row.get(1).map(String::as_str).or(name);
                let (Some(name), Some(version)) = (name, found.name("version")) else {
                    continue;
                };
                let known = TABLE.names.get(name).and_then(|names| names.first());
                let name = folded(known.map_or(name, String::as_str));
                if is_of_kind("keys", &name) || Numbers::parse(version.as_str()).is_none() {
                    continue;
                }
                let at = cut(&text, version.start()).matches('\n').count();
                let line = lines.get(at).map_or("", |line| cut(line.trim(), SHOWN));
                self.0.entry(name).or_default().push(Required {
                    path: path.to_owned(),
                    version: version.as_str().trim().to_owned(),
                    is_lowest: row.len() > 2,
                    line: format!("line {}: {line}", at + 1),
                });
            }
        }
    }

    /// The requirements of a package by its last word or its last two, and the name it was found by.
    fn get<'n>(&self, names_of: [&'n str; 2]) -> Option<(&'n str, &[Required])> {
        let [short, long] = names_of;
        [long, short].into_iter().find_map(|name| {
            let known = names(name);
            let required = known.iter().find_map(|name| self.0.get(name))?;
            Some((name, required.as_slice()))
        })
    }
}

/// The names of the files that are manifests.
pub(super) fn files() -> impl Iterator<Item = &'static str> {
    let all = TABLE.manifest.iter().flat_map(|one| &one.files);
    all.map(String::as_str)
}

/// Reports versions that no manifest lets in.
pub(super) fn check(_: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let (cx, facts) = (subject.cx, subject.facts);
    let manifests = facts.of(|| Manifests::read(cx.project));
    if !manifests.0.is_empty() {
        out.extend(stale(subject, manifests).into_iter().take(MOST));
    }
}

/// A version in a text, with the name it was found by and what manifests require of it.
type Found<'f> = (VersionMention<'f>, &'f str, &'f [Required]);

/// The versions of a memory's body that no manifest lets in.
fn stale(subject: &Subject<'_>, manifests: &Manifests) -> Vec<Finding> {
    let (_, body) = subject.body();
    let cues = Cues::new(body, &subject.memory.title);
    let mut all: Vec<Found<'_>> = Vec::new();
    versions(body, cues.outline(), &mut |mention| {
        let before = body.get(..mention.bytes.start).unwrap_or_default();
        let is_one = |name| before.ends_with('v') || is_version(name, &mention);
        let known = manifests.get(mention.names);
        if let Some((name, required)) = known.filter(|(name, _)| is_one(name)) {
            all.push((mention, name, required));
        }
    });
    let is_stale = |(mention, name, required): &&Found<'_>| {
        let block = cues.outline().block(mention.bytes.start).0;
        // Two versions in one sentence describe an upgrade.
        let is_told_apart = all.iter().any(|(other, of, _)| {
            let is_other = other.version != mention.version && folded(of) == folded(name);
            is_other && block.contains(&other.bytes.start)
        });
        let fits = |one: &Required| has_major(one, mention);
        !is_told_apart && !required.iter().any(fits) && cues.at(&mention.bytes).is_none()
    };
    let stale = all.iter().filter(is_stale);
    stale.filter_map(|one| finding(subject, one)).collect()
}

/// True if a number behind a name is a version of it. A whole number may count anything, so its name
/// has to be written as a name, or be a runtime.
fn is_version(name: &str, mention: &VersionMention<'_>) -> bool {
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase());
    let runs_code = || names(name).iter().any(|name| is_of_kind("runtimes", name));
    mention.version.contains('.') || (mention.version.len() < 3 && (is_name || runs_code()))
}

fn finding(subject: &Subject<'_>, (mention, name, required): &Found<'_>) -> Option<Finding> {
    let first = required.first()?;
    let (start, _) = subject.body();
    let bytes = start + mention.bytes.start..start + mention.bytes.end;
    let place = subject.at(bytes.start);
    let finding = subject.finding("stale-version", Severity::Info, place);
    let (name, version) = (quote(name), quote(mention.version));
    let (path, other) = (quote(&first.path), quote(&first.version));
    let finding = finding
        .about(bytes)
        .sure(0.7)
        .says(format!("{name} is at {version} here, {path} has {other}"));
    let lines = required.iter().take(5);
    let lines = lines.map(|one| format!("{}, {}", quote(&one.path), one.line));
    Some(lines.fold(finding, Finding::because))
}

/// The first three numbers of a version.
#[derive(PartialEq, PartialOrd)]
struct Numbers(Vec<u64>);

impl Numbers {
    /// Reads the first numbers with dots between them: of `^1.2.0-rc.1` they are 1, 2 and 0.
    fn parse(text: &str) -> Option<Self> {
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let text = text.get(start..)?;
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let numbers = text.get(..end.unwrap_or(text.len()))?.split('.');
        let numbers: Vec<u64> = numbers.map_while(|one| one.parse().ok()).take(3).collect();
        (!numbers.is_empty()).then_some(Self(numbers))
    }

    /// The numbers up to the first that is not 0: below 1.0 the minor version is the major one.
    fn major(&self) -> &[u64] {
        let first = self.0.iter().position(|number| *number != 0).unwrap_or(0);
        self.0.get(..=first).unwrap_or_default()
    }
}

/// True if a requirement names the major version that a memory mentions, or is open towards it.
fn has_major(required: &Required, mention: &VersionMention<'_>) -> bool {
    let Some(own) = Numbers::parse(mention.version) else {
        return true;
    };
    let is_open = required.is_lowest || required.version.contains('>');
    let parts = required.version.split([' ', ',', '|']);
    parts.filter_map(Numbers::parse).any(|one| {
        let is_same = one.0.starts_with(own.major()) || own.0.starts_with(one.major());
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
