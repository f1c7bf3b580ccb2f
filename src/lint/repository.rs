//! What lint knows of the repository around the stores: the paths there are, those there were,
//! and what became of them. Values; `project::history` reads them from git.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::recent::Recent;

/// A commit that took paths away.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// A path that a commit took away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// The path below the root, with `/`.
    pub path: Box<str>,
    /// The last commit that took it away, by its place in [`Log::commits`].
    pub commit: u32,
    /// Where the same bytes came up in the same commit, where that is one place.
    pub to: Option<Box<str>>,
}

/// What git says of paths that were taken away, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// The commits that took something away.
    pub commits: Vec<Commit>,
    /// What they took; of a path taken away more than once the newest.
    pub gone: Vec<Gone>,
    /// What could not be read, where something could not.
    pub partial: Option<String>,
}

/// A rename that git sees in a commit by comparing contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rename {
    /// The path before.
    pub from: String,
    /// The path after.
    pub to: String,
}

/// The repository around the stores, as lint asks for it.
pub trait Project: Sync {
    /// The paths and what became of them, or why they are not known.
    fn history(&self) -> Result<&History, &str>;
    /// The renames in these commits, by content. Asked for few commits, once for all of them.
    fn renames(&self, commits: &[&str]) -> Vec<Rename>;
    /// Of these paths those that are there without git knowing, or that git is told to ignore.
    fn untracked(&self, paths: &[&str]) -> Vec<bool>;
    /// What was done lately; nothing where that is not known.
    fn recent(&self) -> &Recent {
        &super::recent::NONE
    }
}

/// No repository, and nothing to say about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Project for Nowhere {
    fn history(&self) -> Result<&History, &str> {
        Err("")
    }

    fn renames(&self, _: &[&str]) -> Vec<Rename> {
        Vec::new()
    }

    fn untracked(&self, paths: &[&str]) -> Vec<bool> {
        vec![false; paths.len()]
    }
}

/// Paths in their order, found by the whole path and by its end.
#[derive(Clone, Debug, Default)]
struct Paths {
    paths: Vec<Box<str>>,
    /// Their places by the last part of the path.
    named: HashMap<Box<str>, Vec<u32>>,
}

impl Paths {
    fn of(mut paths: Vec<Box<str>>) -> Self {
        paths.sort_unstable();
        paths.dedup();
        let mut named: HashMap<Box<str>, Vec<u32>> = HashMap::new();
        for (at, path) in (0_u32..).zip(&paths) {
            match named.get_mut(last(path)) {
                Some(places) => places.push(at),
                None => {
                    named.insert(last(path).into(), vec![at]);
                }
            }
        }
        Self { paths, named }
    }

    fn get(&self, path: &str) -> Option<usize> {
        self.paths
            .binary_search_by(|known| known.as_ref().cmp(path))
            .ok()
    }

    fn at(&self, at: usize) -> &str {
        self.paths.get(at).map_or("", AsRef::as_ref)
    }

    /// The paths that end in these parts.
    fn ending(&self, path: &str) -> impl Iterator<Item = usize> {
        let places = self.named.get(last(path)).map_or(&[][..], Vec::as_slice);
        let places = places.iter().map(|at| *at as usize);
        places.filter(move |at| ends(self.at(*at), path))
    }

    /// The places of what lies below a folder.
    fn below(&self, folder: &str) -> Range<usize> {
        let key = |path: &str, end: &str| {
            let rest = path.as_bytes().get(folder.len()..).unwrap_or_default();
            let head = path
                .as_bytes()
                .get(..folder.len())
                .unwrap_or(path.as_bytes());
            (head, rest.get(..1).unwrap_or(rest)) < (folder.as_bytes(), end.as_bytes())
        };
        let from = self.paths.partition_point(|path| key(path, "/"));
        from..self.paths.partition_point(|path| key(path, "0")).max(from)
    }
}

/// Whether a path is the other one, or ends in its parts.
fn ends(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

fn last(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn folders(paths: &[Box<str>]) -> Vec<Box<str>> {
    let mut all: BTreeSet<&str> = BTreeSet::new();
    for path in paths {
        let mut path = path.as_ref();
        while let Some((folder, _)) = path.rsplit_once('/') {
            if !all.insert(folder) {
                break;
            }
            path = folder;
        }
    }
    all.into_iter().map(Into::into).collect()
}

/// What a written path stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Something that is there.
    Present,
    /// A file that is gone, by its number; written from the root, or only by its end.
    File(usize, bool),
    /// A folder of which nothing is left, by its number.
    Folder(usize, bool),
    /// Nothing that ever was, or one of several things.
    Unknown,
}

/// The tree and what was taken from it.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The root, absolute, with `/`.
    pub root: String,
    /// What could not be read, where something could not.
    pub partial: Option<String>,
    files: Paths,
    folders: Paths,
    gone: Paths,
    gone_folders: Paths,
    commits: Vec<Commit>,
    fates: HashMap<Box<str>, (u32, Option<Box<str>>)>,
}

/// Folders that are made by tools: what was once in them by mistake is not what a bare name means.
const MADE: &[&str] = &[
    "node_modules",
    "target",
    "dist",
    "build",
    "vendor",
    ".venv",
    "venv",
];

fn made(path: &str) -> bool {
    path.split('/').any(|part| MADE.contains(&part))
}

