//! Fields that a format has no place for, at the end of the text: a heading that names the format
//! they come from, and a list of them.
//!
//! ```markdown
//! ## Kept from rawko
//!
//! - importance: high
//! - tags: [auth, oauth]
//! - relatedMemories [[login]]
//! ```
//!
//! Names of memories that the other store has are written as links of its format.

use super::fields::RoleFields;
use super::links::{self, Way};
use crate::memory::frontmatter::{self, write};
use crate::memory::{Role, Schema, Value, format};

const HEADING: &str = "## Kept from ";

/// What says that a text had no title above it before it was converted.
pub(super) const TITLE: (&str, &str) = ("heading", "none");

/// The text of what is kept.
pub(super) fn write(left: &[(&'static Schema, Vec<(String, Value)>)], way: &Way<'_>) -> String {
    let block = |(schema, fields): &(&'static Schema, Vec<(String, Value)>)| {
        let line = |name: &str, value: &Value| {
            let name = write::scalar(name, write::Quotes::Plain, true);
            let value = write::inline(value, write::Quotes::Plain, false);
            format!("- {name}: {value}\n")
        };
        let lines = |(name, value): &(String, Value)| {
            let (Value::List(items), true) = (value, is_relation(schema, name)) else {
                return line(name, value);
            };
            let linked = items.iter().map(|item| links::of_name(item.as_str()?, way));
            let linked: Vec<Option<String>> = linked.collect();
            if linked.iter().all(Option::is_none) {
                return line(name, value);
            }
            let lines = items.iter().zip(linked).map(|(item, link)| match link {
                Some(link) => format!("- {name} {link}\n"),
                None => line(name, &std::iter::once(item.clone()).collect()),
            });
            lines.collect()
        };
        let lines: String = fields.iter().map(lines).collect();
        format!("{HEADING}{}\n\n{lines}", schema.format)
    };
    left.iter().map(block).collect::<Vec<_>>().join("\n")
}

/// True if a field of a format names other memories.
fn is_relation(schema: &Schema, name: &str) -> bool {
    let spec = schema.field(name);
    spec.is_some_and(|spec| spec.role == Role::Relations)
}

/// Splits a text into its own part and the fields that were kept in it. Blocks of unknown formats stay
/// in the text.
pub(super) fn parse(body: &str, way: &Way<'_>) -> (String, Vec<RoleFields>) {
    let mut rest = String::with_capacity(body.len());
    let mut kept = Vec::new();
    let mut lines = body.split_inclusive('\n').peekable();
    let mut fence = false;
    while let Some(line) = lines.next() {
        fence ^= line.trim_start().starts_with("```");
        let name = line.trim().strip_prefix(HEADING).filter(|_| !fence);
        let Some(schema) = name.and_then(format::schema_named) else {
            rest.push_str(line);
            continue;
        };
        let (mut fields, mut own) = (Vec::new(), line.to_owned());
        while let Some(line) = lines.peek() {
            let text = line.trim();
            let read = |line: &str| relation(schema, line, way).or_else(|| field(line));
            match text.strip_prefix("- ").map(read) {
                Some(Some(field)) => add(&mut fields, schema, field),
                None if text.is_empty() => {}
                _ => break,
            }
            own.push_str(line);
            lines.next();
        }
        if fields.is_empty() {
            rest.push_str(&own);
            continue;
        }
        kept.push(RoleFields::kept(schema, fields));
    }
    if kept.is_empty() {
        return (body.to_owned(), kept);
    }
    (rest.trim_end().to_owned(), kept)
}

/// Adds a field. A field that names memories may have several lines, whose names are joined.
fn add(fields: &mut Vec<(String, Value)>, schema: &Schema, (name, value): (String, Value)) {
    let known = fields.iter_mut().find(|(known, _)| *known == name);
    match known.filter(|_| is_relation(schema, &name)) {
        Some((_, known)) => *known = known.items().chain(value.items()).cloned().collect(),
        None => fields.push((name, value)),
    }
}

/// Reads a line that links to a memory: the field, and the name of the memory.
fn relation(schema: &'static Schema, line: &str, way: &Way<'_>) -> Option<(String, Value)> {
    let (name, link) = line.split_once(' ')?;
    let target = is_relation(schema, name).then(|| links::name_in(link, schema, way));
    let value = std::iter::once(Value::from(target??)).collect();
    Some((name.to_owned(), value))
}

/// Reads a line with a field.
fn field(line: &str) -> Option<(String, Value)> {
    let fields = frontmatter::read(line).ok()?;
    let mut all = fields.iter();
    let (name, value) = all.next()?;
    all.next()
        .is_none()
        .then(|| (name.to_owned(), value.clone()))
}

#[cfg(test)]
mod tests {
    use super::super::Targets;
    use super::*;

    #[test]
    fn a_heading_without_a_list_stays_in_the_text() {
        let cursor = format::schema_named("cursor").unwrap();
        let way = Way {
            from: (cursor, ""),
            to: (cursor, ""),
            targets: &Targets::default(),
        };
        let text = "A.\n\n## Kept from cursor\n\nprose\n";
        assert_eq!(parse(text, &way).0, text);
        let both = format!("{text}\n## Kept from rawko\n\n- importance: high\n");
        assert_eq!(parse(&both, &way).0, text.trim_end());
    }
}
