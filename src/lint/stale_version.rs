//! `stale-version`: versions beside a name, where the manifests require another version of it.

mod manifest;
mod requirement;

use std::collections::BTreeMap;

use self::manifest::{Required, files, folded};
use self::requirement::{Numbers, is_fit};
use super::chars::{quote, replaced};
use super::cues::Cues;
use super::repository::{History, Project, hash};
use super::words::Words;
use super::{Collector, Context, Facts, Finding, Fix, Rule, RuleInfo, Subject};
use crate::memory::Severity;
use crate::memory::edit::FieldEdit;
use crate::text::mentions::{VersionMention, versions};

/// Manifests that are read.
const MOST_MANIFESTS: usize = 200;
/// Findings in one memory.
const MOST: usize = 20;

/// Folders whose manifests are not the project's.
static NOT_OURS: Words =
    Words::of("node_modules vendor target fixtures testdata examples third_party");

/// The rule.
pub(super) struct StaleVersion;

/// What the manifests of a project require, by name.
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

/// What the manifests of the project require.
fn manifests<'f>(cx: &Context<'_>, facts: &'f Facts) -> &'f Manifests {
    facts.of(|| Manifests::read(cx.project))
}

/// Where manifests stand: in the tree, or at the root where no history tells of files.
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

    fn stamp(&self, cx: &Context<'_>, facts: &Facts) -> u64 {
        hash(manifests(cx, facts))
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
        let fits =
            |one: &&Required| is_fit(one.manager, &one.text, mention.version, mention.or_newer);
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
    let (start, body) = subject.body();
    let bytes = start + mention.bytes.start..start + mention.bytes.end;
    // Another major version is another thing; below 1.0 the minor one is.
    let named = Numbers::parse(mention.version)?;
    let is_near = |one: &&Required| {
        Numbers::parse(&one.text).is_some_and(|numbers| numbers.major() == named.major())
    };
    let is_near = required.iter().any(is_near);
    let place = subject.at(bytes.start);
    let finding = subject.finding("stale-version", Severity::Info, place);
    let (name, version) = (quote(name), quote(mention.version));
    let (path, other) = (quote(&first.path), quote(&first.text));
    let mut finding = finding
        .about(bytes)
        .sure(if is_near { 0.4 } else { 0.7 })
        .says(format!("{name} is at {version} here, {path} has {other}"));
    for one in required.iter().take(5) {
        finding = finding.because(format!("{}, {}", quote(&one.path), one.line));
    }
    Some(finding.fixed_by(fix(subject, body, mention, required)))
}

/// The fix that writes the version of the manifests, as long as the old one was written. What the
/// memory says may hold for the old version only, so a person reviews it.
fn fix(
    subject: &Subject<'_>,
    body: &str,
    mention: &VersionMention<'_>,
    required: &[&Required],
) -> Option<Fix> {
    let first = required.first()?;
    let same = required.iter().all(|one| one.text == first.text);
    let now = Numbers::parse(&first.text)
        .filter(|_| same && !first.text.contains([' ', ',', '|', '<', '>', '*', 'x']))?;
    let now = now.written(mention.version.split('.').count())?;
    let new = replaced(body, [(mention.bytes.clone(), &now)]);
    let fix = subject.edit(format!("write {now} instead"), vec![FieldEdit::Body(new)]);
    Some(Fix { safe: false, ..fix })
}
