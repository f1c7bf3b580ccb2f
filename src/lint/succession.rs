//! Statements that one memory replaces another, in fields and in a body.

use std::sync::LazyLock;

use regex::Regex;

use crate::curate::merge::is_name_of;
use crate::memory::{Memory, Value};
use crate::text::patterns::compact;

/// Fields that name what a memory takes the place of.
pub(super) const SUPERSEDES: &str = "supersedes superseded replaces obsoletes overrides";

/// Fields that name what takes the place of a memory.
pub(super) const SUPERSEDED_BY: &str =
    "superseded_by supersededBy superseded-by replaced_by replacedBy replaced-by";

pub(super) const STATES: &str = "status state lifecycle";

pub(super) const OVER: &str = "superseded deprecated obsolete replaced retired outdated";

/// A body that begins with a word of [`OVER`].
pub(super) struct Over<'t> {
    pub at: usize,
    pub word: &'t str,
    pub rest: &'t str,
}

/// Reads the word for its end that a body begins with.
pub(super) fn over(body: &str) -> Option<Over<'_>> {
    static FIRST: LazyLock<Option<Regex>> =
        LazyLock::new(|| compact(&format!(r"^\W*(?i)({})\b(.*)", OVER.replace(' ', "|"))));
    let found = FIRST.as_ref()?.captures(body)?;
    let (word, rest) = (found.get(1)?, found.get(2)?);
    Some(Over {
        at: word.start(),
        word: word.as_str(),
        rest: rest.as_str(),
    })
}

/// Names behind `supersedes` in a body, to the end of the line.
pub(super) fn supersedes(body: &str) -> impl Iterator<Item = &str> {
    let found = memchr::memmem::find_iter(body.as_bytes(), b"upersedes");
    let lines = found.filter_map(|at| body.get(at..)?.lines().next());
    lines.flat_map(names)
}

/// Words of a text that may name a memory: those with punctuation inside.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "-_:./".contains(c);
    let words = text.split(move |c| !is_part(c));
    let words = words.map(|word| word.trim_end_matches(['.', ':']));
    words.filter(|word| word.contains(['-', '_', ':', '.', '/']))
}

/// True if a field of one of two memories says that it takes the other's place.
pub(super) fn decides(a: &Memory, b: &Memory) -> bool {
    let names = |one: &Memory, other: &Memory| {
        let mut names = values(one, SUPERSEDES).chain(values(one, SUPERSEDED_BY));
        names.any(|name| is_name_of(name, other))
    };
    names(a, b) || names(b, a)
}

/// True if the body of a memory says that it replaces the other, or that the other replaces it.
pub(super) fn body_decides(body: &str, other: &Memory) -> bool {
    let by = over(body).map_or("", |over| over.rest);
    let mut names = supersedes(body).chain(names(by));
    names.any(|name| is_name_of(name, other))
}

/// The fields of a memory that say what replaces what.
pub(super) fn fields(memory: &Memory) -> impl Iterator<Item = (&'static str, &Value)> {
    let names = [SUPERSEDES, SUPERSEDED_BY, STATES].into_iter();
    let names = names.flat_map(|names| names.split(' '));
    names.filter_map(|name| Some((name, memory.field(name)?)))
}

pub(super) fn values<'m>(memory: &'m Memory, names: &'static str) -> impl Iterator<Item = &'m str> {
    let fields = names.split(' ').filter_map(|name| memory.field(name));
    let texts = fields.flat_map(Value::items).filter_map(Value::as_str);
    texts.filter(|text| !text.trim().is_empty())
}
