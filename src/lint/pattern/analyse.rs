//! The flaws of one pattern.

use std::sync::LazyLock;

use regex::Regex;

use super::Flaw;
use crate::lint::chars::{quote, visible};
use crate::memory::steps::step;
use crate::retrieval::js::trim;
use crate::retrieval::regexp::{RegExp, RegExpError, Utf16Text};
use crate::systems::rawko::Dialect;
use crate::systems::rawko::pattern::{self, normalized, reading};
use crate::text::patterns::{compact, pairs};

enum Reading {
    /// Texts to look for, one of which is enough.
    Alternatives(Vec<String>),
    /// A source with the regular expression made of it, or why it is none.
    Expression(String, Result<Box<RegExp>, RegExpError>),
    Literal(String),
}

impl Reading {
    fn of(written: &str) -> Self {
        step(written.len());
        let normal = normalized(written);
        let source = match reading(&normal, Dialect::Arbiter) {
            pattern::Reading::Alternatives(all) => {
                return Self::Alternatives(all.into_iter().map(ToOwned::to_owned).collect());
            }
            pattern::Reading::Substring(text) => return Self::Literal(text.to_owned()),
            pattern::Reading::Wildcard(source) => source,
            pattern::Reading::Regex(source) => source.to_owned(),
        };
        let regexp = RegExp::new(&source, true).map(Box::new);
        Self::Expression(source, regexp)
    }

    /// True if a task brings it in, no agent being named. False if matching takes too long.
    fn matches(&self, task: &str) -> bool {
        let text = format!("{task} ").to_lowercase();
        match self {
            Self::Alternatives(all) => all.iter().any(|one| text.contains(one)),
            Self::Expression(_, Ok(one)) => one.is_match(&Utf16Text::new(&text)) == Ok(true),
            Self::Expression(_, Err(_)) => false,
            Self::Literal(literal) => text.contains(literal),
        }
    }
}

pub(super) fn is_literal(written: &str) -> bool {
    matches!(Reading::of(written), Reading::Literal(_))
}

/// Tasks without a word or letter in common: what matches all of them looks at none.
static ANY: &str = "|x|42|Fix a typo|größe|日本語|add (2)|q\nz";

/// The worst that is wrong with a pattern.
pub(super) fn flaw(written: &str) -> Option<Flaw> {
    if is_plain(written) {
        return None;
    }
    let reading = Reading::of(written);
    matches_all(written, &reading).or_else(|| match &reading {
        Reading::Alternatives(all) => alternatives(written, all),
        Reading::Expression(source, Ok(regexp)) => {
            too_slow(written, source, regexp).or_else(|| impossible(written, source))
        }
        Reading::Expression(source, Err(error)) => Some(refused(written, source, error)),
        Reading::Literal(text) => literal(written, text),
    })
}

/// True if a pattern is words and bars only, as most are: nothing can be wrong with it.
fn is_plain(written: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let text = trim(written);
    text.chars().all(|c| word(c) || matches!(c, ' ' | '|'))
        && !text.contains("  ")
        && text.split('|').all(|one| one.contains(word))
}

fn matches_all(written: &str, reading: &Reading) -> Option<Flaw> {
    if !ANY.split('|').all(|task| reading.matches(task)) {
        return None;
    }
    let (why, cure) = match reading {
        Reading::Alternatives(_) => {
            let kept = trim(written).split('|').map(trim);
            let kept: Vec<&str> = kept.filter(|one| !one.is_empty()).collect();
            let joined = (!kept.is_empty()).then(|| kept.join("|"));
            let why = "an empty alternative is found in every text";
            (why, Some(Vec::from_iter(joined)))
        }
        Reading::Literal(_) => ("an empty pattern is found in every text", Some(Vec::new())),
        // Somebody who writes `.*` means it, so there is no fix.
        Reading::Expression(..) => ("it is made of wildcards only", None),
    };
    let says = format!("{} matches every task: {why}", quote(written));
    Some(Flaw::new("pattern-matches-all", 1.0, says).cured_by(cure))
}

