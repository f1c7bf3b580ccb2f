//! Raising and lowering a memory's importance.

use crate::memory::edit::FieldEdit;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, Value};

/// The edit that raises or lowers a memory's importance by one step, and from what to what; or
/// why there is none.
pub fn importance(memory: &Memory, up: bool) -> Result<(FieldEdit, String), String> {
    let spec = memory.schema.role(Role::Importance);
    if let Some((spec, Kind::Number(low, high))) = spec.map(|spec| (spec, spec.kind)) {
        return number(memory, spec.name, (low, high), up);
    }
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

/// The same for a number between two: a tenth of the way.
fn number(
    memory: &Memory,
    field: &str,
    (low, high): (f64, f64),
    up: bool,
) -> Result<(FieldEdit, String), String> {
    #[expect(clippy::cast_precision_loss, reason = "compared with small numbers")]
    let now = match memory.field(field) {
        Some(Value::Int(number)) => *number as f64,
        Some(Value::Float(number)) => *number,
        _ => return Err(format!("its `{field}` is not a number")),
    };
    let step = (high - low) / 10.0;
    let next = if up { now + step } else { now - step };
    let next = (next.clamp(low, high) * 1000.0).round() / 1000.0;
    if (next - now).abs() < step / 1000.0 {
        let end = if up { "most" } else { "least" };
        return Err(format!("`{now}` is the {end} there is"));
    }
    let edit = FieldEdit::Set {
        field: field.to_owned(),
        value: Value::Float(next),
    };
    Ok((edit, format!("{field} from {now} to {next}")))
}
