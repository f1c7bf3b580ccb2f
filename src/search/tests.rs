//! Memories for tests.

use crate::memory::format;
use crate::memory::{Memory, MemoryId, Timestamp, Value};

/// 2026-11-01.
pub(super) const NOW: Timestamp = Timestamp(1_793_491_200_000);
pub(super) const DAY: i64 = 86_400_000;

/// A rawko memory that is `days` old.
pub(crate) fn memory(
    local: &str,
    title: &str,
    tags: &[&str],
    importance: &str,
    days: i64,
) -> Memory {
    let fields = [
        ("title", Value::from(title)),
        (
            "whenToUse",
            ["oauth|login"].map(Value::from).into_iter().collect(),
        ),
        ("tags", tags.iter().map(|tag| Value::from(*tag)).collect()),
        ("importance", Value::from(importance)),
        ("discoveredBy", Value::from("developer")),
        ("source", Value::from("")),
    ];
    let path = std::path::Path::new("/repo/.rawko/memories/a.md");
    let id = MemoryId::new(&"rawko".into(), local);
    Memory {
        title: title.into(),
        fields: fields.into_iter().collect(),
        created: Some(Timestamp(NOW.0 - days * DAY)),
        words: 3,
        tokens: 4,
        ..Memory::new(id, path.into(), format::schema("rawko"))
    }
}