fn alternatives(written: &str, all: &[String]) -> Option<Flaw> {
    if let Some(broken) = all.iter().find(|one| one.contains('\n')) {
        return Some(line_break(written, broken));
    }
    let literal = all.iter().filter_map(|one| Some((one, piece(one)?)));
    let literal: Vec<(&String, String)> = literal.collect();
    let mut evidence = Vec::new();
    let message = match literal.first() {
        _ if spans_bars(written) => {
            let parts: Vec<String> = all.iter().take(4).map(|one| quote(one)).collect();
            let (written, parts) = (quote(written), parts.join(" and "));
            format!("{written} is split at every |, inside its parentheses too, into {parts}")
        }
        Some((one, piece)) => {
            let others = literal.iter().skip(1).take(3);
            evidence.extend(others.map(|(one, _)| format!("so is {}", quote(one))));
            let (one, piece) = (quote(one), quote(piece));
            format!(
                "the alternative {one} is looked for as it stands, with its {piece}: inside | \
                 everything is literal"
            )
        }
        None => return None,
    };
    let cure = cure(written);
    if cure.is_none() {
        evidence.push("a pattern that needs it works as an item of its own, without |".to_owned());
    }
    let flaw = Flaw::new("pattern-alternative-regex", 0.95, message).cured_by(cure);
    Some(Flaw { evidence, ..flaw })
}

/// The pattern as it was certainly meant: words without boundaries, and wildcards as items.
pub(super) fn cure(written: &str) -> Option<Vec<String>> {
    let is_plain = |text: &str| !text.contains(|c| "^$\\()[]{}+|?\n".contains(c));
    let inner = |text: &str| {
        let inner = text.strip_prefix('(')?.strip_suffix(')')?;
        (!inner.contains(['(', ')'])).then(|| inner.to_owned())
    };
    let (mut words, mut items): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let text = trim(written);
    for part in inner(text).as_deref().unwrap_or(text).split('|').map(trim) {
        let bare = part.replace("\\b", "");
        let bare = bare.trim_start_matches('^').trim_end_matches('$');
        let bare = inner(bare).unwrap_or_else(|| bare.to_owned());
        // A short text without what bounded it stands in too many words.
        let is_bounded = bare.len() < part.len();
        let least = if is_bounded { 4 } else { 2 };
        if bare.chars().count() < least || !is_plain(&bare) {
            return None;
        }
        match bare.contains('*') {
            true if is_bounded => return None,
            true => items.push(bare),
            false if words.contains(&bare) => {}
            false => words.push(bare),
        }
    }
    let joined = (!words.is_empty()).then(|| words.join("|"));
    let patterns: Vec<String> = joined.into_iter().chain(items).collect();
    let good = patterns.iter().all(|pattern| flaw(pattern).is_none());
    good.then_some(patterns)
}

fn line_break(written: &str, text: &str) -> Flaw {
    let lines = written.lines();
    let lines = lines.map(|line| trim(line).trim_start_matches("- "));
    let lines = lines.filter(|line| !line.is_empty()).map(str::to_owned);
    let lines: Vec<String> = lines.collect();
    let good = lines.len() > 1 && lines.iter().all(|line| flaw(line).is_none());
    let says = format!("{} needs a line break in the task, just there", quote(text));
    let flaw = Flaw::new("pattern-never-matches", 0.95, says);
    flaw.cured_by(good.then_some(lines))
}

fn literal(written: &str, text: &str) -> Option<Flaw> {
    if text.contains(['\n', '\r']) {
        return Some(line_break(written, text));
    }
    let quoted = quote(written);
    if text.contains("  ") || text.contains('\t') {
        let words: Vec<&str> = written.split_whitespace().collect();
        let says = format!("{quoted} needs that much space between its words in the task");
        let flaw = Flaw::new("pattern-never-matches", 0.9, says);
        return Some(flaw.cured_by(Some(vec![words.join(" ")])));
    }
    let piece = quote(&piece(text)?);
    let says = format!(
        "{quoted} is looked for as it stands, with its {piece}: only * ? and a . with a {{ make a \
         pattern a regular expression"
    );
    Some(Flaw::new("pattern-never-matches", 0.95, says).cured_by(cure(written)))
}

fn refused(written: &str, source: &str, error: &RegExpError) -> Flaw {
    let RegExpError::Syntax { offset, message } = error else {
        let says = visible(&error.to_string()).into_owned();
        return Flaw::new("pattern-too-slow", 1.0, says);
    };
    let (quoted, at, message) = (quote(source), offset + 1, visible(message));
    let says = format!("{quoted} does not compile: {message}, at character {at}");
    let mut flaw = Flaw::new("pattern-invalid", 1.0, says);
    if source != trim(&written.to_lowercase()) {
        let read = "* is read as .* and ? as . before it is compiled";
        flaw.evidence.push(read.to_owned());
    }
    flaw.evidence.push(format!(
        "`arbiter` looks for the literal text {}; `unified` stops with an error",
        quote(trim(written))
    ));
    flaw
}

