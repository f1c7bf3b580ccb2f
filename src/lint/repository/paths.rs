//! Paths in order, found whole and by their end, and the meaning of a written path: present, gone or
//! unknown.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;

use chrono::DateTime;

use super::{Commit, History};
use crate::text::mentions::last;
use crate::text::word_lists::Words;

/// Paths in their order, found by the whole path and by its end.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    pub(super) paths: Vec<Box<str>>,
    /// Their places by the last part of the path.
    named: HashMap<Box<str>, Vec<u32>>,
}

impl Paths {
    pub(super) fn of(mut paths: Vec<Box<str>>) -> Self {
        paths.sort_unstable();
        paths.dedup();
        let mut named: HashMap<Box<str>, Vec<u32>> = HashMap::new();
        for (at, path) in (0_u32..).zip(&paths) {
            named.entry(last(path).into()).or_default().push(at);
        }
        Self { paths, named }
    }

    /// The paths, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.paths.iter().map(AsRef::as_ref)
    }

    /// The place of a path.
    pub fn get(&self, path: &str) -> Option<usize> {
        let paths = &self.paths;
        paths.binary_search_by(|known| (**known).cmp(path)).ok()
    }

    /// True if a path is one of them.
    pub fn has(&self, path: &str) -> bool {
        self.get(path).is_some()
    }

    /// The path at a place.
    pub fn at(&self, at: usize) -> &str {
        self.paths.get(at).map_or("", AsRef::as_ref)
    }

    /// The paths that end in these parts.
    pub fn ending(&self, path: &str) -> impl Iterator<Item = usize> {
        let places = self.named.get(last(path)).map_or(&[][..], Vec::as_slice);
        let places = places.iter().map(|at| *at as usize);
        places.filter(move |at| ends(self.at(*at), path))
    }

    /// The paths with this name in a folder but for their ending, as imports are written.
    pub fn stems(&self, path: &str) -> impl Iterator<Item = usize> {
        let stem = format!("{path}.");
        let from = self.paths.partition_point(|known| **known < *stem);
        let near = (from..self.paths.len()).filter(|_| path.contains('/'));
        near.take_while(move |at| self.at(*at).starts_with(&stem))
    }

    /// The places of what lies below a folder.
    pub fn below(&self, folder: &str) -> Range<usize> {
        // `0` is the sign behind `/`.
        let at = |end: String| self.paths.partition_point(|path| **path < *end);
        at(format!("{folder}/"))..at(format!("{folder}0"))
    }
}

/// True if a path is the other one, or ends in its parts.
fn ends(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

pub(super) fn folders(paths: &[Box<str>]) -> Vec<Box<str>> {
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

/// The meaning of a written path.
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

impl Meaning {
    /// True if it is written from the root, or never was.
    pub const fn is_whole(self) -> bool {
        matches!(
            self,
            Self::File(_, Match::Whole) | Self::Folder(_, Match::Whole) | Self::Unknown
        )
    }
}

/// Folders that tools write, such as `dist`. A memory that names the end of a path does not mean a
/// file in one of them, even if somebody committed it.
static MADE: Words = Words::named("made-folders");

impl History {
    /// The meaning of a path that is written from the root, or from somewhere below it.
    pub fn meaning(&self, path: &str) -> Meaning {
        match self.whole(path) {
            Meaning::Unknown => self.ending(path),
            known => known,
        }
    }

    /// The meaning of a path from the root; present if anything has that name, or in a submodule.
    pub fn whole(&self, path: &str) -> Meaning {
        let names = || [Some(path), self.below_name(path)].into_iter().flatten();
        if names().any(|name| self.is_present(name) || self.is_below_file(name)) {
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

    /// True if a path lies below one that git keeps as a file: a submodule, or a link to a folder.
    pub fn is_below_file(&self, path: &str) -> bool {
        let mut ends = path.match_indices('/');
        ends.any(|(end, _)| path.get(..end).is_some_and(|above| self.files.has(above)))
    }

    fn ending(&self, path: &str) -> Meaning {
        let among = |paths: &Paths| {
            let all = paths.ending(path);
            let all: Vec<usize> = all
                .filter(|at| !paths.at(*at).split('/').any(|part| MADE.has(part)))
                .collect();
            let several = all.len() > 1;
            (all, if several { Match::Several } else { Match::End })
        };
        let (files, matched) = among(&self.gone);
        let age = |at: &usize| (self.commits_since(*at), *at);
        if let Some(at) = files.into_iter().min_by_key(age) {
            return Meaning::File(at, matched);
        }
        let (folders, matched) = among(&self.gone_folders);
        let first = folders.first();
        first.map_or(Meaning::Unknown, |at| Meaning::Folder(*at, matched))
    }

    fn is_present(&self, path: &str) -> bool {
        let named = |paths: &Paths| paths.has(path) || paths.ending(path).next().is_some();
        named(&self.files) || named(&self.folders) || self.files.stems(path).next().is_some()
    }

    /// The one file that is gone and has this name but for its ending.
    fn gone_stem(&self, path: &str) -> Option<usize> {
        let mut same = self.gone.stems(path);
        same.next().filter(|_| same.next().is_none())
    }

    /// A path on the disk as it is written from the root, where it is below the root.
    pub fn below_root(&self, path: &Path) -> Option<String> {
        let path = path.to_string_lossy().replace('\\', "/");
        let path = path.strip_prefix(&*self.root)?.strip_prefix('/')?;
        Some(path.to_owned())
    }
}

impl Commit {
    /// The change as evidence: `deleted in 1a2b3c4 on 2026-01-31 by Ines: Drop the sweeper`.
    pub fn evidence(&self, verb: &str) -> String {
        let id = self.id.get(..7).unwrap_or(&self.id);
        let day = DateTime::from_timestamp(self.time, 0)
            .map(|time| time.format(" on %Y-%m-%d").to_string())
            .unwrap_or_default();
        format!("{verb} in {id}{day} by {}: {}", self.author, self.subject)
    }
}
