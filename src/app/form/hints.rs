//! Where the keys of the field editor are heard, and which matter now.

use super::{Control, Form, Mode, Purpose};
use crate::app::scope::Scope;
use crate::memory::schema::Kind;

impl Form {
    /// The scopes whose commands the keys reach, the innermost first.
    pub fn scopes(&self) -> &'static [Scope] {
        match (&self.purpose, &self.mode) {
            (Purpose::Broken(_), _) => &[Scope::Broken],
            (_, Mode::Discard) => &[Scope::Question],
            (_, Mode::WriteOver) => &[Scope::WriteOver],
            (Purpose::Create(body), Mode::Body) => body.scopes(),
            (_, Mode::Body | Mode::Fields) => &[Scope::Fields, Scope::Editing],
            (_, Mode::Inside(_)) if self.on_entry() => {
                &[Scope::Entries, Scope::Inside, Scope::Editing]
            }
            (_, Mode::Inside(_)) => &[Scope::Inside, Scope::Editing],
        }
    }

    /// The commands that matter now, most telling first.
    pub fn hints(&self) -> &'static [&'static str] {
        match (&self.purpose, &self.mode) {
            (Purpose::Broken(_), _) => &["edit-whole", "leave-broken"],
            (_, Mode::Discard) => &["give-up", "keep-editing"],
            (_, Mode::WriteOver) => &["write-over", "write-nothing"],
            (Purpose::Create(body), Mode::Body) => body.hints(),
            (_, Mode::Body | Mode::Fields) => self.field_hints(),
            (_, Mode::Inside(_)) if self.on_entry() => &[
                "edit-entry",
                "add-entry",
                "remove-entry",
                "entry-up",
                "leave-entries",
            ],
            (_, Mode::Inside(_)) => &["accept-field", "complete-field", "save", "leave-field"],
        }
    }

    /// Whether an entry of a list of rows is under the cursor, and nothing is typed.
    fn on_entry(&self) -> bool {
        match self.focused().map(|field| &field.control) {
            Some(Control::List(list)) => !list.chips() && list.entry().is_none(),
            _ => false,
        }
    }

    fn field_hints(&self) -> &'static [&'static str] {
        match self.focused().map(|field| (&field.control, field.kind())) {
            Some((Control::Choice { .. }, _)) => &[
                "raise-choice",
                "save",
                "put-back",
                "next-field",
                "leave-fields",
            ],
            Some((Control::Line(_), Kind::Date)) => &[
                "open-field",
                "date-now",
                "save",
                "next-field",
                "leave-fields",
            ],
            Some((Control::Fixed, _)) => &["next-field", "save", "leave-fields"],
            _ => &[
                "open-field",
                "save",
                "put-back",
                "next-field",
                "leave-fields",
            ],
        }
    }
}
