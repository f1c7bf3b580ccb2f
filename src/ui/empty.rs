//! What stands where nothing is: why, and which key leads on.

use ratatui::layout::Rect;
use ratatui::text::Span;

use super::lines::wrap;
use super::pen::Pen;
use super::safe;
use super::theme::Role;
use crate::app::Model;
use crate::search::Query;

/// Draws what stands in an empty list of memories.
pub fn draw(pen: &mut Pen<'_>, model: &Model, area: Rect) {
    if !model.world.complete {
        return say(
            pen,
            area,
            &[(Role::Muted, "reading the stores …".to_owned())],
        );
    }
    let key = |id: &str| model.keymap.label(id).unwrap_or_default();
    if model.browse.filter.is_on() {
        let text = safe::fit(model.browse.filter.line.text(), 40);
        let leave = key("leave-filter");
        let next = if model.browse.filter.editing {
            format!("{leave} leaves the filter · {leave} again clears it")
        } else {
            format!(
                "{} changes the filter · {} clears it",
                key("filter"),
                key("back")
            )
        };
        let filter = &model.browse.filter;
        let mut lines = wrong(model);
        if lines.is_empty() {
            lines.push((Role::Title, format!("Nothing matches {text}")));
        }
        if filter.editing && !filter.texts && filter.query.as_ref().is_some_and(Query::wants_body) {
            let accept = key("accept-filter");
            lines.push((Role::Muted, format!("{accept} searches bodies too")));
        }
        lines.push((Role::Muted, next));
        return say(pen, area, &lines);
    }
    let archived = model.world.memories.len();
    if archived > 0 {
        let dot = key("show-archived");
        let text = format!("all {archived} memories are archived · {dot} lists them");
        return say(pen, area, &[(Role::Muted, text)]);
    }
    if !model.opened.is_empty() {
        return say(pen, area, &opened(model, &key("new")));
    }
    let other = "`memkeep init --as FORMAT` makes one of another format";
    let mut lines = vec![
        (
            Role::Title,
            "No store of memories was found here".to_owned(),
        ),
        (
            Role::Muted,
            format!("{} makes one with its first memory", key("new")),
        ),
        (Role::Muted, other.to_owned()),
        (
            Role::Muted,
            "`memkeep demo` shows a sample project".to_owned(),
        ),
    ];
    lines.push((Role::Muted, String::new()));
    lines.push((Role::Muted, "memkeep looked for".to_owned()));
    lines.extend(model.looked.iter().map(|(path, found)| {
        let mark = if *found { "✓" } else { "·" };
        (Role::Faint, format!("  {mark} {path}"))
    }));
    say(pen, area, &lines);
}

/// What is wrong with the filter, and what to write instead; nothing where it is understood.
pub fn wrong(model: &Model) -> Vec<(Role, String)> {
    let error = model.browse.filter.error.iter();
    let lines = error.flat_map(|error| {
        let hint = error.hint.iter().map(|hint| (Role::Text, hint.clone()));
        std::iter::once((Role::Error, format!("✗ {}", error.message))).chain(hint)
    });
    lines.collect()
}

/// What is said of stores that are there and hold nothing.
fn opened(model: &Model, new: &str) -> Vec<(Role, String)> {
    let title = match (model.opened.len(), model.world.skipped.is_empty()) {
        (1, true) => "This store has no memories yet",
        (_, true) => "These stores have no memories yet",
        (_, false) => "What is here is not read as memories",
    };
    let mut lines = vec![(Role::Title, title.to_owned())];
    let stores = model.opened.iter();
    lines.extend(stores.map(|(format, path)| (Role::Text, format!("{format}  {path}"))));
    let skipped = model.world.skipped.iter();
    lines.extend(skipped.map(|what| (Role::Muted, what.clone())));
    lines.push((Role::Muted, String::new()));
    lines.push((Role::Muted, format!("{new} writes the first one")));
    lines
}

/// Draws lines with a margin, a third of the way down.
pub fn say(pen: &mut Pen<'_>, area: Rect, lines: &[(Role, String)]) {
    let height = usize::from(area.height);
    let left = if area.width > 40 { 3 } else { 1 };
    let room = usize::from(area.width).saturating_sub(left + 1);
    let wrapped = lines.iter().flat_map(|(role, text)| {
        let lines = match safe::width(text) <= room {
            true => vec![text.clone()],
            false => wrap(text, room),
        };
        lines.into_iter().map(move |line| (*role, line))
    });
    let lines: Vec<_> = wrapped.collect();
    let free = height.saturating_sub(lines.len());
    let top = free / 3;
    for (n, (role, text)) in lines.iter().enumerate().take(height) {
        let span = Span::styled(safe::fit(text, room), pen.style(*role));
        let row = u16::try_from(top + n).unwrap_or(u16::MAX);
        pen.line_at(area, row, u16::try_from(left).unwrap_or(0), vec![span]);
    }
}
