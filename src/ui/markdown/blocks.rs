//! Blocks of code and tables: columns aligned and fitted to the width.

use std::ops::Range;

use pulldown_cmark::Alignment;
use ratatui::style::Style;

use super::{Part, columns, cut, join, push, wrap};
use crate::app::msg::Rgb;
use crate::ui::theme::{Role, Theme};

/// Stands between two columns.
const GAP: &str = " │ ";
/// The same in the line below the header.
const CROSS: &str = "─┼─";
/// No column becomes narrower than this while there is another one to narrow.
const LEAST: usize = 3;
/// Columns beyond this are not told apart by width any more.
const WIDEST: usize = 200;
/// Columns from which a cell is folded at its words.
const WORDS: usize = 8;

#[derive(Default)]
pub(super) struct Code {
    /// The language as the text names it; empty where it names none.
    pub language: String,
    text: String,
    /// Place of each line in the source.
    lines: Vec<Range<usize>>,
}

impl Code {
    /// An empty block in the language that the first word after the fence names.
    pub fn new(info: &str) -> Self {
        let word = info.split([' ', ',', '{', '\t']).next();
        Self {
            language: word.unwrap_or_default().to_owned(),
            ..Self::default()
        }
    }

    /// Adds what the reader gives, which is a line or several or a part of one.
    pub fn push(&mut self, text: &str, range: &Range<usize>) {
        let mut at = range.start;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            let end = (at + shown.len()).min(range.end);
            let goes_on = !self.text.is_empty() && !self.text.ends_with('\n');
            match self.lines.last_mut().filter(|_| goes_on) {
                Some(last) => last.end = end,
                None => self.lines.push(at..end),
            }
            self.text.push_str(line);
            at += line.len();
        }
    }

    /// The lines in their colours, where they are known and are those of this text.
    pub fn lines<'a>(
        &'a self,
        theme: &'a Theme,
        colours: Option<&'a Vec<Vec<(Rgb, String)>>>,
    ) -> impl Iterator<Item = Vec<Part>> + 'a {
        let lines = self.text.lines().zip(&self.lines).enumerate();
        lines.map(move |(n, (text, source))| {
            let known = colours.and_then(|block| block.get(n)).filter(|line| {
                let whole: usize = line.iter().map(|(_, part)| part.trim_end().len()).sum();
                whole <= text.len() && line.iter().all(|(_, part)| text.contains(part.trim_end()))
            });
            let mut runs = Vec::new();
            let Some(line) = known else {
                push(&mut runs, text, theme.style(Role::CodeBlock), source);
                return runs;
            };
            let mut at = source.start;
            for (rgb, part) in line {
                let text = part.trim_end_matches(['\n', '\r']);
                push(&mut runs, text, theme.code(*rgb), &(at..at + text.len()));
                at += text.len();
            }
            runs
        })
    }
}

#[derive(Debug, Default)]
pub(super) struct Table {
    pub alignments: Vec<Alignment>,
    pub rows: Vec<Vec<Vec<Part>>>,
}

impl Table {
    /// The rows of the table within a width, the line below the header included.
    pub fn rows(&self, width: usize, border: Style) -> Vec<Vec<Part>> {
        let widest = |n: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(n));
            let widths = cells.map(|cell| columns(cell).min(WIDEST));
            widths.max().unwrap_or(0).max(1)
        };
        let widths = fit((0..self.alignments.len()).map(widest).collect(), width);
        let mut out = Vec::new();
        for (n, row) in self.rows.iter().enumerate() {
            let cells = widths.iter().enumerate().map(|(n, width)| {
                let cell = row.get(n).map_or(&[][..], Vec::as_slice);
                fold(cell, *width)
            });
            // Each on as many lines as the longest takes.
            let cells: Vec<_> = cells.collect();
            let tall = cells.iter().map(Vec::len).max().unwrap_or(1);
            for at in 0..tall {
                let cells = cells
                    .iter()
                    .map(|cell| cell.get(at).map_or(&[][..], Vec::as_slice));
                out.push(self.line(cells, &widths, border));
            }
            if n == 0 {
                let dashes: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                out.push(vec![Part::new(dashes.join(CROSS), border, None)]);
            }
        }
        out
    }

    /// A line of a row: of each cell the part that stands on it.
    fn line<'a>(
        &self,
        cells: impl Iterator<Item = &'a [Part]>,
        widths: &[usize],
        border: Style,
    ) -> Vec<Part> {
        let mut out = Vec::new();
        for (n, ((width, alignment), cell)) in
            widths.iter().zip(&self.alignments).zip(cells).enumerate()
        {
            if n > 0 {
                join(&mut out, GAP, border, None);
            }
            let free = width.saturating_sub(columns(cell));
            let left = match alignment {
                Alignment::Right => free,
                Alignment::Center => free / 2,
                Alignment::Left | Alignment::None => 0,
            };
            join(&mut out, &" ".repeat(left), Style::new(), None);
            for part in cell {
                join(&mut out, &part.text, part.style, part.source.clone());
            }
            join(&mut out, &" ".repeat(free - left), Style::new(), None);
        }
        out
    }
}

/// A cell on as many lines as it takes; in a column that has no room for words it is cut.
fn fold(cell: &[Part], width: usize) -> Vec<Vec<Part>> {
    if width < WORDS || columns(cell) <= width {
        return vec![cut(cell, width)];
    }
    wrap(cell, width, usize::MAX)
}

/// Narrows the widest columns until all fit; columns that have no room at all go.
fn fit(mut widths: Vec<usize>, width: usize) -> Vec<usize> {
    let gap = GAP.chars().count();
    widths.truncate(((width + gap) / (1 + gap)).max(1));
    let room = width.saturating_sub(gap * (widths.len() - 1)).max(1);
    let least = LEAST.min(room / widths.len()).max(1);
    while widths.iter().sum::<usize>() > room {
        // Of several the first.
        let widest = widths.iter_mut().rev().max();
        let Some(widest) = widest.filter(|widest| **widest > least) else {
            break;
        };
        *widest -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_columns_give_way_first() {
        assert_eq!(fit(vec![4, 5], 40), [4, 5]);
        assert_eq!(fit(vec![4, 50], 27), [4, 20]);
        assert_eq!(fit(vec![30, 50, 4], 40), [15, 15, 4]);
        assert_eq!(fit(vec![10, 10], 10), [3, 4]);
        assert_eq!(fit(vec![9; 10], 9), [1, 1, 1]);
        assert_eq!(fit(vec![9; 3], 1), [1]);
    }
}
