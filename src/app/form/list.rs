//! A list being edited: tags as chips, patterns and names as rows.

use crate::app::key::{LineEdit, Step};
use crate::app::line::{Line, one_line};
use crate::app::scope::Outcome;
use crate::memory::Value;
use crate::memory::frontmatter;
use crate::memory::schema::Kind;

/// A list with a place in it, and an entry that is typed there.
#[derive(Clone, Debug, Default)]
pub struct List {
    items: Vec<Value>,
    at: usize,
    entry: Option<Line>,
    chips: bool,
    /// Items are typed as YAML.
    yaml: bool,
}

impl List {
    pub(super) fn new(items: Vec<Value>, kind: Kind) -> Self {
        let chips = kind == Kind::Tags;
        Self {
            at: if chips { items.len() } else { 0 },
            items,
            entry: None,
            chips,
            yaml: kind == Kind::Entries,
        }
    }

    /// True if it is shown as chips on a line.
    pub const fn chips(&self) -> bool {
        self.chips
    }

    /// Which item is under the cursor; the number of items where that is the place of a new one.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// The text that is typed in the place of `at`.
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
            put(&mut values, self.at, self.value_of(entry), self.chips);
        }
        values
    }

    /// Gets ready for keys.
    pub(super) fn open(&mut self) {
        if self.chips || self.items.is_empty() {
            self.at = self.items.len();
            self.entry = Some(Line::default());
        } else {
            self.at = self.at.min(self.items.len());
        }
    }

    /// Takes what is being typed into the list and stops typing.
    pub(super) fn close(&mut self) {
        self.commit();
    }

    /// A typed entry as a value: a text that is not YAML stays that text.
    fn value_of(&self, entry: &Line) -> Value {
        let text = entry.text();
        let read = || frontmatter::read(&format!("value: {text}\n")).ok();
        let value = self.yaml.then(read).flatten();
        let value = value.and_then(|fields| fields.get("value").cloned());
        value.unwrap_or_else(|| text.into())
    }

    /// Takes what is being typed into the list.
    fn commit(&mut self) -> Outcome {
        let Some(entry) = self.entry.take() else {
            return Outcome::Redraw;
        };
        let is_new = self.at == self.items.len();
        let typed = self.value_of(&entry);
        let changed = put(&mut self.items, self.at, typed, self.chips);
        if self.chips || is_new && changed {
            self.at = self.items.len();
        }
        changed_if(changed)
    }

    /// Replaces what is being typed.
    pub(super) fn complete(&mut self, text: &str) {
        self.entry = Some(Line::new(text));
    }

    /// Takes pasted text where something is typed, else as new entries at the end.
    pub(super) fn paste(&mut self, text: &str) {
        // Terminals send a line end as a carriage return.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut lines = text.lines().map(one_line);
        let Some(first) = lines.next() else {
            return;
        };
        if self.entry.is_none() {
            self.at = self.items.len();
        }
        self.entry.get_or_insert_default().insert(&first);
        // Several lines are several items.
        let mut is_several = false;
        for line in lines {
            is_several = true;
            self.commit();
            self.at = self.items.len();
            self.entry = Some(Line::new(line.trim()));
        }
        if is_several {
            self.commit();
            self.entry = self.chips.then(Line::default);
        }
    }

    /// Takes what is typed, or opens the entry; on an empty new tag the list is left.
    pub(super) fn enter(&mut self) -> Result<Outcome, &'static str> {
        match self.chips {
            true if self.types() => Ok(self.add_chip()),
            true if !self.on_chip() => Ok(Outcome::Leave),
            false if self.entry.is_some() => Ok(self.commit()),
            _ => self.edit(),
        }
    }

    /// Drops what is typed, else leaves the list.
    pub(super) fn drop_typed(&mut self) -> Outcome {
        match self.chips {
            true if self.types() => drop(self.go_chip(self.items.len())),
            false if self.entry.is_some() => self.entry = None,
            _ => return Outcome::Leave,
        }
        Outcome::Changed
    }

    /// Opens a new entry at the end.
    pub(crate) fn add(&mut self) -> Result<Outcome, &'static str> {
        self.at = self.items.len();
        self.edit()
    }

    /// Takes an edit where something is typed; on a chip some edits are about the chip.
    pub(super) fn typed(&mut self, edit: LineEdit) -> Outcome {
        use LineEdit::{Delete, Go, Insert};
        let is_empty = self.chips && !self.types();
        let on_chip = self.on_chip();
        match edit {
            Insert(',') if is_empty => Outcome::Redraw,
            Insert(',') if self.chips => self.add_chip(),
            Delete(Step::Left | Step::WordLeft) if is_empty && !on_chip => {
                self.at = self.items.len().saturating_sub(1);
                self.remove_chip()
            }
            Delete(_) | Insert('x') if on_chip => self.remove_chip(),
            Go(Step::Left | Step::WordLeft) if is_empty => self.go_chip(self.at.saturating_sub(1)),
            Go(Step::Right | Step::WordRight) if is_empty => self.go_chip(self.at + 1),
            Go(Step::Start) if is_empty => self.go_chip(0),
            Go(Step::End) if is_empty => self.go_chip(self.items.len()),
            _ => {
                if on_chip && matches!(edit, Insert(_)) {
                    self.go_chip(self.items.len());
                }
                let entry = self.entry.as_mut();
                entry.map_or(Outcome::Nothing, |entry| entry.edit(edit))
            }
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

    /// Takes the typed text as a chip and begins another.
    fn add_chip(&mut self) -> Outcome {
        let outcome = self.commit();
        self.entry = Some(Line::default());
        outcome
    }

    fn go_chip(&mut self, at: usize) -> Outcome {
        self.at = at.min(self.items.len());
        self.entry = (self.at == self.items.len()).then(Line::default);
        Outcome::Redraw
    }

    fn remove_chip(&mut self) -> Outcome {
        let outcome = self.remove();
        self.go_chip(self.at);
        outcome
    }

    pub(crate) fn go_row(&mut self, at: usize) -> Outcome {
        self.at = at.min(self.items.len());
        Outcome::Redraw
    }

    pub(crate) fn edit(&mut self) -> Result<Outcome, &'static str> {
        let text = match self.items.get(self.at) {
            Some(item) if self.yaml => frontmatter::inline(item),
            Some(Value::List(_) | Value::Map(_)) => {
                return Err("this item is not text: edit it in the file (E opens $EDITOR)");
            }
            Some(item) => item.to_string(),
            None => String::new(),
        };
        self.entry = Some(Line::new(text));
        Ok(Outcome::Redraw)
    }

    pub(crate) fn remove(&mut self) -> Outcome {
        let is_there = self.at < self.items.len();
        if is_there {
            self.items.remove(self.at);
        }
        changed_if(is_there)
    }

    pub(crate) fn shift(&mut self, to: Option<usize>) -> Outcome {
        let is_item = |at: &usize| *at < self.items.len();
        let to = to.filter(|to| is_item(to) && is_item(&self.at));
        if let Some(to) = to {
            self.items.swap(self.at, to);
            self.at = to;
        }
        changed_if(to.is_some())
    }
}

const fn changed_if(changed: bool) -> Outcome {
    if changed {
        Outcome::Changed
    } else {
        Outcome::Redraw
    }
}

/// Puts a typed item in a place of a list: an empty text adds nothing and removes an item, a tag
/// that is there already is not added again. True if the list changed.
fn put(items: &mut Vec<Value>, at: usize, typed: Value, chips: bool) -> bool {
    let typed = match typed.as_str() {
        Some(text) if chips => text.trim().into(),
        _ => typed,
    };
    let mut others = items.iter().enumerate().filter(|(n, _)| *n != at);
    let is_again = chips && others.any(|(_, item)| *item == typed);
    let is_empty = match typed.as_str() {
        Some(text) if at >= items.len() => text.trim().is_empty(),
        Some(text) => text.is_empty(),
        None => typed == Value::Null,
    };
    match items.get_mut(at) {
        Some(item) if *item == typed || typed.as_str() == Some(&*item.to_string()) => false,
        Some(_) if is_empty || is_again => {
            items.remove(at);
            true
        }
        Some(item) => {
            *item = typed;
            true
        }
        None if is_empty || is_again => false,
        None => {
            items.push(typed);
            true
        }
    }
}
