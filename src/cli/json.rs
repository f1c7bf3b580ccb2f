//! Memories and verdicts as the contract's JSON.

pub mod inject;

use std::borrow::Cow;

use rayon::prelude::*;
use serde::Serialize;

use super::error::Error;
use crate::memory::{Fields, Memory, Role, State, Timestamp, Value};
use crate::retrieval::NO_CARRIER;
use crate::workspace::Workspace;

/// A memory.
#[derive(Serialize)]
pub struct MemoryJson<'a> {
    id: String,
    store: &'a str,
    format: &'a str,
    title: &'a str,
    path: Cow<'a, str>,
    line: u32,
    fields: Cow<'a, Fields>,
    tags: Vec<&'a str>,
    importance: Option<&'a Value>,
    created: Option<String>,
    updated: Option<String>,
    confirmed: Option<String>,
    author: Option<&'a str>,
    words: u32,
    tokens: u32,
    state: &'static str,
    visible: bool,
    hidden_reason: Option<Cow<'a, str>>,
    seen: Option<&'a Fields>,
    expires: Option<String>,
    findings: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen_body: Option<Option<String>>,
}

impl<'a> MemoryJson<'a> {
    /// A memory of a workspace, with its body where it is shown whole. `findings` is how many lint
    /// has, where they were counted.
    pub fn new(
        ws: &Workspace,
        memory: &'a Memory,
        findings: Option<u32>,
        body: Option<String>,
    ) -> Self {
        let hidden = memory.hidden_at(ws.now);
        let hidden = hidden.or_else(|| ws.is_unread(memory).then(|| NO_CARRIER.into()));
        let fields = match ws.with_inner(memory) {
            Cow::Borrowed(memory) => Cow::Borrowed(&memory.fields),
            Cow::Owned(memory) => Cow::Owned(memory.fields),
        };
        Self {
            id: memory.id.to_string(),
            store: &memory.id.store.0,
            format: memory.schema.format,
            title: &memory.title,
            path: shown(ws, &memory.path),
            line: memory.line,
            fields,
            tags: memory.tags().collect(),
            importance: memory.role(Role::Importance),
            created: memory.created.map(Timestamp::to_rfc3339),
            updated: memory.updated.map(Timestamp::to_rfc3339),
            confirmed: memory.confirmed.map(Timestamp::to_rfc3339),
            author: memory.author(),
            words: memory.words,
            tokens: memory.tokens,
            state: memory.state.word(),
            visible: hidden.is_none() && memory.state == State::Active,
            hidden_reason: hidden,
            seen: memory.seen.as_deref(),
            expires: memory.expires.map(|expiry| expiry.at.to_rfc3339()),
            findings,
            body,
            seen_body: None,
        }
    }

    /// The same with the text that the system's own loader reads, where it is another one.
    pub fn seen_body(mut self, seen: Option<String>) -> Self {
        self.seen_body = Some(seen);
        self
    }
}

/// A path as people read it, without a copy where its text is one.
fn shown<'a>(ws: &Workspace, path: &'a std::path::Path) -> Cow<'a, str> {
    // Part by part takes longer than all the rest of a memory.
    let root = ws.collection.root.to_str();
    let below = path.to_str().zip(root).and_then(|(path, root)| {
        let below = path.strip_prefix(root)?.strip_prefix('/')?;
        let odd = below.starts_with('/') || below.starts_with("./") || below.ends_with('/');
        (!odd).then_some(below)
    });
    if let Some(below) = below {
        return below.into();
    }
    let below = path.strip_prefix(&ws.collection.root);
    below.unwrap_or(path).to_string_lossy()
}

/// Prints an array, an item a line. Items are made and written down in parallel, and printed in
/// their order.
pub fn print_array<'a, T: Sync, J: Serialize>(
    items: &'a [T],
    json: impl Fn(&'a T) -> J + Sync,
    output: &mut super::Output,
) -> Result<(), Error> {
    use std::io::Write as _;
    /// Items that one thread writes down in a row, and such rows that are held at a time.
    const ROW: usize = 256;
    const ROWS: usize = 64;
    let output = output.json();
    let line = |out: &mut Vec<u8>, item: &'a T| {
        out.extend_from_slice(b"\n");
        serde_json::to_writer(&mut *out, &json(item))?;
        out.push(b',');
        Ok::<(), serde_json::Error>(())
    };
    write!(output, "[")?;
    let mut left = items.len().div_ceil(ROW);
    for piece in items.chunks(ROW * ROWS) {
        let row = |items: &'a [T]| {
            let mut out = Vec::with_capacity(ROW * 512);
            items.iter().try_for_each(|item| line(&mut out, item))?;
            Ok(out)
        };
        let rows: Result<Vec<Vec<u8>>, serde_json::Error> =
            piece.par_chunks(ROW).map(row).collect();
        for mut row in rows? {
            left -= 1;
            if left == 0 {
                row.pop();
            }
            output.write_all(&row)?;
        }
    }
    writeln!(output, "\n]")?;
    Ok(())
}
