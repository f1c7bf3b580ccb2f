//! The review queue: the list of entries, and the one a person stands on as a card.

use super::lines::Lines;
use super::list::store_name;
use super::pen::{Frame, Pen, beyond};
use super::theme::Role;
use super::{diff, empty, safe, words};
use crate::app::hints::number;
use crate::app::layout::{Areas, Room};
use crate::app::review::{Card, Decision, Found};
use crate::app::{Focus, Model, Pane};
use crate::curate::review::{Against, Kind};
use crate::memory::{Severity, Value};

/// Most columns of the name of a store.
const STORE: usize = 10;
/// Columns of what happened to an entry.
const WHAT: usize = 9;

/// Draws the list of entries.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    if areas.list.is_empty() {
        return;
    }
    let review = &model.review;
    let all = review.cards.len();
    let done = all - review.waiting();
    let note = match review.is_known {
        false => "comparing …".to_owned(),
        true if all == 0 => String::new(),
        true => format!("{done} of {all} decided"),
    };
    if areas.room > Room::Tiny {
        let frame = Frame {
            title: vec![pen.text(Role::Title, "Changes since the last commit")],
            note,
            focused: matches!(model.focus(), Focus::Pane(Pane::List)) && !model.covers_list(),
            ..Frame::default()
        };
        pen.frame(areas.list, areas.borders, frame);
    }
    if all == 0 {
        let lines = match (&review.error, review.is_known) {
            (Some(why), _) => vec![(Role::Error, why.clone())],
            (None, false) => vec![(Role::Muted, "comparing with the last commit …".to_owned())],
            (None, true) => {
                let mut lines = vec![(Role::Ok, "Nothing to review".to_owned())];
                let notes = review.notes.iter();
                lines.extend(notes.map(|note| (Role::Muted, note.clone())));
                lines
            }
        };
        empty::say(pen, areas.rows, &lines);
        return;
    }
    let shown = review.cards.iter().enumerate().skip(review.cursor.top);
    let width = usize::from(areas.rows.width);
    let mut stores: Vec<&str> = review
        .cards
        .iter()
        .map(|card| store_name(model, &card.entry.id.store))
        .collect();
    stores.sort_unstable();
    stores.dedup();
    let longest = stores
        .iter()
        .map(|store| safe::width(store))
        .max()
        .unwrap_or_default();
    // With one store its name says nothing.
    let store = if stores.len() > 1 {
        longest.min(STORE.max(usize::from(areas.rows.width) / 4))
    } else {
        0
    };
    for (line, (n, card)) in (0..areas.rows.height).zip(shown) {
        let here = n == review.cursor.row;
        let (mark, role) = match review.decision(n) {
            Some(Decision::Accepted) => ("✓", Role::Ok),
            Some(Decision::Rejected) => ("✗", Role::Error),
            Some(Decision::Skipped) => ("–", Role::Muted),
            None => (" ", Role::Muted),
        };
        let new = card.findings.iter().filter(|found| found.is_new);
        let worst = new.map(|found| found.severity).min();
        let finding = worst
            .filter(|worst| *worst < Severity::Info)
            .map(words::mark);
        let name = store_name(model, &card.entry.id.store);
        let own = safe::pad(&safe::fit(name, store), store);
        let own = if store > 0 {
            format!("{own}  ")
        } else {
            String::new()
        };
        let title = crate::lint::mask(card.entry.title());
        let text = if review.decision(n).is_some() {
            Role::Muted
        } else {
            Role::Text
        };
        let narrow = areas.room < Room::Narrow;
        let what = if narrow {
            String::new()
        } else {
            safe::pad(card.entry.what(), WHAT + 1)
        };
        let room = width.saturating_sub(4 + what.len() + safe::width(&own));
        let spans = vec![
            pen.text(Role::Accent, if here { "▌" } else { " " }),
            pen.text(role, mark),
            pen.text(Role::Warning, finding.unwrap_or(" ")),
            pen.text(Role::Muted, &format!(" {what}{own}")),
            pen.text(text, &safe::fit(&title, room)),
        ];
        pen.row(areas.rows, line, spans, here);
    }
    let height = usize::from(areas.rows.height);
    let goes_on = (review.cursor.top > 0, review.cursor.top + height < all);
    beyond(pen.buffer, areas.rows, goes_on, pen.style(Role::Muted));
}

/// The card of the entry the person stands on.
pub fn page(pen: &Pen<'_>, model: &Model, width: usize, frame: &mut Frame<'_>) -> Lines {
    let mut out = Lines::default();
    let review = &model.review;
    let Some(card) = review.current() else {
        return out;
    };
    let entry = &card.entry;
    frame.title = vec![pen.text(Role::Title, &crate::lint::mask(entry.title()))];
    let at = review.cursor.row + 1;
    frame.note = match review.decision(review.cursor.row) {
        Some(decision) => format!("{at} of {} · {}", review.cards.len(), decision.word()),
        None => format!("{at} of {}", review.cards.len()),
    };
    origin(pen, model, card, width, &mut out);
    let mut below = Vec::new();
    if !review.is_raw {
        if review.waiting() == 0 {
            summary(pen, model, width, &mut out);
        }
        below = effects(pen, model, card, width, &mut out);
        fields(pen, card, width, &mut out);
    }
    out.gap();
    let text = crate::lint::mask(&entry.diff()).into_owned();
    // The two lines of the head name no file.
    let text = text.splitn(3, '\n').nth(2).unwrap_or_default();
    out.lines.extend(diff::lines(text, pen.theme, width));
    rest(pen, &below, width, &mut out);
    out
}

