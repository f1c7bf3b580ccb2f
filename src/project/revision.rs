//! A revision of the repository: what differs from it, and files as they were in it.
//!
//! Working files are compared without a program that the repository names: git lists the files and
//! their attributes, and the bytes are compared here. Asked to compare them, git would run the filters
//! of the repository's configuration.
//!
//! ```text
//! ls-tree COMMIT ──────────┐
//! ls-files -c -o ──────────┼─> new, gone, or of another hash ──> check-attr ─> line ends
//! the files, hashed here ──┘                                               └─> unknown
//! ```

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use super::git::{self, GitError, ask, parts, path, path_bytes, run, word};
use crate::curate::Staged;

/// A commit, or the time before the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The root of the work tree, absolute.
    pub root: PathBuf,
    /// The commit; none where nothing was committed yet.
    commit: Option<String>,
}

impl Revision {
    /// The commit with this name, in the repository around a folder. `HEAD` is a revision before
    /// the first commit too: everything is new.
    pub fn find(folder: &Path, name: &str) -> Result<Self, GitError> {
        let root = git::root(folder)?;
        let wanted = format!("{name}^{{commit}}");
        let verify = ["rev-parse", "--verify", "--quiet"];
        let verify = [&verify[..], &["--end-of-options", &wanted]].concat();
        // The head may be a branch without a commit.
        let is_unborn = || word(&root, &["symbolic-ref", "--quiet", "HEAD"]).is_ok();
        let commit = match word(&root, &verify) {
            Ok(commit) => Some(commit),
            Err(GitError::Refused(_)) if name == "HEAD" && is_unborn() => None,
            Err(GitError::Refused(_)) => {
                let (name, shallow) = (name.to_owned(), git::is_shallow(&root));
                return Err(GitError::Unknown { name, shallow });
            }
            Err(error) => return Err(error),
        };
        Ok(Self { root, commit })
    }

    pub fn contains(&self, commit: &str) -> bool {
        self.commit.as_ref().is_some_and(|own| {
            let arguments = ["merge-base", "--is-ancestor", commit, own];
            run(&self.root, &arguments, &[]).is_ok()
        })
    }

    /// The files below some folders, or all, that differ from it on disk, new ones included. The
    /// folders are named from the root. Files that git ignores are left out unless the commit has
    /// them.
    pub fn changes(&self, folders: &[PathBuf]) -> Result<Changes, GitError> {
        let root = &self.root;
        let old = match &self.commit {
            Some(commit) => entries(root, commit, folders)?,
            None => HashMap::new(),
        };
        let listed = ["ls-files", "-z", "-c", "-o", "--exclude-standard"];
        let listed = run(root, &listed, &pathspecs(folders))?;
        let is_file = |file: &PathBuf| {
            let about = root.join(file).symlink_metadata();
            about.is_ok_and(|about| !about.is_dir())
        };
        let is_new = |file: &PathBuf| !old.contains_key(file) && is_file(file);
        let mut files: Vec<PathBuf> = parts(&listed).map(path).filter(is_new).collect();
        let same = |(file, entry): (_, _)| (file, entry, is_same(&root.join(file), entry));
        let compared: Vec<(&PathBuf, &Staged, Option<bool>)> = old.par_iter().map(same).collect();
        let changed = compared.iter().filter(|(.., same)| *same == Some(false));
        files.extend(changed.map(|(file, ..)| (*file).clone()));
        let others = compared.iter().filter(|(.., same)| same.is_none());
        let others: Vec<_> = others.collect();
        let names: Vec<_> = others.iter().map(|(file, ..)| path_bytes(file)).collect();
        let mut unknown = Vec::new();
        for ((file, entry, _), attributes) in others.iter().zip(Attributes::read(root, &names)?) {
            let converted = short(&root.join(file)).and_then(|bytes| attributes.convert(&bytes));
            if converted.is_some_and(|bytes| holds(entry, bytes.len() as u64, &*bytes)) {
                continue;
            }
            match attributes.needs_program {
                true => unknown.push((*file).clone()),
                false => files.push((*file).clone()),
            }
        }
        files.sort_unstable();
        files.dedup();
        unknown.sort_unstable();
        Ok(Changes { files, unknown })
    }

