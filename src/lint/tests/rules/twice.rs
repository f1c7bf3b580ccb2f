//! Memories that say the same as another.

use super::*;
use crate::memory::Expiry;
use crate::memory::rum::{Layers, RUM, markdown};

#[test]
fn a_form_filled_in_many_times_is_no_repetition() {
    let form = |name: &str| {
        format!(
            "You must take on this part and follow the steps below to the letter.\n\n\
             1. LOAD the whole description from agents/{name}.md\n\
             2. READ all of it, for it holds the part, the menu and the rules\n\
             3. Carry out every step in the order in which it stands there\n\
             4. Stay in the part until the person says that you may leave it\n\
             5. Say at the end what was left undone and why\n"
        )
    };
    let names = [
        "analyst",
        "architect",
        "builder",
        "tester",
        "writer",
        "planner",
    ];
    let filled_in = |names: &[&str]| -> Vec<_> {
        let entry = |name: &&str| memory(name).front("", &form(name));
        Store::new(names.iter().map(entry).collect()).only("near-duplicate")
    };
    let of_two = filled_in(&names[..2]);
    assert_eq!(of_two.len(), 1);
    assert_eq!(of_two[0].severity, Severity::Warning);
    let of_many = filled_in(&names);
    assert_eq!(of_many.len(), 5);
    for finding in of_many {
        assert_eq!(finding.severity, Severity::Info);
        assert!(finding.fix.is_none(), "{finding:?}");
    }
    // Copies are copies, however many there are.
    let copies: Vec<_> = names
        .map(|name| memory(name).front("", &form("same")))
        .into();
    for finding in Store::new(copies).only("near-duplicate") {
        assert_eq!(finding.severity, Severity::Warning);
    }
}

#[test]
fn a_contradiction_that_stands_twice_is_told_once() {
    let body = |hour: &str, then: &str| {
        let opens = format!("The desk of the harbour opens at {hour} in the morning.");
        format!("{opens} {then}\n\n{opens}")
    };
    let nine = memory("a").front("", &body("9", "Bring the key of the shed."));
    let eight = memory("b").front("", &body("8", "Lamps hang in the hall."));
    one("contradiction", vec![nine, eight]);
}

#[test]
fn an_update_that_says_otherwise_than_the_text_above_it_is_told() {
    let body = |port: &str| {
        format!(
            "The gateway listens on port 8080 in development.\n\n---\n\n## Update (2026-01-24)\n\n\
             Lamps hang in the hall.\n\nThe gateway listens on port {port} in development.\n"
        )
    };
    let finding = one("contradiction", vec![memory("a").front("", &body("3000"))]);
    assert_eq!(
        (finding.line, finding.message.as_str()),
        (16, "another number: line 8 says otherwise")
    );
    assert_eq!(finding.evidence.len(), 2);
    let same = Store::new(vec![memory("a").front("", &body("8080"))]);
    assert_eq!(same.only("contradiction"), []);
}

