//! Earlier versions of a memory, and taking changes back.

use std::sync::Arc;

use super::super::history::{Made, State, Versions, ago, next_redo};
use super::super::msg::{Change, Effect, Question, Slot};
use super::super::picker::{Choice, Picker, Subject, Tone};
use super::super::proposal::{Proposal, propose};
use super::super::{Model, Overlay, Page};
use crate::curate::Version;
use crate::memory::Memory;

type Effects = Vec<Effect>;

/// Reads the versions of a memory, newest first.
#[derive(Debug)]
pub struct ReadVersions(pub Arc<Memory>);

impl Question for ReadVersions {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = Result<Vec<Version>, String>;

    fn settle(versions: Self::Answer, model: &mut Model) -> Effects {
        if let Page::Versions(page) = &mut model.page {
            page.all = Some(versions.map(|all| all.into_iter().map(Arc::new).collect()));
        }
        Vec::new()
    }
}

/// Reads the changes that memkeep made, newest first.
#[derive(Debug)]
pub struct ReadChanges;

impl Question for ReadChanges {
    const SLOT: Slot = "history";
    const AWAITED: bool = true;
    type Answer = Result<Vec<Made>, String>;

    fn settle(changes: Self::Answer, model: &mut Model) -> Effects {
        match changes {
            Ok(all) if all.is_empty() => model.status.say("memkeep changed nothing here", None),
            Ok(all) => list(model, all),
            Err(why) => model.status.fail(why, None),
        }
        Vec::new()
    }
}

/// Shows the versions of the memory.
pub fn open(model: &mut Model) -> Effects {
    let Some(memory) = model.current().cloned() else {
        return Vec::new();
    };
    model.page = Page::Versions(Box::new(Versions {
        of: Arc::clone(&memory),
        all: None,
        row: 0,
        scroll: 0,
        blames: false,
    }));
    vec![model.slots.ask(ReadVersions(memory))]
}

pub fn turn(model: &mut Model, by: isize) {
    if let Page::Versions(versions) = &mut model.page {
        versions.turn(by);
    }
}

pub fn blame(model: &mut Model) {
    if let Page::Versions(versions) = &mut model.page {
        versions.blames = !versions.blames;
        versions.scroll = 0;
    }
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
    propose(model, proposal)
}

/// Asks for the changes that memkeep made.
pub fn changes(model: &mut Model) -> Effects {
    vec![model.slots.ask(ReadChanges)]
}

/// Lists the changes that memkeep made.
fn list(model: &mut Model, all: Vec<Made>) {
    let redo = model.keymap.label("redo").unwrap_or_default();
    let next = next_redo(&all);
    let choices = all.iter().enumerate().map(|(n, made)| {
        let (tone, undone) = match made.state {
            State::Done => (Tone::Text, String::new()),
            _ if next == Some(n) => (Tone::Faint, format!("undone, {redo} does it again: ")),
            _ => (Tone::Faint, "undone: ".to_owned()),
        };
        Choice {
            name: ago(made.time, model.now),
            text: format!("{undone}{}", made.title),
            tone,
        }
    });
    let choices = choices.collect();
    let picker = Picker::new("History of changes", choices, Subject::Changes(all));
    model.overlay = Some(Overlay::Pick(picker));
}

/// Takes a change back or makes it again; says why neither can be done, and lists them again then.
/// Changes are made again in order only, for each may rest on the one before.
pub fn take_back(model: &mut Model, changes: Vec<Made>, row: usize) -> Effects {
    let next = next_redo(&changes);
    let why = match changes.get(row).map(|made| (made.state, made.seq)) {
        Some((State::Done, seq)) => return vec![Effect::UndoOne(seq)],
        Some((State::Undone, _)) if next == Some(row) => return vec![Effect::Redo],
        Some((State::Undone, _)) => {
            let title = next.and_then(|next| changes.get(next));
            let title = title.map_or("", |made| &made.title);
            format!("Changes are redone in order: redo “{title}” first")
        }
        _ => "This change cannot be redone: another one followed it".to_owned(),
    };
    model.status.say(why, None);
    list(model, changes);
    if let Some(Overlay::Pick(picker)) = &mut model.overlay {
        picker.row = row;
    }
    Vec::new()
}
