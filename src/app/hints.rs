//! The top and the bottom line as data: what they say, and what a click on it does.

use std::sync::Arc;

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::command::{self, Command};
use super::layout::{Room, areas, room};
use super::{Focus, Model, Page, Pane, View};
use crate::curate::differences::Kind;
use crate::memory::{Memory, MemoryId, State, number};

/// A word of the top or bottom line and the command it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub key: String,
    pub title: String,
    pub id: &'static str,
}

/// The keys that matter now, as many as the line shows.
const SHOWN: usize = 5;
/// As many of those that answer a question: each is another answer.
const ANSWERS: usize = 7;

const REVIEW: &str =
    "accept keep-anyway reject undo skip accept-all commit raw-diff edit-fields edit-body back";

/// The title of a command on the line; none where another one does the same here.
fn title(model: &Model, command: &Command, selected: Option<[usize; 2]>) -> Option<String> {
    let own = command.title;
    let again = model.asked_again.as_ref();
    let is_usual = matches!(model.page, Page::Usual);
    let is_list = model.pane == Pane::List;
    let title = match command.id {
        "pick" | "accept-answer" => model.overlay.as_ref()?.verb()?,
        "down" if model.extents.page == 0 => return None,
        "down" => "scroll",
        "back" if again.is_some() => "cancel",
        id if again.is_some_and(|again| again.command == id) => {
            return Some(format!("{own} {}", number(again?.ids.len())));
        }
        "back" if is_usual && is_list && selected.is_some() => "clear selection",
        // Show the number of affected memories, unless it is just the current one.
        "archive" | "confirm" | "promote" | "demote" | "forget" | "restore" | "delete" => {
            let Some([active, archived]) = selected else {
                return Some(own.to_owned());
            };
            let count = match command.id {
                "restore" => archived,
                "delete" => active + archived,
                _ => active,
            };
            return (count > 0).then(|| format!("{own} {}", number(count)));
        }
        "undo" if model.view == View::Review => {
            return model.review.decided().map(|_| "take it back".to_owned());
        }
        "accept-all" => {
            let group = model.review.current().map_or("", |card| card.entry.group());
            let count = model.review.alike().len();
            return (count > 1).then(|| format!("accept all {group} ({})", number(count)));
        }
        id @ ("accept" | "reject") => {
            let entry = &model.review.current()?.entry;
            let made = model.review.decision(model.review.cursor.row);
            if made.is_some_and(|made| made.word().starts_with(id)) {
                return None;
            }
            match (id, entry.kind, entry.group()) {
                ("accept", Kind::Deleted, _) => "accept the deletion",
                ("accept", ..) | (_, _, "proposed") => own,
                (_, Kind::Deleted, _) => "bring it back",
                (_, Kind::Added, _) => "archive it",
                _ => "bring the old version back",
            }
        }
        // A change that a person chose is no fix.
        "apply-fix" if matches!(&model.page, Page::Fix(one) if one.about.is_none()) => "apply",
        // Of a question without a fix it shows the two memories.
        "fix" if is_usual => {
            let finding = model.on_finding();
            let has_fix = finding.is_none_or(|finding| finding.fix.is_some());
            return has_fix.then(|| own.to_owned());
        }
        _ => own,
    };
    Some(title.to_owned())
}

/// Number of memories that are selected in the list, in use and archived; none where none is.
pub(super) fn selected(model: &Model) -> Option<[usize; 2]> {
    let browse = &model.browse;
    if model.view != View::Browse || (browse.picked.is_empty() && browse.range.is_none()) {
        return None;
    }
    let targets = model.world.all_of(&model.targets());
    let is_active = |memory: &&&Arc<Memory>| memory.state == State::Active;
    let active = targets.iter().filter(is_active).count();
    Some([active, targets.len() - active])
}

