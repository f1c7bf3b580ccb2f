//! The columns of the list: one row of a table each, and its cell.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;

use super::store_name;
use super::weight::{BAR, weight};
use crate::app::Model;
use crate::app::browse::Sort;
use crate::app::layout::{Areas, Room};
use crate::memory::{Memory, Role as Part, Schema, State};
use crate::retrieval::Verdict;
use crate::ui::pen::Pen;
use crate::ui::theme::Role;
use crate::ui::{safe, words};

/// The pen, the model and the memory of a row.
type Of<'a, 'p> = (&'a Pen<'p>, &'a Model, &'a Memory);

/// A column of the list.
pub(super) struct Column {
    heading: &'static str,
    /// The order in which the list goes by it.
    sort: Option<Sort>,
    /// Blanks before it.
    pub gap: usize,
    /// Its width.
    pub width: usize,
    /// True for numbers, whose heading stands at the right.
    right: bool,
    /// The spans of a row, as wide as the column.
    pub cell: fn(Of<'_, '_>, usize, usize) -> Vec<Span<'static>>,
}

/// Columns of the marks at the right.
const MARKS: usize = 3;
/// Columns of the one mark of a narrow list.
pub(super) const MARK: usize = 1;
/// Columns before the title: the cursor and whether it is picked.
const LEAD: usize = 2;
/// Columns of a type.
const TYPE: usize = 10;
/// Columns of the gap before importance, and of age.
const FACTS: usize = 2 + 4;
/// Columns that titles and stores have before tags are shown, and before types are.
const TITLES: usize = 34;
const WORDS: usize = 30;
/// The most and the fewest columns that names of stores have.
const STORE: usize = 14;
const LEAST_STORE: usize = 4;
/// Columns of rank and score with the gaps before them.
const RANK: usize = 4;
const POINTS: usize = 5;

/// The columns that have room, in their order.
pub(super) fn columns(model: &Model, areas: &Areas) -> Vec<Column> {
    let width = usize::from(areas.rows.width);
    let facts = areas.room >= Room::Medium;
    let marks = if facts { MARKS } else { MARK };
    let room = width.saturating_sub(LEAD + marks + 1);
    let rank = facts && model.inject.preview().is_some();
    let points = rank && model.inject.has_points;
    let has = |part| move |schema: &&'static Schema| schema.role(part).is_some();
    let schemas = &model.world.schemas;
    let bars = schemas.iter().any(has(Part::Importance));
    let types = schemas.iter().any(has(Part::Type));
    let fixed = if facts { FACTS } else { 0 }
        + if rank { RANK } else { 0 }
        + if points { POINTS } else { 0 };
    let stores = &model.world.stores;
    let several = stores.len() > 1;
    // Types are whole words, where titles have room beside them.
    let beside = |kind| room.saturating_sub(fixed + kind);
    let kind = match (bars, types) {
        _ if !facts => 0,
        (_, true) if beside(TYPE) >= WORDS || !several && !bars => TYPE,
        (false, true) => 0,
        _ => BAR,
    };
    let rest = beside(kind);
    let names = stores.iter().map(|id| safe::width(store_name(model, id)));
    // A narrow list has the beginning of the name.
    let store = match names.max().filter(|_| several) {
        Some(widest) => {
            let most = widest.clamp("STORE".len(), STORE);
            most.min(rest / 5).max(LEAST_STORE)
        }
        None => 0,
    };
    let rest = rest.saturating_sub(if store > 0 { store + 2 } else { 0 });
    let tags = match facts && rest >= TITLES {
        true => (rest - TITLES.max(rest * 3 / 5)).max(8),
        false => 0,
    };
    let title = rest.saturating_sub(if tags > 0 { tags + 2 } else { 0 });
    let word = if bars { "IMP" } else { "TYPE" };
    // Ages stand at the right of their column, and a blank before them belongs to it.
    let age = if kind > 0 { (0, 5) } else { (2, 4) };
    let column = |heading, sort, (gap, width), right, cell| Column {
        heading,
        sort,
        gap,
        width,
        right,
        cell,
    };
    let all: [(bool, Column); 7] = [
        (
            true,
            column("TITLE", Some(Sort::Title), (0, title), false, title_cell),
        ),
        (rank, column("#", None, (0, RANK), true, rank_cell)),
        (points, column("PTS", None, (0, POINTS), true, points_cell)),
        (
            store > 0,
            column("STORE", None, (2, store), false, store_cell),
        ),
        (
            kind > 0,
            column(
                word,
                Some(Sort::Importance),
                (2, kind.max(1) - 1),
                false,
                kind_cell,
            ),
        ),
        (facts, column("AGE", Some(Sort::Age), age, true, age_cell)),
        (tags > 0, column("TAGS", None, (2, tags), false, tags_cell)),
    ];
    let all = all.into_iter().filter(|(has_room, _)| *has_room);
    all.map(|(_, column)| column).collect()
}

