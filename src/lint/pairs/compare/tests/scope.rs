//! A rule and its exception, and what was so at another time.

use super::*;

#[test]
fn a_rule_and_its_exception_hold_both() {
    let told = |(a, b): &&(&str, &str)| slot(a, b).is_some();
    let wrong: Vec<_> = BOTH_HOLD.iter().filter(told).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_leaves_no_exception_contradicts() {
    for (kind, a, b) in [
        (
            Slot::Number,
            "The mailer sends 40 letters a minute.",
            "The mailer sends 90 letters a minute by default.",
        ),
        (
            Slot::Number,
            "Invoices are kept for 6 years.",
            "Invoices are kept for 10 years in every country.",
        ),
        (
            Slot::Number,
            "The trial of a seat ends after 14 days.",
            "The trial of a seat ends after 30 days at the latest.",
        ),
        (
            Slot::Number,
            "The harvester opens 12 sockets.",
            "The harvester opens 4 sockets to spare memory.",
        ),
        (
            Slot::Number,
            "Passwords have at least 8 characters.",
            "Passwords have at least 14 characters for security reasons.",
        ),
        (
            Slot::Number,
            "The harvester opens 12 sockets in staging.",
            "The harvester opens 4 sockets in staging.",
        ),
        (
            Slot::Negation,
            "Feeds of partners are polled in the night shift.",
            "Feeds of partners are never polled.",
        ),
        (
            Slot::Number,
            "The gate answers with an error page and the code 418.",
            "The gate answers with an error page and the code 429, never with 418.",
        ),
        (
            Slot::Number,
            "The broker listens on port 6001 and writes to `queue.db`.",
            "The broker listens on port 6100 and writes to `queue.db` next to the config.",
        ),
    ] {
        assert_eq!(slot(a, b), Some(kind), "{a} / {b}");
    }
}

#[test]
fn how_and_what_for_it_is_so_leaves_no_exception() {
    let kiosk = "A kiosk locks after 20 seconds";
    for end in [
        "on purpose",
        "by design",
        "by convention",
        "by our own choice",
        "for usability",
        "for the sake of clarity",
        "for compliance with the tender",
        "for traceability",
        "in the current version",
        "in the code",
        "in the config",
        "in config/kiosk.ts",
        "in kiosk.toml",
        "with the new config",
        "from March on",
        "from now on",
        "from 1 March on",
        "from March",
    ] {
        let other = format!("A kiosk locks after 45 seconds {end}.");
        let found = slot(&format!("{kiosk}."), &other);
        assert_eq!(found, Some(Slot::Number), "{end}");
    }
    for (a, b) in [
        (
            "Prefetching is enabled for the start page.",
            "Prefetching is disabled for the start page on purpose.",
        ),
        (
            "Always squash before merging.",
            "Never squash before merging by convention.",
        ),
        (
            "Always squash before merging.",
            "Never squash before merging for traceability.",
        ),
    ] {
        assert!(slot(a, b).is_some(), "{a} / {b}");
    }
    for end in [
        "by design reviewers",
        "on weekends",
        "in the test code",
        "in debugging sessions",
        "in the settings page",
        "in tests/kiosk.spec.ts",
        "in config/staging.toml",
        "in src/legacy/kiosk.ts",
        "for new tenants",
        "with the camera",
        "from March to May",
        "from the second guest on",
        "from 3 guests on",
        "for privacy requests",
        "for the contract",
    ] {
        let other = format!("A kiosk locks after 45 seconds {end}.");
        assert_eq!(slot(&format!("{kiosk}."), &other), None, "{end}");
    }
    for file in ["package.json", "config/kiosk.toml"] {
        let other = format!("Never sort the keys of a map in {file}.");
        assert_eq!(
            slot("Always sort the keys of a map.", &other),
            None,
            "{file}"
        );
    }
}

#[test]
fn each_of_two_dates_or_releases_has_a_figure_of_its_own() {
    let told = |(a, b): &&(&str, &str)| slot(a, b).is_some();
    let wrong: Vec<_> = HISTORY.iter().filter(told).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (kind, a, b) in [
        (
            Slot::Date,
            "The old ledger is closed on 2027-01-31.",
            "The old ledger is closed on 2027-03-31.",
        ),
        (
            Slot::Number,
            "On 2026-04-02 the archive held 71 tapes.",
            "On 2026-04-02 the archive held 94 tapes.",
        ),
        (
            Slot::Version,
            "The scheduler needs Java 17 and 2 cores.",
            "The scheduler needs Java 21 and 4 cores.",
        ),
        (
            Slot::Version,
            "Python 3.11 is required.",
            "Python 3.13 is required.",
        ),
    ] {
        assert_eq!(slot(a, b), Some(kind), "{a} / {b}");
    }
}

const BOTH_HOLD: &[(&str, &str)] = &[
    (
        "Letters are resent after 2 hours.",
        "Letters are resent after 12 hours at weekends.",
    ),
    (
        "The crawler opens 8 sockets.",
        "The crawler opens 2 sockets on the test bench.",
    ),
    (
        "The crawler opens 8 sockets.",
        "On the test bench, the crawler opens 2 sockets.",
    ),
    (
        "The crawler opens 8 sockets.",
        "The crawler opens 2 sockets (on the test bench).",
    ),
    (
        "The crawler opens 8 sockets.",
        "The crawler opens 2 sockets if the host is slow.",
    ),
    (
        "Reports have at most 40 pages.",
        "Reports have at most 90 pages, only for auditors.",
    ),
    (
        "Reports have at most 40 pages.",
        "Reports have at most 90 pages: auditors only.",
    ),
    (
        "Compression is enabled for all feeds.",
        "Compression is disabled for all feeds during a replay.",
    ),
    (
        "Always sort the imports of a file.",
        "Never sort the imports of a file in the vendored folder.",
    ),
    (
        "Use the shared fixture in module tests.",
        "Do not use the shared fixture.",
    ),
    (
        "The gateway answers 403 for foreign tokens.",
        "The gateway answers 401 for foreign tokens that have expired.",
    ),
    (
        "The exporter writes JSON.",
        "The exporter writes YAML, XML files and CSV.",
    ),
];

const HISTORY: &[(&str, &str)] = &[
    (
        "Line coverage was 64% on 2026-01-12.",
        "Line coverage was 69% on 2026-04-30.",
    ),
    (
        "Line coverage was 64% in January.",
        "Line coverage was 69% in April.",
    ),
    (
        "On 3 June 2026 the suite took 340 seconds.",
        "On 9 July 2026 the suite took 210 seconds.",
    ),
    (
        "As of 2026-03 the index holds 80,000 notes.",
        "As of 2026-06 the index holds 95,000 notes.",
    ),
    (
        "p99 of the search: 41 ms (2026-01-12)",
        "p99 of the search: 28 ms (2026-04-30)",
    ),
    (
        "Since 4.1 the daemon needs 210 MB.",
        "Since 4.2 the daemon needs 160 MB.",
    ),
    (
        "In v0.8 a cold start took 9 seconds.",
        "In v0.9 a cold start took 4 seconds.",
    ),
    (
        "Release 5.2 closed 31 tickets.",
        "Release 5.3 closed 12 tickets.",
    ),
    ("Deno 1.44 is supported.", "Deno 2.1 is supported."),
    (
        "The crash appears in Firefox 128.",
        "The crash appears in Firefox 131.",
    ),
];
