//! `stale-command`: commands whose target is in no file of their runner any more, or never was. Runners
//! are the rows of `assets/lint/runners.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

use regex::{Captures, Regex};
use serde::Deserialize;
use serde_json::Value;

use super::chars::{last_of, quote};
use super::cues::{Cue, Cues};
use super::repository::{History, Meaning, Project, is_own};
use super::select::distance;
use super::{Finding, Rule, Subject};
use crate::memory::Severity;
use crate::text::patterns::{Pattern, compact};

/// Findings of one runner in one memory.
const MOST: usize = 20;
/// Files of a runner that are read, the nearest to the root, and earlier versions, the newest.
const MOST_FILES: usize = 500;
const MOST_VERSIONS: usize = 2_000;
/// Bytes before a command in which the folder may change.
const BEFORE: usize = 600;

/// Words that may stand between a program and its target: flags, some with a word, and variables.
const FLAGS: &str = concat!(
    r"(?: +(?:-[CfjoIFwp]|workspace|--(?:directory|file|prefix|filter|workspace|cwd|dir|justfile|with|",
    r"extra|group|package|project|env-file|manifest-path))[ =][^\s`]+| +-[^\s`]+| +[A-Za-z_]+=[^\s`]*)*"
);

/// A program that runs targets, and the form of the files that list them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Runner {
    files: Vec<String>,
    program: String,
    verb: String,
    sure: String,
    own: String,
    keys: Vec<String>,
    lines: Option<Pattern>,
    open: Option<Pattern>,
    /// How a target is called: made of the others.
    #[serde(skip)]
    call: Option<Regex>,
}

static TABLE: LazyLock<Vec<Runner>> = LazyLock::new(|| {
    let table = include_str!("../../assets/lint/runners.toml");
    let table: BTreeMap<String, Vec<Runner>> = toml::from_str(table).unwrap_or_default();
    let runners = table.into_values().flatten();
    let runners = runners.map(|one| Runner {
        call: one.call(),
        ..one
    });
    runners.collect()
});

static VARIABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| compact(r"\$\([^)\n]*\)|\$\{[^}\n]*\}"));

static MOVE: LazyLock<Option<Regex>> = LazyLock::new(|| compact(r"\bcd +(?<folder>[^\s&;|`]+)"));

/// The earlier targets, each with the file that listed it last and the commit that took it out.
type Past = BTreeMap<String, (String, u32)>;

struct Listed {
    /// The file that is nearest to the root; none if there is no file.
    path: Option<String>,
    /// With `%` for any text.
    targets: BTreeSet<String>,
    past: OnceLock<Past>,
}

impl Listed {
    /// True if a target may be there, by its name or by a pattern.
    fn has(&self, target: &str) -> bool {
        let fits = |name: &String| match (name.split_once('%'), name.rsplit_once('%')) {
            (Some((start, _)), Some((_, end))) => {
                target.starts_with(start) && target.ends_with(end)
            }
            _ => name == target,
        };
        self.targets.iter().any(fits)
    }
}

impl Runner {
    fn has_file(&self, path: &str) -> bool {
        self.files.iter().any(|name| match name.strip_prefix('*') {
            Some(ending) => path.ends_with(ending),
            None => (path.strip_suffix(&**name))
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/')),
        })
    }

    /// The targets that a file lists; none if it may have others.
    fn targets(&self, path: &str, text: &str) -> Option<BTreeSet<String>> {
        if self.open.as_ref().is_some_and(|open| open.is_in(text)) {
            return None;
        }
        if let Some(lines) = &self.lines {
            let text = VARIABLE.as_ref()?.replace_all(text, "%");
            let names = lines.places(&text).filter_map(|(_, name)| text.get(name));
            let names = names.flat_map(str::split_whitespace);
            // Below the root, a file that takes any target is not the one that is meant.
            let names = names.filter(|name| *name != "%" || !path.contains('/'));
            return Some(names.map(str::to_owned).collect());
        }
        let value: Value = match path.rsplit('.').next()? {
            "json" | "jsonc" => serde_json::from_str(text).ok()?,
            "yml" | "yaml" => serde_yaml::from_str(text).ok()?,
            _ => toml::from_str(text).ok()?,
        };
        let tables = self.keys.iter();
        let tables = tables.filter_map(|key| value.pointer(key)?.as_object());
        Some(tables.flat_map(|table| table.keys().cloned()).collect())
    }

