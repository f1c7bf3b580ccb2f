//! The record of use: a file of counts in the state folder, written only where the person's own
//! configuration says `[worth] record = true`.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::Workspace;
use crate::memory::MemoryId;
use crate::memory::worth::{Part, Worths};
use crate::store::control::{self, Owner};

/// The name of a session, and the parts of memories that were counted for it.
type Counted = (String, Vec<(String, Part)>);

/// Sessions that are known again.
const MOST_SESSIONS: usize = 200;

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

    /// Counts a session in the record. One with a name counts once: told again, it takes the place of
    /// what was told of it before.
    pub fn record_uses<'a>(
        &self,
        session: Option<&str>,
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
        let uses: Vec<_> = uses.map(|(id, part)| (id.to_string(), part)).collect();
        let sessions = folder.join("worth-sessions.json");
        let text = control::text(&sessions, Owner::Person).ok().flatten();
        let counted = text.and_then(|text| serde_json::from_str(&text).ok());
        let mut counted: Vec<Counted> = counted.unwrap_or_default();
        let known = counted.iter().position(|(name, _)| session == Some(name));
        let before = known.map(|at| counted.remove(at).1);
        for (id, part) in before.into_iter().flatten() {
            worths.0.entry(id).or_default().count_sessions(part, -1);
        }
        for (id, part) in uses.iter().cloned() {
            worths.0.entry(id).or_default().count_sessions(part, 1);
        }
        let write = |path: &Path, text: String| {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(text.as_bytes())?;
            file.persist(path)?;
            io::Result::Ok(())
        };
        write(&self.record_file(), serde_json::to_string(&worths)?)?;
        if let Some(name) = session {
            counted.push((name.to_owned(), uses));
            let over = counted.len().saturating_sub(MOST_SESSIONS);
            write(
                &sessions,
                serde_json::to_string(counted.get(over..).unwrap_or_default())?,
            )?;
        }
        Ok(())
    }
}
