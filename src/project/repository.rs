//! The tree and what was taken from it, read from git for lint.
//!
//! ```text
//! ls-files ──────────┐
//! log --raw ─> Log ──┴─> History   (the log is read once for each HEAD, and kept on disk)
//! diff-tree -C         only the commits that lint asks about
//! cat-file --batch     only the versions that it asks about
//! ```

mod code;
mod log;
mod objects;
mod symbols;
mod tree;

pub use self::tree::named;

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::git::{self, GitError, ask, parts, run, word};
use super::records::{Step, all_steps};
use crate::lint::repository::{Blob, History, Log, Project, Rename, Rewritten, Symbols, Wanted};
use crate::store::control::{self, Owner};

/// Bytes of a file of the tree that are read; a longer one is no text to check against.
const LONGEST: u64 = 4 << 20;

/// The log that was read last, by the HEAD it was read at, and where it is kept on disk.
#[derive(Debug, Default)]
pub struct Logs {
    kept: Mutex<Option<(PathBuf, String, Arc<Log>)>>,
    folder: Option<PathBuf>,
}

/// The repository around a folder at one moment.
#[derive(Debug)]
pub struct Facts<'a> {
    logs: &'a Logs,
    folder: PathBuf,
    /// Read when it is first asked for: most calls need none of it.
    read: OnceLock<(Option<PathBuf>, Result<History, String>)>,
}

impl Logs {
    /// Logs that are kept below a folder for the next time.
    pub fn kept_in(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }

    /// The file in which something about a repository is kept.
    fn file(&self, root: &Path, name: &str) -> Option<PathBuf> {
        let hash = crate::store::collection::root_hash(root);
        Some(self.folder.as_ref()?.join(hash).join(name))
    }

    /// The repository around a folder as it is now.
    pub fn facts(&self, folder: &Path) -> Facts<'_> {
        Facts {
            logs: self,
            folder: folder.to_owned(),
            read: OnceLock::new(),
        }
    }

    fn history(&self, root: &Path) -> Result<History, String> {
        let head = word(root, &["rev-parse", "--verify", "--quiet", "HEAD"]);
        let head = head.map_err(|error| match error {
            GitError::Refused(_) => "the repository has no commits".to_owned(),
            error => error.to_string(),
        })?;
        let why = |error: GitError| error.to_string();
        let (mut files, missing) = tree::files(root).map_err(why)?;
        let has = files.iter().any(|path| path == ".gitmodules");
        let submodules = if has { submodules(root) } else { Vec::new() };
        if !submodules.is_empty() {
            // Of those that are checked out the files are known, although not what became of them.
            let arguments = ["ls-files", "-z", "-c", "--recurse-submodules"];
            files.extend(lines(&run(root, &arguments, &[]).unwrap_or_default()));
            files.extend(submodules.iter().cloned());
        }
        let log = self.log(root, head).map_err(why)?;
        let mut missing = tree::uncommitted(root, &files, missing);
        // One that is not checked out is no file that was taken away.
        missing.retain(|path, _| !submodules.iter().any(|module| **module == **path));
        let root = slashed(root);
        Ok(History::new(&root, files, log, missing))
    }

    fn log(&self, root: &Path, head: String) -> Result<Arc<Log>, GitError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, known, log)) = kept.as_ref()
            && at == root
            && *known == head
        {
            return Ok(Arc::clone(log));
        }
        let file = self.file(root, "log");
        let log = Arc::new(log::read(root, &head, file.as_deref())?);
        *kept = Some((root.to_owned(), head, Arc::clone(&log)));
        Ok(log)
    }
}

/// The texts between the zeros of an answer.
fn lines(answer: &[u8]) -> Vec<String> {
    parts(answer).map(text).collect()
}

