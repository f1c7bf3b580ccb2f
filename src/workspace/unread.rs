//! Stores that no program reads, files that a loader leaves out, and the files beside memories.

use super::Workspace;
use crate::memory::format::table_of;
use crate::memory::{Memory, StoreId};
use crate::store::discover::context;
use crate::store::{Store, StoreError};

/// The error of a configuration that cannot be read, with its place.
pub fn unread(error: &StoreError) -> String {
    match error {
        StoreError::Settings { line, column, .. } => {
            format!("{error} (line {line}, column {column})")
        }
        error => error.to_string(),
    }
}

impl Workspace {
    /// Adds the files that agents are given beside memories.
    pub fn join_context(&self) {
        let stores = &self.collection.stores;
        if !self.collection.infos().any(|info| info.kind.is_context) {
            stores.join(context(&self.collection.root).into_iter().collect());
        }
    }

    /// True if no program reads the memory's store and no rule tells a model to.
    pub fn is_unread(&self, memory: &Memory) -> bool {
        let has_carriers = |schema| table_of(schema).is_some_and(|table| table.carriers.is_some());
        if !has_carriers(memory.schema) {
            return false;
        }
        let is_unread = |store: &dyn Store| {
            let settings = self.collection.settings(store);
            settings.is_ok_and(|settings| settings.get("carrier") == Some(""))
        };
        let unread = || {
            let all = self.collection.stores.iter().map(|store| &**store);
            let own = all.filter(|store| has_carriers(store.schema()) && is_unread(*store));
            own.map(|store| store.info().id.clone()).collect()
        };
        let unread: &Vec<StoreId> = self.unread.get_or_init(unread);
        unread.contains(&memory.id.store)
    }

    /// Files in the folders of the stores that their loaders do not list, a line each.
    pub fn unlisted(&self) -> Vec<String> {
        let stores = self.collection.stores.iter();
        let settings = stores.filter_map(|store| self.collection.settings(&**store).ok());
        let lines = settings.filter_map(|all| all.get("unlisted").map(ToOwned::to_owned));
        lines.filter(|line| !line.is_empty()).collect()
    }
}
