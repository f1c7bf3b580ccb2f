//! The lines of a form: one field after the other.

use ratatui::text::Line;

use crate::app::form::{Field, Form};
use crate::app::line;
use crate::memory::Value;
use crate::ui::safe::{fit, pad, spans, width};
use crate::ui::sheet::wrap;
use crate::ui::theme::Role::{self, Faint, Focus, Muted, StatusKey, Text, Warning};
use crate::ui::theme::Theme;

/// A line, where the cursor is on it, and whether it belongs to the field under the focus.
#[derive(Debug, Default)]
pub(super) struct Row {
    spans: Vec<(Role, String)>,
    pub(super) cursor: Option<u16>,
    pub(super) focus: bool,
    /// True if the line must be seen.
    pub(super) key: bool,
}

impl Row {
    /// A line that begins with so many spaces.
    pub(super) fn indent(columns: usize) -> Self {
        let mut row = Self::default();
        row.push(" ".repeat(columns), Text);
        row
    }

    /// A text on as many lines as it takes, each begun with so many spaces.
    pub(super) fn wrapped(indent: usize, room: usize, text: &str, role: Role) -> Vec<Self> {
        let row = |line: String| {
            let mut row = Self::indent(indent);
            row.store(&line, role, room);
            row
        };
        wrap(text, room).into_iter().map(row).collect()
    }

    /// Columns that are taken.
    pub(super) fn used(&self) -> usize {
        self.spans.iter().map(|(_, text)| width(text)).sum()
    }

    /// Appends text of the program.
    pub(super) fn push(&mut self, text: impl Into<String>, role: Role) {
        self.spans.push((role, text.into()));
    }

    /// Appends text of the store, cut to the room there is.
    pub(super) fn store(&mut self, text: &str, role: Role, room: usize) {
        let text = match width(text) > room {
            true => fit(text, room),
            false => text.to_owned(),
        };
        self.push(text, role);
    }

    /// The line in the colours of a theme, what is hostile in it as marks.
    pub(super) fn line<'a>(&'a self, theme: &Theme) -> Line<'a> {
        let mark = theme.style(Role::EscapeMark);
        let parts = self.spans.iter();
        let shown = parts.flat_map(|(role, text)| spans(text, 0, theme.style(*role), mark));
        shown.collect()
    }

    /// Appends a line being typed, scrolled so that the cursor is in the room there is.
    pub(super) fn typed(&mut self, input: &line::Line, room: usize) {
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
pub(super) struct Fields<'a> {
    pub(super) form: &'a Form,
    /// The column of the values.
    pub(super) left: usize,
    /// Columns of the values.
    pub(super) room: usize,
    /// True if labels stand above their values.
    above: bool,
}

/// All lines of a form.
pub(super) fn rows(form: &Form, columns: u16) -> Vec<Row> {
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

    /// The column behind the values.
    pub(super) const fn end(&self) -> usize {
        self.left + self.room
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
            match beside.filter(|row| row.used() + 2 + width(&text) <= self.end()) {
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
