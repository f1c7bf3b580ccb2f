//! Stores: where memories live. Loading, planning edits, carrying plans out, watching.

pub mod apply;
pub mod collection;
pub(crate) mod control;
pub mod discover;
pub mod disk;
mod entries;
pub(crate) mod files;
mod golemcore;
pub(crate) mod journal;
mod journals;
pub(crate) mod markdown;
mod overlay;
pub mod queue;
mod ralph;
pub(crate) mod restore;
pub(crate) mod rows;
pub(crate) mod rum;
pub(crate) mod watch;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::files::At;
use crate::curate::RowChange;
use crate::memory::edit::FieldEdit;
use crate::memory::{Fields, Memory, Role, Schema, Stamp, State, StoreId, document};
use crate::project::git::GitError;
use crate::retrieval::Options;
use crate::systems::codec::NewMemory;

pub use discover::Format;
pub use overlay::Overlay;
pub use restore::Deleted;

/// Owner of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// In the repository, shared with the team.
    Project,
    /// In the person's home.
    User,
}

impl Scope {
    /// The word of the contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// Description of a store, before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreInfo {
    /// Its id.
    pub id: StoreId,
    /// Its format.
    pub kind: &'static Format,
    /// Whose it is.
    pub scope: Scope,
    /// The folder or file, absolute.
    pub path: PathBuf,
    /// Path of its archived memories.
    pub archive: PathBuf,
}

impl StoreInfo {
    /// The name of its format.
    pub const fn format(&self) -> &'static str {
        self.kind.name
    }

    /// The state of what stands at a path.
    fn state_of(&self, path: &Path) -> State {
        match path.starts_with(&self.archive) {
            true => State::Archived,
            false => State::Active,
        }
    }

    /// The policy its system selects by.
    pub const fn policy(&self) -> &'static str {
        self.kind.policy
    }
}

