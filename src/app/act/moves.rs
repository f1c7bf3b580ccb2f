//! Moving: rows, lines, panes, picking, findings. None of it changes a store.

use super::super::layout::areas;
use super::super::lints::Row;
use super::super::msg::Effect;
use super::super::{Model, Page, Pane, View, pair};
use crate::memory::Severity;

type Effects = Vec<Effect>;

/// Rows of what moves, on the screen.
fn height(model: &Model) -> isize {
    let areas = areas(model);
    let area = match model.pane {
        Pane::List => areas.rows,
        Pane::Side => areas.page,
        Pane::Prompt => areas.prompt,
    };
    isize::try_from(area.height).unwrap_or(1).max(1)
}

/// Goes to a row of the list.
pub fn go(model: &mut Model, row: usize) {
    match model.view {
        View::Browse => model.browse.go(&model.world, row),
        View::Inject => model.inject.go(row),
        View::Lint => model.lints.go(&model.world, row),
    }
    model.page = Page::Usual;
}

/// The row the person stands on, and the number of rows.
fn row(model: &Model) -> (usize, usize) {
    match model.view {
        View::Browse => (model.browse.cursor.row, model.browse.rows.len()),
        View::Inject => (model.inject.cursor.row, model.inject.rows()),
        View::Lint => (model.lints.cursor.row, model.lints.rows.len()),
    }
}

/// Moves what has the keys.
fn step(model: &mut Model, by: isize) -> Effects {
    // They have the whole screen.
    if matches!(model.page, Page::Pair(_)) {
        scroll(model, Pane::Side, by);
        return Vec::new();
    }
    match model.pane {
        Pane::List => {
            let (row, rows) = row(model);
            if rows > 0 {
                go(model, row.saturating_add_signed(by));
            }
        }
        pane => scroll(model, pane, by),
    }
    Vec::new()
}

/// Scrolls a pane that is no list.
pub fn scroll(model: &mut Model, pane: Pane, by: isize) {
    let (at, most) = match (pane, &mut model.page) {
        (Pane::Prompt, _) => (&mut model.inject.scroll, model.extents.prompt),
        (_, Page::Fix(proposal)) => (&mut proposal.scroll, model.extents.page),
        (_, Page::Pair(pair)) => (&mut pair.scroll, model.extents.page),
        _ => (&mut model.reading.scroll, model.extents.page),
    };
    *at = (*at).min(most).saturating_add_signed(by).min(most);
}

pub fn down(model: &mut Model) -> Effects {
    step(model, 1)
}

pub fn up(model: &mut Model) -> Effects {
    step(model, -1)
}

pub fn half_down(model: &mut Model) -> Effects {
    let half = (height(model) / 2).max(1);
    step(model, half)
}

pub fn half_up(model: &mut Model) -> Effects {
    let half = (height(model) / 2).max(1);
    step(model, -half)
}

pub fn page_down(model: &mut Model) -> Effects {
    let page = height(model);
    step(model, page)
}

pub fn page_up(model: &mut Model) -> Effects {
    let page = height(model);
    step(model, -page)
}

pub fn first(model: &mut Model) -> Effects {
    step(model, isize::MIN)
}

pub fn last(model: &mut Model) -> Effects {
    step(model, isize::MAX)
}

pub fn side_down(model: &mut Model) -> Effects {
    scroll(model, Pane::Side, 1);
    Vec::new()
}

pub fn side_up(model: &mut Model) -> Effects {
    scroll(model, Pane::Side, -1);
    Vec::new()
}

pub fn open(model: &mut Model) -> Effects {
    let finding = model.current_finding().and_then(|n| model.world.finding(n));
    if model.view == View::Lint && finding.is_some_and(pair::asks) {
        return super::pairs::open(model);
    }
    if model.pane == Pane::List {
        model.pane = Pane::Side;
    }
    Vec::new()
}

/// One step back, from the innermost thing that is open.
pub fn back(model: &mut Model) -> Effects {
    let behind = match &mut model.page {
        Page::Fix(proposal) => proposal.behind.take(),
        _ => None,
    };
    let browse = &mut model.browse;
    if let Some(pair) = behind {
        model.page = Page::Pair(pair);
    } else if !matches!(model.page, Page::Usual) {
        model.page = Page::Usual;
    } else if model.pane != Pane::List {
        model.pane = Pane::List;
    } else if browse.range.is_some() {
        browse.range = None;
    } else if model.view == View::Lint && browse.filter.is_on() {
        browse.filter.line.clear();
    } else if model.view != View::Browse {
        super::views::browse(model);
    } else if !browse.picked.is_empty() {
        browse.picked.clear();
    } else if browse.filter.is_on() {
        browse.filter.line.clear();
    } else if model.zoom {
        model.zoom = false;
    } else {
        let quit = model.keymap.label("quit").unwrap_or_default();
        model
            .status
            .say(format!("nothing is open · {quit} quits"), None);
    }
    Vec::new()
}

/// The panes of the view, in the order of Tab.
const fn panes(model: &Model) -> &'static [Pane] {
    match model.view {
        View::Inject => &[Pane::List, Pane::Side, Pane::Prompt],
        View::Browse | View::Lint => &[Pane::List, Pane::Side],
    }
}