impl History {
    /// The paths there are now, and the log of those that are not.
    pub fn new(root: &str, files: Vec<String>, log: &Log) -> Self {
        let files = Paths::of(files.into_iter().map(Into::into).collect());
        let is_gone = |gone: &&Gone| files.get(&gone.path).is_none();
        let gone: Vec<&Gone> = log.gone.iter().filter(is_gone).collect();
        let folders_now = Paths::of(folders(&files.paths));
        let gone_paths = Paths::of(gone.iter().map(|gone| gone.path.clone()).collect());
        let mut old = folders(&gone_paths.paths);
        old.retain(|folder| folders_now.get(folder).is_none() && files.get(folder).is_none());
        let mut fates = HashMap::with_capacity(gone.len());
        for gone in gone {
            fates
                .entry(gone.path.clone())
                .or_insert((gone.commit, gone.to.clone()));
        }
        Self {
            root: root.trim_end_matches('/').to_owned(),
            partial: log.partial.clone(),
            gone_folders: Paths::of(old),
            folders: folders_now,
            gone: gone_paths,
            commits: log.commits.clone(),
            fates,
            files,
        }
    }

    /// The name of the root's folder.
    fn name(&self) -> &str {
        last(&self.root)
    }

    /// What a path stands for that is written from the root, or from somewhere below it.
    pub fn meaning(&self, path: &str) -> Meaning {
        if self.is_present(path) {
            return Meaning::Present;
        }
        if let Some(rest) = path
            .strip_prefix(self.name())
            .and_then(|rest| rest.strip_prefix('/'))
            && self.is_present(rest)
        {
            return Meaning::Present;
        }
        if let Some(at) = self.gone.get(path) {
            return Meaning::File(at, true);
        }
        if let Some(at) = self.gone_folders.get(path) {
            return Meaning::Folder(at, true);
        }
        let one = |paths: &Paths| {
            let mut all = paths.ending(path).filter(|at| !made(paths.at(*at)));
            all.next().filter(|_| all.next().is_none())
        };
        if let Some(at) = one(&self.gone) {
            return Meaning::File(at, false);
        }
        // The name of a folder alone says too little.
        match one(&self.gone_folders).filter(|_| path.contains('/')) {
            Some(at) => Meaning::Folder(at, false),
            None => Meaning::Unknown,
        }
    }

    fn is_present(&self, path: &str) -> bool {
        let named =
            |paths: &Paths| paths.get(path).is_some() || paths.ending(path).next().is_some();
        named(&self.files) || named(&self.folders) || self.is_stem(path)
    }

    /// Whether a file has this name but for its ending, as imports are written.
    fn is_stem(&self, path: &str) -> bool {
        let files = &self.files.paths;
        let from = files.partition_point(|file| file.as_ref() < path);
        let mut near = files
            .iter()
            .skip(from)
            .take_while(|file| file.starts_with(path));
        path.contains('/') && near.any(|file| file.as_bytes().get(path.len()) == Some(&b'.'))
    }

    /// The path of a file that is gone.
    pub fn file(&self, at: usize) -> &str {
        self.gone.at(at)
    }

    /// The path of a folder that is gone.
    pub fn folder(&self, at: usize) -> &str {
        self.gone_folders.at(at)
    }

    /// The number of a file that is gone.
    pub fn gone(&self, path: &str) -> Option<usize> {
        self.gone.get(path)
    }

    /// Whether a path is a file that is there.
    pub fn is_file(&self, path: &str) -> bool {
        self.files.get(path).is_some()
    }

    /// Whether a path is a folder that is there.
    pub fn is_folder(&self, path: &str) -> bool {
        self.folders.get(path).is_some()
    }

    /// The files that were in a folder that is gone.
    pub fn below(&self, folder: &str) -> Range<usize> {
        self.gone.below(folder)
    }

    /// The commit that took a file away.
    pub fn commit(&self, file: usize) -> Option<&Commit> {
        let (commit, _) = self.fates.get(self.file(file))?;
        self.commits.get(*commit as usize)
    }

    /// Where the bytes of a file came up when it was taken away.
    pub fn to(&self, file: usize) -> Option<&str> {
        self.fates.get(self.file(file))?.1.as_deref()
    }

    /// The files there are with this name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &str> {
        self.files.ending(name).map(|at| self.files.at(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gone(path: &str, to: Option<&str>) -> Gone {
        Gone {
            path: path.into(),
            commit: 0,
            to: to.map(Into::into),
        }
    }

    #[test]
    fn paths_mean_what_is_there_then_what_was() {
        let files = ["src/a.rs", "src/deep/b.rs", "docs/x/y.md", "src-old.txt"];
        let log = Log {
            gone: vec![
                gone("src/gone.rs", None),
                gone("lib/old/one.rs", None),
                gone("lib/old/two.rs", None),
                gone("a/twice.rs", None),
                gone("b/twice.rs", None),
                gone("src/a.rs", None),
                gone("node_modules/p/only.js", None),
            ],
            ..Log::default()
        };
        let history = History::new("/repo/tide", files.map(Into::into).to_vec(), &log);
        let file = |path: &str, whole| Meaning::File(history.gone(path).unwrap(), whole);
        for (path, meaning) in [
            ("src/a.rs", Meaning::Present),
            ("b.rs", Meaning::Present),
            ("deep", Meaning::Present),
            ("tide/src", Meaning::Present),
            ("src/deep/b", Meaning::Present),
            ("src/gone.rs", file("src/gone.rs", true)),
            ("gone.rs", file("src/gone.rs", false)),
            ("twice.rs", Meaning::Unknown),
            ("only.js", Meaning::Unknown),
            ("one.rs", file("lib/old/one.rs", false)),
            ("never.rs", Meaning::Unknown),
            ("old", Meaning::Unknown),
            ("ne.rs", Meaning::Unknown),
        ] {
            assert_eq!(history.meaning(path), meaning, "{path}");
        }
        let Meaning::Folder(at, true) = history.meaning("lib/old") else {
            panic!("lib/old is gone");
        };
        assert_eq!(history.below(history.folder(at)).len(), 2);
        assert_eq!(history.below("li").len(), 0);
    }
}
