//! Control files decide what memkeep or another system does. Whatever stands in the place of one,
//! reading it ends at once and takes little memory. Those of a project are no links and lie in it.

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::{Overlay, Result, Scope, StoreError, StoreInfo, files};

/// Largest control file in bytes.
pub const LARGEST: u64 = 1 << 20;
/// Largest file in bytes that memkeep itself adds lines or entries to.
pub const LARGEST_GROWING: u64 = 32 << 20;

#[derive(Clone, Copy, Debug)]
pub enum Owner<'a> {
    Person,
    /// The project in this folder, whoever wrote the file.
    Project(&'a Path),
}

impl<'a> Owner<'a> {
    /// The project in a folder that holds the store, else the person, who keeps it or named it.
    pub fn of_store(store: &StoreInfo, folder: &'a Path) -> Self {
        match store.scope == Scope::Project && store.path.starts_with(folder) {
            true => Self::Project(folder),
            false => Self::Person,
        }
    }
}

pub fn text(path: &Path, owner: Owner<'_>) -> Result<Option<String>> {
    let bytes = bytes(path, owner, LARGEST)?;
    let text = bytes.map(String::from_utf8).transpose();
    text.map_err(|_| unusable(path, "the file is not UTF-8"))
}

pub fn bytes(path: &Path, owner: Owner<'_>, largest: u64) -> Result<Option<Vec<u8>>> {
    let read = |file: File| {
        let mut bytes = Vec::new();
        // A file that grows meanwhile is not followed.
        let read = file.take(largest).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| unusable(path, error))
    };
    open(path, owner, largest)?.map(read).transpose()
}

/// Reads a file line by line, none if there is no such file. Overlong lines are cut.
pub fn lines(path: &Path, owner: Owner<'_>) -> Result<impl Iterator<Item = String> + use<>> {
    let opened = open(path, owner, LARGEST_GROWING)?;
    let mut file = opened.map(|file| BufReader::new(file.take(LARGEST_GROWING)));
    Ok(std::iter::from_fn(move || {
        let (file, mut line) = (file.as_mut()?, Vec::new());
        let count = file.by_ref().take(LARGEST).read_until(b'\n', &mut line);
        if !line.ends_with(b"\n") {
            file.skip_until(b'\n').ok()?;
        }
        let line = String::from_utf8_lossy(&line);
        (count.ok()? > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned())
    }))
}

/// The folder below the root with the files that a team shares.
pub const SHARED: &str = ".memkeep";

/// The file of the decisions about findings and memories, a line each.
pub fn decisions(root: &Path) -> PathBuf {
    root.join(SHARED).join("decisions.jsonl")
}

/// Reads the decisions line by line; no lines if the file does not exist.
pub fn decision_lines(root: &Path) -> Result<impl Iterator<Item = String> + use<>> {
    lines(&decisions(root), Owner::Project(root))
}

/// Stages a control file of the project and gives its bytes; none if it does not exist.
pub fn stage<'o>(root: &Path, path: &Path, overlay: &'o mut Overlay) -> Result<Option<&'o [u8]>> {
    // A refused file is not read.
    drop(lines(path, Owner::Project(root))?);
    overlay.current(path)
}

/// Adds lines to the end of the decisions. A last line without an end gets one.
pub fn append_decisions(root: &Path, lines: &str, overlay: &mut Overlay) -> Result {
    let path = decisions(root);
    let mut bytes = stage(root, &path, overlay)?.unwrap_or_default().to_vec();
    if bytes.last().is_some_and(|last| *last != b'\n') {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(lines.as_bytes());
    overlay.write(&path, bytes)
}

fn open(path: &Path, owner: Owner<'_>, largest: u64) -> Result<Option<File>> {
    let opened = real(path, owner).and_then(|path| {
        is_usable(&fs::symlink_metadata(&path)?, largest)?;
        // A link put there since is not followed.
        let file = files::open(&path, false)?;
        is_usable(&file.metadata()?, largest)?;
        Ok(file)
    });
    match opened {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unusable(path, error)),
    }
}

/// The path without links if it is a person's, below the root if it is the project's.
fn real(path: &Path, owner: Owner<'_>) -> io::Result<PathBuf> {
    let Owner::Project(root) = owner else {
        return fs::canonicalize(path);
    };
    let folder = fs::canonicalize(path.parent().unwrap_or(path))?;
    match folder.starts_with(files::real(root)) {
        true => Ok(folder.join(path.file_name().unwrap_or_default())),
        false => Err(io::Error::other("it lies outside of the project")),
    }
}

fn is_usable(meta: &Metadata, largest: u64) -> io::Result<()> {
    let wrong = match meta.len() > largest {
        _ if meta.is_symlink() => {
            "a symbolic link: a file of the project is a regular file".to_owned()
        }
        _ if !meta.is_file() => "not a regular file".to_owned(),
        true => format!("larger than {} MB", largest >> 20),
        false => return Ok(()),
    };
    Err(io::Error::other(wrong))
}

impl StoreError {
    /// Why a file cannot be read, without its name.
    pub fn reason(&self) -> String {
        match self {
            Self::Settings { why, .. } => why.clone(),
            other => other.to_string(),
        }
    }
}

fn unusable(path: &Path, why: impl std::fmt::Display) -> StoreError {
    StoreError::Settings {
        path: path.to_owned(),
        line: 1,
        column: 1,
        why: why.to_string(),
    }
}
