//! The text of an empty list: the reason, and the key that leads on.

use itertools::Itertools as _;
use ratatui::layout::Rect;

use super::pen::{Pen, inset};
use super::safe;
use super::sheet::wrap;
use super::theme::Role;
use crate::app::Model;
use crate::memory::StoreId;
use crate::search::Query;

/// The lines of an empty list of memories.
pub fn lines(model: &Model) -> Vec<(Role, String)> {
    let muted = |text: &str| (Role::Muted, text.to_owned());
    if !model.world.complete {
        return vec![muted("reading the stores …")];
    }
    let key = |id: &str| model.key(id);
    let filter = &model.browse.filter;
    if filter.is_on() {
        let [leave, change, back] = ["leave-filter", "filter", "back"].map(key);
        let next = match filter.editing {
            true => format!("{leave} leaves the filter · {leave} again clears it"),
            false => format!("{change} changes the filter · {back} clears it"),
        };
        let mut lines = wrong(model);
        if lines.is_empty() {
            let text = safe::fit(filter.line.text(), 40);
            lines.push((Role::Title, format!("Nothing matches {text}")));
        }
        if filter.editing && !filter.texts && filter.query.as_ref().is_some_and(Query::wants_body) {
            let accept = key("accept-filter");
            lines.push(muted(&format!("{accept} searches bodies too")));
        }
        lines.push(muted(&next));
        return lines;
    }
    let archived = model.world.memories.len();
    if archived > 0 {
        let dot = key("show-archived");
        let text = format!("all {archived} memories are archived · {dot} lists them");
        return vec![muted(&text)];
    }
    let new = key("new");
    if !model.opened.is_empty() {
        return opened(model, &new);
    }
    let text = no_store(&model.root.to_string_lossy(), &model.agents_here);
    let lines = text.into_iter();
    let mut lines = lines.map(|line| (Role::Muted, line)).collect_vec();
    if let Some((role, _)) = lines.first_mut() {
        *role = Role::Title;
    }
    let first = muted(&format!("{new} makes a store with its first memory"));
    lines.insert(2, first);
    lines
}

/// The text about a folder without a store, for the screen and the command line. `agents` are files
/// of agents that are there.
pub fn no_store(folder: &str, agents: &[String]) -> [String; 6] {
    let agents = match agents {
        [] => "no files of coding agents are here".to_owned(),
        agents => format!("files of agents: {}", agents.join(", ")),
    };
    [
        format!("no store found in {folder}"),
        agents,
        "memkeep init              makes a store; --as FORMAT one of that format".to_owned(),
        "memkeep PATH --as FORMAT  reads a folder or a file as a store".to_owned(),
        "memkeep demo              opens a sample project".to_owned(),
        "memkeep stores -v         lists the places where stores are looked for".to_owned(),
    ]
}

/// The error in the filter and its remedy; nothing if it is understood.
pub fn wrong(model: &Model) -> Vec<(Role, String)> {
    let error = model.browse.filter.error.iter();
    let lines = error.flat_map(|error| {
        let hint = error.hint.iter().map(|hint| (Role::Text, hint.clone()));
        std::iter::once((Role::Error, format!("✗ {}", error.message))).chain(hint)
    });
    lines.collect()
}

fn opened(model: &Model, new: &str) -> Vec<(Role, String)> {
    let title = match model.opened.len() {
        1 => "This store has no memories yet",
        _ => "These stores have no memories yet",
    };
    let mut lines = vec![(Role::Title, title.to_owned())];
    let stores = model.opened.iter();
    let shown = |(store, path): &(StoreId, String)| format!("{}  {path}", store.format());
    lines.extend(stores.map(|one| (Role::Text, shown(one))));
    lines.push((Role::Muted, String::new()));
    lines.push((Role::Muted, format!("{new} writes the first one")));
    lines
}

/// Draws lines with a margin, a third of the way down.
pub fn say(pen: &mut Pen<'_>, area: Rect, lines: &[(Role, String)]) {
    let left = if area.width > 40 { 3 } else { 1 };
    let inner = inset(area, left, 1);
    let room = usize::from(inner.width);
    let wrapped = lines.iter().flat_map(|(role, text)| {
        let lines = match safe::width(text) <= room {
            true => vec![text.clone()],
            false => wrap(text, room),
        };
        lines.into_iter().map(move |line| (*role, line))
    });
    let lines: Vec<_> = wrapped.collect();
    let count = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let top = area.height.saturating_sub(count) / 3;
    for (row, (role, text)) in (top..area.height).zip(&lines) {
        pen.cut(inner, row, *role, text);
    }
}
