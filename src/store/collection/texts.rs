//! The texts of all stores, for policies and lint.

use std::path::Path;
use std::sync::PoisonError;

use itertools::Itertools as _;

use super::Collection;
use crate::memory::{Fields, Memory, State, Timestamp};
use crate::retrieval::Texts;
use crate::store::disk::Call;
use crate::store::restore::Steps;
use crate::store::{At as _, Result, Store, StoreError};

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
        self.read(memory, |store| store.loader_body(memory))
            .map(owned)
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        self.read(memory, |store| store.text(memory)).map(owned)
    }

    fn inner(&self, memory: &Memory) -> Fields {
        if memory.schema.inner.is_empty() {
            return Fields::default();
        }
        let store = self.store_of(&memory.id);
        store
            .and_then(|store| store.inner(memory).ok())
            .unwrap_or_default()
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
