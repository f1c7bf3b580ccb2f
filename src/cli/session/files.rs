//! The files that a call names.

use std::path::Path;

use super::Session;
use crate::memory::link::{joined, relative};

impl Session {
    /// The path from the root of a file that may be written absolute, from the root or from the
    /// working directory: what is there from the root, else what lacks fewer folders.
    pub fn below_root(&self, file: &str) -> String {
        let root = &self.collection.root;
        let below = |folder: &Path| {
            let path = joined(folder, file);
            let is_missing = |part: &&Path| !part.exists();
            let missing = path.ancestors().take_while(is_missing).count();
            let is_below = path.starts_with(root);
            is_below.then(|| (missing, relative(root, &path)))
        };
        let own = below(root);
        let is_nearer = |missing| {
            own.as_ref()
                .is_none_or(|(own, _)| *own > 0 && missing <= *own)
        };
        let here = below(&self.start).filter(|(missing, _)| is_nearer(*missing));
        here.or(own)
            .map_or_else(|| file.to_owned(), |(_, path)| path)
    }
}
