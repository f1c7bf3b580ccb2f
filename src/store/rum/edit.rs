//! Edits of fields: the row as it is edited, and the rows of other tables that follow its fields.
//!
//! An edit ends in two lists of records, those before and those after it: what is staged is the
//! difference.

use serde_json::Value as Json;

use super::records::{Record, changes, fresh_id, refused};
use super::{RumStore, own_id};
use crate::memory::edit::{FieldEdit, wanted::wanted};
use crate::memory::json::splice as json;
use crate::memory::row::{Cell, Row};
use crate::memory::schema::Kind;
use crate::memory::{Fields, Memory, Schema, Timestamp, Value};
use crate::store::{Overlay, StoreError};
use crate::systems::rum::entries::{self, Member, Part};
use crate::systems::rum::{self, LAYERS, LINKS, Layers, layers};

/// A row that is being edited.
pub(super) struct Edit<'a> {
    store: &'a RumStore,
    schema: &'static Schema,
    id: &'a str,
    before: Record,
    /// The row as it is edited.
    pub row: Row,
    fields: Fields,
    now: Timestamp,
    /// Fields that are rows of their own, each with the ids that it shall have.
    relations: Vec<(String, Vec<String>)>,
}

/// Records before and after an edit.
type Difference = (Vec<Record>, Vec<Record>);

impl<'a> Edit<'a> {
    /// Nothing edited yet.
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

