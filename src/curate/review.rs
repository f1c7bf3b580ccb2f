//! The review queue as data: memories that differ from a base, one entry each, whatever files
//! they share.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::diff;
use crate::memory::{Memory, MemoryId, State, Timestamp, Value};

/// What happened to a memory since the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// It is new.
    Added,
    /// Its text or fields changed.
    Modified,
    /// It left the store: it is gone, or archived.
    Deleted,
    /// It has another name; its text may have changed too.
    Renamed,
}

impl Kind {
    /// The word of the contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
            Self::Renamed => "renamed",
        }
    }
}

/// How much of an entry the next commit holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing.
    No,
    /// An earlier state, or a part of its files.
    Partly,
    /// All of it.
    Yes,
}

/// What an entry is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// A commit.
    Commit,
    /// The state that the last review left: its store is in no repository, or ignored by it.
    LastReview,
    /// The memory as it is: an agent proposes the change.
    Proposal(Box<Proposal>),
}

/// A change that an agent proposes (INTERFACE.md, "Proposal").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// The version of the file's form.
    pub version: u32,
    /// `add`, `edit` or `forget`.
    pub action: String,
    /// The store it is for.
    pub store: Option<String>,
    /// The memory that the proposal changes; `None` if it adds one.
    #[serde(default)]
    pub id: Option<String>,
    /// Fields to set; null takes one away.
    #[serde(default)]
    pub fields: serde_json::Map<String, serde_json::Value>,
    /// The new body.
    #[serde(default)]
    pub body: Option<String>,
    /// Who proposes it.
    #[serde(default)]
    pub by: Option<String>,
    /// What it was drawn from.
    #[serde(default)]
    pub from: Option<String>,
    /// The task that the agent was at.
    #[serde(default)]
    pub task: Option<String>,
    /// Why.
    #[serde(default)]
    pub why: Option<String>,
    /// How sure the agent is, from 0 to 1.
    #[serde(default)]
    pub confidence: Option<f64>,
    /// When, RFC 3339.
    #[serde(default)]
    pub created: Option<String>,
    /// The name of its file.
    #[serde(skip)]
    pub file: String,
    /// The SHA-256 of its file: a rejected one is known by it.
    #[serde(skip)]
    pub digest: String,
}

/// A memory at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// What is known of it.
    pub memory: Arc<Memory>,
    /// Its whole text, line ends as `\n`.
    pub text: Arc<str>,
    /// Its body.
    pub body: Arc<str>,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// Its name.
    pub name: String,
    /// Its value at the base.
    pub old: Option<Value>,
    /// Its value now.
    pub new: Option<Value>,
}

/// A memory that differs from the base.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The memory as it is now; a deleted one as it was.
    pub id: MemoryId,
    /// What happened.
    pub kind: Kind,
    /// The memory at the base; `None` if it was added since.
    pub before: Option<Side>,
    /// The memory now; none where it is gone. An archived one as it is in the archive.
    pub after: Option<Side>,
    /// How much of it is staged.
    pub staged: Stage,
    /// What it is compared with.
    pub against: Against,
    /// Whether it was added to a file that other memories were in.
    pub is_appended: bool,
    /// Its own part of a file that other entries have parts of too, at the base and now.
    pub own: Option<(Arc<str>, Arc<str>)>,
    /// What a decision on it changes beside the memory.
    pub others: Vec<Other>,
    /// Names in its file that stand for other memories than they did.
    pub shifted: Vec<Box<str>>,
    /// When the change was made, if it is not committed.
    pub modified: Option<Timestamp>,
}

/// A change that comes with an entry: a line of an index, a link in another memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// Its file, as people read it.
    pub path: String,
    /// What it was.
    pub old: String,
    /// What it becomes.
    pub new: String,
}

impl Entry {
    /// An entry nothing of which is staged.
    pub fn new(
        id: MemoryId,
        kind: Kind,
        (before, after): (Option<Side>, Option<Side>),
        against: Against,
    ) -> Self {
        Self {
            id,
            kind,
            before,
            after,
            staged: Stage::No,
            against,
            is_appended: false,
            own: None,
            others: Vec::new(),
            shifted: Vec::new(),
            modified: None,
        }
    }

    /// The memory as it is now, or as it was at the base if it was deleted.
    pub fn side(&self) -> Option<&Side> {
        match self.kind {
            Kind::Deleted => self.before.as_ref().or(self.after.as_ref()),
            _ => self.after.as_ref().or(self.before.as_ref()),
        }
    }

    /// Its title.
    pub fn title(&self) -> &str {
        self.side()
            .map_or(&*self.id.local, |side| &side.memory.title)
    }

    /// The file it stands in, or stood in.
    pub fn path(&self) -> Option<&Path> {
        Some(&self.side()?.memory.path)
    }

    /// Whether it went to the archive.
    pub fn is_archived(&self) -> bool {
        let is = |side: &Side| side.memory.state == State::Archived;
        self.kind == Kind::Deleted && self.after.as_ref().is_some_and(is)
    }

