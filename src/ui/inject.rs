//! The ranking: what would be injected, the line between in and out, the near misses; and the
//! exact prompt.

use std::borrow::Cow;

use ratatui::layout::Rect;
use ratatui::text::Span;

use super::lines::{self, Lines};
use super::list::store_name;
use super::pen::{Frame, Pen, bar};
use super::theme::Role;
use super::{empty, safe, words};
use crate::app::inject::{Inject, words as reason};
use crate::app::layout::{Areas, Room};
use crate::app::{Focus, Model, Pane};
use crate::memory::{StoreId, tokens_of};
use crate::retrieval::{Preview, Reason, StorePart, Verdict};

/// Draws the ranking.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    if areas.list.is_empty() {
        return;
    }
    let preview = model.inject.preview();
    let saved = &model.inject.saved;
    let passed = || format!("{} of {} pass", saved.passed(), saved.all.len());
    let counts = |preview: &Preview| match model.inject.part() {
        Some(part) => (part.places, part.selected),
        None => (preview.places, preview.selected.len()),
    };
    let note = preview.map_or(String::new(), |preview| match counts(preview) {
        (Some(places), selected) => format!("{selected} of {places}"),
        (None, selected) => words::number(selected),
    });
    let note = if model.inject.offers() {
        passed()
    } else {
        note
    };
    let focused = matches!(model.focus(), Focus::Pane(Pane::List) | Focus::Task);
    if areas.room > Room::Tiny {
        let title = match model.inject.offers() {
            true => "Saved tasks",
            false => "Would be injected",
        };
        let title = vec![pen.text(Role::Title, title)];
        pen.frame(
            areas.list,
            areas.borders,
            Frame {
                title,
                note,
                foot: String::new(),
                focused,
            },
        );
    }
    if model.inject.offers() {
        return super::tasks::draw(pen, model, areas);
    }
    let Some(preview) = preview else {
        let key = model.keymap.label("task").unwrap_or_default();
        let lines = if model.inject.is_set() {
            vec![(Role::Muted, "ranking …".to_owned())]
        } else {
            let how = match model.inject.editing {
                true => "type what it is about to do;".to_owned(),
                false => format!("{key} and type what it is about to do;"),
            };
            vec![
                (Role::Title, "What would an agent be given?".to_owned()),
                (Role::Muted, how),
                (Role::Muted, "the ranking follows every key".to_owned()),
            ]
        };
        return empty::say(pen, areas.rows, &lines);
    };
    rows(pen, model, areas, preview);
}

/// Draws the lines on the screen: rows, hints, and the line between in and out, which is always
/// there: where it would be out of sight it stands at the nearer edge.
fn rows(pen: &mut Pen<'_>, model: &Model, areas: &Areas, preview: &Preview) {
    let inject = &model.inject;
    let (top, cut) = (inject.cursor.top, inject.cut());
    let height = usize::from(areas.rows.height);
    for row in inject.row_at(top).unwrap_or(0)..inject.rows() {
        let line = inject.line_of(row);
        if line >= top + height {
            break;
        }
        let Some(verdict) = inject.on(row) else {
            break;
        };
        if let Some(at) = on_screen(line, top, height) {
            draw_row(pen, model, areas, at, (row, verdict));
        }
        if let Some(hint) = verdict.hint.as_ref().filter(|_| row >= cut)
            && let Some(at) = on_screen(line + 1, top, height)
        {
            let room = usize::from(areas.rows.width).saturating_sub(12);
            let hint = safe::fit(hint, room);
            pen.line_at(areas.rows, at, 11, vec![pen.text(Role::Muted, &hint)]);
        }
    }
    let last = height.saturating_sub(1);
    let at = cut.saturating_sub(top).min(last);
    if let Ok(at) = u16::try_from(at)
        && height > 1
    {
        let line = Rect {
            y: areas.rows.y + at,
            height: 1,
            ..areas.rows
        };
        pen.clear(line);
        cut_line(pen, areas.rows, at, inject, preview);
    }
}

fn on_screen(line: usize, top: usize, height: usize) -> Option<u16> {
    let at = line.checked_sub(top).filter(|at| *at < height)?;
    u16::try_from(at).ok()
}

