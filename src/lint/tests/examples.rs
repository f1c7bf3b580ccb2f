//! Runs the rows of every `tests/lint/*.toml` that has a `[[case]]`: examples of what a rule finds,
//! and counter-examples in which it finds nothing.
//!
//! A case names one rule and a repository; each row is a memory, or several. `{random:24}` in a text
//! stands for 24 characters that look random, so that no file holds anything like a real token.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Deserialize;

use super::*;
use crate::lint::repository::{
    Blob, Change as FileChange, Commit, Gone, History, Log, Project, Rewritten, Symbols, Was,
};
use crate::memory::Expiry;
use crate::memory::edit::FieldEdit;
use crate::systems::golemcore::GOLEMCORE;
use crate::systems::rum::{LAYERS, Layers, RUM, markdown};

#[derive(Deserialize)]
struct Table {
    #[serde(default)]
    case: Vec<Case>,
}

/// A rule, or several with a blank between, and the repository around its memories.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Case {
    rule: String,
    /// True if the memories are rows of golemcore, named by file and id: `semantic#a`.
    golemcore: bool,
    /// Whole files whose findings go away with their fixes.
    fixable: Vec<String>,
    /// Paths that are gone, each with its new path or an empty text.
    gone: BTreeMap<String, String>,
    /// The same of several commits, newest first.
    commits: Vec<BTreeMap<String, String>>,
    /// True if no commit took the paths that are gone yet.
    uncommitted: bool,
    /// The folder of the repository, `/repo/tide` if it does not matter.
    root: Option<String>,
    /// Files that exist. Four commits changed `src/a.rs`.
    files: Vec<String>,
    /// Lines of both versions of a file that are not in the other one, and of both versions.
    rewritten: Option<[usize; 2]>,
    manifests: BTreeMap<String, String>,
    earlier: String,
    /// Names that left the code, which defined them.
    names: Vec<String>,
    /// True if a commit took them.
    committed: bool,
    found: Vec<String>,
    /// Bodies in which the rule has a warning or an error.
    warned: Vec<String>,
    /// Bodies in which the rule has suggestions only.
    suggested: Vec<String>,
    clean: Vec<String>,
    row: Vec<Row>,
}

/// One memory, or several, and what the rule finds in it.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Row {
    body: String,
    /// Frontmatter lines in addition to those that every memory needs.
    front: String,
    /// The whole file, in place of body and frontmatter.
    text: Option<String>,
    /// Bodies by the name of their memory; one that begins with a fence is a whole file.
    memories: BTreeMap<String, String>,
    /// Every finding: `severity message`, after `name: ` in a row of several memories.
    finds: Vec<String>,
    /// The texts that the findings cover; enough alone where messages do not matter.
    at: Option<Vec<String>>,
    /// Body or whole text after the fixes.
    fixed: Option<String>,
    /// The first finding's fix, its evidence, and its line and column.
    fix: Option<String>,
    evidence: Option<Vec<String>>,
    place: Option<(u32, u32)>,
    words: Option<u32>,
    hidden: Option<String>,
    problems: Vec<(String, String)>,
    /// Memories that are archived, and whose time is over.
    archived: Vec<String>,
    expired: Vec<String>,
    /// When every memory was written, changed and confirmed.
    created: Option<String>,
    updated: Option<String>,
    confirmed: Option<String>,
}

