//! Moving through rows, lines, panes, findings and views, picking, filter, task. None of it changes a
//! store.

use std::collections::HashSet;

use super::super::browse::{Browse, Sort};
use super::super::cursor::next;
use super::super::inject::Part;
use super::super::layout::areas;
use super::super::lints::Row;
use super::super::msg::{Change, Effect};
use super::super::proposal::{Proposal, propose};
use super::super::{Model, Page, Pane, View, lints, pair};
use crate::lint::Finding;
use crate::memory::Severity;

/// Rows of what moves, on the screen.
fn height(model: &Model) -> isize {
    let areas = areas(model);
    let area = match model.pane {
        _ if is_shown_first(model) || model.view == View::Review => areas.page,
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

pub fn step(model: &mut Model, by: isize) {
    let is_list = model.pane == Pane::List && !is_shown_first(model);
    match model.pane {
        _ if is_list && model.rows() > 0 => model.go(model.row().saturating_add_signed(by)),
        _ if is_list => {}
        Pane::Prompt if !is_shown_first(model) => scroll(model, Pane::Prompt, by),
        _ => scroll(model, Pane::Side, by),
    }
}

/// Moves what has the keys by half pages; in the review, the card.
pub fn page(model: &mut Model, halves: isize) {
    // Half of one line is that line.
    let by = height(model).max(2) * halves / 2;
    match model.view {
        View::Review => scroll(model, Pane::Side, by),
        _ => step(model, by),
    }
}

/// Scrolls a pane that is no list.
pub fn scroll(model: &mut Model, pane: Pane, by: isize) {
    let (at, most) = match (pane, &mut model.page) {
        (Pane::Prompt, _) => (&mut model.inject.scroll, model.extents.prompt),
        (_, Page::Fix(proposal)) => (&mut proposal.scroll, model.extents.page),
        (_, Page::Pair(pair)) => (&mut pair.scroll, model.extents.page),
        (_, Page::Versions(versions)) => (&mut versions.scroll, model.extents.page),
        (_, Page::Usual) if model.view == View::Review => {
            (&mut model.review.scroll, model.extents.page)
        }
        _ => (&mut model.reading.scroll, model.extents.page),
    };
    *at = (*at).min(most).saturating_add_signed(by).min(most);
}

pub fn open(model: &mut Model) {
    let finding = model.on_finding();
    let is_lint = model.view == View::Lint;
    if is_lint && finding.is_some_and(Finding::asks) {
        return pair::open(model);
    }
    let is_list = model.pane == Pane::List;
    let deleted = model.on_deleted().map(|(id, _)| id.clone());
    if let Some(id) = deleted.filter(|_| is_list && model.view == View::Browse) {
        // Its card has the old text, and the key that brings it back.
        model.review.cursor.chosen = Some(id);
        return model.show(View::Review);
    }
    let unfolds_section = is_list && model.view == View::Browse;
    if unfolds_section && model.browse.fold(&model.world, false) {
        return;
    }
    if is_list && !(is_lint && unfolds(model)) {
        model.pane = Pane::Side;
    }
}

/// Lists the suggestions, or folds them, where the person stands on their row.
fn unfolds(model: &mut Model) -> bool {
    let is_folded = model.lints.on_suggestions();
    if let Some(is_folded) = is_folded {
        model.lints.suggest(is_folded);
        model.arrange_lints();
    }
    is_folded.is_some()
}

pub fn next_rule(model: &mut Model) {
    model.show(View::Lint);
    let (rows, at) = (&model.lints.rows, model.lints.cursor.row);
    let is_head =
        |row: &usize| matches!(rows.get(*row), Some(Row::Rule(..) | Row::Suggestions(true)));
    if let Some(row) = (at + 1..rows.len()).chain(0..at).find(is_head) {
        model.go(row);
    }
}

/// Folds the section of the list that the person stands in; where something is open, one step back.
pub fn fold(model: &mut Model) {
    let is_usual = model.pane == Pane::List && matches!(model.page, Page::Usual);
    if is_usual && model.view == View::Lint && model.lints.suggest(false) {
        return model.arrange_lints();
    }
    let browse = &mut model.browse;
    let is_list = model.view == View::Browse && model.pane == Pane::List;
    let is_open = !matches!(model.page, Page::Usual) || browse.range.is_some();
    if is_open || !is_list || !browse.fold(&model.world, true) {
        back(model);
    }
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
        let quit = model.key("quit");
        model.say(format!("nothing is open · {quit} quits"));
    }
}

/// Gives the keys to the next pane of the view, or to the one before.
pub fn turn(model: &mut Model, by: isize) {
    let panes: &[Pane] = match model.view {
        View::Inject => &[Pane::List, Pane::Side, Pane::Prompt],
        View::Browse | View::Lint | View::Review => &[Pane::List, Pane::Side],
    };
    model.pane = next(panes, &model.pane, by).unwrap_or_default();
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
    let memories = model.browse.ranged(&model.world);
    let ids: Vec<_> = memories.map(|memory| memory.id.clone()).collect();
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
    if browse.close == 0 && browse.loose > 0 {
        let key = model.key("select");
        let hint = format!("{key} selects one of them");
        let what = "only loose matches: nothing selected";
        model.status.say(what, Some(&hint));
        return;
    }
    let close = browse.rows.iter().take(browse.close);
    let close = close.filter_map(|row| model.world.memory(row.memory()?));
    let own = close.filter(|memory| !memory.schema.can.context);
    let all = own.map(|memory| memory.id.clone()).collect();
    browse.picked = match browse.picked.is_superset(&all) {
        true => HashSet::new(),
        false => all,
    };
    browse.range = None;
}

/// A finding in a list: true if it is but a suggestion, its row, and which of the row it is.
type Stop = (bool, usize, usize);

/// Goes to the next finding, or to the one before: errors and warnings in the order of the list,
/// behind them the suggestions, and around.
pub fn finding(model: &mut Model, forward: bool) {
    let side_by_side = matches!(model.page, Page::Pair(_));
    model.page = Page::Usual;
    if model.view != View::Browse {
        model.show(View::Lint);
    }
    let row = model.row();
    if model.view == View::Lint
        && forward
        && let Some(Row::Suggestions(true)) = model.lints.rows.get(row + 1)
    {
        model.lints.go(&model.world, row + 1);
        unfolds(model);
        return;
    }
    let mut stops = stops(model);
    stops.sort_unstable();
    let at = match model.view {
        View::Browse => model.finding_of_current(),
        _ => Some(0),
    };
    let is_here = |stop: &&Stop| stop.1 == row && Some(stop.2) == at;
    let here = stops.iter().find(is_here).copied();
    // Who stands on none goes on from the row.
    let beyond = here.unwrap_or((false, row, 0));
    let before = stops.partition_point(|stop| *stop < beyond);
    let next = match forward {
        true => before + usize::from(here.is_some()),
        false => before
            .checked_sub(1)
            .unwrap_or(stops.len().saturating_sub(1)),
    };
    let Some((is_light, row, at)) = stops.get(next).or(stops.first()).copied() else {
        model.say("no findings in this list");
        return;
    };
    model.go(row);
    if model.view == View::Browse {
        model.finding = model.current().map(|memory| (memory.id.clone(), at));
    }
    if forward && is_light && here.is_some_and(|here| !here.0) {
        let what = "end of errors and warnings; suggestions follow";
        model.say(what);
    }
    if side_by_side {
        pair::open(model);
    }
}

fn stops(model: &Model) -> Vec<Stop> {
    let is_light = |n: usize| {
        let finding = model.world.finding(n);
        finding.is_some_and(|finding| finding.severity == Severity::Info)
    };
    if model.view == View::Lint {
        let rows = model.lints.rows.iter().enumerate();
        let stop = |(row, of): (usize, &Row)| match of {
            Row::Finding(n) => Some((is_light(*n), row, 0)),
            _ => None,
        };
        return rows.filter_map(stop).collect();
    }
    let rows = 0..model.browse.rows.len();
    let rows = rows.filter_map(|row| Some((row, model.browse.on(&model.world, row)?)));
    let stops = rows.flat_map(|(row, memory)| {
        let found = model.world.findings_of(&memory.id).iter().enumerate();
        found.map(move |(at, n)| (is_light(*n), row, at))
    });
    stops.collect()
}

/// Reads the stores again, and looks at everything that lint goes by anew.
pub fn reload(model: &mut Model) {
    lints::lint_again(model);
    model.send(Effect::Load);
}

pub fn inject(model: &mut Model) {
    model.show(View::Inject);
    model.inject.editing |= !model.inject.has_text();
    if !model.inject.is_set() {
        model.inject.from_top();
    }
}

pub fn tasks(model: &mut Model) {
    model.show(View::Inject);
    let has_some = model.inject.choose();
    if !has_some && model.inject.saved.asked.is_none() {
        // They are being read: the first is chosen when they are there.
        model.inject.saved.row = Some(0);
    } else if !has_some {
        let none = "no saved tasks: V saves the task in the box with its result";
        let problem = model.inject.saved.problem.clone();
        model.say(problem.unwrap_or_else(|| none.to_owned()));
    }
}

/// Shows what it would write to remember what is injected as right for the task in the box.
pub fn record_task(model: &mut Model) {
    let Some((task, dropped, is_changed)) = model.inject.expectation() else {
        return;
    };
    let name = task.name();
    if !is_changed {
        return model.say(format!("nothing changes: “{name}” already expects this"));
    }
    let mut title = format!("save what “{name}” must be given");
    for name in dropped {
        title.push_str(&format!("; no longer {name}, which is not injected"));
    }
    let change = Change::Expect(Box::new(task));
    propose(model, Proposal::new(title, change, Vec::new()));
}

pub fn task(model: &mut Model) {
    model.show(View::Inject);
    model.inject.editing = true;
    model.inject.part = Part::Text;
    // Another task, another first: the ranking is read from its top.
    model.inject.from_top();
}

pub fn filter(model: &mut Model) {
    let is_lint = model.view == View::Lint;
    model.show(if is_lint { View::Lint } else { View::Browse });
    model.browse.filter.editing = true;
}

pub fn sort(model: &mut Model) {
    model.show(View::Browse);
    model.browse.sort = next(&Sort::ALL, &model.browse.sort, 1).unwrap_or_default();
    model.arrange();
    model.say(format!("sorted by {}", model.browse.sort.word()));
}

/// Turns something about the list on or off, and says which; `words` are of off and on.
pub fn toggle(model: &mut Model, of: fn(&mut Browse) -> &mut bool, words: [&str; 2]) {
    let is_on = of(&mut model.browse);
    *is_on = !*is_on;
    let [off, on] = words;
    let text = if *is_on { on } else { off };
    model.arrange();
    model.say(text);
}

/// Goes to the list. The row that stands there is gone to.
pub fn accept_filter(model: &mut Model) {
    if model.view == View::Browse {
        let row = model.browse.cursor.row;
        model.browse.go(&model.world, row);
    }
    model.browse.filter.texts = true;
    model.browse.filter.editing = false;
}

pub fn accept_task(model: &mut Model) {
    model.inject.take_saved();
    leave_task(model);
}

pub fn leave_task(model: &mut Model) {
    if model.inject.saved.row.take().is_none() {
        model.inject.editing = false;
        model.inject.part = Part::Text;
    }
}

pub fn turn_part(model: &mut Model, by: isize) {
    model.inject.part = next(&Part::ALL, &model.inject.part, by).unwrap_or_default();
}

/// Goes to another dialect, saved task or row of the ranking.
pub fn turn_task(model: &mut Model, by: isize) {
    if model.inject.part == Part::Dialect {
        model.inject.turn_dialect(by);
    } else if !model.inject.turn_saved(by) {
        step(model, by);
    }
}
