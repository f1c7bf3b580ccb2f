//! Styled text broken into rows at words, by columns.

use std::ops::Range;

use ratatui::style::Style;

use super::Part;
use crate::app::text;
use crate::ui::safe::{self, Piece, TAB};

/// Text of one style on its way into rows, safe to draw.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub text: String,
    pub style: Style,
    /// The bytes of the source it came from.
    pub source: Range<usize>,
}

/// Appends text to runs: what may not be drawn as a mark, a tab as blanks up to the next stop. If its
/// bytes are not those of the source, the whole source is meant.
pub(super) fn push(runs: &mut Vec<Run>, text: &str, style: Style, source: &Range<usize>) {
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
        let source = if is_same {
            at..at + len
        } else {
            source.clone()
        };
        at += len;
        runs.push(Run {
            text,
            style,
            source,
        });
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
    parts.push(Part::new(text.to_owned(), style, source));
}

/// Columns of parts.
pub(super) fn columns(parts: &[Part]) -> usize {
    parts.iter().map(|part| safe::width(&part.text)).sum()
}

/// Columns of runs.
pub(super) fn measure(runs: &[Run]) -> usize {
    safe::width(&joined(runs))
}

fn joined(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}

/// A range of the text of runs as parts.
fn parts(runs: &[Run], range: &Range<usize>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut end = 0;
    for run in runs {
        let start = end;
        end += run.text.len();
        let from = range.start.clamp(start, end) - start;
        let to = range.end.clamp(start, end) - start;
        let text = run.text.get(from..to).unwrap_or_default();
        if !text.is_empty() {
            let source = match run.text.len() == run.source.len() {
                true => run.source.start + from..run.source.start + to,
                false => run.source.clone(),
            };
            join(&mut parts, text, run.style, Some(source));
        }
    }
    parts
}

/// Breaks runs into rows of at most so many columns, `most` rows at most. A word that is wider than
/// a row is broken. `\n` ends a row.
pub(super) fn wrap(runs: &[Run], width: usize, most: usize) -> Vec<Vec<Part>> {
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
pub(super) fn cut(runs: &[Run], width: usize) -> Vec<Part> {
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
