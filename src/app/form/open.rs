//! Actions and keys inside a field.

use itertools::Itertools as _;

use super::field::{COMMA, stamp};
use super::list::Edited;
use super::{Control, Form, List, Mode, Outcome, Purpose};
use crate::app::key::Key;
use crate::app::line::{Line, one_line};
use crate::memory::schema::Kind;

impl Form {
    /// Goes into the field that has the focus.
    pub(super) fn enter(&mut self) -> Outcome {
        let Some(field) = self.fields.get_mut(self.focus) else {
            self.mode = Mode::Body;
            return Outcome::Redraw;
        };
        let before = Box::new(field.control.clone());
        match &mut field.control {
            Control::Fixed => {
                let why = field.problem().unwrap_or_default();
                return self.say(why);
            }
            Control::Choice { .. } => return Outcome::Redraw,
            Control::Line(line) => {
                // Another tag is typed behind those that are there.
                let is_behind = field.spec.is_some_and(|spec| spec.kind == Kind::Tags);
                let comma = match is_behind && !line.is_empty() {
                    true => COMMA,
                    false => "",
                };
                *line = Line::new(format!("{}{comma}", line.text()));
            }
            Control::List(list) => list.open(),
        }
        self.mode = Mode::Inside(before);
        Outcome::Redraw
    }

    /// Leaves a field with what was typed.
    pub(super) fn leave(&mut self) {
        let now = stamp(self.now);
        if let (Mode::Inside(_), Some(field)) = (&self.mode, self.fields.get_mut(self.focus)) {
            let is_date = field.kind() == Kind::Date;
            let tags = field.items();
            match &mut field.control {
                Control::Line(line) if is_date && line.text().trim() == "now" => {
                    *line = Line::new(now);
                }
                Control::List(list) => drop(list.commit()),
                Control::Line(line) if tags.is_some() => {
                    *line = Line::new(tags.iter().flatten().join(COMMA));
                }
                _ => {}
            }
        }
        self.mode = Mode::Fields;
        self.read_patterns();
    }

    /// Changes the list that is open; leaving is done with it. An item that cannot be edited here
    /// says why.
    pub(crate) fn in_list(&mut self, change: impl FnOnce(&mut List) -> Edited) -> Outcome {
        let Some(Control::List(list)) = self.control() else {
            return self.show_fields();
        };
        match change(list) {
            Ok(Outcome::Leave) => {
                self.leave();
                Outcome::Redraw
            }
            Ok(outcome) => outcome,
            Err(why) => self.say(why),
        }
    }

    /// Takes what is typed: back to the list of fields, in a new memory on to the next field.
    pub(crate) fn accept_field(&mut self) -> Outcome {
        let Some(Control::Line(_)) = self.control() else {
            return self.in_list(List::enter);
        };
        self.leave();
        if let Purpose::Create(_) = self.purpose {
            self.move_focus(1);
            self.enter();
        }
        // A date typed as `now` is a date only now.
        Outcome::Changed
    }

    /// Leaves a line as it was; a list drops what is typed first.
    pub(crate) fn leave_field(&mut self) -> Outcome {
        let Some(Control::Line(_)) = self.control() else {
            return self.in_list(|list| Ok(list.drop_typed()));
        };
        if let Mode::Inside(before) = std::mem::replace(&mut self.mode, Mode::Fields)
            && let Some(control) = self.control()
        {
            *control = *before;
        }
        Outcome::Changed
    }

    /// Leaves a line for another field.
    pub(crate) fn leave_line(&mut self, by: isize) -> Outcome {
        match self.control() {
            Some(Control::List(_)) => Outcome::Nothing,
            _ => self.leave_for(by),
        }
    }

    /// Takes a key inside a field.
    pub(super) fn typed_inside(&mut self, key: Key) -> Outcome {
        let Some(edit) = key.line_edit() else {
            return Outcome::Nothing;
        };
        let line = self.line_mut();
        line.map_or(Outcome::Nothing, |line| line.edit(edit))
    }

    pub(crate) fn leave_for(&mut self, by: isize) -> Outcome {
        self.leave();
        self.move_focus(by);
        Outcome::Changed
    }

    fn line_mut(&mut self) -> Option<&mut Line> {
        match self.control()? {
            Control::Line(line) => Some(line),
            Control::List(list) => list.entry.as_mut(),
            _ => None,
        }
    }

    /// The line being typed, of a field or of an item.
    pub(crate) fn line(&self) -> Option<&Line> {
        let Mode::Inside(_) = self.mode else {
            return None;
        };
        match &self.focused()?.control {
            Control::Line(line) => Some(line),
            Control::List(list) => list.entry.as_ref(),
            _ => None,
        }
    }

    pub(super) fn paste_inside(&mut self, text: &str) -> Outcome {
        let Mode::Inside(_) = self.mode else {
            return self.say("no text is being typed: open a field first");
        };
        match self.control() {
            Some(Control::Line(line)) => line.insert(&one_line(text)),
            Some(Control::List(list)) => list.paste(text),
            _ => return Outcome::Nothing,
        }
        Outcome::Changed
    }
}
