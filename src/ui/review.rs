//! The review queue: a strip of decisions, and below it one change as a card that reads like its
//! memory: where, who and when, lines of an index with it, warnings with their keys, effects, the text.

use std::borrow::Cow;

use itertools::Itertools as _;
use ratatui::style::Modifier;

use super::pen::{Pen, columns, gauge, strip};
use super::sheet::Sheet;
use super::theme::Role;
use super::{diff, empty, list, safe, words};
use crate::app::layout::{Areas, Room};
use crate::app::queue::{Card, Decision, Found};
use crate::app::{Model, command};
use crate::curate::diff::Merged;
use crate::curate::differences::{Against, Entry, FieldChange, Kind, Side};
use crate::lint::mask;
use crate::memory::{Role as Part, Severity, Value};

/// Columns of a title in the strip.
const NAME: usize = 18;
/// Most columns of a line of text: longer ones are hard to follow.
const READABLE: usize = 120;
/// Findings that stand above the text.
const FIRST: usize = 3;
/// Lines of an index or of another memory that are shown beside a change.
const BESIDE: usize = 4;

/// Draws the strip of decisions, or says why there is no change.
pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let review = &model.review;
    let all = review.cards.len();
    if all == 0 {
        return nothing(pen, model, areas);
    }
    let item = |(n, card): (usize, &Card)| {
        let here = n == review.cursor.row;
        let (mark, role) = match review.decision(n) {
            Some(Decision::Accepted) => ("✓", Role::Ok),
            Some(Decision::Rejected) => ("✗", Role::Error),
            Some(Decision::Skipped) => ("–", Role::Muted),
            None if here => ("▸", Role::Accent),
            None => ("·", Role::Warning),
        };
        let text = Role::either(here, Role::HeaderActive, Role::Muted);
        let title = safe::fit(&mask(card.entry.title()), NAME);
        vec![pen.text(role, &format!(" {mark} ")), pen.text(text, &title)]
    };
    let items: Vec<_> = review.cards.iter().enumerate().map(item).collect();
    let done = all - review.waiting();
    let bar = match areas.room < Room::Medium {
        true => String::new(),
        false => format!(" {}", gauge(done, all)),
    };
    let mut spans = vec![pen.text(Role::Accent, &format!("{bar} {done} of {all} "))];
    let left = usize::from(areas.list.width).saturating_sub(columns(&spans));
    spans.extend(strip(&items, review.cursor.row, left));
    pen.line(areas.list, 0, spans);
}

fn nothing(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let review = &model.review;
    let mut lines = vec![match (&review.error, review.is_known) {
        (Some(why), _) => (Role::Error, why.clone()),
        (None, false) => (Role::Muted, "comparing with the last commit …".to_owned()),
        (None, true) => (Role::Ok, "✓ Nothing to review".to_owned()),
    }];
    let notes = review.notes.iter().map(|note| (Role::Muted, note.clone()));
    lines.extend(notes);
    let next = "What agents change and propose waits here until you accept it";
    lines.push((Role::Muted, next.to_owned()));
    empty::say(pen, areas.list, &lines);
}

/// The change the person stands on; below it, where there is room, those that wait.
pub fn page(sheet: &mut Sheet<'_>, model: &Model) {
    let review = &model.review;
    let Some(current) = review.current() else {
        return;
    };
    sheet.width = sheet.width.min(READABLE);
    let row = review.cursor.row;
    sheet.title = heading(&current.entry);
    let decision = review.decision(row).map(Decision::word);
    sheet.note = decision.unwrap_or_default().to_owned();
    card(sheet, model, current, Role::Accent);
    let end = sheet.lines.len();
    let others = (row + 1..review.cards.len()).chain(0..row);
    let waiting = others.filter(|n| review.decision(*n).is_none());
    for next in waiting.filter_map(|n| review.cards.get(n)) {
        if review.is_raw || sheet.lines.len() + BESIDE > sheet.height {
            break;
        }
        let rule = format!("── next: {} ", heading(&next.entry));
        let rest = sheet.width.saturating_sub(safe::width(&rule));
        sheet.line(Role::Muted, &format!("{rule}{}", "─".repeat(rest)));
        card(sheet, model, next, Role::Border);
    }
    sheet.lines.truncate(end.max(sheet.height));
    let quiet = sheet.theme.style(Role::Muted);
    let below = sheet.lines.iter_mut().skip(end);
    for span in below.flat_map(|line| &mut line.spans) {
        span.style = quiet;
    }
}

