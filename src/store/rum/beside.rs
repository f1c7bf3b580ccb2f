//! Reads the agents and sessions that a memory names: one row each, read
//! when it is shown, and as much of it as there is.

use super::RumStore;
use super::db::Reader;
use crate::memory::row::Cell;
use crate::memory::{Memory, Sight, Value};
use crate::store::StoreError;
use crate::store::rows::read;
use crate::systems::rum::read::Cells;
use crate::systems::rum::time;

/// A table whose rows a field of a memory names.
struct Named {
    field: &'static str,
    table: &'static str,
    /// Name of its row.
    what: &'static str,
    columns: &'static [&'static str],
    words: fn(Cells<'_>) -> Vec<String>,
}

const NAMED: [Named; 2] = [
    Named {
        field: "agent_id",
        table: "agents",
        what: "agent",
        columns: &["type", "parent_id", "specialization"],
        words: agent,
    },
    Named {
        field: "session_id",
        table: "sessions",
        what: "session",
        columns: &["initial_intent", "started_at", "ended_at", "final_outcome"],
        words: session,
    },
];

/// Facts about the agent and the session of a memory; see [`crate::store::Store::beside`].
pub(super) fn beside(
    store: &RumStore,
    memory: &Memory,
) -> Result<Vec<(&'static str, String)>, StoreError> {
    let mut all = Vec::new();
    if memory.sight == Sight::NoFields || !store.info.path.exists() {
        return Ok(all);
    }
    for named in &NAMED {
        let Some(id) = memory.field(named.field).and_then(Value::as_str) else {
            continue;
        };
        let words = store.ask(|reader| words_of(reader, named, id))?;
        if !words.is_empty() {
            all.push((named.what, words.join(" · ")));
        }
    }
    Ok(all)
}

fn words_of(reader: &Reader<'_>, named: &Named, id: &str) -> rusqlite::Result<Vec<String>> {
    let there = reader.columns(named.table)?;
    let is_there = |name: &&str| there.iter().any(|own| own == *name);
    let names: Vec<String> = named
        .columns
        .iter()
        .filter(|name| is_there(name))
        .map(|name| (*name).to_owned())
        .collect();
    if names.is_empty() || !is_there(&"id") {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT {} FROM {} WHERE id = ?1 LIMIT 1",
        names.join(", "),
        named.table
    );
    let mut statement = reader.0.prepare_cached(&sql)?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else {
        return Ok(Vec::new());
    };
    let cells = read(row, 0, names.len())?;
    let (names, cells) = (&names, &cells);
    Ok((named.words)(Cells { names, cells }))
}

/// The text of a column that says something.
fn text(cells: Cells<'_>, name: &str) -> Option<String> {
    let text = cells.text(name)?;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text).filter(|text| !text.is_empty())
}

fn agent(cells: Cells<'_>) -> Vec<String> {
    let kind = text(cells, "type");
    let of = text(cells, "parent_id").map(|parent| format!("of {parent}"));
    let kind = match (kind, of) {
        (Some(kind), Some(of)) => Some(format!("{kind} {of}")),
        (kind, of) => kind.or(of),
    };
    let special = text(cells, "specialization").map(|what| format!("specialised in {what}"));
    kind.into_iter().chain(special).collect()
}

fn session(cells: Cells<'_>) -> Vec<String> {
    let at = |name: &str| {
        let number = cells.get(name).and_then(Cell::as_int)?;
        Some(time(number).to_rfc3339())
    };
    let began = at("started_at").map(|at| format!("from {at}"));
    let ended = at("ended_at").map(|at| format!("to {at}"));
    let over = cells.get("ended_at").is_some_and(Cell::is_null);
    let ended = ended.or_else(|| over.then(|| "not ended".to_owned()));
    let outcome = text(cells, "final_outcome").map(|what| format!("came to: {what}"));
    text(cells, "initial_intent")
        .into_iter()
        .chain(began)
        .chain(ended)
        .chain(outcome)
        .collect()
}
