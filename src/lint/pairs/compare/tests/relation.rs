//! Relations of which there is one, and others that add up.

use super::*;

#[test]
fn what_adds_up_stands_side_by_side() {
    for (a, b) in [
        (
            "Export `REGION` before you start the sync.",
            "Export `TENANT` before you start the sync.",
        ),
        (
            "The nightly job needs the token `SHIP_KEY`.",
            "The nightly job needs the token `MAIL_KEY`.",
        ),
        (
            "The importer requires `pandoc` to be installed.",
            "The importer requires `ghostscript` to be installed.",
        ),
        (
            "`BillingJob` depends on `TaxTable`.",
            "`BillingJob` depends on `RateFeed`.",
        ),
        (
            "Every model has a `slug` field.",
            "Every model has a `locale` field.",
        ),
        (
            "Each event carries the header `trace-id`.",
            "Each event carries the header `tenant-id`.",
        ),
        (
            "Every error type implements `Display`.",
            "Every error type implements `From`.",
        ),
        (
            "The mailer subscribes to the topic `signups`.",
            "The mailer subscribes to the topic `refunds`.",
        ),
        (
            "The push hook runs `gitlint`.",
            "The push hook runs `typos`.",
        ),
        (
            "Wrap each handler in `withSpan`.",
            "Wrap each handler in `withAuth`.",
        ),
        (
            "The preset extends `base.json`.",
            "The preset extends `strict.json`.",
        ),
        (
            "The year must be updated in `LICENSE.txt`.",
            "The year must be updated in `footer.html`.",
        ),
        (
            "Update `docs/api.md` when a route changes.",
            "Update `docs/limits.md` when a route changes.",
        ),
        (
            "New jobs must be added to `jobs/cron.rb`.",
            "New jobs must be added to `jobs/alerts.rb`.",
        ),
        (
            "Exclude `fixtures` from the coverage.",
            "Exclude `migrations` from the coverage.",
        ),
        (
            "Use `anyhow` in the binaries.",
            "Use `clap` in the binaries.",
        ),
        ("The portal uses Leaflet.", "The portal uses Storybook."),
        (
            "Members can pay with Klarna.",
            "Members can pay with Twint.",
        ),
        (
            "The report can be saved as JSON.",
            "The report can be saved as XML.",
        ),
        (
            "The plugin is available for Rider.",
            "The plugin is available for Fleet.",
        ),
        (
            "The site is translated into Dutch.",
            "The site is translated into Welsh.",
        ),
        ("The bot talks to Matrix.", "The bot talks to Discord."),
        (
            "Use `slugify()` for page names.",
            "Use `title-case` for page names.",
        ),
        (
            "Avoid `any` in the handlers.",
            "Avoid `enum` in the handlers.",
        ),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
        assert!(!matches!(relation(a, b), Relation::Same(_)), "{a} / {b}");
    }
}

#[test]
fn what_there_is_one_of_contradicts() {
    for (a, b) in [
        (
            "The release branch is called `stable`.",
            "The release branch is called `release`.",
        ),
        (
            "Fixtures live in `spec/data`.",
            "Fixtures live in `test/support`.",
        ),
        (
            "Secrets are stored in `vault/app`.",
            "Secrets are stored in `ops/keys`.",
        ),
        (
            "Use Zustand for the state of the cart.",
            "Use Jotai for the state of the cart.",
        ),
        (
            "Use `tempo` for dates in the admin.",
            "Use `luxon` for dates in the admin.",
        ),
        (
            "Run the load tests with `k6`.",
            "Run the load tests with `locust`.",
        ),
        (
            "The demo cluster runs in Zurich since spring.",
            "The demo cluster runs in Oslo since spring.",
        ),
        (
            "New views are registered in `ViewMap` at start.",
            "New views are registered in `PageRegistry` at start.",
        ),
        ("The default theme is dusk.", "The default theme is dawn."),
        (
            "Settings of the agent are read from `agent.toml`.",
            "Settings of the agent are read from `etc/agent.toml`.",
        ),
        (
            "The entry point of the shop is `src/app.ts`.",
            "The entry point of the shop is `src/start.ts`.",
        ),
    ] {
        assert!(slot(a, b).is_some(), "{a} / {b}");
    }
}

