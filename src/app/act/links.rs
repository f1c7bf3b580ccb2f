//! Walking from a memory to those that it has to do with, and links between them.

use super::super::links::{Neighbour, in_text, neighbours};
use super::super::picker::{Choice, Picker, Subject, Tone};
use super::super::{Model, Overlay, View};
use crate::lint::mask;
use crate::memory::State;

pub fn open(model: &mut Model) {
    let Some(memory) = model.current().cloned() else {
        return;
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
        return;
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
}

/// Goes to the selected one, whatever the list is narrowed to.
pub(super) fn go(model: &mut Model, all: Vec<Neighbour>, row: usize) {
    let Some(neighbour) = all.into_iter().nth(row) else {
        return;
    };
    let Some((id, _)) = neighbour.memory else {
        let text = format!("{} is not in the store", neighbour.name);
        model.status.say(text, None);
        return;
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
}
