//! The versions of a memory that are committed: every commit that changed it, across renames of
//! its file, and by id where it moved from one file of its store to another.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memmem;

use super::git::{self, GitError, ask, label, path as path_of, run};
use super::revision::contents;
use crate::curate::threeway;
use crate::curate::versions::{Step, Version, readable};
use crate::memory::{Memory, MemoryId, Stamp, Timestamp, document};
use crate::store::Store;

/// Commits of a file that are looked at.
const MOST: &str = "--max-count=1000";
/// Commits whose files are read at a time.
const CHUNK: usize = 16;
/// Bytes of a memory that stand in a file once; fewer may do so by chance.
const SURE: usize = 24;
/// Files that a memory is followed through.
const MOST_MOVES: usize = 20;

/// A memory in the bytes of some version of its file.
type Found = (Arc<Memory>, Arc<Vec<u8>>);

/// A memory whose versions are looked for.
pub struct Subject<'a> {
    /// Its store.
    pub store: &'a dyn Store,
    /// Its id.
    pub id: &'a MemoryId,
    /// The file that it stands in, or stood in, absolute; the folder of its store where its id does
    /// not say.
    pub path: &'a Path,
    /// The memory, where it is there.
    pub now: Option<&'a Memory>,
}

impl Subject<'_> {
    /// The versions that commits made, newest first; what is not committed yet comes before them.
    /// None where no commit has the memory.
    pub fn commits(&self) -> Result<Vec<Version>, GitError> {
        let around = self.path.ancestors().find(|folder| folder.is_dir());
        let root = git::root(around.unwrap_or(self.path))?;
        let real = crate::store::files::real(around.unwrap_or(self.path));
        let rest = self
            .path
            .strip_prefix(around.unwrap_or(self.path))
            .unwrap_or(Path::new(""));
        let real_root = crate::store::files::real(&root);
        let below = real
            .strip_prefix(&real_root)
            .map_err(|_| GitError::NoRepository)?;
        // Nothing joined would be a slash at the end.
        let below = if rest.as_os_str().is_empty() {
            below.to_owned()
        } else {
            below.join(rest)
        };
        let title = self.now.map(|now| threeway::name(now).to_owned());
        let mut walk = Walk {
            subject: self,
            root,
            title,
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
        if !versions.is_empty() {
            let now = self.uncommitted(versions.first());
            versions.splice(0..0, now);
        }
        Ok(versions)
    }

    /// The difference between the newest commit and the file.
    fn uncommitted(&self, newest: Option<&Version>) -> Option<Version> {
        let bytes = std::fs::read(self.path).unwrap_or_default();
        let found = find(self.store, self.id, None, self.path, bytes);
        let text = found
            .as_ref()
            .map_or_else(String::new, |found| text(self.store, found));
        let newest = newest.filter(|newest| *newest.text != *text)?;
        Some(Version {
            rev: "".into(),
            time: None,
            author: "".into(),
            subject: "not committed yet".into(),
            path: self.path.to_owned(),
            step: match (newest.text.is_empty(), &found) {
                (_, None) => Step::Deleted,
                (true, _) => Step::Added,
                (false, _) => Step::Changed,
            },
            state: found,
            rows: Vec::new(),
            text: text.into(),
            before: newest.text.clone(),
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
    let found = all
        .iter()
        .find(titled)
        .or_else(|| all.iter().find(has_id))?;
    Some((Arc::clone(found), Arc::new(bytes)))
}

/// A memory as people read it.
pub fn text(store: &dyn Store, (memory, bytes): &Found) -> String {
    let own = document::part(bytes, memory.span.clone());
    readable(memory, own, &store.text_in(memory, bytes))
}

/// A change of a file by a commit.
struct FileStep {
    old: String,
    new: String,
    from: PathBuf,
    to: PathBuf,
}

/// A commit.
struct Commit {
    hash: String,
    time: i64,
    author: String,
    subject: String,
    files: Vec<FileStep>,
}

/// The versions found so far.
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
        let commits = self.log(path, from)?;
        // The object that the memory was last seen in, and its bytes there.
        let mut seen: Option<(&str, Vec<u8>)> = None;
        for chunk in commits.chunks(CHUNK) {
            let ids = chunk.iter().flat_map(|commit| &commit.files);
            let ids: Vec<&str> = ids.flat_map(|file| [&*file.old, &*file.new]).collect();
            let mut blobs = self.blobs(&ids)?.into_iter();
            for commit in chunk {
                let (mut before, mut after) = (None, None);
                for file in &commit.files {
                    let (old, new) = (blobs.next().flatten(), blobs.next().flatten());
                    // Most commits change a neighbour only: the file need not be parsed.
                    let known = seen
                        .as_mut()
                        .filter(|(id, _)| *id == file.new && file.from == file.to);
                    if let (Some((id, own)), Some(old)) = (known, &old)
                        && commit.files.len() == 1
                        && memmem::find(old, own).is_some()
                    {
                        *id = &file.old;
                        continue;
                    }
                    after = after.or_else(|| self.find(path, file, new, false));
                    before = before.or_else(|| self.find(path, file, old, true));
                }
                if let [file] = commit.files.as_slice()
                    && let Some((memory, bytes)) = &before
                {
                    let own = document::part(bytes, memory.span.clone()).trim_ascii();
                    seen = Some((file.old.as_str(), own.to_vec()))
                        .filter(|(_, own)| own.len() >= SURE);
                }
                let is_new = before.is_none() && after.is_some();
                let origin = if is_new { self.origin(commit)? } else { None };
                if let Some((file, found)) = origin {
                    self.push(
                        commit,
                        Some((found, Step::Moved(self.root.join(&file)))),
                        after,
                    );
                    return Ok(Some((file, format!("{}^", commit.hash))));
                }
                let step = |file: &FileStep| match file.from == file.to {
                    true => Step::Changed,
                    false => Step::Moved(self.root.join(&file.from)),
                };
                let step = commit.files.first().map_or(Step::Changed, step);
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
        file: &FileStep,
        bytes: Option<Vec<u8>>,
        is_old: bool,
    ) -> Option<Found> {
        let subject = self.subject;
        let own = if is_old { &file.from } else { &file.to };
        let is_folder = path != file.to && own.starts_with(path);
        let path = if is_folder {
            self.root.join(own)
        } else {
            self.named(path)
        };
        let title = self.title.as_deref();
        find(subject.store, subject.id, title, &path, bytes?)
    }

    /// The path under which a file is read.
    fn named(&self, path: &Path) -> PathBuf {
        match self.subject.path.ends_with(path) {
            true => self.subject.path.to_owned(),
            false => self.root.join(path),
        }
    }

    /// The file of the store that a memory was in before a commit, where the commit moved it.
    fn origin(&self, commit: &Commit) -> Result<Option<(PathBuf, Found)>, GitError> {
        let subject = self.subject;
        if subject
            .path
            .file_stem()
            .is_some_and(|stem| *stem == *OsStr::new(&*subject.id.local))
        {
            // The id is the name of the file: git's renames follow it.
            return Ok(None);
        }
        let diff = [
            "diff-tree",
            "-r",
            "-z",
            "--no-commit-id",
            "--no-renames",
            "--no-abbrev",
            &commit.hash,
        ];
        let out = run(&self.root, &diff, &[])?;
        let infos = subject.store.info();
        let own: Vec<FileStep> = raw(&mut out.split(|byte| *byte == 0).peekable())
            .into_iter()
            .filter(|file| {
                let path = self.root.join(&file.from);
                let is_own = path.starts_with(&infos.path) || path.starts_with(&infos.archive);
                is_own
                    && !is_none(&file.old)
                    && commit.files.iter().all(|known| known.from != file.from)
            })
            .take(CHUNK)
            .collect();
        let ids: Vec<&str> = own.iter().map(|file| &*file.old).collect();
        let blobs = self.blobs(&ids)?;
        let found = own.into_iter().zip(blobs).find_map(|(file, bytes)| {
            let path = self.root.join(&file.from);
            let found = find(subject.store, subject.id, None, &path, bytes?)?;
            Some((file.from, found))
        });
        Ok(found)
    }

    /// Adds the version that a commit made, where it changed the memory.
    fn push(&mut self, commit: &Commit, before: Option<(Found, Step)>, after: Option<Found>) {
        let store = self.subject.store;
        let shown = |found: &Found| text(store, found);
        let old = before
            .as_ref()
            .map_or_else(String::new, |(found, _)| shown(found));
        let new = after.as_ref().map_or_else(String::new, shown);
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
        let path = commit.files.first().map_or(&self.root, |file| &file.to);
        self.versions.push(Version {
            rev: commit.hash.as_str().into(),
            time: Some(Timestamp(commit.time.saturating_mul(1000))),
            author: commit.author.as_str().into(),
            subject: commit.subject.as_str().into(),
            path: self.root.join(path),
            step,
            state: after,
            rows: Vec::new(),
            text: new.into(),
            before: old.into(),
        });
    }

    /// The commits that changed a file, or the files of a folder.
    fn log(&self, path: &Path, from: &str) -> Result<Vec<Commit>, GitError> {
        let base = [
            "log",
            "-z",
            "--raw",
            "--no-abbrev",
            MOST,
            "--format=%x01%H%x00%at%x00%an%x00%s",
        ];
        let paths = [path.as_os_str()];
        let paths: &[&OsStr] = if path.as_os_str().is_empty() {
            &[]
        } else {
            &paths
        };
        let follow: &[&str] = &["--follow", "-M", from];
        let plain: &[&str] = &["--no-renames", from];
        let is_folder = self.root.join(path).is_dir();
        let followed = if is_folder {
            None
        } else {
            run(&self.root, &[&base[..], follow].concat(), paths).ok()
        };
        // If a partial clone lacks a blob, renames cannot be detected.
        let out = match followed {
            Some(out) => out,
            None => match run(&self.root, &[&base[..], plain].concat(), paths) {
                Ok(out) => out,
                // Nothing was committed yet, or the first commit has no parent.
                Err(GitError::Refused(_)) => Vec::new(),
                Err(error) => return Err(error),
            },
        };
        Ok(commits(&out))
    }

    /// The contents of objects; none for what is not there.
    fn blobs(&self, ids: &[&str]) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        let input: String = ids.iter().flat_map(|id| [*id, "\n"]).collect();
        let out = ask(&self.root, &["cat-file", "--batch"], input.as_bytes())?;
        Ok(contents(&out, ids.len()))
    }
}

/// True for the object of a file that is not there.
fn is_none(id: &str) -> bool {
    id.bytes().all(|byte| byte == b'0')
}

/// The commits of `log -z --raw`.
fn commits(out: &[u8]) -> Vec<Commit> {
    let mut parts = out.split(|byte| *byte == 0).peekable();
    let mut all = Vec::new();
    while let Some(part) = parts.next() {
        let part = part.strip_prefix(b"\n").unwrap_or(part);
        let Some(hash) = part.strip_prefix(b"\x01") else {
            continue;
        };
        let mut next = || parts.next().map(label).unwrap_or_default();
        let (time, author, subject) = (next(), next(), next());
        all.push(Commit {
            hash: label(hash),
            time: time.parse().unwrap_or_default(),
            author,
            subject,
            files: raw(&mut parts),
        });
    }
    all
}

/// The files of one commit: `:MODE MODE OLD NEW STATUS`, and one path or two.
fn raw<'a>(parts: &mut std::iter::Peekable<impl Iterator<Item = &'a [u8]>>) -> Vec<FileStep> {
    let mut all = Vec::new();
    let head = |part: &&[u8]| part.strip_prefix(b"\n").unwrap_or(part).starts_with(b":");
    while let Some(part) = parts.next_if(head) {
        let line = label(part);
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (Some(old), Some(new), Some(status)) = (words.get(2), words.get(3), words.get(4))
        else {
            continue;
        };
        let from = path_of(parts.next().unwrap_or_default());
        let to = match status.starts_with(['R', 'C']) {
            true => path_of(parts.next().unwrap_or_default()),
            false => from.clone(),
        };
        all.push(FileStep {
            old: (*old).to_owned(),
            new: (*new).to_owned(),
            from,
            to,
        });
    }
    all
}

/// The version that a typed revision names: one of those that are listed, by the beginning of its
/// name, else the newest that the revision contains.
pub fn named<'a>(versions: &'a [Version], typed: &str, folder: &Path) -> Option<&'a Version> {
    let is_it = |version: &&Version| !version.rev.is_empty() && version.rev.starts_with(typed);
    // A number of the journal is whole.
    let exact = versions.iter().find(|version| *version.rev == *typed);
    let listed = exact.or_else(|| {
        versions
            .iter()
            .filter(|_| !typed.starts_with('#'))
            .find(is_it)
    });
    if listed.is_some() || typed.starts_with('#') {
        return listed;
    }
    let revision = super::revision::Revision::find(folder, typed).ok()?;
    versions
        .iter()
        .filter(|version| !version.rev.is_empty())
        .find(|version| revision.contains(&version.rev))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_with_renames_and_odd_names() {
        let out = b"\x01aa\x001\x00Ann\x00Move it\x00\n:100644 100644 b1 b2 R090\x00a b.md\x00c\nd.md\x00\x01bb\x002\x00Bob\x00\x00\n:000000 100644 00 b1 A\x00a b.md\x00";
        let all = commits(out);
        let shown: Vec<_> = all
            .iter()
            .map(|one| {
                (
                    &*one.hash,
                    &*one.subject,
                    one.files
                        .iter()
                        .map(|file| (&*file.old, file.to.display().to_string()))
                        .collect::<Vec<_>>(),
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                ("aa", "Move it", vec![("b1", "c\nd.md".to_owned())]),
                ("bb", "", vec![("00", "a b.md".to_owned())]),
            ]
        );
        assert!(is_none(&all[1].files[0].old));
    }
}
