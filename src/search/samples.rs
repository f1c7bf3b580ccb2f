//! Memories for tests.

use std::sync::Arc;

use crate::memory::schema::RAWKO;
use crate::memory::{Memory, MemoryId, Stamp, State, Timestamp, Value};

/// 2026-11-01.
pub(super) const NOW: Timestamp = Timestamp(1_793_491_200_000);
pub(super) const DAY: i64 = 86_400_000;

/// A rawko memory that is `days` old.
pub(super) fn memory(
    local: &str,
    title: &str,
    tags: &[&str],
    importance: &str,
    days: i64,
) -> Memory {
    Memory {
        id: MemoryId::new(&"rawko".into(), local),
        path: Arc::from(std::path::Path::new("/repo/.rawko/memories/a.md")),
        document: 0,
        line: 1,
        span: 0..0,
        body: 0..0,
        title: title.into(),
        fields: [
            ("title", Value::from(title)),
            (
                "whenToUse",
                ["oauth|login"].map(Value::from).into_iter().collect(),
            ),
            ("tags", tags.iter().map(|tag| Value::from(*tag)).collect()),
            ("importance", Value::from(importance)),
            ("discoveredBy", Value::from("developer")),
            ("source", Value::from("")),
        ]
        .into_iter()
        .collect(),
        created: Some(Timestamp(NOW.0 - days * DAY)),
        updated: None,
        words: 3,
        tokens: 4,
        state: State::Active,
        hidden: None,
        problems: Box::default(),
        stamp: Stamp::default(),
        schema: &RAWKO,
    }
}
