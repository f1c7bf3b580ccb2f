//! Edits of fields: where each stands in its row, and the columns and rows that follow it.

mod related;

use serde_json::Value as Json;

use super::RumStore;
use super::whole::{Whole, addition, change, list, refused};
use crate::curate::RowChange;
use crate::memory::edit::{FieldEdit, wanted::wanted};
use crate::memory::json::splice as json;
use crate::memory::row::{Cell, Row};
use crate::memory::{Fields, Memory, Schema, Timestamp, Value};
use crate::store::{Overlay, StoreError};
use crate::systems::rum::entries::{self, IN_LAYERS, Part};
use crate::systems::rum::{self, LAYERS, LINKS, Layers, layers};

/// Columns that hold a text.
const TEXTS: [&str; 5] = ["agent_id", "session_id", "project_id", "title", "origin"];
/// Columns that hold a list as JSON.
const LISTS: [&str; 6] = [
    "tags",
    "topics",
    "learnings",
    "insights",
    "patterns",
    "best_practices",
];
/// Columns that hold a point in time.
const TIMES: [&str; 4] = ["created_at", "updated_at", "start_ts", "end_ts"];

/// A row that is being edited.
pub(super) struct Edited<'a> {
    store: &'a RumStore,
    schema: &'static Schema,
    id: &'a str,
    before: Whole,
    /// The row as it is edited.
    pub(super) row: Row,
    fields: Fields,
    now: Timestamp,
    /// Changes of other rows.
    others: Vec<RowChange>,
}

impl<'a> Edited<'a> {
    /// Nothing edited yet.
    pub fn new(store: &'a RumStore, memory: &'a Memory, whole: Whole, now: Timestamp) -> Self {
        let id = super::own_id(&memory.id.local).0;
        Self {
            fields: memory.fields.clone(),
            ..Self::fresh(store, memory.schema, (id, whole), now)
        }
    }

