//! Actions and keys on the list of fields.

use super::field::{BOOL, stamp};
use super::{Control, Form, Mode, Outcome, Purpose};
use crate::app::editor::{self, Editor};
use crate::app::key::Key;
use crate::app::line::Line;
use crate::app::scope::Action;
use crate::memory::schema::{Kind, Role};

impl Form {
    /// Does an action.
    pub fn act(&mut self, action: Action) -> Outcome {
        self.take(|form| form.action(action))
    }

    /// Takes a key that no command has.
    pub fn typed(&mut self, key: Key) -> Outcome {
        self.take(|form| match (&form.purpose, &form.mode) {
            (Purpose::Broken(_), _) | (_, Mode::Discard | Mode::WriteOver) => Outcome::Nothing,
            (_, Mode::Body) => form.in_body(|body| body.typed(key)),
            (_, Mode::Fields) => key.letter().map_or(Outcome::Nothing, |c| form.letter(c)),
            (_, Mode::Inside(_)) => form.typed_inside(key),
        })
    }

    /// Changes the form; a notice that goes away is drawn too.
    fn take(&mut self, change: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let had_notice = self.notice.take().is_some();
        match change(self) {
            Outcome::Nothing if had_notice => Outcome::Redraw,
            Outcome::Changed => {
                self.read_patterns();
                Outcome::Changed
            }
            outcome => outcome,
        }
    }

    fn action(&mut self, action: Action) -> Outcome {
        match (&self.purpose, &self.mode, action) {
            (Purpose::Broken(_), _, Action::Leave) => Outcome::Cancel,
            (Purpose::Broken(_), _, Action::Enter) => Outcome::EditText,
            (Purpose::Broken(_), ..) => Outcome::Nothing,
            (_, Mode::Discard, Action::Yes) => Outcome::Cancel,
            (_, Mode::WriteOver, Action::Yes) => {
                self.mode = Mode::Fields;
                Outcome::Save
            }
            (_, Mode::Discard | Mode::WriteOver, Action::No) => {
                self.mode = Mode::Fields;
                Outcome::Redraw
            }
            (_, Mode::Discard | Mode::WriteOver, _) => Outcome::Nothing,
            // The body is part of the form: leaving it gives nothing up, and asks nothing.
            (Purpose::Create(body), Mode::Body, Action::Leave) if !body.searching() => {
                self.mode = Mode::Fields;
                Outcome::Redraw
            }
            (_, Mode::Body, _) => self.in_body(|body| body.act(action)),
            (_, _, Action::Save) => self.save(),
            (_, Mode::Fields, _) => self.fields_action(action),
            (_, Mode::Inside(_), _) => self.inside_action(action),
        }
    }

    /// Takes pasted text, which is never keys.
    pub fn paste(&mut self, text: &str) -> Outcome {
        if let (Mode::Body, Purpose::Create(body)) = (&self.mode, &mut self.purpose) {
            body.paste(text);
            return Outcome::Changed;
        }
        let outcome = self.paste_inside(text);
        self.read_patterns();
        outcome
    }

    pub(super) fn say(&mut self, notice: impl Into<String>) -> Outcome {
        self.notice = Some(notice.into());
        Outcome::Redraw
    }

    fn in_body(&mut self, change: impl FnOnce(&mut Editor) -> editor::Outcome) -> Outcome {
        let Purpose::Create(body) = &mut self.purpose else {
            self.mode = Mode::Fields;
            return Outcome::Redraw;
        };
        match change(body) {
            editor::Outcome::Nothing => Outcome::Nothing,
            editor::Outcome::Changed => Outcome::Changed,
            editor::Outcome::Save => self.save(),
            _ => Outcome::Redraw,
        }
    }

    fn fields_action(&mut self, action: Action) -> Outcome {
        let kind = self.focused().map(super::Field::kind);
        let is_choice = self.choice().is_some();
        match action {
            Action::Previous => self.move_focus(-1),
            Action::Next => self.move_focus(1),
            Action::First => self.focus_on(0),
            Action::Last => self.focus_on(self.places().saturating_sub(1)),
            Action::Leave if self.dirty() => {
                self.mode = Mode::Discard;
                Outcome::Redraw
            }
            Action::Leave => Outcome::Cancel,
            Action::Reset => self.put_back(),
            Action::Enter if is_choice => self.save(),
            Action::Lower if is_choice => self.step(false),
            Action::Raise if is_choice => self.step(true),
            Action::Enter | Action::Raise => self.enter(),
            Action::Switch if kind == Some(Kind::Bool) => self.toggle(),
            Action::Clear if is_choice => self.unset(),
            Action::Now if kind == Some(Kind::Date) => self.date_now(),
            Action::Now => self.letter('n'),
            _ => Outcome::Nothing,
        }
    }

    /// Takes a letter: a word of a choice, or the field that it goes to.
    fn letter(&mut self, c: char) -> Outcome {
        let is_choice = self.choice().is_some();
        match c {
            // `l` is the word before it is the arrow: `low` is typed more often.
            'h' | 'l' if is_choice && !self.begins(c) => self.step(c == 'l'),
            _ if is_choice && self.pick(c) => Outcome::Changed,
            _ => match self.fields.iter().position(|f| f.hotkey == Some(c)) {
                Some(at) => self.focus_on(at),
                None => Outcome::Nothing,
            },
        }
    }

