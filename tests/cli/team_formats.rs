//! Formats that a team describes in `.memkeep/formats/`.

use std::fs;

use crate::place::Place;

const NOTES: &str = "name = \"decisions\"\nabout = \"decision records\"\npolicy = \"globs\"\nproject = [\"docs/decisions\"]\narchive = \"../decisions-archive\"\nuntitled = [\"heading\"]\n\n[settings]\ndialect = \"kiro\"\nalways = \"yes\"\n\n[[field]]\nname = \"status\"\nkind = \"choice\"\nchoices = [\"draft\", \"agreed\"]\nrequired = true\ndefault = \"draft\"\nhelp = \"how far it is\"\n\n[[field]]\nname = \"files\"\nkind = \"patterns\"\nrole = \"patterns\"\nstyle = \"lines\"\nhelp = \"files that it is about\"\n";

fn place(table: &str) -> Place {
    let place = Place::bare();
    let folder = place.root().join(".memkeep/formats");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("decisions.toml"), table).unwrap();
    place
}

#[test]
fn a_table_gives_store_fields_lint_and_preview() {
    let place = place(NOTES);
    let made = place.ok(&["init", "--as", "decisions"]);
    assert!(made.contains("made docs/decisions"), "{made}");
    place.ok(&[
        "add",
        "We retry once.",
        "--title",
        "Retries",
        "--set",
        "files=src/*.ts",
    ]);
    let text = fs::read_to_string(place.root().join("docs/decisions/retries.md")).unwrap();
    assert_eq!(
        text,
        "---\nstatus: draft\nfiles:\n  - \"src/*.ts\"\n---\n\n# Retries\n\nWe retry once.\n"
    );
    assert_eq!(place.ok(&["stores", "--format", "quiet"]), "decisions\n");
    assert_eq!(
        place.ok(&[
            "list",
            "--store",
            "decisions",
            "--query",
            "status:draft",
            "--format",
            "quiet"
        ]),
        "decisions:retries\n"
    );
    place.ok(&["edit", "retries", "--set", "status=agreed"]);
    let wrong = place.run(&["edit", "retries", "--set-new", "status=maybe"]);
    let lint = place.run(&["lint", "--format", "json"]);
    assert!(
        wrong.code != 0 || lint.text().contains("unknown-value"),
        "{}",
        lint.text()
    );
    let inject = place.ok(&[
        "inject", "--task", "x", "--file", "src/a.ts", "--format", "prompt",
    ]);
    assert!(inject.contains("We retry once."), "{inject}");
    // Configurations may name it, and memories come and go.
    fs::write(
        place.root().join(".memkeep/config.toml"),
        "[lint.store.decisions]\noff = [\"name-style\"]\n",
    )
    .unwrap();
    let listed = place.run(&["list", "--format", "quiet"]);
    assert_eq!((listed.code, listed.err.as_str()), (0, ""));
    let said = place.ok(&["convert", "retries", "--to", "cursor"]);
    let rule = fs::read_to_string(place.root().join(".cursor/rules/retries.mdc")).unwrap();
    assert!(rule.contains("globs: src/*.ts\n"), "{rule}");
    assert!(
        said.contains("cursor has no place for it: status"),
        "{said}"
    );
    fs::create_dir_all(place.root().join("elsewhere")).unwrap();
    fs::write(place.root().join("elsewhere/a.md"), "# A\n\nText.\n").unwrap();
    let given = ["list", "--store", "elsewhere", "--as", "decisions"];
    assert!(place.ok(&given).contains('A'));
}

