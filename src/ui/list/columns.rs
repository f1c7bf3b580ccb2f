//! The columns of the list: one row of a table each, and its cell.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;

use super::store_name;
use crate::app::Model;
use crate::app::browse::level;
use crate::app::layout::{Areas, Room};
use crate::lint::mask;
use crate::memory::{Memory, Role as Part, Schema, State, Value};
use crate::retrieval::Verdict;
use crate::ui::theme::{Role, Theme};
use crate::ui::{safe, words};

/// The theme, the model, the memory of a row, and the columns of titles.
type Of<'a> = (&'a Theme, &'a Model, &'a Memory, usize);
type Cell = fn(Of<'_>, usize, usize) -> Vec<Span<'static>>;

/// Blanks before a column, its width, and its cell.
pub(super) type Column = (usize, usize, Cell);

const MARKS: usize = 3;
/// Columns of the one mark of a narrow list.
pub(super) const MARK: usize = 1;
/// Columns before the title: the cursor and whether it is picked.
const LEAD: usize = 2;
/// Columns of the bar of importance, and of an age with the gap before it.
const BAR: usize = 2;
const AGE: usize = 6;
/// The fewest columns in which a description says something.
const LEAST_SUMMARY: usize = 12;
/// Rows by whose titles the width of the column is chosen.
const LOOKED_AT: usize = 200;
/// The most and the fewest columns that names of stores have.
const STORE: usize = 14;
const LEAST_STORE: usize = 4;
/// Columns of rank and score with the gaps before them.
const RANK: usize = 4;
const POINTS: usize = 5;

/// The columns that have room, in their order, and the columns of titles that stand before
/// descriptions.
pub(super) fn columns(model: &Model, areas: &Areas) -> (Vec<Column>, usize) {
    let facts = areas.room >= Room::Medium;
    let rank = facts && model.inject.has_text() && model.inject.preview().is_some();
    let points = rank && model.inject.has_points;
    let has = |part| move |schema: &&'static Schema| schema.role(part).is_some();
    let bars = facts && model.world.schemas.iter().any(has(Part::Importance));
    let marks = if facts { MARKS } else { MARK };
    let fixed = [(bars, BAR), (facts, AGE), (rank, RANK), (points, POINTS)];
    let fixed = fixed.iter().filter(|(is_there, _)| *is_there);
    let fixed: usize = fixed.map(|(_, columns)| columns).sum();
    let room = usize::from(areas.rows.width).saturating_sub(LEAD + marks + 1 + fixed);
    let stores = &model.world.stores;
    let is_mixed = model.browse.headings.is_empty() && stores.len() > 1;
    let names = stores.iter().map(|id| safe::width(store_name(model, id)));
    // A narrow list has the beginning of the name.
    let store = names.max().filter(|_| is_mixed);
    let store = store.map_or(0, |widest| widest.min(STORE).min(room / 5).max(LEAST_STORE));
    let rest = room.saturating_sub(if store > 0 { store + 2 } else { 0 });
    let all: [(bool, Column); 6] = [
        (bars, (0, BAR, bar_cell)),
        (true, (0, rest, subject_cell)),
        (rank, (0, RANK, rank_cell)),
        (points, (0, POINTS, points_cell)),
        (store > 0, (2, store, store_cell)),
        (facts, (1, AGE - 1, age_cell)),
    ];
    let all = all.into_iter().filter(|(is_there, _)| *is_there);
    let columns = all.map(|(_, column)| column).collect();
    (columns, title_width(model, rest))
}

/// The columns of titles: as many as nine of ten need, and so few that descriptions have room.
fn title_width(model: &Model, room: usize) -> usize {
    let rows = 0..model.browse.rows.len().min(LOOKED_AT);
    let shown = rows.filter_map(|row| model.browse.on(&model.world, row));
    let widths = shown.map(|memory| safe::width(&name(memory, room)));
    let mut widths: Vec<usize> = widths.collect();
    widths.sort_unstable();
    let most = widths.get(widths.len() * 9 / 10).copied();
    most.unwrap_or_default().min(room * 11 / 20)
}

/// The title; the name of its file where a title would leave its description less than a third.
fn name(memory: &Memory, room: usize) -> Cow<'_, str> {
    let title = words::title(memory);
    let is_described = memory.role(Part::Description).is_some();
    if !is_described || safe::width(&title) <= title_room(room) {
        return title;
    }
    let local = &*memory.id.local;
    let file = local.rsplit('/').next().unwrap_or(local);
    // A name that begins with its type says it twice.
    let kind = memory.role(Part::Type).and_then(Value::as_str);
    let own = kind.and_then(|kind| file.strip_prefix(kind)?.strip_prefix(['_', '-']));
    let file = own.unwrap_or(file);
    match safe::width(file) < safe::width(&title) {
        true => mask(file),
        false => title,
    }
}

/// The columns that a title has beside a description.
const fn title_room(room: usize) -> usize {
    room * 2 / 3 - 1
}

