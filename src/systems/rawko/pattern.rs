//! `whenToUse` patterns as the rawko code reads them (SPEC-0007 and SPEC-0009, `matchPattern`).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::Dialect;
use crate::retrieval::phrase::{self, Lexicon};
use crate::retrieval::regexp::{RegExp, RegExpError, Utf16Text};
use crate::retrieval::{Match, js};

/// How a pattern is read. The order of the specs' code: the first that fits decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading<'a> {
    /// Has `|`: each part, trimmed, is literal text.
    Alternatives(Vec<&'a str>),
    /// Has `*` or `?`: they become `.*` and `.`, the rest is a regular expression.
    Wildcard(String),
    /// Has `.` and `{`: a regular expression as it stands.
    Regex(&'a str),
    /// Literal text.
    Substring(&'a str),
}

impl Reading<'_> {
    /// The word of the contract's `match.kind`.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Alternatives(_) => "alternative",
            Self::Wildcard(_) => "wildcard",
            Self::Regex(_) => "regex",
            Self::Substring(_) => "substring",
        }
    }
}

/// Result of matching a pattern or all of a memory's patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing matches.
    No,
    /// It matches: how it was read, and which bytes of the searched text.
    Hit(&'static str, Range<usize>),
    /// The specs' code throws here.
    Throws,
    /// It takes longer than it may.
    TooSlow,
}

/// `pattern.toLowerCase().trim()`.
pub fn normalized(pattern: &str) -> String {
    js::trim(&pattern.to_lowercase()).to_owned()
}

/// How a dialect reads a normalised pattern at first; one that is no valid regular expression
/// is read on, see [`Matcher::find`].
pub fn reading(pattern: &str, dialect: Dialect) -> Reading<'_> {
    if pattern.contains('|') {
        return Reading::Alternatives(pattern.split('|').map(js::trim).collect());
    }
    match dialect {
        Dialect::Unified if pattern.contains('*') => Reading::Wildcard(pattern.replace('*', ".*")),
        Dialect::Unified => Reading::Substring(pattern),
        _ if pattern.contains(['*', '?']) => {
            Reading::Wildcard(pattern.replace('*', ".*").replace('?', "."))
        }
        _ if pattern.contains('.') && pattern.contains('{') => Reading::Regex(pattern),
        _ => Reading::Substring(pattern),
    }
}

/// The text that patterns are matched on: task and agent name, in lower case.
pub struct SearchText {
    /// The text.
    pub lower: String,
    units: Utf16Text,
    /// The stems of its words, with the bytes each stands at.
    pub stems: Vec<(String, Range<usize>)>,
}

impl SearchText {
    /// The search text of a task.
    pub fn new(task: &str, agent: &str) -> Self {
        let lower = format!("{task} {agent}").to_lowercase();
        Self {
            units: Utf16Text::new(&lower),
            stems: phrase::stems(&lower),
            lower,
        }
    }
}

/// Compiled regular expressions, by their source; none where the source is not valid.
type Compiled = HashMap<Box<str>, Result<Arc<RegExp>, Refusal>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Invalid,
    TooSlow,
}

/// Matches patterns and remembers the regular expressions it compiled.
#[derive(Default)]
pub struct Matcher {
    compiled: Mutex<Compiled>,
}

/// Beyond this many the remembered expressions are let go.
const MOST_COMPILED: usize = 20_000;

impl Matcher {
    /// Matches one pattern.
    pub fn find(&self, pattern: &str, text: &SearchText, dialect: Dialect) -> Outcome {
        let pattern = normalized(pattern);
        let found = |kind, part: &str| match text.lower.find(part) {
            Some(at) => Outcome::Hit(kind, at..at + part.len()),
            None => Outcome::No,
        };
        let is_regex = pattern.contains('.') && pattern.contains('{');
        let reading = reading(&pattern, dialect);
        let kind = reading.word();
        let sources = match &reading {
            Reading::Alternatives(parts) => {
                let mut all = parts.iter().map(|part| found(kind, part));
                return all.find(|one| *one != Outcome::No).unwrap_or(Outcome::No);
            }
            // The code reads on: a wildcard that is no expression may still be one as it stands.
            Reading::Wildcard(source) => [Some(&**source), is_regex.then_some(&*pattern)],
            Reading::Regex(source) => [Some(*source), None],
            Reading::Substring(_) => [None, None],
        };
        for (source, kind) in sources.into_iter().flatten().zip([kind, "regex"]) {
            match self.run(source, text) {
                Ok(Some(range)) => return Outcome::Hit(kind, range),
                Ok(None) => return Outcome::No,
                Err(Refusal::TooSlow) => return Outcome::TooSlow,
                Err(Refusal::Invalid) if dialect == Dialect::Unified => return Outcome::Throws,
                Err(Refusal::Invalid) => {}
            }
        }
        found("substring", &pattern)
    }

    /// Returns the match of a pattern in a task, with phrases by their meaning in the dialect that
    /// does so.
    pub fn try_on(&self, pattern: &str, task: &str, dialect: Dialect) -> Option<Match> {
        let text = SearchText::new(task, "");
        let phrase = || phrase::find(pattern, &text.stems, &mut Lexicon::default());
        let (kind, at) = match self.find(pattern, &text, dialect) {
            Outcome::Hit(kind, at) => (kind, at),
            _ if dialect == Dialect::Natural => ("phrase", phrase()?),
            _ => return None,
        };
        Some(Match {
            pattern: pattern.to_owned(),
            kind,
            hit: text.lower.get(at)?.to_owned(),
        })
    }

    fn run(&self, source: &str, text: &SearchText) -> Result<Option<Range<usize>>, Refusal> {
        let found = self.compile(source)?.find(&text.units);
        let found = found.map_err(|_| Refusal::TooSlow)?;
        Ok(found.map(|units| text.units.byte_range(units)))
    }

    fn compile(&self, source: &str) -> Result<Arc<RegExp>, Refusal> {
        let compiled = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled().get(source) {
            return known.clone();
        }
        let regexp = RegExp::new(source, true).map(Arc::new);
        let regexp = regexp.map_err(|error| match error {
            RegExpError::Syntax { .. } => Refusal::Invalid,
            _ => Refusal::TooSlow,
        });
        let mut all = compiled();
        if all.len() >= MOST_COMPILED {
            all.clear();
        }
        all.insert(source.into(), regexp.clone());
        regexp
    }
}

/// The runs of literal text that every match of a normalised pattern has in the dialects with the
/// code of SPEC-0007. None where that cannot be told, or where the pattern might not be valid and
/// that would make a difference.
pub fn required(pattern: &str) -> Option<Vec<&str>> {
    let is_plain =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || " _-/,:\"'#@=*?.{}".contains(c);
    if !pattern.chars().all(is_plain) {
        return None;
    }
    let mut runs = Vec::new();
    let mut rest = pattern;
    while let Some(end) = rest.find(['*', '?', '.', '{', '}']) {
        let (run, later) = rest.split_at(end);
        if later.starts_with('{') {
            // A count applies to the character before it, which may then be missing.
            runs.push(run.get(..run.len().saturating_sub(1)).unwrap_or_default());
            rest = later.split_once('}').map_or("", |(_, rest)| rest);
        } else {
            runs.push(run);
            rest = later.get(1..).unwrap_or_default();
        }
    }
    runs.push(rest);
    runs.retain(|run| !run.is_empty());
    Some(runs)
}
