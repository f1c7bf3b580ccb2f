//! Steps that took files out of their stores: what else they changed, to restore index entries and
//! links when the files come back.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{Gone, Step, Steps};
use crate::curate::FileChange;
use crate::store::files;
use crate::store::texts::Texts;

/// A step that took whole files out of their stores, some of which come back.
#[derive(Debug)]
pub struct Removal {
    /// The files that come back.
    pub files: Vec<TakenFile>,
    /// The files that stay, absolute, with its changes in them.
    pub beside: Vec<(PathBuf, FileChange)>,
    texts: Texts,
    /// True if it only took these files out.
    pub is_whole: bool,
}

/// A file that was taken out of its store.
#[derive(Debug)]
pub struct TakenFile {
    /// Its path in the archive, or the path that it was deleted from.
    pub now: PathBuf,
    /// Its path in the store.
    pub was: PathBuf,
    /// Its mode, if it was deleted.
    pub mode: Option<u32>,
}

impl Removal {
    /// A file without one of the changes in it; none if later writes make that ambiguous.
    pub fn undone(&self, change: &FileChange, now: &[u8]) -> Option<Vec<u8>> {
        self.texts.taken_back(now, change)
    }

    /// A file before one of the changes; none if its content is not kept.
    pub fn before(&self, change: &FileChange) -> Option<Vec<u8>> {
        let [before, _] = self.texts.both(change)?;
        Some(before)
    }
}

impl<'a> Step<'a> {
    /// The file that was moved to a path, or deleted there with this mode.
    fn taken_from(&self, path: &Path, is_deleted: bool) -> Option<(PathBuf, Option<u32>)> {
        let taken = |change: &&FileChange| match change {
            FileChange::Move { from, to, .. } if !is_deleted => {
                (files::real(to) == path).then(|| (from.clone(), None))
            }
            change if is_deleted => {
                let (path, _, mode) = change.removed()?;
                Some((path.to_owned(), mode))
            }
            _ => None,
        };
        self.of_file(path).iter().find_map(taken)
    }

    /// Its changes in files that stay, with their paths.
    pub(super) fn beside(&self) -> impl Iterator<Item = (&'a Path, &'a FileChange)> + use<'a> {
        let changes = self.entry.plan.changes.iter();
        changes.filter_map(|change| Some((change.rewritten()?, change)))
    }
}

impl<'a> Steps<'a> {
    /// The steps that took these memories out as whole files, latest first.
    pub fn removals(&self, wanted: &[&Gone<'_>], texts: &Texts) -> Vec<Removal> {
        let mut taken: HashMap<usize, Vec<TakenFile>> = HashMap::new();
        for gone in wanted {
            let is_deleted = matches!(gone, Gone::Deleted(..));
            let mut path = files::real(gone.file());
            for (at, step) in self.0.iter().enumerate() {
                if is_deleted && !step.deleted(gone.id()) {
                    continue;
                }
                match step.taken_from(&path, is_deleted) {
                    // The file was renamed in the archive.
                    Some((from, _)) if step.entry.action == "rename" => path = files::real(&from),
                    Some((was, mode)) => {
                        let now = gone.file().to_owned();
                        let file = TakenFile { now, was, mode };
                        taken.entry(at).or_default().push(file);
                        break;
                    }
                    None => {}
                }
            }
        }
        let steps = self.0.iter().enumerate();
        let removal = |(at, step): (usize, &Step<'a>)| {
            let files = taken.remove(&at)?;
            let is_all = files.len() == step.entry.ids.len();
            Some(Removal {
                is_whole: is_all && ["archive", "delete"].contains(&&*step.entry.action),
                beside: step
                    .beside()
                    .map(|(path, change)| (path.to_owned(), change.clone()))
                    .collect(),
                texts: texts.clone(),
                files,
            })
        };
        steps.filter_map(removal).collect()
    }
}
