//! What rules find in stores that are no rows of `tests/lint/*.toml`.

use super::*;

#[test]
fn blank_lines_behind_the_fields_are_an_empty_body() {
    // A store gives the text without the blank lines that follow it.
    let front = "---\ntitle: a\nwhenToUse: auth\n---\n";
    for blank in ["", "\n", "\n\n\n", " \n"] {
        let sample = memory("a").text(&format!("{front}{blank}"));
        let text = front.trim_end().to_owned();
        let findings = Store::new(vec![Sample { text, ..sample }]).only("empty-body");
        assert_eq!(findings[0].message, "the body is empty", "{blank:?}");
        assert!(findings[0].line >= 4, "{blank:?} {}", findings[0].line);
    }
}

#[test]
fn a_conflict_shows_both_statements_their_difference_and_what_decided() {
    let ten = "Ask Ada first.\n\nThe pool holds 10 connections in production.";
    let more = "The pool holds 25 connections in production.";
    let finding = Store::of(&[("a", ten), ("b", more)])
        .only("contradiction")
        .remove(0);
    assert_eq!(
        [finding.shown(0), finding.shown(1)],
        [25, 10].map(|n| format!("The pool holds ‹{n}› connections in production."))
    );
    let decided = &finding.evidence[2];
    assert!(decided.starts_with("decided by: "), "{finding:?}");
    assert_eq!((finding.memory, &*finding.related), (1, &[0][..]));
    assert_eq!(finding.there, Some((10, 1)));
    assert!(finding.confidence >= 0.9);
}

#[test]
fn labels_and_footers_that_many_memories_fill_in_contradict_nothing() {
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
    for count in [3, 8, 60] {
        let store = Store::new((0..count).map(one).collect());
        assert_eq!(store.only("contradiction"), [], "{count}");
    }
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
    let is_info = |one: &Finding| one.severity == Severity::Info;
    assert!(found.iter().all(is_info), "{found:#?}");
}
