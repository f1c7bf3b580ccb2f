//! Keys on the list of fields.

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::field::{BOOL, stamp};
use super::{Control, Form, Input, Mode, Outcome, Purpose};
use crate::app::editor;
use crate::memory::schema::{Kind, Role};

impl Form {
    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Outcome {
        if key.kind == KeyEventKind::Release {
            return Outcome::Nothing;
        }
        if let Purpose::Broken(_) = self.purpose {
            return match key.code {
                KeyCode::Esc => Outcome::Cancel,
                KeyCode::Enter | KeyCode::Char('i') => Outcome::EditText,
                _ => Outcome::Nothing,
            };
        }
        let had_notice = self.notice.take().is_some();
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let outcome = match &self.mode {
            Mode::Discard => self.discard_key(key),
            Mode::WriteOver => self.write_over_key(key, ctrl),
            Mode::Body => self.body_key(key),
            _ if ctrl && key.code == KeyCode::Char('s') => self.save(),
            Mode::Fields => self.fields_key(key),
            Mode::Inside(_) => self.inside_key(key),
        };
        if outcome == Outcome::Changed {
            self.read_patterns();
        }
        match outcome {
            Outcome::Nothing if had_notice => Outcome::Redraw,
            outcome => outcome,
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

    fn discard_key(&mut self, key: KeyEvent) -> Outcome {
        match key.code {
            KeyCode::Char('y' | 'Y') => return Outcome::Cancel,
            KeyCode::Char('n' | 'N') | KeyCode::Esc | KeyCode::Enter => {}
            // Anything else is not an answer: what was typed blindly must not give work up.
            _ => return Outcome::Nothing,
        }
        self.mode = Mode::Fields;
        Outcome::Redraw
    }

    fn write_over_key(&mut self, key: KeyEvent, ctrl: bool) -> Outcome {
        let saves = match key.code {
            KeyCode::Char('s') => ctrl,
            KeyCode::Char('y' | 'Y') => true,
            KeyCode::Char('n' | 'N') | KeyCode::Esc | KeyCode::Enter => false,
            _ => return Outcome::Nothing,
        };
        self.mode = Mode::Fields;
        if saves {
            Outcome::Save
        } else {
            Outcome::Redraw
        }
    }

    fn body_key(&mut self, key: KeyEvent) -> Outcome {
        let Purpose::Create(body) = &mut self.purpose else {
            self.mode = Mode::Fields;
            return Outcome::Redraw;
        };
        // The body is part of the form: leaving it gives nothing up, and asks nothing.
        if key.code == KeyCode::Esc && !body.searching() {
            self.mode = Mode::Fields;
            return Outcome::Redraw;
        }
        match body.key(key) {
            editor::Outcome::Nothing => Outcome::Nothing,
            editor::Outcome::Changed => Outcome::Changed,
            editor::Outcome::Save => self.save(),
            _ => Outcome::Redraw,
        }
    }

    fn fields_key(&mut self, key: KeyEvent) -> Outcome {
        let hard = KeyModifiers::CONTROL | KeyModifiers::ALT;
        if key.modifiers.intersects(hard) {
            return Outcome::Nothing;
        }
        match key.code {
            KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => self.move_focus(-1),
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => self.move_focus(1),
            KeyCode::Home | KeyCode::Char('g') => self.focus_on(0),
            KeyCode::End | KeyCode::Char('G') => self.focus_on(self.places().saturating_sub(1)),
            KeyCode::Esc if self.dirty() => {
                self.mode = Mode::Discard;
                Outcome::Redraw
            }
            KeyCode::Esc => Outcome::Cancel,
            KeyCode::Char('u') => self.put_back(),
            _ => self.field_key(key),
        }
    }

    /// Keys that depend on the field under the focus.
    fn field_key(&mut self, key: KeyEvent) -> Outcome {
        let kind = self.focused().map(super::Field::kind);
        let is_choice = matches!(
            self.focused().map(|field| &field.control),
            Some(Control::Choice { .. })
        );
        match key.code {
            KeyCode::Enter if is_choice => self.save(),
            KeyCode::Enter => self.enter(),
            KeyCode::Left if is_choice => self.step(false),
            KeyCode::Char('h') if is_choice && !self.begins('h') => self.step(false),
            KeyCode::Right if is_choice => self.step(true),
            // `l` is the word before it is the arrow: `low` is typed more often.
            KeyCode::Char('l') if is_choice && !self.begins('l') => self.step(true),
            KeyCode::Char(' ') if kind == Some(Kind::Bool) => self.toggle(),
            KeyCode::Backspace | KeyCode::Delete if is_choice => self.unset(),
            KeyCode::Right => self.enter(),
            KeyCode::Char('n') if kind == Some(Kind::Date) => self.date_now(),
            KeyCode::Char(c) if is_choice && self.pick(c) => Outcome::Changed,
            KeyCode::Char(c) => match self.fields.iter().position(|f| f.hotkey == Some(c)) {
                Some(at) => self.focus_on(at),
                None => Outcome::Nothing,
            },
            _ => Outcome::Nothing,
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
                *line = Input::new(now);
                Outcome::Changed
            }
            _ => Outcome::Nothing,
        }
    }
}
