//! Context: what agents are given beside memories, and the files these import.

use std::borrow::Cow;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::MarkdownStore;
use crate::memory::format::Table;
use crate::memory::lines::Lines;
use crate::memory::lines::{outside_comments, without_comments};
use crate::store::discover::{above, expand};
use crate::store::files;

/// Imports of imports are followed this far (formats: claude, "Imports").
const HOPS: usize = 4;
/// A larger file is not loaded by Claude Code (formats: claude, "Instruction files").
const LARGEST: u64 = 4 << 20;

fn home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

/// Expands a path below a project, or below the person's home (`~/`), to real paths.
pub(super) fn expanded(root: &Path, place: &str) -> Vec<PathBuf> {
    match place.strip_prefix("~/") {
        Some(below) => home().map(|home| expand(&home, below)).unwrap_or_default(),
        None => expand(root, place),
    }
}

/// The folders from below the project root down to the working directory.
fn down_to_here(root: &Path) -> Vec<PathBuf> {
    let current = std::env::current_dir().unwrap_or_default();
    let below = current.strip_prefix(files::real(root));
    let below: Vec<&Path> = below.unwrap_or(Path::new("")).ancestors().collect();
    let folders = below.into_iter().rev().skip(1);
    folders.map(|below| root.join(below)).collect()
}

/// Folders of a project that are searched for files of context.
const MOST_FOLDERS: usize = 2_000;
/// Folders in which tools keep the files of others.
const OTHERS: &str = "node_modules vendor target dist build site-packages";

/// The context files below the root, the nearest first, without hidden folders and repositories.
pub(super) fn nested(root: &Path, table: &Table) -> Vec<PathBuf> {
    let places = |folder: &PathBuf| -> Vec<PathBuf> {
        let all = table.nested.iter().map(|name| folder.join(name));
        all.filter(|path| path.is_file()).collect()
    };
    // A home holds much that is no part of a project.
    if table.nested.is_empty() || home().is_some_and(|home| home.starts_with(root)) {
        return down_to_here(root).iter().flat_map(places).collect();
    }
    let is_own = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_other = name.starts_with('.') || OTHERS.split(' ').any(|other| other == name);
        !is_other && path.is_dir() && !path.is_symlink() && !path.join(".git").exists()
    };
    let (mut folders, mut at) = (vec![root.to_owned()], 0);
    while let Some(folder) = folders.get(at).filter(|_| at < MOST_FOLDERS) {
        let below = expand(folder, "*").into_iter();
        folders.extend(below.filter(is_own).collect::<Vec<_>>());
        at += 1;
    }
    let searched = folders.iter().take(MOST_FOLDERS).skip(1);
    searched.flat_map(places).collect()
}

