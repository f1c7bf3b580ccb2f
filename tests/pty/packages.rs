//! The packages of a release: what is in them, and that they start the program in a terminal.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::harness::{self, Pty};

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A program of `PATH`, or a message that the test is skipped without it.
fn tool(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name));
    let found = found.into_iter().find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: {name} is absent");
    }
    found
}

/// Runs pack.py; false with a message where Python is absent or too old.
fn pack(words: &[&OsStr]) -> bool {
    let Some(python) = tool("python3") else {
        return false;
    };
    let toml = Command::new(&python)
        .args(["-c", "import tomllib"])
        .output();
    if !toml.unwrap().status.success() {
        eprintln!("skipped: Python is older than 3.11");
        return false;
    }
    let script = project().join(".ci/packages/pack.py");
    let output = Command::new(python).arg(script).args(words).output();
    let output = output.unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    true
}

/// Packs a file as the binary of a target.
fn pack_binary(target: &str, binary: &Path, out: &Path) -> bool {
    let words = [OsStr::new("binary"), target.as_ref(), binary.as_ref()];
    pack(&[&words[..], &[out.as_ref()]].concat())
}

/// The manifest of the crate.
fn manifest() -> toml::Table {
    let text = fs::read_to_string(project().join("Cargo.toml")).unwrap();
    text.parse().unwrap()
}

const RELEASED: [&str; 3] = [
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "universal-apple-darwin",
];

/// Files of a folder with their bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut all: Vec<_> = entries
        .map(|path| (name(&path), fs::read(&path).unwrap()))
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn a_release_has_a_package_for_every_system() {
    let folder = tempfile::tempdir().unwrap();
    let binary = folder.path().join("binary");
    fs::write(&binary, "#!/bin/sh\n").unwrap();
    let made = ["once", "twice"].map(|name| folder.path().join(name));
    for out in &made {
        for target in RELEASED {
            if !pack_binary(target, &binary, out) {
                return;
            }
        }
        pack(&[OsStr::new("finish"), out.as_ref()]);
    }
    let packages = files(&made[0]);
    assert!(
        packages == files(&made[1]),
        "the same input gives the same bytes"
    );
    let has = |name: &str| packages.iter().any(|(package, _)| package == name);
    let manifest = manifest();
    let crate_table = &manifest["package"];
    let version = crate_table["version"].as_str().unwrap();

    // `cargo binstall` asks for archives that there are.
    let binstall = &crate_table["metadata"]["binstall"];
    let overrides = binstall["overrides"].as_table().unwrap();
    let one = |target: &str| {
        let own = overrides.get(target).unwrap_or(binstall);
        let url = own["pkg-url"].as_str().unwrap();
        url.replace("{ version }", version)
            .replace("{ name }", "memkeep")
            .replace("{ target }", target)
            .replace("{ archive-suffix }", ".tar.gz")
    };
    for target in RELEASED.iter().copied().take(2).chain([
        "x86_64-unknown-linux-gnu",
        "aarch64-unknown-linux-gnu",
        "x86_64-apple-darwin",
        "aarch64-apple-darwin",
    ]) {
        let url = one(target);
        assert!(has(url.rsplit('/').next().unwrap()), "{target}: {url}");
        assert!(!url.replace("{ repo }", "").contains('{'), "{url}");
    }

    // So does the formula, and it knows what is in them.
    let formula = fs::read_to_string(made[0].join("memkeep.rb")).unwrap();
    assert!(!formula.contains('@'), "{formula}");
    let sums = fs::read_to_string(made[0].join("SHA256SUMS")).unwrap();
    for (sum, name) in sums.lines().filter_map(|line| line.split_once("  ")) {
        assert!(has(name), "{name}");
        assert_eq!(
            name.ends_with(".tar.gz"),
            formula.contains(sum) && formula.contains(name)
        );
    }
    assert_eq!(sums.lines().count(), packages.len() - 1);

    // The workflow builds these systems and no others.
    let workflow = fs::read_to_string(project().join(".github/workflows/release.yml")).unwrap();
    let built = workflow.lines().filter_map(|line| {
        let (_, rest) = line.split_once("{ target: ")?;
        rest.split(',').next()
    });
    assert_eq!(built.collect::<BTreeSet<_>>(), BTreeSet::from(RELEASED));
}

/// The binary of a release build, for this system; the tests build none.
fn release_binary() -> Option<PathBuf> {
    let own = std::env::var_os("MEMKEEP_PACKAGED").map(PathBuf::from);
    let built = ["dist", "release"].map(|profile| {
        let target = Path::new(env!("CARGO_BIN_EXE_memkeep")).parent();
        target.unwrap().with_file_name(profile).join("memkeep")
    });
    let found = own.into_iter().chain(built).find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: no binary is built with the profile dist or release");
    }
    found
}

