//! Versions that a text names beside a dependency.

use std::ops::Range;

use super::range::{Span, Version};
use crate::lint::pairs::table::{Words, is_unit};

/// A version beside the name of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mention<'t> {
    /// The name as it is written.
    pub name: &'t str,
    /// The version.
    pub version: Version,
    /// The versions it stands for.
    pub span: Span,
    /// Others that are named with it: `14 or 15`.
    pub others: Vec<Span>,
    /// Whether it is this version, not one from here on.
    pub plain: bool,
    /// Whether it is said to be the lowest that is needed: `at least Rust 1.70`, `MSRV 1.70`.
    pub floor: bool,
    /// The bytes of its numbers in the text.
    pub bytes: Range<usize>,
}

/// Words that may stand between a name and its version.
const BETWEEN: &[&str] = &[
    "version",
    "v",
    "is",
    "at",
    "pinned",
    "to",
    "on",
    "runtime",
    "release",
    "target",
    "toolchain",
];

/// Words and signs after a version by which it is the lowest.
const OR_NEWER: &[&str] = &[
    "+",
    " or newer",
    " or later",
    " or higher",
    " or above",
    " and newer",
    " and later",
    " and up",
    " minimum",
];

/// Words before a name by which its version is the lowest.
const AT_LEAST: &[&str] = &["at least", "minimum", "min.", "not below"];

/// Keys of manifests whose version is the lowest.
const LOWEST: &[&str] = &["msrv", "requires-python", "rust-version"];

/// Words before a name in small letters by which a bare number behind it is its version.
const CHOSEN: &[&str] = &[
    "use", "uses", "using", "on", "with", "need", "needs", "require", "requires", "run", "runs",
    "target", "targets", "have", "has", "is", "the", "our", "via", "under", "against", "by",
    "still", "only", "pin", "keep", "install", "installs", "expect", "expects", "assumes",
];

/// Words after such a number that go on with the sentence; another one may be what is counted.
const GOES_ON: &[&str] = &[
    "and",
    "or",
    "with",
    "without",
    "for",
    "in",
    "on",
    "not",
    "because",
    "since",
    "as",
    "but",
    "everywhere",
    "only",
    "here",
];

/// Words of a line by which it tells of what was or of a way between versions.
const ON_THE_WAY: &[&str] = &[
    "upgrad",
    "downgrad",
    "bump",
    "migrate",
    "migrating",
    "migration to",
    "migration from",
    "moved",
    "move to",
    "from v",
    "since",
    "before",
    "until",
    "prior to",
    "introduced",
    "as of",
    "changed in",
    "fixed in",
    "released",
    "deprecated",
    " was ",
    " were ",
    "used to",
    "no longer",
    "instead of",
    "unlike",
    "breaking",
    "older",
    "newer than",
    "previous",
    "legacy",
    "formerly",
    "do not use",
    "don't use",
    "avoid",
    "never use",
    "incompatible",
    "not yet",
    "will be",
    "planned",
    "drop support",
    "dropped",
    " ended",
    "not supported",
    "unsupported",
    "not work",
    "n't work",
    "end of life",
    "no support",
    "supports",
    "tested",
    "example",
    "e.g.",
];

/// Whether a line tells of what was, or of a way between versions, and not of what holds.
pub(super) fn is_on_the_way(line: &str) -> bool {
    let line = line.to_lowercase();
    // Without a number in front an arrow leads from a label to what it is of.
    let arrow = ["→", "->", "=>"]
        .iter()
        .filter_map(|arrow| line.find(arrow));
    let mut from = arrow.filter_map(|at| line.get(..at));
    from.any(|from| from.contains(|c: char| c.is_ascii_digit()))
        || ON_THE_WAY.iter().any(|word| line.contains(word))
}

