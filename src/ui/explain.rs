//! Why a memory is or is not injected, and what would change that.

use ratatui::text::Span;

use super::lines::Lines;
use super::pen::{Frame, Pen, bar};
use super::theme::Role;
use super::{safe, words};
use crate::app::{Model, Page, View, suggest};
use crate::memory::format::LOADED;
use crate::memory::{Memory, Role as Part};
use crate::retrieval::{Factor, Reason, Verdict};

/// Cells of a factor's bar.
const BAR: usize = 10;

/// The explanation as lines.
pub fn page(pen: &Pen<'_>, model: &Model, width: usize, frame: &mut Frame<'_>) -> Lines {
    let mut out = Lines::default();
    let index = model.current_index();
    let verdict = index.and_then(|index| model.inject.verdict(index));
    let explicit = matches!(model.page, Page::Explain);
    frame.title = vec![pen.text(
        Role::Title,
        &match verdict.and_then(|verdict| verdict.rank) {
            Some(rank) => format!("Why #{rank}"),
            None if verdict.is_some() => "Why not".to_owned(),
            None => "Why".to_owned(),
        },
    )];
    let Some(memory) = model.current() else {
        return out;
    };
    if explicit {
        out.push(vec![Span::styled(
            safe::fit(&words::title(memory), width),
            pen.style(Role::Title),
        )]);
    }
    let Some(verdict) = verdict else {
        out.push(vec![pen.text(Role::Muted, "ranking …")]);
        return out;
    };
    result(pen, verdict, width, &mut out);
    if let Some(why) = always(memory, verdict) {
        out.wrapped(pen, Role::Muted, &why, width, 0);
    }
    // The advice comes before the sums: on a small screen the rest may not be seen.
    hint(pen, model, verdict, width, explicit, &mut out);
    let loaded = model
        .reading
        .beside
        .iter()
        .filter(|(what, _)| *what == LOADED);
    for (_, line) in loaded {
        out.wrapped(pen, Role::Muted, line, width, 0);
    }
    if !verdict.factors.is_empty() {
        out.gap();
        factors(pen, verdict, width, &mut out);
    }
    matched(pen, verdict, width, &mut out);
    if model.view == View::Inject {
        let own = model.inject.notes(model.inject.cursor.row);
        let own = own.map(str::to_owned);
        for note in own {
            out.gap();
            out.wrapped(pen, Role::Muted, &note, width, 0);
        }
    }
    out
}

/// In or out, in one line.
fn result(pen: &Pen<'_>, verdict: &Verdict, width: usize, out: &mut Lines) {
    let score = verdict.score.map_or(String::new(), |score| {
        format!(" with {} points", words::points(score))
    });
    let (role, text) = match (verdict.reason, verdict.rank) {
        (Reason::Selected, Some(rank)) => (Role::Ok, format!("✓ injected as #{rank}{score}")),
        (Reason::Selected, None) => (Role::Ok, format!("✓ injected{score}")),
        (other, _) => (Role::Warning, format!("✗ not injected: {}", because(other))),
    };
    out.wrapped(pen, role, &text, width, 0);
}

/// Why a memory is injected that nothing about the task brought in.
fn always(memory: &Memory, verdict: &Verdict) -> Option<String> {
    let is_asked = !verdict.factors.is_empty() || verdict.matched.is_some();
    if verdict.reason != Reason::Selected || is_asked || verdict.hint.is_some() {
        return None;
    }
    let mode = memory.schema.role(Part::Mode).map(|spec| spec.name);
    let written = mode.zip(memory.role(Part::Mode));
    Some(match written {
        Some((name, value)) => format!("`{name}: {value}` loads it for every task"),
        None => "its system loads it for every task".to_owned(),
    })
}

/// The factors of the score, with points, bars and evidence.
fn factors(pen: &Pen<'_>, verdict: &Verdict, width: usize, out: &mut Lines) {
    let most = verdict
        .factors
        .iter()
        .map(|factor| factor.points.abs())
        .fold(1.0, f64::max);
    let name = verdict
        .factors
        .iter()
        .map(|factor| factor.name.len())
        .max()
        .unwrap_or(0);
    let points = |factor: &Factor| {
        let sign = if factor.points > 0.0 { "+" } else { "" };
        format!("{sign}{}", words::points(factor.points))
    };
    let widths = verdict.factors.iter().map(|factor| points(factor).len());
    let wide = widths.max().map_or(5, |most| (most + 1).max(5));
    for factor in &verdict.factors {
        let none = factor.points == 0.0;
        let role = if none { Role::Faint } else { Role::Text };
        let bar = bar(factor.points.abs() / most, BAR);
        let used = name + wide + 2 + BAR + 2;
        let mut spans = vec![
            pen.text(role, &safe::pad(factor.name, name)),
            pen.text(role, &safe::pad_left(&points(factor), wide)),
            Span::raw("  "),
            pen.text(Role::ScoreBar, &safe::pad(&bar, BAR)),
            Span::raw("  "),
        ];
        let room = width.saturating_sub(used);
        if room >= 12 {
            let detail = safe::fit(&factor.detail, room);
            spans.push(pen.text(Role::Muted, &detail));
            out.push(spans);
        } else {
            out.push(spans);
            if !factor.detail.is_empty() {
                out.wrapped(pen, Role::Muted, &factor.detail, width, 2);
            }
        }
    }
}

