//! Reads the properties of a line as the system does: its coercions, and what makes it
//! skip the line (formats: golemcore, "JSON line").

use std::borrow::Cow;

use super::{CONTENT, GOLEMCORE, Instant, LAYERS, TYPES, java, scope};
use crate::memory::json::{self, Entry, Node, slice};
use crate::memory::schema::Kind;
use crate::memory::{Fields, Value};

/// The properties of a line as the system's reader has them.
pub fn fields(line: &[u8], entries: &[Entry]) -> Fields {
    json::fields_as(line, entries, |name, node| Some(meaning(line, name, node)))
}

/// The same of a line; none if it is no JSON object.
pub fn fields_of(line: &[u8]) -> Option<Fields> {
    let object = json::splice::object(line).ok()?;
    Some(fields(line, &object.entries))
}

/// The value of a property as the system's reader has it: a number or a truth value where a text
/// belongs is the text it is written as, and the ordinal of a choice is its word.
pub fn meaning(line: &[u8], name: &str, node: &Node) -> Value {
    let kind = match name {
        CONTENT => Some(Kind::Text),
        name => GOLEMCORE.field(name).map(|spec| spec.kind),
    };
    match (kind, &node.kind) {
        (Some(Kind::Text), _) => as_written(line, node),
        (Some(Kind::Tags), json::Kind::List(items)) => {
            items.iter().map(|item| as_written(line, item)).collect()
        }
        (Some(Kind::Choice(words)), _) => {
            let value = json::meaning(line, node);
            ordinal(&value, words).map_or(value, Value::from)
        }
        _ => json::meaning(line, node),
    }
}

/// The value of a node, a number or a truth value as the text it is written as.
fn as_written(line: &[u8], node: &Node) -> Value {
    match node.kind {
        json::Kind::Number | json::Kind::Bool(_) => {
            Value::from(&*String::from_utf8_lossy(slice(line, &node.span)))
        }
        _ => json::meaning(line, node),
    }
}

/// The word that a number is the ordinal of, also one in quotes without leading zeros.
fn ordinal(value: &Value, words: &[&'static str]) -> Option<&'static str> {
    let number = match value {
        Value::Int(number) => usize::try_from(*number).ok()?,
        Value::Text(text) => {
            let text = java::trim(text);
            let is_plain = text == "0" || !text.starts_with(['0', '+']);
            text.parse().ok().filter(|_| is_plain)?
        }
        _ => return None,
    };
    words.get(number).copied()
}

/// A layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// Of the task at hand.
    Working,
    /// Events.
    Episodic,
    /// What is so.
    Semantic,
    /// How things are done.
    Procedural,
}

impl Layer {
    /// All of them, in the order of the prompt.
    pub const ALL: [Self; 4] = [
        Self::Working,
        Self::Episodic,
        Self::Semantic,
        Self::Procedural,
    ];

    /// The layer with this word.
    pub fn named(word: &str) -> Option<Self> {
        let at = LAYERS.iter().position(|layer| *layer == word)?;
        Self::ALL.get(at).copied()
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        LAYERS.get(self as usize).copied().unwrap_or_default()
    }
}

/// A row as the system has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row<'a> {
    /// Its id.
    pub id: Option<Cow<'a, str>>,
    /// Its layer.
    pub layer: Option<Layer>,
    /// Its type, one of [`TYPES`].
    pub kind: Option<&'static str>,
    /// Its scope as written.
    pub scope: Option<Cow<'a, str>>,
    /// 0 to 1, where the writer kept to it.
    pub confidence: Option<f64>,
    /// 0 to 1, where the writer kept to it.
    pub salience: Option<f64>,
    /// Days it lives.
    pub ttl_days: Option<i32>,
    /// When it was written.
    pub created: Option<Instant>,
    /// When it was last changed.
    pub updated: Option<Instant>,
    /// The key of duplicates.
    pub fingerprint: Option<Cow<'a, str>>,
}

/// Why the reader skips a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The property.
    pub field: &'static str,
    /// The rule of the engine it falls under.
    pub rule: &'static str,
    /// The fault, as a sentence without a full stop.
    pub message: String,
}

impl<'a> Row<'a> {
    /// The row that properties make.
    pub fn of(fields: &'a Fields) -> Result<Self, Fault> {
        let text = |field| take(fields, field, "text", text);
        let number = |field| take(fields, field, "a number", number);
        let instant = |field| instant(fields, field);
        let row = Self {
            id: text("id")?,
            layer: word(fields, "layer", *LAYERS)?.and_then(Layer::named),
            kind: word(fields, "type", *TYPES)?,
            scope: text("scope")?,
            confidence: number("confidence")?,
            salience: number("salience")?,
            ttl_days: take(fields, "ttlDays", "a whole number of days", days)?,
            created: instant("createdAt")?,
            updated: instant("updatedAt")?,
            fingerprint: text("fingerprint")?,
        };
        for name in ["title", CONTENT, "source"] {
            text(name)?;
        }
        for name in ["tags", "references"] {
            texts(fields, name)?;
        }
        instant("lastAccessedAt")?;
        Ok(row)
    }

