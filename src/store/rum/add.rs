//! New rows: a memory, or a chapter of memories that are there. A row begins with its defaults,
//! and every field that is given is put as an edit puts it.

use super::RumStore;
use super::requests::{addition, fresh_id, refused};
use super::row_edit::{Edited, follows};
use super::whole::{Column, Whole};
use crate::memory::Value;
use crate::memory::row::{Cell, Row};
use crate::store::{Overlay, StoreError};
use crate::systems::rum::{self, CHAPTER, LAYERS, RUM};

/// The fields of a chapter beside its title and its summary.
const OF_CHAPTER: [&str; 4] = ["learnings", "tags", "topics", "members"];

/// Values that a new row takes from the rows there are.
struct NewRowDefaults {
    /// The time of the newest memory, for its unit.
    time: Option<i64>,
    project: String,
    agent: Option<String>,
    session: String,
}

impl NewRowDefaults {
    fn of(store: &RumStore) -> Result<Self, StoreError> {
        // RUM sees the rows of the project that the database is named after.
        let projects = store.projects();
        let is_seen = |project: &String| projects.is_empty() || projects.contains(project);
        store.ask(|reader| {
            let text =
                |sql: &str| Some(reader.value(sql, &[])?.shown()).filter(|text| !text.is_empty());
            Ok(Self {
                time: reader
                    .value(
                        "SELECT created_at FROM memories ORDER BY created_at DESC LIMIT 1",
                        &[],
                    )
                    .and_then(|cell| cell.as_int()),
                project: text("SELECT project_id FROM memories ORDER BY created_at DESC LIMIT 1")
                    .filter(is_seen)
                    .or_else(|| projects.first().cloned())
                    .unwrap_or_else(|| "default".to_owned()),
                agent: text(
                    "SELECT id FROM agents WHERE type = 'main' ORDER BY created_at LIMIT 1",
                ),
                session: text("SELECT session_id FROM memories ORDER BY created_at DESC LIMIT 1")
                    .unwrap_or_else(|| "memkeep".to_owned()),
            })
        })
    }
}

/// Values that a person gave for a new row, without empty ones.
struct Given<'a> {
    title: &'a str,
    body: Option<&'a str>,
    fields: Vec<(&'a str, &'a Value)>,
}

impl Given<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        let own = self.fields.iter().find(|(own, _)| *own == name);
        own.map(|(_, value)| *value)
    }
}

/// The cells that a new row begins with, and the fields that are put into it.
type Parts<'a> = (Vec<(&'a str, Cell)>, Vec<(&'a str, Value)>);

/// Adds a memory, or a chapter where that is its type.
pub(super) fn add(
    store: &RumStore,
    title: &str,
    fields: &[(String, Value)],
    body: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let fields = fields.iter().map(|(name, value)| (&**name, value));
    let given = Given {
        title,
        body: Some(body.trim()).filter(|body| !body.is_empty()),
        fields: fields
            .filter(|(_, value)| !value.to_string().is_empty())
            .collect(),
    };
    let is_chapter = given.get("type").and_then(Value::as_str) == Some("chapter");
    let defaults = NewRowDefaults::of(store)?;
    let now = rum::number(overlay.now, defaults.time);
    let (table, schema, prefix) = match is_chapter {
        true => ("chapters", &CHAPTER, "chapter"),
        false => ("memories", &RUM, "mem"),
    };
    let columns = store.ask(|reader| reader.described(table))?;
    if columns.is_empty() {
        return Err(StoreError::Refused(format!(
            "there is no table `{table}` to add to"
        )));
    }
    let (mut cells, puts) = match is_chapter {
        true => chapter(&given, now)?,
        false => memory(store, &given, (&defaults, now), overlay)?,
    };
    let id = free_id(store, overlay, (prefix, table), &[title, body.trim()])?;
    cells.extend([
        ("id", Cell::from(id.as_str())),
        ("project_id", defaults.project.as_str().into()),
        ("created_at", now.into()),
        ("tags", "[]".into()),
    ]);
    let whole = Whole {
        table: table.to_owned(),
        key: [("id", Cell::from(id.as_str()))].into_iter().collect(),
        row: row_of(&columns, &cells),
        loose: false,
    };
    let mut edited = Edited::fresh(store, schema, (&id, whole), overlay.now);
    for (name, value) in &puts {
        edited.put(name, Some(value), true)?;
    }
    for column in columns.iter().filter(|column| column.needed) {
        let is_null = edited.row.get(&column.name).is_none_or(Cell::is_null);
        if is_null && LAYERS.contains(&&*column.name) {
            let empty = if column.name == "actions" { "[]" } else { "{}" };
            edited.row.set(&column.name, empty.into());
        }
    }
    complete(table, &columns, &edited.row)?;
    edited.stage_new(overlay);
    Ok(())
}

fn memory<'a>(
    store: &RumStore,
    given: &Given<'a>,
    (defaults, now): (&NewRowDefaults, i64),
    overlay: &mut Overlay,
) -> Result<Parts<'a>, StoreError> {
    let mut fixed = RUM.follows.iter();
    if let Some(name) = fixed.find(|name| given.get(name).is_some()) {
        return Err(follows(name));
    }
    if given.title.trim().is_empty() {
        return Err(refused("`goal` needs a value"));
    }
    let agent = given.get("agent_id").map(ToString::to_string);
    let agent = author(store, (defaults, now), agent, overlay)?;
    let cells = vec![
        ("agent_id", agent.into()),
        ("session_id", defaults.session.as_str().into()),
        ("importance", Cell::Real(0.5)),
        ("access_count", 0.into()),
    ];
    // An outcome has a summary (`rum-memory-schema`, layer 5): a memory of one line is its own.
    let summary = given.body.unwrap_or(given.title);
    let usual = [
        ("goal", given.title.into()),
        ("type", "other".into()),
        ("success", Value::Bool(true)),
        ("summary", summary.into()),
    ];
    let first = usual.map(|(name, usual)| (name, given.get(name).cloned().unwrap_or(usual)));
    let is_left = |(name, _): &&(&str, &Value)| {
        *name != "agent_id" && !first.iter().any(|(own, _)| own == name)
    };
    let left = given.fields.iter().filter(is_left);
    let left: Vec<_> = left
        .map(|(name, value)| (*name, (*value).clone()))
        .collect();
    Ok((cells, first.into_iter().chain(left).collect()))
}

