//! Commands that only read.

use crate::place::{Place, Ran};

#[test]
fn listings_for_people() {
    let place = Place::sample();
    insta::assert_snapshot!(place.all_told(&[
        &["stores"],
        &["stores", "--format", "quiet"],
        &["list"],
        &["list", "--all"],
        &["list", "--format", "markdown"],
        &["list", "--format", "quiet"],
        &["list", "--last", "2", "--format", "quiet"],
        &["list", "--last", "0"],
        &["list", "--recent", "7", "--format", "quiet"],
        &["list", "--tags", "AUTH,nothing", "--format", "quiet"],
        &["list", "--query", "importance:>=high", "--format", "quiet"],
        &["list", "--query", "has:load-error", "--format", "quiet"],
        &["list", "--color", "always", "--last", "1"],
    ]));
}

#[test]
fn listings_for_programs() {
    let place = Place::sample();
    insta::assert_snapshot!(place.all_told(&[
        &["stores", "--format", "json"],
        &["list", "--format", "json", "--all"],
        &["show", "auth-flow", "--format", "json"],
    ]));
}

#[test]
fn every_key_of_the_contract_is_there() {
    let place = Place::sample();
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    let memory = [
        "id",
        "store",
        "format",
        "title",
        "path",
        "line",
        "fields",
        "tags",
        "importance",
        "created",
        "updated",
        "confirmed",
        "author",
        "words",
        "tokens",
        "state",
        "visible",
        "hidden_reason",
        "seen",
        "expires",
        "findings",
    ];
    let listed = place.run(&["list", "--all", "--format", "json"]).json();
    for one in listed.as_array().unwrap() {
        assert_eq!(keys(one), memory);
    }
    let shown = place.run(&["show", "broken", "--format", "json"]).json();
    assert_eq!(
        keys(&shown),
        [&memory[..], &["body", "seen_body", "worth"]].concat()
    );
    assert_eq!(shown["importance"], serde_json::Value::Null);
    assert_eq!(shown["body"], "Still readable.\n");
    let inject = place
        .run(&["inject", "--task", "login", "--format", "json"])
        .json();
    assert_eq!(
        keys(&inject),
        [
            "task", "previews", "prompt", "tokens", "context", "together"
        ]
    );
    assert_eq!(
        keys(&inject["task"]),
        ["text", "agent", "plan", "history", "files", "now"]
    );
    assert_eq!(inject["task"]["now"], crate::place::NOW);
    let preview = &inject["previews"][0];
    assert_eq!(
        keys(preview),
        [
            "store", "policy", "dialect", "selected", "rejected", "prompt", "skill", "tokens",
            "budget"
        ]
    );
    for verdict in ["selected", "rejected"]
        .iter()
        .flat_map(|of| preview[of].as_array().unwrap())
    {
        assert_eq!(
            keys(verdict),
            [
                "id", "title", "rank", "score", "factors", "match", "reason", "hint", "tokens",
                "findings"
            ]
        );
    }
    let lint = place.run(&["lint", "--format", "json"]).json();
    assert_eq!(keys(&lint), ["findings", "summary", "notes"]);
    assert_eq!(
        keys(&lint["summary"]),
        [
            "error",
            "warning",
            "info",
            "memories",
            "baseline",
            "baseline_gone"
        ]
    );
    for finding in lint["findings"].as_array().unwrap() {
        assert_eq!(
            keys(finding),
            [
                "rule",
                "severity",
                "confidence",
                "id",
                "path",
                "line",
                "column",
                "message",
                "evidence",
                "related",
                "fix",
                "marks"
            ]
        );
    }
}

#[test]
fn showing_one() {
    let place = Place::sample();
    insta::assert_snapshot!(place.all_told(&[
        &["show", "auth-flow"],
        &["show", "broken"],
        &["show", "deploy#2", "--format", "markdown"],
        &["show", "old", "--format", "quiet"],
        &["show", "archive/old"],
        &["show", "windows"],
    ]));
    let text = place.run(&["show", "windows", "--format", "markdown"]);
    assert_eq!(
        text.out,
        place.read("windows.md"),
        "for programs: byte for byte"
    );
}

#[test]
fn searching() {
    let place = Place::sample();
    insta::assert_snapshot!(place.all_told(&[
        &["search", "token"],
        &["search", "deploy", "--format", "quiet"],
        &["search", "old", "--format", "quiet"],
        &["search", "old", "--all", "--format", "quiet"],
        &["search", "nothing-like-it"],
        &["search", "impotance:high"],
        &["search", "importance:urgent"],
        &["search", "created:<"],
    ]));
}

