//! The fields of a row (`MemoryItem`), in the order in which the system writes them.

use std::sync::LazyLock;

use crate::memory::format::schema_in;
use crate::memory::schema::{Capabilities, Kind, Schema};

/// The property that holds the body.
pub const CONTENT: &str = "content";

/// Layers, the most fleeting first.
pub static LAYERS: LazyLock<&[&str]> = LazyLock::new(|| choices("layer"));

/// Types, as the system declares them.
pub static TYPES: LazyLock<&[&str]> = LazyLock::new(|| choices("type"));

/// All properties, in the order in which the system writes them: the content after the title.
pub static ORDER: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = GOLEMCORE.fields.iter().map(|field| field.name);
    let with_content = |name| match name {
        "title" => vec!["title", CONTENT],
        name => vec![name],
    };
    names.flat_map(with_content).collect()
});

fn choices(field: &str) -> &'static [&'static str] {
    match GOLEMCORE.field(field).map(|spec| spec.kind) {
        Some(Kind::Choice(words)) => words,
        _ => &[],
    }
}

/// The fields of a golemcore memory: `assets/schemas/golemcore.toml`.
pub static GOLEMCORE: LazyLock<Schema> = LazyLock::new(|| {
    let can = Capabilities {
        forgets: true,
        text: Some(CONTENT),
        taken_for: Some(super::taken_for),
        ..Capabilities::PLAIN
    };
    let fields = include_str!("../../../assets/schemas/golemcore.toml");
    schema_in(fields, "memory", "golemcore", can)
});
