//! Rows of a database as values: what a plan holds of them, and what a text is drawn from.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One cell of a row, in the storage classes of SQLite.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Cell {
    /// No value.
    #[default]
    Null,
    /// A whole number.
    Int(i64),
    /// Any other number.
    Real(f64),
    /// Text; a database may hold bytes that are no UTF-8 as text.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
}

impl Cell {
    /// The text, where it is text in UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(bytes) => str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// The number, where it is a whole one.
    pub const fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// True if there is no value.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Equality in which a number is itself to the last bit.
    pub fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        }
    }

    /// On one line, for people.
    pub fn shown(&self) -> String {
        match self {
            Self::Null => "NULL".to_owned(),
            Self::Int(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
            Self::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Self::Blob(bytes) => format!("{} bytes", bytes.len()),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.as_bytes().to_vec())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text.into_bytes())
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

/// How a cell is written in JSON: `null`, a number and a text as they are, a whole number with a
/// fraction of none, bytes and text that is no UTF-8 as base64 under a name.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written<'a> {
    Null(()),
    Int(i64),
    Text(std::borrow::Cow<'a, str>),
    Named(Named),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Named {
    /// A number by its bits: JSON has no infinity, and a fraction may lose its last digit.
    Real(u64),
    /// Base64.
    Blob(String),
    /// Base64.
    Bytes(String),
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Self::Null => Written::Null(()),
            Self::Int(number) => Written::Int(*number),
            Self::Real(number) => Written::Named(Named::Real(number.to_bits())),
            Self::Text(bytes) => match str::from_utf8(bytes) {
                Ok(text) => Written::Text(text.into()),
                Err(_) => Written::Named(Named::Bytes(STANDARD.encode(bytes))),
            },
            Self::Blob(bytes) => Written::Named(Named::Blob(STANDARD.encode(bytes))),
        };
        written.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let bytes = |text: &str| STANDARD.decode(text).map_err(D::Error::custom);
        Ok(match Written::deserialize(from)? {
            Written::Null(()) => Self::Null,
            Written::Int(number) => Self::Int(number),
            Written::Text(text) => Self::from(text.into_owned()),
            Written::Named(Named::Real(bits)) => Self::Real(f64::from_bits(bits)),
            Written::Named(Named::Blob(text)) => Self::Blob(bytes(&text)?),
            Written::Named(Named::Bytes(text)) => Self::Text(bytes(&text)?),
        })
    }
}

/// A row: columns in the order of the table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Row(pub Vec<(String, Cell)>);

impl Row {
    /// The cell of a column.
    pub fn get(&self, column: &str) -> Option<&Cell> {
        let found = self.0.iter().find(|(name, _)| name == column);
        found.map(|(_, cell)| cell)
    }

    /// The text of a column.
    pub fn text(&self, column: &str) -> Option<&str> {
        self.get(column)?.as_str()
    }

    /// Gives a column that the table has another value; false where there is none.
    pub fn set(&mut self, column: &str, cell: Cell) -> bool {
        let found = self.0.iter_mut().find(|(name, _)| name == column);
        found.map(|(_, old)| *old = cell).is_some()
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        let same = |((a, x), (b, y)): (&(String, Cell), &(String, Cell))| a == b && x.same(y);
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }
}

impl Eq for Row {}

impl<N: Into<String>> FromIterator<(N, Cell)> for Row {
    fn from_iter<I: IntoIterator<Item = (N, Cell)>>(cells: I) -> Self {
        let cells = cells.into_iter();
        Self(cells.map(|(name, cell)| (name.into(), cell)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cell() -> impl Strategy<Value = Cell> {
        prop_oneof![
            Just(Cell::Null),
            any::<i64>().prop_map(Cell::Int),
            any::<u64>().prop_map(|bits| Cell::Real(f64::from_bits(bits))),
            any::<String>().prop_map(Cell::from),
            any::<Vec<u8>>().prop_map(Cell::Text),
            any::<Vec<u8>>().prop_map(Cell::Blob),
        ]
    }

    proptest! {
        #[test]
        fn every_cell_comes_back_from_json_to_the_last_bit(cells in prop::collection::vec(cell(), 0..6)) {
            let row: Row = cells.into_iter().enumerate().map(|(n, cell)| (n.to_string(), cell)).collect();
            let text = serde_json::to_string(&row).unwrap();
            prop_assert_eq!(serde_json::from_str::<Row>(&text).unwrap(), row);
        }
    }
}
