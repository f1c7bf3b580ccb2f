//! The rules about what has gone by: versions, documents, days, names and files that changed.

use std::collections::BTreeMap;

use super::*;
use crate::lint::repository::{
    Blob, Change, Commit, History, Log, Project, Rename, Rewritten, Symbols, Wanted, Was,
};

mod gradle;
mod names;
mod paths;

/// A repository of a few files.
#[derive(Default)]
struct Fake {
    files: BTreeMap<&'static str, &'static str>,
    history: History,
    rewritten: Option<Rewritten>,
    gone: BTreeMap<String, Was>,
}

/// 2026-01-15T00:00:00Z in seconds.
const THEN: i64 = 1_768_435_200;

impl Fake {
    fn new(files: &[(&'static str, &'static str)]) -> Self {
        let commit = |n: i64| Commit {
            id: "1a2b3c4d".into(),
            time: THEN + n,
            author: "Ines".into(),
            subject: "Change it".into(),
        };
        let change = |n: u32| Change {
            commit: n,
            old: Some(Blob([7; 20])),
        };
        let log = Log {
            commits: (0..4).rev().map(commit).collect(),
            changes: [("src/a.rs".into(), (0..4).map(change).collect())].into(),
            ..Log::default()
        };
        let paths = files.iter().map(|(path, _)| (*path).to_owned());
        let paths = paths.chain(["src/a.rs".to_owned()]).collect();
        Self {
            files: files.iter().copied().collect(),
            history: History::new("/repo", paths, Arc::new(log)),
            ..Self::default()
        }
    }
}

impl Project for Fake {
    fn history(&self) -> Result<&History, &str> {
        Ok(&self.history)
    }

    fn renames(&self, _: &[&str]) -> Vec<Rename> {
        Vec::new()
    }

    fn untracked(&self, paths: &[&str]) -> Vec<bool> {
        vec![false; paths.len()]
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).map(|text| (*text).to_owned())
    }

    fn rewritten(&self, wanted: &[(&str, Blob)]) -> Vec<Option<Rewritten>> {
        vec![self.rewritten; wanted.len()]
    }

    fn symbols(&self, wanted: &Wanted) -> Symbols {
        let gone = self.gone.iter();
        let gone = gone.filter(|(name, _)| wanted.names.contains_key(*name));
        Symbols {
            gone: gone
                .map(|(name, was)| (name.clone(), was.clone()))
                .collect(),
            partial: None,
        }
    }
}

fn found(project: &Fake, rule: &str, sample: Sample) -> Digest {
    let store = Store::new(vec![sample]);
    let cx = Context {
        project,
        ..store.cx()
    };
    digest(&cx, &Selection::of(&[rule]).unwrap(), usize::MAX)
}

/// What a rule says of a body, with the mark of its severity, and what its fix makes of the body.
fn said(project: &Fake, rule: &str, body: &str) -> Vec<String> {
    let digest = found(project, rule, memory("a").front("", body));
    let one = |finding: &Finding| {
        let mark = &finding.severity.word()[..1];
        let fix = finding.fix.as_ref().map(|fix| match &fix.action {
            FixAction::Edit(edits) => match edits.as_slice() {
                [crate::memory::edit::FieldEdit::Body(body)] => format!(" => {body}"),
                other => format!("{other:?}"),
            },
            other => format!("{other:?}"),
        });
        format!("{mark} {}{}", finding.message, fix.unwrap_or_default())
    };
    digest.findings.iter().map(one).collect()
}

const NPM: (&str, &str) = (
    "package.json",
    r#"{"dependencies":{"express":"5.1.0","zod":"^3.23.8","pg":"8.13.1","log":"1.2.0"},"engines":{"node":">=22"}}"#,
);

