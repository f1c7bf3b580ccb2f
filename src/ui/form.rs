//! Draws the field editor: a line or more for each field, the one under the focus with what it is for,
//! what is wrong with a value below it, and what the edit does to the current task at the foot.

mod values;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::pen::beyond;
use super::safe::{fit, pad, spans, width};
use super::sheet::wrap;
use super::theme::Role::{self, Faint, Focus, Muted, StatusKey, Text, Warning};
use super::theme::Theme;
use super::words::discard;
use crate::app::form::{Field, Form, Mode, Move, Purpose, WhatIf};
use crate::app::line;
use crate::memory::Value;
use crate::retrieval::expect::TaskEffect;

/// Draws a form, and under it what its edits do to the current task. Returns where the cursor
/// stands when a text is typed.
pub fn draw(
    form: &Form,
    (what_if, tasks): (Option<&WhatIf>, &[TaskEffect]),
    theme: &Theme,
    area: Rect,
    buf: &mut Buffer,
) -> Option<Position> {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return None;
    }
    let mut top = area;
    if let Some(foot) = foot(form, theme, usize::from(area.width)) {
        top.height -= 1;
        buf.set_line(area.x, top.bottom(), &foot, area.width);
    }
    // The ranking never takes what the fields need more.
    let room = match top.height {
        0..=2 => 0,
        3..=9 => 1,
        height => usize::from(height / 3),
    };
    let mut below = match what_if {
        Some(what_if) => moves(what_if, theme, usize::from(area.width), room),
        None => Vec::new(),
    };
    let touched = super::saved::effects(tasks, theme, area.width);
    below.extend(touched.into_iter().take(room));
    below.truncate(usize::from(top.height.saturating_sub(1)));
    top.height -= u16::try_from(below.len()).unwrap_or(0);
    for (y, line) in (top.bottom()..).zip(&below) {
        buf.set_line(area.x, y, line, area.width);
    }
    if top.is_empty() {
        return None;
    }
    match (&form.mode, form.body()) {
        (Mode::Body, Some(body)) => {
            let title = fit("▌ body", usize::from(top.width));
            buf.set_span(top.x, top.y, &theme.text(Focus, &title), top.width);
            let inside = Rect::new(top.x, top.y + 1, top.width, top.height - 1);
            super::text::draw(body, theme, inside, buf)
        }
        _ => show(&rows(form, area.width), top, theme, buf),
    }
}

/// Puts rows on the screen, scrolled so that those of the field under the focus are seen, and of
/// these the one with the cursor above all.
fn show(rows: &[Row], area: Rect, theme: &Theme, buf: &mut Buffer) -> Option<Position> {
    let height = usize::from(area.height);
    let focus = |row: &Row| row.focus;
    let first = rows.iter().position(focus).unwrap_or(0);
    let last = rows.iter().rposition(focus).unwrap_or(0);
    let key = rows.iter().position(|row| row.key).unwrap_or(first);
    let mut skip = (last + 1).saturating_sub(height).min(first);
    // A list longer than the screen: keep a line around the item.
    skip = skip.max((key + 2).min(rows.len()).saturating_sub(height));
    let mut cursor = None;
    for (y, row) in (area.y..area.bottom()).zip(rows.iter().skip(skip)) {
        buf.set_line(area.x, y, &row.line(theme), area.width);
        if let Some(x) = row.cursor {
            let x = area.x.saturating_add(x);
            cursor = Some(Position::new(x.min(area.right().saturating_sub(1)), y));
        }
    }
    let ends = (skip > 0, skip + height < rows.len());
    beyond(buf, area, ends, theme.style(Faint));
    cursor
}

fn foot(form: &Form, theme: &Theme, columns: usize) -> Option<Line<'static>> {
    let (text, role) = match (&form.mode, &form.purpose, &form.notice) {
        (Mode::Discard, Purpose::Create(_), _) => (discard("this memory", columns), Role::Chosen),
        (Mode::Discard, ..) => (discard("changes", columns), Role::Chosen),
        (_, _, Some(notice)) => (format!("! {notice}"), Warning),
        _ => return None,
    };
    Some(theme.text(role, &fit(&text, columns)).into())
}