    /// How many places the focus can have: the fields, and the body of a new memory.
    pub(crate) fn places(&self) -> usize {
        self.fields.len() + usize::from(self.body().is_some())
    }

    pub(super) fn move_focus(&mut self, by: isize) -> Outcome {
        let last = self.places().saturating_sub(1);
        // At either end the focus goes round, for Tab has no other way back.
        let to = match self.focus.checked_add_signed(by) {
            Some(to) if to <= last => to,
            Some(_) => 0,
            None => last,
        };
        self.focus_on(to)
    }

    fn focus_on(&mut self, to: usize) -> Outcome {
        self.focus = to;
        Outcome::Redraw
    }

    /// Saves, unless what was typed is not what the schema has.
    pub(super) fn save(&mut self) -> Outcome {
        self.leave();
        let refused = self.fields.iter().enumerate();
        let mut refused = refused.filter_map(|(n, field)| Some((n, field.refusal()?)));
        if let Some((at, why)) = refused.next() {
            self.focus = at;
            return self.say(why);
        }
        if let Purpose::Create(_) = self.purpose {
            return self.save_new();
        }
        if let Some(at) = self.fields.iter().position(super::Field::clashes) {
            // A person has seen both values before one is written over.
            self.focus = at;
            self.mode = Mode::WriteOver;
            return Outcome::Redraw;
        }
        if self.dirty() {
            Outcome::Save
        } else {
            Outcome::Cancel
        }
    }

    /// Saves a new memory, unless what everything in its format has is still missing: a title,
    /// or a text where the format has no titles.
    fn save_new(&mut self) -> Outcome {
        let title = |field: &super::Field| field.role() == Role::Title;
        let title = self.fields.iter().position(title);
        let needed = title.filter(|at| self.fields.get(*at).is_some_and(super::Field::required));
        let (typed, _, body) = self.new_memory();
        let no_text = body.trim().is_empty();
        match (needed, title) {
            (Some(at), _) if typed.trim().is_empty() => {
                self.focus = at;
                let name = self.focused().map_or("title", |field| &field.name);
                let why = format!("a memory needs a {name}");
                self.say(why)
            }
            (None, None) if no_text => {
                self.focus = self.fields.len();
                self.say("a memory needs a text")
            }
            _ => Outcome::Save,
        }
    }

    fn put_back(&mut self) -> Outcome {
        let Some(field) = self.fields.get_mut(self.focus) else {
            return Outcome::Nothing;
        };
        if !field.changed() {
            return self.say("this field has no changes");
        }
        field.reset();
        Outcome::Changed
    }

    fn choice(&mut self) -> Option<(&'static [&'static str], &mut Option<Box<str>>)> {
        match self.fields.get_mut(self.focus).map(|f| &mut f.control) {
            Some(Control::Choice { options, value }) => Some((options, value)),
            _ => None,
        }
    }

    /// The word after or before; the least and the greatest are ends, not neighbours.
    fn step(&mut self, up: bool) -> Outcome {
        let Some((options, value)) = self.choice() else {
            return Outcome::Nothing;
        };
        let at = value
            .as_deref()
            .and_then(|word| options.iter().position(|option| *option == word));
        let to = match (at, up) {
            (Some(at), true) => at + 1,
            (Some(0), false) => return Outcome::Redraw,
            (Some(at), false) => at - 1,
            (None, true) => 0,
            (None, false) => options.len().saturating_sub(1),
        };
        match options.get(to) {
            Some(word) => {
                *value = Some((*word).into());
                Outcome::Changed
            }
            None => Outcome::Redraw,
        }
    }

    fn begins(&mut self, c: char) -> bool {
        self.choice()
            .is_some_and(|(options, _)| options.iter().any(|word| word.starts_with(c)))
    }

    /// Picks a word by its first letter, if no other begins with it, or by its number.
    fn pick(&mut self, c: char) -> bool {
        let Some((options, value)) = self.choice() else {
            return false;
        };
        let mut begin = options.iter().filter(|word| word.starts_with(c));
        let by_letter = match (begin.next(), begin.next()) {
            (Some(word), None) => Some(word),
            _ => None,
        };
        let by_number = c
            .to_digit(10)
            .and_then(|n| options.get((n as usize).checked_sub(1)?));
        let Some(word) = by_letter.or(by_number) else {
            return false;
        };
        *value = Some((*word).into());
        true
    }

    fn toggle(&mut self) -> Outcome {
        if let Some((_, value)) = self.choice() {
            let to = if value.as_deref() == Some("true") {
                0
            } else {
                1
            };
            *value = BOOL.get(to).map(|word| (*word).into());
        }
        Outcome::Changed
    }

    fn unset(&mut self) -> Outcome {
        if self.focused().is_some_and(super::Field::required) {
            return self.say("this field is required: choose one of the words");
        }
        if let Some((_, value)) = self.choice() {
            *value = None;
        }
        Outcome::Changed
    }

    fn date_now(&mut self) -> Outcome {
        let now = stamp(self.now);
        match self.fields.get_mut(self.focus).map(|f| &mut f.control) {
            Some(Control::Line(line)) => {
                *line = Line::new(now);
                Outcome::Changed
            }
            _ => Outcome::Nothing,
        }
    }
}
