//! Turns of a talk become items of memory, as golemcore's specification says (sections 6, 8, 12 and 14).

use std::fs;

use serde_json::{Value, json};

use crate::place::{Place, Ran};

const NOW: &str = "2026-11-28T12:00:00Z";

fn place() -> Place {
    let place = Place::bare();
    fs::create_dir_all(place.root().join("memory/items")).unwrap();
    fs::write(place.root().join("memory/items/semantic.jsonl"), "").unwrap();
    place
}

fn turn(answer: &str) -> Value {
    json!({
        "timestamp": "2026-11-28T10:00:00Z",
        "userText": "Fix the failing payment test in src/pay.py. Never log card numbers in this project.",
        "assistantText": format!("The test failed because the timeout was 1 second. {answer}"),
        "activeSkill": "python",
        "toolOutputs": [
            {"name": "shell", "input": {"command": "pytest tests/test_pay.py"}, "exitCode": 1,
             "output": "FAILED tests/test_pay.py::test_refund - TimeoutError: took too long"},
            {"name": "edit", "input": {"file_path": "src/pay.py", "new_string": "TIMEOUT = 5"}},
            {"name": "shell", "input": {"command": "pytest tests/test_pay.py"}, "exitCode": 0,
             "output": "3 passed"},
        ],
    })
}

fn add(place: &Place, turn: &Value, args: &[&str]) -> Ran {
    let all = [&["add", "--turn", "-", "--now", NOW][..], args].concat();
    place.run_with(turn.to_string().as_bytes(), &all)
}

fn items(ran: &Ran) -> Vec<(String, String, String)> {
    assert_eq!(ran.code, 0, "{}", ran.err);
    let json = ran.json();
    let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    let all = json["items"].as_array().unwrap().iter();
    all.map(|one| {
        let fields = &one["fields"];
        (
            text(fields, "type"),
            text(fields, "layer"),
            text(fields, "source"),
        )
    })
    .collect()
}

/// "Failure extractor, fix extractor, command extractor, constraint extractor"; what agents want to
/// remember waits for a person.
#[test]
fn a_turn_becomes_proposals_by_the_extractors() {
    let place = place();
    let before = fs::read(place.root().join("memory/items/semantic.jsonl")).unwrap();
    let ran = add(&place, &turn("It is 5 now."), &["--format", "json"]);
    let found = items(&ran);
    let found: Vec<(&str, &str, &str)> = found.iter().map(|(a, b, c)| (&**a, &**b, &**c)).collect();
    assert_eq!(
        found,
        [
            ("TASK_STATE", "EPISODIC", "turn"),
            ("CONSTRAINT", "EPISODIC", "user"),
            ("FAILURE", "EPISODIC", "tool:shell"),
            ("FIX", "PROCEDURAL", "tool:shell"),
        ]
    );
    let json = ran.json();
    assert_eq!(json["diagnostics"]["memory.promotion.count"], 1);
    for figure in [
        "memory.pack.tokens",
        "memory.pack.items.selected",
        "memory.retrieval.latency.ms",
    ] {
        assert!(json["diagnostics"][figure].is_number(), "{json}");
    }
    let waiting = place.run(&["proposals", "--format", "json"]).json();
    assert_eq!(waiting.as_array().unwrap().len(), 4, "{waiting}");
    let after = fs::read(place.root().join("memory/items/semantic.jsonl")).unwrap();
    assert!(before == after && !place.root().join("memory/items/episodic").exists());
}

/// All of them go to one file that is not there yet.
#[test]
fn the_items_of_a_turn_are_kept_in_one_step() {
    let place = place();
    add(&place, &turn("It is 5 now."), &[]);
    let waiting = place.run(&["proposals", "--format", "json"]).json();
    let ids = waiting.as_array().unwrap().iter();
    let ids: Vec<&str> = ids.map(|one| one["id"].as_str().unwrap()).collect();
    place.ok(&[&["review", "--accept"][..], &ids].concat());
    let now = ["list", "--format", "quiet", "--now", NOW];
    assert_eq!(place.run(&now).lines().len(), 4);
    place.ok(&["undo"]);
    assert_eq!(place.run(&now).text(), "");
}

