//! What changes a store, and what shows it beforehand.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::command;
use super::super::hints::number;
use super::super::layout::{Room, room};
use super::super::msg::{Change, Effect};
use super::super::prompt::Question;
use super::super::status::{Again, Why};
use super::super::world::World;
use super::super::{Model, Page, Pane, Proposal, View, desk, lints, suggest};
use super::pairs;
use crate::curate::Silenced;
use crate::lint::decisions::silenced;
use crate::memory::{Memory, MemoryId, State};

type Effects = Vec<Effect>;

pub fn undo(_: &mut Model) -> Effects {
    vec![Effect::Undo]
}

pub fn redo(_: &mut Model) -> Effects {
    vec![Effect::Redo]
}

/// The targets that have a state.
pub(super) fn targets(model: &Model, state: State) -> Vec<MemoryId> {
    let memories = model.world.all_of(&model.targets()).into_iter();
    let memories = memories.filter(|memory| memory.state == state);
    memories.map(|memory| memory.id.clone()).collect()
}

pub fn archive(model: &mut Model) -> Effects {
    let ids = targets(model, State::Active);
    some(model, "archive", ids, |ids, _| Change::Archive(ids))
}

pub fn confirm(model: &mut Model) -> Effects {
    let ids = targets(model, State::Active);
    some(model, "confirm", ids, |ids, _| Change::Confirm(ids))
}

/// Asks why the finding is not to be reported any more.
pub fn silence(model: &mut Model) -> Effects {
    let finding = model.current_finding().and_then(|n| model.world.finding(n));
    let each = finding.iter().flat_map(|finding| finding.each());
    let found: Vec<_> = each
        .filter_map(|one| silenced(one, &model.world.memories))
        .collect();
    match found.is_empty() {
        true => Vec::new(),
        false => model.ask(Question::Reason(found), ""),
    }
}

/// Puts findings into the baseline.
pub(super) fn accept_reason(
    model: &mut Model,
    found: Vec<Silenced>,
    reason: Option<String>,
) -> Effects {
    model.apply(Change::Silence {
        found,
        reason,
        until: None,
    })
}

pub fn restore(model: &mut Model) -> Effects {
    let ids = targets(model, State::Archived);
    some(model, "restore", ids, |ids, _| Change::Restore(ids))
}

/// More memories than this are changed only when that is asked for again.
pub(super) const MANY: usize = 20;

/// Makes a change of some memories, or says that there are none for it. Of very many, and where
/// the change takes more with it than it names, the command has to be asked for again; the change
/// is told whether it was asked for in spite of a doubt.
fn some(
    model: &mut Model,
    command: &'static str,
    ids: Vec<MemoryId>,
    change: impl Fn(Vec<MemoryId>, bool) -> Change,
) -> Effects {
    if ids.is_empty() {
        model.status.say(
            "nothing to do: all selected memories are in that state already",
            None,
        );
        return Vec::new();
    }
    let again = model.asked_again.take();
    let again = again.filter(|again| again.command == command && again.ids == ids);
    match again.map(|again| again.why) {
        None if ids.len() > MANY || (ids.len() > 1 && model.joined().is_some()) => {
            let many = number(ids.len());
            let what = format!("{} {many} memories?", capital(command));
            ask_again(model, command, ids, (Why::Many, &what))
        }
        why => {
            let sure = why == Some(Why::Doubt);
            model.apply(change(ids, sure))
        }
    }
}

fn capital(word: &str) -> String {
    let mut rest = word.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}

/// Deletes; what goes with memories beside them is said, and done when it is asked for again.
pub fn delete(model: &mut Model) -> Effects {
    let ids = model.targets();
    some(model, "delete", ids, |ids, sure| Change::Delete {
        ids,
        sure,
    })
}

