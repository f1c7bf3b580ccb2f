//! The reading pane: what a memory says of itself, its fields as a table, its text rendered, with
//! what was found underlined where it stands.

use std::borrow::Cow;
use std::ops::Range;

use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::lines::Lines;
use super::markdown::{self, Row};
use super::pen::{Frame, Pen};
use super::theme::Role;
use super::{list, safe, words};
use crate::app::Model;
use crate::app::editor::cut_in;
use crate::app::reading::{SHOWN, clip};
use crate::lint::{Finding, mask};
use crate::memory::{Memory, Role as Part, State, Value};

/// The reading pane as lines.
pub fn page(
    pen: &Pen<'_>,
    model: &Model,
    width: usize,
    most: usize,
    frame: &mut Frame<'_>,
) -> Lines {
    let mut out = Lines::default();
    let Some(memory) = model.current() else {
        return out;
    };
    frame.title = vec![pen.text(Role::Title, &words::title(memory))];
    facts(pen, model, memory, width, &mut out);
    fields(pen, model, memory, width, &mut out);
    for (what, line) in &model.reading.beside {
        out.wrapped(pen, Role::Muted, &format!("{what}: {line}"), width, 0);
    }
    super::lint::beside(pen, model, memory, width, &mut out);
    out.gap();
    match &model.reading.text {
        None => {}
        Some(Err(why)) => out.wrapped(pen, Role::Error, why, width, 0),
        Some(Ok(_)) => body(pen, model, memory, (width, most), frame, &mut out),
    }
    out
}

/// The first line: which file, who, when; below it why its loader does not see it.
fn facts(pen: &Pen<'_>, model: &Model, memory: &Memory, width: usize, out: &mut Lines) {
    let name = memory
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let mut facts = vec![memory.id.store.to_string(), name.into_owned()];
    facts.extend(memory.author().map(|author| format!("by {author}")));
    let last = memory.written();
    let confirmed = memory.confirmed.filter(|at| Some(*at) >= last);
    facts.extend(match confirmed {
        Some(at) => Some(format!("confirmed {}", words::ago(at, model.now))),
        None => last.map(|then| words::ago(then, model.now)),
    });
    if memory.state == State::Archived {
        facts.push("archived".to_owned());
    }
    let coming = memory.expires.filter(|_| !memory.is_expired(model.now));
    facts.extend(coming.map(|expiry| format!("expires {}", expiry.at.date())));
    let line = safe::fit(&facts.join(" · "), width);
    out.push(vec![Span::styled(line, pen.style(Role::Muted))]);
    if let Some(why) = memory.hidden_at(model.now) {
        let format = memory.schema.format;
        let text = match model.injects(&memory.id) {
            true => format!("injected here, but not by {format} itself: {why}"),
            false => format!("∅ Never loaded by {format}: {why}"),
        };
        out.wrapped(pen, Role::Warning, &text, width, 0);
    }
    if let Some(words) = memory.read_otherwise() {
        let text = format!("≠ its own loader reads {words}");
        out.wrapped(pen, Role::Warning, &text, width, 0);
    }
    if let Some(warning) = &model.reading.warning {
        out.wrapped(pen, Role::Warning, &format!("! {warning}"), width, 0);
    }
}

/// The fields, names at the left, one item of a list to a line where it is a list of patterns.
fn fields(pen: &Pen<'_>, model: &Model, memory: &Memory, width: usize, out: &mut Lines) {
    let shown = |(name, value): &(&str, &Value)| {
        let role = memory.schema.field(name).map(|spec| spec.role);
        // A field without a value only takes the room of the text.
        let empty = *value == &Value::Null || matches!(value, Value::List(all) if all.is_empty());
        !matches!(role, Some(Part::Title | Part::Author)) && !empty
    };
    let label = memory
        .fields
        .iter()
        .filter(shown)
        .map(|(name, _)| safe::width(name))
        .max()
        .unwrap_or(0)
        .min(width / 2);
    // If there is no room for two columns, values stand below their names.
    let stacked = width < 36;
    for (name, value) in memory.fields.iter().filter(shown) {
        let value = &masked(value);
        let role = memory
            .schema
            .field(name)
            .map_or(Part::Plain, |spec| spec.role);
        let label = if stacked { 0 } else { label };
        let room = width.saturating_sub(label + 2);
        let mut first = !stacked;
        if stacked {
            out.push(vec![pen.text(Role::Muted, &safe::fit(name, width))]);
        }
        for spans in value_lines(pen, model, memory, (role, value), room) {
            let lead = if first { name } else { "" };
            let lead = safe::pad(lead, label) + "  ";
            let mut line = vec![Span::styled(lead, pen.style(Role::Muted))];
            line.extend(spans);
            out.push(line);
            first = false;
        }
    }
}

/// A value without the secrets in its texts.
fn masked(value: &Value) -> Cow<'_, Value> {
    match value {
        Value::Text(text) => match mask(text) {
            Cow::Owned(masked) => Cow::Owned(Value::from(masked)),
            Cow::Borrowed(_) => Cow::Borrowed(value),
        },
        Value::List(items)
            if items
                .iter()
                .any(|item| matches!(masked(item), Cow::Owned(_))) =>
        {
            let items = items.iter().map(|item| masked(item).into_owned());
            Cow::Owned(Value::List(items.collect()))
        }
        _ => Cow::Borrowed(value),
    }
}

