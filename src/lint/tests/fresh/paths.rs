//! Paths as links, imports, shells and other machines write them.

use super::*;
use crate::lint::repository::Gone;

/// A repository with files that are gone, one of which moved.
fn project() -> Fake {
    let gone = |(path, to): &(&str, Option<&str>)| Gone {
        path: (*path).into(),
        commit: 0,
        blob: Blob([1; 20]),
        to: to.map(Into::into),
    };
    let log = Log {
        commits: vec![Commit {
            id: "1a2b3c4d".into(),
            time: THEN + 9,
            author: "Ines".into(),
            subject: "Move it".into(),
        }],
        gone: [
            ("src/legacy/router.ts", Some("src/routes/table.ts")),
            ("src/util/parse.ts", None),
            ("app/legacy/rates.py", None),
            ("src/index.ts", None),
            (".claude/settings.json", None),
        ]
        .iter()
        .map(gone)
        .collect(),
        ..Log::default()
    };
    let files = [
        "src/routes/table.ts",
        "src/util/format.ts",
        "src/main.ts",
        "app/rates/euro.py",
    ];
    let files = files.map(str::to_owned).to_vec();
    Fake {
        history: History::new("/repo/tide", files, Arc::new(log))
            .with_remotes(&["git@github.com:acme/tide.git".to_owned()]),
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
            vec![format!("w `legacy/router` {moved}")],
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
