//! Markdown as rows of styled text for a width.
//!
//! Only the first bytes of a text are read, and only the rows asked for are laid out. Everything in it goes through [`super::safe`]. Every row
//! and span knows where it stands in the source, so that marks can be placed on it.
//!
//! Pure.

mod blocks;
mod writer;

use std::ops::Range;

use pulldown_cmark::{Options, Parser};
use ratatui::style::Style;
use ratatui::text::Line;

use super::safe::{self, Piece, TAB};
use super::theme::Theme;
use crate::app::msg::Rgb;
use crate::app::reading::{SHOWN, clip};
use crate::app::text;

/// A piece of text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The text, safe to draw.
    pub text: String,
    /// Its style.
    pub style: Style,
    /// The bytes of the source it shows; none for decoration.
    pub source: Option<Range<usize>>,
}

impl Part {
    fn new(text: String, style: Style, source: Option<Range<usize>>) -> Self {
        Self {
            text,
            style,
            source,
        }
    }

    /// The bytes of the text that show bytes of a range of the source.
    fn shows(&self, wanted: &Range<usize>) -> Option<Range<usize>> {
        let shown = self.source.as_ref()?;
        if shown.end <= wanted.start || wanted.end <= shown.start {
            return None;
        }
        // If text stands as it was written its bytes are those of the source; elsewhere (a mark, an
        // entity) the whole part is meant.
        let own = wanted.start.saturating_sub(shown.start)..wanted.end.min(shown.end) - shown.start;
        let is_same = shown.len() == self.text.len();
        Some(if is_same { own } else { 0..self.text.len() })
    }
}

/// A row of the rendered text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its pieces, from the left.
    pub parts: Vec<Part>,
    /// Its place in the source: the first byte it shows, or the last one before it.
    pub source: usize,
}

impl Row {
    /// True if it shows bytes of one of these ranges.
    pub fn shows_any(&self, wanted: &[(Range<usize>, Style)]) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| wanted.iter().any(|(range, _)| part.shows(range).is_some()))
    }

    /// The row as a line, ranges of the source in styles of their own.
    pub fn marked(&self, wanted: &[(Range<usize>, Style)]) -> Line<'static> {
        let parts = self.parts.iter().flat_map(|part| {
            let marks = wanted.iter();
            let marks = marks.filter_map(|(range, style)| Some((part.shows(range)?, *style)));
            let marks: Vec<_> = marks.collect();
            safe::marked(&part.text, 0, (part.style, part.style), &marks)
        });
        parts.collect()
    }
}

/// A rendered text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The rows, as many as were asked for.
    pub rows: Vec<Row>,
    /// True if there is more than was asked for.
    pub more: bool,
}

impl Rendered {
    /// The row that shows a byte of the source.
    pub fn row_of(&self, byte: usize) -> usize {
        let above = self.rows.partition_point(|row| row.source <= byte);
        above.saturating_sub(1)
    }
}

/// Colours of code blocks: for each block its lines of (colour, text).
pub type Colours = [Vec<Vec<(Rgb, String)>>];

/// Renders Markdown for a width, `most` rows at most. Blocks that have no `colours` yet are
/// plain.
pub fn render(text: &str, width: usize, theme: &Theme, most: usize, colours: &Colours) -> Rendered {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let head = clip(text, SHOWN);
    let mut writer = writer::Writer::new(head, width, theme, most, colours);
    for (event, range) in Parser::new_ext(head, options).into_offset_iter() {
        writer.event(event, range);
        if writer.full() {
            break;
        }
    }
    let mut rendered = writer.finish();
    rendered.more |= head.len() < text.len();
    rendered
}

/// Appends text to parts: what may not be drawn as a mark, a tab as blanks up to the next stop. If its
/// bytes are not those of the source, the whole source is meant.
fn push(runs: &mut Vec<Part>, text: &str, style: Style, source: &Range<usize>) {
    let is_same = text.len() == source.len();
    let mut at = source.start;
    for piece in safe::pieces(text) {
        let (text, len) = match piece {
            Piece::Clean(text) => (text.to_owned(), text.len()),
            Piece::Hostile(hidden) => (safe::mark(hidden), hidden.len()),
            Piece::Tab => {
                let column: usize = runs.iter().map(|run| safe::width(&run.text)).sum();
                (" ".repeat(TAB - column % TAB), 1)
            }
        };
        let source = match is_same {
            true => at..at + len,
            false => source.clone(),
        };
        at += len;
        runs.push(Part::new(text, style, Some(source)));
    }
}

/// Appends text to parts, making one part of neighbours.
fn join(parts: &mut Vec<Part>, text: &str, style: Style, source: Option<Range<usize>>) {
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

fn columns(parts: &[Part]) -> usize {
    safe::width(&joined(parts))
}

fn joined(parts: &[Part]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect()
}

/// A range of the text of runs as parts.
fn parts(runs: &[Part], range: &Range<usize>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut end = 0;
    for run in runs {
        let start = end;
        end += run.text.len();
        let from = range.start.clamp(start, end) - start;
        let to = range.end.clamp(start, end) - start;
        let text = run.text.get(from..to).unwrap_or_default();
        if !text.is_empty() {
            let source = run
                .source
                .clone()
                .map(|source| match run.text.len() == source.len() {
                    true => source.start + from..source.start + to,
                    false => source,
                });
            join(&mut parts, text, run.style, source);
        }
    }
    parts
}

/// Breaks runs into rows of at most so many columns, `most` rows at most. A word that is wider than
/// a row is broken. `\n` ends a row.
fn wrap(runs: &[Part], width: usize, most: usize) -> Vec<Vec<Part>> {
    let whole = joined(runs);
    let mut rows = Vec::new();
    let mut start = 0;
    for line in whole.split('\n') {
        for range in text::wrap(line, width.max(1), safe::width) {
            let shown = line.get(range.clone()).unwrap_or_default().trim_end();
            let from = start + range.start;
            rows.push(parts(runs, &(from..from + shown.len())));
            if rows.len() >= most {
                return rows;
            }
        }
        start += line.len() + 1;
    }
    rows
}

/// Runs cut to a width with `…` where something is missing.
fn cut(runs: &[Part], width: usize) -> Vec<Part> {
    let whole = joined(runs);
    let kept = safe::fit(&whole, width);
    if kept == whole {
        return parts(runs, &(0..whole.len()));
    }
    let mut cut = parts(runs, &(0..kept.len().saturating_sub("…".len())));
    let style = cut.last().map(|part| part.style);
    join(&mut cut, "…", style.unwrap_or_default(), None);
    cut
}

#[cfg(test)]
mod tests;
