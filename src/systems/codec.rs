//! A format of files that hold many entries, as the store of such files asks it: bytes become
//! entries, edits become bytes. Nothing here reads or writes a file.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::memory::edit::{EditError, FieldEdit};
use crate::memory::{
    Memory, MemoryId, Problem, Schema, Sight, Stamp, State, StoreId, Timestamp, Value,
};
use crate::retrieval::Options;

/// Start of the LOCAL of an archived entry.
pub const ARCHIVED: &str = "archive/";

/// Result of an edit. It fails where the system would not read it as it is meant, or does not do this.
pub type Result<T, E = EditError> = std::result::Result<T, E>;

/// Refuses something for a reason.
pub fn refuse<T>(why: impl Into<String>) -> Result<T> {
    Err(EditError(why.into()))
}

/// Facts that all entries of one file share.
pub struct EntryFile<'a> {
    /// The store it is in.
    pub store: &'a StoreId,
    /// Its place.
    pub path: Arc<Path>,
    /// In use, or of the archive.
    pub state: State,
    /// Its state when it was read.
    pub stamp: Stamp,
    /// True if the store is this one file.
    pub is_alone: bool,
    /// The settings of the system's own configuration.
    pub options: &'a Options,
}

impl EntryFile<'_> {
    /// A memory of the file with a name, of which nothing is known yet but its line.
    pub fn memory(&self, name: &str, line: u32, schema: &'static Schema) -> Memory {
        let archived = self.state == State::Archived;
        let prefix = if archived { ARCHIVED } else { "" };
        let id = MemoryId::new(self.store, format!("{prefix}{name}"));
        Memory {
            line,
            state: self.state,
            stamp: self.stamp,
            hidden: archived.then(|| "it is archived".into()),
            ..Memory::new(id, self.path.clone(), schema)
        }
    }

    /// The memory that stands for a file which cannot be read, from a line on.
    pub fn unreadable(&self, line: u32, why: &str, schema: &'static Schema) -> Memory {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let memory = self.memory(&name, line, schema);
        let problem = Problem::load_error((line, 1), why);
        Memory {
            title: name.into(),
            sight: Sight::Skipped,
            hidden: memory.hidden.or(Some("the file cannot be read".into())),
            problems: [problem].into(),
            ..memory
        }
    }
}

/// One change of an entry.
#[derive(Clone, Copy, Debug)]
pub enum Change<'a> {
    /// Edits fields or text.
    Fields(&'a [FieldEdit]),
    /// Gives it another name.
    Name(&'a str),
    /// Rewrites text that the system cannot read in the form that it reads.
    Normal,
}

/// A memory that is new.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewMemory<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its other fields, in the order of the schema.
    pub fields: &'a [(String, Value)],
    /// Its body.
    pub body: &'a str,
    /// Its LOCAL, where its format has names and one is wished.
    pub name: Option<&'a str>,
    /// True if the body says the title where it is to: none is put above it.
    pub is_whole: bool,
}

/// The moment of a change, and whether it is one of the archive, which the system does not read.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The state of the entry.
    pub state: State,
    /// The clock.
    pub now: Timestamp,
    /// Seconds east of Greenwich.
    pub east: i64,
}

impl Moment {
    /// The day that it is here at a point in time.
    pub fn day(&self, at: Timestamp) -> String {
        Timestamp(at.0.saturating_add(self.east.saturating_mul(1000))).date()
    }
}

/// A file after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The place of the entry among its entries.
    pub index: usize,
    /// Notes for the person.
    pub notes: Vec<String>,
}

impl Edited {
    /// A file with nothing to say about its change.
    pub const fn new(bytes: Vec<u8>, index: usize) -> Self {
        Self {
            bytes,
            index,
            notes: Vec::new(),
        }
    }
}

/// An entry that is new.
pub struct Composed {
    /// What [`Codec::insert`] takes.
    pub entry: Vec<u8>,
    /// The file it goes to, below the store; empty for a store of one file.
    pub file: String,
    /// Notes for the person.
    pub notes: Vec<String>,
}

/// Edits that raise or lower a memory.
pub struct Raised {
    /// The edits.
    pub edits: Vec<FieldEdit>,
    /// From what to what, and on what grounds.
    pub why: String,
    /// Why the system itself would not do it.
    pub doubt: Option<String>,
}

/// A format of files with many entries.
pub trait Codec: Send + Sync {
    /// The fields of an entry.
    fn schema(&self) -> &'static Schema;
    /// True if a file with these bytes is one of this format.
    fn is_own(&self, bytes: &[u8]) -> bool;
    /// A file without entries.
    fn empty(&self, state: State) -> Vec<u8>;
    /// The bytes of the entries of a file, in order.
    fn spans(&self, bytes: &[u8]) -> Vec<Range<usize>>;
    /// The entries as memories, each by the name it has if no other has it.
    fn memories(&self, bytes: &[u8], file: &EntryFile<'_>) -> Vec<Memory>;
    /// The name of a memory that is known, if its fields tell it.
    fn name(&self, _memory: &Memory) -> Option<String> {
        None
    }
    /// The field that marks entries of several files as copies of one another, beside their names.
    fn mark_of_copies(&self) -> Option<&'static str> {
        None
    }
    /// The text of an entry as people read and edit it.
    fn text(&self, entry: &[u8]) -> Vec<u8>;
    /// The text as the system reads it, of the entry that begins a text.
    fn loader_text(&self, from_entry: &[u8], length: usize) -> Vec<u8>;
    /// Positions in an entry of bytes of its text, in order: the line, the first one 0, and the
    /// column in characters, from 1.
    fn places(&self, entry: &[u8], bytes: &[usize]) -> Option<Vec<(u32, u32)>>;

    /// A file after a change of an entry.
    fn change(&self, bytes: &[u8], index: usize, change: Change<'_>, at: Moment) -> Result<Edited>;
    /// Entries as [`Self::insert`] takes them.
    fn cut(&self, bytes: &[u8], indexes: &[usize]) -> Vec<Vec<u8>>;
    /// A file without some entries, which are in its order.
    fn without(&self, bytes: &[u8], indexes: &[usize], state: State) -> Result<Vec<u8>>;
    /// A file with an entry more: a new one, or one that comes back and stood in `earlier` contents
    /// of the file.
    fn insert(&self, bytes: &[u8], entry: &[u8], earlier: Option<&[&[u8]]>) -> Result<Vec<u8>>;
    /// A new entry. `files` are those of a store of one file: the store and its archive.
    fn compose(&self, new: NewMemory<'_>, files: &[Vec<u8>], at: Moment) -> Result<Composed>;
    /// The file below the store that an entry belongs to after edits of its fields, if these say
    /// another one than it stands in.
    fn home(
        &self,
        _entry: &[u8],
        _edits: &[FieldEdit],
        _path: &Path,
        _at: Moment,
    ) -> Option<String> {
        None
    }
    /// An entry that the system would merge with another one that comes to its file, and why.
    fn twin(&self, _bytes: &[u8], _entry: &[u8]) -> Option<(usize, &'static str)> {
        None
    }
    /// The edits that raise an entry, or lower it; none if the system has nothing but importance.
    fn raise(&self, _entry: &[u8], _up: bool, _options: &Options) -> Option<Result<Raised>> {
        None
    }
    /// The edits that make the system forget an entry; none if it cannot.
    fn forget(&self, _entry: &[u8], _now: Timestamp) -> Option<Vec<FieldEdit>> {
        None
    }
}