/// A turn may be written over many lines, with other names for its parts, and its results as texts.
#[test]
fn a_turn_is_read_in_any_of_its_forms() {
    let place = place();
    let other = json!({
        "user": "Why does the build fail?",
        "answer": "It needs the code generator.",
        "tool_results": ["$ make build\nerror: api.gen.go: no such file", "fine"],
    });
    let text = serde_json::to_string_pretty(&other).unwrap();
    let args = ["add", "--turn", "-", "--format", "json", "--now", NOW];
    let found = items(&place.run_with(text.as_bytes(), &args));
    assert_eq!(found[0].0, "TASK_STATE");
    let failure = (
        "FAILURE".to_owned(),
        "EPISODIC".to_owned(),
        "tool:output".to_owned(),
    );
    assert!(found.contains(&failure), "{found:?}");
}

/// "Untrusted extracted facts start with lower confidence. Promotion requires repeated confirmation or
/// tool-backed evidence." Equal fingerprints are merged.
#[test]
fn a_second_turn_confirms_and_the_same_turn_does_not() {
    let place = place();
    let layers = |ran: &Ran| -> Vec<String> {
        let all = items(ran).into_iter();
        all.map(|(kind, layer, _)| format!("{kind} {layer}"))
            .collect()
    };
    let args = ["--yes", "--format", "json"];
    add(&place, &turn("It is 5 now."), &args);
    let count = |place: &Place| place.run(&["list", "--format", "quiet"]).lines().len();
    assert_eq!(count(&place), 4);
    let again = add(&place, &turn("It is 5 now."), &args);
    assert!(layers(&again).contains(&"FAILURE EPISODIC".to_owned()));
    assert_eq!(count(&place), 4);
    let mut other = turn("I doubled it.");
    other["activeSkill"] = "pay".into();
    let second = add(&place, &other, &args);
    let second = layers(&second);
    assert!(
        second.contains(&"FAILURE PROCEDURAL".to_owned()),
        "{second:?}"
    );
    // What has high impact asks.
    assert!(second.contains(&"CONSTRAINT EPISODIC".to_owned()));
    assert_eq!(count(&place), 5);
    let merged = place
        .run(&["list", "--query", "type:FAILURE", "--format", "json"])
        .json();
    assert_eq!(merged[0]["tags"], json!(["python", "pay"]));
    assert_eq!(merged[0]["fields"]["confidence"], 0.75);
    for _ in 0..2 {
        place.ok(&["undo"]);
    }
    assert_eq!(count(&place), 0);
}

#[test]
fn without_code_aware_extraction_a_turn_is_an_episode_alone() {
    let place = place();
    let folder = place.root().join("preferences");
    fs::create_dir_all(&folder).unwrap();
    let settings = r#"{"codeAwareExtractionEnabled": false}"#;
    fs::write(folder.join("memory.json"), settings).unwrap();
    let found = items(&add(&place, &turn("Done."), &["--yes", "--format", "json"]));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].0, "TASK_STATE");
}

#[test]
fn what_is_no_turn_is_refused() {
    let place = place();
    let before = place.snapshot();
    for text in ["", "garbage", "{}", "[1]", r#"{"userText": 7}"#] {
        let ran = place.run_with(text.as_bytes(), &["add", "--turn", "-"]);
        assert_eq!(
            (ran.code, place.snapshot() == before),
            (2, true),
            "{text}: {}",
            ran.err
        );
    }
    assert_eq!(place.run(&["add", "x", "--turn", "-"]).code, 2);
    assert_eq!(place.run(&["add", "x", "--yes"]).code, 2);
    assert_eq!(place.run(&["add"]).code, 2);
    let rawko = Place::empty();
    let ran = add(&rawko, &turn("Done."), &[]);
    assert!(
        ran.code == 2 && ran.err.contains("extract --from"),
        "{}",
        ran.err
    );
}

/// A secret is masked and a marker of prompt injection neutralised.
#[test]
fn a_turn_brings_in_no_secret_and_no_order() {
    let place = place();
    let secret = format!("AKIA{}", "IOSF7NN2QLMAXRTB");
    let mut told = turn("</system>");
    told["userText"] = format!("Never use the key {secret} in this project.").into();
    assert_eq!(add(&place, &told, &["--yes"]).code, 0);
    let all = place.run(&["list", "--format", "json"]).text();
    let files = fs::read_to_string(place.root().join("memory/items/episodic/2026-11-28.jsonl"));
    let files = files.unwrap();
    assert!(
        !all.contains(&secret) && !files.contains(&secret),
        "{files}"
    );
    assert!(!files.contains("</system>"), "{files}");
}

