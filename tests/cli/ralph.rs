//! Ralph's file from the command line: its whole outputs, the file afterwards, and its lock.

use std::fs;
use std::path::PathBuf;

use crate::place::Place;

/// A file with one of each of what Ralph reads otherwise than it is written.
const FILE: &str = "# Memories\n\nA note by hand.\n\n## Patterns\n\n### mem-1769600000-00a1\n> Prices are integer cents.\n> \n> `Money` formats them.\n<!-- tags: money, api | created: 2026-01-28 -->\n\n### mem-1769500000-00a2\n<!-- tags: leaked | created: 2026-01-02 -->\n\n### mem-1769400000-00a3\n> Holds end after ten minutes.\n\n### mem-1769300000-phase-complete\n> Phase two is complete.\n<!-- tags: progress | created: 2026-01-25 -->\n\n## Fixes\n\n### mem-1769200000-00a4\n> The tests need Postgres on port 5433.\n<!-- tags: tests, postgres | created: 2026-01-24 -->\n\n### mem-1769200000-00a4\n> Restart the pool after a migration.\n<!-- tags: postgres | created: 2026-01-24T10:00:00Z -->\n\n## References\n\n### mem-1769100000-00a5\n>The API is described in docs/api.md.\n> See `docs/api.md`.\n<!-- tags: docs | created: 2026-01-23 -->";

fn file(place: &Place) -> PathBuf {
    place.root().join(".ralph/agent/memories.md")
}

fn ralph() -> Place {
    let place = Place::bare();
    fs::create_dir_all(file(&place).parent().unwrap()).unwrap();
    fs::write(file(&place), FILE).unwrap();
    place
}

fn text(place: &Place) -> String {
    fs::read_to_string(file(place)).unwrap()
}

#[test]
fn reading_it() {
    let place = ralph();
    insta::assert_snapshot!(place.all_told(&[
        &["stores"],
        &["list"],
        &["list", "-t", "fix", "--format", "quiet"],
        &[
            "list",
            "--query",
            "type:fix tag:tests",
            "--format",
            "markdown"
        ],
        &["list", "--last", "1"],
        &["list", "-t", "rule"],
        &["search", "pool"],
        &["search", "postgres", "-t", "fix", "--format", "quiet"],
        &["show", "00a3"],
        &["show", "mem-1769600000-00a1", "--format", "json"],
        &["show", "mem-1769400000-00a3", "--format", "json"],
        &["lint"],
        &["inject", "--task", "x", "--explain"],
        &["inject", "--task", "x", "--max", "3"],
        &["prime"],
        &["prime", "--budget", "40"],
        &["prime", "--budget", "40", "--dialect", "spec"],
        &[
            "prime", "-t", "fix", "--tags", "TESTS,x", "--format", "json"
        ],
        &["prime", "--recent", "5", "--format", "quiet"],
        &["prime", "--dialect", "natural"],
    ]));
    let prompt = place.run(&["inject", "--task", "x", "--format", "prompt"]);
    assert_eq!(prompt.text(), place.ok(&["prime"]));
    let skill = place.ok(&["skill"]);
    assert!(skill.starts_with("# Memories of this project\n"));
    let json = place
        .run(&["inject", "--task", "x", "--format", "json"])
        .json();
    assert_eq!(json["previews"][0]["skill"], skill);
}

#[test]
fn a_text_may_have_tabs_and_other_characters_that_are_no_title() {
    let place = ralph();
    let body = "make\tbuild\u{7} takes\t3 minutes\n\tindented";
    let id = place.ok(&["add", body, "--format", "quiet"]);
    let shown = place.run(&["show", id.trim(), "--format", "json"]).json();
    assert_eq!(shown["body"], body);
    assert!(text(&place).contains("> make\tbuild\u{7} takes\t3 minutes\n> \tindented\n"));
    let ran = place.run(&["add", "\u{7}"]);
    assert_eq!(
        (ran.code, ran.err.lines().next()),
        (2, Some("error: a memory needs a text"))
    );
}