/// A fix in short: `set tags a, b`, `item whenToUse[1] auth`, `rename pool-size`.
pub(super) fn short(fix: &Fix) -> String {
    let edit = |edit: &FieldEdit| match edit {
        FieldEdit::Set { field, value } => format!("set {field} {value}"),
        FieldEdit::Unset { field } => format!("unset {field}"),
        FieldEdit::AddItem { field, item } => format!("add {field} {item}"),
        FieldEdit::RemoveItem { field, index } => format!("remove {field}[{index}]"),
        FieldEdit::SetItem {
            field,
            index,
            value,
        } => format!("item {field}[{index}] {value}"),
        FieldEdit::Body(_) => "body".to_owned(),
        FieldEdit::Text(_) => "text".to_owned(),
    };
    match &fix.change {
        Change::Edit { edits, .. } => edits.iter().map(edit).collect::<Vec<_>>().join("; "),
        Change::Rename { to, .. } => format!("rename {to}"),
        Change::Merge { with, .. } => format!("merge {}", with.local),
        Change::Archive(ids) => format!("archive {}", ids[0].local),
        Change::SplitFile(_) => "split".to_owned(),
        Change::Normalize(_) => "normalize".to_owned(),
        other => format!("{other:?}"),
    }
}

pub(super) fn new_text(fix: &Fix) -> Option<String> {
    let Change::Edit { edits, .. } = &fix.change else {
        return None;
    };
    edits.iter().find_map(|edit| match edit {
        FieldEdit::Body(text) | FieldEdit::Text(text) => Some(text.clone()),
        _ => None,
    })
}

/// A row of golemcore's, in a file below its tree: its fields between fences, and its text.
fn golemcore_row(name: &str, text: &str) -> Sample {
    let (fields, content) = text.split_once("---\n").unwrap();
    let fields = frontmatter::read(fields).unwrap();
    let file = name.split('#').next().unwrap_or_default();
    let path = format!("/repo/memory/items/{file}.jsonl");
    let id = MemoryId::new(&"golemcore".into(), name);
    let created = fields.get("createdAt").and_then(Value::as_str);
    let row = Memory {
        span: 0..content.len(),
        body: 0..content.len(),
        words: u32::try_from(content.split(' ').count()).unwrap(),
        created: created.and_then(Timestamp::parse_iso),
        fields,
        ..Memory::new(id, Path::new(&path).into(), &GOLEMCORE)
    };
    Sample::whole(row, content)
}

/// A sample as the store of the row would have read it.
fn loaded(row: &Row, sample: Sample) -> Sample {
    sample.change(|memory| {
        let local = memory.id.local.to_string();
        let has = |names: &[String]| names.contains(&local);
        if has(&row.archived) {
            memory.state = State::Archived;
        }
        let over = has(&row.expired).then_some(Expiry {
            at: Timestamp(NOW.0 - 86_400_000),
            why: "its ttlDays are over",
        });
        memory.expires = memory.expires.or(over);
        memory.words = row.words.unwrap_or(memory.words);
        memory.hidden = row.hidden.as_deref().map(Into::into);
        memory.document = u32::from(local.ends_with("#2"));
        let date = memory.field("discoveredAt").and_then(Value::as_str);
        let date = row.created.as_deref().or(date);
        memory.created = memory.created.or(date.and_then(Timestamp::parse_iso));
        memory.updated = row.updated.as_deref().and_then(Timestamp::parse_iso);
        memory.confirmed = row.confirmed.as_deref().and_then(Timestamp::parse_iso);
        let problems = row.problems.iter().map(|(rule, message)| Problem {
            rule: crate::lint::rule(rule).unwrap().id,
            severity: Severity::Error,
            line: 3,
            column: 7,
            message: message.as_str().into(),
        });
        memory.problems = problems.collect();
    })
}

fn project_of(case: &Case) -> Fake {
    let commits = match case.commits.is_empty() {
        true => std::slice::from_ref(&case.gone),
        false => &*case.commits,
    };
    let paths = case.files.iter().chain(case.manifests.keys());
    let mut files: Vec<String> = paths.cloned().collect();
    if case.commits.is_empty() {
        let new = case.gone.values().filter(|to| !to.is_empty());
        files.extend(new.cloned());
    }
    let root = case.root.as_deref().unwrap_or("/repo/tide");
    let history = match case.uncommitted {
        true => {
            let missing = moves(&case.gone).collect();
            History::new(root, files, Arc::default(), missing)
        }
        false => history(root, files, commits),
    };
    let was = Was {
        path: "src/holds.ts".to_owned(),
        commit: case.committed.then(|| commit(0)),
    };
    let names = case.names.iter();
    let rewritten = case
        .rewritten
        .map(|[changed, lines]| Rewritten { changed, lines });
    Fake {
        files: case.manifests.clone(),
        history,
        gone: names.map(|name| (name.clone(), was.clone())).collect(),
        earlier: case.earlier.clone(),
        rewritten,
    }
}

