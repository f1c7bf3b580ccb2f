//! Reading single files.

use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use super::{Result, StoreError};
use crate::memory::{Memory, Stamp};

pub fn io(path: &Path, source: io::Error) -> StoreError {
    StoreError::Io {
        path: path.to_owned(),
        source,
    }
}

pub trait At<T> {
    fn at(self, path: &Path) -> Result<T>;
}

impl<T, E: Into<io::Error>> At<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T> {
        self.map_err(|source| io(path, source.into()))
    }
}

/// The state of a file that tells whether it changed.
pub fn stamp_of(meta: &Metadata) -> Stamp {
    let modified = meta.modified().ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = since.and_then(|since| i64::try_from(since.as_nanos()).ok());
    let modified = modified.unwrap_or_default();
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
pub fn target(path: &Path) -> Result<PathBuf> {
    match path.is_symlink() {
        true => fs::canonicalize(path).at(path),
        false => Ok(path.to_owned()),
    }
}

/// The path of a file whose name has this behind its own.
pub(super) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(end);
    path.into()
}

/// A path without links and `..`; what is not there keeps its name.
pub fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let mut clean = path.parent().map_or_else(PathBuf::new, real);
    match path.components().next_back() {
        Some(Component::Normal(name)) => clean.push(name),
        Some(Component::ParentDir) => drop(clean.pop()),
        _ => return path.to_owned(),
    }
    // What stood behind a folder that is not there may be a link.
    fs::canonicalize(&clean).unwrap_or(clean)
}

pub fn read(path: &Path) -> Result<(Vec<u8>, Metadata)> {
    let mut bytes = Vec::new();
    let meta = open(path, true).and_then(|file| fill(&file, u64::MAX, &mut bytes));
    Ok((bytes, meta.at(path)?))
}

/// Fills `bytes` with a regular file of at most `largest`; a growing one is not followed.
fn fill(file: &File, largest: u64, bytes: &mut Vec<u8>) -> io::Result<Metadata> {
    let meta = file.metadata()?;
    if !meta.is_file() || meta.len() > largest {
        return Err(io::Error::other("not a regular file"));
    }
    bytes.clear();
    bytes.reserve(usize::try_from(meta.len()).unwrap_or_default());
    file.take(meta.len()).read_to_end(bytes)?;
    Ok(meta)
}

/// Opens what may be a file, without waiting for the writer of a pipe; a link only if it `follows`.
pub(super) fn open(path: &Path, follows: bool) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        flags.set(OFlags::NOFOLLOW, !follows);
        let flags = flags.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
    #[cfg(not(unix))]
    let _ = follows;
    options.read(true).open(path)
}

/// Like [`read`], into `bytes`; none for a link, anything but a file, or one that fails.
pub fn read_plain(path: &Path, largest: u64, bytes: &mut Vec<u8>) -> Option<Stamp> {
    let file = open(path, false).ok()?;
    Some(stamp_of(&fill(&file, largest, bytes).ok()?))
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    match fs::read_link(path) {
        Ok(to) => {
            let to = to.display();
            format!("a symbolic link to {to}, which cannot be read: {error}")
        }
        Err(_) => error.to_string(),
    }
}

/// The bytes of a file, its state, and whether a symbolic link leads to it.
type FileRead = (Vec<u8>, Stamp, bool);

/// Reads what may be anything; none where its known memories are as it is. An error has the state.
pub fn read_anew(
    path: &Path,
    known: &[Arc<Memory>],
    largest: u64,
) -> Result<Option<FileRead>, (Stamp, String)> {
    let failed = |stamp, message: String| Err((stamp, message));
    let link = fs::symlink_metadata(path);
    let is_link = link.as_ref().is_ok_and(Metadata::is_symlink);
    let meta = match if is_link { fs::metadata(path) } else { link } {
        Ok(meta) => meta,
        Err(error) => return failed(Stamp::default(), unreadable(path, &error)),
    };
    let stamp = stamp_of(&meta);
    if !known.is_empty() && known.iter().all(|memory| memory.stamp == stamp) {
        return Ok(None);
    }
    if meta.is_dir() {
        return failed(stamp, "a folder, not a file".to_owned());
    }
    if meta.len() > largest {
        let size = meta.len() >> 20;
        return failed(stamp, format!("too large to read: {size} MB"));
    }
    let (bytes, meta) = read(path).map_err(|error| (stamp, error.to_string()))?;
    Ok(Some((bytes, stamp_of(&meta), is_link)))
}

/// The folders of a file and of the file that a link there leads to, without those below them.
pub fn folders_of(path: &Path) -> Vec<(PathBuf, bool)> {
    let target = target(path).ok();
    let paths = [Some(path), target.as_deref()].into_iter().flatten();
    let folders = paths.filter_map(|path| Some((path.parent()?.to_owned(), false)));
    let mut folders: Vec<(PathBuf, bool)> = folders.collect();
    folders.dedup();
    folders
}

/// Puts another text in the place of a file, which keeps its permissions.
pub fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text)?;
    if let Ok(meta) = fs::metadata(path) {
        file.as_file().set_permissions(meta.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

pub fn mode_in_git(path: &Path) -> &'static str {
    let mode = fs::metadata(path).ok().as_ref().and_then(mode);
    match mode.is_some_and(|mode| mode & 0o100 != 0) {
        true => "100755",
        false => "100644",
    }
}
