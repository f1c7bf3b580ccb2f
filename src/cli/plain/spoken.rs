//! The state of the program in words: rows, the right side, windows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::super::prelude::*;
use crate::app::browse::{Heading, Section};
use crate::app::layout::areas;
use crate::app::lints::Row;
use crate::app::overlay::Overlay;
use crate::app::queue::Decision;
use crate::app::{Model, Pane, Scope, View, command};
use crate::retrieval::{Reason, Verdict};
use crate::text::rule_pages;
use crate::ui::theme::{Depth, Theme};
use crate::ui::{view, words};

/// Columns of what is read out: below this width nothing has a border or stands side by side.
pub const WIDTH: u16 = 99;
const LINES: u16 = 400;

/// The rows around the selected one, each behind its number.
pub fn list(model: &Model, most: usize) -> Vec<String> {
    let (count, row) = (count(model), model.row());
    let first = row / most * most;
    let last = count.min(first + most);
    let mut out: Vec<String> = (first..last).flat_map(|row| lines(model, row)).collect();
    let (first, row) = (count.min(first + 1), count.min(row + 1));
    out.push(format!("rows {first} to {last} of {count}; on row {row}"));
    out
}

/// Number of rows: of the list, or of the saved tasks that are offered in its place.
pub fn count(model: &Model) -> usize {
    match model.view == View::Inject && model.inject.offers() {
        true => model.inject.saved.all.len(),
        false => model.rows(),
    }
}

/// The lines of a row: the heading that it begins, and the row behind its number.
pub fn lines(model: &Model, row: usize) -> Vec<String> {
    let mut headings = model.browse.headings.iter();
    let heading = headings.find(|one| model.view == View::Browse && one.row == row);
    let head = heading.map(|one| format!("{}:", section(one)));
    let text = match model.view {
        View::Browse => match model.browse.on(&model.world, row) {
            Some(memory) => Some(memory_line(model, memory)),
            None => Some(match model.browse.deleted_at(&model.world, row) {
                Some((_, title)) => format!("{}; deleted", mask(title)),
                None => "folded; open lists them".to_owned(),
            }),
        },
        View::Inject if model.inject.offers() => {
            let task = model.inject.saved.all.get(row);
            task.map(|(task, judged)| match judged.has_passed() {
                true => format!("{}: passes", task.name()),
                false => format!("{}: fails", task.name()),
            })
        }
        View::Inject => model.inject.on(row).map(|one| verdict_line(model, one)),
        View::Lint => {
            let rows = &model.lints.rows;
            rows.get(row).map(|one| finding_line(model, one))
        }
        View::Review => model.review.cards.get(row).map(|card| {
            let decision = model.review.decision(row).map_or("waits", Decision::word);
            let (title, group) = (mask(card.entry.title()), card.entry.group());
            format!("{title}; {group}; {decision}")
        }),
    };
    let text = text.map(|text| format!("{}. {text}", row + 1));
    head.into_iter().chain(text).collect()
}

fn section(heading: &Heading) -> String {
    let name = match &heading.section {
        Section::Waiting => "waiting for you".to_owned(),
        Section::Context => "context files".to_owned(),
        Section::Store(store) => format!("store {store}"),
    };
    let count = words::count(heading.count, "memory", "memories");
    format!("{name}, {count}")
}

/// A memory: its title, age and importance, and what is wrong with it.
fn memory_line(model: &Model, memory: &Memory) -> String {
    let mut parts = vec![words::title(memory).into_owned()];
    let age = model.world.written(memory);
    parts.extend(age.map(|(time, _)| words::ago(time, model.now)));
    let importance = memory.role(Role::Importance);
    parts.extend(importance.map(|value| format!("importance {value}")));
    let is_edited = model.world.is_edited(memory);
    let is_added = model.world.is_new(memory) && !is_edited;
    let states = [
        (model.browse.picked.contains(&memory.id), "selected"),
        (is_edited, "changed since the last commit"),
        (is_added, "new since the last commit"),
        (memory.state == State::Archived, "archived"),
        (memory.is_caution, "says what not to do"),
    ];
    let states = states.iter().filter(|(is_so, _)| *is_so);
    parts.extend(states.map(|(_, words)| (*words).to_owned()));
    let hidden = memory.hidden_at(model.now);
    parts.extend(hidden.map(|why| format!("not loaded: {why}")));
    let found = model.world.findings_of(&memory.id).iter();
    let found = found.filter_map(|n| model.world.finding(*n));
    let worst = found.min_by_key(|finding| finding.severity);
    let worst = worst.filter(|finding| finding.severity < Severity::Info);
    parts.extend(worst.map(|finding| {
        let title = rule_pages::title(finding.rule);
        format!("{}: {title}", finding.severity.word())
    }));
    parts.join("; ")
}