    fn read(&self, project: &dyn Project, history: &History) -> Listed {
        let files = history.files.iter().filter(|path| self.has_file(path));
        let mut files: Vec<&str> = files.collect();
        files.sort_by_key(|path| (path.matches('/').count(), *path));
        let mut targets = BTreeSet::new();
        let mut is_open = files.len() > MOST_FILES;
        for path in files.iter().take(MOST_FILES) {
            match self.targets(path, &project.read(path).unwrap_or_default()) {
                Some(found) => targets.extend(found),
                None => is_open |= is_own(path),
            }
        }
        targets.extend(is_open.then(|| "%".to_owned()));
        Listed {
            path: files.first().map(|path| (*path).to_owned()),
            targets,
            past: OnceLock::new(),
        }
    }

    fn past(&self, project: &dyn Project, history: &History) -> Past {
        let mut all = history.versions(&|path| self.has_file(path) && is_own(path));
        all.truncate(MOST_VERSIONS);
        let blobs: Vec<_> = all.iter().map(|(.., blob)| *blob).collect();
        let mut past = Past::new();
        project.versions(&blobs, &mut |at, text| {
            if let Some((commit, path, _)) = all.get(at) {
                for target in self.targets(path, text).unwrap_or_default() {
                    let was = || ((*path).to_owned(), *commit);
                    past.entry(target).or_insert_with(was);
                }
            }
        });
        past
    }

    fn call(&self) -> Option<Regex> {
        let program = &self.program;
        let verb = match &*self.verb {
            "" => String::new(),
            verb => format!("(?: +(?<verb>{verb}){FLAGS})?"),
        };
        let target = "(?<target>[A-Za-z0-9_][A-Za-z0-9_:.+-]*)(?<behind>[^`\n&;|#]*)";
        let start = format!(r"\b(?<program>{program}){FLAGS}{verb}");
        compact(&format!("{start} +{target}"))
    }
}

pub(super) fn files() -> impl Iterator<Item = &'static str> {
    let names = TABLE.iter().flat_map(|runner| &runner.files);
    let names = names.map(String::as_str);
    names.filter(|name| !name.starts_with('*'))
}

pub(super) fn check(rule: &Rule, subject: &Subject<'_>, out: &mut Vec<Finding>) {
    let (_, body) = subject.body();
    for (n, runner) in TABLE.iter().enumerate() {
        let pattern = runner.call.iter();
        let calls = pattern.flat_map(|call| call.captures_iter(body));
        let found = calls.filter_map(|call| finding((rule, subject), (n, runner), &call));
        // Of each target the first mention that misleads.
        let mut seen = BTreeSet::new();
        let found = found.filter(|found| seen.insert(found.message.clone()));
        out.extend(found.take(MOST));
    }
}

