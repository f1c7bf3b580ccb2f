use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::memory::rows;
use crate::memory::{Fields, MemoryId, Sight, Timestamp, Value, tokens_of};
use crate::retrieval::{Limits, Options, Task};
use crate::systems::golemcore::{GOLEMCORE, Place};

mod hints;
mod random;
mod spec;

const NOW: Timestamp = Timestamp(1_793_536_496_789);

/// Bodies by id.
struct Bodies(BTreeMap<Box<str>, String>);

impl Texts for Bodies {
    fn body(&self, memory: &Memory) -> Option<String> {
        self.0.get(&memory.id.local).cloned()
    }
}

/// A row: its file below the store, its fields, its content.
type Row<'a> = (&'a str, Vec<(&'a str, Value)>, &'a str);

fn store(rows: &[Row<'_>]) -> (Snapshot, Bodies) {
    let mut bodies = BTreeMap::new();
    let memory = |(n, (file, fields, body)): (usize, &Row<'_>)| {
        let id = MemoryId::new(&"golemcore".into(), format!("m{n}"));
        bodies.insert(id.local.clone(), (*body).to_owned());
        let path = PathBuf::from(format!("/p/memory/{file}"));
        let mut memory = Memory::new(id, path.into(), &GOLEMCORE);
        memory.document = u32::try_from(n).unwrap();
        if Place::of(&memory.path).is_none() {
            memory.sight = Sight::Invalid;
        }
        let named = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        memory.fields = named.collect::<Fields>();
        memory.title = super::facts::title(&memory).into();
        Arc::new(memory)
    };
    let memories = rows.iter().enumerate().map(memory).collect();
    (Arc::new(memories), Bodies(bodies))
}

fn task(text: &str) -> Task {
    Task {
        text: text.to_owned(),
        agent: String::new(),
        plan: None,
        history: None,
        files: Vec::new(),
        now: NOW,
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

fn preview(rows: &[Row<'_>], text: &str, options: &[(&str, &str)]) -> Arc<Preview> {
    let (memories, bodies) = store(rows);
    let scorer = POLICY.scorer(memories);
    scorer.preview(&task(text), &limits(options), None, &bodies)
}

fn text(value: &str) -> Value {
    Value::from(value)
}

const FACTS: &str = "items/semantic.jsonl";

#[test]
fn every_factor_of_a_score_is_shown() {
    let fields = vec![
        ("layer", text("SEMANTIC")),
        ("type", text("CONSTRAINT")),
        ("title", text("Use Maven")),
        ("tags", ["Java"].map(Value::from).into_iter().collect()),
        ("salience", Value::Float(0.5)),
        ("confidence", Value::Float(1.5)),
        ("updatedAt", text("2026-10-29T12:34:56Z")),
    ];
    let rows = [
        (FACTS, fields.clone(), "always the wrapper"),
        (FACTS, Vec::new(), "x"),
    ];
    let found = preview(&rows, "use maven now", &[("skill", "java")]);
    let verdict = &found.selected[0];
    let factors: Vec<(&str, f64)> = verdict
        .factors
        .iter()
        .map(|one| (one.name, one.points))
        .collect();
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
    assert_eq!(factors, expected);
    let sum = expected[..6]
        .iter()
        .fold(0.0, |sum, (_, points)| sum + points);
    assert_eq!(verdict.score, Some(sum));
    assert_eq!(verdict.tokens, 20);
    assert_eq!(verdict.factors[0].detail, "2 of 3 words of the task");
}

#[test]
fn what_was_used_and_what_was_dropped_is_said_in_a_line() {
    let named = |name: &str| {
        let stamp = ("updatedAt", text("2026-11-01T00:00:00Z"));
        vec![
            ("layer", text("SEMANTIC")),
            ("fingerprint", text(name)),
            stamp,
        ]
    };
    let rows: Vec<Row<'_>> = ["a", "b", "b", "c", "d", "e", "f", "g"]
        .iter()
        .map(|name| (FACTS, named(name), "x"))
        .chain([(FACTS, vec![("scope", text("task:t"))], "x")])
        .collect();
    let found = preview(&rows, "", &[("disclosure.promptStyle", "compact")]);
    let said: Vec<&str> = found.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(
        said,
        [
            "5 of 8 candidates used, reckoned at 100 of 1800 tokens; 2 beyond the places of their \
             layer; 1 said by another one already; 1 expired, of another scope or not readable"
        ]
    );
    let hints: Vec<bool> = found
        .selected
        .iter()
        .map(|one| one.hint.is_some())
        .collect();
    assert_eq!(hints, [false, false, true, true, true]);
    let found = preview(&rows[..1], "", &[("enabled", "false")]);
    assert!(found.notes[0].text.starts_with("memories are switched off"));
}

#[test]
fn each_that_is_out_says_why() {
    let at = |day: &str| vec![("updatedAt", text(day))];
    let fresh = "2026-11-01T00:00:00Z";
    let named = |name: &str| vec![("updatedAt", text(fresh)), ("fingerprint", text(name))];
    let scoped = vec![("scope", text("task:t")), ("updatedAt", text(fresh))];
    let short_lived = vec![
        ("ttlDays", Value::Int(0)),
        ("createdAt", text("2026-10-31T00:00:00Z")),
    ];
    let rows = [
        (FACTS, named("a"), "one"),
        (FACTS, named("a"), "two"),
        (FACTS, scoped, "three"),
        (FACTS, at("2026-09-01T00:00:00Z"), "four"),
        (FACTS, short_lived, "five"),
        ("items/episodic/2026-10-11.jsonl", at(fresh), "six"),
        ("items/episodic/2026-11-02.jsonl", at(fresh), "seven"),
        ("items/other.jsonl", at(fresh), "eight"),
        (FACTS, vec![("layer", text("fact"))], "nine"),
        ("items/episodic/2026-10-12.jsonl", at(fresh), "ten"),
        (FACTS, named("c"), "eleven"),
        (FACTS, named("d"), "twelve"),
    ];
    let found = preview(&rows, "", &[("episodicTopK", "4")]);
    let said = |n: usize| {
        let all = found.selected.iter().chain(&found.rejected);
        let one = all.clone().find(|one| one.memory == n).unwrap();
        (one.reason, one.hint.clone().unwrap_or_default())
    };
    for (n, reason, hint) in rows! {
        0 => Reason::Selected => "",
        1 => Reason::Duplicate => "golemcore:m0 has the same fingerprint",
        2 => Reason::NoMatch => "--scope task:t",
        3 => Reason::Expired => "not updated since 2026-09-01, and decayDays is 30",
        4 => Reason::Expired => "its ttlDays were over on 2026-10-31",
        5 => Reason::Invisible => "its day is 21 days back, and retrievalLookbackDays is 21",
        6 => Reason::Invisible => "still to come",
        7 => Reason::Invisible => "",
        8 => Reason::Invisible => "",
        9 => Reason::Selected => "",
        10 => Reason::Selected => "",
        11 => Reason::OverLimit => "a larger episodicTopK gives it a place of EPISODIC: 5, now 4",
    } {
        let (is, says) = said(n);
        assert_eq!(is, reason, "{n}: {says}");
        assert!(says.contains(hint), "{n}: {says}");
    }
    assert_eq!(found.rejected_total, 9);
    assert_eq!(found.selected.len() + found.rejected.len(), 12);
    let scores: Vec<Option<f64>> = found.rejected.iter().map(|one| one.score).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn the_pack_goes_beyond_the_soft_budget_for_what_scores_high() {
    let row = |confidence: f64| {
        vec![
            ("title", text("deploy")),
            ("confidence", Value::Float(confidence)),
            ("salience", Value::Float(confidence)),
            ("type", text("FIX")),
            ("updatedAt", text("2026-11-01T00:00:00Z")),
        ]
    };
    let long = "word ".repeat(40);
    let rows = [
        (FACTS, row(1.0), long.as_str()),
        (FACTS, row(0.95), long.as_str()),
        (FACTS, row(0.1), "deploy"),
        (FACTS, row(0.0), long.as_str()),
    ];
    let options = [
        ("softPromptBudgetTokens", "80"),
        ("maxPromptBudgetTokens", "130"),
        ("episodicTopK", "9"),
    ];
    let found = preview(&rows, "deploy", &options);
    let order: Vec<usize> = found.selected.iter().map(|one| one.memory).collect();
    assert_eq!(order, [0, 1]);
    let out: Vec<(usize, Reason)> = found
        .rejected
        .iter()
        .map(|one| (one.memory, one.reason))
        .collect();
    assert_eq!(out, [(2, Reason::OverBudget), (3, Reason::OverBudget)]);
    let hint = found.rejected[0].hint.clone().unwrap();
    assert_eq!(
        hint,
        "58 tokens too many for its 20: 118 of 80 are taken when its turn comes"
    );
}

#[test]
fn the_prompt_is_rendered_in_every_mode() {
    let row = |layer: &str, kind: Option<&str>, title: &str| {
        vec![
            ("layer", text(layer)),
            ("type", kind.map_or(Value::Null, Value::from)),
            ("title", text(title)),
            ("updatedAt", text("2026-11-01T00:00:00Z")),
        ]
    };
    let long = format!(" {}😀 end", "x".repeat(85));
    let rows = rows! {
        FACTS => row("SEMANTIC", Some("DECISION"), " A ") => "one\r\ntwo ",
        FACTS => row("PROCEDURAL", None, "") => long.as_str(),
    };
    let shown = |mode: &str, style: &str| {
        preview(&rows, "", &[("mode", mode), ("style", style)])
            .prompt
            .clone()
    };
    let hints = "## Follow-up Hints\n- Use memory_expand_section for deeper layer context and memory_read for full item details.";
    assert_eq!(
        shown("index", "compact"),
        format!(
            "## Memory Index\n- Relevant facts available: 1\n- Applicable procedures available: 1\n\n{hints}"
        )
    );
    let cut = format!("[ITEM] {}😀...", "x".repeat(85));
    assert_eq!(
        shown("summary", "compact"),
        format!(
            "## Relevant Facts\n- [DECISION] A: one  two\n\n## Applicable Procedures\n- {cut}\n\n{hints}"
        )
    );
    let whole = format!("[ITEM] {}", long.trim());
    assert_eq!(
        shown("full_pack", "rich"),
        format!(
            "## Semantic Memory\n- [DECISION] A: one  two\n\n\n## Procedural Memory\n- {whole}"
        )
    );
    let detail = preview(
        &rows,
        "",
        &[
            ("mode", "selective_detail"),
            ("disclosure.detailMinScore", "0.4"),
        ],
    )
    .prompt
    .clone();
    assert!(
        detail.contains("## Detail Snippets\n- [DECISION] A: one  two\n"),
        "{detail}"
    );
    assert_eq!(preview(&[], "x", &[]).prompt, "");
    let none = preview(
        &rows,
        "",
        &[
            ("softPromptBudgetTokens", "1"),
            ("maxPromptBudgetTokens", "1"),
        ],
    );
    assert_eq!(none.prompt, hints);
    assert_eq!(preview(&rows, "", &[("enabled", "false")]).prompt, "");
}

#[test]
fn flags_are_checked() {
    for (name, value, good) in [
        ("mode", "full_pack", true),
        ("mode", "full", false),
        ("style", "rich", true),
        ("scope", "task:a,session:web:b", true),
        ("scope", "team:a", false),
        ("decayDays", "x", false),
        ("preset", "coding_deep", true),
        ("preset", "coding", false),
    ] {
        assert_eq!(check(name, value).is_ok(), good, "{name}={value}");
    }
}

/// Budget use is counted as the system counts it, and reported beside the tokens.
#[test]
fn the_tokens_of_a_preview_are_those_of_its_text() {
    let rows = [(FACTS, vec![("layer", text("SEMANTIC"))], "x")];
    let found = preview(&rows, "", &[]);
    assert_eq!(
        (found.tokens(), found.budget),
        (tokens_of(found.prompt.len()), Some(1800))
    );
    assert!(found.notes[0].text.contains("reckoned at 20 of 1800"));
    let mut few = limits(&[]);
    few.budget = Some(5);
    let (memories, bodies) = store(&rows);
    let found = POLICY
        .scorer(memories)
        .preview(&task(""), &few, None, &bodies);
    assert!(found.notes[0].text.contains("reckoned at 0 of 5"));
    assert!(!found.prompt.is_empty());
}
