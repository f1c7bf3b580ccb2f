//! Fixes that nobody looks at do no harm: stores that earlier fixes damaged, and real ones.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fresh::Repo;
use crate::place::Place;

const INDEX: &str = ".claude/memory/MEMORY.md";

fn write(place: &Place, name: &str, text: &str) {
    let path = place.root().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.root().join(name)).unwrap()
}

fn topic(place: &Place, folder: &str, name: &str, kind: &str) {
    let text = format!(
        "---\nname: {name}\ndescription: About {name}\nmetadata:\n  type: {kind}\n---\n\nText.\n"
    );
    write(place, &format!("{folder}/{name}.md"), &text);
}

/// An index with rules of the team above a list of so many files.
fn with_files(place: &Place, count: usize) -> String {
    let mut index =
        "# Memory\n\n## Rules that always hold\n\n- Never push to main\n- Ask before a migration\n\n"
            .to_owned();
    for n in 0..count {
        writeln!(index, "- [t{n}](t{n}.md) — about {n}").unwrap();
        topic(
            place,
            ".claude/memory",
            &format!("t{n}"),
            ["project", "user"][n % 2],
        );
    }
    write(place, INDEX, &index);
    index
}

/// The fixes of the findings of a rule, by title.
fn titles(place: &Place, rule: &str) -> Vec<String> {
    let found = place.run(&["lint", "--rule", rule, "--format", "json"]);
    let found = found.json();
    let findings = found["findings"].as_array().unwrap().iter();
    let titles = findings.filter_map(|one| one["fix"]["title"].as_str());
    titles.map(str::to_owned).collect()
}

