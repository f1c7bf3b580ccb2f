//! Names that a system's own settings set apart: patterns in YAML files.

use crate::memory::format::NamePatterns;
use crate::memory::frontmatter;
use crate::store::StoreInfo;
use crate::store::control::{self, Owner};
use crate::store::discover::at_home;

/// The patterns under a key in the files of a store's settings.
pub(super) fn listed(store: &StoreInfo, patterns: &NamePatterns, key: &str) -> Vec<String> {
    let read = |file: &String| -> Option<serde_yaml::Value> {
        let text = match file.strip_prefix("~/") {
            Some(below) => control::text(&at_home(store.kind, below)?, Owner::Person),
            None => {
                let path = super::joined(&store.path, file);
                control::text(&path, Owner::of_store(store, path.parent()?))
            }
        };
        frontmatter::parse(&text.ok()??).ok()
    };
    let all = patterns.files.iter().filter_map(read);
    let all = all.filter_map(|settings| settings.get(key)?.as_sequence().cloned());
    let all = all
        .flatten()
        .filter_map(|one| Some(one.as_str()?.to_owned()));
    all.collect()
}
