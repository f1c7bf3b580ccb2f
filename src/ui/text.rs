//! Draws the text editor: `┄` at the line in which the prompt is cut, `┊` at those that it never has.

use std::ops::Range;

use itertools::Itertools as _;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use super::safe::{fit, marked, width};
use super::theme::{Role, Theme};
use crate::app::text::wrap::{GUTTER, byte_of, columns, inside, sub_of, wrap};
use crate::app::text::{Mode, TextEditor};
use crate::memory::plural;

/// Draws an editor. Returns where the cursor stands.
pub fn draw(editor: &TextEditor, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return None;
    }
    let (wide, height) = inside(area.width, area.height);
    let wide = wide.max(1);
    let (top, mut skip) = editor.view(wide, height, width);
    let (cursor_row, cursor_column) = editor.cursor();
    let x = area.x + GUTTER.min(area.width);
    let mut cursor = None;
    let bottom = u16::try_from(height).unwrap_or(u16::MAX);
    let mut lines = area.y..area.y.saturating_add(bottom);
    'rows: for (row, line) in editor.lines().iter().enumerate().skip(top) {
        let ranges = wrap(line, wide, width);
        let byte = byte_of(line, cursor_column);
        let cursor_at = (row == cursor_row).then(|| sub_of(&ranges, byte));
        // The measure of keys and that of the screen may differ by a line here.
        let first = skip.min(ranges.len().saturating_sub(1));
        skip = 0;
        for (sub, range) in ranges.iter().enumerate().skip(first) {
            let Some(y) = lines.next() else {
                break 'rows;
            };
            let text = line.get(range.clone()).unwrap_or_default();
            let mark = gutter(editor, row, range, sub + 1 == ranges.len());
            let mark = Span::styled(mark, theme.style(Role::CutLine));
            buf.set_span(area.x, y, &mark, GUTTER.min(area.width));
            let pieces = pieces(editor, theme, (row, range.start), text);
            buf.set_line(x, y, &pieces, area.width.saturating_sub(GUTTER));
            if cursor_at == Some(sub) {
                let before = text.get(..byte.saturating_sub(range.start));
                let graphemes = before.unwrap_or(text).graphemes(true);
                let column = graphemes.fold(0, |at, one| at + columns(one, at, width));
                let column = x.saturating_add(u16::try_from(column).unwrap_or(0));
                cursor = Some(Position::new(column.min(area.right() - 1), y));
            }
        }
    }
    if height < usize::from(area.height) {
        foot(editor, theme, area, buf);
    }
    cursor.filter(|_| !matches!(editor.mode, Mode::Discard))
}

/// Text that an agent is not given is marked at the left of its lines.
fn gutter(editor: &TextEditor, row: usize, range: &Range<usize>, last: bool) -> &'static str {
    match editor.counts.cut {
        Some(cut) if (row, range.start) > cut => "┊ ",
        Some((at, byte)) if row == at && (byte < range.end || byte == range.end && last) => "┄ ",
        _ => "  ",
    }
}

/// A line on the screen, which begins at a row and a byte of it, with the selection and what the prompt
/// leaves out.
fn pieces(editor: &TextEditor, theme: &Theme, at: (usize, usize), text: &str) -> Line<'static> {
    let (row, start) = at;
    let mut marks: Vec<(Range<usize>, Style)> = Vec::new();
    if let Some((cut, byte)) = editor.counts.cut.filter(|(cut, _)| row >= *cut) {
        let from = match row == cut {
            true => byte.saturating_sub(start),
            false => 0,
        };
        marks.push((from..text.len(), theme.style(Role::Muted)));
    }
    let selection = editor.selection();
    if let Some((from, to)) = selection.filter(|(from, to)| from.0 <= row && row <= to.0) {
        let line = editor.lines().get(row).map_or("", String::as_str);
        let byte = |at: (usize, usize), outside: usize| {
            let byte = match at.0 == row {
                true => byte_of(line, at.1),
                false => outside,
            };
            byte.saturating_sub(start)
        };
        let style = Style::new().add_modifier(Modifier::REVERSED);
        marks.push((byte(from, 0)..byte(to, line.len()), style));
    }
    let styles = [Role::Text, Role::EscapeMark].map(|role| theme.style(role));
    Line::from(marked(text, 0, styles.into(), &marks))
}

/// The line at the foot: the question, a message, or the counts.
fn foot(editor: &TextEditor, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let room = usize::from(area.width);
    let (text, role) = match (&editor.mode, &editor.notice) {
        (Mode::Discard, _) => (super::words::discard("changes", room), Role::Chosen),
        (Mode::Text, Some(notice)) => (format!("! {notice}"), Role::Warning),
        (Mode::Text, None) => (counts(editor), Role::Faint),
    };
    let line = Line::styled(fit(&text, room), theme.style(role));
    buf.set_line(area.x, area.bottom() - 1, &line, area.width);
}

/// Words, tokens, the cut and whether anything is unsaved, what matters most first.
fn counts(editor: &TextEditor) -> String {
    let counts = &editor.counts;
    let cut = counts.cut;
    let cut = cut.map(|(row, _)| format!("prompt cut in line {}", row + 1));
    let parts = [
        editor.dirty().then(|| "unsaved".to_owned()),
        Some(plural(counts.words, "word")),
        cut,
        Some(plural(counts.tokens, "token")),
    ];
    format!(" {}", parts.into_iter().flatten().join(" · "))
}
