//! The lines at the top and the bottom.

use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::pen::{Pen, columns, fit_spans, inset, limit};
use super::theme::Role;
use super::{diff, lint, safe, words};
use crate::app::editor::Editor;
use crate::app::hints;
use crate::app::inject::Part;
use crate::app::layout::{Areas, Room};
use crate::app::lints;
use crate::app::{Focus, Model, Overlay, View};
use crate::memory::Severity;
use crate::text::rule_pages;

/// Project, views, branch.
pub fn header(pen: &mut Pen<'_>, model: &Model, area: Rect) {
    if area.is_empty() {
        return;
    }
    let mut column = hints::tabs_at(model);
    if column > 1 {
        let name = safe::fit(&model.project, usize::from(model.size.0 / 4));
        let spans = vec![
            pen.text(Role::Accent, " memkeep"),
            pen.text(Role::Header, &format!("  {name}")),
        ];
        pen.line(area, 0, spans);
    }
    for (view, item) in hints::tabs(model) {
        let role = Role::either(view == model.view, Role::HeaderActive, Role::Header);
        let key = pen.text(Role::Faint, &format!("{} ", item.key));
        pen.line_at(area, 0, column, vec![key, pen.text(role, &item.title)]);
        column += hints::width(&item) + hints::GAP;
    }
    let mut spans = Vec::new();
    if model.read_only.is_some() {
        spans.push(pen.text(Role::Warning, "read-only"));
        spans.push(Span::raw("  "));
    }
    let count = model.world.active - model.world.context;
    let count = words::count(count, "memory", "memories");
    let mut facts: Vec<String> = model.head.iter().cloned().collect();
    facts.push(match (model.world.complete, model.lints.running) {
        (true, false) => count,
        (true, true) => format!("checking {count} …"),
        (false, _) => format!("reading … {count}"),
    });
    // If there is no room for both the branch stays: the list has a count of its own.
    let room = usize::from(area.width.saturating_sub(column));
    let lead = columns(&spans);
    let fits = |facts: &[String]| lead + safe::width(&facts.join(" · ")) < room;
    while facts.len() > 1 && !fits(&facts) {
        facts.pop();
    }
    if fits(&facts) {
        spans.push(pen.text(Role::Muted, &facts.join(" · ")));
        spans.push(Span::raw(" "));
        pen.line_right(area, 0, spans);
    }
}

/// The message; else a fact about the current row.
pub fn status(pen: &mut Pen<'_>, model: &Model, area: Rect) {
    if area.is_empty() {
        return;
    }
    let width = usize::from(area.width).saturating_sub(2);
    if model.status.message().is_some() {
        return message(pen, model, area);
    }
    let spans = offer(pen, model).or_else(|| fact(pen, model));
    let mut line = vec![Span::raw(" ")];
    line.extend(fit_spans(spans.unwrap_or_default(), width));
    pen.line(area, 0, line);
}

