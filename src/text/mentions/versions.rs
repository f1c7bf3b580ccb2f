//! Versions that a text names behind a name: `axum 0.7`, `Node 20`, `express@4.19.2`, `| Vue | 3 |`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::Outline;
use crate::text::patterns::compact;

/// A name, what may stand between it and a version, and the version.
static VERSION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    compact(
        r#"(?x)
        (?<name> @?[A-Za-z][A-Za-z0-9_./+\#-]* )
        [`*"'\])]*
        (?: \s* (?: @ | :[\s"'`] | [|,(] | (?<sign> == | [~^<>]=? | \s=\s ) | \bversions?\b ) \s* | \s+ )
        [`*"']* (?<sign2> ==|[~^<>]=? )? v?
        (?<version> \d+ (?: \.\d+ )* (?: \.[x*] )? )
        (?<newer> \+ | \s or \s (?: newer | later | above | higher ) | \s and \s (?: newer | later | up ) )?
        "#,
    )
});

/// A version of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionMention<'t> {
    /// The name before the version: its last word, and its last two words.
    pub names: [&'t str; 2],
    /// The version as it is written, without a `v`.
    pub version: &'t str,
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// True if it stands for all later versions too.
    pub or_newer: bool,
}

/// Calls `take` with each version behind a name, outside of blocks of code.
pub fn versions<'t>(
    text: &'t str,
    outline: &Outline<'_>,
    take: &mut dyn FnMut(VersionMention<'t>),
) {
    let Some(pattern) = VERSION.as_ref() else {
        return;
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if !line.bytes().any(|byte| byte.is_ascii_digit()) || outline.is_fenced(start) {
            continue;
        }
        for found in pattern.captures_iter(line) {
            let (Some(name), Some(version)) = (found.name("name"), found.name("version")) else {
                continue;
            };
            let behind = line.get(version.end()..).unwrap_or_default();
            let mut next = behind.chars();
            // Numbers with a unit, ranges, times and shares are no versions.
            let goes_on = match next.next() {
                Some(c) if c.is_alphanumeric() || "%_/".contains(c) => true,
                Some('-' | ',' | '.' | ':') => next.next().is_some_and(|c| c.is_ascii_digit()),
                _ => false,
            };
            if goes_on {
                continue;
            }
            let before = line.get(..name.start()).unwrap_or_default();
            let word = |c: char| c.is_alphanumeric() || "_.-".contains(c);
            let first = before
                .strip_suffix(' ')
                .map_or(name.start(), |before| before.trim_end_matches(word).len());
            let sign = found.name("sign").or_else(|| found.name("sign2"));
            take(VersionMention {
                names: [
                    name.as_str(),
                    line.get(first..name.end()).unwrap_or_default().trim_start(),
                ],
                version: version.as_str(),
                bytes: start + version.start()..start + version.end(),
                or_newer: found.name("newer").is_some()
                    || sign.is_some_and(|sign| sign.as_str().starts_with('>')),
            });
        }
    }
}
