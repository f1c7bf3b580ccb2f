//! Raising and lowering a memory's importance.

use crate::memory::edit::FieldEdit;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, Value};

/// The edit that raises or lowers a memory's importance by one step, and from what to what; or
/// why there is none.
pub fn importance(memory: &Memory, up: bool) -> Result<(FieldEdit, String), String> {
    let spec = memory.schema.role(Role::Importance);
    let words = spec.map(|spec| (spec, spec.kind));
    let Some((spec, Kind::Choice(words))) = words else {
        return Err(format!(
            "{} memories have neither importance nor layers",
            memory.schema.format
        ));
    };
    let now = memory.field(spec.name).and_then(Value::as_str);
    let at = now.and_then(|now| words.iter().position(|word| *word == now));
    let Some((now, at)) = now.zip(at) else {
        return Err(format!(
            "its `{}` is not one of {}",
            spec.name,
            words.join(", ")
        ));
    };
    let next = if up {
        at.checked_add(1)
    } else {
        at.checked_sub(1)
    };
    let Some(next) = next.and_then(|at| words.get(at)) else {
        return Err(format!(
            "`{now}` is the {} there is",
            if up { "most" } else { "least" }
        ));
    };
    let edit = FieldEdit::Set {
        field: spec.name.to_owned(),
        value: Value::from(*next),
    };
    Ok((edit, format!("{} from {now} to {next}", spec.name)))
}
