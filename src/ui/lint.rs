//! Findings: the list, the evidence of one where it stands, and its fix as a diff.

mod finding;

pub use finding::{explained, fix, page};

use ratatui::layout::Position;

use super::pen::{Pen, Spans, beyond, inset};
use super::sheet::Sheet;
use super::theme::{Role, Theme};
use super::{empty, list, safe, words};
use crate::app::layout::{Areas, Room};
use crate::app::lints::Row;
use crate::app::{Focus, Model, Pane, lints};
use crate::lint::Finding;
use crate::memory::{Memory, Severity};
use crate::text::rule_pages;

/// Draws the list of findings; where the filter is typed, says where its cursor is.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    if areas.list.is_empty() {
        return None;
    }
    let cursor = title(pen, model, areas);
    let filter = &model.browse.filter;
    let lines = if !model.lints.rows.is_empty() {
        draw_rows(pen, model, areas);
        return cursor;
    } else if !model.lints.known {
        vec![(Role::Muted, "checking memories …".to_owned())]
    } else if filter.hits.is_some() {
        let back = model.key("back");
        let mut lines = empty::wrong(model);
        if lines.is_empty() {
            let typed = safe::fit(filter.line.text().trim(), 40);
            lines.push((Role::Text, format!("No findings match {typed}")));
        }
        lines.push((Role::Muted, format!("{back} clears the filter")));
        lines
    } else {
        let count = words::count(model.world.active, "memory", "memories");
        let back = model.key("back");
        let next = "Changes are checked as they are written";
        vec![
            (Role::Ok, format!("✓ No findings in {count}")),
            (Role::Muted, format!("{next} · {back} goes back")),
        ]
    };
    empty::say(pen, areas.rows, &lines);
    cursor
}

/// The frame, and in its top line the filter where there is one.
fn title(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    if areas.room == Room::Tiny {
        return None;
    }
    let (lints, filter) = (&model.lints, &model.browse.filter);
    let typed = filter.editing || filter.is_on();
    let listed = words::number(lints.listed(&model.world));
    let warnings = model.world.digest.warnings;
    let note = match (lints.running, typed) {
        (true, _) => format!("{listed} · checking …"),
        (false, true) => format!("{listed} of {}", words::number(model.world.found())),
        // The top line counts the others.
        (false, false) => {
            let suggestions = model.world.found().saturating_sub(warnings);
            let suggestions = words::count(suggestions, "suggestion", "suggestions");
            format!("{} · {suggestions}", words::number(warnings))
        }
    };
    let focused = match model.focus() {
        Focus::Filter => true,
        Focus::Pane(pane) => pane == Pane::List && !model.covers_list(),
        _ => false,
    };
    let title = vec![pen.text(Role::Title, "Findings")];
    list::frame(pen, model, areas, (focused, title, &note))
}

/// Notes on unchecked rules for the line at the bottom: a frame has one on wide screens only.
/// `memkeep lint` says all of it.
pub fn not_checked(model: &Model) -> Option<String> {
    let notes = &model.world.digest.notes;
    let first = &notes.first()?.message;
    Some(match notes.len() {
        1 => format!("not checked: {first}"),
        // Puts the number of notes before the part that may be cut off.
        count => format!("not checked (1 of {count}): {first}"),
    })
}

fn title_of(model: &Model, finding: &Finding) -> String {
    let memory = model.world.memory_of(finding);
    memory.map_or_else(String::new, |memory| words::title(memory).into_owned())
}

/// The title of a finding that is about several memories.
fn many(finding: &Finding) -> Option<String> {
    let count = lints::members(finding)?;
    Some(words::count(count, "memory", "memories"))
}

pub fn message(model: &Model, finding: &Finding) -> String {
    let many = lints::members(finding);
    let count = many.map(|count| format!("{count} memories: "));
    let own = count.and_then(|count| finding.message.strip_prefix(&count));
    named(model, finding, own.unwrap_or(&finding.message))
}

/// Columns of a title inside a sentence.
const TITLE: usize = 60;

