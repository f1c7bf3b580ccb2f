//! Versions that memories name and that the manifests have other ones of.

mod claim;
mod contrast;
mod fix;
mod gradle;
mod manifest;
mod mention;
mod names;
pub(super) mod range;
mod subject;
mod whose;

use std::collections::BTreeMap;
use std::ops::Range;

use self::claim::{Claim, claim};
use self::contrast::{is_against, is_contrasted, sentence, without_reason};
use self::fix::fix;
pub(super) use self::manifest::FILES;
use self::manifest::{Required, folded};
use self::mention::{Mention, is_on_the_way, mentions};
use self::names::{BY_TWO, FAMILIES, RUNTIMES, is_server, meant};
use self::range::Version;
use self::whose::is_of_others;
use super::chars::{cut, quote};
use super::repository::{History, Project};
use super::stale::{Manner, Manners};
use super::{Context, Facts, Finding, Look, Out, Rule};
use crate::memory::Severity;

/// Manifests that are read.
const MOST_MANIFESTS: usize = 200;
/// Findings in one memory; more say nothing new.
const MOST: usize = 20;
/// Bytes of a line that are read.
const LONGEST: usize = 2_000;

/// A version that the manifests have another one of.
pub(super) struct StaleVersion;

/// What the manifests require, by name.
#[derive(Default, Hash)]
pub(super) struct Manifests {
    required: BTreeMap<String, Vec<(String, Required)>>,
    /// What the packages of this repository are called.
    packages: Vec<String>,
    /// The modules of Go there are: the name of each, and its folder with the `/` behind it.
    modules: Vec<(String, String)>,
    /// The manifests that cannot be read, each with the reason.
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
            let name = path
                .rsplit_once('/')
                .map_or(path.as_str(), |(_, name)| name);
            if let Some(module) = manifest::module(name, &text) {
                let folder = path.get(..path.len() - name.len()).unwrap_or_default();
                all.modules.push((module.to_owned(), folder.to_owned()));
            }
            all.packages.extend(manifest::packages(&text));
            match manifest::read(name, &text) {
                Ok(required) => required.into_iter().for_each(|one| {
                    let of_name = all.required.entry(one.name.clone()).or_default();
                    of_name.push((path.clone(), one));
                }),
                Err(why) => all.broken.push((path, why)),
            }
        }
        all
    }

    /// Whether something that goes by this name is required.
    pub(super) fn has(&self, name: &str) -> bool {
        !self.get(name).is_empty()
    }

    /// Whether a package of this repository is called this.
    fn is_called(&self, name: &str) -> bool {
        self.packages.contains(&folded(name))
    }

    /// The folder that Go imports by this path, where it is one of a module of this repository,
    /// and how many bytes in front of it are the module's name.
    pub(super) fn imported(&self, path: &str) -> Option<(String, usize)> {
        let inside = |(module, folder): &(String, String)| {
            let below = path.strip_prefix(module.as_str())?.strip_prefix('/')?;
            Some((format!("{folder}{below}"), path.len() - below.len()))
        };
        // A module within another one is the longer name.
        self.modules
            .iter()
            .filter_map(inside)
            .max_by_key(|(_, length)| *length)
    }

    /// What is required of what goes by this name.
    fn get(&self, name: &str) -> Vec<&(String, Required)> {
        let name = meant(name);
        let family = FAMILIES.iter().find(|(other, _)| *other == name);
        let of = |name: &str| self.required.get(name).into_iter().flatten();
        let found: Vec<_> = family
            .iter()
            .flat_map(|(_, names)| names.iter().copied().flat_map(of))
            .collect();
        if !found.is_empty() {
            return found;
        }
        // `Vue Router` is `vue-router`, `Angular` is `@angular/core`.
        let name = folded(&name);
        let plain = name.strip_suffix(".js").unwrap_or(&name);
        let names = [
            name.clone(),
            plain.to_owned(),
            name.replace(' ', "-"),
            format!("@{name}/core"),
            format!("{name}-core"),
            format!("{name}-bom"),
            format!("apache-{name}"),
        ];
        let mut all = names.iter().map(|name| of(name).collect::<Vec<_>>());
        all.find(|found| !found.is_empty()).unwrap_or_default()
    }
}

/// Where manifests stand: in the tree without what tools made or brought, else at the root.
fn paths(history: Option<&History>) -> Vec<String> {
    let Some(history) = history else {
        return manifest::FILES
            .iter()
            .map(|name| (*name).to_owned())
            .collect();
    };
    const FOREIGN: [&str; 7] = [
        "node_modules",
        "vendor",
        "target",
        "fixtures",
        "testdata",
        "examples",
        "third_party",
    ];
    let own = |path: &&str| !path.split('/').any(|part| FOREIGN.contains(&part));
    let named = manifest::FILES.iter().flat_map(|name| history.named(name));
    let mut paths: Vec<String> = named.filter(own).map(str::to_owned).collect();
    paths.sort_by_key(|path| (path.matches('/').count(), path.clone()));
    paths
}

