//! The top and the bottom line as data: what they say, and what a click on it does.

use std::collections::HashSet;

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::command::{self, Command};
use super::desk::Desk;
use super::layout::{Room, areas, room};
use super::{Focus, Model, Page, Pane, View};
use crate::curate::review::Kind;

/// A word of the top or bottom line and the command it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The key, as it is shown.
    pub key: String,
    /// Its action in a word or two.
    pub title: String,
    /// The command.
    pub id: &'static str,
}

/// The keys that matter now, as many as the line shows.
const SHOWN: usize = 5;
/// As many of those that answer a question: each is another answer.
const ANSWERS: usize = 7;

/// Commands that may be asked about, each with what cancels it.
const ASKING: [[&str; 2]; 9] = [
    ["keep-anyway", "back"],
    ["accept-all", "back"],
    ["archive", "back"],
    ["restore", "back"],
    ["confirm", "back"],
    ["delete", "back"],
    ["promote", "back"],
    ["demote", "back"],
    ["forget", "back"],
];

/// A command as the line calls it; none where another one does the same here.
fn called(
    model: &Model,
    (command, key): (&Command, String),
    selected: Option<[usize; 2]>,
) -> Option<Item> {
    let item = |key, title: &str| Item {
        key,
        title: title.to_owned(),
        id: command.id,
    };
    match (command.id, &model.page) {
        ("pick" | "accept-answer", _) => Some(item(key, model.overlay.as_ref()?.verb()?)),
        ("down", _) => {
            let up = model.keymap.label("up").unwrap_or_default();
            Some(item(format!("{key}/{up}"), "scroll"))
        }
        ("back", _) if model.asked_again.is_some() => Some(item(key, "cancel")),
        (id, _) if (model.asked_again.as_ref()).is_some_and(|again| again.command == id) => {
            let count = model.asked_again.as_ref().map(|again| again.ids.len());
            let title = format!("{} {}", command.title, number(count?));
            Some(item(key, &title))
        }
        ("back", Page::Usual) if selected.is_some() && model.pane == Pane::List => {
            Some(item(key, "clear selection"))
        }
        // Show the number of affected memories, unless it is just the current one.
        ("archive" | "confirm" | "promote" | "demote" | "forget" | "restore" | "delete", _) => {
            let Some([active, archived]) = selected else {
                return Some(item(key, command.title));
            };
            let count = match command.id {
                "restore" => archived,
                "delete" => active + archived,
                _ => active,
            };
            let title = format!("{} {}", command.title, number(count));
            (count > 0).then(|| item(key, &title))
        }
        ("accept-all", _) => {
            let group = model.review.current().map_or("", |card| card.entry.group());
            let count = model.review.alike().len();
            (count > 1).then(|| item(key, &format!("accept all {group} ({})", number(count))))
        }
        // A hidden entry has to be opened first.
        ("accept", _) if model.pane == Pane::List && areas(model).side.is_empty() => None,
        ("accept" | "reject", _) => {
            let entry = model.review.current().map(|card| &card.entry);
            let title = match (command.id, entry?.kind, entry?.group()) {
                ("accept", Kind::Deleted, _) => "accept the deletion",
                ("accept", ..) | (_, _, "proposed") => command.title,
                (_, Kind::Deleted, _) => "bring it back",
                (_, Kind::Added, _) => "remove it",
                _ => "bring the old version back",
            };
            Some(item(key, title))
        }
        // A change that a person chose is no fix.
        ("apply-fix", Page::Fix(proposal)) if proposal.about.is_none() => Some(item(key, "apply")),
        // Of a question without a fix it shows the two memories.
        ("fix", Page::Usual) => {
            let finding = model.current_finding().and_then(|n| model.world.finding(n));
            let asks = finding.is_some_and(|finding| finding.fix.is_none());
            (!asks).then(|| item(key, command.title))
        }
        _ => Some(item(key, command.title)),
    }
}

/// Number of memories that are selected in the list, in use and archived; none where none is.
fn selected(model: &Model) -> Option<[usize; 2]> {
    let (browse, world) = (&model.browse, &model.world);
    if model.view != View::Browse || (browse.picked.is_empty() && browse.range.is_none()) {
        return None;
    }
    let ranged = browse.rows.iter().enumerate();
    let ranged = ranged.filter(|(row, _)| browse.in_range(*row));
    let ranged: HashSet<usize> = ranged.map(|(_, n)| *n as usize).collect();
    let mut counts = [0, 0];
    for (n, memory) in world.memories.iter().enumerate() {
        if browse.picked.contains(&memory.id) || ranged.contains(&n) {
            let [active, archived] = &mut counts;
            *(if world.is_active(n) { active } else { archived }) += 1;
        }
    }
    Some(counts)
}

