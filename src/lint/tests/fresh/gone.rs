//! What became of paths and names that are gone.

use serde::Deserialize;

use super::*;
use crate::memory::edit::FieldEdit;
use crate::memory::golemcore::GOLEMCORE;
use crate::memory::rum::{Layers, RUM, markdown};

/// What commits took away, newest first, each with where it moved or nothing; and what is reported
/// of a memory.
#[derive(Deserialize)]
struct Fate {
    commits: Vec<BTreeMap<String, String>>,
    files: Vec<String>,
    body: String,
    /// When the memory was written, where that is known.
    written: Option<String>,
    reports: Vec<String>,
}

#[test]
fn what_became_of_a_path_is_decided_by_all_commits_that_touched_it() {
    #[derive(Deserialize)]
    struct Fates {
        fate: Vec<Fate>,
    }
    let commit = |id: &&str| Commit {
        id: (*id).into(),
        time: THEN + 9,
        author: "Mia".into(),
        subject: "Change it".into(),
    };
    let fates: Fates = toml::from_str(include_str!("../../../../tests/lint/fates.toml")).unwrap();
    for fate in fates.fate {
        let gone = (0..).zip(&fate.commits).flat_map(|(commit, changes)| {
            changes.iter().map(move |(path, to)| Gone {
                path: path.as_str().into(),
                commit,
                blob: Blob([1; 20]),
                to: Some(to.as_str())
                    .filter(|to| !to.is_empty())
                    .map(Into::into),
            })
        });
        let ids = ["ddddddd", "ccccccc", "bbbbbbb", "aaaaaaa"];
        let log = Log {
            commits: ids.iter().map(commit).collect(),
            gone: gone.collect(),
            ..Log::default()
        };
        let project = Fake {
            history: History::new("/repo", fate.files.clone(), Arc::new(log)),
            ..Fake::default()
        };
        let written = fate.written.as_deref().and_then(Timestamp::parse_iso);
        let sample = memory("a").front("", &fate.body);
        let sample = sample.change(|memory| memory.updated = written);
        let findings = found(&project, "stale-path", sample).findings;
        let reports = findings.iter().flat_map(|one| {
            let says = format!("{} {}", one.severity.word(), one.message);
            std::iter::once(says).chain(one.evidence.clone())
        });
        assert_eq!(
            reports.collect::<Vec<_>>(),
            fate.reports,
            "{:?}",
            fate.commits
        );
    }
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
        let crate::curate::Change::Edit { edits, .. } = &findings[0].fix.as_ref().unwrap().change
        else {
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
    let crate::curate::Change::Edit { edits, .. } = &findings[0].fix.as_ref().unwrap().change
    else {
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

fn row(goal: &str, learned: &str) -> Vec<Finding> {
    let layers = serde_json::json!({
        "intent": { "goal": goal, "task_type": "bug_fix" },
        "actions": [{ "type": "file_edit", "file_path": "tools/pack.py" }],
        "outcome": { "success": true, "summary": "done", "learnings": [learned] },
    });
    let layer = |name: &str| serde_json::from_value(layers[name].clone()).unwrap();
    let layers = Layers {
        intent: layer("intent"),
        actions: layer("actions"),
        outcome: layer("outcome"),
        ..Layers::default()
    };
    let body = markdown::memory(&layers);
    let mut sample = memory("a");
    sample.memory.schema = &RUM;
    sample.memory.fields = [("goal", Value::from(goal))].into_iter().collect();
    (sample.memory.span, sample.memory.body) = (0..body.len(), 0..body.len());
    sample.text = body;
    found(&moved(), "stale-path", sample).findings
}

#[test]
fn what_an_agent_did_is_a_record_and_what_it_learned_is_not() {
    for (goal, learned, severity) in [
        ("Speed up packing", "Pack in parallel.", Severity::Info),
        (
            "Speed up packing",
            "Wrap errors in tools/pack.py.",
            Severity::Warning,
        ),
        (
            "Keep tools/pack.py fast",
            "Pack in parallel.",
            Severity::Warning,
        ),
    ] {
        let findings = row(goal, learned);
        let found: Vec<_> = findings.iter().map(|one| one.severity).collect();
        assert_eq!(found, [severity], "{goal} {learned}");
        let is_fixed = findings[0].fix.is_some();
        assert!(!is_fixed || severity == Severity::Warning, "{findings:?}");
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
    let sarif = report.sarif(&|_: &Fix| None);
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
    let mut cache = Cache::default();
    let first = digest_again(&cx, &rules, usize::MAX, &mut cache);
    assert_eq!(first.findings.len(), 2);
    assert_eq!(digest_again(&cx, &rules, usize::MAX, &mut cache), first);
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
