//! What a task is given altogether: one total in every form, counted on the text itself.

use std::fs;

use serde_json::Value;

use crate::place::Place;

/// The sample project.
fn sample() -> Place {
    let place = Place::bare();
    let root = place.root();
    fs::remove_dir(&root).unwrap();
    let into = root.display().to_string();
    let home = place.home();
    assert_eq!(place.run_in(&home, &["demo", "--into", &into]).code, 0);
    place
}

fn inject(place: &Place, more: &[&str]) -> String {
    let ran = place.run(&[&["inject"], more].concat());
    assert_eq!(ran.code, 0, "{more:?}: {}", ran.err);
    ran.text()
}

fn tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

const TASKS: [&str; 4] = [
    "Let operators use single sign-on",
    "fix the webhook signature",
    "write a haiku about autumn",
    "",
];

#[test]
fn the_tokens_of_a_store_are_those_of_the_text_that_it_gives() {
    let place = sample();
    let stores = place.ok(&["stores", "--format", "quiet"]);
    assert!(stores.lines().count() >= 5, "{stores}");
    for task in TASKS {
        for policy in [None, Some("hybrid")] {
            for store in stores.lines() {
                let mut args = vec!["--task", task, "--store", store];
                args.extend(policy.iter().flat_map(|policy| ["--policy", *policy]));
                let with = |format| inject(&place, &[&args[..], &["--format", format]].concat());
                let json: Value = serde_json::from_str(&with("json")).unwrap();
                let given = tokens(&with("prompt"));
                let case = format!("{store}, {policy:?}: {task}");
                assert_eq!(json["previews"][0]["tokens"], given, "{case}");
                assert_eq!(json["tokens"], given, "{case}");
                let table = with("table");
                let head = table.lines().next().unwrap();
                assert!(head.contains(&format!(" {given} ")), "{case}: {head}");
                assert!(!head.ends_with(" 1 tokens"), "{case}: {head}");
            }
        }
    }
}

#[test]
fn every_form_has_the_same_total() {
    let place = sample();
    for task in TASKS {
        let args = ["--task", task, "--format"];
        let with = |format| inject(&place, &[&args[..], &[format]].concat());
        let json: Value = serde_json::from_str(&with("json")).unwrap();
        let together = &json["together"];
        let number = |of: &Value| of.as_u64().unwrap();
        let (all, memories) = (number(&together["tokens"]), number(&together["memories"]));
        assert_eq!(memories, tokens(&with("prompt")), "{task}");
        assert_eq!(json["tokens"], memories, "{task}");
        assert_eq!(all, memories + number(&together["context"]), "{task}");
        assert!(number(&together["context"]) > 0, "{task}");
        let table = with("table");
        assert!(
            table.contains(&format!("together: {all} tokens (")),
            "{table}"
        );
        let report = with("markdown");
        assert!(report.contains(&format!("| **{all}** |")), "{report}");
        for (agent, tokens) in together["agents"].as_object().unwrap() {
            let row = format!("| of these for {agent} | | {tokens} |");
            assert!(report.contains(&row), "{report}");
        }
    }
}

#[test]
fn memkeeps_own_ranking_reads_descriptions() {
    let place = Place::bare();
    let file = |name: &str, about: &str| {
        let text = format!("---\nname: {name}\ndescription: {about}\n---\n\nSee the page.\n");
        let folder = place.root().join(".claude/memory");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}.md")), text).unwrap();
    };
    file("one", "Invoices round half even on every line");
    file("two", "Websocket clients reconnect with jitter");
    let args = [
        "--policy",
        "hybrid",
        "--task",
        "rounding of invoices",
        "--format",
        "json",
    ];
    let json: Value = serde_json::from_str(&inject(&place, &args)).unwrap();
    let preview = &json["previews"][0];
    assert_eq!(preview["selected"][0]["id"], "claude:one", "{preview:#}");
    assert_eq!(preview["selected"][0]["factors"][0]["name"], "description");
    let hint = preview["rejected"][0]["hint"].as_str().unwrap();
    assert!(
        hint.contains("`rounding`") || hint.contains("`invoices`"),
        "{hint}"
    );
}

