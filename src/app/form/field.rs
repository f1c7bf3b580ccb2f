//! One field of the form: what it holds, what would be saved, and what is wrong with it.

use itertools::Itertools as _;

use super::list::List;
use crate::app::line::Line;
use crate::memory::schema::{FieldSpec, Kind, Role};
use crate::memory::{Timestamp, Value};

/// The control of a field.
#[derive(Clone, Debug)]
pub enum Control {
    /// A line of text; also for dates and numbers.
    Line(Line),
    /// One of some words, or a word of the store's own that is none of them.
    Choice {
        /// The words, least first.
        options: &'static [&'static str],
        /// The word it has.
        value: Option<Box<str>>,
    },
    /// Several items.
    List(List),
    /// Shown, but only to be changed in the text.
    Fixed,
}

/// A field of the form.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its key in the store.
    pub name: Box<str>,
    /// Its entry in the schema; none where the memory has a field of its own.
    pub spec: Option<&'static FieldSpec>,
    /// The letter that goes to it.
    pub hotkey: Option<char>,
    /// The value in the store.
    pub original: Option<Value>,
    /// Its control, with the present value.
    pub control: Control,
    /// True if another program changed it in the store while a person did here.
    pub(super) raced: bool,
    /// The value it was filled with, where it belongs to a memory there is not yet.
    pub filled: Option<Option<Value>>,
}

/// True for equal values; a number that is not one equals itself here.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    a == b || matches!((a, b), (Value::Float(x), Value::Float(y)) if x.is_nan() && y.is_nan())
}

/// The words of a field that is true or false.
pub(super) const BOOL: &[&str] = &["false", "true"];

impl Field {
    pub(super) fn new(name: &str, spec: Option<&'static FieldSpec>, value: Option<Value>) -> Self {
        let kind = spec.map_or(Kind::Text, |spec| spec.kind);
        Self {
            name: name.into(),
            spec,
            hotkey: None,
            raced: false,
            filled: None,
            control: control(kind, value.as_ref()),
            original: value,
        }
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.spec.map_or(Kind::Text, |spec| spec.kind)
    }

    /// The part it plays.
    pub fn role(&self) -> Role {
        self.spec.map_or(Role::Plain, |spec| spec.role)
    }

    /// True if the system's specification asks for it.
    pub fn required(&self) -> bool {
        self.spec.is_some_and(|spec| spec.required)
    }

    /// Fills a field of a new memory with what the format has for it.
    pub(super) fn fill(&mut self, now: Timestamp, agent: &str) {
        let default = self.spec.and_then(|spec| spec.default);
        match (self.role(), &mut self.control) {
            (Role::Author, Control::Line(line)) if !agent.is_empty() => *line = Line::new(agent),
            (Role::Created, Control::Line(line)) => *line = Line::new(stamp(now)),
            (_, Control::Choice { value, .. }) => *value = default.map(Into::into),
            (_, Control::Line(line)) => *line = Line::new(default.unwrap_or_default()),
            _ => {}
        }
        self.filled = Some(self.value());
    }

    /// True if a person typed something into a field of a new memory.
    pub(super) fn typed_into(&self) -> bool {
        let filled = self.filled.as_ref();
        filled.is_some_and(|filled| *filled != self.value())
    }

    /// Takes up what was typed over what the store had then.
    pub(super) fn take_up(&mut self, then: Option<&Value>, typed: Option<&Value>) {
        let now = self.original.take();
        self.original = then.cloned();
        self.control = control(self.kind(), typed);
        match now.as_ref() == then {
            true => self.original = now,
            false => self.rebase(now, None),
        }
    }

    /// Puts back what the store has.
    pub(super) fn reset(&mut self) {
        self.control = self.stored();
        self.raced = false;
    }

    /// The value in the store, or the one it was filled with.
    fn stored(&self) -> Control {
        let before = self.filled.as_ref().unwrap_or(&self.original);
        control(self.kind(), before.as_ref())
    }

    /// The store has another value now. If the person changed nothing, it is shown; the value
    /// remembered on entering the field, if also unchanged, is updated too.
    pub(super) fn rebase(&mut self, now: Option<Value>, before: Option<&mut Control>) {
        let kept = self.changed();
        let before = before.filter(|before| !self.differs(before));
        self.raced |= kept;
        self.original = now;
        if !kept {
            self.reset();
            if let (Some(_), Control::List(list)) = (&before, &mut self.control) {
                list.open();
            }
        }
        if let Some(before) = before {
            *before = self.stored();
        }
    }

