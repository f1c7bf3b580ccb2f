//! The list of memories. Only the rows on the screen are looked at.

mod columns;
mod weight;

use std::borrow::Cow;
use std::ops::Range;

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

mod marks;
mod store;

use self::marks::marks;
pub(super) use self::store::store_name;
use super::pen::{Frame, Pen};
use super::theme::Role;
use super::{safe, words};
use crate::app::browse::Sort;
use crate::app::layout::{Areas, Room};
use crate::app::{Focus, Model, Pane};
use crate::memory::{Memory, State};
use crate::retrieval::Verdict;
use columns::{Columns, LEAD, MARK, POINTS, RANK};
pub use weight::importance;
use weight::weight;

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
    let columns = Columns::new(model, areas);
    if columns.facts {
        headings(pen, model, areas, &columns);
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

fn headings(pen: &mut Pen<'_>, model: &Model, areas: &Areas, columns: &Columns) {
    let line = Rect {
        y: areas.rows.y.saturating_sub(1),
        height: 1,
        ..areas.rows
    };
    let sorted = |sort: Sort, text: &str| -> String {
        if model.browse.sort == sort {
            format!("{text}▾")
        } else {
            text.to_owned()
        }
    };
    let mut text = " ".repeat(LEAD);
    text += &safe::pad(&sorted(Sort::Title, "TITLE"), columns.title);
    if columns.rank {
        text += &safe::pad_left(&sorted(Sort::Rank, "#"), RANK);
    }
    if columns.points {
        text += &safe::pad_left("PTS", POINTS);
    }
    if columns.store > 0 {
        text += "  ";
        text += &safe::pad("STORE", columns.store);
    }
    text += "  ";
    if columns.kind > 0 {
        text += &safe::pad(&sorted(Sort::Importance, columns.word), columns.kind);
    }
    text += &safe::pad_left(&sorted(Sort::Age, "AGE"), 4);
    if columns.tags > 0 {
        text += "  TAGS";
    }
    let style = pen.style(Role::Faint);
    pen.line(line, 0, vec![Span::styled(text, style)]);
}

fn draw_row(
    pen: &mut Pen<'_>,
    model: &Model,
    areas: &Areas,
    columns: &Columns,
    (line, row, memory): (u16, usize, &Memory),
) {
    let browse = &model.browse;
    let here = row == browse.cursor.row;
    let picked = browse.picked.contains(&memory.id) || browse.in_range(row);
    let base = match (memory.state, memory.hidden_at(model.now)) {
        (State::Archived, _) | (_, Some(_)) => pen.style(Role::Muted),
        _ => pen.style(Role::Text),
    };
    let mut spans = vec![
        if here {
            pen.text(Role::Accent, "▌")
        } else {
            Span::raw(" ")
        },
        pen.text(Role::Accent, if picked { "✓" } else { " " }),
    ];
    spans.extend(title_spans(pen, model, memory, columns.title, base));
    if columns.rank {
        let index = browse.rows.get(row).map_or(usize::MAX, |n| *n as usize);
        let shown = rank(pen, model.inject.verdict(index));
        spans.extend(shown.into_iter().take(1 + usize::from(columns.points)));
    }
    if columns.store > 0 {
        let name = safe::fit(store_name(model, &memory.id.store), columns.store);
        let name = safe::pad(&name, columns.store);
        spans.push(pen.text(Role::Muted, &format!("  {name}")));
    }
    if columns.facts {
        spans.push(Span::raw("  "));
        spans.extend(weight(pen, memory, columns.kind));
        let last = memory.written();
        let age = last.map_or(String::new(), |then| then.age_words(model.now));
        spans.push(pen.text(
            Role::Muted,
            &safe::pad_left(&age, 4 + usize::from(columns.kind > 0)),
        ));
    }
    if columns.tags > 0 {
        let (role, text) = match browse.archived_note(memory, model.now) {
            Some(note) => (Role::Muted, note),
            None => (Role::Tag, tags(memory, columns.tags)),
        };
        let text = safe::pad(&safe::fit(&text, columns.tags), columns.tags);
        spans.extend([Span::raw("  "), pen.text(role, &text)]);
    }
    let mut marks = marks(pen, model, memory, here);
    if !columns.facts {
        marks.retain(|mark| mark.content != " ");
        marks.truncate(MARK);
    }
    pen.row(areas.rows, line, spans, here);
    if here {
        pen.select(&mut marks);
    }
    pen.line_right(areas.rows, line, marks);
}

/// The title with what the filter matched.
fn title_spans(
    pen: &Pen<'_>,
    model: &Model,
    memory: &Memory,
    width: usize,
    base: Style,
) -> Vec<Span<'static>> {
    let title = words::title(memory);
    let text = safe::pad(&safe::fit(&title, width), width);
    let query = model.browse.filter.query.as_ref();
    let ranges = query.map_or(Vec::new(), |query| query.highlights(&title));
    let clean = matches!(safe::safe(&title), Cow::Borrowed(_));
    if ranges.is_empty() || !clean {
        return vec![Span::styled(text, base)];
    }
    marked(&text, &ranges, base, base.patch(pen.style(Role::Match)))
}

