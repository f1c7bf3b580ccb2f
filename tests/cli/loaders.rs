//! What the loaders of other systems give an agent: the preview and lint say the same.

use std::fs;

use serde_json::Value;

use crate::place::{Place, Ran};

fn write(place: &Place, name: &str, text: &str) {
    let path = place.root().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.root().join(name)).unwrap()
}

fn json(place: &Place, args: &[&str]) -> Value {
    place.run(&[args, &["--format", "json"]].concat()).json()
}

/// A bank with one file of another system, which names it.
fn bank(name: &str, text: &str) -> Place {
    let place = Place::bare();
    write(&place, "memory-bank/projectbrief.md", "# Brief\n\nText.\n");
    write(&place, name, text);
    place
}

/// The notes of a preview of the bank, and whether its files are given.
fn preview(place: &Place) -> (bool, String) {
    let store = ["--store", "memory-bank"];
    let all = json(place, &[&["inject", "--task", "x"], &store[..]].concat());
    let preview = &all["previews"][0];
    let given = !preview["selected"].as_array().unwrap().is_empty();
    let table = place.ok(&[&["inject", "--task", "x"], &store[..]].concat());
    let notes = table
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with("left out"));
    let notes = notes.filter(|line| {
        let parts = ["tells the agent", "names this", "loaded as rules"];
        parts.iter().any(|part| line.contains(part))
    });
    (given, notes.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_rule_that_nobody_loads_carries_no_memory_bank() {
    let says = "Read all of memory-bank/ first.\n";
    for (name, head, why) in rows! {
        ".cursor/rules/bank.md" => "" => "Cursor reads .mdc files in this folder, no .md files",
        ".cursor/rules/bank.mdc" => "---\ndescription:\nglobs:\nalwaysApply: false\n---\n" =>
            "it is attached by hand only: it has neither patterns nor a description that counts",
        ".cursor/rules/bank.mdc" => "---\nglobs: \"**/*.ts\"\n---\n" =>
            "Cursor takes the quotes for a part of the pattern: write it without",
        ".github/instructions/bank.instructions.md" => "\n---\napplyTo: \"**\"\n---\n" =>
            "it is attached by hand only: the first line is not `---`, so its fields are text",
        ".clinerules/bank.md" => "---\ndisabled: true\n---\n" => "`disabled: true` switches it off",
        ".cline/rules/bank.md" => "---\nenabled: false\n---\n" => "`enabled: false` switches it off",
        ".clinerules/bank.md" => "---\npaths: [\n---\n" => "its frontmatter is not YAML",
        "CLAUDE.md" => "<!--\nRead all of memory-bank/ first.\n-->\nUse tabs.\n%" =>
            "only its fields or comments do, which no agent is given",
        ".clinerules/memory-bank.md" => "---\nname: memory-bank\n---\n%" => "it has no text",
    } {
        let text = match head.strip_suffix('%') {
            Some(whole) => whole.to_owned(),
            None => format!("{head}{says}"),
        };
        let place = bank(name, &text);
        let told = format!("{name} names this folder and does not count: {why}");
        assert_eq!(preview(&place), (false, told.clone()), "{name}: {text}");
        let lint = json(
            &place,
            &[
                "lint",
                "--store",
                "memory-bank",
                "--rule",
                "invisible-to-loader",
            ],
        );
        let evidence = lint["findings"][0]["evidence"].to_string();
        assert!(evidence.contains(&told.replace('"', "\\\"")), "{lint:#}");
    }
}

#[test]
fn the_rule_that_carries_a_memory_bank_is_named() {
    let says = "Read all of memory-bank/ first.\n";
    for (name, head, when) in rows! {
        "AGENTS.md" => "" => "",
        ".clinerules" => "" => "",
        ".cline/rules/bank.md" => "---\nname: bank\n---\n" => "",
        ".cursor/rules/bank.mdc" => "---\nalwaysApply: true\n---\n" => "",
        ".cursor/rules/bank.mdc" => "---\ndescription: How to begin\n---\n" =>
            " (the model sees its description and may read it)",
        ".cursor/rules/bank.mdc" => "---\nglobs: src/**\n---\n" =>
            " (a file that matches `src/**` attaches it)",
        ".github/instructions/bank.instructions.md" => "---\napplyTo: \"**\"\n---\n" => "",
    } {
        let place = bank(name, &format!("{head}{says}"));
        let told =
            format!("{name} tells the agent to read these files{when}; no program loads them");
        assert_eq!(preview(&place), (true, told), "{name}: {head}");
    }
    // An import of CLAUDE.md is loaded with it; a rule of the person's own counts too, and one that
    // is always given before one that is not.
    let place = bank("CLAUDE.md", "See @docs/how.md.\n");
    write(&place, "docs/how.md", says);
    write(
        &place,
        ".cursor/rules/a.mdc",
        &format!("---\ndescription: Bank\n---\n{says}"),
    );
    assert!(
        preview(&place)
            .1
            .starts_with("docs/how.md tells the agent to read these files;")
    );
    fs::remove_file(place.root().join("CLAUDE.md")).unwrap();
    let own = place.home().join("Documents/Cline/Rules");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("bank.md"), says).unwrap();
    assert!(
        preview(&place)
            .1
            .starts_with("~/Documents/Cline/Rules/bank.md tells the agent")
    );
}