/// The title with what the filter matched, and the description in the room that is left.
fn subject_cell(of: Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let (theme, _, memory, column) = of;
    let summary = memory.summary().map(mask).unwrap_or_default();
    let summary = plain_line(&summary);
    let title = safe::width(&name(memory, width));
    // A title is cut for a description of its own, not for the first words of the text.
    let most = match memory.role(Part::Description) {
        Some(_) => title_room(width),
        None => width,
    };
    let taken = title.max(column).min(most);
    let left = width.saturating_sub(taken + 2);
    if summary.is_empty() || left < LEAST_SUMMARY {
        return title_cell(of, width, width);
    }
    let mut spans = title_cell(of, width, taken);
    spans.push(Span::raw("  "));
    // A type stands where other systems have an importance.
    let kind = memory.role(Part::Type).and_then(Value::as_str);
    let kind = kind.filter(|_| memory.schema.role(Part::Importance).is_none());
    let kind = kind.map_or_else(String::new, |kind| format!("{kind}  "));
    let kind = match safe::width(&kind) + LEAST_SUMMARY < left {
        true => &*kind,
        false => "",
    };
    spans.push(theme.text(Role::Tag, kind));
    spans.push(theme.text(Role::Muted, &safe::pad(&summary, left - safe::width(kind))));
    spans
}

/// A line without the marks of Markdown.
fn plain_line(text: &str) -> String {
    let text = text.trim();
    text.chars().filter(|c| !"*`\"".contains(*c)).collect()
}

/// The title with what the filter matched.
fn title_cell(of: Of<'_>, room: usize, width: usize) -> Vec<Span<'static>> {
    let (theme, model, memory, _) = of;
    let is_muted = memory.state == State::Archived || memory.hidden_at(model.now).is_some();
    let base = theme.style(if is_muted { Role::Muted } else { Role::Text });
    let title = name(memory, room);
    let text = safe::pad(&title, width);
    let query = model.browse.filter.query.as_ref();
    let ranges = query.map_or(Vec::new(), |query| query.highlights(&title));
    let clean = matches!(safe::safe(&title), Cow::Borrowed(_));
    if ranges.is_empty() || !clean {
        return vec![Span::styled(text, base)];
    }
    marked(&text, &ranges, base, theme.style(Role::Match))
}

fn verdict(model: &Model, row: usize) -> (Role, Option<&Verdict>) {
    let index = model.browse.rows.get(row).and_then(|row| row.memory());
    let verdict = index.and_then(|index| model.inject.verdict(index));
    match verdict.and_then(|verdict| verdict.rank) {
        Some(_) => (Role::Accent, verdict),
        None => (Role::Faint, verdict),
    }
}

/// The rank; a dot where a memory is not injected.
fn rank_cell((theme, model, ..): Of<'_>, row: usize, width: usize) -> Vec<Span<'static>> {
    let (role, verdict) = verdict(model, row);
    let rank = match verdict.map(|verdict| verdict.rank) {
        Some(Some(rank)) => rank.to_string(),
        _ => "·".to_owned(),
    };
    vec![theme.text(role, &safe::pad_left(&rank, width))]
}

fn points_cell((theme, model, ..): Of<'_>, row: usize, width: usize) -> Vec<Span<'static>> {
    let (role, verdict) = verdict(model, row);
    let score = verdict.and_then(|verdict| verdict.score);
    let score = score.map_or(String::new(), words::points);
    vec![theme.text(role, &safe::pad_left(&score, width))]
}

fn store_cell((theme, model, memory, _): Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let name = safe::pad(store_name(model, &memory.id.store), width);
    vec![theme.text(Role::Muted, &name)]
}

fn bar_cell((theme, _, memory, _): Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let bar = importance(theme, memory);
    let text = bar.content.trim_start().to_owned();
    vec![Span::styled(safe::pad(&text, width), bar.style)]
}

/// Importance as a bar: one cell, higher and brighter with each step.
pub fn importance(theme: &Theme, memory: &Memory) -> Span<'static> {
    let bar = match (level(memory), memory.role(Part::Importance)) {
        (0, None) => return theme.text(Role::Faint, "  "),
        (step, _) => [" ?", " ▂", " ▄", " ▆", " █"].get(step),
    };
    let role = Role::importance(level(memory));
    theme.text(role, bar.copied().unwrap_or(" ?"))
}

/// The age; in quiet letters where only its file or a commit says it.
fn age_cell((theme, model, memory, _): Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let Some((time, is_own)) = model.world.written(memory) else {
        return vec![Span::raw(" ".repeat(width))];
    };
    let is_today = is_own && memory.is_day() && time.date() == model.now.date();
    let age = match is_today {
        true => "today".to_owned(),
        false => time.age_words(model.now),
    };
    let role = if is_own { Role::Muted } else { Role::Faint };
    vec![theme.text(role, &safe::pad_left(&age, width))]
}

/// A text that may be cut or filled up, the characters of the whole one that match in another style.
fn marked(text: &str, ranges: &[Range<usize>], base: Style, matched: Style) -> Vec<Span<'static>> {
    // Matches may lie in the part that is cut off, but never in the blanks.
    let end = text.trim_end_matches([' ', '…']).len();
    let byte = |n: usize| {
        let at = text.char_indices().nth(n);
        at.map_or(end, |(at, _)| at.min(end))
    };
    let marks = ranges.iter();
    let marks = marks.map(|range| (byte(range.start)..byte(range.end), matched));
    let marks: Vec<_> = marks.collect();
    safe::marked(text, 0, (base, base), &marks)
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
