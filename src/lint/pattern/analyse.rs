//! What is wrong with one pattern.

use super::reading::Reading;
use super::{Cure, Flaw, intent, syntax};
use crate::lint::chars::{quote, visible};
use crate::retrieval::js::trim;
use crate::retrieval::regexp::{RegExp, RegExpError, Utf16Text};

/// Tasks without a word or letter in common: what matches all of them looks at none.
static ANY: &[&str] = &[
    "",
    "x",
    "42",
    "Fix a typo",
    "größe",
    "日本語",
    "add (two) numbers",
    "q\nz",
];

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

/// Whether a pattern is words and bars, as most are: nothing can be wrong with it, and 100,000
/// memories have many.
fn is_plain(written: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let text = trim(written);
    text.chars().all(|c| word(c) || matches!(c, ' ' | '|'))
        && !text.contains("  ")
        && text.split('|').all(|one| one.contains(word))
}

fn flaw_of(rule: &'static str, message: String) -> Flaw {
    Flaw {
        rule,
        confidence: 1.0,
        message,
        evidence: Vec::new(),
        cure: Cure::None,
    }
}

fn matches_all(written: &str, reading: &Reading) -> Option<Flaw> {
    if !ANY.iter().all(|task| reading.matches(task)) {
        return None;
    }
    let (why, cure) = match reading {
        Reading::Alternatives(all) => {
            let kept: Vec<&str> = trim(written)
                .split('|')
                .map(trim)
                .filter(|one| !one.is_empty())
                .collect();
            let why = if all.iter().any(String::is_empty) {
                "an empty alternative is found in every text"
            } else {
                "one of its alternatives is found in every text"
            };
            let cure = match kept.as_slice() {
                [] => Vec::new(),
                kept => vec![kept.join("|")],
            };
            (why, Cure::Replace(cure))
        }
        Reading::Literal(_) => (
            "an empty pattern is found in every text",
            Cure::Replace(Vec::new()),
        ),
        // Who writes `.*` means it: that it goes away is theirs to say.
        _ => ("it is made of wildcards only", Cure::None),
    };
    let flaw = flaw_of(
        "pattern-matches-all",
        format!("{} matches every task: {why}", quote(written)),
    );
    Some(Flaw { cure, ..flaw })
}

fn alternatives(written: &str, reading: &Reading, all: &[String]) -> Option<Flaw> {
    if let Some(broken) = all.iter().find(|one| one.contains('\n')) {
        return Some(line_break(written, broken));
    }
    let literal: Vec<(&String, String)> = all
        .iter()
        .filter_map(|one| Some((one, syntax::of(one)?)))
        .collect();
    let spans = syntax::spans_bars(written);
    let mut evidence = Vec::new();
    let message = if let Some((one, piece)) = literal.first().filter(|_| !spans) {
        for (one, _) in literal.iter().skip(1).take(3) {
            evidence.push(format!("so is {}", quote(one)));
        }
        format!(
            "the alternative {} is looked for as it stands, with its {}: inside | everything is \
             literal",
            quote(one),
            quote(piece)
        )
    } else if spans {
        format!(
            "{} is split at every |, inside its parentheses too, into {}",
            quote(written),
            all.iter()
                .take(4)
                .map(|one| quote(one))
                .collect::<Vec<_>>()
                .join(" and ")
        )
    } else {
        return None;
    };
    // A task that the alternative which is not understood was meant for.
    let missed = literal
        .iter()
        .filter_map(|(one, _)| intent::example(one))
        .chain(intent::example(written))
        .find(|task| !reading.matches(task));
    if let Some(task) = missed {
        evidence.insert(
            0,
            format!("{} never matches {}", quote(written), said(&task)),
        );
    }
    let cure = cure(written);
    if cure == Cure::None {
        evidence.push("a pattern that needs it works as an item of its own, without |".to_owned());
    }
    let flaw = flaw_of("pattern-alternative-regex", message);
    Some(Flaw {
        confidence: 0.95,
        evidence,
        cure,
        ..flaw
    })
}

