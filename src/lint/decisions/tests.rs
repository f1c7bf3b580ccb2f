use super::*;
use crate::lint::fingerprint::without_numbers;
use crate::lint::tests::{NOW, Store};
use crate::lint::{Selection, digest};

fn id(local: &str) -> MemoryId {
    MemoryId::new(&"rawko".into(), local)
}

#[test]
fn a_line_is_what_the_contract_of_the_file_says() {
    let (a, b) = (id("a"), id("b"));
    let keep = Resolution::KeepA;
    let answer = Decision::answer("contradiction", (&b, "bb".into()), (&a, "aa".into()), keep);
    let mut answer = answer.signed(NOW, Some("Ada".into()));
    answer.reason = Some("“staging”\n".into());
    // The ids are in order, and A is the first of them: what was kept is b.
    let line = to_line(&answer);
    assert_eq!(
        line,
        "{\"rule\":\"contradiction\",\"ids\":[\"rawko:a\",\"rawko:b\"],\"texts\":[\"aa\",\"bb\"],\
         \"answer\":\"keep-b\",\"reason\":\"“staging”\\n\",\"by\":\"Ada\",\
         \"at\":\"2026-02-01T00:00:00Z\"}\n"
    );
    let all = Decisions::parse(&line);
    assert_eq!(all.last("contradiction", &b, &a), Some(&answer));
    assert_eq!(all.last("contained", &a, &b), None);
    let swapped = line.replace("\"rawko:a\",\"rawko:b\"", "\"rawko:b\",\"rawko:a\"");
    let all = Decisions::parse(&swapped);
    let one = all.last("contradiction", &a, &b).unwrap();
    let keep = Some(keep);
    assert_eq!((one.resolution(), &one.texts[0]), (keep, &"bb".to_owned()));
}

#[test]
fn later_lines_win_and_unknown_ones_are_passed_over() {
    let line = |answer: &str, more: &str| {
        format!(
            "{{\"ids\":[\"rawko:a\",\"rawko:b\"],\"texts\":[\"1\",\"2\"],\"rule\":\"contained\",\
             \"answer\":\"{answer}\"{more}}}\n"
        )
    };
    let resolution = |text: &str| {
        let all = Decisions::parse(text);
        all.answers().first().and_then(|one| one.resolution())
    };
    let both = line("both", ",\"mood\":{\"x\":[1]}");
    assert_eq!(resolution(&both), Some(Resolution::Both));
    let garbage = "\n{\"version\":2}\nnot json\n\u{feff}[]\n";
    let unread = |text: &str| Decisions::parse(text).note();
    assert_eq!(unread("\n{\"version\":2}\n\u{feff}[]\n \n"), None);
    let merged = format!("<<<<<<< HEAD\n{both}=======\n{{\"ids\":[");
    let says = "not read, being no JSON: .memkeep/decisions.jsonl, line 1, 3, 4";
    assert_eq!(unread(&merged).as_deref(), Some(says));
    // One that a later version knows takes nothing back.
    use Resolution::{Both, Merge};
    for (later, expected) in [
        ("", Some(Both)),
        ("merge", Some(Merge)),
        ("defer", Some(Both)),
        ("ask-again", None),
    ] {
        let later = line(later, "").repeat(usize::from(!later.is_empty()));
        assert_eq!(resolution(&format!("{both}{garbage}{later}")), expected);
    }
}

#[test]
fn the_first_that_is_held_is_complete_however_few_are_held() {
    let mut store = Store::of(&[
        ("pool", "The pool holds 10 connections in production."),
        ("sizes", "The pool holds 25 connections in production."),
        (
            "limit",
            "Uploads end at 20 MB.\n\nBackups are kept for 30 days.",
        ),
        (
            "ends",
            "Uploads end at 50 MB.\n\nBackups are kept for 90 days.",
        ),
    ]);
    store.answer("contradiction", Resolution::NotAConflict);
    let rule = Selection::of(&["contradiction"]).unwrap();
    let all = digest(&store.cx(), &rule, usize::MAX);
    let first = digest(&store.cx(), &rule, 1);
    let left_out = first.left_out["contradiction"];
    assert_eq!((all.findings.len(), left_out), (2, 1));
    assert_eq!(first.findings, all.findings[..1]);
    assert_eq!(first.findings[0].shown(0), "Uploads end at ‹50› MB.");
    // The baseline tells findings apart by their statements, held or not.
    store.leave(&all.findings[1..]);
    let old = digest(&store.cx(), &rule, 0);
    assert_eq!((old.left_out["contradiction"], old.unreported.old), (1, 1));
}

#[test]
fn numbers_count_for_nothing_in_a_sentence() {
    let same = without_numbers("the body has 1,204 words; 200 to 500 are advised");
    assert_eq!(same, "the body has # words; # to # are advised");
    assert_eq!(without_numbers("v2, not 3 é"), "v#, not # é");
}

const PERSONAL: &str = "The build writes to /home/ada/out and `/home/eve/in`.";

#[test]
fn a_decision_may_be_on_all_findings_of_a_rule_and_end() {
    let mut store = Store::of(&[("a", PERSONAL)]);
    let line = "{\"rule\":\"personal-path\",\"ids\":[\"rawko:a\"],\"answer\":\"leave\"";
    for (until, found) in [("", 0), ("2026-02-02", 0), ("2026-02-01", 1)] {
        let until = format!(",\"until\":\"{until}\"").repeat(usize::from(!until.is_empty()));
        store.decisions = Decisions::parse(&format!("{line}{until}}}"));
        assert_eq!(store.only("personal-path").len(), found, "{until}");
    }
}
