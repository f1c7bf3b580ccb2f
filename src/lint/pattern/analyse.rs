//! The flaws of one pattern.

use std::sync::LazyLock;

use regex::Regex;

use super::reading::Reading;
use super::{Flaw, intent, syntax};
use crate::lint::chars::{quote, visible};
use crate::retrieval::js::trim;
use crate::retrieval::regexp::{RegExp, RegExpError, Utf16Text};

/// Tasks without a word or letter in common: what matches all of them looks at none.
static ANY: &str = "|x|42|Fix a typo|größe|日本語|add (2)|q\nz";

/// The worst that is wrong with a pattern.
pub(super) fn flaw(written: &str) -> Option<Flaw> {
    if is_plain(written) {
        return None;
    }
    let reading = Reading::of(written);
    matches_all(written, &reading).or_else(|| match &reading {
        Reading::Alternatives(all) => alternatives(written, &reading, all),
        Reading::Expression { source, regexp } => {
            too_slow(written, source, regexp).or_else(|| expression(written, &reading, source))
        }
        Reading::Refused { source, error } => Some(refused(written, source, error)),
        Reading::Literal(text) => literal(written, &reading, text),
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
        Reading::Alternatives(all) => {
            let kept = trim(written).split('|').map(trim);
            let kept: Vec<&str> = kept.filter(|one| !one.is_empty()).collect();
            let joined = (!kept.is_empty()).then(|| kept.join("|"));
            let why = match all.iter().any(String::is_empty) {
                true => "an empty alternative is found in every text",
                false => "one of its alternatives is found in every text",
            };
            (why, Some(Vec::from_iter(joined)))
        }
        Reading::Literal(_) => ("an empty pattern is found in every text", Some(Vec::new())),
        // Somebody who writes `.*` means it, so there is no fix.
        _ => ("it is made of wildcards only", None),
    };
    let says = format!("{} matches every task: {why}", quote(written));
    Some(Flaw {
        cure,
        ..Flaw::new("pattern-matches-all", 1.0, says)
    })
}

fn alternatives(written: &str, reading: &Reading, all: &[String]) -> Option<Flaw> {
    if let Some(broken) = all.iter().find(|one| one.contains('\n')) {
        return Some(line_break(written, broken));
    }
    let literal = all.iter().filter_map(|one| Some((one, syntax::of(one)?)));
    let literal: Vec<(&String, String)> = literal.collect();
    let mut evidence = Vec::new();
    let message = match literal.first() {
        _ if syntax::spans_bars(written) => {
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
    // A task that the alternative which is not understood was meant for.
    let tasks = literal.iter().filter_map(|(one, _)| intent::example(one));
    let mut tasks = tasks.chain(intent::example(written));
    if let Some(task) = tasks.find(|task| !reading.matches(task)) {
        let says = format!("{} never matches {}", quote(written), in_quotes(&task));
        evidence.insert(0, says);
    }
    let cure = cure(written);
    if cure.is_none() {
        evidence.push("a pattern that needs it works as an item of its own, without |".to_owned());
    }
    let flaw = Flaw::new("pattern-alternative-regex", 0.95, message);
    Some(Flaw {
        evidence,
        cure,
        ..flaw
    })
}

/// The pattern as it was meant, where that is certain and then nothing is wrong with it.
fn cure(written: &str) -> Option<Vec<String>> {
    let patterns = intent::rewrite(written)?;
    let good = patterns.iter().all(|pattern| flaw(pattern).is_none());
    good.then_some(patterns)
}

/// A task in quotation marks.
fn in_quotes(task: &str) -> String {
    format!("\"{}\"", visible(task))
}

fn line_break(written: &str, text: &str) -> Flaw {
    let lines = written
        .lines()
        .map(|line| trim(line).trim_start_matches("- "));
    let lines = lines.filter(|line| !line.is_empty()).map(str::to_owned);
    let lines: Vec<String> = lines.collect();
    let good = lines.len() > 1 && lines.iter().all(|line| flaw(line).is_none());
    let says = format!("{} needs a line break in the task, just there", quote(text));
    Flaw {
        cure: good.then_some(lines),
        ..Flaw::new("pattern-never-matches", 0.95, says)
    }
}

fn literal(written: &str, reading: &Reading, text: &str) -> Option<Flaw> {
    if text.contains(['\n', '\r']) {
        return Some(line_break(written, text));
    }
    let quoted = quote(written);
    if text.contains("  ") || text.contains('\t') {
        let words: Vec<&str> = written.split_whitespace().collect();
        let says = format!("{quoted} needs that much space between its words in the task");
        let cure = Some(vec![words.join(" ")]);
        return Some(Flaw {
            cure,
            ..Flaw::new("pattern-never-matches", 0.9, says)
        });
    }
    let piece = quote(&syntax::of(text)?);
    let says = format!(
        "{quoted} is looked for as it stands, with its {piece}: only * ? and a . with a {{ make a \
         pattern a regular expression"
    );
    let example = intent::example(written).filter(|task| !reading.matches(task));
    Some(Flaw {
        evidence: Vec::from_iter(
            example.map(|task| format!("it does not match {}", in_quotes(&task))),
        ),
        cure: cure(written),
        ..Flaw::new("pattern-never-matches", 0.95, says)
    })
}

fn refused(written: &str, source: &str, error: &RegExpError) -> Flaw {
    let RegExpError::Syntax { offset, message } = error else {
        let says = visible(&error.to_string()).into_owned();
        return Flaw::new("pattern-too-slow", 1.0, says);
    };
    let (quoted, at) = (quote(source), offset + 1);
    let says = format!(
        "{quoted} does not compile: {}, at character {at}",
        visible(message)
    );
    let mut evidence = Vec::new();
    if source != trim(&written.to_lowercase()) {
        evidence.push("* is read as .* and ? as . before it is compiled".to_owned());
    }
    evidence.push(format!(
        "`arbiter` looks for the literal text {}; `unified` stops with an error",
        quote(trim(written))
    ));
    Flaw {
        evidence,
        ..Flaw::new("pattern-invalid", 1.0, says)
    }
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
    if backs || source.contains('{') {
        let others = [
            format!("{}!", "ab".repeat(200)),
            "fix the login page ".repeat(40),
        ];
        let is_given_up = |text: &String| regexp.is_match(&Utf16Text::new(text)).is_err();
        if let Some(text) = repeated(400).chain(others).find(is_given_up) {
            return Some(worn_out(written, &text, "it was given up on"));
        }
    }
    // A repetition inside a repetition has an answer here, and none in the system itself: the
    // ways to divide so short a text are too many only where they double with each character. A
    // count is no better: each of its rounds may end in as many places.
    if ![")+", ")*", "){"].iter().any(|end| source.contains(end)) {
        return None;
    }
    repeated(40)
        .chain(rounds(source))
        .find(|text| regexp.wears_out(&Utf16Text::new(text)))
        .map(|text| worn_out(written, &text, "Node.js tries millions of ways to divide"))
}

/// Texts of what stands in each group that is repeated, again and again.
fn rounds(source: &str) -> impl Iterator<Item = String> {
    let groups = source.split('(').skip(1).filter_map(|group| {
        let (body, behind) = group.split_once(')')?;
        behind.starts_with(['+', '*', '{']).then_some(body)
    });
    groups.filter_map(|body| {
        let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | ',' | '/' | '_');
        let round: String = body.chars().filter(plain).collect();
        let count = 120_usize.checked_div(round.chars().count())?;
        Some(format!("{}!", round.repeat(count)))
    })
}

fn worn_out(written: &str, text: &str, what: &str) -> Flaw {
    let start: String = text.chars().take(12).collect();
    let (count, start) = (text.chars().count(), in_quotes(&start));
    let says = format!("{} takes too long on some tasks", quote(written));
    Flaw {
        evidence: vec![format!("{what} {count} characters that begin with {start}")],
        ..Flaw::new("pattern-too-slow", 1.0, says)
    }
}

/// Reports an expression that compiles but cannot match, with a task that shows it.
fn expression(written: &str, reading: &Reading, source: &str) -> Option<Flaw> {
    let text = trim(written);
    let is_row = |(row, _): &&(Regex, &str)| row.is_match(text);
    let (_, why) = IMPOSSIBLE.iter().find(is_row)?;
    // The agent's name stands after the task, and ends like people's trades.
    let trades = ["er$", "or$", "agent$", "bot$", "ist$", "lead$"];
    if trades.iter().any(|end| text.ends_with(end)) {
        return None;
    }
    let example = intent::example(written).filter(|task| !reading.matches(task))?;
    let says = format!("{} is read as {}: {why}", quote(written), quote(source));
    Some(Flaw {
        evidence: vec![format!("it does not match {}", in_quotes(&example))],
        cure: cure(written),
        ..Flaw::new("pattern-never-matches", 0.9, says)
    })
}

/// Patterns that match nothing they were meant for, with the reason.
static IMPOSSIBLE: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| syntax::compiled("impossible"));