/// So many characters of an alphabet that look random, the same in every run with a seed.
fn random(length: usize, alphabet: &[u8], seed: u64) -> String {
    let mut state = 0x2545_f491_4f6c_dd1d_u64 ^ (seed << 32);
    let mut next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(alphabet[usize::try_from(state >> 33).unwrap() % alphabet.len()])
    };
    (0..length).map(&mut next).collect()
}

/// A text with its placeholders filled: `{random:24}`, `{hex:32}`, `{base32:16}`.
pub(crate) fn filled(text: &str) -> String {
    filled_with(text, 0)
}

/// The same with other characters for each seed.
pub(crate) fn filled_with(text: &str, seed: u64) -> String {
    static PLACEHOLDER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{(random|hex|base32):([0-9]+)\}").unwrap());
    let fill = |captures: &Captures<'_>| {
        let alphabet = match &captures[1] {
            "hex" => &b"0123456789abcdef"[..],
            "base32" => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            _ => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
        };
        random(captures[2].parse().unwrap(), alphabet, seed)
    };
    PLACEHOLDER.replace_all(text, fill).into_owned()
}

/// A memory with a body, or with a whole file that begins with a fence.
pub(super) fn sample(name: &str, front: &str, body: &str) -> Sample {
    match body.starts_with("---\n") {
        true => memory(name).text(&filled(body)),
        false => memory(name).front(front, &filled(body)),
    }
}

fn outcome(project: &Fake, case: &Case, row: &Row) -> Row {
    let text = |name: &str, body: &str| match case.golemcore {
        true => golemcore_row(name, body),
        false => sample(name, &row.front, body),
    };
    let samples: Vec<Sample> = match (&row.text, row.memories.is_empty()) {
        (Some(whole), _) => vec![memory("a").text(&filled(whole))],
        (None, true) => vec![sample("a", &row.front, &row.body)],
        (None, false) => row.memories.iter().map(|(n, body)| text(n, body)).collect(),
    };
    let samples: Vec<Sample> = samples.into_iter().map(|one| loaded(row, one)).collect();
    let texts: Vec<String> = samples.iter().map(|one| one.text.clone()).collect();
    let store = Store::new(samples);
    let cx = Context {
        project,
        ..store.cx()
    };
    let rules: Vec<&str> = case.rule.split(' ').collect();
    let findings = digest(&cx, &Selection::of(&rules).unwrap(), usize::MAX).findings;
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
    let first = findings.first();
    Row {
        finds: findings.iter().map(one).collect(),
        at: Some(findings.iter().map(covered).collect()),
        fixed: findings
            .iter()
            .find_map(|one| new_text(one.fix.as_deref()?)),
        fix: first.map(|one| one.fix.as_deref().map_or("none".to_owned(), short)),
        evidence: first.map(|one| one.evidence.clone()),
        place: first.map(|one| (one.line, one.column)),
        ..Row::default()
    }
}

