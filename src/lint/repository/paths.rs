//! Paths in order, found whole and by their end.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::text::mentions::last;

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