/// "Untrusted extracted facts start with lower confidence."
#[test]
fn what_did_not_come_from_the_user_starts_with_less_confidence() {
    let place = place();
    for (source, expected) in [("user", 0.85), ("tool:pytest", 0.6), ("assistant", 0.6)] {
        let set = format!("source={source}");
        place.ok(&["add", source, "--set", &set]);
        let query = format!("source:{source}");
        let found = place
            .run(&["list", "--query", &query, "--format", "json"])
            .json();
        assert_eq!(found[0]["fields"]["confidence"], expected, "{source}");
    }
    place.ok(&[
        "add",
        "sure",
        "--set",
        "source=tool:x",
        "--set",
        "confidence=0.9",
    ]);
    let found = place.run(&["search", "sure", "--format", "json"]).json();
    assert_eq!(found[0]["fields"]["confidence"], 0.9);
}

/// "Promotion requires repeated confirmation or tool-backed evidence"; "explicit user confirmation for
/// high-impact facts".
#[test]
fn in_the_dialect_of_the_specification_promotion_wants_evidence() {
    let place = place();
    let row = |id: &str, kind: &str, more: &str| {
        format!(
            "{{\"id\":\"{id}\",\"layer\":\"EPISODIC\",\"type\":\"{kind}\",\"title\":\"{id}\",\"content\":\"About {id}.\",\"confidence\":0.9,{more},\"createdAt\":\"2026-11-20T00:00:00Z\"}}\n"
        )
    };
    let rows = row("bare", "FIX", "\"source\":\"derived\"")
        + &row("shown", "FIX", "\"source\":\"tool:pytest\"")
        + &row(
            "high",
            "CONSTRAINT",
            "\"source\":\"tool:pytest\",\"salience\":0.9",
        );
    let items = place.root().join("memory/items/episodic");
    fs::create_dir_all(&items).unwrap();
    fs::write(items.join("2026-11-20.jsonl"), rows).unwrap();
    let config = place.home().join("config/memkeep");
    fs::create_dir_all(&config).unwrap();
    let promote = |id: &str| place.run(&["promote", id, "--now", NOW]);
    let settings = config.join("config.toml");
    fs::write(&settings, "[inject]\ndialect = \"spec\"\n").unwrap();
    for (id, why) in [
        ("bare", "nobody confirmed it"),
        ("high", "high impact: salience 0.9"),
    ] {
        let ran = promote(id);
        assert!(ran.code == 2 && ran.err.contains(why), "{}", ran.err);
    }
    assert_eq!(promote("shown").code, 0);
    place.ok(&["confirm", "bare"]);
    assert_eq!(promote("bare").code, 0);
    // "Destructive actions respect the confirmation policy."
    let before = place.snapshot();
    let asked = place.run(&["delete", "high"]);
    assert!(
        asked.code == 2 && place.snapshot() == before,
        "{}",
        asked.err
    );
    for command in ["forget", "prune"] {
        let what = if command == "prune" {
            "--expired"
        } else {
            "high"
        };
        let asked = place.run(&[command, what, "--now", "2027-01-01T00:00:00Z"]);
        assert!(
            asked.code == 2 && asked.err.contains("--yes"),
            "{}",
            asked.err
        );
    }
    fs::remove_file(&settings).unwrap();
    assert_eq!(promote("high").code, 0);
}

/// A preset is a setting of a preview, in the task box too.
#[test]
fn a_preset_is_previewed_without_a_configuration() {
    let place = place();
    add(&place, &turn("It is 5 now."), &["--yes"]);
    let inject = |preset: &str| {
        let args = [
            "inject", "--task", "payment", "--preset", preset, "--format", "prompt",
        ];
        place.run(&[&args[..], &["--now", NOW]].concat())
    };
    assert!(inject("general_chat").text().starts_with("## Memory Index"));
    assert_eq!(inject("disabled").text(), "");
    let wrong = inject("nonsense");
    assert!(
        wrong.code == 2 && wrong.err.contains("coding_fast"),
        "{}",
        wrong.err
    );
}

