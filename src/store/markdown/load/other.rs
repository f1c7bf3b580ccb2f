//! Files in the folder of a store that are not its memories.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::store::Store as _;
use crate::store::markdown::MarkdownStore;

/// Says what a folder without memories holds: hidden folders, and files with other endings.
pub(in crate::store::markdown) fn unread(store: &MarkdownStore, folder: &Path) -> Vec<String> {
    let (mut hidden, mut files) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && name.starts_with('.') => hidden.push(name),
            Ok(kind) if !kind.is_dir() && store.table.end_of(&name).is_none() => files.push(name),
            _ => {}
        }
    }
    let told = |what: &str, mut names: Vec<String>| {
        names.sort_unstable();
        let first = names.first()?;
        Some(match names.len() - 1 {
            0 => format!("{what}: {first}"),
            more => format!("{what}: {first} and {more} more"),
        })
    };
    let end = store.table.ends.first().map_or("", String::as_str);
    let hidden = told("a hidden folder is not gone into", hidden);
    let files = told(&format!("not named *{end}"), files);
    hidden.into_iter().chain(files).collect()
}

/// Maximum number of folders searched for files that a loader does not list.
const LOOKED: usize = 20_000;

/// Says which hidden folders hold files named like memories, and how many; none if none do.
pub(in crate::store::markdown) fn unlisted(store: &MarkdownStore, why: &str) -> Option<String> {
    let info = store.info();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut open: Vec<(PathBuf, Option<String>)> = vec![(info.path.clone(), None)];
    for _ in 0..LOOKED {
        let Some((folder, hidden)) = open.pop() else {
            break;
        };
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let name = name.to_string_lossy();
            if is_dir && name != ".git" && path != info.archive {
                let below = || path.strip_prefix(&info.path).ok();
                let named = || below().map(|below| below.to_string_lossy().into_owned());
                let own = hidden
                    .clone()
                    .or_else(|| named().filter(|_| name.starts_with('.')));
                open.push((path, own));
            } else if let (false, Some(hidden)) = (is_dir, &hidden)
                && store.table.end_of(&name).is_some()
            {
                *counts.entry(hidden.clone()).or_default() += 1;
            }
        }
    }
    let all: usize = counts.values().sum();
    let folders = counts.iter().map(|(name, n)| format!("{name} ({n})"));
    let folders: Vec<String> = folders.collect();
    let notes = if all == 1 { "note is" } else { "notes are" };
    (all > 0).then(|| format!("{all} {notes} not read, {why}: {}", folders.join(", ")))
}