/// The folders of the submodules, as their file names them.
fn submodules(root: &Path) -> Vec<String> {
    let names = ["--get-regexp", r"^submodule\..*\.path$"];
    let config = [&["config", "-z", "--file", ".gitmodules"][..], &names].concat();
    let answer = lines(&run(root, &config, &[]).unwrap_or_default());
    let path = |line: &String| Some(line.split_once('\n')?.1.trim_end_matches('/').to_owned());
    answer.iter().filter_map(path).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Writes a file that is read the next time, whole or not at all. A failed write costs only time.
fn write(path: &Path, parts: &[&[u8]]) {
    let Some(folder) = path.parent() else {
        return;
    };
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        for part in parts {
            file.write_all(part)?;
        }
        file.persist(path)?;
        Ok(())
    };
    let _ = write();
}

impl Project for Facts<'_> {
    fn history(&self) -> Result<&History, &str> {
        self.state().1.as_ref().map_err(String::as_str)
    }

    fn renames(&self, commits: &[&str]) -> Vec<Rename> {
        let diff = ["diff-tree", "--stdin", "-r", "-z", "-C", "--diff-filter=RC"];
        let out = self.ask(&diff, &(commits.join("\n") + "\n"));
        // A copy that is less than 90 % alike took over a part.
        let is_whole = |step: &Step<'_>| step.status != b'C' || step.score >= 90;
        let rename = |step: Step<'_>| Rename {
            from: text(step.from),
            to: text(step.to),
        };
        all_steps(&out).filter(is_whole).map(rename).collect()
    }

    fn untracked(&self, paths: &[&str]) -> Vec<bool> {
        let Some(root) = self.state().0.as_ref().filter(|_| !paths.is_empty()) else {
            return vec![false; paths.len()];
        };
        // It knows no pathspecs to take literally, and refuses to be told so.
        let check = ["--no-literal-pathspecs", "check-ignore", "--no-index"];
        let check = [&check[..], &["-z", "--stdin"]].concat();
        let out = self.ask(&check, &(paths.join("\0") + "\0"));
        let ignored: HashSet<&[u8]> = out.split(|byte| *byte == 0).collect();
        let is_there = |path: &str| tree::is_there(&root.join(path));
        let mut known: HashMap<&str, bool> = HashMap::new();
        let all = paths.iter().map(|path| {
            *known
                .entry(path)
                .or_insert_with(|| ignored.contains(path.as_bytes()) || is_there(path))
        });
        all.collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        // Invalid UTF-8 is left to the reader: a byte in a comment does no harm.
        let bytes = control::bytes(&self.base().join(path), Owner::Person, LONGEST).ok()??;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn named(&self, names: &[&str]) -> Vec<String> {
        named(self.base(), names)
    }

    fn rewritten(&self, wanted: &[(&str, Blob)]) -> Vec<Option<Rewritten>> {
        objects::rewritten(self, wanted)
    }

    fn versions(&self, wanted: &[Blob], take: &mut dyn FnMut(usize, &str)) {
        objects::each(self.base(), wanted, objects::MOST, take);
    }

    fn symbols(&self, wanted: &Wanted) -> Symbols {
        match self.history() {
            Ok(history) => symbols::find(self, history, wanted),
            Err(_) => Symbols::default(),
        }
    }
}

impl Facts<'_> {
    /// The root of the repository, else the folder itself.
    fn base(&self) -> &Path {
        self.state().0.as_deref().unwrap_or(&self.folder)
    }

    fn state(&self) -> &(Option<PathBuf>, Result<History, String>) {
        self.read.get_or_init(|| match git::root(&self.folder) {
            Ok(root) => {
                let history = self.logs.history(&root);
                (Some(root), history)
            }
            Err(error) => (None, Err(error.to_string())),
        })
    }

    /// Git's answer to an input; an empty one without a repository.
    fn ask(&self, arguments: &[&str], input: &str) -> Vec<u8> {
        let root = self.state().0.as_ref();
        let answer = root.map(|root| ask(root, arguments, input.as_bytes()));
        answer.and_then(Result::ok).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
