//! A list being edited: tags as chips, patterns and names as rows.

use crate::app::key::{LineEdit, Step};
use crate::app::line::{Line, Typed, one_line};
use crate::app::scope::Action;
use crate::memory::Value;

/// A list with a place in it, and an entry that is typed there.
#[derive(Clone, Debug, Default)]
pub struct List {
    items: Vec<Value>,
    at: usize,
    entry: Option<Line>,
    chips: bool,
}

/// The effect of an action or a key on a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    /// The key means nothing here.
    Not,
    /// Nothing but the place changed.
    Moved,
    /// The items changed.
    Changed,
    /// The person is done with the list.
    Left,
    /// The item cannot be edited here.
    Refused(&'static str),
}

const MAPPING: &str = "this item is not text: edit it in the file (E opens $EDITOR)";

impl List {
    pub(super) fn new(items: Vec<Value>, chips: bool) -> Self {
        let at = if chips { items.len() } else { 0 };
        Self {
            items,
            at,
            entry: None,
            chips,
        }
    }

    /// Whether it is shown as chips on a line.
    pub const fn chips(&self) -> bool {
        self.chips
    }

    /// Which item is under the cursor; the number of items where that is the place of a new one.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// What is being typed in the place of `at`.
    pub const fn entry(&self) -> Option<&Line> {
        self.entry.as_ref()
    }

    /// The items, without what is being typed.
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    /// The items as they would be saved: what is being typed stands in its place, so that
    /// `Ctrl-s` and the preview need no Enter before them.
    pub fn values(&self) -> Vec<Value> {
        let mut values = self.items.clone();
        if let Some(entry) = &self.entry {
            put(&mut values, self.at, entry.text(), self.chips);
        }
        values
    }

    /// Gets ready for keys.
    pub(super) fn open(&mut self) {
        if self.chips {
            self.at = self.items.len();
            self.entry = Some(Line::default());
        } else {
            self.at = self.at.min(self.items.len());
            if self.items.is_empty() {
                self.entry = Some(Line::default());
            }
        }
    }

    /// Takes what is being typed into the list and stops typing.
    pub(super) fn close(&mut self) {
        self.commit();
        self.entry = None;
    }

    fn commit(&mut self) -> bool {
        let Some(entry) = self.entry.take() else {
            return false;
        };
        let before = self.items.len();
        let changed = put(&mut self.items, self.at, entry.text(), self.chips);
        if self.chips || self.at == before && changed {
            self.at = self.items.len();
        }
        changed
    }

    /// Replaces what is being typed.
    pub(super) fn complete(&mut self, text: &str) {
        self.entry = Some(Line::new(text));
    }

