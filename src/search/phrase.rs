//! How a title begins.

use super::fold::Folder;
use super::word::Hay;

/// Characters of ASCII that are compared at once.
const HEAD: usize = 8;

/// The first [`HEAD`] characters of a text in lower case, a byte each: 0 of none, and what stands
/// for a title that is not ASCII.
pub(super) fn head(text: &[u8]) -> u64 {
    let bytes = text.iter().take(HEAD).rev();
    bytes.fold(0, |head, byte| {
        head << 8 | u64::from(byte.to_ascii_lowercase())
    })
}

/// A text that a title can begin with.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Phrase {
    folded: Box<[u32]>,
    /// How it begins; no title of ASCII begins so where it is not ASCII.
    head: u64,
    /// The bits of that which are compared.
    bits: u64,
}

impl Phrase {
    /// The text of folded characters.
    pub(super) fn new(folded: Box<[u32]>) -> Self {
        let bytes = folded.iter().take(HEAD);
        let bytes: Vec<u8> = bytes.map(|c| u8::try_from(*c).unwrap_or(0xff)).collect();
        Self {
            head: head(&bytes),
            bits: head(&vec![0xff; bytes.len()]),
            folded,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }
    /// Whether a title of that head may begin so; false is sure.
    pub(super) const fn may_begin(&self, head: u64) -> bool {
        head == 0 || head & self.bits == self.head
    }

    /// Whether a title is the phrase, where it begins with it.
    pub(super) fn begins(&self, title: Hay<'_>) -> Option<bool> {
        let len = self.folded.len();
        let (begins, all) = match title {
            Hay::Ascii(title) => {
                let same = |(b, f): (&u8, &u32)| u32::from(b.to_ascii_lowercase()) == *f;
                (
                    title.get(..len)?.iter().zip(&self.folded).all(same),
                    title.len(),
                )
            }
            Hay::Wide(title) => {
                let folder = Folder::get();
                let same = |(c, f): (&char, &u32)| folder.fold(*c) == *f;
                (
                    title.get(..len)?.iter().zip(&self.folded).all(same),
                    title.len(),
                )
            }
        };
        begins.then_some(all == len)
    }
}