/// The pattern as it was meant, where that is certain and then nothing is wrong with it.
fn cure(written: &str) -> Cure {
    intent::rewrite(written)
        .filter(|patterns| patterns.iter().all(|pattern| flaw(pattern).is_none()))
        .map_or(Cure::None, Cure::Replace)
}

/// A task, as a person says it.
fn said(task: &str) -> String {
    format!("\"{}\"", visible(task))
}

fn line_break(written: &str, text: &str) -> Flaw {
    let flaw = flaw_of(
        "pattern-never-matches",
        format!("{} needs a line break in the task, just there", quote(text)),
    );
    let parts: Vec<String> = written
        .lines()
        .map(|line| trim(line).trim_start_matches("- ").to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    let good = parts.iter().all(|part| self::flaw(part).is_none());
    Flaw {
        confidence: 0.95,
        cure: if good && parts.len() > 1 {
            Cure::Replace(parts)
        } else {
            Cure::None
        },
        ..flaw
    }
}

fn literal(written: &str, reading: &Reading, text: &str) -> Option<Flaw> {
    if text.contains(['\n', '\r']) {
        return Some(line_break(written, text));
    }
    if text.contains("  ") || text.contains('\t') {
        let words: Vec<&str> = trim(written).split_whitespace().collect();
        let flaw = flaw_of(
            "pattern-never-matches",
            format!(
                "{} needs that much space between its words in the task",
                quote(written)
            ),
        );
        return Some(Flaw {
            confidence: 0.9,
            cure: Cure::Replace(vec![words.join(" ")]),
            ..flaw
        });
    }
    let piece = syntax::of(text)?;
    let example = intent::example(written).filter(|task| !reading.matches(task));
    let flaw = flaw_of(
        "pattern-never-matches",
        format!(
            "{} is looked for as it stands, with its {}: only * ? and a . with a {{ make a pattern \
             a regular expression",
            quote(written),
            quote(&piece)
        ),
    );
    Some(Flaw {
        confidence: 0.95,
        evidence: Vec::from_iter(example.map(|task| format!("it does not match {}", said(&task)))),
        cure: cure(written),
        ..flaw
    })
}

fn refused(written: &str, source: &str, error: &RegExpError) -> Flaw {
    match error {
        RegExpError::Syntax { offset, message } => {
            let flaw = flaw_of(
                "pattern-invalid",
                format!(
                    "{} does not compile: {}, at character {}",
                    quote(source),
                    visible(message),
                    offset + 1
                ),
            );
            let mut evidence = Vec::new();
            if source != trim(&written.to_lowercase()) {
                evidence.push("* is read as .* and ? as . before it is compiled".to_owned());
            }
            evidence.push(format!(
                "`arbiter` looks for the literal text {}; `unified` stops with an error",
                quote(trim(written))
            ));
            Flaw { evidence, ..flaw }
        }
        limit => flaw_of("pattern-too-slow", visible(&limit.to_string()).into_owned()),
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
    let backs = source
        .as_bytes()
        .windows(2)
        .any(|w| matches!(w, [b'\\', b'1'..=b'9' | b'k']));
    if backs || source.contains('{') {
        let found = repeated(400)
            .chain([
                format!("{}!", "ab".repeat(200)),
                "fix the login page ".repeat(40),
            ])
            .find(|text| regexp.is_match(&Utf16Text::new(text)).is_err());
        if let Some(text) = found {
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
    let flaw = flaw_of(
        "pattern-too-slow",
        format!("{} takes too long on some tasks", quote(written)),
    );
    Flaw {
        evidence: vec![format!(
            "{what} {} characters that begin with {}",
            text.chars().count(),
            said(&start)
        )],
        ..flaw
    }
}

/// What is compiled, and yet cannot match or means something else.
fn expression(written: &str, reading: &Reading, source: &str) -> Option<Flaw> {
    let why = impossible(written, source)?;
    let example = intent::example(written)?;
    // The proof comes before the claim.
    if reading.matches(&example) {
        return None;
    }
    let flaw = flaw_of(
        "pattern-never-matches",
        format!("{} is read as {}: {why}", quote(written), quote(source)),
    );
    Some(Flaw {
        confidence: 0.9,
        evidence: vec![format!("it does not match {}", said(&example))],
        cure: cure(written),
        ..flaw
    })
}

fn impossible(written: &str, source: &str) -> Option<String> {
    let capital = ["\\D", "\\S", "\\W", "\\B"]
        .into_iter()
        .find(|escape| written.contains(*escape));
    if let Some(escape) = capital {
        let small = escape.to_lowercase();
        return Some(format!(
            "it is lower-cased first, so `{escape}` means `{small}`"
        ));
    }
    if written.contains("(?") {
        return Some("every ? is one character, so `(?` begins no group of its own kind".into());
    }
    if trim(written).starts_with('/') && trim(written).ends_with("/i") {
        return Some("the slashes and the flag are looked for as they stand".into());
    }
    let chars: Vec<char> = source.chars().collect();
    let mut in_class = false;
    let mut escaped = false;
    for (n, c) in chars.iter().enumerate() {
        if escaped {
            escaped = false;
            continue;
        }
        let next = chars.get(n + 1).copied();
        match c {
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '$' if !in_class => match next {
                Some(next) if next.is_alphanumeric() || matches!(next, '_' | '/' | ' ' | '-') => {
                    return Some("$ is the end of the task, and nothing can stand after it".into());
                }
                None if ends_in_task(&chars, n) => {
                    return Some(
                        "the agent's name stands after the task, so $ is not the task's end".into(),
                    );
                }
                _ => {}
            },
            '^' if !in_class && n > 0 && chars.get(n - 1).is_some_and(|c| c.is_alphanumeric()) => {
                return Some("^ is the beginning, and nothing can stand before it".into());
            }
            _ => {}
        }
    }
    None
}

/// Whether the word before a final `$` is one of a task; those of agents end like people's trades.
fn ends_in_task(chars: &[char], dollar: usize) -> bool {
    let before = chars.get(..dollar).unwrap_or_default();
    let mut word: Vec<char> = before
        .iter()
        .rev()
        .take_while(|c| c.is_alphabetic())
        .copied()
        .collect();
    word.reverse();
    let word: String = word.into_iter().collect();
    let trades = ["er", "or", "agent", "bot", "ist", "lead"];
    word.len() >= 3 && !trades.iter().any(|end| word.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::super::rows;
    use super::*;

    fn rule(written: &str) -> Option<&'static str> {
        flaw(written).map(|flaw| flaw.rule)
    }

    #[test]
    fn patterns_with_a_flaw() {
        for [written, expected] in rows::<Vec<[String; 2]>>("flawed") {
            assert_eq!(rule(&written), Some(&*expected), "{written}");
        }
        for (piece, count) in [("(", 400), ("x", 10_001)] {
            let written = format!("{}*", piece.repeat(count));
            assert_eq!(rule(&written), Some("pattern-too-slow"));
        }
    }

    #[test]
    fn patterns_that_work() {
        for written in rows::<Vec<String>>("working") {
            assert_eq!(flaw(&written), None, "{written}");
        }
    }

    #[test]
    fn what_to_write_is_said_where_no_fix_writes_it() {
        let flaw = flaw("tests/**/*.ts|spec").unwrap();
        assert_eq!(
            flaw.evidence,
            ["`tests/**/*.ts|spec` never matches \"tests/a/a.ts\""]
        );
        let cure = ["spec", "tests/.*.ts"].map(String::from).to_vec();
        assert_eq!(flaw.cure, Cure::Replace(cure));
        let flaw = super::flaw("a.+b|cc").unwrap();
        assert_eq!(flaw.cure, Cure::None);
        let says = "a pattern that needs it works as an item of its own, without |";
        assert_eq!(flaw.evidence.last().map(String::as_str), Some(says));
    }

    #[test]
    fn the_evidence_is_a_task_that_is_missed() {
        let flaw = flaw("oauth|social.*auth").unwrap();
        assert_eq!(
            flaw.evidence,
            ["`oauth|social.*auth` never matches \"social and auth\""]
        );
        assert_eq!(
            flaw.cure,
            Cure::Replace(vec!["oauth".into(), "social.*auth".into()])
        );
    }
}
