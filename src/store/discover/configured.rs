//! Stores that a configuration names, beside those that are found by themselves.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::place::clean;
use super::team::FOLDER;
use super::{DiscoverError, Place, Search, named};
use crate::config::ConfigError;
use crate::store::Scope;
use crate::store::files::real;

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

/// The error about a store that cannot be opened, at the place that names it.
pub(super) fn wrong(
    (path, line, column): (PathBuf, usize, usize),
    why: &DiscoverError,
) -> ConfigError {
    ConfigError {
        path,
        line,
        column,
        message: format!("a store that is named: {why}"),
    }
}

/// Adds them to what was found; gives those that cannot be opened, with the reason.
pub(super) fn add(
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
pub(super) fn drop_outside(
    search: &Search,
    root: &Path,
    found: &mut Vec<Place>,
) -> Vec<ConfigError> {
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
    let error = |path| ConfigError {
        path,
        line: 1,
        column: 1,
        message: "permission denied: the stores in this folder cannot be read".to_owned(),
    };
    folders.into_iter().map(error).collect()
}
