//! The review queue as data: memories that differ from a base, one entry each, whatever files
//! they share.

mod pairing;

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::pairing::{is_same, pair, without_number};
pub use super::versions::FieldChange;
use super::{Change, diff, versions};
use crate::memory::{Memory, MemoryId, State, Timestamp};
use crate::text::tokens::{self, common, tokens};

/// Kind of change of a memory since the base.
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

/// Extent to which an entry is in the next commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Nothing.
    No,
    /// An earlier state, or a part of its files.
    Partly,
    /// All of it.
    Yes,
}

/// Comparison base of an entry.
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// The version of the file's form.
    pub version: u32,
    /// `add`, `edit`, `promote` or `forget`.
    pub action: String,
    /// The store it is for.
    pub store: Option<String>,
    /// The memory that the proposal changes; `None` if it adds one.
    pub id: Option<String>,
    /// Fields to set; null takes one away.
    #[serde(default)]
    pub fields: serde_json::Map<String, serde_json::Value>,
    /// The new body.
    pub body: Option<String>,
    /// Who proposes it.
    pub by: Option<String>,
    /// Its source.
    pub from: Option<String>,
    /// The task that the agent was at.
    pub task: Option<String>,
    /// Why.
    pub why: Option<String>,
    /// How sure the agent is, from 0 to 1.
    pub confidence: Option<f64>,
    /// When, RFC 3339.
    pub created: Option<String>,
    /// The change that accepting it makes; `None` if it cannot be made.
    #[serde(skip)]
    pub change: Option<Box<Change>>,
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
    /// The memory itself.
    pub memory: Arc<Memory>,
    /// Its whole text, line ends as `\n`.
    pub text: Arc<str>,
    /// Its body.
    pub body: Arc<str>,
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
    /// Its staging state.
    pub staged: Stage,
    /// Its comparison base.
    pub against: Against,
    /// True if it was added to a file that other memories were in.
    pub is_appended: bool,
    /// Its own part of a file that other entries have parts of too, at the base and now.
    pub own: Option<(Arc<str>, Arc<str>)>,
    /// Changes that a decision on it makes besides the memory.
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
    /// Its new text.
    pub new: String,
}

fn own_lines<'a>(text: &'a str, other: &'a str) -> impl Iterator<Item = &'a str> {
    let is_own = move |line: &&str| !other.lines().any(|one| one == *line);
    text.lines().filter(is_own)
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

    /// The memory at the base and now, as far as it is there.
    pub fn sides(&self) -> impl Iterator<Item = &Side> {
        [&self.before, &self.after].into_iter().flatten()
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

    /// True if it went to the archive.
    pub fn is_archived(&self) -> bool {
        let is = |side: &Side| side.memory.state == State::Archived;
        self.kind == Kind::Deleted && self.after.as_ref().is_some_and(is)
    }

    /// Describes the change to a person, in a word or two.
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

    /// The changes that one key accepts together.
    pub const fn group(&self) -> &'static str {
        match (self.kind, &self.against) {
            (_, Against::Proposal(_)) => "proposed",
            (Kind::Added, _) => "new",
            (Kind::Modified | Kind::Renamed, _) => "edited",
            (Kind::Deleted, _) => "deleted",
        }
    }

    /// The change in capital letters, as the head of a card.
    pub fn heading(&self) -> String {
        let what = match (self.kind, &self.against) {
            (_, Against::Proposal(_)) => format!("proposed {}", self.what()),
            (Kind::Renamed, _) => self.what().to_owned(),
            _ => self.group().to_owned(),
        };
        what.to_uppercase()
    }

    /// The lines of an index and of other memories that go or come with it, each with its file.
    pub fn lines_beside(&self) -> impl Iterator<Item = (bool, &str, &str)> {
        self.others.iter().flat_map(|Other { path, old, new }| {
            let gone = own_lines(old, new).map(|line| (false, line));
            let all = gone.chain(own_lines(new, old).map(|line| (true, line)));
            all.map(|(is_new, line)| (is_new, line, &**path))
        })
    }

    fn proposal(&self) -> Option<&Proposal> {
        match &self.against {
            Against::Proposal(proposal) => Some(proposal),
            _ => None,
        }
    }

    /// Who made the change, if the memory says so: its author wrote what is new in it.
    pub fn author(&self) -> Option<&str> {
        if let Some(proposal) = self.proposal() {
            return proposal.by.as_deref();
        }
        let before = self.before.as_ref().and_then(|side| side.memory.author());
        let author = self.after.as_ref()?.memory.author();
        author.filter(|author| before != Some(*author))
    }

    /// How sure the agent of a proposal is, from 0 to 1.
    pub fn confidence(&self) -> Option<f64> {
        self.proposal()?.confidence
    }

    /// The words by which a proposal says where it comes from, and how sure its agent is.
    pub fn source(&self) -> Option<String> {
        let proposal = self.proposal()?;
        let from = proposal.from.as_ref().map(|from| format!("from {from}"));
        let sure = self.confidence();
        let sure = sure.map(|sure| format!("confidence {:.0} %", sure * 100.0));
        let parts: Vec<String> = from.into_iter().chain(sure).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// When the change was made.
    pub fn written(&self) -> Option<Timestamp> {
        if let Some(proposal) = self.proposal() {
            return Timestamp::parse_iso(proposal.created.as_deref()?);
        }
        let of = |side: &Option<Side>| side.as_ref()?.memory.written();
        let named = of(&self.after).filter(|at| of(&self.before) != Some(*at));
        self.modified.or(named)
    }

    /// The fields that differ, those of now first.
    pub fn fields(&self) -> Vec<FieldChange> {
        let after = self.after.as_ref().filter(|_| self.kind != Kind::Deleted);
        let [old, new] = [self.before.as_ref(), after].map(|side| Some(&*side?.memory));
        versions::fields(old, new)
    }

    /// True if its diff says what its fields are: it came or went, and its text begins with them.
    pub fn has_fields_in_text(&self) -> bool {
        let is_whole = self.before.is_none() || self.after.is_none() || self.kind == Kind::Deleted;
        let is_in_text =
            |side: &Side| side.memory.schema.can.in_rows || side.text.trim() != side.body.trim();
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
        let hunks = |old: &str, new: &str| diff::of_texts(&ended(old), &ended(new));
        let (old, new) = self.texts();
        let mut out = hunks(old, new);
        if !out.is_empty() || !self.others.is_empty() {
            out.insert_str(0, "--- before\n+++ after\n");
        }
        for Other { path, old, new } in &self.others {
            out += &format!("--- {path}\n+++ {path}\n{}", hunks(old, new));
        }
        out
    }
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
    let counts = counts.collect::<Vec<String>>().join(", ");
    let mut all = kept.clone();
    match (all.next(), all.next()) {
        (Some(only), None) => {
            let verb = words.iter().find(|(kind, _)| *kind == only.kind);
            let verb = verb.map_or("update", |(_, verb)| verb);
            format!("Memories: {verb} {}\n", one_line(only.title()))
        }
        (None, _) => format!("Memories: {counts}\n"),
        _ => format!("Memories: {counts}\n\n{}", listed(kept)),
    }
}

/// Describes the change of each memory, a line each.
pub fn listed<'a>(kept: impl Iterator<Item = &'a Entry>) -> String {
    let line = |entry: &Entry| {
        let (what, title) = (entry.what(), one_line(entry.title()));
        format!("- {what}: {title} ({})\n", entry.id)
    };
    kept.map(line).collect()
}