#[test]
fn a_paragraph_that_says_otherwise_than_another_is_told() {
    let told = |body: &str| {
        let store = Store::new(vec![memory("a").front("", body)]);
        store.only("contradiction").len()
    };
    for body in [
        "The atlas is 2048 pixels wide. It is packed at start.\n\nThe atlas is 4096 pixels wide.",
        "Telemetry is enabled by default.\n\nLamps hang here.\n\nTelemetry is disabled by default.",
        "Always call `flush()` after writing.\n\nNever call `flush()` after writing.",
        "# Jobs\n\nThe nightly export starts at 2 am.\n\nThe nightly export starts at 4 am.",
        "Spark jobs run on EMR 6.9.\n\n```sh\nrun\n```\n\nSpark jobs run on EMR 7.1.",
        "The tokens of the desk expire when nobody has asked for them for\n15 minutes.\n\nThe tokens of the desk expire when nobody has asked for them for 30 minutes.",
    ] {
        assert_eq!(told(body), 1, "{body}");
    }
    for body in [
        // Below another heading it is about another thing, and so is one of several.
        "## Staging\n\nThe pool holds 10 connections.\n\n## Live\n\nThe pool holds 40 connections.",
        "On staging:\n\nThe pool holds 10 connections.\n\nLive:\n\nThe pool holds 40 connections.",
        "- The pool holds 10 connections.\n\n- The pool holds 40 connections.",
        "The pool holds 10 connections.\nThe pool holds 40 connections.",
        "The pool holds 10 connections.\n\nThe pool holds 10 connections.",
        "The pool holds 10 connections.\n\n```\nThe pool holds 40 connections.\n```",
        // Two of a kind.
        "Set `DATABASE_URL` before the tests.\n\nSet `REDIS_URL` before the tests.",
        "Docs live in `docs/api`.\n\nDocs live in `docs/guide`.",
        "Step 1 takes 10 minutes.\n\nStep 2 takes 30 minutes.",
    ] {
        assert_eq!(told(body), 0, "{body}");
    }
}

#[test]
fn what_stands_under_a_label_or_after_a_turn_contradicts_nothing_above() {
    let told = |body: &str| {
        let store = Store::new(vec![memory("a").front("", body)]);
        store.only("contradiction").len()
    };
    for body in [
        "**Dev**\n\nThe API listens on port 3000.\n\n**CI**\n\nThe API listens on port 3100.",
        "Dev\n\nThe API listens on port 3000.\n\nCI\n\nThe API listens on port 3100.",
        "Small instance\n- memory limit: 2 GB\n- workers: 2\n\nLarge instance\n- memory limit: 8 GB\n- workers: 8",
        "We measured the import. The import takes 20 minutes.\n\nAfter adding the index we measured again. The import takes 4 minutes.",
        // Not those that were reported.
        "Blue line\nThe belt runs at 3 metres a minute.\n\nRed line\nThe belt runs at 7 metres a minute.",
        "The belt runs at 3 metres a minute.\n\nRed line\n\nThe belt runs at 7 metres a minute.",
        "1. Trial\n\nThe quota is 50 exports.\n\n2. Paid\n\nThe quota is 900 exports.",
        "*Trial.*\n\nThe quota is 50 exports.\n\n*Paid.*\n\nThe quota is 900 exports.",
        "The scan takes 9 seconds.\n\nThen we dropped the second index.\n\nThe scan takes 3 seconds.",
        "- Trial\n\n  The quota is 50 exports.\n\n- Paid\n\n  The quota is 900 exports.",
        "Winter\n------\n\nThe heater is enabled by default.\n\nSummer\n------\n\nThe heater is disabled by default.",
        "The kiln is warm. It holds 40 tiles at once.\n\nThe other is small. It holds 12 tiles at once.",
    ] {
        assert_eq!(told(body), 0, "{body}");
    }
    for body in [
        "The belt runs at 3 metres a minute.\n\nThe belt runs at 7 metres a minute.",
        "Rules:\n\n- oil it\n- clean it\n\nThe quota is 50 exports.\n\nThe quota is 900 exports.",
        "The scan takes 9 seconds. It reads all.\n\n- fast\n- cheap\n\nThe scan takes 3 seconds.",
        "Red\n\n## All\n\nThe heater is enabled by default.\n\nThe heater is disabled by default.",
        "The kiln holds 40 tiles at once.\n\n| a | b |\n| - | - |\n\nThe kiln holds 12 tiles at once.",
        "Run it:\n\n```\nmake\n```\n\nThe quota is 50 exports.\n\nThe quota is 900 exports.",
    ] {
        assert_eq!(told(body), 1, "{body}");
    }
}

