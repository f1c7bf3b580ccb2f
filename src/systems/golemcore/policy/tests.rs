use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::memory::{MemoryId, Stamp, State, Timestamp, rows, tokens_of};
use crate::retrieval::{Limits, Options, Task};
use crate::systems::codec::{Codec as _, EntryFile};
use crate::systems::golemcore::codec::GolemcoreCodec;

const NOW: Timestamp = Timestamp(1_793_536_496_789);

/// Bodies by id.
struct Bodies(BTreeMap<Box<str>, String>);

impl Texts for Bodies {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.0.get(&memory.id.local).cloned()
    }
}

/// A row: its file below the store, and its line.
type Row = (&'static str, String);

const FACTS: &str = "items/semantic.jsonl";

fn fact(line: &str) -> Row {
    (FACTS, line.to_owned())
}

/// A fact of these properties and a content of one letter.
fn row(properties: &str) -> Row {
    fact(&format!(r#"{{{properties},"content":"x"}}"#))
}

/// The memory of a row, the only one of its file.
fn memory(number: usize, (file, line): &Row) -> Memory {
    let file = EntryFile {
        store: &"golemcore".into(),
        path: Path::new("/p/memory").join(file).as_path().into(),
        state: State::Active,
        stamp: Stamp::default(),
        is_alone: false,
        options: &Options::NONE,
    };
    Memory {
        id: MemoryId::new(file.store, format!("m{number}")),
        document: u32::try_from(number).unwrap(),
        ..GolemcoreCodec
            .memories(line.as_bytes(), &file)
            .pop()
            .unwrap()
    }
}

fn store(rows: &[Row]) -> (Snapshot, Bodies) {
    let memories = rows.iter().enumerate().map(|(n, row)| memory(n, row));
    let memories: Vec<Arc<Memory>> = memories.map(Arc::new).collect();
    let body = |(memory, (_, line)): (&Arc<Memory>, &Row)| {
        let text = GolemcoreCodec.text(line.as_bytes());
        (memory.id.local.clone(), String::from_utf8(text).unwrap())
    };
    let bodies = memories.iter().zip(rows).map(body).collect();
    (Arc::new(memories), Bodies(bodies))
}

fn task(text: &str) -> Task {
    Task {
        text: text.to_owned(),
        now: NOW,
        ..Task::default()
    }
}

fn limits(options: &[(&str, &str)]) -> Limits {
    let mut all = Options::default();
    for (name, value) in options {
        all.set(*name, *value);
    }
    Limits {
        rejected: usize::MAX,
        options: all,
        ..Limits::default()
    }
}

fn preview(rows: &[Row], text: &str, options: &[(&str, &str)]) -> Arc<Preview> {
    let (memories, bodies) = store(rows);
    let scorer = POLICY.scorer(memories);
    scorer.preview(&task(text), &limits(options), None, &bodies)
}

fn selected(preview: &Preview) -> Vec<usize> {
    preview.selected.iter().map(|one| one.memory).collect()
}

fn hint_of(found: &Preview, row: usize) -> String {
    let verdict = found.rejected.iter().find(|one| one.memory == row);
    verdict.and_then(|one| one.hint.clone()).unwrap_or_default()
}

#[test]
fn every_factor_of_a_score_is_shown() {
    let rows = [
        fact(
            r#"{"layer":"SEMANTIC","type":"CONSTRAINT","title":"Use Maven","tags":["Java"],"salience":0.5,"confidence":1.5,"updatedAt":"2026-10-29T12:34:56Z","content":"always the wrapper"}"#,
        ),
        fact(r#"{"content":"x"}"#),
    ];
    let found = preview(&rows, "use maven now", &[("skill", "java")]);
    let verdict = &found.selected[0];
    let factors = verdict.factors.iter().map(|one| (one.name, one.points));
    // Two words of three, three days of thirty, and the rest as it stands.
    let expected = [
        ("relevance", 2.0 / 3.0 * 0.40),
        ("recency", (1.0 - 3.0 / 30.0) * 0.20),
        ("salience", 0.10),
        ("confidence", 0.20),
        ("type", 0.12),
        ("skill", 0.10),
        ("skill-tag", 0.06),
    ];
    assert_eq!(factors.collect::<Vec<_>>(), expected);
    let sum = expected[..6]
        .iter()
        .fold(0.0, |sum, (_, points)| sum + points);
    assert_eq!(verdict.score, Some(sum));
    assert_eq!(verdict.tokens, 20);
    assert_eq!(verdict.factors[0].detail, "2 of 3 words of the task");
}

#[test]
fn what_was_used_and_what_was_dropped_is_said_in_a_line() {
    let fresh = r#""layer":"SEMANTIC","updatedAt":"2026-11-01T00:00:00Z""#;
    let named = |name: &str| row(&format!(r#"{fresh},"fingerprint":"{name}""#));
    let mut rows = ["a", "b", "b", "c", "d", "e", "f", "g"].map(named).to_vec();
    rows.push(row(r#""scope":"task:t""#));
    let found = preview(&rows, "", &[("disclosure.promptStyle", "compact")]);
    let said = "5 of 8 candidates used, reckoned at 100 of 1800 tokens; 2 beyond the places of their \
        layer; 1 said by another one already; 1 expired, of another scope or not readable";
    assert_eq!((found.notes.len(), &*found.notes[0].text), (1, said));
    let hints = found.selected.iter().map(|one| one.hint.is_some());
    assert_eq!(
        hints.collect::<Vec<bool>>(),
        [false, false, true, true, true]
    );
    let found = preview(&rows[..1], "", &[("enabled", "false")]);
    assert!(found.notes[0].text.starts_with("memories are switched off"));
}

#[test]
fn each_that_is_out_says_why() {
    let fresh = r#""updatedAt":"2026-11-01T00:00:00Z""#;
    let named = |name: &str| row(&format!(r#"{fresh},"fingerprint":"{name}""#));
    let at = |file| (file, format!(r#"{{{fresh},"content":"x"}}"#));
    let rows = [
        named("a"),
        named("a"),
        row(&format!(r#"{fresh},"scope":"task:t""#)),
        row(r#""updatedAt":"2026-09-01T00:00:00Z""#),
        row(r#""ttlDays":0,"createdAt":"2026-10-31T00:00:00Z""#),
        at("items/episodic/2026-10-11.jsonl"),
        at("items/episodic/2026-11-02.jsonl"),
        at("items/other.jsonl"),
        row(r#""layer":"fact""#),
        at("items/episodic/2026-10-12.jsonl"),
        named("c"),
        named("d"),
    ];
    let found = preview(&rows, "", &[("episodicTopK", "4")]);
    for (n, reason, hint) in rows! {
        0 => Reason::Selected => "",
        1 => Reason::Duplicate => "golemcore:m0 has the same fingerprint",
        2 => Reason::NoMatch => "--scope task:t",
        3 => Reason::Expired => "not updated since 2026-09-01, and decayDays is 30",
        4 => Reason::Expired => "its ttlDays were over on 2026-10-31",
        5 => Reason::Invisible => "its day is 21 days back, and retrievalLookbackDays is 21",
        6 => Reason::Invisible => "still to come", 7 => Reason::Invisible => "",
        8 => Reason::Invisible => "", 9 => Reason::Selected => "", 10 => Reason::Selected => "",
        11 => Reason::OverLimit => "a larger episodicTopK gives it a place of EPISODIC: 5, now 4",
    } {
        let all = found.selected.iter().chain(&found.rejected);
        let one = all.clone().find(|one| one.memory == n).unwrap();
        assert_eq!(one.reason, reason, "{n}: {:?}", one.hint);
        let says = one.hint.clone().unwrap_or_default();
        assert!(says.contains(hint), "{n}: {says}");
    }
    assert_eq!(found.rejected_total, 9);
    assert_eq!(found.selected.len() + found.rejected.len(), 12);
    let scores: Vec<Option<f64>> = found.rejected.iter().map(|one| one.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn the_pack_goes_beyond_the_soft_budget_for_what_scores_high() {
    let long = "word ".repeat(40);
    let row = |share: &str, body: &str| {
        fact(&format!(
            r#"{{"title":"deploy","confidence":{share},"salience":{share},"type":"FIX","updatedAt":"2026-11-01T00:00:00Z","content":"{body}"}}"#
        ))
    };
    let rows = [
        row("1.0", &long),
        row("0.95", &long),
        row("0.1", "deploy"),
        row("0.0", &long),
    ];
    let options = [
        ("softPromptBudgetTokens", "80"),
        ("maxPromptBudgetTokens", "130"),
        ("episodicTopK", "9"),
    ];
    let found = preview(&rows, "deploy", &options);
    assert_eq!(selected(&found), [0, 1]);
    let out = found.rejected.iter().map(|one| (one.memory, one.reason));
    let over = [(2, Reason::OverBudget), (3, Reason::OverBudget)];
    assert_eq!(out.collect::<Vec<_>>(), over);
    let hint = "58 tokens too many for its 20: 118 of 80 are taken when its turn comes";
    assert_eq!(hint_of(&found, 2), hint);
}

#[test]
fn the_prompt_is_rendered_in_every_mode() {
    let long = format!(" {}😀 end", "x".repeat(85));
    let rows = [
        fact(
            r#"{"layer":"SEMANTIC","type":"DECISION","title":" A ","updatedAt":"2026-11-01T00:00:00Z","content":"one\r\ntwo "}"#,
        ),
        fact(&format!(
            r#"{{"layer":"PROCEDURAL","type":null,"title":"","updatedAt":"2026-11-01T00:00:00Z","content":"{long}"}}"#
        )),
    ];
    let given = |options: &[(&str, &str)]| preview(&rows, "", options).prompt.clone();
    let shown = |mode: &str, style: &str| given(&[("mode", mode), ("style", style)]);
    let hints = "## Follow-up Hints\n- Use memory_expand_section for deeper layer context and memory_read for full item details.";
    let index =
        "## Memory Index\n- Relevant facts available: 1\n- Applicable procedures available: 1";
    assert_eq!(shown("index", "compact"), format!("{index}\n\n{hints}"));
    let cut = format!("[ITEM] {}😀...", "x".repeat(85));
    let facts = "## Relevant Facts\n- [DECISION] A: one  two";
    let summary = format!("{facts}\n\n## Applicable Procedures\n- {cut}\n\n{hints}");
    assert_eq!(shown("summary", "compact"), summary);
    let whole = format!("[ITEM] {}", long.trim());
    let facts = "## Semantic Memory\n- [DECISION] A: one  two";
    let full = format!("{facts}\n\n\n## Procedural Memory\n- {whole}");
    assert_eq!(shown("full_pack", "rich"), full);
    let least = ("disclosure.detailMinScore", "0.4");
    let detail = given(&[("mode", "selective_detail"), least]);
    let snippets = "## Detail Snippets\n- [DECISION] A: one  two\n";
    assert!(detail.contains(snippets), "{detail}");
    assert_eq!(preview(&[], "x", &[]).prompt, "");
    let budgets = ["softPromptBudgetTokens", "maxPromptBudgetTokens"];
    assert_eq!(given(&budgets.map(|name| (name, "1"))), hints);
    assert_eq!(given(&[("enabled", "false")]), "");
}

#[test]
fn flags_are_checked() {
    for (name, value, good) in rows! {
        "mode" => "full_pack" => true, "mode" => "full" => false, "style" => "rich" => true,
        "scope" => "task:a,session:web:b" => true, "scope" => "team:a" => false,
        "decayDays" => "x" => false, "preset" => "coding_deep" => true,
        "preset" => "coding" => false,
    } {
        assert_eq!(check(name, value).is_ok(), good, "{name}={value}");
    }
}

/// Budget use is counted as the system counts it, and reported beside the tokens.
#[test]
fn the_tokens_of_a_preview_are_those_of_its_text() {
    let rows = [row(r#""layer":"SEMANTIC""#)];
    let found = preview(&rows, "", &[]);
    let tokens = tokens_of(found.prompt.len());
    assert_eq!((found.tokens(), found.budget), (tokens, Some(1800)));
    assert!(found.notes[0].text.contains("reckoned at 20 of 1800"));
    let few = Limits {
        budget: Some(5),
        ..limits(&[])
    };
    let (memories, bodies) = store(&rows);
    let scorer = POLICY.scorer(memories);
    let found = scorer.preview(&task(""), &few, None, &bodies);
    assert!(found.notes[0].text.contains("reckoned at 0 of 5"));
    assert!(!found.prompt.is_empty());
}

/// A nearer scope takes its places first: no score brings in what lies further off.
#[test]
fn what_lacks_a_place_is_told_what_would_give_it_one() {
    let of = |scope: &str, salience: &str| {
        row(&format!(
            r#""layer":"SEMANTIC","scope":"{scope}","salience":{salience}"#
        ))
    };
    let rows = [
        of("session:web:d", "0.1"),
        of("global", "1.0"),
        of("global", "0.2"),
    ];
    let asked = |places: &str| {
        let options = [("scope", "session:web:d"), ("semanticTopK", places)];
        preview(&rows, "", &options)
    };
    let found = asked("1");
    let hint = "a larger semanticTopK gives it a place of SEMANTIC: 2, now 1";
    assert_eq!(hint_of(&found, 1), hint);
    assert!(hint_of(&found, 2).ends_with(": 3, now 1"));
    assert!(selected(&asked("2")).contains(&1));
    assert!(hint_of(&asked("2"), 2).ends_with(": 3, now 2"));
    assert!(selected(&asked("3")).contains(&2));
}

/// Previews in the system's own dialect and in that of the specification (sections 8.2 and 9).
fn both(rows: &[Row], files: &[&str], options: &[(&str, &str)]) -> [Arc<Preview>; 2] {
    let (memories, bodies) = store(rows);
    let scorer = POLICY.scorer(memories);
    let task = Task {
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        ..task("deploy")
    };
    ["", "spec"].map(|dialect| {
        let limits = Limits {
            dialect,
            ..limits(options)
        };
        scorer.preview(&task, &limits, None, &bodies)
    })
}

#[test]
fn each_layer_has_its_share_of_the_soft_budget() {
    let row = |layer: &str, title: &str, body: &str| {
        fact(&format!(
            r#"{{"layer":"{layer}","title":"{title}","updatedAt":"2026-11-01T00:00:00Z","content":"{body}"}}"#
        ))
    };
    let long = "word ".repeat(30);
    let rows = [
        row("PROCEDURAL", "deploy", &long),
        row("PROCEDURAL", "deploy", &long),
        row("SEMANTIC", "other", "short"),
    ];
    // 46, 46 and 20 tokens; two shares of 50.
    let options = [
        ("softPromptBudgetTokens", "100"),
        ("maxPromptBudgetTokens", "100"),
        ("workingTopK", "0"),
        ("episodicTopK", "0"),
        ("semanticTopK", "4"),
        ("proceduralTopK", "4"),
    ];
    let [own, spec] = both(&rows, &[], &options);
    assert_eq!((selected(&own), own.dialect), (vec![0, 1], ""));
    assert_eq!((selected(&spec), spec.dialect), (vec![0, 2], "spec"));
    assert_eq!(spec.rejected[0].reason, Reason::OverBudget);
    // The shares are soft: what one layer does not need, another one has.
    let [_, alone] = both(&rows[..2], &[], &options);
    assert_eq!(selected(&alone), [0, 1]);
}

#[test]
fn a_memory_about_a_file_of_the_task_earns_points() {
    let rows = [
        r#"{"references":["src/Pay.java#refund"],"content":"a"}"#,
        r#"{"tags":["Java"],"content":"b"}"#,
        r#"{"references":["lib/Pay.java","y.java"],"content":"c"}"#,
        r#"{"content":"d"}"#,
    ]
    .map(fact);
    let [own, found] = both(&rows, &["app/src/Pay.java"], &[]);
    let points = |preview: &Preview| {
        let points = |one: &Verdict| {
            let file = one.factors.iter().find(|factor| factor.name == "file");
            Some((one.memory, file?.points))
        };
        let mut all: Vec<(usize, f64)> = preview.selected.iter().filter_map(points).collect();
        all.sort_by_key(|(at, _)| *at);
        all
    };
    assert_eq!(points(&found), [(0, 0.10), (1, 0.10), (2, 0.0), (3, 0.0)]);
    assert_eq!(points(&own), []);
    let first = &found.selected[0];
    let detail = &first.factors.last().unwrap().detail;
    assert_eq!(detail, "about app/src/pay.java");
    let sum: f64 = first.factors.iter().map(|one| one.points).sum();
    assert!((sum - first.score.unwrap()).abs() < 1e-9);
}

#[test]
fn duplicates_take_no_places() {
    let row = |print: &str| row(&format!(r#""layer":"SEMANTIC","fingerprint":"{print}""#));
    let [own, spec] = both(&["f1", "f1", "f2"].map(row), &[], &[("semanticTopK", "2")]);
    assert_eq!(selected(&own), [0]);
    assert_eq!(selected(&spec), [0, 2]);
    assert_eq!(spec.rejected[0].reason, Reason::Duplicate);
}

/// A text of words and gaps, as a part of JSON.
fn any_text(most: usize) -> impl Strategy<Value = String> {
    let words = "oauth login use db É 日本語 𝐀𐐀x src/a.java #12 straße ΑΣ null ab x-y";
    let words: Vec<&str> = words.split(' ').collect();
    let word = proptest::sample::select(words);
    let gap = proptest::sample::select(&[" ", "  ", ", ", "/", "\\n", "\u{a0}", "."][..]);
    let part = (word, gap).prop_map(|(word, gap)| format!("{word}{gap}"));
    proptest::collection::vec(part, 0..=most).prop_map(|parts| parts.concat())
}

/// A row with some of the properties.
fn any_row() -> impl Strategy<Value = Row> {
    let file = proptest::sample::select(
        &[
            FACTS,
            "items/procedural.jsonl",
            "items/episodic/2026-11-01.jsonl",
            "items/episodic/2026-10-12.jsonl",
            "scopes/session/web/c/items/semantic.jsonl",
        ][..],
    );
    let pick = |name: &'static str, values: &'static str| {
        let values: Vec<&str> = values.split(' ').collect();
        let value = proptest::sample::select(values);
        value.prop_map(move |value| format!(r#""{name}":"{value}""#))
    };
    let days = "2026-11-01T12:00:00Z 2026-11-01T12:34:56.789Z 2026-10-02T12:34:56.789Z \
        2026-10-20T00:00:00.5Z 2026-11-03T00:00:00Z";
    let tag = proptest::sample::select(&["java", " Java ", "ΑΣ", "oauth"][..]);
    let tags = proptest::collection::vec(tag, 0..3);
    let properties = (
        pick("layer", "EPISODIC SEMANTIC PROCEDURAL WORKING fact"),
        pick("type", "FIX DECISION TASK_STATE"),
        any_text(4).prop_map(|title| format!(r#""title":"{title}""#)),
        tags.prop_map(|tags| format!(r#""tags":{tags:?}"#)),
        (0..=12_i32).prop_map(|n| format!(r#""salience":{}"#, f64::from(n) / 10.0)),
        pick("updatedAt", days),
        pick("fingerprint", "a b  c"),
        pick("scope", "global task:t session:web:c"),
    );
    (file, properties, any::<u16>(), any_text(8)).prop_map(|(file, all, some, body)| {
        let (a, b, c, d, e, f, g, h) = all;
        let all = [a, b, c, d, e, f, g, h].into_iter().enumerate();
        let kept = all.filter(|(n, _)| some >> n & 3 != 0);
        let kept: String = kept.map(|(_, own)| own + ",").collect();
        (file, format!(r#"{{{kept}"content":"{body}"}}"#))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn earlier_answers_change_nothing(
        rows in proptest::collection::vec(any_row(), 0..30), other in any_row(),
        asked in any_text(4), skill in proptest::sample::select(&["", "java", "ας", "java "][..]),
        scope in proptest::sample::select(&["global", "task:t,session:web:c"][..]),
        places in 0..6_usize, budget in 0..200_usize, rejected in 0..40_usize, which in any::<prop::sample::Index>(),
        rerank in any::<bool>(),
    ) {
        let (memories, bodies) = store(&rows);
        let rerank = rerank.to_string();
        let mut limits = limits(&[("skill", skill), ("scope", scope), ("reranking.enabled", &rerank)]);
        (limits.max, limits.budget, limits.rejected) = (Some(places), Some(budget), rejected);
        let task = task(&asked);
        let plain = POLICY.scorer(memories.clone());
        let before = plain.preview(&task, &limits, None, &bodies);
        prop_assert_eq!(before.rejected.len(), before.rejected_total.min(rejected));
        let all: Vec<usize> = (0..memories.len()).collect();
        let verdicts = plain.verdicts(&task, &limits, &all, &bodies);
        prop_assert_eq!(&verdicts, &POLICY.scorer(memories.clone()).verdicts(&task, &limits, &all, &bodies));
        prop_assert!(verdicts.iter().all(|one| one.rank.is_some() || one.hint.is_some()));
        if memories.is_empty() { return Ok(()) }
        // With another version of one memory it is the preview of a store that has that version.
        let at = which.index(memories.len());
        let edited = Memory { fields: memory(at, &other).fields, ..(*memories[at]).clone() };
        let mut replaced = (*memories).clone();
        replaced[at] = Arc::new(edited.clone());
        let really = POLICY.scorer(Arc::new(replaced)).preview(&task, &limits, None, &bodies);
        prop_assert_eq!(&really, &plain.preview(&task, &limits, Some((at, &edited)), &bodies));
    }
}
