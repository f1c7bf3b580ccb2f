//! Folders searched for stores, and the location of a new one.

use std::path::{Path, PathBuf};

use super::place::{above, clean, folder_of};
use super::{Configured, DiscoverError, FORMATS, Format, repository, store_at};
use crate::store::StoreInfo;

/// Places to search.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// The folder the program was started in, absolute.
    pub start: PathBuf,
    /// `--root`: look there and nowhere else.
    pub root: Option<PathBuf>,
    /// Stores or folders that were named.
    pub paths: Vec<PathBuf>,
    /// `--as`: the format of the named paths.
    pub format: Option<String>,
    /// `--store`: ids, formats or paths; none for all.
    pub only: Vec<String>,
    /// Stores that a configuration names.
    pub configured: Vec<Configured>,
    /// Formats that the team describes in its repository.
    pub team: Vec<&'static Format>,
    /// `--all-projects`: the stores of every project below the person's home.
    pub all_projects: bool,
}

impl Search {
    /// All formats: those of the program, then those of the team.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> {
        FORMATS.iter().chain(self.team.iter().copied())
    }

    /// The format with a name.
    pub(super) fn format_named(&self, name: &str) -> Result<&'static Format, DiscoverError> {
        let format = self.formats().find(|format| format.name == name);
        format.ok_or_else(|| DiscoverError::UnknownFormat(name.to_owned()))
    }
}

/// The root of what is searched for.
pub fn root_of(search: &Search) -> PathBuf {
    if let Some(root) = &search.root {
        return clean(&search.start.join(root));
    }
    let Some(first) = search.paths.first() else {
        return repository(&search.start).unwrap_or_else(|| search.start.clone());
    };
    let first = clean(&search.start.join(first));
    let mut formats = search.formats();
    let bare = || formats.find_map(|format| format.folder_above(&first));
    let found = repository(&first).or_else(bare);
    found.unwrap_or_else(|| folder_of(&first))
}

/// The folders to look in: where the program was started and those above it, up to the root.
pub(super) fn folders(search: &Search, root: &Path) -> Vec<PathBuf> {
    if search.root.is_some() {
        return vec![root.to_path_buf()];
    }
    let above = search.start.ancestors();
    let above = above.take_while(|folder| folder.starts_with(root));
    above.map(Path::to_path_buf).collect()
}

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
