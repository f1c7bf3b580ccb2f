//! Reading and replacing single files.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::StoreError;
use crate::curate::Digest;
use crate::memory::Stamp;

/// The beginning of the name of every temporary file, so that a start after a crash can tell
/// them.
const TEMPORARY: &str = ".memkeep-";
const TEMPORARY_END: &str = ".tmp";
/// How often a file goes back to a program that keeps writing it.
#[cfg(target_os = "linux")]
const MOST_EXCHANGES: usize = 1000;

/// An error of the file system, with its place.
pub fn io(path: &Path, source: io::Error) -> StoreError {
    StoreError::Io {
        path: path.to_owned(),
        source,
    }
}

/// The state of a file that tells whether it changed.
pub fn stamp_of(meta: &Metadata) -> Stamp {
    let modified = meta
        .modified()
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .and_then(|since| i64::try_from(since.as_nanos()).ok())
        .unwrap_or_default();
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(meta);
    #[cfg(not(unix))]
    let inode = 0;
    Stamp {
        modified,
        size: meta.len(),
        inode,
    }
}

/// The permission bits of a file, where the system has them.
pub fn mode(meta: &Metadata) -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o7777);
    #[cfg(not(unix))]
    return None;
}

/// The file itself where the path is a symbolic link: a link is never replaced by a file.
pub fn target(path: &Path) -> Result<PathBuf, StoreError> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
    if is_link {
        fs::canonicalize(path).map_err(|source| io(path, source))
    } else {
        Ok(path.to_owned())
    }
}

/// The bytes of a regular file and what the file system says of them.
pub fn read(path: &Path) -> Result<(Vec<u8>, Metadata), StoreError> {
    let fail = |source| io(path, source);
    // Opening a pipe would wait for a writer, so the kind is looked at first.
    let meta = fs::metadata(path).map_err(fail)?;
    if !meta.is_file() {
        return Err(fail(io::Error::other("not a regular file")));
    }
    let mut file = File::open(path).map_err(fail)?;
    let meta = file.metadata().map_err(fail)?;
    let size = usize::try_from(meta.len()).unwrap_or_default();
    let mut bytes = Vec::with_capacity(size + 1);
    file.read_to_end(&mut bytes).map_err(fail)?;
    Ok((bytes, meta))
}

/// Why a file cannot be read, in words; a link says where it leads.
pub fn unreadable(path: &Path, error: &io::Error) -> String {
    match fs::read_link(path) {
        Ok(to) => format!(
            "a symbolic link to {}, which cannot be read: {error}",
            to.display()
        ),
        Err(_) => error.to_string(),
    }
}

/// Why a file with more bytes than these is not read.
pub fn too_large(meta: &Metadata, largest: u64) -> Option<String> {
    (meta.len() > largest).then(|| format!("too large to read: {} MB", meta.len() >> 20))
}

/// A folder whose files are read one after the other, each with as few calls as there can be.
pub struct Folder {
    #[cfg(unix)]
    open: Option<(PathBuf, std::os::fd::OwnedFd)>,
}

impl Folder {
    /// The folder at a path; one that cannot be opened reads nothing.
    #[cfg(unix)]
    pub fn open(path: &Path) -> Self {
        use rustix::fs::{Mode, OFlags, open};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = open(path, flags, Mode::empty()).ok();
        Self {
            open: opened.map(|folder| (path.to_owned(), folder)),
        }
    }

    /// The folder at a path.
    #[cfg(not(unix))]
    pub fn open(_path: &Path) -> Self {
        Self {}
    }