fn finding(
    (rule, subject): (&Rule, &Subject<'_>),
    (n, runner): (usize, &Runner),
    call: &Captures<'_>,
) -> Option<Finding> {
    let ((_, body), cues) = (subject.body(), subject.cues());
    let (program, target) = (call.name("program")?, call.name("target")?);
    let name = target.as_str().trim_end_matches([':', '.', '-', '+']);
    let verb = call.name("verb").map(|verb| verb.as_str());
    let is_in = |words: &str, word: &str| words.split_whitespace().any(|one| one == word);
    if name.contains("::") || (verb.is_none() && is_in(&runner.own, name)) {
        return None;
    }
    let behind = call.name("behind")?.as_str();
    let code = code_before(body, cues, program.start());
    let is_named = verb.is_some() || name.contains([':', '-']);
    let is_first = code.is_some_and(is_first);
    let before = body.get(..program.start())?;
    let is_part = before.ends_with(['-', '/', '.', '_', '@', '"', '\'', ':']);
    if is_part || behind.starts_with(|c| "/*<{(=@$['".contains(c)) || !(is_first || is_named) {
        return None;
    }
    let history = subject.history(rule.id, "commands")?;
    let project = subject.cx.project;
    let read = || TABLE.iter().map(|runner| runner.read(project, history));
    let listed = subject.facts.of(|| read().collect::<Vec<_>>()).get(n)?;
    let bytes = program.start()..target.start() + name.len();
    let flags = body.get(bytes.start..target.start())?;
    let is_away = flags.contains(['~', '$']) || flags.contains(" /") || flags.contains("..");
    if is_away || listed.has(name) {
        return None;
    }
    let mut is_below = flags.contains(" -");
    let before = code.unwrap_or_default();
    for moved in MOVE.iter().flat_map(|one| one.captures_iter(before)) {
        // Of folders that are not there nothing is known.
        let folder = moved.name("folder")?.as_str().trim_matches(['"', '/', '.']);
        is_below = !folder.is_empty() && folder != history.name();
        (!is_below || history.meaning(folder) == Meaning::Present).then_some(())?;
    }
    let program = program.as_str();
    let command = verb.map_or_else(|| program.to_owned(), |verb| format!("{program} {verb}"));
    let is_whole = behind.trim().is_empty() || behind.starts_with(" -");
    let is_sure = is_in(&runner.sure, &command.replace(' ', "-")) && !name.contains('.');
    let past = listed.past.get_or_init(|| runner.past(project, history));
    let was = past.get(name);
    let is_claim = is_first && is_whole && is_sure && !is_below && listed.path.is_some();
    let cue = cues.of_claim(&bytes);
    if (was.is_none() && !is_claim) || cue.is_some_and(|cue| cue != Cue::Negated) {
        return None;
    }
    let commit = was.and_then(|(_, commit)| history.commit_at(*commit));
    let (severity, confidence) = match (was, cue) {
        (Some(_), None) if listed.path.is_some() => (Severity::Warning, 0.9),
        _ => (Severity::Info, 0.4),
    };
    let alike = |other: &&String| {
        other.starts_with(name) || distance(name, other, name.len() / 4).is_some()
    };
    let near = listed.targets.iter().filter(alike);
    let near = near.min_by_key(|other| other.len());
    let near = near.map(|near| format!(": did you mean {}?", quote(&format!("{command} {near}"))));
    let fate = was.map_or("is no target of", |_| "is gone from");
    let path = quote(was.map(|(path, _)| path).or(listed.path.as_ref())?);
    let command = quote(&format!("{command} {name}"));
    let says = format!("{command} {fate} {path}{}", near.unwrap_or_default());
    let finding = subject.finding(rule.id, severity, subject.in_body(&bytes));
    let finding = finding.sure(confidence).says(says);
    let finding = finding.because_of(commit.map(|commit| commit.evidence("taken out")));
    Some(finding.because_of(cue.map(Cue::evidence)))
}

/// The code before a byte in its block or its span; none if it is in prose.
fn code_before<'t>(body: &'t str, cues: &Cues<'_>, at: usize) -> Option<&'t str> {
    let before = last_of(body.get(..at)?, BEFORE);
    if cues.outline().is_fenced(at) {
        return before.rsplit("```").next();
    }
    let line = before.rsplit('\n').next()?;
    let (_, span) = line.rsplit_once('`')?;
    (line.matches('`').count() % 2 == 1).then_some(span)
}

/// True if a command begins behind this: a line, a span, another command or a variable.
fn is_first(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let last = line.split_whitespace().next_back().unwrap_or("$");
    let is_prefix = ["sudo", "run", "exec"].contains(&last) || last.contains('=');
    is_prefix || last.ends_with(['&', ';', '|', '$', '('])
}
