//! The versions of a memory that are committed: every commit that changed it, across renames of
//! its file, and by id where it moved from one file of its store to another. Commits are read from an
//! answer of `git log -z --raw`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools as _;

use super::git::{self, GitError, label, path, run};
use super::revision::Revision;
use crate::curate::threeway;
use crate::curate::versions::{Step, Version, readable};
use crate::memory::{Memory, MemoryId, Stamp, Timestamp, document};
use crate::store::{Store, files};

/// Commits of a file that are looked at.
const MOST: &str = "--max-count=1000";
/// Commits whose files are read at a time.
const CHUNK: usize = 16;
/// Files that a memory is followed through.
const MOST_MOVES: usize = 20;

/// A memory in the bytes of some version of its file.
type Found = (Arc<Memory>, Arc<Vec<u8>>);

/// A memory whose versions are looked for.
pub struct Subject<'a> {
    pub store: &'a dyn Store,
    pub id: &'a MemoryId,
    /// The file of the memory, absolute; the folder of its store if its id does not say.
    pub path: &'a Path,
    /// The memory, where it is there.
    pub now: Option<&'a Memory>,
}

impl Subject<'_> {
    /// The versions that commits made, newest first; what is not committed yet comes before them.
    /// None where no commit has the memory.
    pub fn commits(&self) -> Result<Vec<Version>, GitError> {
        let around = self.path.ancestors().find(|folder| folder.is_dir());
        let around = around.unwrap_or(self.path);
        let root = git::root(around)?;
        let real = files::real(around);
        let below = real.strip_prefix(files::real(&root));
        let mut below = below.map_err(|_| GitError::NoRepository)?.to_owned();
        let rest = self.path.strip_prefix(around).unwrap_or(Path::new(""));
        // Nothing joined would be a slash at the end.
        if !rest.as_os_str().is_empty() {
            below.push(rest);
        }
        let mut walk = Walk {
            subject: self,
            root,
            title: self.now.map(|now| threeway::name(now).to_owned()),
            versions: Vec::new(),
        };
        let mut next = Some((below, "HEAD".to_owned()));
        for _ in 0..MOST_MOVES {
            let Some((path, from)) = next.take() else {
                break;
            };
            next = walk.file(&path, &from)?;
        }
        let mut versions = walk.versions;
        let now = self.uncommitted(versions.first());
        versions.splice(0..0, now);
        Ok(versions)
    }

    fn uncommitted(&self, newest: Option<&Version>) -> Option<Version> {
        let bytes = std::fs::read(self.path).unwrap_or_default();
        let found = find(self.store, self.id, None, self.path, bytes);
        let text = found.as_ref();
        let text = text.map_or_else(String::new, |found| self::text(self.store, found));
        let newest = newest.filter(|newest| *newest.text != *text)?;
        Some(Version {
            subject: "not committed yet".into(),
            path: self.path.to_owned(),
            step: match (newest.text.is_empty(), &found) {
                (_, None) => Step::Deleted,
                (true, _) => Step::Added,
                (false, _) => Step::Changed,
            },
            state: found,
            text: text.into(),
            before: newest.text.clone(),
            ..Version::default()
        })
    }
}

/// The memory with an id in the bytes of a file; a document of several goes by its title.
pub fn find(
    store: &dyn Store,
    id: &MemoryId,
    title: Option<&str>,
    path: &Path,
    bytes: Vec<u8>,
) -> Option<Found> {
    let all = store.parse(path, &bytes, Stamp::default());
    let bare = |local: &str| local.strip_prefix("archive/").unwrap_or(local).to_owned();
    let titled = |memory: &&Arc<Memory>| {
        memory.schema.can.shape.several
            && title.is_some_and(|title| *threeway::name(memory) == *title)
    };
    let has_id = |memory: &&Arc<Memory>| bare(&memory.id.local) == bare(&id.local);
    let by_title = all.iter().find(titled);
    let found = by_title.or_else(|| all.iter().find(has_id))?;
    Some((Arc::clone(found), Arc::new(bytes)))
}

