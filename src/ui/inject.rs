//! The ranking: what would be injected, the line between in and out, the near misses; and the
//! exact prompt.

use std::borrow::Cow;

use itertools::Itertools as _;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::explain::because;
use super::list::store_name;
use super::pen::{Pen, Spans, bar, columns, fit_spans, gauge, inset, strip};
use super::sheet::Sheet;
use super::theme::Role;
use super::{empty, safe, saved, words};
use crate::app::layout::{Areas, Room, below};
use crate::app::{Focus, Model, Pane};
use crate::memory::tokens_of;
use crate::retrieval::{Preview, Reason, StorePart, Verdict};

/// Columns of a list that has room for bars beside titles.
const WITH_BARS: usize = 56;
/// Cells of the score's bar.
const BAR: usize = 13;

pub fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    if areas.list.is_empty() {
        return;
    }
    let inject = &model.inject;
    let preview = inject.preview();
    let (title, note) = if inject.offers() {
        let all = &inject.saved.all;
        let passed = all.iter().filter(|(_, judged)| judged.has_passed());
        (
            "Saved tasks",
            format!("{} of {} pass", passed.count(), all.len()),
        )
    } else {
        let note = preview.map(|preview| match counts(model, preview) {
            (Some(places), selected) => {
                let unwritten = (0..inject.cut).filter_map(|row| inject.on(row));
                let unwritten = unwritten.filter(|verdict| verdict.is_unwritten).count();
                let written = match unwritten {
                    0 => String::new(),
                    _ => format!(", {} in the prompt", selected - unwritten),
                };
                format!(
                    "{} {selected} of {places}{written}",
                    gauge(selected, places)
                )
            }
            // An agent is given a list of names alone.
            (None, 0) if !shown_prompt(model, preview).is_empty() => "names only".to_owned(),
            (None, selected) => words::number(selected),
        });
        ("Would be injected", note.unwrap_or_default())
    };
    if areas.room > Room::Tiny {
        let focused = matches!(model.focus(), Focus::Pane(Pane::List) | Focus::Task);
        let title = vec![pen.text(Role::Title, title)];
        pen.frame(areas.list, areas.borders, focused, (title, &note, ""));
    }
    let mut list = areas.rows;
    if !inject.has_text() && (inject.offers() || preview.is_none()) {
        // Below the saved tasks, or the words that stand in their place.
        let stores = u16::try_from(model.browse.every_session.len()).unwrap_or(0);
        list.height -= (stores + 1).min(list.height / 2);
        every_session(pen, model, below(areas.rows, list.height));
    }
    match preview {
        _ if inject.offers() => saved::draw(pen, model, list),
        Some(preview) => rows(pen, model, areas, preview),
        None if inject.is_set() => {
            empty::say(pen, areas.rows, &[(Role::Muted, "ranking …".to_owned())]);
        }
        None => {
            let what = "What would an agent be given?".to_owned();
            empty::say(pen, list, &[(Role::Title, what)]);
        }
    }
}

