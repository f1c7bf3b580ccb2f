//! The mouse: a click selects, the wheel scrolls what is under it.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use super::act::moves;
use super::layout::areas;
use super::msg::Effect;
use super::{Focus, Model, Pane, View};

/// Rows that one turn of the wheel scrolls.
const WHEEL: isize = 3;

/// What the mouse did.
pub fn mouse(model: &mut Model, event: MouseEvent) -> Vec<Effect> {
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => click(model, at),
        MouseEventKind::ScrollDown => wheel(model, at, WHEEL),
        MouseEventKind::ScrollUp => wheel(model, at, -WHEEL),
        _ => Vec::new(),
    }
}

fn wheel(model: &mut Model, at: Position, by: isize) -> Vec<Effect> {
    let areas = areas(model);
    if !matches!(model.focus(), Focus::Pane(_) | Focus::Filter | Focus::Task) {
        return Vec::new();
    }
    if areas.list.contains(at) {
        let height = usize::from(areas.rows.height);
        match model.view {
            View::Browse => {
                let lines = model.browse.line_of(model.browse.rows.len());
                model.browse.cursor.scroll(by, lines, height);
            }
            View::Inject => {
                let lines = model.inject.lines();
                model.inject.cursor.scroll(by, lines, height);
            }
            View::Lint => {
                let rows = model.lints.rows.len();
                model.lints.cursor.scroll(by, rows, height);
            }
            View::Review => {
                let rows = model.review.cards.len();
                model.review.cursor.scroll(by, rows, height);
            }
        }
    } else if areas.below.contains(at) {
        moves::scroll(model, Pane::Prompt, by);
    } else if areas.side.contains(at) {
        moves::scroll(model, Pane::Side, by);
    }
    Vec::new()
}

fn click(model: &mut Model, at: Position) -> Vec<Effect> {
    if !matches!(model.focus(), Focus::Pane(_) | Focus::Filter | Focus::Task) {
        return Vec::new();
    }
    let areas = areas(model);
    if areas.header.contains(at) || areas.hints.contains(at) {
        let hit = super::hints::clickable(model)
            .into_iter()
            .find(|(area, _)| area.contains(at));
        return match hit.and_then(|(_, id)| super::command::find(id)) {
            Some(command) => super::command::run(model, command),
            None => Vec::new(),
        };
    }
    model.browse.filter.editing = false;
    model.inject.editing = areas.task.contains(at);
    if areas.rows.contains(at) {
        model.pane = Pane::List;
        click_row(model, areas.rows, at);
    } else if areas.list.contains(at) {
        // The title of the list is its filter.
        model.pane = Pane::List;
        model.browse.filter.editing = at.y == areas.list.y && model.view == View::Browse;
    } else if areas.below.contains(at) {
        model.pane = Pane::Prompt;
    } else if areas.side.contains(at) {
        model.pane = Pane::Side;
    }
    Vec::new()
}

fn click_row(model: &mut Model, rows: Rect, at: Position) {
    let line = usize::from(at.y - rows.y);
    let (row, count) = match model.view {
        View::Browse => (
            model.browse.row_at(model.browse.cursor.top + line),
            model.browse.rows.len(),
        ),
        View::Inject => (
            model.inject.row_at(model.inject.cursor.top + line),
            model.inject.rows(),
        ),
        View::Lint => (Some(model.lints.cursor.top + line), model.lints.rows.len()),
        View::Review => (
            Some(model.review.cursor.top + line),
            model.review.cards.len(),
        ),
    };
    if let Some(row) = row.filter(|row| *row < count) {
        moves::go(model, row);
    }
}