#[test]
fn versions_are_held_against_the_manifests() {
    let cargo = (
        "core/Cargo.toml",
        "[package]\nrust-version='1.85'\n[dependencies]\naxum='0.8'\n",
    );
    let project = Fake::new(&[NPM, cargo]);
    for (body, expected) in [
        (
            "We use axum 0.7 here.",
            &["w `axum` 0.7 is named, `core/Cargo.toml` has `0.8` => We use axum 0.8 here."][..],
        ),
        (
            "| `express` | 4.19.2 | HTTP |",
            &[
                "w `express` 4.19.2 is named, `package.json` has `5.1.0` => | `express` | 5.1.0 | HTTP |",
            ],
        ),
        (
            "Node 20 is needed.",
            &["w `Node` 20 is named, `package.json` has `>=22`"],
        ),
        (
            "`pg` is pinned to 8.12.",
            &["w `pg` 8.12 is named, `package.json` has `8.13.1` => `pg` is pinned to 8.13."],
        ),
        (
            "zod 3.22 checks it.",
            &["i `zod` 3.22 is named, `package.json` has `^3.23.8`"],
        ),
        // The memory knows both.
        ("Express 4 has no types. Express 5 is in use.", &[]),
        (
            "Express 4 has no types.\n\nExpress 5.1 is in use.",
            &["i `Express` 4 is named, `package.json` has `5.1.0`"],
        ),
        // It fits.
        ("axum 0.8.4, express 5, Node 24, zod 3.25, Rust 1.90", &[]),
        ("Node 20 or newer; Rust 1.80+", &[]),
        // It tells of what was.
        ("We moved from Express 4 to 5.", &[]),
        ("axum 0.7 was replaced in May.", &[]),
        ("Since Express 4.19 the header is kept.", &[]),
        // It is no version of it.
        (
            "log 10 lines; the express train of 4.19 pm; zod 2 times",
            &[],
        ),
        ("```\nexpress 4.19.2\n```", &[]),
        ("koa 1.0 is no dependency.", &[]),
    ] {
        assert_eq!(said(&project, "stale-version", body), expected, "{body}");
    }
}

#[test]
fn a_version_of_another_kind_is_not_written_without_a_person() {
    let project = Fake::new(&[NPM]);
    for (body, safe) in [
        ("`pg` 8.12.0 is in use.", true),
        ("`express` 4.19.2 is in use.", false),
        ("`pg` 8.12 is in use.", false),
    ] {
        let digest = found(&project, "stale-version", memory("a").front("", body));
        let fixes = digest.findings.iter().filter_map(|one| one.fix.as_ref());
        assert_eq!(
            fixes.map(|fix| fix.safe).collect::<Vec<_>>(),
            [safe],
            "{body}"
        );
    }
}

#[test]
fn what_is_said_of_a_version_decides_how_bad_it_is_and_who_may_write_it() {
    let npm = (
        "package.json",
        r#"{"dependencies":{"next":"15.1.0","react":"^18.3.1","svelte":"^5.1.0","express":"5.1.0","ring":"0.17.8"},"engines":{"node":">=22"}}"#,
    );
    let python = (
        "pyproject.toml",
        "[project]\nrequires-python='>=3.11'\ndependencies=['requests==2.32.3']\n",
    );
    let go = (
        "go.mod",
        "module a\n\nrequire github.com/gin-gonic/gin v1.10.0\n",
    );
    let project = Fake::new(&[npm, python, go]);
    for body in [
        "Requires next 14 or 15.",
        "Works with next 14 and 15 alike.",
        "Do not downgrade to React 17.",
        "Do not go back to Svelte 4.",
        "No Svelte 4 syntax in new components.",
        "No Python 2 compatibility is needed.",
        "If you are on Express 4, wrap handlers; we are on 5.",
        "Node 18 support ended.",
        "Customers on Node 18 get a warning.",
        "Users with Node 18 are told to upgrade.",
        "Never build it with Svelte 4.",
    ] {
        let all = said(&project, "stale-version", body);
        assert!(
            all.iter().all(|one| one.starts_with("i ")),
            "{body}: {all:?}"
        );
    }
    let safe = |body: &str| {
        let digest = found(&project, "stale-version", memory("a").front("", body));
        let fix = digest.findings.first().and_then(|one| one.fix.as_ref());
        fix.map(|fix| fix.safe)
    };
    for (body, expected) in [
        ("gin v1.9.1 panics on nil writers", Some(false)),
        ("ring 0.17.7 is pinned because of FIPS", Some(false)),
        (
            "The workaround for requests 2.28.0 is to pass verify.",
            Some(false),
        ),
        ("We use gin v1.9.1 for routes.", Some(true)),
        ("ring is at 0.17.7.", Some(true)),
        ("| `requests` | 2.28.0 | HTTP |", Some(true)),
        ("We use ring 0.17.7 because of FIPS.", Some(false)),
    ] {
        assert_eq!(safe(body), expected, "{body}");
    }
    for body in [
        "Svelte 4 is used, so there are no runes.",
        "Express 4 does not pass async errors on.",
        "Node 18 is what runs in production.",
        "Requires next 13 or 14.",
    ] {
        let all = said(&project, "stale-version", body);
        assert!(
            all.iter().any(|one| one.starts_with("w ")),
            "{body}: {all:?}"
        );
    }
}

