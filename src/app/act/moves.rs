//! Moving: rows, lines, panes, picking, findings. None of it changes a store.

use std::collections::HashSet;

use super::super::layout::areas;
use super::super::lints::Row;
use super::super::{Model, Page, Pane, View};
use crate::lint::Finding;
use crate::memory::Severity;

/// Rows of what moves, on the screen.
fn height(model: &Model) -> isize {
    let areas = areas(model);
    let area = match model.pane {
        _ if is_shown_first(model) => areas.page,
        Pane::List => areas.rows,
        Pane::Side => areas.page,
        Pane::Prompt => areas.prompt,
    };
    isize::try_from(area.height).unwrap_or(1).max(1)
}

/// True if the right side shows what is decided on next: until it is left or decided it has the
/// keys, for who moves on in a list has not seen the rest of it.
const fn is_shown_first(model: &Model) -> bool {
    match model.page {
        Page::Pair(_) | Page::Fix(_) | Page::Versions(_) => true,
        Page::Explain => matches!(model.view, View::Lint),
        Page::Usual => false,
    }
}

/// Goes to a row of the list.
pub fn go(model: &mut Model, row: usize) {
    match model.view {
        View::Browse => model.browse.go(&model.world, row),
        View::Inject => model.inject.go(row),
        View::Lint => model.lints.go(&model.world, row),
        View::Review => {
            model.review.go(row);
        }
    }
    model.page = Page::Usual;
}

/// The row the person stands on, and the number of rows.
fn row(model: &Model) -> (usize, usize) {
    match model.view {
        View::Browse => (model.browse.cursor.row, model.browse.rows.len()),
        View::Inject => (model.inject.cursor.row, model.inject.rows()),
        View::Lint => (model.lints.cursor.row, model.lints.rows.len()),
        View::Review => (model.review.cursor.row, model.review.cards.len()),
    }
}

/// Moves what has the keys.
pub fn step(model: &mut Model, by: isize) {
    if is_shown_first(model) {
        scroll(model, Pane::Side, by);
        return;
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
}

/// Moves by half a page.
pub fn half(model: &mut Model, by: isize) {
    let half = (height(model) / 2).max(1);
    step(model, half * by);
}

/// Moves by a page.
pub fn page(model: &mut Model, by: isize) {
    let page = height(model);
    step(model, page * by);
}

/// Scrolls a pane that is no list.
pub fn scroll(model: &mut Model, pane: Pane, by: isize) {
    let (at, most) = match (pane, &mut model.page) {
        (Pane::Prompt, _) => (&mut model.inject.scroll, model.extents.prompt),
        (_, Page::Fix(proposal)) => (&mut proposal.scroll, model.extents.page),
        (_, Page::Pair(pair)) => (&mut pair.scroll, model.extents.page),
        (_, Page::Versions(versions)) => (&mut versions.scroll, model.extents.page),
        _ => (&mut model.reading.scroll, model.extents.page),
    };
    *at = (*at).min(most).saturating_add_signed(by).min(most);
}

pub fn open(model: &mut Model) {
    let finding = model.current_finding().and_then(|n| model.world.finding(n));
    if model.view == View::Lint && finding.is_some_and(Finding::asks) {
        return super::pairs::open(model);
    }
    if model.view == View::Lint && model.pane == Pane::List && unfolds(model) {
        return;
    }
    if model.pane == Pane::List {
        model.pane = Pane::Side;
    }
}

/// Lists the findings that are folded into the row the person stands on, where that is such a row.
fn unfolds(model: &mut Model) -> bool {
    let Some(rule) = model.lints.folded() else {
        return false;
    };
    model.lints.unfold(rule);
    model.arrange_lints();
    true
}

/// One step back, from the innermost thing that is open.
pub fn back(model: &mut Model) {
    let behind = match &mut model.page {
        Page::Fix(proposal) => proposal.behind.take(),
        _ => None,
    };
    let browse = &mut model.browse;
    if let Some(page) = behind {
        model.page = *page;
    } else if !matches!(model.page, Page::Usual) {
        model.page = Page::Usual;
    } else if model.pane != Pane::List {
        model.pane = Pane::List;
    } else if browse.range.is_some() {
        browse.range = None;
    } else if model.view == View::Lint && browse.filter.is_on() {
        browse.filter.line.clear();
    } else if model.view != View::Browse {
        model.show(View::Browse);
    } else if !browse.picked.is_empty() {
        browse.picked.clear();
    } else if browse.filter.is_on() {
        // The selected memory stays selected when the filter is removed.
        browse.go(&model.world, browse.cursor.row);
        browse.filter.line.clear();
    } else if model.zoom {
        model.zoom = false;
    } else {
        let quit = model.keymap.label("quit").unwrap_or_default();
        model
            .status
            .say(format!("nothing is open · {quit} quits"), None);
    }
}

/// The panes of the view, in the order of Tab.
const fn panes(model: &Model) -> &'static [Pane] {
    match model.view {
        View::Inject => &[Pane::List, Pane::Side, Pane::Prompt],
        View::Browse | View::Lint | View::Review => &[Pane::List, Pane::Side],
    }
}

/// Gives the keys to the next pane, or to the one before.
pub fn turn(model: &mut Model, forward: bool) {
    let panes = panes(model);
    let now = panes.iter().position(|pane| *pane == model.pane);
    let by = if forward { 1 } else { panes.len() - 1 };
    let next = (now.unwrap_or(0) + by) % panes.len();
    model.pane = panes.get(next).copied().unwrap_or_default();
}

