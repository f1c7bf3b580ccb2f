//! Ralph's `memories.md` (formats: ralph): where it stands, and what `ralph.yml` says about it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_yaml::Value;

use super::control::{self, Owner};
use super::discover::formats::Format;
use super::entries::{EntrySystem, pick};
use super::{Result, StoreError, StoreInfo, files};
use crate::memory::frontmatter;
use crate::retrieval::Options;
use crate::systems::ralph::codec::{RalphCodec, is_ralph};
use crate::systems::ralph::policy::{SETTINGS, fault};

const FILE: &str = "memories.md";
/// Places of it below the folder of a project.
const PLACES: [&str; 2] = [".ralph/agent/memories.md", ".agent/memories.md"];

/// Ralph itself waits for ever for its lock; memkeep does not (formats: ralph, "Lock protocol").
static SYSTEM: EntrySystem = EntrySystem {
    codec: &RalphCodec,
    folders: &[],
    end: "",
    first: "",
    lock: Some(".lock"),
    settings,
    expires: false,
    watched: |_| None,
    is_file: |_| true,
    archive,
    holder,
    place,
};

pub(super) fn format() -> Format {
    Format::coded("ralph", 20, [&PLACES, &[]], &SYSTEM)
}

/// The archive is a file beside Ralph's that it does not read; of a link beside the target.
fn archive(path: &Path) -> PathBuf {
    let path = &files::target(path).unwrap_or_else(|_| path.to_path_buf());
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".archive");
    if let Some(end) = path.extension() {
        name.push(".");
        name.push(end);
    }
    path.with_file_name(name)
}

/// The file with an id of Ralph's, or empty sections of its template, that a path is or holds.
fn holder(path: &Path) -> Option<PathBuf> {
    let file = place(path);
    let (bytes, _) = files::read(&file).ok()?;
    // The archive is not a store of its own.
    let store = || {
        let (stem, end) = file.file_name()?.to_str()?.split_once(".archive.")?;
        let store = file.with_file_name(format!("{stem}.{end}"));
        store.is_file().then_some(store)
    };
    is_ralph(&bytes).then(|| store().unwrap_or_else(|| file.clone()))
}

/// The file of a path that is said to be Ralph's; of a folder the one in it or in its `agent`.
fn place(path: &Path) -> PathBuf {
    if !path.is_dir() {
        return path.to_path_buf();
    }
    let (own, below) = (path.join(FILE), path.join("agent").join(FILE));
    let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
    let is_ralphs = is_there(&below) || path.ends_with(".ralph");
    if is_ralphs && !is_there(&own) {
        below
    } else {
        own
    }
}

/// Reads what `ralph.yml` says about memories (specs: ralph-memories R5), by default of `root`.
fn settings(info: &StoreInfo, root: &Path) -> Result<Options> {
    let store = &info.path;
    let mut options = Options::default();
    let shown = store.strip_prefix(root).unwrap_or(store);
    if shown != Path::new(PLACES[0]) {
        options.set("store", shown.to_string_lossy());
    }
    let place = PLACES.iter().find(|place| store.ends_with(place));
    let own = place.and_then(|place| store.ancestors().nth(Path::new(place).components().count()));
    let folders = [own, Some(root), store.parent()].into_iter().flatten();
    let mut paths = folders.map(|folder| folder.join("ralph.yml"));
    let path = paths.find(|path| path.symlink_metadata().is_ok());
    let Some(path) = path else { return Ok(options) };
    let text = control::text(&path, Owner::of_store(info, root))?;
    let Some(text) = text else { return Ok(options) };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let all: Value = frontmatter::parse(text).map_err(|error| StoreError::Settings {
        path: path.clone(),
        line: error.line,
        column: error.column,
        why: error.message,
    })?;
    if let Some(fault) = fault(text) {
        options.set("fault", fault);
    }
    match all.get("memories").filter(|value| !value.is_null()) {
        Some(memories) => {
            options.set("memories", "true");
            Ok(pick(memories, SETTINGS.split(' ')).over(&options))
        }
        None => Ok(options),
    }
}
