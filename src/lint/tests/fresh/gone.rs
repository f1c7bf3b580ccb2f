//! Paths, names and versions that are gone: the rows of `tests/lint/stale.toml`, and what became of
//! them.

use serde::Deserialize;

use super::*;
use crate::memory::edit::FieldEdit;
use crate::memory::golemcore::GOLEMCORE;
use crate::memory::rum::{Layers, RUM, markdown};

/// A repository, and memories about it.
#[derive(Deserialize)]
struct Case {
    rule: String,
    /// Paths that are gone, each with where it moved, or nothing.
    #[serde(default)]
    gone: BTreeMap<String, String>,
    /// Files that are there.
    #[serde(default)]
    files: Vec<String>,
    /// Manifests by their path.
    #[serde(default)]
    manifests: BTreeMap<String, String>,
    /// Names that left the code, each with whether the code defined it.
    #[serde(default)]
    names: BTreeMap<String, bool>,
    row: Vec<Row>,
}

/// The body of a memory, what is found in it, and the body that the fixes make of it.
#[derive(Deserialize)]
struct Row {
    body: String,
    #[serde(default)]
    finds: Vec<String>,
    #[serde(default)]
    fixed: Option<String>,
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
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
    let files = case
        .files
        .iter()
        .chain(case.manifests.keys())
        .map(String::as_str);
    let files: Vec<&str> = files.chain(moved).collect();
    let was = |defined| Was {
        path: "src/holds.ts".to_owned(),
        defined,
        ..Was::default()
    };
    let manifests = case.manifests.iter();
    Fake {
        files: manifests
            .map(|(path, text)| (leaked(path), leaked(text)))
            .collect(),
        history: taken(&gone, &files).with_remotes(&["git@github.com:acme/tide.git".to_owned()]),
        gone: case
            .names
            .iter()
            .map(|(name, defined)| (name.clone(), was(*defined)))
            .collect(),
        ..Fake::default()
    }
}