/// A value as lines.
fn value_lines(
    pen: &Pen<'_>,
    model: &Model,
    memory: &Memory,
    (role, value): (Part, &Value),
    room: usize,
) -> Vec<Vec<Span<'static>>> {
    match role {
        Part::Importance => {
            let word = value.to_string();
            let style = Role::importance(&word);
            let [bar] = list::importance(pen, memory);
            let bar = Span::styled(bar.content.trim_start().to_owned() + " ", bar.style);
            vec![vec![bar, pen.text(style, &word)]]
        }
        Part::Tags => {
            let tags = value.items().map(|tag| format!("#{tag}"));
            let text = tags.collect::<Vec<_>>().join(" ");
            let lines = super::lines::wrap(&safe::safe(&text), room).into_iter();
            lines
                .map(|line| vec![Span::styled(line, pen.style(Role::Tag))])
                .collect()
        }
        Part::Patterns => value
            .items()
            .map(|item| pattern(pen, model, memory, &item.to_string(), room))
            .collect(),
        Part::Created | Part::Updated => {
            let mut spans = vec![pen.text(Role::Text, &safe::fit(&value.to_string(), room))];
            let left = room.saturating_sub(super::pen::columns(&spans));
            spans.extend(problem_beside(pen, model, memory, &value.to_string(), left));
            vec![spans]
        }
        Part::Relations => value
            .items()
            .map(|item| related(pen, model, &item.to_string(), room))
            .collect(),
        _ => {
            let text = value.to_string();
            let lines = super::lines::wrap(&safe::safe(&text), room).into_iter();
            let mut lines: Vec<Vec<Span<'static>>> = lines
                .map(|line| vec![Span::styled(line, pen.style(Role::Text))])
                .collect();
            let more = lines.len() > FOLDED;
            lines.truncate(FOLDED);
            if let Some(last) = lines.last_mut().filter(|_| more) {
                last.push(pen.text(Role::Text, " …"));
                *last = super::pen::fit_spans(std::mem::take(last), room);
            }
            if let Some(first) = lines.first_mut() {
                let left = room.saturating_sub(super::pen::columns(first));
                first.extend(problem_beside(pen, model, memory, &text, left));
            }
            lines
        }
    }
}

/// Lines of a field that is a text; the field editor shows all of it.
const FOLDED: usize = 4;

/// A pattern, with what matched it and what was found in it.
fn pattern(
    pen: &Pen<'_>,
    model: &Model,
    memory: &Memory,
    text: &str,
    room: usize,
) -> Vec<Span<'static>> {
    let index = model.current_index();
    let verdict = index.and_then(|index| model.inject.verdict(index));
    let matched = verdict
        .and_then(|verdict| verdict.matched.as_ref())
        .is_some_and(|matched| matched.pattern == text);
    let found = finding_on(model, memory, text);
    let style = match found {
        Some(_) => pen.style(Role::Code).add_modifier(Modifier::UNDERLINED),
        None => pen.style(Role::Code),
    };
    let mut spans = vec![Span::styled(safe::fit(text, room), style)];
    if matched {
        spans.push(pen.text(Role::Ok, "  ✓ matches the task"));
    }
    let left = room.saturating_sub(super::pen::columns(&spans));
    spans.extend(found.map(|finding| note(pen, finding, left)));
    spans
}

/// The name of another memory, with its title.
fn related(pen: &Pen<'_>, model: &Model, name: &str, room: usize) -> Vec<Span<'static>> {
    let found = model.reading.related.iter().find(|one| one.name == name);
    match found.map(|one| &one.memory) {
        Some(Some((_, title))) => {
            let title = &mask(title);
            // An id says little: where there is no room its beginning is enough to tell it.
            let free = room.saturating_sub(safe::width(title) + 2);
            let short = safe::fit(name, free.max(12).min(room));
            let left = room.saturating_sub(safe::width(&short) + 2);
            vec![
                pen.text(Role::Link, &safe::fit(title, left)),
                pen.text(Role::Faint, &format!("  {short}")),
            ]
        }
        Some(None) => vec![
            pen.text(Role::Text, &safe::fit(name, room.saturating_sub(14))),
            pen.text(Role::Warning, "  not there"),
        ],
        None => vec![pen.text(Role::Text, &safe::fit(name, room))],
    }
}

/// The finding about a value, to stand beside it.
fn problem_beside(
    pen: &Pen<'_>,
    model: &Model,
    memory: &Memory,
    text: &str,
    left: usize,
) -> Option<Span<'static>> {
    finding_on(model, memory, text).map(|finding| note(pen, finding, left))
}

