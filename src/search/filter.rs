//! Which memories match a query, best first.

/// A memory that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The memory, by its index in the snapshot.
    pub index: u32,
    /// How well it matches; higher is better, 0 where only fields were asked for.
    pub score: u32,
}

/// The text of every memory in the form the fuzzy matcher reads fastest.
#[derive(Debug, Default)]
pub struct Haystacks;
