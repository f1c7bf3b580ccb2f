//! Text that is written for the agent that reads a memory rather than about the project.

mod hidden;
mod ways;

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::chars::{compact, cut, quote};
use super::exposure::stays;
use super::hint::{Hints, Patterns};
use super::{Finding, Look, Rule};
use crate::memory::Severity;
use crate::memory::golemcore::marker;
use ways::{HARM, KEEPS, UNASKED, WAYS, Way};

/// A text that gives orders to its reader.
pub(super) struct ReaderInstruction;

static PATTERNS: LazyLock<Patterns<Regex>> = LazyLock::new(|| {
    let ways = WAYS.iter().map(|way| way.pattern);
    Patterns::of(ways, |pattern| compact(&format!("(?i){pattern}")))
});
static HINTS: LazyLock<Hints> = LazyLock::new(|| Hints::of(WAYS.iter().map(|way| way.hints)));
/// What stands before an order to somebody: nothing, what asks for it, or when it is to be done.
static BEGINS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)(?:(?:^|[.!?:;(\n–—])[\s>*#-]*(?:(?:now|then|always|just|simply|first|instead|also|jetzt|ahora|maintenant)\s+)*|\b(?:please|you\s+(?:must|should|have\s+to|need\s+to|are\s+to)|bitte|por\s+favor|veuillez)[\s,]+|(?:^|[.!?:\n])[\s>*#-]*(?:if|when|once|before|after|from|for|hi|hey|dear|claude|copilot|cursor|codex|gemini|(?:ai\s+)?(?:agents?|assistants?)|ab|wenn|cuando|desde|quand|dès|à)\b[^.!?\n]*,\s*)[\x22'`*_]*$",
    )
});
/// What stands before an order that is not to be followed.
static NOT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(r"(?i)(?:\bnever|\bnot|n['’]t|\bnor)\s+(?:(?:just|simply|ever|blindly|silently)\s+)?$")
});
static HARMS: LazyLock<Option<Regex>> = LazyLock::new(|| compact(&format!("(?i){HARM}")));
/// What a sentence says before an order that it only tells of.
static TALK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)\b(?:inject(?:ion|ions|ed)|jailbreaks?|attack(?:s|er|ers)?|adversar(?:y|ial)|malicious|(?:texts?|phrases?|prompts?|messages?|something)\s+like|such as|for example|e\.g\.)",
    )
});
/// What an agent works with, and not each of the people that are called an admin or a developer.
static WORK: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)\b(?:agents?|assistants?|instructions?|rules|prompts?|guidelines|changes?|pull\s+requests?|prs?|commits?|reviews?|secrets?|credentials?|everything|whatever|all)\b|\byou\s+(?:are|trust|obey)\b",
    )
});
/// A reason behind what is not to be followed: it is out of date, and no order to drop it.
static REASON: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r"(?i)^[\s,;:(.–—-]{0,6}(?:(?:because|since|as)\s+)?(?:they|these|those|it|that|this)\s+(?:are|is|was|were|apply|applies|belongs?|describes?|refers?|only)\b",
    )
});

/// Below this certainty it is a suggestion.
const SURE: f64 = 0.8;

/// The most that is read of what whoever reads a text is told to do, in bytes.
const MOST: usize = 300;

/// How much less sure it is of what stands in quotation marks or in code: it is talked about.
const QUOTED: f64 = 0.45;

impl Rule for ReaderInstruction {
    fn id(&self) -> &'static str {
        "reader-instruction"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "text that gives orders to the agent that reads it"
    }

    fn reads_fields(&self) -> bool {
        true
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let found = find(look.text);
        // The surest one says it; more of them would say the same.
        let best = found.iter().max_by(|a, b| {
            a.confidence
                .total_cmp(&b.confidence)
                .then(b.at.start.cmp(&a.at.start))
        });
        let Some(best) = best else {
            return;
        };
        let severity = if best.confidence >= SURE {
            Severity::Warning
        } else {
            Severity::Info
        };
        let finding = look.finding(self.id(), severity, look.at(best.at.start));
        let finding = finding
            .about(best.at.clone())
            .sure(best.confidence)
            .says(best.what);
        let finding = found.iter().take(5).fold(finding, |finding, order| {
            let text = look.text.get(order.at.clone()).unwrap_or_default();
            finding.because(quote(&short(text)))
        });
        out.push(finding);
    }
}

/// An order to the reader.
struct Order {
    what: &'static str,
    at: Range<usize>,
    confidence: f64,
}

