//! Words in the text of a memory: as they stand, or with gaps inside one word of the text.
//! Fuzzy matching over a whole text would find every word everywhere.

use super::fold::{Folder, adapt};
use super::rank::CLOSE;
use super::word::{Kind, MOST, Word};

/// The rank of a word that stands in the text, and of one that begins there.
const INSIDE: u32 = CLOSE + 800;
const BEGINS: u32 = CLOSE + MOST;
/// The highest rank of a match with gaps: a loose one.
const GAPS: u32 = 700;

/// The rank of a word in a text.
pub(super) fn score(word: &Word, text: &str) -> Option<u32> {
    let trimmed = text.trim();
    match word.kind {
        Kind::Fuzzy => find(word, text).or_else(|| in_one_token(word, text)),
        Kind::Exact => find(word, text),
        Kind::Prefix => (strip(word, trimmed.chars(), Folder::get()).is_some()).then_some(BEGINS),
        Kind::Suffix => {
            let from = trimmed
                .char_indices()
                .rev()
                .nth(word.chars.len().checked_sub(1)?)?
                .0;
            let end = trimmed.get(from..)?;
            strip(word, end.chars(), Folder::get())
                .is_some()
                .then_some(INSIDE)
        }
        Kind::Whole => strip(word, trimmed.chars(), Folder::get())?
            .next()
            .is_none()
            .then_some(BEGINS),
    }
}

/// Whether a character of the text is a character of the word.
fn same(word: &Word, folder: Folder, h: char, n: (u32, char)) -> bool {
    folder.fold(h) == n.0
        && ((word.ignore_case && word.normalize)
            || adapt(h, word.ignore_case, word.normalize) == n.1)
}

fn pairs(word: &Word) -> impl Iterator<Item = (u32, char)> {
    word.folded.iter().copied().zip(word.chars.iter().copied())
}

/// What follows the word, where the text begins with it.
fn strip<I: Iterator<Item = char>>(word: &Word, mut text: I, folder: Folder) -> Option<I> {
    for n in pairs(word) {
        if !same(word, folder, text.next()?, n) {
            return None;
        }
    }
    Some(text)
}

/// The best place where the word stands in the text.
fn find(word: &Word, text: &str) -> Option<u32> {
    if let Some(score) = find_ascii(word, text) {
        return Some(score);
    }
    if text.is_ascii() {
        return None;
    }
    let folder = Folder::get();
    let first = pairs(word).next()?;
    let mut found = None;
    let mut begins = true;
    let mut chars = text.chars();
    loop {
        let here = chars.clone();
        let c = chars.next()?;
        if same(word, folder, c, first) && strip(word, here, folder).is_some() {
            if begins {
                return Some(BEGINS);
            }
            found = Some(INSIDE);
        }
        begins = !c.is_alphanumeric();
        if chars.as_str().is_empty() {
            return found;
        }
    }
}

/// The same by bytes, for a word of ASCII: it stands as such in most texts.
fn find_ascii(word: &Word, text: &str) -> Option<u32> {
    let needle: Vec<u8> = word
        .chars
        .iter()
        .map(|&c| u8::try_from(c).ok().filter(u8::is_ascii))
        .collect::<Option<_>>()?;
    let first = *needle.first()?;
    let bytes = text.as_bytes();
    let other = if word.ignore_case {
        first.to_ascii_uppercase()
    } else {
        first
    };
    let mut found = None;
    for at in memchr::memchr2_iter(first, other, bytes) {
        let Some(here) = bytes.get(at..at + needle.len()) else {
            break;
        };
        let same = if word.ignore_case {
            here.eq_ignore_ascii_case(&needle)
        } else {
            here == needle
        };
        if same {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            if before.is_none_or(|b| b.is_ascii() && !b.is_ascii_alphanumeric()) {
                return Some(BEGINS);
            }
            found = Some(INSIDE);
        }
    }
    found
}

/// The word with gaps inside one token of the text; the shorter the token, the better.
fn in_one_token(word: &Word, text: &str) -> Option<u32> {
    let folder = Folder::get();
    let most = u32::try_from(word.chars.len()).ok()?;
    text.split_whitespace()
        .filter_map(|token| {
            let mut needle = pairs(word).peekable();
            let mut len = 0_u32;
            for c in token.chars() {
                len = len.saturating_add(1);
                if needle.next_if(|&n| same(word, folder, c, n)).is_some()
                    && needle.peek().is_none()
                {
                    let len = token.chars().count().max(1);
                    let len = u32::try_from(len).unwrap_or(u32::MAX);
                    return Some((GAPS.saturating_mul(most) / len).clamp(1, GAPS));
                }
            }
            None
        })
        .max()
}
