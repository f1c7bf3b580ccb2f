//! The field editor: a memory's fields as its schema has them, edited without touching a byte
//! that was not meant, with what the edit does to the current task beside it.
//!
//! ```text
//!            on the list of fields                     inside a field
//!   t title        Use Connection Pooling       Enter ─>  letters are text
//! ▌ i importance   low medium [high] critical             ↑ ↓ Tab  to the next field
//!   a tags         [auth] [jwt]                  <─ Esc   cancel
//!   ↑ ↓ Tab or its letter: go to a field       <─ Enter   as typed
//! ```
//! Two levels, so that letters can be keys on the list of fields (`i` goes to the importance, `→`
//! raises it, `Ctrl-s` saves) and text inside a field.

mod edits;
mod field;
mod keys;
mod list;

use std::fmt;
use std::sync::Arc;

pub use super::key::Outcome;
pub use edits::{Move, WhatIf};
pub use field::{Control, Field};
pub use list::{List, PatternReader, Reading};

use super::msg::DraftFields;
use super::text::TextEditor;
use crate::curate::convert::is_on_task;
use crate::memory::edit::FieldEdit;
use crate::memory::schema::{FieldSpec, Kind, Role, Schema};
use crate::memory::{Fields, Memory, Severity, Timestamp, Value};
use list::Plain;

/// Facts for the field editor: what patterns are tried on, and their matcher.
#[derive(Clone, Default)]
pub struct Known {
    /// Tasks to try patterns on, the current one first.
    pub tasks: Arc<[Box<str>]>,
    /// The policy's matcher.
    pub patterns: Option<Arc<dyn PatternReader>>,
}

impl fmt::Debug for Known {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Known").finish_non_exhaustive()
    }
}

/// The purpose of a form.
#[derive(Clone, Debug)]
pub(crate) enum Purpose {
    /// Fields of a memory there is.
    Edit,
    /// A memory there is not yet, with its body.
    Create(Box<TextEditor>),
}

/// The part that takes the keys.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    /// The list of fields.
    Fields,
    /// Inside the field that has the focus; how it was before.
    Inside(Box<Control>),
    /// Inside the body of a new memory.
    Body,
    /// The question whether changes are to be given up.
    Discard,
}

/// The field editor.
#[derive(Clone, Debug)]
pub struct Form {
    pub(crate) title: String,
    /// The fields, in their order.
    pub fields: Vec<Field>,
    pub(crate) focus: usize,
    pub(crate) mode: Mode,
    pub(crate) purpose: Purpose,
    /// True if a new memory has no text of its own: it is drawn from its fields.
    drawn: bool,
    /// The schema of its fields.
    pub(crate) schema: &'static Schema,
    /// The draft that was kept last, for the case that the program ends.
    pub(crate) kept: DraftFields,
    pub(crate) notice: Option<String>,
    /// True if the next save overwrites changes of another program.
    pub(crate) is_warned: bool,
    pub(crate) warnings: Vec<String>,
    pub(crate) now: Timestamp,
    pub(crate) known: Known,
    /// Readings of the patterns of the field that has the focus, or of any list of patterns the form
    /// shows: a format has one.
    pub(crate) readings: Vec<Reading>,
}

impl Form {
    /// Opens a memory's fields: those of its schema in the schema's order, then its own. Fields
    /// that no edit changes are left out.
    pub fn open(memory: &Memory, known: &Known, now: Timestamp) -> Self {
        let schema = memory.schema;
        let specs = schema.fields.iter();
        let specs = specs.filter(|spec| !schema.is_fixed(spec.name));
        let of_schema =
            specs.map(|spec| Field::new(spec.name, Some(spec), memory.field(spec.name).cloned()));
        let own = memory.fields.iter();
        let own =
            own.filter(|(name, _)| schema.field(name).is_none() && !schema.holds_fields(name));
        let own = own.map(|(name, value)| Field::new(name, None, Some(value.clone())));
        let fields = of_schema.chain(own).collect();
        let title = memory.title.to_string();
        let mut form = Self::new(title, fields, Purpose::Edit, known, (now, schema));
        form.warnings = load_errors(memory).map(|(_, why)| why).collect();
        form
    }

