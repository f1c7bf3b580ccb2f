//! What is said where no store was found, or nobody reads one; the files beside memories.

use std::path::Path;

use super::Session;
use crate::cli::error::Error;
use crate::cli::output::note;
use crate::memory::format::table_of;
use crate::memory::{Memory, StoreId};
use crate::store::Store;
use crate::store::discover::context;

impl Session {
    /// Says that no store was found, and what else was.
    pub fn note_no_store(&self, told: bool) {
        if !told {
            note("no store found: `memkeep stores` says where they are looked for");
        }
    }

    /// Refuses to call an empty check of these memories a success.
    pub fn needs_store(&self, ids: &[String]) -> Result<(), Error> {
        if self.collection.stores.iter().next().is_some() {
            return Ok(());
        }
        let path = ids.iter().find(|id| Path::new(id).exists());
        let hint = match (path, self.collection.wrong.first()) {
            (Some(path), _) => format!("an ID names a memory; read a file with --store {path}"),
            (None, Some(wrong)) => format!("{}: {wrong}", wrong.path.display()),
            (None, None) => "`memkeep stores` says where they are looked for".to_owned(),
        };
        Err(Error::wrong("no store found").hint(hint))
    }

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
        let root = &self.collection.root;
        let is_unread = |store: &dyn Store| {
            let settings = store.settings(root);
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

    /// What stands in the folders of the stores and their loaders do not list, a line each.
    pub fn unlisted(&self) -> Vec<String> {
        let stores = self.collection.stores.iter();
        let settings = stores.filter_map(|store| store.settings(&self.collection.root).ok());
        let lines = settings.filter_map(|all| all.get("unlisted").map(ToOwned::to_owned));
        lines.filter(|line| !line.is_empty()).collect()
    }
}
