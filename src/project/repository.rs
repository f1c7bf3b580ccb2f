//! The tree and what was taken from it, read from git for lint.
//!
//! ```text
//! ls-files ──────────┐
//! log --raw ─> Log ──┴─> History   (the log is read once for each HEAD, and kept on disk)
//! diff-tree -C         only the commits that lint asks about
//! cat-file --batch     only the versions that it asks about
//! ```

mod log;
mod symbols;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use itertools::Itertools as _;

use super::commits::{FileStep, all_steps};
use super::git::{self, GitError, ask, parts, run, word};
use crate::lint::repository::{Blob, History, Log, Project, Rewritten, Symbols, hash};
use crate::store::control::{self, Owner};

/// Bytes of a file of the tree that are read; a longer one is no text to check against.
const LONGEST: u64 = 4 << 20;
/// Bytes of an old version of a file that are read; a longer one is passed over.
const LONGEST_OLD: usize = 2 << 20;
/// Bytes of old versions of files that are read for one rule.
const MOST_OLD: usize = 32 << 20;
/// Entries of a folder that are looked at to see whether a file is in it; in a larger one there is.
const MOST_ENTRIES: usize = 10_000;

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
        let (mut files, missing) = files(root).map_err(why)?;
        let has = files.iter().any(|path| path == ".gitmodules");
        let submodules = if has { submodules(root) } else { Vec::new() };
        if !submodules.is_empty() {
            // Of those that are checked out the files are known, although not what became of them.
            let arguments = ["ls-files", "-z", "-c", "--recurse-submodules"];
            files.extend(lines(&run(root, &arguments, &[]).unwrap_or_default()));
            files.extend(submodules.iter().cloned());
        }
        let log = self.log(root, head).map_err(why)?;
        let mut missing = uncommitted(root, &files, missing);
        // One that is not checked out is no file that was taken away.
        missing.retain(|path, _| !submodules.iter().any(|module| **module == **path));
        let root = root.to_string_lossy().replace('\\', "/");
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

fn lines(answer: &[u8]) -> Vec<String> {
    parts(answer).map(text).collect()
}

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