    /// True if another program made something else of it than a person did: saving it writes over
    /// what that program wrote.
    pub fn clashes(&self) -> bool {
        self.raced && self.changed()
    }

    /// True if it differs from what the store has.
    pub fn changed(&self) -> bool {
        self.differs(&self.control)
    }

    /// True if a control holds something else than the store has.
    fn differs(&self, now: &Control) -> bool {
        let before = control(self.kind(), self.original.as_ref());
        if let (Some(before), Some(now)) = (self.items_in(&before), self.items_in(now)) {
            return before.len() != now.len() || before.iter().zip(&now).any(|(a, b)| !same(a, b));
        }
        match (&before, now) {
            (Control::Line(before), Control::Line(now)) => before.text() != now.text(),
            (Control::Choice { value: x, .. }, Control::Choice { value: y, .. }) => x != y,
            (Control::Fixed, Control::Fixed) => false,
            _ => true,
        }
    }

    /// The items, of a field that holds several.
    pub(super) fn items(&self) -> Option<Vec<Value>> {
        self.items_in(&self.control)
    }

    fn items_in(&self, control: &Control) -> Option<Vec<Value>> {
        match control {
            Control::List(list) => Some(list.values()),
            Control::Line(line) if self.kind() == Kind::Tags => {
                Some(tags(line.text(), self.original.as_ref()))
            }
            _ => None,
        }
    }

    /// The value to save; none where the field would be missing.
    pub fn value(&self) -> Option<Value> {
        if !self.changed() {
            return self.original.clone();
        }
        if let Some(mut values) = self.items() {
            let single = !matches!(self.original, None | Some(Value::List(_) | Value::Null));
            return match values.len() {
                0 if !self.required() => None,
                // One pattern without a list stays one.
                1 if single => values.pop(),
                _ => Some(values.into_iter().collect()),
            };
        }
        match &self.control {
            Control::Fixed | Control::List(_) => self.original.clone(),
            Control::Line(line) if line.is_empty() => self.required().then(|| "".into()),
            Control::Line(line) => Some(self.typed(line.text())),
            Control::Choice { value, .. } => value.as_deref().map(|word| match self.kind() {
                Kind::Bool => Value::Bool(word == "true"),
                _ => word.into(),
            }),
        }
    }

    /// A typed line as the kind of value the field has: a number stays a number.
    fn typed(&self, text: &str) -> Value {
        let own = self.original.as_ref().filter(|_| self.spec.is_none());
        let is_number = matches!(self.kind(), Kind::Number(..))
            || matches!(own, Some(Value::Int(_) | Value::Float(_)));
        let bare = text.trim();
        let number = || {
            let float = bare.parse().ok().filter(|number: &f64| number.is_finite());
            let int = bare.parse().ok().map(Value::Int);
            int.or(float.map(Value::Float))
        };
        let value = match own {
            _ if is_number => number(),
            Some(Value::Bool(_)) => bare.parse().ok().map(Value::Bool),
            _ => None,
        };
        value.unwrap_or_else(|| text.into())
    }

    /// The date, of a field that holds one.
    pub fn date(&self) -> Option<Timestamp> {
        match (&self.control, self.kind()) {
            (Control::Line(line), Kind::Date) => Timestamp::parse_iso(line.text()),
            _ => None,
        }
    }

    /// The problem of the present value, a sentence.
    pub fn problem(&self) -> Option<String> {
        let missing = |is_missing: bool| {
            let is_missing = is_missing && self.required();
            is_missing.then(|| format!("{} is missing", self.name))
        };
        if let Some(values) = self.items() {
            // Of tags and relations none may be right; without a pattern nothing is ever matched.
            let is_there = !matches!(self.original, None | Some(Value::Null));
            let no_pattern = self.kind() == Kind::Patterns && values.is_empty();
            let is_new = !is_there && !self.changed() && self.filled.is_none();
            return missing(no_pattern || is_new);
        }
        match &self.control {
            Control::List(_) => None,
            Control::Fixed => {
                let kind = self.original.as_ref().map_or("nothing", Value::kind);
                Some(format!("{kind}: edit it in the file"))
            }
            Control::Choice { options, value } => match value.as_deref() {
                Some(value) if !options.contains(&value) => {
                    let options = options.join(", ");
                    Some(format!("`{value}` is not one of {options}"))
                }
                value => missing(value.is_none()),
            },
            Control::Line(line) if line.text().trim().is_empty() => missing(true),
            Control::Line(line) => self.line_problem(line.text()),
        }
    }