/// Lets memories expire at once; that is asked for again, for their system then drops them.
pub fn forget(model: &mut Model) -> Effects {
    let ids = targets(model, State::Active);
    let asked = model.asked_again.as_ref();
    let asked = asked.is_some_and(|again| again.command == "forget" && again.ids == ids);
    if !ids.is_empty() && !asked {
        let what = match ids.len() {
            1 => "The memory expires at once and its system drops it.".to_owned(),
            many => format!("{many} memories expire at once and their system drops them."),
        };
        return ask_again(model, "forget", ids, (Why::Doubt, &what));
    }
    some(model, "forget", ids, |ids, _| Change::Forget(ids))
}

/// Says what a command would do, and that it is done when it is asked for again.
pub(super) fn ask_again(
    model: &mut Model,
    command: &'static str,
    ids: Vec<MemoryId>,
    (why, what): (Why, &str),
) -> Effects {
    let key = |id| model.keymap.label(id).unwrap_or_default();
    let title = command::find(command).map_or(command, |command| command.title);
    let keys = format!("{} {title} · {} cancel", key(command), key("back"));
    model.status.say(what, Some(&keys));
    model.asked_again = Some(Again { command, ids, why });
    Vec::new()
}

pub fn demote(model: &mut Model) -> Effects {
    raise(model, false)
}

/// Shows what raising or lowering means to the system, with its doubts and the evidence; the same
/// key again does it.
pub(super) fn raise(model: &mut Model, up: bool) -> Effects {
    let ids = targets(model, State::Active);
    let of: Vec<_> = model.world.all_of(&ids).into_iter().cloned().collect();
    let change = Change::Promote {
        ids,
        up,
        sure: true,
    };
    if matches!(&model.page, Page::Fix(shown) if shown.diff.is_some() && shown.change == change) {
        return apply_fix(model);
    }
    let what = match of.as_slice() {
        [] => {
            model
                .status
                .say("archived memories are restored first", None);
            return Vec::new();
        }
        [one] => one.id.to_string(),
        many => format!("{} memories", number(many.len())),
    };
    let verb = if up { "promote" } else { "demote" };
    let behind = std::mem::replace(&mut model.page, Page::Usual);
    pairs::propose(
        model,
        Proposal {
            behind: Some(Box::new(behind)).filter(|page| !matches!(**page, Page::Fix(_))),
            ..Proposal::new(format!("{verb} {what}"), change, of)
        },
    )
}

pub fn explain(model: &mut Model) -> Effects {
    model.page = match model.page {
        Page::Explain => Page::Usual,
        _ => Page::Explain,
    };
    model.reading.scroll = 0;
    Vec::new()
}

pub fn take_suggestion(model: &mut Model) -> Effects {
    match suggest::suggestion(model) {
        Some(suggestion) => model.apply(suggestion.change),
        None => Vec::new(),
    }
}

pub fn fix(model: &mut Model) -> Effects {
    let finding = model.current_finding();
    match finding.and_then(|n| model.fix_of(n)) {
        Some(mut proposal) if model.lints.diff.is_some() && model.view == View::Lint => {
            proposal.diff = model.lints.diff.take();
            model.page = Page::Fix(Box::new(proposal));
            Vec::new()
        }
        Some(proposal) => pairs::propose(model, proposal),
        // A question has no fix but its answer.
        None => pairs::open(model),
    }
}

/// Shows what all fixes of the rule would change that can be made together unseen.
pub fn fix_rule(model: &mut Model) -> Effects {
    let rule = model
        .current_finding()
        .and_then(|n| Some(model.world.finding(n)?.rule));
    let Some(rule) = rule else {
        return Vec::new();
    };
    let shown = |finding: &_| super::when::in_filter(model, finding);
    let (fixes, left) = lints::fixes_of(&model.world, rule, shown);
    let of: HashSet<&MemoryId> = fixes.iter().filter_map(Change::fixed).collect();
    let linted = model.world.linted_all().iter();
    let of = linted
        .filter(|memory| of.contains(&memory.id))
        .cloned()
        .collect();
    let count = fixes.len();
    let what = if count == 1 { "fix" } else { "fixes" };
    let title = match left {
        0 => format!("apply {count} {what} of {rule}"),
        _ => format!("apply {count} {what} of {rule}, leave {left} for review"),
    };
    pairs::propose(model, Proposal::new(title, Change::SafeFixes(fixes), of))
}