    /// A form for a memory there is not yet, its title ready to be typed. What the system fills is
    /// not asked for.
    pub fn create(schema: &'static Schema, known: &Known, now: Timestamp, agent: &str) -> Self {
        let follows = |name: &str| schema.follows.contains(&name) || schema.is_inner(name);
        let asked = |spec: &&FieldSpec| !follows(spec.name);
        let fields = schema.fields.iter().filter(asked).map(|spec| {
            let mut field = Field::new(spec.name, Some(spec), None);
            field.fill(now, agent);
            field
        });
        let body = Purpose::Create(Box::new(TextEditor::empty(schema)));
        let mut form = Self::new(String::new(), fields.collect(), body, known, (now, schema));
        let title = |field: &Field| field.role() == Role::Title;
        form.drawn = schema.can.in_rows;
        form.focus = form.fields.iter().position(title).unwrap_or_default();
        form.enter();
        form
    }

    fn new(
        title: String,
        mut fields: Vec<Field>,
        purpose: Purpose,
        known: &Known,
        (now, schema): (Timestamp, &'static Schema),
    ) -> Self {
        field::hotkeys(&mut fields);
        let mut form = Self {
            title,
            fields,
            focus: 0,
            mode: Mode::Fields,
            purpose,
            drawn: false,
            schema,
            kept: DraftFields::default(),
            notice: None,
            is_warned: false,
            warnings: Vec::new(),
            now,
            known: known.clone(),
            readings: Vec::new(),
        };
        form.read_patterns();
        form
    }

    /// The title of the pane.
    pub fn title(&self) -> String {
        match &self.purpose {
            Purpose::Create(_) if self.title.is_empty() => "new memory".into(),
            Purpose::Create(_) => self.title.clone(),
            _ if self.dirty() => format!("{} · unsaved", self.title),
            _ => self.title.clone(),
        }
    }

    /// The field that has the focus; none on the body of a new memory.
    pub fn focused(&self) -> Option<&Field> {
        self.fields.get(self.focus)
    }

    /// The body of a new memory.
    pub fn body(&self) -> Option<&TextEditor> {
        match &self.purpose {
            Purpose::Create(body) if !self.drawn => Some(body),
            _ => None,
        }
    }

    /// Says how large the pane is, so that the body of a new memory is scrolled by what is seen.
    pub fn resize(&mut self, width: u16, height: u16) {
        if let Purpose::Create(body) = &mut self.purpose {
            body.resize(width, height.saturating_sub(1));
        }
    }

    /// True if letters are text now.
    pub fn typing(&self) -> bool {
        matches!(self.mode, Mode::Body) || self.line().is_some()
    }

    /// True if nothing is typed and nothing differs from the store, so that the form can be drawn
    /// anew.
    pub fn at_rest(&self) -> bool {
        !self.dirty() && matches!(self.mode, Mode::Fields)
    }

    /// The fields that another program changed too while they were changed here.
    pub fn clashing(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.clashes())
    }

    /// True if anything differs from what the store has.
    pub fn dirty(&self) -> bool {
        match &self.purpose {
            Purpose::Edit => self.fields.iter().any(Field::changed),
            Purpose::Create(body) => body.dirty() || self.fields.iter().any(Field::typed_into),
        }
    }

    /// The changes, in as few edits as possible. They are meant one after the other, and are the
    /// same when their indexes are counted in the old lists.
    pub fn edits(&self) -> Vec<FieldEdit> {
        self.fields.iter().flat_map(edits::of_field).collect()
    }

    /// The old values of the changed fields.
    pub fn seen(&self) -> Vec<(Box<str>, Option<Value>)> {
        let changed = self.fields.iter().filter(|field| field.changed());
        let seen = changed.map(|field| (field.name.clone(), field.original.clone()));
        seen.collect()
    }

