//! The values of fields, small enough to hold 100,000 memories' worth.

use std::collections::HashSet;
use std::fmt;

use compact_str::CompactString;
use itertools::Itertools as _;
use serde::de::{Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use super::steps::step;

/// A field's value as the store has it.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
#[serde(untagged)]
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
    #[serde(serialize_with = "as_str")]
    Text(CompactString),
    /// A list.
    List(Box<[Value]>),
    /// A mapping inside a field.
    Map(Box<Fields>),
}

fn as_str<S: Serializer>(text: &CompactString, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text)
}

impl Value {
    /// The text, where it is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, where it is one.
    pub const fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
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

    /// The mapping with one more entry; one with nothing else where it is no mapping.
    pub(crate) fn with_entry(&self, key: &str, value: Self) -> Self {
        let old = match self {
            Self::Map(fields) => &fields.0[..],
            _ => &[],
        };
        let own = (CompactString::new(key), value);
        let all = old.iter().cloned().chain([own]);
        Self::from(Fields(all.collect()))
    }

    /// Its kind, in a word a person knows.
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

impl From<Fields> for Value {
    fn from(fields: Fields) -> Self {
        Self::Map(Box::new(fields))
    }
}

impl FromIterator<Self> for Value {
    fn from_iter<I: IntoIterator<Item = Self>>(items: I) -> Self {
        Self::List(items.into_iter().collect())
    }
}

impl fmt::Display for Value {
    /// On one line, for people: list items joined by `, `.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Bool(value) => value.fmt(out),
            Self::Int(value) => value.fmt(out),
            Self::Float(value) => value.fmt(out),
            Self::Text(text) => text.fmt(out),
            Self::List(items) => items.iter().join(", ").fmt(out),
            Self::Map(fields) => {
                let pair = |(name, value): (&str, &Self)| format!("{name}: {value}");
                fields.iter().map(pair).join(", ").fmt(out)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyVisitor)
    }
}

impl From<serde_json::Value> for Value {
    fn from(json: serde_json::Value) -> Self {
        Self::deserialize(json).unwrap_or_default()
    }
}

/// Prefix of the error for a repeated key.
pub(crate) const DUPLICATE: &str = "the key ";

struct AnyVisitor;

// Numbers beyond 64 bits become floats, as JavaScript reads them.
impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Value;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(Value::Float(value as f64))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(Value::Float(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    /// Nothing at all, as a reader of YAML calls an empty text.
    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut items: Vec<Value> = Vec::new();
        while let Some(item) = from.next_element()? {
            items.push(item);
        }
        Ok(Value::List(items.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut fields: Vec<(CompactString, Value)> = Vec::new();
        let mut seen = HashSet::new();
        while let Some((key, value)) = from.next_entry::<Value, Value>()? {
            let key = match key {
                Value::Text(text) => text,
                other => other.to_string().into(),
            };
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("{DUPLICATE}`{key}` occurs twice")));
            }
            fields.push((key, value));
        }
        Ok(Fields(fields.into()).into())
    }

    /// A tag of the writer's own says nothing here: its value counts.
    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<Value, A::Error> {
        let (_, value): (Value, _) = from.variant()?;
        value.newtype_variant()
    }
}

/// Fields in the order of the file. Few per memory, so a look-up walks them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields(Box<[(CompactString, Value)]>);

impl Fields {
    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        step(self.0.len());
        let found = self.iter().find(|(own, _)| *own == name);
        found.map(|(_, value)| value)
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

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Name and value of each, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl<K: AsRef<str>> FromIterator<(K, Value)> for Fields {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(fields: I) -> Self {
        let fields = fields.into_iter();
        let named = fields.map(|(name, value)| (CompactString::new(name), value));
        Self(named.collect())
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter())
    }
}
