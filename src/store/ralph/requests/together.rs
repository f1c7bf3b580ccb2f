//! Several entries that leave a file at once.

use super::{into_archive, part, stage, took};
use crate::memory::{Memory, State};
use crate::store::ralph::RalphStore;
use crate::store::{Overlay, Request, StoreError};
use crate::systems::ralph::{self, Spot};

/// Stages several requests; entries that leave one file leave it together, for each of them
/// alone would have the whole file read anew.
pub(in crate::store::ralph) fn stage_all(
    store: &RalphStore,
    requests: &[Request<'_>],
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let together = |a: &Request<'_>, b: &Request<'_>| match (leaves(a), leaves(b)) {
        (Some(a), Some(b)) => a.path == b.path,
        _ => false,
    };
    for run in requests.chunk_by(together) {
        if let Some(blocks) = take_out_all(run, overlay) {
            for (request, text) in run.iter().zip(&blocks) {
                if let Request::Archive(memory) = request {
                    into_archive(store, memory, text, overlay)?;
                }
            }
        } else {
            run.iter().try_for_each(|one| stage(store, one, overlay))?;
        }
    }
    Ok(())
}

/// The memory that a request takes out of its file.
fn leaves<'a>(request: &Request<'a>) -> Option<&'a Memory> {
    match *request {
        Request::Delete(memory) => Some(memory),
        Request::Archive(memory) => Some(memory).filter(|one| one.state == State::Active),
        _ => None,
    }
}

/// Cuts the entries of several requests out of their file, and gives their blocks; none where
/// they have to be taken one by one, which says why one cannot.
fn take_out_all(requests: &[Request<'_>], overlay: &mut Overlay) -> Option<Vec<Vec<u8>>> {
    let memories: Vec<&Memory> = requests.iter().map(leaves).collect::<Option<_>>()?;
    let (first, more) = memories.split_first()?;
    let path = &first.path;
    let bytes = overlay.read(path, Some(first.stamp)).ok()?.to_vec();
    // A file that ends in the middle of a line is put right by what is taken out last.
    let is_usual = !more.is_empty() && bytes.ends_with(b"\n");
    (is_usual && overlay.before(path) == Some(&bytes)).then_some(())?;
    let layout = ralph::read(&bytes);
    let mut numbers: Vec<usize> = Vec::with_capacity(memories.len());
    for memory in &memories {
        let entry = layout.entries.get(memory.document as usize)?;
        (entry.span == memory.span).then(|| numbers.push(memory.document as usize))?;
    }
    numbers.sort_unstable();
    numbers.dedup();
    let is_read = first.state == State::Active;
    let after = ralph::take_out_all(&bytes, &layout, &numbers, is_read).ok()?;
    overlay.write(path, after).ok()?;
    let spots = Spot::of_all(&bytes, &layout, &numbers);
    let mut blocks = Vec::with_capacity(memories.len());
    for memory in memories {
        let entry = layout.entries.get(memory.document as usize)?;
        let text = part(&bytes, &entry.span).to_vec();
        let number = numbers.binary_search(&(memory.document as usize)).ok()?;
        took(memory, entry.kind, &text, spots.get(number), overlay);
        blocks.push(text);
    }
    Some(blocks)
}
