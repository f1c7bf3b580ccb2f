//! The new path in place of the old one.

use super::Stale;
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
pub(super) fn replace(look: &Look<'_>, stale: &Stale, new: &str) -> Option<Fix> {
    let items = stale.items.iter().map(|(field, item)| FieldEdit::SetItem {
        field: field.to_string(),
        index: *item,
        value: Value::from(new),
    });
    let mut edits: Vec<FieldEdit> = items.collect();
    if !stale.places.is_empty() {
        edits.push(FieldEdit::Body(body(look, stale, new)?));
    }
    let title = format!("name {} instead", quote(new));
    (!edits.is_empty()).then(|| look.edit(title, edits))
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