    /// Puts the bytes of a regular file of at most `largest` below the folder into `bytes`, and
    /// gives its state. None where it is anything else or cannot be read: [`read`] says why.
    #[cfg(unix)]
    pub fn read(&self, path: &Path, largest: u64, bytes: &mut Vec<u8>) -> Option<Stamp> {
        use rustix::buffer::spare_capacity;
        use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
        let (folder, handle) = self.open.as_ref()?;
        let below = path.as_os_str().as_encoded_bytes();
        let below = below
            .strip_prefix(folder.as_os_str().as_encoded_bytes())?
            .strip_prefix(b"/")?;
        // Not waiting for the writer of a pipe, not following a link.
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let file = openat(handle, below, flags, Mode::empty()).ok()?;
        let stat = fstat(&file).ok()?;
        let size = u64::try_from(stat.st_size).ok()?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || size > largest {
            return None;
        }
        bytes.clear();
        let expected = usize::try_from(size).ok()?;
        loop {
            bytes.reserve((expected + 1).saturating_sub(bytes.len()).max(32));
            let count =
                rustix::io::retry_on_intr(|| rustix::io::read(&file, spare_capacity(bytes)))
                    .ok()?;
            // A regular file gives less than there is room for at its end only.
            if count == 0 || bytes.len() == expected && bytes.len() < bytes.capacity() {
                return Some(stamp_of_stat(&stat, size));
            }
        }
    }

    /// Nothing: [`read`] reads files here.
    #[cfg(not(unix))]
    pub fn read(&self, _path: &Path, _largest: u64, _bytes: &mut Vec<u8>) -> Option<Stamp> {
        None
    }
}

/// The same state that [`stamp_of`] gives.
#[cfg(unix)]
fn stamp_of_stat(stat: &rustix::fs::Stat, size: u64) -> Stamp {
    // The types of these fields differ between systems.
    fn as_number<T>(field: impl TryInto<T>) -> Option<T> {
        field.try_into().ok()
    }
    let modified = as_number::<i64>(stat.st_mtime).and_then(|seconds| {
        let nanos = as_number(stat.st_mtime_nsec)?;
        seconds.checked_mul(1_000_000_000)?.checked_add(nanos)
    });
    Stamp {
        modified: modified.filter(|at| *at >= 0).unwrap_or_default(),
        size,
        inode: as_number(stat.st_ino).unwrap_or_default(),
    }
}

/// Replaces the content of a file in one step, or makes the file. A crash leaves the old file
/// or the new one. `before` is the content it must have (none: it must not exist).
pub fn replace(
    path: &Path,
    before: Option<&Digest>,
    bytes: &[u8],
    new_mode: Option<u32>,
) -> Result<(), StoreError> {
    let fail = |source| io(path, source);
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let mut temporary = temporary_in(folder).map_err(fail)?;
    temporary.write_all(bytes).map_err(fail)?;
    keep_mode(path, temporary.as_file(), new_mode).map_err(fail)?;
    temporary.as_file().sync_all().map_err(fail)?;
    match before {
        None => {
            temporary
                .persist_noclobber(path)
                .map_err(|error| match error.error.kind() {
                    io::ErrorKind::AlreadyExists => StoreError::Exists(path.to_owned()),
                    _ => fail(error.error),
                })?;
        }
        Some(before) => swap(path, temporary, before, &Digest::of(bytes))?,
    }
    sync_folder(folder);
    Ok(())
}

fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(TEMPORARY)
        .suffix(TEMPORARY_END)
        .tempfile_in(folder)
}

/// The temporary files in a folder, of whichever memkeep.
pub fn temporaries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = |name: &std::ffi::OsStr| {
        let name = name.as_encoded_bytes();
        name.starts_with(TEMPORARY.as_bytes()) && name.ends_with(TEMPORARY_END.as_bytes())
    };
    entries
        .filter(|entry| ours(&entry.file_name()))
        .map(|entry| entry.path())
        .collect()
}

fn has_content(path: &Path, content: &Digest) -> bool {
    read(path).is_ok_and(|(bytes, _)| Digest::of(&bytes) == *content)
}

