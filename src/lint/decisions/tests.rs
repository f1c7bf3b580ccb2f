use proptest::prelude::*;

use super::line::without_numbers;
use super::*;
use crate::curate::{Change, DecisionKey};
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
    let line = answer.to_line();
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
    let says = "not read, being no JSON: .memkeep/decisions.jsonl, line 3";
    assert_eq!(unread(garbage).as_deref(), Some(says));
    let merged = format!("<<<<<<< HEAD\n{both}=======\n{{\"ids\":[");
    let says = "not read, being no JSON: .memkeep/decisions.jsonl, line 1, 3, 4";
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
    assert!(
        Decisions::parse(&line("ask-again", ""))
            .answers()
            .is_empty()
    );
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

fn left(id: &str, print: &str) -> Decision {
    Decision {
        print: print.to_owned(),
        ..Decision::new("r", LEAVE, [(id.to_owned(), String::new())])
    }
}

proptest! {
    #[test]
    fn what_is_taken_out_is_out(count in 1_usize..6, gone in 0_usize..6) {
        let all = (0..count).map(|n| left("i", &n.to_string()).to_line());
        let text = format!("{{\"later\":1}}\n{}no json", all.collect::<String>());
        let key = DecisionKey::new("r", vec!["i".to_owned()], gone.to_string());
        let after = rewritten(&text, &[key], Vec::new());
        let left = |text: &str| Decisions::parse(text).left().count();
        prop_assert_eq!(left(&after), left(&text) - usize::from(gone < count));
        let is_kept = after.starts_with("{\"later\":1}\n") && after.contains("no json\n");
        prop_assert!(is_kept, "{}", after);
    }
}

#[test]
fn a_finding_that_is_left_again_is_one_line_with_its_first_reason() {
    let mut first = left("i", "p");
    first.reason = Some("a shared machine".into());
    let text = rewritten(&first.to_line(), &[], vec![left("i", "p")]);
    let line = "{\"rule\":\"r\",\"ids\":[\"i\"],\"texts\":[\"\"],\"answer\":\"leave\",\
                \"print\":\"p\",\"reason\":\"a shared machine\"}\n";
    assert_eq!(text, line);
    let text = rewritten("{\"rule\":\"r\"", &[], vec![left("i", "p")]);
    assert!(text.starts_with("{\"rule\":\"r\"\n{\"rule\":\"r\",\"ids\""));
}

const PERSONAL: &str = "The build writes to /home/ada/out and `/home/eve/in`.";

#[test]
fn the_fixes_of_entries_that_no_longer_occur_empty_the_baseline() {
    let mut before = Store::of(&[("a", PERSONAL)]);
    before.leave(&before.run());
    assert!(before.run().is_empty());
    let mut later = Store::of(&[("a", "Nothing is left of it.")]);
    later.decisions = before.decisions;
    let lines: String = later.decisions.left().map(Decision::to_line).collect();
    let mut text = lines;
    for finding in later.run() {
        let Some(Change::Unlist(_, gone)) = finding.fix.map(|fix| fix.change) else {
            panic!("{}", finding.message);
        };
        text = rewritten(&text, &gone, Vec::new());
    }
    later.decisions = Decisions::parse(&text);
    assert!(text.is_empty() && later.run().is_empty());
}

#[test]
fn a_decision_may_be_on_all_findings_of_a_rule_and_end() {
    let mut store = Store::of(&[("a", PERSONAL)]);
    let found = |store: &Store| {
        store
            .run()
            .iter()
            .filter(|one| one.rule == "personal-path")
            .count()
    };
    assert!(found(&store) > 0);
    let line = |until: &str| {
        let line = "{\"rule\":\"personal-path\",\"ids\":[\"rawko:a\"],\"answer\":\"leave\"";
        format!("{line}{until}}}")
    };
    store.decisions = Decisions::parse(&line(""));
    assert_eq!(found(&store), 0);
    store.decisions = Decisions::parse(&line(",\"until\":\"2026-02-02\""));
    assert_eq!(found(&store), 0);
    store.decisions = Decisions::parse(&line(",\"until\":\"2026-02-01\""));
    assert!(found(&store) > 0);
}

#[test]
fn a_confirmation_holds_until_the_text_changes_and_the_last_one_counts() {
    let store = Store::of(&[("a", "a text"), ("b", "b text")]);
    let [a, b] = [0, 1].map(|n| &store.memories[n]);
    let text = |memory: &Memory| store.cx().texts.text(memory);
    let line = |at| {
        let one = Decision::confirmed(a, &text(a).unwrap());
        one.signed(Timestamp(at), None).to_line()
    };
    assert!(line(0).starts_with(r#"{"ids":["rawko:a"],"texts":[""#));
    let rest = r#"],"answer":"confirmed","at":"1970-01-01T00:00:00Z"}"#;
    assert!(line(0).trim_end().ends_with(rest), "{}", line(0));
    let other =
        r#"{"rule":"contradiction","ids":["rawko:a","rawko:b"],"texts":["1","2"],"answer":"both"}"#;
    let file = format!("{}{}{other}\nbroken\n{{}}\n", line(1_000), line(5_000));
    let all = Decisions::parse(&file);
    assert_eq!(all.confirmed(a, &text), Some(Timestamp(5_000)));
    assert_eq!(all.confirmed(a, &|_| text(b)), None);
    assert_eq!(all.confirmed(b, &text), None);
    assert_eq!(all.answers().len(), 1);
}