/// The effect of an edit on the current task's ranking: a rule with the task on it, the edited
/// memory, and the others that move; on one line only the edited memory.
fn moves(what_if: &WhatIf, theme: &Theme, columns: usize, room: usize) -> Vec<Line<'static>> {
    let all = || std::iter::once(&what_if.this).chain(&what_if.rows);
    let widest = |text: fn(&Move) -> String| all().map(|row| width(&text(row))).max().unwrap_or(0);
    let (places, scores) = (widest(Move::places), widest(Move::scores));
    let line = |(n, row): (usize, &Move)| {
        let own = n == 0;
        let (mark, role) = match own {
            true => ("▸ ", Focus),
            false => ("  ", Text),
        };
        let title = match row.reason {
            Some(why) if own => format!("{} · {}", row.title, why.replace('_', " ")),
            _ => row.title.clone(),
        };
        let left = columns.saturating_sub(places + scores + 6);
        Line::from(vec![
            theme.text(Focus, mark),
            theme.text(role, &pad(&row.places(), places)),
            theme.text(Faint, &format!("  {}", pad(&row.scores(), scores))),
            theme.text(role, &format!("  {}", fit(&title, left))),
        ])
    };
    let mut out = Vec::new();
    if room >= 3 {
        let task = fit(&what_if.task, columns.saturating_sub(10));
        let head = fit(&format!("─ for “{task}” "), columns);
        let rest = "─".repeat(columns.saturating_sub(width(&head)));
        out.push(theme.text(Faint, &format!("{head}{rest}")).into());
    }
    let shown = match room {
        0..3 => room.min(1),
        room => room - 1,
    };
    out.extend(all().enumerate().take(shown).map(line));
    out
}

/// A line, where the cursor is on it, and whether it belongs to the field under the focus.
#[derive(Debug, Default)]
struct Row {
    spans: Vec<(Role, String)>,
    cursor: Option<u16>,
    focus: bool,
    /// True if the line must be seen.
    key: bool,
}

impl Row {
    /// A line that begins with so many spaces.
    fn indent(columns: usize) -> Self {
        let mut row = Self::default();
        row.push(" ".repeat(columns), Text);
        row
    }

    /// A text on as many lines as it takes, each begun with so many spaces.
    fn wrapped(indent: usize, room: usize, text: &str, role: Role) -> Vec<Self> {
        let row = |line: String| {
            let mut row = Self::indent(indent);
            row.store(&line, role, room);
            row
        };
        wrap(text, room).into_iter().map(row).collect()
    }

    fn used(&self) -> usize {
        self.spans.iter().map(|(_, text)| width(text)).sum()
    }

    /// Appends text of the program.
    fn push(&mut self, text: impl Into<String>, role: Role) {
        self.spans.push((role, text.into()));
    }

    /// Appends text of the store, cut to the room there is.
    fn store(&mut self, text: &str, role: Role, room: usize) {
        let text = match width(text) > room {
            true => fit(text, room),
            false => text.to_owned(),
        };
        self.push(text, role);
    }

    /// The line in the colours of a theme, what is hostile in it as marks.
    fn line<'a>(&'a self, theme: &Theme) -> Line<'a> {
        let mark = theme.style(Role::EscapeMark);
        let parts = self.spans.iter();
        let shown = parts.flat_map(|(role, text)| spans(text, 0, theme.style(*role), mark));
        shown.collect()
    }

    /// Appends a line being typed, scrolled so that the cursor is in the room there is.
    fn typed(&mut self, input: &line::Line, room: usize) {
        let mut room = room.max(2);
        let mut from = input.shown_from(room, width);
        if from > 0 {
            room -= 1;
            from = input.shown_from(room, width);
            self.push("…", Faint);
        }
        let (text, before) = (input.text(), input.before());
        let shown = before.get(from..).unwrap_or_default();
        let after = text.get(before.len()..).unwrap_or_default();
        self.store(shown, Text, usize::MAX);
        self.cursor = u16::try_from(self.used()).ok();
        let left = room.saturating_sub(width(shown));
        self.store(after, Text, left);
        self.key = true;
    }
}

/// Columns that are left to values and what stands around them before names take more.
const VALUE: usize = 34;

/// A form with the column and the room of its values.
#[derive(Clone, Copy)]
struct Fields<'a> {
    form: &'a Form,
    left: usize,
    room: usize,
    /// True if labels stand above their values.
    above: bool,
}

