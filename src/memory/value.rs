//! The values of fields, small enough to hold 100,000 memories' worth.

use std::collections::HashSet;

use compact_str::CompactString;
use serde::de::Deserializer;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::steps::step;

/// A field's value as the store has it.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Value {
    /// Present without a value.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// Text. Up to 24 bytes stand in the value itself: most tags, names, dates and titles, of
    /// which 100,000 memories would else hold a million pieces of the heap.
    Text(CompactString),
    /// A list.
    List(Box<[Value]>),
    /// A mapping inside a field.
    Map(Box<Fields>),
}

impl Value {
    /// The text, where it is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list, or the value itself where it is one scalar; none for null.
    pub fn items(&self) -> std::slice::Iter<'_, Self> {
        let items = match self {
            Self::List(items) => items,
            Self::Null => [].as_slice(),
            _ => std::slice::from_ref(self),
        };
        step(items.len());
        items.iter()
    }

    /// What it is, in a word a person knows.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Int(_) | Self::Float(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value {
    /// Copies it: what a text has grown by is not kept.
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Float(number)
    }
}

impl FromIterator<Self> for Value {
    fn from_iter<I: IntoIterator<Item = Self>>(items: I) -> Self {
        Self::List(items.into_iter().collect())
    }
}

impl std::fmt::Display for Value {
    /// On one line, for people: list items joined by `, `.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Bool(value) => value.fmt(out),
            Self::Int(value) => value.fmt(out),
            Self::Float(value) => value.fmt(out),
            Self::Text(text) => text.fmt(out),
            Self::List(items) => {
                for (n, item) in items.iter().enumerate() {
                    if n > 0 {
                        out.write_str(", ")?;
                    }
                    item.fmt(out)?;
                }
                Ok(())
            }
            Self::Map(fields) => {
                for (n, (name, value)) in fields.iter().enumerate() {
                    if n > 0 {
                        out.write_str(", ")?;
                    }
                    write!(out, "{name}: {value}")?;
                }
                Ok(())
            }
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => to.serialize_unit(),
            Self::Bool(value) => to.serialize_bool(*value),
            Self::Int(value) => to.serialize_i64(*value),
            Self::Float(value) => to.serialize_f64(*value),
            Self::Text(text) => to.serialize_str(text),
            Self::List(items) => to.collect_seq(items.iter()),
            Self::Map(fields) => fields.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        serde_json::Value::deserialize(from).map(Self::from)
    }
}

impl From<serde_json::Value> for Value {
    fn from(json: serde_json::Value) -> Self {
        use serde_json::Value as Json;
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Bool(value),
            Json::Number(number) => number.as_i64().map_or_else(
                || Self::Float(number.as_f64().unwrap_or_default()),
                Self::Int,
            ),
            Json::String(text) => text.into(),
            Json::Array(items) => items.into_iter().map(Self::from).collect(),
            Json::Object(members) => {
                let members = members.into_iter();
                let fields = members.map(|(name, value)| (Box::<str>::from(name), value.into()));
                Self::Map(Box::new(fields.collect()))
            }
        }
    }
}

/// Known names, each with its place.
macro_rules! known_names {
    ($($at:literal $name:literal)*) => {
        /// Names that most fields of most memories have. They are told by their place here, so
        /// that 100,000 memories do not hold their names 100,000 times.
        const KNOWN: &[&str] = &[$($name),*];

        /// The place of a known name. Written out, for the compiler makes it a few comparisons
        /// of numbers, and it is asked for every field of every memory, many times.
        fn known_place(name: &str) -> Option<u8> {
            Some(match name {
                $($name => $at,)*
                _ => return None,
            })
        }
    };
}

known_names! {
    0 "title"
    1 "whenToUse"
    2 "tags"
    3 "importance"
    4 "discoveredAt"
    5 "discoveredBy"
    6 "discoveredIn"
    7 "source"
    8 "relatedMemories"
    9 "created"
    10 "id"
    11 "layer"
    12 "type"
    13 "scope"
    14 "confidence"
    15 "salience"
    16 "ttlDays"
    17 "createdAt"
    18 "updatedAt"
    19 "lastAccessedAt"
    20 "references"
    21 "fingerprint"
    22 "content"
    23 "goal"
    24 "success"
    25 "summary"
    26 "context"
    27 "constraints"
    28 "learnings"
    29 "failure_reason"
    30 "failure_category"
    31 "follow_up_needed"
    32 "approach_chosen"
    33 "why_chosen"
    34 "created_at"
    35 "agent_id"
    36 "session_id"
    37 "project_id"
    38 "files"
    39 "caused_by"
    40 "led_to"
    41 "related_to"
    42 "supersedes"
    43 "blocked_by"
    44 "chapters"
    45 "access_count"
    46 "embedding"
}

