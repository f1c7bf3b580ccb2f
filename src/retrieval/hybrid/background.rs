//! How common words are in texts at large: a table of word stems, counted in public memories, manuals,
//! handbooks and README files of ten languages (`cargo bench --bench hook -- --write`). In a store of
//! five memories every word is rare; the table says which words are.
//!
//! The table is searched as it lies in the program: sorted lines, each a stem and a level. Nothing is
//! built at the start.

use std::cmp::Ordering;

/// The lines: a stem and the letter of its level.
static TABLE: &str = include_str!("../../../assets/hybrid/word-shares.txt");

/// Level of a stem that the table does not have: it stands in fewer than one of 200 texts.
pub const UNKNOWN: u8 = 16;

/// Share of texts that have a word of some level: each level halves the share of the one before the
/// last.
fn share(level: u8) -> f64 {
    0.5_f64.powf(f64::from(level) / 2.0)
}

/// A table of words; the program's own, or another one for measuring.
#[derive(Clone, Copy, Debug)]
pub struct Background(&'static str);

impl Default for Background {
    fn default() -> Self {
        Self(TABLE)
    }
}

impl Background {
    /// A table that is measured.
    pub const fn new(lines: &'static str) -> Self {
        Self(lines)
    }

    /// The share of texts that have a word.
    pub fn share(self, stem: &str) -> f64 {
        share(self.level(stem).unwrap_or(UNKNOWN))
    }

    fn level(self, stem: &str) -> Option<u8> {
        let bytes = self.0.as_bytes();
        let (mut from, mut to) = (0, bytes.len());
        while from < to {
            let middle = from + (to - from) / 2;
            let before = bytes.get(from..middle)?;
            let start = memchr::memrchr(b'\n', before).map_or(from, |at| from + at + 1);
            let line = bytes.get(start..to)?;
            let line = line.get(..memchr::memchr(b'\n', line)?)?;
            let (level, word) = line.split_last()?;
            match word.cmp(stem.as_bytes()) {
                Ordering::Equal => return Some(level.wrapping_sub(b'a')),
                Ordering::Less => from = start + line.len() + 1,
                Ordering::Greater => to = start,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_small() {
        let words = TABLE.lines().map(|line| line.split_at(line.len() - 1));
        let words: Vec<(&str, &str)> = words.collect();
        assert!(words.is_sorted_by(|one, other| one.0 < other.0));
        let levels = words.iter().map(|(_, level)| level.as_bytes()[0] - b'a');
        assert!(levels.max() < Some(UNKNOWN));
        assert!(TABLE.len() < 400_000);
        let background = Background::default();
        for (word, level) in words.iter().step_by(97) {
            let level = share(level.as_bytes()[0] - b'a');
            assert_eq!(background.share(word), level, "{word}");
        }
    }

    #[test]
    fn everyday_words_are_common_in_each_language() {
        let background = Background::default();
        let rare = background.share("zeppelin");
        for word in "file error может pued можн 使用 する fichi".split(' ') {
            assert!(background.share(word) > 4.0 * rare, "{word}");
        }
    }

    #[test]
    fn a_table_finds_its_words_and_no_others() {
        let table = Background::new("aac\nabb\nbe\n");
        let level = |word: &str| table.level(word);
        assert_eq!(["aa", "ab", "b"].map(level), [2, 1, 4].map(Some));
        assert_eq!(["", "a", "abc", "c"].map(level), [None; 4]);
    }
}