/// Draws what every session is given of each store, whatever the task; each limit with a gauge.
fn every_session(pen: &mut Pen<'_>, model: &Model, area: Rect) {
    let counted = &model.browse.every_session;
    let stores = model.opened.iter().filter_map(|(store, path)| {
        let given = counted.get(store).filter(|given| given.tokens > 0)?;
        let mut all = model.world.memories.iter();
        let is_context = all.any(|one| one.schema.can.context && one.id.store == *store);
        let shown = if is_context { "context files" } else { path };
        Some((given, shown))
    });
    let stores: Vec<_> = stores.collect();
    let total: usize = stores.iter().map(|(given, _)| given.tokens).sum();
    if stores.is_empty() {
        return;
    }
    let note = format!(" {} tokens", words::number(total));
    let width = usize::from(area.width);
    let rule = width.saturating_sub(safe::width(&note) + 15);
    let head = vec![
        pen.text(Role::Title, " EVERY SESSION "),
        pen.text(Role::Border, &"─".repeat(rule)),
        pen.text(Role::Muted, &note),
    ];
    pen.line(area, 0, head);
    let path = stores.iter().map(|(_, path)| safe::width(path)).max();
    let path = path.unwrap_or_default().min(width / 2);
    for (row, (given, shown)) in (1..area.height).zip(stores) {
        let tokens = safe::pad_left(&words::number(given.tokens), 7);
        let limits = given.limits.iter().map(|(used, of, unit)| {
            let (bar, used, of) = (gauge(*used, *of), words::number(*used), words::number(*of));
            format!("  {used} of {of} {unit} {bar}")
        });
        let text = format!("{tokens} tokens{}", limits.collect::<String>());
        let spans = vec![
            pen.text(Role::Ok, " ✓ "),
            pen.text(Role::Text, &safe::pad(shown, path)),
            pen.text(Role::Muted, &text),
        ];
        pen.line(area, row, fit_spans(spans, width));
    }
}

/// The places of the shown part of a preview, and how many are taken.
fn counts(model: &Model, preview: &Preview) -> (Option<usize>, usize) {
    let all = (preview.places, preview.selected.len());
    let part = model.inject.part();
    part.map_or(all, |part| (part.places, part.selected))
}

/// Draws the lines on the screen: rows, hints, and the line between in and out, which is always
/// there: where it would be out of sight it stands at the nearer edge.
fn rows(pen: &mut Pen<'_>, model: &Model, areas: &Areas, preview: &Preview) {
    let inject = &model.inject;
    let (top, cut) = (inject.cursor.top, inject.cut);
    let height = usize::from(areas.rows.height);
    for line in 0..areas.rows.height {
        let row = match inject.dividers.at(top + usize::from(line)) {
            Ok(row) => row,
            Err(n) => {
                let head = n.checked_sub(1).and_then(|n| inject.heads.get(n));
                let words = head.map_or(String::new(), |head| head_words(model, head));
                pen.cut(areas.rows, line, Role::Muted, &words);
                continue;
            }
        };
        let Some(verdict) = inject.on(row) else {
            break;
        };
        let here = row == inject.cursor.row;
        let mut spans = vec![pen.theme.mark(here)];
        spans.extend(verdict_spans(pen, model, areas, (row, verdict)));
        pen.row(areas.rows, line, here, spans);
    }
    let last = height.saturating_sub(1);
    if let Ok(at) = u16::try_from(cut.saturating_sub(top).min(last))
        && last > 0
    {
        let rows = areas.rows;
        let line = Rect::new(rows.x, rows.y + at, rows.width, 1);
        pen.clear(line);
        let words = cut_words(model, preview);
        let rest = usize::from(line.width).saturating_sub(safe::width(&words) + 1);
        let text = format!("─{words}{}", "─".repeat(rest));
        pen.cut(line, 0, Role::CutLine, &text);
    }
}

/// The words above a group of near misses: the reason, unless the group before has it, and the hint.
fn head_words(model: &Model, (row, hint): &(usize, String)) -> String {
    let reason = |row: usize| model.inject.on(row).map(|verdict| verdict.reason);
    let is_said = row.checked_sub(1).and_then(reason) == reason(*row);
    let own = reason(*row).map(|reason| because(reason).0.to_owned());
    let own = own.filter(|own| !is_said && !hint.starts_with(own) || hint.is_empty());
    let hint = Some(words::hint(hint)).filter(|hint| !hint.is_empty());
    format!(" {}", own.into_iter().chain(hint).join(": "))
}

fn shown_prompt<'a>(model: &'a Model, preview: &'a Preview) -> &'a str {
    let part = model.inject.part();
    part.map_or(&preview.prompt, |part| &part.prompt)
}