/// The package of a kind that a folder has.
fn package(folder: &Path, start: &str, end: &str) -> PathBuf {
    let names = files(folder).into_iter().map(|(name, _)| name);
    let mut fit = names.filter(|name| name.starts_with(start) && name.ends_with(end));
    folder.join(fit.next().unwrap())
}

#[test]
fn packages_start_the_demo_from_an_empty_cache() {
    let architecture = std::env::consts::ARCH;
    if cfg!(not(target_os = "linux")) || !["x86_64", "aarch64"].contains(&architecture) {
        eprintln!("skipped: packages of local builds are for Linux");
        return;
    }
    let Some(binary) = release_binary() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("packages");
    let target = format!("{architecture}-unknown-linux-gnu");
    if !pack_binary(&target, &binary, &out) {
        return;
    }
    pack(&[OsStr::new("finish"), out.as_ref()]);
    let home = folder.path().join("home");
    fs::create_dir(&home).unwrap();
    let open = |mut command: portable_pty::CommandBuilder| {
        for (name, value) in [
            ("UV_OFFLINE", "1"),
            ("UV_PYTHON_DOWNLOADS", "never"),
            ("npm_config_offline", "true"),
            ("npm_config_update_notifier", "false"),
        ] {
            command.env(name, value);
        }
        let pty = Pty::start(command);
        pty.text("tideline");
        pty.quit("q");
    };
    if let Some(uvx) = tool("uvx") {
        let mut command = harness::command(uvx, &home);
        command.arg("--from");
        command.arg(package(&out, "memkeep_cli-", ".whl"));
        command.args(["memkeep", "demo"]);
        open(command);
    }
    if let Some(npx) = tool("npx") {
        let mut command = harness::command(npx, &home);
        command.arg("--yes");
        for start in ["memkeep-linux-", "memkeep-0"] {
            command.arg("--package");
            command.arg(package(&out, start, ".tgz"));
        }
        command.args(["--", "memkeep", "demo"]);
        open(command);
    }
}

/// True if a licence expression is fulfilled by licences that are allowed.
fn is_allowed(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    // Expressions of crates nest one level: alternatives of conjunctions, or the other way round.
    let parts = |text: &str, word: &str| -> Vec<String> {
        let (mut depth, mut all, mut part) = (0, Vec::new(), Vec::new());
        for token in text.split_whitespace() {
            if depth == 0 && token == word {
                all.push(part.join(" "));
                part.clear();
                continue;
            }
            depth += token.matches('(').count();
            depth -= token.matches(')').count();
            part.push(token);
        }
        all.push(part.join(" "));
        all
    };
    let inner = |text: &str| {
        let is_group =
            text.starts_with('(') && text.ends_with(')') && text.matches('(').count() == 1;
        if is_group {
            text[1..text.len() - 1].to_owned()
        } else {
            text.to_owned()
        }
    };
    let text = inner(expression.replace('/', " OR ").trim());
    let either = parts(&text, "OR");
    if either.len() > 1 {
        return either.iter().any(|part| is_allowed(part, allowed));
    }
    let both = parts(&text, "AND");
    match both.len() {
        1 => allowed.contains(text.as_str()),
        _ => both.iter().all(|part| is_allowed(part, allowed)),
    }
}

#[test]
fn every_licence_is_one_that_a_binary_may_carry() {
    let text = fs::read_to_string(project().join(".ci/packages/deny.toml")).unwrap();
    let rules: toml::Table = text.parse().unwrap();
    let words = |table: &str, key: &str| -> Vec<String> {
        let list = rules[table][key].as_array().unwrap().iter();
        list.map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    let (allowed, banned) = (words("licenses", "allow"), words("bans", "deny"));
    let allowed: BTreeSet<&str> = allowed.iter().map(String::as_str).collect();
    for (expression, is_fine) in [
        ("MIT", true),
        ("MIT/GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND GPL-3.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
    ] {
        assert_eq!(is_allowed(expression, &allowed), is_fine, "{expression}");
    }
    let words = [
        "metadata",
        "--locked",
        "--offline",
        "--format-version",
        "1",
        "--filter-platform",
    ];
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let output = Command::new(env!("CARGO"))
        .args(words)
        .arg(host)
        .current_dir(project())
        .output()
        .unwrap();
    if !output.status.success() {
        eprintln!("skipped: the dependencies of this system are not all here");
        return;
    }
    let data: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for one in data["packages"].as_array().unwrap() {
        let name = one["name"].as_str().unwrap();
        let licence = one["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence, &allowed), "{name}: {licence}");
        assert!(!banned.iter().any(|banned| banned == name), "{name}");
    }
}
