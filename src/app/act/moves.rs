//! Moving: rows, lines, panes, picking, findings. None of it changes a store.

use super::super::layout::areas;
use super::super::msg::Effect;
use super::super::{Model, Page, Pane, View};

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
    if model.pane == Pane::List {
        model.pane = Pane::Side;
    }
    Vec::new()
}

/// One step back, from the innermost thing that is open.
pub fn back(model: &mut Model) -> Effects {
    let browse = &mut model.browse;
    if !matches!(model.page, Page::Usual) {
        model.page = Page::Usual;
    } else if model.pane != Pane::List {
        model.pane = Pane::List;
    } else if browse.range.is_some() {
        browse.range = None;
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

/// The next finding: of this memory, else of the next listed memory that has one.
fn finding(model: &mut Model, forward: bool) -> Effects {
    if model.view != View::Browse {
        super::views::lint(model);
        let by = if forward { 1 } else { -1 };
        let pane = std::mem::replace(&mut model.pane, Pane::List);
        let effects = step(model, by);
        model.pane = pane;
        return effects;
    }
    model.page = Page::Usual;
    let row = model.browse.cursor.row;
    let here = findings_on(model, row);
    let at = model.finding_of_current();
    let inside = match (at, forward) {
        (Some(at), true) => (at + 1 < here).then_some(at + 1),
        (Some(at), false) => at.checked_sub(1),
        (None, _) => (here > 0).then_some(0),
    };
    if let Some(at) = inside {
        look_at(model, at);
        return Vec::new();
    }
    let rows = model.browse.rows.len();
    let found = (1..=rows)
        .map(|n| (row + if forward { n } else { rows - n }) % rows)
        .find(|row| findings_on(model, *row) > 0);
    match found {
        Some(to) => {
            let last = findings_on(model, to).saturating_sub(1);
            model.browse.go(&model.world, to);
            look_at(model, if forward { 0 } else { last });
        }
        None => model.status.say("no listed memory has a finding", None),
    }
    Vec::new()
}

/// How many findings the memory on a row has.
fn findings_on(model: &Model, row: usize) -> usize {
    let memory = model.browse.on(&model.world, row);
    memory.map_or(0, |memory| model.world.findings_of(&memory.id).len())
}

/// Looks at one of the findings of the current memory.
fn look_at(model: &mut Model, at: usize) {
    model.finding = model.current().map(|memory| (memory.id.clone(), at));
}
