//! Draws the value of a field, by its kind.

use super::{Fields, Row};
use crate::app::form::{Control, Field, List, Mode};
use crate::app::line::Line;
use crate::memory::Value;
use crate::memory::frontmatter::inline;
use crate::memory::schema::Kind;
use crate::ui::safe::{fit, width};
use crate::ui::sheet::wrap;
use crate::ui::theme::Role::{Chosen, Faint, Focus, Match, Text, Warning};
use crate::ui::words::ago;

/// Items of a list that is not open.
const FEW: usize = 4;
/// Lines that a sentence takes at the most, and spaces before those behind the first.
const MOST: usize = 6;
const IN: usize = 2;
/// Tasks that are shown below a pattern.
const TASKS: usize = 6;

impl Fields<'_> {
    /// The lines of a field's value; there is at least one.
    pub(super) fn values(&self, field: &Field, focus: bool) -> Vec<Row> {
        let inside = focus && matches!(self.form.mode, Mode::Inside(_));
        let mut row = Row::indent(self.left);
        let original = field.original.as_ref().map(Value::to_string);
        match &field.control {
            Control::Fixed => {
                let text = original.unwrap_or_default();
                row.store(&text, Faint, self.room);
            }
            Control::Line(line) if inside => {
                row.typed(line, self.room);
                return vec![row];
            }
            Control::Line(line) if line.is_empty() => row.push("–", Faint),
            Control::Line(line) if field.kind() == Kind::Tags => {
                return Row::wrapped(self.left, self.room, line.text(), Text);
            }
            Control::Line(line) => {
                row.store(line.text(), Text, self.room);
                if let Some(at) = field.date() {
                    self.beside(&mut row, &ago(at, self.form.now));
                }
            }
            Control::Choice { options, value } => {
                self.choice(&mut row, options, value.as_deref());
                if field.changed() && field.filled.is_none() {
                    let was = original.as_deref().unwrap_or("–");
                    self.beside(&mut row, &format!("was {was}"));
                }
            }
            Control::List(list) => return self.items(field, list, focus, inside),
        }
        vec![row]
    }

    /// Appends a quiet text where there is room for it.
    fn beside(&self, row: &mut Row, text: &str) {
        if row.used() + 2 + width(text) <= self.left + self.room {
            row.push(format!("  {}", fit(text, self.room)), Faint);
        }
    }

    /// All words with the one that is chosen marked; where there is no room, that one alone.
    fn choice(&self, row: &mut Row, options: &[&str], value: Option<&str>) {
        let at = value.and_then(|value| options.iter().position(|option| *option == value));
        let words = options.iter().enumerate();
        let shown = words.map(|(n, word)| match Some(n) == at {
            true => format!("[{word}]"),
            false => (*word).to_owned(),
        });
        let shown: Vec<String> = shown.collect();
        let total: usize = shown.iter().map(|word| width(word) + 2).sum();
        let narrow = total.saturating_sub(2) > self.room;
        if let (Some(value), None) = (value, at) {
            row.store(&format!("[{value}]"), Warning, self.room);
            row.push("  ", Text);
        }
        for (n, word) in shown.into_iter().enumerate() {
            if Some(n) == at {
                row.push(word, Chosen);
            } else if !narrow {
                row.push(word, Faint);
            }
            if !narrow && n + 1 < options.len() {
                row.push("  ", Text);
            }
        }
        if narrow {
            let place = at.map_or("–".to_owned(), |at| (at + 1).to_string());
            row.push(format!(" {place}/{}", options.len()), Faint);
        }
    }

    fn items(&self, field: &Field, list: &List, focus: bool, inside: bool) -> Vec<Row> {
        let patterns = field.kind() == Kind::Patterns;
        let sentences = focus && matches!(field.kind(), Kind::Lines | Kind::Entries);
        let shown = if inside { usize::MAX } else { FEW };
        let mut rows = Vec::new();
        for (n, value) in list.items.iter().enumerate().take(shown) {
            let on = inside && list.at == n;
            let mut row = Row::indent(self.left);
            row.key = on;
            match list.entry.as_ref().filter(|_| on) {
                Some(input) => row.typed(input, self.room),
                // A sentence under the focus is read whole.
                None if sentences && value.as_str() != Some("") => {
                    rows.extend(self.sentence(&typed_form(value), on));
                    continue;
                }
                None => self.item(&mut row, patterns.then_some(n), value, on),
            }
            rows.push(row);
            if on && patterns {
                self.detail(n, &mut rows);
            }
        }
        let end = list.items.len();
        let more = end.saturating_sub(shown);
        let on = inside && list.at == end;
        let mut row = Row::indent(self.left);
        row.key = on;
        match list.entry.as_ref().filter(|_| on) {
            Some(input) => {
                row.typed(input, self.room);
                rows.push(row);
                if patterns && !input.is_empty() {
                    self.detail(end, &mut rows);
                }
                return rows;
            }
            None if inside => row.push("+ add", if on { Chosen } else { Faint }),
            None if more > 0 => row.push(format!("… {more} more"), Faint),
            None if end == 0 => row.push("–", Faint),
            None => return rows,
        }
        rows.push(row);
        rows
    }

    /// A sentence on as many lines as it needs, or the most that one may take; those behind the first
    /// stand a little in.
    fn sentence(&self, text: &str, on: bool) -> Vec<Row> {
        let role = if on { Chosen } else { Text };
        let room = self.room.saturating_sub(IN);
        let mut lines = wrap(text, room);
        let rest = lines.split_off(lines.len().min(MOST)).join(" ");
        if let Some(last) = lines.last_mut().filter(|_| !rest.is_empty()) {
            last.extend([" ", &rest]);
        }
        let row = |(n, line): (usize, String)| {
            let mut row = Row::indent(self.left);
            row.key = on && n == 0;
            row.push(" ".repeat(IN.min(n * IN)), Text);
            row.store(&line, role, room);
            row
        };
        lines.into_iter().enumerate().map(row).collect()
    }

    /// One item; of a pattern also how it is read and how many of the tasks it matches.
    fn item(&self, row: &mut Row, pattern: Option<usize>, value: &Value, on: bool) {
        let role = if on { Chosen } else { Text };
        let text = match value {
            Value::Text(text) if text.is_empty() => "\"\"".to_owned(),
            value => typed_form(value),
        };
        let Some(reading) = pattern.and_then(|n| self.form.readings.get(n)) else {
            return row.store(&text, role, self.room);
        };
        let note = match reading.hits.len() {
            0 => reading.kind.to_owned(),
            tasks => format!("{} {}/{tasks}", reading.kind, reading.count()),
        };
        let room = self.room.saturating_sub(width(&note) + 4);
        if room < 8 {
            row.store(&text, role, self.room.saturating_sub(2));
        } else {
            row.store(&text, role, room);
            let gap = (self.left + room + 2).saturating_sub(row.used());
            row.push(" ".repeat(gap), Text);
            row.push(note, Faint);
        }
        if !reading.problems.is_empty() {
            row.push(" !", Warning);
        }
    }

    /// Under the pattern at hand: what is wrong with it, and what it matches in each task.
    fn detail(&self, at: usize, rows: &mut Vec<Row>) {
        let Some(reading) = self.form.readings.get(at) else {
            return;
        };
        let (left, room) = (self.left + 2, self.room.saturating_sub(2));
        for problem in &reading.problems {
            let text = format!("! {problem}");
            rows.extend(Row::wrapped(left, room, &text, Warning));
        }
        for (task, hit) in self.form.known.tasks.iter().zip(&reading.hits).take(TASKS) {
            let mut row = Row::indent(left);
            match hit {
                Some(hit) => {
                    row.push("✓ ", Focus);
                    self.task_with_hit(&mut row, task, hit, room.saturating_sub(2));
                }
                None => row.push(fit(&format!("· {task}"), room), Faint),
            }
            rows.push(row);
        }
    }

    /// A task with the part that matched underlined, which must be seen even where the task is long.
    fn task_with_hit(&self, row: &mut Row, task: &str, hit: &str, room: usize) {
        let found = task.char_indices().find_map(|(at, _)| {
            let (before, rest) = task.split_at_checked(at)?;
            let (own, after) = rest.split_at_checked(hit.len())?;
            own.eq_ignore_ascii_case(hit)
                .then_some((before, own, after))
        });
        let Some((before, own, after)) = found.filter(|_| !hit.is_empty()) else {
            return row.store(task, Text, room);
        };
        let tail = width(own).min(room);
        let lead = room.saturating_sub(tail + 8.min(width(after)));
        let mut before = before.to_owned();
        let from = Line::new(&*before).shown_from(lead, width);
        if from > 0 {
            before = format!("…{}", before.get(from..).unwrap_or_default());
        }
        row.store(&before, Text, lead);
        row.store(own, Match, tail);
        let left = room.saturating_sub(tail + width(&before).min(lead));
        row.store(after, Text, left);
    }
}

/// An item as it is typed: a mapping as YAML.
fn typed_form(value: &Value) -> String {
    match value {
        Value::Map(_) => inline(value),
        value => value.to_string(),
    }
}
