//! Actions and keys of the field editor: on the list of fields, what is asked there, and inside a field.

use itertools::Itertools as _;

use super::field::{COMMA, Field, stamp};
use super::list::Edited;
use super::{Control, Form, List, Mode, Outcome, Purpose};
use crate::app::key::{Key, Scope};
use crate::app::line::{Line, one_line};
use crate::app::text::TextEditor;
use crate::memory::schema::{Kind, Role};

impl Form {
    /// The scopes whose commands the keys reach, the innermost first, and the commands that matter
    /// now, most telling first.
    pub fn keys(&self) -> (&'static [Scope], &'static str) {
        const FIELDS: &[Scope] = &[Scope::Fields, Scope::Editing];
        let field = self.focused().map(|field| (&field.control, field.kind()));
        match (&self.purpose, &self.mode, field) {
            (_, Mode::Discard, _) => (&[Scope::Question], "give-up keep-editing"),
            (Purpose::Create(body), Mode::Body, _) => body.keys(),
            (_, Mode::Inside(_), _) if self.on_entry() => (
                &[Scope::Entries, Scope::Inside, Scope::Editing],
                "edit-entry add-entry remove-entry leave-entries",
            ),
            (_, Mode::Inside(_), _) => (
                &[Scope::Inside, Scope::Editing],
                "accept-field field-after save leave-field",
            ),
            (.., Some((Control::Choice { .. }, _))) => {
                (FIELDS, "raise-choice save put-back next-field leave-fields")
            }
            (.., Some((Control::Line(_), Kind::Date))) => {
                (FIELDS, "open-field date-now save next-field leave-fields")
            }
            (.., Some((Control::Fixed, _))) => (FIELDS, "next-field save leave-fields"),
            _ => (FIELDS, "open-field save put-back next-field leave-fields"),
        }
    }

    /// True if an entry of a list of rows is under the cursor, and nothing is typed.
    fn on_entry(&self) -> bool {
        match self.focused().map(|field| &field.control) {
            Some(Control::List(list)) => list.entry.is_none(),
            _ => false,
        }
    }

    /// Takes a key that no command has.
    pub fn typed(&mut self, key: Key) -> Outcome {
        self.act(|form| match form.mode {
            Mode::Discard => Outcome::Nothing,
            Mode::Body => form.in_body(|body| body.typed(key)),
            Mode::Fields => key.letter().map_or(Outcome::Nothing, |c| form.letter(c)),
            Mode::Inside(_) => {
                let line = form.line_mut();
                line.map_or(Outcome::Nothing, |line| line.key(key))
            }
        })
    }

    /// Takes pasted text, which is never keys.
    pub fn paste(&mut self, text: &str) -> Outcome {
        self.act(|form| match form.mode {
            Mode::Body => form.in_body(|body| {
                body.paste(text);
                Outcome::Changed
            }),
            _ => form.paste_inside(text),
        })
    }

    /// Changes the form; a notice that goes away is drawn too.
    pub fn act(&mut self, change: impl FnOnce(&mut Self) -> Outcome) -> Outcome {
        let had_notice = self.notice.take().is_some();
        let outcome = change(self);
        match outcome {
            Outcome::Nothing if had_notice => return Outcome::Redraw,
            Outcome::Changed => self.read_patterns(),
            _ => {}
        }
        outcome
    }

    pub(crate) fn show_fields(&mut self) -> Outcome {
        self.mode = Mode::Fields;
        Outcome::Redraw
    }

    fn say(&mut self, notice: impl Into<String>) -> Outcome {
        self.notice = Some(notice.into());
        Outcome::Redraw
    }

    pub(crate) fn in_body(&mut self, change: impl FnOnce(&mut TextEditor) -> Outcome) -> Outcome {
        let Purpose::Create(body) = &mut self.purpose else {
            return self.show_fields();
        };
        match change(body) {
            Outcome::Save => self.save(),
            Outcome::Leave => Outcome::Redraw,
            outcome => outcome,
        }
    }

    /// Opens a field; a choice is saved.
    pub(crate) fn open_field(&mut self) -> Outcome {
        match self.options() {
            [] => self.enter(),
            _ => self.save(),
        }
    }

    /// The next word of a choice; opens another field.
    pub(crate) fn raise(&mut self) -> Outcome {
        match self.options() {
            [] => self.enter(),
            _ => self.step(true),
        }
    }

    /// The other answer, where there are two.
    pub(crate) fn switch(&mut self) -> Outcome {
        match self.focused().map(Field::kind) {
            Some(Kind::Bool) => self.choose(|_, at| Some(usize::from(at != Some(1)))),
            _ => Outcome::Nothing,
        }
    }

    /// The current time, in a date; elsewhere the letter.
    pub(crate) fn set_now(&mut self) -> Outcome {
        if self.focused().map(Field::kind) != Some(Kind::Date) {
            return self.letter('n');
        }
        let now = Line::new(stamp(self.now));
        if let Some(Control::Line(line)) = self.control() {
            *line = now;
        }
        Outcome::Changed
    }