/// Calls `take` with each name that a version follows; `known` says which names count.
pub(super) fn mentions<'t>(
    line: &'t str,
    known: &dyn Fn(&str) -> bool,
    take: &mut dyn FnMut(Mention<'t>),
) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if !(byte.is_ascii_alphabetic() || byte == b'@') {
            // A number or a sign is passed with all that hangs together with it.
            let length = if byte.is_ascii_digit() {
                token(line, at)
            } else {
                1
            };
            at += length.max(1);
            continue;
        }
        let length = token(line, at).max(1);
        let word = line.get(at..at + length).unwrap_or_default();
        // `express@4.19.2`
        let name = match word.get(1..).and_then(|rest| rest.find('@')) {
            Some(sign) => word.get(..=sign).unwrap_or(word),
            None => word.trim_end_matches(['.', '-', '/']),
        };
        let end = at + name.len();
        let two = two_words(line, at, end);
        let wide = two.filter(|two| line.get(at..*two).is_some_and(known));
        let wide = wide.or_else(|| known(name).then_some(end));
        if let Some(end) = wide
            && let Some(name) = line.get(at..end)
            && let Some(mention) = version_after(line, name, end)
        {
            at = mention.bytes.end;
            take(mention);
            continue;
        }
        at += length;
    }
}

/// How many bytes hang together from here on as a name does.
fn token(line: &str, at: usize) -> usize {
    let rest = line.as_bytes().get(at..).unwrap_or_default();
    let part = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'@' | b'-' | b'+')
    };
    rest.iter()
        .position(|byte| !part(byte))
        .unwrap_or(rest.len())
}

/// Where two words end that are one name: `Spring Boot`.
fn two_words(line: &str, at: usize, end: usize) -> Option<usize> {
    let next = line.get(end..)?.strip_prefix(' ')?;
    let length = next
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(next.len());
    (end > at && length > 0).then_some(end + 1 + length)
}

/// The version that follows a name.
fn version_after<'t>(line: &'t str, name: &'t str, end: usize) -> Option<Mention<'t>> {
    let mut at = end;
    let mut marked = line.get(end..)?.starts_with('@');
    let before = line.get(..end - name.len())?.to_lowercase();
    let in_brackets = before.ends_with('(');
    let before = before.trim_end_matches([' ', '`', '*', ':']);
    let (mut sign, mut from) = (None, None);
    let mut lowest = AT_LEAST.iter().any(|words| before.ends_with(words));
    let floor = lowest || LOWEST.contains(&name.to_lowercase().as_str());
    let last = before.rsplit(' ').next();
    let chosen = in_brackets || last.is_some_and(|word| CHOSEN.contains(&word));
    for _ in 0..6 {
        let rest = line.get(at..)?;
        let signs = rest.find(|c: char| {
            !matches!(
                c,
                ' ' | '\t'
                    | '`'
                    | '\''
                    | '"'
                    | '|'
                    | ':'
                    | '='
                    | '@'
                    | '^'
                    | '~'
                    | '>'
                    | '<'
                    | '('
                    | '*'
                    | '_'
                    | '≥'
                    | '≤'
            )
        });
        let (skipped, rest) = rest.split_at(signs?);
        // A version in the next sentence or far off is about something else.
        if skipped.len() > 16 {
            return None;
        }
        lowest |= skipped.contains(['>', '≥', '^', '~']);
        marked |= skipped.contains(['=', '@', '^', '~', '>', '≥', '|', '<', '≤']);
        sign = skipped.chars().rev().find(|c| SIGNS.contains(c)).or(sign);
        if let (Some('<' | '≤'), Some(place)) = (sign, skipped.find(['<', '≤'])) {
            from = Some(at + place);
        }
        at += skipped.len();
        let word = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(word);
        if word.is_empty() {
            break;
        }
        if !BETWEEN.contains(&word.to_lowercase().as_str()) {
            return None;
        }
        marked |= word.eq_ignore_ascii_case("v") || word.eq_ignore_ascii_case("version");
        at += word.len();
        if after.starts_with(|c: char| c.is_ascii_digit()) && word != "v" && word != "V" {
            return None;
        }
    }
    let image = line.get(end..at) == Some(":");
    let found = number(line, name, at, (marked || image, lowest, chosen, image))?;
    Some(found.signed(line, floor, sign, from))
}

/// Signs in front of a version that say which others it stands for.
const SIGNS: [char; 6] = ['<', '≤', '^', '~', '>', '≥'];