#[test]
fn products_are_known_under_the_names_of_their_artifacts() {
    let pom = (
        "pom.xml",
        "<project><parent><artifactId>spring-boot-starter-parent</artifactId><version>3.3.1</version>\
         </parent><dependencies><dependency><artifactId>junit-jupiter</artifactId>\
         <version>5.10.2</version></dependency><dependency><artifactId>postgresql</artifactId>\
         <version>42.7.3</version></dependency></dependencies></project>",
    );
    let python = (
        "tools/pyproject.toml",
        "[project]\nrequires-python='>=3.11'\ndependencies=['pydantic>=2.6,<3','torch==2.3.0']\n",
    );
    let web = (
        "web/package.json",
        r#"{"engines":{"node":">=20"},"dependencies":{"@angular/core":"^17.3.0","vue-router":"^4.2.0"}}"#,
    );
    let cargo = ("Cargo.toml", "[package]\nrust-version='1.80'\n");
    let project = Fake::new(&[pom, python, web, cargo]);
    for body in [
        "We are on Spring Boot 2.7.",
        "the services are on spring boot 2.7",
        "Tests are written with JUnit 4.13.",
        "Models use Pydantic 1.10.",
        "The scripts run on Python 3.8.",
        "The web app is built with Node 16.",
        "The shop is an Angular 15 app.",
        "Routes need Vue Router 3.",
        "Training needs PyTorch 1.13.",
        "The MSRV is 1.70.",
        "requires-python = \">=3.8\"",
        "At least Rust 1.70 is needed.",
    ] {
        let found = said(&project, "stale-version", body);
        assert!(
            found.len() == 1 && found[0].starts_with("w "),
            "{body}: {found:?}"
        );
    }
    for body in [
        "Spring Boot 3.3, JUnit 5, Pydantic 2.6, Python 3.12, Node 22, Angular 17, Vue Router 4",
        "The database is PostgreSQL 16.",
        "Python 2 is not supported.",
        "Node 3 of the cluster is slow.",
        "Spring Security 5 and Vue Test Utils 1.3",
        "The MSRV is 1.80; at least Rust 1.81 is needed for the tests.",
    ] {
        assert_eq!(said(&project, "stale-version", body), [""; 0], "{body}");
    }
}