/// Where an entry stands, who wrote it and when, and why it is proposed.
fn origin(pen: &Pen<'_>, model: &Model, card: &Card, width: usize, out: &mut Lines) {
    let entry = &card.entry;
    let path = entry.path().map(|path| model.shown(path));
    let by = entry.author().map(|by| format!("by {by}"));
    let when = entry.written().map(|at| words::ago(at, model.now));
    let all = [Some(entry.what().to_owned()), path, by, when];
    let line: Vec<String> = all.into_iter().flatten().collect();
    out.wrapped(pen, Role::Muted, &line.join(" · "), width, 0);
    let was = entry
        .before
        .as_ref()
        .filter(|side| side.memory.id != entry.id);
    if let (Some(was), Kind::Renamed) = (was, entry.kind) {
        let was = format!("was {}", was.memory.id);
        out.wrapped(pen, Role::Muted, &was, width, 0);
    }
    if let Against::Proposal(proposal) = &entry.against
        && let Some(why) = &proposal.why
    {
        out.wrapped(pen, Role::Text, &crate::lint::mask(why), width, 0);
    }
}

/// What was decided, once nothing waits.
fn summary(pen: &Pen<'_>, model: &Model, width: usize, out: &mut Lines) {
    let review = &model.review;
    let counts = [Decision::Accepted, Decision::Rejected, Decision::Skipped]
        .into_iter()
        .map(|decision| (review.count(decision), decision.word()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"));
    let counts: Vec<String> = counts.collect();
    let key = model.keymap.label("commit").unwrap_or_default();
    let next = match review.has_staged() {
        true => format!(" · {key} commits what is accepted"),
        false => String::new(),
    };
    let line = format!("All reviewed: {}{next}", counts.join(", "));
    out.gap();
    out.wrapped(pen, Role::Ok, &line, width, 0);
}

/// Findings that stand above the diff.
const FIRST: usize = 3;

/// What the change does to the tasks, and the worst findings it brings. Gives the other findings,
/// which stand below the diff.
fn effects<'c>(
    pen: &Pen<'_>,
    model: &Model,
    card: &'c Card,
    width: usize,
    out: &mut Lines,
) -> Vec<&'c Found> {
    if !card.effects.is_empty() || card.findings.iter().any(|found| found.is_new) {
        out.gap();
    }
    for effect in &card.effects {
        out.wrapped(pen, Role::Accent, effect, width, 2);
    }
    // New ones first, the worst of them at the top.
    let mut found: Vec<_> = card.findings.iter().collect();
    found.sort_by_key(|found| (!found.is_new, found.severity));
    let new = found.iter().filter(|found| found.is_new).count();
    let below = found.split_off(new.min(FIRST));
    for found in found {
        finding(pen, found, width, out);
    }
    if !model.review.is_assessed {
        out.gap();
        out.wrapped(pen, Role::Faint, "findings and tasks: checking …", width, 0);
    }
    below
}

/// The findings below the diff: how many they are, and each.
fn rest(pen: &Pen<'_>, found: &[&Found], width: usize, out: &mut Lines) {
    if found.is_empty() {
        return;
    }
    let new = found.iter().filter(|found| found.is_new).count();
    let older = words::count(found.len() - new, "older finding", "older findings");
    let line = match new {
        0 => format!("and {older}"),
        _ => format!("and {} new, {older}", number(new)),
    };
    out.gap();
    out.wrapped(pen, Role::Muted, &line, width, 0);
    for found in found {
        finding(pen, found, width, out);
    }
}

/// A finding, as a paragraph.
fn finding(pen: &Pen<'_>, found: &Found, width: usize, out: &mut Lines) {
    let new = if found.is_new { "new " } else { "" };
    let (mark, rule, message) = (words::mark(found.severity), found.rule, &found.message);
    let line = format!("{mark} {new}{rule}: {message}");
    let role = match found.is_new {
        true => Role::severity(found.severity),
        false => Role::Faint,
    };
    out.wrapped(pen, role, &line, width, 2);
}

/// The fields that differ.
fn fields(pen: &Pen<'_>, card: &Card, width: usize, out: &mut Lines) {
    let entry = &card.entry;
    if entry.has_fields_in_text() {
        return;
    }
    let changes = entry.fields();
    if !changes.is_empty() {
        out.gap();
    }
    let value = |value: &Option<Value>| {
        let text = value
            .as_ref()
            .map_or_else(|| "none".to_owned(), ToString::to_string);
        crate::lint::mask(&text).into_owned()
    };
    for change in &changes {
        let line = format!(
            "{}: {} → {}",
            change.name,
            value(&change.old),
            value(&change.new)
        );
        out.wrapped(pen, Role::Text, &line, width, 2);
    }
}
