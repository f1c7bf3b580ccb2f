//! Folders searched for stores.

use std::path::{Path, PathBuf};

use super::place::{above, clean, folder_of};
use super::{Configured, DiscoverError, FORMATS, Format, repository};

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
    let Some(first) = search
        .paths
        .first()
        .map(|path| clean(&search.start.join(path)))
    else {
        return repository(&search.start).unwrap_or_else(|| search.start.clone());
    };
    let bare = search
        .formats()
        .flat_map(|format| format.project)
        .find_map(|place| above(&first, place));
    repository(&first)
        .or(bare)
        .unwrap_or_else(|| folder_of(&first))
}

/// The folders to look in: where the program was started and those above it, up to the root.
pub(super) fn folders(search: &Search, root: &Path) -> Vec<PathBuf> {
    if search.root.is_some() {
        return vec![root.to_path_buf()];
    }
    let above = search
        .start
        .ancestors()
        .take_while(|folder| folder.starts_with(root));
    above.map(Path::to_path_buf).collect()
}