    /// The point in time that recency and decay count from.
    pub fn stamp(&self) -> Option<Instant> {
        self.updated.or(self.created)
    }

    /// When its `ttlDays` are over.
    pub fn ttl_end(&self) -> Option<Instant> {
        Some(self.created?.plus_days(i64::from(self.ttl_days?)))
    }

    /// The scope it counts under in the tree of a scope.
    pub fn scope_in(&self, tree: &str) -> String {
        let own = scope::normal(self.scope.as_deref().unwrap_or_default());
        let is_of_tree = own == scope::GLOBAL && tree.starts_with("session:");
        if is_of_tree { tree.to_owned() } else { own }
    }

    /// Key that duplicates share, if it has one.
    pub fn identity(&self) -> Option<&str> {
        let mut marks = [&self.fingerprint, &self.id].into_iter();
        marks.find_map(|mark| mark.as_deref().filter(|mark| !java::is_blank(mark)))
    }
}

/// A value as the reader takes it; in that none where it counts as absent.
type Taken<T> = Option<Option<T>>;

/// Takes a property; null and a missing one are absent.
fn take<'a, T>(
    fields: &'a Fields,
    field: &'static str,
    wanted: &str,
    read: impl FnOnce(&'a Value) -> Taken<T>,
) -> Result<Option<T>, Fault> {
    match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read(value).ok_or_else(|| Fault {
            field,
            rule: "unknown-value",
            message: format!("`{field}` is {}, not {wanted}", value.kind()),
        }),
    }
}

/// A text; numbers and truths are taken for their words.
fn text(value: &Value) -> Taken<Cow<'_, str>> {
    match value {
        Value::Text(text) => Some(Some(Cow::Borrowed(&**text))),
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => Some(Some(value.to_string().into())),
        Value::Null => Some(None),
        Value::List(_) | Value::Map(_) => None,
    }
}

fn texts<'a>(fields: &'a Fields, field: &'static str) -> Result<(), Fault> {
    let list = |value: &'a Value| match value {
        Value::List(items) => Some(Some(&**items)),
        _ => None,
    };
    let items = take(fields, field, "a list", list)?.unwrap_or_default();
    let mut wrong = items.iter().enumerate();
    match wrong.find(|(_, item)| text(item).is_none()) {
        None => Ok(()),
        Some((n, item)) => Err(Fault {
            field,
            rule: "unknown-value",
            message: format!("item {} of `{field}` is {}, not text", n + 1, item.kind()),
        }),
    }
}

fn word(
    fields: &Fields,
    field: &'static str,
    words: &'static [&'static str],
) -> Result<Option<&'static str>, Fault> {
    let Some(value) = fields.get(field).filter(|value| **value != Value::Null) else {
        return Ok(None);
    };
    if !matches!(value, Value::Text(_) | Value::Int(_)) {
        return take(fields, field, "text", |_| None);
    }
    let own = value.as_str().map(java::trim);
    let own = words.iter().find(|word| Some(**word) == own).copied();
    let found = own.or_else(|| ordinal(value, words));
    found.map(Some).ok_or_else(|| Fault {
        field,
        rule: "unknown-value",
        message: format!("`{field}` is `{value}`, not one of {}", words.join(", ")),
    })
}

fn number(value: &Value) -> Taken<f64> {
    Some(match value {
        Value::Int(whole) => Some(*whole as f64),
        Value::Float(number) => Some(*number),
        Value::Text(text) => match java::trim(text) {
            "" => None,
            "NaN" => Some(f64::NAN),
            "INF" | "Infinity" => Some(f64::INFINITY),
            "-INF" | "-Infinity" => Some(f64::NEG_INFINITY),
            // Rust reads `inf` and `nan` too.
            text if text.bytes().any(|b| b.is_ascii_digit()) => Some(text.parse().ok()?),
            _ => return None,
        },
        _ => return None,
    })
}

fn days(value: &Value) -> Taken<i32> {
    match value {
        Value::Int(days) => i32::try_from(*days).ok().map(Some),
        Value::Float(days) if days.abs() < 2_147_483_648.0 => Some(Some(*days as i32)),
        Value::Text(text) if java::trim(text).is_empty() => Some(None),
        Value::Text(text) => java::trim(text).parse().ok().map(Some),
        _ => None,
    }
}

