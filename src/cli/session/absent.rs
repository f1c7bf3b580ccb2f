//! What is said where no store was found.

use super::Session;
use crate::cli::error::Error;
use crate::cli::output::note;

impl Session {
    /// Says that no store was found, and what else was.
    pub fn note_no_store(&self, told: bool) {
        if !told {
            note("no store found: `memkeep stores` says where they are looked for");
        }
    }

    /// Refuses to call an empty check a success.
    pub fn needs_store(&self) -> Result<(), Error> {
        if self.collection.stores.iter().next().is_some() {
            return Ok(());
        }
        let hint = "`memkeep stores` says where they are looked for";
        Err(Error::wrong("no store found").hint(hint))
    }
}