/// The context files of a store, those of the root first, and the files they import.
pub(super) fn files(store: &MarkdownStore) -> Vec<PathBuf> {
    let (root, table) = (&store.info.path, store.table);
    let beside = table.beside.iter().flat_map(|place| expanded(root, place));
    let all = beside.chain(store.nested().iter().cloned());
    let mut found: Vec<PathBuf> = all.filter(|path| path.is_file()).collect();
    let mut from = 0;
    for _ in 0..HOPS {
        let new: Vec<PathBuf> = found.get(from..).unwrap_or_default().to_vec();
        from = found.len();
        for (path, _) in new.iter().flat_map(|path| imports(path)) {
            let is_own = || home().is_some_and(|home| path.starts_with(home));
            let is_near = path.starts_with(root) || is_own();
            if is_near && path.is_file() && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// The folder whose files bring a file of context in; none if it is always loaded.
pub(super) fn folder_of(store: &MarkdownStore, path: &Path) -> Option<PathBuf> {
    let root = &store.info.path;
    let names = store.table.nested.iter();
    let folders = names.filter_map(|name| above(path, name));
    // `.claude/CLAUDE.md` is that of the folder above.
    let folder = folders.min_by_key(|folder| folder.as_os_str().len())?;
    let is_open = folder == *root || down_to_here(root).contains(&folder);
    let below = folder.strip_prefix(root).ok()?;
    (!is_open).then(|| below.to_owned())
}

/// The path of a file as people read it, and as the table names its end.
fn name(store: &MarkdownStore, path: &Path) -> String {
    match path.strip_prefix(&store.info.path) {
        Ok(below) => below.to_string_lossy().into_owned(),
        Err(_) => below_home(store.table, path).unwrap_or_else(|| path.display().to_string()),
    }
}

/// The text of a file as an agent that loads it is given it.
pub(super) fn given<'t>(store: &MarkdownStore, path: &Path, body: &'t [u8]) -> Cow<'t, [u8]> {
    let table = store.table;
    let strips = &table.strips_comments;
    let loads = |agent: &String| table.agents_of(&name(store, path)).contains(agent);
    if !strips.iter().any(loads) {
        return body.into();
    }
    let text = without_comments(&String::from_utf8_lossy(body));
    text.into_bytes().into()
}

/// The files that are loaded only because others import them, a pair for each import.
pub(super) fn only_imported(store: &MarkdownStore) -> Vec<(PathBuf, PathBuf)> {
    let (all, table) = (files(store).into_iter(), store.table);
    let own = all.filter(|path| table.loads(&name(store, path)) == table.loads("*"));
    let pairs = own.flat_map(|path| {
        let importers = importers(store, &path).into_iter();
        importers.map(move |(from, _)| (path.clone(), from))
    });
    pairs.collect()
}

/// Describes when a file is loaded, and which line of another file imports it.
pub(super) fn loaded(store: &MarkdownStore, path: &Path) -> String {
    let import = importers(store, path).into_iter().next();
    let import = import.map(|(from, line)| {
        let from = name(store, &from);
        format!("imported by {from} line {line}")
    });
    let below = folder_of(store, path);
    let below = below.map(|below| format!("loaded with the files below {}", below.display()));
    let loads = || store.table.loads(&name(store, path)).map(ToOwned::to_owned);
    let parts: Vec<String> = below.or_else(loads).into_iter().chain(import).collect();
    parts.join("; ")
}

pub(super) fn importers(store: &MarkdownStore, path: &Path) -> Vec<(PathBuf, usize)> {
    let line = |from: PathBuf| {
        let mut imports = imports(&from).into_iter();
        let (_, line) = imports.find(|(to, _)| to == path)?;
        Some((from, line))
    };
    files(store).into_iter().filter_map(line).collect()
}

/// The files that a file imports by `@path` outside of code, each with its line number.
fn imports(path: &Path) -> Vec<(PathBuf, usize)> {
    let is_small = fs::metadata(path).is_ok_and(|meta| meta.len() <= LARGEST);
    let read = is_small.then(|| files::read(path).ok()).flatten();
    let (Some((bytes, _)), Some(folder)) = (read, path.parent()) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut in_code = false;
    let lines = Lines::new(&bytes);
    let prose = |range: &Range<usize>| {
        let line = text.get(range.clone()).unwrap_or_default();
        in_code ^= line.trim_start().starts_with("```");
        !in_code
    };
    let kept = outside_comments(&text).into_iter().filter(prose);
    let imports = kept.flat_map(|range| {
        let number = lines.at(&bytes, range.start).0 + 1;
        // Text between backticks is code: every second part.
        let parts = text.get(range).unwrap_or_default().split('`').step_by(2);
        let words = parts.flat_map(str::split_whitespace);
        words.filter_map(move |word| {
            let word = word.strip_prefix('@')?;
            let word = word.trim_end_matches(['.', ',', ';', ':', ')']);
            let target = match word.strip_prefix("~/") {
                Some(below) => home()?.join(below),
                None => super::joined(folder, word),
            };
            Some((target, number))
        })
    });
    imports.collect()
}

/// The name of a file of context below the person's home, `~/…`.
pub(super) fn below_home(table: &Table, path: &Path) -> Option<String> {
    let home = table.schema.can.context.then(home).flatten()?;
    let below = path.strip_prefix(&home).ok()?;
    let is_own = |place: &String| {
        let place = place.strip_prefix("~/").map(Path::new);
        let folder = place.and_then(Path::parent);
        folder.is_some_and(|folder| below.starts_with(folder))
    };
    let is_own = table.beside.iter().any(is_own);
    is_own.then(|| format!("~/{}", below.to_string_lossy()))
}
