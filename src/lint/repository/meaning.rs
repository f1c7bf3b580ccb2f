//! What a written path stands for: what is there, what is gone, or nothing that ever was.

use std::path::Path;

use chrono::DateTime;

use super::paths::Paths;
use super::{Commit, History};

/// What a written path stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Something that is there.
    Present,
    /// A file that is gone, by its number.
    File(usize, Match),
    /// A folder of which nothing is left, by its number.
    Folder(usize, Match),
    /// Nothing that ever was.
    Unknown,
}

/// How a written path matches the path of what is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Match {
    /// It is written from the root.
    Whole,
    /// It is the end of one path.
    End,
    /// It is the end of several: the one that went last stands for them.
    Several,
}

/// Folders that tools make: what was committed in them by mistake is not what the end of a path
/// means.
const MADE: &[&str] = &[
    "node_modules",
    "target",
    "dist",
    "build",
    "vendor",
    ".venv",
    "venv",
];

fn is_made(path: &str) -> bool {
    path.split('/').any(|part| MADE.contains(&part))
}

impl History {
    /// What a path stands for that is written from the root, or from somewhere below it.
    pub fn meaning(&self, path: &str) -> Meaning {
        match self.whole(path) {
            Meaning::Unknown => self.ending(path),
            known => known,
        }
    }

    /// What a path stands for that is written from the root. What stands somewhere below the root
    /// by that name is there.
    pub fn whole(&self, path: &str) -> Meaning {
        let below = path
            .strip_prefix(self.name())
            .and_then(|rest| rest.strip_prefix('/'));
        let names = || [Some(path), below].into_iter().flatten();
        if names().any(|name| self.is_present(name)) {
            return Meaning::Present;
        }
        for name in names() {
            if let Some(at) = self.gone.get(name).or_else(|| self.gone_stem(name)) {
                return Meaning::File(at, Match::Whole);
            }
            if let Some(at) = self.gone_folders.get(name) {
                return Meaning::Folder(at, Match::Whole);
            }
        }
        Meaning::Unknown
    }

    /// The number of a folder that is gone, by its path from the root.
    pub fn gone_folder(&self, path: &str) -> Option<usize> {
        self.gone_folders.get(path)
    }

    /// What is gone whose path ends in these parts.
    fn ending(&self, path: &str) -> Meaning {
        let among = |paths: &Paths| {
            let all: Vec<usize> = paths
                .ending(path)
                .filter(|at| !is_made(paths.at(*at)))
                .collect();
            let matched = if all.len() > 1 {
                Match::Several
            } else {
                Match::End
            };
            (all, matched)
        };
        let (files, matched) = among(&self.gone);
        let newest = files
            .into_iter()
            .min_by_key(|at| (self.commits_since(*at), *at));
        if let Some(at) = newest {
            return Meaning::File(at, matched);
        }
        let (folders, matched) = among(&self.gone_folders);
        match folders.first() {
            Some(at) => Meaning::Folder(*at, matched),
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

    /// The one file that is gone and has this name but for its ending.
    fn gone_stem(&self, path: &str) -> Option<usize> {
        let files = &self.gone.paths;
        let from = files.partition_point(|file| file.as_ref() < path);
        let near = files.iter().enumerate().skip(from);
        let near = near.take_while(|(_, file)| file.starts_with(path));
        let mut same = near.filter(|(_, file)| file.as_bytes().get(path.len()) == Some(&b'.'));
        let (at, _) = same.next().filter(|_| path.contains('/'))?;
        same.next().is_none().then_some(at)
    }

    /// A path on the disk as it is written from the root, where it is below the root.
    pub fn below_root(&self, path: &Path) -> Option<String> {
        let path = path.to_string_lossy().replace('\\', "/");
        let path = path.strip_prefix(&*self.root)?.strip_prefix('/')?;
        Some(path.to_owned())
    }
}

impl Commit {
    /// What it did, as evidence: `deleted in 1a2b3c4 on 2026-01-31 by Ines: Drop the sweeper`.
    pub fn evidence(&self, verb: &str) -> String {
        let id = self.id.get(..7).unwrap_or(&self.id);
        let day = DateTime::from_timestamp(self.time, 0)
            .map(|time| time.format(" on %Y-%m-%d").to_string())
            .unwrap_or_default();
        format!("{verb} in {id}{day} by {}: {}", self.author, self.subject)
    }
}