fn fix(place: &Place) -> String {
    let ran = place.run(&["lint", "--fix", "--fail-on", "never"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.err
}

#[test]
fn an_index_near_its_limit_gets_no_lines_and_keeps_its_order() {
    let place = Place::bare();
    let index = with_files(&place, 174);
    for n in 0..40 {
        topic(&place, ".claude/memory", &format!("more-{n}"), "user");
    }
    let said = fix(&place);
    assert_eq!(read(&place, INDEX), index);
    let left = "[index-orphan] list `more-0.md` in line 182 of 200: a person decides";
    assert!(said.contains(left), "{said}");
    // Past its limit it is not sorted either, and no fix is offered.
    let index = with_files(&place, 210);
    fix(&place);
    assert_eq!(read(&place, INDEX), index);
    assert!(titles(&place, "index-overflow").is_empty());
}

#[test]
fn a_file_that_an_index_misses_is_looked_for_in_the_store() {
    let place = Place::bare();
    topic(&place, ".claude/memory", "a", "user");
    topic(&place, ".claude/memory/sub", "moved", "user");
    topic(&place, ".claude/memory/one", "twice", "user");
    topic(&place, ".claude/memory/two", "twice", "user");
    topic(&place, ".claude/memory", "other-case", "user");
    let index = "- [A](a.md)\n- [Design System](DESIGN.md) — the source of truth\n- [M](moved.md)\n- [T](twice.md)\n- [C](Other-Case.md)\n- [G](gone.md) — nowhere\n";
    write(&place, INDEX, index);
    fix(&place);
    assert_eq!(read(&place, INDEX), index);
    let text = place.run(&["lint", "--rule", "index-dangling"]).text();
    let several = "`twice.md` is not there; it may be `one/twice.md` or `two/twice.md`";
    assert!(text.contains(several), "{text}");
    // The finding about all of them has one fix for all.
    for (title, line) in [
        (
            "take line 2 out, and 3 more",
            "- [Design System](DESIGN.md) — the source of truth\n",
        ),
        (
            "name `sub/moved.md` instead, and 2 more",
            "- [M](moved.md)\n",
        ),
        (
            "name `other-case.md` instead, take line 4 out",
            "- [C](Other-Case.md)\n",
        ),
        ("take line 3 out", "- [G](gone.md) — nowhere\n"),
    ] {
        assert_eq!(titles(&place, "index-dangling"), [title]);
        let found = place.run(&["lint", "--rule", "index-dangling", "--format", "json"]);
        let diff = found.json()["findings"][0]["fix"]["diff"].to_string();
        assert!(diff.contains(&format!("-{}", line.trim_end())), "{diff}");
        assert!(diff.contains("-- [G](gone.md) — nowhere"), "{diff}");
        write(&place, INDEX, &read(&place, INDEX).replace(line, ""));
    }
}

#[test]
fn no_agent_gets_a_line_that_nobody_asked_for() {
    let place = Place::bare();
    let agents: Vec<String> = (0..8)
        .map(|n| format!(".claude/agent-memory/agent-{n}"))
        .collect();
    for agent in &agents {
        write(&place, &format!("{agent}/MEMORY.md"), "# Notes\n");
        topic(&place, agent, "inbox", "project");
    }
    let before = place.snapshot();
    let said = fix(&place);
    assert!(place.snapshot() == before, "{said}");
    assert!(said.contains("list `inbox.md` in line 2 of 200"), "{said}");
}

#[test]
fn a_fix_that_pushes_a_line_past_the_cut_is_left() {
    let repo = Repo::new();
    let code = (0..50).fold(String::new(), |text, n| text + &format!("fn f{n}() {{}}\n"));
    repo.file("src/a.rs", &code);
    repo.commit("2026-01-02", "first");
    let far = "src/a/folder/far/below/the/root/of/it/all/a.rs";
    repo.file(far, &code);
    fs::remove_file(repo.0.root().join("src/a.rs")).unwrap();
    repo.commit("2026-01-03", "Move it");
    let words = "word ".repeat(4_900);
    let head = format!("# Memory\n\nThe parser is in `src/a.rs`.\n\n{words}\n\n");
    let last = "- [t](t.md) — the last one\n";
    repo.file(".claude/memory/t.md", "---\nname: t\n---\n\nT.\n");
    for room in [10, 100] {
        let index = format!(
            "{head}{}\n{last}",
            "x".repeat(25_000 - head.len() - last.len() - room)
        );
        repo.file(INDEX, &index);
        let said = fix(&repo.0);
        if room == 10 {
            let why = "entries below the cut: 0 become 1";
            assert!(said.contains(why), "{said}");
            assert_eq!(read(&repo.0, INDEX), index);
        } else {
            assert_eq!(
                read(&repo.0, INDEX),
                index.replace("src/a.rs", far),
                "{said}"
            );
        }
    }
}

#[test]
fn of_a_file_in_another_case_and_its_copy_neither_is_chosen() {
    let repo = Repo::new();
    let text = (0..50).fold(String::new(), |text, n| {
        text + &format!("Step {n} of it.\n")
    });
    repo.file("guides/Setup.md", &text);
    repo.commit("2026-01-02", "first");
    repo.git(&["mv", "guides/Setup.md", "guides/setup.md"], "2026-01-03");
    repo.file("mirror/Setup.md", &text);
    repo.commit("2026-01-03", "Rename the guide and mirror it");
    repo.0.write(
        "a.md",
        "---\ntitle: a\ntags: [a]\nimportance: high\ndiscoveredBy: dev\nwhenToUse: [x]\ndiscoveredAt: 2026-01-02T00:00:01Z\n---\n\nThe steps are in `guides/Setup.md`.\n",
    );
    assert!(titles(&repo.0, "stale-path").is_empty());
    let found = repo.0.run(&["lint", "--rule", "stale-path"]).text();
    let either = "it may be `guides/setup.md` or `mirror/Setup.md` now";
    assert!(found.contains(either), "{found}");
}

#[test]
fn an_index_is_ordered_after_one_yes_that_shows_the_cut() {
    let place = Place::bare();
    let index = with_files(&place, 210);
    let asked = place.run(&["reorder"]);
    assert_eq!((asked.code, read(&place, INDEX)), (2, index.clone()));
    let cut = "entries below the cut: 17 become 17";
    assert!(asked.text().contains("+- [t1](t1.md)"), "{}", asked.text());
    assert!(
        asked
            .err
            .contains("moves lines of .claude/memory/MEMORY.md"),
        "{}",
        asked.err
    );
    assert!(
        asked.err.contains("`reorder --yes` does it"),
        "{}{cut}",
        asked.err
    );
    place.ok(&["reorder", "--yes"]);
    assert!(read(&place, INDEX) != index);
}

/// What an owner minds: the lines of an index, and how many of them are loaded.
fn indexes(root: &Path) -> HashMap<PathBuf, (Vec<String>, usize)> {
    let mut all = HashMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("MEMORY.md") {
                let text = fs::read_to_string(&path).unwrap_or_default();
                let lines: Vec<String> = text.lines().map(str::to_owned).collect();
                let units = |part: &str| part.encode_utf16().count() + 1;
                let mut room = 25_000_usize;
                let fits = lines.iter().take(200).take_while(|line| {
                    let own = units(line);
                    let is_left = own <= room;
                    room = room.saturating_sub(own);
                    is_left
                });
                let loaded = fits.count();
                all.insert(path, (lines, loaded));
            }
        }
    }
    all
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (path, into) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &into);
        } else {
            fs::write(into, fs::read(path).unwrap()).unwrap();
        }
    }
}

