//! The fields after an edit.

use super::{EditError, FieldEdit, same};
use crate::memory::{Fields, Value};

/// The fields after an edit, in order; nothing where it changes nothing.
pub fn wanted(
    fields: &Fields,
    edit: &FieldEdit,
) -> Result<Option<Vec<(String, Value)>>, EditError> {
    if matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_)) {
        return Ok(None);
    }
    let name = edit.field_name();
    let new = new_value(fields.get(name), edit)?;
    Ok(with_value(fields, name, new.as_ref()))
}

/// The value of the field after an edit; none where it has gone.
pub(super) fn new_value(old: Option<&Value>, edit: &FieldEdit) -> Result<Option<Value>, EditError> {
    let name = edit.field_name();
    if let FieldEdit::Set { value, .. } = edit {
        return Ok(Some(value.clone()));
    }
    if let (Some(Value::Map(_)), false) = (old, matches!(edit, FieldEdit::Unset { .. })) {
        return Err(EditError::NotAList { field: name.into() });
    }
    let mut items: Vec<Value> = old.iter().flat_map(|old| old.items()).cloned().collect();
    let missing = |index| EditError::NoSuchItem {
        field: name.into(),
        index,
    };
    match edit {
        FieldEdit::AddItem { item, .. } => items.push(item.clone()),
        FieldEdit::RemoveItem { index, .. } if *index < items.len() => {
            items.remove(*index);
        }
        FieldEdit::RemoveItem { index, .. } => return Err(missing(*index)),
        FieldEdit::SetItem { index, value, .. } => {
            *items.get_mut(*index).ok_or_else(|| missing(*index))? = value.clone();
            if !matches!(old, Some(Value::List(_))) {
                return Ok(Some(value.clone()));
            }
        }
        FieldEdit::MoveItem { from, to, .. } => {
            if let Some(index) = [*from, *to].into_iter().find(|at| *at >= items.len()) {
                return Err(missing(index));
            }
            let item = items.remove(*from);
            items.insert(*to, item);
            if from == to {
                return Ok(old.cloned());
            }
        }
        _ => return Ok(None),
    }
    Ok(Some(Value::List(items.into())))
}

/// The fields with another value of one of them, or without it; nothing where that changes nothing.
pub(super) fn with_value(
    fields: &Fields,
    name: &str,
    new: Option<&Value>,
) -> Option<Vec<(String, Value)>> {
    let old = fields.get(name);
    let is_same = match (new, old) {
        (Some(new), Some(old)) => same(new, old),
        (new, old) => new.is_none() && old.is_none(),
    };
    let value = |(key, value): (&str, &Value)| {
        let value = if key == name { new? } else { value };
        Some((key.to_owned(), value.clone()))
    };
    let added = new.filter(|_| old.is_none());
    let added = added.map(|new| (name.to_owned(), new.clone()));
    (!is_same).then(|| fields.iter().filter_map(value).chain(added).collect())
}
