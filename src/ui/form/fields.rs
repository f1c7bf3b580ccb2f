//! The lines of a form: one field after the other.

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::form::{Field, Form, Mode};
use crate::app::line;
use crate::memory::Value;
use crate::ui::pen::columns;
use crate::ui::safe::{fit, pad, spans, width};
use crate::ui::sheet::wrap;
use crate::ui::theme::Look;

/// A line, where the cursor is on it, and whether it belongs to the field under the focus.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) line: Line<'static>,
    pub(super) cursor: Option<u16>,
    pub(super) focus: bool,
    /// True if the line must be seen.
    pub(super) key: bool,
}

impl Row {
    /// A line that begins with so many spaces.
    pub(super) fn indent(columns: usize) -> Self {
        let mut row = Self::default();
        row.push(" ".repeat(columns), Style::new());
        row
    }

    /// A text on as many lines as it takes, each begun with so many spaces.
    pub(super) fn wrapped(
        indent: usize,
        room: usize,
        text: &str,
        style: Style,
        look: &Look,
    ) -> Vec<Self> {
        let row = |line: String| {
            let mut row = Self::indent(indent);
            row.store(&line, style, look, room);
            row
        };
        wrap(text, room).into_iter().map(row).collect()
    }

    /// Columns that are taken.
    pub(super) fn used(&self) -> usize {
        columns(&self.line.spans)
    }

    /// Appends text of the program.
    pub(super) fn push(&mut self, text: impl Into<String>, style: Style) {
        self.line.push_span(Span::styled(text.into(), style));
    }

    /// Appends text of the store, cut to the room there is.
    pub(super) fn store(&mut self, text: &str, style: Style, look: &Look, room: usize) {
        if width(text) > room {
            return self.push(fit(text, room), style);
        }
        for span in spans(text, 0, style, look.mark) {
            self.push(span.content, span.style);
        }
    }

    /// Appends a line being typed, scrolled so that the cursor is in the room there is, with what
    /// it can be completed to behind it.
    pub(super) fn typed(
        &mut self,
        input: &line::Line,
        ghost: Option<&str>,
        look: &Look,
        room: usize,
    ) {
        let (text, before) = (input.text(), input.before());
        let after = text.get(before.len()..).unwrap_or_default();
        let room = room.max(2);
        // One column stays free for a cursor behind the text.
        let mut shown = before;
        let mut cut = false;
        let mut wide = width(before);
        let mut graphemes = before.graphemes(true);
        while wide + usize::from(cut) + 1 > room {
            let Some(grapheme) = graphemes.next() else {
                break;
            };
            cut = true;
            wide = wide.saturating_sub(width(grapheme).max(1));
            shown = graphemes.as_str();
        }
        if cut {
            self.push("…", look.quiet);
        }
        self.store(shown, look.text, look, usize::MAX);
        self.cursor = u16::try_from(self.used()).ok();
        let left = room.saturating_sub(usize::from(cut) + width(shown));
        self.store(after, look.text, look, left);
        let rest = ghost.filter(|_| after.is_empty());
        if let Some(rest) = rest.and_then(|ghost| ghost.get(text.trim_start().len()..)) {
            self.store(rest, look.quiet, look, left.saturating_sub(1));
        }
        self.key = true;
    }
}

/// Columns that are left to values and what stands around them before names take more.
const VALUE: usize = 34;

/// A form with the column and the room of its values.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) form: &'a Form,
    pub(super) look: &'a Look,
    /// The column of the values.
    pub(super) left: usize,
    /// Columns of the values.
    pub(super) room: usize,
    /// True if labels stand above their values.
    above: bool,
}

