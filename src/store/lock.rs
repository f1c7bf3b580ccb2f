//! Locks on files (`flock`), which other programs respect.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::disk::{Call, Disk, private};
use super::{At as _, Result, StoreError, files};

/// How often a lock that another program holds is asked for.
const PAUSE: Duration = Duration::from_millis(5);

/// The lock of a file, let go of when this is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    /// The lock file, if it was made for this lock alone: it goes with it.
    made: Option<PathBuf>,
}

impl Lock {
    /// Takes the lock to write; a file or folder that is missing is made. Waits for another
    /// program until `end`, for that one may be stopped in the middle.
    pub fn exclusive(disk: &Disk, path: &Path, end: Instant) -> Result<Self> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).at(folder)?;
        }
        disk.check(Call::Lock, path).at(path)?;
        let mut options = private();
        let file = options.create(true).truncate(false).write(true).open(path);
        wait(path, file.at(path)?, end, File::try_lock)
    }

    /// The lock of a folder, where nothing is made for it.
    pub fn of_folder(path: &Path, end: Instant) -> Result<Self> {
        let file = File::open(path).at(path)?;
        wait(path, file, end, File::try_lock)
    }

    /// The same for a lock file that belongs to another system: one that is missing is made, and
    /// taken away while it is still held. One that the system made stays.
    pub fn borrowed(path: &Path, end: Instant) -> Result<Self> {
        path.parent().map_or(Ok(()), fs::create_dir_all).at(path)?;
        loop {
            let mut options = OpenOptions::new();
            let new = options.write(true).create_new(true).open(path);
            let is_new = new.is_ok();
            let opened = new.or_else(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => OpenOptions::new().write(true).open(path),
                _ => Err(error),
            });
            let file = match opened {
                // Its maker has just taken it away.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened.at(path)?,
            };
            let mut lock = wait(path, file, end, File::try_lock)?;
            let held = files::stamp_of(&lock.file.metadata().at(path)?);
            // While this waited another memkeep may have taken away the file that it waited for.
            if fs::metadata(path).is_ok_and(|meta| files::stamp_of(&meta).inode == held.inode) {
                lock.made = is_new.then(|| path.to_owned());
                return Ok(lock);
            }
        }
    }

    /// Takes the lock to read. None where there is no such file, for reading makes none, and
    /// where it may not be opened: then there is no lock to take.
    pub fn shared(path: &Path, end: Instant) -> Result<Option<Self>> {
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
        let _ = self.made.as_ref().map(fs::remove_file);
        let _ = self.file.unlock();
    }
}

fn wait(
    path: &Path,
    file: File,
    end: Instant,
    take: fn(&File) -> Result<(), TryLockError>,
) -> Result<Lock> {
    loop {
        match take(&file) {
            Ok(()) => return Ok(Lock { file, made: None }),
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
        let copy = held.file.try_clone().unwrap();
        drop(held);
        assert!(take().is_ok());
        drop(copy);
    }
}
