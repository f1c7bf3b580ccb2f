//! Faults of a journal that loading passes over, and their repair.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use super::stacks::Event;
use super::{Journal, StoreError, files};

impl Journal {
    /// Numbers of the lines that hold no event, from 1: a crash cut them off, or something else wrote
    /// them.
    pub fn torn(&self) -> Result<Vec<usize>, StoreError> {
        let torn = self.lines()?.into_iter().enumerate();
        let torn = torn.filter(|(_, line)| !is_event(line));
        Ok(torn.map(|(number, _)| number + 1).collect())
    }

    /// True if a step was begun and not finished.
    pub fn is_open(&self) -> Result<bool, StoreError> {
        Ok(self.history()?.unfinished().is_some())
    }

    /// Drops the lines that hold no event, under the lock. The journal of before stays beside it; its
    /// path is returned.
    pub fn drop_torn(&self) -> Result<PathBuf, StoreError> {
        let _lock = self.lock(Instant::now())?;
        let path = self.path();
        let mut sound = self.lines()?;
        sound.retain(|line| is_event(line));
        let text: Vec<u8> = sound.concat();
        let (new, old) = (
            self.folder.join("journal.new"),
            self.folder.join("journal.torn"),
        );
        let replace = || -> io::Result<()> {
            fs::copy(&path, &old)?;
            let _ = self.disk.remove(&new);
            let file = self.disk.create(&new)?;
            self.disk.write(&new, &file, &text)?;
            self.disk.sync(&new, &file)?;
            self.disk.rename_over(&new, &path)
        };
        replace().map_err(|source| files::io(&path, source))?;
        Ok(old)
    }

    /// Its lines, each with its end.
    fn lines(&self) -> Result<Vec<Vec<u8>>, StoreError> {
        let path = self.path();
        match fs::read(&path) {
            Ok(bytes) => Ok(bytes
                .split_inclusive(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(source) => Err(files::io(&path, source)),
        }
    }
}

/// True if a line holds an event, or nothing.
fn is_event(line: &[u8]) -> bool {
    let is_whole = line.ends_with(b"\n") && serde_json::from_slice::<Event>(line).is_ok();
    is_whole || line.trim_ascii().is_empty()
}