/// A text of a finding with the titles of its memories in the place of their ids. If two have one
/// title the id tells them apart.
pub fn named(model: &Model, finding: &Finding, text: &str) -> String {
    let own = model.world.memory_of(finding);
    let others = finding.related.iter();
    let others = others.filter_map(|n| model.world.linted(*n));
    let mut text = text.to_owned();
    for memory in own.into_iter().chain(others) {
        let is_own = own.is_some_and(|own| own.id == memory.id);
        if !is_own && own.is_some_and(|own| own.title == memory.title) {
            continue;
        }
        let id = memory.id.to_string();
        let title = format!("“{}”", safe::fit(&words::title(memory), TITLE));
        text = text.replace(&format!("`{id}`"), &title);
        if text.ends_with(&id) {
            text.truncate(text.len() - id.len());
            text.push_str(&title);
        }
    }
    text
}

/// Findings of a memory that are listed beside its text; the others are a key away.
const BESIDE: usize = 5;

/// The findings of a memory beside its text: rule and message of each, and the evidence of the one
/// that was gone to.
pub fn beside(sheet: &mut Sheet<'_>, model: &Model, memory: &Memory) {
    let found = model.world.findings_of(&memory.id);
    let with = model.world.findings_with(&memory.id);
    if found.is_empty() && with.is_empty() {
        return;
    }
    sheet.gap();
    let chosen = model.finding_of_current();
    // The chosen one is among those that are listed.
    let last = found.len().saturating_sub(BESIDE);
    let from = chosen.map_or(0, |at| at.saturating_sub(BESIDE / 2));
    let finding = |n: &usize| model.world.finding(*n);
    let own = found.iter().enumerate().skip(from.min(last)).take(BESIDE);
    let own: Vec<_> = own.filter_map(|(at, n)| Some((at, finding(n)?))).collect();
    // Those of others take the room that its own leave.
    let free = BESIDE.saturating_sub(found.len()).max(2);
    let others: Vec<_> = with.iter().take(free).filter_map(finding).collect();
    let rules = own.iter().map(|(_, finding)| finding).chain(&others);
    let label = rules.map(|finding| finding.rule.len()).max();
    let label = label.unwrap_or_default().min(sheet.width * 2 / 5);
    let room = sheet.width.saturating_sub(label + 6);
    let row = |sheet: &mut Sheet<'_>, finding: &Finding, here: bool, text: &str| {
        let role = if here { Role::Text } else { Role::Muted };
        let rule = safe::pad(finding.rule, label);
        let rule = format!("{} {rule}", words::mark(finding.severity));
        sheet.push(vec![
            sheet.theme.mark(here),
            sheet.text(Role::severity(finding.severity), &rule),
            sheet.text(role, &format!("  {}", safe::fit(text, room))),
        ]);
    };
    for (at, finding) in own {
        let here = chosen == Some(at);
        row(sheet, finding, here, &message(model, finding));
        let most = if here { 4 } else { 0 };
        for evidence in 0..finding.evidence.len().min(most) {
            sheet.indented(Role::Muted, &finding.shown(evidence), 4);
        }
    }
    // Findings about it and another memory stand at the other one.
    for finding in others {
        let title = title_of(model, finding);
        row(sheet, finding, false, &format!("with {title}"));
    }
    let more = found.len().saturating_sub(BESIDE) + with.len() - with.len().min(free);
    if more > 0 {
        let key = model.key("lint");
        sheet.line(Role::Faint, &format!("   {more} more · {key} lists all"));
    }
}

/// Columns before a title: where one stands, the severity.
const LEAD: usize = 3;
/// Columns between two columns of text.
const GAP: usize = 2;

/// The finding of a row, its title and its message.
type Said<'a> = (&'a Finding, String, String);