#[test]
fn another_unit_behind_a_number_contradicts_and_is_no_repetition() {
    let told = |a: &str, b: &str| {
        let store = Store::new(vec![memory("a").front("", a), memory("b").front("", b)]);
        ["contradiction", "near-duplicate"].map(|rule| store.only(rule).len())
    };
    for (a, b) in [
        (
            "The watchdog resets the board after 8 s.",
            "The watchdog resets the board after 8 ms.",
        ),
        ("Timeout is 30 s.", "Timeout is 30 ms."),
        ("The lease lasts 10 m.", "The lease lasts 10 s."),
        (
            "The reset button must be held for 3 s.",
            "The reset button must be held for 3 h.",
        ),
        (
            "The lock expires after 8 s.",
            "The lock expires after 8 min.",
        ),
        ("The regulator outputs 5 V.", "The regulator outputs 5 mV."),
        // Not those that were reported.
        (
            "The motor draws at most 2 A from the pack.",
            "The motor draws at most 2 mA from the pack.",
        ),
        (
            "The sampler reads the probe at 20 Hz.",
            "The sampler reads the probe at 20 kHz.",
        ),
        (
            "Uploads are cut off at 4 GB by the proxy.",
            "Uploads are cut off at 4 MB by the proxy.",
        ),
        (
            "The crawler waits 6 h between two rounds.",
            "The crawler waits 6 d between two rounds.",
        ),
        (
            "The crawler waits 6 m between two rounds.",
            "The crawler waits 6 ms between two rounds.",
        ),
        (
            "The heater takes 2 kW from the mains.",
            "The heater takes 2 W from the mains.",
        ),
    ] {
        assert_eq!(told(a, b), [1, 0], "{a} / {b}");
    }
    for (a, b) in [
        (
            "The crawler waits 6 m between two rounds.",
            "The crawler waits 6 min between two rounds.",
        ),
        (
            "The crawler waits 6 s between two rounds.",
            "The crawler waits 6 seconds between two rounds.",
        ),
        (
            "The crawler waits 2 h between two rounds.",
            "The crawler waits 120 min between two rounds.",
        ),
        (
            "The regulator outputs 5 V to the board.",
            "The regulator outputs 5 volts to the board.",
        ),
        (
            "Uploads are cut off at 4 GB by the proxy.",
            "Uploads are cut off at 4 GB by the proxy.",
        ),
        (
            "The motor draws at most 2 A from the pack.",
            "The motor draws at most 2 amps from the pack.",
        ),
    ] {
        assert_eq!(told(a, b)[0], 0, "{a} / {b}");
    }
}

#[test]
fn another_figure_in_code_or_a_table_is_no_warning_of_repetition() {
    let warned = |a: &str, b: &str| {
        let store = Store::new(vec![memory("a").front("", a), memory("b").front("", b)]);
        let found = ["near-duplicate", "contained"].map(|rule| store.only(rule));
        let mut found = found.iter().flatten();
        found.any(|one| one.severity == Severity::Warning)
    };
    let code = |code: &str| {
        format!(
            "Start the emulator in a shell of its own and keep it there:\n\n```sh\n{code}\n```\n"
        )
    };
    let table = |row: &str| {
        format!(
            "Limits of the interface for all who call it:\n\n| what | most |\n| --- | --- |\n| {row} |\n"
        )
    };
    for (form, a, b) in [
        (
            &code as &dyn Fn(&str) -> String,
            "adb reverse tcp:8081 tcp:8081",
            "adb reverse tcp:9090 tcp:9090",
        ),
        (
            &table,
            "requests per minute | 60 |\n| body | 1 MB",
            "requests per minute | 120 |\n| body | 1 MB |\n| rows | 500",
        ),
        (&code, "PORT=3000 make serve", "PORT=5173 make serve"),
        (&code, "sleep 8 s && ./go", "sleep 8 ms && ./go"),
        (&table, "time | 30 s", "time | 30 min"),
        (&table, "seats | 4", "seats | 9"),
    ] {
        assert!(!warned(&form(a), &form(b)), "{a} / {b}");
    }
    for (form, a, b) in [
        (
            &code as &dyn Fn(&str) -> String,
            "PORT=3000 make serve",
            "PORT=3000 make serve",
        ),
        (
            &code,
            "adb reverse tcp:8081",
            "adb reverse tcp:8081\nadb logcat",
        ),
        (&code, "sleep 8 s && ./go", "sleep 8 s && ./go # and wait"),
        (&table, "seats | 4", "seats | 4"),
        (&table, "seats | 4 |\n| rows | 7", "rows | 7 |\n| seats | 4"),
        (&table, "time | 30 s", "time | 30 s |\n| seats | 4"),
    ] {
        assert!(warned(&form(a), &form(b)), "{a} / {b}");
    }
}

