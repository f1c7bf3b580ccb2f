//! The saved tasks, each with its state; and what an edit does to them.

use ratatui::text::{Line, Span};

use super::look::Look;
use super::pen::Pen;
use super::safe;
use super::theme::Role;
use crate::app::Model;
use crate::app::layout::Areas;
use crate::memory::plural;
use crate::retrieval::expect::{Judged, TaskEffect};
use crate::retrieval::tasks::Written;

/// Draws the saved tasks in the place of the ranking.
pub(super) fn draw(pen: &mut Pen<'_>, model: &Model, areas: &Areas) {
    let saved = &model.inject.saved;
    let width = usize::from(areas.rows.width);
    if let Some(why) = &saved.problem {
        for (row, line) in (0..areas.rows.height).zip(super::lines::wrap(why, width.max(1))) {
            pen.line(
                areas.rows,
                row,
                vec![pen.text(Role::Error, &safe::safe(&line))],
            );
        }
        return;
    }
    let height = usize::from(areas.rows.height);
    let chosen = saved.row.unwrap_or(0);
    let skip = (chosen + 1).saturating_sub(height);
    let shown = saved.all.iter().enumerate().skip(skip);
    for (line, (row, (task, judged))) in (0..areas.rows.height).zip(shown) {
        let here = saved.row == Some(row);
        let (mark, role) = match judged.has_passed() {
            true => (" ✓ ", Role::Ok),
            false => (" ✗ ", Role::Error),
        };
        let state = state(judged);
        let room = width.saturating_sub(safe::width(&state) + 7);
        let name = format!("{}{}", task.name(), agent(task));
        let spans = vec![
            pen.text(Role::Accent, if here { "▌" } else { " " }),
            pen.text(role, mark),
            pen.text(Role::Text, &safe::pad(&safe::fit(&name, room), room)),
            pen.text(Role::Muted, &format!("  {state}")),
        ];
        pen.row(areas.rows, line, spans, here);
    }
}

fn agent(task: &Written) -> String {
    match task.name.is_some() || task.agent.is_empty() {
        true => String::new(),
        false => format!(" · {}", task.agent),
    }
}

/// The failure of a task in a few words; else the amount it is given.
fn state(judged: &Judged) -> String {
    if let Some(id) = judged.missing.first() {
        let more = judged.missing.len() - 1;
        let more = if more > 0 {
            format!(" +{more}")
        } else {
            String::new()
        };
        return format!("without {}{more}", safe::fit(id, 28));
    }
    if let Some(id) = judged.unexpected.first() {
        return format!("given {}", safe::fit(&id.local, 28));
    }
    match judged.over {
        0 => format!("{} injected", judged.answer.given.len()),
        over => format!("{} over", plural(over, "token")),
    }
}

/// A line for each task that the edit changes: what enters and what leaves.
pub(super) fn effects(effects: &[TaskEffect], look: &Look, width: u16) -> Vec<Line<'static>> {
    let line = |effect: &TaskEffect| {
        let entered = effect.entered.iter().map(|id| format!("+{}", id.local));
        let left = effect.left.iter().map(|id| format!("−{}", id.local));
        let moves = effect.ranks.iter();
        let moves = moves.map(|(id, from, to)| format!("{} {from} → {to}", id.local));
        // Memories that leave come first: they matter most.
        let parts: Vec<String> = left.chain(entered).chain(moves).collect();
        let text = format!("task “{}”: {}", effect.task, parts.join(", "));
        Line::from(Span::styled(
            safe::fit(&text, usize::from(width)),
            look.quiet,
        ))
    };
    effects.iter().map(line).collect()
}