/// The commands that matter in a place, most telling first; of those that apply the first five
/// are shown.
pub(super) fn telling(model: &Model, focus: Focus, selects: bool) -> Vec<&'static str> {
    let again = model.asked_again.as_ref();
    if let Some(again) = again.filter(|_| matches!(focus, Focus::Pane(_))) {
        return vec![again.command, "back"];
    }
    let ids = match (focus, &model.page) {
        (Focus::Pane(Pane::List), Page::Usual) if selects => {
            "archive restore promote delete confirm back"
        }
        (Focus::Palette, _) => "run-command palette-down leave-palette",
        (Focus::Pick, _) => "pick keep-theme pick-down leave-list",
        (Focus::Ask, _) => "accept-answer leave-answer",
        (Focus::Filter, _) => "accept-filter filter-down leave-filter",
        (Focus::Task, _) => "accept-task next-part task-down leave-task",
        (Focus::Editor, _) => model.editor.as_ref().map_or("", |one| one.keys().1),
        (_, Page::Versions(_)) => "restore-version older-version back",
        (_, Page::Explain) if model.view == View::Lint => "down fix back next-finding",
        (_, Page::Explain) => "take-suggestion edit-fields task back",
        (_, Page::Pair(_)) => "keep-a keep-b keep-both merge merge-into-b not-a-conflict back",
        (_, Page::Fix(_)) => "apply-fix down back next-finding",
        (Focus::Pane(Pane::List), Page::Usual) => match model.view {
            View::Browse => "restore filter task compare fix edit-fields edit-body archive new",
            View::Inject => {
                "explain task next-store tasks record-task edit-fields next-pane browse"
            }
            View::Review => REVIEW,
            View::Lint => {
                "compare fix next-finding next-rule silence fix-rule explain edit-fields edit-body browse"
            }
        },
        (_, Page::Usual) if model.view == View::Review => REVIEW,
        _ => "back restore edit-fields edit-body fix copy related zoom",
    };
    ids.split_whitespace().collect()
}

/// The words of the bottom line.
pub fn hints(model: &Model) -> Vec<Item> {
    let scopes = model.scopes();
    let selected = selected(model);
    let item = |id: &'static str| {
        let command = command::find(id)?;
        if !scopes.contains(&command.scope) || command.applies(model).is_err() {
            return None;
        }
        let mut key = model.keymap.label(id)?;
        if id == "down" {
            key = format!("{key}/{}", model.key("up"));
        }
        let title = title(model, command, selected)?;
        Some(Item { key, title, id })
    };
    // If the right side is not on the screen, offer to open it.
    let closed = model.focus() == Focus::Pane(Pane::List)
        && areas(model).side.is_empty()
        && matches!(model.page, Page::Usual)
        && !matches!(model.view, View::Inject | View::Review)
        && model.asked_again.is_none();
    let telling = telling(model, model.focus(), selected.is_some()).into_iter();
    let is_deleted = model.view == View::Browse && model.on_deleted().is_some();
    let open = (closed || is_deleted).then_some("open");
    let telling = open.into_iter().chain(telling);
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

pub fn tabs(model: &Model) -> Vec<(View, Item)> {
    let tab = |(view, id, title, count): (View, &'static str, &str, usize)| {
        let key = model.key(id);
        let title = match count {
            0 => title.to_owned(),
            _ => format!("{title} {}", number(count)),
        };
        (view, Item { key, title, id })
    };
    let all = [
        (View::Browse, "browse", "Browse", 0),
        (View::Inject, "inject", "Inject", 0),
        (View::Lint, "lint", "Lint", model.world.digest.warnings),
        (View::Review, "review", "Review", model.waiting()),
    ];
    all.map(tab).into()
}

/// Columns from one item to the next.
pub const GAP: u16 = 2;

pub fn width(item: &Item) -> u16 {
    let columns = item.key.width() + 1 + item.title.width();
    u16::try_from(columns).unwrap_or(u16::MAX)
}

/// The column at which the views begin in the top line.
pub fn tabs_at(model: &Model) -> u16 {
    if room(model.size) < Room::Medium {
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

/// A message, and how to undo what it reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    /// A remedy, or how to undo it.
    pub hint: Option<String>,
    pub error: bool,
}

/// A command that is done when it is asked for again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    pub command: &'static str,
    pub ids: Vec<MemoryId>,
    pub why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    Many,
    /// It takes more with it than it names, or its system would not do it.
    Doubt,
}

#[derive(Debug, Default)]
pub struct Status {
    message: Option<Message>,
}

impl Status {
    pub const fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    /// Says what happened; an error that was not read yet stays.
    pub fn say(&mut self, text: impl Into<String>, hint: Option<&str>) {
        if self.message.as_ref().is_none_or(|message| !message.error) {
            self.message = Some(Message {
                text: text.into(),
                hint: hint.map(str::to_owned),
                error: false,
            });
        }
    }

    /// Says something beside what is said already.
    pub fn note(&mut self, text: String) {
        match &mut self.message {
            Some(message) if message.hint.is_none() => message.hint = Some(text),
            Some(message) if message.error => {}
            _ => self.say(text, None),
        }
    }

    pub fn fail(&mut self, text: impl Into<String>, hint: Option<String>) {
        self.message = Some(Message {
            text: text.into(),
            hint,
            error: true,
        });
    }

    /// Text was typed: who types does not look here, so that an error stays.
    pub fn typed(&mut self) {
        self.message.take_if(|message| !message.error);
    }

    /// A key was pressed: what is there has been read.
    pub fn read(&mut self) {
        self.message = None;
    }
}
