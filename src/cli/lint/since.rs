//! `memkeep lint --since REV`: the memories that are new or changed since a revision.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::cli::error::Error;
use crate::cli::output::note;
use crate::cli::session::Session;
use crate::memory::{Memory, MemoryId};
use crate::project::revision::{Revision, RevisionError};
use crate::retrieval::{Snapshot, Texts as _};
use crate::store::{Store, StoreInfo, discover};

/// The memories that changed since a revision.
pub struct Since(HashSet<MemoryId>);

impl Since {
    /// Compares memories with what they were. A file that holds several is compared memory by
    /// memory, a database row by row.
    pub fn of(session: &Session, name: &str, memories: &Snapshot) -> Result<Self, Error> {
        let revision = Revision::find(&session.collection.root, name).map_err(error)?;
        let failed = |failed| error(RevisionError::Git(failed));
        let changed = revision.changed().map_err(failed)?;
        let mut all = HashSet::new();
        for store in session.collection.stores.iter() {
            let Some(place) = Place::of(store.info(), &revision.root) else {
                if session.global.verbose {
                    let id = &store.info().id;
                    note(&format!("{id} lies outside the repository and is left out"));
                }
                continue;
            };
            let own: Vec<PathBuf> = changed
                .iter()
                .filter(|path| place.holds(path))
                .cloned()
                .collect();
            if own.is_empty() {
                continue;
            }
            let old = Old::of(&revision, &place, &own).map_err(failed)?;
            let touched: HashSet<&Path> = own.iter().map(PathBuf::as_path).collect();
            let of_store = memories
                .iter()
                .filter(|one| one.id.store == store.info().id);
            for memory in of_store {
                let path = place.below_root(&memory.path);
                if path.is_some_and(|path| touched.contains(&*path))
                    && !old.has(memory, &session.collection.text(memory).unwrap_or_default())
                {
                    all.insert(memory.id.clone());
                }
            }
        }
        Ok(Self(all))
    }

    /// Whether a memory is new or changed.
    pub fn changed(&self, id: &MemoryId) -> bool {
        self.0.contains(id)
    }
}

fn error(error: RevisionError) -> Error {
    Error::wrong(error.to_string()).hint(error.hint())
}

/// Where a store lies in the repository.
struct Place<'a> {
    info: &'a StoreInfo,
    /// The store as git names it, below the root of the work tree.
    path: PathBuf,
    /// The same of its archive.
    archive: PathBuf,
}

impl<'a> Place<'a> {
    /// The place of a store; none where it lies outside of the repository.
    fn of(info: &'a StoreInfo, root: &Path) -> Option<Self> {
        let root = std::fs::canonicalize(root).ok()?;
        let below = |path: &Path| {
            // Git knows no names that lead through links.
            let real = std::fs::canonicalize(path).or_else(|_| {
                let folder = std::fs::canonicalize(path.parent().unwrap_or(path))?;
                Ok::<_, std::io::Error>(folder.join(path.file_name().unwrap_or_default()))
            });
            let real = real.ok()?;
            Some(real.strip_prefix(&root).ok()?.to_owned())
        };
        let path = below(&info.path)?;
        let archive = below(&info.archive).unwrap_or_else(|| path.join("archive"));
        Some(Self {
            info,
            path,
            archive,
        })
    }

    fn holds(&self, path: &Path) -> bool {
        path.starts_with(&self.path) || path.starts_with(&self.archive)
    }

    /// A file of the store as git names it.
    fn below_root(&self, path: &Path) -> Option<PathBuf> {
        let part = |of: &Path, below: &Path| {
            let rest = path.strip_prefix(of).ok()?;
            // Nothing joined is a slash at the end.
            Some(if rest.as_os_str().is_empty() {
                below.to_owned()
            } else {
                below.join(rest)
            })
        };
        part(&self.info.path, &self.path).or_else(|| part(&self.info.archive, &self.archive))
    }
}

/// The changed files of a store as they were.
struct Old {
    /// Memories with their texts, by the file name in LOCAL.
    memories: HashMap<String, Vec<(Memory, String)>>,
}

impl Old {
    fn of(
        revision: &Revision,
        place: &Place<'_>,
        files: &[PathBuf],
    ) -> Result<Self, crate::project::git::GitError> {
        let io = crate::project::git::GitError::Io;
        let folder = tempfile::tempdir().map_err(io)?;
        revision.write_out(files, folder.path())?;
        let info = StoreInfo {
            path: folder.path().join(&place.path),
            archive: folder.path().join(&place.archive),
            ..place.info.clone()
        };
        let mut memories: HashMap<String, Vec<(Memory, String)>> = HashMap::new();
        let store = Some(info)
            .filter(|info| info.path.exists() || info.archive.exists())
            .and_then(discover::open);
        if let Some(store) = store {
            for memory in store.load(&[], &mut |_| true).memories {
                let text = text(&*store, &memory);
                let name = file_name(&memory.id.local).to_owned();
                let memory = Memory::clone(&memory);
                memories.entry(name).or_default().push((memory, text));
            }
        }
        Ok(Self { memories })
    }

    /// Whether a memory was there as it is now.
    fn has(&self, memory: &Memory, text: &str) -> bool {
        let same = |(old, then): &(Memory, String)| {
            old.fields == memory.fields
                && old.title == memory.title
                && old.state == memory.state
                && old.hidden == memory.hidden
                && *then == unix(text)
        };
        let named = self.memories.get(file_name(&memory.id.local));
        named.is_some_and(|all| all.iter().any(same))
    }
}

fn text(store: &dyn Store, memory: &Memory) -> String {
    let bytes = store.text(memory).unwrap_or_default();
    unix(&String::from_utf8_lossy(&bytes))
}

/// A text with the line ends that git keeps.
fn unix(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// LOCAL without the number of a later memory of the same file.
fn file_name(local: &str) -> &str {
    match local.rsplit_once('#') {
        Some((name, number)) if number.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => local,
    }
}
