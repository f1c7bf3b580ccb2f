//! The phrase of a task in a sequence of tokens: the same as to look for the text of the one in
//! the text of the other, without putting either together.

/// The places of a vocabulary that a token of a phrase may stand for.
#[derive(Clone, Debug, Default)]
pub struct Places {
    bits: Vec<u64>,
}

impl Places {
    /// None of so many.
    pub fn none(count: usize) -> Self {
        Self {
            bits: vec![0; count.div_ceil(64)],
        }
    }

    /// Adds one.
    pub fn add(&mut self, place: u32) {
        if let Some(bits) = self.bits.get_mut(place as usize / 64) {
            *bits |= 1 << (place % 64);
        }
    }

    /// Whether it is among them.
    pub fn has(&self, place: u32) -> bool {
        let bits = self.bits.get(place as usize / 64);
        bits.is_some_and(|bits| bits >> (place % 64) & 1 == 1)
    }
}

/// What is looked for.
#[derive(Clone, Debug)]
pub enum Phrase {
    /// It cannot be there.
    Nowhere,
    /// A token that has the only word of the phrase in it.
    One(Places),
    /// A token that ends in the first word, those between, a token that begins with the last.
    Several {
        /// Tokens that end in the first word.
        first: Places,
        /// The words between.
        middle: Vec<u32>,
        /// Tokens that begin with the last word.
        last: Places,
    },
}

impl Phrase {
    /// Whether a sequence of tokens has it.
    pub fn is_in(&self, tokens: &[u32]) -> bool {
        match self {
            Self::Nowhere => false,
            Self::One(places) => tokens.iter().any(|token| places.has(*token)),
            Self::Several {
                first,
                middle,
                last,
            } => tokens.windows(middle.len() + 2).any(|window| match window {
                [head, between @ .., tail] => {
                    first.has(*head) && between == middle.as_slice() && last.has(*tail)
                }
                _ => false,
            }),
        }
    }
}