/// Whole words come before beginnings, those before scattered letters, and these stand apart.
#[test]
fn listings_rank_whole_words_first_and_set_loose_matches_apart() {
    let place = Place::empty();
    for (name, title, tags) in rows! {
        "a-times" => "Sailing Times Are Stored as Local Harbour Time Here" => "x",
        "b-module" => "Authentication Module" => "x",
        "c-tagged" => "Operator Tokens" => "auth",
        "d-whole" => "Why the Auth Cache Went" => "x",
        "e-inside" => "OAuth Was Too Broad" => "x",
        "f-none" => "Money Is in Cents" => "x",
    } {
        let text = format!("---\ntitle: {title}\ntags: [{tags}]\n---\n\nbody\n");
        place.write(&format!("{name}.md"), text);
    }
    let ranked = [
        "rawko:d-whole",
        "rawko:c-tagged",
        "rawko:b-module",
        "rawko:e-inside",
        "rawko:a-times",
    ];
    for call in [["list", "--query", "auth"], ["search", "--all", "auth"]] {
        let quiet = place.run(&[&call[..], &["--format", "quiet"]].concat());
        assert_eq!(quiet.lines(), ranked, "{call:?}");
        let table = place.run(&call).lines();
        assert_eq!(
            table.iter().position(|line| line == "─ looser ─"),
            Some(5),
            "{table:#?}"
        );
        assert!(table[6].contains("a-times"), "{table:#?}");
    }
    // Fields do not rank: the order is that of the store.
    let fields = place.run(&["list", "--query", "tag:x,auth", "--format", "quiet"]);
    assert_eq!(fields.lines()[..2], ["rawko:a-times", "rawko:b-module"]);
    assert!(
        !place
            .run(&["list", "--query", "module"])
            .text()
            .contains("looser")
    );
    assert!(!place.run(&["list"]).text().contains("looser"));
}

#[test]
fn an_unknown_state_is_refused_with_the_one_that_is_meant() {
    let place = Place::sample();
    for call in [
        ["list", "--query", "is:changed"],
        ["search", "--all", "is:changed"],
    ] {
        let ran = place.run(&call);
        assert_eq!((ran.code, ran.text().as_str()), (2, ""), "{call:?}");
        assert!(ran.err.contains("no state `changed`"), "{}", ran.err);
        assert!(ran.err.contains("did you mean `new`?"), "{}", ran.err);
    }
}

#[test]
fn search_shows_five() {
    let place = Place::empty();
    for n in 0..9 {
        let text = format!("---\ntitle: Same {n}\ntags: [x]\n---\n\nbody\n");
        place.write(&format!("same-{n}.md"), text);
    }
    assert_eq!(
        place
            .run(&["search", "same", "--format", "quiet"])
            .lines()
            .len(),
        5
    );
    assert_eq!(
        place
            .run(&["search", "same", "--all", "--format", "quiet"])
            .lines()
            .len(),
        9
    );
}

#[test]
fn what_would_be_injected() {
    let place = Place::sample();
    insta::assert_snapshot!(place.all_told(&[
        &["inject", "--task", "fix the login"],
        &[
            "inject",
            "--task",
            "fix the login",
            "--agent",
            "developer",
            "--explain"
        ],
        &["inject", "--task", "fix the login", "--format", "prompt"],
        &["inject", "--task", "fix the login", "--format", "markdown"],
        &["inject", "--task", "nothing of it", "--format", "prompt"],
        &[
            "inject", "--task", "login", "--max", "0", "--format", "prompt"
        ],
        &[
            "inject",
            "--task",
            "login",
            "--min-importance",
            "critical",
            "--format",
            "prompt"
        ],
    ]));
    let piped = place.run_with(
        b"fix the login\n",
        &["inject", "--task", "-", "--format", "json"],
    );
    assert_eq!(piped.json()["task"]["text"], "fix the login");
}