fn draw_rows(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let (top, height) = (model.lints.cursor.top, usize::from(areas.rows.height));
    let rows = model.lints.rows.iter().enumerate().skip(top).take(height);
    let shown: Vec<(usize, Row, Option<Said<'_>>)> =
        rows.map(|(n, row)| (n, *row, said(model, *row))).collect();
    let all: Vec<&Said<'_>> = shown.iter().filter_map(|row| row.2.as_ref()).collect();
    let room = usize::from(areas.rows.width).saturating_sub(LEAD + 1);
    let title = (areas.room >= Room::Medium).then(|| title_columns(&all, room));
    for (line, (n, row, said)) in (0..areas.rows.height).zip(&shown) {
        let here = *n == model.lints.cursor.row;
        let spans = match (row, said) {
            (Row::Finding(_), Some(said)) => finding(pen.theme, said, here, (room, title)),
            (Row::Suggestions(is_folded), _) => {
                let text = safe::fit(&folded(model, *is_folded), room + 2);
                vec![pen.theme.mark(here), pen.text(Role::Muted, &text)]
            }
            (Row::Rule(id, severity, count), _) => rule(pen.theme, id, (*severity, *count), room),
            (Row::Finding(_), None) => Vec::new(),
        };
        pen.row(areas.rows, line, here, spans);
    }
    let goes_on = (top > 0, top + height < model.lints.rows.len());
    // The last column of a row is free; a border beyond it is the list's own.
    let area = inset(areas.rows, 0, u16::from(areas.borders));
    beyond(pen.buffer, area, goes_on, pen.style(Role::Muted));
}

fn said(model: &Model, row: Row) -> Option<Said<'_>> {
    let Row::Finding(at) = row else {
        return None;
    };
    let finding = model.world.finding(at)?;
    let title = many(finding).unwrap_or_else(|| title_of(model, finding));
    Some((finding, title, message(model, finding)))
}

/// Columns of the titles: as many as the widest has; where the messages need the room no more than
/// a third.
fn title_columns<'a>(all: &[&'a Said<'a>], room: usize) -> usize {
    let widest = |text: fn(&'a Said<'a>) -> &'a str| {
        let widths = all.iter().map(|said| safe::width(text(said)));
        widths.max().unwrap_or_default()
    };
    let left = room.saturating_sub(GAP + widest(|said| &said.2));
    widest(|said| &said.1).min(left.max(room / 3))
}

/// The row of a finding: its title, and what was found where there is room for both.
fn finding(theme: &Theme, said: &Said<'_>, here: bool, of: (usize, Option<usize>)) -> Spans {
    let (room, title) = of;
    let (Finding { severity, .. }, text, message) = said;
    let columns = title.unwrap_or(room);
    let rest = room.saturating_sub(columns + GAP);
    let title = safe::pad(text, columns) + &" ".repeat(GAP);
    vec![
        theme.mark(here),
        theme.text(Role::severity(*severity), words::mark(*severity)),
        theme.text(Role::Text, &format!(" {title}")),
        theme.text(Role::Muted, &safe::fit(message, rest)),
    ]
}

/// The row of the suggestions: what is folded into it.
pub(super) fn folded(model: &Model, is_folded: bool) -> String {
    let all = model.lints.suggestions.iter();
    let all =
        all.map(|(rule, count)| format!("{} {}", rule_pages::title(rule), words::number(*count)));
    match is_folded {
        true => format!("▸ suggestions: {}", all.collect::<Vec<_>>().join(" · ")),
        false => "▾ suggestions".to_owned(),
    }
}

/// The row of a rule: its title, and at the right its id and how much it found.
fn rule(theme: &Theme, rule: &str, (severity, count): (Severity, usize), room: usize) -> Spans {
    let count = format!("  {}", words::number(count));
    let title = rule_pages::title(rule).to_uppercase();
    let room = (room + LEAD).saturating_sub(safe::width(&count) + 2);
    let title = safe::fit(&title, room);
    let left = room - safe::width(&title);
    let id = if left > rule.len() + 3 { rule } else { "" };
    let line = "─".repeat(left.saturating_sub(id.len() + 2));
    vec![
        theme.text(Role::severity(severity), &format!(" {title}")),
        theme.text(Role::Border, &format!(" {line} ")),
        theme.text(Role::Faint, id),
        theme.text(Role::Muted, &count),
    ]
}