    /// Makes some edits of a memory.
    pub fn apply(
        store: &RumStore,
        memory: &Memory,
        edits: &[FieldEdit],
        overlay: &mut Overlay,
    ) -> Result<(), StoreError> {
        let record = store.current(memory, overlay)?;
        let local = own_id(&memory.id.local).0;
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

    /// Stages the row as a new one.
    pub fn stage_new(self, overlay: &mut Overlay) -> Result<(), StoreError> {
        let (_, after) = self.records(overlay)?;
        let after = after.into_iter().map(Record::without_nulls).collect();
        self.store.stage_changes(changes(&[], after), overlay);
        Ok(())
    }

    fn is_memory(&self) -> bool {
        self.before.table == "memories"
    }

    fn make(&mut self, edit: &FieldEdit) -> Result<(), StoreError> {
        if matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_)) {
            return Err(refused(
                "the text of a RUM memory is drawn from its layers: edit its fields",
            ));
        }
        let asked = edit.field_name();
        let name = self.schema.field(asked).map_or(asked, |spec| spec.name);
        let inner = match self.schema.inner.is_empty() {
            true => Fields::default(),
            false => entries::fields(&Layers::read(&self.row).0),
        };
        // An edit may have the field by another name.
        let all = self.fields.iter().chain(inner.iter()).map(|(own, value)| {
            let own = if own == name { asked } else { own };
            (own.to_owned(), value.clone())
        });
        let Some(all) = wanted(&all.collect(), edit)? else {
            return Ok(());
        };
        let value = all.iter().find(|(own, _)| own == asked);
        let value = value.map(|(_, value)| value.clone());
        let value = value.filter(|value| *value != Value::Null);
        let is_all = matches!(edit, FieldEdit::Set { .. } | FieldEdit::Unset { .. });
        self.put(name, value.as_ref(), is_all)?;
        let all = all.into_iter().map(|(own, value)| match own == asked {
            true => (name.to_owned(), value),
            false => (own, value),
        });
        self.fields = all.filter(|(own, _)| !self.schema.is_inner(own)).collect();
        Ok(())
    }

    /// Gives a field another value: all of it, or with another entry of its list.
    pub fn put(
        &mut self,
        name: &str,
        value: Option<&Value>,
        is_all: bool,
    ) -> Result<(), StoreError> {
        let is_memory = self.is_memory();
        // What is given as text is all of the layer as JSON.
        let is_json = LAYERS.contains(&name) && matches!(value, Some(Value::Text(_)));
        if let Some(member) = Member::named(name).filter(|_| is_memory) {
            return self.put_member(member, value);
        }
        if let Some(part) = Part::named(name).filter(|_| is_memory && !is_json) {
            let layer = self.row.text(part.layer).filter(|text| !text.is_empty());
            let made = part.put(layer, value).map_err(StoreError::Refused)?;
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
            return Err(refused(format!("RUM memories have no field `{name}`")));
        };
        if self.schema.is_fixed(name) || name == "type" {
            return Err(refused(format!(
                "`{name}` follows from other rows, or is the system's own: it is not edited"
            )));
        }
        let cell = match spec.kind {
            Kind::Number(..) => {
                let number = value.and_then(|value| value.to_string().trim().parse().ok());
                let number = number.filter(|number| (0.0..=1.0).contains(number));
                Cell::Real(number.ok_or_else(|| refused("`importance` is a number from 0 to 1"))?)
            }
            Kind::Date => {
                let at = value
                    .and_then(Value::as_str)
                    .and_then(Timestamp::parse_existing);
                let at = at.ok_or_else(|| refused(format!("`{name}` needs a day that exists")))?;
                rum::number(at, self.row.get(name).and_then(Cell::as_int)).into()
            }
            kind if kind.is_list() => self.list(name, value, is_all)?,
            _ => {
                let text = value.map(ToString::to_string).unwrap_or_default();
                if name == "agent_id" && !text.is_empty() {
                    self.needs_agent(&text)?;
                }
                Some(text)
                    .filter(|text| !text.is_empty())
                    .map_or(Cell::Null, Cell::from)
            }
        };
        self.set(name, cell)
    }

    /// Refuses an agent that the database does not know, where it knows some.
    fn needs_agent(&self, agent: &str) -> Result<(), StoreError> {
        let is_known = self.store.ask(|reader| {
            Ok(reader.columns("agents")?.is_empty() || reader.has("agents", "id", agent))
        })?;
        match is_known {
            true => Ok(()),
            false => Err(refused(format!("there is no agent `{agent}`"))),
        }
    }

    /// Gives a column another value.
    fn set(&mut self, column: &str, cell: Cell) -> Result<(), StoreError> {
        let table = &self.before.table;
        if cell.is_null() {
            let columns = self.store.ask(|reader| reader.columns(table))?;
            if columns
                .iter()
                .any(|one| one.name == column && one.is_needed)
            {
                return Err(refused(format!("`{column}` needs a value")));
            }
        }
        match self.row.set(column, cell) {
            true => Ok(()),
            false => Err(refused(format!(
                "the table `{table}` has no column `{column}`"
            ))),
        }
    }

    /// A member of a layer, and the column that repeats it.
    fn put_member(&mut self, member: &Member, value: Option<&Value>) -> Result<(), StoreError> {
        let Member { field, layer, .. } = member;
        let new: Option<Json> = match (value, *field) {
            (Some(value), "success") => {
                let truth: Result<bool, _> = value.to_string().parse();
                Some(
                    truth
                        .map_err(|_| refused("`success` is true or false"))?
                        .into(),
                )
            }
            (value, _) => value.map(|value| value.to_string().into()),
        };
        let is_needed = ["goal", "type", "success"].contains(field);
        if is_needed && new.as_ref().is_none_or(|new| new.as_str() == Some("")) {
            return Err(refused(format!("`{field}` needs a value")));
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
    fn mirror(&mut self, member: &Member, value: Option<&Json>) -> Result<(), StoreError> {
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

    /// A column that is a list of texts. Anything else there is replaced only where all of it is
    /// given.
    fn list(&self, column: &str, value: Option<&Value>, is_all: bool) -> Result<Cell, StoreError> {
        let own = self.row.text(column).map(str::trim);
        let own = own.filter(|own| !matches!(*own, "" | "null"));
        match own.map(|own| entries::column(own, value)) {
            Some(Some(made)) => Ok(made.into()),
            Some(None) if !is_all => Err(refused(format!(
                "{}.{column} is no JSON list: replace all of it with --set {column}=…",
                self.before.table
            ))),
            Some(None) | None => Ok(Json::from(texts(value)).to_string().into()),
        }
    }

    /// All of a layer, and the columns that repeat its members.
    fn put_layer(&mut self, layer: &str, value: Option<&Value>) -> Result<(), StoreError> {
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
            return Err(refused(format!("`{layer}` is {what} of JSON")));
        }
        let cell = if new.is_null() {
            Cell::Null
        } else {
            written.into()
        };
        self.set(layer, cell)?;
        for member in entries::MEMBERS
            .iter()
            .filter(|member| member.layer == layer)
        {
            self.mirror(member, new.get(member.name))?;
        }
        Ok(())
    }

    /// Clears an embedding that was made of another text; only the system can make one.
    fn clear_embedding(&mut self) -> Result<Option<String>, StoreError> {
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
    fn records(&self, overlay: &Overlay) -> Result<Difference, StoreError> {
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
            if name == "members" {
                times = self.times(&ids)?;
                add(self.members(&ids, overlay)?);
            } else {
                add(self.links(name, &ids, overlay)?);
            }
        }
        if let (Some((first, last)), Some(own)) = (times, all.1.first_mut()) {
            own.row.set("start_ts", first.into());
            own.row.set("end_ts", last.into());
        }
        Ok(all)
    }

    /// The rows of another table that have the id in a column, but those that are to go already.
    fn rows(
        &self,
        table: &str,
        column: &str,
        overlay: &Overlay,
    ) -> Result<Vec<Record>, StoreError> {
        let rows = self
            .store
            .ask(|reader| reader.records(table, column, self.id))?;
        let database = &self.store.info.path;
        let stays = |row: &Record| overlay.row(database, &row.table, &row.key) != Some(None);
        Ok(rows.into_iter().filter(stays).collect())
    }

    /// The files that the layers name, where they changed; rows that another program wrote for
    /// other files stay.
    fn files(&self, overlay: &Overlay) -> Result<Difference, StoreError> {
        let [mut before, mut after] =
            [&self.before.row, &self.row].map(|row| Layers::read(row).0.files());
        let table = "memory_files";
        let links = self.store.ask(|reader| {
            Ok(match reader.columns(table)?.is_empty() {
                true => None,
                false => Some(reader.columns("memory_links")?),
            })
        })?;
        let Some(links) = links.filter(|_| before != after) else {
            return Ok(Difference::default());
        };
        let rows = self.rows(table, "memory_id", overlay)?;
        // The schema of the specification, in which links have no ids, has words of its own for
        // the operation; where rows have the program's, so have the others.
        let is_specified = !links.is_empty() && !links.iter().any(|column| column.name == "id");
        let is_programs =
            |row: &Record| layers::operation(row.text("operation")) != row.text("operation");
        if is_specified && !rows.iter().any(is_programs) {
            for (_, operation) in before.iter_mut().chain(&mut after) {
                *operation = layers::operation(operation).to_owned();
            }
        }
        let of = |files: &[(String, String)], path: &str| {
            let found = files.iter().find(|(own, _)| own == path);
            found.map(|(_, operation)| operation.clone())
        };
        let is_theirs = |row: &&Record| {
            let path = row.text("file_path");
            of(&before, path).is_none() && of(&after, path).is_none()
        };
        let mut now: Vec<Record> = rows.iter().filter(is_theirs).cloned().collect();
        for (path, operation) in &after {
            let known = rows.iter().find(|row| row.text("file_path") == path);
            now.push(match known {
                Some(row) if of(&before, path).as_deref() == Some(row.text("operation")) => {
                    row.with("operation", operation.as_str().into())
                }
                Some(row) => row.clone(),
                None => self.fresh(
                    table,
                    &[
                        ("memory_id", self.id.into()),
                        ("file_path", path.as_str().into()),
                        ("operation", operation.as_str().into()),
                    ],
                )?,
            });
        }
        Ok((rows, now))
    }

    /// The links of a kind. One that follows from a link in the other direction is that link.
    fn links(
        &self,
        kind: &str,
        wanted: &[&str],
        overlay: &Overlay,
    ) -> Result<Difference, StoreError> {
        let table = "memory_links";
        let linked = |kind: &str, own: &str| {
            let mut rows = self.rows(table, own, overlay)?;
            rows.retain(|row| row.text("link_type") == kind);
            Ok::<_, StoreError>(rows)
        };
        let mut before = linked(kind, "source_id")?;
        if kind == "led_to" {
            before.extend(linked("caused_by", "target_id")?);
        }
        let end = |row: &Record| match row.text("source_id") == self.id {
            true => row.text("target_id").to_owned(),
            false => row.text("source_id").to_owned(),
        };
        let is_wanted = |row: &&Record| wanted.contains(&&*end(row));
        let mut after: Vec<Record> = before.iter().filter(is_wanted).cloned().collect();
        for other in wanted {
            if before.iter().any(|row| end(row) == *other) {
                continue;
            }
            if *other == self.id {
                return Err(refused("a memory is not linked to itself"));
            }
            if !self
                .store
                .ask(|reader| Ok(reader.has("memories", "id", other)))?
            {
                return Err(refused(format!("there is no memory `{other}` to link to")));
            }
            // RUM's readers derive `led_to` from the `caused_by` of the other end, and read no row
            // of that type (formats: rum).
            let (source, kind, target) = match kind {
                "led_to" => (*other, "caused_by", self.id),
                kind => (self.id, kind, *other),
            };
            let id = fresh_id("link", self.now, &[source, kind, target]);
            let created = self.row.get("created_at").and_then(Cell::as_int);
            after.push(self.fresh(
                table,
                &[
                    ("id", id.into()),
                    ("source_id", source.into()),
                    ("target_id", target.into()),
                    ("link_type", kind.into()),
                    ("created_at", rum::number(self.now, created).into()),
                ],
            )?);
        }
        Ok((before, after))
    }

    /// When the first and the last memory of a chapter were made.
    fn times(&self, members: &[&str]) -> Result<Option<(i64, i64)>, StoreError> {
        if self.before.table != "chapters" {
            return Ok(None);
        }
        let sql = "SELECT created_at FROM memories WHERE id = ?1";
        let times = self.store.ask(|reader| {
            let time = |member: &&str| reader.value(sql, &[member])?.as_int();
            Ok(members.iter().filter_map(time).collect::<Vec<i64>>())
        })?;
        Ok(times.iter().min().copied().zip(times.iter().max().copied()))
    }

    /// The members of a chapter or of wisdom, in their order.
    fn members(&self, wanted: &[&str], overlay: &Overlay) -> Result<Difference, StoreError> {
        let (table, own, member, of) = match &*self.before.table {
            "wisdom" => ("wisdom_chapters", "wisdom_id", "chapter_id", "chapters"),
            _ => ("chapter_memories", "chapter_id", "memory_id", "memories"),
        };
        let before = self.rows(table, own, overlay)?;
        let mut after = Vec::new();
        for (position, id) in (0_i64..).zip(wanted) {
            let known = before.iter().find(|row| row.text(member) == *id);
            if known.is_none() && !self.store.ask(|reader| Ok(reader.has(of, "id", id)))? {
                return Err(refused(format!("there is no `{id}` to take in")));
            }
            after.push(match known {
                Some(known) => known.with("position", position.into()),
                None => self.fresh(
                    table,
                    &[
                        (own, self.id.into()),
                        (member, (*id).into()),
                        ("position", position.into()),
                    ],
                )?,
            });
        }
        Ok((before, after))
    }

    fn fresh(&self, table: &str, cells: &[(&str, Cell)]) -> Result<Record, StoreError> {
        let fresh = self.store.ask(|reader| reader.fresh(table, cells))?;
        Ok(fresh.without_nulls())
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
