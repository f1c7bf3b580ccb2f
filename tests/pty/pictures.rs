//! Pictures of the documents: screens of the program as SVG.
//!
//! `UPDATE_PICTURES=1 cargo test --test pty pictures` draws them anew; docs/pictures/keys.toml says
//! of what.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde::Deserialize;

use super::harness::{self, Pty};
use super::svg::{Colors, svg};

/// A screen to which nothing is written for so long stands; a slow machine is given as much.
const STANDS: Duration = Duration::from_secs(8);

#[derive(Deserialize)]
struct Keys {
    columns: u16,
    rows: u16,
    now: String,
    picture: Vec<Picture>,
}

#[derive(Deserialize)]
struct Picture {
    name: String,
    title: String,
    keys: String,
    text: String,
}

/// Lays out the sample project, its files written two hours before `now`.
fn lay_out(home: &Path, now: &str) -> PathBuf {
    let project = home.join("tideline");
    let done = Command::new(env!("CARGO_BIN_EXE_memkeep"))
        .args(["--now", now, "demo", "--into"])
        .arg(&project)
        .env("HOME", home)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let now = chrono::DateTime::parse_from_rfc3339(now).unwrap();
    let written = SystemTime::from(now) - Duration::from_secs(2 * 3600);
    let mut folders = vec![project.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if !path.is_dir() {
                let file = fs::File::options().write(true).open(path).unwrap();
                file.set_modified(written).unwrap();
            } else if !path.ends_with(".git") {
                folders.push(path);
            }
        }
    }
    project
}

#[test]
fn pictures_are_of_this_build() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    let keys = fs::read_to_string(folder.join("keys.toml")).unwrap();
    let keys: Keys = toml::from_str(&keys).unwrap();
    let is_update = std::env::var_os("UPDATE_PICTURES").is_some();
    let mut old = Vec::new();
    for (theme, colors) in [("dark", Colors::DARK), ("light", Colors::LIGHT)] {
        let home = tempfile::tempdir().unwrap();
        let project = lay_out(home.path(), &keys.now);
        let mut command = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
        command.cwd(project);
        command.env("COLORTERM", "truecolor");
        command.env("MEMKEEP_THEME", theme);
        command.args(["--now", &keys.now]);
        let mut pty = Pty::sized(command, keys.columns, keys.rows);
        pty.text("tideline");
        for picture in &keys.picture {
            pty.keys(&picture.keys);
            pty.text(&picture.text);
            let file = folder.join(format!("{}-{theme}.svg", picture.name));
            let draw = |screen: &vt100::Screen| svg(screen, &picture.title, &colors);
            if is_update {
                pty.settles(STANDS, |_| false);
                fs::write(&file, pty.seen(draw)).unwrap();
            } else {
                let drawn = fs::read_to_string(&file).unwrap_or_default();
                if !pty.settles(STANDS, |screen| draw(screen) == drawn) {
                    old.push(file);
                }
            }
        }
        pty.kill();
    }
    assert!(
        old.is_empty(),
        "UPDATE_PICTURES=1 cargo test --test pty pictures: {old:#?}"
    );
}
