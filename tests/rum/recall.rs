//! Recall, as the real code and as the specification have it.

use memkeep::store::collection::Collection;
use memkeep::store::discover::Search;
use serde_json::Value;

use crate::place::Place;

fn inject(place: &Place, args: &[&str]) -> Value {
    let all = [&["inject", "--format", "json"], args].concat();
    let ran = place.run(&all);
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    ran.json()
}

/// The selected, in their order.
fn selected(place: &Place, args: &[&str]) -> Vec<String> {
    let json = inject(place, args);
    let all = json["previews"][0]["selected"].as_array().unwrap();
    all.iter()
        .map(|one| one["id"].as_str().unwrap().replace("rum:mem_", ""))
        .collect()
}

#[test]
fn the_real_code_selects_newest_first_by_id_file_or_filters() {
    let place = Place::sample();
    for (args, expected) in rows! {
        &["--task", ""][..] => &["jwt", "log", "old"][..],
        // Where no embeddings can be compared the task says nothing.
        &["--task", "documentation"] => &["jwt", "log", "old"],
        &["--task", "x", "--query", "documentation"] => &["jwt", "log", "old"],
        &["--task", "", "--max", "2"] => &["jwt", "log"],
        &["--task", "", "--id", "mem_old"] => &["old"],
        &["--task", "", "--id", "rum:mem_old"] => &["old"],
        &["--task", "", "--id", "mem_o"] => &[],
        &["--task", "", "--file", "AUTH"] => &["jwt", "old"],
        // `%` and `_` are characters like others.
        &["--task", "", "--file", "src/auth/a_i"] => &[],
        &["--task", "", "--file", "auth%ts"] => &[],
        &["--task", "", "--file", "interceptor", "--type", "documentation",] => &["jwt"],
        &["--task", "", "--type", "documentation"] => &["old"],
        &["--task", "", "--agent-id", "agent_b"] => &["log"],
        &["--task", "", "--success", "true"] => &["jwt", "old"],
        &["--task", "", "--since", "2026-01-15T18:00:01Z"] => &["jwt"],
        &["--task", "", "--before", "2026-01-15"] => &["old"],
        &["--task", "", "--since", "1768500000000", "--before", "1768500000000",] => &["log"],
    } {
        assert_eq!(selected(&place, args), expected, "{args:?}");
    }
}

#[test]
fn the_specification_ranks_by_relevance_and_importance() {
    let place = Place::sample();
    for (args, expected) in rows! {
        &["--task", ""][..] => &["jwt", "old", "log"][..],
        &["--task", "the token refresh documentation"] => &["old", "jwt"],
        &["--task", "JWT tokens"] => &["jwt", "old"],
        &["--task", "kubernetes"] => &[],
        &["--task", "", "--file", "auth", "--success", "true"] => &["jwt", "old"],
        &["--task", "", "--file", "auth", "--type", "documentation"] => &["old"],
    } {
        let args = [args, &["--dialect", "spec"]].concat();
        assert_eq!(selected(&place, &args), expected, "{args:?}");
    }
    let json = inject(&place, &["--task", "JWT tokens", "--dialect", "spec"]);
    let first = &json["previews"][0]["selected"][0];
    assert_eq!(first["score"], 1.9);
    assert_eq!(first["factors"][0]["name"], "relevance");
    assert_eq!(first["factors"][1]["points"], 0.9);
}

