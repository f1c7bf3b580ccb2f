//! The names of code that a text puts into code spans.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::Outline;

/// Minimum length of a name.
const SHORTEST: usize = 4;
/// Maximum length of a code span in bytes.
const LONGEST: usize = 120;

/// A code span that is one name: `sweep_holds()`, `Money::of_cents`, `class HoldRow(Base)`.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let head = "(?:pub|pub\\(crate\\)|public|private|static|async|await|fn|def|class|struct|enum|\
                trait|interface|impl|func|function|fun|type|const|new|mut) ";
    let name = r"[A-Za-z_][A-Za-z0-9_]*";
    let any = r"[^`\n]*";
    let tail = format!(r"(?<call>!?\({any}|!)|<{any}>(?:\({any}\))?| ?\{{{any}|(?: {any})?/?>");
    Regex::new(&format!(
        "`(?:{head})*[@&*#<]?(?:mut )?(?<path>{name}(?:(?:::|\\.|->|#){name})*)(?:{tail})?;?`"
    ))
    .ok()
});

/// A name of code in a code span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolMention<'t> {
    /// The bytes of the span in the text.
    pub bytes: Range<usize>,
    /// The name, with the type that it belongs to in front, if that is written.
    pub names: Vec<&'t str>,
}

/// Calls `take` with each code span that is a name of code; blocks of code are examples.
pub fn symbols<'t>(text: &'t str, outline: &Outline<'_>, take: &mut dyn FnMut(SymbolMention<'t>)) {
    for found in NAME.iter().flat_map(|name| name.captures_iter(text)) {
        let (Some(span), Some(path)) = (found.get(0), found.name("path")) else {
            continue;
        };
        let (bytes, path) = (span.start() + 1..span.end() - 1, path.as_str());
        let names = names(path, found.name("call").is_some() || path.contains("::"));
        let is_read =
            (SHORTEST..=LONGEST).contains(&bytes.len()) && !outline.is_fenced(bytes.start);
        if is_read && !names.is_empty() {
            take(SymbolMention { bytes, names });
        }
    }
}

/// The names of a path of names that are worth looking up.
fn names(path: &str, is_called: bool) -> Vec<&str> {
    let is_sign = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let mut parts = path.rsplit(is_sign).filter(|part| !part.is_empty());
    let is_type = |name: &str| name.starts_with(|c: char| c.is_ascii_uppercase());
    let wanted = |name: &&str| name.len() >= SHORTEST;
    let own = parts.next().filter(wanted);
    let own = own.filter(|own| is_called || is_type(own) || is_distinct(own));
    let owner = parts
        .next()
        .filter(wanted)
        .filter(|owner| own.is_some() && is_type(owner));
    owner.into_iter().chain(own).collect()
}

/// True if a word can only be a name of code: it has an inner `_`, or a capital after a small letter.
fn is_distinct(name: &str) -> bool {
    let mut pairs = name.as_bytes().windows(2);
    let hump =
        |pair: &[u8]| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
    name.trim_matches('_').contains('_') || pairs.any(hump)
}
