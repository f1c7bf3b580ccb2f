//! The list of memories. Only the rows on the screen are looked at.

mod columns;
mod weight;

use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

mod marks;
mod store;

use self::marks::marks;
pub(super) use self::store::store_name;
use super::pen::{Frame, Pen};
use super::theme::Role;
use super::{safe, words};
use crate::app::layout::{Areas, Room};
use crate::app::{Focus, Model, Pane};
use crate::memory::Memory;
use columns::{Column, MARK};
pub use weight::importance;

/// Draws the list; where the filter is typed, says where its cursor is.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    if areas.list.is_empty() {
        return None;
    }
    let cursor = title(pen, model, areas);
    if model.browse.rows.is_empty() {
        super::empty::draw(pen, model, areas.rows);
        return cursor;
    }
    let columns = columns::columns(model, areas);
    if areas.room >= Room::Medium {
        let line = Rect {
            y: areas.rows.y.saturating_sub(1),
            height: 1,
            ..areas.rows
        };
        let text = columns::headings(model, &columns);
        let style = pen.style(Role::Faint);
        pen.line(line, 0, vec![Span::styled(text, style)]);
    }
    for line in 0..areas.rows.height {
        let Some(row) = (model.browse).row_at(model.browse.cursor.top + usize::from(line)) else {
            loose_line(pen, model, areas.rows, line);
            continue;
        };
        if let Some(memory) = model.browse.on(&model.world, row) {
            draw_row(pen, model, areas, &columns, (line, row, memory));
        }
    }
    cursor
}

/// The line above the loose matches.
fn loose_line(pen: &mut Pen<'_>, model: &Model, area: Rect, line: u16) {
    let key = model.keymap.label("select-all").unwrap_or_default();
    let width = usize::from(area.width);
    let long = format!("─ looser, not taken by {key} ");
    let words = match safe::width(&long) < width {
        true => long,
        false => "─ looser ".to_owned(),
    };
    let rest = width.saturating_sub(safe::width(&words));
    let text = safe::fit(&format!("{words}{}", "─".repeat(rest)), width);
    pen.line(area, line, vec![pen.text(Role::Border, &text)]);
}

/// What stands above the list: the filter, or what is listed.
fn title(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    if areas.room == Room::Tiny {
        return None;
    }
    let browse = &model.browse;
    let filter = &browse.filter;
    let listed = browse.rows.len();
    let total = if browse.archived {
        model.world.memories.len()
    } else {
        model.world.active
    };
    let mut note = match (filter.is_on(), browse.loose()) {
        (true, 0) => format!("{} of {}", words::number(listed), words::number(total)),
        (true, loose) => format!(
            "{} · {} looser",
            words::number(browse.close),
            words::number(loose)
        ),
        // The top line counts memories alone.
        (false, _) if model.world.context > 0 && listed == total => {
            let context = model.world.context;
            format!("{} + {context} context", words::number(listed - context))
        }
        (false, _) => words::number(listed),
    };
    if !browse.picked.is_empty() {
        note = format!("{} selected · {note}", words::number(browse.picked.len()));
    }
    let focused = matches!(model.focus(), Focus::Filter | Focus::Pane(Pane::List));
    let typed = filter.editing || filter.is_on();
    let order = if browse.by_match() {
        "best match first".to_owned()
    } else {
        format!("by {}", browse.sort.word())
    };
    let title = if typed {
        // The filter is drawn over the frame.
        Vec::new()
    } else {
        vec![
            pen.text(Role::Title, "Memories"),
            pen.text(Role::Muted, &format!(" {order}")),
        ]
    };
    pen.frame(
        areas.list,
        areas.borders,
        Frame {
            title,
            note: note.clone(),
            foot: String::new(),
            focused,
        },
    );
    typed
        .then(|| filter_line(pen, model, areas, &note))
        .flatten()
}

/// The filter in the top line of the list.
pub(super) fn filter_line(
    pen: &mut Pen<'_>,
    model: &Model,
    areas: &Areas,
    note: &str,
) -> Option<Position> {
    let noted = u16::try_from(safe::width(note)).unwrap_or(0) + 2;
    let filter = &model.browse.filter;
    let edge = u16::from(areas.borders);
    let line = Rect {
        x: areas.list.x + edge + 1,
        width: areas.list.width.saturating_sub(2 * edge + 2 + noted),
        height: 1,
        ..areas.list
    };
    let style = if filter.editing {
        pen.style(Role::Input)
    } else {
        pen.style(Role::Accent)
    };
    let slash = pen.style(Role::StatusKey);
    pen.line(line, 0, vec![Span::styled("/", slash)]);
    let room = line.width.saturating_sub(2);
    let typed = u16::try_from(safe::width(filter.line.text())).unwrap_or(room);
    let input = Rect {
        x: line.x + 1,
        width: room.min(
            typed
                .saturating_add(1)
                .max(if filter.editing { 24 } else { 0 }),
        ),
        ..line
    };
    pen.clear(Rect {
        width: input.width + 1,
        ..input
    });
    pen.over(input, 0, style);
    let wrong = filter.error.as_ref().map(|error| error.span.clone());
    let cursor = pen.input(input, &filter.line, style, wrong);
    let behind = input.width + 2;
    if let Some(error) = filter.error.as_ref().filter(|_| behind + 12 < line.width) {
        let room = usize::from(line.width - behind).saturating_sub(1);
        let text = safe::fit(&error.message, room);
        pen.line_at(
            line,
            0,
            behind,
            vec![pen.text(Role::Error, &format!("{text} "))],
        );
    }
    cursor.filter(|_| filter.editing)
}

fn draw_row(
    pen: &mut Pen<'_>,
    model: &Model,
    areas: &Areas,
    columns: &[Column],
    (line, row, memory): (u16, usize, &Memory),
) {
    let browse = &model.browse;
    let here = row == browse.cursor.row;
    let picked = browse.picked.contains(&memory.id) || browse.in_range(row);
    let mut spans = vec![
        pen.text(Role::Accent, if here { "▌" } else { " " }),
        pen.text(Role::Accent, if picked { "✓" } else { " " }),
    ];
    for column in columns {
        spans.push(Span::raw(" ".repeat(column.gap)));
        spans.extend((column.cell)((pen, model, memory), row, column.width));
    }
    let mut marks = marks(pen, model, memory, here);
    if areas.room < Room::Medium {
        marks.retain(|mark| mark.content != " ");
        marks.truncate(MARK);
    }
    pen.row(areas.rows, line, spans, here);
    if here {
        pen.select(&mut marks);
    }
    pen.line_right(areas.rows, line, marks);
}