/// Draws the stores of the preview with their counts, between the keys that switch them; the shown one
/// is highlighted. In little room the others lose their limits, and then those farthest from the
/// shown one are left out.
pub fn stores(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let parts = model.inject.parts();
    if areas.stores.is_empty() || parts.is_empty() {
        return;
    }
    let key = |command| model.keymap.label(command).unwrap_or_default();
    let (back, on) = (key("previous-store"), key("next-store"));
    let is_shown = |part: &StorePart| Some(&part.store) == model.inject.store.as_ref();
    let label = |part: &StorePart, is_full: bool| {
        let (name, count) = (store_name(model, &part.store), part.selected);
        match part.places {
            _ if !is_full && !is_shown(part) => format!("{name} {count}"),
            _ if part.is_always && count > 0 => format!("{name} {count}, always"),
            Some(places) => format!("{name} {count} of {places}"),
            None => format!("{name} {count}"),
        }
    };
    let labels = |is_full| -> Vec<String> {
        let each = parts.iter();
        each.map(|part| label(part, is_full)).collect()
    };
    let width_of = |texts: &[String]| {
        texts
            .iter()
            .map(|text| safe::width(text) + 3)
            .sum::<usize>()
    };
    let ends = safe::width(&back) + safe::width(&on) + 3;
    let room = (usize::from(areas.stores.width) + 3).saturating_sub(ends);
    let full = labels(true);
    let all = match width_of(&full) <= room {
        true => full,
        false => labels(false),
    };
    let shown = parts.iter().position(is_shown).unwrap_or(0);
    // The mark of stores that are left out takes two cells at either end.
    let cut = |from: usize, to: usize| (usize::from(from > 0) + usize::from(to < all.len())) * 2;
    let fits = |from, to| {
        let some = all.get(from..to);
        some.is_some_and(|some| width_of(some) + cut(from, to) <= room)
    };
    let (mut from, mut to) = (shown, shown + 1);
    loop {
        let (left, right) = (from > 0 && fits(from - 1, to), fits(from, to + 1));
        if left && (!right || shown - from < to - shown) {
            from -= 1;
        } else if right {
            to += 1;
        } else {
            break;
        }
    }
    let mut spans = vec![pen.text(Role::StatusKey, &format!(" {back} "))];
    if from > 0 {
        spans.push(pen.text(Role::Muted, "… "));
    }
    for (n, text) in all.iter().enumerate().take(to).skip(from) {
        if n > from {
            spans.push(pen.text(Role::Border, " │ "));
        }
        let role = if n == shown {
            Role::HeaderActive
        } else {
            Role::Muted
        };
        spans.push(pen.text(role, text));
    }
    if to < all.len() {
        spans.push(pen.text(Role::Muted, " …"));
    }
    spans.push(pen.text(Role::StatusKey, &format!(" {on}")));
    let spans = super::pen::fit_spans(spans, usize::from(areas.stores.width));
    pen.line(areas.stores, 0, spans);
}

/// The line between in and out: how many places there are and how many are free.
fn cut_line(pen: &mut Pen<'_>, area: Rect, row: u16, inject: &Inject, preview: &Preview) {
    let all = (preview.places, preview.selected.len());
    let part = inject.part();
    let (places, selected) = part.map_or(all, |part| (part.places, part.selected));
    // If places are divided among layers, those of one layer are no use to another.
    let over = inject.on(inject.cut()).map(|verdict| verdict.reason);
    let words = match places {
        Some(places) if over == Some(Reason::OverLimit) && selected < places => {
            format!(" {selected} of {places} places, no other fits ")
        }
        Some(places) => {
            let free = places.saturating_sub(selected);
            let noun = if places == 1 { "place" } else { "places" };
            match free {
                0 => format!(" {places} {noun}, none free "),
                free => format!(" {places} {noun}, {free} free "),
            }
        }
        None if over == Some(Reason::Reachable) => {
            " not loaded; what the task is about comes first ".to_owned()
        }
        None => " the rest is left out ".to_owned(),
    };
    let rest = usize::from(area.width).saturating_sub(safe::width(&words) + 1);
    let text = safe::fit(
        &format!("─{words}{}", "─".repeat(rest)),
        usize::from(area.width),
    );
    let style = pen.style(Role::CutLine);
    pen.line(area, row, vec![Span::styled(text, style)]);
}

/// Columns of a list that has room for bars beside titles.
const WITH_BARS: usize = 56;

/// Cells of the score's bar.
const BAR: usize = 13;

/// The score that fills a bar in a store: the highest there can be where scores go to a hundred,
/// else the highest there is.
fn most(model: &Model, store: &StoreId) -> f64 {
    let best = model.inject.best(store);
    if best > 2.0 || best <= 0.0 {
        100.0
    } else {
        best
    }
}