fn wrong(row: &Row, outcome: &Row) -> Option<String> {
    let fill = |texts: &[String]| texts.iter().map(|text| filled(text)).collect::<Vec<_>>();
    let places = row.at.as_ref().map(|at| fill(at));
    // Places or a fix alone may stand for the findings.
    let is_short = row.finds.is_empty() && (places.is_some() || row.fix.is_some());
    let finds = is_short || fill(&row.finds) == outcome.finds;
    let right = finds
        && (places.is_none() || places == outcome.at)
        && (row.fix.is_some() && row.fixed.is_none()
            || row.fixed.as_deref().map(filled) == outcome.fixed)
        && (row.fix.is_none() || row.fix == outcome.fix)
        && (row.evidence.is_none() || row.evidence == outcome.evidence)
        && (row.place.is_none() || row.place == outcome.place);
    let given = (&row.body, &row.text, &row.memories, &row.front);
    let first = (&outcome.fix, &outcome.evidence, &outcome.place);
    let got = (&outcome.finds, &outcome.at, &outcome.fixed, first);
    (!right).then(|| format!("{given:?}\n   finds {got:?}"))
}

fn wrong_rows(case: &Case) -> Vec<String> {
    let project = project_of(case);
    let rows = case.row.iter();
    let rows = rows.filter_map(|row| wrong(row, &outcome(&project, case, row)));
    let mut wrongs: Vec<String> = rows.collect();
    let is_info = |find: &String| find.starts_with("info ");
    // True if there are findings, and whether all are suggestions.
    let lists = [
        (&case.found, &[(true, false), (true, true)][..]),
        (&case.warned, &[(true, false)]),
        (&case.suggested, &[(true, true)]),
        (&case.clean, &[(false, true)]),
    ];
    let pairs = lists.map(|(all, is)| all.iter().map(move |body| (body, is)));
    for (body, expected) in pairs.into_iter().flatten() {
        let row = Row {
            body: body.clone(),
            ..Row::default()
        };
        let finds = outcome(&project, case, &row).finds;
        if !expected.contains(&(!finds.is_empty(), finds.iter().all(is_info))) {
            wrongs.push(format!("{body:?}\n   finds {finds:?}"));
        }
    }
    wrongs.extend(case.fixable.iter().filter_map(|text| unfixed(case, text)));
    wrongs
}

/// Checks that the first fix leaves no finding. Only fixes of warnings and sure findings are safe.
fn unfixed(case: &Case, text: &str) -> Option<String> {
    let found = |text: &str| {
        let sample = memory("a").text(text);
        let store = Store::new(vec![sample, memory("other-memory").front("", "x")]);
        let mut findings = store.only(&case.rule);
        findings.retain(|finding| finding.memory == 0);
        findings
    };
    let findings = found(text);
    let Some(finding) = findings.first() else {
        return Some(format!("nothing in {text:?}"));
    };
    let edits = finding.fix.as_deref().and_then(|fix| match &fix.change {
        Change::Edit { edits, .. } => Some((edits, fix.safe)),
        _ => None,
    });
    let Some((edits, safe)) = edits else {
        return Some(format!("{text:?} has no fix"));
    };
    let sure = finding.severity != Severity::Info || finding.confidence >= 0.95;
    let fixed = crate::memory::edit::apply(
        crate::memory::format::schema("rawko"),
        text.as_bytes(),
        0,
        edits,
    )
    .unwrap();
    let left = found(&String::from_utf8(fixed).unwrap());
    (!left.is_empty() || safe && !sure).then(|| format!("{text:?}: {left:?}"))
}

#[test]
fn rules_find_the_examples_and_leave_the_counter_examples_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint");
    let mut wrongs = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for case in &toml::from_str::<Table>(&text).unwrap().case {
            let of_case = wrong_rows(case).into_iter();
            wrongs.extend(of_case.map(|wrong| format!("{}: {wrong}", case.rule)));
        }
    }
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}

#[derive(Default)]
struct Fake {
    files: BTreeMap<String, String>,
    history: History,
    rewritten: Option<Rewritten>,
    gone: BTreeMap<String, Was>,
    earlier: String,
}

/// One of four commits, the newest first, a second from each other.
fn commit(n: i64) -> Commit {
    let ids = ["1a2b3c4d", "2b3c4d5e", "3c4d5e6f", "4d5e6f7a"];
    Commit {
        id: ids[usize::try_from(n).unwrap()].into(),
        // The newest is of 2026-01-15T00:00:09Z.
        time: 1_768_435_209 - n,
        author: "Ines".into(),
        subject: "Move it".into(),
    }
}

