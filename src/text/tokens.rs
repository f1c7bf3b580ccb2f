//! Words, numbers and names of a text, each with its stem as a number.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::opposites::{is_negation, numeral};
pub use super::word_lists::{hash, stem, stem_of};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It begins with a digit, or is a numeral.
    Number,
    /// `not`, `never`, `without`.
    Negation,
    /// It stands in a code span, or has a capital, a digit or punctuation inside.
    Name,
    /// Any other word.
    Word,
}

/// A token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes in the text.
    pub at: Range<usize>,
    /// Its kind.
    pub kind: Kind,
    /// A hash of its stem: tokens that differ in case or ending only have the same.
    pub stem: u32,
}

/// Tokens of one text beyond these are ignored.
const MOST: usize = 160;

/// The tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::with_capacity(MOST.min(text.len() / 6 + 1));
    let (mut at, mut in_code) = (0, false);
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if !c.is_alphanumeric() {
            in_code ^= c == '`';
            at += c.len_utf8();
            continue;
        }
        let end = at + length(text.get(at..).unwrap_or_default());
        let raw = text.get(at..end).unwrap_or_default();
        let (kind, stem) = classify(raw, in_code, found.is_empty());
        found.push(Token {
            at: at..end,
            kind,
            stem,
        });
        if found.len() == MOST {
            break;
        }
        at = end;
    }
    found
}

/// The stems of a text.
pub fn stems(text: &str) -> Vec<u32> {
    tokens(text).iter().map(|token| token.stem).collect()
}

/// One hash of two.
pub const fn join(a: u32, b: u32) -> u32 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x9e37_79b1)
}

/// Number of entries that two sorted lists share.
pub fn common(a: &[u32], b: &[u32]) -> usize {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let has = |one: &&u32| long.binary_search(one).is_ok();
    short.iter().filter(has).count()
}

/// Length of the token that a text begins with: letters and digits, joined by punctuation.
fn length(text: &str) -> usize {
    let plain = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let next = text.as_bytes().get(plain);
    if plain > 0 && matches!(next, None | Some(b' ' | b'\n' | b'`' | b')')) {
        return plain;
    }
    let mut end = 0;
    let mut joined = true;
    let mut after_digit = false;
    for (at, c) in text.char_indices() {
        if is_unspaced(c) {
            // Each character of a script without spaces is a word.
            return if at == 0 { c.len_utf8() } else { end };
        }
        if c.is_alphanumeric() {
            let thousands = text.get(end..at) == Some(",");
            if !joined || thousands && !(after_digit && c.is_ascii_digit()) {
                break;
            }
            end = at + c.len_utf8();
            after_digit = c.is_ascii_digit();
        } else if c == ',' {
            // Between two digits only.
            joined &= at == end;
        } else {
            joined &= matches!(
                c,
                '.' | '_' | '/' | ':' | '@' | '\'' | '’' | '+' | '#' | '-'
            ) && text.get(end..at).is_some_and(|gap| !gap.contains(','));
        }
        if !joined {
            break;
        }
    }
    end
}

/// True for characters of scripts that put no space between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Kind and stem of a token; `first` where it is the first of its text.
fn classify(raw: &str, in_code: bool, first: bool) -> (Kind, u32) {
    let mut hasher = Hashed::default();
    hasher.write(raw.as_bytes());
    let (kind, stem) = KNOWN.with_borrow_mut(|known| {
        if known.len() > CACHED {
            known.clear();
        }
        *known.entry(hasher.finish()).or_insert_with(|| read(raw))
    });
    match kind {
        Kind::Word if in_code || is_name(raw, first) => (Kind::Name, stem),
        _ => (kind, stem),
    }
}

/// Kind and stem of a token that is no name.
fn read(raw: &str) -> (Kind, u32) {
    let lower = raw.to_lowercase().replace('’', "'");
    if let Some(number) = numeral(&lower) {
        (Kind::Number, hash(number))
    } else if raw.starts_with(|c: char| c.is_ascii_digit()) {
        (Kind::Number, hash(&lower))
    } else if is_negation(&lower) {
        (Kind::Negation, stem(&lower))
    } else {
        (Kind::Word, stem(&lower))
    }
}

/// True if a token is spelled as a name: a capital, a digit or punctuation inside.
fn is_name(raw: &str, first: bool) -> bool {
    let inner = raw.chars().enumerate().any(|(n, c)| {
        matches!(c, '.' | '_' | '/' | ':' | '@') || (c.is_uppercase() && (n > 0 || !first))
    });
    inner || raw.contains(|c: char| c.is_ascii_digit())
}

/// Tokens kept at most by each thread, by the hash of how they are spelled.
const CACHED: usize = 50_000;

thread_local! {
    static KNOWN: RefCell<HashMap<u64, (Kind, u32), BuildHasherDefault<Hashed>>> =
        RefCell::default();
}

/// A hasher for keys that are hashes already.
#[derive(Clone, Copy, Default)]
pub struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_u32(&mut self, hash: u32) {
        // Hash tables use the low bits and the seven highest.
        self.0 = (u64::from(hash) << 32) | u64::from(hash);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_case_and_numerals_do_not_tell_tokens_apart() {
        assert_eq!(
            stems("Retries connections Ten"),
            stems("retry connection 10")
        );
        assert_ne!(stems("a.md"), stems("b.md"));
    }
}