#[test]
fn a_version_that_one_of_several_manifests_has_is_right() {
    let project = Fake::new(&[
        ("a/package.json", r#"{"dependencies":{"react":"^18.2.0"}}"#),
        ("b/package.json", r#"{"dependencies":{"react":"^19.0.0"}}"#),
        (
            "node_modules/x/package.json",
            r#"{"dependencies":{"react":"^16.0.0"}}"#,
        ),
    ]);
    assert_eq!(
        said(
            &project,
            "stale-version",
            "React 18 in one, React 19 in the other."
        ),
        [""; 0]
    );
    let old = said(&project, "stale-version", "React 16 only.");
    assert_eq!(
        old,
        ["w `React` 16 is named, `a/package.json` has `^18.2.0`"]
    );
}

#[test]
fn a_manifest_that_does_not_parse_is_noted_and_the_others_are_read() {
    let project = Fake::new(&[NPM, ("Cargo.toml", "[package\n")]);
    let digest = found(
        &project,
        "stale-version",
        memory("a").front("", "Express 4.19 is used."),
    );
    assert_eq!(digest.findings.len(), 1);
    assert_eq!(digest.notes.len(), 1);
    assert!(
        digest.notes[0]
            .message
            .starts_with("`Cargo.toml` is not in order: ")
    );
}

#[test]
fn a_memory_that_contradicts_a_document_does_not_repeat_it() {
    let claude = "# Ferries\n\nAlways take the shared client for calls to the harbour, for it adds \
        the berth header and a timeout of ten seconds.\n\nLights of the pier are turned on by the \
        harbour master at the desk after a look by two sailors.\n\nA failed call is tried again \
        at most three times with a pause of nine seconds between.\n";
    let project = Fake::new(&[("CLAUDE.md", claude)]);
    for (body, says) in [
        (
            "Never take the shared client for calls to the harbour, for it adds the berth header \
                and a timeout of ten seconds.",
            "w `CLAUDE.md` says otherwise: one says to, the other not to",
        ),
        (
            "Always take the shared client for calls to the harbour, for it adds the berth header \
                and a timeout of thirty seconds.",
            "w `CLAUDE.md` says otherwise: another number",
        ),
        (
            "Lights of the pier are turned off by the harbour master at the desk after a look by \
                two sailors.",
            "w `CLAUDE.md` says otherwise: the opposite",
        ),
        (
            "A failed call is tried again at most seven times with a pause of nine seconds between.",
            "w `CLAUDE.md` says otherwise: another number",
        ),
    ] {
        assert_eq!(said(&project, "repeats-docs", body), [""; 0], "{body}");
        assert_eq!(said(&project, "contradiction", body), [says], "{body}");
    }
    let body =
        "A failed call is tried again at most seven times with a pause of nine seconds between.";
    let finding = found(&project, "contradiction", memory("a").front("", body))
        .findings
        .remove(0);
    assert_eq!(
        (finding.shown(0), finding.shown(1)),
        (
            "A failed call is tried again at most ‹seven› times with a pause of nine seconds \
                between."
                .to_owned(),
            "CLAUDE.md:7: A failed call is tried again at most ‹three› times with a pause of nine \
                seconds between."
                .to_owned()
        )
    );
}

#[test]
fn a_memory_that_a_document_repeats_is_found() {
    let readme = "# Ferries\n\nStart the database with `docker compose up --wait db`, then run the \
        migration and start the server on port 3000. Fares are kept in cents.\n";
    let project = Fake::new(&[("README.md", readme), ("docs/other.md", "x")]);
    let same = "Start the database with `docker compose up --wait db`, then run the migration \
        and start the server on port 3000.";
    assert_eq!(
        said(&project, "repeats-docs", same),
        ["w `README.md` says this already"]
    );
    // A short one has to stand there word for word.
    assert_eq!(
        said(&project, "repeats-docs", "Start the server on port 3000."),
        ["w `README.md` says this already"]
    );
    for body in [
        "Start the server on port 4000.",
        "Fares are kept in cents, the server on port 3000.",
        "Start the database first.",
        "Start the database with care: the volume is shared with the staging stack, and a \
            migration that fails leaves a lock which only the owner of the schema can take away.",
        "Fares are kept in cents, never in floats: adding 0.1 ten times gives less than one, and \
            a month of bookings was short by three euros before anybody looked at the ledger.",
    ] {
        assert_eq!(said(&project, "repeats-docs", body), [""; 0], "{body}");
    }
}

#[test]
fn days_gone_by_are_found_while_they_were_still_to_come() {
    let project = Fake::default();
    let written = |body: &str, created: Option<&str>| {
        let created = created.and_then(Timestamp::parse_iso);
        let sample = memory("a")
            .front("", body)
            .change(|memory| memory.created = created);
        let digest = found(&project, "expired", sample);
        let one = |finding: &Finding| format!("{} {}", finding.severity.word(), finding.message);
        digest.findings.iter().map(one).collect::<Vec<_>>()
    };
    let freeze = "Do not deploy until 2026-01-20.";
    let over = "warning `not deploy until 2026-01-20` was over 12 days ago";
    assert_eq!(written(freeze, None), [over]);
    assert_eq!(written(freeze, Some("2026-01-02")), [over]);
    // What was past when it was written tells of the past.
    assert_eq!(written(freeze, Some("2026-01-25")), [""; 0]);
    assert_eq!(
        written("Keep the flag until June 2025.", None),
        ["info `until June 2025` was over 216 days ago"]
    );
    // What is old is what is to be removed.
    let alias = "Remove after June 2025: the old gateway alias.";
    let over = "warning `Remove after June 2025` was over 216 days ago";
    assert_eq!(written(alias, None), [over]);
    for body in [
        "Do not deploy until 2026-02-01.",
        "Remove the shim after 2027-03.",
        "The old host was up until 2025-06-01.",
        "Rows from 2023-01 until 2024-03 have no fee.",
    ] {
        assert_eq!(written(body, None), [""; 0], "{body}");
    }
}

#[test]
fn a_confirmed_memory_has_a_new_clock() {
    let sample = || memory("a").front("", "Do not deploy until 2026-01-20.");
    let confirmed = |day: &str| {
        let at = Timestamp::parse_iso(day);
        let sample = sample().change(|memory| memory.confirmed = at);
        found(&Fake::default(), "expired", sample).findings.len()
    };
    assert_eq!((confirmed("2026-01-10"), confirmed("2026-01-28")), (1, 0));
}

#[test]
fn files_that_became_others_are_suggested() {
    let half = |changed, lines| Some(Rewritten { changed, lines });
    let at = |rewritten, created: i64, body: &str| {
        let project = Fake {
            rewritten,
            ..Fake::new(&[])
        };
        let sample = memory("a").front("", body);
        let sample = sample.change(|memory| memory.created = Some(Timestamp(created * 1000)));
        let findings = found(&project, "changed-since", sample).findings;
        findings
            .into_iter()
            .map(|finding| finding.message)
            .collect::<Vec<_>>()
    };
    let body = "The parser is in `src/a.rs`.";
    let says = "`src/a.rs` changed in 4 commits: 90 of 120 lines, old and new, are others since this was written";
    assert_eq!(at(half(90, 120), THEN - 5, body), [says]);
    // Little of it, a small file, a file that cannot be compared, too few commits, the past.
    assert!(at(half(50, 120), THEN - 5, body).is_empty());
    assert!(at(half(30, 30), THEN - 5, body).is_empty());
    assert!(at(None, THEN - 5, body).is_empty());
    assert!(at(half(90, 120), THEN + 1, body).is_empty());
    assert!(at(half(90, 120), THEN - 5, "The parser was in `src/a.rs`.").is_empty());
    // A day without a time counts whole.
    assert!(at(half(90, 120), THEN, body).is_empty());
}

#[test]
fn what_was_not_looked_up_is_said_again_of_what_is_kept() {
    let mut project = Fake::new(&[]);
    project.history = project
        .history
        .with_submodules(vec!["libs/wire".to_owned()]);
    let body = "`libs/wire/src/x.c` reads the frames.";
    let store = Store::new(vec![memory("a").front("", body)]);
    let cx = Context {
        project: &project,
        ..store.cx()
    };
    let rules = Selection::of(&["stale-path"]).unwrap();
    let mut memo = Memo::default();
    let mut notes = || digest_again(&cx, &rules, usize::MAX, &mut memo).notes;
    let first = notes();
    assert_eq!(first.len(), 1, "{first:?}");
    assert_eq!(notes(), first);
}
