//! The right side: lines that scroll, in a frame.

use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::pen::{self, Frame, Pen};
use super::reading;
use super::theme::Role;
use super::{safe, words};
use crate::app::desk::Desk;
use crate::app::layout::Areas;
use crate::app::{Focus, Model, Page, Pane, View};
use crate::memory::MemoryId;

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

/// Draws the right side; how far it can be scrolled, and where it was, the first byte of the body
/// that it shows.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> (usize, Option<usize>) {
    if areas.side.is_empty() || model.desk.is_some() {
        return (0, None);
    }
    let area = areas.inner();
    let mut frame = Frame {
        focused: matches!(model.focus(), Focus::Pane(Pane::Side)) || model.covers_list(),
        ..Frame::default()
    };
    let most = scrolled_to(model).saturating_add(usize::from(area.height) + 1);
    let width = usize::from(area.width);
    let lines = match (&model.page, model.view) {
        (Page::Fix(proposal), _) => super::lint::fix(pen, model, proposal, width, &mut frame),
        (Page::Pair(pair), _) => super::pair::page(pen, model, pair, width, &mut frame),
        (Page::Versions(versions), _) => {
            let room = (width, usize::from(area.height));
            super::history::page(pen, model, versions, room, &mut frame)
        }
        (Page::Explain, View::Lint) => super::lint::explained(pen, model, width, most, &mut frame),
        (Page::Explain, _) | (Page::Usual, View::Inject) => {
            super::explain::page(pen, model, width, &mut frame)
        }
        (Page::Usual, View::Lint) => super::lint::page(pen, model, width, most, &mut frame),
        (Page::Usual, View::Review) => super::review::page(pen, model, width, &mut frame),
        (Page::Usual, View::Browse) => reading::page(pen, model, width, most, &mut frame),
    };
    if areas.page.y > areas.side.y {
        pen.frame(areas.side, areas.borders, frame);
    }
    let from = scrolled_to(model);
    let limit = scrolled(pen, area, &lines, from);
    let mut shown = lines
        .bytes
        .iter()
        .filter(|(line, _)| *line >= from.min(limit));
    let byte = shown.next().map(|(_, byte)| *byte);
    (limit, byte.filter(|_| from > 0))
}

/// The first line of the right side that is on the screen.
const fn scrolled_to(model: &Model) -> usize {
    match &model.page {
        Page::Fix(proposal) => proposal.scroll,
        Page::Pair(pair) => pair.scroll,
        Page::Versions(versions) => versions.scroll,
        Page::Usual | Page::Explain => model.reading.scroll,
    }
}

/// Draws what is being edited in the place of the right side; says where the cursor is.
pub fn desk(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    let desk = model.desk.as_ref()?;
    let title_of = |id: &MemoryId| {
        let current = model.current().filter(|memory| memory.id == *id);
        let found = current.or_else(|| model.world.memory(model.world.index_of(id)?));
        found.map_or_else(
            || id.to_string(),
            |memory| words::title(memory).into_owned(),
        )
    };
    let title = match desk {
        Desk::Form { form, .. } => form.title(),
        Desk::Opening { id, .. } => title_of(id),
        Desk::Text(writing) => title_of(&writing.id),
        Desk::Conflict { writing, .. } => format!("{} changed on disk", title_of(&writing.id)),
    };
    if areas.page.y > areas.side.y {
        let title = vec![pen.text(Role::Title, &title)];
        let frame = Frame {
            title,
            focused: true,
            ..Frame::default()
        };
        pen.frame(areas.side, areas.borders, frame);
    }
    let area = areas.inner();
    let moves = model.inject.moves.as_ref();
    match desk {
        Desk::Opening { .. } => None,
        Desk::Form { form, .. } => {
            let effects = (moves, &*model.inject.saved.effects);
            super::form::draw(form, effects, pen.theme, area, pen.buffer)
        }
        Desk::Text(writing) => super::editor::draw(&writing.editor, pen.theme, area, pen.buffer),
        Desk::Conflict { conflict, .. } => {
            super::conflict::draw(conflict, pen.theme, area, pen.buffer)
        }
    }
}
