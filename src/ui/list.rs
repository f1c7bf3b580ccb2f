//! The list of memories. Only the rows on the screen are looked at.

mod columns;

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

pub use self::columns::importance;
use self::columns::{Column, MARK};
use super::pen::{Pen, Spans, inset};
use super::theme::{Role, Theme};
use super::{empty, safe, words};
use crate::app::browse::{Heading, Section};
use crate::app::layout::{Areas, Room};
use crate::app::{Focus, Model, Pane};
use crate::memory::{Memory, Severity, State, StoreId};
use crate::search::query::MARKED;

/// Draws the list; where the filter is typed, says where its cursor is.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    if areas.list.is_empty() {
        return None;
    }
    let cursor = title(pen, model, areas);
    if model.browse.rows.is_empty() {
        empty::say(pen, areas.rows, &empty::lines(model));
        return cursor;
    }
    let columns = columns::columns(model, areas);
    let (browse, world) = (&model.browse, &model.world);
    for line in 0..areas.rows.height {
        match browse.dividers.at(browse.cursor.top + usize::from(line)) {
            Ok(row) => {
                if let Some(memory) = browse.on(world, row) {
                    draw_row(pen, model, areas, &columns, (line, row, memory));
                } else if let Some(heading) = browse.folded_at(row) {
                    draw_heading(pen, model, areas.rows, (line, heading));
                } else if let Some((_, title)) = browse.deleted_at(world, row) {
                    draw_deleted(pen, areas.rows, (line, row == browse.cursor.row), title);
                }
            }
            Err(n) => match browse.heading(n) {
                Some(heading) => draw_heading(pen, model, areas.rows, (line, heading)),
                None => loose_line(pen, model, areas.rows, line),
            },
        }
    }
    cursor
}

/// The heading of a section: its name, the figure that matters for it, and how many it has.
fn draw_heading(pen: &mut Pen<'_>, model: &Model, area: Rect, of: (u16, &Heading)) {
    let (line, heading) = of;
    let browse = &model.browse;
    let number = words::number(heading.count);
    let (name, about) = match &heading.section {
        Section::Waiting => ("WAITING FOR YOU".to_owned(), review(model, heading.count)),
        Section::Context => ("CONTEXT".to_owned(), "read with every session".to_owned()),
        Section::Store(store) => {
            let mut opened = model.opened.iter();
            let folder = opened.find(|(own, _)| own == store);
            let own_name = store.0.split_once('@').map_or("", |(_, folder)| folder);
            let folder = folder.map_or(own_name, |(_, path)| path);
            let gap = if folder.is_empty() { "" } else { " · " };
            let given = browse.every_session.get(store);
            let about = match given.map_or(0, |given| given.tokens) {
                0 => String::new(),
                tokens => format!("{} tokens every session", words::number(tokens)),
            };
            let name = store.format().to_uppercase();
            (format!("{name}{gap}{folder}"), about)
        }
    };
    let here = browse.folded_at(browse.cursor.row);
    let is_here = here.is_some_and(|one| std::ptr::eq(one, heading));
    let sign = if heading.is_folded { "▸" } else { "▾" };
    let room = usize::from(area.width).saturating_sub(number.len() + 5);
    let gap = if about.is_empty() { "" } else { "  " };
    let about = match safe::width(&name) + gap.len() + safe::width(&about) <= room {
        true => format!("{gap}{about}"),
        false => String::new(),
    };
    let name = safe::fit(&name, room);
    let rule = room.saturating_sub(safe::width(&name) + safe::width(&about));
    let spans = vec![
        pen.theme.mark(is_here),
        pen.text(Role::Accent, sign),
        pen.text(Role::Title, &format!(" {name}")),
        pen.text(Role::Muted, &format!("{about} ")),
        pen.text(Role::Border, &"─".repeat(rule)),
        pen.text(Role::Muted, &format!(" {number}")),
    ];
    pen.row(area, line, is_here, spans);
}

fn draw_deleted(pen: &mut Pen<'_>, area: Rect, (line, here): (u16, bool), title: &str) {
    let room = usize::from(area.width).saturating_sub(30);
    let title = safe::fit(&words::plain(title), room);
    let spans = vec![
        pen.theme.mark(here),
        pen.text(Role::Removed, &format!(" {title}")),
        pen.text(Role::Muted, "  deleted since the last commit"),
    ];
    pen.row(area, line, here, spans);
    pen.line_right(area, line, vec![pen.text(Role::Removed, "−")]);
}

