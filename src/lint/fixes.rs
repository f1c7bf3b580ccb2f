//! Fixes that can be applied in one step.

use std::collections::HashSet;
use std::sync::Arc;

use super::Fix;
use crate::curate::Change;
use crate::memory::Memory;

/// The fixes that are applied without review, and how many are left for a person to decide.
pub fn unseen<'f>(fixes: impl Iterator<Item = &'f Fix>) -> (Vec<&'f Fix>, usize) {
    let (safe, left): (Vec<&Fix>, Vec<&Fix>) = fixes.partition(|fix| fix.safe);
    (safe, left.len())
}

/// The fixes that can be applied together: edits of different fields, what changes a whole file
/// if nothing else does, and any number of memories that leave a file. A fix that is left out is
/// found again.
pub fn together<'f>(memories: &[Arc<Memory>], fixes: impl Iterator<Item = &'f Fix>) -> Vec<Change> {
    let mut whole = HashSet::new();
    let mut left = HashSet::new();
    let mut edited = HashSet::new();
    let mut fields = HashSet::new();
    let mut gone = HashSet::new();
    let mut wanted = Vec::new();
    for fix in fixes {
        let Some(memory) = memories.get(fix.memory) else {
            continue;
        };
        let path = &memory.path;
        let free = match &fix.change {
            Change::Edit { edits, .. } => {
                let names = edits.iter().map(|edit| (fix.memory, edit.field_name()));
                let others = whole.contains(path) || left.contains(path);
                let free = !others && names.clone().all(|name| !fields.contains(&name));
                if free {
                    fields.extend(names);
                    edited.insert(path.clone());
                }
                free
            }
            Change::Archive(_) => {
                let others = edited.contains(path) || whole.contains(path);
                let free = !others && gone.insert(fix.memory);
                if free {
                    left.insert(path.clone());
                }
                free
            }
            _ => {
                let others = edited.contains(path) || left.contains(path);
                !others && whole.insert(path.clone())
            }
        };
        if free {
            wanted.push(fix.change.clone());
        }
    }
    wanted
}
