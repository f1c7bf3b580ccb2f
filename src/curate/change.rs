//! Changes as a person asks for them, before they meet the bytes of files.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::versions::Version;
use crate::memory::edit::FieldEdit;
use crate::memory::{Memory, MemoryId, StoreId, Timestamp, Value};
use crate::retrieval::tasks::Written;

/// A change that a person asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Edits fields or text of memories.
    Edit {
        /// Which memories.
        ids: Vec<MemoryId>,
        /// Edits to make in each.
        edits: Vec<FieldEdit>,
        /// Field values the person saw, if any: a memory with other values by now is not edited.
        seen: Vec<(Box<str>, Option<Value>)>,
    },
    /// Saves a text over the one that the person saw on disk, a conflict included.
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
        /// True if mentions of the old name in other files change too.
        mentions: bool,
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
    /// Moves memories to the archive, each for a reason of its own.
    Prune(Vec<(MemoryId, String)>),
    /// Brings memories back from the archive.
    Restore(Vec<MemoryId>),
    /// Brings back an earlier version of a memory.
    Version {
        /// Which memory.
        id: MemoryId,
        /// The version.
        version: Arc<Version>,
    },
    /// Raises memories (or lowers them): their importance, or their layer.
    Promote {
        /// Which memories.
        ids: Vec<MemoryId>,
        /// Up or down.
        up: bool,
        /// Also where their system itself would not.
        sure: bool,
    },
    /// Orders the entries of indexes by their value.
    Reorder(Vec<MemoryId>),
    /// Moves memories into a file of rules, a line each, and archives them.
    Rule {
        /// Which memories.
        ids: Vec<MemoryId>,
        /// The file, absolute.
        file: PathBuf,
        /// The line of the one memory, where a person wrote it.
        line: Option<String>,
    },
    /// Makes one of two: the first says what both say, the second goes.
    Merge {
        /// The one that keeps its place and id.
        keep: MemoryId,
        /// The one that goes to the archive.
        with: MemoryId,
    },
    /// Writes memories into another store, in its format.
    Convert {
        /// Which memories.
        ids: Vec<MemoryId>,
        /// Destination.
        to: Destination,
        /// True if they leave the store they are in.
        remove: bool,
    },
    /// Accepts changes of memories since the last commit: stages them, or does what is proposed.
    Accept {
        /// Which memories.
        ids: Vec<MemoryId>,
        /// Also where they bring a secret or an instruction to the reader.
        sure: bool,
    },
    /// Rejects changes of memories since the last commit, with a reason where one is given.
    Reject(Vec<MemoryId>, Option<String>),
    /// Makes their system forget memories.
    Forget(Vec<MemoryId>),
    /// Makes an empty store in the project, where there is none.
    Init,
    /// Gives every memory of the file, from the second on, a file of its own.
    SplitFile(MemoryId),
    /// Turns the line ends, the BOM and leading blank lines of a file into what its loader reads.
    Normalize(MemoryId),
    /// Removes decisions on findings of a memory from the baseline, each so many times.
    Unlist(MemoryId, Vec<DecisionKey>),
    /// Applies fixes of findings; the first id of each is the memory that it is for.
    Fix(Vec<Change>),
    /// Makes those fixes of lint that turn out harmless when they are played.
    SafeFixes(Vec<Change>),
    /// Remembers what the person says of two memories that a rule asked about, so that it is not
    /// asked again until one of them changes.
    Answer {
        /// The rule that asked.
        rule: String,
        /// The one memory.
        a: MemoryId,
        /// The other.
        b: MemoryId,
        /// Answer about them; A and B are the memories in this order.
        answer: Resolution,
        /// Cases in which each of them holds, if both do.
        scope: Option<String>,
    },
    /// Puts findings among the old ones: they are not reported any more.
    Silence {
        /// The findings.
        found: Vec<Silenced>,
        /// Why they stay as they are.
        reason: Option<String>,
        /// The date on which they are reported again.
        until: Option<String>,
    },
    /// Remembers what a task has to be given, in the tasks of the team.
    Expect(Box<Written>),
    /// Remembers that a person says these memories are still right.
    Confirm(Vec<MemoryId>),
    /// Several changes as one step, staged one on top of the other. Two of them must not change
    /// one file in ways that do not know of each other; that is refused.
    Together(Vec<Change>),
}

/// The edit that gives an item of a list a value.
pub fn set_item(field: impl Into<String>, index: usize, value: impl Into<Value>) -> FieldEdit {
    FieldEdit::SetItem {
        field: field.into(),
        index,
        value: value.into(),
    }
}

/// A store that memories are written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// One that is open.
    Store(StoreId),
    /// One that is made, or is not open.
    New {
        /// Its format.
        format: String,
        /// Its folder or file.
        path: PathBuf,
    },
}

