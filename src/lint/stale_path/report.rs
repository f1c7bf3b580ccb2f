//! The findings about gone paths, and their new locations according to git: one for all paths of a
//! memory of which the same is reported.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use itertools::Itertools as _;

use super::Target;
use crate::curate::change::set_item;
use crate::lint::changed::dated;
use crate::lint::chars::{quote, replaced};
use crate::lint::report::some_of;
use crate::lint::repository::{Commit, History, Meaning, Project};
use crate::lint::{Collector, Context, Facts, Finding, Fix, Subject};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, Severity};
use crate::text::mentions::last as last_part;
use crate::text::word_lists::Words;

/// The reasons why a path that never was is reported, and why another is only a suggestion.
const NEVER: &str = "files beside it are tracked";
const DOUBT: &str = "several things were called so";
/// Paths that a message names.
const NAMED: usize = 4;
/// Paths that are told one by one in the evidence.
const MOST_DETAILS: usize = 20;

pub(super) fn report(
    cx: &Context<'_>,
    facts: &Facts,
    history: &History,
    mut all: Vec<Target>,
    out: &mut Collector<'_>,
) {
    // A pattern such as `out/` is about folders only.
    let names = |one: &Target| {
        let is_folder = matches!(one.meaning, Meaning::Folder(..));
        let end = if is_folder { "/" } else { "" };
        [one.path(history), &one.written].map(|path| format!("{path}{end}"))
    };
    let paths: Vec<String> = all.iter().flat_map(names).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let untracked = cx.project.untracked(&paths);
    let mut untracked = untracked.chunks(2).map(|both| both.contains(&true));
    all.retain(|one| {
        !untracked.next().unwrap_or_default() && !history.is_below_file(one.path(history))
    });
    all.sort_by_key(|target| {
        let finding = &target.finding;
        (finding.memory, finding.line, finding.column)
    });
    let wanted: HashSet<Meaning> = all.iter().map(|target| target.meaning).collect();
    let below = |memory: &Arc<Memory>| history.below_root(&memory.path);
    let stored = LazyCell::new(|| cx.memories.iter().filter_map(below).collect::<HashSet<_>>());
    let is_stored = |path: &str| stored.contains(path);
    let found = find((cx.project, history), wanted, &is_stored);
    for of_memory in all.chunk_by(|a, b| a.finding.memory == b.finding.memory) {
        let index = of_memory.first().map(|target| target.finding.memory);
        let memory = index.and_then(|index| Some((index, cx.memories.get(index)?)));
        let Some((index, memory)) = memory else {
            continue;
        };
        let place = |one| Gone::new((history, memory), one, found.get(&one.meaning)?);
        let mut gone: Vec<Gone<'_>> = of_memory.iter().filter_map(place).collect();
        // A path that is written in several ways counts once, by its most misleading mention.
        let mut causes = HashMap::new();
        gone.sort_by_key(|one| one.cause);
        gone.retain(|one| *causes.entry(one.path).or_insert(one.cause) == one.cause);
        // The text is read only where something moved.
        let has_moved = gone.iter().any(|one| one.at.now.is_some());
        let text = has_moved.then(|| cx.texts.text(memory)).flatten();
        let subject = text
            .as_ref()
            .map(|text| Subject::new(cx, facts, index, memory, text));
        for group in gone.chunk_by(|a, b| a.cause == b.cause) {
            let Some(finding) = finding(history, memory, group) else {
                continue;
            };
            // Code imports a file without its ending: what it is imported as now is not known.
            let is_whole = |one: &&Gone<'_>| one.path.ends_with(&*one.target.written);
            let moved = group.iter().filter(is_whole);
            let moved = moved.filter_map(|one| Some((one.target, one.at.now.as_deref()?)));
            let moved: Vec<_> = moved.collect();
            let mut fix = subject.as_ref().and_then(|subject| fix(subject, &moved));
            if let Some(fix) = &mut fix {
                fix.safe &= finding.severity == Severity::Warning;
            }
            out.push(finding.fixed_by(fix));
        }
    }
}

