//! The lines of a form: one field after the other.

use ratatui::style::{Modifier, Style};

use super::row::{Grid, Row};
use super::values;
use crate::app::form::{Field, Form, Mode, Purpose};
use crate::memory::Value;
use crate::ui::look::Look;
use crate::ui::safe::{fit, pad, width as columns};

/// All lines of a form.
pub(super) fn rows(form: &Form, look: &Look, width: u16) -> Vec<Row> {
    let width = usize::from(width);
    if let Purpose::Broken(why) = &form.purpose {
        return broken(why, look, width);
    }
    let grid = Grid::new(form, width);
    let mut rows = Vec::new();
    for warning in &form.warnings {
        for line in values::wrap(&format!("! {warning}"), width.saturating_sub(3)) {
            let mut row = Row::indent(3);
            row.store(line.trim_end(), look.problem, look, width.saturating_sub(3));
            rows.push(row);
        }
    }
    if matches!(form.mode, Mode::WriteOver) {
        return form
            .clashing()
            .flat_map(|field| both(field, look, grid))
            .collect();
    }
    for (at, field) in form.fields().iter().enumerate() {
        let first_unknown = field.spec.is_none()
            && at.checked_sub(1).is_none_or(|n| {
                form.fields()
                    .get(n)
                    .is_some_and(|before| before.spec.is_some())
            });
        if first_unknown {
            let mut row = Row::indent(3);
            row.push(
                fit("also in this memory", width.saturating_sub(3)),
                look.quiet,
            );
            rows.push(row);
        }
        rows.extend(of_field(form, field, at == form.focus, look, grid));
    }
    if let Some(body) = form.body() {
        let mut row = label("body", None, form.focused().is_none(), false, look, grid);
        let words = format!("{} words", body.counts().words);
        let mut own = if grid.above {
            Row::indent(grid.left)
        } else {
            std::mem::take(&mut row)
        };
        own.push(fit(&words, grid.room), look.quiet);
        own.focus = form.focused().is_none();
        row.focus = own.focus;
        if grid.above {
            rows.push(row);
        }
        rows.push(own);
    }
    rows
}

/// The lines of one field: label and value, what it is for, what is wrong.
fn of_field(form: &Form, field: &Field, focus: bool, look: &Look, grid: Grid) -> Vec<Row> {
    let changed = field.changed() && field.filled.is_none();
    let label = label(&field.name, field.hotkey, focus, changed, look, grid);
    let mut values = values::rows(form, field, focus, look, grid);
    let mut rows = Vec::new();
    if grid.above {
        rows.push(label);
    } else if let Some(first) = values.first_mut() {
        // The first line of the value stands beside the label.
        first.replace_indent(label);
    }
    rows.append(&mut values);
    if field.clashes() {
        rows.extend(on_disk(field, look, grid));
    }
    let problems = field.problems();
    for (n, problem) in problems.iter().enumerate() {
        let text = format!("! {problem}");
        let beside = (n == 0 && rows.len() == 1 + usize::from(grid.above))
            .then(|| rows.last_mut())
            .flatten()
            .filter(|row| row.used() + 2 + columns(&text) <= grid.left + grid.room);
        if let Some(row) = beside {
            row.push("  ", look.text);
            row.push(fit(&text, grid.room), look.problem);
        } else {
            for line in values::wrap(&text, grid.room) {
                let mut row = Row::indent(grid.left);
                row.push(fit(line.trim_end(), grid.room), look.problem);
                rows.push(row);
            }
        }
    }
    if focus && let Some(spec) = field.spec {
        for line in values::wrap(spec.help, grid.room) {
            let mut row = Row::indent(grid.left);
            row.push(fit(line.trim_end(), grid.room), look.quiet);
            rows.push(row);
        }
    }
    for row in &mut rows {
        row.focus = focus;
    }
    rows
}

/// What another program made of a field that was changed here too.
fn on_disk(field: &Field, look: &Look, grid: Grid) -> Vec<Row> {
    worded(
        "≠ on disk ",
        field.original.as_ref(),
        look.problem,
        look,
        grid,
    )
}

/// Both values of a field, whole: nothing is asked about that is not in view.
fn both(field: &Field, look: &Look, grid: Grid) -> Vec<Row> {
    let grid = Grid {
        left: 3.min(grid.left),
        room: grid.left + grid.room - 3.min(grid.left),
        above: true,
    };
    let mut rows = vec![label(&field.name, None, true, true, look, grid)];
    rows.extend(worded(
        "yours ",
        field.value().as_ref(),
        look.text,
        look,
        grid,
    ));
    rows.extend(on_disk(field, look, grid));
    rows
}

/// A value on as many lines as it takes, behind a word for whose it is.
fn worded(whose: &str, value: Option<&Value>, style: Style, look: &Look, grid: Grid) -> Vec<Row> {
    let value = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    let lines = values::wrap(&format!("{whose}{value}"), grid.room);
    let row = |line: &String| {
        let mut row = Row::indent(grid.left);
        row.store(line.trim_end(), style, look, grid.room);
        row
    };
    lines.iter().map(row).collect()
}

/// The mark of the focus, the letter, the name, and whether it changed.
fn label(
    name: &str,
    hotkey: Option<char>,
    focus: bool,
    changed: bool,
    look: &Look,
    grid: Grid,
) -> Row {
    let mut row = Row::default();
    row.push(if focus { "▌" } else { " " }, look.focus);
    match hotkey {
        Some(key) => {
            let style = look.quiet.add_modifier(Modifier::UNDERLINED);
            row.push(key.to_string(), style);
        }
        None => row.push(" ", look.quiet),
    }
    row.push(if changed { "*" } else { " " }, look.focus);
    let style: Style = if focus { look.focus } else { look.label };
    let room = if grid.above {
        grid.room
    } else {
        grid.left.saturating_sub(4)
    };
    row.push(pad(name, room), style);
    if !grid.above {
        row.push(" ", Style::new());
    }
    row
}

/// What is shown instead of fields that cannot be read.
fn broken(why: &str, look: &Look, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut say = |text: &str, style: Style| {
        for part in values::wrap(text, width.saturating_sub(2)) {
            let mut row = Row::indent(1);
            row.store(&part, style, look, width.saturating_sub(2));
            rows.push(row);
        }
    };
    say(
        "Its fields cannot be read, so they cannot be edited one by one.",
        look.text,
    );
    say("", look.text);
    say(&format!("! {why}"), look.problem);
    rows
}