pub fn apply_fix(model: &mut Model) -> Effects {
    match &model.page {
        // It would write the text that lint read over what was written since.
        Page::Fix(proposal) if is_outdated(&model.world, proposal) => {
            let what = "the file changed on disk: refreshing the preview";
            model.status.fail(what, None);
            Vec::new()
        }
        Page::Fix(proposal) => {
            let change = proposal.change.clone();
            model.answering.clone_from(&proposal.answering);
            model.apply(change)
        }
        _ => Vec::new(),
    }
}

/// Whether a memory is not as it was when the change was worked out.
fn is_outdated(world: &World, proposal: &Proposal) -> bool {
    let ids: Vec<MemoryId> = proposal.of.iter().map(|was| was.id.clone()).collect();
    let now: HashMap<&MemoryId, &Memory> = (world.all_of(&ids).into_iter())
        .map(|memory| (&memory.id, &**memory))
        .collect();
    let is_as_it_was =
        |was: &Arc<Memory>| now.get(&was.id).is_some_and(|now| now.stamp == was.stamp);
    !proposal.of.iter().all(is_as_it_was)
}

/// The findings are others: a fix that is shown is shown as it is now, where its memory changed.
pub fn fix_anew(model: &mut Model) -> Effects {
    let Page::Fix(proposal) = &model.page else {
        return Vec::new();
    };
    if !is_outdated(&model.world, proposal) {
        return Vec::new();
    }
    let new = (proposal.about.as_ref()).and_then(|(_, n)| model.fix_of(*n));
    // A merge is asked for of the two as they are now: they are shown first.
    let pair = match proposal.behind.as_deref() {
        Some(Page::Pair(pair)) => pair.renewed(&model.world),
        _ => None,
    };
    let what = match (&new, &pair) {
        (Some(_), _) => "the file changed on disk: this is the updated fix",
        (None, Some(_)) => "files changed on disk: review both again",
        (None, None) => "files changed on disk: review the fixes again",
    };
    model.status.fail(what, None);
    match new {
        Some(new) => pairs::propose(model, new),
        None => {
            model.page = pair.map_or(Page::Usual, |pair| Page::Pair(Box::new(pair)));
            Vec::new()
        }
    }
}

pub fn fields(model: &mut Model) -> Effects {
    desk::open_form(model)
}

pub fn body(model: &mut Model) -> Effects {
    let broken = model
        .current()
        .is_some_and(|memory| memory.fields.is_empty());
    desk::open_text(model, broken)
}

pub fn new(model: &mut Model) -> Effects {
    desk::open_new(model)
}

pub fn chapter(model: &mut Model) -> Effects {
    desk::open_chapter(model)
}

pub fn editor(model: &mut Model) -> Effects {
    let finding = model.lints.current().filter(|_| model.view == View::Lint);
    let finding = finding.and_then(|n| model.world.finding(n));
    // A text that is scrolled opens at the line that stands first.
    let head = model.reading.head;
    let text = model.reading.text().zip(model.extents.byte);
    let above = text.and_then(|(text, byte)| text.get(..head.saturating_add(byte)));
    let above = above.map_or(0, |above| above.matches('\n').count());
    let above = u32::try_from(above).unwrap_or(0);
    let open = model.current().map(|memory| Effect::OpenEditor {
        path: memory.path.to_path_buf(),
        line: finding.map_or(memory.line.saturating_add(above), |finding| finding.line),
    });
    open.into_iter().collect()
}

/// What is copied: what the person is on.
pub fn copy(model: &mut Model) -> Effects {
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
            None => return Vec::new(),
        },
    };
    model.status.say(format!("copied {what}"), None);
    vec![Effect::Copy(text)]
}

pub fn copy_path(model: &mut Model) -> Effects {
    let Some(memory) = model.current() else {
        return Vec::new();
    };
    let path = memory.path.display().to_string();
    model.status.say(format!("copied the path {path}"), None);
    vec![Effect::Copy(path)]
}
