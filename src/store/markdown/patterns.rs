//! Names that a system's own settings set apart: patterns in YAML files.

use std::path::PathBuf;

use crate::memory::format::NamePatterns;
use crate::memory::frontmatter;
use crate::store::discover::at_home;
use crate::store::{StoreInfo, files};

/// A larger file is none that a person wrote.
const LARGEST: u64 = 1 << 20;

/// The patterns under a key in the files of a store's settings.
pub(super) fn listed(store: &StoreInfo, patterns: &NamePatterns, key: &str) -> Vec<String> {
    let path = |file: &String| -> Option<PathBuf> {
        match file.strip_prefix("~/") {
            Some(below) => at_home(store.kind, below),
            None => Some(super::joined(&store.path, file)),
        }
    };
    let read = |path: PathBuf| -> Option<serde_yaml::Value> {
        let is_small = std::fs::metadata(&path).ok()?.len() <= LARGEST;
        let (bytes, _) = is_small.then(|| files::read(&path).ok()).flatten()?;
        frontmatter::parse(std::str::from_utf8(&bytes).ok()?).ok()
    };
    let all = patterns.files.iter().filter_map(path).filter_map(read);
    let all = all.filter_map(|settings| settings.get(key)?.as_sequence().cloned());
    let all = all
        .flatten()
        .filter_map(|one| Some(one.as_str()?.to_owned()));
    all.collect()
}
