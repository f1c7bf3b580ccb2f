//! When a command applies; where it does not, the reason.

mod finding;

pub use finding::*;

use super::super::command::Refusal;
use super::super::layout::{Room, areas, room};
use super::super::lints::members;
use super::super::review::Card;
use super::super::{Model, Page, Pane, View, suggest};
use std::sync::Arc;

use crate::curate::versions::Step;
use crate::memory::{Memory, Role, State};

/// True if a command applies.
type Applies = Result<(), Refusal>;

pub(super) const fn unless(refused: bool, why: &'static str) -> Applies {
    if refused {
        Err(Refusal::Borrowed(why))
    } else {
        Ok(())
    }
}

/// There are memories, or the stores are still being read: a key that opens a line takes effect at
/// once, so that letters typed ahead are not taken for commands.
pub fn loaded(model: &Model) -> Applies {
    let is_empty = model.world.complete && model.world.memories.is_empty();
    unless(is_empty, "there are no memories yet")
}

/// Unsaved text of an earlier run was found, and the stores are read. Keys that were typed before
/// that decide nothing about it.
pub fn unsaved(model: &Model) -> Applies {
    unless(model.unsaved.is_none(), "no unsaved text was found")?;
    unless(!model.world.complete, "the stores are still being read")
}

/// There are several stores to group.
pub fn several_stores(model: &Model) -> Applies {
    unless(model.world.stores.len() < 2, "there is only one store")
}

/// The person stands on a memory.
pub fn row(model: &Model) -> Applies {
    loaded(model)?;
    unless(model.current_index().is_none(), "no memory is selected")
}

/// The current row can be opened: a memory, or folded findings.
pub fn openable(model: &Model) -> Applies {
    match model.view == View::Lint && model.lints.folded().is_some() {
        true => Ok(()),
        false => row(model),
    }
}

/// Two panes stand side by side.
pub fn two_panes(model: &Model) -> Applies {
    let (width, height) = model.size;
    unless(
        room(width, height) < Room::Wide || model.zoom,
        "only one pane is shown",
    )
}

/// Something may be written.
pub fn writable(model: &Model) -> Applies {
    match &model.read_only {
        Some(why) => Err(Refusal::Owned(why.clone())),
        None => Ok(()),
    }
}

/// The person stands on a change.
pub fn reviewed(model: &Model) -> Applies {
    unless(model.review.current().is_none(), "nothing waits for review")
}

/// The change may be decided on.
pub fn decidable(model: &Model) -> Applies {
    writable(model)?;
    reviewed(model)
}

/// The change may be accepted: it brings no secret and no instruction to the reader.
pub fn acceptable(model: &Model) -> Applies {
    decidable(model)?;
    // On a small screen the card is opened first.
    let is_hidden = model.pane == Pane::List && areas(model).side.is_empty();
    unless(
        !is_hidden && warned(model).is_ok(),
        "it brings a new secret or instruction: `e` edits it, `K` keeps it anyway",
    )
}

/// The change brings a secret or an instruction to the reader.
pub fn warned(model: &Model) -> Applies {
    decidable(model)?;
    let warning = model.review.current().and_then(Card::warning);
    unless(
        warning.is_none(),
        "it brings no new secret or instruction: accept it",
    )
}

/// Changes of this kind wait that carry no warning.
pub fn all_acceptable(model: &Model) -> Applies {
    decidable(model)?;
    unless(!model.review.is_assessed, "still looking for warnings")?;
    unless(
        model.review.alike().is_empty(),
        "each change of this kind is decided or carries a warning",
    )
}

/// Something is staged.
pub fn committable(model: &Model) -> Applies {
    writable(model)?;
    unless(!model.review.has_staged(), "nothing is accepted yet")
}

/// The current row is one memory, and no finding that stands for several.
pub fn single(model: &Model) -> Applies {
    row(model)?;
    let Some(many) = model.joined().and_then(members) else {
        return Ok(());
    };
    let keys = ["fix", "archive", "delete"].map(|id| model.keymap.label(id).unwrap_or_default());
    let [fix, archive, delete] = keys;
    Err(Refusal::Owned(format!(
        "the finding is about {many} memories: {fix}, {archive} and {delete} act on all of them"
    )))
}

/// The person stands on one memory that has fields.
pub fn has_fields(model: &Model) -> Applies {
    one_editable(model)?;
    let has = |memory: &Arc<Memory>| {
        !memory.schema.fields.is_empty() || memory.fields.iter().next().is_some()
    };
    let key = model.keymap.label("edit-body").unwrap_or_default();
    match model.current().is_some_and(has) {
        true => Ok(()),
        false => Err(Refusal::Owned(format!(
            "its format has no fields: {key} edits the text"
        ))),
    }
}

/// The person stands on one memory, and it may be changed.
pub fn one_editable(model: &Model) -> Applies {
    writable(model)?;
    single(model)?;
    no_context(model)
}