/// All lines of a form.
pub(super) fn rows(form: &Form, look: &Look, columns: u16) -> Vec<Row> {
    let columns = usize::from(columns);
    let fields = Fields::new(form, look, columns);
    if matches!(form.mode, Mode::WriteOver) {
        return form
            .clashing()
            .flat_map(|field| fields.both(field))
            .collect();
    }
    let room = columns.saturating_sub(3);
    let mut rows = Vec::new();
    for warning in &form.warnings {
        rows.extend(Row::wrapped(
            3,
            room,
            &format!("! {warning}"),
            look.problem,
            look,
        ));
    }
    let mut is_known = true;
    for (at, field) in form.fields().iter().enumerate() {
        if field.spec.is_none() && (is_known || at == 0) {
            let mut row = Row::indent(3);
            row.store("also in this memory", look.quiet, look, room);
            rows.push(row);
        }
        is_known = field.spec.is_some();
        rows.extend(fields.field(field, at == form.focus));
    }
    if let Some(body) = form.body() {
        let focus = form.focused().is_none();
        let words = format!("{} words", body.counts().words);
        let value = Row::wrapped(fields.left, fields.room, &words, look.quiet, look);
        rows.extend(fields.labelled(fields.label("body", None, focus, false), value, focus));
    }
    rows
}

impl<'a> Fields<'a> {
    fn new(form: &'a Form, look: &'a Look, columns: usize) -> Self {
        let above = columns < 36;
        let longest = form.fields().iter().map(|field| width(&field.name)).max();
        // Up to a third, but a value needs some columns too.
        let most = (columns / 3)
            .min(columns.saturating_sub(VALUE))
            .max(columns / 4);
        let left = match above {
            true => 3.min(columns),
            false => longest.unwrap_or(0).clamp(4, most) + 4,
        };
        Self {
            form,
            look,
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
    fn wrapped(&self, text: &str, style: Style) -> Vec<Row> {
        Row::wrapped(self.left, self.room, text, style, self.look)
    }

    /// The lines of one field: label and value, what it is for, what is wrong.
    fn field(&self, field: &Field, focus: bool) -> Vec<Row> {
        let look = self.look;
        let changed = field.changed() && field.filled.is_none();
        let label = self.label(&field.name, field.hotkey, focus, changed);
        let mut rows = self.labelled(label, self.values(field, focus), focus);
        if field.clashes() {
            rows.extend(self.on_disk(field));
        }
        let is_one = rows.len() == 1 + usize::from(self.above);
        for (n, problem) in field.problems().iter().enumerate() {
            let text = format!("! {problem}");
            let beside = rows.last_mut().filter(|_| is_one && n == 0);
            match beside.filter(|row| row.used() + 2 + width(&text) <= self.end()) {
                Some(row) => {
                    row.push("  ", look.text);
                    row.push(fit(&text, self.room), look.problem);
                }
                None => rows.extend(self.wrapped(&text, look.problem)),
            }
        }
        if focus && let Some(spec) = field.spec {
            rows.extend(self.wrapped(spec.help, look.quiet));
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
            first.line.spans.splice(..1, label.line.spans);
        }
        for row in &mut values {
            row.focus = focus;
        }
        rows.append(&mut values);
        rows
    }

    /// The value on disk of a field that was changed here too.
    fn on_disk(&self, field: &Field) -> Vec<Row> {
        let disk = worded("≠ on disk", field.original.as_ref());
        self.wrapped(&disk, self.look.problem)
    }

    /// Both values of a field, whole: nothing is asked about that is not in view.
    fn both(&self, field: &Field) -> Vec<Row> {
        let left = 3.min(self.left);
        let here = Self {
            left,
            room: self.end() - left,
            above: true,
            ..*self
        };
        let mut rows = vec![here.label(&field.name, None, true, true)];
        let own = worded("yours", field.value().as_ref());
        rows.extend(here.wrapped(&own, self.look.text));
        rows.extend(here.on_disk(field));
        rows
    }

    /// The mark of the focus, the letter, the name, and whether it changed.
    fn label(&self, name: &str, hotkey: Option<char>, focus: bool, changed: bool) -> Row {
        let look = self.look;
        let mut row = Row::default();
        row.push(if focus { "▌" } else { " " }, look.focus);
        match hotkey {
            Some(key) => row.push(key, look.quiet.add_modifier(Modifier::UNDERLINED)),
            None => row.push(" ", look.quiet),
        }
        row.push(if changed { "*" } else { " " }, look.focus);
        let style = if focus { look.focus } else { look.label };
        match self.above {
            true => row.push(pad(name, self.room), style),
            false => {
                row.push(pad(name, self.left.saturating_sub(4)), style);
                row.push(" ", Style::new());
            }
        }
        row
    }
}

/// A value behind a word for where it is from.
fn worded(from: &str, value: Option<&Value>) -> String {
    let value = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    format!("{from} {value}")
}
