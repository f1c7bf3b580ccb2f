//! The fix that writes the new path over the old one.

use super::Target;
use crate::lint::chars::{quote, replaced};
use crate::lint::{Fix, Subject};
use crate::memory::Value;
use crate::memory::edit::FieldEdit;

/// The new path in the place of the old one, in the signs that the old one was written in: behind
/// the same root, and with the signs of Windows, which JSON writes twice.
fn written_over(old: &str, written: &str, new: &str) -> Option<String> {
    let sign = ["\\\\", "\\"].into_iter().find(|sign| old.contains(sign));
    let sign = sign.unwrap_or("/");
    let head = old.strip_suffix(&written.replace('/', sign))?;
    Some(format!("{head}{}", new.replace('/', sign)))
}

/// The fix that writes these paths over targets, which a person may review first; none for a text
/// that is drawn from fields.
pub(super) fn fix(subject: &Subject<'_>, rewrites: &[(&Target, &str)]) -> Option<Fix> {
    let (first, others) = rewrites.split_first()?;
    let (start, body) = subject.body();
    let (mut edits, mut new) = (Vec::new(), Vec::new());
    for (target, path) in rewrites {
        edits.extend(
            target
                .items
                .iter()
                .map(|(field, index)| FieldEdit::SetItem {
                    field: field.to_string(),
                    index: *index,
                    value: Value::from(*path),
                }),
        );
        for spot in &target.spots {
            let at = spot.start.checked_sub(start)?..spot.end.checked_sub(start)?;
            let over = written_over(body.get(at.clone())?, &target.written, path)?;
            new.push((at, over));
        }
    }
    new.sort_by_key(|(at, _)| at.start);
    if !new.is_empty() {
        edits.push(FieldEdit::Body(replaced(body, new)));
    }
    let title = match others.len() {
        0 => format!("name {} instead", quote(first.1)),
        more => format!("name {} and {more} more instead", quote(first.1)),
    };
    let may = !edits.is_empty() && !subject.memory.schema.in_rows();
    may.then(|| subject.edit(title, edits))
}
