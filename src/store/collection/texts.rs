//! The texts of all stores, for policies and lint: as they are, and with a change staged.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use itertools::Itertools as _;

use super::Collection;
use crate::memory::{Fields, Memory, Sight, Stamp, State, Timestamp};
use crate::retrieval::Texts;
use crate::store::disk::Call;
use crate::store::restore::Steps;
use crate::store::{At as _, Overlay, Result, Store, StoreError, files};

/// A text of bytes, which mostly are one already.
fn owned(bytes: Vec<u8>) -> String {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    String::from_utf8(bytes).unwrap_or_else(|error| lossy(error.as_bytes()))
}

impl Collection {
    /// When a memory was archived, by which change and why, where the journal knows.
    fn archived(&self, memory: &Memory) -> Option<String> {
        if memory.state != State::Archived {
            return None;
        }
        let applied = self.applied().ok()?;
        let step = Steps::of(&applied).archived(memory)?;
        let local = &*memory.id.local;
        let local = local.strip_prefix("archive/").unwrap_or(local);
        let reasons = &step.plan.reasons;
        let reason = reasons.get(&format!("{}:{local}", memory.id.store));
        let reason = reason.filter(|_| reasons.len() > 1);
        let mut why = [Some(&step.plan.title), reason].into_iter().flatten();
        let why = why.join(": ");
        let day = Timestamp(step.time).date();
        Some(format!("on {day}: {}", crate::lint::mask(&why)))
    }

    /// Reads something of a memory; a failure is remembered in [`Self::unread`].
    fn read<T>(&self, memory: &Memory, read: impl FnOnce(&dyn Store) -> Result<T>) -> Option<T> {
        let store = self.store_of(&memory.id)?;
        let checked = self.journals.disk.check(Call::Read, &memory.path);
        let checked = checked.at(&memory.path);
        let failed = |error: StoreError| {
            let mut unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
            unread.insert(memory.path.to_path_buf(), error.to_string());
        };
        checked.and_then(|()| read(store)).map_err(failed).ok()
    }

    /// Why a memory could not be read since the program was started; `None` if it always could.
    pub fn why_unread(&self, memory: &Memory) -> Option<String> {
        let unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        unread.get(&*memory.path).cloned()
    }
}

impl Texts for Collection {
    fn body(&self, memory: &Memory) -> Option<String> {
        let body = |store: &dyn Store| Ok(store.body_of(memory, &store.text(memory)?));
        self.read(memory, body).map(owned)
    }

    fn said(&self, memory: &Memory) -> Option<String> {
        let said = self.read(memory, |store| store.said(memory));
        said?.or_else(|| self.body(memory))
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        let body = self.read(memory, |store| store.loader_body(memory));
        body.map(owned)
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        self.read(memory, |store| store.text(memory)).map(owned)
    }

    fn inner(&self, memory: &Memory) -> Fields {
        if memory.schema.inner.is_empty() {
            return Fields::default();
        }
        let store = self.store_of(&memory.id);
        let inner = store.and_then(|store| store.inner(memory).ok());
        inner.unwrap_or_default()
    }

    fn beside(&self, memory: &Memory) -> Vec<(&'static str, String)> {
        let store = self.store_of(&memory.id);
        let beside = store.and_then(|store| store.beside(memory).ok());
        let archived = self.archived(memory).map(|line| ("archived", line));
        beside.into_iter().flatten().chain(archived).collect()
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn places(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        self.store_of(&memory.id)?.places_of(memory, bytes)
    }
}

/// A collection under an overlay.
pub struct Staged<'a> {
    /// The stores as they are.
    pub collection: &'a Collection,
    /// Staged changes.
    pub overlay: &'a Overlay,
}

impl Staged<'_> {
    /// The memories as they would be, of those that a load gave.
    pub fn memories(&self, loaded: &[Arc<Memory>]) -> Vec<Arc<Memory>> {
        let changed: BTreeSet<&Path> = self.overlay.changed().collect();
        let mut links = BTreeSet::new();
        let mut all: Vec<Arc<Memory>> = Vec::with_capacity(loaded.len());
        for memory in loaded {
            match target(memory) {
                Some(target) if changed.contains(&*target) => drop(links.insert(&*memory.path)),
                None if changed.contains(&*memory.path) => {}
                _ => all.push(memory.clone()),
            }
        }
        for path in changed.into_iter().chain(links) {
            if let Some((store, bytes)) = self.collection.store_at(path).zip(self.bytes_at(path)) {
                all.extend(store.parse(path, bytes, Stamp::default()));
            }
        }
        let order = |memory: &Memory| {
            let mut ids = self.collection.infos().map(|info| &info.id);
            ids.position(|id| *id == memory.id.store)
        };
        let path = |memory: &Memory| memory.path.as_os_str().as_encoded_bytes().to_vec();
        all.sort_by_cached_key(|memory| (order(memory), path(memory), memory.document));
        all
    }

    fn bytes_at(&self, path: &Path) -> Option<&[u8]> {
        let direct = self.overlay.bytes(path);
        direct.or_else(|| self.overlay.bytes(&files::target(path).ok()?))
    }

    /// Something of a memory as it is staged, as text; none where its file is not staged.
    fn staged(
        &self,
        memory: &Memory,
        read: impl FnOnce(&dyn Store, &[u8]) -> Vec<u8>,
    ) -> Option<String> {
        let bytes = self.bytes_at(&memory.path)?;
        let store = self.collection.store_of(&memory.id)?;
        Some(String::from_utf8_lossy(&read(store, bytes)).into_owned())
    }
}

/// Returns the target of a memory's file, if it is a link.
fn target(memory: &Memory) -> Option<PathBuf> {
    let is_link = memory.sight == Sight::Skipped && memory.path.is_symlink();
    is_link.then(|| files::target(&memory.path).ok())?
}

impl Texts for Staged<'_> {
    fn body(&self, memory: &Memory) -> Option<String> {
        let body = |store: &dyn Store, bytes: &[u8]| {
            let text = store.text_in(memory, bytes);
            store.body_of(memory, &text)
        };
        let staged = self.staged(memory, body);
        staged.or_else(|| self.collection.body(memory))
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        let staged = self.staged(memory, |store, bytes| store.loader_body_in(memory, bytes));
        staged.or_else(|| self.collection.loader_body(memory))
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        let staged = self.staged(memory, |store, bytes| store.text_in(memory, bytes));
        staged.or_else(|| self.collection.text(memory))
    }

    fn inner(&self, memory: &Memory) -> Fields {
        self.collection.inner(memory)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.overlay.exists(path)
    }

    fn places(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        self.collection.places(memory, bytes)
    }
}
