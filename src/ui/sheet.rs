//! The right side while it is put together: lines of a width, and the words in its frame.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::pen::{Pen, Words, beyond, fit_spans};
use super::theme::{Role, Theme};
use super::{markdown, safe, words};
use crate::app::text::wrap as soft_wrap;

/// Lines in which changes are looked for.
const READ: usize = 2000;
/// Lines around a change that are shown with it.
const AROUND: usize = 2;

/// Lines that scroll, and what stands in the border around them.
pub struct Sheet<'a> {
    pub theme: &'a Theme,
    pub width: usize,
    pub height: usize,
    /// Lines that are wanted: those above the end of the screen, and one more.
    pub most: usize,
    /// At the left of the top.
    pub title: String,
    /// At the right of the top.
    pub note: String,
    /// At the left of the bottom.
    pub foot: String,
    pub lines: Vec<Line<'static>>,
    /// True if more follow than were put together.
    pub more: bool,
}

impl<'a> Sheet<'a> {
    /// An empty sheet for an area that shows it from a line on.
    pub fn new(theme: &'a Theme, area: Rect, scroll: usize) -> Self {
        let height = usize::from(area.height);
        Self {
            theme,
            width: area.width.into(),
            height,
            most: scroll.saturating_add(height + 1),
            title: String::new(),
            note: String::new(),
            foot: String::new(),
            lines: Vec::new(),
            more: false,
        }
    }

    pub fn text(&self, role: Role, text: &str) -> Span<'static> {
        self.theme.text(role, text)
    }

    /// Adds a line of spans, cut to the width.
    pub fn push(&mut self, spans: Vec<Span<'static>>) {
        self.lines.push(Line::from(fit_spans(spans, self.width)));
    }

    /// Adds a line of one role, cut to the width.
    pub fn line(&mut self, role: Role, text: &str) {
        self.push(vec![self.text(role, text)]);
    }

    pub fn gap(&mut self) {
        self.lines.push(Line::default());
    }

    /// Adds a text on as many lines as it takes, words kept whole.
    pub fn wrapped(&mut self, role: Role, text: &str) {
        self.indented(role, text, 0);
    }

    /// Adds a text on as many lines as it takes, each begun with an indent.
    pub fn indented(&mut self, role: Role, text: &str, indent: usize) {
        for line in wrap(&safe::safe(text), self.width.saturating_sub(indent)) {
            let line = Span::styled(line, self.theme.style(role));
            self.lines
                .push(Line::from(vec![Span::raw(" ".repeat(indent)), line]));
        }
    }

    /// Adds a command in full behind its key, on as many lines as it takes.
    pub fn order(&mut self, key: &str, title: &str, role: Role) {
        let indent = safe::width(key) + 1;
        let lines = wrap(&safe::safe(title), self.width.saturating_sub(indent));
        for (n, line) in lines.iter().enumerate() {
            let lead = safe::pad(if n == 0 { key } else { "" }, indent);
            let lead = self.text(Role::StatusKey, &lead);
            self.push(vec![lead, self.text(role, line)]);
        }
    }

    /// Adds Markdown as it reads, ranges of it in styles of their own.
    pub fn markdown(&mut self, text: &str, marks: &[(Range<usize>, Style)]) {
        let rows = self.most.saturating_sub(self.lines.len()).max(1);
        let rendered = markdown::render(text, self.width, self.theme, rows, &[]);
        let lines = rendered.rows.iter().map(|row| row.marked(marks));
        self.lines.extend(lines);
        self.more |= rendered.more;
    }

    /// Adds Markdown as it reads, with marks where it changed: all of it where the screen has room, else
    /// what changed with the lines around it.
    pub fn changes(&mut self, text: &str, marks: &[(Range<usize>, Style)]) {
        let rendered = markdown::render(text, self.width, self.theme, READ, &[]);
        self.more |= rendered.more;
        let rows = rendered.rows;
        let is_long = self.lines.len() + rows.len() > self.height;
        let changed: Vec<bool> = rows.iter().map(|row| row.shows_any(marks)).collect();
        let is_near = |at: usize| {
            let near = at.saturating_sub(AROUND)..(at + AROUND + 1).min(changed.len());
            changed.get(near).is_none_or(|near| near.contains(&true))
        };
        let folds = is_long && changed.contains(&true);
        let mut shown = 0;
        for (at, row) in rows.iter().enumerate() {
            if folds && !is_near(at) {
                continue;
            }
            self.folded(text.get(shown..row.source));
            self.lines.push(row.marked(marks));
            shown = rows.get(at + 1).map_or(text.len(), |next| next.source);
        }
        self.folded(text.get(shown..));
    }

    /// Adds the number of lines of an unchanged part, in place of its text.
    fn folded(&mut self, part: Option<&str>) {
        let count = part.map_or(0, |part| part.trim_end().lines().count());
        if count > 0 {
            let count = words::count(count, "line unchanged", "lines unchanged");
            self.line(Role::Faint, &format!("⋯ {count}"));
        }
    }

    pub fn words(&self) -> Words<'_> {
        let title = vec![self.text(Role::Title, &self.title)];
        (title, &self.note, &self.foot)
    }

    /// Draws the lines from a scroll position on. Returns how far they can be scrolled.
    pub fn draw(&self, pen: &mut Pen<'_>, area: Rect, scroll: usize) -> usize {
        let last = self.lines.len().saturating_sub(usize::from(area.height));
        let scroll = scroll.min(last);
        for (row, line) in (0..area.height).zip(self.lines.iter().skip(scroll)) {
            pen.line(area, row, line.spans.clone());
        }
        // The margin is free.
        let margin = Rect::new(area.x, area.y, area.width + 1, area.height);
        let quiet = pen.style(Role::Muted);
        beyond(pen.buffer, margin, (scroll > 0, scroll < last), quiet);
        if self.more { usize::MAX } else { last }
    }
}

/// Cuts a text into lines of a width at its blanks, or inside a word that is longer than a line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = soft_wrap(&text, width.max(1), safe::width).into_iter();
    let line = |range: Range<usize>| text.get(range).unwrap_or_default().trim_end().to_owned();
    lines.map(line).collect()
}