/// Ralph's own `search` takes a word in any case.
#[test]
fn a_search_does_not_go_by_the_case_of_letters() {
    let place = ralph();
    let found = "ralph:mem-1769200000-00a4\n";
    for query in [
        "POSTGRES 5433",
        "postgres 5433",
        "'POSTgres !MIGRATION",
        "TESTS Port",
    ] {
        let ran = place.run(&["search", query, "--format", "quiet"]);
        assert_eq!(ran.text(), found, "{query}");
    }
    let umlaut = place.ok(&["add", "Die Prüfung läuft", "--format", "quiet"]);
    assert_eq!(
        place.ok(&["search", "PRÜFUNG", "--format", "quiet"]),
        umlaut
    );
    // Where one types and sees what comes, an upper-case letter is meant.
    assert_eq!(place.run(&["list", "--query", "POSTGRES"]).code, 1);
}

#[test]
fn a_day_that_does_not_exist_is_refused() {
    let place = ralph();
    let before = place.snapshot();
    for day in ["2026-02-30", "2026-04-31T10:00:00Z"] {
        let set = format!("created={day}");
        for args in [
            &["edit", "mem-1769600000-00a1", "--set", &set][..],
            &["add", "Anything.", "--set", &set],
        ] {
            let ran = place.run(args);
            assert_eq!(ran.code, 2, "{args:?}: {}", ran.text());
            assert!(ran.err.contains(day), "{args:?}: {}", ran.err);
            assert!(place.snapshot() == before, "{args:?}");
        }
    }
    place.ok(&["edit", "mem-1769600000-00a1", "--set", "created=2028-02-29"]);
    assert!(text(&place).contains("<!-- tags: money, api | created: 2028-02-29 -->"));
}