#[test]
fn every_depth_has_its_fields_and_its_tokens() {
    let place = Place::sample();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let base = [
        "id",
        "agent_id",
        "created_at",
        "confidence",
        "intent",
        "outcome",
    ];
    for (depth, tokens, more) in rows! {
        "summary" => 20 => &[][..],
        "outcome" => 50 => &["learnings"],
        "reasoning" => 150 => &["learnings", "reasoning"],
        "full" => 300 => &["learnings", "reasoning", "perception"],
        "complete" => 500 => &["learnings", "reasoning", "perception", "actions"],
    } {
        let json = inject(&place, &["--task", "", "--depth", depth]);
        let preview = &json["previews"][0];
        let length = preview["prompt"].as_str().unwrap().len();
        assert_eq!(preview["tokens"], length.div_ceil(4), "{depth}");
        assert_eq!(preview["selected"][0]["tokens"], tokens);
        let prompt: Value = serde_json::from_str(preview["prompt"].as_str().unwrap()).unwrap();
        assert_eq!(keys(&prompt[0]), [&base[..], more].concat(), "{depth}");
    }
    let spec = |depth| {
        let json = inject(
            &place,
            &[
                "--task",
                "JWT",
                "--max",
                "1",
                "--dialect",
                "spec",
                "--depth",
                depth,
            ],
        );
        serde_json::from_str::<Value>(json["prompt"].as_str().unwrap()).unwrap()[0].clone()
    };
    assert_eq!(keys(&spec("summary")), ["intent", "outcome"]);
    assert_eq!(
        spec("outcome")["outcome"]["follow_up_needed"][0],
        "Monitoring"
    );
    assert_eq!(spec("full")["actions"][0].get("details"), None);
    assert_eq!(spec("full")["links"]["supersedes"][0], "mem_old");
    assert_eq!(
        spec("complete")["actions"][0]["details"]["lines_affected"],
        "45-89"
    );
}

#[test]
fn the_prompt_is_a_json_array_of_two_spaces_and_nothing_else() {
    let place = Place::sample();
    let ran = place.run(&[
        "inject", "--task", "", "--id", "mem_log", "--format", "prompt",
    ]);
    assert_eq!(
        ran.text(),
        r#"[
  {
    "id": "mem_log",
    "agent_id": "agent_b",
    "created_at": 1768500000000,
    "confidence": 1,
    "intent": {
      "goal": "Investigate logouts",
      "task_type": "investigation"
    },
    "outcome": {
      "success": false
    }
  }
]"#
    );
    assert_eq!(
        place
            .run(&["inject", "--task", "", "--id", "no", "--format", "prompt"])
            .text(),
        ""
    );
}

/// The members of the layers beyond the depth, and those that are not there, are left out; null
/// stays, and so does an empty list.
#[test]
fn a_memory_in_the_prompt_has_what_its_row_has() {
    let place = Place::sample();
    place
        .connect()
        .execute_batch(
            r#"UPDATE memories SET intent = '{"goal":null,"task_type":"other","context":"c"}',
               outcome = '{"summary":"S","learnings":[],"success":1}', reasoning = '{}', actions = ''
               WHERE id = 'mem_log'"#,
        )
        .unwrap();
    let json = inject(
        &place,
        &["--task", "", "--id", "mem_log", "--depth", "complete"],
    );
    let prompt: Value = serde_json::from_str(json["prompt"].as_str().unwrap()).unwrap();
    let expected = serde_json::json!([{
        "id": "mem_log", "agent_id": "agent_b", "created_at": 1_768_500_000_000_i64, "confidence": 1,
        "intent": {"goal": null, "task_type": "other"}, "outcome": {"success": 1, "summary": "S"},
        "learnings": [], "reasoning": {},
    }]);
    assert_eq!(prompt, expected);
}