fn draw_row(
    pen: &mut Pen<'_>,
    model: &Model,
    areas: &Areas,
    line: u16,
    (row, verdict): (usize, &Verdict),
) {
    let here = row == model.inject.cursor.row;
    let selected = verdict.reason == Reason::Selected;
    let memory = model.inject.memory_of(verdict);
    let title = memory.map_or(Cow::Borrowed(""), |memory| words::title(memory));
    let width = usize::from(areas.rows.width);
    let role = if selected { Role::Text } else { Role::Muted };
    let rank = verdict
        .rank
        .map_or_else(|| "·".to_owned(), |rank| rank.to_string());
    let mut spans = vec![
        pen.text(Role::Accent, if here { "▌" } else { " " }),
        pen.text(role, &safe::pad_left(&rank, 3)),
    ];
    let mut used = 6;
    // If a policy gives no points, the title has their room.
    let without = selected && verdict.score.is_none();
    if !without {
        let score = verdict.score.map_or(String::new(), words::points);
        spans.push(pen.text(role, &safe::pad_left(&score, 5)));
        used += 5;
    }
    spans.push(Span::raw("  "));
    if areas.room >= Room::Medium && width >= WITH_BARS && !without {
        let cell = if selected {
            let most = memory.map_or(100.0, |memory| most(model, &memory.id.store));
            let part = verdict.score.unwrap_or(0.0) / most;
            pen.text(Role::ScoreBar, &safe::pad(&bar(part, BAR), BAR))
        } else {
            pen.text(Role::Muted, &safe::pad(reason(verdict.reason), BAR))
        };
        spans.push(cell);
        spans.push(Span::raw("  "));
        used += BAR + 2;
    }
    let moved = moved(model, verdict);
    let tail = moved.as_ref().map_or(0, |text| safe::width(text) + 2);
    let room = width.saturating_sub(used + tail);
    spans.push(pen.text(role, &safe::pad(&title, room)));
    if let Some(moved) = moved {
        spans.push(pen.text(Role::Changed, &format!("  {moved}")));
    }
    pen.row(areas.rows, line, spans, here);
}

/// The effect of the present edit on a rank: `2 → 1`, `out → 4`.
pub fn moved(model: &Model, verdict: &Verdict) -> Option<String> {
    let after = model.inject.rank_after(verdict.memory)?;
    if after == verdict.rank {
        return None;
    }
    let word = |rank: Option<usize>| rank.map_or("out".to_owned(), |rank| rank.to_string());
    Some(format!("{} → {}", word(verdict.rank), word(after)))
}

/// Draws the prompt; how far it can be scrolled.
pub fn prompt(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> usize {
    if areas.below.is_empty() {
        return 0;
    }
    let preview = model.inject.preview();
    let part = model.inject.part();
    let note = preview.map_or(String::new(), |preview| {
        let own = part.map_or(preview.tokens(), |part| tokens_of(part.prompt.len()));
        let tokens = words::number(own);
        match preview.budget {
            Some(budget) if part.is_some() => format!(
                "{tokens} of {} tokens · {} together",
                words::number(budget),
                words::number(preview.tokens())
            ),
            None if part.is_some() => format!(
                "{} · {} together",
                words::count(own, "token", "tokens"),
                words::number(preview.tokens())
            ),
            Some(budget) => format!("{tokens} of {} tokens", words::number(budget)),
            None => words::count(own, "token", "tokens"),
        }
    });
    let focused = matches!(model.focus(), Focus::Pane(Pane::Prompt));
    let title = vec![pen.text(Role::Title, "Prompt")];
    pen.frame(
        areas.below,
        areas.borders,
        Frame {
            title,
            note,
            foot: String::new(),
            focused,
        },
    );
    let area = Rect {
        x: areas.prompt.x + 1.min(areas.prompt.width),
        width: areas.prompt.width.saturating_sub(2),
        ..areas.prompt
    };
    let mut out = Lines::default();
    let most = model
        .inject
        .scroll
        .saturating_add(usize::from(area.height) + 1);
    let width = usize::from(area.width).max(1);
    if let Some(preview) = preview {
        let prompt = part.map_or(&preview.prompt, |part| &part.prompt);
        if prompt.is_empty() {
            out.push(vec![pen.text(Role::Faint, "nothing is injected")]);
        }
        let skill = preview.skill.as_deref().unwrap_or_default();
        let between = skill
            .lines()
            .next()
            .map(|_| "and the skill that teaches it");
        let lines = prompt.lines().map(|line| (line, Role::Text));
        let lines = lines.chain(between.map(|line| (line, Role::Faint)));
        for (line, role) in lines.chain(skill.lines().map(|line| (line, Role::Text))) {
            if role == Role::Faint {
                out.gap();
            }
            raw_line(pen, line, role, width, &mut out);
            if role == Role::Faint {
                out.gap();
            }
            if out.lines.len() > most {
                out.more = true;
                break;
            }
        }
    }
    lines::scrolled(pen, area, &out, model.inject.scroll)
}

/// A line as it is, broken where it is too long.
fn raw_line(pen: &Pen<'_>, line: &str, role: Role, width: usize, out: &mut Lines) {
    if line.trim().is_empty() {
        return out.gap();
    }
    let indent = line.len() - line.trim_start().len();
    let lead = safe::width(line.get(..indent).unwrap_or_default()).min(width / 2);
    out.wrapped(pen, role, line, width, lead);
}