fn one_line(title: &str) -> String {
    let title: String = title.chars().filter(|c| !c.is_control()).take(72).collect();
    title.trim().to_owned()
}

/// Share of the words of two texts, and of two titles, from which on they say nearly the same.
const TEXTS: f64 = 0.7;
const TITLES: f64 = 0.8;

/// Words of a title below which it tells too little.
const LEAST: usize = 4;

/// The words of a text, in order, each once.
#[derive(Debug)]
pub struct Words {
    all: Vec<u32>,
    /// Numbers and negations: texts that differ in one do not say the same.
    hard: Vec<u32>,
}

impl Words {
    /// The words of a text.
    pub fn new(text: &str) -> Self {
        let all = tokens(text);
        let is_hard = |kind| matches!(kind, tokens::Kind::Number | tokens::Kind::Negation);
        let hard = all.iter().filter(|token| is_hard(token.kind));
        let hard = hard.map(|token| token.stem).collect();
        let all = all.iter().map(|token| token.stem).collect();
        let [all, hard] = [all, hard].map(|mut words: Vec<u32>| {
            words.sort_unstable();
            words.dedup();
            words
        });
        Self { all, hard }
    }

    /// True if two texts share so much of their words, and all numbers and negations.
    pub fn is_like(&self, other: &Self, share: f64) -> bool {
        let most = self.all.len().max(other.all.len()) as f64;
        let least = self.all.len().min(other.all.len()) as f64;
        let may_be = most > 0.0 && least >= share * most && self.hard == other.hard;
        may_be && common(&self.all, &other.all) as f64 >= share * most
    }
}

/// Groups of proposals for one store that say nearly the same, by their places among the entries.
pub fn batches<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Vec<usize>> {
    let mut batches: Vec<(&Entry, [Words; 2], Vec<usize>)> = Vec::new();
    for (at, entry) in entries.enumerate() {
        let side = entry.after.as_ref();
        let (Against::Proposal(_), Some(side)) = (&entry.against, side) else {
            continue;
        };
        let words = [&*side.body, &*side.memory.title].map(Words::new);
        let same = batches.iter_mut().find(|(first, [body, title], _)| {
            let of_one = |entry: &Entry| entry.before.as_ref().map(|side| side.memory.id.clone());
            let is_title = title.all.len() >= LEAST && title.is_like(&words[1], TITLES);
            first.id.store == entry.id.store
                && first.kind == entry.kind
                && of_one(first) == of_one(entry)
                && (body.is_like(&words[0], TEXTS) || is_title && body.hard == words[0].hard)
        });
        match same {
            Some((_, _, batch)) => batch.push(at),
            None => batches.push((entry, words, vec![at])),
        }
    }
    let batches = batches.into_iter().map(|(_, _, batch)| batch);
    batches.filter(|batch| batch.len() > 1).collect()
}
