//! Raising memories, and the ways to promote them beyond their store: to the project, to another
//! section, into a rule, into one memory of several.

use std::sync::Arc;

use super::super::msg::Change;
use super::super::overlay::{Choice, Subject};
use super::super::proposal::{self, Proposal, propose};
use super::super::{Model, Overlay, Page};
use super::edits;
use crate::curate::merge;
use crate::curate::promote::{Way, has_levels, places, sections};
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, State, StoreId};

/// Shows what raising or lowering means to the system, with its doubts and the evidence; the same
/// key again does it.
pub fn raise(model: &mut Model, up: bool) {
    let ids = edits::targets(model, State::Active);
    if ids.is_empty() {
        return model.say("archived memories are restored first");
    }
    let of = model.world.all_of(&ids).into_iter().cloned().collect();
    let verb = if up { "promote" } else { "demote" };
    let title = format!("{verb} {}", edits::named(&ids));
    let change = raised(ids, up);
    if matches!(&model.page, Page::Fix(shown) if shown.diff.is_some() && shown.change == change) {
        return proposal::apply(model);
    }
    let mut proposal = Proposal::new(title, change, of);
    if !matches!(model.page, Page::Fix(_)) {
        proposal.behind = Some(Box::new(std::mem::take(&mut model.page)));
    }
    propose(model, proposal);
}

/// The change that promotes memories, or demotes them where `up` is false. The person sees its
/// warnings before it is made.
const fn raised(ids: Vec<MemoryId>, up: bool) -> Change {
    let sure = true;
    Change::Promote { ids, up, sure }
}

/// Raises memories; of those of the user's own store, and where there is nothing to raise, asks
/// where they are promoted to.
pub fn promote(model: &mut Model) {
    let ids = edits::targets(model, State::Active);
    let all = model.world.all_of(&ids);
    let is_plain = |one: &&Arc<Memory>| has_levels(one) && !is_users(model, one);
    match all.iter().all(is_plain) {
        true => raise(model, true),
        false => open(model),
    }
}

/// True for a memory outside the project.
fn is_users(model: &Model, memory: &Memory) -> bool {
    !memory.path.starts_with(&model.root)
}

/// Asks where the memories are promoted to.
pub fn open(model: &mut Model) {
    let ids = edits::targets(model, State::Active);
    let rows = ways(model, &ids);
    if rows.is_empty() {
        return model.say("this memory cannot be promoted");
    }
    let title = format!("Promote {} to …", edits::called(model, &ids));
    let choices = rows.iter().map(|way| Choice::new(&way.name, &way.about));
    model.overlay = Some(Overlay::pick(title, choices.collect(), Subject::Ways(rows)));
}

/// The ways that are open to some memories: what reaches most people first.
fn ways(model: &Model, ids: &[MemoryId]) -> Vec<Way> {
    let all = model.world.all_of(ids);
    let is_context = all.iter().any(|memory| memory.schema.can.context);
    let Some(first) = all.first().filter(|_| !is_context) else {
        return Vec::new();
    };
    let is_used = |id: &StoreId| model.world.stores.contains(id);
    let (targets, context) = (&model.destinations, &model.world.memories);
    let mut rows = places(&all, targets, &is_used, context, &model.root);
    let users = all.iter().all(|memory| is_users(model, memory));
    // A memory of the project is raised before it becomes a rule.
    let rules = rows.split_off(if users { rows.len() } else { 0 });
    if all.iter().all(|memory| has_levels(memory)) {
        rows.push(Way {
            name: "a higher level".to_owned(),
            about: "its importance, layer or place in the index".to_owned(),
            change: raised(ids.to_vec(), true),
        });
    } else if let Some((field, words)) = sections(first).filter(|_| all.len() == 1) {
        rows.extend(words.into_iter().map(|word| {
            let edit = FieldEdit::set(field, word);
            Way {
                name: format!("{field} {word}"),
                about: format!("another section of {}", model.shown(&first.path)),
                change: Change::edit(&first.id, vec![edit]),
            }
        }));
    }
    let title = &first.title;
    rows.extend(condensed(&all).map(|change| Way {
        name: "one memory".to_owned(),
        about: format!("their texts go into “{title}”, the others to the archive"),
        change,
    }));
    rows.extend(rules);
    rows
}

/// The change that makes the first of several memories say what all say; none where it cannot.
fn condensed(all: &[&Arc<Memory>]) -> Option<Change> {
    let (keep, others) = all.split_first().filter(|(_, others)| !others.is_empty())?;
    if others.len() > 1 && keep.schema.can.in_rows {
        return None;
    }
    let can = |with: &&Arc<Memory>| merge::refusal(keep, with).is_none();
    let can = others.iter().all(can);
    let merges = others.iter().map(|with| Change::merge(&keep.id, &with.id));
    can.then(|| Change::all(merges.collect()))
}

/// Shows what a way to promote would change.
pub(super) fn take(model: &mut Model, way: Option<Way>) {
    let Some(way) = way else {
        return;
    };
    let ids: Vec<MemoryId> = way.change.ids().into_iter().cloned().collect();
    let what = edits::named(&ids);
    let of = model.world.all_of(&ids).into_iter().cloned().collect();
    let title = match way.change {
        Change::Promote { .. } | Change::Convert { .. } => {
            format!("promote {what}: {}", way.about)
        }
        _ => format!("promote {what} to {}", way.name),
    };
    propose(model, Proposal::new(title, way.change, of));
}
