//! What stands right of a field's name, by the kind of the field.

use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation as _;

use super::row::{Grid, Row};
use crate::app::form::{Control, Field, Form, List, Mode};
use crate::memory::Value;
use crate::memory::schema::{Kind, Role};
use crate::ui::look::Look;
use crate::ui::safe::{fit, width};

/// Items of a list that is not open.
const FEW: usize = 4;

/// The lines of a field's value; there is at least one.
pub(super) fn rows(form: &Form, field: &Field, focus: bool, look: &Look, grid: Grid) -> Vec<Row> {
    let inside = focus && matches!(form.mode, Mode::Inside(_));
    let mut row = Row::indent(grid.left);
    match &field.control {
        Control::Fixed => {
            let text = field.original.as_ref().map(Value::to_string);
            row.store(&text.unwrap_or_default(), look.quiet, look, grid.room);
        }
        Control::Line(line) if inside => {
            let ghost = form.completions().first().copied();
            let ghost = ghost.filter(|_| !line.is_empty());
            row.typed(line, ghost, look, grid.room);
            let mut rows = vec![row];
            rows.extend(completions(form, look, grid));
            return rows;
        }
        Control::Line(line) if line.is_empty() => row.push("–", look.quiet),
        Control::Line(line) => {
            let age = field.date().map(|at| crate::ui::words::ago(at, form.now));
            let taken = age.as_ref().map_or(0, |age| age.len() + 2);
            row.store(line.text(), look.text, look, grid.room);
            if let Some(age) = age
                && row.used() + taken <= grid.left + grid.room
            {
                row.push(format!("  {age}"), look.quiet);
            }
        }
        Control::Choice { options, value } => {
            let bars = field.role() == Role::Importance;
            choice(&mut row, options, value.as_deref(), bars, look, grid.room);
            if field.changed() && field.filled.is_none() {
                let was = field.original.as_ref().map(Value::to_string);
                let was = format!("  was {}", was.as_deref().unwrap_or("–"));
                if row.used() + width(&was) <= grid.left + grid.room {
                    row.push(fit(&was, grid.room), look.quiet);
                }
            }
        }
        Control::List(list) if list.chips() => return chips(form, list, inside, look, grid),
        Control::List(list) => return items(form, field, list, focus, look, grid),
    }
    vec![row]
}

/// All words with the one that is chosen marked; where there is no room, that one alone.
fn choice(
    row: &mut Row,
    options: &[&str],
    value: Option<&str>,
    bars: bool,
    look: &Look,
    room: usize,
) {
    let at = value.and_then(|value| options.iter().position(|option| *option == value));
    let bar = |n: usize| {
        let level = (n + 1) * 8 / options.len().max(1);
        let bar = "▁▂▃▄▅▆▇█".chars().nth(level.saturating_sub(1));
        if bars {
            bar.map(|bar| format!("{bar} "))
        } else {
            None
        }
        .unwrap_or_default()
    };
    let own = |n: usize, word: &str| format!("[{}{word}]", bar(n));
    let total: usize = options
        .iter()
        .enumerate()
        .map(|(n, word)| if Some(n) == at { width(&own(n, word)) } else { width(word) } + 2)
        .sum();
    let narrow = total.saturating_sub(2) > room;
    if let (Some(value), None) = (value, at) {
        row.store(&format!("[{value}]"), look.problem, look, room);
        row.push("  ", look.text);
    }
    for (n, word) in options.iter().enumerate() {
        if Some(n) == at {
            row.push(own(n, word), look.chosen);
        } else if !narrow {
            row.push((*word).to_owned(), look.quiet);
        }
        if !narrow && n + 1 < options.len() {
            row.push("  ", look.text);
        }
    }
    if narrow {
        let place = at.map_or("–".to_owned(), |at| (at + 1).to_string());
        row.push(format!(" {place}/{}", options.len()), look.quiet);
    }
}

/// Tags as chips on as many lines as they need.
fn chips(form: &Form, list: &List, inside: bool, look: &Look, grid: Grid) -> Vec<Row> {
    let mut rows = vec![Row::indent(grid.left)];
    let entry_at = list.entry().filter(|_| inside).map(|_| list.at());
    for (n, item) in list.items().iter().enumerate() {
        if entry_at == Some(n) {
            entry(form, list, &mut rows, look, grid);
            continue;
        }
        let text = format!("[{}]", fit(&item.to_string(), grid.room.saturating_sub(2)));
        let on = inside && list.at() == n;
        let style = if on { look.chosen } else { look.text };
        let wanted = width(&text) + 1;
        with_room(&mut rows, wanted, grid, |row| {
            row.push(text, style);
            row.key |= on;
            row.push(" ", Style::new());
        });
    }
    if entry_at == Some(list.items().len()) {
        entry(form, list, &mut rows, look, grid);
        rows.extend(completions(form, look, grid));
    } else if list.items().is_empty() {
        with_room(&mut rows, 1, grid, |row| row.push("–", look.quiet));
    }
    rows
}

