//! The windows: the palette, a list, a question.

use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::pen::{Pen, Spans, inset};
use super::safe;
use super::sheet::wrap;
use super::theme::Role;
use crate::app::key;
use crate::app::layout::{areas, below, window};
use crate::app::line::Line;
use crate::app::overlay::{Choice, Hit, MOST, Palette, Picker, Question};
use crate::app::{Model, Overlay, View};
use crate::lint::mask;

/// Draws the overlay; where a text is typed in it, says where the cursor is.
pub fn draw(pen: &mut Pen<'_>, model: &Model) -> Option<Position> {
    match model.overlay.as_ref()? {
        Overlay::Palette(palette) => return draw_palette(pen, model, palette),
        Overlay::Ask(question, line) => return draw_question(pen, model, (question, line)),
        Overlay::Pick(picker) => draw_choices(pen, model, picker),
    }
    None
}

/// Empties a window and draws its frame. The window has at most so many columns and rows, and six
/// rows where the screen does. Returns the area inside it.
fn open(pen: &mut Pen<'_>, model: &Model, size: (u16, u16), title: &str, note: &str) -> Rect {
    let ((wide, high), (columns, rows)) = (size, model.size);
    let high = high.min(rows.saturating_sub(2)).max(rows.min(6));
    let area = window(model, columns.min(wide), high);
    pen.clear(area);
    if area.width < 20 || area.height < 6 {
        return area;
    }
    let title = vec![pen.text(Role::Title, title)];
    pen.frame(area, true, true, (title, note, ""));
    let inner = inset(area, 2, 2);
    Rect::new(inner.x, area.y + 1, inner.width, area.height - 2)
}

/// The first row of a list that is shown: the view keeps no place of its own, and the selected row
/// stands in the middle of a long list.
fn top(row: usize, all: usize, area: Rect) -> usize {
    let height = usize::from(area.height);
    let last = all.saturating_sub(height);
    row.saturating_sub(height / 2).min(last)
}