/// The memory may be changed. Selected memories are checked when the change is made.
pub fn editable(model: &Model) -> Applies {
    writable(model)?;
    row(model)?;
    match selects(model) {
        true => Ok(()),
        false => no_context(model),
    }
}

/// The cursor is not on a context file.
fn no_context(model: &Model) -> Applies {
    let context = model.current().filter(|one| one.schema.can.context);
    let Some(memory) = context else {
        return Ok(());
    };
    let name = memory.path.file_name().unwrap_or_default();
    let key = model.keymap.label("edit-file");
    let key = key.map(|key| format!(": {key} opens it in $EDITOR"));
    Err(Refusal::Owned(format!(
        "{} is read-only context{}",
        name.to_string_lossy(),
        key.unwrap_or_default()
    )))
}

/// There is another store to copy to.
pub fn convertible(model: &Model) -> Applies {
    writable(model)?;
    row(model)?;
    unless(model.destinations.is_empty(), "there is no other store")
}

/// The memory's text can be edited here.
pub fn has_text(model: &Model) -> Applies {
    one_editable(model)?;
    has_file(model)
}

/// The memory stands in a file of text.
pub fn has_file(model: &Model) -> Applies {
    writable(model)?;
    row(model)?;
    let drawn = model
        .current()
        .is_some_and(|memory| memory.schema.in_rows());
    unless(drawn, "its text comes from its fields; edit those with `e`")
}

/// The memory names others, or may be named by them.
pub fn related(model: &Model) -> Applies {
    single(model)?;
    let relations = model
        .current()
        .map(|memory| memory.schema.role(Role::Relations));
    let has_links = model
        .current()
        .is_some_and(|memory| !memory.schema.can.links.is_empty());
    unless(
        relations.flatten().is_none() && !has_links,
        "its format has no links",
    )
}

/// The memory's system can be told to forget it.
pub fn forgettable(model: &Model) -> Applies {
    editable(model)?;
    unless(
        !model
            .current()
            .is_some_and(|memory| memory.schema.forgets()),
        "its system cannot forget; archive or delete it",
    )
}

/// Some target has this state.
fn some(model: &Model, state: State) -> bool {
    selects(model) || model.current().is_some_and(|memory| memory.state == state)
}

/// True if memories are selected in the list.
fn selects(model: &Model) -> bool {
    // Hints ask this for every frame: what was picked is only gone through when it is used.
    let picked = !model.browse.picked.is_empty() || model.browse.range.is_some();
    picked && model.view == View::Browse
}

/// A memory can be written.
pub fn addable(model: &Model) -> Applies {
    writable(model)?;
    unless(
        model.world.schemas.is_empty(),
        "there is no store to write to",
    )
}

/// The memory can be put aside.
pub fn archivable(model: &Model) -> Applies {
    editable(model)?;
    unless(!some(model, State::Active), "it is archived already")
}

/// The memory can be said to be still right.
pub fn confirmable(model: &Model) -> Applies {
    editable(model)?;
    unless(!some(model, State::Active), "it is archived")
}

/// The memory can be brought back.
pub fn restorable(model: &Model) -> Applies {
    editable(model)?;
    unless(
        !some(model, State::Archived),
        "it is not archived; `.` shows archived memories",
    )
}

/// A version is selected that can be brought back.
pub fn version(model: &Model) -> Applies {
    writable(model)?;
    let Page::Versions(versions) = &model.page else {
        return Err(Refusal::Borrowed("no version is shown"));
    };
    let Some(version) = versions.current() else {
        return Err(Refusal::Borrowed("there is no earlier version"));
    };
    let now = versions.rows().first().map(|newest| &newest.text);
    unless(
        now == Some(&version.text),
        "the memory is as this version has it",
    )?;
    unless(
        version.step == Step::Deleted,
        "it was deleted in this version",
    )
}

/// The fix is shown and can be made.
pub fn planned(model: &Model) -> Applies {
    editable(model)?;
    let shown = matches!(&model.page, Page::Fix(proposal) if proposal.diff.is_some());
    unless(!shown, "the change is still being prepared")
}

/// There is something to explain: a finding, or what a task gives.
pub fn explained(model: &Model) -> Applies {
    if model.view == View::Lint {
        return openable(model);
    }
    row(model)?;
    unless(!model.inject.is_set(), "type a task first, with `t`")
}

/// There is something to suggest.
pub fn suggestion(model: &Model) -> Applies {
    editable(model)?;
    unless(
        suggest::suggestion(model).is_none(),
        "there is no suggestion here",
    )
}

/// A task is typed, and what is injected for it is known.
pub fn recordable(model: &Model) -> Applies {
    writable(model)?;
    unless(
        model.view != View::Inject || model.inject.expectation().is_none(),
        "type a task in the Inject view first",
    )
}

/// The preview is one of several stores.
pub fn several_parts(model: &Model) -> Applies {
    unless(
        model.view != View::Inject || model.inject.parts().is_empty(),
        "only in the Inject view, with several stores",
    )
}