    /// What happened, in a word or two for a person.
    pub fn what(&self) -> &'static str {
        match (self.kind, &self.against) {
            (Kind::Added, Against::Proposal(_)) => "to add",
            (Kind::Modified, Against::Proposal(_)) => "to edit",
            (Kind::Deleted, Against::Proposal(_)) => "to forget",
            (Kind::Deleted, _) if self.is_archived() => "archived",
            (Kind::Added, _) if self.is_appended => "appended",
            (kind, _) => kind.word(),
        }
    }

    /// Who made the change, if the memory says so: its author wrote what is new in it.
    pub fn author(&self) -> Option<&str> {
        if let Against::Proposal(proposal) = &self.against {
            return proposal.by.as_deref();
        }
        let of = |side: &'_ Option<Side>| side.as_ref()?.memory.author().map(str::to_owned);
        let author = self.after.as_ref()?.memory.author();
        author.filter(|author| of(&self.before).as_deref() != Some(*author))
    }

    /// When the change was made.
    pub fn written(&self) -> Option<Timestamp> {
        if let Against::Proposal(proposal) = &self.against {
            return Timestamp::parse_iso(proposal.created.as_deref()?);
        }
        let of = |side: &Option<Side>| side.as_ref()?.memory.written();
        let named = of(&self.after).filter(|at| of(&self.before) != Some(*at));
        self.modified.or(named)
    }

    /// The fields that differ, those of now first.
    pub fn fields(&self) -> Vec<FieldChange> {
        let of = |side: &Option<Side>| side.as_ref().map(|side| Arc::clone(&side.memory));
        let after = of(&self.after).filter(|_| self.kind != Kind::Deleted);
        let (old, new) = (of(&self.before), after);
        let names = |memory: &Option<Arc<Memory>>| {
            let fields = memory.iter().flat_map(|memory| memory.fields.iter());
            fields.map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
        };
        let mut known = HashSet::new();
        let mut all = names(&new);
        all.extend(names(&old));
        all.retain(|name| known.insert(name.clone()));
        let value =
            |memory: &Option<Arc<Memory>>, name: &str| memory.as_ref()?.fields.get(name).cloned();
        let changes = all.into_iter().map(|name| FieldChange {
            old: value(&old, &name),
            new: value(&new, &name),
            name,
        });
        changes.filter(|change| change.old != change.new).collect()
    }

    /// Whether its diff says what its fields are: it came or went, and its text begins with them.
    pub fn has_fields_in_text(&self) -> bool {
        let is_whole = self.before.is_none() || self.after.is_none() || self.kind == Kind::Deleted;
        let is_in_text =
            |side: &Side| side.memory.schema.in_rows() || side.text.trim() != side.body.trim();
        is_whole && self.side().is_none_or(is_in_text)
    }

    /// Its text at the base and now; empty where it is not there.
    pub fn texts(&self) -> (&str, &str) {
        if let Some((old, new)) = &self.own {
            return (old, new);
        }
        let old = self.before.as_ref().map_or("", |side| &*side.text);
        let new = match self.kind {
            Kind::Deleted => "",
            _ => self.after.as_ref().map_or("", |side| &*side.text),
        };
        (old, new)
    }

    /// Its unified diff, three lines around each change; below it what comes with the entry.
    pub fn diff(&self) -> String {
        // Some formats have texts without a last line end.
        let ended = |text: &str| match text.is_empty() || text.ends_with('\n') {
            true => text.to_owned(),
            false => format!("{text}\n"),
        };
        let (old, new) = self.texts();
        let mut out = diff::of_texts(&ended(old), &ended(new));
        if out.is_empty() && !self.others.is_empty() {
            out.push_str(diff::HEAD);
        }
        for Other { path, old, new } in &self.others {
            let diff = diff::of_texts(&ended(old), &ended(new));
            let hunks = diff.strip_prefix(diff::HEAD).unwrap_or_default();
            out.push_str(&format!("--- {path}\n+++ {path}\n{hunks}"));
        }
        out
    }
}

/// The sides of an entry and what happened between them.
pub type Paired = (Option<Side>, Option<Side>, Kind);

/// Two names of a memory that did not change: its place in the file names it.
pub type Shifted = (MemoryId, MemoryId);

/// LOCAL without the number of a later memory of that name.
pub fn without_number(local: &str) -> &str {
    match local.rsplit_once('#') {
        Some((name, number)) if number.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => local,
    }
}

/// True if two ids differ only by the place of the memory in its file.
fn differ_by_place(a: &Memory, b: &Memory) -> bool {
    let has_no_name = |memory: &Memory| {
        let is_blank = |id: &Value| id.to_string().trim().is_empty();
        memory.schema.field("id").is_some() && memory.field("id").is_none_or(is_blank)
    };
    a.path == b.path
        && (without_number(&a.id.local) == without_number(&b.id.local)
            || has_no_name(a) && has_no_name(b))
}

