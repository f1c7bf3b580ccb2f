//! The rank of a memory as one number, which is compared.
//!
//! ```text
//! bit 24      every word stands somewhere without gaps, or a field was enough: not loose
//! bits 18–23  the sum of the words' fits: inside 1, beginning 2, whole 3
//! bits 16–17  the title begins with the words, or is them
//! bits 11–15  the sum of the words' places: text 0, tag or id 1, title 2
//! bits 0–10   the sum of the words' points
//! ```
//! It has few bits, for the fewer there are the faster it is sorted by. Of very many words a sum reaches into what stands above it; the order is then a rougher one.

use super::fit::Fit;

/// Every word stands somewhere without gaps.
pub(super) const CLOSE: u32 = 1 << 24;
/// The title is the words of the query.
pub(super) const WHOLE_TITLE: u32 = 1 << 17;
/// The title begins with the words of the query.
pub(super) const TITLE_BEGINS: u32 = 1 << 16;
const FIT: u32 = 1 << 18;
const PLACE: u32 = 1 << 11;

/// True if a rank is of a memory that has some word with gaps only.
pub const fn is_loose(rank: u32) -> bool {
    rank > 0 && rank < CLOSE
}

/// How a word stands in a title, a tag or the id, small enough to keep for each memory: two bits
/// of its [`Fit`], one where it is the title, ten of its points. It is compared as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found(pub(super) u16);

const FITS: u32 = 11;
const IN_TITLE: u16 = 1 << 10;

impl Found {
    /// Packs the match of a word; its points are fewer than 1,024.
    pub(super) fn new(fit: Fit, in_title: bool, points: u32) -> Self {
        let points = u16::try_from(points).unwrap_or(u16::MAX).min(IN_TITLE - 1);
        let title = if in_title { IN_TITLE } else { 0 };
        Self((fit as u16) << FITS | title | points)
    }

    /// True if the word stands there so closely, or closer.
    pub(super) const fn is(self, fit: Fit) -> bool {
        self.0 >> FITS >= fit as u16
    }

    /// The same points in the same place, with another fit.
    pub(super) const fn at(self, fit: Fit) -> Self {
        Self((fit as u16) << FITS | self.0 & ((1 << FITS) - 1))
    }

    /// The rank of a memory in which nothing else was looked for.
    pub(super) fn rank(self) -> u32 {
        let fit = u32::from(self.0 >> FITS);
        let place = if self.0 & IN_TITLE == 0 { 1 } else { 2 };
        let close = if fit > 0 { CLOSE } else { 0 };
        close + fit * FIT + place * PLACE + u32::from(self.0 & (IN_TITLE - 1))
    }
}

/// The rank of a memory, word by word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    total: u32,
    loose: bool,
}

impl Sum {
    pub(super) const NOTHING: Self = Self {
        total: 0,
        loose: false,
    };

    /// Adds the rank of one word, or of a field that is enough.
    pub(super) const fn add(&mut self, rank: u32) {
        self.total = self.total.saturating_add(rank & (CLOSE - 1));
        self.loose |= rank < CLOSE;
    }

    /// The rank of the memory, with what its title earns.
    pub(super) fn rank(self, title: u32) -> u32 {
        let total = self.total.saturating_add(title).min(CLOSE - 1);
        if self.loose {
            total.max(1)
        } else {
            CLOSE + total
        }
    }
}
