//! The tree and what was taken from it, read from git for lint.
//!
//! ```text
//! ls-files ──────────────────────────┐
//! log --raw --diff-filter=AD ─> Log ─┴─> History   (the log is read once for each HEAD)
//! diff-tree -M   only the commits that lint asks about
//! ```

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::git::{GitError, Repository, command, run};
use super::recent;
use crate::lint::recent::Recent;
use crate::lint::repository::{Commit, Gone, History, Log, Project, Rename};

/// Commits whose changes are read; 10,000 take about half a second.
const MOST_COMMITS: usize = 30_000;

/// The log that was read last, by the HEAD it was read at.
#[derive(Debug, Default)]
pub struct Logs {
    kept: Mutex<Option<(PathBuf, String, Arc<Log>)>>,
}

/// The repository around a folder at one moment.
#[derive(Debug)]
pub struct Facts<'a> {
    logs: &'a Logs,
    folder: PathBuf,
    /// Read when it is first asked for: most calls need none of it.
    read: OnceLock<(Option<PathBuf>, Result<History, String>)>,
    recent: OnceLock<Recent>,
}

impl Logs {
    /// The repository around a folder as it is now.
    pub fn facts(&self, folder: &Path) -> Facts<'_> {
        Facts {
            logs: self,
            folder: folder.to_owned(),
            read: OnceLock::new(),
            recent: OnceLock::new(),
        }
    }

    fn history(&self, root: &Path) -> Result<History, Why> {
        let head = run(root, &["rev-parse", "--verify", "--quiet", "HEAD"], &[]);
        let head = head.map_err(|error| match error {
            GitError::Refused(_) => Why::NoCommits,
            error => Why::Git(error),
        })?;
        let head = text(&head).trim().to_owned();
        let files = run(
            root,
            &["ls-files", "-z", "-c", "-o", "--exclude-standard"],
            &[],
        )?;
        let files = files
            .split(|byte| *byte == 0)
            .filter(|path| !path.is_empty());
        let log = self.log(root, head)?;
        Ok(History::new(
            &slashed(root),
            files.map(text).collect(),
            &log,
        ))
    }

    fn log(&self, root: &Path, head: String) -> Result<Arc<Log>, GitError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, known, log)) = kept.as_ref()
            && at == root
            && *known == head
        {
            return Ok(Arc::clone(log));
        }
        let log = Arc::new(read(root, &head)?);
        *kept = Some((root.to_owned(), head, Arc::clone(&log)));
        Ok(log)
    }
}

/// Why there is no history.
enum Why {
    NoCommits,
    Git(GitError),
}

impl From<GitError> for Why {
    fn from(error: GitError) -> Self {
        Self::Git(error)
    }
}

fn why(why: Why) -> String {
    match why {
        Why::NoCommits => "the repository has no commits".to_owned(),
        Why::Git(error) => error.to_string(),
    }
}