/// Takes out the memories that are the same on both sides. Ids that only count memories of one
/// name or name a line mean another memory once one above it is gone: the text tells.
fn without_same(before: &mut Vec<Side>, after: &mut Vec<Side>) -> Vec<Shifted> {
    let mut old: HashMap<&MemoryId, &Side> = HashMap::new();
    let mut texts: HashMap<&str, Vec<&Side>> = HashMap::new();
    old.extend(before.iter().map(|side| (&side.memory.id, side)));
    let mut same: HashSet<MemoryId> = HashSet::new();
    let mut gone: HashSet<MemoryId> = HashSet::new();
    for side in after.iter() {
        let id = &side.memory.id;
        if old.get(id).is_some_and(|was| is_same(was, side)) {
            old.remove(id);
            same.insert(id.clone());
            gone.insert(id.clone());
        }
    }
    for side in before
        .iter()
        .filter(|side| old.contains_key(&side.memory.id))
    {
        texts.entry(&side.text).or_default().push(side);
    }
    let mut shifted = Vec::new();
    for side in after.iter().filter(|side| !same.contains(&side.memory.id)) {
        let Some(alike) = texts.get_mut(&*side.text) else {
            continue;
        };
        let is_it = |was: &&Side| differ_by_place(&was.memory, &side.memory) && is_same(was, side);
        if let Some(at) = alike.iter().position(is_it) {
            let was = alike.remove(at).memory.id.clone();
            gone.insert(was.clone());
            shifted.push((was, side.memory.id.clone()));
        }
    }
    same.extend(shifted.iter().map(|(_, is)| is.clone()));
    before.retain(|side| !gone.contains(&side.memory.id));
    after.retain(|side| !same.contains(&side.memory.id));
    shifted
}

/// Pairs the memories of one store at the base with those of now. What has another name and the
/// same text, or the same title where both names are new, is one memory that was renamed.
pub fn pair(mut before: Vec<Side>, mut after: Vec<Side>) -> (Vec<Paired>, Vec<Shifted>) {
    let shifted = without_same(&mut before, &mut after);
    let mut old: HashMap<MemoryId, Side> = HashMap::new();
    for side in before {
        old.insert(side.memory.id.clone(), side);
    }
    let mut out = Vec::new();
    let mut new = Vec::new();
    for side in after {
        match old.remove(&side.memory.id) {
            Some(was) => out.push((Some(was), Some(side), Kind::Modified)),
            None => new.push(side),
        }
    }
    let mut gone: Vec<Side> = old.into_values().collect();
    gone.sort_by(|a, b| a.memory.id.cmp(&b.memory.id));
    let same: [fn(&Side, &Side) -> bool; 2] = [
        |a, b| a.text == b.text || !a.body.trim().is_empty() && a.body == b.body,
        |a, b| a.memory.title == b.memory.title,
    ];
    for is_same in same {
        let mut left = Vec::new();
        for side in new {
            let Some(at) = gone.iter().position(|was| is_same(was, &side)) else {
                left.push(side);
                continue;
            };
            let was = gone.remove(at);
            let kind = match (was.memory.state, side.memory.state) {
                (State::Active, State::Archived) => Kind::Deleted,
                (State::Archived, State::Active) => Kind::Added,
                _ => Kind::Renamed,
            };
            out.push((Some(was), Some(side), kind));
        }
        new = left;
    }
    out.extend(new.into_iter().map(|side| (None, Some(side), Kind::Added)));
    out.extend(
        gone.into_iter()
            .map(|side| (Some(side), None, Kind::Deleted)),
    );
    (out, shifted)
}

/// Whether nothing differs that a person would see.
fn is_same(a: &Side, b: &Side) -> bool {
    a.text == b.text && a.memory.fields == b.memory.fields && a.memory.state == b.memory.state
}

/// A commit message for entries that are kept.
pub fn message<'a>(kept: impl Iterator<Item = &'a Entry> + Clone) -> String {
    let words = [
        (Kind::Added, "add"),
        (Kind::Modified, "update"),
        (Kind::Renamed, "rename"),
        (Kind::Deleted, "remove"),
    ];
    let counts = words.iter().filter_map(|(kind, verb)| {
        let count = kept.clone().filter(|entry| entry.kind == *kind).count();
        (count > 0).then(|| format!("{verb} {count}"))
    });
    let counts: Vec<String> = counts.collect();
    let total = kept.clone().count();
    let only = kept.clone().next().filter(|_| total == 1);
    let mut out = match only {
        Some(entry) => {
            let verb = words.iter().find(|(kind, _)| *kind == entry.kind);
            let verb = verb.map_or("update", |(_, verb)| verb);
            format!("Memories: {verb} {}\n", one_line(entry.title()))
        }
        None => format!("Memories: {}\n", counts.join(", ")),
    };
    if total > 1 {
        out.push('\n');
        out.push_str(&listed(kept));
    }
    out
}

/// What happened to each memory, a line each.
pub fn listed<'a>(kept: impl Iterator<Item = &'a Entry>) -> String {
    let line = |entry: &Entry| {
        let (what, title) = (entry.what(), one_line(entry.title()));
        format!("- {what}: {title} ({})\n", entry.id)
    };
    kept.map(line).collect()
}

/// A title as a part of a line of a message.
fn one_line(title: &str) -> String {
    let title: String = title.chars().filter(|c| !c.is_control()).take(72).collect();
    title.trim().to_owned()
}
