//! Findings: the list, the evidence of one where it stands, and its fix as a diff.

mod finding;
mod rows;
mod source;

pub use finding::{explained, fix, page};

use ratatui::layout::Position;
use ratatui::text::Span;

use super::lines::Lines;
use super::pen::{Frame, Pen};
use super::theme::Role;
use super::{empty, safe, words};
use crate::app::layout::{Areas, Room};
use crate::app::{Focus, Model, Pane, lints};
use crate::lint::Finding;
use crate::memory::Memory;

/// Draws the list of findings; where the filter is typed, says where its cursor is.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    if areas.list.is_empty() {
        return None;
    }
    let cursor = title(pen, model, areas);
    let filter = &model.browse.filter;
    if model.lints.rows.is_empty() {
        let lines = if !model.lints.known {
            vec![(Role::Muted, "checking memories …".to_owned())]
        } else if filter.hits.is_some() {
            let back = model.keymap.label("back").unwrap_or_default();
            let typed = filter.line.text().trim();
            let text = safe::fit(typed, 40);
            let mut lines = empty::wrong(model);
            if lines.is_empty() {
                lines.push((Role::Text, format!("No findings match {text}")));
            }
            lines.push((Role::Muted, format!("{back} clears the filter")));
            lines
        } else {
            vec![(Role::Ok, "✓ No findings".to_owned())]
        };
        empty::say(pen, areas.rows, &lines);
        return cursor;
    }
    rows::draw(pen, model, areas);
    cursor
}

/// The frame, and in its top line the filter where there is one.
fn title(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> Option<Position> {
    if areas.room == Room::Tiny {
        return None;
    }
    let filter = &model.browse.filter;
    let typed = filter.editing || filter.is_on();
    let listed = words::number(model.lints.listed(&model.world));
    let note = match (model.lints.running, typed) {
        (true, _) => format!("{listed} · checking …"),
        (false, true) => format!("{listed} of {}", words::number(model.world.found())),
        (false, false) => weighed(model, areas.room),
    };
    let title = if typed {
        Vec::new()
    } else {
        vec![
            pen.text(Role::Title, "Findings"),
            pen.text(
                Role::Muted,
                if model.lints.flat {
                    " surest first"
                } else {
                    " by rule"
                },
            ),
        ]
    };
    let frame = Frame {
        title,
        note: note.clone(),
        focused: match model.focus() {
            Focus::Filter => true,
            Focus::Pane(pane) => pane == Pane::List && !model.covers_list(),
            _ => false,
        },
        ..Frame::default()
    };
    pen.frame(areas.list, areas.borders, frame);
    typed
        .then(|| super::list::filter_line(pen, model, areas, &note))
        .flatten()
}

/// Number of findings; where there is room, how many of them count as in the top line.
fn weighed(model: &Model, room: Room) -> String {
    let (all, warnings) = (model.world.found(), model.world.warnings());
    let suggestions = all.saturating_sub(warnings);
    if room < Room::Medium || suggestions == 0 {
        return words::number(all);
    }
    let suggestions = words::count(suggestions, "suggestion", "suggestions");
    format!("{} + {suggestions}", words::number(warnings))
}

/// Notes on unchecked rules for the line at the bottom: a frame has one on wide screens only.
/// `memkeep lint` says all of it.
pub fn not_checked(model: &Model) -> Option<String> {
    match model.world.notes() {
        [] => None,
        [one] => Some(format!("not checked: {}", one.message)),
        // Puts the number of notes before the part that may be cut off.
        [one, rest @ ..] => Some(format!(
            "not checked (1 of {}): {}",
            rest.len() + 1,
            one.message
        )),
    }
}

/// The title of a finding that is about several memories.
fn many(finding: &Finding) -> Option<String> {
    let count = lints::members(finding)?;
    Some(words::count(count, "memory", "memories"))
}

/// The message of a finding, memories by their titles.
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
    let others = finding
        .related
        .iter()
        .filter_map(|n| model.world.linted(*n));
    let mut text = text.to_owned();
    for memory in own.into_iter().chain(others) {
        let is_own = own.is_some_and(|own| own.id == memory.id);
        if !is_own && own.is_some_and(|own| own.title == memory.title) {
            continue;
        }
        let id = memory.id.to_string();
        let title = format!("“{}”", safe::fit(&crate::lint::mask(&memory.title), TITLE));
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
pub fn beside(pen: &Pen<'_>, model: &Model, memory: &Memory, width: usize, out: &mut Lines) {
    let found = model.world.findings_of(&memory.id);
    let with = model.world.findings_with(&memory.id);
    if found.is_empty() && with.is_empty() {
        return;
    }
    out.gap();
    let chosen = model.finding_of_current();
    // The chosen one is among those that are listed.
    let last = found.len().saturating_sub(BESIDE);
    let from = chosen
        .map_or(0, |at| at.saturating_sub(BESIDE / 2))
        .min(last);
    let shown = || {
        let part = found.iter().enumerate().skip(from).take(BESIDE);
        part.filter_map(|(at, n)| Some((at, model.world.finding(*n)?)))
    };
    let rules = shown().map(|(_, finding)| finding.rule);
    // Those of others take the room that its own leave.
    let others = with.len().min(BESIDE.saturating_sub(found.len()).max(2));
    let of_others = || {
        with.iter()
            .take(others)
            .filter_map(|n| model.world.finding(*n))
    };
    let widest = rules
        .chain(of_others().map(|finding| finding.rule))
        .map(str::len)
        .max();
    let label = widest.unwrap_or_default().min(width * 2 / 5);
    for (at, finding) in shown() {
        let here = chosen == Some(at);
        let role = Role::severity(finding.severity);
        let room = width.saturating_sub(label + 6);
        let message = safe::fit(&message(model, finding), room);
        out.push(vec![
            pen.text(Role::Accent, if here { "▌" } else { " " }),
            pen.text(
                role,
                &format!(
                    "{} {}",
                    words::mark(finding.severity),
                    safe::pad(finding.rule, label)
                ),
            ),
            pen.text(
                if here { Role::Text } else { Role::Muted },
                &format!("  {message}"),
            ),
        ]);
        for evidence in 0..if here {
            finding.evidence.len().min(4)
        } else {
            0
        } {
            out.wrapped(pen, Role::Muted, &finding.shown(evidence), width, 4);
        }
    }
    // Findings about it and another memory stand at the other one.
    for finding in of_others() {
        let other = model.world.memory_of(finding);
        let title = crate::lint::mask(other.map_or("", |other| &other.title));
        let text = safe::fit(&format!("with {title}"), width.saturating_sub(label + 6));
        out.push(vec![
            Span::raw(" "),
            pen.text(
                Role::severity(finding.severity),
                &format!(
                    "{} {}",
                    words::mark(finding.severity),
                    safe::pad(finding.rule, label)
                ),
            ),
            pen.text(Role::Muted, &format!("  {text}")),
        ]);
    }
    let own = found.len() - found.len().min(BESIDE);
    let more = own + with.len() - others;
    if more > 0 {
        let (command, what) = match own {
            0 => ("lint", "lists all"),
            _ => ("next-finding", "next"),
        };
        let key = model.keymap.label(command).unwrap_or_default();
        let text = format!("   {more} more · {key} {what}");
        out.push(vec![pen.text(Role::Faint, &safe::fit(&text, width))]);
    }
}
