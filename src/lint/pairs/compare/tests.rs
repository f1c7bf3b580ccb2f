use super::*;
use crate::lint::pairs::statement::statements;

mod cases;
mod notes;
mod reasons;
mod relation;
mod runs;
mod scope;
mod slots;
mod subject;
mod tongues;
mod wording;

fn relation(a: &str, b: &str) -> Relation {
    let (x, y) = (statements(a).remove(0), statements(b).remove(0));
    let (there, back) = (compare(&x, &y), compare(&y, &x));
    let same = std::mem::discriminant(&there) == std::mem::discriminant(&back);
    assert!(same, "{a} / {b}: {there:?} but {back:?}");
    there
}

fn slot(a: &str, b: &str) -> Option<Slot> {
    match relation(a, b) {
        Relation::Contradiction { slot, .. } => Some(slot),
        _ => None,
    }
}

#[test]
fn statements_about_one_thing_contradict_in_what_differs() {
    for (kind, a, b) in [
        (
            Slot::Word,
            "The default branch of the repository is main.",
            "The default branch of the repository is develop.",
        ),
        (
            Slot::Number,
            "The connection pool holds 10 connections.",
            "The connection pool holds 25 connections.",
        ),
        (
            Slot::Number,
            "The session times out after 30 seconds.",
            "The session times out after 30 minutes.",
        ),
        (
            Slot::Number,
            "Retries are limited to three per request.",
            "Retries are limited to five per request.",
        ),
        (
            Slot::Number,
            "The API listens on port 8080 in development.",
            "The API listens on port 3000 in development",
        ),
        (Slot::Number, "- Default port: 8080", "- Default port: 9090"),
        (
            Slot::Number,
            "The uploader retries a failed part 3 times before it gives up.",
            "The uploader retries a failed part 5 times before it gives up.",
        ),
        (
            Slot::Version,
            "Python 3.9 is the minimum supported version for the SDK.",
            "Minimum supported version for the SDK is Python 3.11.",
        ),
        (
            Slot::Number,
            "The gateway rejects uploads above 25 megabytes with an error page.",
            "Uploads above 40 megabytes the gateway rejects with an error page.",
        ),
        (
            Slot::Version,
            "The workers run on Node 20 in production.",
            "The workers run on Node 22 in production.",
        ),
        (
            Slot::Version,
            "The service runs on Postgres 15.2.1 in production.",
            "The service runs on Postgres 16.0.4 in production.",
        ),
        (
            Slot::Date,
            "The old API is switched off on 1 March 2026.",
            "The old API is switched off on 1 June 2026.",
        ),
        (
            Slot::Path,
            "Feature flags are read from `config/flags.toml` at start.",
            "Feature flags are read from `settings/features.toml` at start.",
        ),
        (
            Slot::Path,
            "The schema lives in `db/schema.sql`.",
            "The schema lives in `server/db/schema.sql`.",
        ),
        (
            Slot::Tool,
            "Use npm to install packages.",
            "Use pnpm to install packages.",
        ),
        (
            Slot::Tool,
            "Unit tests are written with Jest.",
            "Unit tests are written with Vitest.",
        ),
        (
            Slot::Tool,
            "**Package manager**: npm",
            "**Package manager**: yarn",
        ),
        (
            Slot::Name,
            "Deployments to production are approved by Maria before noon.",
            "Deployments to production are approved by Tomas before noon.",
        ),
        (
            Slot::Opposite,
            "Caching is enabled in the test environment.",
            "Caching is disabled in the test environment.",
        ),
        (
            Slot::Opposite,
            "Indent every file with tabs in this project.",
            "Indent every file with spaces in this project.",
        ),
        (
            Slot::Negation,
            "Always run migrations before a deploy.",
            "Never run migrations before a deploy.",
        ),
        (
            Slot::Negation,
            "Use the global logger in handlers.",
            "Do not use the global logger in handlers.",
        ),
        (
            Slot::Negation,
            "Use mocks in integration tests.",
            "Avoid mocks in integration tests.",
        ),
        (
            Slot::Negation,
            "The importer can be run twice on one file.",
            "The importer cannot be run twice on one file.",
        ),
        (
            Slot::Order,
            "Prefer composition over inheritance in models.",
            "Prefer inheritance over composition in models.",
        ),
        (
            Slot::Order,
            "Run the linter before the formatter.",
            "Run the formatter before the linter.",
        ),
        (
            Slot::Number,
            "Drafts of a form are kept for 45 minutes.",
            "Drafts of a form are kept for 6 hours.",
        ),
        (
            Slot::Number,
            "A ticket holds for 2 hours.",
            "A ticket holds for 40 minutes.",
        ),
        (
            Slot::Number,
            "The warm-up starts at 2e-4 and ends at 0.5.",
            "The warm-up starts at 1e-3 and ends at 0.9.",
        ),
        (
            Slot::Tool,
            "The lookup table is kept in Redis with a lifetime of 10 minutes.",
            "The lookup table is kept in Memcached with a lifetime of 45 minutes.",
        ),
        (
            Slot::Path,
            "Exports are written to `out/exports` and kept for 7 days.",
            "Exports are written to `var/dumps` and kept for 30 days.",
        ),
        (
            Slot::Tool,
            "We check types with mypy and format with Black.",
            "We check types with pyright and format with Yapf.",
        ),
        (
            Slot::Opposite,
            "Batching is enabled for the mailer with at most 20 letters.",
            "Batching is disabled for the mailer with at most 50 letters.",
        ),
        (
            Slot::Negation,
            "Reports go through the mail gateway.",
            "Reports no longer go through the mail gateway.",
        ),
        (
            Slot::Negation,
            "We use Moment for dates in the admin pages.",
            "Moment is no longer used for dates in the admin pages; take Luxon.",
        ),
        (
            Slot::Negation,
            "Translations are read from the bundle at start.",
            "Since May translations are no longer read from the bundle at start, but from the server.",
        ),
        (
            Slot::Name,
            "`src/main.ts` is the entry point of the worker.",
            "`src/boot.ts` is the entry point of the worker.",
        ),
    ] {
        let found = slot(a, b);
        let kin = [Slot::Opposite, Slot::Tool, Slot::Path, Slot::Name];
        let near = kin.contains(&kind) && found.is_some_and(|found| kin.contains(&found));
        assert!(found == Some(kind) || near, "{a} / {b}: {found:?}");
    }
}

