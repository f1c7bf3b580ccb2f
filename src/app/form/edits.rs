//! From what a field was to what it is, in as few edits as there are: every edit is bytes of the
//! file that change.

use super::field::{Field, same};
use crate::memory::Value;
use crate::memory::edit::FieldEdit;

/// Above this many comparisons a list is written anew.
const MOST: usize = 250_000;

/// The edits of one field.
pub(super) fn of_field(field: &Field) -> Vec<FieldEdit> {
    if !field.changed() {
        return Vec::new();
    }
    let name = || field.name.to_string();
    match (&field.original, field.value()) {
        (Some(Value::List(old)), Some(Value::List(new)))
            if !old.is_empty() && !new.is_empty() && old.len() * new.len() <= MOST =>
        {
            match moved(&field.name, old, &new) {
                Some(edit) => vec![edit],
                None => of_list(&field.name, old, &new),
            }
        }
        // One value that becomes the first of several keeps its bytes.
        (Some(old @ Value::Text(_)), Some(Value::List(new)))
            if new.len() > 1 && new.first().is_some_and(|first| same(first, old)) =>
        {
            let added = new.iter().skip(1).map(|item| FieldEdit::AddItem {
                field: name(),
                item: item.clone(),
            });
            added.collect()
        }
        (_, Some(value)) => vec![FieldEdit::Set {
            field: name(),
            value,
        }],
        (Some(_), None) => vec![FieldEdit::Unset { field: name() }],
        (None, None) => Vec::new(),
    }
}

/// The one edit that makes a list of another where a single item was moved: it keeps the item's
/// bytes, and the comment behind it, which writing the items anew would not.
fn moved(name: &str, old: &[Value], new: &[Value]) -> Option<FieldEdit> {
    let mut both = old.iter().zip(new);
    if old.len() != new.len() {
        return None;
    }
    let first = both.position(|(a, b)| !same(a, b))?;
    let last = first + 1 + both.rposition(|(a, b)| !same(a, b))?;
    let mut ways = [(first, last), (last, first)].into_iter();
    let (from, to) = ways.find(|(from, to)| {
        let mut list: Vec<&Value> = old.iter().collect();
        let item = list.remove(*from);
        list.insert(*to, item);
        list.iter().zip(new).all(|(a, b)| same(a, b))
    })?;
    Some(FieldEdit::MoveItem {
        field: name.to_owned(),
        from,
        to,
    })
}

/// Edits from one list to another, where items can be changed, taken out, and added at the end. An
/// item that the new list has further on is never changed into another one.
///
/// The order (changes, then removals from the back, then additions) makes the indexes right both
/// for who applies one edit after the other and for who counts in the old list.
fn of_list(name: &str, old: &[Value], new: &[Value]) -> Vec<FieldEdit> {
    let field = || name.to_owned();
    let (mut sets, mut removes) = (Vec::new(), Vec::new());
    let mut rest = new.iter().peekable();
    for (index, item) in old.iter().enumerate() {
        let mut later = old.iter().skip(index + 1);
        match rest.peek().copied() {
            Some(next) if same(item, next) => {
                rest.next();
            }
            Some(next) if !later.any(|item| same(item, next)) => {
                let (field, value) = (field(), next.clone());
                sets.push(FieldEdit::SetItem {
                    field,
                    index,
                    value,
                });
                rest.next();
            }
            _ => removes.push(FieldEdit::RemoveItem {
                field: field(),
                index,
            }),
        }
    }
    sets.extend(removes.into_iter().rev());
    sets.extend(rest.map(|item| FieldEdit::AddItem {
        field: field(),
        item: item.clone(),
    }));
    sets
}
