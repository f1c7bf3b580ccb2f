//! Draws the text editor.
//!
//! ```text
//!    Considered OAuth2 social login (Google,     wrapped at spaces
//!    GitHub).
//!  ┄ Task explicitly requires JWT only           the prompt is cut in this line …
//!  ┊ OAuth2 adds significant complexity          … and never has what follows
//!  12 words · 30 tokens · prompt cut in line 3 · unsaved
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use super::look::Look;
use super::safe::{fit, spans, width};
use super::theme::Theme;
use crate::app::editor::motion::{byte_of, sub_of};
use crate::app::editor::wrap::{GUTTER, columns, inside, wrap};
use crate::app::editor::{Editor, Mode};

/// Draws an editor. Returns where the cursor stands.
pub fn draw(editor: &Editor, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return None;
    }
    let look = Look::of(theme);
    let (columns, height) = inside(area.width, area.height);
    let columns = columns.max(1);
    let (mut row, top_sub) = editor.view(columns, height, width);
    let mut skip = top_sub;
    let mut cursor = None;
    let mut y = 0;
    while y < height {
        let Some(line) = editor.lines().get(row) else {
            break;
        };
        let ranges = wrap(line, columns, width);
        let at = cursor_sub(editor, row, line, &ranges);
        // The measure of keys and that of the screen may differ by a line here.
        let first = skip.min(ranges.len().saturating_sub(1));
        for (sub, range) in ranges.iter().enumerate().skip(first) {
            if y == height {
                break;
            }
            let text = line.get(range.clone()).unwrap_or_default();
            let styled = pieces(editor, &look, row, range.start, text);
            let screen_y = area.y + u16::try_from(y).unwrap_or(0);
            buf.set_span(
                area.x,
                screen_y,
                &gutter(editor, &look, row, range, sub + 1 == ranges.len()),
                GUTTER.min(area.width),
            );
            let x = area.x + GUTTER.min(area.width);
            buf.set_line(x, screen_y, &styled, area.width.saturating_sub(GUTTER));
            if let Some((_, byte)) = at.filter(|(at, _)| *at == sub) {
                let before = text.get(..byte.saturating_sub(range.start)).unwrap_or(text);
                let column = x.saturating_add(u16::try_from(column_of(before)).unwrap_or(0));
                cursor = Some(Position::new(column.min(area.right() - 1), screen_y));
            }
            y += 1;
        }
        skip = 0;
        row += 1;
    }
    if height < usize::from(area.height) {
        foot(editor, &look, area, buf);
    }
    if matches!(editor.mode, Mode::Discard) {
        None
    } else {
        cursor
    }
}

/// On which of a row's lines the cursor is, and at which byte of the row.
fn cursor_sub(
    editor: &Editor,
    row: usize,
    line: &str,
    ranges: &[std::ops::Range<usize>],
) -> Option<(usize, usize)> {
    let (at, column) = editor.cursor();
    let byte = byte_of(line, column);
    (at == row).then(|| (sub_of(ranges, byte), byte))
}

fn column_of(text: &str) -> usize {
    text.graphemes(true).fold(0, |column, grapheme| {
        column + columns(grapheme, column, width)
    })
}

/// Text that an agent is not given is marked at the left of its lines.
fn gutter(
    editor: &Editor,
    look: &Look,
    row: usize,
    range: &std::ops::Range<usize>,
    last: bool,
) -> Span<'static> {
    let mark = match editor.counts().cut {
        Some(cut) if (row, range.start) > cut => "┊ ",
        Some((at, byte)) if row == at && (byte < range.end || byte == range.end && last) => "┄ ",
        _ => "  ",
    };
    Span::styled(mark, look.cut)
}

/// A line on the screen with the selection, and what the prompt leaves out.
fn pieces<'a>(editor: &Editor, look: &Look, row: usize, start: usize, text: &'a str) -> Line<'a> {
    let mut marks: Vec<(usize, usize, Style)> = Vec::new();
    if let Some((cut, byte)) = editor.counts().cut
        && row >= cut
    {
        let from = if row == cut {
            byte.saturating_sub(start)
        } else {
            0
        };
        marks.push((from, text.len(), look.label));
    }
    if let Some((from, to)) = editor.selection() {
        let line = editor.lines().get(row).map_or("", String::as_str);
        let byte = |at: (usize, usize), outside: usize| {
            if at.0 == row {
                byte_of(line, at.1)
            } else {
                outside
            }
        };
        if from.0 <= row && row <= to.0 {
            let (from, to) = (byte(from, 0), byte(to, line.len()));
            let style = Style::new().add_modifier(Modifier::REVERSED);
            marks.push((from.saturating_sub(start), to.saturating_sub(start), style));
        }
    }
    let mut stops: Vec<usize> = marks
        .iter()
        .flat_map(|(from, to, _)| [*from, *to])
        .collect();
    stops.extend([0, text.len()]);
    stops.retain(|stop| text.is_char_boundary(*stop));
    stops.sort_unstable();
    stops.dedup();
    let mut line = Line::default();
    let mut column = 0;
    for pair in stops.windows(2) {
        let &[from, to] = pair else { continue };
        let part = text.get(from..to).unwrap_or_default();
        let style = marks
            .iter()
            .filter(|(start, end, _)| *start <= from && to <= *end)
            .fold(look.text, |style, (_, _, mark)| style.patch(*mark));
        for span in spans(part, column, style, look.mark) {
            column += width(&span.content);
            line.push_span(span);
        }
    }
    line
}

/// The line at the foot: the question, a message, or the counts.
fn foot(editor: &Editor, look: &Look, area: Rect, buf: &mut Buffer) {
    let room = usize::from(area.width);
    let y = area.bottom() - 1;
    let (text, style) = match (&editor.mode, &editor.notice) {
        (Mode::Discard, _) => (super::words::discard("changes", room), look.chosen),
        (Mode::Text, Some(notice)) => (format!("! {notice}"), look.problem),
        (Mode::Text, None) => (counts(editor, room), look.quiet),
    };
    buf.set_line(
        area.x,
        y,
        &Line::styled(fit(&text, room), style),
        area.width,
    );
}

/// Words, tokens, the cut and whether anything is unsaved: as many of these as there is room for,
/// what matters most first.
fn counts(editor: &Editor, room: usize) -> String {
    let counts = editor.counts();
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let mut parts = vec![plural(counts.words, "word")];
    if editor.dirty() {
        parts.insert(0, "unsaved".into());
    }
    if let Some((row, _)) = counts.cut {
        parts.push(format!("prompt cut in line {}", row + 1));
    }
    parts.push(plural(counts.tokens, "token"));
    let mut text = String::from(" ");
    for (n, part) in parts.iter().enumerate() {
        let next = format!("{}{part}", if n > 0 { " · " } else { "" });
        if width(&text) + width(&next) > room {
            break;
        }
        text.push_str(&next);
    }
    text
}
