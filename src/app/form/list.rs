//! A list being edited: tags as chips, patterns and names as rows.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::input::{Input, Typed, one_line};
use crate::memory::Value;
use crate::memory::frontmatter;
use crate::memory::schema::Kind;

/// A list with a place in it, and an entry that is typed there.
#[derive(Clone, Debug, Default)]
pub struct List {
    items: Vec<Value>,
    at: usize,
    entry: Option<Input>,
    chips: bool,
    /// Items are typed as YAML.
    yaml: bool,
}

/// What a key did to a list.
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
    pub(super) fn new(items: Vec<Value>, kind: Kind) -> Self {
        let chips = kind == Kind::Tags;
        let at = if chips { items.len() } else { 0 };
        Self {
            items,
            at,
            entry: None,
            chips,
            yaml: kind == Kind::Entries,
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
    pub const fn entry(&self) -> Option<&Input> {
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
            put(&mut values, self.at, self.typed(entry), self.chips);
        }
        values
    }

    /// Gets ready for keys.
    pub(super) fn open(&mut self) {
        if self.chips {
            self.at = self.items.len();
            self.entry = Some(Input::default());
        } else {
            self.at = self.at.min(self.items.len());
            if self.items.is_empty() {
                self.entry = Some(Input::default());
            }
        }
    }

    /// Takes what is being typed into the list and stops typing.
    pub(super) fn close(&mut self) {
        self.commit();
        self.entry = None;
    }

    /// A typed entry as a value: a text that is not YAML stays that text.
    fn typed(&self, entry: &Input) -> Value {
        let text = entry.text();
        let read = || frontmatter::read(&format!("value: {text}\n")).ok();
        let value = self.yaml.then(read).flatten();
        let value = value.and_then(|fields| fields.get("value").cloned());
        value.unwrap_or_else(|| text.into())
    }

    fn commit(&mut self) -> bool {
        let Some(entry) = self.entry.take() else {
            return false;
        };
        let before = self.items.len();
        let typed = self.typed(&entry);
        let changed = put(&mut self.items, self.at, typed, self.chips);
        if self.chips || self.at == before && changed {
            self.at = self.items.len();
        }
        changed
    }

    /// Replaces what is being typed.
    pub(super) fn complete(&mut self, text: &str) {
        self.entry = Some(Input::new(text));
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
            self.entry = Some(Input::new(line.trim()));
        }
        if !rest.is_empty() {
            self.commit();
            self.entry = self.chips.then(Input::default);
        }
        true
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> Did {
        if self.chips {
            self.chip_key(key)
        } else if self.entry.is_some() {
            self.entry_key(key)
        } else {
            self.row_key(key)
        }
    }

    fn chip_key(&mut self, key: KeyEvent) -> Did {
        let typing = self.entry.as_ref().is_some_and(|entry| !entry.is_empty());
        let on_chip = self.at < self.items.len() && self.entry.is_none();
        match key.code {
            KeyCode::Enter | KeyCode::Char(',') if typing => {
                let changed = self.commit();
                self.entry = Some(Input::default());
                if changed { Did::Changed } else { Did::Moved }
            }
            KeyCode::Enter if on_chip => self.edit(),
            KeyCode::Enter => Did::Left,
            KeyCode::Char(',') => Did::Moved,
            KeyCode::Esc if typing => {
                self.entry = Some(Input::default());
                self.at = self.items.len();
                Did::Changed
            }
            KeyCode::Esc => Did::Left,
            KeyCode::Backspace if !typing && !on_chip => {
                self.at = self.items.len().saturating_sub(1);
                self.remove_chip()
            }
            KeyCode::Backspace | KeyCode::Delete | KeyCode::Char('x') if on_chip => {
                self.remove_chip()
            }
            KeyCode::Left if !typing => self.go_chip(self.at.saturating_sub(1)),
            KeyCode::Right if !typing => self.go_chip(self.at + 1),
            KeyCode::Home if !typing => self.go_chip(0),
            KeyCode::End if !typing => self.go_chip(self.items.len()),
            KeyCode::Char(_) if on_chip => {
                self.go_chip(self.items.len());
                self.type_key(key)
            }
            _ => self.type_key(key),
        }
    }

    fn go_chip(&mut self, at: usize) -> Did {
        self.at = at.min(self.items.len());
        self.entry = (self.at == self.items.len()).then(Input::default);
        Did::Moved
    }

    fn remove_chip(&mut self) -> Did {
        let did = self.remove();
        self.entry = (self.at == self.items.len()).then(Input::default);
        did
    }

    /// Keys while an item of rows is typed.
    fn entry_key(&mut self, key: KeyEvent) -> Did {
        match key.code {
            KeyCode::Enter => {
                if self.commit() {
                    Did::Changed
                } else {
                    Did::Moved
                }
            }
            KeyCode::Esc => {
                self.entry = None;
                Did::Changed
            }
            _ => self.type_key(key),
        }
    }

    fn type_key(&mut self, key: KeyEvent) -> Did {
        match self.entry.as_mut().map(|entry| entry.key(key)) {
            Some(Typed::Changed) => Did::Changed,
            Some(Typed::Moved) => Did::Moved,
            Some(Typed::Not) | None => Did::Not,
        }
    }

    /// Keys while a row is under the cursor and nothing is typed.
    fn row_key(&mut self, key: KeyEvent) -> Did {
        let shifted = key
            .modifiers
            .intersects(KeyModifiers::SHIFT | KeyModifiers::ALT);
        match key.code {
            KeyCode::Char('K') => self.shift(self.at.checked_sub(1)),
            KeyCode::Char('J') => self.shift(Some(self.at + 1)),
            KeyCode::Up if shifted => self.shift(self.at.checked_sub(1)),
            KeyCode::Down if shifted => self.shift(Some(self.at + 1)),
            KeyCode::Up | KeyCode::Char('k') => self.go_row(self.at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.go_row(self.at + 1),
            KeyCode::Home | KeyCode::Char('g') => self.go_row(0),
            KeyCode::End | KeyCode::Char('G') => self.go_row(self.items.len()),
            KeyCode::Enter => self.edit(),
            KeyCode::Char('a' | 'o') => {
                self.at = self.items.len();
                self.edit()
            }
            KeyCode::Char('x') | KeyCode::Delete | KeyCode::Backspace => self.remove(),
            KeyCode::Esc | KeyCode::Left | KeyCode::Char('h') => Did::Left,
            _ => Did::Not,
        }
    }

    fn go_row(&mut self, at: usize) -> Did {
        self.at = at.min(self.items.len());
        Did::Moved
    }

    fn edit(&mut self) -> Did {
        let text = match self.items.get(self.at) {
            Some(item) if self.yaml => frontmatter::inline(item),
            Some(Value::List(_) | Value::Map(_)) => return Did::Refused(MAPPING),
            Some(item) => item.to_string(),
            None => String::new(),
        };
        self.entry = Some(Input::new(text));
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

/// Puts a typed item in a place of a list: an empty text adds nothing and removes an item, a tag
/// that is there already is not added again. True if the list changed.
fn put(items: &mut Vec<Value>, at: usize, typed: Value, chips: bool) -> bool {
    let typed = match typed.as_str() {
        Some(text) if chips => text.trim().into(),
        _ => typed,
    };
    let is_there = |items: &[Value]| {
        let mut others = items.iter().enumerate().filter(|(n, _)| *n != at);
        others.any(|(_, item)| *item == typed)
    };
    let is_same = |item: &Value| *item == typed || typed.as_str() == Some(&*item.to_string());
    let is_empty = matches!(&typed, Value::Null)
        || typed.as_str().is_some_and(|text| {
            text.is_empty() || items.get(at).is_none() && text.trim().is_empty()
        });
    match items.get(at) {
        Some(item) if is_same(item) => false,
        Some(_) if is_empty || chips && is_there(items) => {
            items.remove(at);
            true
        }
        None if is_empty || chips && is_there(items) => false,
        Some(_) => {
            if let Some(item) = items.get_mut(at) {
                *item = typed;
            }
            true
        }
        None => {
            items.push(typed);
            true
        }
    }
}
