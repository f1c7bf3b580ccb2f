//! Changes to frontmatter by its lines: where it is not YAML, where a key stands inside a mapping,
//! and where the system reads the rest of a line as it is.

use std::ops::Range;

use super::EditError;
use crate::memory::frontmatter::lines::{Entry, entries};
use crate::memory::frontmatter::{spans, write};
use crate::memory::schema::Style;
use crate::memory::{Schema, Value};

/// Why a field is not changed whose lines are not all understood: none of them is rewritten.
const NOT_READ: &str = "a line below the field is not understood; edit the text instead";

/// The replacement that sets or removes the field at a path. Of a YAML value it covers all lines; other
/// values are refused if one of their lines is not understood.
pub(super) fn change(
    (text, is_yaml): (&str, bool),
    (path, value): (&str, Option<&Value>),
    schema: &Schema,
    eol: &str,
) -> Result<(Range<usize>, String), EditError> {
    let all = entries(text);
    let find = |path: &str| all.iter().find(|entry| entry.path == path);
    let entry = find(path);
    let values = is_yaml.then(|| spans::entries(text)).flatten();
    let mut values = values.into_iter().flatten();
    let known = values.find(|own| own.key == path).map(|own| own.end);
    // A reader of single lines takes no others for a part of the value.
    let is_line = |entry: &&Entry<'_>| {
        let spec = schema.field(path);
        spec.is_some_and(|spec| spec.style == Style::Bare) && !entry.value.is_empty()
    };
    let open = || entry.filter(is_line)?.open(text);
    let end = |entry: &Entry<'_>| match known {
        Some(end) => Ok(end),
        None if entry.is_unread && open().is_none() => Err(EditError::from(NOT_READ)),
        None => Ok(entry.block.end),
    };
    let Some(value) = value else {
        let entry = entry.ok_or("the field is not there")?;
        return Ok((entry.block.start..end(entry)?, String::new()));
    };
    let new = written(schema, path, value)?;
    let line = |indent: &str, key: &str| {
        let gap = if new.is_empty() { "" } else { " " };
        format!("{indent}{key}:{gap}{new}{eol}")
    };
    let Some(entry) = entry else {
        let (at, new) = match path.split_once('.') {
            Some((mapping, key)) => {
                let outer = find(mapping).ok_or("the mapping is not there")?;
                let own = |entry: &&Entry<'_>| entry.path.starts_with(&format!("{mapping}."));
                let indent = all.iter().find(own).map_or("  ", |entry| entry.indent);
                (outer.block.end, line(indent, key))
            }
            None => {
                let last = all.iter().map(|entry| entry.block.end).max();
                (last.unwrap_or(text.len()), line("", path))
            }
        };
        // The last line may have no end.
        let before = text.get(..at).unwrap_or_default();
        let open = !before.is_empty() && !before.ends_with('\n');
        let new = if open { format!("{eol}{new}") } else { new };
        return Ok((at..at, new));
    };
    // Blanks behind the colon stay where a value follows them.
    let gap = text.get(entry.colon..entry.value.start).unwrap_or_default();
    let is_joined = gap.is_empty() && !new.is_empty();
    let gap = if is_joined { " " } else { gap };
    let rest = text.get(entry.line_end..).unwrap_or_default();
    let own_end = rest.split_inclusive('\n').next().unwrap_or_default();
    let end = match known {
        None if is_line(&entry) && open().is_none() => entry.line_end + own_end.len(),
        _ => end(entry)?,
    };
    Ok((entry.colon..end, format!("{gap}{new}{own_end}")))
}

/// A value as the rest of a line.
fn written(schema: &Schema, path: &str, value: &Value) -> Result<String, EditError> {
    let spec = schema.field(path);
    if spec.is_none_or(|spec| spec.style != Style::Bare) {
        return Ok(write::inline(value, write::quotes(schema, path), false));
    }
    let text = write::bare(value);
    if text.contains(['\n', '\r']) {
        let why =
            "the system reads one line of this field: a value of several lines cannot be written";
        return Err(why.into());
    }
    Ok(text)
}
