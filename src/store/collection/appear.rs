//! Stores that appear after they were looked for.

use std::path::{Path, PathBuf};

use super::Collection;
use crate::store::discover;

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
