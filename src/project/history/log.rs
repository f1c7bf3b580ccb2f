//! The log of a repository's changes: as git writes it, and as it is kept for the next time.
//!
//! ```text
//! git log --raw ──> bytes ──> Log          whole, or only what is new since the kept HEAD
//!                     └─────> kept file    a head line, its checksum, the bytes
//! ```

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{BufRead, Read as _};
use std::path::Path;
use std::process::Stdio;

use sha2::{Digest as _, Sha256};

use super::text;
use crate::lint::repository::{Blob, Change, Commit, Gone, Log};
use crate::project::git::{GitError, command, label, run};

/// Commits whose changes are read; 10,000 take about half a second.
const MOST_COMMITS: usize = 30_000;

/// Changes of files that are held, the newest: 24 bytes each.
const MOST_CHANGES: usize = 600_000;

/// Bytes of a log that are kept for the next time; one that is longer is read anew.
const MOST_KEPT: usize = 64 << 20;

/// The beginning of a kept log. The number changes with what is asked of git.
const KIND: &str = "memkeep log 2";

/// A log as git writes it.
struct Raw {
    /// The commit it was read at.
    head: String,
    /// Why it is not all of it, where it is not.
    partial: Option<String>,
    /// True if git failed, so that it is not to be kept.
    failed: bool,
    bytes: Vec<u8>,
}

/// Reads what commits changed, newest first; `kept` is the file that it is kept in.
pub(super) fn read(root: &Path, head: &str, kept: Option<&Path>) -> Result<Log, GitError> {
    let shallow = run(root, &["rev-parse", "--is-shallow-repository"], &[]);
    let shallow = shallow.is_ok_and(|said| said.starts_with(b"true"));
    let shallow = shallow.then(|| "the clone is shallow".to_owned());
    // A shallow clone may hold more history the next time.
    let kept = kept.filter(|_| shallow.is_none());
    let before = kept.and_then(load);
    let raw = match before {
        Some(before) if before.head == head => before,
        Some(before) if is_below(root, &before.head, head) => {
            let new = ask(root, head, Some(&before.head))?;
            let raw = Raw {
                head: head.to_owned(),
                partial: new.partial.or(before.partial),
                failed: new.failed,
                bytes: [new.bytes, before.bytes].concat(),
            };
            keep(kept, &raw);
            raw
        }
        _ => {
            let mut raw = all(root, head)?;
            raw.partial = raw.partial.or(shallow);
            keep(kept, &raw);
            raw
        }
    };
    let mut log = parse(raw.bytes.as_slice());
    log.partial = raw.partial.or(log.partial);
    Ok(log)
}

fn is_below(root: &Path, old: &str, head: &str) -> bool {
    run(root, &["merge-base", "--is-ancestor", old, head], &[]).is_ok()
}

/// The whole log, as far back as it is read.
fn all(root: &Path, head: &str) -> Result<Raw, GitError> {
    // The commits from which on nothing is read; counting shown commits would count only those
    // that changed something.
    let skip = format!("--skip={MOST_COMMITS}");
    let edge = run(root, &["rev-list", "--max-count=1", &skip, head], &[]);
    let edge = edge
        .map(|edge| text(&edge).trim().to_owned())
        .unwrap_or_default();
    let edge = Some(edge).filter(|edge| !edge.is_empty());
    let mut raw = ask(root, head, edge.as_deref())?;
    if edge.is_some() && raw.partial.is_none() {
        raw.partial = Some(format!("only the last {MOST_COMMITS} commits"));
    }
    Ok(raw)
}

/// Asks git for the commits up to `head` that are not below `edge`.
fn ask(root: &Path, head: &str, edge: Option<&str>) -> Result<Raw, GitError> {
    let mut git = command(root);
    git.args(["log", "-z", "--raw", "--no-renames", "--diff-filter=AMDT"])
        .args(["--abbrev=40", "--format=%x01%H%x00%at%x00%an%x00%s", head]);
    if let Some(edge) = edge {
        git.arg(format!("^{edge}"));
    }
    git.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = git.spawn()?;
    let mut errors = child.stderr.take();
    let mut bytes = Vec::new();
    let said = std::thread::scope(|scope| {
        // A git that says much on one of them does not wait for the other to be read.
        let said = scope.spawn(move || {
            let mut said = Vec::new();
            if let Some(errors) = errors.as_mut() {
                let _ = errors.read_to_end(&mut said);
            }
            said
        });
        if let Some(mut out) = child.stdout.take() {
            let _ = out.read_to_end(&mut bytes);
        }
        said.join().unwrap_or_default()
    });
    let done = child.wait().map_err(GitError::Io)?;
    let partial = (!done.success()).then(|| {
        let said = text(&said);
        let line = said.lines().next().unwrap_or("it did not say why");
        format!("git stopped: {line}")
    });
    Ok(Raw {
        head: head.to_owned(),
        failed: partial.is_some(),
        partial,
        bytes,
    })
}