#[test]
fn statements_that_stand_side_by_side_do_not() {
    for (a, b) in [
        (
            "Before deploying, run the smoke tests.",
            "After deploying, run the smoke tests.",
        ),
        (
            "The first attempt failed with exit code 1.",
            "The second attempt failed with exit code 137.",
        ),
        (
            "The 1st shard of the suite takes 4 minutes.",
            "The 2nd shard of the suite takes 9 minutes.",
        ),
        (
            "The primary keeps 3 backups and the standby server keeps 5 backups.",
            "The standby server keeps 3 backups and the primary keeps 5 backups.",
        ),
        ("- Business logic", "- NO business logic"),
        (
            "**Wave detection**: `crates/core/src/wave_detection.rs`",
            "**Worker prompt**: `crates/core/src/wave_prompt.rs`",
        ),
        (
            "- `init()` — called on script load",
            "- `cleanup()` — called on script unload",
        ),
        (
            "Issue #12 is about the parser of dates.",
            "Issue #13 is about the parser of dates.",
        ),
        (
            "Phase 1 covers the importer and its tests.",
            "Phase 2 covers the importer and its tests.",
        ),
        (
            "cargo test -p ledger-core rounding",
            "cargo test -p ledger-core paging",
        ),
        (
            "The importer reads invoices from the inbox.",
            "The exporter reads invoices from the inbox.",
        ),
        (
            "Fixed the parser: 347 tests pass",
            "Fixed the parser: 349 tests pass",
        ),
        (
            "failure: cmd=cargo test, exit=101, error=E0308",
            "failure: cmd=cargo test, exit=1, error=E0432",
        ),
        (
            "2026-01-03: 12 memories were pruned by hand",
            "2026-02-03: 14 memories were pruned by hand",
        ),
        (
            "The film made 8.2 million in its first week.",
            "The film made 8.24 million in its first week.",
        ),
        (
            "The API of orders listens on port 8080.",
            "The API of invoices listens on port 8081.",
        ),
        (
            "Use Jest for unit tests of the server.",
            "Use Playwright for end-to-end tests of the shop.",
        ),
        (
            "Last updated: 12 May 2026 by the planner",
            "Last updated: 13 May 2026 by the planner",
        ),
        ("Auth uses JWT tokens.", "The queue uses Redis streams."),
        (
            "GET /users returns a list of users",
            "GET /orders returns a list of orders",
        ),
        (
            "See `docs/auth.md` for the details of it.",
            "See `docs/queue.md` for the details of it.",
        ),
        (
            "The session lives for 90 seconds after the last click.",
            "The session lives for 1.5 minutes after the last click.",
        ),
        (
            "A part of an upload has at most 1 GB of data.",
            "A part of an upload has at most 1024 MB of data.",
        ),
        (
            "The left margin of the page is 5 mm wide.",
            "The right margin of the page is 10 mm wide.",
        ),
        (
            "The pool of the reader has a minimum of 2 connections.",
            "The pool of the writer has a maximum of 20 connections.",
        ),
        (
            "Jest runs 200 tests of the shop.",
            "Vitest runs 140 tests of the shop.",
        ),
        (
            "Copy `a/fonts` to `public/fonts` before the build.",
            "Copy `a/icons` to `static/icons` before the build.",
        ),
        (
            "The importer reads rows from the inbox.",
            "The importer reads rows from the inbox; XML is no longer supported.",
        ),
        (
            "Exports go to the archive on Mondays.",
            "Exports of drafts no longer go to the archive.",
        ),
        (
            "Timeout of the upload worker: 30 s",
            "Timeout of the mail worker: 60 s",
        ),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
    }
}

