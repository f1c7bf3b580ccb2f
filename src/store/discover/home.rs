//! Where a store is at home, and which stores are a person's own.

use std::path::{Path, PathBuf};

use super::place::{above, clean, folder_of};
use super::{Search, below, repository};
use crate::store::{Scope, StoreInfo, golemcore};

/// The folder that the history of a store belongs to, whoever looks at the store: its repository,
/// else the folder below which it stands at its place, else the store.
pub fn anchor(info: &StoreInfo) -> PathBuf {
    let store = clean(&info.path);
    let places = || info.kind.project.iter().chain(info.kind.user);
    // Some places are folders in the store.
    let below = || [store.clone(), store.join(golemcore::ITEMS)];
    let bare = || places().find_map(|place| below().iter().find_map(|path| above(path, place)));
    repository(&store)
        .or_else(bare)
        .unwrap_or_else(|| store.clone())
}

/// The folders that a person keeps stores in, or named as stores.
pub fn own_places(search: &Search, root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Ok(home) = etcetera::home_dir() {
        below(&clean(&home), Scope::User, &mut found, &mut Vec::new());
    }
    let own = found.into_iter().map(|place| place.real);
    let only = search.only.iter().map(Path::new);
    let named = search.paths.iter().map(PathBuf::as_path).chain(only);
    let named = named.map(|path| clean(&search.start.join(path)));
    // What a project names elsewhere is no link.
    let configured = search.configured.iter();
    let configured =
        configured.filter(|one| one.scope == Scope::User || !one.path.starts_with(root));
    let configured = configured.map(|one| clean(&one.path));
    let all = own.chain(named).chain(configured);
    all.map(|path| folder_of(&path)).collect()
}
