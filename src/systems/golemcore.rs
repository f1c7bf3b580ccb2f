//! golemcore's Memory V2: one JSON object a line (specs/golemcore-memory-v2.md; formats:
//! golemcore).

pub mod codec;
pub mod config;
pub mod java;
pub mod kin;
pub mod line_edit;
pub mod marker;
pub mod policy;
pub mod row;
mod row_memory;
pub mod scope;

pub use config::Config;
pub use java::Instant;
pub use row::{Layer, Row};
pub use scope::{Place, Tree};

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

use crate::memory::Memory;
use crate::memory::format::schema_in;
use crate::memory::schema::{Capabilities, Schema};

/// The property that holds the body.
pub const CONTENT: &str = "content";

/// Layers, the most fleeting first.
pub static LAYERS: LazyLock<&[&str]> = LazyLock::new(|| GOLEMCORE.choices("layer"));

/// Types, as the system declares them.
pub static TYPES: LazyLock<&[&str]> = LazyLock::new(|| GOLEMCORE.choices("type"));

/// All properties, in the order in which the system writes them: the content after the title.
pub static ORDER: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = GOLEMCORE.fields.iter().map(|field| field.name);
    let with_content = |name| match name {
        "title" => vec!["title", CONTENT],
        name => vec![name],
    };
    names.flat_map(with_content).collect()
});

/// The fields of a golemcore memory: `assets/schemas/golemcore.toml`.
pub static GOLEMCORE: LazyLock<Schema> = LazyLock::new(|| {
    let can = Capabilities {
        forgets: true,
        text: Some(CONTENT),
        taken_for: Some(taken_for),
        ..Capabilities::default()
    };
    let fields = include_str!("../../assets/schemas/golemcore.toml");
    schema_in(fields, "memory", "golemcore", can)
});

/// Returns the system's default for a missing property that a person can query: the scope, taken
/// from the tree of the row.
pub fn taken_for(memory: &Memory, name: &str) -> Option<String> {
    if memory.schema.format != GOLEMCORE.format || !name.eq_ignore_ascii_case("scope") {
        return None;
    }
    let place = Place::of_row(memory)?;
    let row = Row::of(&memory.fields).ok()?;
    Some(row.scope_in(&place.scope))
}

/// The key by which the system finds duplicates: 24 hexadecimal digits of type and content, of a
/// turn of a talk of what both said (formats: golemcore, "Fingerprint").
pub fn fingerprint(kind: Option<&str>, source: Option<&str>, content: &str) -> String {
    let is_turn = kind == Some("TASK_STATE") && source == Some("turn");
    let said = is_turn.then(|| content.strip_prefix("User: ")).flatten();
    if let Some((user, assistant)) = said.and_then(|said| said.split_once("\nAssistant: ")) {
        return key_of("TASK", &format!("{user}\n{assistant}"));
    }
    key_of(kind.unwrap_or("null"), content)
}

fn key_of(kind: &str, content: &str) -> String {
    let one_line = content.replace(['\r', '\n'], " ");
    let lower = java::trim(&one_line).to_lowercase();
    let words = lower.split(java::is_regex_space);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut key = hex(&format!("{kind}|{}", words.join(" ")));
    key.truncate(24);
    key
}

/// The id of a new row: a UUID made of what is written and when, so that the same command writes
/// the same bytes.
pub fn id_of(seed: &str) -> String {
    let hex = hex(seed);
    let parts = [(0, 8), (8, 12), (13, 16), (17, 20), (20, 32)];
    let [a, b, c, d, e] = parts.map(|(from, to)| hex.get(from..to).unwrap_or_default());
    // Version 8 (own making) and the variant of RFC 9562.
    format!("{a}-{b}-8{c}-a{d}-{e}")
}

fn hex(text: &str) -> String {
    format!("{:x}", Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_of_the_system() {
        let one = fingerprint(Some("CONSTRAINT"), None, " Use\r\nJava \t17\n");
        assert_eq!(one.len(), 24);
        let fix = |content: &str| fingerprint(Some("FIX"), None, content);
        assert_eq!(fix("A\nB"), fix(" a   b "));
        assert_ne!(fingerprint(None, None, ""), fix(""));
        // A turn that the bot wrote: SHA-256 of `TASK|` and of what both said.
        let said = "User: fix the webhook test\nAssistant: I fixed the webhook test by raising the timeout to 60 seconds.";
        let of = |kind, source| fingerprint(Some(kind), source, said);
        let turn = of("TASK_STATE", Some("turn"));
        assert_eq!(turn, "ce16a07c11d3551d7edd8bce");
        for other in [
            of("TASK_STATE", None),
            of("FIX", Some("turn")),
            fingerprint(Some("TASK_STATE"), Some("turn"), "The webhook is next."),
        ] {
            assert_ne!(other, turn);
        }
    }

    #[test]
    fn ids_are_uuids() {
        let id = id_of("one");
        assert_eq!((id.len(), id.matches('-').count()), (36, 4));
        assert!(id == id_of("one") && id != id_of("two"));
    }
}
