//! The files that a team shares, in `.memkeep` at the root.

use std::path::{Path, PathBuf};

use super::control::{self, Owner};
use super::{Overlay, Result, StoreError};

/// The folder below the root.
pub const FOLDER: &str = ".memkeep";
/// The decisions about findings and memories, a line each.
pub const DECISIONS: &str = "decisions.jsonl";

/// The folder of a root.
pub fn folder(root: &Path) -> PathBuf {
    root.join(FOLDER)
}

/// The path of one of the files.
pub fn path(root: &Path, name: &str) -> PathBuf {
    folder(root).join(name)
}

/// Reads one of the files line by line; no lines if it does not exist.
pub fn lines(root: &Path, name: &str) -> Result<impl Iterator<Item = String> + use<>, StoreError> {
    control::lines(&path(root, name), Owner::Project(root))
}

/// Stages a control file below the root and gives its bytes; none if it does not exist.
pub fn stage<'o>(root: &Path, path: &Path, overlay: &'o mut Overlay) -> Result<Option<&'o [u8]>> {
    // A refused file is not read.
    drop(control::lines(path, Owner::Project(root))?);
    overlay.current(path)
}

/// Adds lines to the end of the decisions. A last line without an end gets one.
pub fn append(root: &Path, line: &str, overlay: &mut Overlay) -> Result {
    let path = path(root, DECISIONS);
    let mut bytes = stage(root, &path, overlay)?.unwrap_or_default().to_vec();
    if bytes.last().is_some_and(|last| *last != b'\n') {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(line.as_bytes());
    overlay.write(&path, bytes)
}
