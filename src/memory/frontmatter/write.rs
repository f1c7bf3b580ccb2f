//! Values written as YAML, so that readers of YAML 1.1 and of YAML 1.2 read the same back.

use crate::memory::schema::{Schema, Style};
use crate::memory::{Fields, Timestamp, Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quotes {
    /// None where that is safe.
    Plain,
    /// Single where that is possible.
    Single,
    Double,
}

/// Longer lists go line by line.
const SHORT: usize = 40;

/// A value on one line. `inside` says that it stands in brackets.
pub(crate) fn inline(value: &Value, quotes: Quotes, inside: bool) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) | Value::Int(_) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Text(text) => scalar(text, quotes, inside),
        Value::List(items) => {
            let items = items.iter().map(|item| inline(item, quotes, true));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Value::Map(fields) => {
            let entry = |(name, value): (&str, &Value)| {
                let name = scalar(name, Quotes::Plain, true);
                format!("{name}: {}", inline(value, quotes, true))
            };
            let entries: Vec<_> = fields.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

fn float(value: f64) -> String {
    match value.to_string() {
        _ if value.is_nan() => ".nan".to_owned(),
        _ if value == f64::INFINITY => ".inf".to_owned(),
        _ if value == f64::NEG_INFINITY => "-.inf".to_owned(),
        text if text.contains('.') => text,
        text => text + ".0",
    }
}

/// A text in the wanted quotes, or in others where those cannot hold it.
pub(crate) fn scalar(text: &str, quotes: Quotes, inside: bool) -> String {
    match quotes {
        Quotes::Plain if is_plain(text, inside) => text.into(),
        Quotes::Single if text.chars().all(is_printable) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        // JSON's text is one of YAML, too.
        _ => json::write(text),
    }
}

/// True if a character can stand for itself on one line.
pub(super) const fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}'
        | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}' | '\u{10000}'..)
}

/// True if a text means itself without quotes, to any reader.
fn is_plain(text: &str, inside: bool) -> bool {
    let first = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.' | '(' | '$');
    text.starts_with(first)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && text.chars().all(is_printable)
        && (!inside || !text.contains([',', '[', ']', '{', '}', ':', '?', '"', '\'']))
        && !is_word(text)
        && !is_numeric(text)
}

/// Words that some reader takes for true, false or nothing.
fn is_word(text: &str) -> bool {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// True for text that some reader takes for a number or a date: `1_000`, `1:30`, `0x1f`, `.inf`,
/// `2026-01-01`.
fn is_numeric(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let numeric = |c: char| c.is_ascii_hexdigit() || "xXoO._:+-TtZz ,".contains(c);
    starts && (text.chars().all(numeric) || text.starts_with('.') && text.len() < 6)
}

/// True if a field is one that holds a point in time, whose dates are written without quotes.
pub(crate) fn is_date(name: &str, text: &str) -> bool {
    let name_fits = name.ends_with("At")
        || name.ends_with("_at")
        || name.to_ascii_lowercase().ends_with("date")
        || matches!(name, "created" | "updated" | "modified");
    name_fits && text.len() >= 10 && Timestamp::parse_iso(text).is_some()
}

/// The lines of a new field: tags in brackets, patterns line by line.
pub(crate) fn lines(
    schema: &Schema,
    name: &str,
    value: &Value,
    indent: usize,
    eol: &str,
) -> String {
    let (pad, key) = (" ".repeat(indent), scalar(name, Quotes::Plain, false));
    let style = style(schema, name);
    // A mapping of a schema, as its system writes it; one of a person's may hold anything.
    let is_flat = |inner: &Fields| {
        let mut values = inner.iter().map(|(_, value)| value);
        !inner.is_empty() && values.all(|value| !matches!(value, Value::Map(_)))
    };
    let rest = match value {
        value if style == Style::Bare => bare(value),
        Value::List(_) if style.joins() => inline(&bare(value).into(), quotes(schema, name), false),
        Value::List(items) if by_line(schema, name, items) => {
            let items = item_lines(schema, name, items, indent, eol);
            return format!("{pad}{key}:{eol}{items}");
        }
        Value::Map(inner) if is_flat(inner) => {
            let entry = |(key, value): (&str, &Value)| lines(schema, key, value, indent + 2, eol);
            let entries: String = inner.iter().map(entry).collect();
            return format!("{pad}{key}:{eol}{entries}");
        }
        Value::Text(text) if is_date(name, text) => text.to_string(),
        value => inline(value, quotes(schema, name), false),
    };
    let gap = if rest.is_empty() { "" } else { " " };
    format!("{pad}{key}:{gap}{rest}{eol}")
}

/// A value as the rest of its line, items parted by commas.
pub(crate) fn bare(value: &Value) -> String {
    let items: Vec<String> = match value {
        Value::Null => Vec::new(),
        Value::List(items) => items.iter().map(ToString::to_string).collect(),
        value => vec![value.to_string()],
    };
    items.join(",").trim().to_owned()
}

pub(crate) fn item_lines(
    schema: &Schema,
    name: &str,
    items: &[Value],
    indent: usize,
    eol: &str,
) -> String {
    let (indent, quotes) = match style(schema, name) {
        Style::Dashes => (indent, Quotes::Plain),
        _ => (indent + 2, Quotes::Double),
    };
    let pad = " ".repeat(indent);
    let line = |item: &Value| format!("{pad}- {}{eol}", inline(item, quotes, false));
    items.iter().map(line).collect()
}

fn style(schema: &Schema, name: &str) -> Style {
    let spec = schema.field(name);
    spec.map(|spec| spec.style).unwrap_or_default()
}

pub(crate) fn by_line(schema: &Schema, name: &str, items: &[Value]) -> bool {
    let long = |item: &Value| item.as_str().is_some_and(|text| text.len() > SHORT);
    let by_line = matches!(style(schema, name), Style::Lines | Style::Dashes);
    !items.is_empty() && (by_line || items.iter().any(long))
}

/// The quotes that the writers of the format use.
pub(crate) fn quotes(schema: &Schema, name: &str) -> Quotes {
    match style(schema, name) {
        Style::Quoted | Style::Lines | Style::Comma => Quotes::Double,
        Style::Plain | Style::Dashes | Style::Bare => Quotes::Plain,
    }
}

/// A new memory as the writer of a format makes it: frontmatter if there are fields, a blank line,
/// and the body, with the line endings of the body.
pub fn compose(schema: &Schema, fields: &[(String, Value)], body: &str) -> String {
    let field = |(name, value): &(String, Value)| lines(schema, name, value, 0, "\n");
    let front: String = fields.iter().map(field).collect();
    let text = match front.is_empty() {
        true => body.to_owned(),
        false => format!("---\n{front}---\n\n{body}"),
    };
    match crate::memory::document::is_crlf(body.as_bytes()) {
        true => with_crlf(&text),
        false => text,
    }
}

pub(crate) fn with_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// A file with a memory appended the way the specification says, in the line ends of the file.
pub fn append(existing: &[u8], new: &str) -> Vec<u8> {
    if existing.is_empty() {
        return new.into();
    }
    let mut added = format!("\n\n---\n\n{new}");
    if crate::memory::document::is_crlf(existing) {
        added = with_crlf(&added);
    }
    [existing, added.as_bytes()].concat()
}
