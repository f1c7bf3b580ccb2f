//! Memories and verdicts as the contract's JSON.

pub mod inject;

use std::borrow::Cow;

use serde::Serialize;

use super::error::Error;
use super::session::Session;
use crate::memory::{Fields, Memory, State, Timestamp};

/// A memory.
#[derive(Serialize)]
pub struct MemoryJson<'a> {
    id: String,
    store: &'a str,
    format: &'a str,
    title: &'a str,
    path: String,
    line: u32,
    fields: &'a Fields,
    tags: Vec<&'a str>,
    importance: Option<&'a str>,
    created: Option<String>,
    updated: Option<String>,
    author: Option<&'a str>,
    words: u32,
    tokens: u32,
    state: &'static str,
    visible: bool,
    hidden_reason: Option<Cow<'a, str>>,
    expires: Option<String>,
    findings: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
}

impl<'a> MemoryJson<'a> {
    /// A memory of a session, with its body where it is shown whole.
    pub fn new(session: &Session, memory: &'a Memory, findings: u32, body: Option<String>) -> Self {
        let hidden = memory.hidden_at(session.now);
        Self {
            id: memory.id.to_string(),
            store: &memory.id.store.0,
            format: memory.schema.format,
            title: &memory.title,
            path: session.collection.shown(&memory.path),
            line: memory.line,
            fields: &memory.fields,
            tags: memory.tags().collect(),
            importance: memory.importance(),
            created: memory.created.map(Timestamp::to_rfc3339),
            updated: memory.updated.map(Timestamp::to_rfc3339),
            author: memory.author(),
            words: memory.words,
            tokens: memory.tokens,
            state: memory.state.word(),
            visible: hidden.is_none() && memory.state == State::Active,
            hidden_reason: hidden,
            expires: memory.expires.map(|expiry| expiry.at.to_rfc3339()),
            findings,
            body,
        }
    }
}

/// Prints an array, an item a line.
pub fn print_array<T: Serialize>(
    items: impl Iterator<Item = T>,
    output: &mut super::Output,
) -> Result<(), Error> {
    use std::io::Write as _;
    write!(output, "[")?;
    for (n, item) in items.enumerate() {
        writeln!(output, "{}", if n > 0 { "," } else { "" })?;
        serde_json::to_writer(&mut *output, &item)?;
    }
    writeln!(output, "\n]")?;
    Ok(())
}
