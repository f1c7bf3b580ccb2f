//! Memories as the contract's JSON.

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use super::prelude::*;
use crate::curate::versions::FieldChange;
use crate::lint::mask;
use crate::memory;
use crate::retrieval::NO_CARRIER;

/// Fields that differ, texts without secrets.
pub fn changed_fields(all: Vec<FieldChange>) -> Vec<Value> {
    let masked = |value: Option<memory::Value>| match value {
        Some(memory::Value::Text(text)) => json!(mask(&text)),
        value => json!(value),
    };
    let one = |FieldChange { name, old, new }| json!({"name": name, "old": masked(old), "new": masked(new)});
    all.into_iter().map(one).collect()
}

/// A memory, with its body where it is shown whole. `findings` is how many lint has, where they were
/// counted.
pub fn memory_json(
    ws: &Workspace,
    memory: &Memory,
    findings: Option<u32>,
    body: Option<String>,
) -> Value {
    let hidden = memory.hidden_at(ws.now);
    let hidden = hidden.or_else(|| ws.is_unread(memory).then(|| NO_CARRIER.into()));
    let time = |time: Option<Timestamp>| time.map(Timestamp::to_rfc3339);
    let mut json = json!({
        "id": memory.id.to_string(),
        "store": &*memory.id.store.0,
        "format": memory.schema.format,
        "title": &*memory.title,
        "path": ws.collection.shown(&memory.path),
        "line": memory.line,
        "fields": ws.with_inner(memory).fields,
        "tags": memory.tags().collect::<Vec<_>>(),
        "importance": memory.role(Role::Importance),
        "created": time(memory.created),
        "updated": time(memory.updated),
        "confirmed": time(memory.confirmed),
        "author": memory.author(),
        "words": memory.words,
        "tokens": memory.tokens,
        "state": memory.state.word(),
        "visible": hidden.is_none() && memory.state == State::Active,
        "hidden_reason": hidden,
        "seen": memory.seen.as_deref(),
        "expires": time(memory.expires.map(|expiry| expiry.at)),
        "findings": findings,
    });
    if let (Some(body), Some(json)) = (body, json.as_object_mut()) {
        json.insert("body".to_owned(), body.into());
    }
    json
}

/// Prints an array, an item a line. Items are made and written down in parallel, many at a time.
pub fn print_array<'a, T: Sync, J: Serialize>(
    items: &'a [T],
    json: impl Fn(&'a T) -> J + Sync,
    output: &mut Output,
) -> Result<()> {
    const AT_A_TIME: usize = 4096;
    let output = output.json();
    let mut before = "[";
    for piece in items.chunks(AT_A_TIME) {
        let lines = piece.par_iter();
        let lines = lines.map(|item| serde_json::to_string(&json(item)));
        for line in lines.collect::<Result<Vec<String>, _>>()? {
            write!(output, "{before}\n{line}")?;
            before = ",";
        }
    }
    let begin = if items.is_empty() { "[" } else { "" };
    Ok(writeln!(output, "{begin}\n]")?)
}