    /// Writes files below the root as they were into a folder, under the same names. Those that
    /// were not there, or were no plain files, are not written.
    pub fn write_out(&self, files: &[PathBuf], folder: &Path) -> Result<(), GitError> {
        for (file, bytes) in self.contents(files)? {
            let to = folder.join(file);
            let made = to.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&to, bytes))
                .map_err(GitError::Io)?;
        }
        Ok(())
    }

    /// Contents of files below the root that were plain files then.
    pub fn contents(&self, files: &[PathBuf]) -> Result<HashMap<PathBuf, Vec<u8>>, GitError> {
        let Some(commit) = &self.commit else {
            return Ok(HashMap::new());
        };
        let known = entries(&self.root, commit, files)?;
        let plain = |file: &&PathBuf| known.get(*file).filter(|entry| is_plain(entry));
        let wanted: Vec<&PathBuf> = files.iter().filter(|file| plain(file).is_some()).collect();
        let ids = wanted.iter().filter_map(plain).map(|entry| &*entry.id);
        let contents = blobs(&self.root, &ids.collect::<Vec<_>>())?;
        Ok(wanted.into_iter().cloned().zip(contents).collect())
    }

    /// The commit; `None` in a repository without commits.
    pub fn commit(&self) -> Option<&str> {
        self.commit.as_deref()
    }
}

/// The contents of blobs, in their order; an error where one is missing.
pub fn blobs(root: &Path, ids: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
    let contents: Option<Vec<_>> = git::objects(root, ids)?.into_iter().collect();
    contents.ok_or_else(|| GitError::Refused("an object cannot be read".to_owned()))
}

/// The longest file that is compared again with other line ends.
const LONGEST_TEXT: u64 = 32 << 20;

/// Folders that are asked for one by one; of more than that the whole tree is read.
const MOST_FOLDERS: usize = 1000;

fn is_plain(entry: &Staged) -> bool {
    entry.mode.starts_with("100")
}

fn holds(entry: &Staged, len: u64, bytes: impl Read) -> bool {
    blob_id(len, bytes, entry.id.len() > 40).is_ok_and(|id| id == entry.id)
}

/// Files that differ from a commit, below the root of the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// New, changed and removed files, sorted.
    pub files: Vec<PathBuf>,
    /// Files of other bytes that a program of the repository's configuration would have to turn
    /// into what git keeps: whether they changed is unknown.
    pub unknown: Vec<PathBuf>,
}

