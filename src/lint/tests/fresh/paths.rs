//! Paths as links, imports, shells and other machines write them.

use super::*;

/// A repository with files that are gone, one of which moved.
fn project() -> Fake {
    let gone = [
        ("src/legacy/router.ts", Some("src/routes/table.ts")),
        ("src/util/parse.ts", None),
        ("app/legacy/rates.py", None),
        ("src/index.ts", None),
        (".claude/settings.json", None),
    ];
    let files = [
        "src/routes/table.ts",
        "src/util/format.ts",
        "src/main.ts",
        "app/rates/euro.py",
    ];
    Fake {
        history: taken(&gone, &files).with_remotes(&["git@github.com:acme/tide.git".to_owned()]),
        ..Fake::default()
    }
}

#[test]
fn paths_that_are_gone_are_found_however_they_are_written() {
    let project = project();
    let moved = "has moved: it is `src/routes/table.ts` now";
    for (body, expected) in [
        (
            "Split over `src/util/{parse,format}.ts`.",
            vec!["w `src/util/parse.ts` is gone".to_owned()],
        ),
        (
            "Open C:/work/web/src/util/parse.ts there.",
            vec!["w `src/util/parse.ts` is gone".to_owned()],
        ),
        (
            "Open /home/ines/web/src/legacy/router.ts there.",
            vec![format!(
                "w `src/legacy/router.ts` {moved} => Open /home/ines/web/src/routes/table.ts there."
            )],
        ),
        (
            "Open C:\\work\\web\\src\\legacy\\router.ts there.",
            vec![format!(
                "w `src/legacy/router.ts` {moved} => Open C:\\work\\web\\src\\routes\\table.ts there."
            )],
        ),
        (
            "See [it](https://github.com/Acme/tide/blob/main/src/legacy/router.ts#L10).",
            vec![format!(
                "w `src/legacy/router.ts` {moved} => See [it](https://github.com/Acme/tide/blob/main/src/routes/table.ts#L10)."
            )],
        ),
        (
            "Write `import { routes } from '../legacy/router'`.",
            vec![format!(
                "w `legacy/router` {moved} => Write `import {{ routes }} from '../routes/table'`."
            )],
        ),
        (
            "Write `import p from './parse.js'` here.",
            vec!["w `parse` is gone".to_owned()],
        ),
        (
            "```py\nfrom app.legacy.rates import euro\n```",
            vec!["w `app/legacy/rates` is gone".to_owned()],
        ),
    ] {
        assert_eq!(said(&project, "stale-path", body), expected, "{body}");
    }
}

#[test]
fn what_is_there_or_of_another_project_is_not_reported() {
    let project = project();
    for body in [
        "Both `src/{main,util/format}.ts` count; src/{x,y}.ts never were.",
        "C:/work/web/src/main.ts and /home/ines/web/src/util/format.ts are there.",
        // Nearly every project has such a file, and every home has settings.
        "/home/ines/other/src/index.ts, C:/other/src/index.ts",
        "~/.claude/settings.json and /home/ines/.claude/settings.json are the user's.",
        "/usr/share/src/util/parse.ts is of the system.",
        "https://github.com/other/tide/blob/main/src/legacy/router.ts",
        "https://github.com/acme/tide/blob/v1.0.0/src/legacy/router.ts",
        "https://github.com/acme/tide/blob/1a2b3c4/src/legacy/router.ts",
        "`import { format } from './format'`, `import x from '@/routes/table.js'`",
        "`import React from 'react'`, `require('./never')`",
        "from app.rates.euro import rate\nimport app.rates\nfrom os.path import join",
    ] {
        assert_eq!(
            said(&project, "stale-path", body),
            Vec::<String>::new(),
            "{body}"
        );
    }
}