/// A text that may be cut or filled up, the parts of the whole one that match in another style.
fn marked(text: &str, ranges: &[Range<usize>], base: Style, matched: Style) -> Vec<Span<'static>> {
    // What is cut off may match as well, and nothing of it stands in the blanks.
    let end = text.trim_end().chars().count();
    let mut spans: Vec<Span<'static>> = Vec::new();
    let mut last = None;
    for (n, c) in text.chars().enumerate() {
        let hit = n < end && c != '…' && ranges.iter().any(|range| range.contains(&n));
        match spans.last_mut() {
            Some(span) if last == Some(hit) => span.content.to_mut().push(c),
            _ => spans.push(Span::styled(
                c.to_string(),
                if hit { matched } else { base },
            )),
        }
        last = Some(hit);
    }
    spans
}

/// Rank and score; a dot where a memory is not injected.
fn rank(pen: &Pen<'_>, verdict: Option<&Verdict>) -> Vec<Span<'static>> {
    let rank = verdict.and_then(|verdict| verdict.rank);
    let score = verdict.and_then(|verdict| verdict.score);
    let score = score.map_or(String::new(), words::points);
    let (role, rank) = match (rank, verdict) {
        (Some(rank), _) => (Role::Accent, rank.to_string()),
        (None, Some(_)) => (Role::Faint, "·".to_owned()),
        (None, None) => (Role::Faint, String::new()),
    };
    vec![
        pen.text(role, &safe::pad_left(&rank, RANK)),
        pen.text(role, &safe::pad_left(&score, POINTS)),
    ]
}

/// As many tags as fit, and how many more there are.
fn tags(memory: &Memory, width: usize) -> String {
    let all: Vec<Cow<'_, str>> = memory.tags().map(crate::lint::mask).collect();
    let mut out = String::new();
    for (n, tag) in all.iter().enumerate() {
        let more = match all.len() - n - 1 {
            0 => String::new(),
            rest => format!(" +{rest}"),
        };
        let gap = if out.is_empty() { "" } else { " " };
        if safe::width(&out) + gap.len() + safe::width(tag) + more.len() > width {
            if out.is_empty() {
                out = safe::fit(tag, width.saturating_sub(more.len())) + &more;
            } else {
                out += &format!(" +{}", all.len() - n);
            }
            break;
        }
        out += gap;
        out += tag;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_off_is_not_marked_in_the_blanks() {
        let (base, matched) = (Style::new(), Style::new().bold());
        let spans = marked("abc…   ", &[0..1, 4..7], base, matched);
        let bold = spans.iter().filter(|span| span.style == matched);
        let bold: Vec<_> = bold.map(|span| &*span.content).collect();
        assert_eq!(bold, ["a"]);
    }
}