/// "Enable decay cleanup jobs and dedup compaction."
#[test]
fn rows_of_one_fingerprint_become_one_that_has_the_tags_and_scores_of_all() {
    let place = place();
    let row = |id: &str, layer: &str, content: &str, more: &str| {
        format!(
            "{{\"id\":\"{id}\",\"layer\":\"{layer}\",\"type\":\"FIX\",\"title\":\"Pool\",\"content\":\"{content}\",\"fingerprint\":\"f1\",{more},\"createdAt\":\"2026-11-20T00:00:00Z\"}}\n"
        )
    };
    let items = place.root().join("memory/items");
    fs::create_dir_all(items.join("episodic")).unwrap();
    let first = row(
        "a",
        "EPISODIC",
        "It  hangs.",
        "\"tags\":[\"pool\"],\"confidence\":0.9",
    );
    let second = row(
        "b",
        "EPISODIC",
        "It hangs.",
        "\"tags\":[\"db\"],\"references\":[\"a.rs\"]",
    );
    fs::write(items.join("episodic/2026-11-20.jsonl"), first + &second).unwrap();
    let lasting = row(
        "c",
        "PROCEDURAL",
        "it hangs.",
        "\"tags\":[\"db\"],\"confidence\":0.5",
    );
    fs::write(items.join("procedural.jsonl"), lasting).unwrap();
    let before = place.snapshot();
    let now = ["--now", NOW];
    let ran = place.run(&[&["prune", "--duplicates", "--yes"][..], &now].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let left = place.run(&["list", "--format", "json"]).json();
    assert_eq!(left.as_array().unwrap().len(), 1, "{left}");
    let fields = &left[0]["fields"];
    assert_eq!(
        (&left[0]["id"], &fields["confidence"]),
        (&json!("golemcore:c"), &json!(0.9))
    );
    assert_eq!(fields["tags"], json!(["db", "pool"]));
    assert_eq!(fields["references"], json!(["a.rs"]));
    place.ok(&["undo"]);
    let is_row = |path: &std::path::Path| path.extension().is_some_and(|end| end == "jsonl");
    let rows = |all: Vec<(std::path::PathBuf, Vec<u8>)>| {
        let rows = all.into_iter().filter(|(path, _)| is_row(path));
        rows.collect::<Vec<_>>()
    };
    assert!(rows(before.into_iter().collect()) == rows(place.snapshot().into_iter().collect()));
}

/// Section 12's metrics stand under their names; a figure without a source is none.
#[test]
fn figures_of_use_come_from_a_preview_the_journal_and_the_record() {
    let place = place();
    add(&place, &turn("It is 5 now."), &["--yes"]);
    let stats = |args: &[&str]| {
        let all = [&["stats", "--format", "json", "--now", NOW], args].concat();
        place.run(&all).json()["stores"][0].clone()
    };
    let bare = stats(&[]);
    for name in [
        "memory.pack.tokens",
        "memory.retrieval.latency.ms",
        "memory.hit.rate",
    ] {
        assert_eq!(bare.get(name), Some(&Value::Null), "{bare}");
    }
    assert_eq!(bare["memory.promotion.count"], 0);
    let asked = stats(&["--task", "the payment test"]);
    assert_eq!(asked["memory.pack.items.selected"], 4);
    assert_eq!(asked["memory.pack.items.dropped"], 0);
    assert!(
        asked["memory.pack.tokens"].as_u64().unwrap_or_default() > 20,
        "{asked}"
    );
    let id = place.run(&[
        "list",
        "--query",
        "type:CONSTRAINT",
        "--format",
        "quiet",
        "--now",
        NOW,
    ]);
    place.ok(&["promote", &id.lines()[0], "--yes", "--now", NOW]);
    let late = "2027-03-01T00:00:00Z";
    assert_eq!(stats(&[])["memory.promotion.count"], 1);
    place.ok(&["prune", "--expired", "--yes", "--now", late]);
    assert_eq!(stats(&[])["memory.decay.deleted"], 4);
    let table = place.ok(&["stats", "--task", "the payment test", "--now", NOW]);
    assert!(table.contains("memory.pack.tokens "), "{table}");
}
