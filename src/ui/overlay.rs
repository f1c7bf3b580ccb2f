//! The windows: the palette, a list, a question, the offer of a found draft.

mod choices;

use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::pen::{Frame, Pen};
use super::safe;
use super::theme::Role;
use crate::app::layout::window;
use crate::app::msg::Draft;
use crate::app::palette::Palette;
use crate::app::prompt::{Prompt, Question};
use crate::app::{Model, Overlay};

/// Draws the overlay; where a text is typed in it, says where the cursor is.
pub fn draw(pen: &mut Pen<'_>, model: &Model) -> Option<Position> {
    match model.overlay.as_ref()? {
        Overlay::Palette(palette) => draw_palette(pen, model, palette),
        Overlay::Draft(draft) => {
            draw_draft(pen, model, draft);
            None
        }
        Overlay::Pick(picker) => {
            choices::draw(pen, model, picker);
            None
        }
        Overlay::Ask(prompt) => draw_question(pen, model, prompt),
    }
}

/// Empties a window and draws its frame; what is inside.
fn open(pen: &mut Pen<'_>, area: Rect, title: &str, note: String) -> Rect {
    pen.clear(area);
    if area.width < 20 || area.height < 6 {
        return area;
    }
    let frame = Frame {
        title: vec![pen.text(Role::Title, title)],
        note,
        foot: String::new(),
        focused: true,
    };
    pen.frame(area, true, frame);
    Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(2),
    }
}

fn draw_palette(pen: &mut Pen<'_>, model: &Model, palette: &Palette) -> Option<Position> {
    let (columns, rows) = model.size;
    let area = window(
        model,
        columns.min(84),
        rows.saturating_sub(2).clamp(rows.min(6), 26),
    );
    let note = palette.hits.len().to_string();
    let inner = open(pen, area, "What do you want to do?", note);
    let prompt = Rect { height: 1, ..inner };
    let input = Rect {
        x: prompt.x + 2.min(prompt.width),
        width: prompt.width.saturating_sub(2),
        ..prompt
    };
    pen.over(prompt, 0, pen.theme.style(Role::Input));
    let style = pen.theme.style(Role::Input);
    pen.line(prompt, 0, vec![Span::styled("› ", style)]);
    let cursor = pen.input(input, &palette.line, style, None);
    let legend = legend(inner.width);
    let marks = u16::try_from(legend.len()).unwrap_or(0);
    // The legend of the marks has to leave room for a few commands.
    let marks = if inner.height >= marks + 5 { marks } else { 0 };
    // Text cut off in the selected row is shown in full.
    let about = match palette.selected().filter(|_| inner.height >= marks + 9) {
        Some((command, Some(why))) => format!("{} ({why})", command.help),
        Some((command, None)) => command.help.to_owned(),
        None => String::new(),
    };
    let abouts = if about.is_empty() { 0 } else { FULL };
    let list = Rect {
        y: inner.y + 1.min(inner.height),
        height: inner
            .height
            .saturating_sub(if marks > 0 { marks + 2 } else { 1 } + abouts),
        ..inner
    };
    in_full(pen, inner, list.height + 1, &about);
    let height = usize::from(list.height);
    // The view keeps no place of its own: the selected row stands in the middle of a long list.
    let last = palette.hits.len().saturating_sub(height);
    let top = palette.row.saturating_sub(height / 2).min(last);
    let shown = palette.hits.iter().enumerate().skip(top);
    for (line, (n, (command, refusal))) in (0..list.height).zip(shown) {
        let here = n == palette.row;
        palette_row(pen, model, list, line, (here, command, refusal.as_deref()));
    }
    if palette.hits.is_empty() {
        let text = "No matching command. Try \"fix\", \"sort\" or \"undo\".";
        let text = safe::fit(text, usize::from(list.width));
        pen.line(list, 0, vec![pen.text(Role::Muted, &text)]);
    }
    for (line, text) in (0..marks).zip(legend) {
        let row = inner.height - marks + line;
        pen.line(inner, row, vec![pen.text(Role::Faint, &text)]);
    }
    cursor
}

/// Lines for what is selected, in full, below a list: a blank one and two of text.
const FULL: u16 = 3;

/// Says in full, below a list, what is cut on the row of what is selected.
fn in_full(pen: &mut Pen<'_>, area: Rect, from: u16, text: &str) {
    let lines = super::lines::wrap(text, usize::from(area.width).max(1));
    for (line, text) in (1..FULL).zip(&lines) {
        pen.line(area, from + line, vec![pen.text(Role::Text, text)]);
    }
}

/// The legend of the marks.
const MARKS: [&str; 10] = [
    "x error",
    "! warning",
    "~ stale",
    "≠ contradicts",
    "= duplicate",
    "· suggestion",
    "∅ invisible",
    "a archived",
    "+ uncommitted",
    "* changed",
];

/// The marks in as many lines as they take.
fn legend(width: u16) -> Vec<String> {
    let width = usize::from(width);
    let mut lines: Vec<String> = Vec::new();
    for mark in MARKS {
        match lines.last_mut() {
            Some(line) if safe::width(line) + 2 + safe::width(mark) <= width => {
                line.push_str("  ");
                line.push_str(mark);
            }
            _ => lines.push(safe::fit(mark, width)),
        }
    }
    lines
}