/// Puts a temporary file in the place of one that must have a certain content. Where the system
/// can exchange two names in one step, the content is looked at after the exchange, so that a
/// program that writes at the same moment is noticed and gets its file back.
fn swap(
    path: &Path,
    temporary: NamedTempFile,
    before: &Digest,
    after: &Digest,
) -> Result<(), StoreError> {
    if !has_content(path, before) {
        return Err(StoreError::Changed(path.to_owned()));
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        let exchange = || renameat_with(CWD, temporary.path(), CWD, path, RenameFlags::EXCHANGE);
        if exchange().is_ok() {
            if has_content(temporary.path(), before) {
                // The temporary name now holds the old file and goes away with it.
                return temporary.close().map_err(|source| io(path, source));
            }
            // The other program may write again before it has its file back: what comes out of
            // the exchange is then newer than what went in, and goes back too.
            for _ in 0..MOST_EXCHANGES {
                if exchange().is_ok() && has_content(temporary.path(), after) {
                    return Err(StoreError::Changed(path.to_owned()));
                }
            }
            // Not ours to throw away.
            let _ = temporary.keep();
            return Err(StoreError::Changed(path.to_owned()));
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = after;
    temporary
        .persist(path)
        .map(drop)
        .map_err(|error| io(path, error.error))
}

/// Takes a file away that must have a certain content. It gets a temporary name first, so that
/// a program that writes at the same moment keeps its file.
pub fn remove(path: &Path, before: &Digest) -> Result<(), StoreError> {
    let fail = |source| io(path, source);
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let temporary = temporary_in(folder).map_err(fail)?;
    fs::rename(path, temporary.path()).map_err(fail)?;
    if has_content(temporary.path(), before) {
        temporary.close().map_err(fail)?;
        sync_folder(folder);
        return Ok(());
    }
    if rename(temporary.path(), path).is_err() {
        // Another one has taken its place: both stay.
        let _ = temporary.keep();
    }
    Err(StoreError::Changed(path.to_owned()))
}

/// Gives a file another name, in one step, and never over another file.
pub fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(()),
            Err(rustix::io::Errno::EXIST) => return Err(StoreError::Exists(to.to_owned())),
            // Not every file system knows the flag.
            Err(_) => {}
        }
    }
    if fs::symlink_metadata(to).is_ok() {
        return Err(StoreError::Exists(to.to_owned()));
    }
    fs::rename(from, to).map_err(|source| io(from, source))
}

/// Gives a new file the mode of the one it replaces, or the one asked for, or the usual one.
#[cfg(unix)]
fn keep_mode(path: &Path, file: &File, new_mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let old = fs::metadata(path).ok();
    if let Some(meta) = &old {
        use std::os::unix::fs::MetadataExt as _;
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

#[cfg(not(unix))]
fn keep_mode(_path: &Path, _file: &File, _new_mode: Option<u32>) -> io::Result<()> {
    Ok(())
}

/// Makes renames in a folder last; not every system can, and then there is nothing to do.
pub fn sync_folder(folder: &Path) {
    if let Ok(handle) = File::open(folder) {
        let _ = handle.sync_all();
    }
}

/// A file that stays open while its parts are read.
pub struct Opened {
    path: PathBuf,
    stamp: Stamp,
    file: File,
}

/// Bytes of a file that must be in a certain state. The file stays open for the next ones.
pub fn part(
    opened: &mut Option<Opened>,
    path: &Path,
    stamp: Stamp,
    range: &std::ops::Range<usize>,
) -> Result<Vec<u8>, StoreError> {
    let fail = |source| io(path, source);
    let changed = || StoreError::Changed(path.to_owned());
    let meta = fs::metadata(path).map_err(fail)?;
    if stamp_of(&meta) != stamp {
        return Err(changed());
    }
    let known = opened
        .take()
        .filter(|known| known.path == path && known.stamp == stamp);
    let mut known = match known {
        Some(known) => known,
        None => Opened {
            path: path.to_owned(),
            stamp,
            file: File::open(path).map_err(fail)?,
        },
    };
    let start = u64::try_from(range.start).map_err(|_| changed())?;
    let mut bytes = vec![0; range.len()];
    io::Seek::seek(&mut known.file, io::SeekFrom::Start(start)).map_err(fail)?;
    known.file.read_exact(&mut bytes).map_err(|_| changed())?;
    *opened = Some(known);
    Ok(bytes)
}
