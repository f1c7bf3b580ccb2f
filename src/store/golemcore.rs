//! Trees of golemcore's Memory V2 (formats: golemcore, "Storage"), and the bot's configuration.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_yaml::Value;

use super::control::{self, Owner};
use super::discover::formats::Format;
use super::entries::{EntrySystem, pick};
use super::{StoreInfo, files};
use crate::retrieval::Options;
use crate::systems::golemcore::codec::{GolemcoreCodec, are_memories};
use crate::systems::golemcore::config::{self, Config};
use crate::systems::golemcore::scope::ITEMS;

/// Archived rows go to a tree below the store: the bot looks into `items` and `scopes` only.
const ARCHIVE: &str = "archive";
const SCOPES: &str = "scopes";

/// The bot's configuration beside the store (formats: golemcore), the first file with settings.
const PREFERENCES: &str = "preferences";
const PREFERENCE_FILES: [&str; 2] = ["memory.json", "runtime-config.json"];

/// Bytes of a file that are looked at to know what it is.
const HEAD: u64 = 1 << 16;

static SYSTEM: EntrySystem = EntrySystem {
    codec: &GolemcoreCodec,
    folders: &[ARCHIVE, ITEMS, SCOPES],
    end: ".jsonl",
    first: "items/semantic.jsonl",
    lock: None,
    settings: |info, _| Ok(settings(info)),
    expires: true,
    watched: preferences,
    is_file: is_rows,
    archive,
    holder,
    place,
};

/// The folders of trees below a project; the last two stand below a person's home too.
static PLACES: [&str; 6] = [
    "memory/items",
    "memory/scopes",
    "*/memory/items",
    "*/memory/scopes",
    ".golemcore/workspace/memory/items",
    ".golemcore/workspace/memory/scopes",
];

pub(super) fn format() -> Format {
    let places = [&PLACES[..], PLACES.split_at(4).1];
    Format::coded("golemcore", 30, places, &SYSTEM)
}

/// The store that a path is or lies in: the folder above `items`, `scopes` or `archive` with rows.
fn holder(path: &Path) -> Option<PathBuf> {
    // A tree reads what is called so; a copy under another name is a store of its own.
    if !is_named_rows(path) && has_memories(path) {
        return Some(path.to_path_buf());
    }
    let inside = |folder: &Path| {
        let parts = path.strip_prefix(folder).ok()?;
        let first = parts.components().next()?.as_os_str().to_str()?;
        SYSTEM.folders.contains(&first).then_some(())
    };
    let own = |folder: &Path| folder == path || inside(folder).is_some();
    // The outermost: in `memory/scopes/task/t/items` the inner folder looks like a store, too.
    let folders = path.ancestors().filter(|folder| folder.is_dir()).take(9);
    let stores = folders.filter(|folder| own(folder) && has_rows(folder));
    let store = stores.last().map(Path::to_path_buf);
    store.or_else(|| has_memories(path).then(|| path.to_path_buf()))
}

fn is_named_rows(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl")
}

/// True if a store is one file of rows, which need not be there yet.
fn is_rows(path: &Path) -> bool {
    path.is_file() || is_named_rows(path) && !path.is_dir()
}

/// True if a file in no tree has memories: as many as other lines, unless it is named for rows.
fn has_memories(path: &Path) -> bool {
    let mut head = Vec::new();
    let mut read = || fs::File::open(path)?.take(HEAD).read_to_end(&mut head);
    if !path.is_file() || read().is_err() {
        return false;
    }
    are_memories(&head, if is_named_rows(path) { 0 } else { 50 })
}

fn archive(store: &Path) -> PathBuf {
    match is_rows(store) {
        true if is_named_rows(store) => store.with_extension("archive.jsonl"),
        true => files::with_end(store, ".archive.jsonl"),
        false => store.join(ARCHIVE),
    }
}

/// True if a folder has files of rows; a bot of sessions alone has trees of scopes only.
fn has_rows(folder: &Path) -> bool {
    let (items, scopes) = (folder.join(ITEMS), folder.join(SCOPES));
    let is_memory = folder.ends_with("memory");
    let mut plain = ["semantic.jsonl", "procedural.jsonl"].into_iter();
    let mut kinds = ["session", "goal", "task"].into_iter();
    plain.any(|name| items.join(name).is_file())
        || is_memory && items.is_dir()
        || items.join("episodic").is_dir()
        || scopes.is_dir() && items.is_dir()
        || is_memory && kinds.any(|kind| scopes.join(kind).is_dir())
}

/// The store that a path is taken for where the person says it is one of this format.
fn place(path: &Path) -> PathBuf {
    if let Some(store) = holder(path) {
        return store;
    }
    match path.parent() {
        Some(parent) if !path.is_file() && path.ends_with(ITEMS) => parent.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

fn preferences(store: &Path) -> Option<PathBuf> {
    Some(store.parent()?.join(PREFERENCES)).filter(|folder| folder.is_dir())
}

/// Settings by name: `memory.json`, or `memory` of `runtime-config.json`; `fault` if wrong.
fn settings(store: &StoreInfo) -> Options {
    let folder = preferences(&store.path);
    let file = |name| settings_in(store, folder.as_ref()?, name);
    let mut files = PREFERENCE_FILES.into_iter();
    files.find_map(file).unwrap_or_default()
}

fn settings_in(store: &StoreInfo, folder: &Path, name: &str) -> Option<Options> {
    let path = folder.join(name);
    path.symlink_metadata().ok()?;
    let owner = Owner::of_store(store, folder.parent().unwrap_or(folder));
    let bytes = control::bytes(&path, owner, control::LARGEST).map_err(|error| error.to_string());
    let all = bytes.and_then(|bytes| {
        let all = serde_json::from_slice::<Value>(&bytes.unwrap_or_default());
        all.map_err(|error| format!("not JSON: {error}: the defaults hold"))
    });
    let mut options = Options::default();
    let fault = match all {
        Err(why) => Some(why),
        Ok(all) => {
            let section = all.get("memory").filter(|value| !value.is_null());
            let own = section.or_else(|| (name == PREFERENCE_FILES[0]).then_some(&all))?;
            options = pick(own, config::names());
            let is_wrong = |name: &&str| {
                let text = options.get(name);
                text.is_some_and(|text| !Config::accepts(name, text))
            };
            let wrong: Vec<&str> = config::names().filter(is_wrong).collect();
            options.retain(|name| !wrong.contains(&name));
            match own.is_mapping() {
                false => Some("not an object: the defaults hold".to_owned()),
                true if wrong.is_empty() => None,
                true => {
                    let wrong = wrong.join(", ");
                    Some(format!("wrong values, the defaults hold: {wrong}"))
                }
            }
        }
    };
    if let Some(why) = fault {
        options.set("fault", format!("{PREFERENCES}/{name}: {why}"));
    }
    Some(options)
}