    /// Leaves the fields; asks first where they have changes.
    pub(crate) fn leave_fields(&mut self) -> Outcome {
        if !self.dirty() {
            return Outcome::Leave;
        }
        self.mode = Mode::Discard;
        Outcome::Redraw
    }

    /// Takes a letter: a word of a choice, by its first letter if no other begins with it or by its
    /// number, or the field that it goes to.
    fn letter(&mut self, c: char) -> Outcome {
        let options = self.options();
        let words = options.iter().enumerate();
        let mut begin = words.filter(|(_, word)| word.starts_with(c));
        let number = c.to_digit(10).and_then(|n| (n as usize).checked_sub(1));
        let number = number.filter(|n| *n < options.len());
        let by_letter = match (begin.next(), begin.next()) {
            (Some((n, _)), None) => Some(n),
            // `l` is the word before it is the arrow: `low` is typed more often.
            (None, _) if matches!(c, 'h' | 'l') && !options.is_empty() => {
                return self.step(c == 'l');
            }
            _ => None,
        };
        if let Some(n) = by_letter.or(number) {
            return self.choose(|_, _| Some(n));
        }
        match self.fields.iter().position(|f| f.hotkey == Some(c)) {
            Some(at) => self.focus_on(at),
            None => Outcome::Nothing,
        }
    }

    /// Number of places of the focus: the fields, and the body of a new memory.
    pub(crate) fn places(&self) -> usize {
        self.fields.len() + usize::from(self.body().is_some())
    }

    pub(crate) fn move_focus(&mut self, by: isize) -> Outcome {
        // At either end the focus goes round, for Tab has no other way back.
        let to = crate::app::cursor::turned(self.focus, by, self.places());
        self.focus_on(to)
    }

    pub(crate) fn focus_on_last(&mut self) -> Outcome {
        self.focus_on(self.places().saturating_sub(1))
    }

    pub(crate) fn focus_on(&mut self, to: usize) -> Outcome {
        self.focus = to;
        Outcome::Redraw
    }

    /// Saves, unless what was typed is not what the schema has.
    pub(crate) fn save(&mut self) -> Outcome {
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
        if let Some(at) = self.fields.iter().position(Field::clashes)
            && !std::mem::replace(&mut self.is_warned, true)
        {
            // A person has seen both values before one is written over.
            self.focus = at;
            return self.say("≠ on disk: save again to overwrite");
        }
        if self.dirty() {
            Outcome::Save
        } else {
            Outcome::Leave
        }
    }

    /// Saves a new memory, unless what everything in its format has is still missing: a title,
    /// or a text where the format has no titles.
    fn save_new(&mut self) -> Outcome {
        let (typed, _, body) = self.new_memory();
        let mut fields = self.fields.iter();
        let title = fields.position(|field| field.role() == Role::Title);
        let field = title.and_then(|at| self.fields.get(at));
        match (title, field) {
            (Some(at), Some(field)) if field.required() && typed.trim().is_empty() => {
                let why = format!("a memory needs a {}", field.name);
                self.focus = at;
                self.say(why)
            }
            (None, _) if body.trim().is_empty() => {
                self.focus = self.fields.len();
                self.say("a memory needs a text")
            }
            _ => Outcome::Save,
        }
    }

    pub(crate) fn put_back(&mut self) -> Outcome {
        match self.fields.get_mut(self.focus) {
            None => Outcome::Nothing,
            Some(field) if !field.changed() => self.say("this field has no changes"),
            Some(field) => {
                field.reset();
                Outcome::Changed
            }
        }
    }

    fn control(&mut self) -> Option<&mut Control> {
        let field = self.fields.get_mut(self.focus);
        field.map(|field| &mut field.control)
    }

    fn options(&self) -> &'static [&'static str] {
        match self.focused().map(|field| &field.control) {
            Some(Control::Choice { options, .. }) => options,
            _ => &[],
        }
    }

    /// Chooses a word, by the number of words and the place of the present one.
    fn choose(&mut self, to: impl FnOnce(usize, Option<usize>) -> Option<usize>) -> Outcome {
        let Some(Control::Choice { options, value }) = self.control() else {
            return Outcome::Nothing;
        };
        let mut words = options.iter();
        let at = words.position(|word| value.as_deref() == Some(*word));
        match to(options.len(), at).and_then(|to| options.get(to)) {
            Some(word) => {
                *value = Some((*word).into());
                Outcome::Changed
            }
            None => Outcome::Redraw,
        }
    }

    /// The word after or before; the least and the greatest are ends, not neighbours.
    pub(crate) fn step(&mut self, up: bool) -> Outcome {
        self.choose(|words, at| match at {
            None if up => Some(0),
            None => words.checked_sub(1),
            Some(at) if up => Some(at + 1),
            Some(at) => at.checked_sub(1),
        })
    }

    pub(crate) fn unset(&mut self) -> Outcome {
        if self.options().is_empty() {
            return Outcome::Nothing;
        }
        if self.focused().is_some_and(Field::required) {
            return self.say("this field is required: choose one of the words");
        }
        if let Some(Control::Choice { value, .. }) = self.control() {
            *value = None;
        }
        Outcome::Changed
    }

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

    fn paste_inside(&mut self, text: &str) -> Outcome {
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
