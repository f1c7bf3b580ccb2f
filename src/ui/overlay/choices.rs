//! Lists in a window, to choose a row of: links, stores, ways to promote, changes, themes.

use ratatui::layout::Rect;

use super::{FULL, in_full, open};
use crate::app::Model;
use crate::app::convert::{Targets, Ways};
use crate::app::history::{Changes, State};
use crate::app::layout::window;
use crate::app::links::{Kinds, Links};
use crate::app::themes::Themes;
use crate::ui::pen::Pen;
use crate::ui::safe;
use crate::ui::theme::Role;

/// A row to choose: what kind, and what stands behind it.
struct Choice<'a> {
    kind: &'a str,
    role: Role,
    text: &'a str,
}

/// The memories that one has to do with: how, its title, its name.
pub(super) fn links(pen: &mut Pen<'_>, model: &Model, links: &Links) {
    let texts = links.rows.iter().map(|one| match &one.memory {
        Some((_, title)) => (Role::Text, crate::lint::mask(title)),
        None => (Role::Warning, crate::lint::mask(&one.name)),
    });
    let texts: Vec<_> = texts.collect();
    let rows = links
        .rows
        .iter()
        .zip(&texts)
        .map(|(one, (role, text))| Choice {
            kind: &one.kind,
            role: *role,
            text,
        });
    let rows: Vec<Choice<'_>> = rows.collect();
    draw_choices(
        pen,
        model,
        &format!("Related to {}", links.of),
        (&rows, links.row),
    );
}

/// The kinds of links, each with what it is for.
pub(super) fn kinds(pen: &mut Pen<'_>, model: &Model, kinds: &Kinds) {
    let rows = kinds.rows.iter().map(|(kind, text)| Choice {
        kind,
        role: Role::Muted,
        text,
    });
    let rows: Vec<Choice<'_>> = rows.collect();
    draw_choices(pen, model, &kinds.title, (&rows, kinds.row));
}

/// The stores that memories can be copied to, each with where it is.
pub(super) fn targets(pen: &mut Pen<'_>, model: &Model, targets: &Targets) {
    let rows = targets.rows.iter().map(|one| Choice {
        kind: &one.name,
        role: Role::Muted,
        text: &one.about,
    });
    let rows: Vec<Choice<'_>> = rows.collect();
    let title = crate::lint::mask(&targets.title);
    draw_choices(pen, model, &title, (&rows, targets.row));
}

/// The ways to promote memories, each with what it does.
pub(super) fn ways(pen: &mut Pen<'_>, model: &Model, ways: &Ways) {
    let rows = ways.rows.iter().map(|way| Choice {
        kind: &way.name,
        role: Role::Muted,
        text: &way.about,
    });
    let rows: Vec<Choice<'_>> = rows.collect();
    let title = crate::lint::mask(&ways.title);
    draw_choices(pen, model, &title, (&rows, ways.row));
}

/// The changes that memkeep made, each with when.
pub(super) fn changes(pen: &mut Pen<'_>, model: &Model, changes: &Changes) {
    let redo = model.keymap.label("redo").unwrap_or_default();
    let next = changes.next_redo();
    let texts = changes.rows.iter().enumerate().map(|(n, made)| {
        let is_done = made.state == State::Done;
        let undone = match is_done {
            true => String::new(),
            false if next == Some(n) => format!("undone, {redo} does it again: "),
            false => "undone: ".to_owned(),
        };
        let text = format!("{undone}{}", made.title);
        (crate::ui::words::ago(made.time, model.now), text, is_done)
    });
    let texts: Vec<(String, String, bool)> = texts.collect();
    let rows = texts.iter().map(|(kind, text, is_done)| Choice {
        kind,
        role: if *is_done { Role::Text } else { Role::Faint },
        text,
    });
    let rows: Vec<Choice<'_>> = rows.collect();
    draw_choices(pen, model, "History of changes", (&rows, changes.row));
}

/// The themes, each with the screens it is for.
pub(super) fn themes(pen: &mut Pen<'_>, model: &Model, themes: &Themes) {
    let rows = model.themes.iter().map(|(name, is_light)| Choice {
        kind: name,
        role: Role::Muted,
        text: match is_light {
            true => "for a light background",
            false => "for a dark background",
        },
    });
    let rows: Vec<Choice<'_>> = rows.collect();
    draw_choices(pen, model, "Theme", (&rows, themes.row));
}

fn draw_choices(
    pen: &mut Pen<'_>,
    model: &Model,
    title: &str,
    (choices, row): (&[Choice<'_>], usize),
) {
    let (columns, rows) = model.size;
    let kinds = choices.iter().map(|one| safe::width(one.kind)).max();
    let kind = kinds
        .unwrap_or_default()
        .min(usize::from(columns.min(84)) / 3);
    let is_cut = |one: &Choice<'_>| kind + 9 + safe::width(one.text) > columns.min(84).into();
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
    let inner = open(pen, area, title, choices.len().to_string());
    let width = usize::from(inner.width);
    let list = Rect {
        height: inner.height.saturating_sub(full),
        ..inner
    };
    let height = usize::from(list.height);
    let last = choices.len().saturating_sub(height);
    let top = row.saturating_sub(height / 2).min(last);
    if let Some(one) = choices.get(row).filter(|_| full > 0) {
        in_full(pen, inner, list.height, one.text);
    }
    let shown = choices.iter().enumerate().skip(top);
    for (line, (n, one)) in (0..list.height).zip(shown) {
        let here = n == row;
        let room = width.saturating_sub(kind + 5);
        let spans = vec![
            pen.text(Role::Accent, if here { "▌ " } else { "  " }),
            pen.text(Role::Muted, &safe::pad(one.kind, kind)),
            pen.text(one.role, &format!("  {}", safe::fit(one.text, room))),
        ];
        pen.row(list, line, spans, here);
    }
}
