//! Three bytes in a row, by which most texts are told to lack a word without being searched.

/// The numbers of three bytes in a row that a text has.
pub struct Grams(Vec<bool>);

impl Grams {
    /// Those of a text.
    pub fn new(text: &str) -> Self {
        let mut known = vec![false; usize::from(MOST) + 1];
        for gram in grams(text) {
            if let Some(slot) = known.get_mut(usize::from(gram)) {
                *slot = true;
            }
        }
        Self(known)
    }

    /// True if the text may have this one.
    pub fn has(&self, gram: u16) -> bool {
        self.0.get(usize::from(gram)) == Some(&true)
    }
}

/// The largest number of three bytes.
const MOST: u16 = 0xfff;

/// A bit for each three bytes in a row: a text has all bits of a word that it has.
pub fn bits(text: &str) -> u64 {
    grams(text).fold(0, |bits, gram| bits | 1 << (gram % 64))
}

/// The numbers of each three bytes in a row; others may have the same.
pub fn grams(text: &str) -> impl Iterator<Item = u16> {
    let windows = text.as_bytes().windows(3);
    windows.map(|three| {
        let add = |sum: u32, byte: &u8| sum * 37 + u32::from(*byte);
        let number = three.iter().fold(0, add) % u32::from(MOST);
        u16::try_from(number).unwrap_or_default()
    })
}
