//! Every system call with which plans and the journal look at files and change them, so that a test
//! can make any of them fail; and locks on files (`flock`), which other programs respect.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{At as _, Result, StoreError, files};

/// State of the disk with regard to one change of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// As before the change.
    Before,
    /// As after it.
    After,
    /// Neither: something else changed the file.
    Other,
}

/// A kind of system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// Reads the state of a path.
    Look,
    /// Reads a file.
    Read,
    /// Opens a lock file or makes it.
    Lock,
    /// Makes a file, or opens one to add to it.
    Create,
    /// Writes bytes.
    Write,
    /// Makes what was written last.
    Sync,
    /// Sets the owner and permissions of a file.
    Mode,
    /// Cuts a file off.
    Cut,
    /// Exchanges two names in one step.
    Exchange,
    /// Gives a file another name.
    Rename,
    /// Takes a file away.
    Remove,
    /// Makes a folder.
    MakeFolder,
    /// Takes an empty folder away.
    RemoveFolder,
    /// Opens a database to write to it.
    Open,
    /// Ends a transaction.
    Commit,
}

/// Decides before each system call whether it fails; a test's.
pub type Faults = dyn Fn(Call, &Path) -> io::Result<()> + Send + Sync;

/// The file system as plans and journals use it.
#[derive(Clone, Default)]
pub struct Disk(Option<Arc<Faults>>);

impl fmt::Debug for Disk {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Disk")
    }
}

impl Disk {
    /// A file system some of whose calls fail.
    pub fn failing(faults: Arc<Faults>) -> Self {
        Self(Some(faults))
    }

