//! Lossless edits.

use super::Value;

/// One edit of one memory.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldEdit {
    /// Gives a field a value, adding the field where it is missing.
    Set {
        /// Which field.
        field: String,
        /// Its new value.
        value: Value,
    },
    /// Takes a field away.
    Unset {
        /// Which field.
        field: String,
    },
    /// Adds an item at the end of a list.
    AddItem {
        /// Which field.
        field: String,
        /// The item.
        item: Value,
    },
    /// Takes an item out of a list.
    RemoveItem {
        /// Which field.
        field: String,
        /// Which item, from 0.
        index: usize,
    },
    /// Changes an item of a list.
    SetItem {
        /// Which field.
        field: String,
        /// Which item, from 0.
        index: usize,
        /// Its new value.
        value: Value,
    },
    /// Replaces the body.
    Body(String),
    /// Replaces the whole text, for a memory whose frontmatter is broken.
    Text(String),
}

/// Why an edit was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// why
    #[error("{0}")]
    Refused(String),
}

impl FieldEdit {
    /// What it changes, by the name of the field.
    pub fn field_name(&self) -> &str {
        match self {
            Self::Set { field, .. }
            | Self::Unset { field }
            | Self::AddItem { field, .. }
            | Self::RemoveItem { field, .. }
            | Self::SetItem { field, .. } => field,
            Self::Body(_) => "body",
            Self::Text(_) => "text",
        }
    }
}
/// x
pub fn apply(_b: &[u8], _d: usize, _e: &[FieldEdit]) -> Result<Vec<u8>, EditError> { Err(EditError::Refused(String::new())) }