fn heading(entry: &Entry) -> String {
    format!("{}  {}", entry.heading(), mask(entry.title()))
}

/// A change as it is decided on: where, who, when; what comes with it; warnings; effects; the text.
fn card(sheet: &mut Sheet<'_>, model: &Model, card: &Card, gutter: Role) {
    origin(sheet, model, card);
    if model.review.is_raw {
        sheet.gap();
        let text = mask(&card.entry.diff()).into_owned();
        // The two lines of the head name no file.
        let text = text.splitn(3, '\n').nth(2).unwrap_or_default();
        let lines = diff::lines(text, sheet.theme, sheet.width);
        return sheet.lines.extend(lines);
    }
    for (is_new, line, path) in card.entry.lines_beside().take(BESIDE) {
        let (sign, role) = match is_new {
            true => ("+", Role::Added),
            false => ("−", Role::Removed),
        };
        let line = sheet.text(role, &format!("{sign} {}", mask(line)));
        let place = format!("  in {path}");
        sheet.push(vec![line, sheet.text(Role::Muted, &place)]);
    }
    // New ones first, the worst of them at the top.
    let mut found: Vec<&Found> = card.findings.iter().collect();
    found.sort_by_key(|found| (!found.is_new, found.severity));
    let new = found.iter().filter(|found| found.is_new).count();
    let below = found.split_off(new.min(FIRST));
    for found in &found {
        let text = format!("{} {}", words::mark(found.severity), found.message);
        sheet.indented(Role::severity(found.severity), &text, 0);
    }
    let warns = found.iter().any(|found| found.severity < Severity::Info);
    if warns && gutter == Role::Accent {
        answers(sheet, model, card);
    }
    if !model.review.is_assessed {
        sheet.line(Role::Faint, "EFFECT  checking findings and tasks …");
    } else if !card.effects.is_empty() {
        let effects = format!("EFFECT  {}", card.effects.join(" · "));
        sheet.wrapped(Role::Accent, &effects);
    }
    text(sheet, card, gutter);
    if !below.is_empty() {
        sheet.gap();
    }
    for found in below {
        let age = if found.is_new { "new" } else { "older" };
        let text = format!("{age} · {} · {}", found.message, found.rule);
        sheet.wrapped(Role::Faint, &text);
    }
}

/// The place of an entry, who wrote it and when, and why it is proposed.
fn origin(sheet: &mut Sheet<'_>, model: &Model, card: &Card) {
    let entry = &card.entry;
    let store = list::store_name(model, &entry.id.store).to_owned();
    let kind = entry.side().and_then(|side| side.memory.role(Part::Type));
    let path = entry.path().map(|path| model.shown(path));
    let by = entry.author().map(|by| format!("by {by}"));
    let when = entry.written().map(|at| words::ago(at, model.now));
    let was = entry.before.as_ref();
    let was = was.filter(|side| side.memory.id != entry.id && entry.kind == Kind::Renamed);
    let was = was.map(|side| format!("was {}", side.memory.id));
    let archived = entry.is_archived().then(|| "in the archive now".to_owned());
    let kind = kind.map(Value::to_string);
    let source = entry.source();
    let all = [Some(store), kind, by, source, when, was, archived, path];
    sheet.wrapped(Role::Muted, &all.into_iter().flatten().join(" · "));
    if let Against::Proposal(proposal) = &entry.against
        && let Some(why) = &proposal.why
    {
        sheet.wrapped(Role::Text, &mask(why));
    }
    if !card.others.is_empty() {
        let key = model.key("next-alike");
        let what = format!("{} proposals say nearly the same", card.others.len() + 1);
        let text = format!("{what} · {key} shows the next · accepting one rejects the others");
        sheet.wrapped(Role::Warning, &text);
    }
}