/// The way to the changes that wait; how many have no row, as deleted memories and proposals, and how
/// many wait for the commit alone.
fn review(model: &Model, listed: usize) -> String {
    let key = model.key("review");
    match (model.waiting(), listed) {
        (0, _) => format!("accepted · {key}, then {} commits", model.key("commit")),
        (waiting, listed) if waiting > listed => {
            format!("and {} more · press {key} to review", waiting - listed)
        }
        (waiting, listed) if waiting < listed => {
            format!("{} accepted · press {key} to review", listed - waiting)
        }
        _ => format!("press {key} to review"),
    }
}

fn loose_line(pen: &mut Pen<'_>, model: &Model, area: Rect, line: u16) {
    let key = model.key("select-all");
    let rest = "─".repeat(usize::from(area.width));
    let text = format!("─ looser, not taken by {key} {rest}");
    pen.line(area, line, vec![pen.text(Role::Border, &text)]);
}

/// Draws the line above the list: the filter, or what is listed.
fn title(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    if areas.room == Room::Tiny {
        return None;
    }
    let browse = &model.browse;
    let filter = &browse.filter;
    let listed = browse.rows.len();
    let total = match browse.archived {
        true => model.world.memories.len(),
        false => model.world.active,
    };
    let counts = [listed, total, browse.close, browse.loose];
    let [shown, all, close, loose] = counts.map(words::number);
    let mut note = match (filter.is_on(), browse.loose) {
        (true, 0) => format!("{shown} of {all}"),
        (true, _) => format!("{close} · {loose} looser"),
        // The top line counts memories alone.
        (false, _) if model.world.context > 0 && listed == total => {
            let context = model.world.context;
            format!("{} + {context} context", words::number(listed - context))
        }
        (false, _) => shown,
    };
    if !browse.picked.is_empty() {
        note = format!("{} selected · {note}", words::number(browse.picked.len()));
    }
    let focused = matches!(model.focus(), Focus::Filter | Focus::Pane(Pane::List));
    let order = match browse.by_match() {
        true => "best match first".to_owned(),
        false => format!("by {}", browse.sort.word()),
    };
    let title = vec![
        pen.text(Role::Title, "Memories"),
        pen.text(Role::Muted, &format!(" {order}")),
    ];
    frame(pen, model, areas, (focused, title, &note))
}

/// Draws the frame of a list, and in its top line the filter, where there is one, in the place of its
/// title; where it is typed, says where its cursor is.
pub fn frame(
    pen: &mut Pen<'_>,
    model: &Model,
    areas: &Areas,
    (focused, title, note): (bool, Spans, &str),
) -> Option<Position> {
    let filter = &model.browse.filter;
    let typed = filter.editing || filter.is_on();
    let title = if typed { Vec::new() } else { title };
    pen.frame(areas.list, areas.borders, focused, (title, note, ""));
    if !typed {
        return None;
    }
    let noted = u16::try_from(safe::width(note)).unwrap_or(0) + 2;
    let edge = u16::from(areas.borders);
    let line = inset(areas.list, edge + 1, edge + 1 + noted);
    let style = pen.style(Role::either(filter.editing, Role::Input, Role::Accent));
    let room = line.width.saturating_sub(2);
    let typed = u16::try_from(safe::width(filter.line.text())).unwrap_or(room);
    let least = if filter.editing { 24 } else { 0 };
    let width = room.min(typed.saturating_add(1).max(least));
    let input = Rect::new(line.x + 1, line.y, width, 1);
    pen.clear(Rect::new(input.x, input.y, width + 1, 1));
    pen.over(input, 0, style);
    let cursor = draw_filter(pen, model, line, input, style);
    let behind = input.width + 2;
    if let Some(error) = filter.error.as_ref().filter(|_| behind + 12 < line.width) {
        let room = usize::from(line.width - behind).saturating_sub(1);
        let text = format!("{} ", safe::fit(&error.message, room));
        pen.line_at(line, 0, behind, vec![pen.text(Role::Error, &text)]);
    }
    cursor.filter(|_| filter.editing)
}

