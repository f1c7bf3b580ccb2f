//! What was typed into a form and is not saved: the memory as it would be, and what is kept of it
//! while the form is open.

use super::field::Field;
use super::{Form, Purpose};
use crate::app::editor::{Editor, cut_of};
use crate::app::msg::DraftFields;
use crate::memory::schema::Role;
use crate::memory::{Fields, Memory, Timestamp, Value};

impl Form {
    /// The memory as it would be: fields, title and dates. What a load finds out about a file
    /// (problems, what the system's own loader sees) is for the store to say anew.
    pub fn draft_memory(&self, memory: &Memory) -> Memory {
        let changed = |name: &str| self.fields.iter().find(|field| &*field.name == name);
        let mut fields: Vec<(Box<str>, Value)> = Vec::new();
        for (name, value) in memory.fields.iter() {
            let value = match changed(name) {
                Some(field) => field.value(),
                None => Some(value.clone()),
            };
            fields.extend(value.map(|value| (name.into(), value)));
        }
        for field in &self.fields {
            if field.original.is_none()
                && !memory.schema.is_inner(&field.name)
                && let Some(value) = field.value()
            {
                fields.push((field.name.clone(), value));
            }
        }
        let mut draft = memory.clone();
        draft.fields = fields.into_iter().collect::<Fields>();
        if let Some(title) = draft.role(Role::Title).and_then(Value::as_str)
            && !title.trim().is_empty()
        {
            draft.title = title.trim().into();
        }
        let date = |value: &&Value| **value != Value::Null;
        let created = draft.role(Role::Created).filter(date);
        draft.created = created.and_then(Timestamp::of_value);
        draft.updated = match draft.role(Role::Updated) {
            Some(value) => Timestamp::of_value(value),
            None => memory.updated,
        };
        draft
    }

    /// What was typed; nothing, where everything is as the store has it.
    pub fn unsaved(&self) -> DraftFields {
        if !self.dirty() {
            return DraftFields::default();
        }
        let is_new = matches!(self.purpose, Purpose::Create(_));
        let differs = |field: &&Field| match is_new {
            true => field.typed_into(),
            false => field.changed(),
        };
        let fields = self.fields.iter().filter(differs);
        let one = |field: &Field| (field.name.clone(), field.original.clone(), field.value());
        DraftFields {
            fields: fields.map(one).collect(),
            body: self.body().map(Editor::text).unwrap_or_default(),
            ..DraftFields::default()
        }
    }

    /// Takes up what was typed into an earlier form. Where the store has something else by now
    /// than it had then, that is shown as what another program wrote.
    pub fn take_up(&mut self, typed: &DraftFields) {
        for (name, then, value) in &typed.fields {
            let own = self.fields.iter_mut().find(|field| field.name == *name);
            if let Some(field) = own {
                field.take_up(then.as_ref(), value.as_ref());
            }
        }
        if let Purpose::Create(body) = &mut self.purpose
            && !typed.body.is_empty()
            && let Ok(editor) = Editor::recover("", &typed.body, cut_of(self.schema))
        {
            **body = editor;
        }
        self.leave();
        self.kept = self.unsaved();
        self.read_patterns();
    }
}
