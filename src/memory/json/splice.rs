//! Changes of one member of an object, or of the items of a list, that touch no byte beside them.

use std::ops::Range;

use super::{Entry, JsonError, Kind, Node, meaning, slice, text, value, write};
use crate::memory::Value;

/// An object with the byte ranges of its members.
pub struct Object {
    /// The whole object.
    pub span: Range<usize>,
    /// Its members, in order, duplicates too.
    pub entries: Vec<Entry>,
}

/// Reads the object that a text begins with; bytes behind it are not read.
pub fn object(bytes: &[u8]) -> Result<Object, JsonError> {
    let (node, _) = value(bytes)?;
    match node.kind {
        Kind::Map(entries) => Ok(Object {
            span: node.span,
            entries,
        }),
        _ => Err(JsonError {
            at: node.span.start,
            message: "not an object".to_owned(),
        }),
    }
}

impl Object {
    /// The member that counts: of several with one name the last.
    pub fn entry(&self, bytes: &[u8], wanted: &str) -> Option<&Entry> {
        let is_it = |entry: &&Entry| text(slice(bytes, &entry.key)) == wanted;
        self.entries.iter().rev().find(is_it)
    }

    /// Gives a member another value, written as JSON. A new one stands behind those that come
    /// before it in an order of names, spaced like the others.
    pub fn set(&self, bytes: &[u8], wanted: &str, value: &[u8], order: &[&str]) -> Vec<u8> {
        if let Some(entry) = self.entry(bytes, wanted) {
            return spliced(bytes, &entry.value.span, value);
        }
        let place = order.iter().position(|known| *known == wanted);
        let is_before = |entry: &&Entry| {
            let name = text(slice(bytes, &entry.key));
            let at = order.iter().position(|known| *known == name);
            place.is_none() || at.is_some_and(|at| Some(at) < place)
        };
        let colon = match self.entries.first() {
            Some(first) => slice(bytes, &(first.key.end..first.value.span.start)),
            None => b":",
        };
        let comma = match self.entries.get(..2) {
            Some([one, two]) => slice(bytes, &(one.value.span.end..two.key.start)),
            _ => b",",
        };
        let member = [write(wanted).as_bytes(), colon, value].concat();
        let before = self.entries.iter().rev().find(is_before);
        let (at, new) = match (before, self.entries.first()) {
            (Some(before), _) => (before.value.span.end, [comma, &member].concat()),
            (None, Some(first)) => (first.key.start, [&member, comma].concat()),
            (None, None) => (self.span.start + 1, member),
        };
        spliced(bytes, &(at..at), &new)
    }

    /// Removes every member of a name, each with the comma before it.
    pub fn without(&self, bytes: &[u8], wanted: &str) -> Vec<u8> {
        let mut after = bytes.to_vec();
        for (n, entry) in self.entries.iter().enumerate().rev() {
            if text(slice(bytes, &entry.key)) != wanted {
                continue;
            }
            let before = n.checked_sub(1).and_then(|n| self.entries.get(n));
            let gone = match (before, self.entries.get(n + 1)) {
                (Some(before), _) => before.value.span.end..entry.value.span.end,
                (None, Some(next)) => entry.key.start..next.key.start,
                (None, None) => entry.key.start..entry.value.span.end,
            };
            after = spliced(&after, &gone, b"");
        }
        after
    }
}

fn spliced(bytes: &[u8], range: &Range<usize>, new: &[u8]) -> Vec<u8> {
    let head = bytes.get(..range.start).unwrap_or_default();
    let tail = bytes.get(range.end..).unwrap_or_default();
    [head, new, tail].concat()
}

/// True if two texts are objects that differ in the members of one name alone: every other one has
/// the bytes it had, and nothing outside the object moved.
pub fn differs_in(before: &[u8], after: &[u8], member: &str) -> bool {
    let (Ok(old), Ok(new)) = (object(before), object(after)) else {
        return false;
    };
    fn others<'a>(bytes: &'a [u8], object: &Object, member: &str) -> Vec<&'a [u8]> {
        let outside = [0..object.span.start, object.span.end..bytes.len()];
        let entries = object.entries.iter();
        let others = entries.filter(|entry| text(slice(bytes, &entry.key)) != member);
        let ranges = others.flat_map(|entry| [entry.key.clone(), entry.value.span.clone()]);
        let all = outside.into_iter().chain(ranges);
        all.map(|range| slice(bytes, &range)).collect()
    }
    others(before, &old, member) == others(after, &new, member)
}

fn whole(text: &str) -> Option<Node> {
    let (node, end) = value(text.as_bytes()).ok()?;
    text.get(end..)?.trim().is_empty().then_some(node)
}

