//! The fields of memories, chapters and wisdom: `assets/schemas/rum.toml`.

use std::sync::LazyLock;

use crate::memory::format::schema_in;
use crate::memory::schema::{Capabilities, Schema};

/// Kinds of links between memories (`rum-memory-schema`, "Memory Links").
pub const LINKS: &[&str] = &[
    "caused_by",
    "led_to",
    "related_to",
    "supersedes",
    "blocked_by",
];

/// The fields of a memory, by the name they have in its layers or its row.
pub static RUM: LazyLock<Schema> = LazyLock::new(|| schema("memory"));

/// The fields of a chapter (`rum-memory-schema`, "Chapters").
pub static CHAPTER: LazyLock<Schema> = LazyLock::new(|| schema("chapter"));

/// The fields of wisdom (`rum-memory-schema`, "Wisdom").
pub static WISDOM: LazyLock<Schema> = LazyLock::new(|| schema("wisdom"));

fn schema(kind: &str) -> Schema {
    let can = Capabilities {
        in_rows: true,
        written_as: Some("summary"),
        closed: true,
        taken_for: Some(super::taken_for),
        ..Capabilities::PLAIN
    };
    schema_in(
        include_str!("../../../assets/schemas/rum.toml"),
        kind,
        "rum",
        can,
    )
}
