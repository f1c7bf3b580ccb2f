//! The repository around the stores as lint knows it: the paths there are, those there were,
//! and what became of them. Values; `project::repository` reads them from git.

mod paths;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::paths::folders;
pub use self::paths::{Match, Meaning, Paths};
use crate::text::mentions::last;
use crate::text::word_lists::Words;

/// A commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Its full hash.
    pub id: Box<str>,
    /// When it was written, seconds since 1970.
    pub time: i64,
    /// Who wrote it.
    pub author: Box<str>,
    /// The first line of its message.
    pub subject: Box<str>,
}

/// The first bytes of the hash by which git knows the content of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Blob(pub [u8; 20]);

/// A commit that changed a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The commit, by its place in [`Log::commits`].
    pub commit: u32,
    /// Content of the file before the commit; `None` if the commit added the file.
    pub old: Option<Blob>,
}

/// A path that a commit took away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// The path below the root, with `/`.
    pub path: Box<str>,
    /// The last commit that took it away, by its place in [`Log::commits`].
    pub commit: u32,
    /// Its content then.
    pub blob: Blob,
    /// Path at which the same bytes appeared in the same commit, if it is only one.
    pub to: Option<Box<str>>,
}

/// The changes of paths by git, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The commits.
    pub commits: Vec<Commit>,
    /// The paths that each of the newest of them changed.
    pub recent: Vec<Vec<Box<str>>>,
    /// Paths they removed; only the newest removal of each path.
    pub gone: Vec<Gone>,
    /// Changes of each path that exists after the newest of them, newest first.
    pub changes: HashMap<Box<str>, Vec<Change>>,
    /// The unread part, if there is one.
    pub partial: Option<String>,
}

/// A hash of a value, the same in every run.
pub fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The repository around the stores, as lint asks for it.
pub trait Project: Sync {
    /// The paths and what became of them, or why they are not known.
    fn history(&self) -> Result<&History, &str>;
    /// The renames in these commits that git sees by comparing contents, each with the path before and
    /// after; a copy counts as one. Asked for few commits, once for all of them.
    fn renames(&self, _commits: &[&str]) -> Vec<(String, String)> {
        Vec::new()
    }
    /// Of these paths those that are there without git knowing, or that git is told to ignore.
    fn untracked(&self, paths: &[&str]) -> Vec<bool> {
        vec![false; paths.len()]
    }
    /// Content of a file, by its path below the root; none if it is binary.
    fn read(&self, _path: &str) -> Option<String> {
        None
    }
    /// The files with these names below the root, where no history tells of files.
    fn named(&self, names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }
    /// The share of each of these files that was another before: asked once for all of them.
    fn rewritten(&self, _wanted: &[(&str, Blob)]) -> Vec<Option<Rewritten>> {
        Vec::new()
    }
    /// Calls `take` with each of these versions of files that is text, by its place among them.
    fn versions(&self, _wanted: &[Blob], _take: &mut dyn FnMut(usize, &str)) {}
    /// The fate of names of the code, asked once for all; files to skip are no code.
    fn symbols(&self, _names: &BTreeSet<String>, _skip: &BTreeSet<String>) -> Symbols {
        Symbols::default()
    }
}

/// Folders whose files are those of other projects.
static FOREIGN: Words = Words::named("not-ours");

pub(super) fn is_own(path: &str) -> bool {
    !path.split('/').any(|part| FOREIGN.has(part))
}

/// The project's own files with these names, the nearest to the root first. A name that ends in `/`
/// is a folder of Markdown files.
pub(super) fn own_files(project: &dyn Project, names: &[&str]) -> Vec<String> {
    let mut paths: Vec<String> = match project.history() {
        Ok(history) => {
            let named = names.iter().flat_map(|name| history.named(name));
            let folders = names.iter().filter(|name| name.ends_with('/'));
            let is_in = |path: &&str| {
                path.ends_with(".md") && folders.clone().any(|folder| path.contains(folder))
            };
            let below = history.files.iter().filter(is_in);
            named.chain(below).map(str::to_owned).collect()
        }
        Err(_) => project.named(names),
    };
    paths.retain(|path| is_own(path));
    paths.sort_by_key(|path| (path.matches('/').count(), path.clone()));
    paths
}

