//! A sentence cut into words and signs.

use super::words::{ADVERBS, FILLING, IN, OPENS, SMALL, STANDS};

/// A part of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    Word(&'t str),
    /// A sign; `'` for the ending of whom something is.
    Mark(char),
}

use Piece::{Mark, Word};

impl<'t> Piece<'t> {
    pub const fn word(self) -> Option<&'t str> {
        match self {
            Word(word) => Some(word),
            Mark(_) => None,
        }
    }
}

/// The pieces of a text in small letters.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let quoted = |c: char| "`*\"“”«»".contains(c);
    let mut all = Vec::new();
    for chunk in text.split_whitespace() {
        let open = |c: char| quoted(c) || c == '(' || c == '[';
        let inner = chunk.trim_start_matches(open);
        if chunk
            .get(..chunk.len() - inner.len())
            .is_some_and(|signs| signs.contains('('))
        {
            all.push(Mark('('));
        }
        let close = |c: char| quoted(c) || ",;:.)]!?".contains(c);
        let core = inner.trim_end_matches(close);
        let (core, owner) = match core.strip_suffix("'s") {
            Some(core) => (core.trim_end_matches(quoted), true),
            None => (core, false),
        };
        match core {
            "" => {}
            "-" | "--" | "—" | "–" | "|" | "→" | "->" | ">" => all.push(Mark('-')),
            word => all.push(Word(word)),
        }
        if owner {
            all.push(Mark('\''));
        }
        let signs = inner
            .chars()
            .rev()
            .take_while(|c| close(*c))
            .filter(|c| !quoted(*c));
        let signs: Vec<char> = signs.collect();
        all.extend(signs.into_iter().rev().map(Mark));
    }
    all
}

/// Without adverbs.
pub(super) fn skipped<'a, 't>(all: &'a [Piece<'t>]) -> &'a [Piece<'t>] {
    let passed = |piece: &&Piece<'_>| matches!(piece, Word(word) if ADVERBS.has(word));
    let count = all.iter().take_while(passed).count();
    all.get(count..).unwrap_or_default()
}

pub(super) fn is_filling(piece: &Piece<'_>) -> bool {
    match piece {
        Word(word) => FILLING.has(word) || IN.has(word),
        Mark(_) => true,
    }
}

/// Whether a word names nothing, but joins others.
pub(super) fn is_small(word: &str) -> bool {
    IN.has(word)
        || OPENS.has(word)
        || STANDS.has(word)
        || FILLING.has(word)
        || SMALL.has(word)
        || ADVERBS.has(word)
}

/// Whether a word is a state of a repository that was given out: `2.x`, `v1.4`, `release-3.1`.
pub(super) fn is_release(word: &str) -> bool {
    let number = ["release-", "release/", "releases/", "v"];
    let number = number.iter().find_map(|head| word.strip_prefix(head));
    let begins = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let line = word.strip_suffix(".x").is_some_and(begins);
    line || number
        .is_some_and(|rest| begins(rest) && (rest.contains('.') || !word.starts_with('v')))
}

/// The repository in an address, without what stands behind it.
pub(super) fn hosted(word: &str) -> Option<&str> {
    let place = word
        .trim_start_matches("https://")
        .trim_start_matches("http://");
    let place = place.strip_prefix("www.").unwrap_or(place);
    let known = HOSTS.iter().any(|host| place.starts_with(host));
    let end = place
        .match_indices('/')
        .nth(2)
        .map_or(place.len(), |(at, _)| at);
    let place = place.get(..end)?;
    (known && place.matches('/').count() == 2).then(|| place.trim_end_matches(".git"))
}

/// Where code of others is kept.
const HOSTS: &[&str] = &[
    "github.com/",
    "gitlab.com/",
    "bitbucket.org/",
    "codeberg.org/",
];

/// A word that is the name of a place: `third_party/radio`, `release-3.1`.
pub(super) fn title<'t>(piece: Option<&Piece<'t>>) -> Option<&'t str> {
    let telling = |c: char| "/-".contains(c) || c.is_ascii_digit();
    piece?.word().filter(|word| word.contains(telling))
}