/// A memory as people read it.
pub fn text(store: &dyn Store, (memory, bytes): &Found) -> String {
    let own = document::part(bytes, memory.span.clone());
    readable(memory, own, &store.text_in(memory, bytes))
}

struct Walk<'a> {
    subject: &'a Subject<'a>,
    root: PathBuf,
    title: Option<String>,
    versions: Vec<Version>,
}

impl Walk<'_> {
    /// Goes through the commits of a file, the newest first; gives the file that the memory came
    /// from and the commit before it came.
    fn file(&mut self, path: &Path, from: &str) -> Result<Option<(PathBuf, String)>, GitError> {
        let out = self.log(path, from)?;
        let commits: Vec<Record<'_>> = records(&out).collect();
        for chunk in commits.chunks(CHUNK) {
            let ids = chunk.iter().flat_map(|commit| &commit.files);
            let ids: Vec<&str> = ids.flat_map(|file| [file.old, file.new]).collect();
            let mut blobs = git::objects(&self.root, &ids)?.into_iter();
            for commit in chunk {
                let (mut before, mut after) = (None, None);
                for file in &commit.files {
                    let (old, new) = (blobs.next().flatten(), blobs.next().flatten());
                    after = after.or_else(|| self.find(path, file, file.new_path(), new));
                    before = before.or_else(|| self.find(path, file, file.old_path(), old));
                }
                let is_new = before.is_none() && after.is_some();
                let origin = if is_new { self.origin(commit)? } else { None };
                if let Some((file, found)) = origin {
                    let step = Step::Moved(self.root.join(&file));
                    self.push(commit, Some((found, step)), after);
                    return Ok(Some((file, format!("{}^", commit.hash))));
                }
                let moved = commit.files.first().filter(|file| file.from != file.to);
                let step = moved.map_or(Step::Changed, |file| {
                    Step::Moved(self.root.join(file.old_path()))
                });
                self.push(commit, before.map(|before| (before, step)), after);
            }
        }
        Ok(None)
    }

    /// The memory in the bytes of one side of a change. A renamed file is read under its name of
    /// today, which says the id; in a folder each file has its own.
    fn find(
        &self,
        path: &Path,
        file: &FileStep<'_>,
        own: PathBuf,
        bytes: Option<Vec<u8>>,
    ) -> Option<Found> {
        let subject = self.subject;
        let is_folder = path != file.new_path() && own.starts_with(path);
        let path = if is_folder {
            self.root.join(own)
        } else if subject.path.ends_with(path) {
            subject.path.to_owned()
        } else {
            self.root.join(path)
        };
        let title = self.title.as_deref();
        find(subject.store, subject.id, title, &path, bytes?)
    }

    /// The file of the store that a memory was in before a commit, where the commit moved it.
    fn origin(&self, commit: &Record<'_>) -> Result<Option<(PathBuf, Found)>, GitError> {
        let subject = self.subject;
        let stem = subject.path.file_stem();
        if stem.is_some_and(|stem| *stem == *OsStr::new(&*subject.id.local)) {
            // The id is the name of the file: git's renames follow it.
            return Ok(None);
        }
        let diff = ["diff-tree", "-r", "-z", "--no-commit-id", "--no-renames"];
        let diff = [&diff[..], &["--no-abbrev", commit.hash]].concat();
        let out = run(&self.root, &diff, &[])?;
        let info = subject.store.info();
        let is_own = |file: &FileStep<'_>| {
            let path = self.root.join(file.old_path());
            let is_here = path.starts_with(&info.path) || path.starts_with(&info.archive);
            let mut known = commit.files.iter().map(|known| known.from);
            is_here && !known.contains(&file.from) && !file.is_new()
        };
        let own: Vec<_> = all_steps(&out).filter(is_own).take(CHUNK).collect();
        let ids: Vec<&str> = own.iter().map(|file| file.old).collect();
        let blobs = git::objects(&self.root, &ids)?;
        Ok(own.into_iter().zip(blobs).find_map(|(file, bytes)| {
            let path = self.root.join(file.old_path());
            let found = find(subject.store, subject.id, None, &path, bytes?)?;
            Some((file.old_path(), found))
        }))
    }

    /// Adds the version that a commit made, where it changed the memory.
    fn push(&mut self, commit: &Record<'_>, before: Option<(Found, Step)>, after: Option<Found>) {
        let shown = |found: &Found| text(self.subject.store, found);
        let old = before.as_ref().map(|(found, _)| shown(found));
        let new = after.as_ref().map(shown);
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let step = match (&before, &after) {
            (None, None) => return,
            (None, Some(_)) => Step::Added,
            (Some(_), None) => Step::Deleted,
            (Some((_, step)), Some(_)) => step.clone(),
        };
        if old == new && step == Step::Changed {
            return;
        }
        if let Some(((memory, _), _)) = &before {
            self.title = Some(threeway::name(memory).to_owned());
        }
        let path = commit.files.first().map(FileStep::new_path);
        self.versions.push(Version {
            rev: commit.hash.into(),
            time: Some(Timestamp(commit.time.saturating_mul(1000))),
            author: commit.author.as_str().into(),
            subject: commit.subject.as_str().into(),
            path: self.root.join(path.unwrap_or_default()),
            step,
            state: after,
            text: new.into(),
            before: old.into(),
            ..Version::default()
        });
    }

    /// Git's answer about the commits that changed a file, or the files of a folder.
    fn log(&self, path: &Path, from: &str) -> Result<Vec<u8>, GitError> {
        let ask = |more: &[&str]| {
            let base = ["log", "-z", "--raw", "--no-abbrev", MOST, FORMAT];
            let paths = [path.as_os_str()];
            let paths = paths.get(usize::from(path.as_os_str().is_empty())..);
            let arguments = [&base[..], more].concat();
            run(&self.root, &arguments, paths.unwrap_or_default())
        };
        let is_file = !self.root.join(path).is_dir();
        // If a partial clone lacks a blob, renames cannot be detected.
        let followed = is_file.then(|| ask(&["--follow", "-M", from]));
        let answer = match followed {
            Some(Ok(out)) => Ok(out),
            _ => ask(&["--no-renames", from]),
        };
        match answer {
            // Nothing was committed yet, or the first commit has no parent.
            Err(GitError::Refused(_)) => Ok(Vec::new()),
            answer => answer,
        }
    }
}

