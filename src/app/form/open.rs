//! Keys inside a field.

use crossterm::event::{KeyCode, KeyEvent};

use super::field::stamp;
use super::input::one_line;
use super::list::Did;
use super::{Control, Form, Input, Mode, Outcome, Purpose, Typed};
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
                let why = field.problems().into_iter().next().unwrap_or_default();
                return self.say(why);
            }
            Control::Choice { .. } => return Outcome::Redraw,
            Control::Line(line) => *line = Input::new(line.text()),
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
            match &mut field.control {
                Control::Line(line) if is_date && line.text().trim() == "now" => {
                    *line = Input::new(now);
                }
                Control::List(list) => list.close(),
                _ => {}
            }
        }
        self.mode = Mode::Fields;
        self.read_patterns();
    }

    pub(super) fn inside_key(&mut self, key: KeyEvent) -> Outcome {
        let can_complete = match self.line() {
            Some(line) => line.at_end() && !line.is_empty(),
            None => false,
        };
        match key.code {
            KeyCode::Tab | KeyCode::Right if can_complete && self.complete() => {
                return Outcome::Changed;
            }
            KeyCode::Tab => return self.leave_for(1),
            KeyCode::BackTab => return self.leave_for(-1),
            _ => {}
        }
        match self.fields.get_mut(self.focus).map(|f| &mut f.control) {
            Some(Control::Line(_)) => self.line_key(key),
            Some(Control::List(list)) => {
                if list.chips() {
                    match key.code {
                        KeyCode::Up => return self.leave_for(-1),
                        KeyCode::Down => return self.leave_for(1),
                        _ => {}
                    }
                }
                let did = list.key(key);
                self.did(did)
            }
            _ => {
                self.mode = Mode::Fields;
                Outcome::Redraw
            }
        }
    }

    fn did(&mut self, did: Did) -> Outcome {
        match did {
            Did::Not => Outcome::Nothing,
            Did::Moved => Outcome::Redraw,
            Did::Changed => Outcome::Changed,
            Did::Refused(why) => self.say(why),
            Did::Left => {
                self.leave();
                Outcome::Redraw
            }
        }
    }

    fn line_key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Enter => self.accept(),
            KeyCode::Up => self.leave_for(-1),
            KeyCode::Down => self.leave_for(1),
            KeyCode::Esc => {
                if let Mode::Inside(before) = std::mem::replace(&mut self.mode, Mode::Fields)
                    && let Some(field) = self.fields.get_mut(self.focus)
                {
                    field.control = *before;
                }
                Outcome::Changed
            }
            _ => match self.line_mut().map(|line| line.key(key)) {
                Some(Typed::Changed) => Outcome::Changed,
                Some(Typed::Moved) => Outcome::Redraw,
                _ => Outcome::Nothing,
            },
        }
    }

    /// Enter on a line: back to the list of fields; in a new memory on to the next field.
    fn accept(&mut self) -> Outcome {
        self.leave();
        if let Purpose::Create(_) = self.purpose {
            self.move_focus(1);
            self.enter();
        }
        // A date typed as `now` is a date only now.
        Outcome::Changed
    }

    fn leave_for(&mut self, by: isize) -> Outcome {
        self.leave();
        self.move_focus(by);
        Outcome::Changed
    }

    /// Completes what is typed with the best of the completions.
    fn complete(&mut self) -> bool {
        let Some(word) = self.completions().first().map(|word| (*word).to_owned()) else {
            return false;
        };
        match self.fields.get_mut(self.focus).map(|f| &mut f.control) {
            Some(Control::Line(line)) => *line = Input::new(word),
            Some(Control::List(list)) => list.complete(&word),
            _ => return false,
        }
        true
    }

    /// The line being typed, of a field or of an item.
    pub(crate) fn line(&self) -> Option<&Input> {
        let Mode::Inside(_) = self.mode else {
            return None;
        };
        match &self.focused()?.control {
            Control::Line(line) => Some(line),
            Control::List(list) => list.entry(),
            _ => None,
        }
    }

    fn line_mut(&mut self) -> Option<&mut Input> {
        match &mut self.fields.get_mut(self.focus)?.control {
            Control::Line(line) => Some(line),
            _ => None,
        }
    }

    pub(super) fn paste_inside(&mut self, text: &str) -> Outcome {
        let Mode::Inside(_) = self.mode else {
            return self.say("no text is being typed: open a field first");
        };
        match self.fields.get_mut(self.focus).map(|f| &mut f.control) {
            Some(Control::Line(line)) => line.insert(&one_line(text)),
            Some(Control::List(list)) => {
                list.paste(text);
            }
            _ => return Outcome::Nothing,
        }
        Outcome::Changed
    }
}