pub fn pick(model: &mut Model) {
    let Some(memory) = model.current().cloned() else {
        return;
    };
    keep_range(model);
    if !model.browse.picked.remove(&memory.id) {
        model.browse.picked.insert(memory.id.clone());
    }
    step(model, 1);
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

pub fn range(model: &mut Model) {
    if model.browse.range.is_some() {
        keep_range(model);
    } else {
        model.browse.range = Some(model.browse.cursor.row);
    }
}

/// Picks all listed memories but the loose matches, or none.
pub fn pick_all(model: &mut Model) {
    let browse = &mut model.browse;
    if browse.close == 0 && browse.loose() > 0 {
        let key = model.keymap.label("select").unwrap_or_default();
        let hint = format!("{key} selects one of them");
        let what = "only loose matches: nothing selected";
        model.status.say(what, Some(&hint));
        return;
    }
    let close = browse.rows.iter().take(browse.close);
    let close = close.filter_map(|n| model.world.memory(*n as usize));
    let own = close.filter(|memory| !memory.schema.can.context);
    let all = own.map(|memory| memory.id.clone()).collect();
    browse.picked = match browse.picked.is_superset(&all) {
        true => HashSet::new(),
        false => all,
    };
    browse.range = None;
}

/// Goes to the next finding, or to the one before.
pub fn finding(model: &mut Model, forward: bool) {
    let side_by_side = matches!(model.page, Page::Pair(_));
    model.page = Page::Usual;
    let before = model.current_finding().map(|n| is_weighty(model, n));
    if model.view == View::Browse {
        in_list(model, forward);
    } else {
        model.show(View::Lint);
        in_findings(model, forward);
    }
    let now = model.current_finding().map(|n| is_weighty(model, n));
    if forward && (before, now) == (Some(true), Some(false)) {
        let what = "end of errors and warnings; suggestions follow";
        model.status.say(what, None);
    }
    if side_by_side {
        super::pairs::open(model);
    }
}

/// True if a finding is more than a suggestion.
fn is_weighty(model: &Model, finding: usize) -> bool {
    let finding = model.world.finding(finding);
    finding.is_some_and(|finding| finding.severity < Severity::Info)
}

/// Errors and warnings come first, from the top of the list to its end; then suggestions do, from
/// the top again. Which of the two are looked for, and where, from one of them on.
fn rounds(current: Option<bool>) -> [(bool, Round); 3] {
    let own = current.unwrap_or(true);
    [(own, Round::On), (!own, Round::Anew), (own, Round::Anew)]
}

/// The part of the list that is searched for a finding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// Beyond the row one stands on.
    On,
    /// In all rows.
    Anew,
}

/// The next row of a round that fits.
fn row_of(
    (row, rows): (usize, usize),
    (round, forward): (Round, bool),
    fits: impl Fn(usize) -> bool,
) -> Option<usize> {
    let range = match (round, forward) {
        (Round::Anew, _) => 0..rows,
        (Round::On, true) => row.saturating_add(1)..rows,
        (Round::On, false) => 0..row.min(rows),
    };
    let mut rows = range;
    if forward {
        rows.find(|row| fits(*row))
    } else {
        rows.rfind(|row| fits(*row))
    }
}

/// Goes to the next finding in the list of findings.
fn in_findings(model: &mut Model, forward: bool) {
    let next = model.lints.cursor.row + 1;
    if forward && matches!(model.lints.rows.get(next), Some(Row::More { .. })) {
        model.lints.go(&model.world, next);
        unfolds(model);
        return;
    }
    let of = |row: usize| match model.lints.rows.get(row) {
        Some(Row::Finding(n)) => Some(*n),
        _ => None,
    };
    let place = (model.lints.cursor.row, model.lints.rows.len());
    let current = of(place.0).map(|n| is_weighty(model, n));
    let found = rounds(current).into_iter().find_map(|(weighty, round)| {
        let fits = |row| of(row).is_some_and(|n| is_weighty(model, n) == weighty);
        row_of(place, (round, forward), fits)
    });
    if let Some(row) = found {
        model.lints.go(&model.world, row);
    }
}

/// Goes to the next finding of this memory, else of the next listed memory that has one.
fn in_list(model: &mut Model, forward: bool) {
    let place = (model.browse.cursor.row, model.browse.rows.len());
    // Those of a memory are sorted worst first.
    let of = |row: usize, weighty: bool| {
        let memory = model.browse.on(&model.world, row);
        let found = memory.map_or(&[][..], |memory| model.world.findings_of(&memory.id));
        let worst = found.partition_point(|n| is_weighty(model, *n));
        if weighty {
            0..worst
        } else {
            worst..found.len()
        }
    };
    let at = model.finding_of_current();
    let current = at.map(|at| of(place.0, true).contains(&at));
    let found = rounds(current).into_iter().find_map(|(weighty, round)| {
        let here = of(place.0, weighty);
        let inside = match (at, forward) {
            (Some(at), true) => Some(at + 1),
            (Some(at), false) => at.checked_sub(1),
            (None, _) => Some(here.start),
        };
        if let Some(at) = inside.filter(|at| round == Round::On && here.contains(at)) {
            return Some((place.0, at));
        }
        let row = row_of(place, (round, forward), |row| !of(row, weighty).is_empty())?;
        let found = of(row, weighty);
        Some((row, if forward { found.start } else { found.end - 1 }))
    });
    let Some((row, at)) = found else {
        model.status.say("no findings in this list", None);
        return;
    };
    model.browse.go(&model.world, row);
    model.finding = model.current().map(|memory| (memory.id.clone(), at));
}