#[test]
fn a_wrong_table_is_told_with_its_place_and_the_others_work() {
    let place = place(&NOTES.replace("\"globs\"", "\"sometimes\""));
    let folder = place.root().join(".memkeep/formats");
    fs::write(
        folder.join("good.toml"),
        NOTES
            .replace("docs/decisions", "records")
            .replace("decisions", "records"),
    )
    .unwrap();
    fs::create_dir_all(place.root().join("records")).unwrap();
    fs::write(place.root().join("records/a.md"), "# A\n\nText.\n").unwrap();
    let listed = place.run(&["list", "--format", "quiet"]);
    assert_eq!(listed.text(), "records:a\n");
    assert!(
        listed.err.contains("`policy`: unknown policy `sometimes`"),
        "{}",
        listed.err
    );
    assert!(listed.err.contains("decisions.toml:3:10"), "{}", listed.err);
    for args in [
        ["list", "--as", "decisions"].as_slice(),
        &["init", "--as", "decisions"],
        &["add", "x", "--store", "decisions"],
    ] {
        let unknown = place.run(args);
        assert_eq!(unknown.code, 2);
        let told = |part: &str| unknown.err.contains(part);
        assert!(
            told("decisions.toml:3:10") && told("`policy`: unknown"),
            "{args:?}: {}",
            unknown.err
        );
    }
    assert!(place.run(&["lint"]).err.contains("unknown policy"));
}

#[test]
fn nothing_outside_of_the_repository_is_read_because_of_a_table() {
    let place = place(&NOTES.replace("../decisions-archive", "../../../home"));
    fs::create_dir_all(place.root().join("docs/decisions")).unwrap();
    fs::write(place.root().join("docs/decisions/a.md"), "# A\n").unwrap();
    fs::write(place.home().join("secret.md"), "# Secret\n").unwrap();
    let listed = place.run(&["list", "--all"]);
    assert!(!listed.text().contains("Secret"));
    assert!(
        listed.err.contains("a path stays inside the repository"),
        "{}",
        listed.err
    );
    #[cfg(unix)]
    {
        let folder = place.root().join(".memkeep/formats");
        let away = place.home().join("away.toml");
        fs::write(&away, NOTES).unwrap();
        std::os::unix::fs::symlink(&away, folder.join("link.toml")).unwrap();
        let listed = place.run(&["list"]);
        assert!(
            listed
                .err
                .contains("a symbolic link: a file of the project is a regular file"),
            "{}",
            listed.err
        );
    }
}

#[test]
fn every_table_makes_a_store() {
    for (format, path) in [
        ("junie", ".junie/guidelines.md"),
        ("claude", ".claude/memory"),
        ("copilot", ".github/instructions"),
        ("cline", ".clinerules"),
        ("serena", ".serena/memories"),
    ] {
        let place = Place::bare();
        let made = place.ok(&["init", "--as", format]);
        assert!(made.contains(&format!("made {path}")), "{made}");
        let is_file = place.root().join(path).is_file();
        assert_eq!(is_file, format == "junie", "{format}");
        assert_eq!(made.contains("memkeep edit"), is_file, "{made}");
        let has_index = place.root().join(path).join("MEMORY.md").is_file();
        assert_eq!(has_index, format == "claude", "{format}");
    }
}

/// The words of a line of a shell, single quotes taken off.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    let marked: String = parts
        .map(|(n, part)| match n % 2 {
            0 => part.to_owned(),
            _ => part.replace(' ', "\0"),
        })
        .collect();
    let words = marked.split_whitespace();
    words.map(|word| word.replace('\0', " ")).collect()
}

#[test]
fn the_documented_example_works() {
    let page = include_str!("../../docs/own-formats.md");
    let block = |mark: &str| {
        let (_, rest) = page.split_once(&format!("\n```{mark}\n")).unwrap();
        rest.split_once("\n```").unwrap().0.to_owned()
    };
    let table = block("toml");
    let place = place(&table);
    let (_, commands) = page.split_once(&table).unwrap();
    let (_, commands) = commands.split_once("\n```\n\n```\n").unwrap();
    let commands = commands.split_once("\n```").unwrap().0;
    let mut all = String::new();
    for line in commands.lines() {
        let words = words(line.strip_prefix("memkeep ").unwrap());
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let printed = place.ok(&args);
        if args.first() == Some(&"inject") {
            assert!(printed.contains("src/http/*.ts"), "{printed}");
            let mut prompt = args.clone();
            prompt.extend(["--format", "prompt"]);
            assert_eq!(place.ok(&prompt), "# Retries\n\nWe retry once.");
        }
        all.push_str(&printed);
    }
    assert!(all.contains("decisions:retries"), "{all}");
    assert!(place.root().join(".cursor/rules/retries.mdc").is_file());
    // A quoted pattern and a list in one line are read as well.
    for files in ["\"src/*.ts\"", "[\"src/*.ts\", \"lib/*.ts\"]"] {
        let path = place.root().join("docs/decisions/other.md");
        fs::write(
            path,
            format!("---\nstatus: agreed\nfiles: {files}\n---\n\nOther.\n"),
        )
        .unwrap();
        let given = [
            "inject",
            "--task",
            "x",
            "--store",
            "decisions",
            "--file",
            "src/a.ts",
        ];
        assert!(place.ok(&given).contains("other"), "{files}");
        let lint = place.run(&["lint", "--store", "decisions"]);
        assert!(
            !lint.text().contains("pattern-never-matches"),
            "{}",
            lint.text()
        );
    }
}

