//! Copying and moving memories to another store.

use super::super::convert::Target;
use super::super::msg::{Change, Effect};
use super::super::picker::{Choice, Picker, Subject};
use super::super::{Model, Overlay, Proposal};
use super::pairs;
use crate::curate::change::Destination;
use crate::memory::{MemoryId, StoreId};

type Effects = Vec<Effect>;

/// The stores that the memories are not in.
fn targets(model: &Model) -> Vec<Target> {
    let ids = model.targets();
    let is_in = |id: &StoreId| ids.iter().any(|one| one.store == *id);
    let others = model.destinations.iter().filter(|target| match &target.to {
        Destination::Store(id) => !is_in(id),
        Destination::New { .. } => true,
    });
    others.cloned().collect()
}

/// Asks which store the memories are copied to.
pub fn open(model: &mut Model) -> Effects {
    let (ids, rows) = (model.targets(), targets(model));
    if rows.is_empty() || ids.is_empty() {
        model.status.say("there is no other store", None);
        return Vec::new();
    }
    let what = match model.world.all_of(&ids).as_slice() {
        [one] => format!("“{}”", one.title),
        many => format!("{} memories", many.len()),
    };
    let title = format!("Copy {what} to …");
    let choice = |one: &Target| Choice::new(&one.name, &one.about);
    let choices = rows.iter().map(choice).collect();
    let picker = Picker::new(title, choices, Subject::Stores(ids, rows));
    model.overlay = Some(Overlay::Pick(picker));
    Vec::new()
}

/// Shows the memories as they would be in the selected store.
pub(super) fn take(
    model: &mut Model,
    ids: Vec<MemoryId>,
    target: Option<&Target>,
    remove: bool,
) -> Effects {
    let Some(target) = target else {
        return Vec::new();
    };
    let of: Vec<_> = model.world.all_of(&ids).into_iter().cloned().collect();
    let verb = if remove { "move" } else { "copy" };
    let what = match of.as_slice() {
        [one] => one.id.to_string(),
        many => format!("{} memories", many.len()),
    };
    let title = format!("{verb} {what} to {}", target.name);
    let change = Change::Convert {
        ids,
        to: target.to.clone(),
        remove,
    };
    pairs::propose(model, Proposal::new(title, change, of))
}
