//! What a step that took memories out did, for bringing them back.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::curate::{Digest, Splice};
use crate::memory::MemoryId;
use crate::store::apply::spliced;

/// A step that took whole files out of their stores, as what lists them or links to them needs it to
/// be as it was when they come back.
#[derive(Debug)]
pub struct Removal {
    /// The files that the memories were which come back, by their ids now, and the modes of those
    /// that were deleted.
    pub files: HashMap<MemoryId, (PathBuf, Option<u32>)>,
    /// What it changed in other files.
    pub beside: Vec<Beside>,
    /// Whether it did no more than take these memories out.
    pub is_whole: bool,
}

/// A change of a file that stays.
#[derive(Clone, Debug)]
pub struct Beside {
    /// Which file, absolute.
    pub path: PathBuf,
    /// What it is afterwards.
    pub(super) after: Digest,
    /// The bytes that change.
    pub splice: Splice,
}

impl Beside {
    /// The file without the change; none where it was written to since in a way that makes it unsure
    /// what that is.
    pub fn undone(&self, now: &[u8]) -> Option<Vec<u8>> {
        let back = self.splice.clone().inverse();
        match Digest::of(now) == self.after {
            true => spliced(now, &back),
            false => back.again(now),
        }
    }
}
