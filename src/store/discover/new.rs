//! Chooses the location of a new store.

use std::path::Path;

use super::place::{above, clean};
use super::search::folders;
use super::{Format, Search, store_at};
use crate::store::StoreInfo;

/// Returns the location of a new store of a format, by default of the first format. None for a
/// format that is not known, and for one whose stores are found by a pattern: such a store, a
/// database, is made by its own system only.
pub fn new_store(search: &Search, format: Option<&str>, root: &Path) -> Option<StoreInfo> {
    let is_it = |known: &&Format| format.is_none_or(|format| known.name == format);
    let format = search.formats().find(is_it)?;
    let place = format.project.iter().find(|place| !place.contains('*'))?;
    store_at(format, &format.system.place(&root.join(place)), root)
}

/// A new store at a path that is a place of a format: of the one that is asked for, else of the
/// first one that has such a place.
pub fn new_store_at(
    search: &Search,
    format: Option<&str>,
    path: &Path,
    root: &Path,
) -> Option<StoreInfo> {
    let path = clean(path);
    let folders = folders(search, root);
    let is_looked_in = |at: &Path| folders.iter().any(|folder| clean(folder) == at);
    let stands = |place: &&&str| above(&path, place).is_some_and(|at| is_looked_in(&at));
    let mut formats = search.formats();
    let format = formats.find(|known| {
        let place = known.project.iter().find(stands);
        let is_it = format.is_none_or(|format| known.name == format);
        is_it && place.is_some_and(|place| !place.contains('*') || known.is_table())
    })?;
    store_at(format, &path, root)
}
