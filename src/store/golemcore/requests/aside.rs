//! Rows that are put aside and come back.

use std::path::Path;

use super::{append, line, take_out};
use crate::memory::{Memory, State};
use crate::store::golemcore::GolemcoreStore;
use crate::store::{Deleted, Overlay, StoreError};

pub(super) fn archive(
    store: &GolemcoreStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    line(memory, overlay, false)?;
    let below = memory.path.strip_prefix(&store.info.path);
    let Some(below) = below.ok().filter(|_| memory.state == State::Active) else {
        let why = format!("{} is archived already", memory.id);
        return Err(StoreError::Refused(why));
    };
    let to = match store.is_file {
        true => store.info.archive.clone(),
        false => store.info.archive.join(below),
    };
    let line = take_out(memory, overlay)?;
    overlay.took(&memory.id, remembered(store, memory, &line));
    append(&to, &line, &memory.path, overlay)
}

pub(super) fn restore(
    store: &GolemcoreStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let below = memory.path.strip_prefix(&store.info.archive).ok();
    let Some(below) = below.filter(|_| memory.state == State::Archived) else {
        return Err(StoreError::Refused(format!(
            "{} is not archived",
            memory.id
        )));
    };
    let to = store.file(below);
    let line = take_out(memory, overlay)?;
    append(&to, &line, &memory.path, overlay)
}

/// Puts a deleted line back at the end of its file; see [`crate::store::Store::put_back`].
pub(crate) fn put_back(
    store: &GolemcoreStore,
    deleted: &Deleted<'_>,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let text = deleted.text;
    if text.starts_with(b"{") {
        return append(deleted.path, text, deleted.path, overlay);
    }
    let at = memchr::memchr(b'\n', text);
    let place = at.and_then(|at| std::str::from_utf8(text.get(..at)?).ok());
    let line = at.and_then(|at| text.get(at + 1..));
    let (place, line) = place.zip(line).ok_or_else(|| deleted.refused())?;
    let path = store.file(Path::new(place));
    append(&path, line, &path, overlay)
}

/// What [`put_back`] needs: the file below the store, and the line.
pub(super) fn remembered(store: &GolemcoreStore, memory: &Memory, line: &[u8]) -> Vec<u8> {
    let below = memory
        .path
        .strip_prefix(&store.info.path)
        .unwrap_or(&memory.path);
    [below.to_string_lossy().as_bytes(), b"\n", line].concat()
}