impl Changes {
    /// Says that some files are unknown, and why.
    pub fn unknown_note(&self) -> Option<String> {
        let first = self.unknown.first()?.display();
        let rest = match self.unknown.len() - 1 {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        Some(format!(
            "whether {first}{rest} changed is unknown: a filter, keyword or encoding of git applies"
        ))
    }
}

/// The files of a commit below some folders, or all of them where no folder is given.
pub(super) fn entries(
    root: &Path,
    commit: &str,
    folders: &[PathBuf],
) -> Result<HashMap<PathBuf, Staged>, GitError> {
    let arguments = ["ls-tree", "-r", "-z", "--full-tree", commit];
    let out = run(root, &arguments, &pathspecs(folders))?;
    let files = git::files(&out).filter(|([_, kind, _], _)| *kind == "blob");
    let entry = |([mode, _, id], path): ([&str; 3], PathBuf)| {
        let (mode, id) = (mode.to_owned(), id.to_owned());
        (path, Staged { mode, id })
    };
    Ok(files.map(entry).collect())
}

/// Folders to be asked for one by one; none where everything is.
pub(super) fn pathspecs(folders: &[PathBuf]) -> Vec<&OsStr> {
    let all = folders.len() > MOST_FOLDERS || folders.iter().any(|one| one.as_os_str().is_empty());
    let folders = folders.iter().filter(|_| !all);
    folders.map(|folder| folder.as_os_str()).collect()
}

/// True if a file has the content of the index; none if only git's filters can tell.
fn is_same(path: &Path, entry: &Staged) -> Option<bool> {
    let Ok(about) = path.symlink_metadata() else {
        return Some(false);
    };
    if about.is_symlink() {
        let target = fs::read_link(path).unwrap_or_default();
        let target = path_bytes(&target);
        return Some(!is_plain(entry) && holds(entry, target.len() as u64, &*target));
    }
    let file = about.is_file().then(|| File::open(path));
    let is_same = file.is_some_and(|file| file.is_ok_and(|file| holds(entry, about.len(), file)));
    match about.is_file() && is_plain(entry) {
        true => is_same.then_some(true),
        false => Some(is_same),
    }
}

/// The bytes of a file that may be a text.
fn short(path: &Path) -> Option<Vec<u8>> {
    let about = path.symlink_metadata().ok()?;
    let is_short = about.is_file() && about.len() <= LONGEST_TEXT;
    is_short.then(|| fs::read(path).ok()).flatten()
}

/// The id of a blob with so many bytes, in a repository that names its objects by SHA-256 or not.
pub(super) fn blob_id(len: u64, bytes: impl Read, is_long: bool) -> io::Result<String> {
    match is_long {
        true => hash::<Sha256>(len, bytes),
        false => hash::<Sha1>(len, bytes),
    }
}

fn hash<H: Digest + Write>(len: u64, mut bytes: impl Read) -> io::Result<String> {
    let mut hasher = H::new();
    write!(hasher, "blob {len}\0")?;
    io::copy(&mut bytes, &mut hasher)?;
    let hash = hasher.finalize();
    Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

const NAMES: &str = "text crlf eol filter ident working-tree-encoding";

/// How git turns the bytes of a working file into those that it keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attributes {
    /// True if the line ends are converted, none where the content decides.
    is_text: Option<bool>,
    /// True if more than the line ends is converted: by a filter, which is a program of the
    /// repository's choice, to another encoding, or in keywords.
    pub needs_program: bool,
}

impl Attributes {
    pub(super) fn read(root: &Path, files: &[Cow<'_, [u8]>]) -> Result<Vec<Self>, GitError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = NAMES.split(' ').collect();
        let arguments = [&["check-attr", "-z", "--stdin"], &*names].concat();
        let input = files.iter().map(|file| [file, &b"\0"[..]].concat());
        let answer = ask(root, &arguments, &input.collect::<Vec<_>>().concat())?;
        let answer: Vec<&[u8]> = answer.split(|byte| *byte == 0).collect();
        let auto = word(root, &["config", "core.autocrlf"]).unwrap_or_default();
        let auto = ["true", "input", "yes", "on", "1"].contains(&&*auto.to_lowercase());
        let mut all = answer.chunks_exact(3 * names.len()).map(|of| {
            let values = of.chunks_exact(3).filter_map(|part| match part {
                [_, name, value] => Some((*name, *value)),
                _ => None,
            });
            Self::from_values(&values.collect(), auto)
        });
        // Of a file that git does not answer on nothing is known.
        let unknown = Self {
            is_text: Some(false),
            needs_program: true,
        };
        let next = |_| all.next().unwrap_or_else(|| unknown.clone());
        Ok(files.iter().map(next).collect())
    }

    fn from_values(values: &HashMap<&[u8], &[u8]>, auto: bool) -> Self {
        let value = |name: &str| {
            let value = values.get(name.as_bytes()).copied();
            value.unwrap_or(b"unspecified")
        };
        // The second is the older name of the attribute.
        let names = ["text", "crlf"].into_iter();
        let mut texts = names.filter_map(|name| match value(name) {
            b"set" | b"input" => Some(Some(true)),
            b"unset" => Some(Some(false)),
            b"auto" => Some(None),
            _ => None,
        });
        let is_text = texts.next().unwrap_or_else(|| match value("eol") {
            b"lf" | b"crlf" => Some(true),
            _ if auto => None,
            _ => Some(false),
        });
        let is_set = |name| !matches!(value(name), b"unspecified" | b"unset");
        Self {
            is_text,
            needs_program: is_set("filter") || is_set("ident") || is_set("working-tree-encoding"),
        }
    }

    /// The bytes with the line ends that git keeps, where they are others.
    pub(super) fn convert(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        memchr::memmem::find(bytes, b"\r\n")?;
        if !self.is_text.unwrap_or_else(|| !is_binary(bytes)) {
            return None;
        }
        let next = bytes.iter().skip(1).map(Some).chain([None]);
        let pairs = bytes.iter().zip(next);
        let kept = pairs.filter(|pair| *pair != (&b'\r', Some(&b'\n')));
        Some(kept.map(|(byte, _)| *byte).collect())
    }
}

fn is_binary(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_suffix(b"\x1a").unwrap_or(bytes);
    let (mut printable, mut others) = (0_usize, 0_usize);
    let mut rest = bytes.iter().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'\r' if rest.peek() != Some(&&b'\n') => return true,
            0 => return true,
            b'\r' | b'\n' => {}
            b'\x08' | b'\t' | b'\x1b' | b'\x0c' => printable += 1,
            0x7f | ..b' ' => others += 1,
            _ => printable += 1,
        }
    }
    printable / 128 < others
}

#[cfg(test)]
mod tests;
