//! The difference between an edited text and the one on disk.

use ratatui::text::Line;

use super::look::Look;
use super::safe::fit;
use super::theme::Theme;
use super::{diff, lines::wrap};
use crate::app::conflict::Conflict;

/// The lines of a conflict: how many changes overlap, and the difference.
pub fn lines(conflict: &Conflict, theme: &Theme, width: usize) -> Vec<Line<'static>> {
    let look = Look::of(theme);
    let overlaps = match conflict.overlaps() {
        0 => "no change overlaps".to_owned(),
        1 => "1 change overlaps".to_owned(),
        n => format!("{n} changes overlap"),
    };
    let head = format!("Changed on disk while you edited it: {overlaps}");
    let head = wrap(&head, width).into_iter();
    let mut out: Vec<_> = head.map(|line| Line::styled(line, look.focus)).collect();
    out.push(Line::styled(fit("- on disk  + yours", width), look.label));
    out.extend(diff::lines(conflict.diff(), theme, width));
    out
}
