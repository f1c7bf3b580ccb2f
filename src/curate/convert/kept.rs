//! Fields that a format has no place for, at the end of the text: a heading that names the format
//! they come from, and a list of them.
//!
//! ```markdown
//! ## Kept from rawko
//!
//! - importance: high
//! - tags: [auth, oauth]
//! ```

use super::fields::RoleFields;
use crate::memory::frontmatter::{self, write};
use crate::memory::{Schema, Value, format};

const HEADING: &str = "## Kept from ";

/// What says that a text had no title above it before it was converted.
pub(super) const TITLE: (&str, &str) = ("heading", "none");

/// The text of what is kept.
pub(super) fn write(left: &[(&'static Schema, Vec<(String, Value)>)]) -> String {
    let block = |(schema, fields): &(&'static Schema, Vec<(String, Value)>)| {
        let line = |(name, value): &(String, Value)| {
            let name = write::scalar(name, write::Quotes::Plain, true);
            let value = write::inline(value, write::Quotes::Plain, false);
            format!("- {name}: {value}\n")
        };
        let lines: String = fields.iter().map(line).collect();
        format!("{HEADING}{}\n\n{lines}", schema.format)
    };
    left.iter().map(block).collect::<Vec<_>>().join("\n")
}

/// A text without what was kept in it, and that. A block of a format that is not known stays text.
pub(super) fn parse(body: &str) -> (String, Vec<RoleFields>) {
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
            match text.strip_prefix("- ").map(field) {
                Some(Some(field)) => fields.push(field),
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

/// A text without what earlier conversions kept in it.
pub fn strip(body: &str) -> String {
    parse(body).0
}

/// A field of its line.
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
    use super::parse;

    #[test]
    fn a_heading_without_a_list_stays_in_the_text() {
        let text = "A.\n\n## Kept from cursor\n\nprose\n";
        assert_eq!(parse(text).0, text);
        let both = format!("{text}\n## Kept from rawko\n\n- importance: high\n");
        assert_eq!(parse(&both).0, text.trim_end());
    }
}