impl Project for Facts<'_> {
    fn history(&self) -> Result<&History, &str> {
        self.state().1.as_ref().map_err(String::as_str)
    }

    fn renames(&self, commits: &[&str]) -> Vec<(String, String)> {
        let diff = ["diff-tree", "--stdin", "-r", "-z", "-C", "--diff-filter=RC"];
        let out = self.ask(&diff, &(commits.join("\n") + "\n"));
        // A copy that is less than 90 % alike took over a part.
        let is_whole = |step: &FileStep<'_>| step.status != b'C' || step.score >= 90;
        let whole = all_steps(&out).filter(is_whole);
        whole.map(|step| (text(step.from), text(step.to))).collect()
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
        let is_it = |path: &&str| ignored.contains(path.as_bytes()) || is_there(&root.join(path));
        paths.iter().map(is_it).collect()
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
        let mut all = vec![None; wanted.len()];
        let blobs: Vec<Blob> = wanted.iter().map(|(_, blob)| *blob).collect();
        each(self.base(), &blobs, MOST_OLD, &mut |at, old| {
            let now = wanted.get(at).and_then(|(path, _)| self.read(path));
            if let (Some(slot), Some(now)) = (all.get_mut(at), now) {
                *slot = Some(compare(old, &now));
            }
        });
        all
    }

    fn versions(&self, wanted: &[Blob], take: &mut dyn FnMut(usize, &str)) {
        each(self.base(), wanted, MOST_OLD, take);
    }

    fn symbols(&self, names: &BTreeSet<String>, skip: &BTreeSet<String>) -> Symbols {
        match self.history() {
            Ok(history) => symbols::find(self, history, names, skip),
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

/// The files of the index that are on disk, or that a sparse checkout leaves out, with those that
/// git does not know; and the files of the index that are not on disk.
fn files(root: &Path) -> Result<(Vec<String>, Vec<String>), GitError> {
    let list = ["ls-files", "-z", "-t", "-cod", "--exclude-standard"];
    let all = lines(&run(root, &list, &[])?);
    let tagged = || all.iter().filter_map(|line| line.split_once(' '));
    let removed = tagged().filter(|(tag, _)| *tag == "R");
    let missing: HashSet<&str> = removed.map(|(_, path)| path).collect();
    let present = tagged().filter(|(tag, _)| *tag == "H" || *tag == "M");
    // A tree of which nothing is checked out is no tree in which all was deleted.
    if present.clone().all(|(_, path)| missing.contains(path)) {
        let index = tagged().filter(|(tag, _)| *tag != "R");
        return Ok((index.map(|(_, path)| path.to_owned()).collect(), Vec::new()));
    }
    let here = tagged().filter(|(_, path)| !missing.contains(path));
    Ok((
        here.map(|(_, path)| path.to_owned()).collect(),
        missing.iter().map(|path| (*path).to_owned()).collect(),
    ))
}

/// Files that the last commit has and the tree has not, with their places in the index.
fn uncommitted(
    root: &Path,
    files: &[String],
    missing: Vec<String>,
) -> BTreeMap<Box<str>, Option<Box<str>>> {
    let missing = missing.into_iter().map(|path| (path.into(), None));
    let mut all: BTreeMap<Box<str>, Option<Box<str>>> = missing.collect();
    // An index without files is that of a clone without a checkout.
    if files.is_empty() {
        return all;
    }
    let diff = ["diff-index", "--cached", "-z", "-C"];
    let diff = [&diff[..], &["--diff-filter=DRC", "HEAD"]].concat();
    let out = run(root, &diff, &[]).unwrap_or_default();
    for step in all_steps(&out) {
        let to = (step.status != b'D').then(|| text(step.to).into());
        let entry = all.entry(text(step.from).into());
        // Of several places none is the one.
        entry.and_modify(|to| *to = None).or_insert(to);
    }
    all
}

/// The files with these names below a folder that git does not list, the nearest first: of as many
/// entries, and of no other hidden folders. A name that ends in `/` is a folder of Markdown files.
pub fn named(root: &Path, names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = VecDeque::from([String::new()]);
    let mut seen = 0;
    while let Some(folder) = folders.pop_front() {
        let entries = std::fs::read_dir(root.join(&folder)).into_iter().flatten();
        for entry in entries.flatten() {
            seen += 1;
            if seen == MOST_ENTRIES {
                return found;
            }
            let name = entry.file_name();
            let is_wanted = |name: &&str| !name.starts_with('.') || names.contains(name);
            let Some(name) = name.to_str().filter(is_wanted) else {
                continue;
            };
            let mut folders_of = names.iter().filter_map(|name| name.strip_suffix('/'));
            let is_in = name.ends_with(".md") && folders_of.any(|one| folder.ends_with(one));
            let path = format!("{folder}/{name}");
            let path = path.trim_start_matches('/').to_owned();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push_back(path),
                Ok(_) if is_in || names.contains(&name) => found.push(path),
                _ => {}
            }
        }
    }
    found
}

/// True if a path is a file, or a folder with a file in it: git leaves empty folders behind.
fn is_there(path: &Path) -> bool {
    let Ok(about) = path.symlink_metadata() else {
        return false;
    };
    if !about.is_dir() {
        return true;
    }
    let mut folders = vec![path.to_owned()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        // An unreadable folder may hold anything.
        let Ok(entries) = std::fs::read_dir(folder) else {
            return true;
        };
        for entry in entries.flatten() {
            seen += 1;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_folder || seen == MOST_ENTRIES {
                return true;
            }
            folders.push(entry.path());
        }
    }
    false
}

/// Calls `take` with each of these versions that is there and is text, by its place among them,
/// until `most` bytes were read; gives the number of those that were reached and are there.
fn each(root: &Path, blobs: &[Blob], most: usize, take: &mut dyn FnMut(usize, &str)) -> usize {
    if blobs.is_empty() {
        return 0;
    }
    let name = |blob: &Blob| blob.0.iter().map(|byte| format!("{byte:02x}")).join("");
    let names = blobs.iter().map(name).join("\n") + "\n";
    let sizes = ["cat-file", "--batch-check=%(objectsize)"];
    let sizes = git::ask(root, &sizes, names.as_bytes()).unwrap_or_default();
    let sizes = text(&sizes);
    let mut wanted: Vec<(usize, &str)> = Vec::new();
    let (mut bytes, mut seen) = (0, 0);
    for (at, (size, name)) in sizes.lines().zip(names.lines()).enumerate() {
        if bytes > most {
            break;
        }
        // Some are not there in a partial clone, or a broken one.
        if let Ok(size) = size.parse::<usize>() {
            bytes += size;
            seen += 1;
            wanted.extend((size <= LONGEST_OLD).then_some((at, name)));
        }
    }
    let names: Vec<&str> = wanted.iter().map(|(_, name)| *name).collect();
    let contents = git::objects(root, &names).unwrap_or_default();
    for ((at, _), content) in wanted.into_iter().zip(contents) {
        if let Some(Ok(text)) = content.as_deref().map(str::from_utf8) {
            take(at, text);
        }
    }
    seen
}

/// The lines that one of two texts has and the other has not, in whatever order: what moves
/// within a file says the same as before.
fn compare(old: &str, new: &str) -> Rewritten {
    let mut count: HashMap<u64, i64> = HashMap::new();
    let mut lines = 0;
    let mut add = |text: &str, by: i64| {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            *count.entry(hash(line)).or_default() += by;
            lines += 1;
        }
    };
    add(old, -1);
    add(new, 1);
    let changed: u64 = count.values().map(|by| by.unsigned_abs()).sum();
    Rewritten {
        changed: usize::try_from(changed).unwrap_or(usize::MAX),
        lines,
    }
}

#[cfg(test)]
mod tests;
