//! The new path in place of the old one.

use super::beside::names;
use super::{Manner, Manners, Stale, extract};
use crate::lint::chars::quote;
use crate::lint::repository::History;
use crate::lint::{Fix, Look};
use crate::memory::Value;
use crate::memory::edit::FieldEdit;

/// The new path as short as the old one was written, where that still says which file it is.
pub(super) fn shortened(history: &History, path: &str, written: &str, now: &str) -> String {
    let head = path.strip_suffix(written).unwrap_or_default();
    let short = now.strip_prefix(head).filter(|_| !head.is_empty());
    let one = |short: &&str| history.named(short).nth(1).is_none();
    short.filter(one).unwrap_or(now).to_owned()
}

/// The fix that writes the new path wherever the old one stands.
pub(super) fn replace(look: &Look<'_>, history: &History, stale: &Stale, new: &str) -> Option<Fix> {
    let title = format!("name {} instead", quote(new));
    let edits = if look.memory.schema.in_rows() {
        of_row(look, history, stale, new)
    } else {
        let items = stale.items.iter().map(|(field, item)| FieldEdit::SetItem {
            field: field.to_string(),
            index: *item,
            value: Value::from(new),
        });
        let mut edits: Vec<FieldEdit> = items.collect();
        if !stale.places.is_empty() {
            edits.push(FieldEdit::Body(body(look, stale, new)?));
        }
        edits
    };
    (!edits.is_empty()).then(|| look.edit(title, edits))
}

/// The same where the text is drawn from fields. What the agent did stays as it was done, and what
/// follows from other fields follows.
fn of_row(look: &Look<'_>, history: &History, stale: &Stale, new: &str) -> Vec<FieldEdit> {
    let schema = look.memory.schema;
    let own =
        |name: &str| schema.field(name).is_some() && !schema.is_fixed(name) && name != "actions";
    let inner = look.cx.texts.inner(look.memory);
    let mut edits = Vec::new();
    for (name, value) in look.memory.fields.iter().chain(inner.iter()) {
        let is_list = matches!(value, Value::List(_));
        for (index, item) in value.items().enumerate().filter(|_| own(name)) {
            let text = item
                .as_str()
                .and_then(|text| written(text, history, stale, new));
            let field = name.to_owned();
            edits.extend(text.map(Value::from).map(|value| match is_list {
                true => FieldEdit::SetItem {
                    field,
                    index,
                    value,
                },
                false => FieldEdit::Set { field, value },
            }));
        }
    }
    edits
}

/// A text with the new path in it, but where it tells of the past; nothing where the old one does not
/// stand there alone.
fn written(text: &str, history: &History, stale: &Stale, new: &str) -> Option<String> {
    if !text.contains(&*stale.written) || names(text, &stale.written, new, true) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + new.len());
    let mut from = 0;
    let mut manners = Manners::of(text);
    let known = |path: &str| path == &*stale.written;
    extract::paths(text, &history.root, &known, &mut |named| {
        let at = named.bytes.clone();
        let same = text.get(at.clone()) == Some(&*stale.written) && known(&named.path);
        let mut lives = || manners.manner(&at) == Manner::Directive;
        if same && at.start >= from && lives() {
            out.push_str(text.get(from..at.start).unwrap_or_default());
            out.push_str(new);
            from = at.end;
        }
    });
    out.push_str(text.get(from..)?);
    (from > 0).then_some(out)
}

fn body(look: &Look<'_>, stale: &Stale, new: &str) -> Option<String> {
    let (start, body) = look.body();
    let mut out = String::with_capacity(body.len() + 64);
    let mut from = 0;
    for place in &stale.places {
        let at = place.start.checked_sub(start)?..place.end.checked_sub(start)?;
        let written = body.get(at.clone())?;
        out.push_str(body.get(from..at.start)?);
        if written == &*stale.written {
            out.push_str(new);
        } else {
            // As Windows writes it, in JSON with two signs for one.
            let sign = if written.contains("\\\\") {
                "\\\\"
            } else {
                "\\"
            };
            if written.replace(sign, "/") != *stale.written {
                return None;
            }
            out.push_str(&new.replace('/', sign));
        }
        from = at.end;
    }
    out.push_str(body.get(from..)?);
    Some(out)
}
