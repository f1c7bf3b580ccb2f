//! Lists to pick from, and lines that answer a question: moving, picking, leaving.

use super::super::command::Refusal;
use super::super::msg::Effect;
use super::super::picker::{Picker, Subject};
use super::super::prompt::{Prompt, Question};
use super::super::{Model, Overlay};
use super::{convert, edits, history, links, pairs, promote, review, themes, when};

type Effects = Vec<Effect>;

/// The list that is open.
fn open(model: &Model) -> Option<&Picker> {
    match &model.overlay {
        Some(Overlay::Pick(picker)) => Some(picker),
        _ => None,
    }
}

/// Applies unless the list changes a store and nothing may be written.
pub fn pickable(model: &Model) -> Result<(), Refusal> {
    match open(model).map(|picker| &picker.subject) {
        Some(Subject::Related(_) | Subject::Themes(_)) => Ok(()),
        _ => when::writable(model),
    }
}

/// Applies to a list of stores.
pub fn movable(model: &Model) -> Result<(), Refusal> {
    let is_open = open(model).is_some_and(|one| matches!(one.subject, Subject::Stores(..)));
    when::unless(!is_open, "no store is selected")?;
    when::writable(model)
}

/// Applies to the history of changes.
pub fn revertible(model: &Model) -> Result<(), Refusal> {
    let is_open = open(model).is_some_and(|one| matches!(one.subject, Subject::Changes(_)));
    when::unless(!is_open, "no change is selected")?;
    when::writable(model)
}

/// Applies to the list of themes.
pub fn themed(model: &Model) -> Result<(), Refusal> {
    let is_open = open(model).is_some_and(|one| matches!(one.subject, Subject::Themes(_)));
    when::unless(!is_open, "no theme is selected")
}

/// Takes the list away; its things and the selected row.
fn close(model: &mut Model) -> Option<(Subject, usize)> {
    match model.overlay.take() {
        Some(Overlay::Pick(picker)) => Some((picker.subject, picker.row)),
        other => {
            model.overlay = other;
            None
        }
    }
}

/// Does what the selected row stands for.
pub fn take(model: &mut Model) -> Effects {
    if let Some(picker) = open(model)
        && let Subject::Changes(all) = &picker.subject
    {
        return match history::take_back(all, picker.row) {
            Ok(effect) => {
                model.overlay = None;
                vec![effect]
            }
            Err(why) => {
                model.status.say(why, None);
                Vec::new()
            }
        };
    }
    match close(model) {
        Some((Subject::Related(all), row)) => {
            links::go(model, all, row);
            Vec::new()
        }
        Some((Subject::Stores(ids, stores), row)) => {
            convert::take(model, ids, stores.get(row), false)
        }
        Some((Subject::Ways(ways), row)) => promote::take(model, ways.into_iter().nth(row)),
        Some((Subject::Themes(_), _)) => themes::take(model),
        Some((Subject::Changes(_), _)) | None => Vec::new(),
    }
}

/// Moves the memories to the selected store.
pub fn move_there(model: &mut Model) -> Effects {
    match close(model) {
        Some((Subject::Stores(ids, stores), row)) => {
            convert::take(model, ids, stores.get(row), true)
        }
        _ => Vec::new(),
    }
}

/// Writes the selected theme into the configuration.
pub fn keep_theme(model: &mut Model) -> Effects {
    model.overlay = None;
    vec![Effect::KeepTheme(model.theme.clone())]
}

pub fn turn(model: &mut Model, by: isize) {
    if let Some(Overlay::Pick(picker)) = &mut model.overlay {
        picker.turn(by);
        if let (Subject::Themes(_), row) = (&picker.subject, picker.row) {
            themes::show(model, row);
        }
    }
}

/// Closes whatever stands over the panes; a theme that was tried is taken back.
pub fn leave(model: &mut Model) {
    if let Some((Subject::Themes(before), _)) = close(model) {
        themes::show(model, before);
    }
    model.overlay = None;
}

/// Does what the typed answer asks for.
pub fn accept(model: &mut Model) -> Effects {
    let Some(Overlay::Ask(Prompt { question, line })) = model.overlay.take() else {
        return Vec::new();
    };
    let typed = line.text().trim();
    let given = Some(typed.to_owned()).filter(|typed| !typed.is_empty());
    match question {
        Question::Cases => pairs::accept_scope(model, given),
        Question::Reason(found) => edits::accept_reason(model, found, given),
        Question::Message => review::accept_message(model, given),
    }
}
