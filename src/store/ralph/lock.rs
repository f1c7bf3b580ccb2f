//! Ralph's lock: `flock` on `memories.md.lock`, shared to read, exclusive to write
//! (formats: ralph, "Lock protocol"). Ralph itself waits for ever; memkeep does not.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::store::lock::Lock;
use crate::store::{Guard, StoreError, files};

/// How long a change waits for another program's, and a reader for a writer: Ralph holds its
/// lock while it reads or writes one small file.
const PATIENCE: Duration = Duration::from_secs(5);
const READING: Duration = Duration::from_secs(2);

/// The lock of a file: beside it, and where it is a link beside the file it points to as well,
/// for each of the two is what some Ralph locks.
fn lock_paths(path: &Path) -> Vec<PathBuf> {
    let beside = |path: PathBuf| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".lock");
        path.with_file_name(name)
    };
    let mut paths = vec![beside(path.to_path_buf())];
    paths.extend(files::target(path).ok().map(beside));
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Holds the lock to write; makes the lock file, as Ralph does, and takes away what it made. A
/// Ralph that opened the file meanwhile goes on with that one, as with any that a person deletes.
pub(super) fn exclusive(path: &Path) -> Result<Guard, StoreError> {
    let end = Instant::now() + PATIENCE;
    let paths = lock_paths(path).into_iter();
    paths.map(|lock| Lock::borrowed(&lock, end)).collect()
}

/// Holds the lock to read, where there is a lock file: none is made for reading.
pub(super) fn shared(path: &Path) -> Result<Guard, StoreError> {
    let end = Instant::now() + READING;
    let paths = lock_paths(path).into_iter();
    paths
        .filter_map(|lock| Lock::shared(&lock, end).transpose())
        .collect()
}
