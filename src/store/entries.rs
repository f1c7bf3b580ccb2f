//! Stores whose files hold many entries: the bytes of an entry, from the files that were read last.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::{StoreError, files};
use crate::memory::{Memory, Stamp};

/// A file as it was at a stamp.
type Known = (Arc<Path>, Stamp, Arc<[u8]>);

/// Number of files that are held: threads that read one file each do not displace each other's.
const COUNT: usize = 8;

/// The files that were read last, the oldest first.
#[derive(Debug, Default)]
pub(super) struct LastFiles(Mutex<Vec<Known>>);

impl LastFiles {
    /// The bytes of a memory's file, if it is as it was when the memory was read.
    pub(super) fn bytes(&self, memory: &Memory) -> Result<Arc<[u8]>, StoreError> {
        let is_it = |(path, stamp, _): &&Known| *path == memory.path && *stamp == memory.stamp;
        let last = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., bytes)) = last().iter().find(is_it) {
            return Ok(bytes.clone());
        }
        let (bytes, meta) = files::read(&memory.path)?;
        if files::stamp_of(&meta) != memory.stamp {
            return Err(StoreError::Changed(memory.path.to_path_buf()));
        }
        let bytes: Arc<[u8]> = bytes.into();
        let mut last = last();
        last.retain(|(path, ..)| *path != memory.path);
        last.push((memory.path.clone(), memory.stamp, bytes.clone()));
        let oldest = last.len().saturating_sub(COUNT);
        last.drain(..oldest);
        Ok(bytes)
    }
}