    fn line_problem(&self, text: &str) -> Option<String> {
        match self.kind() {
            Kind::Date if self.date().is_none() => Some(format!(
                "`{text}` is not a date: 2026-11-21, 2026-11-21T09:30:00Z or now"
            )),
            kind @ Kind::Number(..) => match text.trim().parse::<f64>() {
                Ok(number) => kind.refuses(number),
                Err(_) => Some(format!("`{text}` is not a number")),
            },
            _ => None,
        }
    }

    /// Why it must not be saved as it is: what a person has just typed is held to the schema,
    /// what the store had before is not.
    pub(super) fn refusal(&self) -> Option<String> {
        let is_strict =
            matches!(self.kind(), Kind::Date | Kind::Number(..)) || self.role() == Role::Title;
        self.problem().filter(|_| is_strict && self.changed())
    }
}

/// The control for a value.
fn control(kind: Kind, value: Option<&Value>) -> Control {
    let nothing = matches!(value, None | Some(Value::Null));
    let nested = matches!(value, Some(Value::List(_) | Value::Map(_)));
    let choice = |options| Control::Choice {
        options,
        value: (!nothing).then(|| value.map(|v| v.to_string().into()).unwrap_or_default()),
    };
    let tags = Some(kind).filter(|kind| *kind == Kind::Tags);
    if let Some(line) = tags.and_then(|_| tag_line(value)) {
        return Control::Line(Line::new(line));
    }
    match kind {
        _ if matches!(value, Some(Value::Map(_))) && kind != Kind::Entries => Control::Fixed,
        Kind::Tags | Kind::Patterns | Kind::Names | Kind::Lines | Kind::Entries => {
            let items = value.map(|v| v.items().cloned().collect());
            Control::List(List::new(items.unwrap_or_default(), kind))
        }
        _ if nested => Control::Fixed,
        Kind::Choice(options) => choice(options),
        Kind::Bool => choice(BOOL),
        Kind::Text | Kind::Date | Kind::Number(..) => {
            Control::Line(Line::new(value.map(Value::to_string).unwrap_or_default()))
        }
    }
}

/// Tags as one line; none where that would not read as the same tags.
fn tag_line(value: Option<&Value>) -> Option<String> {
    let all = || value.into_iter().flat_map(Value::items);
    let line = all().join(COMMA);
    let read = tags(&line, value);
    let is_same = read.len() == all().count() && read.iter().zip(all()).all(|(a, b)| same(a, b));
    is_same.then_some(line)
}

/// Stands between the tags of a line.
pub(super) const COMMA: &str = ", ";

/// The tags of a line, each once; those of a value as they are there.
fn tags(line: &str, value: Option<&Value>) -> Vec<Value> {
    let words = line.split(',').map(str::trim);
    let words = words.filter(|word| !word.is_empty());
    let known = |word: &str| {
        let mut own = value.into_iter().flat_map(Value::items);
        own.find(|tag| tag.to_string() == word).cloned()
    };
    let tags = words.unique();
    let tags = tags.map(|word| known(word).unwrap_or_else(|| word.into()));
    tags.collect()
}

/// The clock as it is written into a field, without the milliseconds nobody reads.
pub(super) fn stamp(now: Timestamp) -> String {
    Timestamp(now.0 - now.0.rem_euclid(1000)).to_rfc3339()
}

/// Gives each field a letter of its name: the first of a word where it is free, else any. Letters
/// that move or that begin a choice are never taken.
pub(super) fn hotkeys(fields: &mut [Field]) {
    let mut taken: Vec<char> = "jkhlgnuxyq".chars().collect();
    for field in fields.iter() {
        if let Control::Choice { options, .. } = &field.control {
            taken.extend(options.iter().filter_map(|word| word.chars().next()));
        }
    }
    for field in fields {
        let humps = field.name.char_indices();
        let humps = humps.filter(|(n, c)| *n == 0 || c.is_ascii_uppercase());
        let humps = humps.map(|(_, c)| c.to_ascii_lowercase());
        let mut letters = humps.chain(field.name.chars());
        field.hotkey = letters.find(|c| c.is_ascii_lowercase() && !taken.contains(c));
        taken.extend(field.hotkey);
    }
}
