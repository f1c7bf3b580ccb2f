//! Edits of fields, as two lists of records before and after: the row, and rows of other tables.

mod related;

use serde_json::Value as Json;

use super::records::{Record, changes};
use super::{RumStore, own_id};
use crate::memory::edit::{FieldEdit, wanted};
use crate::memory::json::splice as json;
use crate::memory::row::{Cell, Row};
use crate::memory::schema::Kind;
use crate::memory::{Fields, Memory, Schema, Timestamp, Value};
use crate::store::{Overlay, Result, refuse, refused};
use crate::systems::rum::entries::{self, Member, Part};
use crate::systems::rum::{self, LAYERS, LINKS, Layers, layers};

pub(super) struct Edit<'a> {
    store: &'a RumStore,
    schema: &'static Schema,
    id: &'a str,
    before: Record,
    pub row: Row,
    fields: Fields,
    now: Timestamp,
    /// Fields that are rows of their own, each with the ids that it shall have.
    relations: Vec<(String, Vec<String>)>,
}

/// Records before and after an edit.
type Difference = (Vec<Record>, Vec<Record>);

impl<'a> Edit<'a> {
    pub fn new(
        store: &'a RumStore,
        schema: &'static Schema,
        (id, before): (&'a str, Record),
        now: Timestamp,
    ) -> Self {
        Self {
            store,
            schema,
            id,
            row: before.row.clone(),
            before,
            fields: Fields::default(),
            now,
            relations: Vec::new(),
        }
    }

    pub fn apply(
        store: &RumStore,
        memory: &Memory,
        edits: &[FieldEdit],
        overlay: &mut Overlay,
    ) -> Result {
        let record = store.current(memory, overlay)?;
        let local = own_id(&memory.id.local);
        let mut edit = Edit::new(store, memory.schema, (local, record), overlay.now);
        edit.fields = memory.fields.clone();
        for one in edits {
            edit.make(one)?;
        }
        if edit.is_memory() {
            overlay.note(edit.clear_embedding()?);
        }
        let (before, mut after) = edit.records(overlay)?;
        if before != after
            && let Some(first) = after.first_mut()
            && let Some(Cell::Int(number)) = first.row.get("updated_at").cloned()
        {
            let now = rum::number(overlay.now, Some(number));
            first.row.set("updated_at", now.into());
        }
        store.stage_changes(changes(&before, after), overlay);
        Ok(())
    }

    pub fn stage_new(self, overlay: &mut Overlay) -> Result {
        let (_, after) = self.records(overlay)?;
        let after = after.into_iter().map(Record::without_nulls).collect();
        self.store.stage_changes(changes(&[], after), overlay);
        Ok(())
    }

    fn is_memory(&self) -> bool {
        self.before.table == "memories"
    }

    fn make(&mut self, edit: &FieldEdit) -> Result {
        if matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_)) {
            return refuse("the text of a RUM memory is drawn from its layers: edit its fields");
        }
        let asked = edit.field_name();
        let name = self.schema.field(asked).map_or(asked, |spec| spec.name);
        let inner = match self.schema.inner.is_empty() {
            true => Fields::default(),
            false => entries::fields(&Layers::read(&self.row).0),
        };
        // An edit may have the field by another name.
        let old = self.fields.get(name).or_else(|| inner.get(name));
        let old = old.map(|value| (asked.to_owned(), value.clone()));
        let new = wanted(&old.into_iter().collect(), edit)?;
        let Some(new) = new else { return Ok(()) };
        let value = new.into_iter().next().map(|(_, value)| value);
        let value = value.filter(|value| *value != Value::Null);
        let is_all = matches!(edit, FieldEdit::Set { .. } | FieldEdit::Unset { .. });
        self.put(name, value.as_ref(), is_all)?;
        if !self.schema.is_inner(name) {
            let others = self.fields.iter().filter(|(own, _)| *own != name);
            let others = others.map(|(own, value)| (own.to_owned(), value.clone()));
            let new = value.map(|value| (name.to_owned(), value));
            self.fields = others.chain(new).collect();
        }
        Ok(())
    }

    /// Gives a field another value: all of it, or with another entry of its list.
    pub fn put(&mut self, name: &str, value: Option<&Value>, is_all: bool) -> Result {
        let is_memory = self.is_memory();
        // What is given as text is all of the layer as JSON.
        let is_json = LAYERS.contains(&name) && matches!(value, Some(Value::Text(_)));
        if let Some(member) = Member::named(name).filter(|_| is_memory) {
            return self.put_member(&member, value);
        }
        if let Some(part) = Part::named(name).filter(|_| is_memory && !is_json) {
            let layer = self.row.text(part.layer).filter(|text| !text.is_empty());
            let made = part.put(layer, value).map_err(refused)?;
            return self.set(part.layer, made.into());
        }
        if is_memory && LAYERS.contains(&name) {
            return self.put_layer(name, value);
        }
        if LINKS.contains(&name) || name == "members" {
            self.relations.retain(|(known, _)| known != name);
            self.relations.push((name.to_owned(), texts(value)));
            return Ok(());
        }
        let Some(spec) = self.schema.field(name) else {
            return refuse(format!("RUM memories have no field `{name}`"));
        };
        if self.schema.is_fixed(name) || name == "type" {
            return refuse(format!(
                "`{name}` follows from other rows, or is the system's own: it is not edited"
            ));
        }
        let cell = match spec.kind {
            Kind::Number(..) => {
                let number = value.and_then(|value| value.to_string().trim().parse().ok());
                let number = number.filter(|number| (0.0..=1.0).contains(number));
                Cell::Real(number.ok_or_else(|| refused("`importance` is a number from 0 to 1"))?)
            }
            Kind::Date => {
                let text = value.and_then(Value::as_str);
                let at = text.and_then(Timestamp::parse_existing);
                let at = at.ok_or_else(|| refused(format!("`{name}` needs a day that exists")))?;
                rum::number(at, self.row.get(name).and_then(Cell::as_int)).into()
            }
            kind if kind.is_list() => self.list(name, value, is_all)?,
            _ => {
                let text = value.map(ToString::to_string);
                let text = text.filter(|text| !text.is_empty());
                if let Some(agent) = text.as_ref().filter(|_| name == "agent_id") {
                    self.needs_agent(agent)?;
                }
                text.map_or(Cell::Null, Cell::from)
            }
        };
        self.set(name, cell)
    }

    fn needs_agent(&self, agent: &str) -> Result {
        let is_known = self.store.ask(|reader| {
            Ok(reader.columns("agents")?.is_empty() || reader.has("agents", "id", agent))
        })?;
        match is_known {
            true => Ok(()),
            false => refuse(format!("there is no agent `{agent}`")),
        }
    }

    fn set(&mut self, column: &str, cell: Cell) -> Result {
        let table = &self.before.table;
        if cell.is_null() {
            let mut columns = self.store.ask(|reader| reader.columns(table))?.into_iter();
            if columns.any(|one| one.name == column && one.is_needed) {
                return refuse(format!("`{column}` needs a value"));
            }
        }
        match self.row.set(column, cell) {
            true => Ok(()),
            false => refuse(format!("the table `{table}` has no column `{column}`")),
        }
    }

    /// A member of a layer, and the column that repeats it.
    fn put_member(&mut self, member: &Member, value: Option<&Value>) -> Result {
        let Member { field, layer, .. } = member;
        let new: Option<Json> = match (value, *field) {
            (Some(value), "success") => {
                let truth: Result<bool, _> = value.to_string().parse();
                let truth = truth.map_err(|_| refused("`success` is true or false"))?;
                Some(truth.into())
            }
            (value, _) => value.map(|value| value.to_string().into()),
        };
        let is_needed = ["goal", "type", "success"].contains(field);
        if is_needed && new.as_ref().is_none_or(|new| new.as_str() == Some("")) {
            return refuse(format!("`{field}` needs a value"));
        }
        let own = match self.row.get(layer) {
            Some(cell) if !cell.is_null() => cell.as_str().unwrap_or("no text"),
            _ => "",
        };
        let own = if own.is_empty() { "{}" } else { own };
        let written = new.as_ref().map(ToString::to_string);
        let text = json::set_text(own, member.name, written.as_deref());
        let text = text.ok_or_else(|| {
            refused(format!(
                "memories.{layer} is no JSON object: set all of it with --set-new {layer}={{…}}"
            ))
        })?;
        self.set(layer, text.into())?;
        self.mirror(member, new.as_ref())
    }

    /// Keeps a column in step with the member that it repeats.
    fn mirror(&mut self, member: &Member, value: Option<&Json>) -> Result {
        if self.row.get(member.mirror).is_none() {
            return Ok(());
        }
        let cell = match value {
            None | Some(Json::Null) => Cell::Null,
            Some(Json::Bool(is)) => Cell::Int(i64::from(*is)),
            Some(Json::String(text)) => Cell::from(text.as_str()),
            Some(other) => other.to_string().into(),
        };
        self.set(member.mirror, cell)
    }

    /// A column of texts. Anything else there is replaced only where all of it is given.
    fn list(&self, column: &str, value: Option<&Value>, is_all: bool) -> Result<Cell> {
        let own = self.row.text(column).map(str::trim);
        let own = own.filter(|own| !matches!(*own, "" | "null"));
        match own.map(|own| entries::column(own, value)) {
            Some(Some(made)) => Ok(made.into()),
            Some(None) if !is_all => refuse(format!(
                "{}.{column} is no JSON list: replace all of it with --set {column}=…",
                self.before.table
            )),
            Some(None) | None => Ok(Json::from(texts(value)).to_string().into()),
        }
    }

    /// All of a layer, and the columns that repeat its members.
    fn put_layer(&mut self, layer: &str, value: Option<&Value>) -> Result {
        // A value given as text may be JSON, and is then written as it is given.
        let as_json = |text: &str| Some((serde_json::from_str(text).ok()?, text.trim().to_owned()));
        let given = value.and_then(Value::as_str).and_then(as_json);
        let (new, written): (Json, String) = given.unwrap_or_else(|| {
            let new = value.and_then(|value| serde_json::to_value(value).ok());
            let new = new.unwrap_or_default();
            let written = new.to_string();
            (new, written)
        });
        if !layers::is_layer(layer, &new) {
            let what = layers::kind_of(layer);
            return refuse(format!("`{layer}` is {what} of JSON"));
        }
        let cell = if new.is_null() {
            Cell::Null
        } else {
            written.into()
        };
        self.set(layer, cell)?;
        for member in Member::all().filter(|member| member.layer == layer) {
            self.mirror(&member, new.get(member.name))?;
        }
        Ok(())
    }

    /// Clears an embedding that was made of another text; only the system can make one.
    fn clear_embedding(&mut self) -> Result<Option<String>> {
        let [before, after] = [&self.before.row, &self.row].map(|row| Layers::read(row).0);
        let embedding = self.row.get("embedding");
        if embedding.is_none_or(Cell::is_null) || before.embedded() == after.embedded() {
            return Ok(None);
        }
        self.set("embedding", Cell::Null)?;
        Ok(Some(format!(
            "{}:{} has other text than its embedding, which is cleared: RUM does not find the memory by \
             meaning until its `update_memory` changes the text",
            self.store.info.id, self.id
        )))
    }

    /// The records before and after the edit: the row, and the rows that follow its fields.
    fn records(&self, overlay: &Overlay) -> Result<Difference> {
        let own = Record {
            row: self.row.clone(),
            ..self.before.clone()
        };
        let mut all = (vec![self.before.clone()], vec![own]);
        let mut add = |(before, after): Difference| {
            all.0.extend(before);
            all.1.extend(after);
        };
        if self.is_memory() {
            add(self.files(overlay)?);
        }
        let mut times = None;
        for (name, ids) in &self.relations {
            let ids: Vec<&str> = ids.iter().map(|id| bare(id)).collect();
            times = times.or(self.times(&ids)?);
            add(self.related(name, &ids, overlay)?);
        }
        if let (Some((first, last)), Some(own)) = (times, all.1.first_mut()) {
            own.row.set("start_ts", first.into());
            own.row.set("end_ts", last.into());
        }
        Ok(all)
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.into_iter().flat_map(Value::items);
    let items = items.map(ToString::to_string);
    items.filter(|text| !text.is_empty()).collect()
}

/// An id without the store it is in.
fn bare(id: &str) -> &str {
    id.rsplit_once(':').map_or(id, |(_, local)| local)
}