/// The bytes of the value of a member; none where there is no such member.
pub fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let object = object(text.as_bytes()).ok()?;
    text.get(object.entry(text.as_bytes(), name)?.value.span.clone())
}

/// The text of an object with a member that has a value, written as JSON, or without it. None
/// where the text is no object.
pub fn set_text(text: &str, name: &str, value: Option<&str>) -> Option<String> {
    whole(text)?;
    let bytes = text.as_bytes();
    let object = object(bytes).ok()?;
    let after = match value {
        Some(value) => object.set(bytes, name, value.as_bytes(), &[]),
        None => object.without(bytes, name),
    };
    let after = String::from_utf8(after).ok()?;
    let is_right = differs_in(bytes, after.as_bytes(), name) && member(&after, name) == value;
    is_right.then_some(after)
}

/// The items of a list that has others now, `places` being those of the ones before. Items that are
/// the same keep their bytes; `write` makes the others: where as many are new as went, each in the
/// place of one of those. Separators between items that stay neighbours are kept; elsewhere it is the
/// `usual` one.
pub fn with_items<E>(
    bytes: &[u8],
    (places, usual): (&[Range<usize>], &[u8]),
    new: &[&Value],
    is_same: impl Fn(usize, &Value) -> bool,
    write: impl Fn(&Value, Option<usize>) -> Result<String, E>,
) -> Result<Vec<u8>, E> {
    let mut free: Vec<usize> = (0..places.len()).collect();
    let mut from: Vec<Option<usize>> = vec![None; new.len()];
    for moved in [false, true] {
        for (at, (item, from)) in new.iter().zip(&mut from).enumerate() {
            let fits = |old: &usize| (moved || *old == at) && is_same(*old, item);
            let found = free.iter().position(fits).filter(|_| from.is_none());
            *from = from.or(found.map(|found| free.remove(found)));
        }
    }
    if free.len() != from.iter().filter(|from| from.is_none()).count() {
        free.clear();
    }
    let (mut out, mut before, mut free) = (Vec::new(), None, free.into_iter());
    for (n, (item, kept)) in new.iter().zip(from).enumerate() {
        let at = kept.or_else(|| free.next());
        let place = at.and_then(|at| places.get(at));
        let last: Option<usize> = std::mem::replace(&mut before, at);
        if n > 0 {
            let ends = last.filter(|last| Some(last + 1) == at);
            let ends = ends.and_then(|last| Some(places.get(last)?.end..place?.start));
            out.extend(ends.map_or(usual, |range| slice(bytes, &range)));
        }
        match place.filter(|_| kept.is_some()) {
            Some(place) => out.extend(slice(bytes, place)),
            None => out.extend(write(item, at)?.into_bytes()),
        }
    }
    Ok(out)
}

/// A text in which a list has other items; equal texts are the same, too. `write` is given the bytes
/// of the item in whose place a new one stands.
pub fn relisted<E>(
    bytes: &[u8],
    list: &Range<usize>,
    nodes: &[Node],
    new: &[&Value],
    write: impl Fn(&Value, Option<&[u8]>) -> Result<String, E>,
) -> Result<Vec<u8>, E> {
    let olds: Vec<Value> = nodes.iter().map(|node| meaning(bytes, node)).collect();
    let is_same = |at: usize, item: &Value| {
        let is_same = |old: &Value| old == item || item.as_str() == Some(&*old.to_string());
        olds.get(at).is_some_and(is_same)
    };
    let places: Vec<Range<usize>> = nodes.iter().map(|node| node.span.clone()).collect();
    let begin = list.start + 1;
    let head = places.first().map_or(begin, |first| first.start);
    let tail = places.last().map_or(list.end - 1, |last| last.end);
    let usual = match &*places {
        [one, two, ..] => slice(bytes, &(one.end..two.start)).to_vec(),
        _ => [b",", slice(bytes, &(begin..head))].concat(),
    };
    let raw = |at: usize| nodes.get(at).map(|node| slice(bytes, &node.span));
    let items = with_items(bytes, (&places, &usual), new, is_same, |item, at| {
        write(item, at.and_then(raw))
    })?;
    Ok(spliced(bytes, &(head..tail), &items))
}

/// The text of a list with other items; none where it is no list.
pub fn list_text<E>(
    text: &str,
    new: &[&Value],
    write: impl Fn(&Value, Option<&[u8]>) -> Result<String, E>,
) -> Option<Result<String, E>> {
    let node = whole(text)?;
    let Kind::List(items) = node.kind else {
        return None;
    };
    let made = relisted(text.as_bytes(), &node.span, &items, new, write);
    Some(made.map(|made| String::from_utf8_lossy(&made).into_owned()))
}
