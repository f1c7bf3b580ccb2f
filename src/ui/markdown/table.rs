//! Tables: columns aligned and fitted to the width.

use pulldown_cmark::Alignment;
use ratatui::style::Style;

use super::Part;
use super::wrap::{Run, cut, join, measure, wrap};
use crate::ui::safe;

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
/// Lines that a row takes at the most.
const TALL: usize = 20;

/// A table as it is read.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub alignments: Vec<Alignment>,
    /// Rows of cells, the header first.
    pub rows: Vec<Vec<Vec<Run>>>,
}

impl Table {
    /// The rows of the table within a width, the line below the header included.
    pub fn rows(&self, width: usize, line: Style) -> Vec<Vec<Part>> {
        let widths = fit(self.natural(), width);
        let mut out = Vec::new();
        for (n, row) in self.rows.iter().enumerate() {
            out.extend(self.row(row, &widths, line));
            if n == 0 {
                let dashes: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                let mut parts = Vec::new();
                join(&mut parts, &dashes.join(CROSS), line, None);
                out.push(parts);
            }
        }
        out
    }

    /// The widest cell of each column.
    fn natural(&self) -> Vec<usize> {
        let mut widths = vec![1; self.alignments.len()];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = measure(cell, WIDEST).max(*width);
            }
        }
        widths
    }

    /// A row, on as many lines as its longest cell takes.
    fn row(&self, cells: &[Vec<Run>], widths: &[usize], line: Style) -> Vec<Vec<Part>> {
        let none = Vec::new();
        let cells = (0..widths.len()).map(|n| cells.get(n).unwrap_or(&none));
        let folded: Vec<_> = cells
            .zip(widths)
            .map(|(cell, width)| fold(cell, *width))
            .collect();
        let lines = folded.iter().map(Vec::len).max().unwrap_or_default().max(1);
        (0..lines)
            .map(|at| {
                let parts = folded.iter().map(|cell| cell.get(at));
                self.line(parts, widths, line)
            })
            .collect()
    }

    /// A line of a row: of each cell the part that stands on it.
    fn line<'a>(
        &self,
        cells: impl Iterator<Item = Option<&'a Vec<Part>>>,
        widths: &[usize],
        line: Style,
    ) -> Vec<Part> {
        let mut out = Vec::new();
        let columns = widths.iter().zip(&self.alignments).zip(cells);
        for (n, ((&width, alignment), cell)) in columns.enumerate() {
            if n > 0 {
                join(&mut out, GAP, line, None);
            }
            let parts = cell.map(Vec::as_slice).unwrap_or_default();
            let used: usize = parts.iter().map(|part| safe::width(&part.text)).sum();
            let free = width.saturating_sub(used);
            let left = match alignment {
                Alignment::Right => free,
                Alignment::Center => free / 2,
                Alignment::Left | Alignment::None => 0,
            };
            join(&mut out, &" ".repeat(left), Style::new(), None);
            for part in parts {
                join(&mut out, &part.text, part.style, part.source.clone());
            }
            join(&mut out, &" ".repeat(free - left), Style::new(), None);
        }
        out
    }
}

/// A cell on as many lines as it takes; in a column that has no room for words it is cut.
fn fold(cell: &[Run], width: usize) -> Vec<Vec<Part>> {
    if width < WORDS || measure(cell, width + 1) <= width {
        return vec![cut(cell, width).0];
    }
    let mut lines = wrap(cell, width, TALL + 1);
    if lines.len() > TALL {
        lines.truncate(TALL - 1);
        let mut more = Vec::new();
        join(&mut more, "…", Style::new(), None);
        lines.push(more);
    }
    lines
}

/// Narrows the widest columns until all fit; columns that have no room at all go.
fn fit(mut widths: Vec<usize>, width: usize) -> Vec<usize> {
    let gap = GAP.chars().count();
    let most = (width + gap) / (1 + gap);
    widths.truncate(most.max(1));
    let room = width.saturating_sub(gap * (widths.len() - 1)).max(1);
    let least = LEAST.min(room / widths.len()).max(1);
    while widths.iter().sum::<usize>() > room {
        let widest = widths.iter().copied().max().unwrap_or(0);
        if widest <= least {
            break;
        }
        let next = widths.iter().copied().filter(|w| *w < widest).max();
        let count = widths.iter().filter(|w| **w == widest).count();
        let over = widths.iter().sum::<usize>() - room;
        let step = (widest - next.unwrap_or(0).max(least))
            .min(over.div_ceil(count))
            .max(1);
        let mut left = over;
        for place in widths.iter_mut().filter(|w| **w == widest) {
            let give = step.min(left);
            *place -= give;
            left -= give;
        }
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
