//! Folders of texts, and the arguments that name them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders in a folder, sorted.
pub fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// The texts below a folder, in the order of their paths.
pub fn files(path: &Path, take: &mut impl FnMut(&str)) {
    let mut entries: Vec<PathBuf> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files(&entry, take);
        } else if let Ok(text) = fs::read_to_string(&entry) {
            take(&text);
        }
    }
}

/// The value of an argument of the program.
pub fn argument(name: &str) -> Option<String> {
    let mut args = env::args();
    args.find(|arg| arg == name)?;
    args.next()
}
