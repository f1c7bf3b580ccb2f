//! Statements that contradict another: of one memory, of two, in figures and units.

use super::*;

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
        (16, "Conflicting number with line 8: 3000 and 8080")
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
        (["- Port: 3000", "- Port: 8080"], "Conflicting number with "),
        (
            ["Log level: debug", "Log level: info"],
            "Conflicting name with ",
        ),
        (
            ["MAX_WORKERS=4", "MAX_WORKERS=16"],
            "Conflicting number with ",
        ),
        (
            [
                "Some of it.\n\n- Port: 3000\n- Host: north",
                "- Port: 8080\n- Room: 12",
            ],
            "Conflicting number with ",
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
