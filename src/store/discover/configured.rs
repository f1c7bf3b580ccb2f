//! Stores that a configuration names, beside those that are found by themselves.

use std::path::PathBuf;

use super::{DiscoverError, Place, Search, named};
use crate::store::Scope;

/// A store that a configuration names.
#[derive(Clone, Debug)]
pub struct Configured {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// Its format, where that is said.
    pub format: Option<String>,
    /// Whose configuration it is.
    pub scope: Scope,
    /// The file that names it, with line and column.
    pub place: (PathBuf, usize, usize),
}

/// Adds them to what was found; gives those that cannot be opened, with the reason.
pub(super) fn add(
    search: &Search,
    found: &mut Vec<Place>,
    looked: &mut Vec<PathBuf>,
) -> Vec<(Configured, DiscoverError)> {
    let mut wrong = Vec::new();
    for one in &search.configured {
        let mut at = Vec::new();
        if let Err(error) = named(search, (&one.path, one.format.as_deref()), &mut at, looked) {
            looked.push(one.path.clone());
            wrong.push((one.clone(), error));
        }
        for place in at {
            let scope = one.scope;
            Place { scope, ..place }.join(found);
        }
    }
    wrong
}