impl Mention<'_> {
    /// The same with what the sign in front of it makes of it.
    fn signed(self, line: &str, floor: bool, sign: Option<char>, from: Option<usize>) -> Self {
        let start = from.unwrap_or(self.bytes.start);
        let equal = line
            .get(start + 1..)
            .is_some_and(|rest| rest.starts_with('='));
        let span = match sign {
            Some('^') => self.version.caret(),
            Some('~') => self.version.tilde(false),
            Some('≤') => self.version.below(true),
            Some('<') => self.version.below(equal),
            _ => self.span,
        };
        let plain = self.plain && sign.is_none();
        let bytes = start..self.bytes.end;
        Self {
            span,
            plain,
            floor,
            bytes,
            ..self
        }
    }
}

/// The version whose numbers begin here.
fn number<'t>(
    line: &'t str,
    name: &'t str,
    at: usize,
    (marked, lowest, chosen, image): (bool, bool, bool, bool),
) -> Option<Mention<'t>> {
    let rest = line.get(at..)?;
    let length = rest
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(rest.len());
    let numbers = rest.get(..length)?.trim_end_matches('.');
    let mut after = rest.get(numbers.len()..)?;
    let version = Version::parse(numbers)?;
    let digits = numbers.split('.');
    if digits.clone().any(|part| part.is_empty() || part.len() > 5) || digits.count() > 4 {
        return None;
    }
    for any in [".x", ".X", ".*"] {
        after = after.strip_prefix(any).unwrap_or(after);
    }
    // `node:20-slim`
    if image && VARIANTS.has(&following(after.trim_start_matches('-'))) {
        after = "";
    }
    if is_more(after) {
        return None;
    }
    let alone = version.0.len() == 1;
    let following = following(after);
    let ends = following.is_empty() || GOES_ON.contains(&following.as_str());
    let named = name.starts_with(|c: char| c.is_ascii_uppercase())
        || (RUNTIMES.contains(&name) && !matches!(following.as_str(), "in" | "at"))
        || (chosen && ends);
    if is_count(&version, numbers, &following) || (alone && !marked && !named) {
        return None;
    }
    let newer = lowest
        || OR_NEWER
            .iter()
            .any(|words| after.to_lowercase().starts_with(words));
    Some(Mention {
        name,
        span: if newer {
            Span::from(&version)
        } else {
            version.family()
        },
        version,
        others: others(after),
        plain: !newer,
        floor: false,
        bytes: at..at + numbers.len(),
    })
}

/// Whether what stands right behind numbers makes something else of them, or what is not to be
/// compared: `2-alpha`, `3rd`, `5%`, `10:30`, `4/5`.
pub(super) fn is_more(after: &str) -> bool {
    let mut signs = after.chars();
    match signs.next() {
        Some('-' | '%' | '/' | '_' | '$' | '€') => true,
        Some(':') => signs.next().is_some_and(|next| next.is_ascii_digit()),
        first => first.is_some_and(char::is_alphanumeric),
    }
}

/// What image tags call the system below a runtime: `node:20-slim`.
static VARIANTS: Words = Words::of(
    "alpine slim bookworm bullseye buster trixie jammy noble lts jdk jre fpm cli nanoserver windowsservercore",
);

/// The word behind numbers, in small letters.
pub(super) fn following(after: &str) -> String {
    let mut words = after.trim_start().split(|c: char| !c.is_ascii_alphabetic());
    words.next().unwrap_or_default().to_lowercase()
}

/// Whether numbers say how many of what follows there are, or which of several: `Node 3 of the
/// cluster`. What has three numbers is no count.
pub(super) fn is_count(version: &Version, numbers: &str, following: &str) -> bool {
    let alone = version.0.len() == 1;
    let unit = version.0.len() < 3 && (is_unit(following) || COUNTED.has(following));
    unit || (alone && (following == "of" || numbers.len() > 3))
}

