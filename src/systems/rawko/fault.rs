//! Finds the fault that keeps a memory from its patterns: the loader, which skips it, or the specs'
//! code, which would fail on it.

use super::Dialect;
use super::score::level;
use crate::memory::{Memory, Role, Sight, State, Value};
use crate::retrieval::{Reason, js};

/// Why a memory is not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The word of it.
    pub reason: Reason,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Archived,
    /// Reason given by the store: a path or a form the loader does not read.
    Unread,
    Later,
    Missing(&'static str),
    /// A field, and what it is not.
    Wrong(&'static str, &'static str),
}

impl Fault {
    const fn new(reason: Reason, kind: Kind) -> Self {
        Self { reason, kind }
    }

    /// Describes the repair for a person.
    pub fn words(&self, memory: &Memory) -> String {
        match self.kind {
            Kind::Archived => "restore it from the archive".to_owned(),
            Kind::Unread => memory
                .hidden
                .as_deref()
                .map_or("the loader does not read it", |why| {
                    why.strip_prefix("the loader finds no frontmatter: ")
                        .unwrap_or(why)
                })
                .to_owned(),
            Kind::Later => "only the first memory of a file is read".to_owned(),
            Kind::Missing(field) => format!("`{field}` is missing"),
            Kind::Wrong(field, what) => format!("`{field}` is {what}"),
        }
    }
}

/// The first thing that keeps a memory from its patterns.
pub fn of(memory: &Memory, dialect: Dialect) -> Option<Fault> {
    let sdk = dialect == Dialect::Sdk;
    let unread = |reason| Some(Fault::new(reason, Kind::Unread));
    match memory.sight {
        _ if memory.state == State::Archived => {
            return Some(Fault::new(Reason::Archived, Kind::Archived));
        }
        Sight::Skipped | Sight::Off => return unread(Reason::Invisible),
        _ if memory.document > 0 && dialect != Dialect::Natural => {
            return Some(Fault::new(Reason::Invisible, Kind::Later));
        }
        Sight::NoFields if sdk => return unread(Reason::Invisible),
        Sight::NoFields => return unread(Reason::Invalid),
        Sight::Seen | Sight::TextOnly | Sight::Later | Sight::Invalid => {}
    }
    let kind = if sdk { skipped(memory) } else { None };
    if let Some(kind) = kind {
        return Some(Fault::new(Reason::Invisible, kind));
    }
    let kind = title(memory)
        .or_else(|| missing(memory, Role::Patterns))
        .or_else(|| missing(memory, Role::Importance))
        .or_else(|| missing(memory, Role::Author))
        .or_else(|| importance(memory, dialect))
        .or_else(|| tags(memory, sdk))?;
    Some(Fault::new(Reason::Invalid, kind))
}

fn wrong(memory: &Memory, role: Role, what: &'static str) -> Option<Kind> {
    missing(memory, role).or_else(|| Some(Kind::Wrong(memory.schema.role(role)?.name, what)))
}

fn missing(memory: &Memory, role: Role) -> Option<Kind> {
    let lacks = memory.role(role).is_none_or(|value| *value == Value::Null);
    lacks.then_some(Kind::Missing(memory.schema.role(role)?.name))
}

const fn is_text(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Text(_)))
}

/// The title's `toLowerCase`.
fn title(memory: &Memory) -> Option<Kind> {
    let text = is_text(memory.role(Role::Title));
    (!text)
        .then(|| wrong(memory, Role::Title, "not text"))
        .flatten()
}

/// The importance's `toUpperCase`, which only the selected reach: with a least importance those
/// that are one, or a list of one, which JavaScript takes for its item.
fn importance(memory: &Memory, dialect: Dialect) -> Option<Kind> {
    let value = memory.role(Role::Importance)?;
    let reached = dialect == Dialect::Unified || level(&js::string(value)).is_some();
    let text = is_text(Some(value));
    (reached && !text)
        .then(|| wrong(memory, Role::Importance, "not text"))
        .flatten()
}

/// A truthy value other than a list has no `filter` in JavaScript, and the real code calls
/// `toLowerCase` on every item.
fn tags(memory: &Memory, sdk: bool) -> Option<Kind> {
    let fails = match memory.role(Role::Tags)? {
        Value::Null | Value::Bool(false) | Value::Int(0) => false,
        Value::List(tags) if sdk && tags.iter().any(|tag| tag.as_str().is_none()) => {
            return wrong(memory, Role::Tags, "a list with more than text");
        }
        Value::List(_) => false,
        Value::Text(text) => !text.is_empty(),
        Value::Float(number) => *number != 0.0 && !number.is_nan(),
        Value::Bool(true) | Value::Int(_) | Value::Map(_) => true,
    };
    fails
        .then(|| wrong(memory, Role::Tags, "not a list"))
        .flatten()
}

/// Returns the error that the validity check of the real loader finds. Told from the fields and not
/// from what was found at loading, for an edit is tried before it is made.
fn skipped(memory: &Memory) -> Option<Kind> {
    let text = |role| {
        let is = is_text(memory.role(role));
        (!is).then(|| wrong(memory, role, "not text")).flatten()
    };
    let list = |role| matches!(memory.role(role), Some(Value::List(_)));
    let patterns = is_text(memory.role(Role::Patterns)) || list(Role::Patterns);
    let known = memory.importance().and_then(level).is_some();
    text(Role::Title)
        .or_else(|| {
            (!patterns).then(|| wrong(memory, Role::Patterns, "neither text nor a list"))?
        })
        .or_else(|| (!list(Role::Tags)).then(|| wrong(memory, Role::Tags, "not a list"))?)
        .or_else(|| (!known).then(|| wrong(memory, Role::Importance, "not low to critical"))?)
        .or_else(|| text(Role::Created))
        .or_else(|| text(Role::Author))
}
