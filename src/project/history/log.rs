//! The log of a repository's changes: as git writes it, and as it is kept for the next time.
//!
//! ```text
//! git log --raw ──> bytes ──> Log          whole, or only what is new since the kept HEAD
//!                     └─────> kept file    a head line, its checksum, the bytes
//! ```

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::text;
use crate::lint::repository::{Blob, Change, Commit, Gone, Log};
use crate::project::git::{GitError, command, is_ancestor, is_shallow, output, run, word};
use crate::project::records::{FORMAT, Record, Step, records};
use crate::retrieval::recent::{Done, Recent};

/// Commits whose changes are read; 10,000 take about half a second.
const MOST_COMMITS: usize = 30_000;

/// Changes of files that are held, the newest: 24 bytes each.
const MOST_CHANGES: usize = 600_000;

/// Bytes of a log that are kept for the next time; one that is longer is read anew.
const MOST_KEPT: usize = 64 << 20;

/// The beginning of a kept log. The number changes with what is asked of git.
const KIND: &str = "memkeep log 3";

/// The latest commits that are read, and the paths of each: one with more is about none of them.
const RECENT: &str = "--max-count=200";
const MOST_FILES: usize = 200;

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
    let shallow = is_shallow(root).then(|| "the clone is shallow".to_owned());
    // A shallow clone may hold more history the next time.
    let kept = kept.filter(|_| shallow.is_none());
    let before = kept.and_then(load);
    let raw = match before {
        Some(before) if before.head == head => before,
        Some(before) if is_ancestor(root, &before.head, head) => {
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
    let mut log = parse(&raw.bytes);
    log.partial = raw.partial.or(log.partial);
    Ok(log)
}

/// The whole log, as far back as it is read.
fn all(root: &Path, head: &str) -> Result<Raw, GitError> {
    // The commits from which on nothing is read; counting shown commits would count only those
    // that changed something.
    let skip = format!("--skip={MOST_COMMITS}");
    let edge = word(root, &["rev-list", "--max-count=1", &skip, head]);
    let edge = edge.ok().filter(|edge| !edge.is_empty());
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
        .args(["--abbrev=40", FORMAT, head])
        .args(edge.map(|edge| format!("^{edge}")));
    let out = output(git, b"")?;
    let partial = (!out.status.success()).then(|| {
        let said = text(&out.stderr);
        let line = said.lines().next().unwrap_or("it did not say why");
        format!("git stopped: {line}")
    });
    Ok(Raw {
        head: head.to_owned(),
        failed: partial.is_some(),
        partial,
        bytes: out.stdout,
    })
}

/// The last commits of the work tree with this root; none where git does not tell. `kept` keeps git's
/// answer for the next time: comparing the trees of 200 commits takes long where folders are large.
pub(super) fn recent(root: &Path, kept: Option<&Path>) -> Recent {
    let at = word(root, &["rev-parse", "--is-shallow-repository", "HEAD"]);
    let at = at.unwrap_or_default();
    // A shallow clone may hold more history the next time.
    let head = at.strip_prefix("false\n").unwrap_or_default();
    let before = kept.and_then(load).filter(|before| before.head == head);
    let raw = before.unwrap_or_else(|| {
        // With renames, git stops without a word where a blob is missing.
        let log = [
            "log",
            "-z",
            "--raw",
            "--no-renames",
            "--no-merges",
            FORMAT,
            RECENT,
        ];
        let answer = run(root, &log, &[]);
        let raw = Raw {
            head: head.to_owned(),
            partial: None,
            failed: head.is_empty() || answer.is_err(),
            bytes: answer.unwrap_or_default(),
        };
        keep(kept, &raw);
        raw
    });
    let done = |record: Record<'_>| {
        let files = record.files.iter().filter_map(Step::text);
        Done {
            subject: record.subject.into(),
            files: files.take(MOST_FILES).map(Into::into).collect(),
        }
    };
    Recent {
        root: super::slashed(root),
        commits: records(&raw.bytes).map(done).collect(),
    }
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

/// The log in an answer of git.
fn parse(out: &[u8]) -> Log {
    let mut log = Log::default();
    // Paths that newer commits removed, and the changes that are held.
    let mut gone: HashSet<Box<str>> = HashSet::new();
    let mut held = 0;
    for record in records(out) {
        let commit = u32::try_from(log.commits.len()).unwrap_or(u32::MAX);
        log.commits.push(Commit {
            id: record.hash.into(),
            time: record.time,
            author: record.author.into(),
            subject: record.subject.into(),
        });
        let files = || {
            record
                .files
                .iter()
                .filter_map(|file| Some((file, file.text()?)))
        };
        // Path at which a content was added; none if added at several paths.
        let mut added: HashMap<&str, Option<&str>> = HashMap::new();
        for (file, path) in files().filter(|(file, _)| file.status == b'A') {
            let place = added.entry(file.new);
            place
                .and_modify(|place| *place = None)
                .or_insert(Some(path));
        }
        for (file, path) in files().filter(|(file, _)| file.status == b'D') {
            // A path that came back later has changed since.
            if !log.changes.contains_key(path) && gone.insert(path.into()) {
                log.gone.push(Gone {
                    to: added.get(file.old).copied().flatten().map(Into::into),
                    commit,
                    blob: blob(file.old).unwrap_or_default(),
                    path: path.into(),
                });
            }
        }
        for (file, path) in files().filter(|(file, _)| file.status != b'D') {
            if gone.contains(path) {
                continue;
            }
            if held == MOST_CHANGES {
                log.partial = Some(format!("only the last {MOST_CHANGES} changes of files"));
                continue;
            }
            held += 1;
            let old = blob(file.old).filter(|_| file.status != b'A');
            let changes = log.changes.entry(path.into()).or_default();
            changes.push(Change { commit, old });
        }
    }
    log
}

/// A hash as git writes it.
fn blob(hash: &str) -> Option<Blob> {
    let mut bytes = [0; 20];
    for (n, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hash.get(2 * n..2 * n + 2)?, 16).ok()?;
    }
    Some(Blob(bytes))
}