    /// Takes what the store has now of some fields for what is edited: where a person changed
    /// nothing it is shown, and edits lead from it to what the person wants.
    pub fn rebase(&mut self, now: &Fields, of: impl Fn(&str) -> bool) {
        // The value to be overwritten has changed.
        self.is_warned = false;
        for (at, field) in self.fields.iter_mut().enumerate() {
            let value = now.get(&field.name).cloned();
            if of(&field.name) && field.original != value {
                let before = match &mut self.mode {
                    Mode::Inside(before) if at == self.focus => Some(&mut **before),
                    _ => None,
                };
                field.rebase(value, before);
            }
        }
        self.read_patterns();
    }

    /// The stored values of some fields.
    pub fn stored(&self, of: impl Fn(&str) -> bool) -> Fields {
        let fields = self.fields.iter().filter(|field| of(&field.name));
        let own = fields.filter_map(|field| Some((field.name.clone(), field.original.clone()?)));
        own.collect()
    }

    /// Title, other fields and body of a new memory.
    pub fn new_memory(&self) -> (String, Vec<(String, Value)>, String) {
        let mut title = String::new();
        let mut fields = Vec::new();
        for field in &self.fields {
            let is_list = field.items().is_some() && field.required();
            let value = field.value();
            match value.or_else(|| is_list.then(|| Value::List(Box::default()))) {
                Some(value) if field.role() == Role::Title => title = value.to_string(),
                // Empty text is not written.
                Some(Value::Text(text)) if text.is_empty() => {}
                value => fields.extend(value.map(|value| (field.name.to_string(), value))),
            }
        }
        let body = self.body().map(TextEditor::text).unwrap_or_default();
        (title, fields, body)
    }

    fn read_patterns(&mut self) {
        let list = self.fields.iter().find_map(|field| match &field.control {
            Control::List(list) if field.kind() == Kind::Patterns => Some(list.values()),
            _ => None,
        });
        let can = &self.schema.can;
        let plain = Plain {
            dialect: can.globs.unwrap_or_default(),
            kind: match is_on_task(self.schema) {
                _ if can.task_patterns => "",
                true => "word",
                false => "glob",
            },
        };
        let policy = self.known.patterns.as_deref();
        let policy = policy.filter(|_| can.task_patterns);
        let reader = policy.unwrap_or(&plain);
        let list = list.unwrap_or_default();
        let texts = list.iter().map(|one| one.as_str().unwrap_or_default());
        let readings = texts.map(|text| Reading::new(text, &self.known.tasks, reader));
        self.readings = readings.collect();
    }
}

/// Why the fields of a memory cannot be edited one by one; its text can.
pub fn unreadable(memory: &Memory) -> Option<String> {
    let broken = load_errors(memory).find(|(editable, _)| !editable);
    broken.map(|(_, why)| why)
}

/// Load errors of the file as a whole: whether its fields can be edited nevertheless, and a
/// sentence.
fn load_errors(memory: &Memory) -> impl Iterator<Item = (bool, String)> {
    // Setting a field adds missing frontmatter, and bytes that are not UTF-8 stay as they are. Invalid
    // YAML is edited line by line, in files of one memory.
    const EDITABLE: &[&str] = &["no frontmatter", "the file is empty", "not UTF-8"];
    let has_lines = !memory.schema.can.shape.several;
    let by_lines = has_lines.then_some("the frontmatter is not YAML");
    let errors = memory.problems.iter();
    errors
        .filter(|problem| problem.rule == "load-error" && problem.severity == Severity::Error)
        .map(move |problem| {
            let mut starts = EDITABLE.iter().chain(by_lines.as_ref());
            let editable = starts.any(|start| problem.message.starts_with(start));
            let (line, column) = (problem.line, problem.column);
            let why = format!("line {line}, column {column}: {}", problem.message);
            (editable, why)
        })
}
