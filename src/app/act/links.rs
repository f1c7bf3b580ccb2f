//! Walking from a memory to those that it has to do with. None of it changes a store.

use super::super::links::{Links, neighbours};
use super::super::msg::Effect;
use super::super::{Model, Overlay, update};
use crate::memory::State;

type Effects = Vec<Effect>;

pub fn open(model: &mut Model) -> Effects {
    let Some(memory) = model.current().cloned() else {
        return Vec::new();
    };
    let rows = neighbours(&model.world, &memory);
    if rows.is_empty() {
        model
            .status
            .say("it names no memory, and none names it", None);
        return Vec::new();
    }
    model.overlay = Some(Overlay::Links(Links {
        of: memory.title.to_string(),
        rows,
        row: 0,
    }));
    Vec::new()
}

/// Goes to the selected one, whatever the list is narrowed to.
pub fn go(model: &mut Model) -> Effects {
    let Some(Overlay::Links(links)) = model.overlay.take() else {
        return Vec::new();
    };
    let Some(neighbour) = links.rows.get(links.row) else {
        return Vec::new();
    };
    let Some((id, _)) = neighbour.memory.clone() else {
        let text = format!("{} is not in the store", neighbour.name);
        model.status.say(text, None);
        return Vec::new();
    };
    super::views::browse(model);
    let index = model.world.index_of(&id);
    let memory = index.and_then(|index| model.world.memory(index));
    if memory.is_some_and(|memory| memory.state == State::Archived) {
        model.browse.archived = true;
    }
    let listed = |n: &u32| Some(*n as usize) == index;
    if !model.browse.rows.iter().any(listed) {
        model.browse.filter.line.clear();
        model.browse.filter.hits = None;
    }
    model.browse.cursor.chosen = Some(id);
    update::arrange(model);
    Vec::new()
}

fn turn(model: &mut Model, by: isize) -> Effects {
    if let Some(Overlay::Links(links)) = &mut model.overlay {
        let rows = links.rows.len().max(1);
        let step = by.rem_euclid(isize::try_from(rows).unwrap_or(1));
        links.row = (links.row + step.unsigned_abs()) % rows;
    }
    Vec::new()
}

pub fn down(model: &mut Model) -> Effects {
    turn(model, 1)
}

pub fn up(model: &mut Model) -> Effects {
    turn(model, -1)
}