#[test]
fn settings_that_cannot_be_read_hold_no_other_store_up() {
    let place = ralph();
    fs::write(
        place.root().join("ralph.yml"),
        "memories:\n  filter: {types: [fix\n",
    )
    .unwrap();
    let task = ["inject", "--task", "x", "--format", "prompt"];
    let ran = place.run(&task);
    insta::assert_snapshot!(place.redacted(&ran.err), @r"
    error: the settings cannot be read: did not find expected ',' or ']'
      --> [tmp]/p/ralph.yml:3:1
    hint: put it right, or take the file away
    ");
    assert_eq!(ran.code, 2);
    fs::create_dir_all(place.store()).unwrap();
    let ran = place.run(&task);
    insta::assert_snapshot!(place.redacted(&ran.err), @"note: [tmp]/p/ralph.yml cannot be read: did not find expected ',' or ']' (line 3, column 1); ralph is previewed without it
");
    assert_eq!(ran.code, 0);
    assert!(ran.text().contains("# Memories"), "{}", ran.text());
}

#[test]
fn several_types() {
    let place = ralph();
    let listed = |args: &[&str]| place.run(args).lines();
    let both = listed(&["list", "-t", "fix,context", "--format", "quiet"]);
    assert_eq!(both, listed(&["list", "-t", "fix", "--format", "quiet"]));
    assert!(!both.is_empty());
    let all = listed(&["list", "-t", "Fix, pattern", "--format", "quiet"]);
    let patterns = listed(&["list", "-t", "pattern", "--format", "quiet"]);
    assert_eq!(all.len(), both.len() + patterns.len());
}

#[test]
fn findings_of_thousands_are_not_counted_behind_a_list() {
    let place = ralph();
    let mut text = FILE.to_owned() + "\n";
    for n in 0..10_001 {
        text += &format!("\n### mem-1760000000-{n:04x}\n> Number {n}.\n");
    }
    fs::write(file(&place), text).unwrap();
    let json = |args: &[&str]| place.run(args).json();
    let all = json(&["list", "--format", "json"]);
    assert!(all[0]["findings"].is_null(), "{}", all[0]);
    let few = json(&["list", "--format", "json", "--tags", "leaked"]);
    let one = json(&["show", "mem-1769500000-00a2", "--format", "json"]);
    let found = json(&["lint", "--format", "json", "mem-1769500000-00a2"]);
    let found = found["findings"].as_array().unwrap().len();
    assert!(found > 0);
    assert_eq!(few[0]["findings"], found);
    assert_eq!(one["findings"], found);
}

#[test]
fn changing_it() {
    let place = ralph();
    insta::assert_snapshot!(place.all_told(&[
        &[
            "add",
            "Deploys stop at noon.",
            "--tags",
            "deploy, ops",
            "-t",
            "decision"
        ],
        &["add", "Two\n\nparagraphs", "-t", "Fix", "--format", "quiet"],
        &["add", "x", "-t", "rule"],
        &["add", "x", "--tags", "a|b"],
        &["add", " \n "],
        &[
            "edit",
            "mem-1769600000-00a1",
            "--set",
            "type=context",
            "--add-tag",
            "cents",
            "--dry-run"
        ],
        &[
            "edit",
            "mem-1769600000-00a1",
            "--set",
            "tags=money",
            "--set",
            "created=2026-01-29",
            "--dry-run"
        ],
        &["edit", "00a1", "--set", "importance=high"],
        &["edit", "mem-1769600000-00a1", "--unset", "created"],
        &["delete", "mem-1769200000-00a4#2", "--dry-run"],
        &["archive", "mem-1769200000-00a4", "--dry-run"],
        &[
            "rename",
            "mem-1769300000-phase-complete",
            "mem-1769300000-00a9",
            "--dry-run"
        ],
        &["rename", "mem-1769300000-phase-complete", "progress"],
    ]));
}

#[test]
fn every_change_is_undone_to_the_byte() {
    let variants = [
        FILE.to_owned(),
        format!("\u{feff}{}", FILE.replace('\n', "\r\n")),
        format!("{FILE}\n\n\n"),
    ];
    for start in variants {
        let place = ralph();
        fs::write(file(&place), &start).unwrap();
        for args in [
            &["add", "One more", "-t", "context"][..],
            &[
                "edit",
                "mem-1769600000-00a1",
                "--set",
                "type=fix",
                "--set",
                "tags=x",
                "--add-tag",
                "y",
            ],
            &["edit", "mem-1769400000-00a3", "--set", "tags=x"],
            &["delete", "mem-1769200000-00a4#2", "mem-1769100000-00a5"],
            &[
                "archive",
                "mem-1769200000-00a4#2",
                "mem-1769300000-phase-complete",
            ],
            &[
                "rename",
                "mem-1769300000-phase-complete",
                "mem-1769300000-00a9",
            ],
        ] {
            place.ok(args);
            assert_ne!(text(&place), start, "{args:?}");
            assert!(text(&place).contains("A note by hand."));
            place.ok(&["undo"]);
            assert_eq!(text(&place), start, "{args:?}");
            assert!(!file(&place).with_file_name("memories.archive.md").exists());
        }
    }
}

#[test]
fn what_is_gone_comes_back_whatever_happened_since() {
    let place = ralph();
    let block = "### mem-1769200000-00a4\n> Restart the pool after a migration.\n<!-- tags: postgres | created: 2026-01-24T10:00:00Z -->\n";
    for (away, id) in [
        ("delete", "mem-1769200000-00a4#2"),
        ("archive", "archive/mem-1769200000-00a4"),
    ] {
        fs::write(file(&place), FILE).unwrap();
        place.ok(&[away, "mem-1769200000-00a4#2"]);
        assert!(!text(&place).contains(block));
        place.ok(&["archive", "mem-1769600000-00a1"]);
        place.ok(&["edit", "mem-1769400000-00a3", "--set", "tags=edited"]);
        // Another program adds an entry.
        fs::write(file(&place), text(&place) + "\n\n### mem-1-0000\n> last\n").unwrap();
        place.ok(&["restore", id]);
        let after = text(&place);
        assert!(
            after.contains(block) && after.contains("edited") && after.contains("mem-1-0000"),
            "{after}"
        );
        assert!(after.find(block).unwrap() > after.find("## Fixes").unwrap());
        assert!(after.find(block).unwrap() < after.find("## References").unwrap());
        place.ok(&["restore", "archive/mem-1769600000-00a1"]);
        assert!(
            text(&place).contains("> Prices are integer cents.\n> \n> `Money` formats them.\n")
        );
        assert!(!file(&place).with_file_name("memories.archive.md").exists());
        let twice = place.run(&["restore", "mem-1769200000-00a4#2"]);
        assert_ne!(twice.code, 0, "{}", twice.text());
    }
}

#[test]
fn what_went_together_comes_back_one_by_one_where_it_stood() {
    let entry = |id: &str, text: &str| {
        format!("### {id}\n> {text}\n<!-- tags: a | created: 2026-01-03 -->\n")
    };
    let (a, b) = ("mem-300-aaaa", "mem-200-bbbb");
    let start = format!(
        "# Memories\n\n## Patterns\n\n{}\nfree note of A\n\n{}\nfree note of B\n\n{}",
        entry(a, "a"),
        entry(b, "b"),
        entry("mem-100-cccc", "c").trim_end()
    );
    let place = ralph();
    for (away, back) in [("archive", "archive/"), ("delete", "")] {
        for order in [[a, b], [b, a]] {
            fs::write(file(&place), &start).unwrap();
            place.ok(&[away, a, b]);
            for id in order {
                place.ok(&["restore", &format!("{back}{id}")]);
            }
            assert_eq!(text(&place), start, "{away} {order:?}");
        }
    }
    // While another program adds one above.
    place.ok(&["archive", a, b]);
    let new = format!("## Patterns\n\n{}", entry("mem-400-dddd", "new"));
    fs::write(file(&place), text(&place).replace("## Patterns\n", &new)).unwrap();
    place.ok(&["restore", "archive/mem-300-aaaa"]);
    place.ok(&["restore", "archive/mem-200-bbbb"]);
    assert_eq!(text(&place), start.replace("## Patterns\n", &new));
}

#[test]
fn twins_come_back_one_by_one_where_they_stood() {
    let id = "mem-300-aaaa";
    let place = ralph();
    let entries = ["one", "two", "three"].map(|text| format!("### {id}\n> {text}\n"));
    let start = format!("## Fixes\n\n{}", entries.join("\nnote\n\n"));
    for order in [["#2", "#3"], ["#3", "#2"]] {
        fs::write(file(&place), &start).unwrap();
        place.ok(&["delete", &format!("{id}#2"), &format!("{id}#3")]);
        for count in order {
            place.ok(&["restore", &format!("{id}{count}")]);
        }
        assert_eq!(text(&place), start, "{order:?}");
    }
}

/// A day without a time counts as a whole, for every command.
#[test]
fn recent_means_one_thing() {
    let place = Place::bare();
    let path = file(&place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let entry = |n: usize, date: &str| {
        format!("### mem-1769200000-000{n}\n> Note {n}\n<!-- tags:  | created: {date} -->\n\n")
    };
    let dates = [
        "2026-01-30",
        "2026-01-29",
        "2026-01-28",
        "none",
        "2026-01-31",
    ];
    let entries: Vec<String> = (0..).zip(dates).map(|(n, date)| entry(n, date)).collect();
    fs::write(&path, format!("## Fixes\n\n{}", entries.concat())).unwrap();
    for (days, expected) in [("0", "034"), ("1", "0134"), ("2", "01234")] {
        for args in [&["list"][..], &["search", "note"], &["prime"]] {
            let ran = place.run(&[args, &["--recent", days, "--format", "quiet"]].concat());
            let mut found: Vec<char> = ran
                .text()
                .lines()
                .filter_map(|id| id.chars().last())
                .collect();
            found.sort_unstable();
            assert_eq!(
                found.iter().collect::<String>(),
                expected,
                "{args:?} {days}"
            );
        }
    }
    // What has a time is so many times 24 hours old.
    let place = Place::empty();
    for (name, at) in [
        ("a", "2026-01-29T12:00:00Z"),
        ("b", "2026-01-29T11:59:59Z"),
        ("c", "2026-01-29"),
    ] {
        let front = format!(
            "title: {name}\nwhenToUse: [x]\ntags: []\nimportance: low\ndiscoveredAt: \"{at}\"\ndiscoveredBy: me"
        );
        place.write(
            &format!("{name}.md"),
            format!("---\n{front}\n---\n\nSay {name}.\n"),
        );
    }
    for args in [&["list"][..], &["prime"]] {
        let listed = place.ok(&[args, &["--recent", "1", "--format", "quiet"]].concat());
        assert_eq!(listed, "rawko:a\nrawko:c\n", "{args:?}");
    }
}

/// The bytes are kept; that Ralph reads nothing of them is said.
#[test]
fn a_file_that_is_no_text_is_a_problem_with_its_place() {
    let place = Place::bare();
    let path = file(&place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let bytes = b"# Memories\n\n\xff\xfe\x00binary\n".to_vec();
    fs::write(&path, &bytes).unwrap();
    assert!(place.ok(&["stores"]).contains("1 with problems"));
    let ran = place.run(&["lint"]);
    assert_eq!(ran.code, 1);
    let at = "memories.md:3:1 error[load-error] not UTF-8 from here on";
    assert!(ran.text().contains(at), "{}", ran.text());
    for args in [&["delete", "memories.md"][..], &["archive", "memories.md"]] {
        assert_ne!(place.run(args).code, 0, "{args:?}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    let said = place.ok(&["add", "The tests need Postgres."]);
    assert!(said.contains("Ralph reads nothing"), "{said}");
    place.ok(&["undo"]);
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// The numbers of twins are those of the file that they stand in: the archive's are others.
#[test]
fn an_archived_twin_comes_back_by_the_id_it_had() {
    let id = "mem-300-aaaa";
    let ids = [id.to_owned(), format!("{id}#2"), format!("{id}#3")];
    let texts = ["one", "two", "three"];
    let start = format!(
        "## Fixes\n\n{}",
        texts.map(|text| format!("### {id}\n> {text}\n")).join("\n")
    );
    let fresh = || {
        let place = ralph();
        fs::write(file(&place), &start).unwrap();
        place
    };
    let has = |place: &Place| texts.map(|said| text(place).contains(&format!("> {said}\n")));
    // One alone; all in one step; one after the other, the last first.
    for n in 0..3 {
        let place = fresh();
        place.ok(&["archive", &ids[n]]);
        place.ok(&["restore", &ids[n]]);
        assert_eq!(text(&place), start, "{n}");
        place.ok(&["archive", &ids[0], &ids[1], &ids[2]]);
        let said = place.ok(&["restore", &ids[n]]);
        assert!(said.contains(texts[n]), "{said}");
        assert_eq!(has(&place), [0, 1, 2].map(|one| one == n), "{n}");
        let place = fresh();
        for id in ids.iter().rev() {
            place.ok(&["archive", id]);
        }
        place.ok(&["restore", &ids[n]]);
        assert_eq!(has(&place), [0, 1, 2].map(|one| one == n), "{n}");
    }
    // By their names in the archive, and where nothing is known of what was done.
    let place = fresh();
    place.ok(&["archive", &ids[0], &ids[1]]);
    let listed = place.ok(&[
        "list",
        "--all",
        "--query",
        "two is:archived",
        "--format",
        "quiet",
    ]);
    place.ok(&["restore", listed.trim()]);
    assert_eq!(has(&place), [false, true, true]);
    place.ok(&["undo"]);
    fs::remove_dir_all(place.home().join("state")).unwrap();
    let ran = place.run(&["restore", id]);
    assert_eq!(ran.code, 2, "{}", ran.text());
    assert!(ran.err.contains("ambiguous"), "{}", ran.err);
}

#[test]
fn a_new_store_is_ralphs_template() {
    let place = Place::bare();
    insta::assert_snapshot!(place.all_told(&[
        &["init", "--as", "ralph", "--dry-run"],
        &["init", "--as", "ralph"],
        &["init", "--as", "ralph"],
        &["list"],
        &["prime"],
        &["skill", "--policy", "rawko"],
    ]));
    assert_eq!(
        text(&place),
        "# Memories\n\n## Patterns\n\n## Decisions\n\n## Fixes\n\n## Context\n"
    );
    place.ok(&["undo"]);
    assert!(!file(&place).exists());
}

/// Ralph has had two places for its file; of two files it would read one.
#[test]
fn no_second_file_is_made_beside_the_one_that_is_there() {
    let place = Place::bare();
    let old = place.root().join(".agent/memories.md");
    fs::create_dir_all(old.parent().unwrap()).unwrap();
    fs::write(&old, FILE).unwrap();
    for more in [&[][..], &["--dry-run"]] {
        let said = place.ok(&[&["init", "--as", "ralph"], more].concat());
        assert_eq!(said, ".agent/memories.md is there already\n");
    }
    assert!(!file(&place).exists());
    place.ok(&["init", "--as", "rawko"]);
    assert!(place.root().join(".rawko/memories").is_dir());
}

/// Ralph's own `prime` fails on such a file; nothing at all would look like an empty store.
#[test]
fn what_cannot_be_read_is_not_given_as_context() {
    let place = ralph();
    for (bytes, line) in [
        (&b"# Memories\n\n\xff\n"[..], 3),
        (b"## Fixes\n\n### mem-1-aaaa\n> one \xff\n", 4),
    ] {
        fs::write(file(&place), bytes).unwrap();
        for format in ["markdown", "json", "quiet"] {
            let ran = place.run(&["prime", "--format", format]);
            assert_eq!((ran.code, ran.text().as_str()), (2, ""), "{format}");
            let at = format!("--> .ralph/agent/memories.md:{line}\n");
            assert!(ran.err.contains("not UTF-8"), "{}", ran.err);
            assert!(ran.err.contains(&at), "{}", ran.err);
        }
    }
}

#[test]
fn a_store_that_was_named_is_not_made_anew() {
    let place = ralph();
    let before = place.snapshot();
    let said = place.ok(&["--store", "ralph", "init"]);
    assert_eq!(said, ".ralph/agent/memories.md is there already\n");
    assert!(place.snapshot() == before);
}

#[test]
fn a_place_that_was_named_is_where_a_store_is_made() {
    let place = Place::bare();
    let folder = place.root().join("notes");
    fs::create_dir(&folder).unwrap();
    let said = place.ok(&["--store", "notes", "--as", "rawko", "init"]);
    assert_eq!(said, "notes is there already\n");
    place.ok(&["--store", "notes", "--as", "ralph", "init"]);
    assert!(folder.join("memories.md").exists());
    assert_eq!(fs::read_dir(place.root()).unwrap().count(), 1);
}

#[test]
fn a_field_of_ones_own_is_not_offered_where_there_is_none() {
    let place = ralph();
    let id = "mem-1769600000-00a1";
    let ran = place.run(&["edit", id, "--set", "importance=high"]);
    assert_eq!(ran.code, 2);
    assert!(!ran.err.contains("--set-new"), "{}", ran.err);
    assert!(ran.err.contains("hint: fields: "), "{}", ran.err);
}

#[test]
fn a_database_is_made_by_its_own_system_only() {
    let place = Place::bare();
    let said = place.run(&["init", "--as", "rum"]);
    assert_eq!(said.code, 2, "{}", said.text());
    assert!(said.err.contains("no store of rum"), "{}", said.err);
    assert_eq!(fs::read_dir(place.root()).unwrap().count(), 0);
    place.ok(&["init", "--as", "ralph"]);
    place.ok(&["add", "Prices are cents."]);
    assert!(place.ok(&["stores"]).contains("  1 memory · "));
}

#[test]
fn it_is_found_by_its_place_and_by_its_content() {
    let place = Place::bare();
    let old = place.root().join(".agent/memories.md");
    fs::create_dir_all(old.parent().unwrap()).unwrap();
    fs::write(&old, FILE).unwrap();
    assert_eq!(place.ok(&["stores", "--format", "quiet"]), "ralph\n");
    let notes = place.root().join("notes.md");
    fs::write(&notes, FILE).unwrap();
    let ids = |path: &str| place.ok(&["list", "--store", path, "--format", "quiet"]);
    assert_eq!(ids("notes.md").lines().count(), 7);
    assert_eq!(ids(".agent/memories.md").lines().count(), 7);
    assert_eq!(ids(".agent").lines().count(), 7);
    fs::write(&notes, "# Notes\n").unwrap();
    assert_eq!(place.run(&["list", "--store", "notes.md"]).code, 2);
    let empty = place.run(&["list", "--store", "notes.md", "--as", "ralph"]);
    assert_eq!((empty.code, empty.text().as_str()), (1, ""));
}

/// Two files of one project are told apart by their folders, and a folder of Ralph's is enough.
#[test]
fn the_folder_of_a_file_names_it() {
    let place = Place::bare();
    for folder in [".ralph/agent", ".agent"] {
        fs::create_dir_all(place.root().join(folder)).unwrap();
        fs::write(place.root().join(folder).join("memories.md"), FILE).unwrap();
    }
    let quiet = |args: &[&str]| place.ok(&[args, &["stores", "--format", "quiet"]].concat());
    assert_eq!(quiet(&[]), "ralph@.ralph/agent\nralph@.agent\n");
    assert_eq!(quiet(&["--store", "ralph@.agent"]), "ralph@.agent\n");
    for args in [
        &["--store", ".ralph"][..],
        &["--as", "ralph", "--store", ".ralph"],
    ] {
        let listed = place.ok(&[args, &["list", "--format", "quiet"]].concat());
        assert_eq!(listed.lines().count(), 7, "{args:?}");
        assert!(listed.starts_with("ralph@.ralph/agent:"), "{listed}");
    }
    fs::remove_dir_all(place.root().join(".agent")).unwrap();
    fs::remove_file(file(&place)).unwrap();
    place.ok(&["--as", "ralph", "--store", ".ralph", "init"]);
    assert!(file(&place).exists());
    assert_eq!(quiet(&[]), "ralph\n");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_no_store_that_is_there() {
    let place = Place::bare();
    fs::create_dir_all(file(&place).parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("/nowhere/memories.md", file(&place)).unwrap();
    let ran = place.run(&["init", "--as", "ralph"]);
    assert_eq!(ran.code, 2, "{}", ran.text());
    assert!(
        ran.err.contains("link to /nowhere/memories.md"),
        "{}",
        ran.err
    );
}

#[cfg(unix)]
#[test]
fn a_link_is_kept_and_its_target_edited() {
    let place = Place::bare();
    let main = place.root().join("docs/main.md");
    fs::create_dir_all(main.parent().unwrap()).unwrap();
    fs::write(&main, FILE).unwrap();
    fs::create_dir_all(file(&place).parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&main, file(&place)).unwrap();
    place.ok(&["add", "Through the link", "-t", "fix"]);
    assert!(fs::symlink_metadata(file(&place)).unwrap().is_symlink());
    assert!(
        fs::read_to_string(&main)
            .unwrap()
            .contains("Through the link")
    );
    place.ok(&["archive", "mem-1769600000-00a1"]);
    assert!(main.with_file_name("main.archive.md").exists());
    place.ok(&["undo"]);
    fs::remove_file(&main).unwrap();
    let told = place.redacted(&place.told(&["lint"]));
    assert!(
        told.contains("load-error") && told.contains("a symbolic link to"),
        "{told}"
    );
    assert_eq!(place.run(&["add", "x"]).code, 2);
}

#[test]
fn ralphs_lock_is_respected() {
    let place = ralph();
    let lock = file(&place).with_file_name("memories.md.lock");
    place.ok(&["list"]);
    assert!(!lock.exists(), "reading makes no lock file");
    place.ok(&["add", "One"]);
    assert!(
        !lock.exists(),
        "memkeep takes away the lock file that it made"
    );
    let held = fs::File::create(&lock).unwrap();
    place.ok(&["add", "One more"]);
    assert!(lock.exists(), "Ralph's own lock file stays");
    held.lock_shared().unwrap();
    // Another reader is in nobody's way to read.
    assert_eq!(place.run(&["list"]).err, "");
    held.unlock().unwrap();
    let started = fs::read(file(&place)).unwrap();
    held.lock().unwrap();
    let refused = place.run(&["add", "Two"]);
    assert_eq!(refused.code, 3, "{}", refused.err);
    assert!(
        refused.err.contains("another program holds"),
        "{}",
        refused.err
    );
    assert_eq!(fs::read(file(&place)).unwrap(), started);
    let read = place.run(&["list", "--format", "quiet"]);
    assert_eq!(read.code, 0);
    assert!(read.err.contains("may be half written"), "{}", read.err);
}

#[test]
fn a_budget_is_one_for_all_stores() {
    let place = Place::bare();
    let entry = |n: usize| {
        format!(
            "### mem-{n}-00aa\n> {}\n<!-- tags: a | created: 2026-01-20 -->\n\n",
            "word ".repeat(30)
        )
    };
    let text = |of: std::ops::Range<usize>| {
        format!(
            "# Memories\n\n## Patterns\n\n{}",
            of.map(entry).collect::<String>()
        )
    };
    write(&place, ".ralph/agent/memories.md", &text(0..4));
    write(&place, "sub/.ralph/agent/memories.md", &text(4..8));
    let stores = [
        "--store",
        ".ralph/agent/memories.md",
        "--store",
        "sub/.ralph/agent/memories.md",
    ];
    let prime = |budget: &str| {
        let args = ["prime", "--dialect", "spec", "--budget", budget];
        place.run(&[&stores[..], &args].concat())
    };
    let entries = |ran: &crate::place::Ran| ran.text().matches("### mem-").count();
    let all = prime("0");
    assert_eq!(entries(&all), 8);
    for budget in [60, 120, 200, 300] {
        let ran = prime(&budget.to_string());
        assert!(
            ran.text().len() <= 4 * budget,
            "{budget}: {}",
            ran.text().len()
        );
    }
    assert!(entries(&prime("300")) > 4);
    let used_up = prime("40");
    assert!(used_up.text().len() <= 160);
}

#[test]
fn the_skill_stands_beside_the_preview() {
    let place = Place::bare();
    write(
        &place,
        ".ralph/agent/memories.md",
        "# Memories\n\n## Patterns\n\n### mem-1-00aa\n> Rates are fixed at noon.\n<!-- tags: a | created: 2026-01-20 -->\n\n",
    );
    let said = "the skill that teaches the agent goes with it";
    let table = || place.run(&["inject", "--task", "x"]).text();
    assert!(table().contains(said), "{}", table());
    write(&place, "ralph.yml", "memories:\n  enabled: false\n");
    assert!(!table().contains(said), "{}", table());
}

#[test]
fn settings_that_cannot_be_read_are_said_wherever_they_count() {
    let place = Place::sample();
    write(
        &place,
        ".ralph/agent/memories.md",
        "# Memories\n\n## Fixes\n",
    );
    write(&place, "ralph.yml", "memories: [x\n");
    for args in [
        &["stores"][..],
        &["lint"],
        &["inject", "--task", "x"],
        &["lint", "--write-baseline", "--dry-run"],
    ] {
        let said = place.run(args).err;
        assert!(
            said.contains("ralph.yml cannot be read"),
            "{args:?}: {said}"
        );
    }
}

fn write(place: &Place, name: &str, text: &str) {
    let path = place.root().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn by_the_words_of_the_task_each_entry_is_paid_for_once() {
    let place = ralph();
    let prompt = place.ok(&[
        "inject",
        "--policy",
        "hybrid",
        "--task",
        "prices in cents",
        "--format",
        "prompt",
    ]);
    assert!(prompt.contains("## mem-1769600000-00a1\n"), "{prompt}");
    assert_eq!(
        prompt.matches("Prices are integer cents.").count(),
        1,
        "{prompt}"
    );
}

#[test]
fn a_store_is_made_in_the_folder_one_stands_in() {
    let place = Place::bare();
    fs::create_dir_all(place.root().join(".git")).unwrap();
    let sub = place.root().join("sub/deep");
    fs::create_dir_all(&sub).unwrap();
    let made = place.run_in(&sub, &["init", ".agent/memories.md", "--as", "ralph"]);
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(sub.join(".agent/memories.md").is_file());
    assert_eq!(place.run_in(&sub, &["add", "One", "-t", "fix"]).code, 0);
    // Where no program started here looks there is still no store.
    let refused = place.run(&["init", "sub/.agent/memories.md", "--as", "ralph"]);
    assert_eq!(refused.code, 2, "{}", refused.text());
}

/// The journal has the texts of memories: nobody but its owner reads it.
#[cfg(unix)]
#[test]
fn the_files_of_the_journal_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = ralph();
    place.ok(&["add", "One"]);
    let mut all = vec![place.home().join("state/memkeep")];
    let mut at = 0;
    while let Some(path) = all.get(at).cloned() {
        at += 1;
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        all.extend(entries.map(|entry| entry.path()));
    }
    all.retain(|path| path.is_file());
    assert!(
        all.iter().any(|path| path.ends_with("journal.jsonl")),
        "{all:?}"
    );
    for path in all {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", path.display());
    }
}
