use super::*;
use crate::lint::baseline::Baseline;
use crate::lint::tests::{NOW, Store, memory};
use crate::lint::{Selection, digest};

fn id(local: &str) -> MemoryId {
    MemoryId::new(&"rawko".into(), local)
}

/// The fingerprint of a memory of a store.
fn print(store: &Store, rule: &str, index: usize) -> (MemoryId, String) {
    let cx = store.cx();
    let memory = &cx.memories[index];
    let text = cx.texts.text(memory).unwrap();
    (memory.id.clone(), fingerprint(rule, memory, &text))
}

/// An answer on the first two memories of a store, as the file has it.
fn answered(store: &Store, rule: &str, answer: Resolution) -> Answers {
    let (a, b) = (print(store, rule, 0), print(store, rule, 1));
    let answer = Answer::new(rule, (&a.0, a.1), (&b.0, b.1), answer);
    Answers::parse(&answer.said(NOW, Some("Ada".into())).to_line())
}

#[test]
fn a_line_is_what_the_contract_of_the_file_says() {
    let answer = Answer::new(
        "contradiction",
        (&id("b"), "bb".into()),
        (&id("a"), "aa".into()),
        Resolution::KeepA,
    )
    .within(Some("“staging”\n".into()))
    .said(NOW, Some("Ada".into()));
    // The ids are in order, and A is the first of them: what was kept is b.
    assert_eq!(
        answer.to_line(),
        "{\"rule\":\"contradiction\",\"ids\":[\"rawko:a\",\"rawko:b\"],\"texts\":[\"aa\",\"bb\"],\
         \"answer\":\"keep-b\",\"scope\":\"“staging”\\n\",\"by\":\"Ada\",\
         \"at\":\"2026-02-01T00:00:00Z\"}\n"
    );
    let all = Answers::parse(&answer.to_line());
    assert_eq!(all.get("contradiction", &id("b"), &id("a")), Some(&answer));
    assert_eq!(all.get("contained", &id("a"), &id("b")), None);
    assert_eq!(all.get("contradiction", &id("a"), &id("c")), None);
}

#[test]
fn later_lines_win_and_unknown_ones_are_passed_over() {
    let line = |answer: &str, more: &str| {
        format!(
            "{{\"ids\":[\"rawko:a\",\"rawko:b\"],\"texts\":[\"1\",\"2\"],\"rule\":\"contained\",\
             \"answer\":\"{answer}\"{more}}}\n"
        )
    };
    let said = |text: &str| {
        let all = Answers::parse(text);
        all.get("contained", &id("a"), &id("b"))
            .map(|one| one.answer)
    };
    let both = line("both", ",\"mood\":{\"x\":[1]}");
    assert_eq!(said(&both), Some(Resolution::Both));
    let garbage = "\n{\"version\":2}\nnot json\n\u{feff}[]\n";
    let unread = |text: &str| Answers::parse(text).unread();
    assert_eq!(unread("\n{\"version\":2}\n\u{feff}[]\n \n"), None);
    let says = "line 3 of .memkeep/verdicts.jsonl is no JSON and is not read";
    assert_eq!(unread(garbage).as_deref(), Some(says));
    let merged = format!("<<<<<<< HEAD\n{both}=======\n{{\"ids\":[");
    let says = "lines 1, 3, 4 of .memkeep/verdicts.jsonl are no JSON and are not read";
    assert_eq!(unread(&merged).as_deref(), Some(says));
    assert_eq!(said(&format!("{both}{garbage}")), Some(Resolution::Both));
    let later = format!("{both}{garbage}{}", line("merge", ""));
    assert_eq!(said(&later), Some(Resolution::Merge));
    // One that a later version knows takes nothing back.
    assert_eq!(
        said(&format!("{later}{}", line("defer", ""))),
        Some(Resolution::Merge)
    );
    assert_eq!(said(&format!("{later}{}", line("ask-again", ""))), None);
    assert!(Answers::parse(&line("ask-again", "")).all().is_empty());
}

#[test]
fn ids_in_the_wrong_order_are_put_right() {
    let text = "{\"ids\":[\"rawko:b\",\"rawko:a\"],\"texts\":[\"2\",\"1\"],\
                \"rule\":\"contained\",\"answer\":\"keep-a\"}";
    let all = Answers::parse(text);
    let one = all.get("contained", &id("a"), &id("b")).unwrap();
    assert_eq!(one.texts, ["1", "2"]);
    assert_eq!(one.answer, Resolution::KeepB);
}