/// Shared by all paths of a finding: severity, reason, if they moved, and if before the writing.
type Cause = (Severity, Option<&'static str>, bool, bool);

/// A gone path with what became of it.
struct Gone<'t> {
    target: &'t Target,
    path: &'t str,
    at: &'t Whereabouts,
    confidence: f64,
    cause: Cause,
}

impl<'t> Gone<'t> {
    fn new(
        (history, memory): (&'t History, &Memory),
        target: &'t Target,
        at: &'t Whereabouts,
    ) -> Option<Self> {
        let left = at.left.and_then(|file| history.commit(file));
        let is_before = left.is_some_and(|commit| is_before(commit, memory));
        let (severity, confidence, why) = match target.cue {
            Some(cue) => (Severity::Info, 0.4, Some(cue.evidence())),
            None if is_before => (Severity::Info, 0.4, None),
            None if target.meaning == Meaning::Unknown => (Severity::Info, 0.5, Some(NEVER)),
            None if target.is_doubtful => (Severity::Info, 0.5, Some(DOUBT)),
            None if target.meaning.is_whole() => (Severity::Warning, 0.97, None),
            None => (Severity::Warning, 0.9, None),
        };
        Some(Self {
            target,
            path: target.path(history),
            confidence,
            cause: (severity, why, at.now.is_some(), is_before),
            at,
        })
    }

    /// It as the memory writes it.
    fn name(&self) -> String {
        quote(&self.target.written)
    }

    /// The change that took it away.
    fn commit(&self, history: &History) -> Option<String> {
        let verb = if self.cause.2 { "moved" } else { "deleted" };
        let file = self.at.commit?;
        match history.is_uncommitted(file) {
            true => Some(format!("{verb} in the working tree, not committed yet")),
            false => Some(history.commit(file)?.evidence(verb)),
        }
    }
}

/// A few names in a row, and how many more there are.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, before)) if (1..NAMED).contains(&before.len()) => {
            format!("{} and {last}", before.join(", "))
        }
        _ => some_of(names.get(..NAMED).unwrap_or(names), names.len()),
    }
}

