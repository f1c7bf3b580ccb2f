//! New rows: a memory that a person writes, a chapter of memories there are.

use serde_json::{Map, Value as Json};

use super::RumStore;
use super::edit::{file_row, files as files_of, follows, layer_value, link_row, member_row};
use super::stage::{addition, fresh_id, list, refused};
use super::whole::{Column, Whole};
use crate::memory::row::{Cell, Row};
use crate::memory::rum::entries::{PARTS, Part};
use crate::memory::rum::{self, LINKS};
use crate::memory::{Timestamp, Value};
use crate::store::{Overlay, StoreError};

/// What is needed of the database to add to it.
struct Ground {
    /// The time of the newest memory, for its unit.
    time: Option<i64>,
    project: String,
    agent: Option<String>,
    session: String,
}

impl Ground {
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

/// What a person gave for a new row, by field.
#[derive(Clone, Copy)]
struct Given<'a>(&'a [(String, Value)]);

impl<'a> Given<'a> {
    fn get(self, name: &str) -> Option<&'a Value> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found
            .map(|(_, value)| value)
            .filter(|value| **value != Value::Null)
    }

    /// A value as text; none where it is empty.
    fn text(self, name: &str) -> Option<String> {
        let text = self.get(name)?.to_string();
        Some(text).filter(|text| !text.is_empty())
    }

    /// The items of a value as text.
    fn items(self, name: &str) -> Vec<String> {
        let items = self.get(name).into_iter().flat_map(Value::items);
        items.map(ToString::to_string).collect()
    }

    /// The text of a layer with the lists in it that are given.
    fn lists(self, layer: &str, own: Option<String>) -> Result<Option<String>, StoreError> {
        let inner = |part: &&Part| part.layer == layer && rum::RUM.is_inner(part.field);
        PARTS.iter().filter(inner).try_fold(own, |text, part| {
            let Some(value) = self.get(part.field) else {
                return Ok(text);
            };
            let made = part.put(text.as_deref(), Some(value));
            made.map(Some).map_err(StoreError::Refused)
        })
    }

    /// The properties of a layer that have a value.
    fn layer(self, names: &[&str]) -> Result<Map<String, Json>, StoreError> {
        let given = |name: &&str| Some(((*name).to_owned(), self.get(name)?));
        let given = names.iter().filter_map(given);
        given
            .map(|(name, value)| Ok((name.clone(), layer_value(&name, value)?)))
            .collect()
    }
}

/// What a new memory says, layer by layer (`rum-memory-schema`, layers 1, 3 and 5): those that a
/// person fills.
struct Layers {
    kind: String,
    success: Json,
    summary: Option<String>,
    intent: Map<String, Json>,
    reasoning: Map<String, Json>,
    outcome: Map<String, Json>,
}

impl Layers {
    fn of(given: Given<'_>, title: &str, body: &str) -> Result<Self, StoreError> {
        let kind = given.text("type").unwrap_or_else(|| "other".to_owned());
        let success = given.get("success");
        let success =
            success.map_or(Ok(Json::Bool(true)), |value| layer_value("success", value))?;
        // An outcome has a summary (`rum-memory-schema`, layer 5): a memory of one line is its own.
        let own = Some(body).filter(|body| !body.is_empty()).unwrap_or(title);
        let summary = given.text("summary").or_else(|| Some(own.to_owned()));
        let mut intent = Map::new();
        intent.insert("goal".to_owned(), title.into());
        intent.insert("task_type".to_owned(), kind.as_str().into());
        intent.extend(given.layer(&["context", "constraints"])?);
        let mut outcome = Map::new();
        outcome.insert("success".to_owned(), success.clone());
        let said = summary.clone();
        outcome.extend(said.map(|summary| ("summary".to_owned(), summary.into())));
        outcome.extend(given.layer(&[
            "learnings",
            "failure_reason",
            "failure_category",
            "follow_up_needed",
        ])?);
        Ok(Self {
            kind,
            success,
            summary,
            intent,
            reasoning: given.layer(&["approach_chosen", "why_chosen"])?,
            outcome,
        })
    }
}

