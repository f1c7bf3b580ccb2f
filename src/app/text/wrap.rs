//! Soft wrapping: a row of the text as lines on the screen, and moving by what is seen.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::TextEditor;

/// Number of columns of a grapheme. The screen's own measure counts the marks it draws for
/// characters that may not be shown; keys move by [`plain`], which on lines with such characters
/// may be off by a few columns and never by more than the place where the cursor lands.
pub type Measure = fn(&str) -> usize;

/// Columns of a grapheme that is shown as it is.
fn plain(grapheme: &str) -> usize {
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
    let columns = usize::from(width.saturating_sub(GUTTER + 1));
    (columns, usize::from(height - foot))
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
        let before = row.get(start..at);
        let is_indent = before.is_some_and(|before| before.trim_start().is_empty());
        if is_space && !is_indent {
            space = Some((at + grapheme.len(), column));
        }
    }
    lines.push(start..row.len());
    lines
}

impl TextEditor {
    /// Moves up or down by lines on the screen, keeping to a column.
    pub(super) fn vertical(&mut self, by: isize) {
        let (mut row, column) = self.cursor();
        let line = self.line(row);
        let byte = byte_of(line, column);
        let ranges = wrap(line, self.size.0, plain);
        let mut sub = sub_of(&ranges, byte);
        let start = ranges.get(sub).map_or(0, |range| range.start);
        let before = line.get(start..byte).unwrap_or_default();
        let goal = self.goal.unwrap_or_else(|| width_of(before));
        for _ in 0..by.unsigned_abs() {
            if by < 0 {
                (row, sub) = self.above((row, sub), self.size.0, plain);
            } else if sub + 1 < wrap(self.line(row), self.size.0, plain).len() {
                sub += 1;
            } else if row + 1 < self.lines().len() {
                (row, sub) = (row + 1, 0);
            }
        }
        let line = self.line(row);
        let ranges = wrap(line, self.size.0, plain);
        let range = ranges.get(sub).cloned().unwrap_or(0..0);
        let last = sub + 1 == ranges.len();
        let (mut at, mut column) = (range.start, 0);
        for grapheme in line.get(range.clone()).unwrap_or_default().graphemes(true) {
            let next = at + grapheme.len();
            column += columns(grapheme, column, plain);
            // Behind the last grapheme of a wrapped line stands the first of the next.
            if column > goal || next == range.end && !last {
                break;
            }
            at = next;
        }
        self.jump(row, column_of(line, at));
        self.goal = Some(goal);
    }

    fn line(&self, row: usize) -> &str {
        self.lines().get(row).map_or("", String::as_str)
    }

    /// The line on the screen above one, by its row and its place among the lines of the row.
    fn above(&self, at: (usize, usize), width: usize, measure: Measure) -> (usize, usize) {
        match at {
            (0, 0) => at,
            (row, 0) => (row - 1, wrap(self.line(row - 1), width, measure).len() - 1),
            (row, sub) => (row, sub - 1),
        }
    }

    pub(super) fn page(&self) -> isize {
        let lines = self.size.1.clamp(3, 1000) - 1;
        isize::try_from(lines).unwrap_or(1)
    }

    /// Never stops inside a grapheme: an accent stays with its letter.
    pub(super) fn settle(&mut self, forward: bool) {
        let (row, column) = self.cursor();
        let line = self.line(row);
        let byte = byte_of(line, column);
        let stops = line.grapheme_indices(true).map(|(at, _)| at);
        let mut stops = stops.chain([line.len()]);
        let stop = match forward {
            true => stops.find(|at| *at >= byte),
            false => stops.take_while(|at| *at <= byte).last(),
        };
        let stop = stop.unwrap_or(line.len());
        if stop != byte {
            self.jump(row, column_of(line, stop));
        }
    }

    pub(super) fn follow(&mut self) {
        if self.size.1 > 0 {
            self.top = self.view(self.size.0, self.size.1, plain);
        }
    }

    /// The first line to show in so many columns and lines: the one it was where the cursor is
    /// seen from there, else the nearest from which it is.
    pub(crate) fn view(&self, width: usize, height: usize, measure: Measure) -> (usize, usize) {
        let (row, column) = self.cursor();
        let line = self.line(row);
        let sub = sub_of(&wrap(line, width, measure), byte_of(line, column));
        if (row, sub) < self.top {
            return (row, sub);
        }
        // Up from the cursor by as many lines as there is room for.
        let mut first = (row, sub);
        for _ in 1..height {
            if first <= self.top {
                break;
            }
            first = self.above(first, width, measure);
        }
        first.max(self.top)
    }
}

/// The byte of a column in characters.
pub(crate) fn byte_of(line: &str, column: usize) -> usize {
    let mut chars = line.char_indices();
    chars.nth(column).map_or(line.len(), |(at, _)| at)
}

/// The column in characters of a byte.
fn column_of(line: &str, byte: usize) -> usize {
    line.get(..byte).map_or(0, |before| before.chars().count())
}

/// Which of a row's lines a byte is on: at a break it is on the later one.
pub(crate) fn sub_of(ranges: &[std::ops::Range<usize>], byte: usize) -> usize {
    let last = ranges.iter().rposition(|range| range.start <= byte);
    last.unwrap_or(0)
}

fn width_of(text: &str) -> usize {
    text.graphemes(true).fold(0, |column, grapheme| {
        column + columns(grapheme, column, plain)
    })
}