#[test]
fn a_setting_has_one_value_where_the_titles_are_one() {
    let told = |titles: [&str; 2], bodies: [&str; 2]| {
        let sample = |n: usize, name: &str| {
            let (title, body) = (titles[n], bodies[n]);
            memory(name).text(&format!(
                "---\ntitle: {title}\nwhenToUse: auth\ntags: [a]\nimportance: high\n---\n\n{body}\n"
            ))
        };
        let found = Store::new(vec![sample(0, "x"), sample(1, "y")]).only("contradiction");
        found.first().map(|finding| finding.message.clone())
    };
    let one = ["Gateway of the shop", "The gateway of the shop"];
    for (bodies, says) in [
        (["- Port: 3000", "- Port: 8080"], "another number"),
        (["Log level: debug", "Log level: info"], "another name"),
        (["MAX_WORKERS=4", "MAX_WORKERS=16"], "another number"),
        (
            [
                "Some of it.\n\n- Port: 3000\n- Host: north",
                "- Port: 8080\n- Room: 12",
            ],
            "another number",
        ),
    ] {
        let said = told(one, bodies);
        assert!(
            said.is_some_and(|said| said.starts_with(says)),
            "{bodies:?}"
        );
    }
    for (titles, bodies) in [
        (
            ["Gateway of the shop", "Search of the shop"],
            ["- Port: 3000", "- Port: 8080"],
        ),
        (one, ["Port: 3000", "Host: 8080"]),
        (one, ["Port: 3000", "Port: 3000"]),
        (one, ["Date: 2026-01-01", "Date: 2026-01-02"]),
        (
            one,
            [
                "## Staging\n\n- Port: 3000",
                "## Production\n\n- Port: 8080",
            ],
        ),
        (one, ["- Port: 3000\n- Port: 3001", "- Port: 8080"]),
    ] {
        assert_eq!(told(titles, bodies), None, "{titles:?} {bodies:?}");
    }
}

#[test]
fn memories_of_one_form_about_two_subjects_are_none() {
    let body = |service: &str| {
        format!(
            "The {service} service takes its certificates from the store at boot. It renews them \
            every night and never writes them to the disk of the host."
        )
    };
    for rule in ["near-duplicate", "contained", "contradiction"] {
        let samples = ["parcel", "pallet"].map(|name| memory(name).front("", &body(name)));
        assert_eq!(Store::new(samples.into()).only(rule), [], "{rule}");
    }
}

#[test]
fn of_two_that_each_say_something_else_it_is_only_a_suggestion() {
    let shared = "Scan the manifests after every change of a dependency and report what is open.\n\n\
        Apply only the fixes that the scanner names for the version in use.";
    let one = format!(
        "{shared}\n\nNever commit keys to the repository of the cluster.\n\n\
        Grant each job the least that it needs."
    );
    let two = format!(
        "{shared}\n\nHooks check each commit on the machine of its author.\n\n\
        The pipeline reads all files once more at night."
    );
    let found = |a: &str, b: &str| {
        let samples = vec![memory("a").front("", a), memory("b").front("", b)];
        Store::new(samples).only("near-duplicate")
    };
    let partly = found(&one, &two);
    assert_eq!(partly.len(), 1);
    assert_eq!(partly[0].severity, Severity::Info);
    assert!(partly[0].message.ends_with("says much of it"), "{partly:?}");
    let nearly = found(&one, &one.replace("the least", "as little"));
    assert_eq!(nearly[0].severity, Severity::Warning);
}

