//! Stems of words, and their hashes.

use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// A hash of the Snowball stem of a word in lower case. Names with punctuation are their own stem.
pub fn stem(word: &str) -> u32 {
    hash(&stem_of(word))
}

/// The Snowball stem of a word in lower case.
pub fn stem_of(word: &str) -> String {
    match word.contains(['.', '_', '/', ':', '@', '#']) {
        true => word.to_owned(),
        false => STEMMER.stem(word).into_owned(),
    }
}

/// FNV-1a of a word.
pub fn hash(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
