//! The record of use: a file of counts in the state folder, written only where the person's own
//! configuration says `[worth] record = true`.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::PathBuf;

use super::Workspace;
use crate::memory::MemoryId;
use crate::memory::worth::{Part, Worths};
use crate::store::control::{self, Owner};

impl Workspace {
    fn record_file(&self) -> PathBuf {
        self.collection.state.join("worth.json")
    }

    /// The worth of all memories; what cannot be read counts nothing.
    pub fn worths(&self) -> &Worths {
        self.worths.get_or_init(|| self.read_worths())
    }

    fn read_worths(&self) -> Worths {
        let text = control::text(&self.record_file(), Owner::Person);
        let text = text.ok().flatten().unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// True if the person has uses recorded.
    pub fn records_worth(&self) -> bool {
        self.settings.worth.record == Some(true)
    }

    /// Counts a session in the record.
    pub fn record_uses<'a>(
        &self,
        uses: impl Iterator<Item = (&'a MemoryId, Part)>,
    ) -> io::Result<()> {
        let folder = &self.collection.state;
        fs::create_dir_all(folder)?;
        let lock = File::options()
            .create(true)
            .append(true)
            .open(folder.join("worth.lock"))?;
        lock.lock()?;
        let mut worths = self.read_worths();
        for (id, part) in uses {
            worths.0.entry(id.to_string()).or_default().add(part);
        }
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(serde_json::to_string(&worths)?.as_bytes())?;
        file.persist(self.record_file())?;
        Ok(())
    }
}