/// The pattern that matched, and what it matched.
fn matched(pen: &Pen<'_>, verdict: &Verdict, width: usize, out: &mut Lines) {
    let Some(matched) = &verdict.matched else {
        return;
    };
    out.gap();
    let pattern = safe::fit(&matched.pattern, width.saturating_sub(9));
    out.push(vec![
        pen.text(Role::Muted, "pattern  "),
        pen.text(Role::Code, &pattern),
    ]);
    let hit = safe::fit(&matched.hit, width.saturating_sub(30));
    out.push(vec![
        pen.text(Role::Muted, "matched  "),
        pen.text(Role::Match, &hit),
        pen.text(Role::Muted, &format!("  as {}", kind(matched.kind))),
    ]);
}

/// How a pattern was read, with its article.
fn kind(kind: &str) -> String {
    match kind {
        "alternative" => "an alternative".to_owned(),
        other => format!("a {other}"),
    }
}

/// The edit that brings it in, and the key that does it.
fn hint(
    pen: &Pen<'_>,
    model: &Model,
    verdict: &Verdict,
    width: usize,
    explicit: bool,
    out: &mut Lines,
) {
    let suggestion = suggest::suggestion(model);
    let said = suggestion.as_ref().map(|suggestion| &suggestion.title);
    if let Some(hint) = verdict.hint.as_ref().filter(|hint| Some(*hint) != said) {
        out.wrapped(pen, Role::Info, hint, width, 0);
    }
    let Some(suggestion) = suggestion else {
        return;
    };
    let key = if explicit {
        model.keymap.label("take-suggestion")
    } else {
        model.keymap.label("explain")
    };
    let after = model.inject.rank_after(verdict.memory);
    let effect = match after {
        Some(Some(rank)) => format!("  → #{rank}"),
        Some(None) => "  → still out".to_owned(),
        None => String::new(),
    };
    let mut spans = vec![
        pen.text(Role::StatusKey, &key.unwrap_or_default()),
        pen.text(Role::Text, &format!(" {}", suggestion.title)),
    ];
    let effect = pen.text(Role::Changed, &effect);
    if super::pen::columns(&spans) + safe::width(&effect.content) <= width {
        spans.push(effect);
        out.push(spans);
    } else {
        out.push(super::pen::fit_spans(spans, width));
        out.push(vec![effect]);
    }
}

/// Why a memory is out, as the end of a sentence.
const fn because(reason: Reason) -> &'static str {
    match reason {
        Reason::Selected => "it is",
        Reason::NoMatch => "no pattern matches the task",
        Reason::BelowImportance => "its importance is below the minimum",
        Reason::OverLimit => "it matches, but all places are taken",
        Reason::OverBudget => "it matches, but the budget is used up",
        Reason::Invalid => "the system's code fails on it",
        Reason::Invisible => "never loaded by its system",
        Reason::Expired => "it has expired",
        Reason::Archived => "it is archived",
        Reason::Duplicate => "another memory says the same",
        Reason::Disabled => "injection is switched off",
        Reason::Reachable => "the agent can open it on demand",
        Reason::NotApplicable => "its rule does not apply to this task",
        Reason::PatternTooSlow => "one of its patterns takes too long",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::format::schema;
    use crate::memory::{Fields, Value};
    use crate::search::samples;

    #[test]
    fn what_is_always_injected_says_why() {
        let mut memory = samples::memory("a", "A", &[], "high", 1);
        let selected = |memory: &Memory| Verdict::of(0, memory, Reason::Selected);
        memory.schema = schema("cursor");
        let field: (Box<str>, Value) = ("alwaysApply".into(), Value::Bool(true));
        memory.fields = [field].into_iter().collect();
        let why = |memory: &Memory| always(memory, &selected(memory)).unwrap();
        assert_eq!(why(&memory), "`alwaysApply: true` loads it for every task");
        memory.fields = Fields::default();
        assert_eq!(why(&memory), "its system loads it for every task");
        let out = Verdict::of(0, &memory, Reason::NoMatch);
        assert_eq!(always(&memory, &out), None);
    }
}