/// The version that a typed revision names: one of those that are listed, by the beginning of its
/// name, else the newest that the revision contains.
pub fn named<'a>(versions: &'a [Version], typed: &str, folder: &Path) -> Option<&'a Version> {
    let is_it = |version: &&Version| !version.rev.is_empty() && version.rev.starts_with(typed);
    // A number of the journal is whole.
    let exact = versions.iter().find(|version| *version.rev == *typed);
    if exact.is_some() || typed.starts_with('#') {
        return exact;
    }
    versions.iter().find(is_it).or_else(|| {
        let revision = Revision::find(folder, typed).ok()?;
        let mut committed = versions.iter().filter(|version| !version.rev.is_empty());
        committed.find(|version| revision.contains(&version.rev))
    })
}

/// The facts that git is asked for about each commit.
pub(super) const FORMAT: &str = "--format=%x01%H%x00%at%x00%an%x00%s";

pub(super) struct Record<'a> {
    pub hash: &'a str,
    /// Seconds since 1970.
    pub time: i64,
    pub author: String,
    pub subject: String,
    pub files: Vec<FileStep<'a>>,
}

pub(super) struct FileStep<'a> {
    /// The object before, and after: zeros where there is none.
    pub old: &'a str,
    pub new: &'a str,
    /// `A`, `D`, `M`, `T`, `R` or `C`.
    pub status: u8,
    /// Similarity of the two files of a copy or rename, in percent.
    pub score: u8,
    /// The path before, and after.
    pub from: &'a [u8],
    pub to: &'a [u8],
}