    /// A row that is to be added.
    pub fn fresh(
        store: &'a RumStore,
        schema: &'static Schema,
        (id, whole): (&'a str, Whole),
        now: Timestamp,
    ) -> Self {
        Self {
            store,
            schema,
            id,
            row: whole.row.clone(),
            before: whole,
            fields: Fields::default(),
            now,
            others: Vec::new(),
        }
    }

    /// Makes one edit.
    pub fn apply(&mut self, edit: &FieldEdit) -> Result<(), StoreError> {
        if matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_)) {
            return Err(refused(
                "the text of a RUM memory is drawn from its layers: edit its fields",
            ));
        }
        let name = edit.field_name();
        let name = self.schema.field(name).map_or(name, |spec| spec.name);
        let whole = self.whole();
        let Some(all) = wanted(&whole, &named(edit, name))? else {
            return Ok(());
        };
        let value = all
            .iter()
            .find(|(own, _)| own == name)
            .map(|(_, value)| value.clone());
        let value = value.filter(|value| *value != Value::Null);
        let is_all = matches!(edit, FieldEdit::Set { .. } | FieldEdit::Unset { .. });
        self.put(name, value.as_ref(), is_all)?;
        let held = |(name, _): &(String, Value)| !self.schema.is_inner(name);
        self.fields = all.into_iter().filter(held).collect();
        Ok(())
    }

    /// All fields as they are now, those inside of the layers too.
    fn whole(&self) -> Fields {
        if self.schema.inner.is_empty() {
            return self.fields.clone();
        }
        let inner = entries::fields(&Layers::read(|name| self.row.get(name)).0);
        let all = self.fields.iter().chain(inner.iter());
        all.map(|(name, value)| (name, value.clone())).collect()
    }

    /// Stages a new row: cells without a value are left to the database.
    pub fn stage_new(mut self, overlay: &mut Overlay) {
        let database = &self.store.info.path;
        self.row.0.retain(|(_, cell)| !cell.is_null());
        let whole = Whole {
            row: self.row,
            ..self.before
        };
        overlay.change_row(database, addition(whole));
        for other in self.others {
            overlay.change_row(database, other);
        }
    }

    /// Stages what was edited.
    pub fn stage(mut self, overlay: &mut Overlay) -> Result<(), StoreError> {
        if self.before.table == "memories" {
            overlay.note(self.clear_embedding()?);
        }
        let touched = !self.others.is_empty() || self.row != self.before.row;
        if touched && let Some(Cell::Int(before)) = self.row.get("updated_at").cloned() {
            self.row
                .set("updated_at", rum::number(self.now, Some(before)).into());
        }
        let database = &self.store.info.path;
        if self.row != self.before.row {
            overlay.change_row(database, change(&self.before, self.row));
        }
        for other in self.others {
            overlay.change_row(database, other);
        }
        Ok(())
    }

    /// Gives a field another value, the whole of it or one entry of a list.
    pub fn put(
        &mut self,
        name: &str,
        value: Option<&Value>,
        is_all: bool,
    ) -> Result<(), StoreError> {
        let is_memory = self.before.table == "memories";
        let in_layer = IN_LAYERS.iter().find(|(field, ..)| *field == name);
        match in_layer {
            Some((_, column, key, mirror)) if is_memory => {
                return self.put_in_layer(name, column, key, mirror, value);
            }
            _ => {}
        }
        match Part::named(name) {
            // What was given as text is all of the layer as JSON.
            Some(part)
                if is_memory && !(part.is_layer() && matches!(value, Some(Value::Text(_)))) =>
            {
                return self.put_part(part, value);
            }
            _ => {}
        }
        if is_memory && LAYERS.contains(&name) {
            return self.put_layer(name, value);
        }
        if is_memory && LINKS.contains(&name) {
            return self.put_links(name, &texts(value));
        }
        if !is_memory && name == "members" {
            return self.put_members(&texts(value));
        }
        if name == "importance" && is_memory {
            let number = number(value).filter(|number| (0.0..=1.0).contains(number));
            let number = number.ok_or_else(|| refused("`importance` is a number from 0 to 1"))?;
            return self.set("importance", Cell::Real(number));
        }
        if let Some(column) = LISTS.iter().find(|column| **column == name) {
            return self.put_column(column, value, is_all);
        }
        if TIMES.contains(&name) {
            let at = value.and_then(Value::as_str);
            let at = at.and_then(Timestamp::parse_existing);
            let at =
                at.ok_or_else(|| StoreError::Refused(format!("`{name}` needs a day that exists")))?;
            let before = self.row.get(name).and_then(Cell::as_int);
            return self.set(name, rum::number(at, before).into());
        }
        if TEXTS.contains(&name) || (!is_memory && name == "summary") {
            let text = value
                .map(ToString::to_string)
                .filter(|text| !text.is_empty());
            if let Some(agent) = text.as_deref().filter(|_| name == "agent_id") {
                self.needs_agent(agent)?;
            }
            return self.set(name, text.map_or(Cell::Null, Cell::from));
        }
        Err(match self.schema.field(name) {
            Some(_) => follows(name),
            None => StoreError::Refused(format!("RUM memories have no field `{name}`")),
        })
    }

    /// Refuses an agent that the database does not know, where it knows some.
    fn needs_agent(&self, agent: &str) -> Result<(), StoreError> {
        let known = self.store.ask(|reader| {
            let no_table = reader.columns("agents")?.is_empty();
            let own = reader.value("SELECT 1 FROM agents WHERE id = ?1", &[agent]);
            Ok(no_table || own.is_some())
        })?;
        match known {
            true => Ok(()),
            false => Err(StoreError::Refused(format!("there is no agent `{agent}`"))),
        }
    }

    /// Gives a column another value.
    fn set(&mut self, column: &str, cell: Cell) -> Result<(), StoreError> {
        if cell.is_null() {
            let described = self
                .store
                .ask(|reader| reader.described(&self.before.table))?;
            if described.iter().any(|one| one.name == column && one.needed) {
                return Err(StoreError::Refused(format!("`{column}` needs a value")));
            }
        }
        if self.row.set(column, cell) {
            Ok(())
        } else {
            Err(StoreError::Refused(format!(
                "the table `{}` has no column `{column}`",
                self.before.table
            )))
        }
    }

    /// A member of a layer, and the column that repeats it.
    fn put_in_layer(
        &mut self,
        name: &str,
        column: &str,
        key: &str,
        mirror: &str,
        value: Option<&Value>,
    ) -> Result<(), StoreError> {
        let new = value.map(|value| layer_value(name, value)).transpose()?;
        let needed = ["goal", "type", "success"].contains(&name);
        if needed && new.as_ref().is_none_or(|new| new.as_str() == Some("")) {
            return Err(StoreError::Refused(format!("`{name}` needs a value")));
        }
        let text = match self.row.get(column) {
            None | Some(Cell::Null) => "{}".to_owned(),
            Some(Cell::Text(bytes)) if bytes.is_empty() => "{}".to_owned(),
            Some(cell) => cell.as_str().unwrap_or_default().to_owned(),
        };
        let written = new.as_ref().map(ToString::to_string);
        let changed = json::set_text(&text, key, written.as_deref()).ok_or_else(|| {
            StoreError::Refused(format!(
                "memories.{column} is no JSON object: set all of it with --set-new {column}={{…}}"
            ))
        })?;
        self.set(column, changed.into())?;
        if !mirror.is_empty() {
            self.mirror(mirror, new.as_ref())?;
        }
        Ok(())
    }

    /// Keeps a column in step with what it repeats.
    fn mirror(&mut self, column: &str, value: Option<&Json>) -> Result<(), StoreError> {
        if self.row.get(column).is_none() {
            return Ok(());
        }
        let cell = match value {
            None | Some(Json::Null) => Cell::Null,
            Some(Json::Bool(is)) => Cell::Int(i64::from(*is)),
            Some(Json::String(text)) => Cell::from(text.as_str()),
            Some(other) => other.to_string().into(),
        };
        self.set(column, cell)
    }

    /// A column that is a list of texts. Anything else there is replaced only where all of it is
    /// given.
    fn put_column(
        &mut self,
        column: &'static str,
        value: Option<&Value>,
        is_all: bool,
    ) -> Result<(), StoreError> {
        let own = self.row.get(column).and_then(Cell::as_str);
        let own = own.filter(|own| !matches!(own.trim(), "" | "null"));
        let cell = match own.map(|own| entries::column(own, value)) {
            Some(Some(made)) => made.into(),
            Some(None) if !is_all => {
                return Err(StoreError::Refused(format!(
                    "{}.{column} is no JSON list: replace all of it with --set {column}=…",
                    self.before.table
                )));
            }
            Some(None) | None => list(&texts(value)),
        };
        self.set(column, cell)
    }

    /// A list inside a layer, and the files that it names.
    fn put_part(&mut self, part: &Part, value: Option<&Value>) -> Result<(), StoreError> {
        let cell = self.row.get(part.layer);
        let layer = cell.and_then(Cell::as_str).filter(|text| !text.is_empty());
        let made = part.put(layer, value).map_err(StoreError::Refused)?;
        self.set(part.layer, made.into())?;
        self.put_files()
    }

    /// All of a layer, and what follows it: the columns that repeat it and the files it names.
    fn put_layer(&mut self, column: &str, value: Option<&Value>) -> Result<(), StoreError> {
        let (new, written) = match value {
            None => (Json::Null, None),
            // A value given as text may be JSON, and is then written as JSON.
            Some(Value::Text(text)) => match serde_json::from_str(text) {
                Ok(new) => (new, Some(text.trim().to_owned())),
                Err(_) => (Json::from(text.as_str()), None),
            },
            Some(value) => (serde_json::to_value(value).unwrap_or_default(), None),
        };
        if !layers::is_layer(column, &new) {
            let what = layers::kind_of(column);
            return Err(StoreError::Refused(format!("`{column}` is {what} of JSON")));
        }
        let cell = if new.is_null() {
            Cell::Null
        } else {
            written.unwrap_or_else(|| new.to_string()).into()
        };
        self.set(column, cell)?;
        for (_, layer, key, mirror) in IN_LAYERS {
            if layer == column && !mirror.is_empty() {
                let value = new.get(key).cloned();
                self.mirror(mirror, value.as_ref())?;
            }
        }
        self.put_files()
    }
}

