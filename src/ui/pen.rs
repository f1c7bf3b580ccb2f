//! The tools of every pane: lines of styled text, borders, inputs, bars.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget as _};

use super::safe;
use super::theme::{Role, Theme};
use crate::app::line;

/// A theme and the cells to draw on.
pub struct Pen<'a> {
    pub theme: &'a Theme,
    pub buffer: &'a mut Buffer,
}

/// The words in the border of a pane, or in its first line where it has none: at the left of the
/// top, at the right of it, and at the left of the bottom, which is only in a border.
pub type Words<'a> = (Vec<Span<'a>>, &'a str, &'a str);

impl Pen<'_> {
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// A text in a role's style, safe.
    pub fn text(&self, role: Role, text: &str) -> Span<'static> {
        self.theme.text(role, text)
    }

    /// Draws spans on a row of an area; what does not fit is left out.
    pub fn line(&mut self, area: Rect, row: u16, spans: Vec<Span<'_>>) {
        self.line_at(area, row, 0, spans);
    }

    /// Draws a text of one role on a row of an area, cut to its width.
    pub fn cut(&mut self, area: Rect, row: u16, role: Role, text: &str) {
        let text = safe::fit(text, usize::from(area.width));
        self.line(area, row, vec![Span::styled(text, self.style(role))]);
    }

    /// Draws a row of a list; the one that a person stands on in the colours of the selection.
    pub fn row(&mut self, area: Rect, row: u16, here: bool, mut spans: Vec<Span<'_>>) {
        if here {
            self.over(area, row, self.style(Role::Selection));
            self.select(&mut spans);
        }
        self.line(area, row, spans);
    }

    pub fn select(&self, spans: &mut [Span<'_>]) {
        let selection = self.style(Role::Selection);
        for span in spans {
            let style = selection.patch(span.style);
            span.style = style.add_modifier(selection.add_modifier);
        }
    }

    /// Draws spans on a row of an area from a column on.
    pub fn line_at(&mut self, area: Rect, row: u16, column: u16, spans: Vec<Span<'_>>) {
        let area = area.intersection(self.buffer.area);
        if row < area.height && column < area.width {
            let (x, y) = (area.x + column, area.y + row);
            self.buffer
                .set_line(x, y, &Line::from(spans), area.width - column);
        }
    }

    /// Draws spans so that they end at the right of a row.
    pub fn line_right(&mut self, area: Rect, row: u16, spans: Vec<Span<'_>>) {
        let at = usize::from(area.width).saturating_sub(columns(&spans));
        self.line_at(area, row, u16::try_from(at).unwrap_or(0), spans);
    }

    /// Lays a style over a whole row.
    pub fn over(&mut self, area: Rect, row: u16, style: Style) {
        let area = area.intersection(self.buffer.area);
        if row < area.height {
            let line = Rect::new(area.x, area.y + row, area.width, 1);
            self.buffer.set_style(line, style);
        }
    }

    pub fn clear(&mut self, area: Rect) {
        Clear.render(area, self.buffer);
        self.buffer.set_style(area, self.theme.ground());
    }

    /// Draws a pane's frame: a border with its words in it, or one line above the pane.
    /// A pane that has the keys is told from the others.
    pub fn frame(&mut self, area: Rect, borders: bool, focused: bool, words: Words<'_>) {
        let (title, note, foot) = words;
        if area.is_empty() {
            return;
        }
        if borders && area.width >= 2 && area.height >= 2 {
            let role = Role::either(focused, Role::BorderFocus, Role::Border);
            let border = Block::bordered().border_style(self.style(role));
            border.render(area, self.buffer);
        }
        let inner = inset(area, u16::from(borders), u16::from(borders));
        let width = usize::from(inner.width);
        let noted = safe::width(note) + 2;
        let mut room = width;
        if !note.is_empty() && noted + 8 <= width {
            let note = self.text(Role::Muted, &format!(" {note} "));
            self.line_right(inner, 0, vec![note]);
            room -= noted;
        }
        if !title.is_empty() {
            let mut spans = vec![Span::raw(" ")];
            spans.extend(fit_spans(title, room.saturating_sub(3)));
            spans.push(Span::raw(" "));
            self.line(inner, 0, spans);
        }
        if borders && !foot.is_empty() && area.height >= 2 {
            let text = safe::fit(foot, width.saturating_sub(4));
            let text = self.text(Role::Muted, &format!(" {text} "));
            self.line_at(inner, area.height - 1, 1, vec![text]);
        }
    }

    /// Draws a text that is being typed so that its cursor can be seen, and says where that is.
    pub fn input(
        &mut self,
        area: Rect,
        line: &line::Line,
        style: Style,
        wrong: Option<Range<usize>>,
    ) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        let from = line.shown_from(usize::from(area.width), safe::width);
        let within = |range: Range<usize>| range.start.saturating_sub(from)..range.end - from;
        let bad = self.style(Role::Error).add_modifier(Modifier::UNDERLINED);
        let wrong = wrong.filter(|range| range.end > from);
        let wrong = Vec::from_iter(wrong.map(|range| (within(range), bad)));
        let shown = line.text().get(from..).unwrap_or_default();
        self.line(area, 0, safe::marked(shown, 0, (style, style), &wrong));
        let before = line.before().get(from..).unwrap_or_default();
        let x = u16::try_from(safe::width(before)).unwrap_or(0);
        Some(Position::new(area.x + x.min(area.width - 1), area.y))
    }
}

