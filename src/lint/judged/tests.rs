use super::finding::{LONGEST_EVIDENCE, lines_around};
use super::*;
use crate::curate::Resolution;
use crate::lint::Selection;
use crate::lint::answers::{Answer, Answers};
use crate::lint::tests::{NOW, Store, memory};
use crate::lint::{Finding, run};
use crate::memory::Severity;

#[test]
fn quotes_are_found_blanks_aside() {
    for (text, quoted, found) in [
        (
            "The pool\n  holds 10.",
            "pool holds 10",
            Some("pool\n  holds 10"),
        ),
        ("a\u{200b}b ü", "ab ü", Some("a\u{200b}b ü")),
        ("The pool holds 10.", "the pool", None),
        ("The pool holds 10.", " ", None),
        ("The pool holds 10.", "…", None),
        ("", "x", None),
    ] {
        let range = find_quote(text, quoted);
        assert_eq!(range.map(|range| &text[range]), found, "{quoted}");
    }
}

#[test]
fn the_line_of_a_quote_is_shown_where_it_is_short() {
    let long = "x".repeat(LONGEST_EVIDENCE);
    for (body, quoted, shown) in [
        (
            "one\n  - two three \nfour",
            "three",
            "- two three".to_owned(),
        ),
        ("one", "one", "one".to_owned()),
        (&format!("{long} two"), "two", "two".to_owned()),
        (&format!("{long}y"), &format!("{long}y"), long.clone()),
    ] {
        let at = find_quote(body, quoted).unwrap();
        assert_eq!(body[lines_around(body, &at)], shown);
    }
}

/// Two memories that rules find nothing in.
fn store() -> Store {
    Store::new(vec![
        memory("a").front("", "Every dump is kept for a month."),
        memory("b").front("", "We throw old dumps away each Sunday."),
    ])
}

fn line(store: &Store, verdict: &str, more: &str) -> String {
    let cx = store.cx();
    let print = |index: usize| {
        let memory = &cx.memories[index];
        text_print(memory, &cx.texts.text(memory).unwrap())
    };
    let (a, b) = (print(0), print(1));
    format!(
        "{{\"verdict\":\"{verdict}\",\"ids\":[\"rawko:a\",\"rawko:b\"],\
         \"texts\":[\"{a}\",\"{b}\"],\"quotes\":[\"kept for a month\",\
         \"throw old dumps away\"],\"why\":\"a month or a week\",\"by\":\"model:m\"{more}}}\n"
    )
}

fn found(store: &mut Store, lines: &str) -> Vec<Finding> {
    store.answers = Answers::parse(lines);
    let rules = ["contradiction", "near-duplicate", "contained"];
    let rules = Selection::of(&rules).unwrap();
    run(&store.cx(), &rules)
}

#[test]
fn a_verdict_makes_a_finding_with_both_quotes_marked() {
    let mut store = store();
    let line = line(
        &store,
        "contradiction",
        ",\"keep\":\"a\",\"confidence\":0.8",
    );
    let found = found(&mut store, &line);
    let [finding] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(
        finding.message,
        "Contradicts `rawko:a`, judged by m: a month or a week (keep `rawko:a`)"
    );
    assert_eq!(finding.shown(0), "We ‹throw old dumps away› each Sunday.");
    assert_eq!(finding.shown(1), "Every dump is ‹kept for a month›.");
    assert_eq!(
        (finding.rule, finding.severity),
        ("contradiction", Severity::Warning)
    );
    assert!(finding.asks() && finding.there.is_some() && finding.column > 1);
}

#[test]
fn the_rule_severity_and_fix_follow_from_the_verdict() {
    for (verdict, more, expected) in [
        (
            "contradiction",
            ",\"confidence\":0.2",
            Some(("contradiction", Severity::Info, false)),
        ),
        (
            "contradiction",
            ",\"confidence\":7",
            Some(("contradiction", Severity::Warning, false)),
        ),
        (
            "duplicate",
            "",
            Some(("near-duplicate", Severity::Warning, true)),
        ),
        ("compatible", "", None),
    ] {
        let mut store = store();
        let line = line(&store, verdict, more);
        let found = found(&mut store, &line);
        let told = found
            .first()
            .map(|one| (one.rule, one.severity, one.fix.is_some()));
        assert_eq!(told, expected, "{verdict}{more}");
    }
}

/// A changed text, a quote that does not stand, and a person's answer each end a verdict.
#[test]
fn a_verdict_holds_until_a_text_changes_or_a_person_answers() {
    let mut store = store();
    let line = line(&store, "contradiction", "");
    assert_eq!(found(&mut store, &line).len(), 1);
    let moved = line.replace("kept for a month", "kept for a year");
    assert_eq!(found(&mut store, &moved), []);
    let compatible = line.replace("\"contradiction\"", "\"compatible\"");
    assert_eq!(found(&mut store, &(line.clone() + &compatible)), []);
    let cx = store.cx();
    let print = |index: usize| {
        let memory = &cx.memories[index];
        let text = cx.texts.text(memory).unwrap();
        (memory.id.clone(), text_print(memory, &text))
    };
    let (a, b) = (print(0), print(1));
    let answer = Answer::new("contradiction", (&a.0, a.1), (&b.0, b.1), Resolution::Both);
    let answer = answer.said(NOW, Some("Ada".into())).to_line();
    assert_eq!(found(&mut store, &(answer + &line)), []);
    let mut other = Store::new(vec![
        memory("a").front("", "Every dump is kept for a month or two."),
        memory("b").front("", "We throw old dumps away each Sunday."),
    ]);
    assert_eq!(found(&mut other, &line), []);
    let mut renamed = Store::new(vec![
        memory("b").front("", "We throw old dumps away each Sunday."),
        memory("c").front("", "Every dump is kept for a month."),
    ]);
    assert_eq!(found(&mut renamed, &line).len(), 1);
}

#[test]
fn a_verdict_lifts_and_drops_what_rules_find() {
    let mut store = Store::new(vec![
        memory("a").front("", "The pool holds 10 connections in production."),
        memory("b").front("", "The pool holds 25 connections in production."),
    ]);
    let by_rules = found(&mut store, "");
    let contradicts = |one: &Finding| one.rule == "contradiction";
    assert!(by_rules.iter().any(contradicts));
    let line = line(&store, "contradiction", "")
        .replace("kept for a month", "10 connections")
        .replace("throw old dumps away", "25 connections");
    let judged = found(&mut store, &line);
    assert_eq!(judged.len(), 1);
    assert!(judged[0].message.contains("judged by m"));
    let compatible = line.replace("\"contradiction\"", "\"compatible\"");
    assert_eq!(found(&mut store, &compatible), []);
}
