//! New rows begin with their defaults, and get every given field as an edit puts it.

use super::RumStore;
use super::edit::Edit;
use super::records::{Record, fresh_id};
use crate::memory::row::Cell;
use crate::memory::{Schema, Timestamp, Value};
use crate::store::{Overlay, Result, refuse, refused};
use crate::systems::codec::NewMemory;
use crate::systems::rum::{self, CHAPTER, LAYERS, RUM, WISDOM};

/// Values that a new row takes from the rows there are.
struct Defaults {
    /// The moment of the change, in the unit of the newest memory.
    now: i64,
    project: String,
    agent: Option<String>,
    session: String,
}

impl Defaults {
    fn read(store: &RumStore, now: Timestamp) -> Result<Self> {
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
            let project = project.or_else(|| projects.first().cloned());
            Ok(Self {
                now: rum::number(now, newest("created_at").and_then(|cell| cell.as_int())),
                project: project.unwrap_or_else(|| "default".to_owned()),
                agent: text(reader.value(agent, &[])),
                session: text(newest("session_id")).unwrap_or_else(|| "memkeep".to_owned()),
            })
        })
    }

    /// The agent of a new memory: the named one, entered if unknown, else the first main agent.
    fn author(&self, store: &RumStore, given: &Given<'_>, overlay: &mut Overlay) -> Result<String> {
        let name = get(given, "agent_id").map(ToString::to_string);
        let name = name.or_else(|| self.agent.clone());
        let name = name.unwrap_or_else(|| "human".to_owned());
        let has_agents = store.ask(|reader| Ok(!reader.columns("agents")?.is_empty()))?;
        if !has_agents || is_taken(store, "agents", &name, overlay)? {
            return Ok(name);
        }
        let cells = [
            ("id", Cell::from(name.as_str())),
            ("type", "main".into()),
            ("project_id", self.project.as_str().into()),
            ("created_at", self.now.into()),
            ("last_active_at", self.now.into()),
        ];
        let agent = store.ask(|reader| reader.fresh("agents", &cells))?;
        store.stage_changes(vec![Record::without_nulls(agent).addition()], overlay);
        overlay.note(Some(format!("a new agent `{name}`")));
        Ok(name)
    }
}

/// Lists of a chapter and of wisdom, empty where nothing is given.
const LISTS: &str = "learnings topics insights patterns best_practices";

/// Values for the fields of a new row, without empty ones.
type Given<'a> = Vec<(&'a str, Value)>;

fn get<'g>(given: &'g Given<'_>, name: &str) -> Option<&'g Value> {
    let own = given.iter().find(|(own, _)| *own == name);
    own.map(|(_, value)| value)
}

