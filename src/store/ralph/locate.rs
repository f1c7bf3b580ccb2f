//! Where Ralph's file stands, and how one is told.

use std::fs;
use std::path::{Path, PathBuf};

use super::FILE;
use crate::store::files;
use crate::systems::ralph::line::{Rule, lines, rule};

/// Place of the archive: a file beside Ralph's, which Ralph does not read. If that is a link, the
/// path is beside its target: a worktree goes away.
pub fn archive(path: &Path) -> PathBuf {
    let path = &files::target(path).unwrap_or_else(|_| path.to_path_buf());
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".archive");
    if let Some(end) = path.extension() {
        name.push(".");
        name.push(end);
    }
    path.with_file_name(name)
}

/// The file that a path is, or that stands in the folder it is: one with an id of Ralph's, or
/// empty sections of its template.
pub fn holder(path: &Path) -> Option<PathBuf> {
    let file = match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => in_folder(path),
        _ => path.to_path_buf(),
    };
    // The archive is not a store of its own.
    let store = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        let (stem, end) = name.split_once(".archive.")?;
        let store = path.with_file_name(format!("{stem}.{end}"));
        store.is_file().then_some(store)
    };
    let (bytes, _) = files::read(&file).ok()?;
    is_ralph(&bytes).then(|| store(&file).unwrap_or(file))
}

/// True if a text is one of Ralph's: it has an entry, or two of the four sections.
pub(super) fn is_ralph(bytes: &[u8]) -> bool {
    let mut sections = 0;
    lines(bytes).any(|line| match rule(line.of(bytes)) {
        Rule::Id(_) => true,
        Rule::Section(_) => {
            sections += 1;
            sections == 2
        }
        _ => line.of(bytes).starts_with(b"### mem-"),
    })
}

/// The file of a folder: in it, or where Ralph keeps it below its own.
fn in_folder(folder: &Path) -> PathBuf {
    let (own, below) = (folder.join(FILE), folder.join("agent").join(FILE));
    let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
    let is_ralphs = is_there(&below) || folder.ends_with(".ralph");
    if is_ralphs && !is_there(&own) {
        below
    } else {
        own
    }
}

/// The file of a path that is said to be Ralph's.
pub fn given(path: &Path) -> PathBuf {
    if path.is_dir() {
        in_folder(path)
    } else {
        path.to_path_buf()
    }
}