/// The commands that matter in a place, most telling first; of those that apply the first five
/// are shown.
pub(super) fn telling(model: &Model, focus: Focus, selects: bool) -> &'static [&'static str] {
    match (focus, &model.page) {
        (Focus::Pane(_), _) if model.asked_again.is_some() => {
            let asked = model.asked_again.as_ref().map(|again| again.command);
            let found = ASKING.iter().find(|[command, _]| Some(*command) == asked);
            found.map_or(&["back"], |both| both.as_slice())
        }
        (Focus::Pane(Pane::List), Page::Usual) if selects => {
            &["archive", "restore", "promote", "delete", "confirm", "back"]
        }
        (Focus::Palette, _) => &["run-command", "palette-down", "leave-palette"],
        (Focus::Draft, _) => &["restore-draft", "discard-draft", "keep-draft"],
        (Focus::Pick, _) => &[
            "pick",
            "move-there",
            "keep-theme",
            "pick-down",
            "leave-list",
        ],
        (Focus::Pane(_), Page::Versions(_)) => {
            &["restore-version", "older-version", "who-wrote", "back"]
        }
        (Focus::Ask, _) => &["accept-answer", "leave-answer"],
        (Focus::Filter, _) => &[
            "accept-filter",
            "complete-filter",
            "filter-down",
            "leave-filter",
        ],
        (Focus::Task, _) => &["accept-task", "next-part", "task-down", "leave-task"],
        (Focus::Pane(_), Page::Explain) if model.view == View::Lint => {
            &["down", "fix", "back", "next-finding"]
        }
        (Focus::Pane(_), Page::Explain) => &["take-suggestion", "edit-fields", "task", "back"],
        (Focus::Pane(_), Page::Pair(_)) => &[
            "keep-a",
            "keep-b",
            "keep-both",
            "merge",
            "merge-into-b",
            "not-a-conflict",
            "back",
        ],
        (Focus::Pane(_), Page::Fix(_)) => &["apply-fix", "down", "back", "next-finding"],
        (Focus::Pane(Pane::List), _) => match model.view {
            View::Browse => &[
                "restore",
                "filter",
                "task",
                "compare",
                "fix",
                "edit-fields",
                "edit-body",
                "archive",
                "new",
            ],
            View::Inject => &[
                "explain",
                "task",
                "next-store",
                "tasks",
                "record-task",
                "edit-fields",
                "next-pane",
                "browse",
            ],
            View::Review => &[
                "accept",
                "keep-anyway",
                "reject",
                "skip",
                "accept-all",
                "commit",
                "edit-fields",
                "edit-body",
                "undo",
            ],
            View::Lint => &[
                "compare",
                "fix",
                "fix-rule",
                "explain",
                "next-finding",
                "silence",
                "edit-fields",
                "edit-body",
                "browse",
            ],
        },
        (Focus::Pane(_), Page::Usual) if model.view == View::Review => &[
            "accept",
            "keep-anyway",
            "reject",
            "skip",
            "accept-all",
            "back",
            "commit",
            "edit-fields",
        ],
        (Focus::Desk, _) => model.desk.as_ref().map_or(&[], Desk::hints),
        (Focus::Pane(_), _) => &[
            "back",
            "restore",
            "edit-fields",
            "edit-body",
            "fix",
            "copy",
            "related",
            "zoom",
        ],
    }
}

