//! The rules that play the history as tasks: what they report, and where they are silent.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use memkeep::lint::repository::{Commit, History, Log, Project};
use memkeep::lint::{self, Context, Finding, Selection};
use memkeep::memory::Timestamp;
use memkeep::retrieval::expect::TaskSuite;
use memkeep::retrieval::tasks::Written;
use memkeep::retrieval::{Limits, Options, Policy, StorePolicy};
use memkeep::systems::policy;
use memkeep::workspace::preview::PREVIEWS;

use crate::helper::{Memo, NOW, World, memo};

struct Repository(History);

impl Project for Repository {
    fn history(&self) -> Result<&History, &str> {
        Ok(&self.0)
    }
}

/// Commits, each with the files it changed, after a `|`.
fn history(commits: &[&str]) -> Repository {
    let done = commits.iter().map(|commit| {
        let (subject, files) = commit.split_once('|').unwrap_or((commit, ""));
        let commit = Commit {
            subject: subject.into(),
            ..Commit::default()
        };
        (commit, files.split_whitespace().map(Into::into).collect())
    });
    let (commits, recent) = done.unzip();
    let log = Log {
        commits,
        recent,
        ..Log::default()
    };
    Repository(History::new(
        "/repo",
        Vec::new(),
        log.into(),
        BTreeMap::new(),
    ))
}

/// Commits about other things.
const OTHERS: [&str; 20] = [
    "Round invoices once|src/billing/total.rs",
    "Print invoices in two columns|src/billing/print.rs",
    "Send invoices by mail|src/billing/mail.rs",
    "Let invoices be cancelled|src/billing/total.rs",
    "Show invoices of last year|src/billing/list.rs",
    "Count invoices per customer|src/billing/list.rs",
    "Sort invoices by date|src/billing/list.rs",
    "Translate invoices|src/billing/print.rs",
    "Archive old invoices|src/billing/list.rs",
    "Number invoices without gaps|src/billing/total.rs",
    "Import invoices from files|src/billing/import.rs",
    "Export invoices as text|src/billing/export.rs",
    "Check invoices for doubles|src/billing/total.rs",
    "Sign invoices|src/billing/sign.rs",
    "Test invoices of zero|tests/billing.rs",
    "Rename the folder of invoices|src/billing/mod.rs",
    "Log invoices that fail|src/billing/log.rs",
    "Retry invoices that fail|src/billing/mail.rs",
    "Split invoices by country|src/billing/total.rs",
    "Join invoices of one day|src/billing/total.rs",
];

fn lint_by(
    policy: &'static Policy,
    world: &World,
    project: &Repository,
    tasks: Vec<Written>,
) -> Vec<Finding> {
    let now = Timestamp::parse_iso(NOW).unwrap();
    let play = TaskSuite {
        policies: vec![StorePolicy {
            store: world.memories[0].id.store.clone(),
            policy,
            options: Options::default(),
        }],
        limits: Limits {
            max: Some(2),
            ..TaskSuite::default().limits
        },
        tasks,
        now,
        previews: Some(PREVIEWS),
        ..TaskSuite::default()
    };
    let cx = Context {
        play: &play,
        ..Context::new(&world.memories, &world.collection, now, project)
    };
    let rules = Selection::of(&["never-selected", "always-selected"]).unwrap();
    lint::run(&cx, &rules)
}

fn found(world: &World, project: &Repository) -> Vec<Finding> {
    lint_by(policy("rawko").unwrap(), world, project, Vec::new())
}

/// Findings as people read them.
fn told(world: &World, findings: &[Finding]) -> String {
    let mut all = String::new();
    for finding in findings {
        let name = &world.memories[finding.memory].id.local;
        let Finding {
            rule,
            line,
            column,
            confidence,
            message,
            ..
        } = finding;
        writeln!(
            all,
            "{name}:{line}:{column} {rule} {confidence:.2}: {message}"
        )
        .unwrap();
        for evidence in &finding.evidence {
            writeln!(all, "    {evidence}").unwrap();
        }
        assert_eq!(finding.fix, None);
    }
    all
}

fn about(title: &str, pattern: &str) -> Memo {
    memo(title).when(&[pattern]).importance("medium")
}

fn store() -> World {
    World::of(&[
        ("columns", about("Columns", "columns")),
        (
            "invoices",
            about("Invoices", "invoices")
                .importance("critical")
                .body("Cents only."),
        ),
        ("mail", about("Mail", "mail")),
        (
            "sweeper",
            about("Sweeper", "cron").body("See `src/jobs/sweeper.rs`."),
        ),
        ("tides", about("Tides", "moon")),
        ("weak", about("Weak", "fail").importance("low")),
    ])
}

#[test]
fn what_is_never_and_what_is_always_selected_is_told_with_the_reasons() {
    let mut commits = OTHERS.to_vec();
    commits.extend([
        "Sweep expired holds twice|src/jobs/sweeper.rs",
        "Sweep holds of guests|src/jobs/sweeper.rs src/lib.rs",
        "Log how often holds are swept|src/jobs/sweeper.rs",
    ]);
    let world = store();
    insta::assert_snapshot!(told(&world, &found(&world, &history(&commits))));
}

