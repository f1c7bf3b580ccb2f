use super::*;

#[test]
fn what_misleads_is_told_from_records_and_logs() {
    for (text, expected) in [
        ("Rounding is in `src/x.rs`.", Manner::Directive),
        ("# Layout\n\n- `src/x.rs`: the parser", Manner::Directive),
        ("We removed src/x.rs in May", Manner::Record),
        (
            "src/x.rs, legacy/moved.rs and `old_rows` are read first",
            Manner::Directive,
        ),
        (
            "The threshold of src/x.rs is 3, prefixed by a sign",
            Manner::Directive,
        ),
        (
            "# Login and session tokens\n\nRead src/x.rs",
            Manner::Directive,
        ),
        ("# Logging\n\nRead src/x.rs", Manner::Directive),
        ("# Session 12\n\nRead src/x.rs", Manner::Record),
        ("## Log\n\n- src/x.rs", Manner::Record),
        ("**Removed**: src/x.rs", Manner::Record),
        ("The parser was in src/x.rs", Manner::Record),
        (
            "We do not use `src/x.rs` any more; read src/y.rs.",
            Manner::Record,
        ),
        ("Read src/y.rs, not `src/x.rs`.", Manner::Record),
        ("Do not edit `src/x.rs` by hand.", Manner::Directive),
        ("# Changelog\n\n- src/x.rs", Manner::Record),
        (
            "failure: cmd=cargo fmt, exit=1, error='diff in src/x.rs'",
            Manner::Log,
        ),
        (
            "It breaks on Mondays:\r\n\r\n$ cargo build\r\nerror[E0425]: no `x`\r\n  --> src/x.rs:3:5\r\n   |\r\n\r\nUse y.",
            Manner::Log,
        ),
        (
            "Exit code 2 is for wrong use, see src/x.rs.",
            Manner::Directive,
        ),
        ("| src/x.rs | fails on a bad date |", Manner::Directive),
        ("was removed\n\nEdit src/x.rs", Manner::Directive),
    ] {
        let at = text.find("src/x.rs").unwrap();
        assert_eq!(manner(text, at), expected, "{text}");
    }
}

fn manner(text: &str, at: usize) -> Manner {
    Manners::of(text).manner(&(at..at + 8))
}

#[test]
fn what_is_known_of_a_neighbour_changes_nothing() {
    let parts = [
        "Edit src/x.rs. ",
        "# Changelog\n\n- src/x.rs\n",
        "\n## Layout\n- src/x.rs\n",
        "\n\nfailure: cmd=make, exit=1, error='in src/x.rs'\n\n",
        "We removed src/x.rs in May.\n",
        "# Done: src/x.rs and src/x.rs\n",
        "ä é ü",
        "\n",
    ];
    let mut state = 7_usize;
    for _ in 0..200 {
        let mut text = String::new();
        for _ in 0..30 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            text.push_str(parts[(state >> 33) % parts.len()]);
        }
        let mut manners = Manners::of(&text);
        for (at, _) in text.match_indices("src/x.rs") {
            let alone = manner(&text, at);
            assert_eq!(manners.manner(&(at..at + 8)), alone, "{at} in {text}");
        }
    }
}

