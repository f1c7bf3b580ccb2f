//! The fields of a row (`MemoryItem`), in the order in which the system writes them.

use crate::memory::schema::{Capabilities, FieldSpec, Kind, Role, Schema};

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

const fn field(
    name: &'static str,
    kind: Kind,
    role: Role,
    default: Option<&'static str>,
    help: &'static str,
) -> FieldSpec {
    FieldSpec {
        name,
        kind,
        role,
        default,
        help,
        ..FieldSpec::PLAIN
    }
}

const NO: Option<&str> = None;

/// The fields of a golemcore memory (spec section 6.1; formats: golemcore, "JSON line").
pub static GOLEMCORE: Schema = Schema {
    format: "golemcore",
    policy: "golemcore",
    can: Capabilities {
        forgets: true,
        text: Some("content"),
        taken_for: Some(super::taken_for),
        ..Capabilities::PLAIN
    },
    fields: &[
        field(
            "id",
            Kind::Text,
            Role::Plain,
            NO,
            "the row's own id; a promoted copy keeps it",
        ),
        field(
            "layer",
            Kind::Choice(LAYERS),
            Role::Plain,
            Some("SEMANTIC"),
            "decides the file and the top-K that counts; a change moves the line",
        ),
        field(
            "type",
            Kind::Choice(TYPES),
            Role::Type,
            Some("PROJECT_FACT"),
            "worth .12 (failure, fix, constraint), .08 or .05 points",
        ),
        field(
            "title",
            Kind::Text,
            Role::Title,
            NO,
            "stands before the content in the prompt",
        ),
        field(
            "scope",
            Kind::Text,
            Role::Plain,
            Some("global"),
            "global, session:CHANNEL:CONVERSATION, goal:…:GOAL or task:TASK",
        ),
        field(
            "tags",
            Kind::Tags,
            Role::Tags,
            NO,
            "words that a task may have; one that is the active skill earns points",
        ),
        field(
            "source",
            Kind::Text,
            Role::Author,
            Some("user"),
            "where it comes from: user, assistant, tool:NAME, system",
        ),
        field(
            "confidence",
            Kind::Number(0.0, 1.0),
            Role::Plain,
            Some("0.85"),
            "how sure it is; a fifth of the score",
        ),
        field(
            "salience",
            Kind::Number(0.0, 1.0),
            Role::Plain,
            Some("0.72"),
            "how much it matters; a fifth of the score",
        ),
        field(
            "ttlDays",
            Kind::Number(0.0, 36_500.0),
            Role::Plain,
            NO,
            "days after its creation when it expires; 0 forgets it",
        ),
        field(
            "createdAt",
            Kind::Date,
            Role::Created,
            NO,
            "when it was written",
        ),
        field(
            "updatedAt",
            Kind::Date,
            Role::Updated,
            NO,
            "when it last changed; recency and decay count from here",
        ),
        field(
            "lastAccessedAt",
            Kind::Date,
            Role::Plain,
            NO,
            "never set by the system",
        ),
        field(
            "references",
            Kind::Tags,
            Role::Plain,
            NO,
            "files, commands, tests and addresses it is about",
        ),
        field(
            "fingerprint",
            Kind::Text,
            Role::Plain,
            NO,
            "the key of duplicates; made anew when content or type change",
        ),
    ],
    follows: &["id", "updatedAt", "lastAccessedAt", "fingerprint"],
    inner: &[],
};
