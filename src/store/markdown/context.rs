//! Context: what agents are given beside memories, and the files these import.

use std::path::{Path, PathBuf};

use crate::memory::format::Table;
use crate::store::discover::expand;
use crate::store::files;

/// Imports of imports are followed this far (formats: claude, "Imports").
const HOPS: usize = 4;
/// A larger file is not loaded by Claude Code (formats: claude, "Instruction files").
const LARGEST: u64 = 4 << 20;

fn home() -> Option<PathBuf> {
    etcetera::home_dir().ok()
}

/// What a place below a project, or below the person's home (`~/`), stands for.
pub(super) fn expanded(root: &Path, place: &str) -> Vec<PathBuf> {
    match place.strip_prefix("~/") {
        Some(below) => home().map(|home| expand(&home, below)).unwrap_or_default(),
        None => expand(root, place),
    }
}

/// The files of these places that are there, those of a project first, and what they import.
pub(super) fn files(root: &Path, places: &[String]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for place in places {
        let paths = expanded(root, place).into_iter();
        found.extend(paths.filter(|path| path.is_file()));
    }
    let mut from = 0;
    for _ in 0..HOPS {
        let new: Vec<PathBuf> = found.get(from..).unwrap_or_default().to_vec();
        from = found.len();
        for path in new.iter().flat_map(|path| imports(path)) {
            let is_near =
                path.starts_with(root) || home().is_some_and(|home| path.starts_with(home));
            if is_near && path.is_file() && !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// The files that a text imports: `@path` outside of code.
fn imports(path: &Path) -> Vec<PathBuf> {
    let is_small = std::fs::metadata(path).is_ok_and(|meta| meta.len() <= LARGEST);
    let read = is_small.then(|| files::read(path).ok()).flatten();
    let (Some((bytes, _)), Some(folder)) = (read, path.parent()) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // What stands between backticks is code: every second part.
        for prose in line.split('`').step_by(2) {
            let words = prose
                .split_whitespace()
                .filter_map(|word| word.strip_prefix('@'));
            for word in words.map(|word| word.trim_end_matches(['.', ',', ';', ':', ')'])) {
                let target = match word.strip_prefix("~/") {
                    Some(below) => home().map(|home| home.join(below)),
                    None => Some(super::joined(folder, word)),
                };
                found.extend(target);
            }
        }
    }
    found
}

/// The name of a file of context below the person's home, `~/…`.
pub(super) fn below_home(table: &Table, path: &Path) -> Option<String> {
    let home = home().filter(|_| table.schema.can.context)?;
    let below = path.strip_prefix(&home).ok()?;
    let mut places = table
        .beside
        .iter()
        .filter_map(|place| place.strip_prefix("~/"));
    let is_own = places.any(|place| {
        let folder = Path::new(place).parent();
        folder.is_some_and(|folder| below.starts_with(folder))
    });
    is_own.then(|| format!("~/{}", below.to_string_lossy()))
}
