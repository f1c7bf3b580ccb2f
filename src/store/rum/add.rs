//! New rows: a memory, or a chapter of memories that are there. A row begins with its defaults,
//! and every field that is given is put as an edit puts it.

use super::RumStore;
use super::row_edit::{Edited, follows};
use super::whole::{Column, Whole, addition, fresh_id, refused};
use crate::memory::row::{Cell, Row};
use crate::memory::{Timestamp, Value};
use crate::store::{Overlay, StoreError};
use crate::systems::rum::{self, CHAPTER, LAYERS, RUM};

/// The fields of a chapter beside its title and its summary.
const OF_CHAPTER: [&str; 4] = ["learnings", "tags", "topics", "members"];

/// Values that a new row takes from the rows there are.
struct NewRowDefaults {
    /// The moment of the change, in the unit of the newest memory.
    now: i64,
    project: String,
    agent: Option<String>,
    session: String,
}

impl NewRowDefaults {
    fn of(store: &RumStore, now: Timestamp) -> Result<Self, StoreError> {
        // RUM sees the rows of the project that the database is named after.
        let projects = store.projects();
        let is_seen = |project: &String| projects.is_empty() || projects.contains(project);
        store.ask(|reader| {
            let newest = |column: &str| {
                let sql = format!("SELECT {column} FROM memories ORDER BY created_at DESC LIMIT 1");
                reader.value(&sql, &[]).filter(|cell| !cell.is_null())
            };
            let text = |cell: Option<Cell>| Some(cell?.shown()).filter(|text| !text.is_empty());
            let agent = "SELECT id FROM agents WHERE type = 'main' ORDER BY created_at LIMIT 1";
            let project = text(newest("project_id")).filter(is_seen);
            Ok(Self {
                now: rum::number(now, newest("created_at").and_then(|cell| cell.as_int())),
                project: project
                    .or_else(|| projects.first().cloned())
                    .unwrap_or_else(|| "default".to_owned()),
                agent: text(reader.value(agent, &[])),
                session: text(newest("session_id")).unwrap_or_else(|| "memkeep".to_owned()),
            })
        })
    }
}

/// Values that a person gave for a new row, without empty ones.
type Given<'a> = [(&'a str, &'a Value)];

/// The cells that a new row begins with, and the fields that are put into it.
type Parts<'a> = (Vec<(&'a str, Cell)>, Vec<(&'a str, Value)>);

fn get<'a>(given: &Given<'a>, name: &str) -> Option<&'a Value> {
    let own = given.iter().find(|(own, _)| *own == name);
    own.map(|(_, value)| *value)
}

/// Adds a memory, or a chapter where that is its type.
pub(super) fn add(
    store: &RumStore,
    title: &str,
    fields: &[(String, Value)],
    body: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let fields = fields.iter().map(|(name, value)| (&**name, value));
    let given: Vec<_> = fields
        .filter(|(_, value)| !value.to_string().is_empty())
        .collect();
    let body = body.trim();
    let is_chapter = get(&given, "type").and_then(Value::as_str) == Some("chapter");
    let defaults = NewRowDefaults::of(store, overlay.now)?;
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
        true => chapter(title, body, &given, defaults.now)?,
        false => memory(
            title,
            body,
            &given,
            author(store, &defaults, &given, overlay)?,
        )?,
    };
    let id = free_id(store, overlay, (prefix, table), &[title, body])?;
    cells.extend([
        ("id", Cell::from(id.as_str())),
        ("session_id", defaults.session.as_str().into()),
        ("project_id", defaults.project.as_str().into()),
        ("created_at", defaults.now.into()),
        ("tags", "[]".into()),
    ]);
    let whole = Whole {
        table: table.to_owned(),
        key: key(&id),
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
    title: &'a str,
    body: &'a str,
    given: &Given<'a>,
    agent: String,
) -> Result<Parts<'a>, StoreError> {
    let mut fixed = RUM.follows.iter();
    if let Some(name) = fixed.find(|name| get(given, name).is_some()) {
        return Err(follows(name));
    }
    if title.trim().is_empty() {
        return Err(refused("`goal` needs a value"));
    }
    let cells = vec![
        ("agent_id", agent.into()),
        ("importance", Cell::Real(0.5)),
        ("access_count", 0.into()),
    ];
    // An outcome has a summary (`rum-memory-schema`, layer 5): a memory of one line is its own.
    let usual = [
        ("goal", title.into()),
        ("type", "other".into()),
        ("success", Value::Bool(true)),
        ("summary", if body.is_empty() { title } else { body }.into()),
    ];
    let first = usual.map(|(name, usual)| (name, get(given, name).cloned().unwrap_or(usual)));
    let is_left = |(name, _): &&(&str, &Value)| {
        *name != "agent_id" && !first.iter().any(|(own, _)| own == name)
    };
    let left = given.iter().filter(is_left);
    let left: Vec<_> = left
        .map(|(name, value)| (*name, (*value).clone()))
        .collect();
    Ok((cells, first.into_iter().chain(left).collect()))
}

fn chapter<'a>(
    title: &str,
    body: &str,
    given: &Given<'a>,
    now: i64,
) -> Result<Parts<'a>, StoreError> {
    if get(given, "members").is_none() {
        return Err(refused("a chapter is made of memories: name some"));
    }
    let summary = match body.is_empty() {
        false => Value::from(body),
        true => get(given, "summary")
            .cloned()
            .ok_or_else(|| refused("`summary` needs a value"))?,
    };
    let times = ["updated_at", "start_ts", "end_ts"].map(|name| (name, now.into()));
    let lists = ["learnings", "topics"].map(|name| (name, "[]".into()));
    let cells = times.into_iter().chain(lists);
    let own = given
        .iter()
        .filter(|(name, _)| OF_CHAPTER.contains(name))
        .map(|(name, value)| (*name, (*value).clone()));
    let puts = [("title", title.into()), ("summary", summary)];
    Ok((
        cells.chain([("origin", "manual".into())]).collect(),
        puts.into_iter().chain(own).collect(),
    ))
}

/// The key of a row with an id.
fn key(id: &str) -> Row {
    [("id", Cell::from(id))].into_iter().collect()
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
        let staged = overlay.row(&store.info.path, table, &key(&id)).is_some();
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
    defaults: &NewRowDefaults,
    given: &Given<'_>,
    overlay: &mut Overlay,
) -> Result<String, StoreError> {
    let name = match (get(given, "agent_id"), &defaults.agent) {
        (Some(named), _) => named.to_string(),
        (None, Some(agent)) => return Ok(agent.clone()),
        (None, None) => "human".to_owned(),
    };
    let (columns, known) = store.ask(|reader| {
        let known = reader.value("SELECT 1 FROM agents WHERE id = ?1", &[&name]);
        Ok((reader.described("agents")?, known.is_some()))
    })?;
    let key = key(&name);
    let staged = overlay.row(&store.info.path, "agents", &key).is_some();
    if known || columns.is_empty() || staged {
        return Ok(name);
    }
    let cells = [
        ("id", Cell::from(name.as_str())),
        ("type", "main".into()),
        ("project_id", defaults.project.as_str().into()),
        ("created_at", defaults.now.into()),
        ("last_active_at", defaults.now.into()),
    ];
    let mut row = row_of(&columns, &cells);
    complete("agents", &columns, &row)?;
    row.0.retain(|(_, cell)| !cell.is_null());
    let whole = Whole {
        table: "agents".to_owned(),
        key,
        row,
        loose: false,
    };
    overlay.change_row(&store.info.path, addition(whole));
    overlay.note(Some(format!("a new agent `{name}`")));
    Ok(name)
}
