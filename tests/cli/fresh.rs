//! What has gone by, on repositories of their own: names of the code, files that changed, the kept
//! history, and what cannot be read.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::place::Place;

/// A repository whose commits have the dates they are given.
pub struct Repo(pub Place);

impl Repo {
    pub fn new() -> Self {
        let repo = Self(Place::empty());
        repo.git(&["init", "-q", "-b", "main"], "2026-01-01");
        repo
    }

    pub fn git(&self, args: &[&str], day: &str) {
        let date = format!("{day}T12:00:00Z");
        let done = Command::new("git")
            .current_dir(self.0.root())
            .args(["-c", "user.name=Ines", "-c", "user.email=i@b"])
            .args(args)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    }

    pub fn commit(&self, day: &str, message: &str) {
        self.git(&["add", "-A"], day);
        self.git(&["commit", "-qm", message], day);
    }

    pub fn file(&self, path: &str, text: &str) {
        let path = self.0.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn memory(&self, name: &str, day: &str, body: &str) {
        let head = "tags: [a]\nimportance: high\ndiscoveredBy: dev\nwhenToUse: [x]";
        let text =
            format!("---\ntitle: {name}\n{head}\ndiscoveredAt: {day}T00:00:01Z\n---\n\n{body}\n");
        self.0.write(&format!("{name}.md"), text);
    }

    fn lint(&self, rule: &str) -> Value {
        self.0
            .run(&["lint", "--rule", rule, "--format", "json"])
            .json()
    }

    /// Severity and message of what a rule finds, with its evidence.
    fn found(&self, rule: &str) -> Vec<String> {
        let json = self.lint(rule);
        let findings = json["findings"].as_array().unwrap().iter();
        let one = |finding: &Value| {
            let text = |key: &str| finding[key].as_str().unwrap().to_owned();
            let evidence = finding["evidence"].as_array().unwrap().iter();
            let evidence: Vec<String> = evidence
                .map(|one| without_hash(one.as_str().unwrap()))
                .collect();
            format!(
                "{}: {} | {}",
                text("severity"),
                text("message"),
                evidence.join(" | ")
            )
        };
        findings.map(one).collect()
    }

    fn notes(&self, rule: &str) -> Vec<String> {
        let notes = self.lint(rule)["notes"].as_array().unwrap().clone();
        notes
            .iter()
            .map(|note| note["message"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The files that are kept for the next time.
    fn kept(&self, name: &str) -> PathBuf {
        let folder = self.0.home().join("cache/memkeep");
        let one = fs::read_dir(&folder).unwrap().next().unwrap().unwrap();
        one.path().join(name)
    }
}

fn without_hash(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        let hash = word.len() == 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if hash { "HASH" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn lines(word: &str) -> String {
    (0..40).map(|n| format!("fn {word}_{n}() {{}}\n")).collect()
}

/// The list on the screen marks these with `+`.
#[test]
fn what_is_new_since_the_last_commit_can_be_listed() {
    let repo = Repo::new();
    for name in ["old", "edited"] {
        repo.memory(name, "2026-01-01", "Text.");
    }
    let new = |query: &str| {
        let ran = repo.0.run(&["list", "--query", query, "--format", "quiet"]);
        ran.lines()
    };
    repo.commit("2026-01-02", "first");
    assert_eq!(new("is:new"), [""; 0]);
    repo.memory("edited", "2026-01-01", "Other text.");
    repo.memory("fresh", "2026-01-03", "Text.");
    assert_eq!(new("is:new"), ["rawko:edited", "rawko:fresh"]);
    assert_eq!(new("!is:new"), ["rawko:old"]);
    assert_eq!(new("is:new title:fresh"), ["rawko:fresh"]);
    let found = repo
        .0
        .run(&["search", "--all", "is:new", "--format", "quiet"]);
    assert_eq!(found.lines(), ["rawko:edited", "rawko:fresh"]);
}

/// Putting a name right says nothing of whether the memory still holds: what has decayed stays so.
#[test]
fn a_fix_does_not_make_a_memory_young() {
    let repo = Repo::new();
    let rows = |dated: &str, path: &str| {
        format!(
            concat!(
                r#"{{"id":"a","content":"Run {1} first.","createdAt":"2025-06-01T00:00:00Z"{0}}}"#,
                "\n",
                r#"{{"id":"b","content":"Make runs {1}.","createdAt":"2025-06-01T00:00:00Z"}}"#,
                "\n",
            ),
            dated, path,
        )
    };
    let dated = r#","updatedAt":1748736000.5"#;
    let file = "memory/items/semantic.jsonl";
    repo.file(file, &rows(dated, "tools/pack.py"));
    repo.file("tools/pack.py", &"print('pack')\n".repeat(9));
    repo.commit("2026-01-02", "one");
    repo.file("pipeline/keep", "");
    repo.git(&["mv", "tools/pack.py", "pipeline/pack.py"], "2026-01-03");
    repo.commit("2026-01-03", "two");
    repo.0.ok(&["lint", "--rule", "stale-path", "--fix"]);
    let text = || fs::read_to_string(repo.0.root().join(file)).unwrap();
    // The key of duplicates is the content's.
    let without_key = |line: &str| {
        let (row, _) = line.split_once(r#","fingerprint""#).unwrap();
        format!("{row}}}\n")
    };
    let fixed: String = text().lines().map(without_key).collect();
    assert_eq!(fixed, rows(dated, "pipeline/pack.py"));
    // Nor is it put away: what still holds is worth a word of a person.
    let told = repo.0.told(&["lint", "--rule", "expired", "--fix"]);
    assert!(told.contains("archive it: a person decides"), "{told}");
    assert!(text().contains("1748736000.5"), "{}", text());
    repo.0.ok(&["edit", "a", "--set", "content=Run make."]);
    assert!(!text().contains("1748736000.5"), "{}", text());
}

#[test]
fn names_that_left_the_code_are_followed_to_the_commit_that_took_them() {
    let repo = Repo::new();
    repo.file(
        "src/jobs.rs",
        "pub struct Sweeper;\nimpl Sweeper {\n    pub fn sweep_holds(&self) {}\n}\n",
    );
    repo.file(
        "src/pay.ts",
        "export function payTwice() {\n  return 2;\n}\n",
    );
    repo.file(
        "docs/notes.md",
        "payTwice and sweep_holds are told of here\n",
    );
    repo.memory(
        "a",
        "2026-01-05",
        "Call `Sweeper::sweep_holds()`, then `payTwice()`; `never_there()`.",
    );
    repo.memory("b", "2026-01-05", "In `later_on()` rows are swept.");
    repo.commit("2026-01-06", "first");
    // It wanders once before it goes.
    repo.file(
        "src/old.ts",
        "export function payTwice() {\n  return 2;\n}\n",
    );
    repo.file("src/pay.ts", "export const one = 1;\n");
    repo.file(
        "src/jobs.rs",
        "pub struct Sweeper;\nimpl Sweeper {\n    pub fn sweep_all_holds(&self) {}\n}\n",
    );
    repo.commit("2026-01-10", "Say what is swept");
    assert_eq!(
        repo.found("stale-symbol"),
        [
            "info: `Sweeper::sweep_holds()` is not in the code any more | `sweep_holds` is not there | \
          it was defined in `src/jobs.rs` | taken out in HASH on 2026-01-10 by Ines: Say what is swept"
        ]
    );
    repo.git(&["rm", "-q", "src/old.ts"], "2026-01-12");
    repo.commit("2026-01-12", "Pay once");
    let found = repo.found("stale-symbol");
    assert_eq!(found.len(), 2);
    assert_eq!(
        found[1],
        "info: `payTwice()` is not in the code any more | it was defined in `src/old.ts` | \
         taken out in HASH on 2026-01-12 by Ines: Pay once"
    );
    // What nobody committed counts, and what is kept is not believed blindly.
    assert_eq!(repo.found("stale-symbol"), found);
    repo.file("src/new.ts", "payTwice();\n");
    assert_eq!(repo.found("stale-symbol").len(), 1);
    fs::write(repo.kept("symbols"), b"{broken").unwrap();
    assert_eq!(repo.found("stale-symbol").len(), 1);
}

#[test]
fn a_command_is_gone_with_the_version_that_listed_its_target() {
    let repo = Repo::new();
    repo.memory("a", "2026-01-02", "Run `make lint` and `npm run check`.");
    repo.file("Makefile", "lint:\n\truff check\nbuild:\n\tcc a.c\n");
    repo.file("web/package.json", r#"{"scripts": {"check": "tsc"}}"#);
    repo.commit("2026-01-02", "Begin");
    assert_eq!(repo.found("stale-command"), [""; 0]);
    repo.file("Makefile", "lint-all:\n\truff check\nbuild:\n\tcc a.c\n");
    repo.commit("2026-01-10", "Lint all");
    let lint = "warning: `make lint` is gone from `Makefile`: did you mean `make lint-all`? | \
                taken out in HASH on 2026-01-10 by Ines: Lint all";
    assert_eq!(repo.found("stale-command"), [lint]);
    // A script that moves to another package is there all the same.
    repo.file("package.json", r#"{"scripts": {"check": "tsc"}}"#);
    repo.git(&["rm", "-q", "web/package.json"], "2026-01-12");
    repo.commit("2026-01-12", "One package");
    assert_eq!(repo.found("stale-command"), [lint]);
    repo.git(&["rm", "-q", "package.json"], "2026-01-14");
    repo.commit("2026-01-14", "No package");
    let check = "info: `npm run check` is gone from `package.json` | \
                 taken out in HASH on 2026-01-14 by Ines: No package";
    assert_eq!(repo.found("stale-command"), [lint, check]);
}

#[test]
fn the_kept_history_is_made_anew_where_it_is_broken() {
    let repo = Repo::new();
    for name in ["one", "two", "three"] {
        repo.file(&format!("src/{name}.rs"), &lines(name));
    }
    repo.memory(
        "a",
        "2026-01-05",
        "`src/one.rs`, `src/two.rs`, `src/three.rs`",
    );
    repo.commit("2026-01-06", "first");
    assert_eq!(repo.found("stale-path"), [""; 0]);
    repo.git(&["rm", "-q", "src/one.rs"], "2026-01-07");
    repo.commit("2026-01-07", "Drop one");
    let one = "warning: `src/one.rs` is gone | deleted in HASH on 2026-01-07 by Ines: Drop one";
    assert_eq!(repo.found("stale-path"), [one]);
    let longer = fs::read(repo.kept("log")).unwrap();
    for broken in [&b""[..], b"x", b"memkeep log 2\tHEAD\t\t00\n"] {
        fs::write(repo.kept("log"), broken).unwrap();
        assert_eq!(repo.found("stale-path"), [one]);
        assert_eq!(
            fs::read(repo.kept("log")).unwrap(),
            longer,
            "it was made anew"
        );
    }
    // Another history than the kept one: nothing of it counts.
    repo.git(&["reset", "-q", "--hard", "HEAD~1"], "2026-01-08");
    repo.git(&["rm", "-q", "src/two.rs"], "2026-01-08");
    repo.commit("2026-01-08", "Drop two");
    let two = "warning: `src/two.rs` is gone | deleted in HASH on 2026-01-08 by Ines: Drop two";
    assert_eq!(repo.found("stale-path"), [two]);
    // A folder that cannot be written to costs time only.
    fs::remove_dir_all(repo.0.home().join("cache")).unwrap();
    fs::write(repo.0.home().join("cache"), "a file").unwrap();
    assert_eq!(repo.found("stale-path"), [two]);
}

#[test]
fn a_file_that_became_another_is_suggested_until_it_is_confirmed() {
    let repo = Repo::new();
    repo.file("src/a.rs", &lines("a"));
    repo.memory("a", "2026-01-05", "The rows are in `src/a.rs`.");
    repo.commit("2026-01-04", "first");
    for (n, day) in ["2026-01-06", "2026-01-07", "2026-01-08"]
        .into_iter()
        .enumerate()
    {
        repo.file("src/a.rs", &(lines("b") + &lines("c")[..n * 20]));
        repo.commit(day, "Write it anew");
    }
    let found = repo.found("changed-since");
    assert_eq!(found.len(), 1);
    let says = "info: `src/a.rs` changed in 3 commits: 84 of 84 lines, old and new, are others since this was written";
    assert!(found[0].starts_with(says), "{found:?}");
    let place = &repo.0;
    let told = place.all_told(&[
        &["confirm", "a", "--dry-run"],
        &["confirm", "a"],
        &["show", "a"],
        &["confirm", "nothing"],
        &["undo"],
        &["redo"],
    ]);
    insta::assert_snapshot!(told);
    assert_eq!(repo.found("changed-since"), [""; 0]);
    let listed = place.run(&["list", "--format", "json"]).json();
    assert_eq!(listed[0]["confirmed"], "2026-01-30T12:00:00Z");
    // On one day once is enough.
    let confirmed = || fs::read_to_string(place.root().join(".memkeep/decisions.jsonl")).unwrap();
    assert_eq!(place.ok(&["confirm", "a"]), "nothing to change\n");
    assert_eq!(confirmed().lines().count(), 1);
    place.ok(&["confirm", "a", "--now", "2026-02-02T12:00:00Z"]);
    assert_eq!(confirmed().lines().count(), 2);
    place.ok(&["undo"]);
    // Another text was not confirmed.
    repo.memory("a", "2026-01-05", "All rows are in `src/a.rs`.");
    assert_eq!(repo.found("changed-since").len(), 1);
    let listed = place.run(&["list", "--format", "json"]).json();
    assert_eq!(listed[0]["confirmed"], Value::Null);
}

#[test]
fn paths_in_fields_that_are_made_for_them_are_looked_up() {
    let repo = Repo::new();
    repo.file("src/one.rs", &lines("one"));
    repo.file("src/two.rs", &lines("two"));
    let files = "source: src/one.rs\nfiles:\n  - src/two.rs\n  - src/never.rs";
    let text = format!("---\ntitle: a\n{files}\ndiscoveredAt: 2026-01-05\n---\n\nNothing.\n");
    repo.0.write("a.md", text);
    repo.commit("2026-01-06", "first");
    repo.git(&["rm", "-q", "src/one.rs"], "2026-01-07");
    repo.git(&["mv", "src/two.rs", "src/three.rs"], "2026-01-07");
    repo.commit("2026-01-07", "Tidy");
    assert_eq!(
        repo.found("stale-path"),
        [
            "warning: `src/one.rs` is gone | deleted in HASH on 2026-01-07 by Ines: Tidy",
            "warning: `src/two.rs` has moved: it is `src/three.rs` now | moved in HASH on 2026-01-07 by Ines: Tidy",
            "info: `src/never.rs` never was in the repository | files beside it are tracked",
        ]
    );
    repo.0.run(&["lint", "--fix", "--rule", "stale-path"]);
    let text = String::from_utf8(repo.0.read("a.md")).unwrap();
    assert!(
        text.contains("  - src/three.rs\n  - src/never.rs\n"),
        "{text}"
    );
}

#[test]
fn very_many_paths_that_one_commit_took_are_one_finding() {
    let repo = Repo::new();
    let paths: Vec<String> = (0..203).map(|n| format!("src/part{n}.rs")).collect();
    for path in &paths {
        repo.file(path, &lines(path));
    }
    repo.commit("2026-01-01", "first");
    repo.git(&["rm", "-rq", "src"], "2026-01-02");
    repo.commit("2026-01-02", "Drop it");
    repo.memory("a", "2026-01-01", &paths.join("\n\n"));
    let found = repo.found("stale-path");
    assert_eq!(found.len(), 1);
    let says = "warning: `src/part0.rs`, `src/part1.rs`, `src/part2.rs`, `src/part3.rs` and 199 more are gone";
    assert!(found[0].starts_with(says), "{found:?}");
    assert!(found[0].contains("`src/part202.rs`"), "{found:?}");
}

#[test]
fn what_cannot_be_read_is_noted_and_the_rest_runs() {
    let repo = Repo::new();
    repo.file("src/a.rs", &lines("a"));
    repo.file("src/gone.rs", "pub fn gone_by() {}\n");
    repo.file("Cargo.toml", "[package\n");
    repo.file("package.json", "{\"dependencies\":{\"express\":\"5.1.0\"}}");
    repo.memory(
        "a",
        "2026-01-05",
        "Express 4.19 is used. See `src/gone.rs` and `gone_by()`.",
    );
    assert_eq!(
        repo.notes("stale-path"),
        ["paths not looked up: the repository has no commits"]
    );
    assert_eq!(
        repo.notes("stale-symbol"),
        ["names not looked up: the repository has no commits"]
    );
    // Without a history manifests at the root are read.
    assert_eq!(repo.found("stale-version").len(), 1);
    repo.commit("2026-01-06", "first");
    repo.git(&["rm", "-q", "src/gone.rs"], "2026-01-07");
    repo.commit("2026-01-07", "Drop it");
    assert_eq!(repo.found("stale-path").len(), 1);
    assert_eq!(repo.found("stale-symbol").len(), 1);
    // The version that had it is missing: it is nowhere to be found, and nothing falls over.
    let hash = Command::new("git")
        .current_dir(repo.0.root())
        .args(["rev-parse", "HEAD~1:src/gone.rs"])
        .output()
        .unwrap();
    let hash = String::from_utf8(hash.stdout).unwrap();
    let (head, rest) = hash.trim().split_at(2);
    fs::remove_file(repo.0.root().join(".git/objects").join(head).join(rest)).unwrap();
    fs::remove_dir_all(repo.0.home().join("cache")).unwrap();
    assert_eq!(repo.found("stale-symbol"), [""; 0]);
    let notes = ["names looked for in 0 of 1 old versions of files only"];
    assert_eq!(repo.notes("stale-symbol"), notes);
    assert_eq!(repo.found("stale-path").len(), 1);
}

#[test]
fn a_memory_that_names_ten_thousand_paths_is_read_in_no_time_and_told_of_briefly() {
    let repo = Repo::new();
    for n in 0..300 {
        repo.file(
            &format!("src/f{n}.rs"),
            &format!("pub fn func_{n}() {{}}\n"),
        );
    }
    let paths: String = (0..10_000)
        .map(|n| format!("- `src/f{n}.rs` `func_{n}()`\n"))
        .collect();
    repo.memory("a", "2026-01-05", &paths);
    repo.commit("2026-01-06", "first");
    repo.git(&["rm", "-rq", "src"], "2026-01-07");
    repo.commit("2026-01-07", "Drop all");
    let found = ["stale-path", "stale-symbol"].map(|rule| repo.found(rule).len());
    assert_eq!(found, [1, 50]);
}

#[test]
fn a_path_that_windows_wrote_is_found() {
    let repo = Repo::new();
    repo.file("src/auth/login.ts", &lines("login"));
    repo.file("src/auth/keep.ts", &lines("keep"));
    repo.commit("2026-01-02", "First");
    repo.git(
        &["mv", "src/auth/login.ts", "src/auth/enter.ts"],
        "2026-02-01",
    );
    repo.commit("2026-02-02", "Rename the login");
    let body = "`src\\auth\\login.ts:12` checks the token, src\\auth\\keep.ts keeps it.\n\
        {\"file\": \"src\\\\auth\\\\login.ts\"}";
    repo.memory("a", "2026-01-03", body);
    let found = repo.found("stale-path");
    assert_eq!(found.len(), 1, "{found:?}");
    let says = "warning: `src/auth/login.ts` has moved: it is `src/auth/enter.ts` now | ";
    assert!(found[0].starts_with(says), "{found:?}");
}

#[test]
fn paths_in_a_submodule_are_not_called_gone() {
    let repo = Repo::new();
    let library = repo.0.home().join("library");
    fs::create_dir_all(library.join("src")).unwrap();
    fs::write(library.join("src/wire.c"), lines("wire")).unwrap();
    let path = library.display().to_string();
    repo.git(&["-C", &path, "init", "-q", "-b", "main"], "2026-01-01");
    repo.git(&["-C", &path, "add", "-A"], "2026-01-01");
    repo.git(&["-C", &path, "commit", "-qm", "Library"], "2026-01-01");
    repo.file("src/main.c", &lines("main"));
    let add = [
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        &path,
        "libs/wire",
    ];
    repo.git(&add, "2026-01-02");
    repo.commit("2026-01-03", "With the library");
    repo.memory(
        "a",
        "2026-01-04",
        "`libs/wire/src/wire.c` calls libs/wire/src/old.c, not libs/other/x.c.",
    );
    assert_eq!(repo.found("stale-path"), [""; 0]);
    repo.git(
        &["submodule", "--quiet", "deinit", "-f", "libs/wire"],
        "2026-01-05",
    );
    assert_eq!(repo.found("stale-path"), [""; 0]);
}
