//! The files there are, and what was taken away since the last commit.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::Path;

use super::{lines, run, text};
use crate::project::git::GitError;
use crate::project::records::all_steps;

/// Entries of a folder that are looked at to see whether a file is in it; in a larger one there is.
const MOST_ENTRIES: usize = 10_000;

/// The files of the index that are on disk, or that a sparse checkout leaves out, with those that
/// git does not know; and the files of the index that are not on disk.
pub(super) fn files(root: &Path) -> Result<(Vec<String>, Vec<String>), GitError> {
    let list = ["ls-files", "-z", "-t", "-cod", "--exclude-standard"];
    let all = lines(&run(root, &list, &[])?);
    let tagged = || all.iter().filter_map(|line| line.split_once(' '));
    let removed = tagged().filter(|(tag, _)| *tag == "R");
    let missing: HashSet<&str> = removed.map(|(_, path)| path).collect();
    let present = tagged().filter(|(tag, _)| *tag == "H" || *tag == "M");
    // A tree of which nothing is checked out is no tree in which all was deleted.
    if present.clone().all(|(_, path)| missing.contains(path)) {
        let index = tagged().filter(|(tag, _)| *tag != "R");
        return Ok((index.map(|(_, path)| path.to_owned()).collect(), Vec::new()));
    }
    let here = tagged().filter(|(_, path)| !missing.contains(path));
    Ok((
        here.map(|(_, path)| path.to_owned()).collect(),
        missing.iter().map(|path| (*path).to_owned()).collect(),
    ))
}

/// Files that the last commit has and the tree has not, with their places in the index.
pub(super) fn uncommitted(
    root: &Path,
    files: &[String],
    missing: Vec<String>,
) -> BTreeMap<Box<str>, Option<Box<str>>> {
    let mut all: BTreeMap<Box<str>, Option<Box<str>>> = missing
        .into_iter()
        .map(|path| (path.into(), None))
        .collect();
    // An index without files is that of a clone without a checkout.
    if files.is_empty() {
        return all;
    }
    let diff = ["diff-index", "--cached", "-z", "-C"];
    let diff = [&diff[..], &["--diff-filter=DRC", "HEAD"]].concat();
    let out = run(root, &diff, &[]).unwrap_or_default();
    for step in all_steps(&out) {
        let from = text(step.from).into_boxed_str();
        match step.status {
            b'D' => drop(all.insert(from, None)),
            // Of several places none is the one.
            _ => drop(
                all.entry(from)
                    .and_modify(|to| *to = None)
                    .or_insert(Some(text(step.to).into())),
            ),
        }
    }
    all
}

/// The files with these names below a folder that git does not list, the nearest first: of as many
/// entries, and of no other hidden folders. A name that ends in `/` is a folder of Markdown files.
pub fn named(root: &Path, names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = VecDeque::from([String::new()]);
    let mut seen = 0;
    while let Some(folder) = folders.pop_front() {
        let entries = std::fs::read_dir(root.join(&folder)).into_iter().flatten();
        for entry in entries.flatten() {
            seen += 1;
            if seen == MOST_ENTRIES {
                return found;
            }
            let name = entry.file_name();
            let is_wanted = |name: &&str| !name.starts_with('.') || names.contains(name);
            let Some(name) = name.to_str().filter(is_wanted) else {
                continue;
            };
            let mut folders_of = names.iter().filter_map(|name| name.strip_suffix('/'));
            let is_in = name.ends_with(".md") && folders_of.any(|one| folder.ends_with(one));
            let path = format!("{folder}/{name}")
                .trim_start_matches('/')
                .to_owned();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push_back(path),
                Ok(_) if is_in || names.contains(&name) => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// True if a path is a file, or a folder with a file in it: what git leaves behind of a folder is
/// no folder.
pub(super) fn is_there(path: &Path) -> bool {
    let Ok(about) = path.symlink_metadata() else {
        return false;
    };
    if !about.is_dir() {
        return true;
    }
    let mut folders = vec![path.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        // An unreadable folder may hold anything.
        let Ok(entries) = std::fs::read_dir(folder) else {
            return true;
        };
        for entry in entries.flatten() {
            seen += 1;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_folder || seen == MOST_ENTRIES {
                return true;
            }
            folders.push(entry.path());
        }
    }
    false
}