fn entry(form: &Form, list: &List, rows: &mut Vec<Row>, look: &Look, grid: Grid) {
    let Some(input) = list.entry() else {
        return;
    };
    let ghost = form.completions().first().copied();
    let ghost = ghost.filter(|_| !input.is_empty());
    let wanted = width(ghost.unwrap_or(input.text())).max(8) + 2;
    with_room(rows, wanted.min(grid.room), grid, |row| {
        let left = (grid.left + grid.room).saturating_sub(row.used());
        row.typed(input, ghost, look, left);
    });
}

/// Puts something on the last line, or on a new one where that is full.
fn with_room(rows: &mut Vec<Row>, wanted: usize, grid: Grid, put: impl FnOnce(&mut Row)) {
    let fits =
        |row: &Row| row.used() <= grid.left || row.used() + wanted <= grid.left + grid.room + 1;
    if let Some(row) = rows.last_mut().filter(|row| fits(row)) {
        put(row);
    } else {
        let mut row = Row::indent(grid.left);
        put(&mut row);
        rows.push(row);
    }
}

/// What can be completed, on a line.
fn completions(form: &Form, look: &Look, grid: Grid) -> Option<Row> {
    let words = form.completions();
    if words.is_empty() {
        return None;
    }
    let mut row = Row::indent(grid.left);
    row.push(
        fit(&format!("→ {}", words.join("  ")), grid.room),
        look.quiet,
    );
    Some(row)
}

/// Patterns and names, one to a line.
fn items(
    form: &Form,
    field: &Field,
    list: &List,
    focus: bool,
    look: &Look,
    grid: Grid,
) -> Vec<Row> {
    let inside = focus && matches!(form.mode, Mode::Inside(_));
    let patterns = field.kind() == Kind::Patterns;
    let shown = if inside { usize::MAX } else { FEW };
    let mut rows = Vec::new();
    for (n, value) in list.items().iter().enumerate().take(shown) {
        let on = inside && list.at() == n;
        let mut row = Row::indent(grid.left);
        row.key = on;
        match list.entry().filter(|_| on) {
            Some(input) => row.typed(input, ghost(form, input.is_empty()), look, grid.room),
            // A sentence under the focus is read whole.
            None if focus && field.kind() == Kind::Lines && value.as_str() != Some("") => {
                rows.extend(sentence(&value.to_string(), on, look, grid));
                continue;
            }
            None => item(form, patterns.then_some(n), value, on, &mut row, look, grid),
        }
        rows.push(row);
        if on && patterns {
            detail(form, n, &mut rows, look, grid);
        }
    }
    let more = list.items().len().saturating_sub(shown);
    if !inside && more > 0 {
        let mut row = Row::indent(grid.left);
        row.push(format!("… {more} more"), look.quiet);
        rows.push(row);
    }
    let end = list.items().len();
    if inside {
        let mut row = Row::indent(grid.left);
        let on = list.at() == end;
        row.key = on;
        match list.entry().filter(|_| on) {
            Some(input) => {
                row.typed(input, ghost(form, input.is_empty()), look, grid.room);
                rows.push(row);
                if patterns && !input.is_empty() {
                    detail(form, end, &mut rows, look, grid);
                }
                rows.extend(completions(form, look, grid));
            }
            None => {
                row.push("+ add", if on { look.chosen } else { look.quiet });
                rows.push(row);
            }
        }
    } else if list.items().is_empty() {
        let mut row = Row::indent(grid.left);
        row.push("–", look.quiet);
        rows.push(row);
    }
    rows
}

