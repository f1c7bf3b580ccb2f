//! The marks at the right of a row.

use ratatui::text::Span;

use crate::app::{Model, pair};
use crate::memory::{Memory, Severity, State};
use crate::search::query::MARKED;
use crate::ui::pen::Pen;
use crate::ui::theme::Role;

/// The marks, each in its own column: what was found (`~` where it is stale and nothing else that
/// is as bad), whether it is seen, whether it is new.
/// Nearly every memory has a suggestion: that is marked only where the person stands.
pub(super) fn marks(
    pen: &Pen<'_>,
    model: &Model,
    memory: &Memory,
    here: bool,
) -> Vec<Span<'static>> {
    let own = model.world.findings_of(&memory.id).iter();
    let own = own.filter_map(|n| model.world.finding(*n));
    let with = model.world.findings_with(&memory.id).iter();
    let with = with.filter_map(|n| model.world.finding(*n));
    let findings = own.chain(with.filter(|finding| pair::of_equals(finding)));
    let found = || findings.clone();
    let worst = found().map(|finding| finding.severity).min();
    let same = || found().filter(|finding| Some(finding.severity) == worst);
    let own = MARKED
        .iter()
        .find(|(.., rules)| same().all(|finding| rules.contains(&finding.rule)));
    let found = match worst {
        Some(Severity::Error) => pen.text(Role::Error, "x"),
        Some(Severity::Warning) => {
            let mark = own.map_or("!", |(mark, ..)| mark);
            pen.text(Role::Warning, mark)
        }
        Some(Severity::Info) if here => pen.text(Role::Info, "·"),
        Some(Severity::Info) | None => Span::raw(" "),
    };
    let seen = match (memory.state, memory.hidden_at(model.now)) {
        (State::Archived, _) => pen.text(Role::Muted, "a"),
        (_, Some(_)) if !model.injects(&memory.id) => pen.text(Role::Warning, "∅"),
        _ if model.world.is_cut_off(&memory.id) => pen.text(Role::Warning, "∅"),
        _ => Span::raw(" "),
    };
    let new = if model.world.fresh.contains(&memory.id) {
        pen.text(Role::Changed, "*")
    } else if model.world.is_new(memory) {
        pen.text(Role::Added, "+")
    } else {
        Span::raw(" ")
    };
    vec![found, seen, new]
}
