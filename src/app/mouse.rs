//! The mouse: a click selects, the wheel scrolls what is under it.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::act::moves;
use super::layout::areas;
use super::{Focus, Model, Pane, View};

/// Rows that one turn of the wheel scrolls.
const WHEEL: isize = 3;

/// Handles an event of the mouse.
pub fn mouse(model: &mut Model, event: MouseEvent) {
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => click(model, at),
        MouseEventKind::ScrollDown => wheel(model, at, WHEEL),
        MouseEventKind::ScrollUp => wheel(model, at, -WHEEL),
        _ => {}
    }
}

fn wheel(model: &mut Model, at: Position, by: isize) {
    let areas = areas(model);
    if !matches!(model.focus(), Focus::Pane(_) | Focus::Filter | Focus::Task) {
        return;
    }
    if areas.list.contains(at) {
        let most = model.line_of(model.rows());
        let most = most.saturating_sub(usize::from(areas.rows.height));
        let top = model.top_mut();
        *top = top.saturating_add_signed(by).min(most);
    } else if areas.below.contains(at) {
        moves::scroll(model, Pane::Prompt, by);
    } else if areas.side.contains(at) {
        moves::scroll(model, Pane::Side, by);
    }
}

fn click(model: &mut Model, at: Position) {
    if !matches!(model.focus(), Focus::Pane(_) | Focus::Filter | Focus::Task) {
        return;
    }
    let areas = areas(model);
    if areas.header.contains(at) || areas.hints.contains(at) {
        let hit = super::hints::clickable(model)
            .into_iter()
            .find(|(area, _)| area.contains(at));
        if let Some(command) = hit.and_then(|(_, id)| super::command::find(id)) {
            super::command::run(model, command);
        }
        return;
    }
    model.browse.filter.editing = false;
    model.inject.editing = areas.task.contains(at);
    if areas.rows.contains(at) {
        model.pane = Pane::List;
        let line = *model.top_mut() + usize::from(at.y - areas.rows.y);
        if let Some(row) = model.row_at(line) {
            model.go(row);
        }
    } else if areas.list.contains(at) {
        // The title of the list is its filter.
        model.pane = Pane::List;
        model.browse.filter.editing = at.y == areas.list.y && model.view == View::Browse;
    } else if areas.below.contains(at) {
        model.pane = Pane::Prompt;
    } else if areas.side.contains(at) {
        model.pane = Pane::Side;
    }
}
