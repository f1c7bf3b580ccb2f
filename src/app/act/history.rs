//! Earlier versions of a memory, and taking changes back.

use std::sync::Arc;

use super::super::history::{Made, State, Versions, ago, next_redo};
use super::super::msg::{Change, Effect};
use super::super::picker::{Choice, Picker, Subject, Tone};
use super::super::questions::{ReadChanges, ReadVersions};
use super::super::slots::Settle;
use super::super::{Model, Overlay, Page, Proposal};
use super::pairs;

type Effects = Vec<Effect>;

/// Shows the versions of the memory.
pub fn open(model: &mut Model) -> Effects {
    let Some(memory) = model.current().cloned() else {
        return Vec::new();
    };
    let of = Arc::clone(&memory);
    model.page = Page::Versions(Box::new(Versions {
        of,
        all: None,
        row: 0,
        scroll: 0,
        blames: false,
    }));
    vec![model.slots.ask(ReadVersions(memory))]
}

fn turn(model: &mut Model, by: isize) -> Effects {
    if let Page::Versions(versions) = &mut model.page {
        versions.turn(by);
    }
    Vec::new()
}

pub fn older(model: &mut Model) -> Effects {
    turn(model, 1)
}

pub fn newer(model: &mut Model) -> Effects {
    turn(model, -1)
}

pub fn blame(model: &mut Model) -> Effects {
    if let Page::Versions(versions) = &mut model.page {
        versions.blames = !versions.blames;
        versions.scroll = 0;
    }
    Vec::new()
}

/// Shows what bringing the selected version back would change.
pub fn restore(model: &mut Model) -> Effects {
    let Page::Versions(versions) = &model.page else {
        return Vec::new();
    };
    let Some(version) = versions.current() else {
        return Vec::new();
    };
    let memory = &versions.of;
    let title = format!("restore {} to {}", memory.id, version.short());
    let change = Change::Version {
        id: memory.id.clone(),
        version: Arc::clone(version),
    };
    let proposal = Proposal {
        behind: Some(Box::new(model.page.clone())),
        ..Proposal::new(title, change, vec![Arc::clone(memory)])
    };
    pairs::propose(model, proposal)
}

/// Asks for the changes that memkeep made.
pub fn changes(model: &mut Model) -> Effects {
    vec![model.slots.ask(ReadChanges)]
}

impl Settle for ReadVersions {
    fn settle(versions: Self::Answer, model: &mut Model) -> Vec<Effect> {
        if let Page::Versions(page) = &mut model.page {
            page.all = Some(versions.map(|all| all.into_iter().map(Arc::new).collect()));
        }
        Vec::new()
    }
}

impl Settle for ReadChanges {
    fn settle(changes: Self::Answer, model: &mut Model) -> Vec<Effect> {
        list_changes(model, changes);
        Vec::new()
    }
}

/// Lists the changes that memkeep made.
pub fn list_changes(model: &mut Model, changes: Result<Vec<Made>, String>) {
    let all = match changes {
        Ok(all) if all.is_empty() => return model.status.say("memkeep changed nothing here", None),
        Ok(all) => all,
        Err(why) => return model.status.fail(why, None),
    };
    let redo = model.keymap.label("redo").unwrap_or_default();
    let next = next_redo(&all);
    let choices = all.iter().enumerate().map(|(n, made)| {
        let (tone, undone) = match made.state {
            State::Done => (Tone::Text, String::new()),
            _ if next == Some(n) => (Tone::Faint, format!("undone, {redo} does it again: ")),
            _ => (Tone::Faint, "undone: ".to_owned()),
        };
        let text = format!("{undone}{}", made.title);
        let name = ago(made.time, model.now);
        Choice { name, text, tone }
    });
    let choices = choices.collect();
    let picker = Picker::new("History of changes", choices, Subject::Changes(all));
    model.overlay = Some(Overlay::Pick(picker));
}

/// The effect that takes a change back or makes it again, or why neither can be done. Changes are
/// made again in order only, for each may rest on the one before.
pub fn take_back(changes: &[Made], row: usize) -> Result<Effect, String> {
    let next = next_redo(changes);
    let made = changes.get(row).ok_or("no change is selected")?;
    match made.state {
        State::Done => Ok(Effect::UndoOne(made.seq)),
        State::Undone if next == Some(row) => Ok(Effect::Redo),
        State::Dropped => Err("This change cannot be redone: another one followed it".to_owned()),
        State::Undone => {
            let title = next.and_then(|next| changes.get(next));
            let title = title.map_or("", |made| &made.title);
            Err(format!("Changes are redone in order: redo “{title}” first"))
        }
    }
}
