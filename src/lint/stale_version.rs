//! `stale-version`: versions beside a name, where the manifests require another major version of it.

mod manifest;

use std::collections::BTreeMap;

use self::manifest::{Required, files, folded};
use super::chars::quote;
use super::cues::Cues;
use super::repository::{History, Project};
use super::{Collector, Context, Facts, Finding, Rule, RuleInfo, Subject};
use crate::memory::Severity;
use crate::text::mentions::{VersionMention, versions};
use crate::text::word_lists::Words;

/// Manifests that are read.
const MOST_MANIFESTS: usize = 200;
/// Findings in one memory.
const MOST: usize = 20;

/// Folders whose manifests are not the project's.
static NOT_OURS: Words =
    Words::of("node_modules vendor target fixtures testdata examples third_party");

/// The rule.
pub(super) struct StaleVersion;

/// Requirements of a project's manifests, by name.
#[derive(Default, Hash)]
pub(super) struct Manifests {
    required: BTreeMap<String, Vec<Required>>,
    /// The manifests that do not parse, each with the reason.
    broken: Vec<(String, String)>,
    left_out: usize,
}

impl Manifests {
    /// Reads the manifests of a project.
    pub(super) fn read(project: &dyn Project) -> Self {
        let mut all = Self::default();
        let paths = paths(project.history().ok());
        all.left_out = paths.len().saturating_sub(MOST_MANIFESTS);
        for path in paths.into_iter().take(MOST_MANIFESTS) {
            let Some(text) = project.read(&path) else {
                continue;
            };
            match manifest::read(&path, &text) {
                Ok(required) => required.into_iter().for_each(|one| {
                    all.required.entry(one.name.clone()).or_default().push(one);
                }),
                Err(why) => all.broken.push((path, why)),
            }
        }
        all
    }

    /// The requirements of a package, and the name it was found by.
    fn get<'n>(&self, names: [&'n str; 2]) -> Option<(&'n str, Vec<&Required>)> {
        let [short, long] = names;
        [long, short].into_iter().find_map(|name| {
            let known = manifest::names(name);
            let required = known.iter().find_map(|name| self.required.get(name))?;
            Some((name, required.iter().collect()))
        })
    }
}

/// Returns the requirements of the project's manifests.
fn manifests<'f>(cx: &Context<'_>, facts: &'f Facts) -> &'f Manifests {
    facts.of(|| Manifests::read(cx.project))
}

/// Returns the paths of manifests: in the tree, or at the root if no history lists files.
fn paths(history: Option<&History>) -> Vec<String> {
    let Some(history) = history else {
        return files().map(str::to_owned).collect();
    };
    let is_ours = |path: &&str| !path.split('/').any(|part| NOT_OURS.has(part));
    let named = files().flat_map(|name| history.named(name));
    let mut paths: Vec<String> = named.filter(is_ours).map(str::to_owned).collect();
    paths.sort_by_key(|path| (path.matches('/').count(), path.clone()));
    paths
}

impl Rule for StaleVersion {
    fn info(&self) -> RuleInfo {
        RuleInfo("stale-version", Severity::Info)
    }

    fn files(&self) -> Vec<&'static str> {
        files().collect()
    }

    fn check(&self, subject: &Subject<'_>, out: &mut Vec<Finding>) {
        let manifests = manifests(subject.cx, subject.facts);
        if !manifests.required.is_empty() {
            out.extend(stale(subject, manifests).into_iter().take(MOST));
        }
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, _: &mut Collector<'_>) {
        let manifests = manifests(cx, facts);
        for (path, why) in &manifests.broken {
            let note = format!("{} does not parse: {why}", quote(path));
            facts.note("stale-version", note);
        }
        if manifests.left_out > 0 {
            let left = manifests.left_out;
            let note = format!("only {MOST_MANIFESTS} manifests were read, {left} not");
            facts.note("stale-version", note);
        }
    }
}

/// The versions of a memory's body that no manifest lets in.
fn stale(subject: &Subject<'_>, manifests: &Manifests) -> Vec<Finding> {
    let (_, body) = subject.body();
    let cues = Cues::new(body, &subject.memory.title);
    let mut all: Vec<(VersionMention<'_>, &str, Vec<&Required>)> = Vec::new();
    versions(body, cues.outline(), &mut |mention| {
        let known = manifests.get(mention.names);
        let before = body.get(..mention.bytes.start).unwrap_or_default();
        let is_marked = before.ends_with('v');
        let is_one = |name| is_marked || is_version(name, &mention);
        if let Some((name, required)) = known.filter(|(name, _)| is_one(name)) {
            all.push((mention, name, required));
        }
    });
    let is_stale = |(mention, name, required): &&(VersionMention<'_>, &str, Vec<&Required>)| {
        let block = cues.outline().block(mention.bytes.start).0;
        // Two versions in one sentence describe an upgrade.
        let is_told_apart = all.iter().any(|(other, of, _)| {
            let is_other = other.version != mention.version && folded(of) == folded(name);
            is_other && block.contains(&other.bytes.start)
        });
        let fits = |one: &&Required| has_major(one, mention);
        !is_told_apart && !required.iter().any(fits) && cues.at(&mention.bytes).is_none()
    };
    let stale = all.iter().filter(is_stale);
    stale
        .filter_map(|(mention, name, required)| finding(subject, mention, name, required))
        .collect()
}

/// True if a number behind a name is a version of it. A whole number may count anything, so its name
/// has to be written as a name, or be a runtime.
fn is_version(name: &str, mention: &VersionMention<'_>) -> bool {
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase());
    mention.version.contains('.')
        || (mention.version.len() < 3 && (is_name || manifest::is_runtime(name)))
}

fn finding(
    subject: &Subject<'_>,
    mention: &VersionMention<'_>,
    name: &str,
    required: &[&Required],
) -> Option<Finding> {
    let first = required.first()?;
    let (start, _) = subject.body();
    let bytes = start + mention.bytes.start..start + mention.bytes.end;
    let place = subject.at(bytes.start);
    let finding = subject.finding("stale-version", Severity::Info, place);
    let (name, version) = (quote(name), quote(mention.version));
    let (path, other) = (quote(&first.path), quote(&first.text));
    let mut finding = finding
        .about(bytes)
        .sure(0.7)
        .says(format!("{name} is at {version} here, {path} has {other}"));
    for one in required.iter().take(5) {
        finding = finding.because(format!("{}, {}", quote(&one.path), one.line));
    }
    Some(finding)
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
    let is_open = required.is_lowest || required.text.contains('>');
    let parts = required.text.split([' ', ',', '|']);
    parts.filter_map(Numbers::parse).any(|one| {
        let is_same = one.0.starts_with(own.major()) || own.0.starts_with(one.major());
        is_same || (is_open && own > one) || (mention.or_newer && own < one)
    })
}
