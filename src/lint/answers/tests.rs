use super::*;
use crate::lint::baseline::Baseline;
use crate::lint::tests::{NOW, Store};
use crate::lint::{Selection, digest};

fn id(local: &str) -> MemoryId {
    MemoryId::new(&"rawko".into(), local)
}

#[test]
fn a_line_is_what_the_contract_of_the_file_says() {
    let (a, b) = (id("a"), id("b"));
    let keep = Resolution::KeepA;
    let answer = Answer::new("contradiction", (&b, "bb".into()), (&a, "aa".into()), keep);
    let answer = answer.within(Some("“staging”\n".into()));
    let answer = answer.signed(NOW, Some("Ada".into()));
    // The ids are in order, and A is the first of them: what was kept is b.
    let line = answer.to_line();
    assert_eq!(
        line,
        "{\"rule\":\"contradiction\",\"ids\":[\"rawko:a\",\"rawko:b\"],\"texts\":[\"aa\",\"bb\"],\
         \"answer\":\"keep-b\",\"scope\":\"“staging”\\n\",\"by\":\"Ada\",\
         \"at\":\"2026-02-01T00:00:00Z\"}\n"
    );
    let all = Answers::parse(&line);
    assert_eq!(all.get("contradiction", &b, &a), Some(&answer));
    assert_eq!(all.get("contained", &a, &b), None);
    let swapped = line.replace("\"rawko:a\",\"rawko:b\"", "\"rawko:b\",\"rawko:a\"");
    let all = Answers::parse(&swapped);
    let one = all.get("contradiction", &a, &b).unwrap();
    assert_eq!((one.answer, &one.texts[0]), (keep, &"bb".to_owned()));
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
        let all = Answers::parse(text);
        all.get("contained", &id("a"), &id("b"))
            .map(|one| one.answer)
    };
    let both = line("both", ",\"mood\":{\"x\":[1]}");
    assert_eq!(resolution(&both), Some(Resolution::Both));
    let garbage = "\n{\"version\":2}\nnot json\n\u{feff}[]\n";
    let unread = |text: &str| Answers::parse(text).unread();
    assert_eq!(unread("\n{\"version\":2}\n\u{feff}[]\n \n"), None);
    let says = "line 3 of .memkeep/verdicts.jsonl is no JSON and is not read";
    assert_eq!(unread(garbage).as_deref(), Some(says));
    let merged = format!("<<<<<<< HEAD\n{both}=======\n{{\"ids\":[");
    let says = "lines 1, 3, 4 of .memkeep/verdicts.jsonl are no JSON and are not read";
    assert_eq!(unread(&merged).as_deref(), Some(says));
    assert_eq!(
        resolution(&format!("{both}{garbage}")),
        Some(Resolution::Both)
    );
    let later = format!("{both}{garbage}{}", line("merge", ""));
    assert_eq!(resolution(&later), Some(Resolution::Merge));
    // One that a later version knows takes nothing back.
    assert_eq!(
        resolution(&format!("{later}{}", line("defer", ""))),
        Some(Resolution::Merge)
    );
    assert_eq!(
        resolution(&format!("{later}{}", line("ask-again", ""))),
        None
    );
    assert!(Answers::parse(&line("ask-again", "")).all().is_empty());
}

const POOL: (&str, &str) = ("pool", "The pool holds 10 connections in production.");
const SIZES: (&str, &str) = ("sizes", "The pool holds 25 connections in production.");
#[test]
fn the_first_that_is_held_is_complete_however_few_are_held() {
    let mut store = Store::of(&[
        POOL,
        SIZES,
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
    store.baseline = Baseline::of(&store.cx(), &all.findings[1..], &Baseline::default());
    let old = digest(&store.cx(), &rule, 0);
    assert_eq!((old.left_out["contradiction"], old.unreported.old), (1, 1));
}
