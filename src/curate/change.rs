//! Changes as a person asks for them, before they meet the bytes of files.

use std::sync::Arc;

use crate::lint::FixAction;
use crate::lint::answers::Resolution;
use crate::lint::baseline::Old;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, StoreId, Timestamp, Value};

/// A change that a person asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Edits fields or text of memories.
    Edit {
        /// Which memories.
        ids: Vec<MemoryId>,
        /// What changes in each.
        edits: Vec<FieldEdit>,
        /// What the person saw in fields, where one looked: a memory that has something else there
        /// by now is not edited.
        seen: Vec<(Box<str>, Option<Value>)>,
    },
    /// Saves a text over the text it was made from, the conflict already seen where there was
    /// one (`expected` is what the person saw on disk).
    Text {
        /// Which memory.
        id: MemoryId,
        /// The text the person saw.
        expected: String,
        /// The text to save.
        text: String,
    },
    /// Writes a new memory.
    Add {
        /// The store it goes to; the first one where none is named.
        store: Option<StoreId>,
        /// Its title.
        title: String,
        /// Its other fields.
        fields: Vec<(String, Value)>,
        /// Its body.
        body: String,
    },
    /// Gives a memory another name.
    Rename {
        /// Which memory.
        id: MemoryId,
        /// The new LOCAL.
        to: String,
    },
    /// Takes memories out of their stores.
    Delete {
        /// Which memories.
        ids: Vec<MemoryId>,
        /// Also where more goes with them.
        sure: bool,
    },
    /// Moves memories to the archive.
    Archive(Vec<MemoryId>),
    /// Brings memories back from the archive.
    Restore(Vec<MemoryId>),
    /// Raises memories (or lowers them): their importance, or their layer.
    Promote {
        /// Which memories.
        ids: Vec<MemoryId>,
        /// Up or down.
        up: bool,
        /// Also where their system itself would not.
        sure: bool,
    },
    /// Makes one of two: the first says what both say, the second goes.
    Merge {
        /// The one that keeps its place and id.
        keep: MemoryId,
        /// The one that goes to the archive.
        with: MemoryId,
        /// Whether it is deleted instead.
        delete: bool,
    },
    /// Makes their system forget memories.
    Forget(Vec<MemoryId>),
    /// Makes an empty store in the project, where there is none.
    Init,
    /// Applies fixes of findings.
    Fix(Vec<(MemoryId, FixAction)>),
    /// Remembers what the person says of two memories that a rule asked about, so that it is not
    /// asked again until one of them changes.
    Answer {
        /// The rule that asked.
        rule: String,
        /// The one memory.
        a: MemoryId,
        /// The other.
        b: MemoryId,
        /// What they say; A and B are the memories in this order.
        answer: Resolution,
        /// Where both hold, in which cases which of them does.
        scope: Option<String>,
    },
    /// Puts findings among the old ones: they are not reported any more.
    Silence {
        /// The findings.
        found: Vec<Old>,
        /// Why they stay as they are.
        reason: Option<String>,
    },
    /// Remembers that a person says these memories are still right.
    Confirm(Vec<MemoryId>),
    /// Several changes as one step, staged one on top of the other. Two of them must not change
    /// one file in ways that do not know of each other; that is refused.
    Together(Vec<Change>),
}

impl Change {
    /// What kind of change it is, as the journal names it.
    pub fn action(&self) -> &'static str {
        match self {
            Self::Edit { .. } | Self::Text { .. } => "edit",
            Self::Add { .. } => "add",
            Self::Rename { .. } => "rename",
            Self::Delete { .. } => "delete",
            Self::Archive(_) => "archive",
            Self::Restore(_) => "restore",
            Self::Promote { up: true, .. } => "promote",
            Self::Promote { up: false, .. } => "demote",
            Self::Merge { .. } => "merge",
            Self::Forget(_) => "forget",
            Self::Init => "init",
            Self::Fix(_) => "fix",
            Self::Answer { .. } => "answer",
            Self::Silence { .. } => "baseline",
            Self::Confirm(_) => "confirm",
            Self::Together(all) => match all.as_slice() {
                [first, ..] => first.action(),
                [] => "edit",
            },
        }
    }

    /// What a confirmation changes nothing about: a system goes by its own dates, not by ours.
    pub fn is_over_still(&self, memories: &[Arc<Memory>], now: Timestamp) -> Option<String> {
        let Self::Confirm(ids) = self else {
            return None;
        };
        let over = memories.iter().filter(|memory| ids.contains(&memory.id));
        let mut over = over.filter_map(|memory| {
            let expiry = memory.expires.filter(|_| memory.is_expired(now))?;
            Some((memory.schema.format, expiry.why))
        });
        let (format, why) = over.next()?;
        Some(match over.count() {
            0 => format!("{format} does not read it all the same: {why}"),
            more => format!(
                "{} of them are not read all the same: their time is over",
                more + 1
            ),
        })
    }

    /// The memories it is about.
    pub fn ids(&self) -> Vec<&MemoryId> {
        match self {
            Self::Edit { ids, .. }
            | Self::Delete { ids, .. }
            | Self::Archive(ids)
            | Self::Promote { ids, .. }
            | Self::Forget(ids)
            | Self::Confirm(ids)
            | Self::Restore(ids) => ids.iter().collect(),
            Self::Text { id, .. } | Self::Rename { id, .. } => vec![id],
            Self::Merge { keep, with, .. } => vec![keep, with],
            Self::Fix(fixes) => fixes.iter().map(|(id, _)| id).collect(),
            Self::Answer { a, b, .. } => vec![a, b],
            Self::Silence { found, .. } => found.iter().flat_map(Old::ids).collect(),
            Self::Together(all) => all.iter().flat_map(Self::ids).collect(),
            Self::Add { .. } | Self::Init => Vec::new(),
        }
    }
}