fn answers(sheet: &mut Sheet<'_>, model: &Model, card: &Card) {
    let applies = |id: &str| command::find(id).is_some_and(|one| one.applies(model).is_ok());
    let has_secret = |side: &Side| matches!(mask(&side.body), Cow::Owned(_));
    let is_in_text = card.entry.side().is_some_and(has_secret);
    let edit = match is_in_text || !applies("edit-fields") {
        true if applies("edit-body") => "edit-body",
        _ => "edit-fields",
    };
    // No silence hides what stops a change.
    let offers = match applies("keep-anyway") {
        true => [(edit, "edit it out"), ("keep-anyway", "keep it anyway")],
        false => [(edit, "edit it"), ("silence", "leave it")],
    };
    let offers = offers.into_iter().filter(|(id, _)| applies(id));
    let mut keys = offers.filter_map(|(id, title)| model.hint(id, title));
    sheet.line(Role::StatusKey, &format!("  {}", keys.join("   ")));
}

/// The memory as it reads: its fields, those that changed as old and new, and its text, the words
/// that changed marked in it.
fn text(sheet: &mut Sheet<'_>, card: &Card, gutter: Role) {
    let (entry, start) = (&card.entry, sheet.lines.len());
    sheet.width = sheet.width.saturating_sub(2);
    let is_edit = matches!(entry.kind, Kind::Modified | Kind::Renamed);
    fields(sheet, entry, is_edit);
    let [before, body] = [entry.before.as_ref(), entry.side()].map(|side| {
        let text = side.map_or(Cow::Borrowed(""), |side| mask(&side.body));
        // A heading that only repeats the title says nothing here.
        let heading = text.trim_start().strip_prefix("# ");
        match heading.and_then(|rest| rest.split_once('\n')) {
            Some((title, rest)) if title.trim() == entry.title() => format!("{}\n", rest.trim()),
            _ => format!("{}\n", text.trim()),
        }
    });
    let merged = match &entry.own {
        Some((old, new)) => Merged::new(&mask(old), &mask(new)),
        None if is_edit => Merged::new(&before, &body),
        None => Merged {
            text: body,
            ..Merged::default()
        },
    };
    let gone = sheet.theme.style(Role::RemovedWord);
    let gone = gone.add_modifier(Modifier::CROSSED_OUT);
    let added = sheet.theme.style(Role::AddedWord);
    let marks = merged.marks.iter().map(|(range, is_new)| match is_new {
        true => (range.clone(), added),
        false => (range.clone(), gone),
    });
    let marks: Vec<_> = marks.collect();
    let text = merged.text.trim_end();
    if sheet.lines.len() > start && !text.is_empty() {
        sheet.gap();
    }
    match is_edit {
        true => sheet.changes(text, &marks),
        false => sheet.markdown(text, &marks),
    }
    sheet.width += 2;
    let bar = sheet.text(gutter, "▍ ");
    for line in sheet.lines.iter_mut().skip(start) {
        line.spans.insert(0, bar.clone());
    }
}

/// The fields that differ, as old and new; all of a memory that came or went, in few lines.
fn fields(sheet: &mut Sheet<'_>, entry: &Entry, is_edit: bool) {
    const KNOWN: [Part; 4] = [Part::Title, Part::Author, Part::Created, Part::Updated];
    let value = |value: &Option<Value>| {
        let text = value.as_ref().map_or("none".to_owned(), Value::to_string);
        mask(&text).into_owned()
    };
    let changes = entry.fields().into_iter();
    if is_edit {
        for FieldChange { name, old, new } in changes {
            let line = format!("{name}: {} → {}", value(&old), value(&new));
            sheet.wrapped(Role::Text, &line);
        }
        return;
    }
    let schema = entry.side().map(|side| side.memory.schema);
    let role = |name: &str| Some(schema?.field(name)?.role);
    let own = changes.filter(|one| !role(&one.name).is_some_and(|role| KNOWN.contains(&role)));
    let mut own = own.map(|one| format!("{}: {}", one.name, value(&one.new.or(one.old))));
    sheet.wrapped(Role::Muted, &own.join(" · "));
}
