//! Stores at paths that are given: the path is a store, lies in one, or has some below it.

use std::fs;
use std::path::{Path, PathBuf};

use super::place::{above, clean, expand};
use super::{DiscoverError, Format, Place, Search, below};
use crate::store::Scope;

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
    let places = || recognised(search, &path).or_else(|| in_its_place(search, given));
    if format.is_none() && places().is_none() && inside(search, &path, found) {
        return Ok(());
    }
    let (format, path) = match format {
        Some(name) => {
            let format = search.format_named(name)?;
            let holder = format.system.holder(&path);
            (format, holder.unwrap_or_else(|| format.system.place(&path)))
        }
        None => places()
            .or_else(|| in_its_place(search, &path))
            .ok_or(DiscoverError::NoStore(path))?,
    };
    Place::new(format, path, Scope::Project).join(found);
    Ok(())
}

/// Adds the stores that have their places in a folder which is a part of these, such as `.claude`;
/// says whether there is one.
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

/// The store at or above a path, recognised by its content.
fn recognised(search: &Search, path: &Path) -> Option<(&'static Format, PathBuf)> {
    let mut formats = search.formats();
    formats.find_map(|format| Some((format, format.system.holder(path)?)))
}

/// The store that a path is or lies in, where its content says nothing: it stands where stores of
/// that format are looked for, under their name.
fn in_its_place(search: &Search, path: &Path) -> Option<(&'static Format, PathBuf)> {
    let of_format = |format: &'static Format| {
        let store = format.system.place(path);
        let stands = format.folder_above(&store).is_some();
        let is_there = fs::symlink_metadata(&store).is_ok();
        (stands && is_there).then(|| (format, clean(&store)))
    };
    search.formats().find_map(of_format)
}