impl Rule for StaleVersion {
    fn id(&self) -> &'static str {
        "stale-version"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a version that the manifests have another one of"
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let manifests = look.facts.manifests(look.cx);
        if manifests.required.is_empty() {
            return;
        }
        let (start, body) = look.body();
        let found = stale(look, manifests);
        for one in found.into_iter().take(MOST) {
            out.push(finding(look, start, body, &one));
        }
    }

    fn finish(&self, cx: &Context<'_>, facts: &Facts, _: &mut Out<'_, '_>) {
        let manifests = facts.manifests(cx);
        for (path, why) in &manifests.broken {
            facts.note(
                "stale-version",
                format!("{} is not in order: {why}", quote(path)),
            );
        }
        if manifests.left_out > 0 {
            let left = manifests.left_out;
            facts.note(
                "stale-version",
                format!("only {MOST_MANIFESTS} manifests were read, {left} not"),
            );
        }
    }
}

/// A mention that no manifest lets in.
struct Stale<'t, 'm> {
    /// Where its line begins in the body.
    line: usize,
    mention: Mention<'t>,
    wanted: Vec<&'m (String, Required)>,
    manner: Manner,
    claim: Claim,
    /// Whether the memory also names a version that is let in.
    knows: bool,
    /// Whether it is said to be pinned, or to be kept from newer ones.
    pinned: bool,
    kept: bool,
}

/// What a line says of a version in it.
struct Read<'t> {
    claim: Claim,
    /// The part of the sentence that says it.
    told: &'t str,
    /// The bytes of the line behind that, which say why; none where it is no claim.
    reason: Range<usize>,
}

impl<'t> Read<'t> {
    fn of(line: &'t str, mention: &Mention<'_>) -> Self {
        let claim = claim(line, mention);
        let sentence = sentence(line, &mention.bytes);
        let told = match claim {
            Claim::Used | Claim::Reasoned => without_reason(line, sentence, mention.bytes.end),
            _ => sentence,
        };
        let start = sentence.as_ptr() as usize - line.as_ptr() as usize;
        Self {
            claim,
            told,
            reason: start + told.len()..start + sentence.len(),
        }
    }

    /// The same where it is named along with another one: `x 1.2 with y 3`.
    fn after(self, line: &str, mention: &Mention<'_>, last: Option<(&Mention<'_>, &Self)>) -> Self {
        let start = mention.name.as_ptr() as usize - line.as_ptr() as usize;
        let along = |(last, _): &(&Mention<'_>, &Self)| {
            let between = line.get(last.bytes.end..start).unwrap_or_default();
            let signs = |c: char| !c.is_alphanumeric() && !matches!(c, '.' | ';' | '(');
            let between = between.trim_matches(signs);
            ["and", "with", "plus", "on", "using"].contains(&between)
        };
        match last.filter(along) {
            Some((_, last)) if self.claim == Claim::Told => Self {
                claim: last.claim,
                ..self
            },
            _ => self,
        }
    }
}

/// The versions of a memory's body that no manifest lets in.
fn stale<'t, 'm>(look: &Look<'t>, manifests: &'m Manifests) -> Vec<Stale<'t, 'm>> {
    let (_, body) = look.body();
    let mut found: Vec<Stale<'t, 'm>> = Vec::new();
    let mut right: Vec<String> = Vec::new();
    let mut manners = Manners::of_body(look);
    let mut fenced = false;
    let mut at = 0;
    for text in body.split_inclusive('\n') {
        let line = at;
        at += text.len();
        let head = text.trim_start();
        if head.starts_with("```") || head.starts_with("~~~") {
            fenced = !fenced;
        }
        let digits = text.bytes().any(|byte| byte.is_ascii_digit());
        if fenced || !digits {
            continue;
        }
        let mut all: Vec<Mention<'t>> = Vec::new();
        let known = |name: &str| !manifests.get(name).is_empty();
        mentions(cut(text, LONGEST), &known, &mut |mention| all.push(mention));
        let mut read: Vec<Read<'_>> = Vec::with_capacity(all.len());
        for one in &all {
            let this = Read::of(text, one).after(text, one, all.iter().zip(&read).next_back());
            read.push(this);
        }
        for (mention, this) in all.iter().zip(&read) {
            let same = |other: &Mention<'_>| folded(other.name) == folded(mention.name);
            // What another one is kept from is not what is used.
            let kept_from = |(other, read): (&Mention<'_>, &Read<'_>)| {
                same(other) && read.reason.contains(&mention.bytes.start)
            };
            let is_reason = all.iter().zip(&read).any(kept_from);
            if is_reason || is_server(text, mention) || is_on_the_way(this.told) {
                continue;
            }
            let wanted = manifests.get(mention.name);
            let below = |(_, one): &&(String, Required)| {
                one.text.starts_with(">=") && one.range.is_above(&mention.version)
            };
            let runtime = RUNTIMES.contains(&meant(mention.name).as_str());
            let too_low = mention.floor && runtime && wanted.iter().all(below);
            // Two versions of one thing on a line tell them apart.
            let reason = &this.reason;
            let others = all.iter().filter(|other| same(other));
            let told_apart = others
                .filter(|other| !reason.contains(&other.bytes.start))
                .any(|other| other.version != mention.version)
                || is_contrasted(text, &all, mention, (&wanted, reason));
            let spans = || std::iter::once(&mention.span).chain(&mention.others);
            let meets = |(_, one): &&(String, Required)| spans().any(|span| one.range.meets(span));
            let fits = wanted.iter().any(meets);
            if fits && !too_low {
                right.push(folded(mention.name));
            } else if !told_apart {
                let bytes = line + mention.bytes.start..line + mention.bytes.end;
                found.push(Stale {
                    line,
                    mention: mention.clone(),
                    manner: manners.manner(&bytes),
                    claim: match is_of_others(look, manifests, text, mention) {
                        true => Claim::Aside,
                        false => this.claim,
                    },
                    knows: false,
                    pinned: is_pinned(this.told),
                    kept: is_against(text.get(reason.clone()).unwrap_or_default(), &wanted),
                    wanted,
                });
            }
        }
    }
    for one in &mut found {
        one.knows = right.contains(&folded(one.mention.name));
    }
    found
}

