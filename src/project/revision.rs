//! A revision of the repository: what differs from it, and files as they were in it.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::git::{self, GitError, word};
use super::worktree;
pub use super::worktree::Changes;

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
        let verify = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &wanted,
        ];
        // The head may be a branch without a commit.
        let is_unborn = || word(&root, &["symbolic-ref", "--quiet", "HEAD"]).is_ok();
        let commit = match word(&root, &verify) {
            Ok(commit) => Some(commit),
            Err(GitError::Refused(_)) if name == "HEAD" && is_unborn() => None,
            Err(GitError::Refused(_)) => {
                return Err(GitError::Unknown {
                    name: name.to_owned(),
                    shallow: git::is_shallow(&root),
                });
            }
            Err(error) => return Err(error),
        };
        Ok(Self { root, commit })
    }

    /// True if a commit is this one or one of its ancestors.
    pub fn contains(&self, commit: &str) -> bool {
        let own = self.commit.as_deref();
        own.is_some_and(|own| git::is_ancestor(&self.root, commit, own))
    }

    /// The files below some folders, or all, that differ from it on disk, new ones included. The
    /// folders are named from the root. Files that git ignores are left out.
    pub fn changes(&self, folders: &[PathBuf]) -> Result<Changes, GitError> {
        worktree::changes(&self.root, self.commit.as_deref(), folders)
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

    /// Contents of files below the root. Those that were not there, or were no plain files, are
    /// left out.
    pub fn contents(&self, files: &[PathBuf]) -> Result<HashMap<PathBuf, Vec<u8>>, GitError> {
        let Some(commit) = &self.commit else {
            return Ok(HashMap::new());
        };
        let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        let folders: Vec<PathBuf> = folders.into_iter().map(Path::to_owned).collect();
        let known = worktree::entries(&self.root, commit, &folders)?;
        let plain = |file: &&PathBuf| known.get(*file).filter(|entry| worktree::is_plain(entry));
        let wanted: Vec<&PathBuf> = files.iter().filter(|file| plain(file).is_some()).collect();
        let ids = wanted
            .iter()
            .filter_map(plain)
            .map(|entry| entry.id.as_str());
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
