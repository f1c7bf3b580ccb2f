//! The files in which a team shares what it decided, in `.memkeep` at the root.

use std::path::{Path, PathBuf};

use super::control::{self, Owner};
use super::{Overlay, StoreError};

/// The folder below the root.
pub const FOLDER: &str = ".memkeep";
/// What was said of pairs that lint asked about.
pub const ANSWERS: &str = "verdicts.jsonl";

/// Old findings that lint does not report.
pub const BASELINE: &str = "baseline.json";

/// The folder of a root.
pub fn folder(root: &Path) -> PathBuf {
    root.join(FOLDER)
}

/// Where one of the files stands.
pub fn path(root: &Path, name: &str) -> PathBuf {
    folder(root).join(name)
}

/// Reads one of the files; none if it does not exist.
pub fn read(root: &Path, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let (path, owner) = (path(root, name), Owner::Project(root));
    control::bytes(&path, owner, control::LARGEST_GROWING)
}

/// Reads one of the files line by line; no lines if it does not exist.
pub fn lines(root: &Path, name: &str) -> Result<impl Iterator<Item = String> + use<>, StoreError> {
    control::lines(&path(root, name), Owner::Project(root))
}

/// Stages a control file below the root and gives its bytes; none if it does not exist.
pub fn stage<'o>(
    root: &Path,
    path: &Path,
    overlay: &'o mut Overlay,
) -> Result<Option<&'o [u8]>, StoreError> {
    // What is refused is not read.
    drop(control::lines(path, Owner::Project(root))?);
    overlay.current(path)
}

/// Adds a line to the end of one of the files. A last line without an end gets one.
pub fn append(
    root: &Path,
    name: &str,
    line: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let path = path(root, name);
    let mut bytes = stage(root, &path, overlay)?.unwrap_or_default().to_vec();
    if bytes.last().is_some_and(|last| *last != b'\n') {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(line.as_bytes());
    overlay.write(&path, bytes)
}