/// Sentences that tell whoever reads them now what to do or what is so: a path in them misleads
/// where it is gone.
const LIVE: &[&str] = &[
    "Use `src/x.rs` instead of reading cookies by hand.",
    "`src/x.rs` is used to read cookies.",
    "When a user is removed, `src/x.rs` must be told.",
    "Deleted users are handled in `src/x.rs`.",
    "Old browsers need the polyfill in `src/x.rs`.",
    "Ruby scripts live in `src/x.rs`.",
    "New checks must be added to `src/x.rs`.",
    "Added `src/x.rs`: put every new check there.",
    "Added src/x.rs to hold cookie code; put new cookie code there.",
    "Session code is in src/x.rs and it is called from the router, which was written by Bob.",
    "Bug fixed in 2.1: always go through src/x.rs when reading cookies.",
    "We decided that all cookie reads go through src/x.rs.",
    "The previous page is kept by src/x.rs in the cookie.",
    "Used to read cookies: src/x.rs",
    "Deprecated headers are filtered by src/x.rs before the router runs.",
    "Files are moved by src/x.rs to the trash folder.",
    "Instead of reading cookies yourself, call the helper in src/x.rs.",
    "Never read cookies outside src/x.rs.",
    "Removed rows are no longer shown because src/x.rs filters them.",
    "All old clients pass through src/x.rs as well.",
    "Rows that were imported twice are merged by `src/x.rs`.",
    "If the order was paid, `src/x.rs` sends the receipt.",
    "`src/x.rs` removes carts that were abandoned for a week.",
    "Renamed columns have to be listed in src/x.rs.",
    "Before a release, check that `src/x.rs` has the new number.",
    "Cached prices come from `src/x.rs`, never from the session.",
    "Failed jobs are added to the queue in `src/x.rs`.",
    "The legacy API is proxied through `src/x.rs`.",
    "`src/x.rs` replaced the cron job, so change schedules there.",
    "Anything that used to be a flag is now an entry of `src/x.rs`.",
    "Sessions moved to `src/x.rs`.",
    "We moved the session code into `src/x.rs`; keep it there.",
    "Keep the history of prices in `src/x.rs`.",
    "| src/x.rs | what was sold, by month |",
    "- `src/x.rs` - merged view of both stores",
    "`src/x.rs`: updated prices of the day",
    "See `src/x.rs` for how merged accounts are shown.",
    "The confirmed address is written by src/x.rs and never changed afterwards.",
    "Call `src/x.rs` once the fields are updated.",
    "To add a language, extend src/x.rs and the table of fixed names.",
    "Shared helpers go into src/x.rs.",
    "Edit src/x.rs when a price was changed by hand.",
    "Data flows src/y.rs -> src/x.rs -> src/z.rs.",
    "Tests were slow, so src/x.rs caches the schema.",
    "Do not delete `src/x.rs`, the deploy needs it.",
    "Users deleted in src/x.rs must be anonymised as well.",
    "We removed `src/y.rs`; use `src/x.rs` now.",
    "`src/y.rs` was replaced with `src/x.rs`.",
    "2026-02-01: always run `src/x.rs` before the seed.",
    "- [ ] move the parser out of `src/x.rs`",
    "Do not create `src/x.rs` again on every start: append to it.",
    "Do not run `src/x.rs` again: it is slow.",
    "Never generate src/x.rs again by hand; the hook does that.",
    "Do not put src/x.rs in the cache: it was generated.",
    "Do not call src/x.rs with a row: it was deleted before.",
    "Do not edit `src/x.rs`: it was generated by the build.",
    "Do not add anything to `src/x.rs` again before the freeze is over.",
    "The old mailer goes through the queue (src/x.rs) and nothing is gone.",
    "Mail of old accounts (src/x.rs) is sent at night.",
    "The sender (src/x.rs) is asked before a mail is gone.",
    "What is gone from the queue is logged by src/x.rs.",
    "src/x.rs → removed rows, then the receipt",
    "src/x.rs → history of prices",
    "src/x.rs → the queue → removed carts",
    "src/x.rs → use it for every removed row",
    "order → src/x.rs → deleted, after a week",
    "`src/x.rs` cannot find rows without the index.",
    "Users who cannot find their order are sent to src/x.rs.",
    "No such file errors are turned into 404 by src/x.rs.",
    "Pages that are not found are drawn by src/x.rs.",
    "Error: codes and their texts are listed in src/x.rs.",
    "Errors: src/x.rs",
    "Not found pages: src/x.rs",
    "- Not found: src/x.rs",
    "Page not found: src/x.rs",
    "- `src/x.rs`: not found",
    "Do not resolve src/x.rs by hand.",
    "| not found | src/x.rs |",
    "`src/x.rs`: not found pages and their texts",
    "If a module cannot be found, list it in src/x.rs.",
    "Before a row was saved `src/x.rs` checks it.",
    "Before 2026 prices are taken from src/x.rs, after that from the bank.",
    "Before March invoices must pass src/x.rs.",
    "Before a mail was sent ask src/x.rs.",
    "Before that runs, mail is sent by src/x.rs.",
    "Files changed by users: src/x.rs",
    "Files changed often: src/x.rs, src/y.rs",
    "Files to be changed: src/x.rs",
    "Changed prices: src/x.rs",
    "Modified orders: src/x.rs",
    "Files that must be changed together: src/x.rs, src/y.rs",
    "Files are modified by src/x.rs before they are sent.",
    "Modified files are shown by src/x.rs.",
    "Code of changed prices: src/x.rs",
    "Added in: src/x.rs",
    "Sessions: src/x.rs",
    "Session: src/x.rs",
    "- **Sessions**: src/x.rs",
    "* Session: `src/x.rs`",
    "1. Session store: src/x.rs",
    "Session tokens: src/x.rs",
    "Sessions:\n- src/x.rs\n- src/y.rs",
    "## Sessions\n\n- `src/x.rs`: the store",
    "## Session\n\nThe cookie is read by src/x.rs.",
    "- Session code: src/x.rs",
    "- Log: src/x.rs",
    "In the router, src/x.rs, rows are gone.",
    "Old mail goes out at night, src/x.rs, and is gone then.",
    "Modified rows are queued in src/x.rs.",
    "When an order is modified, src/x.rs sends a mail.",
    "Never call src/x.rs, it has no retry.",
    "Do not import `fs`: it was replaced by src/x.rs.",
    "src/x.rs cannot be moved.",
    "## Changed prices\n\n- src/x.rs",
    "## Files\n\n- src/x.rs",
    "## Files that changed hands\n\n- src/x.rs",
    "## Split modules\n\n- src/x.rs",
    "## Deleted users\n\n- src/x.rs",
    "- **History**: `src/x.rs`",
    "# Session: src/x.rs\n",
    "Rows go through src/x.rs and its tests were moved to another folder.",
    "Mail is sent by src/x.rs and its retries have moved to the queue.",
    "The worker in src/x.rs and its queue are deployed together.",
    "There is a seed script, src/x.rs.",
    "There were two seeds of the shop; run src/x.rs for both.",
    "There was a race, so that src/x.rs takes the lock first.",
    "Never use src/x.rs with `force`; use it as it is.",
    "Never use `src/x.rs`; it has no retry.",
    "Never use src/x.rs, use the queue.",
    "Do not call src/x.rs, but wait for `done`: src/x.rs is called by the queue.",
];

