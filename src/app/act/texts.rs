//! Typing: the filter, the task box, the palette, and the offer of a draft.

use super::super::command;
use super::super::inject::Part;
use super::super::key::{Key, LineEdit, Step};
use super::super::line::Line;
use super::super::msg::Effect;
use super::super::{Focus, Model, Overlay, View, editor};
use super::moves;
use crate::search::query::complete;

/// A key that no command has: text where text is typed.
pub fn typed(model: &mut Model, key: Key) {
    if model.focus() == Focus::Task && model.inject.line().is_none() {
        match key.line_edit() {
            Some(LineEdit::Go(Step::Left)) => model.inject.turn_dialect(-1),
            Some(LineEdit::Go(Step::Right) | LineEdit::Insert(' ')) => model.inject.turn_dialect(1),
            _ => {}
        }
        return;
    }
    let is_typed = write(model, |line| {
        line.key(key);
    });
    if !is_typed {
        // Says that the key does nothing here, and which one tells what the others do.
        let all = model.keymap.labels("palette");
        let is_pane = matches!(model.focus(), Focus::Pane(_));
        let hint = all.last().filter(|_| is_pane);
        let hint = hint.map(|all| format!("{all} lists all keys"));
        let text = format!("{key} does nothing here");
        model.status.say(text, hint.as_deref());
    }
}

/// Changes the line that is typed in; false where there is none.
fn write(model: &mut Model, change: impl FnOnce(&mut Line)) -> bool {
    let line = match model.focus() {
        Focus::Palette => {
            palette(model, change);
            return true;
        }
        Focus::Filter => Some(&mut model.browse.filter.line),
        Focus::Task => {
            model.inject.saved.row = None;
            model.inject.line()
        }
        _ => match &mut model.overlay {
            Some(Overlay::Ask(_, line)) => Some(line),
            _ => None,
        },
    };
    line.map(change).is_some()
}

/// Pasted text is text where text is typed, and nothing elsewhere, which is said.
pub fn paste(model: &mut Model, text: &str) {
    if model.focus() == Focus::Editor {
        return editor::paste(model, text);
    }
    if !write(model, |line| line.paste(text)) {
        let what = "paste ignored: there is no text field here";
        model.status.say(what, None);
    }
}

/// Changes what is typed into the palette and searches anew.
fn palette(model: &mut Model, change: impl FnOnce(&mut Line)) {
    if let Some(Overlay::Palette(mut palette)) = model.overlay.take() {
        let before = palette.line.text().to_owned();
        change(&mut palette.line);
        if palette.line.text() != before {
            palette.search(model);
        }
        model.overlay = Some(Overlay::Palette(palette));
    }
}

pub fn leave_filter(model: &mut Model) {
    model.browse.filter.editing = false;
}

/// Goes to the list. The row that stands there is gone to.
pub fn accept_filter(model: &mut Model) {
    if model.view == View::Browse {
        let row = model.browse.cursor.row;
        model.browse.go(&model.world, row);
    }
    model.browse.filter.texts = true;
    leave_filter(model);
}

/// Completes what stands before the cursor as far as it is sure, and lists what could follow.
pub fn complete_filter(model: &mut Model) {
    let (schemas, memories) = (&model.world.schemas, &model.world.memories);
    let line = &mut model.browse.filter.line;
    let mut found = complete(line.text(), line.before().len(), schemas, memories);
    let typed = line.before().get(found.from..).unwrap_or_default().len();
    let common = found.common().to_owned();
    if common.len() >= typed && !common.is_empty() {
        line.complete(found.from, &common);
    }
    // The name of a field is the beginning: what it can have follows.
    if found.candidates.len() == 1 && common.ends_with(':') {
        found = complete(line.text(), line.before().len(), schemas, memories);
    } else if found.candidates.len() == 1 {
        found.candidates.clear();
    } else if found.candidates.is_empty() {
        model.status.say("no completion", None);
    }
    model.browse.filter.candidates = found.candidates;
}

/// Takes the chosen task, or goes to the ranking.
pub fn accept_task(model: &mut Model) {
    model.inject.take_saved();
    leave_task(model);
}

pub fn leave_task(model: &mut Model) {
    if model.inject.saved.row.take().is_none() {
        model.inject.editing = false;
        model.inject.part = Part::Text;
    }
}

pub fn turn_part(model: &mut Model, by: isize) {
    model.inject.part = model.inject.part.turned(by);
}

/// Goes to another dialect, saved task or row of the ranking.
pub fn turn_task(model: &mut Model, by: isize) {
    if model.inject.part == Part::Dialect {
        model.inject.turn_dialect(by);
    } else if !model.inject.turn_saved(by) {
        moves::step(model, by);
    }
}

pub fn run_selected(model: &mut Model) {
    let Some(Overlay::Palette(palette)) = &model.overlay else {
        return;
    };
    match palette.selected().cloned() {
        Some((command, None)) => {
            model.overlay = None;
            command::run(model, command);
        }
        Some((command, Some(why))) => {
            let text = format!("{}: {why}", command.title);
            model.status.say(text, None);
        }
        None => {}
    }
}

/// Goes half a screen of commands further, or back.
pub fn page_palette(model: &mut Model, by: isize) {
    if let Some(Overlay::Palette(palette)) = &mut model.overlay {
        let last = palette.hits.len().saturating_sub(1);
        let page = isize::try_from(model.size.1 / 2).unwrap_or(1);
        palette.row = palette.row.saturating_add_signed(by * page).min(last);
    }
}

pub fn restore_draft(model: &mut Model) {
    let Some(Overlay::Draft(draft)) = model.overlay.take() else {
        return;
    };
    editor::open_draft(model, draft);
    if model.editor.is_some() {
        model.unsaved = None;
        model.send(Effect::TakeDraft);
    }
}

pub fn show_draft(model: &mut Model) {
    let draft = model.unsaved.as_ref().map(|(draft, _)| draft.clone());
    model.overlay = draft.map(Overlay::Draft);
}

pub fn leave_draft(model: &mut Model) {
    model.overlay = None;
    if let Some((_, is_offered)) = &mut model.unsaved {
        *is_offered = false;
    }
}

pub fn discard_draft(model: &mut Model) {
    leave_draft(model);
    let again = model.keymap.label("unsaved-text").unwrap_or_default();
    let hint = format!("{again} brings it back");
    model.status.say("unsaved text discarded", Some(&hint));
    model.send(Effect::DiscardDraft);
}