#[test]
fn a_file_of_the_task_is_named_from_the_root_from_here_or_absolute() {
    let place = Place::bare();
    for name in ["src", "lib"] {
        let rule = format!("---\nglobs: {name}/*.ts\n---\nT\n");
        write(&place, &format!(".cursor/rules/{name}.mdc"), &rule);
    }
    write(&place, "src/deep/x.ts", "");
    write(&place, "lib/a.ts", "");
    write(&place, ".git/HEAD", "ref: refs/heads/main\n");
    let root = place.root().canonicalize().unwrap();
    let absolute = root.join("src/a.ts").display().to_string();
    let src = "src/*.ts";
    for (folder, file, expected) in [
        ("", "src/a.ts", src),
        ("", "./src/a.ts", src),
        ("", &absolute, src),
        ("src", "a.ts", src),
        ("src", "src/a.ts", src),
        ("src", "lib/b.ts", "lib/*.ts"),
        ("src", "../lib/b.ts", "lib/*.ts"),
        ("src/deep", &absolute, src),
        ("src/deep", "../a.ts", src),
        ("src/deep", "lib/a.ts", "lib/*.ts"),
        ("src/deep", "x.ts", ""),
        ("src", "/elsewhere/src/a.ts", ""),
    ] {
        let args = ["inject", "--task", "x", "--file", file, "--format", "json"];
        let json = place.run_in(&root.join(folder), &args).json();
        let selected = json["previews"][0]["selected"].as_array().unwrap();
        let each = selected
            .iter()
            .map(|one| one["match"]["pattern"].as_str().unwrap());
        assert_eq!(
            each.collect::<Vec<_>>().join(" "),
            expected,
            "{folder} {file}"
        );
    }
}

#[test]
fn a_comment_of_claude_md_costs_nothing() {
    let place = Place::bare();
    let text = "Use tabs.\n";
    let comment = "<!-- For people:\n@docs/more.md is not imported from here. -->\n";
    write(&place, "CLAUDE.md", &format!("{comment}{text}"));
    write(&place, "docs/more.md", "More.\n");
    let rule = "---\npaths: src/**\n---\nRule.\n";
    write(&place, ".claude/rules/a.md", &format!("{rule}{comment}"));
    let listed = place.ok(&["inject", "--task", "x", "--file", "src/a.ts"]);
    let of = |path: &str| {
        let mut lines = listed.lines().map(str::trim);
        let line = lines.find(|line| line.starts_with(path))?;
        line.split(" · ").nth(1).map(str::to_owned)
    };
    assert_eq!(of("CLAUDE.md").as_deref(), Some("3 tokens"), "{listed}");
    assert_eq!(
        of(".claude/rules/a.md").as_deref(),
        Some("2 tokens"),
        "{listed}"
    );
    assert_eq!(of("docs/more.md"), None, "{listed}");
    // As a store of the terminal UI it gives the same text.
    let context = ["--store", "context"];
    let args = ["inject", "--task", "x", "--format", "prompt"];
    assert_eq!(place.ok(&[&args[..], &context].concat()), text.trim());
    let all = json(&place, &[&["list"], &context[..]].concat());
    assert_eq!(all[0]["tokens"], 2, "{all:#}");
}

#[test]
fn an_import_of_a_rule_is_loaded_with_the_rule() {
    let place = Place::bare();
    write(
        &place,
        ".claude/rules/api.md",
        "---\npaths: src/api/**\n---\nSee @../../docs/api.md\n",
    );
    write(&place, "docs/api.md", "About @more.md.\n");
    write(&place, "docs/more.md", "More.\n");
    let args = ["inject", "--task", "x", "--store", "context"];
    for (file, given) in [("src/api/a.ts", 3), ("src/b.ts", 0)] {
        let all = json(&place, &[&args[..], &["--file", file]].concat());
        let preview = &all["previews"][0];
        assert_eq!(
            preview["selected"].as_array().unwrap().len(),
            given,
            "{all:#}"
        );
        if given == 0 {
            let rejected = preview["rejected"].as_array().unwrap().iter();
            let hints: Vec<&str> = rejected.filter_map(|one| one["hint"].as_str()).collect();
            let why = ".claude/rules/api imports it and is not loaded";
            assert!(hints.contains(&why), "{hints:?}");
        }
    }
}