/// The rule that found something, or only its mark where there is no room.
fn note(pen: &Pen<'_>, finding: &Finding, left: usize) -> Span<'static> {
    let mark = super::words::mark(finding.severity);
    let role = Role::severity(finding.severity);
    if finding.rule.len() + 4 > left {
        return pen.text(role, &format!(" {mark}"));
    }
    pen.text(role, &format!("  {mark} {}", finding.rule))
}

/// The finding whose place in the text is this value.
fn finding_on<'a>(model: &'a Model, memory: &Memory, value: &str) -> Option<&'a Finding> {
    let text = model.reading.text()?;
    let findings = model.world.findings_of(&memory.id).iter();
    findings
        .filter_map(|n| model.world.finding(*n))
        .find(|finding| {
            let place = finding
                .place
                .clone()
                .and_then(|place| (place.end <= model.reading.head).then(|| text.get(place))?);
            place.is_some_and(|place| {
                let place = place.trim_matches(['"', '\'', ' ']);
                !place.is_empty() && (value == place || value.contains(place))
            })
        })
}

/// The body, rendered.
fn body(
    pen: &Pen<'_>,
    model: &Model,
    memory: &Memory,
    (width, most): (usize, usize),
    frame: &mut Frame<'_>,
    out: &mut Lines,
) {
    let text = model.reading.body();
    let rows = most.saturating_sub(out.lines.len()).max(1);
    let rendered = markdown::render(text, width, pen.theme, rows, &model.reading.blocks);
    let places = places(model, memory);
    let rule = cut_in(memory);
    let cut = rule.and_then(|rule| rule.at(text));
    let cut_row = cut.map(|byte| rendered.row_of(byte) + 1);
    let underline = Style::new().add_modifier(Modifier::UNDERLINED);
    for (n, row) in rendered.rows.iter().enumerate() {
        if Some(n) == cut_row {
            out.push(cut_line(pen, width));
        }
        out.bytes.push((out.lines.len(), row.source));
        out.lines.push(marked(row, &places, underline));
    }
    out.more = rendered.more;
    let whole = model.reading.text().map_or(0, str::len)
        - model
            .reading
            .head
            .min(model.reading.text().map_or(0, str::len));
    if !out.more && whole > SHOWN {
        out.gap();
        let text = format!(
            "{} more bytes; E opens the file in your editor",
            words::number(whole - SHOWN)
        );
        out.wrapped(pen, Role::Muted, &text, width, 0);
    }
    seen(pen, model, (width, most), out);
    let mut foot = format!(
        "{} · {}",
        words::count(memory.words as usize, "word", "words"),
        words::count(memory.tokens as usize, "token", "tokens"),
    );
    let (whole, head) = (model.reading.text().unwrap_or_default(), model.reading.head);
    if let Some(says) = rule.and_then(|rule| rule.says(whole, head)) {
        foot = format!("{foot} · {says}");
    }
    frame.foot = foot;
}

/// The text as its own loader reads it, where that is another one.
fn seen(pen: &Pen<'_>, model: &Model, (width, most): (usize, usize), out: &mut Lines) {
    let Some(seen) = model.reading.seen.as_deref().filter(|_| !out.more) else {
        return;
    };
    out.gap();
    let heading = "as its own loader reads it";
    out.wrapped(pen, Role::Muted, heading, width, 0);
    for line in mask(clip(seen, SHOWN)).lines() {
        if out.lines.len() >= most {
            out.more = true;
            return;
        }
        out.wrapped(pen, Role::Text, line, width, 0);
    }
}

/// The line below which a prompt has nothing more.
fn cut_line(pen: &Pen<'_>, width: usize) -> Vec<Span<'static>> {
    let words = " in the prompt up to here ";
    let rest = width.saturating_sub(words.len() + 2);
    let text = format!("╌╌{words}{}", "╌".repeat(rest));
    vec![Span::styled(
        safe::fit(&text, width),
        pen.style(Role::CutLine),
    )]
}

/// The places of a memory's findings in its body.
fn places(model: &Model, memory: &Memory) -> Vec<Range<usize>> {
    let head = model.reading.head;
    let findings = model.world.findings_of(&memory.id).iter();
    findings
        .filter_map(|n| model.world.finding(*n)?.place.clone())
        .filter(|place| place.start >= head && place.end > place.start)
        .map(|place| place.start - head..place.end - head)
        .collect()
}

/// A row with places of the source underlined.
fn marked(row: &Row, places: &[Range<usize>], mark: Style) -> Line<'static> {
    let columns: Vec<Range<usize>> = places.iter().flat_map(|place| row.columns(place)).collect();
    let mut spans = Vec::new();
    let mut column = 0;
    for part in &row.parts {
        let wide = safe::width(&part.text);
        let here = column..column + wide;
        let touched = columns
            .iter()
            .any(|range| range.start < here.end && here.start < range.end);
        if touched {
            for c in part.text.chars() {
                let inside = columns.iter().any(|range| range.contains(&column));
                let style = if inside {
                    part.style.patch(mark)
                } else {
                    part.style
                };
                spans.push(Span::styled(c.to_string(), style));
                column += safe::width(c.encode_utf8(&mut [0; 4]));
            }
        } else {
            spans.push(Span::styled(part.text.clone(), part.style));
        }
        column = here.end;
    }
    Line::from(spans)
}
