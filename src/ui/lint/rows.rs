//! The rows of the list of findings: the rules, and below each what it found.

use ratatui::text::Span;

use crate::app::Model;
use crate::app::layout::{Areas, Room};
use crate::app::lints::Row;
use crate::lint::Finding;
use crate::text::rule_pages as pages;
use crate::ui::pen::{Pen, beyond, inset};
use crate::ui::theme::{Role, Theme};
use crate::ui::{safe, words};

/// Columns before a title: where one stands, the severity.
const LEAD: usize = 3;
/// Columns between two columns of text.
const GAP: usize = 2;

/// The texts of a row.
struct Said<'a> {
    finding: &'a Finding,
    title: String,
    message: String,
}

/// Draws the rows that are on the screen.
pub(super) fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let (top, height) = (model.lints.cursor.top, usize::from(areas.rows.height));
    let rows = model.lints.rows.iter().enumerate().skip(top).take(height);
    let shown: Vec<(usize, Row, Option<Said<'_>>)> =
        rows.map(|(n, row)| (n, *row, said(model, *row))).collect();
    let all: Vec<&Said<'_>> = shown.iter().filter_map(|row| row.2.as_ref()).collect();
    let room = usize::from(areas.rows.width).saturating_sub(LEAD + 1);
    let title = (areas.room >= Room::Medium).then(|| title_columns(&all, room));
    for (line, (n, row, said)) in (0..areas.rows.height).zip(&shown) {
        let here = *n == model.lints.cursor.row;
        let spans = match (*row, said) {
            (Row::Finding(_), Some(said)) => finding(pen.theme, said, here, (room, title)),
            (Row::Suggestions(_) | Row::More { .. }, _) => {
                let text = folded(model, *row);
                vec![
                    pen.theme.mark(here),
                    pen.text(Role::Muted, &safe::fit(&text, room + 2)),
                ]
            }
            (row, _) => rule(pen.theme, model, row, room),
        };
        pen.row(areas.rows, line, here, spans);
    }
    let goes_on = (top > 0, top + height < model.lints.rows.len());
    // The last column of a row is free; a border beyond it is the list's own.
    let area = inset(areas.rows, 0, u16::from(areas.borders));
    beyond(pen.buffer, area, goes_on, pen.style(Role::Muted));
}

fn said(model: &Model, row: Row) -> Option<Said<'_>> {
    let Row::Finding(at) = row else {
        return None;
    };
    let finding = model.world.finding(at)?;
    Some(Said {
        finding,
        title: super::many(finding).unwrap_or_else(|| super::title_of(model, finding)),
        message: super::message(model, finding),
    })
}

/// Columns of the titles: as many as the widest has; where the messages need the room no more than
/// a third.
fn title_columns<'a>(all: &[&'a Said<'a>], room: usize) -> usize {
    let widest = |text: fn(&'a Said<'a>) -> &'a str| {
        let widths = all.iter().map(|said| safe::width(text(said)));
        widths.max().unwrap_or_default()
    };
    let left = room.saturating_sub(GAP + widest(|said| &said.message));
    widest(|said| &said.title).min(left.max(room / 3))
}

/// The row of a finding: its title, and what was found where there is room for both.
fn finding(
    theme: &Theme,
    said: &Said<'_>,
    here: bool,
    (room, title): (usize, Option<usize>),
) -> Vec<Span<'static>> {
    let severity = said.finding.severity;
    let columns = title.unwrap_or(room);
    let rest = room.saturating_sub(columns + GAP);
    let title = safe::pad(&said.title, columns) + &" ".repeat(GAP);
    vec![
        theme.mark(here),
        theme.text(Role::severity(severity), words::mark(severity)),
        theme.text(Role::Text, &format!(" {title}")),
        theme.text(Role::Muted, &safe::fit(&said.message, rest)),
    ]
}

/// A row that others are folded into: what it holds.
pub(super) fn folded(model: &Model, row: Row) -> String {
    let all = model.lints.suggestions.iter();
    let all = all.map(|(rule, count)| format!("{} {}", pages::title(rule), words::number(*count)));
    let key = model.keymap.label("open").unwrap_or_default();
    match row {
        Row::More { count, .. } => format!(" … {} more · {key} lists them", words::number(count)),
        Row::Suggestions(true) => format!("▸ suggestions: {}", all.collect::<Vec<_>>().join(" · ")),
        _ => "▾ suggestions".to_owned(),
    }
}

/// The row of a rule: its title, and at the right its id and how much it found.
fn rule(theme: &Theme, model: &Model, row: Row, room: usize) -> Vec<Span<'static>> {
    let Row::Rule {
        rule,
        severity,
        count,
    } = row
    else {
        return Vec::new();
    };
    let listed = match model.lints.left_out(&model.world, rule) {
        0 => String::new(),
        left_out => format!("first {} of ", words::number(count - left_out)),
    };
    let count = format!("  {listed}{}", words::number(count));
    let title = pages::title(rule).to_uppercase();
    let room = (room + LEAD).saturating_sub(safe::width(&count) + 2);
    let title = safe::fit(&title, room);
    let left = room - safe::width(&title);
    let id = if left > rule.len() + 3 { rule } else { "" };
    let line = "─".repeat(left.saturating_sub(id.len() + 2));
    vec![
        theme.text(Role::severity(severity), &format!(" {title}")),
        theme.text(Role::Border, &format!(" {line} ")),
        theme.text(Role::Faint, id),
        theme.text(Role::Muted, &count),
    ]
}
