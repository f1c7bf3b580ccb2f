//! Counts of use: how often a memory was given, drawn on and gone against.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{MemoryId, plural};

/// The part that a memory played in a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// Nothing shows that it was used.
    #[default]
    Unused,
    /// The session drew on it.
    Drawn,
    /// The session did what it forbids.
    Against,
}

impl Part {
    /// The word of the contract.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unused => "unused",
            Self::Drawn => "drawn",
            Self::Against => "against",
        }
    }
}

/// Numbers of sessions by what they did with a memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worth {
    /// Sessions that were given it.
    pub given: u32,
    /// Sessions that drew on it.
    pub drawn: u32,
    /// Sessions that went against it.
    pub against: u32,
}

/// The worth of memories by their ids.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Worths(pub HashMap<String, Worth>);

impl Worth {
    /// Counts so many more sessions, or fewer.
    pub const fn count_sessions(&mut self, part: Part, by: i32) {
        self.given = self.given.saturating_add_signed(by);
        match part {
            Part::Unused => {}
            Part::Drawn => self.drawn = self.drawn.saturating_add_signed(by),
            Part::Against => self.against = self.against.saturating_add_signed(by),
        }
    }

    /// One of its numbers by its name; that of sessions that were given it under any other.
    pub fn count(&self, name: &str) -> u32 {
        match name {
            "drawn" => self.drawn,
            "against" => self.against,
            _ => self.given,
        }
    }
}

impl Worths {
    /// The worth of a memory; none where it was never given.
    pub fn of(&self, id: &MemoryId) -> Option<Worth> {
        // Most people record nothing.
        (!self.0.is_empty()).then(|| self.0.get(&id.to_string()).copied())?
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = plural(self.given as usize, "time");
        let Self { drawn, against, .. } = self;
        write!(
            f,
            "given {given}, drawn on in {drawn}, gone against in {against}"
        )
    }
}
