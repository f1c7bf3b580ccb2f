//! Pictures of the documents: screens of the program as SVG.
//!
//! `UPDATE_PICTURES=1 cargo test --test pty pictures` draws them anew; docs/pictures/keys.toml says
//! of what.

use std::fs;
use std::path::Path;
use std::time::Duration;

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

#[test]
fn pictures_are_of_this_build() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures");
    let keys = fs::read_to_string(folder.join("keys.toml")).unwrap();
    let keys: Keys = toml::from_str(&keys).unwrap();
    let is_update = std::env::var_os("UPDATE_PICTURES").is_some();
    let mut old = Vec::new();
    for (theme, colors) in [("dark", Colors::DARK), ("light", Colors::LIGHT)] {
        let home = tempfile::tempdir().unwrap();
        let mut command = harness::command(env!("CARGO_BIN_EXE_memkeep"), home.path());
        command.env("COLORTERM", "truecolor");
        command.env("MEMKEEP_THEME", theme);
        command.args(["--now", &keys.now, "demo"]);
        let mut pty = Pty::start(command);
        pty.text("tideline");
        pty.resize(keys.columns, keys.rows);
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
