//! Trees of golemcore's Memory V2: `memory/items/…` and `memory/scopes/…/items/…` (formats:
//! golemcore, "Storage"), and the bot's own configuration near them.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde_yaml::Value;

use super::StoreInfo;
use super::control::{self, Owner};
use super::discover::formats::Format;
use super::entries::{EntrySystem, pick};
use crate::retrieval::Options;
use crate::systems::golemcore::codec::{GolemcoreCodec, are_memories};
use crate::systems::golemcore::config::{self, Config};
use crate::systems::golemcore::scope::ITEMS;

/// The folder below the store that archived rows go to, in the same tree as above it. The bot
/// looks into `items` and `scopes` only.
const ARCHIVE: &str = "archive";
const SCOPES: &str = "scopes";

/// The folder of the bot's configuration beside the store, as in the bot's workspace (formats:
/// golemcore, "Config defaults"), and its files: the first that has settings counts.
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

/// The format.
pub(super) fn format() -> Format {
    let places = [&PLACES[..], PLACES.split_at(4).1];
    Format::coded("golemcore", 30, places, &SYSTEM)
}

/// The store that a path is or lies in: the folder above `items`, `scopes` or `archive` where
/// rows stand below it.
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
    let store = folders
        .filter(|folder| own(folder) && has_rows(folder))
        .last();
    let store = store.map(Path::to_path_buf);
    store.or_else(|| has_memories(path).then(|| path.to_path_buf()))
}

/// True if a path has the name of a file of rows.
fn is_named_rows(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "jsonl")
}

/// True if a store is one file of rows, which need not be there yet.
fn is_rows(path: &Path) -> bool {
    path.is_file() || is_named_rows(path) && !path.is_dir()
}

/// True if a file that stands in no tree has memories: any, where it is called one of rows, else
/// as many as it has other lines, for a text may show one.
fn has_memories(path: &Path) -> bool {
    let mut head = Vec::new();
    let mut read = || fs::File::open(path)?.take(HEAD).read_to_end(&mut head);
    if !path.is_file() || read().is_err() {
        return false;
    }
    are_memories(&head, if is_named_rows(path) { 0 } else { 50 })
}

/// Place of the archived rows of a store: below it, or beside the one file that it is.
fn archive(store: &Path) -> PathBuf {
    match store.file_name().filter(|_| is_rows(store)) {
        Some(_) if is_named_rows(store) => store.with_extension("archive.jsonl"),
        Some(name) => {
            let mut name = name.to_owned();
            name.push(".archive.jsonl");
            store.with_file_name(name)
        }
        None => store.join(ARCHIVE),
    }
}

/// True if a folder has files where the system keeps rows. A bot that only ever talked in sessions
/// has trees of scopes and no others.
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

/// The folder of the bot's configuration, where there is one.
fn preferences(store: &Path) -> Option<PathBuf> {
    Some(store.parent()?.join(PREFERENCES)).filter(|folder| folder.is_dir())
}

/// The settings of a store by name: `preferences/memory.json`, or the key `memory` of
/// `preferences/runtime-config.json`. `fault` says what is wrong with them, and the defaults hold
/// there.
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
                true => Some(format!(
                    "wrong values, the defaults hold: {}",
                    wrong.join(", ")
                )),
            }
        }
    };
    if let Some(why) = fault {
        options.set("fault", format!("{PREFERENCES}/{name}: {why}"));
    }
    Some(options)
}
