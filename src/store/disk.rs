//! Every system call with which a plan or the journal changes files, and those that look at what
//! they changed. They are made here and nowhere else, so that a test can make any of them fail.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{At as _, Result, files};

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

    /// The bytes of a file; `None` only if its name is free, or a folder's. A file that cannot be
    /// read is an error and never counts as gone.
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

    /// Opens a file to read it and to add to its end; makes it where it is missing, for its owner
    /// alone to read.
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
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).map_err(unsupported)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = a;
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Gives a file the name of another one, which goes away.
    pub fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.check(Call::Rename, to)?;
        fs::rename(from, to)
    }

    /// Gives a file another name in one step, and never that of another file.
    pub fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.check(Call::Rename, to)?;
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            let renamed = renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE);
            match renamed.map_err(unsupported) {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
                renamed => return renamed,
            }
        }
        if fs::symlink_metadata(to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(from, to)
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
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The error of a rename with flags, which not every file system knows.
#[cfg(target_os = "linux")]
fn unsupported(error: rustix::io::Errno) -> io::Error {
    use rustix::io::Errno;
    match error {
        Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP => io::ErrorKind::Unsupported.into(),
        error => error.into(),
    }
}