/// Git's answer at a commit: as it was kept, else as it is asked now.
pub fn kept_at(
    head: &str,
    kept: Option<&Path>,
    ask: impl FnOnce() -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let before = kept.and_then(load).filter(|before| before.head == head);
    if let Some(before) = before {
        return Some(before.bytes);
    }
    let raw = Raw {
        head: head.to_owned(),
        partial: None,
        failed: head.is_empty(),
        bytes: ask()?,
    };
    keep(kept, &raw);
    Some(raw.bytes)
}

/// A kept log, if it is whole.
fn load(path: &Path) -> Option<Raw> {
    let bytes = fs::read(path).ok()?;
    let end = memchr::memchr(b'\n', &bytes)?;
    let (head, rest) = (bytes.get(..end)?, bytes.get(end + 1..)?);
    let head = std::str::from_utf8(head).ok()?;
    let parts: Vec<&str> = head.split('\t').collect();
    let [KIND, at, partial, sum] = parts.as_slice() else {
        return None;
    };
    (checksum(at, partial, rest) == *sum).then(|| Raw {
        head: (*at).to_owned(),
        partial: Some((*partial).to_owned()).filter(|partial| !partial.is_empty()),
        failed: false,
        bytes: rest.to_vec(),
    })
}

/// Keeps a log; that it cannot be kept costs time and nothing else.
fn keep(path: Option<&Path>, raw: &Raw) {
    let Some(path) = path.filter(|_| !raw.failed && raw.bytes.len() <= MOST_KEPT) else {
        return;
    };
    let partial = raw.partial.as_deref().unwrap_or_default();
    let sum = checksum(&raw.head, partial, &raw.bytes);
    let head = format!("{KIND}\t{}\t{partial}\t{sum}\n", raw.head);
    super::write(path, &[head.as_bytes(), &raw.bytes]);
}

fn checksum(head: &str, partial: &str, bytes: &[u8]) -> String {
    let mut sum = Sha256::new();
    sum.update(head);
    sum.update(partial);
    sum.update(bytes);
    let sum = sum.finalize();
    sum.iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The log of `log -z --raw --format=%x01%H%x00%at%x00%an%x00%s`.
fn parse(mut out: impl BufRead) -> Log {
    let mut log = Log::default();
    let mut known = Known::default();
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
                author: next().map(|name| label(&name)).unwrap_or_default().into(),
                subject: next().map(|line| label(&line)).unwrap_or_default().into(),
            });
        } else if part.starts_with(b":") {
            let path = next().unwrap_or_default();
            open.take(&text(part), path);
        }
    }
    open.close(&mut log, &mut known);
    log
}

/// State from newer commits.
#[derive(Default)]
struct Known {
    gone: HashSet<Box<str>>,
    changes: usize,
}

/// A commit of which the changes are being read.
#[derive(Default)]
struct Open {
    commit: Option<Commit>,
    removed: Vec<(String, Box<str>)>,
    changed: Vec<(Option<Blob>, Box<str>)>,
    /// Path at which a content hash was added; none if added at several paths.
    added: HashMap<String, Option<Box<str>>>,
}

impl Open {
    /// `:100644 000000 HASH HASH D`.
    fn take(&mut self, entry: &str, path: Vec<u8>) {
        let Ok(path) = String::from_utf8(path) else {
            return;
        };
        let fields: Vec<&str> = entry.split(' ').collect();
        let path: Box<str> = path.into();
        match fields.as_slice() {
            [.., old, _, "D"] => self.removed.push(((*old).to_owned(), path)),
            [.., new, "A"] => {
                self.changed.push((None, path.clone()));
                let mut path = Some(path);
                let place = self.added.entry((*new).to_owned());
                place
                    .and_modify(|place| *place = None)
                    .or_insert_with(|| path.take());
            }
            [.., old, _, _] => self.changed.push((blob(old), path)),
            _ => {}
        }
    }

    fn close(&mut self, log: &mut Log, known: &mut Known) {
        let added = std::mem::take(&mut self.added);
        let removed = std::mem::take(&mut self.removed);
        let changed = std::mem::take(&mut self.changed);
        let Some(commit) = self.commit.take() else {
            return;
        };
        let number = u32::try_from(log.commits.len()).unwrap_or(u32::MAX);
        log.commits.push(commit);
        for (hash, path) in removed {
            // A path that came back later has changed since.
            if !log.changes.contains_key(&path) && known.gone.insert(path.clone()) {
                log.gone.push(Gone {
                    to: added.get(&hash).cloned().flatten(),
                    commit: number,
                    blob: blob(&hash).unwrap_or_default(),
                    path,
                });
            }
        }
        for (old, path) in changed {
            if known.gone.contains(&path) {
                continue;
            }
            if known.changes == MOST_CHANGES {
                log.partial = Some(format!("only the last {MOST_CHANGES} changes of files"));
                continue;
            }
            known.changes += 1;
            let change = Change {
                commit: number,
                old,
            };
            log.changes.entry(path).or_default().push(change);
        }
    }
}

/// A hash as git writes it.
fn blob(hash: &str) -> Option<Blob> {
    let mut bytes = [0; 20];
    for (n, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hash.get(2 * n..2 * n + 2)?, 16).ok()?;
    }
    Some(Blob(bytes))
}