#[test]
fn findings_in_every_format() {
    let place = Place::sample();
    insta::assert_snapshot!(place.all_told(&[
        &["lint", "--rule", "load-error"],
        &["lint", "--rule", "load-error", "--format", "github"],
        &[
            "lint",
            "--rule",
            "load-error",
            "--rule",
            "dead-appended",
            "--format",
            "quiet"
        ],
        &["lint", "--rule", "load-error", "--format", "json"],
        &[
            "lint",
            "--rule",
            "load-error",
            "--fail-on",
            "never",
            "--format",
            "quiet"
        ],
        &["lint", "--rule", "name-style"],
        &[
            "lint",
            "windows",
            "--rule",
            "invisible-to-loader",
            "--fix",
            "--dry-run"
        ],
    ]));
    let page = place.ok(&["lint", "--explain", "load-error"]);
    assert!(page.starts_with("# load-error\n"), "{page}");
    let sarif = place.run(&["lint", "--format", "sarif"]).json();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(result["ruleId"], rules[index]["id"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].is_string());
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
    }
}

#[test]
fn the_demo_in_a_folder() {
    let place = Place::bare();
    let folder = place.root().join("sample");
    let folder = folder.to_str().unwrap();
    place.ok(&["demo", "--into", folder]);
    let listed = place.run_in(&place.root().join("sample"), &["list", "--format", "quiet"]);
    assert!(listed.lines().len() >= 40, "{}", listed.text());
    let again = place.run(&["demo", "--into", folder]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("hint: "), "{}", again.err);
    let tasks = place.run(&["demo", "--list-tasks"]);
    assert!(tasks.lines().len() >= 3);
    assert_eq!(place.run(&["demo", "--now", "soon"]).code, 2);
}

#[test]
fn a_demo_without_a_history_says_why() {
    let place = Place::bare();
    let mut command = place.command(&place.root());
    command.env("PATH", place.home());
    let ran: Ran = command
        .args(["demo", "--into", "sample"])
        .output()
        .unwrap()
        .into();
    assert_eq!(
        (ran.code, &*ran.text()),
        (0, "wrote the sample project to sample\n")
    );
    assert_eq!(
        ran.err,
        "warning: the sample project has no history: git is not installed\n"
    );
}

#[test]
fn negative_memories_say_so_in_their_title_kind_or_beginning() {
    let place = Place::empty();
    let write = |n: usize, title: &str, tags: &str, body: &str| {
        let fields = format!("title: \"{title}\"\nwhenToUse: [x]\ntags: [{tags}]\nimportance: low");
        let text = format!(
            "---\n{fields}\ndiscoveredAt: \"2026-01-02\"\ndiscoveredBy: dev\n---\n{body}\n"
        );
        place.write(&format!("m{n:02}.md"), text);
    };
    let rows = rows! {
        "Never retry a refund" => "" => "" => true,
        "never-retry-refunds" => "" => "" => true,
        "Retries never end" => "" => "" => false,
        "Neverland bookings" => "" => "" => false,
        "The cache does not work on ARM" => "" => "" => true,
        "Gotchas:" => "" => "" => true,
        "Nie direkt auf main pushen" => "" => "" => true,
        "Niederlande: Steuern" => "" => "" => false,
        "Ne jamais modifier le schéma" => "" => "" => true,
        "Никогда не удаляй журнал" => "" => "" => true,
        "重试时不要清空缓存" => "" => "" => true,
        "직접 배포 금지" => "" => "" => true,
        "Don’t mock the clock" => "" => "" => true,
        "Clock" => "pitfall" => "" => true,
        "Clock" => "failure, clock" => "" => true,
        "Deploys" => "" => "# Deploys\n\nNever deploy on Fridays. Mondays are fine." => true,
        "Deploys" => "" => "# Deploys\n\n**Rule:** do not deploy on Fridays" => true,
        "Deploys" => "" => "When a page is open, do **not** reload it" => true,
        "Deploys" => "" => "## Pitfalls\n\n- one" => true,
        "Deploys" => "" => "Gotcha: `make test` needs a tag" => true,
        // What failed once is a log and forbids nothing.
        "Deploys" => "" => "failure: cmd=make test, exit=2" => false,
        "Deploys" => "" => "The parser takes what you do not expect" => false,
        // The first of several statements says little about the others.
        "Deploys" => "" => "# Deploys\n\n- Never on Fridays\n- Tag first" => false,
        "Deploys" => "" => "Deploys run on Mondays. Never on Fridays." => false,
        "Deploys" => "" => "```\nnever\n```" => false,
    };
    for (n, (title, tags, body, _)) in rows.iter().enumerate() {
        write(n, title, tags, body);
    }
    let found = place.ok(&["list", "--query", "is:caution", "--format", "quiet"]);
    for (n, (title, tags, body, is_caution)) in rows.iter().enumerate() {
        let is_found = found.contains(&format!("rawko:m{n:02}\n"));
        assert_eq!(is_found, *is_caution, "{title} · {tags} · {body}");
    }
}
