//! The right side: lines that scroll, in a frame.

use ratatui::layout::Position;

use super::lines::scrolled;
use super::pen::{Frame, Pen};
use super::reading;
use super::theme::Role;
use super::words;
use crate::app::desk::Desk;
use crate::app::layout::Areas;
use crate::app::{Focus, Model, Page, Pane, View};
use crate::memory::MemoryId;

/// Draws the right side; how far it can be scrolled, and where it was, the first byte of the body
/// that it shows.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> (usize, Option<usize>) {
    if areas.side.is_empty() || model.desk.is_some() {
        return (0, None);
    }
    let area = areas.inner();
    let mut frame = Frame {
        focused: matches!(model.focus(), Focus::Pane(Pane::Side)) || model.covers_list(),
        ..Frame::default()
    };
    let most = scrolled_to(model).saturating_add(usize::from(area.height) + 1);
    let width = usize::from(area.width);
    let lines = match (&model.page, model.view) {
        (Page::Fix(proposal), _) => super::lint::fix(pen, model, proposal, width, &mut frame),
        (Page::Pair(pair), _) => super::pair::page(pen, model, pair, width, &mut frame),
        (Page::Versions(versions), _) => {
            let room = (width, usize::from(area.height));
            super::history::page(pen, model, versions, room, &mut frame)
        }
        (Page::Explain, View::Lint) => super::lint::explained(pen, model, width, most, &mut frame),
        (Page::Explain, _) | (Page::Usual, View::Inject) => {
            super::explain::page(pen, model, width, &mut frame)
        }
        (Page::Usual, View::Lint) => super::lint::page(pen, model, width, most, &mut frame),
        (Page::Usual, View::Review) => super::review::page(pen, model, width, &mut frame),
        (Page::Usual, View::Browse) => reading::page(pen, model, width, most, &mut frame),
    };
    if areas.page.y > areas.side.y {
        pen.frame(areas.side, areas.borders, frame);
    }
    let from = scrolled_to(model);
    let limit = scrolled(pen, area, &lines, from);
    let mut shown = lines
        .bytes
        .iter()
        .filter(|(line, _)| *line >= from.min(limit));
    let byte = shown.next().map(|(_, byte)| *byte);
    (limit, byte.filter(|_| from > 0))
}

/// The first line of the right side that is on the screen.
const fn scrolled_to(model: &Model) -> usize {
    match &model.page {
        Page::Fix(proposal) => proposal.scroll,
        Page::Pair(pair) => pair.scroll,
        Page::Versions(versions) => versions.scroll,
        Page::Usual | Page::Explain => model.reading.scroll,
    }
}

/// Draws what is being edited in the place of the right side; says where the cursor is.
pub fn desk(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    let desk = model.desk.as_ref()?;
    let title_of = |id: &MemoryId| {
        let current = model.current().filter(|memory| memory.id == *id);
        let found = current.or_else(|| model.world.memory(model.world.index_of(id)?));
        found.map_or_else(
            || id.to_string(),
            |memory| words::title(memory).into_owned(),
        )
    };
    let title = match desk {
        Desk::Form { form, .. } => form.title(),
        Desk::Opening { id, .. } => title_of(id),
        Desk::Text(writing) => title_of(&writing.id),
        Desk::Conflict { writing, .. } => format!("{} changed on disk", title_of(&writing.id)),
    };
    if areas.page.y > areas.side.y {
        let title = vec![pen.text(Role::Title, &title)];
        let frame = Frame {
            title,
            focused: true,
            ..Frame::default()
        };
        pen.frame(areas.side, areas.borders, frame);
    }
    let area = areas.inner();
    let moves = model.inject.moves.as_ref();
    match desk {
        Desk::Opening { .. } => None,
        Desk::Form { form, .. } => {
            let effects = (moves, &*model.inject.saved.effects);
            super::form::draw(form, effects, pen.theme, area, pen.buffer)
        }
        Desk::Text(writing) => super::editor::draw(&writing.editor, pen.theme, area, pen.buffer),
        Desk::Conflict { conflict, .. } => {
            super::conflict::draw(conflict, pen.theme, area, pen.buffer)
        }
    }
}
