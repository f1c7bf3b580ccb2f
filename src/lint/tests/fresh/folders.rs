//! Folders: among words, and what became of all their files.

use super::*;
use crate::lint::repository::Gone;

/// Folders among words: those that were below the root, and what has a `/` in it otherwise.
#[test]
fn a_folder_among_words_is_one_where_the_history_has_it() {
    let gone = [
        "src/catalog/import.ts",
        "src/routes/orders.ts",
        "app/reports/balance.py",
        "bin/setup",
        "packages/ui/forms/field.tsx",
        "docs/decisions/0001.md",
        // Folders of names that mean something else nearly everywhere.
        "and/or/x.ts",
        "client/server/x.ts",
        "read/write/x.ts",
        "origin/main/x.ts",
        "application/json/x.ts",
        "acme/tide/x.ts",
        "feature/login/x.ts",
        "fix/cart/x.ts",
        "2026/01/x.md",
        "api/users/x.ts",
        "encoding/xml/x.go",
        "lib/http/server/x.ts",
        "lib/react/router/x.ts",
        "lib/input/output/x.ts",
        "lib/ines/harbour/x.ts",
        "lib/next/router/x.ts",
        "core/x.ts",
        "pub/sub/x.ts",
        "import/export/x.ts",
        "map/reduce/x.ts",
        "shop/api/x.ts",
    ];
    let gone = gone.map(|path| (path, None));
    let project = Fake {
        history: taken(&gone, &["src/main.ts", "web/src/pages/a.ts"])
            .with_remotes(&["git@github.com:acme/tide.git".to_owned()]),
        ..Fake::default()
    };
    for (body, path) in [
        (
            "The importer lives in src/catalog and upserts by SKU.",
            "src/catalog",
        ),
        (
            "All routers are below src/routes (one file each).",
            "src/routes",
        ),
        ("Reports: app/reports", "app/reports"),
        ("The broker is in `pub/sub` alone.", "pub/sub"),
        ("It is `bin/setup:12` that fails.", "bin/setup"),
        ("See `shop/api:30-42`.", "shop/api"),
        (
            "The directory app/reports renders the balance sheet.",
            "app/reports",
        ),
        (
            "Put new parsers into src/catalog, one per supplier.",
            "src/catalog",
        ),
        ("Orders come in through src/routes.", "src/routes"),
        ("- src/catalog: the importer", "src/catalog"),
        ("Look (src/routes) first.", "src/routes"),
        ("Run bin/setup once after a clone.", "bin/setup"),
        ("| packages/ui | the widgets |", "packages/ui"),
        (
            "**packages/ui/forms** holds every field.",
            "packages/ui/forms",
        ),
        (
            "Write down why in ./docs/decisions first.",
            "docs/decisions",
        ),
        ("It is tide/src/catalog that upserts.", "tide/src/catalog"),
        ("It is /repo/tide/src/catalog that upserts.", "src/catalog"),
        ("```sh\ncd app/reports\n```", "app/reports"),
        (
            "Every sheet is drawn by app\\reports at night.",
            "app/reports",
        ),
    ] {
        let expected = [format!("w `{path}` is gone")];
        assert_eq!(said(&project, "stale-path", body), expected, "{body}");
    }
    for body in [
        "Cancel and/or refund it.",
        "A client/server protocol of our own.",
        "Give it read/write access; client/server/read too.",
        "Rebase onto origin/main before a push.",
        "Answer with application/json always.",
        "Issues of acme/tide are read each Monday.",
        "Work on the branch feature/login until May.",
        "The fix/cart branch is kept open.",
        "tide/core is how we call it.",
        "Closed since 2026/01 in winter.",
        "GET api/users answers with a page.",
        "Go: import encoding/xml as it is.",
        "An http/server of our own.",
        "We took react/router for it.",
        "All input/output is buffered.",
        "Take it from ines/harbour on GitHub.",
        "next/router is no longer pages/router.",
        "It is src/pages now, and src/never was none.",
        "TCP/IP, CI/CD, 24/7 and w/o",
        "import x from 'src/catalog'",
        "Done by pub/sub, not by polling.",
        "The import/export of rates is a job; a map/reduce over all rows is none.",
        "Use the image `shop/api:1.2` for local work, or shop/api:latest.",
    ] {
        assert_eq!(said(&project, "stale-path", body), [""; 0], "{body}");
    }
    // Said once as code, it is a path in prose as well.
    let both = "tide/core is ours; `client/server` holds the first, and client/server is on.";
    assert_eq!(
        said(&project, "stale-path", both),
        ["w `client/server` is gone"]
    );
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
fn a_package_of_go_is_the_folder_below_its_module() {
    let project = Fake {
        history: taken(
            &[
                ("edge/internal/route/a.go", Some("edge/internal/path/a.go")),
                ("pkg/wire/b.go", None),
            ],
            &[
                "edge/internal/path/a.go",
                "edge/internal/auth/c.go",
                "edge/go.mod",
                "go.mod",
            ],
        ),
        ..Fake::new(&[
            (
                "edge/go.mod",
                "module acme.test/edge // the gateway\n\ngo 1.23\n",
            ),
            ("go.mod", "module github.com/acme/tide\n"),
        ])
    };
    for (body, expected) in [
        (
            "Routes are in `acme.test/edge/internal/route`.",
            &["w `edge/internal/route` has moved: it is `edge/internal/path` now"][..],
        ),
        (
            "Import `github.com/acme/tide/pkg/wire` for frames.",
            &["w `pkg/wire` is gone"],
        ),
        ("Tokens: `acme.test/edge/internal/auth`.", &[]),
        ("`github.com/other/tide/pkg/wire` is theirs.", &[]),
    ] {
        let all = said(&project, "stale-path", body);
        let all: Vec<&str> = all
            .iter()
            .map(|one| one.split(" => ").next().unwrap())
            .collect();
        assert_eq!(all, expected, "{body}");
    }
}
