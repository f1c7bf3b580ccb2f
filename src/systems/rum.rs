//! Memories of RUM: rows of a SQLite database that hold five layers of JSON each, and the
//! chapters and wisdom made of them (`rum-memory-schema`; formats: rum).

pub mod entries;
pub mod layers;
pub mod markdown;
pub mod policy;
pub mod read;

use std::sync::LazyLock;

use crate::memory::format::schema_in;
use crate::memory::schema::Capabilities;
use crate::memory::{Memory, Schema, Timestamp};

pub use layers::Layers;

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
        taken_for: Some(taken_for),
        ..Capabilities::default()
    };
    let fields = include_str!("../../assets/schemas/rum.toml");
    schema_in(fields, kind, "rum", can)
}

/// The columns of `memories` that hold a layer, in the order of the specification.
pub const LAYERS: [&str; 5] = ["intent", "perception", "reasoning", "actions", "outcome"];

/// Kinds of task (`rum-memory-schema`, "Layer 1: Intent").
pub fn types() -> &'static [&'static str] {
    RUM.choices("type")
}

/// Below this a number is seconds since 1970, above milliseconds (formats: rum).
const SECONDS: i64 = 100_000_000_000;

/// The point in time that a number in the database stands for: the specification's example has
/// seconds, the program writes milliseconds.
pub const fn time(number: i64) -> Timestamp {
    match number.abs() < SECONDS {
        true => Timestamp(number.saturating_mul(1000)),
        false => Timestamp(number),
    }
}

/// True if a memory is one of finished work, and no chapter or wisdom.
pub fn is_fragment(memory: &Memory) -> bool {
    std::ptr::eq(memory.schema, &*RUM)
}

/// Default of a field that is not shown: a memory that was never recalled has a
/// count of 0.
pub fn taken_for(memory: &Memory, name: &str) -> Option<String> {
    let is_count = is_fragment(memory) && name == "access_count";
    is_count.then(|| "0".to_owned())
}

/// A point in time in the unit of a number that stood there before.
pub const fn number(at: Timestamp, before: Option<i64>) -> i64 {
    match before {
        Some(before) if before != 0 && before.abs() < SECONDS => at.0.div_euclid(1000),
        _ => at.0,
    }
}
