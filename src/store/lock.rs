//! Locks on files (`flock`), which other programs respect.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::disk::{Call, Disk};
use super::{StoreError, files};

/// How often a lock that another program holds is asked for.
const PAUSE: Duration = Duration::from_millis(5);

/// The lock of a file, let go of when this is dropped.
#[derive(Debug)]
pub struct Lock(File);

impl Lock {
    /// Takes the lock to write; a file or folder that is missing is made. Waits for another
    /// program until `end`, for that one may be stopped in the middle.
    pub fn exclusive(disk: &Disk, path: &Path, end: Instant) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| files::io(folder, source))?;
        }
        disk.check(Call::Lock, path)
            .map_err(|source| files::io(path, source))?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(|source| files::io(path, source))?;
        wait(path, file, end, File::try_lock)
    }

    /// Takes the lock to read. None where there is no such file, for reading makes none, and
    /// where it may not be opened: then there is no lock to take.
    pub fn shared(path: &Path, end: Instant) -> Result<Option<Self>, StoreError> {
        let is_file = fs::metadata(path).is_ok_and(|meta| meta.is_file());
        let file = is_file.then(|| File::open(path).ok()).flatten();
        file.map(|file| wait(path, file, end, File::try_lock_shared))
            .transpose()
    }
}

impl Drop for Lock {
    /// Closing the file is not enough: a process that another thread is just starting has it
    /// too, for a moment, and would go on holding the lock.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

fn wait(
    path: &Path,
    file: File,
    end: Instant,
    take: fn(&File) -> Result<(), TryLockError>,
) -> Result<Lock, StoreError> {
    loop {
        match take(&file) {
            Ok(()) => return Ok(Lock(file)),
            Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(files::io(path, source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_free_at_once_whoever_else_has_the_open_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("folder/lock");
        let take = || Lock::exclusive(&Disk::default(), &path, Instant::now());
        let held = take().unwrap();
        assert!(matches!(take(), Err(StoreError::Locked(_))));
        // As the copy that a process has which is being started.
        let copy = held.0.try_clone().unwrap();
        drop(held);
        assert!(take().is_ok());
        drop(copy);
    }
}