/// Tries a pattern on texts made to wear it out.
fn too_slow(written: &str, source: &str, regexp: &RegExp) -> Option<Flaw> {
    let mut letters: Vec<char> = source.chars().filter(|c| c.is_alphanumeric()).collect();
    letters.sort_unstable();
    letters.dedup();
    letters.truncate(4);
    letters.push('a');
    let repeated = |count: usize| {
        let letters = letters.iter();
        letters.map(move |c| format!("{}!", c.to_string().repeat(count)))
    };
    // Without a back-reference it runs in linear time here, unless its counts make it huge.
    let mut pairs = source.as_bytes().windows(2);
    let backs = pairs.any(|pair| matches!(pair, [b'\\', b'1'..=b'9' | b'k']));
    let mut given_up = None;
    if backs || source.contains('{') {
        let others = ["ab".repeat(200), "fix the login page ".repeat(40)];
        let is_given_up = |text: &String| regexp.is_match(&Utf16Text::new(text)).is_err();
        let found = repeated(400).chain(others).find(is_given_up);
        given_up = found.map(|text| (text, "it was given up on"));
    }
    // A repetition inside a repetition has an answer here, and none in the system itself: the
    // ways to divide so short a text are too many only where they double with each character.
    let (text, what) = given_up.or_else(|| {
        let nests = [")+", ")*", "){"].iter().any(|end| source.contains(end));
        let mut texts = repeated(40).filter(|_| nests);
        let text = texts.find(|text| regexp.wears_out(&Utf16Text::new(text)))?;
        Some((text, "Node.js tries millions of ways to divide"))
    })?;
    let start: String = text.chars().take(12).collect();
    let (count, start) = (text.chars().count(), visible(&start));
    let says = format!("{} takes too long on some tasks", quote(written));
    let mut flaw = Flaw::new("pattern-too-slow", 1.0, says);
    let evidence = format!("{what} {count} characters that begin with \"{start}\"");
    flaw.evidence.push(evidence);
    Some(flaw)
}

fn impossible(written: &str, source: &str) -> Option<Flaw> {
    let text = trim(written);
    let (_, why) = IMPOSSIBLE.iter().find(|(row, _)| row.is_match(text))?;
    // The agent's name stands after the task, and ends like people's trades.
    let trades = ["er$", "or$", "agent$", "bot$", "ist$", "lead$"];
    if trades.iter().any(|end| text.ends_with(end)) {
        return None;
    }
    let says = format!("{} is read as {}: {why}", quote(written), quote(source));
    Some(Flaw::new("pattern-never-matches", 0.9, says).cured_by(cure(written)))
}

/// Regular expressions about patterns, in lists of pairs.
const TABLE: &str = include_str!("../../../assets/lint/patterns.toml");

/// Patterns that match nothing they were meant for, with the reason.
static IMPOSSIBLE: LazyLock<Vec<(Regex, String)>> = LazyLock::new(|| {
    let rows = pairs(TABLE, "impossible");
    rows.filter_map(|[row, why]| Some((compact(&row)?, why)))
        .collect()
});

/// Pieces of regular expressions, and texts in which they mean something else.
static PIECES: LazyLock<Vec<(Regex, Option<Regex>)>> = LazyLock::new(|| {
    let other = |other: &str| compact(other).filter(|_| !other.is_empty());
    let rows = pairs(TABLE, "pieces");
    rows.filter_map(|[piece, text]| Some((compact(&piece)?, other(&text))))
        .collect()
});

/// The piece of a text that only makes sense as a regular expression. Texts that a task may hold
/// must stay clear of it: `[id].tsx`, `c++`, `useState()`, `^1.2.3`, `C:\dev`, `$HOME`, `file.ts`.
pub(super) fn piece(text: &str) -> Option<String> {
    let piece = PIECES.iter().find_map(|(piece, other)| {
        let found = piece.captures(text)?;
        let is_other = other.as_ref().is_some_and(|other| other.is_match(text));
        let group = found.iter().skip(1).flatten().next()?;
        (!is_other).then(|| group.as_str().to_owned())
    });
    let inner = || text.strip_prefix('(')?.strip_suffix(')');
    let is_group = || inner().is_some_and(|inner| !inner.is_empty() && !inner.contains(['(', ')']));
    piece.or_else(|| is_group().then(|| "(…)".to_owned()))
}

/// True if parentheses open in one alternative of a pattern and close in another.
fn spans_bars(pattern: &str) -> bool {
    let count = |text: &str, sign: char| text.matches(sign).count();
    let depth = |text: &str| count(text, '(').abs_diff(count(text, ')'));
    depth(pattern) == 0 && pattern.split('|').any(|one| depth(one) != 0)
}
