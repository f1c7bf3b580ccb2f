//! Markdown as rows of styled text for a width.
//!
//! Only so much is read and laid out as the rows asked for can need, so a memory of any size
//! costs what its visible part costs. Everything in it goes through [`super::safe`]. Every row
//! and span knows where it stands in the source, so that marks can be placed on it.
//!
//! Pure.

mod code;
mod table;
mod wrap;
mod writer;

use std::ops::Range;

use pulldown_cmark::{Options, Parser};
use ratatui::style::Style;
use ratatui::text::Line;

use super::safe;
use super::theme::Theme;
use crate::app::msg::Rgb;
use crate::app::reading::clip;

/// A piece of a row in one style.
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
}

/// A row of the rendered text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its pieces, from the left.
    pub parts: Vec<Part>,
    /// Its place in the source: the first byte it shows, or the last one before it.
    pub source: usize,
}

impl Part {
    /// The bytes of the text that show bytes of a range of the source.
    fn shows(&self, wanted: &Range<usize>) -> Option<Range<usize>> {
        let shown = self.source.as_ref()?;
        if shown.end <= wanted.start || wanted.end <= shown.start {
            return None;
        }
        // If text stands as it was written its bytes are those of the source; elsewhere (a mark, an
        // entity) the whole part is meant.
        Some(match shown.len() == self.text.len() {
            true => {
                wanted.start.saturating_sub(shown.start)..wanted.end.min(shown.end) - shown.start
            }
            false => 0..self.text.len(),
        })
    }
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

/// A block of code, to be coloured elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    /// The language as the text names it; empty where it names none.
    pub language: String,
    /// The code.
    pub text: String,
}

/// A rendered text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The rows, as many as were asked for.
    pub rows: Vec<Row>,
    /// The blocks of code in those rows, in order.
    pub blocks: Vec<CodeBlock>,
    /// True if there is more than was asked for.
    pub more: bool,
}

impl Rendered {
    /// The row that shows a byte of the source.
    pub fn row_of(&self, byte: usize) -> usize {
        self.rows
            .partition_point(|row| row.source <= byte)
            .saturating_sub(1)
    }
}

/// Colours of code blocks: for each block its lines of (colour, text).
pub type Colours = [Vec<Vec<(Rgb, String)>>];

/// Renders Markdown for a width, `most` rows at most. Blocks that have no `colours` yet are
/// plain.
pub fn render(text: &str, width: usize, theme: &Theme, most: usize, colours: &Colours) -> Rendered {
    let (head, cut) = head(text, width, most);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES;
    let mut writer = writer::Writer::new(head, width, theme, most, colours);
    for (event, range) in Parser::new_ext(head, options).into_offset_iter() {
        writer.event(event, range);
        if writer.full() {
            break;
        }
    }
    let mut rendered = writer.finish();
    rendered.more |= cut;
    rendered
}

/// The part of a text that so many rows can show, cut at the end of a line where there is one.
fn head(text: &str, width: usize, most: usize) -> (&str, bool) {
    let bytes = most
        .saturating_mul(width.max(80) * 8)
        .saturating_add(1 << 16);
    if text.len() <= bytes {
        return (text, false);
    }
    let head = clip(text, bytes);
    let line = head.rfind('\n').filter(|at| *at > head.len() / 2);
    (line.and_then(|at| head.get(..=at)).unwrap_or(head), true)
}

#[cfg(test)]
mod tests;
