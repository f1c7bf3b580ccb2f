//! The versions of a memory, with the change of each step.
//!
//! Pure: commits are read by `project::commits`, the journal by `store::collection`.

use std::path::PathBuf;
use std::sync::Arc;

use itertools::Itertools as _;

use super::diff;
use super::plan::RowChange;
use crate::memory::{Memory, Timestamp, Value};

/// Effect of a step on a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// Wrote it.
    Added,
    /// Changed its text or its fields.
    #[default]
    Changed,
    /// Moved it here from another file, as it was or changed.
    Moved(PathBuf),
    /// Took it away.
    Deleted,
}

impl Step {
    /// The word of the contract.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Moved(_) => "renamed",
            Self::Deleted => "deleted",
        }
    }
}

/// A memory as a step left it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Version {
    /// The commit, `#` and the number of a step of the journal, or nothing for what is not
    /// committed yet.
    pub rev: Box<str>,
    /// When.
    pub time: Option<Timestamp>,
    /// Who; empty where nobody is named.
    pub author: Box<str>,
    /// The subject of the commit, or the title of the step.
    pub subject: Box<str>,
    /// The file that it stood in, absolute.
    pub path: PathBuf,
    /// Effect of the step.
    pub step: Step,
    /// The memory and the bytes of its file; none where it was taken away.
    pub state: Option<(Arc<Memory>, Arc<Vec<u8>>)>,
    /// The changes of rows that are to be taken back to come to it, of a memory in a database.
    pub rows: Vec<(PathBuf, RowChange)>,
    /// Its fields and its body, as people read them; empty where it was taken away.
    pub text: Box<str>,
    /// The same before the step.
    pub before: Box<str>,
}

/// Digits of a commit that are shown.
const SHORT: usize = 7;

impl Version {
    /// The revision as it is shown.
    pub fn short(&self) -> &str {
        match self.rev.is_empty() {
            true => "now",
            false => self.rev.get(..SHORT).unwrap_or(&self.rev),
        }
    }

    /// The unified diff of what the step changed in the memory, without the names of files.
    pub fn diff(&self) -> String {
        diff::of_texts(&self.before, &self.text)
    }
}

/// A memory as people read it: the text of its file where that is one, else fields and body.
pub fn readable(memory: &Memory, own: &[u8], text: &[u8]) -> String {
    let plain = |text| String::from_utf8_lossy(text).replace("\r\n", "\n");
    let (own, text, mut out) = (plain(own), plain(text), String::new());
    let is_plain = !text.trim().is_empty() && own.starts_with(text.trim_end());
    if !is_plain {
        let fields = memory.fields.iter();
        for (name, value) in fields.filter(|(_, value)| **value != Value::Null) {
            let value = value.to_string().replace('\n', "\n  ");
            // The text itself follows.
            if value.trim_end() != text.trim_end() {
                out += &format!("{name}: {value}\n");
            }
        }
        out.push('\n');
    }
    out + text.trim_end() + "\n"
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// Its name.
    pub name: String,
    /// Its value before.
    pub old: Option<Value>,
    /// Its value afterwards.
    pub new: Option<Value>,
}

/// The fields that differ between two versions, those of the new one first.
pub fn fields(old: Option<&Memory>, new: Option<&Memory>) -> Vec<FieldChange> {
    let value = |memory: Option<&Memory>, name: &str| memory?.fields.get(name).cloned();
    let fields = [new, old].into_iter().flatten();
    let names = fields.flat_map(|memory| memory.fields.iter().map(|(name, _)| name));
    let all = names.unique().map(|name| FieldChange {
        name: name.to_owned(),
        old: value(old, name),
        new: value(new, name),
    });
    all.filter(|one| one.old != one.new).collect()
}
