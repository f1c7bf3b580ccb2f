//! Secrets: keys, tokens, private keys and passwords. What is found is never shown in full.

mod columns;
mod mask;
mod table;
mod value;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

use super::chars::{compact, cut};
use super::hint::Patterns;
use super::{Finding, Look, MarkedBy, Rule};
use crate::memory::{Severity, steps::step};
pub use mask::{mask, mask_diff};
use table::{Check, KINDS, Kind};
use value::{groups, is_keylike, is_mixed, is_monotone, is_password, is_random};

/// A secret in a memory.
pub(super) struct Secret;

impl Rule for Secret {
    fn id(&self) -> &'static str {
        "secret"
    }

    fn severity(&self) -> Severity {
        Severity::Warning
    }

    fn title(&self) -> &'static str {
        "a key, token or password"
    }

    fn reads_fields(&self) -> bool {
        true
    }

    fn redact(&self, look: Option<&Look<'_>>, findings: &mut [Finding]) {
        match look {
            Some(look) => mask::hide_all((look.text, hits(look)), findings),
            None => mask::hide_all(("", &[]), findings),
        }
    }

    fn check(&self, look: &Look<'_>, out: &mut Vec<Finding>) {
        let hits = hits(look);
        if hits.is_empty() {
            return;
        }
        // Once for all of them: a memory may be a list of passwords. What stands beside one may be
        // another that nothing names.
        let masked = mask::hide_random(&mask(look.text));
        for hit in hits {
            let length = look
                .text
                .get(hit.at.clone())
                .map_or(0, |secret| secret.chars().count());
            let s = if length == 1 { "" } else { "s" };
            let finding = look.finding(self.id(), self.severity(), look.at(hit.at.start));
            out.push(
                finding
                    .marked_by(MarkedBy::Message)
                    .about(hit.at.clone())
                    .sure(hit.kind.confidence)
                    .says(format!(
                        "{} of {length} character{s} stands in the memory",
                        hit.kind.name
                    ))
                    .because(line_around(&masked, &hit.at)),
            );
        }
    }
}

/// The secrets in a memory: the rule reports them, and hides them in what other rules report.
fn hits<'l>(look: &'l Look<'_>) -> &'l [Hit] {
    look.of(|| find(look.text))
}

/// A secret that was found.
#[derive(Clone)]
pub(super) struct Hit {
    kind: &'static Kind,
    at: Range<usize>,
}

/// The words that make a kind of secret worth looking for, and which kind each is of.
struct Hints {
    words: AhoCorasick,
    kinds: Vec<usize>,
}

static HINTS: LazyLock<Option<Hints>> = LazyLock::new(|| {
    let pairs = KINDS
        .iter()
        .enumerate()
        .flat_map(|(n, kind)| kind.hints.iter().map(move |hint| (*hint, n)));
    let (words, kinds): (Vec<_>, Vec<_>) = pairs.unzip();
    let words = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(words)
        .ok()?;
    Some(Hints { words, kinds })
});

static PATTERNS: LazyLock<Patterns<Regex>> =
    LazyLock::new(|| Patterns::of(KINDS.iter().map(|kind| kind.pattern), compact));

/// The secrets of a text, in order, none inside another.
pub(super) fn find(text: &str) -> Vec<Hit> {
    step(text.len());
    let Some(hints) = HINTS.as_ref() else {
        return Vec::new();
    };
    // Where each kind may stand.
    let mut likely: BTreeMap<usize, Vec<Range<usize>>> = BTreeMap::new();
    for hit in hints.words.find_overlapping_iter(text) {
        let n = hints.kinds.get(hit.pattern().as_usize()).copied();
        let Some((n, kind)) = n.and_then(|n| Some((n, KINDS.get(n)?))) else {
            continue;
        };
        if !kind.assigned {
            likely
                .entry(n)
                .or_insert_with(|| std::iter::once(0..text.len()).collect());
        } else if is_given(text, hit.end(), kind.check) {
            let places = likely.entry(n).or_default();
            let lines = lines_around(text, hit.start()..hit.end());
            match places.last_mut() {
                Some(last) if lines.start <= last.end => last.end = last.end.max(lines.end),
                _ => places.push(lines),
            }
        }
    }
    let mut hits = Hits::default();
    for (n, places) in likely {
        let (Some(kind), Some(pattern)) = (KINDS.get(n), PATTERNS.get(n)) else {
            continue;
        };
        for place in places {
            let around = text.get(place.clone()).unwrap_or_default();
            for found in pattern.captures_iter(around) {
                let Some(secret) = found.get(1) else {
                    continue;
                };
                let own = own(kind, secret.as_str());
                // In a sentence the name it is assigned to may stand behind the name of what it is.
                let value = assigned(kind, own);
                let end = place.start + secret.start() + own.len();
                let at = end - value.len()..end;
                let secret = text.get(at.clone()).unwrap_or_default();
                hits.add(kind, at, |at| holds(kind, text, secret, at.start));
            }
        }
    }
    columns::find(text, &mut hits);
    hits.in_order()
}

