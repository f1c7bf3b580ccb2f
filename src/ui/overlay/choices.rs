//! A list in a window, to pick a row of.

use ratatui::layout::Rect;

use super::{FULL, in_full, open};
use crate::app::Model;
use crate::app::layout::window;
use crate::app::picker::{Choice, Picker, Tone};
use crate::lint::mask;
use crate::ui::pen::Pen;
use crate::ui::safe;
use crate::ui::theme::Role;

const fn role(tone: Tone) -> Role {
    match tone {
        Tone::Text => Role::Text,
        Tone::Muted => Role::Muted,
        Tone::Faint => Role::Faint,
        Tone::Warning => Role::Warning,
    }
}

/// Draws the list; a text that is cut on its row stands in full below it.
pub(super) fn draw(pen: &mut Pen<'_>, model: &Model, picker: &Picker) {
    let (choices, row) = (&picker.choices, picker.row);
    let (columns, rows) = model.size;
    let kinds = choices.iter().map(|one| safe::width(&one.name)).max();
    let kind = kinds
        .unwrap_or_default()
        .min(usize::from(columns.min(84)) / 3);
    let is_cut = |one: &Choice| kind + 9 + safe::width(&one.text) > columns.min(84).into();
    let full = match choices.iter().any(is_cut) && rows > 12 {
        true => FULL,
        false => 0,
    };
    let wanted = u16::try_from(choices.len())
        .unwrap_or(u16::MAX)
        .saturating_add(4 + full);
    let area = window(
        model,
        columns.min(84),
        wanted.min(rows.saturating_sub(2)).max(rows.min(6)),
    );
    let inner = open(pen, area, &mask(&picker.title), choices.len().to_string());
    let width = usize::from(inner.width);
    let list = Rect {
        height: inner.height.saturating_sub(full),
        ..inner
    };
    let height = usize::from(list.height);
    let last = choices.len().saturating_sub(height);
    let top = row.saturating_sub(height / 2).min(last);
    if let Some(one) = choices.get(row).filter(|_| full > 0) {
        in_full(pen, inner, list.height, &one.text);
    }
    let shown = choices.iter().enumerate().skip(top);
    for (line, (n, one)) in (0..list.height).zip(shown) {
        let here = n == row;
        let room = width.saturating_sub(kind + 5);
        let spans = vec![
            pen.text(Role::Accent, if here { "▌ " } else { "  " }),
            pen.text(Role::Muted, &safe::pad(&one.name, kind)),
            pen.text(role(one.tone), &format!("  {}", safe::fit(&one.text, room))),
        ];
        pen.row(list, line, spans, here);
    }
}
