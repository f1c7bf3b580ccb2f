//! The layout of the screen. Both the view and the mouse ask here.

use ratatui::layout::Rect;

use super::desk::Desk;
use super::{Model, Page, Pane, View};

/// The room on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    /// One pane and one line of help.
    Tiny,
    /// The list keeps title and marks.
    Narrow,
    /// One pane at a time.
    Medium,
    /// The list and beside it what is asked about it.
    Wide,
}

/// The parts of the screen; those that are not shown have no area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Areas {
    /// The room on the screen.
    pub room: Room,
    /// True if panes have borders.
    pub borders: bool,
    /// Project, views, branch.
    pub header: Rect,
    /// The task box.
    pub task: Rect,
    /// The stores of the preview, where there are several.
    pub stores: Rect,
    /// The list with its border.
    pub list: Rect,
    /// The rows of the list.
    pub rows: Rect,
    /// The right side with its border.
    pub side: Rect,
    /// The area inside it.
    pub page: Rect,
    /// The pane below the right side, with its border.
    pub below: Rect,
    /// The prompt in it.
    pub prompt: Rect,
    /// The status line.
    pub status: Rect,
    /// The keys that matter now.
    pub hints: Rect,
}

impl Areas {
    /// The area inside the right side: a column of margin keeps text off the border, or off the
    /// mark that it goes on.
    pub fn inner(&self) -> Rect {
        Rect {
            x: self.page.x + 1.min(self.page.width),
            width: self.page.width.saturating_sub(2),
            ..self.page
        }
    }
}

/// Columns from which two panes stand side by side.
const WIDE: u16 = 100;
/// Columns from which the list has more than title and marks.
const MEDIUM: u16 = 60;
/// Columns and rows from which there is more than one pane and one line.
const SMALL: (u16, u16) = (40, 10);

/// The percentage of the width that the list of findings takes more than other lists: a title and
/// what was found in it.
const FOR_FINDINGS: i16 = 8;

/// The room of a screen.
pub const fn room(width: u16, height: u16) -> Room {
    if width < SMALL.0 || height < SMALL.1 {
        Room::Tiny
    } else if width < MEDIUM {
        Room::Narrow
    } else if width < WIDE {
        Room::Medium
    } else {
        Room::Wide
    }
}

/// Takes lines off the top of an area.
fn top(area: &mut Rect, lines: u16) -> Rect {
    let taken = Rect {
        height: lines.min(area.height),
        ..*area
    };
    area.y += taken.height;
    area.height -= taken.height;
    taken
}

/// Takes lines off the bottom of an area.
fn bottom(area: &mut Rect, lines: u16) -> Rect {
    let height = lines.min(area.height);
    area.height -= height;
    Rect {
        y: area.y + area.height,
        height,
        ..*area
    }
}

/// The area inside a pane: inside its border, or below its title line.
fn inside(pane: Rect, borders: bool, title: bool) -> Rect {
    if borders {
        return Rect {
            x: pane.x + 1.min(pane.width),
            y: pane.y + 1.min(pane.height),
            width: pane.width.saturating_sub(2),
            height: pane.height.saturating_sub(2),
        };
    }
    let mut inner = pane;
    if title {
        top(&mut inner, 1);
    }
    inner
}

/// Lays the screen out.
pub fn areas(model: &Model) -> Areas {
    let (width, height) = model.size;
    let room = room(width, height);
    let none = Rect::default();
    let mut body = Rect::new(0, 0, width, height);
    let tiny = room == Room::Tiny;
    let hints = if height > 1 {
        bottom(&mut body, 1)
    } else {
        none
    };
    let status = if tiny { none } else { bottom(&mut body, 1) };
    let header = if tiny { none } else { top(&mut body, 1) };
    let boxed = model.view == View::Inject && (!tiny || model.inject.editing);
    let task = if boxed { top(&mut body, 1) } else { none };
    let has_stores = boxed && !tiny && !model.inject.parts().is_empty();
    let stores = if has_stores { top(&mut body, 1) } else { none };
    let borders = room == Room::Wide;
    let alone = matches!(model.desk, Some(Desk::Conflict { .. }))
        || (matches!(model.page, Page::Pair(_)) && model.desk.is_none())
        || model.zoom;
    let (list, side) = if room == Room::Wide && !alone {
        let more = match model.view {
            View::Lint => FOR_FINDINGS,
            View::Browse | View::Inject | View::Review => 0,
        };
        let percent = (50 + model.split + more).unsigned_abs();
        let left = u32::from(body.width) * u32::from(percent) / 100;
        let left = u16::try_from(left).unwrap_or(body.width).min(body.width);
        let list = Rect {
            width: left,
            ..body
        };
        let side = Rect {
            x: body.x + left,
            width: body.width - left,
            ..body
        };
        (list, side)
    } else if model.pane == Pane::List && !model.covers_list() {
        (body, none)
    } else {
        (none, body)
    };
    let (side, below) = split(model, side, room);
    let mut rows = inside(list, borders, !tiny);
    if room >= Room::Medium && model.view == View::Browse {
        top(&mut rows, 1);
    }
    Areas {
        room,
        borders,
        header,
        task,
        stores,
        list,
        rows,
        side,
        page: inside(side, borders, !tiny),
        below,
        prompt: inside(below, borders, !tiny),
        status,
        hints,
    }
}

/// In the inject view the right side has the prompt below it.
fn split(model: &Model, side: Rect, room: Room) -> (Rect, Rect) {
    let none = Rect::default();
    if model.view != View::Inject || model.covers_list() {
        return (side, none);
    }
    let alone = room < Room::Medium || model.zoom;
    match model.pane {
        Pane::Prompt if alone => (none, side),
        _ if alone => (side, none),
        _ => {
            let mut above = side;
            let below = bottom(&mut above, side.height / 2);
            (above, below)
        }
    }
}

/// The area of a window over the middle of the screen, lists being read from the top.
pub fn window(model: &Model, width: u16, height: u16) -> Rect {
    let (columns, lines) = model.size;
    let width = width.min(columns);
    let height = height.min(lines);
    Rect {
        x: (columns - width) / 2,
        y: (lines - height) / 4,
        width,
        height,
    }
}
