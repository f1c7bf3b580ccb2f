//! Names that agents cannot use, and of files that have no fields.

use super::MarkdownStore;
use crate::store::discover::names;
use crate::store::{Scope, StoreError};

impl MarkdownStore {
    /// Why agents cannot use a name; none where they can.
    pub(super) fn bad_name(&self, local: &str) -> Option<String> {
        let prefix = self.table.schema.can.user_prefix;
        let is_users = local.starts_with(prefix) || local == prefix.trim_end_matches('/');
        if !prefix.is_empty() && self.info.scope == Scope::Project && is_users {
            return Some(format!("`{prefix}` begins the names of your own memories"));
        }
        let mut bad = self.table.bad_names.iter();
        let bad = bad.find(|(pattern, _)| names(pattern, local));
        bad.map(|(_, why)| why.clone())
    }

    /// Whether the system gives a file as it is, so that fields in it are a part of its text.
    pub(super) fn is_whole(&self, local: &str) -> bool {
        let whole = self.table.settings.get("whole");
        whole.is_some_and(|name| *name == *local)
    }

    /// Refuses a new name that agents cannot use.
    pub(super) fn refuse_name(&self, local: &str) -> Result<(), StoreError> {
        match self.bad_name(local) {
            Some(why) => Err(StoreError::Refused(format!(
                "`{local}` is no name for a memory: {why}"
            ))),
            None => Ok(()),
        }
    }
}
