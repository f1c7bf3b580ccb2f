//! Pairs of memories: contradictions, repetitions, and what is neither.

use super::*;

const PAIRS: [&str; 3] = ["contradiction", "near-duplicate", "contained"];

/// The rules that warn of two memories, and those that suggest something, marked with `?`.
fn said(a: &str, b: &str) -> Vec<String> {
    let store = Store::new(vec![memory("a").front("", a), memory("b").front("", b)]);
    let found = PAIRS.iter().flat_map(|rule| store.only(rule));
    let mark = |finding: Finding| match finding.severity {
        Severity::Info => format!("{}?", finding.rule),
        _ => finding.rule.to_owned(),
    };
    found.map(mark).collect()
}

#[test]
fn a_replaced_number_name_or_opposite_contradicts_and_other_wordings_repeat() {
    for (a, b, expected) in [
        (
            "The pool holds 10 connections in production.",
            "The pool holds 25 connections in production.",
            "contradiction",
        ),
        (
            "Retries are enabled for the payment gateway by default.",
            "Retries are disabled for the payment gateway by default.",
            "contradiction",
        ),
        (
            "Session data of the shop is stored in Redis.",
            "Session data of the shop is stored in Postgres.",
            "contradiction",
        ),
        (
            "Amounts are whole cents everywhere; only the page divides them by a hundred.",
            "Amounts are whole cents everywhere, only the page divides them by a hundred.",
            "near-duplicate",
        ),
    ] {
        assert_eq!(said(a, b), [expected], "{a} / {b}");
        assert_eq!(said(b, a), [expected], "{b} / {a}");
    }
    for (a, b) in [
        (
            "The ledger rounds half up.",
            "Invoices are sent on Mondays.",
        ),
        (
            "Use the staging key for tests.",
            "Ask Ada about the release.",
        ),
    ] {
        assert_eq!(said(a, b), [""; 0], "{a} / {b}");
    }
}

#[test]
fn a_conflict_shows_both_statements_their_difference_and_what_decided() {
    let finding = one(
        "contradiction",
        vec![
            memory("a").front(
                "",
                "Ask Ada first.\n\nThe pool holds 10 connections in production.",
            ),
            memory("b").front("", "The pool holds 25 connections in production."),
        ],
    );
    assert_eq!(
        finding.message,
        "Conflicting number with `rawko:a`: 25 and 10"
    );
    assert_eq!(
        finding.shown(0),
        "The pool holds ‹25› connections in production."
    );
    assert_eq!(
        finding.shown(1),
        "The pool holds ‹10› connections in production."
    );
    assert!(
        finding.evidence[2].starts_with("decided by: "),
        "{finding:?}"
    );
    assert_eq!((finding.memory, &*finding.related), (1, &[0][..]));
    assert_eq!(finding.there, Some((10, 1)));
    assert!(finding.confidence >= 0.9);
}

#[test]
fn labels_and_footers_that_many_memories_fill_in_contradict_nothing() {
    let files = |count: usize| -> Vec<Sample> {
        let one = |n: usize| {
            let body = format!(
                "Lesson {n} of the harbour.\n\n---\n\n**Atomicity**: {}% | **Impact**: {}/10\n\
                 **Status**: {}\n",
                70 + n,
                n % 10,
                ["open", "done"][n % 2]
            );
            memory(&format!("skill-{n}")).front("", &body)
        };
        (0..count).map(one).collect()
    };
    for count in [3, 8, 60] {
        assert_eq!(
            Store::new(files(count)).only("contradiction"),
            [],
            "{count}"
        );
    }
}

#[test]
fn a_memory_within_a_longer_one_is_contained_and_copies_are_found_in_any_script() {
    let long = "Prices are whole cents. Rounding is half up. Invoices go out on Mondays, by mail, \
                and the ledger is closed on the last day of each month.";
    assert_eq!(said(long, "Rounding is half up."), ["contained"]);
    let text = "価格はすべて整数のセントで保存し、表示のときだけ割る。";
    assert_eq!(said(text, text), ["near-duplicate"]);
}

#[test]
fn logs_of_failures_are_compared_with_nothing() {
    let log =
        |exit: u8| format!("failure: cmd=npm test, exit={exit}, error=timeout, next=run again");
    assert_eq!(said(&log(1), &log(2)), [""; 0]);
    assert_eq!(said(&log(1), &log(1)), [""; 0]);
}

#[test]
fn a_form_filled_in_many_times_is_no_repetition_to_warn_of() {
    let names = [
        "ledger", "checkout", "invoice", "ferry", "voucher", "mailer",
    ];
    let entry = |name: &&str| {
        let body = format!("The {name} team meets on Mondays at ten in the large room upstairs.");
        memory(name).front("", &body)
    };
    let found = Store::new(names.iter().map(entry).collect()).only("near-duplicate");
    assert!(
        found.iter().all(|one| one.severity == Severity::Info),
        "{found:#?}"
    );
}