    /// The error that a test wants in place of a call.
    pub fn check(&self, call: Call, path: &Path) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |faults| faults(call, path))
    }

    /// The state of what stands at a path, a link itself; none where nothing does.
    pub fn look(&self, path: &Path) -> io::Result<Option<Metadata>> {
        use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
        self.check(Call::Look, path)?;
        match fs::symlink_metadata(path) {
            Ok(meta) => Ok(Some(meta)),
            Err(error) if [NotFound, NotADirectory, InvalidFilename].contains(&error.kind()) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The bytes of a regular file; `InvalidInput` where it is none.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.check(Call::Read, path)?;
        // Opening a pipe would wait for a writer, so the kind is looked at first.
        if !fs::metadata(path)?.is_file() {
            let kind = io::ErrorKind::InvalidInput;
            return Err(io::Error::new(kind, "not a regular file"));
        }
        fs::read(path)
    }

    /// The bytes of a file; `None` only if its name is free, or a folder's.
    pub fn bytes(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        if self.look(path).at(path)?.is_none_or(|meta| meta.is_dir()) {
            return Ok(None);
        }
        self.check(Call::Read, path).at(path)?;
        Ok(Some(files::read(path)?.0))
    }

    /// Makes a new private file.
    pub fn create(&self, path: &Path) -> io::Result<File> {
        self.check(Call::Create, path)?;
        private().write(true).create_new(true).open(path)
    }

    /// Opens a file to read it and to add to its end; a missing one is made, for its owner alone.
    pub fn open_to_append(&self, path: &Path) -> io::Result<File> {
        self.check(Call::Create, path)?;
        private().create(true).read(true).append(true).open(path)
    }

    /// Writes bytes. A call that is made to fail writes the first half of them.
    pub fn write(&self, path: &Path, mut file: &File, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.check(Call::Write, path) {
            file.write_all(bytes.get(..bytes.len() / 2).unwrap_or_default())?;
            return Err(error);
        }
        file.write_all(bytes)
    }

    /// Makes what was written to a file last. A disk for tests need not.
    pub fn sync(&self, path: &Path, file: &File) -> io::Result<()> {
        self.check(Call::Sync, path)?;
        match &self.0 {
            Some(_) => Ok(()),
            None => file.sync_all(),
        }
    }

    /// Makes renames in a folder last; not every system can, and then there is nothing to do.
    pub fn sync_folder(&self, folder: &Path) {
        if self.check(Call::Sync, folder).is_ok()
            && self.0.is_none()
            && let Ok(handle) = File::open(folder)
        {
            let _ = handle.sync_all();
        }
    }

    /// Cuts a file off after so many bytes.
    pub fn cut(&self, path: &Path, file: &File, length: u64) -> io::Result<()> {
        self.check(Call::Cut, path)?;
        file.set_len(length)
    }

    /// Gives a new file the mode of the one it replaces, or the one asked for, or the usual one.
    #[cfg(unix)]
    pub fn set_mode(&self, path: &Path, file: &File, new_mode: Option<u32>) -> io::Result<()> {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        self.check(Call::Mode, path)?;
        let old = fs::metadata(path).ok();
        if let Some(meta) = &old {
            // Only the superuser can give a file to another one; where that fails the file is as
            // readable as before, and belongs to who wrote it.
            let _ = std::os::unix::fs::fchown(file, Some(meta.uid()), Some(meta.gid()));
        }
        let mode = old.map_or(new_mode, |meta| Some(meta.permissions().mode() & 0o7777));
        // Temporary files are private; a new memory is as readable as any new file.
        let mode = mode.unwrap_or_else(|| {
            let mask = rustix::process::umask(rustix::fs::Mode::empty());
            rustix::process::umask(mask);
            0o666 & !mask.bits()
        });
        file.set_permissions(fs::Permissions::from_mode(mode))
    }

    /// Gives a new file the mode of the one it replaces, where the system has modes.
    #[cfg(not(unix))]
    pub fn set_mode(&self, path: &Path, _file: &File, _new_mode: Option<u32>) -> io::Result<()> {
        self.check(Call::Mode, path)
    }

    /// Exchanges two names in one step; `Unsupported` where the file system cannot.
    pub fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        self.check(Call::Exchange, b)?;
        rename_with(a, b, true)
    }

    /// Gives a file the name of another one, which goes away.
    pub fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.check(Call::Rename, to)?;
        fs::rename(from, to)
    }

    /// Gives a file another name in one step, and never that of another file.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.check(Call::Rename, to)?;
        match rename_with(from, to, false) {
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            Err(_) if fs::symlink_metadata(to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
            Ok(()) => Ok(()),
        }
    }

    /// Takes a file away.
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        self.check(Call::Remove, path)?;
        fs::remove_file(path)
    }

    /// Makes a folder with those above it. The new ones are added to `made`, the outermost first.
    pub fn make_folder(&self, folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.is_dir();
        let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
        for folder in missing.into_iter().rev() {
            self.check(Call::MakeFolder, folder)?;
            match fs::create_dir(folder) {
                Ok(()) => made.push(folder.to_owned()),
                // Another program made it just now.
                Err(_) if folder.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Takes a folder away where it is empty.
    pub fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        self.check(Call::RemoveFolder, folder)?;
        fs::remove_dir(folder)
    }
}

/// Options to open files that only their owner reads.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Exchanges two names, or takes a free one, in one step; `Unsupported` without such a call.
#[cfg(target_os = "linux")]
fn rename_with(from: &Path, to: &Path, exchanges: bool) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    let flags = match exchanges {
        true => RenameFlags::EXCHANGE,
        false => RenameFlags::NOREPLACE,
    };
    renameat_with(CWD, from, CWD, to, flags).map_err(|error| match error {
        Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => io::ErrorKind::Unsupported.into(),
        error => error.into(),
    })
}

#[cfg(not(target_os = "linux"))]
fn rename_with(_from: &Path, _to: &Path, _exchanges: bool) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

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
    /// Takes the lock to write, and makes its file and folder. Waits for others until `end`.
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

    /// The same for another system's lock file: a missing one is made, and removed while held.
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

    /// Takes the lock to read, if there is one that may be opened: reading makes none.
    pub fn shared(path: &Path, end: Instant) -> Result<Option<Self>> {
        let is_file = fs::metadata(path).is_ok_and(|meta| meta.is_file());
        let file = is_file.then(|| File::open(path).ok()).flatten();
        let lock = file.map(|file| wait(path, file, end, File::try_lock_shared));
        lock.transpose()
    }
}

impl Drop for Lock {
    /// A process that is being started may have the file open too, and would hold the lock on.
    fn drop(&mut self) {
        let _ = self.made.as_ref().map(fs::remove_file);
        let _ = self.file.unlock();
    }
}

/// Asks for a lock without waiting for it.
type Take = fn(&File) -> Result<(), TryLockError>;

fn wait(path: &Path, file: File, end: Instant, take: Take) -> Result<Lock> {
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