/// The words on the line between in and out: how many places there are and how many are free.
fn cut_words(model: &Model, preview: &Preview) -> String {
    let (places, selected) = counts(model, preview);
    let over = model.inject.on(model.inject.cut);
    let over = over.map(|verdict| verdict.reason);
    let part = model.inject.part();
    let left = part.map_or(preview.rejected_total, |part| part.rejected);
    match places {
        // If places are divided among layers, those of one layer are no use to another.
        Some(places) if over == Some(Reason::OverLimit) && selected < places => {
            format!(" {selected} of {places} places, no other fits ")
        }
        Some(places) => {
            let noun = if places == 1 { "place" } else { "places" };
            match places.saturating_sub(selected) {
                0 => format!(" {places} {noun}, none free "),
                free => format!(" {places} {noun}, {free} free "),
            }
        }
        None if over == Some(Reason::Reachable) => {
            " not loaded; what the task is about comes first ".to_owned()
        }
        None if left == 0 => " nothing is left out ".to_owned(),
        None if model.inject.rows() == model.inject.cut => {
            format!(
                " {} left out: the task has nothing of them ",
                words::number(left)
            )
        }
        None => " the rest is left out ".to_owned(),
    }
}

/// Draws the stores of the preview with their counts, between the keys that switch them; the shown
/// one is highlighted and says its limit.
pub fn stores(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let parts = model.inject.parts();
    if areas.stores.is_empty() || parts.is_empty() {
        return;
    }
    let (back, on) = (model.key("previous-store"), model.key("next-store"));
    let is_shown = |part: &StorePart| Some(&part.store) == model.inject.store.as_ref();
    let shown = parts.iter().position(is_shown).unwrap_or(0);
    let label = |(n, part): (usize, &StorePart)| {
        let text = format!("{} {}", store_name(model, &part.store), part.selected);
        let limit = match part.places {
            _ if n != shown => String::new(),
            _ if part.is_always && part.selected > 0 => ", always".to_owned(),
            places => places.map_or(String::new(), |places| format!(" of {places}")),
        };
        let role = Role::either(n == shown, Role::HeaderActive, Role::Muted);
        let gap = if n + 1 < parts.len() { " │ " } else { "" };
        let text = format!("{text}{limit}");
        vec![pen.text(role, &text), pen.text(Role::Border, gap)]
    };
    let labels: Vec<_> = parts.iter().enumerate().map(label).collect();
    let width = usize::from(areas.stores.width);
    let room = width.saturating_sub(safe::width(&back) + safe::width(&on) + 3);
    let mut spans = vec![pen.text(Role::StatusKey, &format!(" {back} "))];
    spans.extend(strip(&labels, shown, room));
    spans.push(pen.text(Role::StatusKey, &format!(" {on}")));
    pen.line(areas.stores, 0, spans);
}

