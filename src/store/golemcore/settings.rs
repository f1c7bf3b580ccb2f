//! The bot's own configuration near the store: `preferences/memory.json`, or the key `memory` of
//! `preferences/runtime-config.json`, in the folder that holds the store, as in the bot's
//! workspace (formats: golemcore, "Config defaults").

use std::path::{Path, PathBuf};

use crate::memory::golemcore::config::SETTINGS;
use crate::memory::json::{self, Kind};
use crate::memory::{Fields, Value};
use crate::retrieval::Options;
use crate::store::{StoreError, files};

/// The files that are looked for, the first that has settings counts.
const FILES: [&str; 2] = ["memory.json", "runtime-config.json"];

/// The folder of the configuration, where there is one.
pub(super) fn folder(store: &Path) -> Option<PathBuf> {
    Some(store.parent()?.join("preferences")).filter(|folder| folder.is_dir())
}

/// What the configuration says, by the names of [`SETTINGS`].
pub(super) fn read(store: &Path) -> Result<Options, StoreError> {
    let Some(folder) = folder(store) else {
        return Ok(Options::default());
    };
    for name in FILES {
        let path = folder.join(name);
        if !path.is_file() {
            continue;
        }
        let (bytes, _) = files::read(&path)?;
        let read = json::value(&bytes).map_err(|error| {
            let before = bytes.get(..error.at).unwrap_or_default();
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            let start = before
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1);
            let own = before.get(start..).unwrap_or_default();
            StoreError::Settings {
                path: path.clone(),
                line,
                column: String::from_utf8_lossy(own).chars().count() + 1,
                why: error.message.to_string(),
            }
        })?;
        let (node, _) = read;
        let Kind::Map(entries) = &node.kind else {
            continue;
        };
        let fields = json::fields(&bytes, entries);
        let options = match fields.get("memory") {
            Some(Value::Map(fields)) => options(fields),
            _ if name == "memory.json" => options(&fields),
            _ => continue,
        };
        return Ok(options);
    }
    Ok(Options::default())
}

fn options(fields: &Fields) -> Options {
    let mut options = Options::default();
    for name in SETTINGS {
        let value = match name.split_once('.') {
            Some((part, name)) => match fields.get(part) {
                Some(Value::Map(fields)) => fields.get(name),
                _ => None,
            },
            None => fields.get(name),
        };
        if let Some(value) = value.filter(|value| **value != Value::Null) {
            options.set(*name, value.to_string());
        }
    }
    options
}
