//! Ralph's lock: `flock` on `memories.md.lock`, shared to read, exclusive to write
//! (formats: ralph, "Lock protocol"). Ralph itself waits for ever; memkeep does not.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::store::{Guard, StoreError, files};

/// How long a change waits for another program's, and a reader for a writer: Ralph holds its
/// lock while it reads or writes one small file.
const PATIENCE: Duration = Duration::from_secs(5);
const READING: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);

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

/// Holds the lock to write; makes the lock file, as Ralph does.
pub(super) fn exclusive(path: &Path) -> Result<Guard, StoreError> {
    let end = Instant::now() + PATIENCE;
    let mut held = Vec::new();
    for lock in lock_paths(path) {
        let fail = |source| files::io(&lock, source);
        if let Some(folder) = lock.parent() {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&lock)
            .map_err(fail)?;
        held.push(wait(&lock, file, end, File::try_lock)?);
    }
    Ok(Guard::new(held))
}

/// Holds the lock to read, where there is a lock file: none is made for reading.
pub(super) fn shared(path: &Path) -> Result<Guard, StoreError> {
    let end = Instant::now() + READING;
    let mut held = Vec::new();
    for lock in lock_paths(path) {
        // Without the right to open it there is no lock to take; the text is read all the same.
        let meta = fs::metadata(&lock);
        let Some(file) = meta
            .is_ok_and(|meta| meta.is_file())
            .then(|| File::open(&lock).ok())
            .flatten()
        else {
            continue;
        };
        held.push(wait(&lock, file, end, File::try_lock_shared)?);
    }
    Ok(Guard::new(held))
}

/// Takes a lock, or says who is in the way where nobody lets go of it.
fn wait(
    path: &Path,
    file: File,
    end: Instant,
    take: fn(&File) -> Result<(), TryLockError>,
) -> Result<File, StoreError> {
    loop {
        match take(&file) {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(files::io(path, source)),
        }
    }
}
