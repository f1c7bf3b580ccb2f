//! Promotion to a more lasting layer and back, and forgetting (formats: golemcore, "Extraction /
//! promotion" and "Tool").

use super::row::fields_of;
use super::{Config, Layer, Row, scope};
use crate::memory::edit::FieldEdit;
use crate::memory::{Timestamp, Value};
use crate::systems::codec::{Raised, Result, refuse};

/// Types that become facts, and those that become procedures; a state of a task becomes neither.
const FACTS: [&str; 4] = ["CONSTRAINT", "PREFERENCE", "PROJECT_FACT", "DECISION"];
const PROCEDURES: [&str; 3] = ["FAILURE", "FIX", "COMMAND_RESULT"];

fn set(field: &str, value: impl Into<Value>) -> FieldEdit {
    let (field, value) = (field.to_owned(), value.into());
    FieldEdit::Set { field, value }
}

/// The edits that move an entry to a more lasting layer, or back to the episodes.
pub fn raise(entry: &[u8], up: bool, config: &Config) -> Result<Raised> {
    let Some(fields) = fields_of(entry) else {
        return refuse("its line is no JSON object");
    };
    let row = Row::of(&fields).or_else(|fault| refuse(fault.message))?;
    let layer = row.layer.unwrap_or(Layer::Episodic);
    let kind = row.kind.unwrap_or_default();
    if !up {
        if layer <= Layer::Episodic {
            return refuse("it is an episode already, the lowest layer with a file");
        }
        return Ok(Raised {
            edits: vec![set("layer", "EPISODIC")],
            why: format!("{} back to EPISODIC", layer.word()),
            doubt: None,
        });
    }
    if layer >= Layer::Semantic {
        return refuse("it is promoted already; `edit --set layer=…` moves it elsewhere");
    }
    let to = match PROCEDURES.contains(&kind) {
        true => Layer::Procedural.word(),
        false => Layer::Semantic.word(),
    };
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
    let mut edits = vec![set("layer", to), set("scope", scope::GLOBAL)];
    if confidence < least {
        edits.push(set("confidence", least));
    }
    Ok(Raised {
        edits,
        why: format!("{kind} with confidence {confidence} to {to}"),
        doubt,
    })
}

/// The edits after which a memory expires at once, as the system's own tool has it.
pub fn forget(entry: &[u8], now: Timestamp) -> Vec<FieldEdit> {
    let fields = fields_of(entry).unwrap_or_default();
    let created = Row::of(&fields).ok().and_then(|row| row.created);
    let mut edits = vec![set("ttlDays", Value::Int(0))];
    // Days are counted from the creation: without one they would never be over, and from one
    // that is still to come not before that.
    if created.is_none_or(|created| created.timestamp() >= now) {
        let before = Timestamp(now.0.saturating_sub(1));
        edits.push(set("createdAt", before.to_rfc3339()));
    }
    edits
}
