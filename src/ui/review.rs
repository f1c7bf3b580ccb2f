//! The review queue: the list of entries, and the one a person stands on as a card.

use super::list::store_name;
use super::pen::{Pen, beyond};
use super::sheet::Sheet;
use super::theme::Role;
use super::{diff, empty, safe, words};
use crate::app::hints::number;
use crate::app::layout::{Areas, Room};
use crate::app::queue::{Card, Decision, Found};
use crate::app::{Focus, Model, Pane};
use crate::curate::differences::{Against, Kind};
use crate::lint::mask;
use crate::memory::{Severity, Value};

/// Most columns of the name of a store.
const STORE: usize = 10;
/// Columns of what happened to an entry.
const WHAT: usize = 9;
/// Findings that stand above the diff.
const FIRST: usize = 3;

/// Draws the list of entries.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    if areas.list.is_empty() {
        return;
    }
    let review = &model.review;
    let all = review.cards.len();
    let note = match review.is_known {
        false => "comparing …".to_owned(),
        true if all == 0 => String::new(),
        true => format!("{} of {all} decided", all - review.waiting()),
    };
    if areas.room > Room::Tiny {
        let focused = matches!(model.focus(), Focus::Pane(Pane::List)) && !model.covers_list();
        let title = vec![pen.text(Role::Title, "Changes since the last commit")];
        pen.frame(areas.list, areas.borders, focused, (title, &note, ""));
    }
    if all == 0 {
        let lines = match (&review.error, review.is_known) {
            (Some(why), _) => vec![(Role::Error, why.clone())],
            (None, false) => vec![(Role::Muted, "comparing with the last commit …".to_owned())],
            (None, true) => {
                let notes = review.notes.iter().map(|note| (Role::Muted, note.clone()));
                let nothing = (Role::Ok, "Nothing to review".to_owned());
                std::iter::once(nothing).chain(notes).collect()
            }
        };
        return empty::say(pen, areas.rows, &lines);
    }
    let width = usize::from(areas.rows.width);
    let name_of = |card: &Card| store_name(model, &card.entry.id.store).to_owned();
    let mut stores: Vec<String> = review.cards.iter().map(name_of).collect();
    stores.sort_unstable();
    stores.dedup();
    // With one store its name says nothing.
    let longest = stores.iter().map(|store| safe::width(store)).max();
    let longest = longest.filter(|_| stores.len() > 1);
    let store = longest.map(|longest| longest.min(STORE.max(width / 4)));
    let shown = review.cards.iter().enumerate().skip(review.cursor.top);
    for (line, (n, card)) in (0..areas.rows.height).zip(shown) {
        let decision = review.decision(n);
        let (mark, role) = match decision {
            Some(Decision::Accepted) => ("✓", Role::Ok),
            Some(Decision::Rejected) => ("✗", Role::Error),
            Some(Decision::Skipped) => ("–", Role::Muted),
            None => (" ", Role::Muted),
        };
        let new = card.findings.iter().filter(|found| found.is_new);
        let worst = new.map(|found| found.severity).min();
        let worst = worst.filter(|worst| *worst < Severity::Info);
        let own = store.map(|store| safe::pad(&name_of(card), store) + "  ");
        let what = match areas.room < Room::Narrow {
            true => String::new(),
            false => safe::pad(card.entry.what(), WHAT + 1),
        };
        let what = format!(" {what}{}", own.unwrap_or_default());
        let room = width.saturating_sub(3 + safe::width(&what));
        let title = safe::fit(&mask(card.entry.title()), room);
        let text = if decision.is_some() {
            Role::Muted
        } else {
            Role::Text
        };
        let here = n == review.cursor.row;
        let spans = vec![
            pen.theme.mark(here),
            pen.text(role, mark),
            pen.text(Role::Warning, worst.map_or(" ", words::mark)),
            pen.text(Role::Muted, &what),
            pen.text(text, &title),
        ];
        pen.row(areas.rows, line, here, spans);
    }
    let height = usize::from(areas.rows.height);
    let goes_on = (review.cursor.top > 0, review.cursor.top + height < all);
    beyond(pen.buffer, areas.rows, goes_on, pen.style(Role::Muted));
}

