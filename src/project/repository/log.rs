//! The log of a repository's changes: as git writes it, and as it is kept for the next time.
//!
//! ```text
//! git log --raw ──> bytes ──> Log          once for each HEAD
//!                     └─────> kept file    a head line, the bytes
//! ```

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use super::text;
use crate::lint::repository::{Blob, Change, Commit, Gone, Log};
use crate::project::commits::{FORMAT, records};
use crate::project::git::{GitError, command, is_shallow, output};
use crate::store::files;

/// Commits whose changes are read; 10,000 take about half a second.
const MOST_COMMITS: usize = 30_000;

/// Changes of files that are held, the newest: 24 bytes each.
const MOST_CHANGES: usize = 600_000;

/// Bytes of a log that are kept for the next time; one that is longer is read anew.
const MOST_KEPT: usize = 64 << 20;

/// The beginning of a kept log. The number changes with what is asked of git.
const KIND: &str = "memkeep log 4";

/// The newest commits of which paths are held, and the most paths of each.
const RECENT: usize = 200;
const MOST_FILES: usize = 200;

/// Reads what commits changed, newest first; `kept` is the file that git's answer is kept in.
pub(super) fn read(root: &Path, head: &str, kept: Option<&Path>) -> Result<Log, GitError> {
    let shallow = is_shallow(root).then(|| "the clone is shallow".to_owned());
    // A shallow clone may hold more history the next time.
    let kept = kept.filter(|_| shallow.is_none());
    let begins = format!("{KIND}\t{head}\n");
    let known = kept.and_then(|file| fs::read(file).ok());
    let known = known.as_ref();
    if let Some(bytes) = known.and_then(|known| known.strip_prefix(begins.as_bytes())) {
        return Ok(parse(bytes));
    }
    let mut git = command(root);
    git.args(["log", "-z", "--raw", "--no-renames", "--diff-filter=AMDT"]);
    let most = format!("--max-count={MOST_COMMITS}");
    git.args(["--abbrev=40", &most, FORMAT, head]);
    let out = output(git, b"")?;
    let mut log = parse(&out.stdout);
    if !out.status.success() {
        let said = text(&out.stderr);
        let line = said.lines().next().unwrap_or("it did not say why");
        log.partial = Some(format!("git stopped: {line}"));
    } else if let Some(file) = kept.filter(|_| out.stdout.len() <= MOST_KEPT) {
        // A failed write costs only time.
        let _ = files::replace(file, &[begins.as_bytes(), &out.stdout].concat());
    }
    log.partial = log.partial.or(shallow);
    Ok(log)
}

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
        let all = &record.files;
        let files = || all.iter().filter_map(|file| Some((file, file.text()?)));
        if log.recent.len() < RECENT {
            let paths = files().map(|(_, path)| path.into());
            log.recent.push(paths.take(MOST_FILES).collect());
        }
        // Path at which a content was added; none if added at several paths.
        let mut added: HashMap<&str, Option<&str>> = HashMap::new();
        for (file, path) in files().filter(|(file, _)| file.status == b'A') {
            let place = added.entry(file.new).and_modify(|place| *place = None);
            place.or_insert(Some(path));
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
    if log.commits.len() == MOST_COMMITS {
        log.partial = Some(format!("only the last {MOST_COMMITS} commits"));
    }
    log
}

fn blob(hash: &str) -> Option<Blob> {
    let mut bytes = [0; 20];
    for (n, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hash.get(2 * n..2 * n + 2)?, 16).ok()?;
    }
    Some(Blob(bytes))
}