fn find(text: &str) -> Vec<Order> {
    let mut found = Vec::new();
    for n in HINTS.likely(text) {
        let (Some(way), Some(pattern)) = (WAYS.get(n), PATTERNS.get(n)) else {
            continue;
        };
        let places = pattern.find_iter(text);
        let places = places.filter_map(|order| {
            let before = before(text, order.start());
            let is = |pattern: &LazyLock<Option<Regex>>| {
                let pattern = pattern.as_ref();
                pattern.is_some_and(|pattern| pattern.is_match(before))
            };
            if is(&NOT) || way.begins && !is(&BEGINS) {
                return None;
            }
            if !way.calls {
                return Some(order.range());
            }
            let harm = cut(text.get(order.end()..)?, MOST);
            let harm = HARMS.as_ref()?.find(harm)?;
            let stays = harm.as_str().contains("://") && stays(harm.as_str());
            (!stays).then(|| order.start()..order.end() + harm.end())
        });
        for at in places.take(5) {
            let order = text.get(at.clone()).unwrap_or_default();
            if is_of_people(text, &at) || is_of_another_clause(way, order) {
                continue;
            }
            let blanks = order.len() - order.trim_start().len();
            let at = at.start + blanks..at.end;
            let talked_about = is_quoted(text, &at)
                || is_explained(text, &at)
                || way.begins && is_limited(text, &at);
            found.push(Order {
                what: way.what,
                confidence: if talked_about {
                    QUOTED * way.confidence
                } else {
                    way.confidence
                },
                at,
            });
        }
    }
    found.extend(hidden::orders(text));
    found.sort_by_key(|order| order.at.start);
    found
}

/// Whether the person is the one who does something in a clause of its own: `don't ask about it unless
/// the user wants it`.
fn is_of_another_clause(way: &Way, order: &str) -> bool {
    const JOINS: [&str; 18] = [
        "unless", "until", "till", "before", "after", "if", "when", "while", "than", "that",
        "what", "because", "since", "as", "which", "whether", "where", "once",
    ];
    let mut words = order.split_whitespace();
    [KEEPS, UNASKED].contains(&way.what) && words.any(|word| JOINS.contains(&word))
}

/// A little of what stands before a place.
fn before(text: &str, start: usize) -> &str {
    const MOST: usize = 120;
    let mut from = start.saturating_sub(MOST)..=start;
    let before = from.find_map(|from| text.get(from..start));
    before.unwrap_or_default()
}

/// Whether instructions are dropped for some of the work only, or not at all: `about tabs`, `for
/// generated code`. Whoever means harm means all of it.
fn is_limited(text: &str, at: &Range<usize>) -> bool {
    const LIMITS: [&str; 10] = [
        "about",
        "on",
        "that",
        "which",
        "under",
        "unless",
        "regarding",
        "where",
        "with",
        "nicht",
    ];
    const PERHAPS: [&str; 5] = ["for", "in", "when", "if", "while"];
    const ALL: [&str; 10] = [
        "this", "these", "any", "all", "every", "each", "now", "good", "today", "you",
    ];
    let after = cut(text.get(at.end..).unwrap_or_default(), 60);
    let after = after.trim_start_matches(['`', '"', '\'']);
    if !after.starts_with(' ') {
        return false;
    }
    let words = after.split_whitespace();
    let mut words = words.map(|word| word.trim_matches(['.', ',', ';', '!']));
    let first = words.next().unwrap_or_default();
    let all = |word: &str| ALL.contains(&word);
    LIMITS.contains(&first) || PERHAPS.contains(&first) && !words.next().is_none_or(all)
}

/// Whether a place stands in a code block or span, or in quotation marks.
fn is_quoted(text: &str, at: &Range<usize>) -> bool {
    let before = text.get(..at.start).unwrap_or_default();
    let fences = before
        .lines()
        .filter(|line| line.trim_start().starts_with("```"))
        .count();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let after = text
        .get(at.end..)
        .unwrap_or_default()
        .lines()
        .next()
        .unwrap_or_default();
    let inside = |mark: char| line.matches(mark).count() % 2 == 1 && after.contains(mark);
    let curly = line.matches('“').count() > line.matches('”').count();
    let single = line.ends_with(['\'', '‘', '«']) && after.contains(['\'', '’', '»']);
    let says = || {
        let sentence = line.rsplit(". ").next().unwrap_or_default();
        TALK.as_ref().is_some_and(|talk| talk.is_match(sentence))
    };
    // What memkeep made harmless when it wrote it.
    let is_neutralised = || {
        let open = line.rsplit_once(marker::OPEN).map(|(_, open)| open);
        open.is_some_and(|open| !open.contains(marker::CLOSE)) && after.contains(marker::CLOSE)
    };
    fences % 2 == 1 || is_neutralised() || inside('`') || inside('"') || curly || single || says()
}

/// Whether an order is one of a list of what each of the people has to do.
fn is_of_people(text: &str, at: &Range<usize>) -> bool {
    let order = text.get(at.clone()).unwrap_or_default();
    let order = order.trim_start_matches(|c: char| !c.is_alphabetic());
    let named = order
        .split_once(':')
        .map(|(name, _)| name.trim().to_lowercase());
    let people = matches!(named.as_deref(), Some("developer" | "root" | "admin"));
    let rest = text.get(at.start..).unwrap_or_default().trim_start();
    let sentence = rest.split(['\n', '.']).next().unwrap_or_default();
    people && WORK.as_ref().is_some_and(|work| !work.is_match(sentence))
}

/// Whether it is said why something is not to be followed.
fn is_explained(text: &str, at: &Range<usize>) -> bool {
    let order = text.get(at.clone()).unwrap_or_default().to_lowercase();
    let follow = order
        .split_whitespace()
        .take(3)
        .any(|word| word.starts_with("follow"));
    let after = text.get(at.end..).unwrap_or_default();
    follow && REASON.as_ref().is_some_and(|reason| reason.is_match(after))
}

/// At most so many characters of a text.
fn short(text: &str) -> String {
    const MOST: usize = 120;
    let mut short: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests;