/// Why a field is left as it is.
pub(super) fn follows(name: &str) -> StoreError {
    StoreError::Refused(format!(
        "`{name}` follows from other rows, or is the system's own: it is not edited"
    ))
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.into_iter().flat_map(Value::items);
    items
        .map(ToString::to_string)
        .filter(|text| !text.is_empty())
        .collect()
}

#[expect(clippy::cast_precision_loss, reason = "compared with 0 and 1")]
fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::Int(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A value as it stands in a layer.
fn layer_value(name: &str, value: &Value) -> Result<Json, StoreError> {
    let is_list = rum::RUM.field(name).is_some_and(|spec| spec.kind.is_list());
    if name == "success" {
        let truth = match value {
            Value::Bool(is) => Some(*is),
            other => other.to_string().parse().ok(),
        };
        return truth
            .map(Json::from)
            .ok_or_else(|| refused("`success` is true or false"));
    }
    Ok(if is_list {
        texts(Some(value)).into()
    } else {
        value.to_string().into()
    })
}

/// An edit of a field by another name.
fn named(edit: &FieldEdit, name: &str) -> FieldEdit {
    let mut edit = edit.clone();
    match &mut edit {
        FieldEdit::Set { field, .. }
        | FieldEdit::Unset { field }
        | FieldEdit::AddItem { field, .. }
        | FieldEdit::RemoveItem { field, .. }
        | FieldEdit::SetItem { field, .. }
        | FieldEdit::MoveItem { field, .. } => name.clone_into(field),
        FieldEdit::Body(_) | FieldEdit::Text(_) => {}
    }
    edit
}
