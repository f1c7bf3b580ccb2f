//! Why a memory is or is not injected, and what would change that.

use ratatui::text::Span;

use super::pen::{bar, columns};
use super::sheet::Sheet;
use super::theme::Role;
use super::{safe, words};
use crate::app::{Model, Page, View, proposal};
use crate::memory::format::LOADED;
use crate::memory::{Memory, Role as Part};
use crate::retrieval::{Factor, Reason, Verdict};

/// Cells of a factor's bar.
const BAR: usize = 10;

pub fn page(sheet: &mut Sheet<'_>, model: &Model) {
    let index = model.current_index();
    let verdict = index.and_then(|index| model.inject.verdict(index));
    let explicit = matches!(model.page, Page::Explain);
    sheet.title = match verdict.map(|verdict| verdict.rank) {
        Some(Some(rank)) => format!("Why #{rank}"),
        Some(None) => "Why not".to_owned(),
        None => "Why".to_owned(),
    };
    let Some(memory) = model.current() else {
        let key = model.key("task");
        let how = format!("Type a task with {key}, or go through the saved ones with ↓.");
        return sheet.wrapped(Role::Muted, &how);
    };
    if explicit {
        sheet.line(Role::Title, &words::title(memory));
    }
    let Some(verdict) = verdict else {
        return sheet.line(Role::Muted, "ranking …");
    };
    let (role, result) = result(verdict);
    sheet.wrapped(role, &result);
    if let Some(why) = always(memory, verdict) {
        sheet.wrapped(Role::Muted, &why);
    }
    matched(sheet, verdict);
    for (mark, words) in model.caveats(&memory.id) {
        sheet.wrapped(Role::Warning, &format!("{mark} {words}"));
    }
    // The advice comes before the sums: on a small screen the rest may not be seen.
    hint(sheet, model, verdict, explicit);
    let beside = model.reading.beside.iter();
    for (_, line) in beside.filter(|(what, _)| *what == LOADED) {
        sheet.wrapped(Role::Muted, line);
    }
    factors(sheet, verdict, explicit);
    if model.view == View::Inject {
        for note in model.inject.notes(model.inject.cursor.row) {
            sheet.gap();
            sheet.wrapped(Role::Muted, note);
        }
    }
}

fn result(verdict: &Verdict) -> (Role, String) {
    let score = verdict.score.map_or(String::new(), |score| {
        format!(" with {} points", words::points(score))
    });
    match (verdict.reason, verdict.rank) {
        (Reason::Selected, Some(rank)) if verdict.is_unwritten => (
            Role::Warning,
            format!("used as #{rank}{score}, not in the prompt"),
        ),
        (Reason::Selected, Some(rank)) => (Role::Ok, format!("✓ injected as #{rank}{score}")),
        (Reason::Selected, None) => (Role::Ok, format!("✓ injected{score}")),
        (other, _) => (
            Role::Warning,
            format!("✗ not injected: {}", because(other).1),
        ),
    }
}

/// Why a memory is injected that nothing about the task brought in.
fn always(memory: &Memory, verdict: &Verdict) -> Option<String> {
    let is_asked = !verdict.factors.is_empty() || verdict.matched.is_some();
    if verdict.reason != Reason::Selected || is_asked || verdict.hint.is_some() {
        return None;
    }
    let mode = memory.schema.role(Part::Mode).map(|spec| spec.name);
    Some(match mode.zip(memory.role(Part::Mode)) {
        Some((name, value)) => format!("`{name}: {value}` loads it for every task"),
        None => "its system loads it for every task".to_owned(),
    })
}