fn instant(fields: &Fields, field: &'static str) -> Result<Option<Instant>, Fault> {
    let read = |value: &Value| match value {
        Value::Text(text) if java::trim(text).is_empty() => Some(None),
        Value::Text(text) => {
            let text = java::trim(text);
            let is_digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
            let number = text.bytes().all(is_digit).then(|| text.parse().ok());
            let at = Instant::parse(text).or_else(|| Instant::of_seconds(number??));
            at.map(Some)
        }
        Value::Int(seconds) => Instant::of_seconds(*seconds as f64).map(Some),
        Value::Float(seconds) => Instant::of_seconds(*seconds).map(Some),
        _ => None,
    };
    take(fields, field, "", read).map_err(|fault| {
        let value = fields.get(field).unwrap_or(&Value::Null);
        Fault {
            rule: "bad-date",
            message: format!(
                "`{field}` is `{value}`, not a point in time like 2026-11-20T10:00:00Z"
            ),
            ..fault
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    fn row(json: &str) -> Result<Row<'static>, String> {
        let object = crate::memory::json::splice::object(json.as_bytes()).unwrap();
        let fields = super::fields(json.as_bytes(), &object.entries);
        let fields: &'static Fields = Box::leak(Box::new(fields));
        Row::of(fields).map_err(|fault| fault.message)
    }

    #[test]
    fn what_the_reader_coerces_is_coerced() {
        let read = row(r#"{"id":7,"layer":" SEMANTIC ","type":3,"title":true,"tags":[1,null,"a"],"confidence":"0.5","salience":2,"ttlDays":7.9,"createdAt":1700000000,"updatedAt":"1700000000.5","extra":{"a":[1]}}"#).unwrap();
        let expected = Row {
            id: Some("7".into()),
            layer: Some(Layer::Semantic),
            kind: Some("FIX"),
            confidence: Some(0.5),
            salience: Some(2.0),
            ttl_days: Some(7),
            created: Instant::of_seconds(1_700_000_000.0),
            updated: Instant::of_seconds(1_700_000_000.5),
            ..Row::default()
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn what_the_reader_skips_is_said() {
        for (json, message) in rows! {
            r#"{"layer":"semantic"}"# =>
                "`layer` is `semantic`, not one of WORKING, EPISODIC, SEMANTIC, PROCEDURAL",
            r#"{"type":""}"# => "`type` is ``, not one of",
            r#"{"layer":"02"}"# => "`layer` is `02`, not one of",
            r#"{"layer":"+2"}"# => "`layer` is `+2`, not one of",
            r#"{"layer":"4"}"# => "`layer` is `4`, not one of",
            r#"{"layer":-1}"# => "`layer` is `-1`, not one of",
            r#"{"layer":1.5}"# => "`layer` is a number, not text",
            r#"{"tags":"java"}"# => "`tags` is text, not a list",
            r#"{"tags":[{}]}"# => "item 1 of `tags` is a mapping, not text",
            r#"{"content":["a"]}"# => "`content` is a list, not text",
            r#"{"confidence":"high"}"# => "`confidence` is text, not a number",
            r#"{"ttlDays":3000000000}"# => "`ttlDays` is a number, not a whole number of days",
            r#"{"createdAt":"2026-01-01"}"# => "`createdAt` is `2026-01-01`, not a point in time",
            r#"{"lastAccessedAt":true}"# => "`lastAccessedAt` is `true`, not a point in time",
        } {
            let found = row(json).unwrap_err();
            assert!(found.starts_with(message), "{json}: {found}");
        }
        let none = row(r#"{"ttlDays":"","createdAt":"","confidence":" "}"#);
        assert_eq!(none, Ok(Row::default()));
    }

    #[test]
    fn identity_is_the_fingerprint_else_the_id() {
        for (json, identity) in rows! {
            r#"{"id":"a","fingerprint":"f"}"# => Some("f"),
            r#"{"id":"a","fingerprint":" "}"# => Some("a"),
            r#"{"id":"","fingerprint":null}"# => None,
        } {
            assert_eq!(row(json).unwrap().identity(), identity);
        }
    }

    #[test]
    fn a_global_row_in_a_session_takes_its_scope() {
        let global = row("{}").unwrap();
        assert_eq!(global.scope_in("session:web:a"), "session:web:a");
        assert_eq!(global.scope_in("task:a"), "global");
        let own = row(r#"{"scope":"task:x"}"#).unwrap();
        assert_eq!(own.scope_in("session:web:a"), "task:x");
    }
}