/// The line of headings; the order of the list is marked.
pub(super) fn headings(model: &Model, columns: &[Column]) -> String {
    let mut text = String::new();
    let mut at = LEAD;
    for column in columns {
        let is_sorted = column.sort == Some(model.browse.sort);
        let heading = format!("{}{}", column.heading, if is_sorted { "▾" } else { "" });
        at += column.gap;
        let left = match column.right {
            true => (at + column.width).saturating_sub(safe::width(&heading)),
            false => at,
        };
        text = safe::pad(&text, left) + &heading;
        at += column.width;
    }
    text
}

fn title_cell((pen, model, memory): Of<'_, '_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let is_muted = memory.state == State::Archived || memory.hidden_at(model.now).is_some();
    let base = pen.style(if is_muted { Role::Muted } else { Role::Text });
    title_spans(pen, model, memory, width, base)
}

/// The verdict of a row, and its role.
fn verdict(model: &Model, row: usize) -> (Role, Option<&Verdict>) {
    let index = model.browse.rows.get(row).map(|n| *n as usize);
    let verdict = index.and_then(|index| model.inject.verdict(index));
    match verdict.and_then(|verdict| verdict.rank) {
        Some(_) => (Role::Accent, verdict),
        None => (Role::Faint, verdict),
    }
}

/// The rank; a dot where a memory is not injected.
fn rank_cell((pen, model, _): Of<'_, '_>, row: usize, width: usize) -> Vec<Span<'static>> {
    let (role, verdict) = verdict(model, row);
    let rank = verdict.map(|verdict| verdict.rank);
    let rank = rank.map_or(String::new(), |rank| {
        rank.map_or("·".to_owned(), |rank| rank.to_string())
    });
    vec![pen.text(role, &safe::pad_left(&rank, width))]
}

fn points_cell((pen, model, _): Of<'_, '_>, row: usize, width: usize) -> Vec<Span<'static>> {
    let (role, verdict) = verdict(model, row);
    let score = verdict.and_then(|verdict| verdict.score);
    let score = score.map_or(String::new(), words::points);
    vec![pen.text(role, &safe::pad_left(&score, width))]
}

fn store_cell((pen, model, memory): Of<'_, '_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let name = safe::fit(store_name(model, &memory.id.store), width);
    vec![pen.text(Role::Muted, &safe::pad(&name, width))]
}

fn kind_cell((pen, _, memory): Of<'_, '_>, _: usize, width: usize) -> Vec<Span<'static>> {
    weight(pen, memory, width + 1)
}

fn age_cell((pen, model, memory): Of<'_, '_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let age = memory.written().map(|then| then.age_words(model.now));
    vec![pen.text(
        Role::Muted,
        &safe::pad_left(&age.unwrap_or_default(), width),
    )]
}

fn tags_cell((pen, _, memory): Of<'_, '_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let text = tags(memory, width);
    vec![pen.text(Role::Tag, &safe::pad(&safe::fit(&text, width), width))]
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
    // Matches may lie in the part that is cut off, but never in the blanks.
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
