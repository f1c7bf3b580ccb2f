//! Statements that one memory replaces another, in fields and in the first line of a body.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::lookup::file_name;
use crate::memory::{Memory, Value};
use crate::text::patterns::compact;

/// Fields that name what a memory takes the place of.
pub(super) const SUPERSEDES: &str = "supersedes superseded replaces obsoletes overrides";

/// Fields that name what takes the place of a memory.
pub(super) const SUPERSEDED_BY: &str =
    "superseded_by supersededBy superseded-by replaced_by replacedBy replaced-by";

/// Fields with the state of a memory.
pub(super) const STATES: &str = "status state lifecycle";

/// States of a memory that is over.
pub(super) const OVER: &str = "superseded deprecated obsolete replaced retired outdated";

/// The first line of a body that says that something is over.
pub(super) struct Over<'t> {
    /// Position of the word for it in the body.
    pub at: usize,
    /// The word.
    pub word: &'t str,
    /// Successors that it names.
    pub by: Vec<&'t str>,
    /// True if it is about the memory itself: the word stands alone, or a sentence says `this note`.
    /// Else it is about whatever the successor replaces.
    pub is_itself: bool,
}

/// How a link, or a word, names a memory.
const NAME: &str = r"(?:\[\[(?P<wiki>[^\]]+)\]\]|\[(?P<says>[^\]]*)\]\((?P<goes>[^)#]*)[^)]*\)|(?P<word>\w[\w:./-]*))";

struct Patterns {
    first_line: Regex,
    alone: Regex,
    successor: Regex,
    supersedes: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    let pattern = |pattern: &str| compact(pattern);
    let memory = "memory|note|entry|file|document|doc|page|lesson|record|section";
    Some(Patterns {
        first_line: pattern(&format!(
            r"^(?i)\W*(?P<itself>(?:\w+:\W+){{0,2}}this (?:{memory})\W+(?:is|was|has)\W+(?:\w+\W+){{0,3}}?)?(?P<over>{})\b(?P<rest>.*)",
            OVER.replace(' ', "|")
        ))?,
        alone: pattern(r"^[*_]*(?:[.!\])]|\W*$|\s+(?:since|as)\b)")?,
        successor: pattern(&format!(
            r"(?:\b(?i:by|use|see|read|of|to|with)\b|→)[\W&&[^\[]]*{NAME}"
        ))?,
        supersedes: pattern(&format!(
            r"(?i)(?P<denied>\b(?:longer|not|never|nothing|neither|\w+n't)\s+)?\bsupersedes[:*_]* [`*_]*{NAME}"
        ))?,
    })
});

/// Reads the subject that a body's first line retires.
pub(super) fn over(body: &str) -> Option<Over<'_>> {
    let start = body.find(char::is_alphanumeric)?;
    let line = body.get(start..)?.lines().next()?;
    let lower = line.to_ascii_lowercase();
    let patterns = PATTERNS
        .as_ref()
        .filter(|_| OVER.split(' ').any(|word| lower.contains(word)))?;
    let found = patterns.first_line.captures(line)?;
    let (word, rest) = (found.name("over")?, found.name("rest")?.as_str());
    let by = patterns.successor.captures_iter(rest).flat_map(names);
    Some(Over {
        at: start + word.start(),
        word: word.as_str(),
        by: by.collect(),
        is_itself: found.name("itself").is_some() || patterns.alone.is_match(rest),
    })
}

/// Ids that a body says it supersedes. Only links and words with punctuation count as ids.
pub(super) fn supersedes(body: &str) -> Vec<&str> {
    if memchr::memmem::find(body.as_bytes(), b"upersedes").is_none() {
        return Vec::new();
    }
    let found = PATTERNS
        .iter()
        .flat_map(|one| one.supersedes.captures_iter(body));
    let found = found.filter(|found| found.name("denied").is_none());
    let is_id = |found: &Captures<'_>| {
        let word = found.name("word").map(|word| word.as_str());
        word.is_none_or(|word| word.trim_end_matches('.').contains(['-', ':', '_', '/']))
    };
    found.filter(is_id).flat_map(names).collect()
}

/// The names in a match of [`NAME`]: of a link, where it goes and what it says.
fn names(found: Captures<'_>) -> Vec<&str> {
    let groups = ["wiki", "goes", "says", "word"].into_iter();
    let texts = groups.filter_map(|group| found.name(group).map(|one| one.as_str()));
    let names = texts.flat_map(|text| text.split('|'));
    names
        .map(|name| name.trim_end_matches(|c: char| !c.is_alphanumeric()))
        .filter(|name| !name.is_empty())
        .collect()
}

/// True if a field of one of two memories says that it takes the other's place.
pub(super) fn decides(a: &Memory, b: &Memory) -> bool {
    let names = |one: &Memory, other: &Memory| {
        let mut names = values(one, SUPERSEDES).chain(values(one, SUPERSEDED_BY));
        names.any(|name| is(name, other))
    };
    names(a, b) || names(b, a)
}

/// True if the body of a memory says that it replaces the other, or that the other replaces it.
pub(super) fn body_decides(body: &str, other: &Memory) -> bool {
    let over = over(body).map(|over| over.by).unwrap_or_default();
    let mut names = supersedes(body).into_iter().chain(over);
    names.any(|name| is(name, other))
}

/// The fields of a memory that say what replaces what.
pub(super) fn fields(memory: &Memory) -> impl Iterator<Item = (&'static str, &Value)> {
    let names = [SUPERSEDES, SUPERSEDED_BY, STATES].into_iter();
    let names = names.flat_map(|names| names.split(' '));
    names.filter_map(|name| Some((name, memory.field(name)?)))
}

/// The texts of the fields with these names.
pub(super) fn values<'m>(memory: &'m Memory, names: &'static str) -> impl Iterator<Item = &'m str> {
    let fields = names.split(' ').filter_map(|name| memory.field(name));
    let texts = fields.flat_map(Value::items).filter_map(Value::as_str);
    texts.filter(|text| !text.trim().is_empty())
}

fn is(name: &str, memory: &Memory) -> bool {
    let name = bare(name);
    let id = &memory.id;
    name == &*id.local || name == file_name(&id.local) || name == id.to_string()
}

/// A name without the marks of links and the ending of files.
pub(super) fn bare(name: &str) -> &str {
    let name = name.trim().trim_start_matches("[[").trim_end_matches("]]");
    let name = name.trim_start_matches("./");
    name.trim_end_matches(".md").trim_end_matches(".mdc")
}
