//! The effect of an edit on the current task's ranking.

use ratatui::text::{Line, Span};

use crate::app::form::{Move, WhatIf};
use crate::ui::look::Look;
use crate::ui::safe::{fit, pad, width as columns};

/// A rule with the task on it, the edited memory, and the others that move; on one line only the
/// edited memory.
pub(super) fn lines(what_if: &WhatIf, look: &Look, width: u16, room: usize) -> Vec<Line<'static>> {
    let width = usize::from(width);
    if room == 0 {
        return Vec::new();
    }
    let all: Vec<&Move> = std::iter::once(&what_if.this)
        .chain(&what_if.rows)
        .collect();
    let places = all
        .iter()
        .map(|row| columns(&row.places()))
        .max()
        .unwrap_or(0);
    let scores = all
        .iter()
        .map(|row| columns(&row.scores()))
        .max()
        .unwrap_or(0);
    let line = |row: &Move, own: bool| {
        let style = if own { look.focus } else { look.text };
        let mut line = Line::default();
        line.push_span(Span::styled(if own { "▸ " } else { "  " }, look.focus));
        line.push_span(Span::styled(pad(&row.places(), places), style));
        line.push_span(Span::styled(
            format!("  {}", pad(&row.scores(), scores)),
            look.quiet,
        ));
        let left = width.saturating_sub(places + scores + 6);
        let title = match row.reason {
            Some(why) if own => format!("{} · {}", row.title, why.replace('_', " ")),
            _ => row.title.clone(),
        };
        line.push_span(Span::styled(format!("  {}", fit(&title, left)), style));
        line
    };
    if room < 3 {
        return vec![line(&what_if.this, true)];
    }
    let mut out = vec![rule(&what_if.task, look, width)];
    out.extend(
        all.iter()
            .enumerate()
            .take(room - 1)
            .map(|(n, row)| line(row, n == 0)),
    );
    out
}

fn rule(task: &str, look: &Look, width: usize) -> Line<'static> {
    let head = format!("─ for “{}” ", fit(task, width.saturating_sub(10)));
    let head = fit(&head, width);
    let rest = width.saturating_sub(columns(&head));
    Line::styled(format!("{head}{}", "─".repeat(rest)), look.quiet)
}