/// Names of documents that agents read anyway; one that ends in `/` is a folder of them.
pub(super) static DOCUMENTS: Words = Words::of(
    "README.md README README.rst CLAUDE.md CLAUDE.local.md AGENTS.md AGENTS.override.md GEMINI.md \
     .cursorrules .windsurfrules .roorules .augment-guidelines .claude .claude/rules/",
);
/// The folder of rules, which are documents too.
const RULES: &str = ".claude/rules/";
const MOST_DOCUMENTS: usize = 40;

/// A document that agents are given beside memories. It is only compared with memories.
pub struct Document {
    /// Its path below the root.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The project's documents that are no memories; the nearest to the root are read by most.
pub(super) fn documents(cx: &super::Context<'_>) -> impl Iterator<Item = Document> {
    let is_document = |path: &str| path.contains(RULES) || DOCUMENTS.has(last(path));
    let memories = cx.memories.iter();
    let memories = memories.filter(|memory| !memory.schema.can.context);
    let named = memories.filter(|memory| memory.path.to_str().is_some_and(is_document));
    let named = named.collect::<Vec<_>>();
    let mut paths = own_files(cx.project, &DOCUMENTS.iter().collect::<Vec<_>>());
    paths.retain(|path| !named.iter().any(|memory| memory.path.ends_with(path)));
    let read = |path: String| {
        let text = cx.project.read(&path)?;
        Some(Document { path, text })
    };
    paths.into_iter().take(MOST_DOCUMENTS).filter_map(read)
}

/// The documents that a model is asked about: of folders only instructions.
pub fn context(cx: &super::Context<'_>) -> Vec<Document> {
    let is_asked = |path: &str| !(path.contains('/') && last(path).starts_with("README"));
    documents(cx).filter(|one| is_asked(&one.path)).collect()
}

/// The share of a file that was another before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// Lines of both versions that the other one does not have.
    pub changed: usize,
    /// Lines of both versions.
    pub lines: usize,
}

/// The fate of names of the code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbols {
    /// Those that stood in the code and do not any more.
    pub gone: BTreeMap<String, Was>,
    /// Why not all of them could be looked up, where not all could.
    pub partial: Option<String>,
}

/// A name that the code defined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Was {
    /// The file that defined it last.
    pub path: String,
    /// The commit that took it away.
    pub commit: Option<Commit>,
}

/// No repository, and nothing to say about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Project for Nowhere {
    fn history(&self) -> Result<&History, &str> {
        Err("")
    }
}

/// The tree and what was taken from it.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The root, absolute, with `/`.
    pub root: String,
    /// The files there are.
    pub files: Paths,
    /// The folders there are.
    pub folders: Paths,
    /// The files that are gone.
    pub gone: Paths,
    /// The folders of which nothing is left.
    pub gone_folders: Paths,
    log: Arc<Log>,
    /// The places in the log of what is gone.
    fates: HashMap<Box<str>, u32>,
    /// Files taken away since the last commit, with their places now.
    uncommitted: BTreeMap<Box<str>, Option<Box<str>>>,
}

impl History {
    /// The paths there are now, the log of what became of others, and what the last commit has and
    /// neither the index nor the disk: the path, and where it came up in the index.
    pub fn new(
        root: &str,
        files: Vec<String>,
        log: Arc<Log>,
        mut uncommitted: BTreeMap<Box<str>, Option<Box<str>>>,
    ) -> Self {
        let files = Paths::of(files.into_iter().map(Into::into).collect());
        uncommitted.retain(|path, _| !files.has(path));
        let mut fates = HashMap::with_capacity(log.gone.len());
        for (at, gone) in (0_u32..).zip(&log.gone) {
            if !files.has(&gone.path) {
                fates.entry(gone.path.clone()).or_insert(at);
            }
        }
        let paths = fates.keys().chain(uncommitted.keys()).cloned();
        let gone = Paths::of(paths.collect());
        fates.retain(|path, _| !uncommitted.contains_key(path));
        let folders_now = Paths::of(folders(&files.paths));
        let mut old = folders(&gone.paths);
        old.retain(|folder| !folders_now.has(folder) && !files.has(folder));
        Self {
            root: root.trim_end_matches('/').to_owned(),
            gone_folders: Paths::of(old),
            folders: folders_now,
            gone,
            log,
            fates,
            files,
            uncommitted,
        }
    }