/// The versions that are named right behind one: `or 15`, `, 15 and 16`.
fn others(mut after: &str) -> Vec<Span> {
    const SIGNS: [&str; 7] = [" or ", " and ", ", or ", ", and ", ", ", " & ", " to "];
    let mut all = Vec::new();
    while let Some(rest) = SIGNS.iter().find_map(|sign| after.strip_prefix(sign)) {
        let rest = rest.strip_prefix('v').unwrap_or(rest);
        let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'));
        let (numbers, behind) = rest.split_at(length.unwrap_or(rest.len()));
        let numbers = numbers.trim_end_matches('.');
        match Version::parse(numbers) {
            Some(version)
                if !is_more(behind) && !is_count(&version, numbers, &following(behind)) =>
            {
                all.push(version.family());
            }
            _ => break,
        }
        after = behind;
    }
    all
}

/// Runtimes that people write in small letters with their version.
const RUNTIMES: &[&str] = &[
    "node", "python", "java", "go", "rust", "rustc", "ruby", "php", "npm", "pnpm", "yarn", "bun",
    "deno",
];

/// What is counted after a name: `Express 3 times`.
static COUNTED: Words = Words::of(
    "times x retries connections workers threads processes instances items files \
modules packages steps rows tests cases errors warnings kinds types attempts replicas nodes pods cores \
points columns routes endpoints tables pages levels layers hooks plugins tasks jobs services more other",
);

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Vec<String> {
        let known = [
            "express",
            "node",
            "axum",
            "pg",
            "python",
            "spring boot",
            "@types/node",
            "time",
            "next.js",
            "rust",
        ];
        let mut all = Vec::new();
        mentions(
            line,
            &|name| known.contains(&name.to_lowercase().as_str()),
            &mut |one| {
                let text = line.get(one.bytes.clone()).unwrap();
                all.push(format!(
                    "{} {text}{}",
                    one.name,
                    if one.plain { "" } else { "+" }
                ));
            },
        );
        all
    }

    #[test]
    fn versions_beside_names_are_found() {
        for (line, expected) in [
            ("| `express` | 4.19.2 | HTTP |", &["express 4.19.2"][..]),
            (
                "We use axum 0.7 and Express v4.",
                &["axum 0.7", "Express 4"],
            ),
            (
                "Node 22 or newer; `pg` is pinned to 8.13.1",
                &["Node 22+", "pg 8.13.1"],
            ),
            ("Python >= 3.11, node@20", &["Python 3.11+", "node 20"]),
            (
                "Spring Boot 3.2 on node version 18",
                &["Spring Boot 3.2", "node 18"],
            ),
            (
                "express: ^4.18.0, \"@types/node\": \"22.10\"",
                &["express 4.18.0+", "@types/node 22.10"],
            ),
            (
                "Python 3.x, axum 0.7.x, Next.js 14",
                &["Python 3", "axum 0.7", "Next.js 14"],
            ),
            ("Rust (1.80+)", &["Rust 1.80+"]),
            (
                "We use express 4 with `pg` 8.13, on axum 0.7.2 routes",
                &["express 4", "pg 8.13", "axum 0.7.2"],
            ),
            (
                "The suite (express 4) expects axum 1; written against pg 8, under express 3.",
                &["express 4", "axum 1", "pg 8", "express 3"],
            ),
            (
                "Needs at least axum 0.7.1; minimum `pg` 8.13",
                &["axum 0.7.1+", "pg 8.13+"],
            ),
        ] {
            assert_eq!(found(line), expected, "{line}");
        }
    }

    #[test]
    fn other_numbers_beside_names_are_none() {
        for line in [
            "Express 3 times, time 10, pg 5 connections, Node 2 workers",
            "time 2.5 seconds; the express train of 10:30",
            "node takes 3.2 GB; express-session 1.2",
            "express, on port 3000; python3.11 is another name",
            "Express 4/5 routes and Express 50% of it; axum 1.2.3-beta.1",
            "pg 192.168.100.200.1",
            "time: 10:30",
            "we use time 10 ways; with express 3 retries, and pg 5, express 6",
            "Node 3 of the cluster was slow; express 4 of 10",
            "(express 3 routes) and the pg 5 pool; by time 4 runs",
            "Express 3000 is not its port; it takes time 10 and runs pg 4 deep",
        ] {
            assert_eq!(found(line), Vec::<String>::new(), "{line}");
        }
    }
}
