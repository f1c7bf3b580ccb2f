//! No command runs a program that the folder names.

use std::fs;

use super::place::Place;
use crate::program::program;
use crate::repository::{Trapped, git};

/// The commands of the program.
fn commands() -> Vec<String> {
    let program = memkeep::cli::program();
    let names = program.get_subcommands().map(clap::Command::get_name);
    names.map(str::to_owned).collect()
}

/// How a command is called; one that is not listed is called by its name and with an id.
fn calls(command: &str) -> Vec<Vec<&str>> {
    let more: &[&str] = match command {
        "lint" => &[
            "",
            "--since HEAD",
            "--since HEAD~1 --format json",
            "--since HEAD --format sarif --verbose",
            "--fix --dry-run",
        ],
        "list" => &["", "--query is:new", "--format json"],
        "search" => &["memory"],
        "show" => &["changed"],
        "add" => &["Added --title Added --dry-run", "Added --title Added"],
        "edit" => &[
            "plain --set importance=low --dry-run",
            "plain --set importance=low",
        ],
        "rename" => &["plain other --dry-run", "plain other"],
        "merge" => &["clean process --dry-run", "clean process"],
        "convert" => &["clean --to cursor --dry-run", "clean --to cursor"],
        "link" | "unlink" => &["clean related changed"],
        "history" => &[
            "",
            "changed",
            "changed --restore HEAD~1 --dry-run",
            "changed --restore HEAD~1",
        ],
        "tidy" => &["--prompt-only"],
        "merge-driver" => &["changed.md changed.md changed.md .rawko/memories/changed.md"],
        "prune" => &[
            "--expired --duplicates --never-selected --older 90d --dry-run",
            "--never-selected --older 1d --yes",
        ],
        "hook" => &["claude", "generic"],
        "review" => &[
            "",
            "--format json",
            "--base HEAD~1 --format markdown",
            "--keep changed --dry-run",
            "--reject changed --dry-run",
            "--commit --dry-run",
        ],
        "proposals" => &["", "--format json"],
        "check" => &["", "--report html", "--format json"],
        "inject" => &["--task auth"],
        "used" => &["--task auth --answer .rawko/memories/changed.md"],
        "trace" => &["changed --depth 2", "changed --format json"],
        "stats" | "stores" | "prime" | "skill" | "undo" | "redo" | "init" | "demo" | "mcp" => &[""],
        "extract" => &[
            "--from - --rules",
            "--from .rawko/memories/changed.md --kind conversation --rules",
        ],
        "config" => &["print --origin", "check", "schema", "path"],
        "completions" => &["bash"],
        "doctor" => &["", "--repair --yes"],
        "man" => &["", "list"],
        _ => &["changed", "changed --dry-run"],
    };
    let call = |rest: &&'static str| {
        [command]
            .into_iter()
            .chain(rest.split_whitespace())
            .collect()
    };
    more.iter().map(call).collect()
}

/// Calls every command in a trapped repository; no program leaves a marker and the index stays.
fn nothing_runs(place: &Place, trapped: &Trapped, surrounded: bool) {
    let mut surroundings = Vec::new();
    if surrounded {
        trapped.surround(&mut |name, value| surroundings.push((name.to_owned(), value.to_owned())));
    }
    let index = trapped.index();
    let commands = commands();
    assert!(commands.len() >= 25, "{commands:?}");
    for command in &commands {
        for arguments in calls(command) {
            trapped.touch();
            let done = program(&trapped.root, &place.home())
                .args(&arguments)
                .envs(surroundings.iter().cloned())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&done.stderr);
            let wrong_use = ["required argument", "unexpected argument", "unrecognized"];
            assert!(
                !wrong_use.iter().any(|words| said.contains(words)),
                "say in `calls` how to call {arguments:?}: {said}"
            );
            assert_eq!(trapped.ran(), [""; 0], "{arguments:?}: {said}");
        }
    }
    assert_eq!(trapped.index(), index, "a command wrote the index");
}

fn markers(place: &Place) -> std::path::PathBuf {
    let markers = place.home().join("markers");
    fs::create_dir(&markers).unwrap();
    markers
}

#[test]
fn no_command_runs_a_program_that_a_repository_names() {
    let place = Place::bare();
    let trapped = Trapped::repository(&place.root(), &markers(&place));
    trapped.set(|_| true);
    trapped.lure();
    // The commands see the repository all the same.
    let lint = [
        "lint",
        "--since",
        "HEAD",
        "--rule",
        "personal-path",
        "--format",
        "json",
    ];
    let found = place.run(&lint).json();
    let memories = || {
        found["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| &one["id"])
    };
    assert!(memories().any(|id| id == "rawko:changed"), "{found}");
    assert!(memories().all(|id| id != "rawko:plain"), "{found}");
    nothing_runs(&place, &trapped, true);
}

#[test]
fn a_folder_that_is_a_git_directory_is_no_repository() {
    let place = Place::bare();
    let markers = markers(&place);
    for outer in [false, true] {
        let root = place.root().join(if outer { "clone/part" } else { "part" });
        fs::create_dir_all(&root).unwrap();
        if outer {
            let done = git(root.parent().unwrap()).args(["init", "-q"]).output();
            assert!(done.unwrap().status.success());
        }
        let trapped = Trapped::embedded(&root, &markers);
        trapped.set(|_| true);
        trapped.lure();
        nothing_runs(&place, &trapped, false);
    }
}