    /// The unread part, if there is one.
    pub fn partial(&self) -> Option<&str> {
        self.log.partial.as_deref()
    }

    /// The name of the root's folder.
    pub fn name(&self) -> &str {
        last(&self.root)
    }

    /// The rest of a path that is written with the name of the root's folder.
    pub fn below_name<'p>(&self, path: &'p str) -> Option<&'p str> {
        path.strip_prefix(self.name())?.strip_prefix('/')
    }

    fn fate(&self, file: usize) -> Option<&Gone> {
        let at = self.fates.get(self.gone.at(file))?;
        self.log.gone.get(*at as usize)
    }

    /// The commit that took a file away.
    pub fn commit(&self, file: usize) -> Option<&Commit> {
        self.commit_at(self.fate(file)?.commit)
    }

    /// Returns the path at which a file's bytes reappeared when it was removed.
    pub fn to(&self, file: usize) -> Option<&str> {
        match self.uncommitted.get(self.gone.at(file)) {
            Some(to) => to.as_deref(),
            None => self.fate(file)?.to.as_deref(),
        }
    }

    /// A commit by its place in the log, newest first.
    pub fn commit_at(&self, at: u32) -> Option<&Commit> {
        self.log.commits.get(at as usize)
    }

    /// The newest commits, each with the paths that it changed.
    pub fn recent(&self) -> impl Iterator<Item = (&Commit, &Vec<Box<str>>)> {
        self.log.commits.iter().zip(&self.log.recent)
    }

    /// The changes of a file, newest first.
    pub fn changes(&self, path: &str) -> &[Change] {
        self.log.changes.get(path).map_or(&[], Vec::as_slice)
    }

    /// The last commit that changed a file on the disk.
    pub fn last_commit(&self, path: &Path) -> Option<&Commit> {
        let last = self.changes(&self.below_root(path)?).first()?.commit;
        self.commit_at(last)
    }

    /// The changes of a file after a time, seconds since 1970, newest first.
    pub fn changes_since(&self, path: &str, time: i64) -> &[Change] {
        let all = self.changes(path);
        let commit = |change: &Change| self.commit_at(change.commit);
        let after = |change: &&Change| commit(change).is_some_and(|commit| commit.time > time);
        let count = all.iter().take_while(after).count();
        all.get(..count).unwrap_or_default()
    }

    /// The one file there is that a written path stands for.
    pub fn present(&self, path: &str) -> Option<&str> {
        let below = self.below_name(path);
        let whole = self.files.get(path).or_else(|| self.files.get(below?));
        let mut ending = self.files.ending(path);
        let at = whole.or_else(|| ending.next().filter(|_| ending.next().is_none()))?;
        Some(self.files.at(at))
    }

    /// The files there are with this name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &str> {
        self.files.ending(name).map(|at| self.files.at(at))
    }

    /// True if a file that is gone is so without a commit yet.
    pub fn is_uncommitted(&self, file: usize) -> bool {
        self.uncommitted.contains_key(self.gone.at(file))
    }

    /// Number of commits after the one that took a file away; nothing where there is none yet.
    pub fn commits_since(&self, file: usize) -> Option<u32> {
        self.fate(file).map(|gone| gone.commit)
    }

    /// Distinct earlier versions of the wanted files, newest first: last commit, path, blob.
    pub fn versions(&self, is_wanted: &dyn Fn(&str) -> bool) -> Vec<(u32, &str, Blob)> {
        let gone = self.log.gone.iter();
        let gone = gone.filter(|gone| !self.files.has(&gone.path));
        let gone = gone.map(|gone| (gone.commit, &*gone.path, gone.blob));
        let changed = self.files.iter().flat_map(|path| {
            let changes = self.changes(path).iter();
            changes.filter_map(move |change| Some((change.commit, path, change.old?)))
        });
        let all = gone.chain(changed).filter(|(_, path, _)| is_wanted(path));
        let mut all: Vec<_> = all.collect();
        all.sort_unstable();
        let mut seen = HashSet::new();
        all.retain(|(.., blob)| seen.insert(*blob));
        all
    }
}
