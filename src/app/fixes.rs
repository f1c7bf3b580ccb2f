//! Fixes that can be applied in one step.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::curate::Change;
use crate::lint::Fix;
use crate::memory::Memory;
use crate::memory::edit::FieldEdit;

/// The fixes that are applied without review, and how many are left for a person to decide.
pub fn unseen<'f>(fixes: impl Iterator<Item = &'f Fix>) -> (Vec<&'f Fix>, usize) {
    let (safe, left): (Vec<&Fix>, Vec<&Fix>) = fixes.partition(|fix| fix.safe);
    (safe, left.len())
}

/// The effect of a fix on a file. One file has fixes of one kind at a time.
#[derive(PartialEq, Eq)]
enum Kind {
    /// It edits fields of memories.
    Edits,
    /// It takes a memory out.
    Leaves,
    /// It changes the whole file.
    Whole,
}

/// The fixes that can be applied together: edits of different fields, what changes a whole file
/// if nothing else does, and any number of memories that leave a file. A fix that is left out is
/// found again.
pub fn together<'f>(memories: &[Arc<Memory>], fixes: impl Iterator<Item = &'f Fix>) -> Vec<Change> {
    let mut kinds = HashMap::new();
    let mut taken = HashSet::new();
    let mut wanted = Vec::new();
    for fix in fixes {
        let Some(memory) = memories.get(fix.memory) else {
            continue;
        };
        let (kind, fields) = match &fix.change {
            Change::Edit { edits, .. } => (
                Kind::Edits,
                edits.iter().map(FieldEdit::field_name).collect(),
            ),
            Change::Archive(_) => (Kind::Leaves, vec![""]),
            _ => (Kind::Whole, Vec::new()),
        };
        let parts = fields.into_iter().map(|field| (fix.memory, field));
        let parts: Vec<_> = parts.collect();
        let known = kinds.get(&memory.path);
        let is_open = known.is_none_or(|known| *known == kind && kind != Kind::Whole);
        if is_open && parts.iter().all(|part| !taken.contains(part)) {
            kinds.insert(memory.path.clone(), kind);
            taken.extend(parts);
            wanted.push(fix.change.clone());
        }
    }
    wanted
}