#[test]
fn a_header_of_copilot_that_nothing_closes_is_read() {
    let place = Place::bare();
    let name = ".github/instructions/a.instructions.md";
    write(
        &place,
        name,
        "---\napplyTo: \"**/*.ts\"\n\nNote: use tabs.\n",
    );
    let args = ["inject", "--task", "x", "--file", "a.ts"];
    let all = json(&place, &args);
    let selected = &all["previews"][0]["selected"];
    assert_eq!(selected.as_array().unwrap().len(), 1, "{all:#}");
    let fields = &json(&place, &["show", "a.instructions"])["fields"];
    assert_eq!(fields.as_object().unwrap().len(), 1, "{fields:#}");
    let lint = place.run(&["lint"]).text();
    let says = "the frontmatter is never closed: the whole file is taken for fields";
    assert!(lint.contains(says), "{lint}");
}

#[test]
fn serenas_settings_of_the_person_hold_too() {
    let place = Place::bare();
    for name in ["core", "_old/x", "adr/1"] {
        write(
            &place,
            &format!(".serena/memories/{name}.md"),
            "# One\n\nText.\n",
        );
    }
    let settings = "read_only_memory_patterns: [adr/.*]\n";
    write(&place, ".serena/project.yml", settings);
    let own = "read_only_memory_patterns:\n- global/.*\n- core\nignored_memory_patterns: [_old/.*, global/_.*, '(?!x)y']\n";
    // The person's folder may be another one.
    for folder in [".serena", "elsewhere"] {
        let at = |name: &str| place.home().join(folder).join(name);
        fs::create_dir_all(at("memories/global")).unwrap();
        fs::write(at("serena_config.yml"), own).unwrap();
        for name in ["style", "_away"] {
            fs::write(at(&format!("memories/global/{name}.md")), "# G\n\nText.\n").unwrap();
        }
        let run = |more: &[&str]| {
            let mut command = place.command(&place.root());
            if folder != ".serena" {
                command.env("SERENA_HOME", place.home().join(folder));
            }
            let args = ["inject", "--task", "", "--store", "serena"];
            Ran::from(command.args(args).args(more).output().unwrap())
        };
        let all = run(&["--format", "json"]).json();
        let of = all["previews"].as_array().unwrap().iter();
        let hints = of.flat_map(|one| one["rejected"].as_array().unwrap());
        let hints = hints.map(|one| format!("{}: {}", one["id"], one["hint"]).replace('"', ""));
        let hints = hints.collect::<Vec<_>>().join("\n");
        let prompt = run(&["--format", "prompt"]).text();
        let table = run(&[]).text();
        let names = "{\"memories\": [], \"read_only_memories\": [\"adr/1\", \"core\"]}\n\n\
             {\"memories\": [], \"read_only_memories\": [\"global/_away\", \"global/style\"]}";
        assert_eq!(prompt, names);
        let given = |name: &str| format!("the agent is given the name `{name}`");
        for (id, says) in rows! {
            "adr/1" => "the agent is given its name and may read it, not write it".to_owned(),
            "_old/x" => "the system's settings ignore its name".to_owned(),
            "style" => given("global/style") + " and may read it, not write it",
            "_away" => given("global/_away") + "; the system's settings ignore it: it cannot be read",
        } {
            assert!(hints.contains(&format!(":{id}: {says}")), "{id}: {hints}");
        }
        let note = "not known: which names the pattern `(?!x)y` of the settings matches";
        assert!(table.contains(note), "{table}");
    }
}

#[test]
fn fields_below_the_first_line_are_not_edited() {
    for (name, above, below) in rows! {
        ".github/instructions/a.instructions.md" => "\n\n" => "\nText.\n",
        ".github/instructions/a.instructions.md" => "<!-- note -->\n" => "Text.\n",
        ".cursor/rules/a.mdc" => "A heading\n\n" => "\nText.\n",
    } {
        let place = Place::bare();
        let front = "---\ndescription: About it\n---\n";
        let before = format!("{above}{front}{below}");
        write(&place, name, &before);
        let list = place.ok(&["list", "--format", "quiet"]);
        let id = list.trim();
        let edit = ["edit", id, "--set", "description=Other"];
        let refused = place.run(&edit);
        assert_eq!(refused.code, 2, "{}", refused.err);
        let line = above.lines().count() + 1;
        let says = format!("begin on line {line}, and");
        let hint = "move them there in your editor";
        assert!(
            refused.err.contains(&says) && refused.err.contains(hint),
            "{}",
            refused.err
        );
        assert_eq!(read(&place, name), before);
        let sees = |place: &Place| {
            let all = json(place, &["inject", "--task", "x"]);
            all["previews"][0]["rejected"][0]["reason"].clone()
        };
        assert_eq!(sees(&place), "not_applicable");
        write(&place, name, &format!("{front}{above}{below}"));
        assert_eq!(sees(&place), "reachable");
        place.ok(&edit);
    }
}

#[test]
fn a_bank_among_rules_is_loaded_with_them() {
    let place = Place::bare();
    write(
        &place,
        ".kilocode/rules/memory-bank/brief.md",
        "# Brief\n\nText.\n",
    );
    let (given, notes) = preview(&place);
    assert!(given, "{notes}");
    assert!(
        notes.contains("loaded as rules: the store lies in .kilocode/rules"),
        "{notes}"
    );
    assert!(!notes.contains("no program loads them"), "{notes}");
}
