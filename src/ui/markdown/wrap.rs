//! Styled text broken into rows at words, by columns.

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

impl Run {
    /// True if its bytes are those of the source, one for one.
    pub fn verbatim(&self) -> bool {
        self.text.len() == self.source.len()
    }
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
    parts.push(Part {
        text: text.to_owned(),
        style,
        source,
    });
}

/// Calls back with every grapheme of a run, made safe: text, columns, bytes of the source. Stops
/// where it is told to. A tab stays one, for the caller knows the column.
pub(super) fn graphemes(run: &Run, each: &mut dyn FnMut(&str, usize, Range<usize>) -> bool) {
    let mut at = 0;
    let place = |at: usize, len: usize| {
        if run.verbatim() {
            run.source.start + at..run.source.start + at + len
        } else {
            run.source.clone()
        }
    };
    let mut pieces = safe::pieces(&run.text);
    while let Some(piece) = pieces.next() {
        let taken = run.text.len() - pieces.left() - at;
        match piece {
            Piece::Clean(text) => {
                for (n, grapheme) in text.grapheme_indices(true) {
                    let width = usize::from(grapheme.cell_width());
                    if !each(grapheme, width, place(at + n, grapheme.len())) {
                        return;
                    }
                }
            }
            Piece::Hostile(hidden) => {
                let mark = safe::mark(hidden);
                // In characters, for a mark may be wider than a row.
                for (n, c) in mark.char_indices() {
                    let shown = mark.get(n..n + c.len_utf8()).unwrap_or_default();
                    if !each(shown, 1, place(at, taken)) {
                        return;
                    }
                }
            }
            Piece::Tab => {
                if !each("\t", 1, place(at, taken)) {
                    return;
                }
            }
        }
        at += taken;
    }
}

/// Breaks runs into rows of at most `width` columns, `most` rows at most. A word that is wider
/// than a row is broken; wide characters need no space between them. `\n` ends a row.
pub(super) fn wrap(runs: &[Run], width: usize, most: usize) -> Vec<Vec<Part>> {
    let mut wrapper = Wrapper {
        width: width.max(1),
        most,
        ..Wrapper::default()
    };
    for run in runs {
        if run.text == "\n" {
            wrapper.word_ends();
            wrapper.row_ends();
            continue;
        }
        graphemes(run, &mut |text, width, source| {
            wrapper.push(text, width, run.style, source);
            wrapper.rows.len() < wrapper.most
        });
        if wrapper.rows.len() >= most {
            return wrapper.rows;
        }
    }
    wrapper.word_ends();
    if !wrapper.row.is_empty() || wrapper.rows.is_empty() {
        wrapper.row_ends();
    }
    wrapper.rows
}

#[derive(Default)]
struct Wrapper {
    width: usize,
    most: usize,
    rows: Vec<Vec<Part>>,
    row: Vec<Part>,
    used: usize,
    word: Vec<Part>,
    word_width: usize,
    space: Option<(Style, Range<usize>)>,
}

impl Wrapper {
    fn push(&mut self, text: &str, width: usize, style: Style, source: Range<usize>) {
        if matches!(text, " " | "\t") {
            self.word_ends();
            if self.used > 0 {
                self.space = Some((style, source));
            }
            return;
        }
        if width > 1 || self.word_width + width > self.width {
            self.word_ends();
        }
        join(&mut self.word, text, style, Some(source));
        self.word_width += width;
        if width > 1 {
            self.word_ends();
        }
    }

    /// Puts the word on the row, or on the next where it has no room.
    fn word_ends(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let gap = usize::from(self.space.is_some());
        if self.used > 0 && self.used + gap + self.word_width > self.width {
            self.row_ends();
        }
        if let Some((style, source)) = self.space.take() {
            join(&mut self.row, " ", style, Some(source));
            self.used += 1;
        }
        for part in self.word.drain(..) {
            join(&mut self.row, &part.text, part.style, part.source);
        }
        self.used += self.word_width;
        self.word_width = 0;
    }

    fn row_ends(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
        self.used = 0;
        self.space = None;
    }
}

/// Breaks runs into rows of exactly the columns there are, spaces kept, for code.
pub(super) fn chop(runs: &[Run], width: usize, most: usize) -> Vec<Vec<Part>> {
    let width = width.max(1);
    let mut rows: Vec<Vec<Part>> = vec![Vec::new()];
    let mut used = 0;
    for run in runs {
        graphemes(run, &mut |text, columns, source| {
            let stop = " ".repeat((TAB - used % TAB).min(width));
            let (text, columns) = match text {
                "\t" => (stop.as_str(), stop.len()),
                _ => (text, columns),
            };
            if used + columns > width && used > 0 {
                rows.push(Vec::new());
                used = 0;
            }
            if let Some(row) = rows.last_mut() {
                join(row, text, run.style, Some(source));
            }
            used += columns;
            rows.len() <= most
        });
    }
    rows.truncate(most.max(1));
    rows
}

/// Runs cut to a width with `…` where something is missing, and the columns they take.
pub(super) fn cut(runs: &[Run], width: usize) -> (Vec<Part>, usize) {
    let total: usize = measure(runs, width + 1);
    let room = if total > width {
        width.saturating_sub(1)
    } else {
        width
    };
    let (mut parts, mut used) = (Vec::new(), 0);
    let mut style = Style::new();
    'runs: for run in runs {
        let mut full = false;
        graphemes(run, &mut |text, columns, source| {
            full = used + columns > room;
            if !full {
                let text = if text == "\t" { " " } else { text };
                join(&mut parts, text, run.style, Some(source));
                used += columns;
            }
            !full
        });
        style = run.style;
        if full {
            break 'runs;
        }
    }
    if total > width && width > 0 {
        join(&mut parts, "…", style, None);
        used += 1;
    }
    (parts, used)
}

/// Columns of runs, counted up to a limit.
pub(super) fn measure(runs: &[Run], limit: usize) -> usize {
    let mut used = 0;
    for run in runs {
        graphemes(run, &mut |_, columns, _| {
            used += columns;
            used < limit
        });
    }
    used
}
