//! Reads the agents and sessions that a memory names: one row each, read
//! when it is shown, and as much of it as there is.

use super::RumStore;
use crate::memory::row::{Cell, Row};
use crate::memory::{Memory, Sight, Value};
use crate::store::StoreError;
use crate::systems::rum::time;

/// The fields that name a row of another table, that table, and its name for people.
const NAMED: [(&str, &str, &str); 2] = [
    ("agent_id", "agents", "agent"),
    ("session_id", "sessions", "session"),
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
    for (field, table, name) in NAMED {
        let Some(id) = memory.field(field).and_then(Value::as_str) else {
            continue;
        };
        let rows = store.ask(|reader| reader.records(table, "id", id))?;
        let facts = rows.first().map(|record| facts(&record.row));
        all.extend(
            facts
                .filter(|facts| !facts.is_empty())
                .map(|facts| (name, facts)),
        );
    }
    Ok(all)
}

/// The columns of an agent or a session that say something.
fn facts(row: &Row) -> String {
    let text = |name: &str, before: &str| {
        let text = row.get(name).filter(|cell| !cell.is_null())?.shown();
        let words: Vec<&str> = text.split_whitespace().collect();
        (!words.is_empty()).then(|| format!("{before}{}", words.join(" ")))
    };
    let at = |name: &str, before: &str| {
        let number = row.get(name).and_then(Cell::as_int)?;
        Some(format!("{before}{}", time(number).to_rfc3339()))
    };
    let is_open = row.get("ended_at").is_some_and(Cell::is_null);
    let kind = [text("type", ""), text("parent_id", "of ")];
    let kind = kind.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts = [
        Some(kind).filter(|kind| !kind.is_empty()),
        text("specialization", "specialised in "),
        text("initial_intent", ""),
        at("started_at", "from "),
        at("ended_at", "to ").or_else(|| is_open.then(|| "not ended".to_owned())),
        text("final_outcome", "came to: "),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