#[test]
fn a_log_that_quotes_a_lesson_does_not_repeat_it() {
    let lesson = "The cards of the shop come from github.com/acme/cards; install them with the registry \
        and the command line of the library, which needs Node 18 and a theme.";
    let log = format!(
        "failure: cmd=memory add \"{lesson}\" -t context, exit=127, error=no such file: component, next=quote it"
    );
    for rule in ["near-duplicate", "contained"] {
        let samples =
            |other: &str| vec![memory("a").front("", lesson), memory("b").front("", other)];
        assert_eq!(Store::new(samples(&log)).only(rule), [], "{rule}");
    }
    let twice = vec![memory("a").front("", &log), memory("b").front("", &log)];
    assert_eq!(Store::new(twice).only("near-duplicate").len(), 1);
}

#[test]
fn word_for_word_with_something_in_front_is_said_twice() {
    let said = "record: every import keeps its file name, its size, its checksum and the time at \
        which it ended";
    let with = format!("Rule of the team, {said}.");
    let samples = vec![memory("a").front("", said), memory("b").front("", &with)];
    assert_eq!(Store::new(samples).only("near-duplicate").len(), 1);
}

#[test]
fn of_several_statements_one_may_be_worded_otherwise() {
    let one = "The router tries three steps for each task. Of the files in the folder the table \
        covers all the paths of the task. The prompt asks for a path and how sure it is of it. A \
        flag given by hand goes before all.";
    let other = one.replace("covers", "spans");
    let samples = vec![memory("a").front("", one), memory("b").front("", &other)];
    let found = Store::new(samples).only("near-duplicate");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].severity, Severity::Warning);
}

#[test]
fn what_goes_on_word_for_word_contains_the_shorter() {
    let short = "The gateway listens on port 4000.";
    let found = |rule: &str, long: &str| {
        let samples = vec![memory("a").front("", short), memory("b").front("", long)];
        Store::new(samples).only(rule).len()
    };
    let long = "The gateway listens on port 4000, reads its graph from the registry when it starts, \
        and looks for another one every five minutes.";
    assert_eq!(found("contained", long), 1);
    let turned = format!("It is not so that {}", long.to_lowercase());
    assert_eq!(found("contained", &turned), 0);
}

#[test]
fn which_of_two_holds_is_said_in_a_field_or_in_the_body() {
    let old = "Berths are held for 20 minutes.";
    for (new, asked) in [
        ("Supersedes old-berths. Berths are held for 45 minutes.", 0),
        (
            "Supersedes: `old-berths`\n\nBerths are held for 45 minutes.",
            0,
        ),
        (
            "**Supersedes:** old-berths\n\nBerths are held for 45 minutes.",
            0,
        ),
        (
            "This supersedes [[old-berths]]. Berths are held for 45 minutes.",
            0,
        ),
        (
            "Supersedes [the old berths](old-berths.md): berths are held for 45 minutes.",
            0,
        ),
        (
            "Berths are held for 45 minutes. (Supersedes [old-berths](./old-berths.md#hold).)",
            0,
        ),
        ("Supersedes old-quays. Berths are held for 45 minutes.", 1),
        (
            "Berths are held for 45 minutes. This no longer supersedes old-berths.",
            1,
        ),
        (
            "Berths are held for 45 minutes. It never supersedes [old-berths](old-berths.md).",
            1,
        ),
        ("Berths are held for 45 minutes.", 1),
    ] {
        let samples = vec![
            memory("old-berths").front("", old),
            memory("new-berths").front("", new),
        ];
        let store = Store::new(samples);
        assert_eq!(store.only("contradiction").len(), asked, "{new}");
        assert_eq!(store.only("superseded-active").len(), 1 - asked, "{new}");
    }
}

