//! Soft wrapping: a row of the text as lines on the screen.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// Number of columns of a grapheme. The screen's own measure counts the marks it draws for
/// characters that may not be shown; keys move by [`plain`], which on lines with such characters
/// may be off by a few columns and never by more than the place where the cursor lands.
pub type Measure = fn(&str) -> usize;

/// Columns of a grapheme that is shown as it is.
pub(crate) fn plain(grapheme: &str) -> usize {
    grapheme.width().max(1)
}

/// Columns of the mark at the left of every line.
pub(crate) const GUTTER: u16 = 2;
/// Columns from one tab stop to the next.
const TAB: usize = 4;

/// Columns and lines for text in a pane: without the gutter, a column for the cursor behind the
/// last character, and the line at the foot.
pub(crate) fn inside(width: u16, height: u16) -> (usize, usize) {
    let foot = u16::from(height > 2);
    (
        usize::from(width.saturating_sub(GUTTER + 1)),
        usize::from(height - foot),
    )
}

/// Columns of a grapheme that begins at a column. A character that is drawn as a mark counts as the
/// mark.
pub(crate) fn columns(grapheme: &str, column: usize, measure: Measure) -> usize {
    match grapheme.as_bytes() {
        [b'\t'] => TAB - column % TAB,
        [b' '..=b'~'] => 1,
        _ => measure(grapheme),
    }
}

/// The byte ranges of a row's lines at a width, broken behind spaces where there are some; there
/// is at least one. A width of 0 does not wrap.
pub fn wrap(row: &str, width: usize, measure: Measure) -> Vec<Range<usize>> {
    if width == 0 || row.len() <= width && row.is_ascii() && !row.contains(|c: char| c < ' ') {
        return std::iter::once(0..row.len()).collect();
    }
    let mut lines = Vec::new();
    let (mut start, mut column) = (0, 0);
    // Behind the last space: where the line may break, and the columns up to there.
    let mut space: Option<(usize, usize)> = None;
    let mut was_wide = false;
    for (at, grapheme) in row.grapheme_indices(true) {
        let wide = columns(grapheme, column, measure);
        let is_space = grapheme == " " || grapheme == "\t";
        // Wide characters need no space between them.
        let is_wide = wide > 1 && !is_space;
        if is_wide || was_wide && !is_space {
            space = Some((at, column));
        }
        was_wide = is_wide;
        // A space may hang over the edge: it shows nothing there.
        if column + wide > width && at > start && !is_space {
            let (end, used) = space.filter(|(at, _)| *at > start).unwrap_or((at, column));
            lines.push(start..end);
            start = end;
            column -= used;
            space = None;
        }
        column += wide;
        // An indent is no place to break at.
        let is_indent = row
            .get(start..at)
            .is_some_and(|before| before.trim_start().is_empty());
        if is_space && !is_indent {
            space = Some((at + grapheme.len(), column));
        }
    }
    lines.push(start..row.len());
    lines
}