fn chapter<'a>(given: &Given<'a>, now: i64) -> Result<Parts<'a>, StoreError> {
    if given.get("members").is_none() {
        return Err(refused("a chapter is made of memories: name some"));
    }
    let summary = given.body.map(Value::from);
    let summary = summary.or_else(|| given.get("summary").cloned());
    let summary = summary.ok_or_else(|| refused("`summary` needs a value"))?;
    let times = ["updated_at", "start_ts", "end_ts"].map(|name| (name, now.into()));
    let lists = ["learnings", "topics"].map(|name| (name, "[]".into()));
    let origin = ("origin", "manual".into());
    let own = given
        .fields
        .iter()
        .filter(|(name, _)| OF_CHAPTER.contains(name));
    let own = own.map(|(name, value)| (*name, (*value).clone()));
    let puts = [("title", given.title.into()), ("summary", summary)];
    Ok((
        times.into_iter().chain(lists).chain([origin]).collect(),
        puts.into_iter().chain(own).collect(),
    ))
}

/// A row of a table: all of its columns, with the values of those that have one.
fn row_of(columns: &[Column], cells: &[(&str, Cell)]) -> Row {
    let cell = |column: &Column| {
        let own = cells.iter().find(|(name, _)| *name == column.name);
        (
            column.name.clone(),
            own.map_or(Cell::Null, |(_, cell)| cell.clone()),
        )
    };
    columns.iter().map(cell).collect()
}

/// Refuses a row that lacks a value.
fn complete(table: &str, columns: &[Column], row: &Row) -> Result<(), StoreError> {
    let lacks = |column: &&Column| column.needed && row.get(&column.name).is_none_or(Cell::is_null);
    match columns.iter().find(lacks) {
        Some(column) => Err(StoreError::Refused(format!(
            "{table}.{} needs a value that memkeep does not know",
            column.name
        ))),
        None => Ok(()),
    }
}

/// An id that no row of the table has, nor is about to have.
fn free_id(
    store: &RumStore,
    overlay: &Overlay,
    (prefix, table): (&str, &str),
    parts: &[&str],
) -> Result<String, StoreError> {
    let sql = format!("SELECT 1 FROM {table} WHERE id = ?1");
    let mut number = 1_u32;
    loop {
        let count = number.to_string();
        let id = fresh_id(prefix, overlay.now, &[parts, &[&count]].concat());
        let key: Row = [("id", Cell::from(id.as_str()))].into_iter().collect();
        let staged = overlay.row(&store.info.path, table, &key).is_some();
        if !staged && store.ask(|reader| Ok(reader.value(&sql, &[&id]).is_none()))? {
            return Ok(id);
        }
        number = number.saturating_add(1);
    }
}

/// The agent of a new memory: the one that is named, entered where the database does not know
/// it, else the first main agent.
fn author(
    store: &RumStore,
    (defaults, now): (&NewRowDefaults, i64),
    named: Option<String>,
    overlay: &mut Overlay,
) -> Result<String, StoreError> {
    let name = match (named, &defaults.agent) {
        (Some(named), _) => named,
        (None, Some(agent)) => return Ok(agent.clone()),
        (None, None) => "human".to_owned(),
    };
    let (columns, known) = store.ask(|reader| {
        let known = reader.value("SELECT 1 FROM agents WHERE id = ?1", &[&name]);
        Ok((reader.described("agents")?, known.is_some()))
    })?;
    if known || columns.is_empty() {
        return Ok(name);
    }
    let key: Row = [("id", Cell::from(name.as_str()))].into_iter().collect();
    if overlay.row(&store.info.path, "agents", &key).is_none() {
        let cells = vec![
            ("id", name.as_str().into()),
            ("type", "main".into()),
            ("project_id", defaults.project.as_str().into()),
            ("created_at", now.into()),
            ("last_active_at", now.into()),
        ];
        let mut row = row_of(&columns, &cells);
        complete("agents", &columns, &row)?;
        row.0.retain(|(_, cell)| !cell.is_null());
        overlay.change_row(
            &store.info.path,
            addition(Whole {
                table: "agents".to_owned(),
                key,
                row,
                loose: false,
            }),
        );
        overlay.note(Some(format!("a new agent `{name}`")));
    }
    Ok(name)
}
