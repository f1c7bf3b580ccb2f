//! The fields of a row (`MemoryItem`), in the order in which the system writes them.

use std::sync::LazyLock;

use crate::memory::format::schema_in;
use crate::memory::schema::{Capabilities, Schema};

/// The property that holds the body.
pub const CONTENT: &str = "content";

/// Layers, the most fleeting first.
pub const LAYERS: &[&str] = &["WORKING", "EPISODIC", "SEMANTIC", "PROCEDURAL"];

/// Types, as the system declares them.
pub const TYPES: &[&str] = &[
    "DECISION",
    "CONSTRAINT",
    "FAILURE",
    "FIX",
    "PREFERENCE",
    "PROJECT_FACT",
    "TASK_STATE",
    "COMMAND_RESULT",
];

/// All properties, in the order in which the system writes them.
pub const ORDER: &[&str] = &[
    "id",
    "layer",
    "type",
    "title",
    CONTENT,
    "scope",
    "tags",
    "source",
    "confidence",
    "salience",
    "ttlDays",
    "createdAt",
    "updatedAt",
    "lastAccessedAt",
    "references",
    "fingerprint",
];

/// The fields of a golemcore memory: `assets/schemas/golemcore.toml`.
pub static GOLEMCORE: LazyLock<Schema> = LazyLock::new(|| {
    let can = Capabilities {
        forgets: true,
        text: Some("content"),
        taken_for: Some(super::taken_for),
        ..Capabilities::PLAIN
    };
    let fields = include_str!("../../../assets/schemas/golemcore.toml");
    schema_in(fields, "memory", "golemcore", can)
});