fn known_name(at: u8) -> &'static str {
    KNOWN.get(usize::from(at)).copied().unwrap_or_default()
}

/// The name of a field. A known one is never held as text, so equal names are equal values.
#[derive(Clone, Debug, PartialEq)]
enum Name {
    Known(u8),
    Other(Box<str>),
}

impl Name {
    /// A known name.
    fn known(name: &str) -> Option<Self> {
        known_place(name).map(Self::Known)
    }

    fn as_str(&self) -> &str {
        match self {
            Self::Known(at) => known_name(*at),
            Self::Other(name) => name,
        }
    }
}

/// Fields in the order of the file. Few per memory, so a look-up walks them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    names: Names,
    values: Box<[Value]>,
}

/// The names of fields, in their order.
#[derive(Clone, Debug, PartialEq)]
enum Names {
    /// Not so many, and each a known one, by its place; as many as there are values.
    Known([u8; 23]),
    /// Any. In a box, so that the other kind takes no more room than it needs.
    #[expect(
        clippy::box_collection,
        reason = "the list alone is larger than the box"
    )]
    Any(Box<Vec<Name>>),
}

impl Default for Names {
    fn default() -> Self {
        Self::Known([0; 23])
    }
}

impl Names {
    fn of(names: Vec<Name>) -> Self {
        let mut known = [0; 23];
        let fits = names.len() <= known.len();
        let all = names.iter().zip(&mut known).all(|(name, slot)| match name {
            Name::Known(at) => {
                *slot = *at;
                true
            }
            Name::Other(_) => false,
        });
        if fits && all {
            Self::Known(known)
        } else {
            Self::Any(Box::new(names))
        }
    }

    /// The name at a place.
    fn at(&self, place: usize) -> &str {
        match self {
            Self::Known(known) => known.get(place).map_or("", |at| known_name(*at)),
            Self::Any(names) => names.get(place).map_or("", Name::as_str),
        }
    }

    /// The place of a name.
    fn place(&self, name: &str) -> Option<usize> {
        match self {
            Self::Known(known) => {
                let wanted = known_place(name)?;
                known.iter().position(|at| *at == wanted)
            }
            Self::Any(names) => names.iter().position(|own| own.as_str() == name),
        }
    }
}

impl Fields {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        step(self.values.len());
        // Behind the last name there are values no more.
        self.values.get(self.names.place(name)?)
    }

    /// The value at a path: a name, or names of mappings and a name in the last, parted by `.`.
    pub fn at(&self, path: &str) -> Option<&Value> {
        let Some((mapping, rest)) = path.split_once('.') else {
            return self.get(path);
        };
        match self.get(mapping)? {
            Value::Map(fields) => fields.at(rest),
            _ => None,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Name and value of each, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let values = self.values.iter().enumerate();
        values.map(|(place, value)| (self.names.at(place), value))
    }
}

/// Fields that are read one after the other.
pub(crate) struct FieldsBuilder {
    names: Vec<Name>,
    values: Vec<Value>,
    /// The names, once they are too many to be compared one by one.
    known: HashSet<Box<str>>,
}

impl FieldsBuilder {
    /// None yet; room for as many as most memories have.
    pub(crate) fn new() -> Self {
        Self {
            names: Vec::with_capacity(8),
            values: Vec::with_capacity(6),
            known: HashSet::new(),
        }
    }

    /// Number of fields so far.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds a field; false where there is one of that name already.
    pub(crate) fn push(&mut self, name: &str, value: Value) -> bool {
        const FEW: usize = 64;
        let name = Name::known(name).unwrap_or_else(|| Name::Other(name.into()));
        if self.names.len() == FEW && self.known.is_empty() {
            self.known = self.names.iter().map(|name| name.as_str().into()).collect();
        }
        let new = if self.names.len() < FEW {
            step(self.names.len());
            !self.names.contains(&name)
        } else {
            self.known.insert(name.as_str().into())
        };
        if new {
            self.names.push(name);
            self.values.push(value);
        }
        new
    }

    /// The fields.
    pub(crate) fn finish(self) -> Fields {
        Fields {
            names: Names::of(self.names),
            values: self.values.into(),
        }
    }
}

impl<K: Into<Box<str>>> FromIterator<(K, Value)> for Fields {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(fields: I) -> Self {
        let named = |(name, value): (K, Value)| {
            let name: Box<str> = name.into();
            (Name::known(&name).unwrap_or(Name::Other(name)), value)
        };
        let (names, values): (Vec<Name>, Vec<Value>) = fields.into_iter().map(named).unzip();
        Self {
            names: Names::of(names),
            values: values.into(),
        }
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.values.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_have_their_places() {
        for (at, name) in (0..).zip(KNOWN.iter().copied()) {
            assert_eq!(known_place(name), Some(at));
        }
    }
}
