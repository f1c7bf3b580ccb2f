//! Stores that appear after they were looked for.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Collection;
use crate::store::{Store, discover};

/// Stores that are taken in while the program runs; of more it reads those at the next start.
const MOST_LATER: usize = 32;

/// A list of stores that can grow while others read it.
#[derive(Default)]
pub struct Stores {
    first: Vec<Box<dyn Store>>,
    later: [OnceLock<Box<dyn Store>>; MOST_LATER],
}

impl Stores {
    /// All of them, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Store> + Clone {
        let later = self.later.iter().filter_map(OnceLock::get);
        self.first.iter().chain(later).map(|store| &**store)
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Adds some behind the others.
    pub fn join(&self, stores: Vec<Box<dyn Store>>) {
        for store in stores {
            let mut places = self.later.iter();
            let _ = places.try_fold(store, |store, place| place.set(store).err());
        }
    }
}

impl From<Vec<Box<dyn Store>>> for Stores {
    fn from(first: Vec<Box<dyn Store>>) -> Self {
        Self {
            first,
            ..Self::default()
        }
    }
}

impl Collection {
    /// True if stores are looked for, or only those that were named are of interest.
    fn looks(&self) -> bool {
        self.search.paths.is_empty() && self.search.only.is_empty()
    }

    /// Takes in the stores that appeared since they were looked for.
    pub fn look_again(&self) {
        if !self.looks() {
            return;
        }
        // Errors of the search were reported when it was first made.
        let Ok(found) = discover::discover(&self.search) else {
            return;
        };
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let known: Vec<PathBuf> = self.infos().map(|info| real(&info.path)).collect();
        let mut new = found.stores;
        new.retain(|store| !known.contains(&real(&store.info().path)));
        self.stores.join(new);
    }

    /// Returns the folders to watch for new stores of the project.
    pub fn may_appear(&self) -> Vec<(PathBuf, bool)> {
        let looked = self.looked.iter().filter(|_| self.looks());
        let own = looked.filter(|path| path.starts_with(&self.root));
        own.filter_map(|path| {
            let stars = path.components().filter(|part| {
                let name = part.as_os_str().to_string_lossy();
                name.contains('*')
            });
            let last = path.file_name()?.to_string_lossy();
            match (stars.count(), last.contains('*')) {
                (0, _) => Some((path.clone(), true)),
                (1, true) => Some((path.parent()?.to_owned(), false)),
                // Below folders of any name nothing is waited for.
                _ => None,
            }
        })
        .collect()
    }
}
