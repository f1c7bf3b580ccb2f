//! How important a memory is, or of what type.

use ratatui::text::Span;

use crate::app::browse::level;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role as Part, Value};
use crate::ui::pen::Pen;
use crate::ui::safe;
use crate::ui::theme::Role;

/// Columns of the bar.
pub(super) const BAR: usize = 4;

/// Importance as a bar; the type of a memory that has none. In a column less than the width, for
/// ages stand at the right of theirs.
pub(super) fn weight(pen: &Pen<'_>, memory: &Memory, width: usize) -> Vec<Span<'static>> {
    let kind = memory.role(Part::Type).and_then(Value::as_str);
    match kind.filter(|_| memory.schema.role(Part::Importance).is_none()) {
        _ if width == 0 => Vec::new(),
        // Three letters name no type.
        Some(_) if width <= BAR => vec![Span::raw(" ".repeat(width.saturating_sub(1)))],
        Some(kind) => vec![pen.text(Role::Muted, &safe::pad(kind, width.saturating_sub(1)))],
        None => {
            let [bar] = importance(pen, memory);
            vec![bar, Span::raw(" ".repeat(width.saturating_sub(BAR - 1)))]
        }
    }
}

/// Importance as a bar: one cell, higher and brighter with each step.
pub fn importance(pen: &Pen<'_>, memory: &Memory) -> [Span<'static>; 1] {
    const STEPS: [&str; 4] = ["▂", "▄", "▆", "█"];
    let level = level(memory);
    let kind = memory.schema.role(Part::Importance).map(|spec| spec.kind);
    let own = memory.role(Part::Importance).map(ToString::to_string);
    let own = own.unwrap_or_default();
    let word = match kind {
        // A number is as bright as the word it stands as high as.
        Some(Kind::Number(..)) => ["", "low", "medium", "high", "critical"]
            .get(level)
            .copied(),
        _ => Some(&*own),
    };
    let word = word.unwrap_or_default();
    let bar = level.checked_sub(1).and_then(|at| STEPS.get(at));
    match bar {
        Some(bar) => [pen.text(Role::importance(word), &format!(" {bar}"))],
        None if own.is_empty() => [pen.text(Role::Faint, "  ")],
        None => [pen.text(Role::Warning, " ?")],
    }
}
