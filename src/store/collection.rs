//! All stores of a root together: loading them, changing them, taking changes back.

mod convert;
mod decided;
mod faults;
mod fixes;
mod link_targets;
mod mentions;
mod plan;
mod planner;
mod played;
mod raise;
mod steps;
mod texts;
mod versions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

pub use self::faults::{Fault, Repair};
pub use self::fixes::concerned;
pub use self::raise::Candidate;
pub use self::texts::Staged;
use super::discover::{self, DiscoverError, Search};
use super::files::real;
use super::journal::Journal;
use super::journals::Journals;
use super::{
    At as _, Emit, Loaded, Overlay, Result, Store, StoreError, StoreInfo, refuse, refused,
};
use crate::config::ConfigError;
use crate::curate::{Digest, Plan};
use crate::memory::{Memory, MemoryId, StoreId, Timestamp};

/// The stores of a root, with their journal.
pub struct Collection {
    /// The folder that paths are shown relative to.
    pub root: PathBuf,
    /// The stores, in the contract's order; behind them those that appeared later.
    pub stores: Stores,
    search: Search,
    /// Folders searched for stores.
    pub looked: Vec<PathBuf>,
    /// Stores that a configuration names and that cannot be opened, with the reason.
    pub wrong: Vec<ConfigError>,
    /// The folder of its drafts.
    pub state: PathBuf,
    /// Journals of the changes that can be undone.
    pub journals: Journals,
    /// The folders beside the root that links may lead to.
    writable: OnceLock<Vec<PathBuf>>,
    /// Files of memories that could not be read when they were asked for, with the reason.
    unread: Mutex<BTreeMap<PathBuf, String>>,
    /// True if nothing may be changed.
    pub read_only: bool,
    /// Seconds east of Greenwich, for systems that go by the days of where they are.
    pub east: i64,
    /// True in the dialect `spec`: golemcore's layers are raised on evidence, and a deletion asks.
    pub as_specified: bool,
    /// Builds scorers for the checks that need previews; without it they are left out.
    pub previews: Option<&'static dyn crate::retrieval::Previews>,
}

/// Change that was made, to show to the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// In the past tense: `archived 3 memories`.
    pub title: String,
    /// True if anything was changed.
    pub changed: bool,
}

impl Collection {
    /// Finds the stores and opens the journal of their root below `state`.
    pub fn open(search: &Search, state: &Path) -> Result<Self, DiscoverError> {
        let found = discover::discover(search)?;
        let journals = Journals::new(state.to_owned());
        Ok(Self {
            stores: Stores {
                first: found.stores,
                ..Stores::default()
            },
            search: search.clone(),
            looked: found.looked,
            wrong: found.wrong,
            state: state.join(root_hash(&found.root)),
            root: found.root,
            journals,
            writable: OnceLock::new(),
            unread: Mutex::default(),
            read_only: false,
            east: 0,
            as_specified: false,
            previews: None,
        })
    }

    /// Reads every store, in order; see [`Store::load`].
    pub fn load(&self, known: &[Arc<Memory>], emit: Emit<'_>) -> Loaded {
        let mut all = Loaded::default();
        // A load gives the memories of a store one behind the other.
        let runs = || known.chunk_by(|a, b| a.id.store == b.id.store);
        for store in self.stores.iter() {
            let id = &store.info().id;
            let own = |run: &&[Arc<Memory>]| run.first().is_some_and(|one| one.id.store == *id);
            let of_store = runs().find(own).unwrap_or_default();
            let loaded = store.load(of_store, emit);
            all.memories.extend(loaded.memories);
            all.problems.extend(loaded.problems);
        }
        self.mark_confirmed(&mut all.memories);
        self.mark_read_only(&mut all.memories);
        all
    }

    /// True if only stores that a person named are open.
    pub fn is_narrowed(&self) -> bool {
        !self.search.only.is_empty()
    }

    /// The store a memory belongs to.
    pub fn store_of(&self, id: &MemoryId) -> Option<&dyn Store> {
        self.store(&id.store).ok()
    }

    /// The store with an id.
    pub fn store(&self, id: &StoreId) -> Result<&dyn Store> {
        let found = self.stores.iter().find(|store| store.info().id == *id);
        found.ok_or_else(|| refused(format!("no store is `{id}`")))
    }

    /// The error for a memory that is not found because its store was held when it was loaded.
    pub fn held(&self) -> Option<StoreError> {
        let held = self.stores.iter().find(|store| store.is_held());
        held.map(|store| StoreError::Busy(store.info().path.clone()))
    }

    /// A path as people read it: below the root where it is, else absolute.
    pub fn shown(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.root);
        below.unwrap_or(path).display().to_string()
    }

    /// Nothing staged yet, at this moment and place.
    pub fn overlay(&self, now: Timestamp) -> Overlay {
        Overlay::at(now, self.east, self.journals.disk.clone())
    }

    /// Makes a store that is not there yet.
    pub fn make(&self, store: &dyn Store, now: Timestamp) -> Result<Done> {
        self.may_write()?;
        let path = &store.info().path;
        let mut overlay = self.overlay(now);
        store.make(&mut overlay)?;
        self.may_write_to(path)?;
        let plan = overlay.into_plan(format!("made {}", self.shown(path)));
        if plan.is_empty() {
            let disk = &self.journals.disk;
            disk.make_folder(path, &mut Vec::new()).at(path)?;
        }
        let lock = |_: &Plan| Ok(vec![store.lock()?]);
        let done = self.remember((plan, "init", Vec::new()), now, &lock, Journal::carry_out)?;
        Ok(Done {
            changed: true,
            ..done
        })
    }

    /// Refuses where nothing may be changed.
    pub fn may_write(&self) -> Result {
        match self.read_only {
            true => refuse("nothing is changed: memkeep runs with --read-only"),
            false => Ok(()),
        }
    }

    /// The stores that a new memory may go to if the request names none.
    pub fn receivers(&self) -> impl Iterator<Item = &dyn Store> + Clone {
        let (stores, looks) = (self.stores.iter(), self.looks());
        stores.filter(move |store| !looks || !discover::is_for_others(store.info()))
    }

    /// The store that a new memory goes to: the named one, else the first.
    fn writable(&self, id: Option<&StoreId>) -> Result<&dyn Store> {
        let none = || refused("there is no store to add to: make one with `memkeep init`");
        match id {
            Some(id) => self.store(id),
            None => self.receivers().next().ok_or_else(none),
        }
    }

    /// Describes each store.
    pub fn infos(&self) -> impl Iterator<Item = &StoreInfo> {
        self.stores.iter().map(|store| store.info())
    }

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
        let found = discover::discover(&self.search);
        let Ok(found) = found else { return };
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

/// The folder of a home below the state folder.
pub fn root_hash(root: &Path) -> String {
    let digest = Digest::of(root.as_os_str().as_encoded_bytes());
    digest.0.chars().take(16).collect()
}