/// Adds a memory, or a chapter where that is its type.
pub(super) fn add(
    store: &RumStore,
    title: &str,
    fields: &[(String, Value)],
    body: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let given = Given(fields);
    let ground = Ground::of(store)?;
    if given.get("type").and_then(Value::as_str) == Some("chapter") {
        return add_chapter(store, &ground, title, given, body, overlay);
    }
    if title.trim().is_empty() {
        return Err(refused("`goal` needs a value"));
    }
    let mut own = rum::RUM.follows.iter().chain(&["access_count"]);
    if let Some(name) = own.find(|name| given.text(name).is_some()) {
        return Err(follows(name));
    }
    let columns = store.ask(|reader| reader.described("memories"))?;
    if columns.is_empty() {
        return Err(refused("there is no table `memories` to add to"));
    }
    let body = body.trim();
    let layers = Layers::of(given, title, body)?;
    let created = given.get("created_at").and_then(Value::as_str);
    let day = |text| {
        Timestamp::parse_existing(text)
            .ok_or_else(|| refused("`created_at` needs a day that exists"))
    };
    let created = created.map(day).transpose()?;
    let created = rum::number(created.unwrap_or(overlay.now), ground.time);
    let id = free_id(store, overlay, ("mem", "memories"), &[title, body])?;
    let agent = author(store, &ground, given.text("agent_id"), created, overlay)?;
    let importance = given
        .text("importance")
        .map_or(Ok(0.5), |text| text.parse());
    let importance = importance.ok().filter(|share| (0.0..=1.0).contains(share));
    let Some(importance) = importance else {
        return Err(refused("`importance` is a number from 0 to 1"));
    };
    let layer = |name: &str, layer: Map<String, Json>, empty: &str| {
        let own = (!layer.is_empty()).then(|| Json::Object(layer).to_string());
        Ok::<Cell, StoreError>(match given.lists(name, own)? {
            Some(text) => Cell::from(text),
            None if needed(&columns, name) => Cell::from(empty),
            None => Cell::Null,
        })
    };
    let known = |name: &str, usual: String| given.text(name).unwrap_or(usual);
    let cells = vec![
        ("id", id.as_str().into()),
        ("agent_id", agent.into()),
        ("project_id", known("project_id", ground.project).into()),
        ("session_id", known("session_id", ground.session).into()),
        ("created_at", created.into()),
        ("intent_goal", title.into()),
        ("intent_type", layers.kind.into()),
        (
            "outcome_success",
            i64::from(layers.success == Json::Bool(true)).into(),
        ),
        (
            "outcome_summary",
            layers.summary.map_or(Cell::Null, Cell::from),
        ),
        ("intent", layer("intent", layers.intent, "{}")?),
        ("perception", layer("perception", Map::new(), "{}")?),
        ("reasoning", layer("reasoning", layers.reasoning, "{}")?),
        ("actions", layer("actions", Map::new(), "[]")?),
        ("outcome", layer("outcome", layers.outcome, "{}")?),
        ("tags", list(&given.items("tags"))),
        ("importance", Cell::Real(importance)),
        ("access_count", 0.into()),
    ];
    put(store, "memories", &columns, cells, &id, overlay)?;
    put_files(store, &id, overlay)?;
    for kind in LINKS {
        for end in given.items(kind) {
            let row = link_row(store, (&id, kind, &end), created, overlay.now)?;
            overlay.change_row(&store.info.path, addition(row));
        }
    }
    Ok(())
}