#[test]
fn a_number_of_the_subject_or_of_a_record_tells_two_facts() {
    for (a, b) in [
        ("Resizing 2 MB takes 30 ms.", "Resizing 20 MB takes 280 ms."),
        (
            "The Jetson 4 needs a 5 A supply.",
            "The Jetson 6 needs a 9 A supply.",
        ),
        ("Sensor 1 reports at 4 Hz.", "Sensor 3 reports at 10 Hz."),
        (
            "The 3060 renders a frame in 40 ms.",
            "The 4080 renders a frame in 12 ms.",
        ),
        (
            "If there are 3 lanes the belt has 1 motor.",
            "If there are 6 lanes the belt has 2 motors.",
        ),
        (
            "Compressed to 4 bit the index needs 2 GB.",
            "Compressed to 8 bit the index needs 3 GB.",
        ),
        (
            "Raised the upload limit from 5 to 10.",
            "Raised the upload limit from 10 to 50.",
        ),
        (
            "Lowered the page size from 500 to 200 after the timeouts.",
            "Lowered the page size from 200 to 50 after the second timeouts.",
        ),
        (
            "**Logged**: 2026-02-03T10:11:12Z",
            "**Logged**: 2026-02-04T11:12:13Z",
        ),
        (
            "Seen on the runner at 2026-02-03T10:11:12Z",
            "Seen on the runner at 2026-02-03T12:11:12Z",
        ),
        ("Exit code: 2", "Exit code: 101"),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
        assert!(!matches!(relation(a, b), Relation::Same(_)), "{a} / {b}");
    }
    for (a, b) in [
        (
            "The uploader retries 3 parts in 5 seconds.",
            "The uploader retries 6 parts in 9 seconds.",
        ),
        ("Keep 3 backups for 7 days.", "Keep 5 backups for 30 days."),
        (
            "The cache holds 200 entries for 5 minutes.",
            "The cache holds 500 entries for 20 minutes.",
        ),
    ] {
        assert!(slot(a, b).is_some(), "{a} / {b}");
    }
}

#[test]
fn states_and_figures_in_other_words_contradict() {
    for (a, b) in [
        (
            "The flag `fast_lane` is on in staging.",
            "The flag `fast_lane` is turned off in staging.",
        ),
        (
            "Tracing is enabled in the worker.",
            "Tracing is switched off in the worker.",
        ),
        (
            "Uploads are allowed for guests.",
            "Uploads are forbidden for guests.",
        ),
        (
            "The `nick` column is nullable.",
            "The `nick` column is NOT NULL.",
        ),
        ("The bucket is public.", "The bucket is private."),
        ("The parser is stateless.", "The parser is stateful."),
        (
            "Old drafts are kept after the import.",
            "Old drafts are deleted after the import.",
        ),
        ("Jobs run in parallel.", "Jobs run sequentially."),
        (
            "You must run `just seed` before a demo.",
            "You do not need to run `just seed` before a demo.",
        ),
        ("Max body size is 2 MB.", "The maximum body size is 8 MB."),
        (
            "The preview server runs on port 4000.",
            "The preview server listens on port 4300.",
        ),
        (
            "Helm is pinned to 3.12.1.",
            "Helm is pinned to version 3.15.0.",
        ),
    ] {
        assert!(slot(a, b).is_some(), "{a} / {b}");
    }
    for (a, b) in [
        ("The bucket is public.", "The queue is private."),
        (
            "Tracing is enabled in the worker.",
            "Tracing is switched off in the tests.",
        ),
        (
            "Old drafts are kept after the import.",
            "Old exports are deleted after the import.",
        ),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
    }
}
