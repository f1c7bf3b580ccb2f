//! What sessions of agents were given, beside what is predicted for them; and the use that the end of
//! a session records.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::place::Place;

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The folder that Claude Code keeps for a project.
fn own_folder(place: &Place) -> PathBuf {
    let root = place.root().canonicalize().unwrap();
    let is_plain = |c: char| c.is_ascii_alphanumeric();
    let name: String = root
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if is_plain(c) { c } else { '-' })
        .collect();
    place.home().join(".claude/projects").join(name)
}

const INDEX: &str = "- [Pnpm](use-pnpm.md) — never npm\n- [Limit](upload-limit.md) — 20 MB, in config/upload.toml\n";
const LIMIT: &str = "---\nname: upload-limit\ndescription: An upload has at most 20 MB\n---\n\nAn upload may have 20 MB; the limit stands in `config/upload.toml`.\n";

/// A project with files of instructions, a nested one, and memories of Claude Code.
fn project() -> Place {
    let place = Place::bare();
    for (path, text) in [
        ("CLAUDE.md", "# Shop\n\nRun the tests before you finish.\n"),
        (
            "web/CLAUDE.md",
            "# Web\n\n- Pages live in `web/pages.ts`.\n",
        ),
        ("AGENTS.md", "Use pnpm, never npm or yarn.\n"),
        ("web/a.ts", "export {}\n"),
    ] {
        put(&place.root().join(path), text);
    }
    let memory = own_folder(&place).join("memory");
    put(&memory.join("MEMORY.md"), INDEX);
    put(
        &memory.join("use-pnpm.md"),
        "---\nname: use-pnpm\ndescription: The package manager is pnpm\n---\n\nUse pnpm, never npm.\n",
    );
    put(&memory.join("upload-limit.md"), LIMIT);
    place
}

/// A transcript of Claude Code in a project.
fn transcript(place: &Place, name: &str, records: &[Value]) -> PathBuf {
    let file = own_folder(place).join(format!("{name}.jsonl"));
    let cwd = place.root().canonicalize().unwrap();
    let line = |record: &Value| {
        let mut record = record.clone();
        record["cwd"] = json!(cwd);
        record["sessionId"] = json!(name);
        format!("{record}\n")
    };
    put(&file, &records.iter().map(line).collect::<String>());
    file
}

fn said(role: &str, content: Value) -> Value {
    json!({"type": role, "timestamp": "2026-01-30T09:00:00Z", "message": {"role": role, "content": content}})
}

fn call(id: &str, name: &str, input: Value) -> Value {
    said(
        "assistant",
        json!([{"type": "tool_use", "id": id, "name": name, "input": input}]),
    )
}

fn result(id: &str, text: &str) -> Value {
    said(
        "user",
        json!([{"type": "tool_result", "tool_use_id": id, "content": text}]),
    )
}