/// How many memories of a project agents can get, and how many words its files have.
fn reached(place: &Place) -> (usize, usize) {
    let preview = ["inject", "--task", "x", "--format", "json", "--explain"];
    let preview = place.run(&preview).json();
    let all = preview["previews"].as_array().into_iter().flatten();
    let lost = |verdict: &&serde_json::Value| {
        matches!(
            verdict["reason"].as_str(),
            Some("invisible" | "invalid" | "disabled")
        )
    };
    let lost: usize = all
        .map(|one| {
            one["rejected"]
                .as_array()
                .unwrap()
                .iter()
                .filter(lost)
                .count()
        })
        .sum();
    let words = place.snapshot().into_iter().map(|(_, bytes)| {
        let text = String::from_utf8_lossy(&bytes);
        text.split_whitespace().count()
    });
    (lost, words.sum())
}

#[test]
fn real_stores_lose_nothing_by_their_fixes() {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let mut folders = above.map(|folder| folder.join("shared/corpus"));
    let Some(corpus) = folders.find(|folder| folder.is_dir()) else {
        println!("skipped: there is no folder shared/corpus above the repository");
        return;
    };
    let kinds = [
        ("claude-memory", ""),
        ("claude-agent-memory", ""),
        ("claude-elsewhere", ".claude/memory"),
        ("serena", ""),
        ("cursor-rules", ""),
    ];
    let mut seen = 0;
    for (kind, into) in kinds {
        for store in fs::read_dir(corpus.join(kind))
            .into_iter()
            .flatten()
            .flatten()
        {
            let place = Place::bare();
            copy(&store.path(), &place.root().join(into));
            let (before, reach) = (indexes(&place.root()), reached(&place));
            let said = fix(&place);
            let name = store.path();
            let after = indexes(&place.root());
            for (path, (lines, loaded)) in &before {
                let (now, is) = &after[path];
                assert!(lines.len() == now.len() && loaded == is, "{path:?}: {said}");
                // A line that is not as it was is where it was.
                let stays = lines.iter().zip(now).filter(|(a, b)| a != b);
                for (was, _) in stays {
                    assert!(!now.contains(was), "{path:?} moves {was}");
                }
            }
            let now = reached(&place);
            assert!(now.0 <= reach.0 && now.1 >= reach.1, "{name:?}: {said}");
            seen += 1;
        }
    }
    println!("{seen} stores");
}
