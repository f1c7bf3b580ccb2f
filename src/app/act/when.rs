//! Conditions of the commands: each is met, or says why the command does not apply.

use super::super::command::Refusal;
use super::super::inject::Part;
use super::super::layout::{Room, room};
use super::super::lints::members;
use super::super::proposal;
use super::super::queue::{Card, Decision};
use super::super::{Model, Page, View, pair};
use crate::curate::merge;
use crate::curate::versions::Step;
use crate::lint::{Finding, UNUSED};
use crate::memory::{Memory, Role, State};

/// True if a command applies.
type Applies = Result<(), Refusal>;

pub(super) const fn unless(refused: bool, why: &'static str) -> Applies {
    match refused {
        true => Err(Refusal::Borrowed(why)),
        false => Ok(()),
    }
}

/// A reason that is put together.
fn because(why: String) -> Applies {
    Err(Refusal::Owned(why))
}

/// True if something holds for the current memory.
fn current(model: &Model, holds: impl FnOnce(&Memory) -> bool) -> bool {
    model.current().is_some_and(|memory| holds(memory))
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

/// The person stands on a memory.
pub fn row(model: &Model) -> Applies {
    loaded(model)?;
    unless(model.current_index().is_none(), "no memory is selected")
}

/// The current row can be opened: a memory, a folded section, or folded findings.
pub fn openable(model: &Model) -> Applies {
    match model.view {
        View::Lint if model.lints.on_suggestions().is_some() => Ok(()),
        View::Browse if model.browse.folded_at(model.browse.cursor.row).is_some() => Ok(()),
        View::Browse if model.on_deleted().is_some() => Ok(()),
        _ => row(model),
    }
}

/// Two panes stand side by side.
pub fn two_panes(model: &Model) -> Applies {
    let is_wide = room(model.size) == Room::Wide && !model.zoom;
    unless(!is_wide, "no two panes stand side by side")
}

/// Something may be written.
pub fn writable(model: &Model) -> Applies {
    match &model.read_only {
        Some(why) => because(why.clone()),
        None => Ok(()),
    }
}

/// The person stands on a change.
pub fn reviewed(model: &Model) -> Applies {
    unless(model.review.current().is_none(), "nothing waits for review")
}

/// Other proposals say nearly the same.
pub fn alike(model: &Model) -> Applies {
    let card = model.review.current();
    let is_alone = card.is_none_or(|card| card.others.is_empty());
    unless(is_alone, "no other proposal says nearly the same")
}

/// The change may be accepted: it brings no secret and no instruction to the reader.
pub fn acceptable(model: &Model) -> Applies {
    unrejected(model)?;
    let Some(found) = model.review.current().and_then(Card::warning) else {
        return Ok(());
    };
    let rule = found.rule;
    let [body, anyway] = ["edit-body", "keep-anyway"].map(|id| model.key(id));
    because(format!("{rule}: {body} edits it, {anyway} keeps it anyway"))
}

/// The change is not rejected yet.
pub fn unrejected(model: &Model) -> Applies {
    match model.review.decision(model.review.cursor.row) {
        Some(Decision::Rejected) => undecided(model),
        _ => Ok(()),
    }
}

/// The change is neither accepted nor rejected.
pub fn undecided(model: &Model) -> Applies {
    reviewed(model)?;
    let decision = model.review.decision(model.review.cursor.row);
    let undo = model.key("undo");
    match model.review.decided().and(decision).map(Decision::word) {
        None => Ok(()),
        Some(word) => because(format!("it is {word}: {undo} takes that back")),
    }
}

/// The change brings a secret or an instruction to the reader.
pub fn warned(model: &Model) -> Applies {
    let warning = model.review.current().and_then(Card::warning);
    let why = "it adds no secret and no instruction: accept it";
    unless(warning.is_none(), why)
}

/// Changes of this kind wait that carry no warning.
pub fn all_acceptable(model: &Model) -> Applies {
    unless(!model.review.is_assessed, "still looking for warnings")?;
    let why = "each change of this kind is decided or carries a warning";
    unless(model.review.alike().is_empty(), why)
}

/// Something is staged.
pub fn committable(model: &Model) -> Applies {
    let is_empty = model.review.staged().next().is_none();
    unless(is_empty, "nothing is accepted yet")
}

/// The current row is one memory, and no finding that stands for several.
pub fn single(model: &Model) -> Applies {
    row(model)?;
    let Some(many) = model.joined().and_then(members) else {
        return Ok(());
    };
    let [fix, archive, delete] = ["fix", "archive", "delete"].map(|id| model.key(id));
    because(format!(
        "the finding is about {many} memories: {fix}, {archive} and {delete} act on all of them"
    ))
}

/// The person stands on one memory that has fields.
pub fn has_fields(model: &Model) -> Applies {
    if !current(model, |one| {
        one.schema.fields.is_empty() && one.fields.is_empty()
    }) {
        return Ok(());
    }
    let body = model.key("edit-body");
    because(format!("its format has no fields: {body} edits the text"))
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
pub fn no_context(model: &Model) -> Applies {
    let context = model.current().filter(|one| one.schema.can.context);
    let Some(memory) = context else {
        return Ok(());
    };
    let name = memory.path.file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let key = model.hint("edit-file", "opens it in $EDITOR");
    let key = key.map_or(String::new(), |key| format!(": {key}"));
    because(format!("{name} is read-only context{key}"))
}

/// The memory stands in a file of text.
pub fn has_file(model: &Model) -> Applies {
    let is_drawn = current(model, |memory| memory.schema.can.in_rows);
    let why = "its text comes from its fields; edit those with `e`";
    unless(is_drawn, why)
}

/// The memory names others, or may be named by them.
pub fn related(model: &Model) -> Applies {
    let has_links = |memory: &Memory| {
        memory.schema.role(Role::Relations).is_some() || !memory.schema.can.links.is_empty()
    };
    unless(!current(model, has_links), "its format has no links")
}

/// The memory's system can be told to forget it.
pub fn forgettable(model: &Model) -> Applies {
    let forgets = current(model, |memory| memory.schema.can.forgets);
    unless(!forgets, "its system cannot forget; archive or delete it")
}

/// True if some target has this state.
fn some(model: &Model, state: State) -> bool {
    selects(model) || current(model, |memory| memory.state == state)
}

/// True if memories are selected in the list.
fn selects(model: &Model) -> bool {
    // Hints ask this for every frame: what was picked is only gone through when it is used.
    let picked = !model.browse.picked.is_empty() || model.browse.range.is_some();
    picked && model.view == View::Browse
}

/// A memory can be written.
pub fn addable(model: &Model) -> Applies {
    let has_none = model.world.schemas.is_empty();
    unless(has_none, "there is no store to write to")
}

/// The memory is in use: it can be put aside, or said to be still right.
pub fn active(model: &Model) -> Applies {
    unless(!some(model, State::Active), "it is archived already")
}

/// The memory can be brought back.
pub fn restorable(model: &Model) -> Applies {
    let why = "it is not archived; `.` shows archived memories";
    unless(!some(model, State::Archived), why)
}

/// A version is selected that can be brought back.
pub fn version(model: &Model) -> Applies {
    let Page::Versions(versions) = &model.page else {
        return unless(true, "no version is shown");
    };
    let version = versions.current().ok_or("there is no earlier version")?;
    let now = versions.rows().first().map(|newest| &newest.text);
    let is_same = now == Some(&version.text);
    unless(is_same, "already this version")?;
    let is_gone = version.step == Step::Deleted;
    unless(is_gone, "it was deleted in this version")
}

/// The fix is shown and can be made.
pub fn planned(model: &Model) -> Applies {
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
    let suggestion = proposal::suggestion(model);
    unless(suggestion.is_none(), "there is no suggestion here")
}

/// A task is typed, and what is injected for it is known.
pub fn recordable(model: &Model) -> Applies {
    let is_typed = model.view == View::Inject && model.inject.expectation().is_some();
    unless(!is_typed, "type a task in the Inject view first")
}

/// There are rows below the task box, or dialects to choose from.
pub fn task_rows(model: &Model) -> Applies {
    let inject = &model.inject;
    let has_rows = !inject.saved.all.is_empty() || model.rows() > 0;
    let has_rows = has_rows || inject.part == Part::Dialect;
    unless(!has_rows, "nothing is listed yet")
}

/// The preview is one of several stores.
pub fn several_parts(model: &Model) -> Applies {
    let has_parts = model.view == View::Inject && !model.inject.parts().is_empty();
    let why = match model.view {
        View::Inject => "only with several stores and a task",
        _ => "only in the Inject view, with several stores",
    };
    unless(!has_parts, why)
}

/// There are findings.
pub fn findings(model: &Model) -> Applies {
    let why = "lint is still running: try again in a moment";
    unless(!model.lints.known, why)?;
    unless(model.world.findings().is_empty(), "there are no findings")
}

/// The person stands on a finding.
fn finding(model: &Model) -> Result<&Finding, Refusal> {
    editable(model)?;
    findings(model)?;
    let finding = model.on_finding();
    finding.ok_or("this memory has no finding; `n` goes to the next".into())
}

/// The finding has a fix.
pub fn fixable(model: &Model) -> Applies {
    let finding = finding(model)?;
    if finding.fix.is_some() || finding.asks() {
        return Ok(());
    }
    let [fields, body] = ["edit-fields", "edit-body"].map(|id| model.key(id));
    because(format!(
        "No automatic fix. Press {fields} or {body} to edit."
    ))
}

/// The finding can be put among those that are not reported.
pub fn silenceable(model: &Model) -> Applies {
    let is_silence = finding(model)?.rule == UNUSED;
    unless(is_silence, "it is about a silence; `f` removes that")
}

/// The finding is about two memories.
pub fn asking(model: &Model) -> Applies {
    let why = "no finding compares this memory with another";
    unless(pair::question(model).is_none(), why)
}

/// An answer can be made.
pub fn answerable(model: &Model) -> Applies {
    let is_read = matches!(&model.page, Page::Pair(pair) if pair.is_current(&model.world));
    let why = "both memories are still loading, or one cannot be read";
    unless(!is_read, why)
}

/// One memory can be made of the two.
pub fn mergeable(model: &Model) -> Applies {
    let Page::Pair(pair) = &model.page else {
        return Ok(());
    };
    let [a, b] = pair.sides.each_ref().map(|side| &side.memory);
    let Some(why) = merge::refusal(a, b) else {
        return Ok(());
    };
    if a.schema.format == b.schema.format {
        return because(why.to_string());
    }
    let [a, b] = ["keep-a", "keep-b"].map(|id| model.key(id));
    because(format!(
        "{why}; write what both say into one, then keep it with {a} or {b}"
    ))
}

/// True if a finding is among those that are listed: what the filter hides from the list of
/// findings is not changed from there.
pub fn in_filter(model: &Model, finding: &Finding) -> bool {
    model.view != View::Lint || model.lints.in_filter(&model.world, finding)
}

/// The rule of the finding has fixes.
pub fn rule_fixable(model: &Model) -> Applies {
    let finding = model.on_finding();
    let rule = finding.map_or("", |finding| finding.rule);
    let findings = model.world.findings().iter();
    let findings = findings.filter(|one| one.rule == rule && in_filter(model, one));
    let mut fixes = findings.filter_map(|one| one.fix.as_deref()).peekable();
    let has_some = fixes.peek().is_some();
    if fixes.any(|fix| fix.safe) {
        return Ok(());
    }
    let asks = finding.is_some_and(Finding::asks);
    unless(asks, "these pairs are decided one by one, with `=`")?;
    unless(!has_some, "no finding of this rule has an automatic fix")?;
    let fix = model.key("fix");
    because(format!("Review these fixes one by one with {fix}"))
}
