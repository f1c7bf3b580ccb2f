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

/// The fate of an old item.
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
    // For each old item, and behind the last: the edits that the rest takes from each new item on,
    // and the first of them.
    let most = new.len();
    let mut rows = vec![
        (0..=most)
            .map(|j| (most - j, Step::Keep))
            .collect::<Vec<_>>(),
    ];
    for before in old.iter().rev() {
        let below = rows.last().map_or(&[][..], Vec::as_slice);
        let cost = |j: usize| below.get(j).map_or(usize::MAX / 2, |(cost, _)| *cost);
        let best = |j: usize| {
            let remove = (cost(j) + 1, Step::Remove);
            let stay = match new.get(j) {
                None => return remove,
                Some(after) if same(before, after) => (cost(j + 1), Step::Keep),
                Some(_) => (cost(j + 1) + 1, Step::Set),
            };
            if stay.0 <= remove.0 { stay } else { remove }
        };
        let row = (0..=most).map(best).collect();
        rows.push(row);
    }
    let mut j = 0;
    let steps = rows.iter().skip(1).rev().map(|row| {
        let step = row.get(j).map_or(Step::Keep, |(_, step)| *step);
        j += usize::from(step != Step::Remove);
        step
    });
    steps.collect()
}