/// Sentences that tell of what was: whoever reads them goes by something else.
const RECORDS: &[&str] = &[
    "Roles lived in `src/x.rs` before the gateway took over.",
    "Split `src/x.rs` into the gateway and the policy file.",
    "2026-02-01: edited `src/x.rs`, tests green.",
    "Consolidated src/x.rs and src/y.rs into one.",
    "Consolidated src/y.rs and src/x.rs into one.",
    "Do not recreate `src/x.rs`; the gateway does that now.",
    "Never bring back `src/x.rs`.",
    "`src/x.rs` is now `src/y.rs`.",
    "`src/x.rs` → `src/y.rs`",
    "src/x.rs -> src/y.rs since April",
    "Renamed: src/x.rs => src/y.rs",
    "Money moved from src/x.rs to src/y.rs.",
    "Changelog:\n- `src/x.rs`: the keeper\n- `src/y.rs`: the login",
    "Changelog:\n\n- 2026-02-01: src/x.rs, src/y.rs",
    "- 2026-02-01: src/x.rs, src/y.rs\n- 2026-02-03: src/z.rs",
    "The web app in `src/x.rs`, `src/y.rs`, etc. is being superseded by the phone app.",
    "The web app in `src/y.rs`, `src/x.rs`, etc. is being superseded by the phone app.",
    "Files removed in April:\n- src/y.rs\n- src/x.rs",
    "src/x.rs was removed in April; use src/y.rs instead.",
    "We deleted `src/x.rs` because cookies moved to the gateway.",
    "src/y.rs (formerly src/x.rs) rounds half to even.",
    "Use the justfile instead of the `src/x.rs`.",
    "src/x.rs no longer exists.",
    "The file formerly known as src/x.rs is gone.",
    "There is no src/x.rs any more.",
    "src/x.rs has been replaced with the gateway.",
    "Was in src/x.rs, now in src/y.rs.",
    "In v1 the keeper lived in src/x.rs.",
    "On 2026-02-03 I edited src/x.rs and the tests passed.",
    "Fixed a race in src/x.rs by taking the lock first.",
    "src/x.rs is going away in April; use src/y.rs.",
    "If src/x.rs is missing, run the generator.",
    "~~src/x.rs~~ src/y.rs",
    "The cookie code (in src/x.rs until March) is part of the gateway.",
    "- [x] drop the fallback in src/x.rs",
    "Mia removed src/x.rs in the spring.",
    "PR 12 dropped `src/x.rs` and its tests.",
    "The old `src/x.rs` had a cache of its own.",
    "After the removal of src/x.rs the gateway reads cookies.",
    "Since the split of `src/x.rs` there are two parsers.",
    "Until May `src/x.rs` held the rates.",
    "Everything of `src/x.rs` was folded into the core.",
    "`src/y.rs` replaces `src/x.rs`.",
    "The cookie store supersedes src/x.rs.",
    "Removed `src/y.rs`, `src/x.rs` and the tests of both.",
    "Merged src/x.rs into src/y.rs.",
    "`src/x.rs` (deleted) held the cookies.",
    "`src/x.rs`, removed in May, held the cookies.",
    "`src/x.rs` became a service.",
    "Old location: src/x.rs",
    "The tests could not find src/x.rs, which had been renamed.",
    "Rates came from `src/x.rs` at first.",
    "In the beginning cookies were read by src/x.rs.",
    "Reverted the change to `src/x.rs`.",
    "`src/x.rs` is obsolete.",
    "`src/x.rs` used to be the entry point.",
    "Ported src/x.rs to the new client.",
    "I have split src/x.rs in two.",
    "Do not create src/x.rs again: it was deleted on purpose.",
    "Never add src/x.rs back.",
    "Don't make `src/x.rs` again.",
    "Do not use src/x.rs: it was removed in May.",
    "Never import src/x.rs, it is gone.",
    "Don't look for src/x.rs because it has been renamed.",
    "The old mailer (src/x.rs) is gone; use the queue.",
    "The mailer (`src/x.rs`) has been removed.",
    "src/x.rs → removed, use the queue",
    "- `src/x.rs` -> deleted",
    "| src/x.rs => gone |",
    "Error: Cannot find module 'src/x.rs'",
    "Module not found: src/x.rs",
    "TypeScript could not find the file src/x.rs.",
    "vite: failed to resolve `src/x.rs`",
    "ENOENT: no such file or directory, open 'src/x.rs'",
    "cat: src/x.rs: No such file or directory",
    "src/x.rs not found, run the build",
    "Before March 2026 mail was sent by src/x.rs.",
    "Before 2026 cookies were read in src/x.rs.",
    "Before v2 the keeper lived in src/x.rs.",
    "Files changed: src/x.rs, src/y.rs",
    "Files changed: src/y.rs, src/x.rs",
    "**Files modified**: `src/x.rs`",
    "Modified files: src/x.rs",
    "- Files touched in this session: src/x.rs",
    "Files changed in PR 12: src/x.rs",
    "Files deleted in PR #42: src/x.rs",
    "## Files changed\n\n- src/x.rs",
    "### Modified files:\n\n- `src/x.rs`",
    "The mailer, src/x.rs, is gone.",
    "Module not found: Error: Can't resolve 'src/x.rs'",
    "FileNotFoundError: [Errno 2] No such file or directory: 'src/x.rs'",
    "src/x.rs → deleted in May",
    "src/x.rs → moved to src/y.rs",
    "Module renamed: src/x.rs",
    "Session 2026-03-01: src/x.rs",
    "Session log: src/x.rs",
    "Session summary: src/x.rs",
    "Session notes:\n- src/x.rs",
    "# Session: the login was mended\n\n- src/x.rs",
    "# Session 2026-03-01\n\n- src/x.rs",
    "The worker in src/x.rs and its queue were deleted in May.",
    "src/x.rs and its tests were removed.",
    "`src/x.rs` and the old job queue have been retired.",
    "There used to be a seed script, src/x.rs.",
    "There was a second parser, `src/x.rs`.",
    "There used to be src/x.rs for it.",
    "Never use `src/x.rs`; use `src/y.rs`.",
    "Do not import src/x.rs, import src/y.rs instead.",
    "Don't use src/x.rs but `src/y.rs`.",
    "Never call `src/x.rs`. Always use `src/y.rs`.",
];