/// The words of the bottom line.
pub fn hints(model: &Model) -> Vec<Item> {
    if !model.pending.is_empty() {
        let next = model.keymap.continuations(&model.scopes(), &model.pending);
        return next
            .into_iter()
            .map(|(key, title)| Item {
                key,
                title: title.to_owned(),
                id: "",
            })
            .collect();
    }
    let scopes = model.scopes();
    let selected = selected(model);
    let item = |id: &&'static str| {
        let command = command::find(id)?;
        let heard = scopes.contains(&command.scope) && (command.when)(model).is_ok();
        let key = model.keymap.label(command.id)?;
        called(model, (command, key), selected).filter(|_| heard)
    };
    // If the right side is not on the screen, offer to open it.
    let closed = model.focus() == Focus::Pane(Pane::List)
        && room(model.size.0, model.size.1) < Room::Wide
        && matches!(model.page, Page::Usual)
        && model.view != View::Inject
        && model.asked_again.is_none();
    let open: &[&str] = if closed { &["open"] } else { &[] };
    let telling = telling(model, model.focus(), selected.is_some());
    let telling = open.iter().chain(telling);
    let shown = match model.page {
        Page::Pair(_) => ANSWERS,
        _ => SHOWN,
    };
    let mut items: Vec<Item> = telling.filter_map(item).take(shown).collect();
    if matches!(model.focus(), Focus::Pane(_)) {
        let palette = model.keymap.labels("palette");
        items.extend(palette.last().map(|key| Item {
            key: key.clone(),
            title: "all keys".to_owned(),
            id: "palette",
        }));
    }
    items
}

/// The words of the bottom line that fit into a width. The way to all the others is the last to
/// go, but for what can be done here.
pub fn fitting(model: &Model, room: u16) -> Vec<Item> {
    const AT_LEAST: usize = 2;
    let mut items = hints(model);
    let last = items.pop_if(|item| item.id == "palette");
    let fit = |kept: u16| {
        let mut end = 1;
        let fits = |item: &&Item| {
            let fits = end + width(item) + kept <= room;
            end += width(item) + GAP;
            fits
        };
        items.iter().take_while(fits).cloned().collect::<Vec<_>>()
    };
    let kept = last.as_ref().map_or(0, |item| GAP + width(item));
    let out = fit(kept);
    if out.len() < AT_LEAST.min(items.len()) {
        return fit(0);
    }
    out.into_iter().chain(last).collect()
}

/// A number with commas: `12,345`.
pub fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The views in the top line.
pub fn tabs(model: &Model) -> Vec<(View, Item)> {
    let tab = |view, id: &'static str, title: &str| {
        let key = model.keymap.label(id).unwrap_or_default();
        let count = model.world.warnings();
        let changed = model.waiting();
        let title = match view {
            View::Lint if count > 0 => format!("{title} {}", number(count)),
            View::Review if changed > 0 => format!("{title} {}", number(changed)),
            _ => title.to_owned(),
        };
        (view, Item { key, title, id })
    };
    vec![
        tab(View::Browse, "browse", "Browse"),
        tab(View::Inject, "inject", "Inject"),
        tab(View::Lint, "lint", "Lint"),
        tab(View::Review, "review", "Review"),
    ]
}

/// Columns from one item to the next.
pub const GAP: u16 = 2;

/// Columns of an item.
pub fn width(item: &Item) -> u16 {
    let columns = item.key.width() + 1 + item.title.width();
    u16::try_from(columns).unwrap_or(u16::MAX)
}

/// The column at which the views begin in the top line.
pub fn tabs_at(model: &Model) -> u16 {
    if room(model.size.0, model.size.1) < Room::Medium {
        return 1;
    }
    let name = u16::try_from(model.project.width()).unwrap_or(u16::MAX);
    // ` memkeep  NAME   1 Browse …`
    let at = name.min(model.size.0 / 4).saturating_add(13);
    let tabs = tabs(model).into_iter();
    let tabs: u16 = tabs.map(|(_, item)| width(&item) + GAP).sum();
    // All views are named before the project is.
    if at.saturating_add(tabs) > model.size.0 + GAP {
        1
    } else {
        at
    }
}

/// The clickable areas of the top and the bottom line.
pub fn clickable(model: &Model) -> Vec<(Rect, &'static str)> {
    let areas = areas(model);
    let mut out = Vec::new();
    let mut place = |line: Rect, mut x: u16, items: &[Item]| {
        for item in items {
            let area = Rect::new(x, line.y, width(item), line.height.min(1));
            out.push((area.intersection(line), item.id));
            x = x.saturating_add(width(item)).saturating_add(GAP);
        }
    };
    let tabs: Vec<Item> = tabs(model).into_iter().map(|(_, item)| item).collect();
    place(areas.header, tabs_at(model), &tabs);
    let fitting = fitting(model, areas.hints.width);
    place(areas.hints, areas.hints.x + 1, &fitting);
    out
}