#[test]
fn a_memory_that_says_what_took_its_place_is_asked_about_once() {
    let new = "Berths are held for 45 minutes.";
    for begins in [
        "Superseded by new-berths.",
        "**Superseded by [new berths](new-berths.md)**",
        "> Superseded by [[new-berths]]",
        "DEPRECATED: use new-berths.",
        "Deprecated in favour of `new-berths`.",
        "Obsolete, see new-berths",
        "[Outdated] — read [this](./new-berths.md)",
    ] {
        for said in ["", "\n\nSupersedes old-berths."] {
            let old = format!("{begins}\n\nBerths are held for 20 minutes.");
            let store = Store::new(vec![
                memory("old-berths").front("", &old),
                memory("new-berths").front("", &format!("{new}{said}")),
            ]);
            assert_eq!(store.only("contradiction"), [], "{begins}");
            let found = store.only("superseded-active");
            assert_eq!(found.len(), 1, "{begins}");
            assert_eq!(
                (found[0].memory, &*found[0].related),
                (0, &[1][..]),
                "{begins}"
            );
        }
    }
    // What says the same is asked about once as well, and what is said of another decides nothing.
    for (begins, asked) in [
        ("Superseded by new-berths.", 0),
        ("Superseded by new-quays.", 1),
    ] {
        let old = format!("{begins}\n\nBerths are held for 45 minutes, and no longer than that.");
        let new = "Berths are held for 45 minutes, and no longer than that.";
        let store = Store::new(vec![
            memory("old-berths").front("", &old),
            memory("new-berths").front("", new),
        ]);
        let twice = ["near-duplicate", "contained"].map(|rule| store.only(rule).len());
        assert_eq!(twice.iter().sum::<usize>(), asked, "{begins}");
    }
}

