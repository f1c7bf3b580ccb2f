//! Completion in the real shells, and the manual as `man` reads it. A program that is not installed is
//! named, and its test passes.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::Place;

/// A folder with the sample project, and a shell in it that finds memkeep.
struct Shell {
    place: Place,
    project: PathBuf,
}

impl Shell {
    /// None where the program is not installed.
    fn of(name: &str) -> Option<Self> {
        let found = Command::new(name).arg("--version").output();
        if !found.is_ok_and(|out| out.status.success()) {
            eprintln!("skipped: {name} is not installed");
            return None;
        }
        let place = Place::bare();
        place.ok(&["demo", "--into", "sample"]);
        let project = place.root().join("sample");
        Some(Self { place, project })
    }

    fn run(&self, shell: &str, script: &str) -> String {
        let own = Path::new(env!("CARGO_BIN_EXE_memkeep")).parent().unwrap();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
        let plain: &[&str] = match shell {
            "bash" => &["--norc", "--noprofile", "-c"],
            "zsh" => &["-f", "-c"],
            _ => &["--no-config", "-c"],
        };
        let mut command = self.place.command(&self.project);
        let program = command
            .get_envs()
            .map(|(name, value)| (name.to_owned(), value.map(Into::into)));
        let variables: Vec<(_, Option<std::ffi::OsString>)> = program.collect();
        command = Command::new(shell);
        command
            .args(plain)
            .arg(script)
            .current_dir(&self.project)
            .env_clear();
        for (name, value) in variables {
            command.env(name, value.unwrap_or_default());
        }
        let out = command
            .env("PATH", std::env::join_paths(folders).unwrap())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(err, "", "{shell}: {script}");
        String::from_utf8(out.stdout).unwrap()
    }
}

/// Lines to complete, and something that is offered.
const OFFERED: [(&str, &str); 8] = [
    ("memkeep sho", "show"),
    ("memkeep show rawko:board", "rawko:boarding-pass-codes"),
    ("memkeep show boarding", "boarding-pass-codes"),
    ("memkeep --store ral", "ralph"),
    ("memkeep lint --rule stale-", "stale-path"),
    ("memkeep edit x --set import", "importance="),
    ("memkeep edit x --set importance=hi", "importance=high"),
    ("memkeep config pri", "print"),
];

#[test]
fn bash_completes_commands_ids_stores_rules_fields_and_values() {
    let Some(shell) = Shell::of("bash") else {
        return;
    };
    // Bash parts words at these, and puts the last part in the place of its own.
    let parts = |line: &str| -> Vec<String> {
        let line = line.replace(':', " : ").replace('=', " = ");
        line.split(' ')
            .filter(|part| !part.is_empty())
            .map(|part| format!("'{part}'"))
            .collect()
    };
    let mut script = "source <(memkeep completions bash)\n".to_owned();
    for (line, _) in OFFERED {
        let (words, length) = (parts(line), line.len());
        script += &format!(
            "COMP_LINE='{line}' COMP_POINT={length} COMP_WORDS=({}) COMP_CWORD={}\n\
             _memkeep memkeep \"${{COMP_WORDS[COMP_CWORD]}}\"; echo \"${{COMPREPLY[*]}}\"\n",
            words.join(" "),
            words.len() - 1
        );
    }
    let out = shell.run("bash", &script);
    for ((line, offered), reply) in OFFERED.iter().zip(out.split_inclusive('\n')) {
        let begun = line.rsplit(' ').next().unwrap();
        let last = offered.strip_prefix(begun.rfind([':', '=']).map_or("", |at| &begun[..=at]));
        let words: Vec<&str> = reply.split_whitespace().collect();
        assert!(words.contains(&last.unwrap()), "{line}: {out}");
    }
}

#[test]
fn zsh_completes_commands_ids_stores_rules_fields_and_values() {
    let Some(shell) = Shell::of("zsh") else {
        return;
    };
    // In the place of what shows the candidates.
    let mut script = "compdef() { : }\n_describe() { print -rl -- ${(P)argv[3]} }\n\
                      source <(memkeep completions zsh)\n"
        .to_owned();
    for (line, _) in OFFERED {
        script += &format!(
            "words=({line}) CURRENT=${{#words}}; _clap_dynamic_completer_memkeep; print -- ---\n"
        );
    }
    let out = shell.run("zsh", &script);
    for ((line, offered), reply) in OFFERED.iter().zip(out.split("---\n")) {
        let offered = offered.replace(':', "\\:");
        let is_it = |shown: &str| {
            let value = shown.strip_prefix(&*offered);
            value.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        assert!(reply.lines().any(is_it), "{line}: {out}");
    }
}

#[test]
fn fish_completes_commands_ids_stores_rules_fields_and_values() {
    let Some(shell) = Shell::of("fish") else {
        return;
    };
    let mut script = "memkeep completions fish | source\n".to_owned();
    for (line, _) in OFFERED {
        script += &format!("complete -C '{line}'; echo ---\n");
    }
    let out = shell.run("fish", &script);
    for ((line, offered), reply) in OFFERED.iter().zip(out.split("---\n")) {
        let mut values = reply.lines().filter_map(|line| line.split('\t').next());
        assert!(values.any(|value| value == *offered), "{line}: {out}");
    }
}

#[test]
fn nothing_of_a_project_reaches_a_shell_that_it_would_obey() {
    let Some(shell) = Shell::of("bash") else {
        return;
    };
    let head = "---\ntitle: \"\\e[2J\"\nwhenToUse: x\n---\n\nx\n";
    let memories = shell.project.join(".rawko/memories");
    std::fs::write(memories.join("zz$(touch ran).md"), head).unwrap();
    std::fs::write(memories.join("zz\u{1b}[2J.md"), head).unwrap();
    let line = "memkeep show rawko:zz";
    let script = format!(
        "source <(memkeep completions bash)\nCOMP_LINE='{line}' COMP_POINT={} \
         COMP_WORDS=(memkeep show rawko : zz) COMP_CWORD=4\n_memkeep memkeep zz; echo \"${{COMPREPLY[*]}}\"",
        line.len()
    );
    let out = shell.run("bash", &script);
    assert_eq!(out.trim(), r"zz\$\(touch\ ran\)", "{out}");
    assert!(!shell.project.join("ran").exists());
}

#[test]
fn every_shell_has_a_script() {
    let place = Place::bare();
    for (shell, has) in [
        ("bash", "complete"),
        ("zsh", "#compdef"),
        ("fish", "complete"),
        ("nushell", "export extern"),
    ] {
        assert!(place.ok(&["completions", shell]).contains(has), "{shell}");
    }
    assert_eq!(place.run(&["completions", "csh"]).code, 2);
}

#[test]
fn the_manual_has_a_page_for_every_command_that_renders_without_warnings() {
    let Some(shell) = Shell::of("man") else {
        return;
    };
    let pages = shell.place.root().join("man");
    shell.place.ok(&["man", "--into", pages.to_str().unwrap()]);
    let one = shell.place.ok(&["man", "lint"]);
    assert!(one.contains("write\\-baseline"), "{one}");
    let files = std::fs::read_dir(&pages)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = files.collect();
    let commands = memkeep::cli::program();
    for command in commands.get_subcommands() {
        let page = pages.join(format!("memkeep-{}.1", command.get_name()));
        assert!(files.contains(&page), "{}", page.display());
    }
    let shown = Command::new("man")
        .args(["--warnings", "-l"])
        .args(&files)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&shown.stderr);
    assert!(shown.status.success() && said.is_empty(), "{said}");
    assert_eq!(shell.place.run(&["man", "lst"]).code, 2);
}
