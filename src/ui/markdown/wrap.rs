//! Styled text broken into rows at words, by columns.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::buffer::CellWidth as _;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;

use super::Part;
use crate::ui::safe::{self, Piece, TAB};

/// Text of one style on its way into rows.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub text: String,
    pub style: Style,
    /// The bytes of the source it came from.
    pub source: Range<usize>,
}

/// Appends text to parts, making one part of neighbours.
pub(super) fn join(parts: &mut Vec<Part>, text: &str, style: Style, source: Option<Range<usize>>) {
    if let Some(last) = parts.last_mut()
        && last.style == style
    {
        match (&mut last.source, &source) {
            (None, None) => return last.text.push_str(text),
            (Some(a), Some(b))
                if a.end == b.start && a.len() == last.text.len() && b.len() == text.len() =>
            {
                a.end = b.end;
                return last.text.push_str(text);
            }
            _ => {}
        }
    }
    parts.push(Part::new(text.to_owned(), style, source));
}

/// Columns of parts.
pub(super) fn columns(parts: &[Part]) -> usize {
    parts.iter().map(|part| safe::width(&part.text)).sum()
}

/// A grapheme, made safe. A tab stays one, for its width depends on the column.
struct Glyph<'a> {
    text: Cow<'a, str>,
    columns: usize,
    style: Style,
    source: Range<usize>,
}

impl Glyph<'_> {
    fn is_blank(&self) -> bool {
        matches!(&*self.text, " " | "\t")
    }
}

/// The graphemes of runs, run by run as they are asked for.
fn glyphs(runs: &[Run]) -> impl Iterator<Item = Glyph<'_>> {
    runs.iter().flat_map(of_run)
}

fn of_run(run: &Run) -> Vec<Glyph<'_>> {
    let start = run.source.start;
    let mut glyphs = Vec::new();
    let mut at = 0;
    for piece in safe::pieces(&run.text) {
        let mut push = |text, columns, place: Range<usize>| {
            // If its bytes are not those of the source, the whole run is meant.
            let source = match run.text.len() == run.source.len() {
                true => start + place.start..start + place.end,
                false => run.source.clone(),
            };
            glyphs.push(Glyph {
                text,
                columns,
                style: run.style,
                source,
            });
        };
        match piece {
            Piece::Clean(text) => {
                for (n, one) in text.grapheme_indices(true) {
                    let place = at + n..at + n + one.len();
                    push(Cow::Borrowed(one), one.cell_width().into(), place);
                }
                at += text.len();
            }
            // In characters, for a mark may be wider than a row.
            Piece::Hostile(hidden) => {
                let place = at..at + hidden.len();
                for c in safe::mark(hidden).chars() {
                    push(Cow::Owned(c.to_string()), 1, place.clone());
                }
                at = place.end;
            }
            Piece::Tab => {
                push(Cow::Borrowed("\t"), 1, at..at + 1);
                at += 1;
            }
        }
    }
    glyphs
}

/// Breaks runs into rows of at most `width` columns, `most` rows at most. A word that is wider
/// than a row is broken; wide characters need no space between them. `\n` ends a row.
pub(super) fn wrap(runs: &[Run], width: usize, most: usize) -> Vec<Vec<Part>> {
    let mut rows = Vec::new();
    let mut row: Vec<Glyph<'_>> = Vec::new();
    let (mut used, mut space) = (0, None);
    // The glyph before which the row may break: the first of its last word.
    let mut stop = 0;
    for run in runs {
        if run.text == "\n" {
            rows.push(parts(&row));
            row.clear();
            (used, space, stop) = (0, None, 0);
            continue;
        }
        for glyph in of_run(run) {
            if glyph.is_blank() {
                space = Some(glyph).filter(|_| used > 0);
                continue;
            }
            let is_wide = |glyph: &Glyph<'_>| glyph.columns > 1;
            if let Some(space) = space.take() {
                row.push(space);
                used += 1;
                stop = row.len();
            } else if is_wide(&glyph) || row.last().is_some_and(is_wide) {
                stop = row.len();
            }
            used += glyph.columns;
            row.push(glyph);
            if used > width && row.len() > 1 {
                let at = if stop > 0 { stop } else { row.len() - 1 };
                let rest = row.split_off(at);
                row.pop_if(|last| last.is_blank());
                rows.push(parts(&row));
                (row, stop) = (rest, 0);
                used = row.iter().map(|glyph| glyph.columns).sum();
                if rows.len() >= most {
                    return rows;
                }
            }
        }
    }
    if !row.is_empty() || rows.is_empty() {
        rows.push(parts(&row));
    }
    rows
}

fn parts(row: &[Glyph<'_>]) -> Vec<Part> {
    let mut parts = Vec::new();
    for glyph in row {
        let text = if glyph.is_blank() { " " } else { &glyph.text };
        join(&mut parts, text, glyph.style, Some(glyph.source.clone()));
    }
    parts
}

/// Breaks runs into rows of exactly the columns there are, spaces kept, for code.
pub(super) fn chop(runs: &[Run], width: usize, most: usize) -> Vec<Vec<Part>> {
    let width = width.max(1);
    let (mut rows, mut row, mut used) = (Vec::new(), Vec::new(), 0);
    for glyph in glyphs(runs) {
        let stop = " ".repeat((TAB - used % TAB).min(width));
        let (text, columns) = match &*glyph.text {
            "\t" => (stop.as_str(), stop.len()),
            text => (text, glyph.columns),
        };
        if used + columns > width && used > 0 {
            rows.push(std::mem::take(&mut row));
            used = 0;
            if rows.len() >= most {
                return rows;
            }
        }
        join(&mut row, text, glyph.style, Some(glyph.source));
        used += columns;
    }
    rows.push(row);
    rows
}

/// Runs cut to a width with `…` where something is missing.
pub(super) fn cut(runs: &[Run], width: usize) -> Vec<Part> {
    let mut rows = chop(runs, width, 2).into_iter();
    let (first, more) = (rows.next().unwrap_or_default(), rows.next());
    let Some(style) = more.and_then(|row| Some(row.first()?.style)) else {
        return first;
    };
    let mut cut = match width {
        0 | 1 => Vec::new(),
        _ => chop(runs, width - 1, 1).pop().unwrap_or_default(),
    };
    join(&mut cut, "…", style, None);
    cut
}

/// Columns of runs, counted up to a limit.
pub(super) fn measure(runs: &[Run], limit: usize) -> usize {
    let columns = glyphs(runs).take(limit).map(|glyph| glyph.columns);
    columns.sum::<usize>().min(limit)
}