impl Destination {
    /// Returns its display name; only the format for a store of the root.
    pub fn name(&self) -> &str {
        match self {
            Self::Store(id) => id.0.strip_suffix("@.").unwrap_or(&id.0),
            Self::New { format, .. } => format,
        }
    }
}

/// The key of a decision on a finding: its rule, its memory or the two that it asks about in the
/// order of their ids, and a fingerprint that tells it from others of the rule in the same memories.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionKey {
    /// The rule.
    pub rule: String,
    /// The ids of the memories.
    pub ids: Vec<String>,
    /// The fingerprint.
    pub print: String,
}

impl DecisionKey {
    /// A key with its ids in order: either of two memories may be renamed.
    pub fn new(rule: &str, mut ids: Vec<String>, print: String) -> Self {
        ids.sort_unstable();
        let rule = rule.to_owned();
        Self { rule, ids, print }
    }
}

/// A finding that goes into the baseline, with ids in place of positions: the memories may have
/// moved by then.
#[derive(Clone, Debug, PartialEq)]
pub struct Silenced {
    /// Its memory, then the others that it asks about.
    pub ids: Vec<MemoryId>,
    /// The rule.
    pub rule: String,
    /// The message.
    pub message: String,
    /// Distinguishes it from other findings of the rule in the same memories.
    pub mark: Mark,
}

/// Distinguishes a finding from others of its rule in the same memories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The words of these bytes of the memory's text; the message if there are none.
    Bytes(Range<usize>),
    /// The statements that it shows, whatever their order.
    Statements(Vec<String>),
    /// The message without its numbers: counts and ages change from day to day.
    Message,
}

impl Change {
    /// Edits of one memory that nobody looked at before.
    pub fn edit(id: &MemoryId, edits: Vec<FieldEdit>) -> Self {
        Self::Edit {
            ids: vec![id.clone()],
            edits,
            seen: Vec::new(),
        }
    }

    /// Merges a memory into another one and archives it.
    pub fn merge(keep: &MemoryId, with: &MemoryId) -> Self {
        Self::Merge {
            keep: keep.clone(),
            with: with.clone(),
        }
    }

    /// Several changes as one.
    pub fn all(mut all: Vec<Self>) -> Self {
        match all.len() {
            1 => all.swap_remove(0),
            _ => Self::Together(all),
        }
    }

    /// True if it writes the text of a memory, and not only fields.
    pub fn writes_text(&self) -> bool {
        let is_text = |edit: &FieldEdit| matches!(edit, FieldEdit::Body(_) | FieldEdit::Text(_));
        matches!(self, Self::Edit { edits, .. } if edits.iter().any(is_text))
    }

    /// Its kind as the journal names it, its verb in the past tense, and the memories it is about.
    fn facts(&self) -> (&'static str, &'static str, Vec<&MemoryId>) {
        fn all(ids: &[MemoryId]) -> Vec<&MemoryId> {
            ids.iter().collect()
        }
        match self {
            Self::Edit { ids, .. } => ("edit", "edited", all(ids)),
            Self::Text { id, .. } => ("edit", "edited", vec![id]),
            Self::Reorder(ids) => ("edit", "ordered", all(ids)),
            Self::Add { .. } => ("add", "added", Vec::new()),
            Self::Rename { id, .. } => ("rename", "renamed", vec![id]),
            Self::Delete { ids, .. } => ("delete", "deleted", all(ids)),
            Self::Archive(ids) => ("archive", "archived", all(ids)),
            Self::Prune(ids) => {
                let ids = ids.iter().map(|(id, _)| id);
                ("archive", "archived", ids.collect())
            }
            Self::Restore(ids) => ("restore", "restored", all(ids)),
            Self::Version { id, .. } => ("restore", "restored", vec![id]),
            Self::Promote { ids, up, .. } => match up {
                true => ("promote", "promoted", all(ids)),
                false => ("demote", "demoted", all(ids)),
            },
            Self::Rule { ids, .. } => ("archive", "promoted", all(ids)),
            Self::Merge { keep, with, .. } => ("merge", "merged", vec![keep, with]),
            Self::Convert { ids, remove, .. } => {
                let verb = if *remove { "moved" } else { "copied" };
                ("convert", verb, all(ids))
            }
            Self::Accept { ids, .. } => ("accept", "accepted", all(ids)),
            Self::Reject(ids, _) => ("reject", "rejected", all(ids)),
            Self::Forget(ids) => ("forget", "forgot", all(ids)),
            Self::Init => ("init", "made", Vec::new()),
            Self::SplitFile(id) | Self::Normalize(id) => ("fix", "fixed", vec![id]),
            Self::Unlist(id, _) => ("baseline", "fixed", vec![id]),
            Self::Fix(fixes) | Self::SafeFixes(fixes) => {
                let archives = |fix: &Self| matches!(fix, Self::Archive(_));
                let all_archive = fixes.iter().all(archives);
                let verb = if all_archive { "archived" } else { "fixed" };
                ("fix", verb, fixes.iter().filter_map(Self::fixed).collect())
            }
            Self::Answer { a, b, .. } => ("answer", "answered", vec![a, b]),
            Self::Silence { found, .. } => {
                let ids = found.iter().flat_map(|one| &one.ids);
                ("baseline", "silenced", ids.collect())
            }
            Self::Expect(_) => ("expect", "recorded", Vec::new()),
            Self::Confirm(ids) => ("confirm", "confirmed", all(ids)),
            Self::Together(all) => {
                let action = all.first().map_or("edit", Self::action);
                (action, "changed", all.iter().flat_map(Self::ids).collect())
            }
        }
    }