#[test]
fn what_a_format_draws_and_all_say_makes_no_two_memories_one() {
    let layers = |goal: &str, summary: &str, learned: &str| {
        let json = |text: String| serde_json::from_str(&text).unwrap();
        let layers = Layers {
            intent: json(format!(r#"{{"goal": "{goal}", "task_type": "bug_fix"}}"#)),
            reasoning: json(
                r#"{"approach_chosen": "smallest change that works", "why_chosen": "low risk"}"#
                    .into(),
            ),
            actions: json(r#"[{"type": "command_run", "command": "make check"}]"#.into()),
            outcome: json(format!(
                r#"{{"success": true, "summary": "{summary}", "learnings": ["{learned}"]}}"#
            )),
            ..Layers::default()
        };
        let body = markdown::memory(&layers);
        let mut sample = memory(&goal.to_lowercase().replace(' ', "-"));
        let fields = [
            ("goal", Value::from(goal)),
            ("summary", Value::from(summary)),
        ];
        sample.memory.schema = &RUM;
        sample.memory.fields = fields.into_iter().collect();
        (sample.memory.span, sample.memory.body) = (0..body.len(), 0..body.len());
        sample.text = body;
        sample
    };
    let lamp = || {
        layers(
            "Mend the lamp of the quay",
            "A new wire burns",
            "Rain gets into the socket",
        )
    };
    let found = |samples: Vec<Sample>| {
        let store = Store::new(samples);
        let rules = ["near-duplicate", "contained", "contradiction"];
        let found = rules.iter().flat_map(|rule| store.only(rule));
        found.map(|finding| finding.rule).collect::<Vec<_>>()
    };
    let others = vec![
        lamp(),
        layers(
            "Count the crates",
            "Forty stand in the shed",
            "Two have no label",
        ),
        layers(
            "Write down the tides",
            "The table hangs in the hall",
            "Ask the pilot",
        ),
    ];
    assert_eq!(found(others), [""; 0]);
    // A goal or a short summary that several have makes them one no more.
    let glass = layers(
        "Mend a lamp of the quay",
        "The glass is a thicker one",
        "Order spare panes early",
    );
    assert_eq!(found(vec![lamp(), glass]), [""; 0]);
    let done = vec![
        layers("Count the crates", "Done", "Two have no label"),
        layers("Write down the tides", "Done", "Ask the pilot"),
        layers("Sweep the shed", "Done", "Brooms hang in the loft"),
    ];
    assert_eq!(found(done), [""; 0]);
    // What one came to is said of it alone; what was learned holds for all.
    let figures = vec![
        layers(
            "Test the tide table",
            "Coverage of the harbour is 71%",
            "Ask the pilot",
        ),
        layers(
            "Test the crate count",
            "Coverage of the harbour is 84%",
            "Sweep first",
        ),
    ];
    assert_eq!(found(figures), [""; 0]);
    let learned = vec![
        layers(
            "Test the tide table",
            "Done",
            "The pool of the harbour holds 10 boats",
        ),
        layers(
            "Sweep the shed",
            "All green",
            "The pool of the harbour holds 25 boats",
        ),
    ];
    assert_eq!(found(learned), ["contradiction"]);
    // One that was done again is one, in other words as well.
    let again = layers(
        "Repair the lamp at the quay",
        "A new wire burns",
        "Rain gets into the socket",
    );
    assert_eq!(found(vec![lamp(), again]), ["near-duplicate"]);
}

#[test]
fn what_a_piece_of_work_came_to_is_said_of_no_other() {
    for (one, other) in [
        ("12 tests added", "14 tests added"),
        (
            "We added 12 tests to the parser.",
            "We added 14 tests to the parser.",
        ),
        (
            "3 files changed in the gateway",
            "9 files changed in the gateway",
        ),
        (
            "All of it done, 340 tests passed.",
            "All of it done, 355 tests passed.",
        ),
        (
            "I migrated 4 handlers of the gateway.",
            "I migrated 9 handlers of the gateway.",
        ),
        (
            "4 handlers of the gateway were migrated.",
            "9 handlers of the gateway were migrated.",
        ),
        ("212 tests passed, 3 failed.", "230 tests passed, 1 failed."),
        (
            "2 flaky tests fixed and 1 skipped",
            "5 flaky tests fixed and 3 skipped",
        ),
    ] {
        let samples = vec![memory("a").front("", one), memory("b").front("", other)];
        let store = Store::new(samples);
        for rule in ["contradiction", "near-duplicate", "contained"] {
            assert_eq!(store.only(rule), [], "{one}: {rule}");
        }
    }
    for (one, other) in [
        (
            "Sessions removed after 7 days",
            "Sessions removed after 30 days",
        ),
        (
            "2 approvals required for each release",
            "3 approvals required for each release",
        ),
        (
            "Logs are deleted after 7 days.",
            "Logs are deleted after 30 days.",
        ),
        (
            "5 failed logins lock the account.",
            "3 failed logins lock the account.",
        ),
        (
            "12 tests are tagged as slow.",
            "14 tests are tagged as slow.",
        ),
    ] {
        let samples = vec![memory("a").front("", one), memory("b").front("", other)];
        assert_eq!(Store::new(samples).only("contradiction").len(), 1, "{one}");
    }
}

#[test]
fn what_its_system_does_not_read_any_more_is_held_against_nothing() {
    let over = |days: i64| Expiry {
        at: Timestamp(NOW.0 - days * 86_400_000),
        why: "its ttlDays are over",
    };
    let slow = "The ingest job runs every 15 minutes.";
    for (rule, head, body) in [
        ("contradiction", "", "The ingest job runs every 5 minutes."),
        ("near-duplicate", "", slow),
        ("superseded-active", "supersedes: slow", slow),
    ] {
        let found = |days: i64| {
            let expires = |memory: &mut Memory| memory.expires = Some(over(days));
            let slow = memory("slow").front("", slow).change(expires);
            Store::new(vec![slow, memory("other").front(head, body)])
                .only(rule)
                .len()
        };
        assert_eq!((found(-1), found(1)), (1, 0), "{rule}");
    }
}

#[test]
fn what_is_said_to_be_over_may_be_another_thing() {
    let severity = |body: &str| {
        let store = Store::new(vec![
            memory("old-berths").front("", body),
            memory("new-berths").front("", "Berths are held for 45 minutes."),
        ]);
        let found = store.only("superseded-active");
        found.first().map(|one| (one.severity, one.fix.is_some()))
    };
    for body in [
        "Deprecated: `openBerth()` of the client. Use `holdBerth()`.",
        "Deprecated: do not call the first version of the quay service, it goes in March.",
        "Obsolete: the `quay_` tables. Do not write to them.",
        "Replaced: `joda` by `java.time`.",
        "Retired: the Travis pipeline. Releases run elsewhere.",
        "Outdated: the drawing in `docs/quay.png`.",
        "Superseded by `holdBerth`: the function `openBerth`.",
    ] {
        assert_eq!(severity(body), None, "{body}");
    }
    for body in [
        "Deprecated in favour of the new quay plan.",
        "Superseded by quay-plan.",
    ] {
        assert_eq!(severity(body), Some((Severity::Info, false)), "{body}");
    }
    for body in [
        "DEPRECATED\n\nBerths are held for 20 minutes.",
        "**Deprecated.** See the harbour book.",
        "Superseded by new-berths.",
        "Outdated since the move to the new harbour. Berths are held for 20 minutes.",
        "> **Note:** this memory is obsolete, see new-berths.\n\nBerths are held for 20 minutes.",
        "This note has been superseded. Berths are held for 20 minutes.",
    ] {
        assert_eq!(severity(body), Some((Severity::Warning, true)), "{body}");
    }
}

#[test]
fn how_much_is_shared_is_told_of_the_shorter_one() {
    let short = "Parquet files are partitioned by `event_date`; the reader relies on it.";
    let long = "Parquet files are partitioned by `event_date`; the reader relies on it, so never change that.";
    let evidence = |a: &str, b: &str| {
        let memory = |name: &str, body: &str| {
            let words = body.split_whitespace().count();
            memory(name)
                .front("", body)
                .words(u32::try_from(words).unwrap())
        };
        one("near-duplicate", vec![memory("a", a), memory("b", b)]).evidence
    };
    assert_eq!(
        evidence(short, long),
        ["100% of the wording of `rawko:a` stands in this"]
    );
    assert_eq!(
        evidence(long, short),
        ["100% of its wording stands in the other"]
    );
}

#[test]
fn copies_are_found_in_any_script_and_other_names_are_no_copies() {
    let severity = |a: &str, b: &str| {
        let store = Store::new(vec![memory("a").front("", a), memory("b").front("", b)]);
        store.only("near-duplicate").first().map(|one| one.severity)
    };
    let chinese = "提交代码前请运行全部测试并确认结果。";
    assert_eq!(severity(chinese, chinese), Some(Severity::Warning));
    let japanese = "デプロイの前に必ずバックアップを取ってください。";
    assert_eq!(severity(japanese, japanese), Some(Severity::Warning));
    for (a, b) in [
        (
            "Do not use `any` in the handlers.",
            "Do not use `enum` in the handlers.",
        ),
        (
            "After a change of the schema run `atlas diff`.",
            "After a change of the schema run `atlas apply now`.",
        ),
        (
            "When adding a widget, export it from `mod.ts`.",
            "When adding a widget, export it from `kit/mod.ts`.",
        ),
        (
            "go vet ./...  # All packages",
            "go vet -race ./...  # With races",
        ),
    ] {
        assert_ne!(severity(a, b), Some(Severity::Warning), "{a} / {b}");
    }
}