/// A sentence on as many lines as it needs, or the most that one may take; those behind the first
/// stand a little in.
fn sentence(text: &str, on: bool, look: &Look, grid: Grid) -> Vec<Row> {
    const MOST: usize = 6;
    const IN: usize = 2;
    let style = if on { look.chosen } else { look.text };
    let room = grid.room.saturating_sub(IN);
    let mut lines = wrap(text, room);
    let rest = lines.split_off(lines.len().min(MOST)).concat();
    if let Some(last) = lines.last_mut() {
        last.push_str(&rest);
    }
    let row = |(n, line): (usize, &String)| {
        let mut row = Row::indent(grid.left);
        row.key = on && n == 0;
        row.push(" ".repeat(IN.min(n * IN)), Style::new());
        let line = if rest.is_empty() {
            line.trim_end()
        } else {
            line
        };
        row.store(line, style, look, room);
        row
    };
    lines.iter().enumerate().map(row).collect()
}

fn ghost(form: &Form, empty: bool) -> Option<&str> {
    form.completions().first().copied().filter(|_| !empty)
}

/// One item; of a pattern also how it is read and how many of the tasks it matches.
fn item(
    form: &Form,
    pattern: Option<usize>,
    value: &Value,
    on: bool,
    row: &mut Row,
    look: &Look,
    grid: Grid,
) {
    let style = if on { look.chosen } else { look.text };
    let text = match value {
        Value::Text(text) if text.is_empty() => "\"\"".to_owned(),
        value => value.to_string(),
    };
    let reading = pattern.and_then(|n| form.reading(n));
    let Some(reading) = reading else {
        row.store(&text, style, look, grid.room);
        return;
    };
    let tasks = reading.hits.len();
    let count = if tasks == 0 {
        String::new()
    } else {
        format!(" {}/{tasks}", reading.count())
    };
    let mark = if reading.problems.is_empty() {
        ""
    } else {
        " !"
    };
    let note = format!("{}{count}", reading.kind);
    let room = grid.room.saturating_sub(width(&note) + 4);
    if room < 8 {
        row.store(&text, style, look, grid.room.saturating_sub(2));
    } else {
        let wide = width(&text).min(room);
        row.store(&text, style, look, room);
        let gap = room.saturating_sub(wide) + 2;
        row.push(" ".repeat(gap), Style::new());
        row.push(note, look.quiet);
    }
    row.push(mark, look.problem);
}

/// Under the pattern at hand: what is wrong with it, and what it matches in each task.
fn detail(form: &Form, at: usize, rows: &mut Vec<Row>, look: &Look, grid: Grid) {
    let Some(reading) = form.reading(at) else {
        return;
    };
    let room = grid.room.saturating_sub(2);
    for problem in &reading.problems {
        for line in wrap(&format!("! {problem}"), room) {
            let mut row = Row::indent(grid.left + 2);
            row.push(fit(line.trim_end(), room), look.problem);
            rows.push(row);
        }
    }
    for (task, hit) in form.tasks().iter().zip(&reading.hits).take(6) {
        let mut row = Row::indent(grid.left + 2);
        match hit {
            Some(hit) => {
                row.push("✓ ", look.focus);
                task_with_hit(&mut row, task, hit, look, room.saturating_sub(2));
            }
            None => row.push(fit(&format!("· {task}"), room), look.quiet),
        }
        rows.push(row);
    }
}

/// A task with the part that matched underlined, which must be seen even where the task is long.
fn task_with_hit(row: &mut Row, task: &str, hit: &str, look: &Look, room: usize) {
    let found = find_caseless(task, hit).filter(|_| !hit.is_empty());
    let Some((before, own, after)) = found else {
        row.store(task, look.text, look, room);
        return;
    };
    let tail = width(own).min(room);
    let lead = room.saturating_sub(tail + 8.min(width(after)));
    if width(before) > lead {
        let mut start = before.graphemes(true).rev().collect::<Vec<_>>();
        start.truncate(lead.saturating_sub(1));
        start.reverse();
        row.push(fit(&format!("…{}", start.concat()), lead), look.text);
    } else {
        row.store(before, look.text, look, lead);
    }
    row.store(own, look.hit, look, tail);
    row.store(
        after,
        look.text,
        look,
        room.saturating_sub(tail + width(before).min(lead)),
    );
}

/// A text around the first place where another stands in it, whatever the case of ASCII letters.
fn find_caseless<'a>(text: &'a str, part: &str) -> Option<(&'a str, &'a str, &'a str)> {
    text.char_indices().find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let (own, after) = rest.split_at_checked(part.len())?;
        own.eq_ignore_ascii_case(part)
            .then_some((before, own, after))
    })
}

/// A text on lines of so many columns, cut at spaces.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let full = lines
            .last()
            .is_some_and(|line| !line.is_empty() && width(line) + width(word.trim_end()) > columns);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    lines
}
