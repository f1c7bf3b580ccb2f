//! Promotion to a more lasting layer and back, and forgetting (formats: golemcore, "Extraction /
//! promotion" and "Tool").

use super::{edit, line};
use crate::memory::edit::FieldEdit;
use crate::memory::json::splice::object;
use crate::memory::{Memory, State, Timestamp, Value};
use crate::store::golemcore::GolemcoreStore;
use crate::store::{Overlay, Promotion, StoreError};
use crate::systems::golemcore::{Layer, Row, row, scope};

/// Types that become facts, and those that become procedures; a state of a task becomes neither.
const FACTS: [&str; 4] = ["CONSTRAINT", "PREFERENCE", "PROJECT_FACT", "DECISION"];
const PROCEDURES: [&str; 3] = ["FAILURE", "FIX", "COMMAND_RESULT"];

/// Stages the promotion of a memory, or its way back to the episodes; see
/// [`crate::store::Store::promote`]. The line moves: no copy stays behind to take a place. One that
/// the system promoted itself has its copy there and is refused.
pub(crate) fn promote(
    store: &GolemcoreStore,
    memory: &Memory,
    up: bool,
    overlay: &mut Overlay,
) -> Result<Promotion, StoreError> {
    let refuse = |why: &str| Err(StoreError::Refused(format!("{}: {why}", memory.id)));
    if memory.state == State::Archived {
        return refuse("it is archived; restore it first");
    }
    let (_, text) = line(memory, overlay, true)?;
    let Ok(object) = object(&text) else {
        return refuse("its line is no JSON object");
    };
    let fields = row::fields(&text, &object.entries);
    let row = Row::of(&fields).map_err(|fault| StoreError::Refused(fault.message))?;
    let layer = row.layer.unwrap_or(Layer::Episodic);
    let kind = row.kind.unwrap_or_default();
    if !up {
        if layer <= Layer::Episodic {
            return refuse("it is an episode already, the lowest layer with a file");
        }
        let edits = [set("layer", "EPISODIC")];
        edit(store, memory, &edits, overlay)?;
        return Ok(Promotion {
            why: format!("{} back to EPISODIC", layer.word()),
            doubt: None,
        });
    }
    let to = if PROCEDURES.contains(&kind) {
        Layer::Procedural
    } else {
        Layer::Semantic
    };
    if layer >= Layer::Semantic {
        return refuse("it is promoted already; `edit --set layer=…` moves it elsewhere");
    }
    let config = store.config();
    let least = config.promotion;
    let confidence = row.confidence.unwrap_or(0.75);
    let doubt = if !config.promotes {
        Some("the system promotes nothing: the setting `promotionEnabled` is false".to_owned())
    } else if confidence < least {
        Some(format!(
            "its confidence is {confidence}, promotion asks for {least}, and sets it so"
        ))
    } else if !FACTS.contains(&kind) && !PROCEDURES.contains(&kind) {
        let kind = if kind.is_empty() { "no type" } else { kind };
        Some(format!("it has {kind}, which the system never promotes"))
    } else {
        None
    };
    let mut edits = vec![set("layer", to.word()), set("scope", scope::GLOBAL)];
    if confidence < least {
        edits.push(set("confidence", least));
    }
    edit(store, memory, &edits, overlay)?;
    Ok(Promotion {
        why: format!("{kind} with confidence {confidence} to {}", to.word()),
        doubt,
    })
}

fn set(field: &str, value: impl Into<Value>) -> FieldEdit {
    FieldEdit::Set {
        field: field.to_owned(),
        value: value.into(),
    }
}

/// Stages that a memory expires at once, as the system's own tool has it; the bot takes the row
/// out when it next writes the file.
pub(crate) fn forget(
    store: &GolemcoreStore,
    memory: &Memory,
    overlay: &mut Overlay,
) -> Result<(), StoreError> {
    let (_, text) = line(memory, overlay, true)?;
    let created = object(&text)
        .ok()
        .map(|object| row::fields(&text, &object.entries))
        .and_then(|fields| Row::of(&fields).ok()?.created);
    let mut edits = vec![set("ttlDays", Value::Int(0))];
    // Days are counted from the creation: without one they would never be over, and from one that
    // is still to come not before that.
    if created.is_none_or(|created| created.timestamp() >= overlay.now) {
        let before = Timestamp(overlay.now.0.saturating_sub(1));
        edits.push(set("createdAt", before.to_rfc3339()));
    }
    edit(store, memory, &edits, overlay)
}