#[test]
fn a_suggestion_is_a_whole_word_of_the_task() {
    let place = Place::sample();
    let args = [
        "--policy",
        "hybrid",
        "--task",
        "use SQLite",
        "--format",
        "json",
    ];
    let json: Value = serde_json::from_str(&inject(&place, &args)).unwrap();
    let rejected = json["previews"][0]["rejected"].as_array().unwrap();
    let hints = rejected.iter().filter_map(|one| one["hint"].as_str());
    let hints: Vec<&str> = hints
        .filter(|hint| hint.contains("if it is about"))
        .collect();
    assert!(!hints.is_empty(), "{json:#}");
    assert!(
        hints.iter().all(|hint| hint.contains("`sqlite`")),
        "{hints:?}"
    );
}

/// What an agent gets no text of is ranked as the hook ranks it.
#[test]
fn topics_below_the_index_are_ranked_as_the_hook_does() {
    let place = sample();
    for (task, is_handed_out) in [
        ("the sandbox is closed", false),
        ("use the paylane sandbox", true),
    ] {
        let args = ["--store", "claude", "--task", task, "--format", "json"];
        let json: Value = serde_json::from_str(&inject(&place, &args)).unwrap();
        let rejected = &json["previews"][0]["rejected"];
        assert_eq!(rejected[0]["id"], "claude:paylane-sandbox", "{json:#}");
        let hint = rejected[0]["hint"].as_str().unwrap();
        assert!(hint.contains("`sandbox`"), "{hint}");
        let says = |hint: &str| hint.starts_with("a hook would hand it out for ");
        assert_eq!(says(hint), is_handed_out, "{hint}");
        let ran = place.run_with(task.as_bytes(), &["hook", "generic", "--store", "claude"]);
        let given = ran.text();
        for one in rejected.as_array().unwrap() {
            let (id, hint) = (one["id"].as_str().unwrap(), one["hint"].as_str().unwrap());
            let is_given = given.contains(&format!("[{id}]"));
            assert_eq!(says(hint), is_given, "{id}: {hint}");
        }
    }
}

/// The hook chooses from all stores and has room for 9,000 bytes; a hint says what is missing.
#[test]
fn hints_about_the_hook_are_true_of_it() {
    let place = Place::bare();
    let claude = place.root().join(".claude/memory");
    fs::create_dir_all(&claude).unwrap();
    fs::create_dir_all(place.root().join(".serena/memories")).unwrap();
    let long =
        "# Fix fog popping at night\n\n".to_owned() + &"Clouds drift over the sea. ".repeat(360);
    for (file, text) in [
        (
            "MEMORY.md",
            "# Index\n\n- [fog](fog.md)\n- [sky](sky.md)\n- [hud](hud.md)\n",
        ),
        (
            "fog.md",
            "# Fog\n\nFog pops at night: popping fog is far.\n",
        ),
        ("sky.md", long.as_str()),
        ("hud.md", "# HUD\n\nThe layer. Fix: none at night.\n"),
        (
            "../../.serena/memories/night_fog_popping.md",
            "Night fog popping: fixed.\n",
        ),
    ] {
        fs::write(claude.join(file), text).unwrap();
    }
    let prompt = "Fix fog popping at night";
    let hints = || -> Vec<(String, String)> {
        let json = inject(&place, &["--task", prompt, "--format", "json"]);
        let json: Value = serde_json::from_str(&json).unwrap();
        let previews = json["previews"].as_array().unwrap().iter();
        let rejected = previews.flat_map(|one| one["rejected"].as_array().unwrap().clone());
        let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
        rejected
            .map(|one| (text(&one, "id"), text(&one, "hint")))
            .collect()
    };
    let ran = place.run_with(prompt.as_bytes(), &["hook", "generic"]);
    let given = ran.text();
    let all = hints();
    for (id, hint) in &all {
        let is_said = hint.starts_with("a hook would hand it out for `");
        assert_eq!(is_said, given.contains(&format!("[{id}]")), "{id}: {hint}");
    }
    let hint = |id: &str| &all.iter().find(|(own, _)| own == id).unwrap().1;
    let long = hint("claude:sky");
    assert!(
        long.starts_with("no room for it in the hook's answer: ")
            && long.contains(" bytes, 9000 for all"),
        "{long}"
    );
    let little = hint("claude:hud");
    assert!(little.starts_with("too little for the hook: "), "{little}");
    assert!(little.contains(" points; without `"), "{little}");
    place.ok(&["init", "--claude", "--yes"]);
    let all = hints();
    assert!(
        all.iter()
            .any(|(_, hint)| hint.starts_with("the hook hands it out for `")),
        "{all:?}"
    );
}

