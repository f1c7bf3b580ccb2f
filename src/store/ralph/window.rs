//! Reading entries out of a large file: neighbours are read together, and never the whole file.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::memory::{Memory, Stamp};
use crate::store::{StoreError, files};

/// Bytes of a window, and of the next one that it holds too, for an entry that goes over its
/// end.
const SIZE: usize = 1 << 18;
const OVER: usize = 1 << 14;
/// Windows at a time: threads that read one after the other are not in each other's way.
const COUNT: usize = 8;

/// A part of a file as it was at a stamp.
#[derive(Debug)]
struct Window {
    path: Arc<Path>,
    stamp: Stamp,
    start: usize,
    bytes: Vec<u8>,
}

impl Window {
    fn part(&self, memory: &Memory) -> Option<&[u8]> {
        let same = self.stamp == memory.stamp && self.path == memory.path;
        let start = memory.span.start.checked_sub(self.start).filter(|_| same)?;
        let end = memory.span.end.checked_sub(self.start)?;
        self.bytes.get(start..end)
    }
}

/// The parts of a store's files that were read last.
#[derive(Debug, Default)]
pub(super) struct Windows([Mutex<Option<Window>>; COUNT]);

impl Windows {
    /// The bytes of a memory.
    pub(super) fn read(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        let number = memory.span.start / SIZE;
        let Some(slot) = self.0.get(number % COUNT) else {
            return read(memory, memory.span.clone());
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(part) = slot.as_ref().and_then(|window| window.part(memory)) {
            return Ok(part.to_vec());
        }
        let start = number * SIZE;
        let size = usize::try_from(memory.stamp.size).unwrap_or(usize::MAX);
        let end = (start + SIZE + OVER).min(size);
        if memory.span.end > end {
            return read(memory, memory.span.clone());
        }
        let window = Window {
            path: Arc::clone(&memory.path),
            stamp: memory.stamp,
            start,
            bytes: read(memory, start..end)?,
        };
        let part = window.part(memory).unwrap_or_default().to_vec();
        *slot = Some(window);
        Ok(part)
    }
}

/// A memory's file, where it is as it was when the memory was read.
pub(super) fn open(memory: &Memory) -> Result<File, StoreError> {
    let fail = |source| files::io(&memory.path, source);
    let file = File::open(&memory.path).map_err(fail)?;
    let now = file.metadata().map_err(fail)?;
    if files::stamp_of(&now) != memory.stamp {
        return Err(StoreError::Changed(memory.path.to_path_buf()));
    }
    Ok(file)
}

fn read(memory: &Memory, range: Range<usize>) -> Result<Vec<u8>, StoreError> {
    let file = open(memory)?;
    read_at(&file, range).map_err(|source| files::io(&memory.path, source))
}

/// Bytes of a file.
pub(super) fn read_at(file: &File, range: Range<usize>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; range.len()];
    #[cfg(unix)]
    std::os::unix::fs::FileExt::read_exact_at(file, &mut bytes, range.start as u64)?;
    #[cfg(not(unix))]
    {
        use std::io::{Read as _, Seek as _};
        let mut file = file;
        file.seek(io::SeekFrom::Start(range.start as u64))?;
        file.read_exact(&mut bytes)?;
    }
    Ok(bytes)
}
