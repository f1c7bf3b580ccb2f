//! Walking from a memory to those that it has to do with, and links between them.

use super::super::links::{IN_TEXT, Neighbour, in_text, neighbours};
use super::super::msg::{Change, Effect};
use super::super::picker::{Choice, Picker, Subject, Tone};
use super::super::{Model, Overlay, View};
use crate::curate::link;
use crate::lint::mask;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, State};

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
    let choice = |one: &Neighbour| {
        let (tone, text) = match &one.memory {
            Some((_, title)) => (Tone::Text, title),
            None => (Tone::Warning, &one.name),
        };
        Choice {
            name: one.kind.clone(),
            text: mask(text).into_owned(),
            tone,
        }
    };
    let choices = rows.iter().map(choice).collect();
    let title = format!("Related to {}", memory.title);
    let picker = Picker::new(title, choices, Subject::Related(rows));
    model.overlay = Some(Overlay::Pick(picker));
    Vec::new()
}

/// Goes to the selected one, whatever the list is narrowed to.
pub(super) fn go(model: &mut Model, all: Vec<Neighbour>, row: usize) -> Effects {
    let Some(neighbour) = all.into_iter().nth(row) else {
        return Vec::new();
    };
    let Some((id, _)) = neighbour.memory else {
        let text = format!("{} is not in the store", neighbour.name);
        model.status.say(text, None);
        return Vec::new();
    };
    model.show(View::Browse);
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
    model.arrange();
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
    let title = format!("How is “{}” related to {others}?", memory.title);
    let kinds = || link::kinds(&memory);
    let choices = kinds().map(|spec| Choice::new(spec.name, spec.help));
    let names = kinds().map(|spec| spec.name).collect();
    let subject = Subject::Kinds(memory.id.clone(), to, names);
    let picker = Picker::new(title, choices.collect(), subject);
    model.overlay = Some(Overlay::Pick(picker));
    Vec::new()
}

/// Makes links that stand in a field.
pub(super) fn take(
    model: &mut Model,
    from: &MemoryId,
    to: &[MemoryId],
    field: Option<&str>,
) -> Effects {
    let memory = |id| model.world.memory(model.world.index_of(id)?);
    let (Some(field), Some(from)) = (field, memory(from)) else {
        return Vec::new();
    };
    let to: Vec<&Memory> = to.iter().filter_map(memory).map(|one| &**one).collect();
    match link::link(from, field, &to) {
        Ok(Change::Edit { edits, .. }) if edits.is_empty() => {
            model.status.say("these links exist already", None);
            Vec::new()
        }
        Ok(change) => model.apply(change),
        Err(why) => {
            model.status.fail(why, None);
            Vec::new()
        }
    }
}

/// Removes a link from the memory that names the other.
pub(super) fn unlink(model: &mut Model, neighbour: Option<&Neighbour>) -> Effects {
    let Some(neighbour) = neighbour else {
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
    model.apply(change)
}
