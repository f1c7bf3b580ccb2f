//! Lessons out of sessions on the command line: by rules, and by stand-in models that answer well,
//! badly, hugely and not at all.

use std::fs;

use crate::place::Place;
use crate::ran::Ran;

const SESSION: &str = r#"{"type":"user","message":{"role":"user","content":"The upload fails. We never retry a POST here, the bank books twice."},"cwd":"/w"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"pnpm test upload"}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","is_error":true,"content":"Exit code 1\n  ● upload › sends the token\n\nTypeError: token is undefined\n    at send (src/upload.ts:4:2)\nexport KEY=ghp_16C7e42F292c6912E7710c838347Ae178B4a"}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"2","name":"Edit","input":{"file_path":"/w/src/upload.ts","old_string":"a","new_string":"b"}}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"3","name":"Bash","input":{"command":"pnpm test upload"}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"3","content":"1 passed"}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"The cause was that the token is read before the login ends."}]}}
"#;

const ANSWER: &str = r##"{"shouldCreateMemory":true,"updates":null,"frontmatter":{"title":"Token order","whenToUse":["upload|token","When uploads are changed"],"tags":["upload"],"importance":"high"},"content":"# Order\n\nLog in first.","reasoning":"It cost an hour.","confidence":0.9}"##;

/// A place with a session and a model that is this script.
fn place(script: &str) -> Place {
    let place = Place::sample();
    fs::write(place.root().join("s.jsonl"), SESSION).unwrap();
    let folder = place.home().join("config/memkeep");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("model.sh"), script).unwrap();
    let settings = "[model]\ncommand = [\"sh\", \"model.sh\"]\nname = \"m\"\n";
    fs::write(folder.join("config.toml"), settings).unwrap();
    place
}

fn extract(place: &Place, more: &[&str]) -> Ran {
    let session = place.root().join("s.jsonl");
    let session = session.to_str().unwrap();
    place.run(&[&["extract", "--from", session], more].concat())
}

fn proposals(place: &Place) -> Vec<serde_json::Value> {
    let listed = place.run(&["proposals", "--format", "json"]).json();
    let mut all: Vec<_> = fs::read_dir(place.root().join(".memkeep/proposals"))
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    all.sort();
    assert_eq!(listed.as_array().unwrap().len(), all.len());
    let read = |path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    all.into_iter().map(read).collect()
}

#[test]
fn rules_propose_a_limit_and_a_fix_with_where_they_come_from() {
    let place = place("exit 1");
    let ran = extract(&place, &["--rules"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all = proposals(&place);
    let of = |tag: &str| {
        let is = |one: &&serde_json::Value| one["fields"]["tags"][0] == tag;
        all.iter()
            .find(is)
            .unwrap_or_else(|| panic!("{tag}: {all:?}"))
            .clone()
    };
    let limit = of("constraint");
    assert!(
        limit["body"]
            .as_str()
            .unwrap()
            .starts_with("We never retry a POST here")
    );
    assert_eq!(
        (&limit["by"], &limit["from"]),
        (&"claude".into(), &"s.jsonl".into())
    );
    let fix = of("fix");
    let body = fix["body"].as_str().unwrap();
    for part in [
        "sends the token",
        "TypeError: token is undefined",
        "before the login",
        "src/upload.ts",
    ] {
        assert!(body.contains(part), "{body}");
    }
    // What was rejected, and what is written down, is not proposed again.
    let ids = place.run(&["proposals", "--format", "quiet"]).lines();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    assert_eq!(
        place
            .run(&[&["review", "--accept", ids[0], "--reject"], &ids[1..]].concat())
            .code,
        0
    );
    let again = extract(&place, &["--rules"]);
    assert_eq!(
        (again.code, proposals(&place).len()),
        (1, 0),
        "{}",
        again.err
    );
}

#[test]
fn a_dry_run_and_a_request_write_nothing_and_show_no_secret() {
    let place = place("exit 1");
    let before = place.snapshot();
    let ran = extract(&place, &["--rules", "--dry-run"]);
    assert!(
        ran.text().contains("We never retry a POST here"),
        "{}",
        ran.err
    );
    let request = extract(
        &place,
        &[
            "--prompt-only",
            "--task",
            "Mend <the> upload",
            "--result",
            "partial",
        ],
    );
    let text = request.text();
    for part in [
        "task=\"Mend &lt;the&gt; upload\" result=\"partial\"",
        "agent=\"claude\"",
        "$ pnpm test upload\n",
        "<memory id=\"rawko:",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("ghp_16C7e42F292c6912E7710c838347Ae178B4a"));
    assert_eq!(place.snapshot(), before);
}

#[test]
fn a_model_proposes_a_memory_and_more_text_for_one() {
    let place = place(&format!("cat > request.txt\ncat <<'END'\n{ANSWER}\nEND\n"));
    let ran = extract(&place, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let new = &proposals(&place)[0];
    assert_eq!(new["fields"]["title"], "Token order");
    assert_eq!(new["fields"]["importance"], "high");
    assert_eq!(new["fields"]["whenToUse"][1], "When uploads are changed");
    assert_eq!(
        (&new["why"], &new["confidence"]),
        (&"It cost an hour.".into(), &0.9.into())
    );
    let id = place.run(&["list", "--format", "quiet"]).lines()[0].clone();
    let answer = ANSWER.replace("\"updates\":null", &format!("\"updates\":\"{id}\""));
    let file = place.root().join("answer.txt");
    fs::write(&file, format!("Here it is:\n```json\n{answer}\n```\n")).unwrap();
    let ran = extract(&place, &["--response", file.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let all = proposals(&place);
    let edit = all.iter().find(|one| one["action"] == "edit").unwrap();
    let old = place.run(&["show", &id, "--format", "json"]).json();
    let body = edit["body"].as_str().unwrap();
    assert!(
        body.starts_with(old["body"].as_str().unwrap().trim()),
        "{body}"
    );
    assert!(body.ends_with("Log in first.\n"), "{body}");
}

#[test]
fn a_model_that_answers_badly_proposes_nothing() {
    let cut = &ANSWER[..ANSWER.len() - 60];
    for (script, why) in [
        ("exit 3", "exit code 3"),
        ("cat > /dev/null", "empty"),
        ("echo I found nothing of worth", "holds no"),
        (&*format!("cat <<'END'\n{cut}\nEND\n"), "in the middle"),
        ("head -c 10000000 /dev/zero", "4 MB"),
    ] {
        let place = place(script);
        let before = place.snapshot();
        let ran = extract(&place, &[]);
        assert_eq!(ran.code, 2, "{script}: {}", ran.err);
        assert!(ran.err.contains(why), "{script}: {}", ran.err);
        assert_eq!(place.snapshot(), before, "{script}");
    }
    let place = place("echo '{\"shouldCreateMemory\":false,\"reasoning\":\"trivial\"}'");
    let ran = extract(&place, &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("trivial"), "{}", ran.err);
}

#[test]
fn without_a_model_a_session_or_a_store_the_reason_is_given() {
    let place = place("");
    fs::remove_dir_all(place.home().join("config")).unwrap();
    let ran = extract(&place, &[]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("no model is configured") && ran.err.contains("--rules"),
        "{}",
        ran.err
    );
    fs::write(place.root().join("s.jsonl"), "\n").unwrap();
    assert_eq!(extract(&place, &["--rules"]).code, 1);
    fs::remove_file(place.root().join("s.jsonl")).unwrap();
    assert_eq!(extract(&place, &["--rules"]).code, 2);
}
