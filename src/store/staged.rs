//! The stores as they would be after what is staged, so that one change can be planned on top of
//! another before anything is written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::collection::Collection;
use super::{Overlay, Store, files};
use crate::memory::{Fields, Memory, Sight, Stamp};
use crate::retrieval::Texts;

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
    let is_link = || fs::symlink_metadata(&memory.path).is_ok_and(|meta| meta.is_symlink());
    if memory.sight != Sight::Skipped || !is_link() {
        return None;
    }
    files::target(&memory.path).ok()
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