#[test]
fn what_is_so_is_told_from_what_was_by_the_words_around_the_path() {
    let wrong = |texts: &[&'static str], expected| {
        let other = |text: &&&str| manner(text, text.find("src/x.rs").unwrap()) != expected;
        texts.iter().filter(other).copied().collect::<Vec<_>>()
    };
    let none: Vec<&str> = Vec::new();
    assert_eq!(wrong(LIVE, Manner::Directive), none, "taken for records");
    assert_eq!(wrong(RECORDS, Manner::Record), none, "taken for live");
}

#[test]
fn a_sentence_says_the_same_where_it_is_wrapped() {
    let mut wrong: Vec<String> = Vec::new();
    for (texts, expected) in [(LIVE, Manner::Directive), (RECORDS, Manner::Record)] {
        // What ends with a sign, and is no item, heading or row.
        let prose = |text: &&&str| {
            text.ends_with('.') && !text.contains('\n') && !text.starts_with(['#', '-', '|', '*'])
        };
        for text in texts.iter().filter(prose) {
            for (at, _) in text.match_indices(' ') {
                let (above, below) = (&text[..at], &text[at + 1..]);
                // A short line and a capital may be two statements; a label is one.
                let apart = below.starts_with(|c: char| c.is_uppercase() || "-|→".contains(c));
                let first = below.split(' ').next().unwrap_or_default();
                if above.ends_with([':', '.', ';']) || first.ends_with(':') || apart {
                    continue;
                }
                let label = below
                    .split_once(": ")
                    .is_some_and(|(label, _)| label.split(' ').count() < 3);
                let code = above.matches('`').count() % 2 == 1;
                if label || code {
                    continue;
                }
                for wrapped in [format!("{above}\n{below}"), format!("{above}\r\n> {below}")] {
                    if manner(&wrapped, wrapped.find("src/x.rs").unwrap()) != expected {
                        wrong.push(wrapped);
                    }
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn lines_that_are_statements_of_their_own_speak_for_themselves() {
    for (text, expected) in [
        (
            "Every sender must be\nwrapped in `send` from `src/x.rs`, or mails are lost.",
            Manner::Directive,
        ),
        (
            "> Every sender must be\n> wrapped in `send` from `src/x.rs`, or mails are lost.",
            Manner::Directive,
        ),
        (
            "When the queue was dropped we removed\nsrc/x.rs with it.",
            Manner::Record,
        ),
        (
            "- When the queue was dropped we removed\n  `src/x.rs` with it",
            Manner::Record,
        ),
        (
            "Mails go through the queue now. The sender of before, with all its retries, was\nin `src/x.rs`",
            Manner::Record,
        ),
        (
            "The roles of the shop live in `src/x.rs` and nowhere else, for the gateway was\nremoved in May.",
            Manner::Directive,
        ),
        (
            "The queue is drained by\n`src/x.rs`, which was written for it.",
            Manner::Directive,
        ),
        (
            "Stack: Rust\nRemoved: src/y.rs\nStore: src/x.rs",
            Manner::Directive,
        ),
        (
            "Removed src/y.rs in May\nRates come from src/x.rs",
            Manner::Directive,
        ),
        (
            "src/y.rs was removed\nsrc/x.rs: the store",
            Manner::Directive,
        ),
        (
            "we deleted src/y.rs\nsrc/x.rs holds the rates",
            Manner::Directive,
        ),
        (
            "The old store was removed.\nsrc/x.rs holds the rates.",
            Manner::Directive,
        ),
        (
            "- src/y.rs was removed\n- src/x.rs holds the rates",
            Manner::Directive,
        ),
        (
            "> - src/y.rs was removed\n> - src/x.rs holds the rates",
            Manner::Directive,
        ),
        (
            "| src/y.rs | was removed\n| src/x.rs | holds the rates |",
            Manner::Directive,
        ),
        (
            "What was removed\n\nsrc/x.rs holds the rates.",
            Manner::Directive,
        ),
        (
            "> What was removed\n>\n> src/x.rs holds the rates.",
            Manner::Directive,
        ),
        (
            "```\nrm what was removed\ncat src/x.rs\n```",
            Manner::Directive,
        ),
        (
            "# What is gone\nsrc/x.rs holds the rates.",
            Manner::Directive,
        ),
        ("src/x.rs\nwas removed", Manner::Directive),
        ("src/x.rs was removed\nuse src/y.rs for it", Manner::Record),
        ("Added src/x.rs.\nRun the tests with make.", Manner::Record),
    ] {
        assert_eq!(
            manner(text, text.find("src/x.rs").unwrap()),
            expected,
            "{text}"
        );
    }
}