fn turn(model: &mut Model, by: usize) -> Effects {
    let panes = panes(model);
    let now = panes.iter().position(|pane| *pane == model.pane);
    let next = (now.unwrap_or(0) + by) % panes.len();
    model.pane = panes.get(next).copied().unwrap_or_default();
    Vec::new()
}

pub fn next_pane(model: &mut Model) -> Effects {
    turn(model, 1)
}

pub fn previous_pane(model: &mut Model) -> Effects {
    let back = panes(model).len() - 1;
    turn(model, back)
}

pub fn pick(model: &mut Model) -> Effects {
    let Some(memory) = model.current().cloned() else {
        return Vec::new();
    };
    keep_range(model);
    if !model.browse.picked.remove(&memory.id) {
        model.browse.picked.insert(memory.id.clone());
    }
    down(model)
}

/// A range that is being picked becomes picked memories.
fn keep_range(model: &mut Model) {
    let browse = &model.browse;
    let rows = (0..browse.rows.len()).filter(|row| browse.in_range(*row));
    let ids: Vec<_> = rows
        .filter_map(|row| browse.on(&model.world, row))
        .map(|memory| memory.id.clone())
        .collect();
    model.browse.picked.extend(ids);
    model.browse.range = None;
}

pub fn range(model: &mut Model) -> Effects {
    if model.browse.range.is_some() {
        keep_range(model);
    } else {
        model.browse.range = Some(model.browse.cursor.row);
    }
    Vec::new()
}

pub fn pick_all(model: &mut Model) -> Effects {
    let browse = &mut model.browse;
    let listed = browse
        .rows
        .iter()
        .filter_map(|n| model.world.memory(*n as usize));
    if browse.picked.len() >= browse.rows.len() {
        browse.picked.clear();
    } else {
        browse.picked = listed.map(|memory| memory.id.clone()).collect();
    }
    browse.range = None;
    Vec::new()
}

pub fn next_finding(model: &mut Model) -> Effects {
    finding(model, true)
}

pub fn previous_finding(model: &mut Model) -> Effects {
    finding(model, false)
}

/// The next finding that is more than a suggestion; where there is none, the next suggestion.
fn finding(model: &mut Model, forward: bool) -> Effects {
    let side_by_side = matches!(model.page, Page::Pair(_));
    model.page = Page::Usual;
    go_to_finding(model, forward);
    if side_by_side {
        return super::pairs::open(model);
    }
    Vec::new()
}

fn go_to_finding(model: &mut Model, forward: bool) {
    if model.view != View::Browse {
        super::views::lint(model);
        let on = |model: &Model, row: usize, weighty: bool| match model.lints.rows.get(row) {
            Some(Row::Finding(n)) => count(model, &[*n], weighty) > 0,
            _ => false,
        };
        let (row, rows) = (model.lints.cursor.row, model.lints.rows.len());
        let found = [true, false]
            .into_iter()
            .find_map(|weighty| after(row, rows, forward, |row| on(model, row, weighty)));
        model.lints.go(&model.world, found.unwrap_or(row));
        return;
    }
    if !in_list(model, forward, true) && !in_list(model, forward, false) {
        model.status.say("no listed memory has a finding", None);
    }
}

/// Goes to the next finding: of this memory, else of the next listed memory that has one. False
/// where none has.
fn in_list(model: &mut Model, forward: bool, weighty: bool) -> bool {
    let on = |model: &Model, row: usize| {
        let memory = model.browse.on(&model.world, row);
        memory.map_or(0, |memory| {
            count(model, model.world.findings_of(&memory.id), weighty)
        })
    };
    let (row, rows) = (model.browse.cursor.row, model.browse.rows.len());
    let here = on(model, row);
    let inside = match (model.finding_of_current(), forward) {
        (Some(at), true) => Some(at + 1),
        (Some(at), false) => at.checked_sub(1),
        (None, _) => Some(0),
    };
    let at = match inside.filter(|at| *at < here) {
        Some(at) => at,
        None => {
            let Some(to) = after(row, rows, forward, |row| on(model, row) > 0) else {
                return false;
            };
            model.browse.go(&model.world, to);
            if forward { 0 } else { on(model, to) - 1 }
        }
    };
    model.finding = model.current().map(|memory| (memory.id.clone(), at));
    true
}

/// The next row that fits, past the end from the beginning on; the row itself comes last.
fn after(row: usize, rows: usize, forward: bool, fits: impl Fn(usize) -> bool) -> Option<usize> {
    (1..=rows)
        .map(|n| (row + if forward { n } else { rows - n }) % rows)
        .find(|row| fits(*row))
}

/// How many of these findings, which are sorted worst first, are looked at one after the other.
fn count(model: &Model, findings: &[usize], weighty: bool) -> usize {
    if !weighty {
        return findings.len();
    }
    let found = findings.iter().map_while(|n| model.world.finding(*n));
    found
        .take_while(|finding| finding.severity < Severity::Info)
        .count()
}
