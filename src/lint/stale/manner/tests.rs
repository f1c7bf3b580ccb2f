use super::*;

mod table;

use table::{LIVE, RECORDS};

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
