//! A revision of the repository: what differs from it, and files as they were in it.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use super::git::{GitError, command, path, run};

/// A commit, or the time before the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The root of the work tree, absolute.
    pub root: PathBuf,
    /// The commit; none where nothing was committed yet.
    commit: Option<String>,
}

/// Why there is no such revision.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// The folder lies in no repository.
    #[error("{} is in no git repository", .0.display())]
    NoRepository(PathBuf),
    /// No commit has this name.
    #[error("unknown revision `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Whether the repository has a part of its history only.
        shallow: bool,
    },
    /// Git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// A file of a commit.
type Blob = String;

impl Revision {
    /// The commit with this name, in the repository around a folder. `HEAD` is a revision before
    /// the first commit too: everything is new.
    pub fn find(folder: &Path, name: &str) -> Result<Self, RevisionError> {
        let root = match run(folder, &["rev-parse", "--show-toplevel"], &[]) {
            Ok(out) => path(out.strip_suffix(b"\n").unwrap_or(&out)),
            Err(GitError::Refused(_)) => {
                return Err(RevisionError::NoRepository(folder.to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
        if !root.is_absolute() {
            return Err(RevisionError::NoRepository(folder.to_owned()));
        }
        let wanted = format!("{name}^{{commit}}");
        let verify = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &wanted,
        ];
        let commit = match run(&root, &verify, &[]) {
            Ok(out) => Some(String::from_utf8_lossy(&out).trim().to_owned()),
            Err(GitError::Refused(_)) if name == "HEAD" && is_unborn(&root) => None,
            Err(GitError::Refused(_)) => {
                let shallow = run(&root, &["rev-parse", "--is-shallow-repository"], &[]);
                return Err(RevisionError::Unknown {
                    name: name.to_owned(),
                    shallow: shallow.is_ok_and(|out| out.starts_with(b"true")),
                });
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self { root, commit })
    }

    /// The files that differ from it on disk, new ones included, below the root. Files that git
    /// is told to ignore are none of its business.
    pub fn changed(&self) -> Result<Vec<PathBuf>, GitError> {
        let mut all = Vec::new();
        if let Some(commit) = &self.commit {
            let diff = [
                "diff",
                "--name-only",
                "-z",
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
                "--ignore-submodules=all",
                commit,
            ];
            all.extend(names(&run(&self.root, &diff, &[])?));
        }
        let mut new = vec!["ls-files", "-z", "--others", "--exclude-standard"];
        if self.commit.is_none() {
            new.push("--cached");
        }
        all.extend(names(&run(&self.root, &new, &[])?));
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// Writes files below the root as they were into a folder, under the same names. Those that
    /// were not there, or were no plain files, are not written.
    pub fn write_out(&self, files: &[PathBuf], folder: &Path) -> Result<(), GitError> {
        let Some(commit) = &self.commit else {
            return Ok(());
        };
        let known = self.blobs(commit, files)?;
        let wanted: Vec<(&PathBuf, &Blob)> = files
            .iter()
            .filter_map(|file| Some((file, known.get(file)?)))
            .collect();
        let ids: Vec<&str> = wanted.iter().map(|(_, blob)| blob.as_str()).collect();
        let contents = self.contents(&ids)?;
        for ((file, _), bytes) in wanted.iter().zip(contents) {
            let to = folder.join(file);
            let made = to.parent().map_or(Ok(()), std::fs::create_dir_all);
            made.and_then(|()| std::fs::write(&to, bytes))
                .map_err(GitError::Io)?;
        }
        Ok(())
    }

    /// The blobs of a commit below the folders that some files have in common.
    fn blobs(&self, commit: &str, files: &[PathBuf]) -> Result<HashMap<PathBuf, Blob>, GitError> {
        let mut folders: Vec<&OsStr> = files
            .iter()
            .filter_map(|file| Some(file.parent()?.as_os_str()))
            .filter(|folder| !folder.is_empty())
            .collect();
        folders.sort_unstable();
        folders.dedup();
        if files
            .iter()
            .any(|file| file.parent() == Some(Path::new("")))
            || folders.len() > FOLDERS
        {
            folders.clear();
        }
        let out = run(
            &self.root,
            &["ls-tree", "-r", "-z", "--full-tree", commit],
            &folders,
        )?;
        let entry = |entry: &[u8]| {
            let tab = entry.iter().position(|byte| *byte == b'\t')?;
            let head = String::from_utf8_lossy(entry.get(..tab)?).into_owned();
            let mut words = head.split(' ');
            let (mode, kind, id) = (words.next()?, words.next()?, words.next()?);
            let plain = kind == "blob" && mode.starts_with("100");
            plain.then(|| Some((path(entry.get(tab + 1..)?), id.to_owned())))?
        };
        Ok(out.split(|byte| *byte == 0).filter_map(entry).collect())
    }

    /// The bytes of blobs, in their order.
    fn contents(&self, ids: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut child = command(&self.root)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(GitError::Io)?;
        let asked = ids.join("\n") + "\n";
        let input = child.stdin.take();
        // Git answers while it is still being asked.
        let asking = std::thread::spawn(move || {
            input.map_or(Ok(()), |mut input| input.write_all(asked.as_bytes()))
        });
        let out = child.wait_with_output().map_err(GitError::Io)?;
        let _ = asking.join();
        batch(&out.stdout, ids.len())
            .ok_or_else(|| GitError::Refused("an object cannot be read".to_owned()))
    }
}

/// Folders that are asked for one by one; of more than that the whole tree is read.
const FOLDERS: usize = 1000;

/// The contents in the output of `cat-file --batch`.
fn batch(mut out: &[u8], count: usize) -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        let end = out.iter().position(|byte| *byte == b'\n')?;
        let head = std::str::from_utf8(out.get(..end)?).ok()?;
        let size: usize = head.rsplit(' ').next()?.parse().ok()?;
        let start = end + 1;
        all.push(out.get(start..start.checked_add(size)?)?.to_vec());
        out = out.get(start + size + 1..)?;
    }
    Some(all)
}

/// Whether the head is a branch without a commit.
fn is_unborn(root: &Path) -> bool {
    run(root, &["symbolic-ref", "--quiet", "HEAD"], &[]).is_ok()
}

fn names(out: &[u8]) -> impl Iterator<Item = PathBuf> {
    let parts = out.split(|byte| *byte == 0);
    parts.filter(|part| !part.is_empty()).map(path)
}

impl RevisionError {
    /// What to do about it.
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoRepository(_) => "--since compares with a revision of git",
            Self::Unknown { shallow: true, .. } => {
                "the repository is shallow: fetch more of it, in GitHub Actions with fetch-depth: 0"
            }
            Self::Unknown { .. } => "a commit, a branch or a tag: HEAD, main, v1.2, HEAD~3",
            Self::Git(_) => "lint without --since looks at everything",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_read_by_its_sizes() {
        let out = b"aa blob 3\na\nb\nbb blob 0\n\ncc blob 1\n\n\n";
        let read = batch(out, 3).unwrap();
        assert_eq!(read, [b"a\nb".to_vec(), b"".to_vec(), b"\n".to_vec()]);
        assert_eq!(batch(b"aa missing\n", 1), None);
        assert_eq!(batch(b"aa blob 9\nabc\n", 1), None);
        assert_eq!(batch(b"aa blob 18446744073709551615\nabc\n", 1), None);
    }
}
