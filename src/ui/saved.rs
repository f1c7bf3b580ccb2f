//! The saved tasks, and what an edit does to each.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::pen::Pen;
use super::safe;
use super::sheet::wrap;
use super::theme::{Role, Theme};
use crate::app::Model;
use crate::memory::plural;
use crate::retrieval::expect::{Judged, TaskEffect};

pub fn draw(pen: &mut Pen<'_>, model: &Model, area: Rect) {
    let saved = &model.inject.saved;
    let width = usize::from(area.width);
    if let Some(why) = &saved.problem {
        for (row, line) in (0..area.height).zip(wrap(why, width)) {
            pen.cut(area, row, Role::Error, &line);
        }
        return;
    }
    let chosen = saved.row.unwrap_or(0);
    let skip = (chosen + 1).saturating_sub(usize::from(area.height));
    let shown = saved.all.iter().enumerate().skip(skip);
    for (line, (row, (task, judged))) in (0..area.height).zip(shown) {
        let (mark, role) = match judged.has_passed() {
            true => (" ✓ ", Role::Ok),
            false => (" ✗ ", Role::Error),
        };
        let state = state(judged);
        let room = width.saturating_sub(safe::width(&state) + 7);
        let agent = match task.name.is_some() || task.agent.is_empty() {
            true => String::new(),
            false => format!(" · {}", task.agent),
        };
        let name = format!("{}{agent}", task.name());
        let here = saved.row == Some(row);
        let spans = vec![
            pen.theme.mark(here),
            pen.text(role, mark),
            pen.text(Role::Text, &safe::pad(&name, room)),
            pen.text(Role::Muted, &format!("  {state}")),
        ];
        pen.row(area, line, here, spans);
    }
}

/// The failure of a task in a few words; else the amount it is given.
fn state(judged: &Judged) -> String {
    if let Some(id) = judged.missing.first() {
        let more = match judged.missing.len() - 1 {
            0 => String::new(),
            more => format!(" +{more}"),
        };
        return format!("without {}{more}", safe::fit(id, 28));
    }
    if let Some(id) = judged.unexpected.first() {
        return format!("given {}", safe::fit(&id.local, 28));
    }
    if let Some(why) = judged.spoiled.first() {
        return safe::fit(why, 40);
    }
    match judged.over {
        0 => format!("{} injected", judged.answer.given.len()),
        over => format!("{} over", plural(over, "token")),
    }
}

/// A line for each task that the edit changes: what enters and what leaves.
pub(super) fn effects(effects: &[TaskEffect], theme: &Theme, width: u16) -> Vec<Line<'static>> {
    let line = |effect: &TaskEffect| {
        let entered = effect.entered.iter().map(|id| format!("+{}", id.local));
        let left = effect.left.iter().map(|id| format!("−{}", id.local));
        let moves = effect.ranks.iter();
        let moves = moves.map(|(id, from, to)| format!("{} {from} → {to}", id.local));
        // Memories that leave come first: they matter most.
        let parts: Vec<String> = left.chain(entered).chain(moves).collect();
        let text = format!("task “{}”: {}", effect.task, parts.join(", "));
        let text = safe::fit(&text, usize::from(width));
        Line::styled(text, theme.style(Role::Faint))
    };
    effects.iter().map(line).collect()
}
