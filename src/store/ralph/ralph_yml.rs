//! What `ralph.yml` says about memories (specs: ralph-memories R5).

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_yaml::Value;

use crate::memory::frontmatter;
use crate::retrieval::Options;
use crate::store::control::{self, Owner};
use crate::store::{StoreError, StoreInfo, config_values};

/// Where Ralph's file stands below the folder of the project.
const PLACES: [&str; 2] = [".ralph/agent/memories.md", ".agent/memories.md"];
/// The settings of `memories:`.
const NAMES: [&str; 7] = [
    "enabled",
    "inject",
    "budget",
    "skill_injection",
    "filter.types",
    "filter.tags",
    "filter.recent",
];

/// Reads the configuration of the project that a store belongs to; `root` is its folder where
/// the store's place does not say.
pub(super) fn read(info: &StoreInfo, root: &Path) -> Result<Options, StoreError> {
    let store = &info.path;
    let mut options = Options::default();
    let shown = store.strip_prefix(root).unwrap_or(store);
    if PLACES.first().is_none_or(|usual| shown != Path::new(usual)) {
        options.set("store", shown.to_string_lossy());
    }
    let Some(path) = config(store, root) else {
        return Ok(options);
    };
    let Some(text) = control::text(&path, Owner::of_store(info, root))? else {
        return Ok(options);
    };
    let wrong = |(line, column): (usize, usize), why: &str| StoreError::Settings {
        path: path.clone(),
        line,
        column,
        why: why.to_owned(),
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let all: Value = frontmatter::parse(text)
        .map_err(|error| wrong((error.line as usize, error.column as usize), &error.message))?;
    if let Some(fault) = fault(text) {
        options.set("fault", fault);
    }
    let Some(memories) = all.get("memories").filter(|value| !value.is_null()) else {
        return Ok(options);
    };
    options.set("memories", "true");
    let options = config_values::pick(memories, &NAMES).over(&options);
    Ok(options)
}

/// Types of the settings, each of them optional (R5).
#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what is wrong with it")]
struct Wanted {
    memories: Option<WantedMemories>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what is wrong with it")]
struct WantedMemories {
    enabled: Option<bool>,
    inject: Option<Mode>,
    budget: Option<u64>,
    skill_injection: Option<bool>,
    filter: Option<WantedFilter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    Auto,
    Manual,
    None,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "read for what is wrong with it")]
struct WantedFilter {
    types: Option<Vec<String>>,
    tags: Option<Vec<String>>,
    recent: Option<u32>,
}

/// The first setting that is not what it has to be, and where: Ralph reads all of the file or
/// does not start.
fn fault(text: &str) -> Option<String> {
    let error = frontmatter::parse::<Wanted>(text).err()?;
    Some(format!(
        "ralph.yml:{}:{}: {error}: Ralph does not start with it",
        error.line, error.column
    ))
}

/// The configuration of the project.
fn config(store: &Path, root: &Path) -> Option<PathBuf> {
    let place = PLACES.iter().find(|place| store.ends_with(place));
    let own = place.and_then(|place| store.ancestors().nth(Path::new(place).components().count()));
    let folders = [own, Some(root), store.parent()];
    let mut files = folders
        .into_iter()
        .flatten()
        .map(|folder| folder.join("ralph.yml"));
    files.find(|path| path.symlink_metadata().is_ok())
}
