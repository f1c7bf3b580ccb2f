//! Word lists that rules and policies share, and stems of English words.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use rust_stemmers::{Algorithm, Stemmer};

/// The lists of `assets/lint/words.toml`, by name.
static LISTS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../assets/lint/words.toml")).unwrap_or_default()
});

/// A set of words.
pub struct Words {
    list: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl Words {
    /// The words of a list of the file.
    pub const fn named(name: &'static str) -> Self {
        Self::of(name)
    }

    /// These words, a blank between each two.
    pub const fn of(list: &'static str) -> Self {
        let set = OnceLock::new();
        Self { list, set }
    }

    /// The words.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        let list = LISTS.get(self.list).map_or(self.list, String::as_str);
        list.split_whitespace()
    }

    /// True if a word is one of them.
    pub fn has(&self, word: &str) -> bool {
        let set = self.set.get_or_init(|| self.iter().collect());
        set.contains(word)
    }
}

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