/// Paths, each with where it moved; nothing if that is an empty text.
fn moves(paths: &BTreeMap<String, String>) -> impl Iterator<Item = (Box<str>, Option<Box<str>>)> {
    let to = |to: &String| Some(to.as_str().into()).filter(|_| !to.is_empty());
    paths
        .iter()
        .map(move |(path, new)| (path.as_str().into(), to(new)))
}

/// A repository of these files, and of the paths that its commits took, the newest first. All four
/// commits changed `src/a.rs`.
fn history(root: &str, mut files: Vec<String>, taken: &[BTreeMap<String, String>]) -> History {
    let gone = (0..).zip(taken).flat_map(|(commit, paths)| {
        moves(paths).map(move |(path, to)| Gone {
            path,
            commit,
            blob: Blob([1; 20]),
            to,
        })
    });
    let change = |commit| FileChange {
        commit,
        old: Some(Blob([7; 20])),
    };
    let log = Log {
        commits: (0..4).map(commit).collect(),
        gone: gone.collect(),
        changes: [("src/a.rs".into(), (0..4).map(change).collect())].into(),
        ..Log::default()
    };
    files.push("src/a.rs".to_owned());
    History::new(root, files, Arc::new(log), BTreeMap::new())
}

impl Project for Fake {
    fn history(&self) -> Result<&History, &str> {
        Ok(&self.history)
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }

    fn rewritten(&self, wanted: &[(&str, Blob)]) -> Vec<Option<Rewritten>> {
        vec![self.rewritten; wanted.len()]
    }

    fn versions(&self, wanted: &[Blob], take: &mut dyn FnMut(usize, &str)) {
        (0..wanted.len()).for_each(|at| take(at, &self.earlier));
    }

    fn symbols(&self, names: &BTreeSet<String>, _: &BTreeSet<String>) -> Symbols {
        let mut gone = self.gone.clone();
        gone.retain(|name, _| names.contains(name));
        Symbols {
            gone,
            partial: None,
        }
    }
}

fn learned_row(goal: &str, learned: &str) -> Vec<Finding> {
    let layers = serde_json::json!({
        "intent": { "goal": goal, "task_type": "bug_fix" },
        "actions": [{ "type": "file_edit", "file_path": "tools/pack.py" }],
        "outcome": { "success": true, "summary": "done", "learnings": [learned] },
    });
    let layers = Layers(LAYERS.map(|name| layers[name].clone()));
    let body = markdown::memory(&layers);
    let mut sample = memory("a");
    sample.memory.schema = &RUM;
    sample.memory.fields = [("goal", Value::from(goal))].into_iter().collect();
    (sample.memory.span, sample.memory.body) = (0..body.len(), 0..body.len());
    sample.text = body;
    let moved = [("tools/pack.py".to_owned(), "pipeline/pack.py".to_owned())];
    let project = Fake {
        history: history(
            "/repo",
            vec!["pipeline/pack.py".to_owned()],
            &[moved.into()],
        ),
        ..Fake::default()
    };
    let store = Store::new(vec![sample]);
    let cx = Context {
        project: &project,
        ..store.cx()
    };
    run(&cx, &Selection::of(&["stale-path"]).unwrap())
}

#[test]
fn what_an_agent_did_is_a_record_and_what_it_learned_is_not() {
    for [goal, learned, severity] in crate::text::rows::<Vec<[String; 3]>>("tables", "learned") {
        let findings = learned_row(&goal, &learned);
        let found: Vec<_> = findings.iter().map(|one| one.severity.word()).collect();
        assert_eq!(found, [severity.as_str()], "{goal} {learned}");
        let is_fixed = findings[0].fix.is_some();
        assert!(!is_fixed || severity == "warning", "{findings:?}");
    }
}