#[test]
fn a_store_with_a_place_of_any_name_is_made_where_a_person_says() {
    let place = place(&NOTES.replace("\"docs/decisions\"", "\"docs/*/decisions\""));
    let refused = place.run(&["init", "--as", "decisions"]);
    assert_eq!(refused.code, 2);
    let hint = "say which one: `memkeep init docs/NAME/decisions --as decisions`";
    assert!(refused.err.contains(hint), "{}", refused.err);
    let elsewhere = place.run(&["init", "elsewhere", "--as", "decisions"]);
    assert_eq!(elsewhere.code, 2);
    let hint = "they are looked for at docs/*/decisions";
    assert!(elsewhere.err.contains(hint), "{}", elsewhere.err);
    assert!(!place.root().join("elsewhere").exists());
    place.ok(&["init", "docs/api/decisions", "--as", "decisions"]);
    place.ok(&["init", "docs/web/decisions"]);
    assert!(
        place
            .ok(&["init", "docs/web/decisions"])
            .contains("is there already")
    );
    let stores = place.ok(&["stores", "--format", "quiet"]);
    assert_eq!(
        stores,
        "decisions@docs/api/decisions\ndecisions@docs/web/decisions\n"
    );
}

#[test]
fn a_folder_of_a_format_of_memkeep_is_not_taken_by_a_place_of_any_name() {
    let place = place(&NOTES.replace("\"docs/decisions\"", "\"docs/*\""));
    for name in ["memory-bank", "api"] {
        let folder = place.root().join("docs").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("projectbrief.md"), "# A\n\nText.\n").unwrap();
    }
    let listed = place.run(&["list", "--format", "quiet"]);
    assert_eq!((listed.err.as_str(), listed.code), ("", 0));
    let ids = "memory-bank:projectbrief\ndecisions:projectbrief\n";
    assert_eq!(listed.text(), ids);
}

#[test]
fn an_index_needs_no_fields_and_defaults_have_the_type_of_their_field() {
    let table = "name = \"decisions\"\nabout = \"records\"\npolicy = \"index\"\nproject = [\"docs/decisions\"]\narchive = \"archive\"\nuntitled = [\"heading\"]\n\n[index]\nfile = \"INDEX.md\"\nlines = 20\nunits = 4000\nline = 200\n\n[[field]]\nname = \"level\"\nkind = \"number\"\nrequired = true\ndefault = \"3\"\nhelp = \"how bad\"\n\n[[field]]\nname = \"words\"\nkind = \"tags\"\nrole = \"tags\"\ndefault = \"a, b\"\nhelp = \"words\"\n";
    let place = place(table);
    let folder = place.root().join("docs/decisions");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("INDEX.md"), "# Index\n\n- [A](a.md): about a\n").unwrap();
    place.ok(&["add", "Text.", "--title", "A"]);
    let text = fs::read_to_string(folder.join("a.md")).unwrap();
    assert_eq!(text, "---\nlevel: 3\nwords: [a, b]\n---\n\n# A\n\nText.\n");
    let lint = place.run(&["lint", "--format", "json"]).text();
    assert!(
        !lint.contains("load-error") && !lint.contains("invisible"),
        "{lint}"
    );
}
