//! A revision of the repository: what differs from it, and files as they were in it.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::git::{self, GitError, ask, run};
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

/// Why there is no such revision.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    /// The folder lies in no repository.
    #[error("{} is in no git repository", .0.display())]
    NoRepository(PathBuf),
    /// No commit has this name.
    #[error("unknown revision `{name}`")]
    Unknown {
        /// The requested name.
        name: String,
        /// True if the repository has a part of its history only.
        shallow: bool,
    },
    /// Git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Revision {
    /// The commit with this name, in the repository around a folder. `HEAD` is a revision before
    /// the first commit too: everything is new.
    pub fn find(folder: &Path, name: &str) -> Result<Self, RevisionError> {
        let root = match git::root(folder) {
            Ok(root) => root,
            Err(GitError::NoRepository | GitError::Bare) => {
                return Err(RevisionError::NoRepository(folder.to_owned()));
            }
            Err(error) => return Err(error.into()),
        };
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

    /// True if a commit is this one or one of its ancestors.
    pub fn contains(&self, commit: &str) -> bool {
        let own = self.commit.as_deref();
        own.is_some_and(|own| {
            run(
                &self.root,
                &["merge-base", "--is-ancestor", commit, own],
                &[],
            )
            .is_ok()
        })
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
        let wanted: Vec<(&PathBuf, &str)> = files
            .iter()
            .filter_map(|file| Some((file, known.get(file).filter(|entry| entry.is_plain())?)))
            .map(|(file, entry)| (file, entry.id.as_str()))
            .collect();
        let ids: Vec<&str> = wanted.iter().map(|(_, id)| *id).collect();
        let contents = blobs(&self.root, &ids)?;
        let files = wanted.into_iter().map(|(file, _)| file.clone());
        Ok(files.zip(contents).collect())
    }

    /// The commit; `None` in a repository without commits.
    pub fn commit(&self) -> Option<&str> {
        self.commit.as_deref()
    }
}

/// The contents of blobs, in their order; an error where one is missing.
pub fn blobs(root: &Path, ids: &[&str]) -> Result<Vec<Vec<u8>>, GitError> {
    let input: String = ids.iter().flat_map(|id| [*id, "\n"]).collect();
    let out = ask(root, &["cat-file", "--batch"], input.as_bytes())?;
    let contents = contents(&out, ids.len()).into_iter();
    contents
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| GitError::Refused("an object cannot be read".to_owned()))
}

/// The contents in the output of `cat-file --batch`; none for an object that is not there.
pub(super) fn contents(mut out: &[u8], count: usize) -> Vec<Option<Vec<u8>>> {
    let mut all = vec![None; count];
    for slot in &mut all {
        let Some(end) = out.iter().position(|byte| *byte == b'\n') else {
            break;
        };
        let head = String::from_utf8_lossy(out.get(..end).unwrap_or_default());
        let size = head
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse::<usize>().ok());
        let start = end + 1;
        let Some(size) = size else {
            out = out.get(start..).unwrap_or_default();
            continue;
        };
        let content = start.checked_add(size).and_then(|end| out.get(start..end));
        *slot = content.map(<[u8]>::to_vec);
        out = out
            .get(start.saturating_add(size).saturating_add(1)..)
            .unwrap_or_default();
    }
    all
}

/// True if the head is a branch without a commit.
fn is_unborn(root: &Path) -> bool {
    run(root, &["symbolic-ref", "--quiet", "HEAD"], &[]).is_ok()
}

impl RevisionError {
    /// The hint.
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
        let out = b"aa blob 3\na\nb\nbb missing\ncc blob 0\n\ndd blob 1\n\n\n";
        let some = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(contents(out, 4), [some("a\nb"), None, some(""), some("\n")]);
        for cut in [
            "aa blob 9\nabc\n",
            "aa blob 18446744073709551615\nabc\n",
            "",
        ] {
            assert_eq!(contents(cut.as_bytes(), 1), [None]);
        }
    }
}