fn rows(form: &Form, columns: u16) -> Vec<Row> {
    let columns = usize::from(columns);
    let fields = Fields::new(form, columns);
    let room = columns.saturating_sub(3);
    let mut rows = Vec::new();
    for warning in &form.warnings {
        rows.extend(Row::wrapped(3, room, &format!("! {warning}"), Warning));
    }
    let mut is_known = true;
    for (at, field) in form.fields.iter().enumerate() {
        if field.spec.is_none() && (is_known || at == 0) {
            let mut row = Row::indent(3);
            row.store("also in this memory", Faint, room);
            rows.push(row);
        }
        is_known = field.spec.is_some();
        rows.extend(fields.field(field, at == form.focus));
    }
    if let Some(body) = form.body() {
        let focus = form.focused().is_none();
        let words = format!("{} words", body.counts.words);
        let value = Row::wrapped(fields.left, fields.room, &words, Faint);
        rows.extend(fields.labelled(fields.label("body", None, focus, false), value, focus));
    }
    rows
}

impl<'a> Fields<'a> {
    fn new(form: &'a Form, columns: usize) -> Self {
        let above = columns < 36;
        let longest = form.fields.iter().map(|field| width(&field.name)).max();
        // Up to a third, but a value needs some columns too.
        let most = (columns / 3).min(columns.saturating_sub(VALUE));
        let most = most.max(columns / 4);
        let left = match above {
            true => 3.min(columns),
            false => longest.unwrap_or(0).clamp(4, most) + 4,
        };
        Self {
            form,
            left,
            room: columns - left,
            above,
        }
    }

    /// A text on as many lines as it takes in the column of the values.
    fn wrapped(&self, text: &str, role: Role) -> Vec<Row> {
        Row::wrapped(self.left, self.room, text, role)
    }

    /// The lines of one field: label and value, what it is for, what is wrong.
    fn field(&self, field: &Field, focus: bool) -> Vec<Row> {
        let changed = field.changed() && field.filled.is_none();
        let label = self.label(&field.name, field.hotkey, focus, changed);
        let mut rows = self.labelled(label, self.values(field, focus), focus);
        if field.clashes() {
            let disk = field.original.as_ref();
            let disk = disk.map_or_else(|| "nothing".to_owned(), Value::to_string);
            rows.extend(self.wrapped(&format!("≠ on disk {disk}"), Warning));
        }
        let is_one = rows.len() == 1 + usize::from(self.above);
        if let Some(problem) = field.problem() {
            let text = format!("! {problem}");
            let beside = rows.last_mut().filter(|_| is_one);
            match beside.filter(|row| row.used() + 2 + width(&text) <= self.left + self.room) {
                Some(row) => {
                    row.push("  ", Text);
                    row.push(fit(&text, self.room), Warning);
                }
                None => rows.extend(self.wrapped(&text, Warning)),
            }
        }
        if focus && let Some(spec) = field.spec {
            rows.extend(self.wrapped(spec.help, Faint));
        }
        for row in &mut rows {
            row.focus = focus;
        }
        rows
    }

    /// A label and the lines of a value: the first of them beside it, where there is room.
    fn labelled(&self, mut label: Row, mut values: Vec<Row>, focus: bool) -> Vec<Row> {
        let mut rows = Vec::new();
        label.focus = focus;
        if self.above {
            rows.push(label);
        } else if let Some(first) = values.first_mut() {
            // In the place of the spaces that it begins with.
            first.spans.splice(..1, label.spans);
        }
        for row in &mut values {
            row.focus = focus;
        }
        rows.append(&mut values);
        rows
    }

    /// The mark of the focus, the letter, the name, and whether it changed.
    fn label(&self, name: &str, hotkey: Option<char>, focus: bool, changed: bool) -> Row {
        let mut row = Row::default();
        row.push(if focus { "▌" } else { " " }, Focus);
        match hotkey {
            Some(key) => row.push(key, StatusKey),
            None => row.push(" ", Faint),
        }
        row.push(if changed { "*" } else { " " }, Focus);
        let role = if focus { Focus } else { Muted };
        match self.above {
            true => row.push(pad(name, self.room), role),
            false => {
                row.push(pad(name, self.left.saturating_sub(4)), role);
                row.push(" ", Text);
            }
        }
        row
    }
}