#[test]
fn what_was_answered_is_not_reported_until_one_of_the_two_changes() {
    let pool = "The pool holds 10 connections in production.";
    let sizes = "The pool holds 25 connections in production.";
    let store = |a: &str, b: &str| {
        Store::new(vec![
            memory("pool").front("", a),
            memory("sizes").front("", b),
        ])
    };
    let mut same = store(pool, sizes);
    assert_eq!(same.only("contradiction").len(), 1);
    let answers = answered(&same, "contradiction", Resolution::NotAConflict);
    same.answers = answers.clone();
    assert_eq!(same.only("contradiction"), []);
    // A changed body is another question; line ends and what stands in the fields are not.
    for (a, b, expected) in [
        ("The pool holds 11 connections in production.", sizes, 1),
        (pool, "The pool holds 26 connections in production.", 1),
        (&*format!("\r\n{pool}\r\n"), sizes, 0),
    ] {
        let mut other = store(a, b);
        other.answers = answers.clone();
        assert_eq!(other.only("contradiction").len(), expected, "{a} {b}");
    }
    let mut fields = Store::new(vec![
        memory("pool").front("reviewed: yes", pool),
        memory("sizes").front("", sizes),
    ]);
    fields.answers = answers;
    assert_eq!(fields.only("contradiction"), []);
}

#[test]
fn one_that_was_put_aside_and_is_back_is_asked_about_again() {
    let store = |a: &str, b: &str| {
        Store::new(vec![
            memory(a).front("", "The pool holds 10 connections in production."),
            memory(b).front("", "The pool holds 25 connections in production."),
        ])
    };
    for (answer, expected) in [
        (Resolution::KeepA, 1),
        (Resolution::KeepB, 1),
        (Resolution::Merge, 1),
        (Resolution::AskAgain, 1),
        (Resolution::Both, 0),
        (Resolution::NotAConflict, 0),
    ] {
        let mut known = store("pool", "sizes");
        known.answers = answered(&known, "contradiction", answer);
        assert_eq!(known.only("contradiction").len(), expected, "{answer:?}");
        let mut renamed = store("pools", "sizes");
        renamed.answers = known.answers;
        assert_eq!(renamed.only("contradiction").len(), expected, "{answer:?}");
    }
}

#[test]
fn the_first_that_is_held_is_told_in_full_however_few_are_held() {
    let mut store = Store::new(vec![
        memory("pool").front("", "The pool holds 10 connections in production."),
        memory("sizes").front("", "The pool holds 25 connections in production."),
        memory("limit").front("", "Uploads end at 20 MB.\n\nBackups are kept for 30 days."),
        memory("ends").front("", "Uploads end at 50 MB.\n\nBackups are kept for 90 days."),
    ]);
    store.answers = answered(&store, "contradiction", Resolution::NotAConflict);
    let rule = Selection::of(&["contradiction"]).unwrap();
    let all = digest(&store.cx(), &rule, usize::MAX);
    let first = digest(&store.cx(), &rule, 1);
    assert_eq!(
        (all.findings.len(), first.left_out["contradiction"]),
        (2, 1)
    );
    assert_eq!(first.findings, all.findings[..1]);
    assert_eq!(first.findings[0].shown(0), "Uploads end at ‹50› MB.");
    // What is old is told apart by what it says, held or not.
    store.baseline = Baseline::of(&store.cx(), &all.findings[1..], &Baseline::default());
    let old = digest(&store.cx(), &rule, 0);
    assert_eq!((old.left_out["contradiction"], old.unreported.old), (1, 1));
}

#[test]
fn an_answer_is_to_one_rule() {
    let body = "Amounts are whole cents everywhere; only the page divides them by a hundred.";
    let twin = "Amounts are whole cents everywhere, only the page divides them by a hundred.";
    let mut store = Store::new(vec![
        memory("cents").front("", body),
        memory("money").front("", twin),
    ]);
    assert_eq!(store.only("near-duplicate").len(), 1);
    store.answers = answered(&store, "contradiction", Resolution::Both);
    assert_eq!(store.only("near-duplicate").len(), 1);
    store.answers = answered(&store, "near-duplicate", Resolution::Both);
    assert_eq!(store.only("near-duplicate"), []);
}

#[test]
fn an_answer_about_one_twin_leaves_the_others() {
    let body = "Amounts are whole cents everywhere; only the page divides them by a hundred.";
    let mut store = Store::new(vec![
        memory("a").front("", body),
        memory("b").front("", body),
        memory("c").front("", body),
    ]);
    store.answers = answered(&store, "near-duplicate", Resolution::NotAConflict);
    let found = store.only("near-duplicate");
    let about: Vec<_> = found
        .iter()
        .map(|one| (one.memory, &*one.related))
        .collect();
    assert_eq!(about, [(2, &[0, 1][..])]);
}

#[test]
fn what_replaces_what_is_asked_again_when_a_field_says_otherwise() {
    let store = |more: &str| {
        Store::new(vec![
            memory("new").front(more, "Uploads end at 50 MB."),
            memory("old").front("", "Uploads end at 20 MB."),
        ])
    };
    let mut first = store("supersedes: old");
    assert_eq!(first.only("superseded-active").len(), 1);
    first.answers = answered(&first, "superseded-active", Resolution::Both);
    assert_eq!(first.only("superseded-active"), []);
    let mut other = store("supersedes: [old]\nstatus: final");
    other.answers = first.answers.clone();
    assert_eq!(other.only("superseded-active").len(), 1);
}
