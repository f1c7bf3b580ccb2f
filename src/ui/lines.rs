//! Lines that scroll: the contents of the right side.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::pen::{self, Pen};
use super::safe;
use super::theme::Role;

/// Lines of a page, and whether there are more than were asked for.
#[derive(Default)]
pub struct Lines {
    /// The lines from the first one on.
    pub lines: Vec<Line<'static>>,
    /// Whether more follow.
    pub more: bool,
    /// Lines that show the body of a memory, each with the first byte of it that it shows.
    pub bytes: Vec<(usize, usize)>,
}

impl Lines {
    /// Adds a line of spans.
    pub fn push(&mut self, spans: Vec<Span<'static>>) {
        self.lines.push(Line::from(spans));
    }

    /// Adds an empty line.
    pub fn gap(&mut self) {
        self.lines.push(Line::default());
    }

    /// Adds a text as lines of a width, words kept whole, each begun with an indent.
    pub fn wrapped(&mut self, pen: &Pen<'_>, role: Role, text: &str, width: usize, indent: usize) {
        for line in wrap(&safe::safe(text), width.saturating_sub(indent)) {
            self.push(vec![
                Span::raw(" ".repeat(indent)),
                Span::styled(line, pen.style(role)),
            ]);
        }
    }
}

/// Cuts a text into lines of a width at its blanks, or inside a word that is longer than a line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let wide = safe::width(word);
        if used > 0 && used + 1 + wide > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        if wide <= width {
            line.push_str(word);
            used += wide;
            continue;
        }
        for c in word.chars() {
            let wide = safe::width(c.encode_utf8(&mut [0; 4]));
            if used + wide > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(c);
            used += wide;
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Draws lines from a scroll position on; how many there are beyond the last one that fits.
pub fn scrolled(pen: &mut Pen<'_>, area: Rect, lines: &Lines, scroll: usize) -> usize {
    let height = usize::from(area.height);
    let beyond = lines.lines.len().saturating_sub(height);
    let limit = if lines.more { usize::MAX } else { beyond };
    let scroll = scroll.min(beyond);
    for (row, line) in (0..area.height).zip(lines.lines.iter().skip(scroll)) {
        pen.line(area, row, line.spans.clone());
    }
    let goes_on = (scroll > 0, scroll < beyond);
    // The margin is free.
    let margin = Rect {
        width: area.width + 1,
        ..area
    };
    pen::beyond(pen.buffer, margin, goes_on, pen.style(Role::Muted));
    limit
}
