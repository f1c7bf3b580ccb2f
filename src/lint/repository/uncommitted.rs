//! Files taken away since the last commit: the commit to come makes memories of it stale.

use std::collections::BTreeMap;

use super::paths::{Paths, folders};
use super::{Gone, History};

impl History {
    /// The same with what the last commit has and neither the index nor the disk: the path, and
    /// where it came up in the index.
    pub fn with_uncommitted(mut self, gone: BTreeMap<Box<str>, Option<Box<str>>>) -> Self {
        let is_gone = |path: &str| self.files.get(path).is_none();
        let gone: BTreeMap<_, _> = gone.into_iter().filter(|(path, _)| is_gone(path)).collect();
        if gone.is_empty() {
            return self;
        }
        let mut paths = std::mem::take(&mut self.gone.paths);
        paths.extend(gone.keys().cloned());
        self.gone = Paths::of(paths);
        let mut old = folders(&self.gone.paths);
        old.retain(|folder| self.folders.get(folder).is_none() && self.files.get(folder).is_none());
        self.gone_folders = Paths::of(old);
        for path in gone.keys() {
            self.fates.remove(path);
        }
        self.uncommitted = gone;
        self
    }

    /// True if a file that is gone is so without a commit yet.
    pub fn is_uncommitted(&self, file: usize) -> bool {
        self.uncommitted.contains_key(self.file(file))
    }

    /// Number of commits after the one that took a file away; nothing where there is none yet.
    pub fn commits_since(&self, file: usize) -> Option<u32> {
        self.fate(file).map(|gone| gone.commit)
    }

    /// The files that commits took away, with what they held last.
    pub fn all_gone(&self) -> impl Iterator<Item = &Gone> {
        let all = self.log.gone.iter();
        all.filter(|gone| self.files.get(&gone.path).is_none())
    }
}