/// An area without so many columns at its left and at its right.
pub fn inset(area: Rect, left: u16, right: u16) -> Rect {
    Rect {
        x: area.x + left.min(area.width),
        width: area.width.saturating_sub(left + right),
        ..area
    }
}

/// Marks that lines go on above or below an area: in the border at its right, else in its last
/// column.
pub fn beyond(buffer: &mut Buffer, area: Rect, (above, below): (bool, bool), style: Style) {
    if area.is_empty() {
        return;
    }
    let ends = [(above, area.top(), '↑'), (below, area.bottom() - 1, '↓')];
    for (_, y, mark) in ends.into_iter().filter(|(is, ..)| *is) {
        let right = area.right();
        let places = [(right + 1, "│"), (right, "│"), (right - 1, " ")];
        let is_free = |(x, free): &(u16, &str)| {
            let cell = buffer.cell((*x, y));
            cell.is_some_and(|cell| cell.symbol() == *free)
        };
        // Rather a letter less than no word of the rest.
        let free = places.into_iter().find(is_free);
        let x = free.map_or(right - 1, |(x, _)| x);
        if let Some(cell) = buffer.cell_mut((x, y)) {
            cell.set_char(mark).set_style(style);
        }
    }
}

pub fn columns(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| safe::width(&span.content)).sum()
}

/// Spans cut to a width, with `…` where something is missing.
pub fn fit_spans(spans: Vec<Span<'_>>, width: usize) -> Vec<Span<'_>> {
    if columns(&spans) <= width {
        return spans;
    }
    let mut left = width;
    let mut out = Vec::new();
    for span in spans {
        let wide = safe::width(&span.content);
        if wide < left {
            left -= wide;
            out.push(span);
            continue;
        }
        // At least one cell is left, and more follows: the mark says so.
        let more = if wide == left { " more" } else { "" };
        let text = safe::fit(&format!("{}{more}", span.content), left);
        out.push(Span::styled(text, span.style));
        break;
    }
    out
}

/// Items in a line, cut to a width: the chosen one and its neighbours stay in sight.
pub fn strip(items: &[Spans], chosen: usize, width: usize) -> Spans {
    let some = |from: usize, to: usize| items.get(from..to.min(items.len())).unwrap_or_default();
    let fits = |from: &usize| columns(&some(*from, chosen + 2).concat()) <= width;
    let from = (0..chosen).find(fits);
    let from = from.unwrap_or(chosen.saturating_sub(1));
    fit_spans(some(from, items.len()).concat(), width)
}

pub type Spans = Vec<Span<'static>>;
pub type Lines = Vec<Spans>;

/// Keeps the first of some lines, with a mark behind the last one where more follow.
pub fn limit(lines: &mut Lines, most: usize, more: bool, mark: Span<'static>, room: usize) {
    let more = more || lines.len() > most;
    lines.truncate(most);
    if let Some(last) = lines.last_mut().filter(|_| more) {
        last.push(mark);
        *last = fit_spans(std::mem::take(last), room);
    }
}

/// How much of a limit is used, in six cells.
pub fn gauge(used: usize, of: usize) -> String {
    const CELLS: usize = 6;
    let full = (used * CELLS / of.max(1)).min(CELLS);
    format!("{:░<CELLS$}", "▓".repeat(full))
}

/// A bar of a length in eighths of a cell, at least one eighth where there is anything.
pub fn bar(part: f64, cells: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let part = part.clamp(0.0, 1.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a part of some cells"
    )]
    let eighths = (part * (cells * 8) as f64).round() as usize;
    let eighths = if part > 0.0 { eighths.max(1) } else { 0 };
    let last = EIGHTHS.get(eighths % 8).copied().unwrap_or_default();
    format!("{}{last}", "█".repeat(eighths / 8))
}