/// Draws the sign of the filter and its text, what is wrong in it marked.
pub(super) fn draw_filter(
    pen: &mut Pen<'_>,
    model: &Model,
    line: Rect,
    input: Rect,
    style: Style,
) -> Option<Position> {
    let filter = &model.browse.filter;
    pen.line(line, 0, vec![pen.text(Role::StatusKey, "/")]);
    let wrong = filter.error.as_ref().map(|error| error.span.clone());
    pen.input(input, &filter.line, style, wrong)
}

fn draw_row(
    pen: &mut Pen<'_>,
    model: &Model,
    areas: &Areas,
    (columns, titles): &(Vec<Column>, usize),
    (line, row, memory): (u16, usize, &Memory),
) {
    let browse = &model.browse;
    let here = row == browse.cursor.row;
    let picked = browse.picked.contains(&memory.id) || browse.in_range(row);
    let mut spans = vec![
        match here {
            true => pen.theme.mark(true),
            false => Span::raw(" "),
        },
        pen.text(Role::Accent, if picked { "✓" } else { " " }),
    ];
    let of = (pen.theme, model, memory, *titles);
    for (gap, width, cell) in columns {
        spans.push(Span::raw(" ".repeat(*gap)));
        spans.extend(cell(of, row, *width));
    }
    let mut marks = marks(pen.theme, model, memory, here);
    if areas.room < Room::Medium {
        marks.retain(|mark| mark.content != " ");
        marks.truncate(MARK);
    }
    pen.row(areas.rows, line, here, spans);
    if here {
        pen.select(&mut marks);
    }
    pen.line_right(areas.rows, line, marks);
}

/// The marks, each in its own column: what was found (`~` where it is stale and nothing else that
/// is as bad), whether it is seen and negative, whether it is new.
/// Nearly every memory has a suggestion: that is marked only where the person stands.
fn marks(theme: &Theme, model: &Model, memory: &Memory, here: bool) -> Vec<Span<'static>> {
    let own = model.world.own_findings(&memory.id);
    let with = model.world.findings_with(&memory.id).iter();
    let with = with.filter_map(|n| model.world.finding(*n));
    let findings = own.chain(with.filter(|finding| finding.is_of_pair()));
    let found = || findings.clone();
    let worst = found().map(|finding| finding.severity).min();
    let same = || found().filter(|finding| Some(finding.severity) == worst);
    let mut own = MARKED.iter();
    let own = own.find(|(.., rules)| same().all(|finding| rules.contains(&finding.rule)));
    let found = match worst {
        Some(Severity::Error) => theme.text(Role::Error, "x"),
        Some(Severity::Warning) => theme.text(Role::Warning, own.map_or("!", |(mark, ..)| mark)),
        Some(Severity::Info) if here => theme.text(Role::Info, "·"),
        Some(Severity::Info) | None => Span::raw(" "),
    };
    let seen = match (memory.state, memory.hidden_at(model.now)) {
        (State::Archived, _) => theme.text(Role::Muted, "a"),
        (_, Some(_)) if !model.inject.injects(&memory.id) => theme.text(Role::Warning, "∅"),
        _ if model.world.is_cut_off(&memory.id) => theme.text(Role::Warning, "∅"),
        _ if memory.is_caution => theme.text(Role::Muted, "⊘"),
        _ => Span::raw(" "),
    };
    let new = if model.world.fresh.contains(&memory.id) || model.world.is_edited(memory) {
        theme.text(Role::Changed, "*")
    } else if model.world.is_new(memory) {
        theme.text(Role::Added, "+")
    } else {
        Span::raw(" ")
    };
    vec![found, seen, new]
}

/// The name that tells a store from the others: its folder, where all are of one format.
pub(super) fn store_name<'a>(model: &'a Model, id: &'a StoreId) -> &'a str {
    let split = |id: &'a StoreId| id.0.split_once('@');
    let format = split(id).map(|(format, _)| format);
    let same = |other: &StoreId| other.0.split_once('@').map(|(format, _)| format) == format;
    // Folders of a home have long names that begin and end alike.
    let at_home = model.world.stores.iter().filter(|other| same(other));
    let at_home = at_home.filter_map(|other| Some(split(other)?.1));
    let at_home = at_home.filter(|one| one.starts_with("~/"));
    match split(id) {
        Some((_, folder)) if folder.starts_with("~/") && at_home.clone().count() > 1 => {
            words::apart(folder, at_home)
        }
        Some((_, folder)) if model.world.stores.iter().all(same) => folder,
        _ => &id.0,
    }
}