/// RUM asks every table for the rows of one project: the one that the database is named after.
#[test]
fn rows_of_another_project_are_hidden() {
    let place = Place::sample();
    place
        .connect()
        .execute_batch(
            "UPDATE memories SET project_id = 'other' WHERE id = 'mem_jwt';
             UPDATE chapters SET project_id = 'other'",
        )
        .unwrap();
    assert_eq!(selected(&place, &["--task", ""]), ["log", "old"]);
    assert_eq!(
        selected(&place, &["--task", "", "--id", "mem_jwt"]),
        [""; 0]
    );
    let why = "its project_id is `other`, but RUM asks this database only for `demo`";
    let json = inject(&place, &["--task", ""]);
    let rejected = json["previews"][0]["rejected"].as_array().unwrap();
    let of = |id: &str| rejected.iter().find(|one| one["id"] == id).unwrap();
    assert_eq!(of("rum:mem_jwt")["reason"], "invisible");
    assert_eq!(of("rum:mem_jwt")["hint"], why);
    let memories = place.load();
    let hidden = |id: &str| {
        let memory = memories.iter().find(|memory| *memory.id.local == *id);
        memory.unwrap().hidden.as_deref().map(ToOwned::to_owned)
    };
    for (id, expected) in [
        ("mem_jwt", Some(why)),
        ("chapter_1", Some(why)),
        ("mem_old", None),
        ("wisdom_1", None),
    ] {
        assert_eq!(hidden(id).as_deref(), expected, "{id}");
    }
    // A new memory is one that RUM sees.
    let ran = place.run(&["add", "It is seen", "--title", "Seen"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(selected(&place, &["--task", ""]).len(), 3);
    // Under a name that RUM does not open there is no project to go by.
    std::fs::rename(place.db(), place.root().join("copy.db")).unwrap();
    let copy = Search {
        start: place.root(),
        root: Some(place.root()),
        paths: vec![place.root().join("copy.db")],
        ..Search::default()
    };
    let copy = Collection::open(&copy, &place.root().join("home/state")).unwrap();
    let all = copy.load(&[], &mut |_| true).memories;
    assert!(all.iter().all(|memory| memory.hidden.is_none()));
}

#[test]
fn every_memory_that_is_not_returned_has_its_reason() {
    let place = Place::sample();
    place
        .connect()
        .execute_batch("UPDATE memories SET actions = 'x' WHERE id = 'mem_old'")
        .unwrap();
    let json = inject(&place, &["--task", "", "--type", "bug_fix"]);
    let rejected = json["previews"][0]["rejected"].as_array().unwrap();
    let said: Vec<(&str, &str, &str)> = rejected
        .iter()
        .map(|one| {
            let text = |name: &str| one[name].as_str().unwrap();
            (text("id"), text("reason"), text("hint"))
        })
        .collect();
    assert_eq!(
        said,
        [
            (
                "rum:wisdom_1",
                "not_applicable",
                "recall returns memories; --id names a chapter or wisdom"
            ),
            (
                "rum:chapter_1",
                "not_applicable",
                "recall returns memories; --id names a chapter or wisdom"
            ),
            (
                "rum:mem_log",
                "no_match",
                "--type asks for bug_fix, it has investigation"
            ),
            (
                "rum:mem_old",
                "invalid",
                "the system's code fails on it: memories.actions is not JSON: expected value at line 1 column 1"
            ),
        ]
    );
    let json = inject(&place, &["--task", "", "--max", "1"]);
    let first = &json["previews"][0]["rejected"][0];
    assert_eq!(first["reason"], "over_limit");
    assert_eq!(
        first["hint"],
        "the 1 newest are returned, it is number 2: --max 2"
    );
}

#[test]
fn flags_that_mean_nothing_are_wrong_use() {
    let place = Place::sample();
    for args in [
        &["--depth", "deep"][..],
        &["--success", "maybe"],
        &["--since", "tomorrow"],
        &["--type", "play"],
        &["--budget", "100"],
        &["--min-importance", "high"],
        &["--dialect", "natural"],
    ] {
        let all = [&["inject", "--task", "x"], args].concat();
        let ran = place.run(&all);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
    }
}

/// A project with a store of each system.
fn all_systems() -> Place {
    let place = Place::sample();
    let root = place.root();
    std::fs::create_dir_all(root.join("memory/items")).unwrap();
    for (path, text) in [
        (
            ".rawko/memories/a.md",
            "---\ntitle: A\nwhenToUse: a\nimportance: high\ndiscoveredBy: x\n---\nText.\n",
        ),
        (".ralph/agent/memories.md", "# Memories\n\n## Patterns\n"),
    ] {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    place
}

/// What one system has and another has not holds none of them up: it is said of those without it,
/// and refused only where it means nothing to anybody.
#[test]
fn a_flag_of_one_system_is_a_note_beside_the_others() {
    let place = all_systems();
    let all = ["rawko", "ralph", "golemcore", "rum"];
    for (flag, value, those) in [
        ("--depth", "full", &["rum"][..]),
        ("--id", "mem_old", &["rum"]),
        ("--query", "tokens", &["rum"]),
        ("--type", "bug_fix", &["rum"]),
        ("--agent-id", "agent_a", &["rum"]),
        ("--success", "true", &["rum"]),
        ("--since", "2026-01-01", &["rum"]),
        ("--before", "2027-01-01", &["rum"]),
        ("--skill", "java", &["golemcore"]),
        ("--scope", "task:a", &["golemcore"]),
        ("--mode", "full_pack", &["golemcore"]),
        ("--style", "rich", &["golemcore"]),
        ("--max", "2", &["rawko", "golemcore", "rum"]),
        ("--budget", "900", &["rawko", "ralph", "golemcore"]),
        ("--file", "src/a.rs", &all),
        ("--agent", "reviewer", &["rawko"]),
        ("--plan", "first this", &["rawko"]),
        ("--history", "then that", &["rawko"]),
        ("--min-importance", "high", &["rawko"]),
    ] {
        let ran = place.run(&["inject", "--task", "tokens", flag, value]);
        assert_eq!(ran.code, 0, "{flag}: {}", ran.err);
        for system in all {
            let has = those.contains(&system);
            let noted = ran.err.lines().any(|line| {
                let about = format!("note: {flag} means nothing to the polic");
                line.starts_with(&about) && line.contains(system)
            });
            assert_eq!(noted, !has, "{flag} of {system}: {}", ran.err);
            let ran = place.run(&["--store", system, "inject", "--task", "x", flag, value]);
            let code = if has { 0 } else { 2 };
            assert_eq!(ran.code, code, "{flag} of {system}: {}", ran.err);
        }
    }
    let deep = inject(
        &place,
        &["--task", "", "--depth", "full", "--id", "mem_old"],
    );
    let prompt = deep["prompt"].as_str().unwrap();
    assert!(prompt.contains("docs/auth.md"), "{prompt}");
    // What is no value is wrong use wherever the flag means something.
    for (flag, value) in [("--depth", "deep"), ("--mode", "deep")] {
        assert_eq!(place.run(&["inject", "--task", "x", flag, value]).code, 2);
    }
}

/// A setting is written for many folders, a flag for this one.
#[test]
fn a_dialect_of_another_system_is_passed_over_in_the_settings() {
    let place = Place::sample();
    let config = place.root().join(".memkeep/config.toml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    for (dialect, code, used) in [
        ("arbiter", 0, "rum"),
        ("spec", 0, "spec"),
        ("nothing", 2, ""),
    ] {
        std::fs::write(&config, format!("[inject]\ndialect = \"{dialect}\"\n")).unwrap();
        for policy in [&[][..], &["--policy", "rum"]] {
            let ran = place.run(&[&["inject", "--task", "x", "--format", "json"], policy].concat());
            assert_eq!(ran.code, code, "{dialect}: {}", ran.err);
            if code == 0 {
                assert_eq!(ran.json()["previews"][0]["dialect"], used);
            }
        }
    }
    std::fs::remove_file(&config).unwrap();
    for more in [&[][..], &["--policy", "rum"]] {
        let ran = place.run(&[&["inject", "--task", "x", "--dialect", "arbiter"], more].concat());
        assert_eq!(ran.code, 2);
    }
    let beside = all_systems();
    let of_rawko = ["inject", "--task", "x", "--dialect", "arbiter"];
    assert_eq!(beside.run(&of_rawko).code, 0);
    assert_eq!(
        beside
            .run(&[&of_rawko[..], &["--policy", "rum"]].concat())
            .code,
        2
    );
}

/// The links of the tool's answer: the memory's own in the order of their ends, then the memories
/// that name it as their cause. Rows of the type `led_to` are not read.
#[test]
fn links_are_shown_from_the_depth_full_on() {
    let place = Place::sample();
    let more = "INSERT INTO memory_links VALUES
        ('link_3', 'mem_log', 'mem_old', 'related_to', 1768600000002),
        ('link_4', 'mem_log', 'mem_jwt', 'related_to', 1768600000003),
        ('link_5', 'mem_log', 'mem_old', 'led_to', 1768600000004)";
    place.connect().execute_batch(more).unwrap();
    let links = |id: &str, more: &[&str]| {
        let json = inject(&place, &[&["--task", "", "--id", id], more].concat());
        let prompt: Value = serde_json::from_str(json["prompt"].as_str().unwrap()).unwrap();
        prompt[0].get("links").map(ToString::to_string)
    };
    let log = r#"{"related_to":["mem_jwt","mem_old"],"led_to":["mem_jwt"]}"#;
    for (id, args, expected) in rows! {
        "mem_log" => &["--links", "--depth", "full"][..] => Some(log),
        "mem_log" => &["--links", "--depth", "complete"] => Some(log),
        "mem_log" => &["--links"] => None,
        "mem_log" => &["--depth", "full"] => None,
        "mem_old" => &["--links", "--depth", "full"] => Some("{}"),
        "mem_jwt" => &["--links", "--depth", "full"] => Some(r#"{"caused_by":["mem_log"]}"#),
    } {
        assert_eq!(links(id, args).as_deref(), expected, "{id} {args:?}");
    }
}

#[test]
fn a_file_is_taken_as_it_is_written() {
    let place = Place::sample();
    for (file, expected) in [
        ("src/auth/", &["jwt"][..]),
        ("auth.md", &["old"]),
        ("docs/", &["old"]),
        ("auth.md/", &[]),
        ("./docs", &[]),
        ("docs//auth.md", &[]),
    ] {
        let found = selected(&place, &["--task", "", "--file", file]);
        assert_eq!(found, expected, "{file}");
    }
}

#[test]
fn a_chapter_and_wisdom_are_recalled_by_their_ids() {
    let place = Place::sample();
    let prompt = |id: &str| {
        let json = inject(&place, &["--task", "", "--id", id]);
        let prompt: Value = serde_json::from_str(json["prompt"].as_str().unwrap()).unwrap();
        prompt[0].clone()
    };
    assert_eq!(
        prompt("chapter_1"),
        serde_json::json!({
            "id": "chapter_1", "title": "Topic: auth", "summary": "How sessions last",
            "learnings": ["Refresh early"], "start_ts": 1_768_400_000_000_i64,
            "end_ts": 1_768_600_000_000_i64, "tags": ["auth"], "topics": [], "origin": "manual",
            "created_at": 1_768_700_000_000_i64, "updated_at": 1_768_700_000_000_i64,
            "memory_count": 2,
        })
    );
    let wisdom = prompt("wisdom_1");
    assert_eq!(wisdom["summary"], "Tokens need a plan");
    assert_eq!(wisdom["patterns"], serde_json::json!([]));
    assert_eq!(
        wisdom["best_practices"],
        serde_json::json!(["Always refresh"])
    );
}

/// RUM's answers to 300 recalls that were recorded, where the folder of the recording is at hand:
/// `MEMKEEP_RUM_CASES` names it.
#[test]
fn recorded_recalls_are_answered_byte_for_byte() {
    let Some(folder) = std::env::var_os("MEMKEEP_RUM_CASES").map(std::path::PathBuf::from) else {
        eprintln!("skipped: MEMKEEP_RUM_CASES names no folder");
        return;
    };
    let cases = std::fs::read_to_string(folder.join("cases.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&cases).unwrap();
    let place = Place::sample();
    let mut wrong = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let file = case["db"].as_str().unwrap();
        let copy = place.root().join(file.replace(".rum.db", ""));
        let db = std::fs::read_dir(&copy)
            .ok()
            .and_then(|mut files| files.next());
        let db = db.map(|file| file.unwrap().path()).unwrap_or_else(|| {
            std::fs::create_dir(&copy).unwrap();
            let own = rusqlite::Connection::open(folder.join(file)).unwrap();
            let sql = "SELECT project_id FROM memories WHERE project_id <> 'other' LIMIT 1";
            let name: String = own.query_row(sql, [], |row| row.get(0)).unwrap();
            let db = copy.join(format!("{name}.rum.db"));
            std::fs::write(&db, std::fs::read(folder.join(file)).unwrap()).unwrap();
            db
        });
        let mut args = vec!["--store".to_owned(), db.display().to_string()];
        args.extend(["inject", "--task", "", "--format", "prompt"].map(str::to_owned));
        for (name, value) in case["recall"].as_object().unwrap() {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            args.push(match &**name {
                "include_links" => "--links".to_owned(),
                "success_only" => "--success=true".to_owned(),
                "failures_only" => "--success=false".to_owned(),
                "memory_id" => format!("--id={value}"),
                "task_type" => format!("--type={value}"),
                "limit" => format!("--max={value}"),
                name => format!("--{}={value}", name.replace('_', "-")),
            });
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let want = case["want"].as_str().unwrap();
        let want = if want == "[]" { "" } else { want };
        if place.run(&args).text() != want {
            wrong.push(at);
        }
    }
    assert!(wrong.is_empty(), "of {}: {wrong:?}", cases.len());
}
