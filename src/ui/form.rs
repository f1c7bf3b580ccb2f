//! Draws the field editor.
//!
//! ```text
//! ▌i importance   low  medium  [high]  critical        the field under the focus, its letter
//!                 worth 5, 15, 25 or 30 points         what it is for
//!  d discoveredAt yesterday  ! `yesterday` is no date  what is wrong with it
//! ─ for “Add OAuth integration” ────────────────────
//!  2 → 1   35 → 40   OAuth2 Integration Was Too Broad  what the edit does to the current task
//! ```

mod fields;
mod values;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use self::fields::Row;
use super::pen::beyond;
use super::safe::{fit, pad, width};
use super::theme::{Role, Theme};
use super::words::discard;
use crate::app::form::{Form, Mode, Move, Purpose, WhatIf};
use crate::retrieval::expect::TaskEffect;

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
    let mut top = area;
    if let Some(foot) = foot(form, theme, usize::from(area.width)) {
        top.height -= 1;
        buf.set_line(area.x, top.bottom(), &foot, area.width);
    }
    // The ranking never takes what the fields need more.
    let room = match top.height {
        0..=2 => 0,
        3..=9 => 1,
        height => usize::from(height / 3),
    };
    let mut below = match what_if {
        Some(what_if) => moves(what_if, theme, usize::from(area.width), room),
        None => Vec::new(),
    };
    let touched = super::saved::effects(tasks, theme, area.width);
    below.extend(touched.into_iter().take(room));
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
            let title = fit("▌ body", usize::from(top.width));
            buf.set_span(top.x, top.y, &theme.text(Role::Focus, &title), top.width);
            let inside = Rect::new(top.x, top.y + 1, top.width, top.height - 1);
            super::text::draw(body, theme, inside, buf)
        }
        _ => show(&fields::rows(form, area.width), top, theme, buf),
    }
}

/// Puts rows on the screen, scrolled so that those of the field under the focus are seen, and of
/// these the one with the cursor above all.
fn show(rows: &[Row], area: Rect, theme: &Theme, buf: &mut Buffer) -> Option<Position> {
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
        buf.set_line(area.x, y, &row.line(theme), area.width);
        if let Some(x) = row.cursor {
            let x = area.x.saturating_add(x);
            cursor = Some(Position::new(x.min(area.right().saturating_sub(1)), y));
        }
    }
    let ends = (skip > 0, skip + height < rows.len());
    beyond(buf, area, ends, theme.style(Role::Faint));
    cursor
}

/// The question or message at the foot.
fn foot(form: &Form, theme: &Theme, columns: usize) -> Option<Line<'static>> {
    let (text, role) = match (&form.mode, &form.purpose, &form.notice) {
        (Mode::Discard, Purpose::Create(_), _) => (discard("this memory", columns), Role::Chosen),
        (Mode::Discard, ..) => (discard("changes", columns), Role::Chosen),
        (_, _, Some(notice)) => (format!("! {notice}"), Role::Warning),
        _ => return None,
    };
    Some(theme.text(role, &fit(&text, columns)).into())
}

/// The effect of an edit on the current task's ranking: a rule with the task on it, the edited
/// memory, and the others that move; on one line only the edited memory.
fn moves(what_if: &WhatIf, theme: &Theme, columns: usize, room: usize) -> Vec<Line<'static>> {
    let all = || std::iter::once(&what_if.this).chain(&what_if.rows);
    let widest = |text: fn(&Move) -> String| all().map(|row| width(&text(row))).max().unwrap_or(0);
    let (places, scores) = (widest(Move::places), widest(Move::scores));
    let line = |(n, row): (usize, &Move)| {
        let own = n == 0;
        let (mark, role) = match own {
            true => ("▸ ", Role::Focus),
            false => ("  ", Role::Text),
        };
        let title = match row.reason {
            Some(why) if own => format!("{} · {}", row.title, why.replace('_', " ")),
            _ => row.title.clone(),
        };
        let left = columns.saturating_sub(places + scores + 6);
        Line::from(vec![
            theme.text(Role::Focus, mark),
            theme.text(role, &pad(&row.places(), places)),
            theme.text(Role::Faint, &format!("  {}", pad(&row.scores(), scores))),
            theme.text(role, &format!("  {}", fit(&title, left))),
        ])
    };
    let mut out = Vec::new();
    if room >= 3 {
        let task = fit(&what_if.task, columns.saturating_sub(10));
        let head = fit(&format!("─ for “{task}” "), columns);
        let rest = "─".repeat(columns.saturating_sub(width(&head)));
        out.push(theme.text(Role::Faint, &format!("{head}{rest}")).into());
    }
    let shown = match room {
        0..3 => room.min(1),
        room => room - 1,
    };
    out.extend(all().enumerate().take(shown).map(line));
    out
}