/// Something a person wants done with one memory of a store.
#[derive(Clone, Debug)]
pub enum Request<'a> {
    /// Edits fields or text: all of the edits or none.
    Edit(&'a Memory, &'a [FieldEdit]),
    /// Saves a text over the one that the person saw, which comes first: another one on disk is not
    /// overwritten. The state of the rest of the file does not count.
    Save(&'a Memory, &'a str, &'a str),
    /// Writes a new memory.
    Add(NewMemory<'a>),
    /// Gives the memory's file another name (LOCAL without extension).
    Rename(&'a Memory, &'a str),
    /// Takes it out of the store.
    Delete(&'a Memory),
    /// Moves it to the archive.
    Archive(&'a Memory),
    /// Brings it back from the archive.
    Restore(&'a Memory),
    /// Gives every memory of the file, from the second on, a file of its own.
    SplitFile(&'a Memory),
    /// Makes the file one that the system's own loader reads: line ends, BOM, leading blanks.
    Normalize(&'a Memory),
}

/// How links name a memory after a change.
#[derive(Clone, Copy, Debug)]
pub enum NewName<'a> {
    /// By a new LOCAL; its file has a new name too.
    Local(&'a str),
    /// By a new value of this field: the title, or the permanent id.
    Field(Role, &'a str),
    /// By its name in the store that it was moved to.
    Called(&'a str),
    /// Not at all: the store no longer has it.
    Gone,
}

/// Memories that links name otherwise after a change.
pub type Renames<'a> = [(&'a Memory, NewName<'a>)];

/// Why something could not be done with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file system said no.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Its error.
        source: std::io::Error,
    },
    /// The file changed on disk since it was read.
    #[error("{path} changed on disk since it was read", path = .0.display())]
    Changed(PathBuf),
    /// Another program is at work on the file or on the stores of this root, and does not come to
    /// an end.
    #[error("another program holds {path}", path = .0.display())]
    Locked(PathBuf),
    /// Another program is writing to a database, and does not come to an end.
    #[error("another program is writing to {path}", path = .0.display())]
    Busy(PathBuf),
    /// Something stands where the result would go.
    #[error("{path} exists already", path = .0.display())]
    Exists(PathBuf),
    /// A step failed, and so did taking it back.
    #[error(
        "{0}; a part of the change is on the disk, and the next start of memkeep takes it back"
    )]
    Part(Box<StoreError>),
    /// The edit cannot be made without touching other bytes, or its system would not read the result.
    #[error(transparent)]
    Edit(#[from] crate::memory::edit::EditError),
    /// A file of settings beside the store cannot be read.
    #[error("{path} cannot be read: {why}", path = path.display())]
    Settings {
        /// Which file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column in characters, from 1.
        column: usize,
        /// Why.
        why: String,
    },
    /// Git gave no answer.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A step cannot be undone or redone before another one, which the text names.
    #[error("{0}")]
    Later(String),
    /// The system itself would not do this; the reason.
    #[error("{0}")]
    Doubtful(String),
    /// The store does not do this; the reason.
    #[error("{0}")]
    Refused(String),
}

/// Result of what is done with stores.
pub type Result<T = (), E = StoreError> = std::result::Result<T, E>;

fn refused(why: impl Into<String>) -> StoreError {
    StoreError::Refused(why.into())
}

/// Refuses something for a reason.
fn refuse<T>(why: impl Into<String>) -> Result<T> {
    Err(refused(why))
}

/// Refuses a memory that has left a state, or is not in it yet.
fn refuse_unless(state: State, memory: &Memory) -> Result {
    let id = &memory.id;
    match state {
        _ if memory.state == state => Ok(()),
        State::Active => refuse(format!("{id} is archived already")),
        State::Archived => refuse(format!("{id} is not archived")),
    }
}

/// How a memory is raised or lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// From what to what, and on what grounds.
    pub why: String,
    /// Why the system itself would not do it.
    pub doubt: Option<String>,
}

/// Result of a load beside the memories.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The memories, by path bytes and position.
    pub memories: Vec<Arc<Memory>>,
    /// Places that could not be read, with the reason.
    pub problems: Vec<String>,
}

/// The runs of known memories that stand in one file.
fn by_path(known: &[Arc<Memory>]) -> HashMap<&Path, &[Arc<Memory>]> {
    known
        .chunk_by(|a, b| a.path == b.path)
        .filter_map(|run| run.first().map(|memory| (&*memory.path, run)))
        .collect()
}

/// Takes pieces of a load; false ends it.
pub type Emit<'a> = &'a mut dyn FnMut(&[Arc<Memory>]) -> bool;

/// The locks that a system takes to write; let go of when this is dropped.
pub type Guard = Vec<disk::Lock>;

/// One place that holds memories in one format. A new format is one file beside this one and a
/// line in [`discover::FORMATS`].
pub trait Store: Send + Sync {
    /// What it is.
    fn info(&self) -> &StoreInfo;
    /// The fields of its memories.
    fn schema(&self) -> &'static Schema;
    /// Reads everything, archive included. `known` is an earlier load: what has the same stamp
    /// is taken from it. `emit` gets the memories in order, in pieces, as they are read; where
    /// it returns false the load ends early.
    fn load(&self, known: &[Arc<Memory>], emit: Emit<'_>) -> Loaded;
    /// True if a file with these bytes, which a link leads to, is one of this format.
    fn is_own(&self, _bytes: &[u8]) -> bool {
        true
    }
    /// The memories of a file with these bytes, as a load would give them.
    fn parse(&self, _path: &Path, _bytes: &[u8], _stamp: Stamp) -> Vec<Arc<Memory>> {
        Vec::new()
    }
    /// Adds what a request changes to an overlay.
    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result;
    /// Brings a deleted memory back.
    fn put_back(&self, deleted: &Deleted<'_>, _overlay: &mut Overlay) -> Result {
        Err(deleted.refused())
    }
    /// Makes the empty store, where it is a file; a folder is made as it is.
    fn make(&self, _overlay: &mut Overlay) -> Result {
        Ok(())
    }
    /// Adds what raises a memory (or lowers it) to an overlay: where the format has nothing else,
    /// its importance.
    fn promote(&self, memory: &Memory, up: bool, overlay: &mut Overlay) -> Result<Promotion> {
        by_importance(self, memory, up, overlay)
    }
    /// The folders to watch, each with what lies below it or not: that of the store's file, and
    /// of the file that a link there leads to.
    fn watch(&self) -> Vec<(PathBuf, bool)> {
        files::folders_of(&self.info().path)
    }
    /// The bytes of a memory's file, if it is as it was when the memory was read.
    fn bytes(&self, memory: &Memory) -> Result<Arc<Vec<u8>>> {
        let (bytes, meta) = files::read(&memory.path)?;
        match files::stamp_of(&meta) == memory.stamp {
            true => Ok(Arc::new(bytes)),
            false => Err(StoreError::Changed(memory.path.to_path_buf())),
        }
    }
    /// The text of a memory as people read and edit it, and as [`Request::Save`] takes it, from the
    /// file as it is now. If the format writes a body with marks or escapes, it is the decoded
    /// body; else the bytes of the span. [`Memory::body`] says where the body lies in it.
    fn text(&self, memory: &Memory) -> Result<Vec<u8>> {
        Ok(self.text_in(memory, &self.bytes(memory)?))
    }
    /// The same in a file with these bytes.
    fn text_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        document::part(bytes, memory.span.clone()).to_vec()
    }
    /// The body of a memory as the system's own loader reads it; the text, where it reads that.
    fn loader_body(&self, memory: &Memory) -> Result<Vec<u8>> {
        Ok(self.loader_body_in(memory, &self.bytes(memory)?))
    }
    /// The same in a file with these bytes.
    fn loader_body_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        self.text_in(memory, bytes)
    }
    /// The file that a memory with this LOCAL stands in, or would, its `#2` taken off; refused
    /// where it would lie outside the store. Where LOCAL does not say, the folder it is in.
    fn file_of(&self, _local: &str) -> Result<PathBuf> {
        Ok(self.info().path.clone())
    }
    /// Reads the injection settings of the system's own configuration, for its policy. `root` is
    /// the folder of the project.
    fn settings(&self, _root: &Path) -> Result<Options> {
        Ok(Options::default())
    }
    /// The fields of other kinds of its memories than a new one is of.
    fn other_schemas(&self) -> Vec<&'static Schema> {
        Vec::new()
    }
    /// True if another program held the store when it was last loaded, so that what is in it was
    /// not seen.
    fn is_held(&self) -> bool {
        false
    }
    /// Takes the lock that the system itself takes to write, for as long as a change lasts.
    fn lock(&self) -> Result<Guard> {
        Ok(Guard::new())
    }
    /// Adds what several requests change to an overlay, the last memory of a file first.
    fn stage_all(&self, requests: &[Request<'_>], overlay: &mut Overlay) -> Result {
        requests.iter().try_for_each(|one| self.stage(one, overlay))
    }
    /// Describes the data removed with a memory, in words, if that is more than the memory.
    fn goes_with(&self, _memory: &Memory) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
    /// Adds what comes back with the memories that are staged to come back: what joins them with
    /// others. `gone` are the rows of this store that steps took away which are in force.
    fn come_back(&self, _gone: &[&RowChange], _overlay: &mut Overlay) -> Result {
        Ok(())
    }
    /// Adds what makes the system forget a memory to an overlay.
    fn forget(&self, memory: &Memory, _overlay: &mut Overlay) -> Result {
        Err(never_forgets(memory))
    }
    /// Why a memory keeps the name of its file; none where the system goes by no name.
    fn fixed_name(&self, _memory: &Memory) -> Option<String> {
        None
    }
    /// Rewrites what names memories of the store in texts: as they are called now, or plainly
    /// where they are gone.
    fn follow(
        &self,
        _changed: &Renames<'_>,
        _texts: &[Arc<Memory>],
        _overlay: &mut Overlay,
    ) -> Result {
        Ok(())
    }
    /// True if the file of a memory may be a symbolic link: one that is not is not looked at.
    fn may_be_link(&self, _memory: &Memory) -> bool {
        true
    }
    /// Returns the written text of a memory for word searches, if its displayed text is drawn from
    /// that with words of our own; none if it is the body.
    fn said(&self, _memory: &Memory) -> Result<Option<String>> {
        Ok(None)
    }
    /// The fields of a memory that are inside of others and not held, from the store as it is now.
    fn inner(&self, _memory: &Memory) -> Result<Fields> {
        Ok(Fields::default())
    }
    /// The files that import the file of a memory.
    fn importers(&self, _memory: &Memory) -> Vec<PathBuf> {
        Vec::new()
    }
    /// Describes the things that a memory names and that are no memories: the kind of each, and a
    /// line about it. None of it is held.
    fn beside(&self, _memory: &Memory) -> Result<Vec<(&'static str, String)>> {
        Ok(Vec::new())
    }
    /// Returns the positions in the file of bytes of a memory's text, in order: line and column in
    /// characters, from 1. None where the text is that of the file, byte for byte.
    fn places_of(&self, _memory: &Memory, _bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        None
    }
    /// The body in the text of a memory.
    fn body_of(&self, memory: &Memory, text: &[u8]) -> Vec<u8> {
        let place = |at: usize| at.saturating_sub(memory.span.start);
        document::part(text, place(memory.body.start)..place(memory.body.end)).to_vec()
    }
}

/// The fields of all kinds of a store's memories, those of a new one first.
pub fn schemas(store: &dyn Store) -> Vec<&'static Schema> {
    let others = store.other_schemas();
    std::iter::once(store.schema()).chain(others).collect()
}

fn never_forgets(memory: &Memory) -> StoreError {
    StoreError::Refused(format!(
        "{} memories cannot be forgotten: archive or delete {}",
        memory.schema.format, memory.id
    ))
}

/// Raises or lowers a memory's importance.
fn by_importance(
    store: &(impl Store + ?Sized),
    memory: &Memory,
    up: bool,
    overlay: &mut Overlay,
) -> Result<Promotion> {
    let (edit, why) = crate::curate::promote::importance(memory, up)
        .map_err(|why| StoreError::Refused(format!("{}: {why}", memory.id)))?;
    store.stage(&Request::Edit(memory, &[edit]), overlay)?;
    Ok(Promotion { why, doubt: None })
}