#[test]
fn a_memory_that_names_the_new_path_beside_the_old_one_tells_of_the_move() {
    let project = project();
    let (old, new) = ("src/legacy/router.ts", "src/routes/table.ts");
    for body in [
        format!("`{old}` → `{new}`"),
        format!("Run git mv {old} {new} once."),
        format!("| {old} | {new} |"),
        format!("Blame before March stops at the rename {old} to {new}."),
        format!("```diff\n-import x from \"{old}\"\n+import x from \"{new}\"\n```"),
        "`router.ts` and `table.ts` are one file to git".to_owned(),
        "Look for legacy/router.ts where routes/table.ts has no history.".to_owned(),
        format!("`{old}` moved\nto `{new}`"),
        format!("The table of routes has moved from {old}\nto {new} in March."),
        format!(
            "`{old}` was renamed, and whoever looks for the table of routes finds it in\n`{new}` now."
        ),
        format!("- `{old}` was renamed:\n  it is `{new}` now"),
        format!("> `{old}` moved\n> to `{new}`"),
        format!("Create `{old}` for the new login and put the guards there."),
        format!("Run the generator to create the file {old} and edit {old} then."),
        format!("```sh\nmkdir -p {old}\n```"),
        format!("First scaffold a new module `{old}`."),
    ] {
        assert_eq!(said(&project, "stale-path", &body), [""; 0], "{body}");
    }
    for body in [
        format!("Routes are in `{old}`.\n\nOnce they were to go to `{new}`."),
        format!("- Routes are in `{old}`.\n- Tables: `{new}`"),
        format!("We create {old} anew on each start."),
        format!("Never create a second `{old}`."),
    ] {
        assert_eq!(said(&project, "stale-path", &body).len(), 1, "{body}");
    }
    let both = format!("`{old}` → `{new}`\n\nEdit {old} for a new page.");
    let fixed = format!("`{old}` → `{new}`\n\nEdit {new} for a new page.");
    assert_eq!(
        said(&project, "stale-path", &both),
        [format!("w `{old}` has moved: it is `{new}` now => {fixed}")]
    );
    // What was done to it then was done to the old one.
    for past in [
        "In May we moved paging out of `OLD`.",
        "`OLD` was written by Mia in 2024.",
    ] {
        let past = past.replace("OLD", old);
        for (before, fixed) in [
            (
                format!("Round in `{old}`.\n\n{past}\n\nTest `{old}`."),
                format!("Round in `{new}`.\n\n{past}\n\nTest `{new}`."),
            ),
            (
                format!("{past}\n\nRound in `{old}`."),
                format!("{past}\n\nRound in `{new}`."),
            ),
        ] {
            let wanted = format!("w `{old}` has moved: it is `{new}` now => {fixed}");
            assert_eq!(said(&project, "stale-path", &before), [wanted]);
        }
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

/// Another repository may have a file of the same name, and nobody here can put it right.
#[test]
fn what_is_in_another_repository_is_passed_over() {
    let project = project();
    for body in [
        "The mobile app has its own src/util/parse.ts, in another repository.",
        "The tide-ios repo keeps a copy in `src/util/parse.ts`.",
        "The partner's repository tide-mirror reads src/util/parse.ts nightly.",
        "Their fork still has src/util/parse.ts at the old place.",
        "The upstream project openquay keeps this in src/util/parse.ts.",
        "On branch release/1.x the file is src/util/parse.ts.",
        "In tag v1.4 look at `src/util/parse.ts`.",
    ] {
        assert_eq!(said(&project, "stale-path", body), [""; 0], "{body}");
    }
    for body in [
        "The whole repository reads src/util/parse.ts at start.",
        "`src/util/parse.ts` is sent to the tide-ios repo by CI.",
        "Clone the repo and open src/util/parse.ts.",
        "Branch off main, then change src/util/parse.ts.",
        "This is a mono-repo: src/util/parse.ts is shared.",
    ] {
        assert_eq!(
            said(&project, "stale-path", body),
            ["w `src/util/parse.ts` is gone"],
            "{body}"
        );
    }
}