fn palette_row(
    pen: &mut Pen<'_>,
    model: &Model,
    list: Rect,
    line: u16,
    (here, command, refusal): (bool, &crate::app::Command, Option<&str>),
) {
    let width = usize::from(list.width);
    let keys = model.keymap.labels(command.id).join(" ");
    let key = (width.min(60) / 5).max(6);
    let title = if width < 40 {
        width.saturating_sub(key + 2)
    } else {
        (width / 3).min(24)
    };
    let role = match refusal {
        Some(_) => Role::Faint,
        None => Role::Text,
    };
    let about = refusal.map_or_else(|| command.help.to_owned(), |why| format!("({why})"));
    let room = width.saturating_sub(key + title + 4);
    let spans = vec![
        pen.text(Role::Accent, if here { "▌" } else { " " }),
        pen.text(
            if refusal.is_some() {
                Role::Faint
            } else {
                Role::StatusKey
            },
            &safe::pad(&keys, key),
        ),
        Span::raw(" "),
        pen.text(role, &safe::pad(command.title, title)),
        Span::raw("  "),
        pen.text(
            if refusal.is_some() {
                Role::Faint
            } else {
                Role::Muted
            },
            &safe::fit(&about, room),
        ),
    ];
    pen.row(list, line, spans, here);
}

fn draw_question(pen: &mut Pen<'_>, model: &Model, prompt: &Prompt) -> Option<Position> {
    let [asks, example, verb] = prompt.question.words();
    let below = match prompt.question {
        Question::Message => model.review.committed_list(),
        _ => String::new(),
    };
    let (columns, rows) = model.size;
    let listed = u16::try_from(below.lines().count()).unwrap_or(u16::MAX);
    let wanted = 6_u16.saturating_add(listed);
    let area = window(
        model,
        columns.min(72),
        wanted.min(rows.saturating_sub(2)).max(rows.min(6)),
    );
    let note = (listed > 0).then(|| listed.to_string());
    let inner = open(pen, area, asks, note.unwrap_or_default());
    let width = usize::from(inner.width);
    let input = Rect {
        height: 1.min(inner.height),
        ..inner
    };
    let style = pen.theme.style(Role::Input);
    pen.over(input, 0, style);
    let cursor = pen.input(input, &prompt.line, style, None);
    let about = safe::fit(example, width);
    if inner.height > 1 {
        pen.line(inner, 1, vec![pen.text(Role::Muted, &about)]);
    }
    let room = inner.height.saturating_sub(4);
    let hidden = listed.saturating_sub(room);
    for (line, text) in (0..room).zip(below.lines()) {
        let more = format!("… and {} more", hidden + 1);
        let is_last = hidden > 0 && line + 1 == room;
        let text = safe::fit(if is_last { &more } else { text }, width);
        pen.line(inner, line + 2, vec![pen.text(Role::Text, &text)]);
    }
    if inner.height > 3 {
        let mut spans = Vec::new();
        for (id, title) in [("accept-answer", verb), ("leave-answer", "back")] {
            let key = model.keymap.label(id).unwrap_or_default();
            spans.push(pen.text(Role::StatusKey, &key));
            spans.push(pen.text(Role::Text, &format!(" {title}   ")));
        }
        pen.line(inner, inner.height - 1, spans);
    }
    cursor
}

fn draw_draft(pen: &mut Pen<'_>, model: &Model, draft: &Draft) {
    let area = window(model, model.size.0.min(72), model.size.1.min(12));
    let inner = open(pen, area, "Unsaved text was found", String::new());
    let width = usize::from(inner.width);
    let lines: Vec<&str> = draft.text.lines().collect();
    let about = format!("of {}, {} lines", draft.id, lines.len());
    pen.line(
        inner,
        0,
        vec![pen.text(Role::Muted, &safe::fit(&about, width))],
    );
    let room = inner.height.saturating_sub(4);
    let changed = lines
        .iter()
        .zip(draft.base.lines())
        .take_while(|(a, b)| **a == *b)
        .count();
    let from = changed.saturating_sub(1);
    for (row, line) in (0..room).zip(lines.iter().skip(from)) {
        let text = safe::fit(line, width);
        pen.line(inner, row + 2, vec![pen.text(Role::Text, &text)]);
    }
    let key = |id: &str| model.keymap.label(id).unwrap_or_default();
    let choices = [
        (key("restore-draft"), "restore"),
        (key("discard-draft"), "discard"),
        (key("keep-draft"), "keep for later"),
    ];
    let spans = choices.iter().flat_map(|(key, what)| {
        [
            pen.text(Role::StatusKey, key),
            pen.text(Role::Text, &format!(" {what}   ")),
        ]
    });
    let spans = spans.collect();
    pen.line(inner, inner.height.saturating_sub(1), spans);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_explained_whole() {
        for width in 16..100 {
            let all = legend(width).join("  ");
            assert_eq!(all, MARKS.join("  "), "in {width} columns");
        }
    }
}