#[test]
fn what_is_said_twice_is_the_same() {
    for (a, b) in [
        (
            "The importer holds the lock for the whole file.",
            "The importer holds the lock for the whole file, so keep files small.",
        ),
        (
            "Run `make check` before every commit.",
            "Always run `make check` before every commit",
        ),
        (
            "- Amounts are whole cents everywhere.",
            "Amounts are whole cents, everywhere!",
        ),
    ] {
        assert!(
            matches!(relation(a, b), Relation::Same(_)),
            "{a} / {b}: {:?}",
            relation(a, b)
        );
    }
}

#[test]
fn a_form_that_is_filled_in_twice_says_two_things() {
    let database = "Use factories of the suite for the database.";
    let folder = "Use factories of the suite for the temporary folder.";
    assert_eq!(relation(database, folder), Relation::Apart);
    let header = "The colour of the button in the header is blue.";
    let footer = "The colour of the button in the footer is red.";
    assert_eq!(relation(header, footer), Relation::Apart);
}

#[test]
fn the_differing_words_are_marked() {
    let (a, b) = (
        "The pool holds 10 idle connections.",
        "The pool holds 25 idle connections.",
    );
    let Relation::Contradiction { a: x, b: y, .. } = relation(a, b) else {
        panic!("no contradiction");
    };
    assert_eq!((&a[x[0].clone()], &b[y[0].clone()]), ("10", "25"));
}

#[test]
fn the_same_command_on_another_thing_is_no_repetition() {
    let (core, cli) = (
        "Run unit tests with `cargo test -p core`.",
        "Run unit tests with `cargo test -p cli`.",
    );
    assert!(!matches!(relation(core, cli), Relation::Same(_)));
    let (main, develop) = ("- Default branch: `main`", "- Default branch: `develop`");
    assert_eq!(slot(main, develop), Some(Slot::Name));
}