/// A row of lint: a rule, or a finding with its memory and the problem.
fn finding_line(model: &Model, row: &Row) -> String {
    match row {
        Row::Rule(rule, _, count) => format!("{}, {count}: {rule}", rule_pages::title(rule)),
        Row::Suggestions(_) => "suggestions; open lists them, fold folds them".to_owned(),
        Row::Finding(n) => {
            let finding = model.world.finding(*n);
            let memory = finding.and_then(|one| model.world.memory_of(one));
            let parts = [
                finding.map(|one| one.severity.word().to_owned()),
                memory.map(|memory| words::title(memory).into_owned()),
                finding.map(|one| one.message.clone()),
            ];
            parts.into_iter().flatten().join(": ")
        }
    }
}

/// A verdict: whether the memory is given, with its rank, points and what would bring it in.
fn verdict_line(model: &Model, verdict: &Verdict) -> String {
    let memory = model.inject.memory_of(verdict);
    let title = memory.map(|memory| words::title(memory).into_owned());
    let points = verdict.score.map(words::points);
    let points = points.map(|points| format!(", {points} points"));
    let state = match (verdict.reason, verdict.rank) {
        (Reason::Selected, Some(rank)) => format!("given as number {rank}"),
        (Reason::Selected, None) => "given".to_owned(),
        (other, _) => format!("not given, {}", other.word().replace('_', " ")),
    };
    let hint = verdict.hint.as_deref().map(words::hint);
    let hint = hint.map(|hint| format!("; {hint}"));
    let (points, hint) = (points.unwrap_or_default(), hint.unwrap_or_default());
    format!("{state}{points}: {}{hint}", title.unwrap_or_default())
}

/// The open window, or the line that waits for text.
pub fn question(model: &Model) -> Vec<String> {
    match &model.overlay {
        Some(Overlay::Pick(picker)) => {
            let choices = picker.choices.iter().zip(1..);
            let choices = choices.map(|(one, n)| format!("{n}. {}: {}", one.name, one.text));
            let title = format!("{}: which one?", picker.title);
            [title].into_iter().chain(choices).collect()
        }
        Some(Overlay::Ask(question, line)) => {
            let [asks, example, _] = question.words();
            let suggested = Some(line.text()).filter(|text| !text.is_empty());
            let suggested = suggested.map(|text| format!("suggested: {text}"));
            let first = format!("{asks} {example}");
            [first].into_iter().chain(suggested).collect()
        }
        _ if model.browse.filter.editing => vec!["filter: type what is looked for".to_owned()],
        _ => vec!["task: type what an agent is about to do".to_owned()],
    }
}

/// The right side as text: what the screen would draw alone, without its lines and bars.
pub fn side(model: &mut Model, pane: Pane) -> Vec<String> {
    let before = (model.size, model.zoom, model.pane);
    model.size = (WIDTH, LINES);
    model.zoom = true;
    model.pane = if pane == Pane::Prompt {
        pane
    } else {
        Pane::Side
    };
    let area = Rect::new(0, 0, WIDTH, LINES);
    let mut buffer = Buffer::empty(area);
    view(model, &Theme::dark().at(Depth::None), area, &mut buffer);
    let areas = areas(model);
    let shown = [areas.side, areas.below];
    let shown = shown.into_iter().find(|area| !area.is_empty());
    let shown = shown.unwrap_or_default();
    (model.size, model.zoom, model.pane) = before;
    let lines = (shown.top()..shown.bottom()).map(|y| text_of(&buffer, y));
    let lines = lines.take_while(|line| !line.contains("── next: "));
    let lines = lines.map(|line| line.replace(is_drawn, ""));
    let mut out: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
    out.extend(next_steps(model));
    out
}

fn text_of(buffer: &Buffer, y: u16) -> String {
    let cells = (0..buffer.area.width).filter_map(|x| buffer.cell((x, y)));
    let mut hidden = 0;
    let mut out = String::new();
    for cell in cells {
        if hidden == 0 {
            out.push_str(cell.symbol());
            hidden = crate::ui::safe::width(cell.symbol());
        }
        hidden = hidden.saturating_sub(1);
    }
    out
}

/// Lines, bars and marks that a screen reader would spell out.
const fn is_drawn(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{25ff}' | '✓' | '✗' | '›' | '↓')
}

fn next_steps(model: &Model) -> Option<String> {
    let scope = *model.pane_scopes(model.pane).first()?;
    if matches!(scope, Scope::List | Scope::Memory) {
        return None;
    }
    let own = command::all().filter(|one| one.scope == scope && one.applies(model).is_ok());
    let ids = own.map(|one| one.id).join(", ");
    Some(format!("commands: {ids}, back"))
}
