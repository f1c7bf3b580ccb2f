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
    let differs = |n: &usize| {
        old.get(*n)
            .zip(new.get(*n))
            .is_some_and(|(a, b)| !same(a, b))
    };
    if old.len() != new.len() {
        return None;
    }
    let first = (0..old.len()).find(differs)?;
    let last = (0..old.len()).rev().find(differs)?;
    [(first, last), (last, first)]
        .into_iter()
        .find_map(|(from, to)| {
            let mut list: Vec<&Value> = old.iter().collect();
            let item = list.remove(from);
            list.insert(to, item);
            let made = list.iter().zip(new).all(|(a, b)| same(a, b));
            made.then(|| FieldEdit::MoveItem {
                field: name.to_owned(),
                from,
                to,
            })
        })
}

/// What becomes of an old item.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    Keep,
    Set,
    Remove,
}

/// The fewest edits from one list to another, where items can be changed, taken out, and added at
/// the end.
///
/// The order (changes, then removals from the back, then additions) makes the indexes right both
/// for who applies one edit after the other and for who counts in the old list.
fn of_list(name: &str, old: &[Value], new: &[Value]) -> Vec<FieldEdit> {
    let steps = cheapest(old, new);
    let field = || name.to_string();
    let (mut sets, mut removes) = (Vec::new(), Vec::new());
    let mut rest = new.iter();
    for (index, step) in steps.into_iter().enumerate() {
        match step {
            Step::Remove => removes.push(FieldEdit::RemoveItem {
                field: field(),
                index,
            }),
            Step::Keep => {
                rest.next();
            }
            Step::Set => sets.extend(rest.next().map(|value| FieldEdit::SetItem {
                field: field(),
                index,
                value: value.clone(),
            })),
        }
    }
    sets.extend(removes.into_iter().rev());
    sets.extend(rest.map(|item| FieldEdit::AddItem {
        field: field(),
        item: item.clone(),
    }));
    sets
}

/// A step for each old item, by dynamic programming from the back.
fn cheapest(old: &[Value], new: &[Value]) -> Vec<Step> {
    let width = new.len() + 1;
    // costs[i * width + j]: edits from old[i..] to new[j..].
    let mut costs = vec![0_usize; (old.len() + 1) * width];
    let cost = |costs: &[usize], i: usize, j: usize| {
        costs.get(i * width + j).copied().unwrap_or(usize::MAX / 2)
    };
    let best = |costs: &[usize], i: usize, j: usize, before: &Value| {
        let remove = (cost(costs, i + 1, j) + 1, Step::Remove);
        let Some(after) = new.get(j) else {
            return remove;
        };
        let next = cost(costs, i + 1, j + 1);
        let stay = if same(before, after) {
            (next, Step::Keep)
        } else {
            (next + 1, Step::Set)
        };
        if stay.0 <= remove.0 { stay } else { remove }
    };
    for j in 0..width {
        if let Some(slot) = costs.get_mut(old.len() * width + j) {
            *slot = new.len() - j;
        }
    }
    for (i, before) in old.iter().enumerate().rev() {
        for j in 0..width {
            let found = best(&costs, i, j, before).0;
            if let Some(slot) = costs.get_mut(i * width + j) {
                *slot = found;
            }
        }
    }
    let mut j = 0;
    old.iter()
        .enumerate()
        .map(|(i, before)| {
            let step = best(&costs, i, j, before).1;
            j += usize::from(step != Step::Remove);
            step
        })
        .collect()
}
