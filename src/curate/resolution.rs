//! A person's answers to questions about two memories, and the words for them.

use serde::{Deserialize, Serialize};

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
    const ALL: [Self; 6] = [
        Self::KeepA,
        Self::KeepB,
        Self::Both,
        Self::Merge,
        Self::NotAConflict,
        Self::AskAgain,
    ];

    /// The words of all of them.
    pub fn words() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(Self::word)
    }

    /// The answer with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }

    /// The word in the file and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            Self::KeepA => "keep-a",
            Self::KeepB => "keep-b",
            Self::Both => "both",
            Self::Merge => "merge",
            Self::NotAConflict => "not-a-conflict",
            Self::AskAgain => "ask-again",
        }
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
