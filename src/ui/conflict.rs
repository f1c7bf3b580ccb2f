//! Draws the conflict view: both texts side by side from 100 columns on, else one above the other.
//!
//! ```text
//!  Changed on disk while you edited it: 1 change overlaps
//!    yours                                 on disk
//!    tags: [auth]                          tags: [auth]
//!  ◂ importance: critical                  importance: high
//!  ≠ Use JWT for every service.            Use JWT for new services.
//! ```

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::diff::parts;
use super::look::Look;
use super::safe::{fit, pad, width};
use super::theme::Theme;
use crate::app::conflict::{Cell, Conflict, Row, Side};
use crate::app::editor::wrap;

/// Columns from which the texts stand side by side.
const WIDE: u16 = 100;
/// Lines from which it is said what the signs mean, where there are no columns.
const LEGEND: u16 = 10;
/// Columns of the sign before a line.
const SIGN: usize = 2;

/// Draws a conflict. There is never a cursor.
pub fn draw(conflict: &Conflict, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return None;
    }
    let look = Look::of(theme);
    let room = usize::from(area.width);
    let mut lines = vec![Line::styled(fit(&head(conflict), room), look.focus)];
    if area.width >= WIDE {
        let column = half(room);
        let titles = format!("{} on disk", pad("  yours", column + SIGN));
        lines.push(Line::styled(fit(&titles, room), look.label));
    } else if area.height >= LEGEND {
        let titles = "◂ yours  ▸ on disk";
        lines.push(Line::styled(fit(titles, room), look.label));
    }
    let last = usize::from(area.height);
    for row in conflict.shown() {
        if lines.len() >= last {
            break;
        }
        if area.width >= WIDE {
            lines.extend(wide(row, &look, room));
        } else {
            lines.extend(narrow(row, &look, room));
        }
    }
    lines.truncate(last);
    for (y, line) in (area.y..).zip(&lines) {
        buf.set_line(area.x, y, line, area.width);
    }
    None
}

fn head(conflict: &Conflict) -> String {
    let overlaps = match conflict.overlaps() {
        0 => "no change overlaps".to_owned(),
        1 => "1 change overlaps".to_owned(),
        n => format!("{n} changes overlap"),
    };
    format!("Changed on disk while you edited it: {overlaps}")
}

/// Columns of one of two texts, its sign included.
const fn half(room: usize) -> usize {
    room.saturating_sub(SIGN + 1) / 2
}

const fn sign(side: Side) -> &'static str {
    match side {
        Side::Mine => "◂ ",
        Side::Theirs => "▸ ",
        Side::Both => "= ",
        Side::Overlap => "≠ ",
    }
}

fn folded(count: usize, room: usize, look: &Look) -> Line<'static> {
    let plural = if count == 1 { "" } else { "s" };
    Line::styled(
        fit(&format!("  … {count} line{plural} the same"), room),
        look.quiet,
    )
}

/// A row over the whole width, the texts side by side.
fn wide(row: &Row, look: &Look, room: usize) -> Vec<Line<'static>> {
    let column = half(room);
    let (mark, left, right) = match row {
        Row::Fold(count) => return vec![folded(*count, room, look)],
        Row::Base(text) => return block("- ", text, &[], look.removed, look, room),
        Row::Same(text) => {
            let cell = plain(text, look.text, look, column);
            ("  ", cell.clone(), cell)
        }
        Row::Pair { side, mine, theirs } => {
            let (own, other) = styles(*side, look);
            let left = cell(mine.as_ref(), own, look, column);
            let right = cell(theirs.as_ref(), other, look, column);
            (sign(*side), left, right)
        }
    };
    let count = left.len().max(right.len()).max(1);
    (0..count)
        .map(|n| {
            let mut line = Line::default();
            let mark = if n == 0 { mark } else { "  " };
            line.push_span(Span::styled(mark, look.focus));
            let mut used = 0;
            for span in left.get(n).into_iter().flatten() {
                used += width(&span.content);
                line.push_span(span.clone());
            }
            line.push_span(Span::raw(" ".repeat(column.saturating_sub(used) + 1)));
            line.extend(right.get(n).into_iter().flatten().cloned());
            line
        })
        .collect()
}

/// A row of one column: yours above what is on disk.
fn narrow(row: &Row, look: &Look, room: usize) -> Vec<Line<'static>> {
    match row {
        Row::Fold(count) => vec![folded(*count, room, look)],
        Row::Base(text) => block("-  ", text, &[], look.removed, look, room),
        Row::Same(text) => block("   ", text, &[], look.text, look, room),
        Row::Pair { side, mine, theirs } => {
            let (own, other) = styles(*side, look);
            let one = |sign, cell: &Option<Cell>, style| {
                let cell = cell.as_ref()?;
                Some(block(sign, &cell.text, &cell.words, style, look, room))
            };
            // That two lines overlap must be seen without colour too.
            let (left, right) = match side {
                Side::Overlap => ("◂≠ ", "▸≠ "),
                Side::Both => ("=  ", ""),
                Side::Mine | Side::Theirs => ("◂  ", "▸  "),
            };
            let mut lines = one(left, mine, own).unwrap_or_default();
            if *side != Side::Both {
                lines.extend(one(right, theirs, other).unwrap_or_default());
            }
            lines
        }
    }
}

/// How yours and what is on disk look: a text that nobody changed here is plain.
const fn styles(side: Side, look: &Look) -> (Style, Style) {
    match side {
        Side::Mine => (look.added, look.text),
        Side::Theirs => (look.text, look.added),
        Side::Both => (look.added, look.added),
        Side::Overlap => (look.added, look.removed),
    }
}

fn cell(cell: Option<&Cell>, style: Style, look: &Look, room: usize) -> Vec<Vec<Span<'static>>> {
    match cell {
        Some(cell) => wrapped(&cell.text, &cell.words, style, look, room),
        None => vec![vec![Span::styled("·", look.quiet)]],
    }
}

fn plain(text: &str, style: Style, look: &Look, room: usize) -> Vec<Vec<Span<'static>>> {
    wrapped(text, &[], style, look, room)
}

/// A text on as many lines as it needs, a sign before the first.
fn block(
    sign: &'static str,
    text: &str,
    words: &[Range<usize>],
    style: Style,
    look: &Look,
    room: usize,
) -> Vec<Line<'static>> {
    wrapped(text, words, style, look, room.saturating_sub(width(sign)))
        .into_iter()
        .enumerate()
        .map(|(n, spans)| {
            let lead = if n == 0 {
                sign.to_owned()
            } else {
                " ".repeat(width(sign))
            };
            let mut line = Line::from(Span::styled(lead, look.focus));
            line.extend(spans);
            line
        })
        .collect()
}

fn wrapped(
    text: &str,
    words: &[Range<usize>],
    style: Style,
    look: &Look,
    room: usize,
) -> Vec<Vec<Span<'static>>> {
    let word = style.add_modifier(look.added_word.add_modifier);
    wrap(text, room.max(1), width)
        .into_iter()
        .map(|range| parts(text, range, words, style, word, look))
        .collect()
}
