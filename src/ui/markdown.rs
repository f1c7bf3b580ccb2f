//! Markdown as rows of styled text for a width.
//!
//! Only the first bytes of a text are read, and only the rows asked for are laid out. Everything in it goes through [`super::safe`]. Every row
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
use crate::app::reading::{SHOWN, clip};

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

#[cfg(test)]
mod tests;
