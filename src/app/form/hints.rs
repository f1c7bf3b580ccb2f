//! The keys of the field editor, for help and for the line at the bottom.

use super::{Control, Form, Mode, Purpose};
use crate::memory::schema::Kind;

/// A key and what it does.
pub type Hint = (&'static str, &'static str);

/// The keys of the field editor, for help and hints: keys, where, what they do.
pub static KEYS: &[(&str, &str, &str)] = &[
    ("↑ ↓ j k Tab", "fields", "go to a field"),
    (
        "its letter",
        "fields",
        "go to the field the letter stands at",
    ),
    ("← →", "choice", "the word before or after"),
    ("a word's first letter, 1 … 9", "choice", "that word"),
    ("n", "date", "now"),
    ("Enter", "fields", "edit the field; save on a choice"),
    ("u", "fields", "put back what the store has"),
    ("Ctrl-s", "everywhere", "save"),
    (
        "Esc",
        "everywhere",
        "back; asks before changes are given up",
    ),
    ("Enter ,", "tags", "add what is typed"),
    ("← → x", "tags", "go over the tags, take one away"),
    ("→", "at the end of a text", "complete"),
    ("Enter a x", "patterns, names", "edit, add, take away"),
    ("K J", "patterns, names", "move up, move down"),
];

impl Form {
    /// The keys that matter now, most telling first.
    pub fn hints(&self) -> &'static [Hint] {
        let control = self.focused().map(|field| &field.control);
        match (&self.purpose, &self.mode, control) {
            (Purpose::Broken(_), ..) => {
                &[("Enter", "edit as text"), ("E", "$EDITOR"), ("Esc", "back")]
            }
            (_, Mode::Discard, _) => &[("y", "give up"), ("n", "keep editing")],
            (_, Mode::Body, _) => &[
                ("Ctrl-s", "save"),
                ("Ctrl-u", "undo"),
                ("Ctrl-f", "find"),
                ("Esc", "fields"),
            ],
            (_, Mode::Fields, control) => self.field_hints(control),
            (_, Mode::Inside(_), Some(Control::List(list))) if list.chips() => &[
                ("Enter", "add"),
                ("→", "complete"),
                ("← x", "take away"),
                ("Ctrl-s", "save"),
                ("Esc", "done"),
            ],
            (_, Mode::Inside(_), Some(Control::List(list))) if list.entry().is_none() => &[
                ("Enter", "edit"),
                ("a", "add"),
                ("x", "take away"),
                ("K J", "move"),
                ("Esc", "done"),
            ],
            (_, Mode::Inside(_), _) => &[
                ("Enter", "done"),
                ("Tab", "next field"),
                ("Ctrl-s", "save"),
                ("Esc", "as it was"),
            ],
        }
    }

    fn field_hints(&self, control: Option<&Control>) -> &'static [Hint] {
        match control {
            Some(Control::Choice { .. }) => &[
                ("← →", "change"),
                ("Enter", "save"),
                ("u", "put back"),
                ("↑ ↓", "fields"),
                ("Esc", "cancel"),
            ],
            Some(Control::Line(_))
                if self.focused().map(super::Field::kind) == Some(Kind::Date) =>
            {
                &[
                    ("Enter", "edit"),
                    ("n", "now"),
                    ("Ctrl-s", "save"),
                    ("↑ ↓", "fields"),
                    ("Esc", "cancel"),
                ]
            }
            Some(Control::Fixed) => &[("↑ ↓", "fields"), ("Ctrl-s", "save"), ("Esc", "cancel")],
            _ => &[
                ("Enter", "edit"),
                ("Ctrl-s", "save"),
                ("u", "put back"),
                ("↑ ↓", "fields"),
                ("Esc", "cancel"),
            ],
        }
    }
}
