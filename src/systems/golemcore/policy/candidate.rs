//! Facts of a memory that do not depend on the task.

use compact_str::CompactString;

use crate::memory::{Memory, Sight, State, Value};
use crate::retrieval::Reason;
use crate::systems::golemcore::{Instant, Layer, Place, Row, Tree, java};

/// Facts of a memory.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Why it is not even collected.
    pub standing: Option<Standing>,
    /// The scope of its file's tree. Short ones stand here and not elsewhere: every candidate's
    /// is compared at every key.
    pub tree: CompactString,
    /// The scope it counts under.
    pub scope: CompactString,
    /// Which file it is in.
    pub file: Tree,
    /// Its place in that file.
    pub number: u32,
    /// Its layer; an episode where it has none.
    pub layer: Layer,
    /// Its type.
    pub kind: Option<&'static str>,
    /// When it was changed last, else written.
    pub stamp: Option<Instant>,
    /// When its `ttlDays` are over.
    pub ttl_end: Option<Instant>,
    /// 0 to 1.
    pub salience: f64,
    /// 0 to 1.
    pub confidence: f64,
}

/// Why a memory is no candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was put aside.
    Archived,
    /// The reader skips its line.
    Skipped,
    /// The reader does not open its file.
    Unread,
    /// Its scope is not asked for.
    OutOfScope,
    /// Its day is further back than is looked, or still to come.
    OtherDay,
    /// Its `ttlDays` are over.
    Ttl,
    /// It was not changed for too long.
    Decayed,
}

impl Standing {
    /// The reason of the contract.
    pub const fn reason(self) -> Reason {
        match self {
            Self::Archived => Reason::Archived,
            Self::Skipped | Self::Unread | Self::OtherDay => Reason::Invisible,
            Self::OutOfScope => Reason::NoMatch,
            Self::Ttl | Self::Decayed => Reason::Expired,
        }
    }
}

/// Default of a value that is missing.
const SALIENCE: f64 = 0.50;
const CONFIDENCE: f64 = 0.55;

impl Facts {
    /// The facts of a memory; of one of another format what is common to all.
    pub fn of(memory: &Memory) -> Self {
        let place = Place::of_row(memory);
        let row = Row::of(&memory.fields);
        let own_format = memory.schema.format == "golemcore";
        let standing = if memory.state == State::Archived {
            Some(Standing::Archived)
        } else if !own_format {
            memory.hidden.is_some().then_some(Standing::Skipped)
        } else if place.is_none() {
            Some(Standing::Unread)
        } else if row.is_err() || memory.sight != Sight::Seen {
            Some(Standing::Skipped)
        } else {
            None
        };
        let place = place.unwrap_or_else(Place::facts);
        let row = row.unwrap_or_default();
        let clamp = |value: Option<f64>, missing: f64| clamp(value.unwrap_or(missing));
        let stamp = if own_format {
            row.stamp()
        } else {
            memory.updated.or(memory.created).map(Instant::from)
        };
        let layer = if own_format {
            Layer::Episodic
        } else {
            Layer::Semantic
        };
        Self {
            standing,
            scope: row.scope_in(&place.scope).into(),
            tree: place.scope.into(),
            file: place.file,
            number: memory.document,
            layer: row.layer.unwrap_or(layer),
            kind: row.kind,
            stamp,
            ttl_end: row.ttl_end(),
            salience: clamp(row.salience, SALIENCE),
            confidence: clamp(row.confidence, CONFIDENCE),
        }
    }
}

/// Key that duplicates share.
pub fn identity(memory: &Memory) -> Option<Box<str>> {
    if memory.schema.format == "golemcore" {
        let row = Row::of(&memory.fields).unwrap_or_default();
        row.identity().map(Into::into)
    } else {
        Some(memory.id.to_string().into())
    }
}

/// Between nothing and one, as the system does it: what is no number stays none.
pub const fn clamp(value: f64) -> f64 {
    value.clamp(0.0, 1.0)
}

/// The title that counts.
pub fn title(memory: &Memory) -> &str {
    match memory.schema.role(crate::memory::Role::Title) {
        Some(spec) => memory
            .field(spec.name)
            .and_then(Value::as_str)
            .unwrap_or_default(),
        None => &memory.title,
    }
}

/// The tags as the system holds them; a null is one without a text.
pub fn tags(memory: &Memory) -> Vec<Option<String>> {
    let tags = memory.role(crate::memory::Role::Tags);
    let tag = |tag: &Value| match tag {
        Value::Null => None,
        tag => Some(tag.to_string()),
    };
    tags.into_iter().flat_map(Value::items).map(tag).collect()
}

/// True if a title has anything to say.
pub fn has_title(memory: &Memory) -> bool {
    !java::is_blank(title(memory))
}
