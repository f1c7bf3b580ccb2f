//! The right side: the page that the model asks for, or what is being edited in its place.

use ratatui::layout::Position;

use super::pen::{Frame, Pen};
use super::sheet::Sheet;
use super::theme::Role;
use super::{diff, editor, explain, form, history, lint, pair, reading, review, words};
use crate::app::desk::Desk;
use crate::app::layout::Areas;
use crate::app::{Focus, Model, Page, Pane, View};
use crate::memory::MemoryId;

/// Draws the right side; how far it can be scrolled, and where it was, the first byte of the body
/// that it shows.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> (usize, Option<usize>) {
    let area = areas.inner();
    let from = match (&model.desk, &model.page) {
        (Some(Desk::Conflict { conflict, .. }), _) => conflict.scroll,
        (Some(_), _) => return (0, None),
        (None, Page::Fix(proposal)) => proposal.scroll,
        (None, Page::Pair(pair)) => pair.scroll,
        (None, Page::Versions(versions)) => versions.scroll,
        (None, Page::Usual | Page::Explain) => model.reading.scroll,
    };
    if areas.side.is_empty() {
        return (0, None);
    }
    let mut sheet = Sheet::new(pen.theme, area, from);
    if let Some(Desk::Conflict { conflict, .. }) = &model.desk {
        sheet.lines = diff::conflict(conflict, pen.theme, sheet.width);
        return (sheet.draw(pen, area, from), None);
    }
    match (&model.page, model.view) {
        (Page::Fix(proposal), _) => lint::fix(&mut sheet, model, proposal),
        (Page::Pair(pair), _) => pair::page(&mut sheet, model, pair),
        (Page::Versions(versions), _) => history::page(&mut sheet, model, versions),
        (Page::Explain, View::Lint) => lint::explained(&mut sheet, model),
        (Page::Explain, _) | (Page::Usual, View::Inject) => explain::page(&mut sheet, model),
        (Page::Usual, View::Lint) => lint::page(&mut sheet, model),
        (Page::Usual, View::Review) => review::page(&mut sheet, model),
        (Page::Usual, View::Browse) => reading::page(&mut sheet, model),
    }
    if areas.page.y > areas.side.y {
        let focused = matches!(model.focus(), Focus::Pane(Pane::Side)) || model.covers_list();
        pen.frame(areas.side, areas.borders, sheet.frame(focused));
    }
    let limit = sheet.draw(pen, area, from);
    let mut shown = sheet.bytes.iter();
    let byte = shown.find(|(line, _)| *line >= from.min(limit));
    (limit, byte.map(|(_, byte)| *byte).filter(|_| from > 0))
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
    match desk {
        Desk::Opening { .. } | Desk::Conflict { .. } => None,
        Desk::Form { form, .. } => {
            let effects = (model.inject.moves.as_ref(), &*model.inject.saved.effects);
            form::draw(form, effects, pen.theme, area, pen.buffer)
        }
        Desk::Text(writing) => editor::draw(&writing.editor, pen.theme, area, pen.buffer),
    }
}