    /// Takes pasted text where something is typed, else as new entries at the end.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        // Terminals send a line end as a carriage return.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let lines: Vec<String> = text.lines().map(one_line).collect();
        let (Some(first), rest) = (lines.first(), lines.get(1..).unwrap_or_default()) else {
            return false;
        };
        if self.entry.is_none() {
            self.at = self.items.len();
        }
        self.entry.get_or_insert_default().insert(first);
        // Several lines are several items.
        for line in rest {
            self.commit();
            self.at = self.items.len();
            self.entry = Some(Line::new(line.trim()));
        }
        if !rest.is_empty() {
            self.commit();
            self.entry = self.chips.then(Line::default);
        }
        true
    }

    pub(super) fn act(&mut self, action: Action) -> Did {
        match (&self.entry, self.chips) {
            (_, true) => self.chip_action(action),
            (Some(_), false) => self.entry_action(action),
            (None, false) => self.row_action(action),
        }
    }

    /// Takes an edit where something is typed; on a chip some edits are about the chip.
    pub(super) fn typed(&mut self, edit: LineEdit) -> Did {
        use LineEdit::{Delete, Go, Insert};
        let is_empty = !self.types();
        let on_chip = self.on_chip();
        match edit {
            _ if !self.chips => self.type_in(edit),
            Insert(',') if is_empty => Did::Moved,
            Insert(',') => self.add_chip(),
            Delete(Step::Left | Step::WordLeft) if is_empty && !on_chip => {
                self.at = self.items.len().saturating_sub(1);
                self.remove_chip()
            }
            Delete(_) | Insert('x') if on_chip => self.remove_chip(),
            Go(Step::Left | Step::WordLeft) if is_empty => self.go_chip(self.at.saturating_sub(1)),
            Go(Step::Right | Step::WordRight) if is_empty => self.go_chip(self.at + 1),
            Go(Step::Start) if is_empty => self.go_chip(0),
            Go(Step::End) if is_empty => self.go_chip(self.items.len()),
            Insert(_) if on_chip => {
                self.go_chip(self.items.len());
                self.type_in(edit)
            }
            _ => self.type_in(edit),
        }
    }

    /// True if a text is typed.
    fn types(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| !entry.is_empty())
    }

    /// True if the cursor is on a chip, and nothing is typed in its place.
    const fn on_chip(&self) -> bool {
        self.chips && self.at < self.items.len() && self.entry.is_none()
    }

    fn chip_action(&mut self, action: Action) -> Did {
        match action {
            Action::Enter if self.types() => self.add_chip(),
            Action::Enter if self.on_chip() => self.edit(),
            Action::Leave if self.types() => {
                self.entry = Some(Line::default());
                self.at = self.items.len();
                Did::Changed
            }
            Action::Enter | Action::Leave => Did::Left,
            _ => Did::Not,
        }
    }

    /// Takes the typed text as a chip and begins another.
    fn add_chip(&mut self) -> Did {
        let changed = self.commit();
        self.entry = Some(Line::default());
        if changed { Did::Changed } else { Did::Moved }
    }

    fn go_chip(&mut self, at: usize) -> Did {
        self.at = at.min(self.items.len());
        self.entry = (self.at == self.items.len()).then(Line::default);
        Did::Moved
    }

    fn remove_chip(&mut self) -> Did {
        let did = self.remove();
        self.entry = (self.at == self.items.len()).then(Line::default);
        did
    }

    fn entry_action(&mut self, action: Action) -> Did {
        match action {
            Action::Enter if self.commit() => Did::Changed,
            Action::Enter => Did::Moved,
            Action::Leave => {
                self.entry = None;
                Did::Changed
            }
            _ => Did::Not,
        }
    }

    fn type_in(&mut self, edit: LineEdit) -> Did {
        match self.entry.as_mut().map(|entry| entry.edit(edit)) {
            Some(Typed::Changed) => Did::Changed,
            Some(Typed::Moved) => Did::Moved,
            Some(Typed::Not) | None => Did::Not,
        }
    }

    fn row_action(&mut self, action: Action) -> Did {
        match action {
            Action::MoveUp => self.shift(self.at.checked_sub(1)),
            Action::MoveDown => self.shift(Some(self.at + 1)),
            Action::Previous => self.go_row(self.at.saturating_sub(1)),
            Action::Next => self.go_row(self.at + 1),
            Action::First => self.go_row(0),
            Action::Last => self.go_row(self.items.len()),
            Action::Enter => self.edit(),
            Action::Add => {
                self.at = self.items.len();
                self.edit()
            }
            Action::Remove => self.remove(),
            Action::Leave => Did::Left,
            _ => Did::Not,
        }
    }

    fn go_row(&mut self, at: usize) -> Did {
        self.at = at.min(self.items.len());
        Did::Moved
    }

    fn edit(&mut self) -> Did {
        let text = match self.items.get(self.at) {
            Some(Value::List(_) | Value::Map(_)) => return Did::Refused(MAPPING),
            Some(item) => item.to_string(),
            None => String::new(),
        };
        self.entry = Some(Line::new(text));
        Did::Moved
    }

    fn remove(&mut self) -> Did {
        if self.at >= self.items.len() {
            return Did::Moved;
        }
        self.items.remove(self.at);
        Did::Changed
    }

    fn shift(&mut self, to: Option<usize>) -> Did {
        match to {
            Some(to) if to < self.items.len() && self.at < self.items.len() => {
                self.items.swap(self.at, to);
                self.at = to;
                Did::Changed
            }
            _ => Did::Moved,
        }
    }
}

/// Puts a typed text in a place of a list: nothing typed adds nothing and takes an item away, a
/// tag that is there already is not added again. Says whether the list changed.
fn put(items: &mut Vec<Value>, at: usize, text: &str, chips: bool) -> bool {
    let text = if chips { text.trim() } else { text };
    let elsewhere = |items: &[Value]| {
        items
            .iter()
            .enumerate()
            .any(|(n, item)| n != at && item.as_str() == Some(text))
    };
    match items.get(at) {
        Some(item) if item.to_string() == text => false,
        Some(_) if text.is_empty() || chips && elsewhere(items) => {
            items.remove(at);
            true
        }
        Some(_) => {
            if let Some(item) = items.get_mut(at) {
                *item = text.into();
            }
            true
        }
        None if text.trim().is_empty() || chips && elsewhere(items) => false,
        None => {
            items.push(text.into());
            true
        }
    }
}
