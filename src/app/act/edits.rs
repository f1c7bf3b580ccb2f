//! Commands that change a store.

use std::collections::HashSet;

use super::super::command;
use super::super::layout::{Room, room};
use super::super::lints;
use super::super::msg::{Change, Effect};
use super::super::overlay::Question;
use super::super::proposal::{Proposal, propose};
use super::super::status::{Again, Why};
use super::super::{Model, Page, Pane, View, editor, pair, suggest};
use super::when;
use crate::lint::Finding;
use crate::memory::{MemoryId, State, number};

/// So many memories in words.
fn memories(count: usize) -> String {
    format!("{} memories", number(count))
}

/// Some memories in words: the id of one, or how many.
pub(super) fn named(ids: &[MemoryId]) -> String {
    match ids {
        [one] => one.to_string(),
        many => memories(many.len()),
    }
}

/// Some memories in words: the title of one, or how many.
pub(super) fn called(model: &Model, ids: &[MemoryId]) -> String {
    match model.world.all_of(ids).as_slice() {
        [one] => format!("“{}”", one.title),
        many => memories(many.len()),
    }
}

/// The targets that have a state.
pub fn targets(model: &Model, state: State) -> Vec<MemoryId> {
    let mut memories = model.world.all_of(&model.targets());
    memories.retain(|memory| memory.state == state);
    let memories = memories.into_iter();
    memories.map(|memory| memory.id.clone()).collect()
}

/// Lets memories expire at once; that is asked for again, for their system then drops them.
pub fn forget(model: &mut Model) {
    let ids = targets(model, State::Active);
    if ids.is_empty() {
        return change(model, "forget", ids, |ids, _| Change::Forget(ids));
    }
    if asked(model, "forget", &ids).is_some() {
        return model.apply(Change::Forget(ids));
    }
    let what = match ids.len() {
        1 => "The memory expires at once and its system drops it.".to_owned(),
        many => format!("{many} memories expire at once and their system drops them."),
    };
    ask_again(model, "forget", ids, (Why::Doubt, &what));
}

/// More memories than this are changed only when that is asked for again.
pub(super) const MANY: usize = 20;

/// Makes a change of some memories, or says that there are none for it. Of very many, and where
/// the change takes more with it than it names, the command has to be asked for again; the change
/// is told whether it was asked for in spite of a doubt.
pub fn change(
    model: &mut Model,
    command: &'static str,
    ids: Vec<MemoryId>,
    change: impl Fn(Vec<MemoryId>, bool) -> Change,
) {
    if ids.is_empty() {
        return model.say("nothing to do: all selected memories are in that state already");
    }
    match asked(model, command, &ids) {
        None if ids.len() > MANY || (ids.len() > 1 && model.joined().is_some()) => {
            let (first, rest) = command.split_at(1);
            let what = format!("{}{rest} {}?", first.to_uppercase(), memories(ids.len()));
            ask_again(model, command, ids, (Why::Many, &what))
        }
        why => model.apply(change(ids, why == Some(Why::Doubt))),
    }
}

/// Why a command was asked about, where it is asked for again of the same memories.
pub(super) fn asked(model: &mut Model, command: &str, ids: &[MemoryId]) -> Option<Why> {
    let again = model.asked_again.take();
    let again = again.filter(|again| again.command == command && again.ids == ids);
    again.map(|again| again.why)
}

/// Says what a command would do, and that it is done when it is asked for again.
pub fn ask_again(model: &mut Model, command: &'static str, ids: Vec<MemoryId>, of: (Why, &str)) {
    let (why, what) = of;
    let key = |id| model.key(id);
    let title = command::find(command).map_or(command, |command| command.title);
    let keys = format!("{} {title} · {} cancel", key(command), key("back"));
    model.status.say(what, Some(&keys));
    model.asked_again = Some(Again { command, ids, why });
}

/// Asks why the finding is not to be reported any more.
pub fn silence(model: &mut Model) {
    let each = model.on_finding().into_iter().flat_map(Finding::each);
    let found = each.filter_map(|one| one.silenced(&model.world.memories));
    let found: Vec<_> = found.collect();
    if !found.is_empty() {
        model.ask(Question::Reason(found), "");
    }
}

pub fn explain(model: &mut Model) {
    model.page = match model.page {
        Page::Explain => Page::Usual,
        _ => Page::Explain,
    };
    model.reading.scroll = 0;
}

pub fn take_suggestion(model: &mut Model) {
    if let Some(suggestion) = suggest::suggestion(model) {
        model.apply(suggestion.change);
    }
}

pub fn fix(model: &mut Model) {
    let finding = model.current_finding();
    match finding.and_then(|n| model.fix_of(n)) {
        Some(mut proposal) if model.lints.diff.is_some() && model.view == View::Lint => {
            proposal.diff = model.lints.diff.take();
            model.page = Page::Fix(Box::new(proposal));
        }
        Some(proposal) => propose(model, proposal),
        // A question has no fix but its answer.
        None => pair::open(model),
    }
}

/// Shows what all fixes of the rule would change that can be made together unseen.
pub fn fix_rule(model: &mut Model) {
    let Some(rule) = model.on_finding().map(|finding| finding.rule) else {
        return;
    };
    let shown = |finding: &_| when::in_filter(model, finding);
    let (fixes, left) = lints::fixes_of(&model.world, rule, shown);
    let of: HashSet<&MemoryId> = fixes.iter().filter_map(Change::fixed).collect();
    let linted = model.world.linted_all.iter();
    let of = linted.filter(|memory| of.contains(&memory.id)).cloned();
    let of = of.collect();
    let count = fixes.len();
    let what = if count == 1 { "fix" } else { "fixes" };
    let mut title = format!("apply {count} {what} of {rule}");
    if left > 0 {
        title.push_str(&format!(", leave {left} for review"));
    }
    propose(model, Proposal::new(title, Change::SafeFixes(fixes), of));
}

pub fn body(model: &mut Model) {
    let current = model.current();
    let is_broken = current.is_some_and(|memory| memory.fields.is_empty());
    editor::open_text(model, is_broken);
}

pub fn editor(model: &mut Model) {
    let finding = model.on_finding().filter(|_| model.view == View::Lint);
    if let Some(memory) = model.current() {
        let path = memory.path.to_path_buf();
        let line = finding.map_or(memory.line, |finding| finding.line);
        model.send(Effect::OpenEditor { path, line });
    }
}

/// Copies the text under the cursor.
pub fn copy(model: &mut Model) {
    let (width, height) = model.size;
    let reads = model.pane == Pane::Side
        && (model.view == View::Browse || room(width, height) < Room::Wide);
    let prompt = model.inject.preview().map(|preview| &preview.prompt);
    let (what, text) = match (model.pane, prompt, model.reading.text()) {
        (Pane::Prompt, Some(prompt), _) => ("the prompt".to_owned(), prompt.clone()),
        (Pane::Side, _, Some(text)) if reads => ("the text".to_owned(), text.to_owned()),
        (Pane::List, Some(_), _) if model.view == View::Inject => {
            ("the command line".to_owned(), model.command_line())
        }
        _ => match model.current() {
            Some(memory) => (format!("the id {}", memory.id), memory.id.to_string()),
            None => return,
        },
    };
    model.say(format!("copied {what}"));
    model.send(Effect::Copy(text));
}