/// Why a folder lies in no work tree.
fn missing(folder: &Path) -> String {
    match run(folder, &["rev-parse", "--is-bare-repository"], &[]) {
        Ok(_) => "the repository is bare".to_owned(),
        Err(GitError::Refused(said)) if said.starts_with("not a git repository") => {
            "this is not a git repository".to_owned()
        }
        Err(error) => error.to_string(),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Reads what commits took away, newest first.
fn read(root: &Path, head: &str) -> Result<Log, GitError> {
    let mut partial = None;
    let shallow = run(root, &["rev-parse", "--is-shallow-repository"], &[]);
    if shallow.is_ok_and(|said| said.starts_with(b"true")) {
        partial = Some("the clone is shallow".to_owned());
    }
    // The commits from which on nothing is read; counting shown commits would count only those
    // that took something away.
    let skip = format!("--skip={MOST_COMMITS}");
    let edge = run(root, &["rev-list", "--max-count=1", &skip, head], &[]);
    let edge = edge
        .map(|edge| text(&edge).trim().to_owned())
        .unwrap_or_default();
    let mut git = command(root);
    git.args(["log", "-z", "--raw", "--no-renames", "--diff-filter=AD"])
        .args(["--abbrev=40", "--no-show-signature", "--no-ext-diff"])
        .args(["--format=%x01%H%x00%at%x00%an%x00%s", head]);
    if !edge.is_empty() {
        git.arg(format!("^{edge}"));
        partial = Some(format!("only the last {MOST_COMMITS} commits"));
    }
    git.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = git.spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // Both at once: git waits where nobody reads one of them.
    let (mut log, said) = std::thread::scope(|scope| {
        let said = scope.spawn(|| {
            let mut bytes = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = stderr.read_to_end(&mut bytes);
            }
            bytes
        });
        let log = stdout.map(|out| parse(BufReader::new(out)));
        (log.unwrap_or_default(), said.join().unwrap_or_default())
    });
    let done = child.wait().map_err(GitError::Io)?;
    if !done.success() {
        // What git says may be in any encoding.
        let said = text(&said);
        let line = said.lines().next().unwrap_or("it did not say why");
        partial = Some(format!("git stopped: {line}"));
    }
    log.partial = partial;
    Ok(log)
}

/// The log of `log -z --raw --format=%x01%H%x00%at%x00%an%x00%s`.
fn parse(mut out: impl BufRead) -> Log {
    let mut log = Log::default();
    let mut known: HashSet<Box<str>> = HashSet::new();
    let mut open = Open::default();
    let mut next = || {
        let mut bytes = Vec::new();
        let read = out.read_until(0, &mut bytes).unwrap_or_default();
        if bytes.last() == Some(&0) {
            bytes.pop();
        }
        (read > 0).then_some(bytes)
    };
    while let Some(part) = next() {
        let part = part.strip_prefix(b"\n").unwrap_or(&part);
        if let Some(id) = part.strip_prefix(b"\x01") {
            open.close(&mut log, &mut known);
            open.commit = Some(Commit {
                id: text(id).into(),
                time: next()
                    .and_then(|time| text(&time).parse().ok())
                    .unwrap_or_default(),
                author: next().map(|name| text(&name)).unwrap_or_default().into(),
                subject: next().map(|line| text(&line)).unwrap_or_default().into(),
            });
        } else if part.starts_with(b":") {
            let path = next().unwrap_or_default();
            open.take(&text(part), path);
        }
    }
    open.close(&mut log, &mut known);
    log
}

/// A commit of which the changes are being read.
#[derive(Default)]
struct Open {
    commit: Option<Commit>,
    removed: Vec<(String, Box<str>)>,
    /// Where bytes came up, by their hash; nothing where in several places.
    added: HashMap<String, Option<Box<str>>>,
}

impl Open {
    /// `:100644 000000 HASH HASH D`.
    fn take(&mut self, entry: &str, path: Vec<u8>) {
        let Ok(path) = String::from_utf8(path) else {
            return;
        };
        let fields: Vec<&str> = entry.split(' ').collect();
        match fields.as_slice() {
            [.., old, _, "D"] => self.removed.push(((*old).to_owned(), path.into())),
            [.., new, "A"] => {
                let mut path = Some(path.into());
                let place = self.added.entry((*new).to_owned());
                place
                    .and_modify(|place| *place = None)
                    .or_insert_with(|| path.take());
            }
            _ => {}
        }
    }

    fn close(&mut self, log: &mut Log, known: &mut HashSet<Box<str>>) {
        let added = std::mem::take(&mut self.added);
        let removed = std::mem::take(&mut self.removed);
        let Some(commit) = self.commit.take().filter(|_| !removed.is_empty()) else {
            return;
        };
        let number = u32::try_from(log.commits.len()).unwrap_or(u32::MAX);
        let before = log.gone.len();
        for (hash, path) in removed {
            if known.insert(path.clone()) {
                log.gone.push(Gone {
                    to: added.get(&hash).cloned().flatten(),
                    commit: number,
                    path,
                });
            }
        }
        if log.gone.len() > before {
            log.commits.push(commit);
        }
    }
}

impl Project for Facts<'_> {
    fn history(&self) -> Result<&History, &str> {
        self.read().1.as_ref().map_err(String::as_str)
    }

    fn recent(&self) -> &Recent {
        self.recent.get_or_init(|| {
            let root = Repository::around(&self.folder);
            root.map_or_else(Recent::default, |repository| recent::read(&repository.root))
        })
    }

    fn renames(&self, commits: &[&str]) -> Vec<Rename> {
        let arguments = [
            "diff-tree",
            "--stdin",
            "-r",
            "-z",
            "-M",
            "--diff-filter=R",
            "--name-status",
        ];
        let out = self.ask(&arguments, &commits.join("\n"));
        let mut parts = out.split(|byte| *byte == 0);
        let mut all = Vec::new();
        while let Some(part) = parts.next() {
            // The hash of each commit stands before its renames.
            let part = part.rsplit(|byte| *byte == b'\n').next().unwrap_or(part);
            if part.first() == Some(&b'R') && part.len() <= 4 {
                let mut path = || parts.next().map(text).unwrap_or_default();
                let (from, to) = (path(), path());
                all.push(Rename { from, to });
            }
        }
        all
    }

    fn untracked(&self, paths: &[&str]) -> Vec<bool> {
        let Some(root) = self.read().0.as_ref().filter(|_| !paths.is_empty()) else {
            return vec![false; paths.len()];
        };
        // It knows no pathspecs to take literally, and refuses to be told so.
        let arguments = [
            "--no-literal-pathspecs",
            "check-ignore",
            "--no-index",
            "-z",
            "--stdin",
        ];
        let out = self.ask(&arguments, &(paths.join("\0") + "\0"));
        let ignored: HashSet<&[u8]> = out.split(|byte| *byte == 0).collect();
        let is_there = |path: &str| root.join(path).symlink_metadata().is_ok();
        let mut known: HashMap<&str, bool> = HashMap::new();
        let all = paths.iter().map(|path| {
            *known
                .entry(path)
                .or_insert_with(|| ignored.contains(path.as_bytes()) || is_there(path))
        });
        all.collect()
    }
}

impl Facts<'_> {
    fn read(&self) -> &(Option<PathBuf>, Result<History, String>) {
        self.read
            .get_or_init(|| match Repository::around(&self.folder) {
                Some(Repository { root }) => {
                    let history = self.logs.history(&root).map_err(why);
                    (Some(root), history)
                }
                None => (None, Err(missing(&self.folder))),
            })
    }

    /// What git answers to an input; what it says before it fails counts.
    fn ask(&self, arguments: &[&str], input: &str) -> Vec<u8> {
        let Some(root) = &self.read().0 else {
            return Vec::new();
        };
        let mut git = command(root);
        git.args(arguments)
            // An object that a partial clone left out is not fetched for this.
            .env("GIT_NO_LAZY_FETCH", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let Ok(mut child) = git.spawn() else {
            return Vec::new();
        };
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let mut out = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                if let Some(mut stdin) = stdin {
                    // It may have ended already.
                    let _ = stdin
                        .write_all(input.as_bytes())
                        .and_then(|()| stdin.write_all(b"\n"));
                }
            });
            if let Some(mut stdout) = stdout {
                let _ = stdout.read_to_end(&mut out);
            }
        });
        let _ = child.wait();
        out
    }
}

#[cfg(test)]
mod tests;
