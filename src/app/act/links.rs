//! Walking from a memory to those that it has to do with, and links between them.

use super::super::links::{IN_TEXT, Kinds, Links, Neighbour, in_text, neighbours};
use super::super::msg::{Change, Effect};
use super::super::{Model, Overlay, update};
use crate::curate::link;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, State};

type Effects = Vec<Effect>;

pub fn open(model: &mut Model) -> Effects {
    let Some(memory) = model.current().cloned() else {
        return Vec::new();
    };
    let mut rows = neighbours(&model.world, &memory);
    if !memory.schema.can.links.is_empty() {
        // Those of the text that is shown, behind those of the fields.
        let body = model.reading.body();
        let mut linked = in_text(&model.world, &memory, body);
        let is_new = |one: &Neighbour| rows.iter().all(|row| row.name != one.name);
        linked.retain(is_new);
        rows.append(&mut linked);
    }
    if rows.is_empty() {
        model.status.say("no links to or from this memory", None);
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

/// Asks how the memory is linked to those that are selected.
pub fn link(model: &mut Model) -> Effects {
    let Some(memory) = model.current().cloned() else {
        return Vec::new();
    };
    let mut to = model.targets();
    to.retain(|id| *id != memory.id);
    if to.is_empty() {
        let text = "select the other memories with Space first";
        model.status.say(text, None);
        return Vec::new();
    }
    let others = match to.as_slice() {
        [one] => {
            let other = model
                .world
                .index_of(one)
                .and_then(|n| model.world.memory(n));
            other.map_or_else(String::new, |other| format!("“{}”", other.title))
        }
        many => format!("{} memories", many.len()),
    };
    model.overlay = Some(Overlay::Kinds(Kinds {
        from: memory.id.clone(),
        to,
        title: format!("How is “{}” related to {others}?", memory.title),
        rows: link::kinds(&memory)
            .map(|spec| (spec.name, spec.help))
            .collect(),
        row: 0,
    }));
    Vec::new()
}

/// Makes links of the selected kind.
pub fn take(model: &mut Model) -> Effects {
    let Some(Overlay::Kinds(kinds)) = model.overlay.take() else {
        return Vec::new();
    };
    let memory = |id| model.world.memory(model.world.index_of(id)?);
    let field = kinds.rows.get(kinds.row);
    let (Some((field, _)), Some(from)) = (field, memory(&kinds.from)) else {
        return Vec::new();
    };
    let to: Vec<&Memory> = kinds
        .to
        .iter()
        .filter_map(memory)
        .map(|one| &**one)
        .collect();
    match link::link(from, field, &to) {
        Ok(Change::Edit { edits, .. }) if edits.is_empty() => {
            model.status.say("these links exist already", None);
            Vec::new()
        }
        Ok(change) => update::apply(model, change),
        Err(why) => {
            model.status.fail(why, None);
            Vec::new()
        }
    }
}

/// Takes the selected link away, from the memory that names the other.
pub fn unlink(model: &mut Model) -> Effects {
    let Some(Overlay::Links(links)) = model.overlay.take() else {
        return Vec::new();
    };
    let Some(neighbour) = links.rows.get(links.row) else {
        return Vec::new();
    };
    let (id, field, index) = neighbour.at.clone();
    if field == IN_TEXT {
        model
            .status
            .say("the link is in the text: edit it there", None);
        return Vec::new();
    }
    // Its number is that of what is shown.
    let at = model.world.index_of(&id);
    let memory = at.and_then(|at| model.world.memory(at));
    let links = memory.and_then(|memory| memory.fields.get(field).cloned());
    let change = Change::Edit {
        ids: vec![id],
        edits: vec![FieldEdit::RemoveItem {
            field: field.to_owned(),
            index,
        }],
        seen: vec![(field.into(), links)],
    };
    update::apply(model, change)
}

fn turn(model: &mut Model, by: isize) -> Effects {
    let (row, rows) = match &mut model.overlay {
        Some(Overlay::Links(links)) => (&mut links.row, links.rows.len()),
        Some(Overlay::Kinds(kinds)) => (&mut kinds.row, kinds.rows.len()),
        Some(Overlay::Ways(ways)) => (&mut ways.row, ways.rows.len()),
        Some(Overlay::Changes(changes)) => (&mut changes.row, changes.rows.len()),
        Some(Overlay::Targets(targets)) => (&mut targets.row, targets.rows.len()),
        _ => return Vec::new(),
    };
    let rows = rows.max(1);
    let step = by.rem_euclid(isize::try_from(rows).unwrap_or(1));
    *row = (*row + step.unsigned_abs()) % rows;
    Vec::new()
}

pub fn down(model: &mut Model) -> Effects {
    turn(model, 1)
}

pub fn up(model: &mut Model) -> Effects {
    turn(model, -1)
}