    /// Returns the kind of the change, as the journal names it.
    pub fn action(&self) -> &'static str {
        self.facts().0
    }

    /// Its verb in the past tense.
    pub fn verb(&self) -> &'static str {
        self.facts().1
    }

    /// The memories it is about.
    pub fn ids(&self) -> Vec<&MemoryId> {
        self.facts().2
    }

    /// Describes expiries that a confirmation does not change: a system goes by its own dates, not
    /// by ours.
    pub fn is_over_still(&self, memories: &[Arc<Memory>], now: Timestamp) -> Option<String> {
        let Self::Confirm(ids) = self else {
            return None;
        };
        let over = memories.iter().filter(|memory| ids.contains(&memory.id));
        let over = over.filter(|memory| memory.is_expired(now));
        let mut over = over.filter_map(|memory| Some((memory.schema.format, memory.expires?.why)));
        let (format, why) = over.next()?;
        Some(match over.count() + 1 {
            1 => format!("{format} does not read it all the same: {why}"),
            count => format!("{count} of them are not read all the same: their time is over"),
        })
    }

    /// The ids of its memories as the journal keeps them: of a renamed one the new id too.
    pub fn journal_ids(&self) -> Vec<String> {
        let mut all: Vec<String> = self.ids().into_iter().map(ToString::to_string).collect();
        if let Self::Rename { id, to, .. } = self {
            let to = to.strip_suffix(".md").unwrap_or(to);
            all.push(format!("{}:{to}", id.store));
        }
        all
    }

    /// The one memory that it takes out of sight, and the one that says the same, where it is kept.
    pub fn gives_up(&self) -> Option<(&MemoryId, Option<&MemoryId>)> {
        match self {
            Self::Merge { keep, with, .. } => Some((with, Some(keep))),
            Self::Archive(ids) if ids.len() == 1 => Some((ids.first()?, None)),
            _ => None,
        }
    }

    /// The memory that it is for as a fix: the first of its memories.
    pub fn fixed(&self) -> Option<&MemoryId> {
        self.ids().first().copied()
    }
}

/// A person's answer to a question about two memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// The first holds.
    KeepA,
    /// The second holds.
    KeepB,
    /// Both hold, each in its scope.
    Both,
    /// One is to be made of the two.
    Merge,
    /// They have nothing to do with each other.
    NotAConflict,
    /// The earlier answer does not hold any more.
    AskAgain,
}

impl Resolution {
    const WORDS: [(Self, &str); 6] = [
        (Self::KeepA, "keep-a"),
        (Self::KeepB, "keep-b"),
        (Self::Both, "both"),
        (Self::Merge, "merge"),
        (Self::NotAConflict, "not-a-conflict"),
        (Self::AskAgain, "ask-again"),
    ];

    /// The words of all of them.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Self::WORDS.into_iter().map(|(_, word)| word)
    }

    /// The answer with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut all = Self::WORDS.into_iter();
        all.find_map(|(one, own)| (own == word).then_some(one))
    }

    /// The word in the file and on the command line.
    pub fn word(self) -> &'static str {
        let mut all = Self::WORDS.into_iter();
        all.find_map(|(one, word)| (one == self).then_some(word))
            .unwrap_or_default()
    }

    /// True if both memories stay in use. The other answers put one of the two aside: if that one
    /// is back, they do not describe the store any more.
    pub const fn keeps_both(self) -> bool {
        matches!(self, Self::Both | Self::NotAConflict)
    }

    /// The answer if the two change places.
    pub const fn swapped(self) -> Self {
        match self {
            Self::KeepA => Self::KeepB,
            Self::KeepB => Self::KeepA,
            other => other,
        }
    }
}