/// The lines in which a value is given to a name that stands at these bytes, with the line end in
/// front: the sign and the value may each stand on a line of its own. The patterns of names are slow.
fn lines_around(text: &str, name: Range<usize>) -> Range<usize> {
    const LINES: usize = 3;
    let start = text.get(..name.start).and_then(|before| before.rfind('\n'));
    let behind = text.get(name.end..).unwrap_or_default();
    let lines = behind.split_inclusive('\n').scan(name.end, |end, line| {
        *end += line.len();
        Some((*end, line))
    });
    let mut lines = lines.enumerate();
    let said = lines
        .by_ref()
        .filter(|(n, (_, line))| *n == 0 || !line.trim().is_empty());
    let end = said
        .take(LINES)
        .last()
        .map_or(name.end, |(_, (end, _))| end);
    start.unwrap_or(0)..end
}

/// Secrets of a text, none inside another, by where they begin.
#[derive(Default)]
struct Hits(BTreeMap<usize, Hit>);

impl Hits {
    /// Adds a secret where none is known and this one is one.
    fn add(&mut self, kind: &'static Kind, at: Range<usize>, is: impl Fn(&Range<usize>) -> bool) {
        let before = self.0.range(..at.end).next_back();
        if before.is_none_or(|(_, hit)| hit.at.end <= at.start) && is(&at) {
            self.0.insert(at.start, Hit { kind, at });
        }
    }

    fn in_order(self) -> Vec<Hit> {
        self.0.into_values().collect()
    }
}

/// Whether a value may be given to the name of which a part ends here: the names are words of
/// every day, and the patterns are slow. Behind the rest of the name, quotation marks and white
/// space there has to be one of the signs that give a value.
///
/// A sentence may say whose it is before; what must look random then stands there as well.
fn is_given(text: &str, end: usize, check: Check) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let marks = ['"', '\'', '`', '*'];
    let rest = rest.trim_start_matches(marks).trim_start();
    let rest = ["header", "value"]
        .iter()
        .find_map(|word| rest.strip_prefix(word))
        .map_or(rest, |rest| rest.trim_start_matches(marks).trim_start());
    let random =
        |word: &str| word.len() >= RANDOM && word.bytes().filter(u8::is_ascii_digit).count() >= 2;
    let alone = rest
        .strip_prefix("to")
        .map_or(rest, |to| to.strip_prefix(':').unwrap_or(to));
    let alone = alone.split_whitespace().next();
    let alone = alone.is_some_and(|word| word.len() >= ALONE && random(word));
    if check == Check::Alone || (check == Check::Labelled && alone) {
        return alone;
    }
    const SIGNS: [&str; 11] = [
        "=", ":", "|", "—", "–", "is ", "ist ", "est ", "es ", "é ", "lautet",
    ];
    if SIGNS.iter().any(|sign| rest.starts_with(sign)) {
        return true;
    }
    const WHOSE: [&str; 34] = [
        "(", "[", ", ", "prod", "dev", "stag", "test", "live", "sandbox", "for ", "of ", "to ",
        "on ", "in ", "at ", "with ", "from ", "between ", "für ", "von ", "vom ", "zu ", "zum ",
        "des ", "der ", "du ", "de ", "pour ", "del ", "para ", "da ", "do ", "van ", "voor ",
    ];
    if !WHOSE.iter().any(|word| rest.starts_with(word)) {
        return false;
    }
    let room = if matches!(check, Check::Random | Check::Labelled) {
        2
    } else {
        1
    } * SENTENCE;
    let line = cut(rest, room).lines().next().unwrap_or_default();
    (!matches!(check, Check::Random | Check::Labelled) || line.split(' ').any(random))
        && SIGNS.iter().any(|sign| line.contains(sign))
}

