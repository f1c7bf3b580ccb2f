//! Reads the agents and sessions that a memory names: one row each, read
//! when it is shown, and as much of it as there is.

use super::RumStore;
use crate::memory::row::{Cell, Row};
use crate::memory::{Memory, Sight, Value};
use crate::store::StoreError;
use crate::systems::rum::time;

/// Facts about the agent and the session of a memory; see [`crate::store::Store::beside`].
pub(super) fn beside(
    store: &RumStore,
    memory: &Memory,
) -> Result<Vec<(&'static str, String)>, StoreError> {
    let mut all = Vec::new();
    if memory.sight == Sight::NoFields || !store.info.path.exists() {
        return Ok(all);
    }
    for (field, table, what) in [
        ("agent_id", "agents", "agent"),
        ("session_id", "sessions", "session"),
    ] {
        let Some(id) = memory.field(field).and_then(Value::as_str) else {
            continue;
        };
        let rows = store.ask(|reader| reader.wholes(table, "id", id))?;
        let words = rows.first().map_or(Vec::new(), |whole| match what {
            "agent" => agent(&whole.row),
            _ => session(&whole.row),
        });
        if !words.is_empty() {
            all.push((what, words.join(" · ")));
        }
    }
    Ok(all)
}

/// The text of a column that says something.
fn text(row: &Row, name: &str) -> Option<String> {
    let text = row.get(name).filter(|cell| !cell.is_null())?.shown();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(text).filter(|text| !text.is_empty())
}

fn agent(row: &Row) -> Vec<String> {
    let of = text(row, "parent_id").map(|parent| format!("of {parent}"));
    let kind: Vec<String> = text(row, "type").into_iter().chain(of).collect();
    let kind = Some(kind.join(" ")).filter(|kind| !kind.is_empty());
    let special = text(row, "specialization").map(|what| format!("specialised in {what}"));
    kind.into_iter().chain(special).collect()
}

fn session(row: &Row) -> Vec<String> {
    let at = |name: &str| {
        let number = row.get(name).and_then(Cell::as_int)?;
        Some(time(number).to_rfc3339())
    };
    let over = row.get("ended_at").is_some_and(Cell::is_null);
    let ended = at("ended_at").map(|at| format!("to {at}"));
    let parts = [
        text(row, "initial_intent"),
        at("started_at").map(|at| format!("from {at}")),
        ended.or_else(|| over.then(|| "not ended".to_owned())),
        text(row, "final_outcome").map(|what| format!("came to: {what}")),
    ];
    parts.into_iter().flatten().collect()
}
