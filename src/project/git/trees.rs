//! The work trees of a repository.

use std::path::{Path, PathBuf};

use super::{places, tree};

/// The work trees of the repository around a folder, its own among them. Git's files are believed
/// only where the two ends name each other.
pub fn work_trees(around: &Path) -> Vec<PathBuf> {
    let real = |path: PathBuf| path.canonicalize().ok();
    let shared = |tree: &Path| real(places(tree)?.1);
    let names_itself = |tree: &Path| {
        let Some((own, shared)) = places(tree) else {
            return false;
        };
        let named = std::fs::read_to_string(own.join("gitdir")).ok();
        let named = named.and_then(|named| real(own.join(named.trim_end())));
        own == shared || named.is_some_and(|named| Some(named) == real(tree.join(".git")))
    };
    let Some(tree) = tree(around).filter(|tree| names_itself(tree)) else {
        return Vec::new();
    };
    let Some(common) = shared(tree) else {
        return Vec::new();
    };
    let linked = std::fs::read_dir(common.join("worktrees"))
        .into_iter()
        .flatten()
        .flatten();
    let linked = linked.filter_map(|own| {
        let own = own.path();
        let named = std::fs::read_to_string(own.join("gitdir")).ok()?;
        Some(own.join(named.trim_end()).parent()?.to_owned())
    });
    let main = common
        .parent()
        .filter(|_| common.ends_with(".git"))
        .map(Path::to_owned);
    let all = [Some(tree.to_owned()), main]
        .into_iter()
        .flatten()
        .chain(linked);
    let is_one =
        |other: &PathBuf| shared(other).is_some_and(|other| other == common) && names_itself(other);
    all.filter(is_one).filter_map(real).collect()
}