impl<'a> FileStep<'a> {
    /// Reads `:MODE MODE OLD NEW STATUS`, and one path or two of the parts behind it.
    fn read(head: &'a [u8], parts: &mut impl Iterator<Item = &'a [u8]>) -> Option<Self> {
        let line = std::str::from_utf8(bare(head).strip_prefix(b":")?).ok()?;
        let words: Vec<&str> = line.split(' ').collect();
        let [_, _, old, new, status] = words[..] else {
            return None;
        };
        let (status, score) = status.split_at_checked(1)?;
        let status = *status.as_bytes().first()?;
        let from = parts.next().unwrap_or_default();
        let to = match status {
            b'R' | b'C' => parts.next().unwrap_or_default(),
            _ => from,
        };
        Some(Self {
            old,
            new,
            status,
            score: score.parse().unwrap_or_default(),
            from,
            to,
        })
    }

    pub fn old_path(&self) -> PathBuf {
        path(self.from)
    }

    pub fn new_path(&self) -> PathBuf {
        path(self.to)
    }

    /// The path before, where it is text.
    pub fn text(&self) -> Option<&'a str> {
        std::str::from_utf8(self.from).ok()
    }

    /// True if there was no file before.
    pub fn is_new(&self) -> bool {
        self.old.bytes().all(|byte| byte == b'0')
    }
}

pub(super) fn records(out: &[u8]) -> impl Iterator<Item = Record<'_>> {
    let mut parts = out.split(|byte| *byte == 0).peekable();
    std::iter::from_fn(move || {
        let hash = loop {
            let part = parts.next()?;
            if let Some(hash) = bare(part).strip_prefix(b"\x01") {
                break std::str::from_utf8(hash).unwrap_or_default();
            }
        };
        let mut next = || parts.next().map(label).unwrap_or_default();
        let (time, author, subject) = (next(), next(), next());
        Some(Record {
            hash,
            time: time.parse().unwrap_or_default(),
            author,
            subject,
            files: std::iter::from_fn(|| {
                let head = parts.next_if(|part| bare(part).starts_with(b":"))?;
                FileStep::read(head, &mut parts)
            })
            .collect(),
        })
    })
}

/// The files of an answer of `diff-tree` or `diff-index`, whatever commits they are of.
pub(super) fn all_steps(out: &[u8]) -> impl Iterator<Item = FileStep<'_>> {
    let mut parts = out.split(|byte| *byte == 0);
    std::iter::from_fn(move || {
        loop {
            let head = parts.next()?;
            if let Some(step) = FileStep::read(head, &mut parts) {
                return Some(step);
            }
        }
    })
}

/// A part without the line break that git puts before the first file of a commit.
fn bare(part: &[u8]) -> &[u8] {
    part.strip_prefix(b"\n").unwrap_or(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_with_renames_and_odd_names() {
        let out = b"\x01aa\x001\x00Ann\x00Move it\x00\n:100644 100644 b1 b2 R090\x00a b.md\x00c\nd.md\x00\x01bb\x002\x00Bob\x00\x00\n:000000 100644 00 b1 A\x00a b.md\x00\x01cc\x003\x00Eve\x00Add \xff\x00";
        let all: Vec<Record<'_>> = records(out).collect();
        let file = |file: &FileStep<'_>| {
            let path = file.new_path().display().to_string();
            (file.old.to_owned(), path)
        };
        let files = |one: &Record<'_>| one.files.iter().map(file).collect_vec();
        let shown = all.iter().map(|one| (one.hash, &*one.subject, files(one)));
        let shown = shown.collect_vec();
        let file = |old: &str, to: &str| vec![(old.to_owned(), to.to_owned())];
        assert_eq!(
            shown,
            [
                ("aa", "Move it", file("b1", "c\nd.md")),
                ("bb", "", file("00", "a b.md")),
                ("cc", "Add \u{fffd}", Vec::new()),
            ]
        );
        assert!(all[1].files[0].is_new());
    }
}