/// Bytes that a value has at least which must look random.
const RANDOM: usize = 12;

/// The same of one that stands right behind the name.
const ALONE: usize = 20;

/// Bytes of a sentence between a password's name and what it is.
const SENTENCE: usize = 64;

/// A value without the stop behind it, and the brackets that were opened before it: `{{password: …}}`.
fn own<'t>(kind: &Kind, value: &'t str) -> &'t str {
    const BRACKETS: [(char, char); 3] = [('{', '}'), ('(', ')'), ('[', ']')];
    let mut own = value;
    while kind.check != Check::Form
        && let Some(rest) = BRACKETS.iter().find_map(|(open, close)| {
            let rest = own.strip_suffix(*close)?;
            (!rest.contains(*open)).then_some(rest)
        })
    {
        own = rest;
    }
    // A sentence ends behind it.
    own.trim_end_matches('.')
}

/// A value without the name of a variable that it is given to: `PG_PASSWORD=…`.
fn assigned<'t>(kind: &Kind, value: &'t str) -> &'t str {
    let name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    match value.split_once('=').filter(|_| kind.assigned) {
        Some((left, right)) if left.contains('_') && left.chars().all(name) => right,
        _ => value,
    }
}

/// Whether what looks like a secret of a kind is one.
fn holds(kind: &Kind, text: &str, secret: &str, at: usize) -> bool {
    let mut lower = secret.to_lowercase();
    if secret.contains('\n') {
        // The marks of a quotation are none of a placeholder.
        lower.retain(|c| c != '>');
    }
    if table::PLACEHOLDERS.iter().any(|part| lower.contains(part)) || is_monotone(secret) {
        return false;
    }
    match kind.check {
        Check::Form => true,
        Check::Joined => !lower.split('-').any(|word| table::TELLING.contains(&word)),
        Check::Password => is_password(&lower, secret) && !repeats_user(text, at, secret),
        Check::Paired => {
            let word = lower.trim_end_matches(|c: char| c.is_ascii_digit());
            is_password(&lower, secret) && !table::NO_PASSWORDS.contains(&word)
        }
        Check::Random => is_random(secret),
        Check::Alone => is_random(secret) && groups(secret) >= 3,
        Check::Labelled => is_keylike(secret) && !is_of_all(text, at),
        Check::Strong => {
            let sign = |c: char| matches!(c, '!' | '#' | '$' | '%' | '^' | '&' | '*' | '?');
            let digit = secret.bytes().any(|byte| byte.is_ascii_digit());
            // A sign at the end is of the sentence, but where the sentence goes on.
            let behind = text.get(at + secret.len()..).unwrap_or_default();
            let goes_on = behind
                .strip_prefix(' ')
                .is_some_and(|rest| rest.starts_with(char::is_lowercase));
            let inside = match goes_on {
                true => secret,
                false => secret.trim_end_matches(['.', '?', '!', '*', ')']),
            };
            let strong = inside.contains(sign) || is_mixed(inside);
            digit && strong && is_password(&lower, secret)
        }
    }
}

/// `user:user@host` is what development databases are set up with.
fn repeats_user(text: &str, at: usize, secret: &str) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end_matches(':');
    before.ends_with(&format!("//{secret}"))
}

/// Whether the word before the name of a key says that everybody may see it: `cache key`.
fn is_of_all(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let name = line.rfind("key").and_then(|at| line.get(..at));
    let words = name.unwrap_or_default();
    let mut words = words.split(|c: char| !c.is_alphanumeric());
    let word = words.rfind(|word| !word.is_empty()).unwrap_or_default();
    table::KEYS_OF_ALL.contains(&word)
}

/// Bytes around a secret that are shown.
const AROUND: usize = 60;

/// The line a secret stands in, masked, and cut where it is long.
fn line_around(masked: &str, at: &Range<usize>) -> String {
    let start = masked
        .get(..at.start)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |n| n + 1);
    let end = masked
        .get(at.start..)
        .and_then(|after| after.find('\n'))
        .map_or(masked.len(), |n| at.start + n);
    let from = cut(masked, start.max(at.start.saturating_sub(AROUND))).len();
    let to = cut(masked, end.min(at.start + AROUND)).len();
    masked
        .get(from.max(start)..to)
        .unwrap_or_default()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests;