fn draw_palette(pen: &mut Pen<'_>, model: &Model, palette: &Palette) -> Option<Position> {
    let marks = marks_on_screen(pen, model);
    let note = match palette.hits.len() {
        MOST if palette.line.is_empty() => "type to find the others".to_owned(),
        hits => hits.to_string(),
    };
    let inner = open(pen, model, (84, 26), "What do you want to do?", &note);
    let style = pen.style(Role::Input);
    let input = inset(inner, 2, 0);
    pen.over(inner, 0, style);
    pen.line(inner, 0, vec![Span::styled("› ", style)]);
    let cursor = pen.input(input, &palette.line, style, None);
    let legend = legend(inner.width, &marks);
    let marks = u16::try_from(legend.len()).unwrap_or(0);
    // The legend of the marks has to leave room for a few commands.
    let marks = if inner.height >= marks + 5 { marks } else { 0 };
    let others = if marks > 0 { marks + 2 } else { 1 };
    let mut list = below(inner, 1);
    list.height = inner.height.saturating_sub(others);
    let top = top(palette.row, palette.hits.len(), list);
    let shown = palette.hits.iter().enumerate().skip(top);
    for (line, (n, hit)) in (0..list.height).zip(shown) {
        let here = n == palette.row;
        let mut spans = vec![pen.theme.mark(here)];
        spans.extend(command_spans(pen, model, list.width, hit));
        pen.row(list, line, here, spans);
    }
    if palette.hits.is_empty() {
        let text = "No matching command. Try \"fix\", \"sort\" or \"undo\".";
        pen.cut(list, 0, Role::Muted, text);
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
    let lines = wrap(text, usize::from(area.width));
    for (line, text) in (1..FULL).zip(&lines) {
        pen.line(area, from + line, vec![pen.text(Role::Text, text)]);
    }
}

const MARKS: [&str; 12] = [
    "x error",
    "! warning",
    "~ stale",
    "≠ contradicts",
    "= duplicate",
    "· suggestion",
    "⊘ caution",
    "∅ invisible",
    "a archived",
    "+ new",
    "* edited",
    "− deleted",
];

/// The marks that stand in their columns, at the right of the list, with their meanings.
fn marks_on_screen(pen: &Pen<'_>, model: &Model) -> Vec<&'static str> {
    let rows = areas(model).rows;
    let columns = rows.right().saturating_sub(3)..rows.right();
    let is_shown = |mark: &&str| {
        let sign = mark.split(' ').next();
        let cells = columns.clone();
        let cells = cells.flat_map(|x| rows.rows().map(move |row| (x, row.y)));
        let mut cells = cells.filter_map(|at| pen.buffer.cell(at));
        model.view == View::Browse && cells.any(|cell| Some(cell.symbol()) == sign)
    };
    MARKS.into_iter().filter(is_shown).collect()
}

fn legend(width: u16, marks: &[&str]) -> Vec<String> {
    let width = usize::from(width);
    let mut lines: Vec<String> = Vec::new();
    for mark in marks {
        match lines.last_mut() {
            Some(line) if safe::width(line) + 2 + safe::width(mark) <= width => {
                line.extend(["  ", mark]);
            }
            _ => lines.push(safe::fit(mark, width)),
        }
    }
    lines
}

/// Draws what can follow the keys that were pressed, in a small box.
pub fn draw_prefix(pen: &mut Pen<'_>, model: &Model) {
    let mut next = model.keymap.following(&model.scopes(), &model.pending);
    next.retain(|(_, command)| command.applies(model).is_ok());
    if model.pending.is_empty() || next.is_empty() {
        return;
    }
    let rows = u16::try_from(next.len()).unwrap_or(u16::MAX);
    let pressed = format!("{} …", key::label(&model.pending));
    let inner = open(pen, model, (50, rows.saturating_add(2)), &pressed, "");
    for (row, (key, command)) in (0..).zip(next) {
        let key = pen.text(Role::StatusKey, &safe::pad(&key, 6));
        let title = pen.text(Role::Text, command.title);
        pen.line(inner, row, vec![key, title]);
    }
}

/// A command of the palette: its keys, its title, and what it does or why it does not apply.
fn command_spans(pen: &Pen<'_>, model: &Model, width: u16, hit: &Hit) -> Spans {
    let (command, refusal) = hit;
    let width = usize::from(width);
    let keys = model.keymap.labels(command.id).join(" ");
    let key = (width.min(60) / 5).max(6);
    let title = match width < 40 {
        true => width.saturating_sub(key + 2),
        false => (width / 3).min(24),
    };
    let why = refusal.as_ref().map(|why| format!("({why})"));
    let about = why.as_deref().unwrap_or(command.help);
    let about = safe::fit(about, width.saturating_sub(key + title + 4));
    let role = |role| if refusal.is_some() { Role::Faint } else { role };
    vec![
        pen.text(role(Role::StatusKey), &safe::pad(&keys, key)),
        Span::raw(" "),
        pen.text(role(Role::Text), &safe::pad(command.title, title)),
        Span::raw("  "),
        pen.text(role(Role::Muted), &about),
    ]
}

/// Draws a list to pick a row of; a text that is cut on its row stands in full below it.
fn draw_choices(pen: &mut Pen<'_>, model: &Model, picker: &Picker) {
    let (choices, row) = (&picker.choices, picker.row);
    let columns = usize::from(model.size.0.min(84));
    let names = choices.iter().map(|one| safe::width(&one.name)).max();
    let name = names.unwrap_or_default().min(columns / 3);
    let is_cut = |one: &Choice| name + 9 + safe::width(&one.text) > columns;
    let full = match choices.iter().any(is_cut) && model.size.1 > 12 {
        true => FULL,
        false => 0,
    };
    let high = u16::try_from(choices.len()).unwrap_or(u16::MAX);
    let size = (84, high.saturating_add(4 + full));
    let note = choices.len().to_string();
    let inner = open(pen, model, size, &mask(&picker.title), &note);
    let mut list = inner;
    list.height = inner.height.saturating_sub(full);
    if let Some(one) = choices.get(row).filter(|_| full > 0) {
        in_full(pen, inner, list.height, &one.text);
    }
    let room = usize::from(inner.width).saturating_sub(name + 5);
    let shown = choices.iter().enumerate();
    let shown = shown.skip(top(row, choices.len(), list));
    for (line, (n, one)) in (0..list.height).zip(shown) {
        let role = Role::either(one.is_missing, Role::Warning, Role::Text);
        let here = n == row;
        let spans = vec![
            pen.text(Role::Accent, if here { "▌ " } else { "  " }),
            pen.text(Role::Muted, &safe::pad(&one.name, name)),
            pen.text(role, &format!("  {}", safe::fit(&one.text, room))),
        ];
        pen.row(list, line, here, spans);
    }
}

fn draw_question(pen: &mut Pen<'_>, model: &Model, of: (&Question, &Line)) -> Option<Position> {
    let (question, line) = of;
    let [asks, example, verb] = question.words();
    let below = match question {
        Question::Message => model.review.committed_list(),
        _ => String::new(),
    };
    let listed = u16::try_from(below.lines().count()).unwrap_or(u16::MAX);
    let note = match listed {
        0 => String::new(),
        listed => listed.to_string(),
    };
    let size = (72, listed.saturating_add(6));
    let inner = open(pen, model, size, asks, &note);
    let style = pen.style(Role::Input);
    pen.over(inner, 0, style);
    let cursor = pen.input(inner, line, style, None);
    pen.cut(inner, 1, Role::Muted, example);
    let room = inner.height.saturating_sub(4);
    let hidden = listed.saturating_sub(room);
    for (line, text) in (0..room).zip(below.lines()) {
        let more = format!("… and {} more", hidden + 1);
        let is_last = hidden > 0 && line + 1 == room;
        let text = if is_last { &more } else { text };
        pen.cut(inner, line + 2, Role::Text, text);
    }
    if inner.height > 3 {
        let mut spans = Vec::new();
        for (id, title) in [("accept-answer", verb), ("leave-answer", "back")] {
            spans.push(pen.text(Role::StatusKey, &model.key(id)));
            spans.push(pen.text(Role::Text, &format!(" {title}   ")));
        }
        pen.line(inner, inner.height - 1, spans);
    }
    cursor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_explained_whole() {
        for width in 16..100 {
            let all = legend(width, &MARKS).join("  ");
            assert_eq!(all, MARKS.join("  "), "in {width} columns");
        }
    }
}