fn checked(place: &Place, folder: &Path) -> Value {
    let ran = place.run(&[
        "check",
        "--sessions",
        folder.to_str().unwrap(),
        "--format",
        "json",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.json()
}

/// The files of a session with their states, and its events with their lines.
fn told(session: &Value) -> (Vec<String>, Vec<String>) {
    let text = |one: &Value, name: &str| one[name].as_str().unwrap_or("-").to_owned();
    let files = session["files"].as_array().unwrap().iter();
    let files = files.map(|one| format!("{}: {}", text(one, "path"), text(one, "state")));
    let events = session["events"].as_array().unwrap().iter();
    let events = events.map(|one| {
        format!(
            "{} {} {}",
            one["line"],
            text(one, "event"),
            text(one, "path")
        )
    });
    (files.collect(), events.collect())
}

#[test]
fn loads_reads_and_uses_of_a_session_stand_beside_the_prediction() {
    let place = project();
    let root = place.root().canonicalize().unwrap();
    let memory = own_folder(&place).join("memory");
    let file =
        |path: &Path, kind: &str, text: &str| json!({"path": path, "type": kind, "content": text});
    let attached = |attachment: Value| json!({"type": "attachment", "attachment": attachment});
    transcript(
        &place,
        "one",
        &[
            attached(
                json!({"type": "instructions", "reason": "session_start", "files": [
                    file(&root.join("CLAUDE.md"), "Project", "# Shop\n\nRun the tests before you finish.\n"),
                    file(&root.join("OLD.md"), "Project", "Old.\n"),
                    file(&memory.join("MEMORY.md"), "AutoMem", INDEX),
                ]}),
            ),
            said("user", json!("Raise the limit of the upload.")),
            call(
                "1",
                "Read",
                json!({"file_path": memory.join("upload-limit.md")}),
            ),
            result("1", LIMIT),
            call("2", "Read", json!({"file_path": root.join("web/a.ts")})),
            result("2", "export {}\n"),
            call("3", "Bash", json!({"command": "npm install upload"})),
            result("3", "added 1 package"),
            said("user", json!("Stop, we use pnpm here.")),
            call("4", "Bash", json!({"command": "cat config/upload.toml"})),
            result("4", "limit_mb = 50"),
            said("assistant", json!([{"type": "text", "text": "Done."}])),
        ],
    );
    transcript(&place, "two", &[said("user", json!("Say hello."))]);
    put(
        &own_folder(&place).join("broken.jsonl"),
        "{\"type\":\"user\",\"mess\n\u{0}\nnot json\n",
    );
    let event = |path: &Path| {
        json!({"hook_event_name": "InstructionsLoaded", "session_id": "two", "memory_type": "Project",
            "load_reason": "session_start", "file_path": path})
    };
    let event = event(&root.join("CLAUDE.md")).to_string() + "\n";
    put(&own_folder(&place).join("loaded.jsonl"), &event);
    let json = checked(&place, &place.home().join(".claude/projects"));
    let sessions = json["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2, "{json:#}");
    let (files, events) = told(&sessions[0]);
    let own = "~/.claude/projects/…/memory";
    for wanted in [
        "CLAUDE.md: as predicted".to_owned(),
        "OLD.md: differs".to_owned(),
        "web/CLAUDE.md: differs".to_owned(),
        format!("{own}/MEMORY.md: as predicted"),
        format!("{own}/upload-limit.md: not loaded"),
    ] {
        assert!(files.contains(&wanted), "{wanted}: {files:#?}");
    }
    for wanted in [
        "1 loaded CLAUDE.md".to_owned(),
        format!("3 read {own}/upload-limit.md"),
        format!("7 against {own}/use-pnpm.md"),
        format!("9 against {own}/use-pnpm.md"),
        format!("11 against {own}/upload-limit.md"),
    ] {
        assert!(events.contains(&wanted), "{wanted}: {events:#?}");
    }
    let reason = |path: &str| {
        let all = sessions[0]["files"].as_array().unwrap();
        all.iter().find(|one| one["path"] == path).unwrap()["reason"].to_string()
    };
    assert!(
        reason("OLD.md").contains("not there now"),
        "{}",
        reason("OLD.md")
    );
    assert!(
        reason("web/CLAUDE.md").contains("newer"),
        "{}",
        reason("web/CLAUDE.md")
    );
    // Its events are the only record of the second session.
    let (files, events) = told(&sessions[1]);
    assert!(
        files.contains(&"CLAUDE.md: as predicted".to_owned()),
        "{files:#?}"
    );
    assert_eq!(events, ["null loaded CLAUDE.md"]);
    fs::remove_file(own_folder(&place).join("loaded.jsonl")).unwrap();
    let json = checked(&place, &place.home().join(".claude/projects"));
    let (files, _) = told(&json["sessions"][1]);
    assert!(
        files.contains(&"CLAUDE.md: unknown".to_owned()),
        "{files:#?}"
    );
    let table = place.ok(&["check", "--sessions", own_folder(&place).to_str().unwrap()]);
    assert!(
        table.contains("against 7 9") && table.contains("2 sessions:"),
        "{table}"
    );
}

#[test]
fn sessions_of_codex_and_gemini_and_of_other_folders() {
    let place = project();
    let root = place.root().canonicalize().unwrap();
    let codex =
        |kind: &str, payload: Value| format!("{}\n", json!({"type": kind, "payload": payload}));
    let message = |role: &str, text: &str| {
        let content = json!([{"type": "input_text", "text": text}]);
        codex(
            "response_item",
            json!({"type": "message", "role": role, "content": content}),
        )
    };
    let session = |root: &Path| {
        [
            codex("session_meta", json!({"id": "c", "cwd": root})),
            message("developer", "= MEMORY_SUMMARY BEGINS =\nv1\n= MEMORY_SUMMARY ENDS ="),
            message("user", "# AGENTS.md instructions for /p\n\nUse pnpm, never npm or yarn."),
            message("user", "Add a library."),
            message("assistant", "Done.\n<oai-mem-citation>\n<citation_entries>\nMEMORY.md:3-4|note=[x]\n</citation_entries>\n</oai-mem-citation>"),
        ]
        .concat()
    };
    let folder = place.home().join("sessions");
    put(&folder.join("a.jsonl"), &session(&root));
    put(
        &folder.join("b.jsonl"),
        &session(Path::new("/elsewhere/shop")),
    );
    let gemini = [
        json!({"sessionId": "g", "directories": [&root]}),
        json!({"id": "1", "type": "user", "content": "<session_context>\n--- Context from: CLAUDE.md ---\n# Shop\n--- End of Context from: CLAUDE.md ---\n</session_context>"}),
        json!({"id": "2", "type": "user", "content": "Say hello."}),
    ];
    let gemini: String = gemini.iter().map(|line| format!("{line}\n")).collect();
    put(&folder.join("g.jsonl"), &gemini);
    let ran = place.run(&[
        "check",
        "--sessions",
        folder.to_str().unwrap(),
        "--format",
        "json",
    ]);
    assert!(
        ran.err.contains("1 session of other folders left out"),
        "{}",
        ran.err
    );
    let json = ran.json();
    let (files, events) = told(&json["sessions"][0]);
    assert!(
        files.contains(&"AGENTS.md: as predicted".to_owned()),
        "{files:#?}"
    );
    assert!(
        files.contains(&"~/.codex/memories/memory_summary.md: differs".to_owned()),
        "{files:#?}"
    );
    assert!(
        events.contains(&"5 drawn ~/.codex/memories/MEMORY.md".to_owned()),
        "{events:#?}"
    );
    let (files, _) = told(&json["sessions"][1]);
    assert!(
        files.contains(&"CLAUDE.md: differs".to_owned()),
        "{files:#?}"
    );
    // Where none is of this folder, all are compared with it.
    let ran = place.run(&[
        "check",
        "--sessions",
        folder.join("b.jsonl").to_str().unwrap(),
    ]);
    assert!(
        ran.err.contains("none ran in this folder") && ran.text().contains("AGENTS.md"),
        "{}",
        ran.err
    );
}

#[test]
fn a_folder_without_sessions_is_named() {
    let place = project();
    let folder = place.home().join("none");
    let check = |folder: &Path| place.run(&["check", "--sessions", folder.to_str().unwrap()]);
    assert_eq!(check(&folder).code, 2);
    put(&folder.join("x.jsonl"), "{\"synthetic\":true}\n[]\nnull\n");
    let ran = check(&folder);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no session in"), "{}", ran.err);
}

/// The end of a session counts the memories that its hooks gave, and those that the agent loads
/// itself; a session that ends again counts once.
#[test]
fn the_end_of_a_session_records_the_use_of_what_it_was_given() {
    let place = project();
    let given = "<memkeep-memories>\nData.\n\n## Limit [claude:upload-limit]\n\nAn upload may have 20 MB; the limit stands in `config/upload.toml`.\n</memkeep-memories>";
    let hooked = json!({"type": "attachment", "attachment":
        {"type": "hook_additional_context", "hookEvent": "UserPromptSubmit", "content": [given]}});
    let session = transcript(
        &place,
        "one",
        &[
            said("user", json!("Where does it stand?")),
            hooked,
            call("1", "Bash", json!({"command": "cat config/upload.toml"})),
            result("1", "max = 20"),
        ],
    );
    let event = json!({"hook_event_name": "SessionEnd", "cwd": place.root(), "session_id": "one",
        "transcript_path": session});
    let end = || {
        let ran = place.run_with(event.to_string().as_bytes(), &["hook"]);
        assert_eq!((ran.code, &*ran.text(), &*ran.err), (0, "", ""));
    };
    let worths = || {
        let json = place.run(&["stats", "--format", "json"]).json();
        let all = json["memories"].as_array().unwrap().clone();
        let one = |one: &Value| {
            format!(
                "{} {} {}",
                one["id"].as_str().unwrap(),
                one["given"],
                one["drawn"]
            )
        };
        let mut all: Vec<String> = all.iter().map(one).collect();
        all.sort();
        all
    };
    end();
    put(
        &place.home().join("config/memkeep/config.toml"),
        "[worth]\nrecord = true\n",
    );
    assert_eq!(worths(), [""; 0]);
    end();
    let mut found = Vec::new();
    for _ in 0..200 {
        found = worths();
        if !found.is_empty() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!(found, ["claude:MEMORY 1 0", "claude:upload-limit 1 1"]);
    let used = [
        "used",
        "--answer",
        session.to_str().unwrap(),
        "--format",
        "quiet",
    ];
    assert_eq!(place.ok(&used), "claude:upload-limit\n");
    assert_eq!(worths(), found);
    // With a task, what it is given counts too.
    let more = [&used[..], &["--task", "x"]].concat();
    assert_eq!(place.run(&more).code, 0);
    let none = place.run_with(b"All is well.", &["used", "--answer", "-"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("needs a --task"), "{}", none.err);
}

/// The labelled transcripts, where they lie beside the project or `MEMKEEP_TRANSCRIPTS` names them:
/// every label is an event of its memory in its line.
#[test]
fn every_label_of_the_transcripts_is_an_event() {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut folders = above.map(|folder| folder.join("shared/corpus/transcripts"));
    let named = std::env::var_os("MEMKEEP_TRANSCRIPTS").map(PathBuf::from);
    let Some(folder) = named.or_else(|| folders.find(|folder| folder.is_dir())) else {
        println!("skipped: there is no folder shared/corpus/transcripts above the repository");
        return;
    };
    let json = checked(&Place::bare(), &folder);
    let sessions = json["sessions"].as_array().unwrap();
    let labels = fs::read_to_string(folder.join("labels.jsonl")).unwrap();
    let mut missed = Vec::new();
    for line in labels.lines() {
        let label: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| label[name].as_str().unwrap();
        let kinds: &[&str] = match text("event") {
            "available" => &["loaded"],
            "read" => &["read"],
            "followed" => &["drawn"],
            "rewritten" => &["written"],
            _ => &["against"],
        };
        let named = text("memory").split(':').next().unwrap();
        let end = format!("/{}", named.trim_end_matches(".md"));
        let session = sessions
            .iter()
            .find(|one| one["file"] == label["file"])
            .unwrap();
        let is_it = |one: &Value| {
            let path = format!("/{}", one["path"].as_str().unwrap().trim_end_matches(".md"));
            let (from, to, at) = (
                one["line"].as_u64(),
                one["to"].as_u64(),
                label["line"].as_u64(),
            );
            kinds.contains(&one["event"].as_str().unwrap())
                && path.ends_with(&end)
                && from <= at
                && at <= to
        };
        if !session["events"].as_array().unwrap().iter().any(is_it) {
            missed.push(line.to_owned());
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
