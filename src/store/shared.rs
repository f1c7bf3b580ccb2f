//! The files in which a team shares what it decided, in `.memkeep` at the root.

use std::path::{Path, PathBuf};

use super::{Overlay, StoreError, files};

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

/// The bytes of one of the files; none where it cannot be read.
pub fn read(root: &Path, name: &str) -> Option<Vec<u8>> {
    Some(files::read(&path(root, name)).ok()?.0)
}

/// Adds a line to the end of one of the files. A last line without an end gets one.
pub fn append(
    root: &Path,
    name: &str,
    line: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let path = path(root, name);
    let mut bytes = overlay.current(&path)?.unwrap_or_default().to_vec();
    if bytes.last().is_some_and(|last| *last != b'\n') {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(line.as_bytes());
    overlay.write(&path, bytes)
}
