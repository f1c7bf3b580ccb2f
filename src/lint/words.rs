//! Word lists that rules about single memories share.

use std::collections::HashSet;
use std::sync::OnceLock;

/// Words that a word is looked up in.
pub struct Words {
    list: &'static str,
    set: OnceLock<HashSet<&'static str>>,
}

impl Words {
    /// These words, a blank between each two.
    pub const fn of(list: &'static str) -> Self {
        let set = OnceLock::new();
        Self { list, set }
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'static str> {
        self.list.split(' ')
    }

    /// True if a word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.all().collect()).contains(word)
    }
}

/// Words that say nothing of their own.
pub const STOP: &str = "the a an of to in on at by for with and or as is are was were be been \
being has have had it its that this which from his her their he she they who also but into than \
then there these those will would can could may might s t so such some any all very more most \
just only even still already now own both either each every do does did you your we our i if when while whenever solely merely simply \
ne してください すること する します 하지 하세요 하십시오 한다 합니다 e.g i.e example additionally moreover furthermore currently presently therefore thus hence";
