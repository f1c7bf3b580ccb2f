//! The texts of all stores, for policies and lint.

use super::Collection;
use crate::memory::{Fields, Memory};
use crate::retrieval::Texts;

impl Texts for Collection {
    fn body(&self, memory: &Memory) -> Option<String> {
        let store = self.store_of(&memory.id)?;
        let body = store.extras().body_of(memory, &store.text(memory).ok()?);
        Some(String::from_utf8_lossy(&body).into_owned())
    }

    fn said(&self, memory: &Memory) -> Option<String> {
        let said = self.store_of(&memory.id)?.extras().said(memory);
        said.ok()?.or_else(|| self.body(memory))
    }

    fn loader_body(&self, memory: &Memory) -> Option<String> {
        let bytes = self.store_of(&memory.id)?.loader_body(memory).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn text(&self, memory: &Memory) -> Option<String> {
        let bytes = self.store_of(&memory.id)?.text(memory).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn inner(&self, memory: &Memory) -> Fields {
        if memory.schema.inner.is_empty() {
            return Fields::default();
        }
        let store = self.store_of(&memory.id);
        store
            .and_then(|store| store.extras().inner(memory).ok())
            .unwrap_or_default()
    }

    fn beside(&self, memory: &Memory) -> Vec<(&'static str, String)> {
        let store = self.store_of(&memory.id);
        let known = store.and_then(|store| store.extras().beside(memory).ok());
        known.unwrap_or_default()
    }

    fn places(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        self.store_of(&memory.id)?.extras().places_of(memory, bytes)
    }
}