/// The card of the entry the person stands on.
pub fn page(sheet: &mut Sheet<'_>, model: &Model) {
    let review = &model.review;
    let Some(card) = review.current() else {
        return;
    };
    sheet.title = mask(card.entry.title()).into_owned();
    sheet.note = format!("{} of {}", review.cursor.row + 1, review.cards.len());
    if let Some(decision) = review.decision(review.cursor.row) {
        sheet.note.push_str(&format!(" · {}", decision.word()));
    }
    origin(sheet, model, card);
    // New ones first, the worst of them at the top.
    let mut found: Vec<&Found> = card.findings.iter().collect();
    found.sort_by_key(|found| (!found.is_new, found.severity));
    let new = found.iter().filter(|found| found.is_new).count();
    let below = found.split_off(new.min(FIRST));
    if !review.is_raw {
        if review.waiting() == 0 {
            summary(sheet, model);
        }
        if !card.effects.is_empty() || new > 0 {
            sheet.gap();
        }
        for effect in &card.effects {
            sheet.indented(Role::Accent, effect, 2);
        }
        for found in found {
            finding(sheet, found);
        }
        if !review.is_assessed {
            sheet.gap();
            sheet.wrapped(Role::Faint, "findings and tasks: checking …");
        }
        fields(sheet, card);
    }
    sheet.gap();
    let text = mask(&card.entry.diff()).into_owned();
    // The two lines of the head name no file.
    let text = text.splitn(3, '\n').nth(2).unwrap_or_default();
    let lines = diff::lines(text, sheet.theme, sheet.width);
    sheet.lines.extend(lines);
    if review.is_raw || below.is_empty() {
        return;
    }
    let new = below.iter().filter(|found| found.is_new).count();
    let older = words::count(below.len() - new, "older finding", "older findings");
    let line = match new {
        0 => format!("and {older}"),
        _ => format!("and {} new, {older}", number(new)),
    };
    sheet.gap();
    sheet.wrapped(Role::Muted, &line);
    for found in below {
        finding(sheet, found);
    }
}

/// The place of an entry, who wrote it and when, and why it is proposed.
fn origin(sheet: &mut Sheet<'_>, model: &Model, card: &Card) {
    let entry = &card.entry;
    let path = entry.path().map(|path| model.shown(path));
    let by = entry.author().map(|by| format!("by {by}"));
    let when = entry.written().map(|at| words::ago(at, model.now));
    let all = [Some(entry.what().to_owned()), path, by, when];
    let line: Vec<String> = all.into_iter().flatten().collect();
    sheet.wrapped(Role::Muted, &line.join(" · "));
    let was = entry.before.as_ref();
    let was = was.filter(|side| side.memory.id != entry.id && entry.kind == Kind::Renamed);
    if let Some(was) = was {
        sheet.wrapped(Role::Muted, &format!("was {}", was.memory.id));
    }
    if let Against::Proposal(proposal) = &entry.against
        && let Some(why) = &proposal.why
    {
        sheet.wrapped(Role::Text, &mask(why));
    }
}

/// The decisions, once nothing waits.
fn summary(sheet: &mut Sheet<'_>, model: &Model) {
    let review = &model.review;
    let counts: Vec<String> = [Decision::Accepted, Decision::Rejected, Decision::Skipped]
        .into_iter()
        .map(|decision| (review.count(decision), decision.word()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let mut line = format!("All reviewed: {}", counts.join(", "));
    if review.has_staged() {
        let key = model.keymap.label("commit").unwrap_or_default();
        line.push_str(&format!(" · {key} commits what is accepted"));
    }
    sheet.gap();
    sheet.wrapped(Role::Ok, &line);
}

/// A finding, as a paragraph.
fn finding(sheet: &mut Sheet<'_>, found: &Found) {
    let (new, role) = match found.is_new {
        true => ("new ", Role::severity(found.severity)),
        false => ("", Role::Faint),
    };
    let (mark, rule, message) = (words::mark(found.severity), found.rule, &found.message);
    sheet.indented(role, &format!("{mark} {new}{rule}: {message}"), 2);
}

/// The fields that differ.
fn fields(sheet: &mut Sheet<'_>, card: &Card) {
    let entry = &card.entry;
    let changes = match entry.has_fields_in_text() {
        true => Vec::new(),
        false => entry.fields(),
    };
    if !changes.is_empty() {
        sheet.gap();
    }
    let value = |value: &Option<Value>| {
        let text = value.as_ref().map_or("none".to_owned(), Value::to_string);
        mask(&text).into_owned()
    };
    for change in &changes {
        let (old, new) = (value(&change.old), value(&change.new));
        let line = format!("{}: {old} → {new}", change.name);
        sheet.indented(Role::Text, &line, 2);
    }
}