#[test]
fn a_memory_that_a_task_has_to_be_given_is_told_first() {
    let world = store();
    let tasks = vec![Written {
        name: Some("night".to_owned()),
        task: "Plan the night shift".to_owned(),
        must: vec!["tides".to_owned(), "rawko:mail".to_owned()],
        ..Written::default()
    }];
    let found = lint_by(policy("rawko").unwrap(), &world, &history(&OTHERS), tasks);
    let of = |name: &str| {
        let mut of = found
            .iter()
            .filter(|finding| *world.memories[finding.memory].id.local == *name);
        of.next()
            .map(|finding| (finding.confidence, finding.evidence.clone()))
    };
    let (confidence, evidence) = of("tides").unwrap();
    assert_eq!(
        (confidence, &*evidence[0]),
        (0.9, "task `night` requires it")
    );
    assert!(of("mail").is_none(), "another task selects it");
}

#[test]
fn few_tasks_say_nothing() {
    let world = store();
    assert_eq!(found(&world, &history(&OTHERS[..19])), []);
    let doubled: Vec<&str> = OTHERS[..19].iter().chain(&OTHERS[..19]).copied().collect();
    assert_eq!(
        found(&world, &history(&doubled)),
        [],
        "the same task twice is one task"
    );
    let mut empty = OTHERS[..19].to_vec();
    empty.extend([
        "Merge branch main",
        "Bump serde to 1.2",
        "wip",
        "release 1.0",
        "v1.2.3",
    ]);
    empty.push("Write down what was learned|.memkeep/tasks.yaml");
    assert_eq!(
        found(&world, &history(&empty)),
        [],
        "none of these is a task"
    );
}

#[test]
fn a_store_of_which_nothing_is_selected_says_so_once() {
    let memos: Vec<(String, Memo)> = (0..40)
        .map(|n| (format!("m{n:02}"), about(&format!("Moon {n}"), "moon")))
        .collect();
    let memos: Vec<(&str, Memo)> = memos
        .iter()
        .map(|(name, memo)| (&**name, memo.clone()))
        .collect();
    let world = World::of(&memos);
    let findings = found(&world, &history(&OTHERS));
    assert_eq!(findings.len(), 1);
    assert_eq!(
        findings[0].message,
        "none of 20 commits selects any of the 40 memories"
    );
    assert!(
        findings[0].evidence[0].ends_with("`m09` and 30 more"),
        "{findings:?}"
    );
}

#[test]
fn where_most_are_never_selected_one_finding_names_them() {
    let mut memos: Vec<(String, Memo)> = (0..40)
        .map(|n| (format!("m{n:02}"), about(&format!("Moon {n}"), "moon")))
        .collect();
    memos.push(("invoices".to_owned(), about("Invoices", "invoices")));
    let memos: Vec<(&str, Memo)> = memos
        .iter()
        .map(|(name, memo)| (&**name, memo.clone()))
        .collect();
    let world = World::of(&memos);
    let findings = found(&world, &history(&OTHERS));
    let messages: Vec<_> = findings
        .iter()
        .map(|finding| (finding.rule, &*finding.message))
        .collect();
    assert_eq!(
        messages,
        [
            (
                "always-selected",
                "20 of 20 commits select it, whatever they are about"
            ),
            (
                "never-selected",
                "none of 20 commits selects this or 39 others of 41"
            ),
        ]
    );
}

#[test]
fn what_an_agents_name_brings_in_is_not_called_unused() {
    let mut world = vec![
        ("by-agent", about("Night", "ines").by("ines")),
        ("invoices", about("Invoices", "invoices").by("ines")),
        ("mail", about("Mail", "mail")),
    ];
    let findings = |memos: &[(&str, Memo)]| {
        let world = World::of(memos);
        let found = found(&world, &history(&OTHERS));
        let never = found
            .iter()
            .filter(|finding| finding.rule == "never-selected");
        never
            .map(|finding| world.memories[finding.memory].id.local.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(findings(&world), Vec::<String>::new());
    world[0].1 = about("Night", "tomas").by("ines");
    assert_eq!(findings(&world), ["by-agent"]);
}

#[test]
fn stores_that_select_the_same_whatever_the_task_is_are_not_played() {
    let world = store();
    for name in ["ralph", "rum"] {
        let policy = policy(name).unwrap();
        assert_eq!(
            lint_by(policy, &world, &history(&OTHERS), Vec::new()),
            [],
            "{name}"
        );
    }
    let hybrid = lint_by(
        policy("hybrid").unwrap(),
        &world,
        &history(&OTHERS),
        Vec::new(),
    );
    assert!(
        hybrid
            .iter()
            .any(|finding| finding.rule == "never-selected")
    );
}

#[test]
fn nothing_is_said_of_always_where_every_memory_has_a_place() {
    let world = World::of(&[("a", about("A", "invoices")), ("b", about("B", "invoices"))]);
    assert_eq!(found(&world, &history(&OTHERS)), []);
}
