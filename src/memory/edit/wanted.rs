//! The fields after an edit.

use super::{EditError, FieldEdit, same};
use crate::memory::{Fields, Value};

/// The fields after an edit, in order; nothing where it changes nothing.
pub fn wanted(
    fields: &Fields,
    edit: &FieldEdit,
) -> Result<Option<Vec<(String, Value)>>, EditError> {
    let name = edit.subject();
    let old = fields.get(name);
    let list = || -> Result<Vec<Value>, EditError> {
        match old {
            Some(Value::Map(_)) => Err(EditError::NotAList { field: name.into() }),
            Some(value) => Ok(value.items().cloned().collect()),
            None => Ok(Vec::new()),
        }
    };
    let missing = |index| EditError::NoSuchItem {
        field: name.into(),
        index,
    };
    let new = match edit {
        FieldEdit::Set { value, .. } => Some(value.clone()),
        FieldEdit::Unset { .. } => None,
        FieldEdit::AddItem { item, .. } => {
            Some(list()?.into_iter().chain([item.clone()]).collect())
        }
        FieldEdit::RemoveItem { index, .. } => {
            let mut items = list()?;
            if *index >= items.len() {
                return Err(missing(*index));
            }
            items.remove(*index);
            Some(Value::List(items.into()))
        }
        FieldEdit::SetItem { index, value, .. } => {
            let mut items = list()?;
            *items.get_mut(*index).ok_or_else(|| missing(*index))? = value.clone();
            match old {
                Some(Value::List(_)) => Some(Value::List(items.into())),
                _ => Some(value.clone()),
            }
        }
        FieldEdit::MoveItem { from, to, .. } => {
            let mut items = list()?;
            for index in [*from, *to] {
                items.get(index).ok_or_else(|| missing(index))?;
            }
            if from == to {
                return Ok(None);
            }
            let item = items.remove(*from);
            items.insert(*to, item);
            Some(Value::List(items.into()))
        }
        FieldEdit::Body(_) | FieldEdit::Text(_) => return Ok(None),
    };
    let unchanged = match (&new, old) {
        (Some(new), Some(old)) => same(new, old),
        (None, None) => true,
        _ => false,
    };
    if unchanged {
        return Ok(None);
    }
    let mut all: Vec<(String, Value)> = Vec::new();
    for (key, value) in fields.iter() {
        match &new {
            _ if key != name => all.push((key.into(), value.clone())),
            Some(new) => all.push((key.into(), new.clone())),
            None => {}
        }
    }
    if let (Some(new), None) = (new, old) {
        all.push((name.into(), new));
    }
    Ok(Some(all))
}