/// The factors of the score, with points, bars and evidence; those without points if all are asked
/// for.
fn factors(sheet: &mut Sheet<'_>, verdict: &Verdict, explicit: bool) {
    let all = verdict.factors.iter();
    let all = all.filter(|factor| explicit || factor.points != 0.0);
    let all: Vec<&Factor> = all.collect();
    if !all.is_empty() {
        sheet.gap();
    }
    let most = all.iter().map(|factor| factor.points.abs());
    let most = most.fold(1.0, f64::max);
    let name = all.iter().map(|factor| factor.name.len()).max();
    let name = name.unwrap_or(0);
    let points = |factor: &Factor| {
        let sign = if factor.points > 0.0 { "+" } else { "" };
        format!("{sign}{}", words::points(factor.points))
    };
    let widths = all.iter().map(|factor| points(factor).len() + 1);
    let wide = widths.max().unwrap_or(0).max(5);
    for factor in all {
        let role = Role::either(factor.points == 0.0, Role::Faint, Role::Text);
        let bar = bar(factor.points.abs() / most, BAR);
        let mut spans = vec![
            sheet.text(role, &safe::pad(factor.name, name)),
            sheet.text(role, &safe::pad_left(&points(factor), wide)),
            Span::raw("  "),
            sheet.text(Role::ScoreBar, &safe::pad(&bar, BAR)),
            Span::raw("  "),
        ];
        let has_room = sheet.width.saturating_sub(columns(&spans)) >= 12;
        if has_room {
            spans.push(sheet.text(Role::Muted, &factor.detail));
        }
        sheet.push(spans);
        if !has_room && !factor.detail.is_empty() {
            sheet.indented(Role::Muted, &factor.detail, 2);
        }
    }
}

fn matched(sheet: &mut Sheet<'_>, verdict: &Verdict) {
    let Some(matched) = &verdict.matched else {
        return;
    };
    sheet.push(vec![
        sheet.text(Role::Muted, "pattern  "),
        sheet.text(Role::Code, &matched.pattern),
    ]);
    let hit = safe::fit(&matched.hit, sheet.width.saturating_sub(30));
    let article = match matched.kind == "alternative" {
        true => "an",
        false => "a",
    };
    sheet.push(vec![
        sheet.text(Role::Muted, "matched  "),
        sheet.text(Role::Match, &hit),
        sheet.text(Role::Muted, &format!("  as {article} {}", matched.kind)),
    ]);
}

/// The edit that brings it in, and the key that does it.
fn hint(sheet: &mut Sheet<'_>, model: &Model, verdict: &Verdict, explicit: bool) {
    let suggestion = proposal::suggestion(model);
    let title = suggestion.as_ref().map(|suggestion| &suggestion.title);
    if let Some(hint) = verdict.hint.as_ref().filter(|hint| Some(*hint) != title) {
        sheet.wrapped(Role::Info, &words::hint(hint));
    }
    let Some(suggestion) = suggestion else {
        return;
    };
    let after = model.inject.after(verdict.memory);
    let effect = match after.map(|after| after.rank) {
        Some(Some(rank)) => format!(" → #{rank}"),
        Some(None) => " → still out".to_owned(),
        None => String::new(),
    };
    let key = match explicit {
        true => model.key("take-suggestion"),
        false => model.key("explain"),
    };
    let title = format!("{}{effect}", suggestion.title);
    sheet.order(&format!("press {key} to"), &title, Role::Text);
}

/// Why a memory is out: in two or three words, and as the end of a sentence.
pub const fn because(reason: Reason) -> (&'static str, &'static str) {
    match reason {
        Reason::Selected => ("injected", "it is"),
        Reason::NoMatch => ("not matched", "no pattern matches the task"),
        Reason::BelowImportance => ("below minimum", "its importance is below the minimum"),
        Reason::OverLimit => ("no place left", "it matches, but all places are taken"),
        Reason::OverBudget => ("over budget", "it matches, but the budget is used up"),
        Reason::Invalid => ("invalid", "the system's code fails on it"),
        Reason::Invisible => ("invisible", "never loaded by its system"),
        Reason::Expired => ("expired", "it has expired"),
        Reason::Archived => ("archived", "it is archived"),
        Reason::Duplicate => ("duplicate", "another memory says the same"),
        Reason::Disabled => ("disabled", "injection is switched off"),
        Reason::Reachable => ("reachable", "the agent can open it on demand"),
        Reason::NotApplicable => ("not relevant", "its rule does not apply to this task"),
        Reason::PatternTooSlow => ("too slow", "one of its patterns takes too long"),
    }
}