fn finding(look: &Look<'_>, start: usize, body: &str, stale: &Stale<'_, '_>) -> Finding {
    let Mention {
        name,
        version,
        bytes,
        ..
    } = &stale.mention;
    let at = stale.line + bytes.start..stale.line + bytes.end;
    let place = start + at.start..start + at.end;
    let written = body.get(at).unwrap_or_default();
    let named: Vec<&str> = stale
        .wanted
        .iter()
        .map(|(_, one)| one.text.as_str())
        .collect();
    let other = stale
        .wanted
        .iter()
        .filter_map(|(_, one)| Version::parse(numbers(&one.text)));
    // Another first number is another thing; one behind it matters where it is pinned.
    let below = written.starts_with(['<', '≤']);
    let far = below
        || other
            .clone()
            .all(|other| other.epoch() != shortened(version, other.epoch().len()))
        || (BY_TWO.contains(&meant(name).as_str()) && version.0.len() > 1);
    let pinned = stale.pinned || named.iter().all(|text| is_exact(text));
    let (severity, confidence) = match stale.manner {
        Manner::Log => (Severity::Info, 0.2),
        Manner::Record | Manner::Quoted | Manner::Elsewhere | Manner::Act => (Severity::Info, 0.4),
        Manner::Directive if stale.knows || !stale.claim.is_held_to() => (Severity::Info, 0.4),
        Manner::Directive if far => (Severity::Warning, 0.9),
        Manner::Directive if pinned => (Severity::Warning, 0.8),
        Manner::Directive => (Severity::Info, 0.5),
    };
    let mut finding = look
        .finding("stale-version", severity, look.at(place.start))
        .about(place)
        .sure(confidence);
    let (path, first) = match stale.wanted.first() {
        Some((path, one)) => (path.as_str(), one.written.as_str()),
        None => ("", ""),
    };
    finding = finding.says(format!(
        "{} {written} is named, {} has {}",
        quote(name),
        quote(path),
        quote(first)
    ));
    for (n, (path, one)) in stale.wanted.iter().take(5).enumerate() {
        finding = match &one.line {
            Some(line) => finding.because(format!("{}, {line}", quote(path))),
            None if n > 0 => {
                finding.because(format!("{} has {}", quote(path), quote(&one.written)))
            }
            None => finding,
        };
    }
    if stale.knows {
        finding = finding.because("the memory names a version that fits, too");
    }
    // What a release does is no truer of another one, nor is why it is kept.
    let written = severity == Severity::Warning && stale.claim != Claim::Relied && !stale.kept;
    let fix = written.then(|| fix(look, body, stale)).flatten();
    finding.fixed_by(fix)
}

/// The numbers of a requirement: `^1.2` is about 1.2.
fn numbers(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_ascii_digit())
}

/// Whether a version is said to be held to, whatever else a requirement would let in.
fn is_pinned(told: &str) -> bool {
    let held = ["pinned", "pins", "pin", "locked", "frozen"];
    claim::words(&told.to_lowercase()).any(|word| held.contains(&word))
}

fn is_exact(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, 'v' | '='))
        && !text.contains([' ', ',', '|', '*', 'x'])
}

fn shortened(version: &Version, length: usize) -> Vec<u64> {
    let mut numbers: Vec<u64> = version.0.iter().copied().take(length).collect();
    numbers.resize(length, 0);
    numbers
}