/// Rank, points, bar, title, the own part of a hint, and where an edit moves it.
fn verdict_spans(pen: &Pen<'_>, model: &Model, areas: &Areas, of: (usize, &Verdict)) -> Spans {
    let (row, verdict) = of;
    let selected = verdict.reason == Reason::Selected;
    let memory = model.inject.memory_of(verdict);
    let title = memory.map_or(Cow::Borrowed(""), |memory| words::title(memory));
    let width = usize::from(areas.rows.width);
    let role = if selected { Role::Text } else { Role::Muted };
    let rank = verdict.rank.map_or("·".to_owned(), |rank| rank.to_string());
    let mut spans = vec![pen.text(role, &safe::pad_left(&rank, 3))];
    // If a policy gives no points, the title has their room.
    let best = memory.map_or(0.0, |memory| model.inject.best(&memory.id.store));
    let has_points = verdict.score.is_some() || !selected && best > 0.0;
    if has_points {
        let score = verdict.score.map_or(String::new(), words::points);
        spans.push(pen.text(role, &safe::pad_left(&score, 5)));
    }
    spans.push(Span::raw("  "));
    if areas.room >= Room::Medium && width >= WITH_BARS && has_points && selected {
        // Scores go to one or to a hundred.
        let most = match best > 2.0 || best <= 0.0 {
            true => 100.0,
            false => best,
        };
        let part = verdict.score.unwrap_or(0.0) / most;
        spans.push(pen.text(Role::ScoreBar, &safe::pad(&bar(part, BAR), BAR)));
        spans.push(Span::raw("  "));
    }
    // The effect of the present edit: `2 → 1`, `out → 4`.
    let moved = model.inject.moved(verdict);
    let moved = moved.map_or(String::new(), |[before, after]| {
        format!("  {before} → {after}")
    });
    let caveat = memory.and_then(|memory| model.caveats(&memory.id).next());
    let mark = caveat.map_or(String::new(), |(mark, _)| format!(" {mark}"));
    let own = match selected {
        true => verdict.is_unwritten.then(|| "not in the prompt".to_owned()),
        false => model.inject.own_hint(row),
    };
    let own = own.map_or(String::new(), |own| {
        format!("  {}", safe::fit(&own, width / 2))
    });
    let taken = columns(&spans) + safe::width(&own) + safe::width(&moved) + safe::width(&mark);
    let room = width.saturating_sub(1 + taken);
    spans.push(pen.text(role, &safe::pad(&title, room)));
    spans.push(pen.text(Role::Muted, &own));
    spans.push(pen.text(Role::Warning, &mark));
    spans.push(pen.text(Role::Changed, &moved));
    spans
}

/// Draws the prompt; how far it can be scrolled.
pub fn prompt(pen: &mut Pen<'_>, model: &Model, areas: &Areas) -> usize {
    if areas.below.is_empty() {
        return 0;
    }
    let area = inset(areas.prompt, 1, 1);
    let mut sheet = Sheet::new(pen.theme, area, model.inject.scroll);
    sheet.title = "Prompt".to_owned();
    if let Some(preview) = model.inject.preview() {
        let prompt = shown_prompt(model, preview);
        let part = model.inject.part();
        let own = tokens_of(prompt.len());
        let (bar, tokens) = match preview.budget {
            Some(budget) => (
                format!("{} ", gauge(own, budget)),
                format!("{} of {} tokens", words::number(own), words::number(budget)),
            ),
            None => (String::new(), words::count(own, "token", "tokens")),
        };
        let together = part.map(|_| format!(" · {} together", words::number(preview.tokens())));
        let together = together.unwrap_or_default();
        // The frame leaves out a note that it has no room for.
        let notes = [format!("{bar}{tokens}{together}"), format!("{bar}{tokens}")];
        let fits = |note: &String| safe::width(note) + 10 <= area.width.into();
        sheet.note = notes.into_iter().find(fits).unwrap_or(tokens);
        if prompt.is_empty() {
            sheet.line(Role::Faint, "nothing is injected");
        }
        raw_lines(&mut sheet, prompt);
        let skill = part.map_or(preview.skill.as_ref(), |part| part.skill.as_ref());
        if let Some(skill) = skill.filter(|_| !sheet.more) {
            let tokens = words::count(tokens_of(skill.len()), "token", "tokens");
            sheet.gap();
            let head = format!("── skill, beside the prompt · {tokens} ──");
            sheet.line(Role::Border, &head);
            sheet.gap();
            raw_lines(&mut sheet, skill);
        }
    }
    let focused = matches!(model.focus(), Focus::Pane(Pane::Prompt));
    pen.frame(areas.below, areas.borders, focused, sheet.words());
    sheet.draw(pen, area, model.inject.scroll)
}

/// Puts a text on a sheet as it is, lines broken where they are too long.
fn raw_lines(sheet: &mut Sheet<'_>, text: &str) {
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        match line.get(..indent) {
            Some(lead) if indent < line.len() => {
                let lead = safe::width(lead).min(sheet.width / 2);
                sheet.indented(Role::Text, line, lead);
            }
            _ => sheet.gap(),
        }
        if sheet.lines.len() > sheet.most {
            sheet.more = true;
            return;
        }
    }
}