#[test]
fn each_row_of_the_table_is_found_as_it_says() {
    let cases: Cases = toml::from_str(include_str!("../../../../tests/lint/stale.toml")).unwrap();
    let mut wrong = Vec::new();
    for case in &cases.case {
        let project = project_of(case);
        for row in &case.row {
            let findings = found(&project, &case.rule, memory("a").front("", &row.body)).findings;
            let one = |one: &Finding| format!("{} {}", one.severity.word(), one.message);
            let finds: Vec<String> = findings.iter().map(one).collect();
            let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
            let mut bodies = fixes.filter_map(|fix| match &fix.action {
                FixAction::Edit(edits) => edits.iter().find_map(|edit| match edit {
                    FieldEdit::Body(body) => Some(body.clone()),
                    _ => None,
                }),
                _ => None,
            });
            let fixed = bodies.next();
            if finds != row.finds || fixed != row.fixed {
                wrong.push((&row.body, finds, fixed));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is said of a folder after these moves and deletions, newest commit first.
fn of_folder(commits: &[&[(&str, Option<&str>)]], files: &[&str]) -> String {
    let names = ["eeeeeee", "ddddddd", "ccccccc", "bbbbbbb"];
    let commit = |id: &&str| Commit {
        id: (*id).into(),
        time: THEN + 9,
        author: "Mia".into(),
        subject: "Change it".into(),
    };
    let gone = |(commit, path, to): (u32, &str, Option<&str>)| Gone {
        path: path.into(),
        commit,
        blob: Blob([1; 20]),
        to: to.map(Into::into),
    };
    let all = (0..).zip(commits);
    let all = all.flat_map(|(n, changes)| changes.iter().map(move |(path, to)| (n, *path, *to)));
    let log = Log {
        commits: names.iter().take(commits.len()).map(commit).collect(),
        gone: all.map(gone).collect(),
        ..Log::default()
    };
    let files = files.iter().map(|file| (*file).to_owned()).collect();
    let project = Fake {
        history: History::new("/repo", files, Arc::new(log)),
        ..Fake::default()
    };
    let digest = found(
        &project,
        "stale-path",
        memory("a").front("", "They are in `src/old/`."),
    );
    let finding = &digest.findings[0];
    format!("{}; {}", finding.message, finding.evidence.join("; "))
}

#[test]
fn what_became_of_a_folder_is_decided_by_all_its_files() {
    let moved = |to: &str, commit: &str| {
        format!(
            "`src/old` has moved: it is `{to}` now; moved in {commit} on 2026-01-15 by Mia: Change it"
        )
    };
    let gone = |commit: &str, via: &str| {
        format!("`src/old` is gone; deleted in {commit} on 2026-01-15 by Mia: Change it{via}")
    };
    let to = |file: &'static str, to: &'static str| (file, Some(to));
    let [a, b, c, d] = [
        "src/old/a.ts",
        "src/old/b.ts",
        "src/old/c.ts",
        "src/old/d.ts",
    ];
    let whole = [
        to(a, "http/old/a.ts"),
        to(b, "http/old/b.ts"),
        to(c, "http/old/c.ts"),
        to(d, "http/old/d.ts"),
    ];
    let of_c_and_d = [("http/old/c.ts", None), ("http/old/d.ts", None)];
    for (what, commits, files, expected) in [
        (
            "moved whole, and lost files there later",
            vec![&of_c_and_d[..], &whole],
            &["http/old/a.ts", "http/old/b.ts"][..],
            moved("http/old", "ddddddd"),
        ),
        (
            "lost files, and the rest moved",
            vec![
                &[to(a, "http/a.ts"), to(b, "http/b.ts")],
                &[(c, None), (d, None)],
            ],
            &["http/a.ts", "http/b.ts"],
            moved("http", "eeeeeee"),
        ),
        (
            "moved twice, with a loss between",
            vec![
                &[
                    to("http/old/a.ts", "web/a.ts"),
                    to("http/old/b.ts", "web/b.ts"),
                ],
                &of_c_and_d,
                &whole,
            ],
            &["web/a.ts", "web/b.ts"],
            moved("web", "eeeeeee"),
        ),
        (
            "moved whole, and deleted there",
            vec![
                &[
                    ("http/old/a.ts", None),
                    ("http/old/b.ts", None),
                    ("http/old/c.ts", None),
                    ("http/old/d.ts", None),
                ],
                &whole,
            ],
            &["x.ts"],
            gone("eeeeeee", "; it had been moved to `http/old`"),
        ),
        (
            "one moved, the others deleted, and that one too",
            vec![
                &[("http/a.ts", None)],
                &[(b, None), (c, None), (d, None)],
                &[to(a, "http/a.ts")],
            ],
            &["http/x.ts"],
            gone("ddddddd", ""),
        ),
        (
            "one moved and is there, the others deleted",
            vec![&[(b, None), (c, None), (d, None)], &[to(a, "http/a.ts")]],
            &["http/a.ts"],
            gone("eeeeeee", ""),
        ),
        (
            "the last of many went its own way",
            vec![&[to(a, "http/a.ts")], &[(b, None), (c, None), (d, None)]],
            &["http/a.ts"],
            gone("eeeeeee", ""),
        ),
        (
            "renamed whole, and one went on from there",
            vec![
                &[
                    to("http/old/a.ts", "web/a.ts"),
                    to("http/old/b.ts", "web/b.ts"),
                ],
                &whole,
            ],
            &["web/a.ts", "web/b.ts", "http/old/c.ts", "http/old/d.ts"],
            moved("http/old", "ddddddd"),
        ),
        (
            "renamed whole, two of four elsewhere one by one",
            vec![
                &[to("http/old/a.ts", "x/a.ts")],
                &[to("http/old/b.ts", "y/b.ts"), to("http/old/c.ts", "z/c.ts")],
                &whole,
            ],
            &["x/a.ts", "y/b.ts", "z/c.ts", "http/old/d.ts"],
            moved("http/old", "ccccccc"),
        ),
        (
            "parted in two",
            vec![&[
                to(a, "http/a.ts"),
                to(b, "http/b.ts"),
                to(c, "web/c.ts"),
                to(d, "web/d.ts"),
            ]],
            &["http/a.ts", "http/b.ts", "web/c.ts", "web/d.ts"],
            gone("eeeeeee", ""),
        ),
    ] {
        assert_eq!(of_folder(&commits, files), expected, "{what}");
    }
}

#[test]
fn the_commit_is_named_that_brought_it_where_it_is_or_took_it_for_good() {
    let commit = |id: &str, time: i64, author: &str| Commit {
        id: id.into(),
        time,
        author: author.into(),
        subject: "Move it".into(),
    };
    let gone = |path: &str, commit: u32, to: Option<&str>| Gone {
        path: path.into(),
        commit,
        blob: Blob([1; 20]),
        to: to.map(Into::into),
    };
    let log = Log {
        commits: vec![
            commit("ddddddd4", THEN + 9, "Dan"),
            commit("aaaaaaa1", THEN + 5, "Mia"),
        ],
        gone: vec![
            gone("shared/util.js", 0, None),
            gone("bill/pay.js", 0, Some("billing/charge.js")),
            gone("lib/util.js", 1, Some("shared/util.js")),
            gone("lib/pay.js", 1, Some("bill/pay.js")),
        ],
        ..Log::default()
    };
    let project = Fake {
        history: History::new("/repo", vec!["billing/charge.js".to_owned()], Arc::new(log)),
        ..Fake::default()
    };
    let evidence = |body: &str| {
        let digest = found(&project, "stale-path", memory("a").front("", body));
        digest.findings[0].evidence.clone()
    };
    assert_eq!(
        evidence("Helpers are in lib/util.js."),
        [
            "deleted in ddddddd on 2026-01-15 by Dan: Move it",
            "it had been moved to `shared/util.js`",
        ]
    );
    assert_eq!(
        evidence("Charges run through lib/pay.js."),
        ["moved in ddddddd on 2026-01-15 by Dan: Move it"]
    );
    // A memory that was written after the move says why it is only a suggestion.
    let later = memory("a")
        .front("", "Charges run through lib/pay.js.")
        .change(|memory| memory.updated = Some(crate::memory::Timestamp((THEN + 60) * 1000)));
    let finding = found(&project, "stale-path", later).findings.remove(0);
    assert_eq!(finding.severity, crate::memory::Severity::Info);
    assert_eq!(
        finding.evidence,
        [
            "moved in ddddddd on 2026-01-15 by Dan: Move it",
            "that was before this was written",
        ]
    );
}

#[test]
fn what_is_gone_without_a_commit_yet_is_told_so() {
    let gone = [
        ("src/a.rs".into(), None),
        ("src/b.rs".into(), Some("lib/b.rs".into())),
    ];
    let files = vec!["lib/b.rs".to_owned()];
    let history = History::new("/repo", files, Arc::new(Log::default()));
    let project = Fake {
        history: history.with_uncommitted(gone.into()),
        ..Fake::default()
    };
    let digest = found(
        &project,
        "stale-path",
        memory("a").front("", "Edit src/a.rs and src/b.rs."),
    );
    let said: Vec<_> = digest
        .findings
        .iter()
        .map(|one| (&*one.message, one.evidence.clone()))
        .collect();
    let not_yet = |verb: &str| vec![format!("{verb} in the working tree, not committed yet")];
    assert_eq!(
        said,
        [
            ("`src/a.rs` is gone", not_yet("deleted")),
            (
                "`src/b.rs` has moved: it is `lib/b.rs` now",
                not_yet("moved")
            ),
        ]
    );
}

fn moved() -> Fake {
    let gone = [
        ("lib/money.ts", Some("money/cents.ts")),
        ("tools/pack.py", Some("pipeline/pack.py")),
    ];
    Fake {
        history: taken(&gone, &["money/cents.ts", "pipeline/pack.py"]),
        ..Fake::default()
    }
}

#[test]
fn a_path_in_a_title_is_read_and_put_right() {
    let titled = |title: &str, body: &str| {
        let front = "whenToUse: auth\ntags: [a]\nimportance: high";
        let text = format!("---\ntitle: {title}\n{front}\n---\n\n{body}");
        found(&moved(), "stale-path", memory("a").text(&text)).findings
    };
    for (before, body, after) in [
        (
            "Rounding lives in lib/money.ts",
            "Amounts.",
            "Rounding lives in money/cents.ts",
        ),
        (
            "tools/pack.py packs",
            "Run tools/pack.py first.",
            "pipeline/pack.py packs",
        ),
    ] {
        let findings = titled(before, body);
        let FixAction::Edit(edits) = &findings[0].fix.as_ref().unwrap().action else {
            panic!("no edit");
        };
        let wanted = FieldEdit::Set {
            field: "title".to_owned(),
            value: after.into(),
        };
        assert!(edits.contains(&wanted), "{edits:?}");
    }
    let past = titled("lib/money.ts", "We removed lib/money.ts in May.");
    assert_eq!((past.len(), past[0].severity), (1, Severity::Info));
    assert_eq!(titled("Rounding lives in lib/never.ts", "Amounts."), []);
}

#[test]
fn a_title_that_is_the_beginning_of_the_text_stays_that() {
    let content = "Wrap errors before they are returned, and log them once, whoever calls, as in tools/pack.py and its tests.";
    let title: String = content.chars().take(85).collect();
    let fields = crate::memory::frontmatter::read(&format!("id: x2\ntitle: '{title}'")).unwrap();
    let id = crate::memory::MemoryId::new(&"golemcore".into(), "x2");
    let mut row = crate::memory::Memory {
        span: 0..content.len(),
        body: 0..content.len(),
        ..crate::memory::Memory::new(id, std::path::Path::new("/repo/m.jsonl").into(), &GOLEMCORE)
    };
    row.fields = fields;
    let findings = found(&moved(), "stale-path", Sample::whole(row, content)).findings;
    let FixAction::Edit(edits) = &findings[0].fix.as_ref().unwrap().action else {
        panic!("no edit");
    };
    let after = content.replace("tools/", "pipeline/");
    let cut: String = after.chars().take(85).collect();
    assert!(edits.contains(&FieldEdit::Body(after)));
    assert!(edits.contains(&FieldEdit::Set {
        field: "title".to_owned(),
        value: cut.as_str().into(),
    }));
}

fn row(goal: &str, actions: &str, learned: &str) -> Vec<Finding> {
    of_row((&moved(), "stale-path"), goal, actions, learned)
}

fn of_row(
    (project, rule): (&Fake, &str),
    goal: &str,
    actions: &str,
    learned: &str,
) -> Vec<Finding> {
    let json = |text: String| serde_json::from_str(&text).unwrap();
    let layers = Layers {
        intent: json(format!(r#"{{"goal": "{goal}", "task_type": "bug_fix"}}"#)),
        actions: json(actions.to_owned()),
        outcome: json(format!(
            r#"{{"success": true, "summary": "done", "learnings": ["{learned}"]}}"#
        )),
        ..Layers::default()
    };
    let body = markdown::memory(&layers);
    let mut sample = memory("a");
    sample.memory.schema = &RUM;
    sample.memory.fields = [("goal", Value::from(goal))].into_iter().collect();
    (sample.memory.span, sample.memory.body) = (0..body.len(), 0..body.len());
    sample.text = body;
    found(project, rule, sample).findings
}

#[test]
fn what_an_agent_did_is_a_record_and_what_it_learned_is_not() {
    let edit = r#"[{"type": "file_edit", "file_path": "tools/pack.py"}]"#;
    let findings = row("Speed up packing", edit, "Pack in parallel.");
    assert_eq!((findings.len(), findings[0].severity), (1, Severity::Info));
    assert!(findings[0].fix.is_none(), "{findings:?}");
    for (goal, learned) in [
        ("Speed up packing", "Wrap errors in tools/pack.py."),
        ("Keep tools/pack.py fast", "Pack in parallel."),
    ] {
        let findings = row(goal, edit, learned);
        assert_eq!(
            (findings.len(), findings[0].severity),
            (1, Severity::Warning),
            "{goal}"
        );
    }
}

#[test]
fn a_name_that_left_the_code_comes_with_its_commit_and_what_took_its_place() {
    let was = Was {
        path: "src/holds.ts".to_owned(),
        defined: true,
        commit: Some(Commit {
            id: "1a2b3c4d".into(),
            time: THEN,
            author: "Ines".into(),
            subject: "Let holds lapse".into(),
        }),
        now: Some("sweepExpiredHolds".to_owned()),
    };
    let project = Fake {
        gone: [("sweepHolds".to_owned(), was)].into(),
        ..Fake::new(&[])
    };
    let sample = || memory("a").front("", "Call `sweepHolds()`.");
    let finding = found(&project, "stale-symbol", sample()).findings.remove(0);
    assert_eq!(
        finding.evidence,
        [
            "it was defined in `src/holds.ts`",
            "taken out in 1a2b3c4 on 2026-01-15 by Ines: Let holds lapse",
            "`sweepExpiredHolds` came with the same commit",
        ]
    );
    let later = sample().change(|memory| memory.created = Timestamp::parse_iso("2026-01-20"));
    let finding = found(&project, "stale-symbol", later).findings.remove(0);
    assert_eq!(
        finding.message,
        "`sweepHolds()` left the code before this was written"
    );
}

#[test]
fn what_could_not_be_checked_is_noted_and_stands_in_no_memory() {
    struct Bare;
    impl Project for Bare {
        fn history(&self) -> Result<&History, &str> {
            Err("the repository is bare")
        }

        fn renames(&self, _: &[&str]) -> Vec<Rename> {
            Vec::new()
        }

        fn untracked(&self, paths: &[&str]) -> Vec<bool> {
            vec![false; paths.len()]
        }
    }
    let store = Store::new(vec![
        memory("a").front("", "See src/a.rs, docs/b.md and `sweepHolds()`."),
    ]);
    let cx = Context {
        project: &Bare,
        ..store.cx()
    };
    let digest = digest(
        &cx,
        &Selection::of(&["stale-path", "stale-symbol", "changed-since"]).unwrap(),
        usize::MAX,
    );
    assert_eq!(digest.findings, []);
    let report = Report {
        notes: &digest.notes,
        ..store.report(&digest.findings)
    };
    insta::assert_snapshot!(report.text(crate::lint::report::Detail::Full) + &report.github());
    let json = serde_json::to_value(report.json(&|_: &Fix| None)).unwrap();
    assert_eq!(json["notes"][1]["rule"], "stale-path");
    assert_eq!(
        json["notes"][1]["message"],
        "2 paths not looked up: the repository is bare"
    );
    let sarif = serde_json::to_value(report.sarif(&|_: &Fix| None)).unwrap();
    let notes = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(
        notes[2]["message"]["text"],
        "not checked: 1 name of the code not looked up: the repository is bare"
    );
    assert_eq!(notes[2]["associatedRule"]["id"], "stale-symbol");
}

#[test]
fn what_is_told_of_at_the_end_is_told_again_of_memories_that_did_not_change() {
    let was = Was {
        path: "src/holds.ts".to_owned(),
        defined: true,
        ..Was::default()
    };
    let project = Fake {
        gone: [("sweepHolds".to_owned(), was)].into(),
        rewritten: Some(Rewritten {
            changed: 90,
            lines: 100,
        }),
        ..Fake::new(&[])
    };
    let old = |memory: &mut Memory| memory.created = Some(Timestamp((THEN - 5) * 1000));
    let sample = memory("a").front("", "Call `sweepHolds()` of `src/a.rs`.");
    let store = Store::new(vec![sample.change(old)]);
    let cx = Context {
        project: &project,
        ..store.cx()
    };
    let rules = Selection::of(&["stale-symbol", "changed-since"]).unwrap();
    let mut memo = Memo::default();
    let first = digest_again(&cx, &rules, usize::MAX, &mut memo);
    assert_eq!(first.findings.len(), 2);
    assert_eq!(digest_again(&cx, &rules, usize::MAX, &mut memo), first);
}

#[test]
fn a_link_to_a_memory_that_is_gone_is_a_broken_relation_once() {
    let gone = Gone {
        path: "memories/pool.md".into(),
        commit: 0,
        blob: Blob([1; 20]),
        to: None,
    };
    let log = Log {
        gone: vec![gone],
        ..Log::default()
    };
    let project = Fake {
        history: History::new("/repo", Vec::new(), Arc::new(log)),
        ..Fake::default()
    };
    let body = "See [pool](pool.md), [it](./pool.md#size), [never](never.md) and memories/pool.md.";
    for (rule, expected) in [
        (
            "broken-relation",
            "the related memory `pool` is not in the store",
        ),
        ("stale-path", "`memories/pool.md` is gone"),
    ] {
        let findings = found(&project, rule, memory("a").front("", body)).findings;
        let messages: Vec<&str> = findings.iter().map(|one| &*one.message).collect();
        assert_eq!(messages, [expected]);
    }
}
