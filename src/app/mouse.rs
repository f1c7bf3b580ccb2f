//! The mouse: a click selects, a second one opens, the wheel scrolls what is under it, and the line
//! between the panes can be dragged.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::act::moves;
use super::command;
use super::layout::{areas, split_at};
use super::msg::Effect;
use super::{Focus, Model, Pane, View};
use crate::memory::Timestamp;

/// Rows that one turn of the wheel scrolls.
const WHEEL: isize = 3;
/// Columns of the words for the list and its order in its title.
const ORDER: u16 = 24;
/// Milliseconds in which a second click in the same place opens.
const DOUBLE: i64 = 500;

#[derive(Debug, Default)]
pub struct Mouse {
    /// True if it is the terminal's own: text can be selected with it.
    pub is_off: bool,
    last: Option<(Position, Timestamp)>,
    /// True while the line between the panes is dragged.
    drags: bool,
}

pub fn toggle(model: &mut Model) {
    model.mouse.is_off = !model.mouse.is_off;
    model.send(Effect::Mouse(!model.mouse.is_off));
    let text = match model.mouse.is_off {
        true => "the mouse selects text now",
        false => "the mouse selects, scrolls and opens now",
    };
    model.say(text);
}

pub fn mouse(model: &mut Model, event: MouseEvent) {
    model.asked_again = None;
    let at = Position::new(event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => click(model, at),
        MouseEventKind::Drag(MouseButton::Left) if model.mouse.drags => {
            model.split = split_at(model, at.x);
        }
        MouseEventKind::Up(_) => model.mouse.drags = false,
        MouseEventKind::ScrollDown => wheel(model, at, 1),
        MouseEventKind::ScrollUp => wheel(model, at, -1),
        _ => {}
    }
}

fn wheel(model: &mut Model, at: Position, by: isize) {
    let areas = areas(model);
    if model.overlay.is_some() {
        return super::act::windows::turn(model, by);
    }
    if !is_free(model) {
        return;
    }
    let by = by * WHEEL;
    if areas.list.contains(at) {
        let most = model.dividers().line_of(model.rows());
        let most = most.saturating_sub(usize::from(areas.rows.height));
        let top = model.top_mut();
        *top = top.saturating_add_signed(by).min(most);
    } else if areas.below.contains(at) {
        moves::scroll(model, Pane::Prompt, by);
    } else if areas.side.contains(at) {
        moves::scroll(model, Pane::Side, by);
    }
}

/// True if nothing is open over the panes.
fn is_free(model: &Model) -> bool {
    matches!(model.focus(), Focus::Pane(_) | Focus::Filter | Focus::Task)
}

fn run(model: &mut Model, id: &str) {
    let is_here = |one: &&command::Command| model.scopes().contains(&one.scope);
    if let Some(command) = command::find(id).filter(|one| is_free(model) || is_here(one)) {
        command::run(model, command);
    }
}

fn click(model: &mut Model, at: Position) {
    let areas = areas(model);
    let now = model.now;
    let is_again = |(before, time): (Position, Timestamp)| before == at && now.0 - time.0 < DOUBLE;
    let twice = model.mouse.last.replace((at, now)).is_some_and(is_again);
    let clickable = super::hints::clickable(model).into_iter();
    let mut hits = clickable.filter(|(area, _)| area.contains(at));
    if let Some((_, id)) = hits.next() {
        return run(model, id);
    }
    if !is_free(model) {
        return;
    }
    let is_beside = areas.side.y == areas.list.y && areas.list.height > 1;
    if is_beside && (at.x == areas.side.x || at.x + 1 == areas.side.x) && areas.side.width > 1 {
        model.mouse.drags = true;
        return;
    }
    model.browse.filter.editing = false;
    model.inject.editing = areas.task.contains(at);
    if areas.rows.contains(at) {
        model.pane = Pane::List;
        let line = *model.top_mut() + usize::from(at.y - areas.rows.y);
        let row = model.dividers().at(line).ok();
        if let Some(row) = row.filter(|row| *row < model.rows()) {
            model.go(row);
            if twice {
                run(model, "open");
            }
        }
    } else if areas.list.contains(at) {
        model.pane = Pane::List;
        // The title names the order, or is the filter.
        let is_order = at.x < areas.list.x + ORDER && !model.browse.filter.is_on();
        match model.view == View::Browse && at.y == areas.list.y {
            true if is_order => moves::sort(model),
            is_title => model.browse.filter.editing = is_title,
        }
    } else if areas.below.contains(at) {
        model.pane = Pane::Prompt;
    } else if areas.side.contains(at) {
        model.pane = Pane::Side;
    }
}
