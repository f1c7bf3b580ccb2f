//! Formats whose stores are looked for, and the paths of their places (`*` is any name).

use std::fs;
use std::path::{Path, PathBuf};

use crate::memory::format::Table;
use crate::store::{Store, StoreInfo};

/// Opens the stores of a format: a table for Markdown files, else code.
pub trait System: Send + Sync {
    /// The archive of a store.
    fn archive(&self, store: &Path) -> PathBuf;
    /// The store at or above a path, recognised by its content.
    fn holder(&self, path: &Path) -> Option<PathBuf>;
    /// The store at or above a path that the person says has this format.
    fn place(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }
    /// Opens a store.
    fn open(&'static self, info: StoreInfo) -> Box<dyn Store>;
}

/// A format memkeep reads and writes.
pub struct Format {
    /// Its name in the contract.
    pub name: &'static str,
    /// Its place among the formats, in the order in which stores are looked for.
    pub order: u32,
    /// The policy its system selects by.
    pub policy: &'static str,
    /// Paths of its stores below a project: folders or files, `*` for any name.
    pub project: &'static [&'static str],
    /// Folders below a person's home; `{project}` is the system's name of a project.
    pub user: &'static [&'static str],
    /// The table that describes it: its stores are files of Markdown, which anybody can make.
    pub table: Option<&'static Table>,
    /// True if its files are context, which is no store of memories.
    pub is_context: bool,
    /// Opener of its stores.
    pub system: &'static dyn System,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl Format {
    /// A format with code of its own, whose policy has its name; places in a project, then at home.
    pub(in crate::store) const fn coded(
        name: &'static str,
        order: u32,
        [project, user]: [&'static [&'static str]; 2],
        system: &'static dyn System,
    ) -> Self {
        Self {
            name,
            order,
            policy: name,
            project,
            user,
            table: None,
            is_context: false,
            system,
        }
    }

    pub(super) fn of(table: &'static Table) -> Self {
        let names = |all: &'static [String]| Box::leak(all.iter().map(String::as_str).collect());
        Self {
            name: table.name(),
            order: table.order,
            policy: table.schema.policy,
            project: names(&table.project),
            user: names(&table.user),
            table: Some(table),
            is_context: table.schema.can.context,
            system: table,
        }
    }

    /// The folder below which a path stands at a place of the format.
    pub(super) fn folder_above(&self, path: &Path) -> Option<PathBuf> {
        let mut places = self.project.iter();
        places.find_map(|place| above(path, place))
    }
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if path.is_file() => parent.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

/// The folder below which a path stands at a place; none where it stands elsewhere.
pub(in crate::store) fn above(path: &Path, place: &str) -> Option<PathBuf> {
    let mut parts = path.components().rev();
    let mut wanted = place.rsplit('/');
    let fits = wanted.all(|wanted| {
        let part = parts.next().and_then(|part| part.as_os_str().to_str());
        part.is_some_and(|part| names(wanted, part))
    });
    let folder = path.ancestors().nth(place.split('/').count());
    folder.filter(|_| fits).map(Path::to_path_buf)
}

/// Stands in a place for the name that a system gives the folder of a project.
pub(super) const PROJECT: &str = "{project}";

/// True if a name is one that a part of a place stands for: `*` is any text.
pub(in crate::store) fn names(wanted: &str, name: &str) -> bool {
    match wanted.split_once('*') {
        None => wanted == name || wanted == PROJECT,
        Some((head, tail)) => {
            name.len() >= head.len() + tail.len() && name.starts_with(head) && name.ends_with(tail)
        }
    }
}

/// The paths that a place below a folder stands for, by name.
pub(in crate::store) fn expand(folder: &Path, place: &str) -> Vec<PathBuf> {
    let mut paths = vec![folder.to_path_buf()];
    for part in place.split('/') {
        if !part.contains('*') {
            paths.iter_mut().for_each(|path| path.push(part));
            continue;
        }
        let entries = paths.iter().flat_map(fs::read_dir).flatten().flatten();
        let fits = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            name.to_str().is_some_and(|name| names(part, name))
        };
        paths = entries.filter(fits).map(|entry| entry.path()).collect();
        paths.sort_unstable();
    }
    paths
}

/// A folder as an id names it: below the root, else below the person's home, else absolute.
pub(in crate::store) fn folder_name(folder: &Path, root: &Path) -> String {
    let home = etcetera::home_dir().ok();
    let below_home = home.and_then(|home| folder.strip_prefix(clean(&home)).ok());
    let name = match (folder.strip_prefix(root), below_home) {
        (Ok(below), _) if below.as_os_str().is_empty() => ".".to_owned(),
        (Ok(below), _) => below.to_string_lossy().into_owned(),
        (Err(_), Some(below)) => format!("~/{}", below.to_string_lossy()),
        (Err(_), None) => folder.to_string_lossy().into_owned(),
    };
    name.replace(std::path::MAIN_SEPARATOR, "/")
}

/// A path without `.` and `..`, which need not exist.
pub(super) fn clean(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| lexical(path))
}

/// A path without `.` and `..` by its words alone: no link is followed.
pub(in crate::store) fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
    }
    clean
}