/// Enters the files that the layers of a new memory name.
fn put_files(store: &RumStore, id: &str, overlay: &mut Overlay) -> Result<(), StoreError> {
    let key: Row = [("id", Cell::from(id))].into_iter().collect();
    let files = match overlay.row(&store.info.path, "memories", &key) {
        Some(Some(row)) => files_of(store, row, &[])?,
        _ => Vec::new(),
    };
    let columns = store.ask(|reader| reader.columns("memory_files"))?;
    for file in files.iter().filter(|_| !columns.is_empty()) {
        overlay.change_row(&store.info.path, addition(file_row(id, file)));
    }
    Ok(())
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

fn needed(columns: &[Column], name: &str) -> bool {
    columns
        .iter()
        .any(|column| column.name == name && column.needed)
}

/// Adds a row with those of the cells that the table has a column for.
fn put(
    store: &RumStore,
    table: &str,
    columns: &[Column],
    cells: Vec<(&str, Cell)>,
    id: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let has = |name: &str| columns.iter().any(|column| column.name == name);
    let row: Row = cells.into_iter().filter(|(name, _)| has(name)).collect();
    let missing = columns
        .iter()
        .find(|column| column.needed && row.get(&column.name).is_none());
    if let Some(column) = missing {
        return Err(StoreError::Refused(format!(
            "{table}.{} needs a value that memkeep does not know",
            column.name
        )));
    }
    let key = [("id", Cell::from(id))].into_iter().collect();
    let whole = Whole {
        table: table.to_owned(),
        key,
        row,
        loose: false,
    };
    overlay.change_row(&store.info.path, addition(whole));
    Ok(())
}

/// The agent of a new memory: the one that is named, entered where the database does not know
/// it, else the first main agent.
fn author(
    store: &RumStore,
    ground: &Ground,
    named: Option<String>,
    created: i64,
    overlay: &mut Overlay,
) -> Result<String, StoreError> {
    let name = match (named, &ground.agent) {
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
            ("project_id", ground.project.as_str().into()),
            ("created_at", created.into()),
            ("last_active_at", created.into()),
        ];
        put(store, "agents", &columns, cells, &name, overlay)?;
        overlay.note(Some(format!("a new agent `{name}`")));
    }
    Ok(name)
}

/// Adds a chapter of memories.
fn add_chapter(
    store: &RumStore,
    ground: &Ground,
    title: &str,
    given: Given<'_>,
    body: &str,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let members = given.items("members");
    if members.is_empty() {
        return Err(refused("a chapter is made of memories: name some"));
    }
    let columns = store.ask(|reader| reader.described("chapters"))?;
    if columns.is_empty() {
        return Err(refused("the database has no table `chapters`"));
    }
    let mut times = Vec::new();
    for member in &members {
        let found = store.ask(|reader| reader.wholes("memories", "id", member))?;
        let Some(found) = found.into_iter().next() else {
            return Err(StoreError::Refused(format!(
                "there is no memory `{member}` to take in"
            )));
        };
        times.extend(found.row.get("created_at").and_then(Cell::as_int));
    }
    let said = Some(body.trim()).filter(|body| !body.is_empty());
    let said = said
        .map(ToOwned::to_owned)
        .or_else(|| given.text("summary"));
    let summary = said.ok_or_else(|| refused("`summary` needs a value"))?;
    let now = rum::number(overlay.now, ground.time);
    let id = free_id(
        store,
        overlay,
        ("chapter", "chapters"),
        &[title, &members.join(",")],
    )?;
    let cells = vec![
        ("id", id.as_str().into()),
        ("project_id", ground.project.as_str().into()),
        ("created_at", now.into()),
        ("updated_at", now.into()),
        ("title", title.into()),
        ("summary", summary.into()),
        ("learnings", list(&given.items("learnings"))),
        (
            "start_ts",
            times.iter().min().copied().unwrap_or(now).into(),
        ),
        ("end_ts", times.iter().max().copied().unwrap_or(now).into()),
        ("tags", list(&given.items("tags"))),
        ("topics", list(&given.items("topics"))),
        ("origin", "manual".into()),
    ];
    put(store, "chapters", &columns, cells, &id, overlay)?;
    let has_position = store.ask(|reader| reader.columns("chapter_memories"))?;
    let has_position = has_position.iter().any(|name| name == "position");
    for (position, member) in (0_i64..).zip(&members) {
        let row = member_row("chapters", &id, member, has_position.then_some(position));
        overlay.change_row(&store.info.path, addition(row));
    }
    Ok(())
}
