//! What is said where no store was found.

use super::Session;
use crate::cli::error::Error;
use crate::cli::output::note;

impl Session {
    /// Memories of formats that are not supported yet, where no store was found.
    pub fn unsupported(&self) -> Vec<String> {
        let found = self.collection.unsupported.iter();
        let shown = |path| self.collection.shown(path);
        found
            .map(|(path, format)| format!("{} ({format})", shown(path)))
            .collect()
    }

    /// Says that no store was found, and what else was.
    pub fn note_no_store(&self, told: bool) {
        if !told {
            note("no store found: `memkeep stores` says where they are looked for");
        }
        let found = self.unsupported();
        if !found.is_empty() {
            note(&format!("note: not supported yet: {}", found.join(", ")));
        }
    }

    /// Refuses to call an empty check a success.
    pub fn needs_store(&self) -> Result<(), Error> {
        if self.collection.stores.iter().next().is_some() {
            return Ok(());
        }
        let hint = match self.unsupported() {
            none if none.is_empty() => "`memkeep stores` says where they are looked for".to_owned(),
            found => format!("not supported yet: {}", found.join(", ")),
        };
        Err(Error::wrong("no store found").hint(hint))
    }
}