/// The hook is given no files of a task.
#[test]
fn files_of_a_task_change_nothing_of_what_the_hook_does() {
    let place = sample();
    let rule = place.root().join(".cursor/rules/a.mdc");
    fs::create_dir_all(rule.parent().unwrap()).unwrap();
    fs::write(rule, "---\nglobs: src/*.ts\n---\nText.\n").unwrap();
    let task = ["--task", "use the paylane sandbox", "--format", "json"];
    let rejected = |files: &[&str]| {
        let json: Value = serde_json::from_str(&inject(&place, &[&task, files].concat())).unwrap();
        let previews = json["previews"].as_array().unwrap().clone();
        let mut own = previews.into_iter().filter(|one| one["store"] == "claude");
        own.next().unwrap()["rejected"].clone()
    };
    let files = [
        "--file",
        "src/payments/refund/card.ts",
        "--file",
        "web/checkout/basket.ts",
    ];
    assert_eq!(rejected(&files), rejected(&[]));
}

#[test]
fn a_report_shows_texts_of_stores_literally() {
    let place = Place::bare();
    let text =
        "# Result<T> <!-- and | more\n\n- Types <b>of</b> `a` that @octocat wrote, see #12.\n";
    for file in [".clinerules/x.md", ".roo/rules/x.md"] {
        let path = place.root().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let report = inject(&place, &["--task", "# do @this", "--format", "markdown"]);
    for shown in [
        "\nTask: `# do @this`\n",
        "| `Result<T> <!-- and \\| more` |",
    ] {
        assert!(report.contains(shown), "{shown}: {report}");
    }
}

#[test]
fn the_index_of_an_agent_is_given_to_that_agent_alone() {
    let place = Place::bare();
    let folders = [
        "memory",
        "agent-memory/reviewer",
        "agent-memory-local/tester",
    ];
    for (n, folder) in (1..).zip(folders) {
        let folder = place.root().join(".claude").join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("MEMORY.md"), "word ".repeat(n * 400)).unwrap();
    }
    let json = inject(&place, &["--task", "x", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let expected = serde_json::json!({
        "Claude Code": 500,
        "Claude Code's reviewer": 1000,
        "Claude Code's tester": 1500,
    });
    assert_eq!(json["together"]["agents"], expected);
}

#[test]
fn only_agents_that_follow_imports_are_given_them() {
    let place = Place::bare();
    let write = |path: &str, text: &str| {
        let path = place.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("CLAUDE.md", "Read @docs/rules.md first.\n");
    write("docs/rules.md", "Name each test after what it shows.\n");
    write(".claude/rules/a.md", "Keep functions short.\n");
    let json: Value =
        serde_json::from_str(&inject(&place, &["--task", "x", "--format", "json"])).unwrap();
    let files = json["context"].as_array().unwrap();
    let agents = |path: &str| {
        let file = files.iter().find(|file| file["path"] == path).unwrap();
        file["agents"].clone()
    };
    assert_eq!(agents("docs/rules.md"), serde_json::json!(["Claude Code"]));
    assert_eq!(
        agents(".claude/rules/a.md"),
        serde_json::json!(["Claude Code", "Copilot"])
    );
}
