//! Folders searched for stores, stores at given and configured paths, and the place of a new one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::formats::{above, clean, expand, folder_of};
use super::team::FOLDER;
use super::{DiscoverError, FORMATS, Format, Place, below, repository, store_at};
use crate::config::ConfigError;
use crate::store::files::real;
use crate::store::{Scope, StoreInfo};

/// A store that a configuration names.
#[derive(Clone, Debug)]
pub struct Configured {
    /// Absolute path of the store.
    pub path: PathBuf,
    /// Its format, where that is said.
    pub format: Option<String>,
    /// Owner of the configuration.
    pub scope: Scope,
    /// True if it must lie below the root: a file of the project names it.
    pub bounded: bool,
    /// The file that names it, with line and column.
    pub place: (PathBuf, usize, usize),
}

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

/// The place of a new store of a format, by default of the first. None if stores of the format are
/// found by a pattern: only their own system makes one, a database.
pub fn new_store(search: &Search, format: Option<&str>, root: &Path) -> Option<StoreInfo> {
    let is_it = |known: &&Format| format.is_none_or(|format| known.name == format);
    let format = search.formats().find(is_it)?;
    let place = format.project.iter().find(|place| !place.contains('*'))?;
    store_at(format, &format.system.place(&root.join(place)), root)
}

/// A new store at a place of a format: of the one asked for, else of the first with such a place.
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
        is_it && place.is_some_and(|place| !place.contains('*') || known.table.is_some())
    })?;
    store_at(format, &path, root)
}

/// Adds the stores at a path that a person or a configuration names.
pub(super) fn named(
    search: &Search,
    (path, format): (&Path, Option<&str>),
    found: &mut Vec<Place>,
    looked: &mut Vec<PathBuf>,
) -> Result<(), DiscoverError> {
    let (given, path) = (path, clean(path));
    if fs::symlink_metadata(&path).is_err() {
        return Err(DiscoverError::Missing(path));
    }
    // A store is a folder or a file: no device, and no pipe that would be waited for.
    if fs::metadata(&path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        return Err(DiscoverError::NoStore(path));
    }
    let any = below(search, (&path, Scope::Project, &[]), found, looked);
    if any || found.iter().any(|known| known.real == path) {
        return Ok(());
    }
    let recognised = |format: &'static Format| Some((format, format.system.holder(&path)?));
    let known = || search.formats().find_map(recognised);
    let (format, path) = match format {
        Some(name) => {
            let format = search.format_named(name)?;
            let holder = format.system.holder(&path);
            (format, holder.unwrap_or_else(|| format.system.place(&path)))
        }
        None => match known().or_else(|| in_its_place(search, given)) {
            Some(known) => known,
            None if inside(search, &path, found) => return Ok(()),
            None => in_its_place(search, &path).ok_or(DiscoverError::NoStore(path))?,
        },
    };
    Place::new(format, path, Scope::Project).join(found);
    Ok(())
}

/// Adds the stores with places in a folder that is a part of these, such as `.claude`.
fn inside(search: &Search, path: &Path, found: &mut Vec<Place>) -> bool {
    let before = found.len();
    for format in search.formats() {
        for place in format.project {
            let splits = place.match_indices('/').map(|(at, _)| place.split_at(at));
            let is_above = |(folder, _): &(&str, &str)| {
                above(path, folder).is_some() && !folder.starts_with('*')
            };
            let stores = splits.filter(is_above);
            let stores = stores.flat_map(|(_, rest)| expand(path, rest.trim_start_matches('/')));
            for store in stores.filter(|store| store.exists()) {
                Place::new(format, store, Scope::Project).join(found);
            }
        }
    }
    found.len() > before
}

/// The store at or above a path by its place and name alone.
fn in_its_place(search: &Search, path: &Path) -> Option<(&'static Format, PathBuf)> {
    let of_format = |format: &'static Format| {
        let store = format.system.place(path);
        let stands = format.folder_above(&store).is_some();
        let is_there = fs::symlink_metadata(&store).is_ok();
        (stands && is_there).then(|| (format, clean(&store)))
    };
    search.formats().find_map(of_format)
}

/// The error about a store that cannot be opened, at the place that names it.
fn wrong((path, line, column): (PathBuf, usize, usize), why: &DiscoverError) -> ConfigError {
    ConfigError {
        path,
        line,
        column,
        message: format!("a store that is named: {why}"),
    }
}

/// Adds them to what was found; gives those that cannot be opened, with the reason.
pub(super) fn add_configured(
    (search, root): (&Search, &Path),
    found: &mut Vec<Place>,
    looked: &mut Vec<PathBuf>,
) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    for one in &search.configured {
        let mut at = Vec::new();
        let format = one.format.as_deref();
        let is_within = !one.bounded || real(&clean(&one.path)).starts_with(real(root));
        let opened = match is_within {
            true => named(search, (&one.path, format), &mut at, looked),
            false => Err(DiscoverError::Outside(one.path.clone())),
        };
        if let Err(error) = opened {
            looked.extend(is_within.then(|| one.path.clone()));
            errors.push(wrong(one.place.clone(), &error));
        }
        for place in at {
            let scope = one.scope;
            Place { scope, ..place }.join(found);
        }
    }
    errors
}

/// Drops stores of a team's format that links lead to out of the root, and says so.
pub fn drop_outside(search: &Search, root: &Path, found: &mut Vec<Place>) -> Vec<ConfigError> {
    let root = clean(root);
    let leaves = |place: &mut Place| {
        let archive = real(&place.format.system.archive(&place.path));
        let is_within = place.real.starts_with(&root) && archive.starts_with(&root);
        search.team.contains(&place.format) && !is_within
    };
    let outside = |place: Place| {
        let at = (root.join(FOLDER), 1, 1);
        wrong(at, &DiscoverError::Outside(place.path))
    };
    found.extract_if(.., leaves).map(outside).collect()
}

/// The folders below the root that hide whether they hold stores, each with the reason.
pub(super) fn hidden(root: &Path, looked: &[PathBuf]) -> Vec<ConfigError> {
    let hides = |path: &&PathBuf| {
        let look = path.starts_with(root).then(|| fs::symlink_metadata(path));
        let error = look.and_then(Result::err);
        error.is_some_and(|error| error.kind() == io::ErrorKind::PermissionDenied)
    };
    let holder = |path: &PathBuf| {
        let mut above = path.ancestors();
        let folder = above.find(|folder| folder.symlink_metadata().is_ok());
        folder.map(Path::to_path_buf)
    };
    let folders: BTreeSet<PathBuf> = looked.iter().filter(hides).filter_map(holder).collect();
    let why = "permission denied: the stores in this folder cannot be read";
    let error = |path: PathBuf| ConfigError::at(&path, "", 0, why.to_owned());
    folders.into_iter().map(error).collect()
}
