//! Earlier versions of a memory, and taking changes back.

use std::sync::Arc;

use super::super::history::{Changes, State, Versions};
use super::super::msg::{Change, Effect};
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
        match changes {
            Ok(rows) if rows.is_empty() => model.status.say("memkeep changed nothing here", None),
            Ok(rows) => model.overlay = Some(Overlay::Changes(Changes { rows, row: 0 })),
            Err(why) => model.status.fail(why, None),
        }
        Vec::new()
    }
}

/// Takes the selected change back, or makes it again. Changes are made again in order only, for
/// each may rest on the one before.
pub fn take_back(model: &mut Model) -> Effects {
    let Some(Overlay::Changes(changes)) = &model.overlay else {
        return Vec::new();
    };
    let Some(made) = changes.rows.get(changes.row) else {
        return Vec::new();
    };
    let next = changes.next_redo();
    let effect = match made.state {
        State::Done => Effect::UndoOne(made.seq),
        State::Undone if next == Some(changes.row) => Effect::Redo,
        State::Dropped => {
            let what = "This change cannot be redone: another one followed it";
            model.status.say(what.to_owned(), None);
            return Vec::new();
        }
        State::Undone => {
            let title = next.and_then(|next| changes.rows.get(next));
            let title = title.map_or("", |made| &made.title);
            let what = format!("Changes are redone in order: redo “{title}” first");
            model.status.say(what, None);
            return Vec::new();
        }
    };
    model.overlay = None;
    vec![effect]
}
