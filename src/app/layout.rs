//! The layout of the screen. Both the view and the mouse ask here.

use ratatui::layout::Constraint::{Fill, Length, Percentage};
use ratatui::layout::{Layout, Margin, Rect};

use super::{Model, Page, Pane, View};

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
    pub room: Room,
    pub borders: bool,
    /// Project, views, branch.
    pub header: Rect,
    pub task: Rect,
    /// The stores of the preview, where there are several.
    pub stores: Rect,
    /// The list with its border.
    pub list: Rect,
    pub rows: Rect,
    /// The right side with its border.
    pub side: Rect,
    /// The area inside it.
    pub page: Rect,
    /// The pane below the right side, with its border.
    pub below: Rect,
    pub prompt: Rect,
    pub status: Rect,
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

/// Rows from which the right side stands below the list where it has no room beside it.
const TALL: u16 = 24;

/// The percentage of the width that a list takes: titles with something behind them.
const LIST: i16 = 58;

/// The most that a list may be wider or narrower, in percent.
const SPLIT: i16 = 25;

/// The share of the width that a list has if it ends at a column, in percent beside the usual one.
pub fn split_at(model: &Model, x: u16) -> i16 {
    let percent = i32::from(x) * 100 / i32::from(model.size.0.max(1));
    bounded(i16::try_from(percent).unwrap_or(0) - LIST)
}

/// A share of the width that leaves room for both panes.
pub fn bounded(split: i16) -> i16 {
    split.clamp(-SPLIT, SPLIT)
}

pub const fn room(size: (u16, u16)) -> Room {
    match size {
        (width, height) if width < SMALL.0 || height < SMALL.1 => Room::Tiny,
        (..MEDIUM, _) => Room::Narrow,
        (..WIDE, _) => Room::Medium,
        _ => Room::Wide,
    }
}

/// The area inside a pane: inside its border, or below its title line.
fn inside(pane: Rect, borders: bool, title: bool) -> Rect {
    match borders {
        true => pane.inner(Margin::new(1, 1)),
        false => below(pane, u16::from(title)),
    }
}

/// The area without its first lines.
pub fn below(area: Rect, lines: u16) -> Rect {
    let lines = lines.min(area.height);
    Rect {
        y: area.y + lines,
        height: area.height - lines,
        ..area
    }
}

pub fn areas(model: &Model) -> Areas {
    let (width, height) = model.size;
    let room = room(model.size);
    let none = Rect::default();
    let (tiny, is_review) = (room == Room::Tiny, model.view == View::Review);
    let boxed = model.view == View::Inject && (!tiny || model.inject.editing);
    let has_stores = boxed && !tiny && !model.inject.parts().is_empty();
    let line = |is_there: bool| Length(u16::from(is_there));
    let (bar, task, stores) = (line(!tiny), line(boxed), line(has_stores));
    let lines = Layout::vertical([bar, task, stores, Fill(1), bar, line(height > 1)]);
    let screen = Rect::new(0, 0, width, height);
    let [header, task, stores, body, status, hints] = lines.areas(screen);
    let borders = room == Room::Wide && !is_review;
    let is_pair = matches!(model.page, Page::Pair(_)) && model.editor.is_none();
    let alone = is_pair || model.zoom;
    let is_empty = match model.view {
        View::Browse => model.world.complete && model.world.memories.is_empty(),
        View::Lint | View::Review => model.rows() == 0,
        View::Inject => false,
    };
    let (list, side) = if is_empty && !model.covers_list() {
        (body, none)
    } else if is_review {
        parted(Layout::vertical([Length(1), Fill(1)]), body)
    } else if room == Room::Wide && !alone {
        let percent = (LIST + model.split).unsigned_abs();
        let left = u32::from(body.width) * u32::from(percent) / 100;
        let left = u16::try_from(left).unwrap_or(body.width);
        parted(Layout::horizontal([Length(left), Fill(1)]), body)
    } else if is_stacked(model) && !alone {
        // The text that is read has most of the room.
        let part = if model.pane == Pane::Side { 30 } else { 55 };
        parted(Layout::vertical([Percentage(part), Fill(1)]), body)
    } else if model.pane == Pane::List && !model.covers_list() {
        (body, none)
    } else {
        (none, body)
    };
    let (side, prompt) = split(model, side, room);
    let rows = inside(list, borders, !tiny);
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
        below: prompt,
        prompt: inside(prompt, borders, !tiny),
        status,
        hints,
    }
}

fn parted(layout: Layout, area: Rect) -> (Rect, Rect) {
    layout.areas::<2>(area).into()
}

/// True if the list stands above what is asked about it.
fn is_stacked(model: &Model) -> bool {
    let is_tall = room(model.size) == Room::Medium && model.size.1 >= TALL;
    is_tall && model.view != View::Inject && !model.covers_list()
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
            // The text that is read has most of the room.
            let part = if model.pane == Pane::Prompt { 4 } else { 2 };
            let half = Length(side.height - side.height / part);
            parted(Layout::vertical([Fill(1), half]), side)
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
