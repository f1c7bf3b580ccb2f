//! The bot's own configuration near the store: `preferences/memory.json`, or the key `memory` of
//! `preferences/runtime-config.json`, in the folder that holds the store, as in the bot's
//! workspace (formats: golemcore, "Config defaults").

use std::path::{Path, PathBuf};

use serde_yaml::Value;

use crate::retrieval::Options;
use crate::store::control::{self, Owner};
use crate::store::{StoreInfo, config_values};
use crate::systems::golemcore::config::{Config, SETTINGS};

/// The files that are looked for; the first that has settings counts.
const FILES: [&str; 2] = ["memory.json", "runtime-config.json"];
/// The key of the settings where the file has others too.
const SECTION: &str = "memory";
const FOLDER: &str = "preferences";

/// The folder of the configuration, where there is one.
pub(super) fn folder(store: &Path) -> Option<PathBuf> {
    Some(store.parent()?.join(FOLDER)).filter(|folder| folder.is_dir())
}

/// The settings of a store by the names of [`SETTINGS`]; `fault` says what is wrong with them,
/// and the defaults hold there.
pub(super) fn read(store: &StoreInfo) -> Options {
    let folder = folder(&store.path);
    let file = |name| of_file(store, folder.as_ref()?, name);
    FILES.into_iter().find_map(file).unwrap_or_default()
}

fn of_file(store: &StoreInfo, folder: &Path, name: &str) -> Option<Options> {
    let path = folder.join(name);
    path.symlink_metadata().ok()?;
    let faulty = |mut options: Options, why: &str| {
        options.set("fault", format!("{FOLDER}/{name}: {why}"));
        Some(options)
    };
    let owner = Owner::of_store(store, folder.parent().unwrap_or(folder));
    let all = match control::bytes(&path, owner, control::LARGEST) {
        Ok(bytes) => serde_json::from_slice::<Value>(&bytes.unwrap_or_default()),
        Err(error) => return faulty(Options::default(), &error.to_string()),
    };
    let all = match all {
        Ok(all) => all,
        Err(error) => {
            let why = format!("not JSON: {error}: the defaults hold");
            return faulty(Options::default(), &why);
        }
    };
    let section = all.get(SECTION).filter(|value| !value.is_null());
    let own = section.or_else(|| (FILES.first() == Some(&name)).then_some(&all))?;
    if !own.is_mapping() {
        return faulty(Options::default(), "not an object: the defaults hold");
    }
    let mut options = config_values::pick(own, SETTINGS);
    let wrong = |name: &&&str| {
        !options
            .get(name)
            .is_none_or(|text| Config::accepts(name, text))
    };
    let wrong: Vec<&str> = SETTINGS.iter().filter(wrong).copied().collect();
    options.retain(|name| !wrong.contains(&name));
    match wrong.is_empty() {
        true => Some(options),
        false => {
            let why = format!("wrong values, the defaults hold: {}", wrong.join(", "));
            faulty(options, &why)
        }
    }
}
