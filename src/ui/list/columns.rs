//! The columns of the list: one row of a table each, and its cell.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::style::Style;
use ratatui::text::Span;

use super::store_name;
use crate::app::Model;
use crate::app::browse::Sort::{self, Age, Importance, Title};
use crate::app::browse::level;
use crate::app::layout::{Areas, Room};
use crate::lint::mask;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role as Part, Schema, State, Value};
use crate::retrieval::Verdict;
use crate::ui::theme::{Role, Theme};
use crate::ui::{safe, words};

/// The theme, the model and the memory of a row.
type Of<'a> = (&'a Theme, &'a Model, &'a Memory);
/// Draws a row of a column as wide as it is.
type Cell = fn(Of<'_>, usize, usize) -> Vec<Span<'static>>;

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
    pub cell: Cell,
}

/// Columns of the marks at the right.
const MARKS: usize = 3;
/// Columns of the one mark of a narrow list.
pub(super) const MARK: usize = 1;
/// Columns before the title: the cursor and whether it is picked.
const LEAD: usize = 2;
/// Columns of a type, and of the bar of importance.
const TYPE: usize = 10;
const BAR: usize = 4;
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
    let facts = areas.room >= Room::Medium;
    let marks = if facts { MARKS } else { MARK };
    let rank = facts && model.inject.preview().is_some();
    let points = rank && model.inject.has_points;
    let has = |part| move |schema: &&'static Schema| schema.role(part).is_some();
    let bars = model.world.schemas.iter().any(has(Part::Importance));
    let types = model.world.schemas.iter().any(has(Part::Type));
    let fixed = [
        (true, LEAD + marks + 1),
        (facts, FACTS),
        (rank, RANK),
        (points, POINTS),
    ];
    let fixed = fixed.iter().filter(|(is_there, _)| *is_there);
    let fixed: usize = fixed.map(|(_, columns)| columns).sum();
    let room = usize::from(areas.rows.width).saturating_sub(fixed);
    let stores = &model.world.stores;
    let several = stores.len() > 1;
    // Types are whole words, where titles have room beside them.
    let kind = match (bars, types) {
        _ if !facts => 0,
        (_, true) if room >= TYPE + WORDS || !several && !bars => TYPE,
        (false, true) => 0,
        _ => BAR,
    };
    let rest = room.saturating_sub(kind);
    let names = stores.iter().map(|id| safe::width(store_name(model, id)));
    // A narrow list has the beginning of the name.
    let store = names.max().filter(|_| several).map_or(0, |widest| {
        let most = widest.clamp("STORE".len(), STORE);
        most.min(rest / 5).max(LEAST_STORE)
    });
    let rest = rest.saturating_sub(if store > 0 { store + 2 } else { 0 });
    let tags = match facts && rest >= TITLES {
        true => (rest - TITLES.max(rest * 3 / 5)).max(8),
        false => 0,
    };
    let title = rest.saturating_sub(if tags > 0 { tags + 2 } else { 0 });
    let word = if bars { "IMP" } else { "TYPE" };
    // Ages stand at the right of their column, and a blank before them belongs to it.
    let age = if kind > 0 { (0, 5) } else { (2, 4) };
    let bar = (2, kind.max(1) - 1);
    type Row = (bool, &'static str, Option<Sort>, (usize, usize), bool, Cell);
    let all: [Row; 7] = [
        (true, "TITLE", Some(Title), (0, title), false, title_cell),
        (rank, "#", None, (0, RANK), true, rank_cell),
        (points, "PTS", None, (0, POINTS), true, points_cell),
        (store > 0, "STORE", None, (2, store), false, store_cell),
        (kind > 0, word, Some(Importance), bar, false, kind_cell),
        (facts, "AGE", Some(Age), age, true, age_cell),
        (tags > 0, "TAGS", None, (2, tags), false, tags_cell),
    ];
    let all = all.into_iter().filter(|row| row.0);
    let column = |(_, heading, sort, (gap, width), right, cell)| Column {
        heading,
        sort,
        gap,
        width,
        right,
        cell,
    };
    all.map(column).collect()
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

/// The title with what the filter matched.
fn title_cell((theme, model, memory): Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let is_muted = memory.state == State::Archived || memory.hidden_at(model.now).is_some();
    let base = theme.style(if is_muted { Role::Muted } else { Role::Text });
    let title = words::title(memory);
    let text = safe::pad(&title, width);
    let query = model.browse.filter.query.as_ref();
    let ranges = query.map_or(Vec::new(), |query| query.highlights(&title));
    let clean = matches!(safe::safe(&title), Cow::Borrowed(_));
    if ranges.is_empty() || !clean {
        return vec![Span::styled(text, base)];
    }
    marked(&text, &ranges, base, theme.style(Role::Match))
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
fn rank_cell((theme, model, _): Of<'_>, row: usize, width: usize) -> Vec<Span<'static>> {
    let (role, verdict) = verdict(model, row);
    let rank = match verdict.map(|verdict| verdict.rank) {
        None => String::new(),
        Some(None) => "·".to_owned(),
        Some(Some(rank)) => rank.to_string(),
    };
    vec![theme.text(role, &safe::pad_left(&rank, width))]
}

fn points_cell((theme, model, _): Of<'_>, row: usize, width: usize) -> Vec<Span<'static>> {
    let (role, verdict) = verdict(model, row);
    let score = verdict.and_then(|verdict| verdict.score);
    let score = score.map_or(String::new(), words::points);
    vec![theme.text(role, &safe::pad_left(&score, width))]
}

fn store_cell((theme, model, memory): Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let name = safe::pad(store_name(model, &memory.id.store), width);
    vec![theme.text(Role::Muted, &name)]
}

/// Importance as a bar; the type of a memory that has none.
fn kind_cell((theme, _, memory): Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let kind = memory.role(Part::Type).and_then(Value::as_str);
    match kind.filter(|_| memory.schema.role(Part::Importance).is_none()) {
        // Three letters name no type.
        Some(_) if width < BAR => vec![Span::raw(" ".repeat(width))],
        Some(kind) => vec![theme.text(Role::Muted, &safe::pad(kind, width))],
        None => {
            let blank = " ".repeat((width + 2).saturating_sub(BAR));
            vec![importance(theme, memory), Span::raw(blank)]
        }
    }
}

/// Importance as a bar: one cell, higher and brighter with each step.
pub fn importance(theme: &Theme, memory: &Memory) -> Span<'static> {
    const STEPS: [(&str, &str); 4] = [
        (" ▂", "low"),
        (" ▄", "medium"),
        (" ▆", "high"),
        (" █", "critical"),
    ];
    let kind = memory.schema.role(Part::Importance).map(|spec| spec.kind);
    let own = memory.role(Part::Importance).map(ToString::to_string);
    let own = own.unwrap_or_default();
    let step = level(memory).checked_sub(1).and_then(|at| STEPS.get(at));
    match (step, kind) {
        // A number is as bright as the word it stands as high as.
        (Some((bar, word)), Some(Kind::Number(..))) => theme.text(Role::importance(word), bar),
        (Some((bar, _)), _) => theme.text(Role::importance(&own), bar),
        (None, _) if own.is_empty() => theme.text(Role::Faint, "  "),
        (None, _) => theme.text(Role::Warning, " ?"),
    }
}

fn age_cell((theme, model, memory): Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let age = memory.written().map(|then| then.age_words(model.now));
    let age = safe::pad_left(&age.unwrap_or_default(), width);
    vec![theme.text(Role::Muted, &age)]
}

fn tags_cell((theme, _, memory): Of<'_>, _: usize, width: usize) -> Vec<Span<'static>> {
    let tags = safe::pad(&tags(memory, width), width);
    vec![theme.text(Role::Tag, &tags)]
}

/// A text that may be cut or filled up, the characters of the whole one that match in another style.
fn marked(text: &str, ranges: &[Range<usize>], base: Style, matched: Style) -> Vec<Span<'static>> {
    // Matches may lie in the part that is cut off, but never in the blanks.
    let end = text.trim_end_matches([' ', '…']).len();
    let byte = |n: usize| {
        text.char_indices()
            .nth(n)
            .map_or(end, |(at, _)| at.min(end))
    };
    let ranges = ranges
        .iter()
        .map(|range| byte(range.start)..byte(range.end));
    let marks: Vec<_> = ranges.map(|range| (range, matched)).collect();
    safe::marked(text, 0, (base, base), &marks)
}

/// As many tags as fit, and how many more there are.
fn tags(memory: &Memory, width: usize) -> String {
    let all: Vec<Cow<'_, str>> = memory.tags().map(mask).collect();
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
