//! The texts of all stores, for policies and lint.

use super::Collection;
use crate::memory::{Fields, Memory};
use crate::retrieval::Texts;

/// A text of bytes, which mostly are one already.
fn owned(bytes: Vec<u8>) -> String {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    String::from_utf8(bytes).unwrap_or_else(|error| lossy(error.as_bytes()))
}

impl Texts for Collection {
    fn body(&self, memory: &Memory) -> Option<String> {
        let store = self.store_of(&memory.id)?;
        let body = store.body_of(memory, &store.text(memory).ok()?);
        Some(owned(body))
    }

    fn said(&self, memory: &Memory) -> Option<String> {
        let said = self.store_of(&memory.id)?.said(memory);
        said.ok()?.or_else(|| self.body(memory))
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        let bytes = self.store_of(&memory.id)?.loader_body(memory).ok()?;
        Some(owned(bytes))
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        let bytes = self.store_of(&memory.id)?.text(memory).ok()?;
        Some(owned(bytes))
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
        let known = store.and_then(|store| store.beside(memory).ok());
        known.unwrap_or_default()
    }

    fn places(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        self.store_of(&memory.id)?.places_of(memory, bytes)
    }
}
