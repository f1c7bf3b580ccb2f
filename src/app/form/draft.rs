//! Unsaved input of a form: the memory as it would be, and what is kept of it while the form is
//! open.

use super::field::Field;
use super::{Form, Purpose};
use crate::app::editor::{Editor, cut_of};
use crate::app::msg::DraftFields;
use crate::memory::schema::Role;
use crate::memory::{Fields, Memory, Timestamp, Value};

impl Form {
    /// The memory as it would be: fields, title and dates. The results of a load (problems,
    /// visibility) stay as they were.
    pub fn draft_memory(&self, memory: &Memory) -> Memory {
        let own = |name: &str| self.fields.iter().find(|field| &*field.name == name);
        let before = memory.fields.iter().filter_map(|(name, value)| {
            let value = own(name).map_or_else(|| Some(value.clone()), Field::value);
            Some((name.into(), value?))
        });
        let is_new =
            |field: &&Field| field.original.is_none() && !memory.schema.is_inner(&field.name);
        let new = self.fields.iter().filter(is_new);
        let new = new.filter_map(|field| Some((field.name.clone(), field.value()?)));
        let mut draft = memory.clone();
        draft.fields = before.chain(new).collect::<Fields>();
        let title = draft.role(Role::Title).and_then(Value::as_str);
        if let Some(title) = title.map(str::trim).filter(|title| !title.is_empty()) {
            draft.title = title.into();
        }
        let is_date = |value: &&Value| **value != Value::Null;
        let created = draft.role(Role::Created).filter(is_date);
        draft.created = created.and_then(Timestamp::of_value);
        draft.updated = match draft.role(Role::Updated) {
            Some(value) => Timestamp::of_value(value),
            None => memory.updated,
        };
        draft
    }

    /// The unsaved input; empty if nothing differs from the store.
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

    /// Takes up what was typed into an earlier form. A value that changed in the store since then
    /// is shown as what another program wrote.
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