/// Adds a memory, or a chapter or wisdom where that is its type.
pub(super) fn add(store: &RumStore, new: NewMemory<'_>, overlay: &mut Overlay) -> Result {
    let fields = new.fields.iter();
    let fields = fields.filter(|(_, value)| !value.to_string().is_empty());
    let given = fields.map(|(name, value)| (&**name, value.clone()));
    let given: Given<'_> = given.collect();
    let (title, body) = (new.title, new.body.trim());
    let (table, schema, prefix) = match get(&given, "type").and_then(Value::as_str) {
        Some("chapter") => ("chapters", &CHAPTER, "chapter"),
        Some("wisdom") => ("wisdom", &WISDOM, "wisdom"),
        _ => ("memories", &RUM, "mem"),
    };
    let columns = store.ask(|reader| reader.columns(table))?;
    if columns.is_empty() {
        return refuse(format!("there is no table `{table}` to add to"));
    }
    let defaults = Defaults::read(store, overlay.now)?;
    let mut cells: Vec<(&str, Cell)> = vec![
        ("session_id", defaults.session.as_str().into()),
        ("project_id", defaults.project.as_str().into()),
        ("created_at", defaults.now.into()),
        ("tags", "[]".into()),
    ];
    let puts = match table {
        "chapters" | "wisdom" => {
            let times = ["updated_at", "start_ts", "end_ts"];
            cells.extend(times.map(|name| (name, defaults.now.into())));
            cells.extend(LISTS.split(' ').map(|name| (name, "[]".into())));
            let origin = get(&given, "origin").and_then(Value::as_str);
            cells.push(("origin", origin.unwrap_or("manual").into()));
            summed_up(schema, title, body, given)?
        }
        _ => {
            let agent = defaults.author(store, &given, overlay)?;
            cells.push(("agent_id", agent.into()));
            cells.push(("importance", Cell::Real(0.5)));
            cells.push(("access_count", 0.into()));
            memory(title, body, given)?
        }
    };
    let id = free_id(store, overlay, (prefix, table), &[title, body])?;
    cells.push(("id", id.as_str().into()));
    let record = store.ask(|reader| reader.fresh(table, &cells))?;
    let mut edit = Edit::new(store, schema, (&id, record), overlay.now);
    for (name, value) in &puts {
        edit.put(name, Some(value), true)?;
    }
    for layer in LAYERS {
        let mut columns = columns.iter().filter(|column| column.is_needed);
        let is_needed = columns.any(|column| column.name == layer);
        if is_needed && edit.row.get(layer).is_none_or(Cell::is_null) {
            let empty = if layer == "actions" { "[]" } else { "{}" };
            edit.row.set(layer, empty.into());
        }
    }
    edit.stage_new(overlay)
}

/// The fields of a new memory: the usual values of those that are not given, and the given ones.
fn memory<'a>(title: &'a str, body: &'a str, given: Given<'a>) -> Result<Given<'a>> {
    if title.trim().is_empty() {
        return refuse("`goal` needs a value");
    }
    // An outcome has a summary (`rum-memory-schema`, layer 5): a memory of one line is its own.
    let mut puts = vec![
        ("goal", title.into()),
        ("type", "other".into()),
        ("success", Value::Bool(true)),
        ("summary", if body.is_empty() { title } else { body }.into()),
    ];
    for (name, value) in given {
        match puts.iter_mut().find(|(own, _)| *own == name) {
            Some((_, usual)) => *usual = value,
            None if name == "agent_id" => {}
            None => puts.push((name, value)),
        }
    }
    Ok(puts)
}

/// The fields of a new chapter, or of wisdom, whose title is its summary.
fn summed_up<'a>(
    schema: &'static Schema,
    title: &str,
    body: &str,
    mut given: Given<'a>,
) -> Result<Given<'a>> {
    if get(&given, "members").is_none() {
        return refuse("a chapter is made of memories, wisdom of chapters: name some");
    }
    let has_title = schema.field("title").is_some();
    let summary = match body.is_empty() {
        false => Some(Value::from(body)),
        true if !has_title => Some(Value::from(title)),
        true => get(&given, "summary").cloned(),
    };
    let summary = summary.ok_or_else(|| refused("`summary` needs a value"))?;
    given.retain(|(name, _)| {
        !["title", "summary", "type"].contains(name)
            && schema.field(name).is_some()
            && !schema.is_fixed(name)
    });
    given.extend(has_title.then(|| ("title", title.into())));
    given.push(("summary", summary));
    Ok(given)
}

fn is_taken(store: &RumStore, table: &str, id: &str, overlay: &Overlay) -> Result<bool> {
    match store.is_staged(table, id, overlay) {
        Some(_) => Ok(true),
        None => store.ask(|reader| Ok(reader.has(table, "id", id))),
    }
}

fn free_id(
    store: &RumStore,
    overlay: &Overlay,
    (prefix, table): (&str, &str),
    parts: &[&str],
) -> Result<String> {
    let mut number = 1_u32;
    loop {
        let text = number.to_string();
        let id = fresh_id(prefix, overlay.now, &[parts, &[&text]].concat());
        if !is_taken(store, table, &id, overlay)? {
            return Ok(id);
        }
        number = number.saturating_add(1);
    }
}
