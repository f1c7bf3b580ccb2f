//! Draws the field editor.
//!
//! ```text
//! ▌i importance   low  medium  [▆ high]  critical      the field under the focus, its letter
//!                 worth 5, 15, 25 or 30 points         what it is for
//!  d discoveredAt yesterday  ! `yesterday` is no date  what is wrong with it
//! ─ for “Add OAuth integration” ────────────────────
//!  2 → 1   35 → 40   OAuth2 Integration Was Too Broad  what the edit does to the current task
//! ```

mod row;
mod rows;
mod values;
mod whatif;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::look::Look;
use super::pen::beyond;
use super::safe::{fit, width};
use super::theme::Theme;
use crate::app::form::{Form, WhatIf};
use crate::app::form::{Mode, Purpose};
use crate::retrieval::expect::TaskEffect;
use row::Row;

/// Draws a form, and under it what its edits do to the current task. Returns where the cursor
/// stands when a text is typed.
pub fn draw(
    form: &Form,
    (what_if, tasks): (Option<&WhatIf>, &[TaskEffect]),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Option<Position> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return None;
    }
    let look = Look::of(theme);
    let (mut top, foot) = (area, foot(form, &look, area.width));
    if let Some(foot) = foot {
        top.height -= 1;
        let y = top.bottom();
        buf.set_line(area.x, y, &foot, area.width);
    }
    let mut below = what_if.map_or_else(Vec::new, |what_if| {
        whatif::lines(what_if, &look, area.width, room_below(top.height))
    });
    let mut touched = super::tasks::effects(tasks, &look, area.width);
    touched.truncate(room_below(top.height));
    below.append(&mut touched);
    below.truncate(usize::from(top.height.saturating_sub(1)));
    top.height -= u16::try_from(below.len()).unwrap_or(0);
    for (y, line) in (top.bottom()..).zip(&below) {
        buf.set_line(area.x, y, line, area.width);
    }
    if top.is_empty() {
        return None;
    }
    match (&form.mode, form.body()) {
        (Mode::Body, Some(body)) => {
            let title = Line::styled(fit("▌ body", usize::from(top.width)), look.focus);
            buf.set_line(top.x, top.y, &title, top.width);
            super::editor::draw(body, theme, inside_body(top), buf)
        }
        _ => show(&rows::rows(form, &look, area.width), top, look.quiet, buf),
    }
}

/// The body of a new memory under its title.
const fn inside_body(area: Rect) -> Rect {
    Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    }
}

/// How many lines the ranking may take from a height: never what the fields need more.
const fn room_below(height: u16) -> usize {
    match height {
        0..=2 => 0,
        3..=9 => 1,
        _ => (height / 3) as usize,
    }
}

/// Puts rows on the screen, scrolled so that those of the field under the focus are seen, and of
/// these the one with the cursor above all.
fn show(rows: &[Row], area: Rect, quiet: Style, buf: &mut Buffer) -> Option<Position> {
    let height = usize::from(area.height);
    let focus = |row: &Row| row.focus;
    let first = rows.iter().position(focus).unwrap_or(0);
    let last = rows.iter().rposition(focus).unwrap_or(0);
    let key = rows.iter().position(|row| row.key).unwrap_or(first);
    let mut skip = (last + 1).saturating_sub(height).min(first);
    // A list longer than the screen: keep a line around the item.
    skip = skip.max((key + 2).min(rows.len()).saturating_sub(height));
    let mut cursor = None;
    for (y, row) in (area.y..area.bottom()).zip(rows.iter().skip(skip)) {
        buf.set_line(area.x, y, &row.line, area.width);
        if let Some(x) = row.cursor {
            let x = area.x.saturating_add(x);
            cursor = Some(Position::new(x.min(area.right().saturating_sub(1)), y));
        }
    }
    beyond(buf, area, (skip > 0, skip + height < rows.len()), quiet);
    cursor
}

/// The question or message at the foot.
fn foot(form: &Form, look: &Look, width: u16) -> Option<Line<'static>> {
    let width = usize::from(width);
    let (text, style) = match (&form.mode, &form.purpose, &form.notice) {
        (Mode::Discard, Purpose::Create(_), _) => {
            (super::words::discard("this memory", width), look.chosen)
        }
        (Mode::WriteOver, ..) => (write_over(width), look.chosen),
        (Mode::Discard, ..) => (super::words::discard("changes", width), look.chosen),
        (_, _, Some(notice)) => (format!("! {notice}"), look.problem),
        _ => return None,
    };
    Some(Line::styled(fit(&text, width), style))
}

/// Asks before overwriting another program's change.
fn write_over(columns: usize) -> String {
    let all = [
        "Write yours over what is on disk?  y write over  n keep editing",
        "Write over what is on disk? y/n",
    ];
    let fits = all.into_iter().find(|text| width(text) <= columns);
    fits.unwrap_or("Write over? y/n").to_owned()
}