/// The finding about paths that share their cause.
fn finding(history: &History, memory: &Memory, group: &[Gone<'_>]) -> Option<Finding> {
    let first = group.first()?;
    let (severity, why, has_moved, is_before) = first.cause;
    let mut seen = HashSet::new();
    let each = group.iter().filter(|one| seen.insert(one.path));
    let each: Vec<&Gone<'_>> = each.collect();
    let confidence = group.iter().map(|one| one.confidence).fold(1.0, f64::min);
    let written = dated(memory).map_or("written", |since| since.verb);
    let names: Vec<String> = each.iter().map(|one| one.name()).collect();
    let now = each.iter().filter_map(|one| one.at.now.as_deref());
    let now: Vec<String> = now.map(quote).collect();
    let others = names.get(NAMED..).filter(|others| !others.is_empty());
    let others = others.map(|others| format!("the others are {}", others.join(", ")));
    let [have, are, they, were] = match each.len() {
        1 => ["has", "is", "it is", "was"],
        _ => ["have", "are", "they are", "were"],
    };
    let names = listed(&names);
    let message = match now.is_empty() {
        false => format!("{names} {have} moved: {they} {} now", listed(&now)),
        true if why == Some(NEVER) => format!("{names} never {were} in the repository"),
        true if is_before => format!("{names} {were} deleted before this was {written}"),
        true => format!("{names} {are} gone"),
    };
    let details = || each.iter().take(MOST_DETAILS);
    let ends = details().filter(|one| !one.target.meaning.is_whole());
    let ends = ends.map(|one| format!("{} was {}", one.name(), quote(one.path)));
    let commits = details().filter_map(|one| Some((one.name(), one.commit(history)?)));
    let commits: Vec<(String, String)> = commits.collect();
    let commits: Vec<String> = match commits.as_slice() {
        [] => Vec::new(),
        [first, others @ ..] if others.iter().all(|one| one.1 == first.1) => vec![first.1.clone()],
        all => all
            .iter()
            .map(|(name, commit)| format!("{name} {commit}"))
            .collect(),
    };
    let before = (has_moved && is_before).then(|| format!("that was before this was {written}"));
    let alike = details().filter(|one| !one.at.alike.is_empty());
    let alike = alike.map(|one| {
        let mut alike = one.at.alike.iter().take(NAMED).map(|one| quote(one));
        format!("it may be {} now", alike.join(" or "))
    });
    let mut finding = first.target.finding.clone().sure(confidence).says(message);
    finding.severity = severity;
    let finding = finding.because_of(others).because_of(ends);
    let finding = finding.because_of(commits).because_of(before);
    Some(finding.because_of(alike).because_of(why))
}

/// True if a commit was there when the memory was last written or confirmed.
fn is_before(commit: &Commit, memory: &Memory) -> bool {
    let written = memory.written().max(memory.confirmed);
    written.is_some_and(|written| commit.time.saturating_mul(1000) < written.0)
}

/// The fix that writes these paths over targets; none for a text that is drawn from fields.
fn fix(subject: &Subject<'_>, rewrites: &[(&Target, &str)]) -> Option<Fix> {
    let (first, others) = rewrites.split_first()?;
    let (start, body) = subject.body();
    let (mut edits, mut new) = (Vec::new(), Vec::new());
    for (target, path) in rewrites {
        let items = target.items.iter();
        edits.extend(items.map(|(field, index)| set_item(&**field, *index, *path)));
        for spot in &target.spots {
            let at = spot.start.checked_sub(start)?..spot.end.checked_sub(start)?;
            // The root that it is written behind stays.
            let head = body.get(at.clone())?.strip_suffix(&*target.written)?;
            new.push((at, format!("{head}{path}")));
        }
    }
    new.sort_by_key(|(at, _)| at.start);
    if !new.is_empty() {
        edits.push(FieldEdit::Body(replaced(body, new)));
    }
    let title = match others.len() {
        0 => format!("name {} instead", quote(first.1)),
        more => format!("name {} and {more} more instead", quote(first.1)),
    };
    let may = !edits.is_empty() && !subject.memory.schema.can.in_rows;
    may.then(|| subject.edit(title, edits))
}

/// How often a file is followed from one place to the next.
const MOST_MOVES: usize = 4;
/// Files of a folder that are followed to see where it went.
const MOST_FILES: usize = 200;
static COMMON: Words = Words::named("common-files");
/// Folders and endings of what programs write, which no repository keeps for long.
static MADE: [Words; 2] = [Words::named("made-folders"), Words::named("made-endings")];

/// True if many files have the name of this one.
pub(super) fn is_common(path: &str) -> bool {
    let stem = last_part(path).split('.').find(|part| !part.is_empty());
    COMMON.has(&stem.unwrap_or_default().to_lowercase())
}

/// True if programs write a path while they run.
pub(super) fn is_made(path: &str) -> bool {
    let [folders, endings] = &MADE;
    let ending = last_part(path).rsplit('.').next();
    path.split('/').any(|part| folders.has(part)) || ending.is_some_and(|end| endings.has(end))
}

/// Current location of a file or folder, and the commits that moved it there.
#[derive(Clone, Debug, Default)]
pub(super) struct Whereabouts {
    pub now: Option<String>,
    /// The gone file whose commit brought it there, or removed it for good.
    pub commit: Option<usize>,
    /// The gone file whose commit took it from where the memory has it.
    pub left: Option<usize>,
    /// The files that it may be now: several that git cannot tell apart, or the one with its name.
    pub alike: Vec<String>,
}

/// Follows gone paths to where they are now; `own` tells files of stores, which replace none.
pub(super) fn find(
    (project, history): (&dyn Project, &History),
    wanted: HashSet<Meaning>,
    own: &dyn Fn(&str) -> bool,
) -> HashMap<Meaning, Whereabouts> {
    let files = |meaning: &Meaning| match meaning {
        Meaning::File(at, _) => *at..*at + 1,
        Meaning::Folder(at, _) => {
            let files = history.gone.below(history.gone_folders.at(*at));
            files.start..files.end.min(files.start + MOST_FILES)
        }
        Meaning::Present | Meaning::Unknown => 0..0,
    };
    let all = wanted.iter().flat_map(files).collect();
    let trails = follow((project, history), all);
    let place = |meaning: Meaning| match meaning {
        Meaning::File(at, _) => file((history, own), &trails, at),
        Meaning::Folder(at, _) => folder(history, &trails, history.gone_folders.at(at)),
        Meaning::Present | Meaning::Unknown => Whereabouts::default(),
    };
    wanted.into_iter().map(|one| (one, place(one))).collect()
}

/// Follows each of these files from move to move.
fn follow(
    (project, history): (&dyn Project, &History),
    files: BTreeSet<usize>,
) -> HashMap<usize, Whereabouts> {
    let mut trails: HashMap<usize, Whereabouts> = HashMap::new();
    // Current position of each file, by the original file.
    let mut open: Vec<(usize, usize)> = files.into_iter().map(|file| (file, file)).collect();
    for _ in 0..MOST_MOVES {
        let unknown = open.iter().filter(|(_, at)| history.to(*at).is_none());
        let commits = unknown.filter_map(|(_, at)| Some(history.commit(*at)?.id.as_ref()));
        let commits: Vec<&str> = commits.collect::<BTreeSet<_>>().into_iter().collect();
        let renames = (!commits.is_empty()).then(|| project.renames(&commits));
        let mut places: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for (from, to) in renames.iter().flatten() {
            places.entry(from).or_default().insert(to);
        }
        let mut next = Vec::new();
        for (file, at) in open {
            let exact = history.to(at).map(|to| BTreeSet::from([to]));
            let mut places = exact
                .or_else(|| places.get(history.gone.at(at)).cloned())
                .unwrap_or_default();
            if places.len() > 1 {
                places.retain(|to| history.files.has(to));
            }
            let trail = trails.entry(file).or_default();
            (trail.left, trail.commit) = (Some(file), Some(at));
            match Vec::from_iter(places).as_slice() {
                [to] if history.files.has(to) => trail.now = Some((*to).to_owned()),
                [to] => next.extend(history.gone.get(to).map(|to| (file, to))),
                several => trail.alike = several.iter().map(ToString::to_string).collect(),
            }
        }
        open = next;
    }
    trails
}

fn file(
    (history, own): (&History, &dyn Fn(&str) -> bool),
    trails: &HashMap<usize, Whereabouts>,
    at: usize,
) -> Whereabouts {
    let mut found = trails.get(&at).cloned().unwrap_or_default();
    let name = last_part(history.gone.at(at));
    if found.now.is_none() && found.alike.is_empty() && !is_common(name) {
        let named = history.named(name).filter(|path| !own(path));
        // Two of one name are no hint.
        if let [one] = *named.take(2).collect::<Vec<_>>() {
            found.alike.push(one.to_owned());
        }
    }
    found
}

/// The whereabouts of a folder: where most of its files are that are still there.
fn folder(history: &History, trails: &HashMap<usize, Whereabouts>, folder: &str) -> Whereabouts {
    let newest = |files: &mut dyn Iterator<Item = usize>| {
        files.min_by_key(|at| (history.commits_since(*at), *at))
    };
    let files = history.gone.below(folder).take(MOST_FILES);
    let left = newest(&mut files.clone());
    let (mut ends, mut moved): (BTreeMap<&str, Vec<usize>>, usize) = (BTreeMap::new(), 0);
    for at in files.clone() {
        let trail = trails.get(&at);
        let rest = history.gone.at(at).get(folder.len()..).unwrap_or_default();
        if let Some((trail, now)) = trail.and_then(|trail| Some((trail, trail.now.as_deref()?))) {
            moved += 1;
            let end = now.strip_suffix(rest);
            if let Some(end) = end.filter(|end| history.folders.has(end)) {
                ends.entry(end).or_default().extend(trail.commit);
            }
        }
    }
    let most = ends.into_iter().max_by_key(|(_, files)| files.len());
    // One that is left of many went its own way.
    let most =
        most.filter(|(_, of)| of.len() * 2 > moved && (of.len() > 1 || of.len() * 2 > files.len()));
    let (now, came) = most.unzip();
    Whereabouts {
        now: now.map(str::to_owned),
        commit: came.map_or(left, |files| newest(&mut files.into_iter())),
        left,
        ..Whereabouts::default()
    }
}