/// The offer of unsaved text, until a person decides about it.
fn offer(pen: &Pen<'_>, model: &Model) -> Option<Vec<Span<'static>>> {
    let (draft, is_offered) = model.unsaved.as_ref()?;
    let waits = *is_offered && model.world.complete && model.overlay.is_none();
    let key = model.keymap.label("unsaved-text").filter(|_| waits)?;
    let text = format!("unsaved text of {} was found", draft.id);
    Some(vec![
        pen.text(Role::Text, &text),
        pen.text(Role::Muted, " · "),
        pen.text(Role::StatusKey, &key),
        pen.text(Role::Muted, " shows it"),
    ])
}

/// Lines that a message may take.
const MESSAGE: usize = 5;

/// The message in full: a message that one line does not hold grows upwards, over what stands
/// there, until the next key.
fn message(pen: &mut Pen<'_>, model: &Model, area: Rect) {
    let Some(message) = model.status.message() else {
        return;
    };
    let (mark, role) = match message.error {
        true => ("✗ ", Role::Error),
        false => ("", Role::Text),
    };
    let lead = usize::from(area.width > 1);
    let width = usize::from(area.width).saturating_sub(2 * lead).max(1);
    let folded = |text: &str, role| {
        let style = pen.theme.style(role);
        diff::folded(text, &[], width, (style, style), pen.theme)
    };
    let mut lines = folded(&format!("{mark}{}", message.text), role);
    if let Some(hint) = &message.hint {
        let used = lines.last().map_or(0, |last| columns(last));
        // How to take it back is not torn apart.
        match lines.last_mut() {
            Some(last) if used + 3 + safe::width(hint) <= width => {
                last.push(pen.text(Role::Muted, &format!(" · {hint}")));
            }
            _ => lines.extend(folded(hint, Role::Muted)),
        }
    }
    limit(&mut lines, MESSAGE, false, pen.text(role, " …"), width);
    let above = u16::try_from(lines.len().saturating_sub(1)).unwrap_or(0);
    let above = above.min(area.y);
    let area = Rect::new(area.x, area.y - above, area.width, area.height + above);
    pen.clear(area);
    for (row, mut spans) in (0..area.height).zip(lines) {
        spans.insert(0, Span::raw(" ".repeat(lead)));
        pen.line(area, row, spans);
    }
}

/// The line without a message: an error in the filter, a finding.
fn fact(pen: &Pen<'_>, model: &Model) -> Option<Vec<Span<'static>>> {
    let one = |role, text: &str| Some(vec![pen.text(role, text)]);
    if let Some(Overlay::Palette(palette)) = &model.overlay {
        // In its row there is not always room for all of it.
        let (command, refusal) = palette.hits.get(palette.row)?;
        let about = refusal.as_deref().unwrap_or(command.help);
        return one(Role::Muted, &format!("{}: {about}", command.title));
    }
    let filter = &model.browse.filter;
    let is_said_in_list = match model.view {
        View::Browse | View::Lint => model.rows() == 0,
        View::Review => true,
        View::Inject => false,
    };
    if let Some(error) = filter.error.as_ref().filter(|_| !is_said_in_list) {
        let hint = error.hint.as_ref().map(|hint| format!(" · {hint}"));
        return Some(vec![
            pen.text(Role::Error, &error.message),
            pen.text(Role::Muted, &hint.unwrap_or_default()),
        ]);
    }
    match model.view {
        View::Inject => {
            let mut notes = model.inject.notes(model.inject.cursor.row);
            let own = model.box_note();
            let first = own.or_else(|| notes.next().map(str::to_owned))?;
            let more = match notes.count() {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            return one(Role::Muted, &format!("{first}{more}"));
        }
        View::Review => return one(Role::Warning, model.review.notes.first()?),
        View::Lint => return one(Role::Muted, &lint::not_checked(model)?),
        View::Browse => {}
    }
    let waiting = (!model.is_used).then(|| waiting(pen, model)).flatten();
    if waiting.is_some() {
        return waiting;
    }
    // A memory that is being written has no findings, and those of another are none of its own.
    if matches!(&model.editor, Some(Editor::Form(own)) if own.memory.is_none()) {
        return None;
    }
    let finding = model.on_finding()?;
    let own = model.world.findings_of(&model.current()?.id);
    let at = model.finding_of_current().unwrap_or(0) + 1;
    let mark = words::mark(finding.severity);
    // The top line counts those of all memories, without suggestions.
    let which = match own.len() {
        0 | 1 => format!("{mark} "),
        count => format!("{mark} {at} of {count} findings: "),
    };
    Some(vec![
        pen.text(Role::severity(finding.severity), &which),
        pen.text(Role::Text, &lint::message(model, finding)),
    ])
}

/// The first line after the start: what waits, and the most useful command; nothing where nothing
/// does.
fn waiting(pen: &Pen<'_>, model: &Model) -> Option<Vec<Span<'static>>> {
    let found = model.world.digest.warnings;
    let first = model.lints.rows.iter().find_map(|row| match row {
        lints::Row::Rule(rule, severity, count) if *severity < Severity::Info => {
            Some(format!("{} ({count})", rule_pages::title(rule)))
        }
        _ => None,
    });
    let mut spans = Vec::new();
    let parts = [
        (model.waiting(), "change", "changes", "review"),
        (found, "finding", "findings", "lint"),
    ];
    for (count, one, many, id) in parts.into_iter().filter(|part| part.0 > 0) {
        let gap = if spans.is_empty() { "" } else { "   " };
        let text = format!("{gap}{} · ", words::count(count, one, many));
        spans.push(pen.text(Role::Text, &text));
        spans.push(pen.text(Role::StatusKey, &model.key(id)));
        spans.push(pen.text(Role::Muted, &format!(" {id}")));
    }
    if let Some(first) = &first {
        spans.push(pen.text(Role::Muted, &format!("   First: {first}")));
    }
    (!spans.is_empty()).then_some(spans)
}

pub fn keys(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let area = areas.hints;
    if area.is_empty() {
        return;
    }
    // Without a status line of its own, what happened stands here.
    if areas.room == Room::Tiny && model.pending.is_empty() && model.status.message().is_some() {
        return message(pen, model, area);
    }
    let mut column = 1;
    for item in hints::fitting(model, area.width) {
        let spans = vec![
            pen.text(Role::StatusKey, &item.key),
            pen.text(Role::Status, &format!(" {}", item.title)),
        ];
        pen.line_at(area, 0, column, spans);
        column += hints::width(&item) + hints::GAP;
    }
}

/// The task box; where it has the keys, says where the cursor is.
pub fn task(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    let area = areas.task;
    if area.is_empty() {
        return None;
    }
    let inject = &model.inject;
    let narrow = areas.room < Room::Medium;
    let is_active = |part: Part| model.focus() == Focus::Task && inject.part == part;
    let dialect = match areas.room {
        // If memkeep's own is the only dialect, the choice is a policy.
        Room::Wide if inject.dialects.len() < 3 => "policy",
        Room::Wide => "dialect",
        _ => "",
    };
    let mut parts = vec![
        (Part::Agent, "agent", inject.agent.text()),
        (Part::Files, "files", inject.files.text()),
        (Part::Dialect, dialect, inject.dialect()),
        (Part::Settings, "settings", inject.settings.text()),
    ];
    // In a narrow box only the part that is typed in is shown, in others settings where there are some.
    parts.retain(|(part, _, value)| {
        is_active(*part) || !narrow && (*part != Part::Settings || !value.is_empty())
    });
    let most = usize::from(area.width) / if narrow { 1 } else { 5 };
    let size = |(part, label, value): &(Part, &str, &str)| {
        let value = safe::width(value).max(1) + usize::from(is_active(*part));
        // Room for what is typed.
        let most = match is_active(*part) && !narrow {
            true => 2 * most,
            false => most,
        };
        let room = most.saturating_sub(label.len() + 4).max(1);
        u16::try_from(label.len() + 1 + value.clamp(1, room) + 2).unwrap_or(0)
    };
    // An empty part gives way to a text that needs its room.
    let text = u16::try_from(safe::width(inject.text.text())).unwrap_or(u16::MAX);
    let is_full = |parts: &[_]| {
        let right: u16 = parts.iter().map(size).sum();
        text.saturating_add(right + 9) > area.width
    };
    while is_full(&parts)
        && let Some(at) = parts
            .iter()
            .position(|part| part.2.is_empty() && !is_active(part.0))
    {
        parts.remove(at);
    }
    let right: u16 = parts.iter().map(size).sum();
    let mut cursor = None;
    let mut x = area.x + 1;
    if !narrow || parts.is_empty() {
        pen.line_at(area, 0, 1, vec![pen.text(Role::Muted, "Task ")]);
        let input = inset(area, 6, right + 2);
        cursor = task_part(pen, model, input, Part::Text);
        x = area.x + area.width.saturating_sub(right);
    }
    for part in &parts {
        let (size, label) = (size(part), part.1);
        let here = Rect::new(x, area.y, size, area.height);
        pen.line(here, 0, vec![pen.text(Role::Muted, label)]);
        let skip = u16::try_from(label.len()).unwrap_or(0) + u16::from(!label.is_empty());
        let input = inset(here, skip, 1);
        cursor = task_part(pen, model, input, part.0).or(cursor);
        x += size;
    }
    cursor
}

fn task_part(pen: &mut Pen<'_>, model: &Model, area: Rect, part: Part) -> Option<Position> {
    let inject = &model.inject;
    let active = model.focus() == Focus::Task && inject.part == part;
    let line = match part {
        Part::Text => &inject.text,
        Part::Agent => &inject.agent,
        Part::Files => &inject.files,
        Part::Settings => &inject.settings,
        Part::Dialect => {
            let role = Role::either(active, Role::Selection, Role::Accent);
            pen.cut(area, 0, role, inject.dialect());
            return active.then(|| Position::new(area.x, area.y));
        }
    };
    if active {
        pen.over(area, 0, pen.style(Role::Input));
        return pen.input(area, line, pen.style(Role::Input), None);
    }
    let asked = "what is the agent about to do?";
    let empty = match part {
        Part::Text if model.focus() == Focus::Task => asked.to_owned(),
        Part::Text => format!("{asked} press {}", model.key("task")),
        _ => "–".to_owned(),
    };
    match line.is_empty() {
        true => pen.cut(area, 0, Role::Faint, &empty),
        false => pen.cut(area, 0, Role::Text, line.text()),
    }
    None
}
