//! A line cut into words and signs, with the names of files and of the code in it as such.

use crate::lint::stale::extract::has_ending;

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A path, a name of a file or of the code, or what stands in a code span: it says nothing of
    /// what was.
    Name,
    /// A word in small letters.
    Word(&'t str),
    /// A sign between words; `→` for each kind of arrow, `-` for each dash.
    Sign(char),
}

impl<'t> Token<'t> {
    /// The word, where it is one.
    pub fn word(self) -> Option<&'t str> {
        match self {
            Self::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Whether it is this sign.
    pub fn is(self, sign: char) -> bool {
        self == Self::Sign(sign)
    }
}

/// The parts of a text in small letters.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return all;
        };
        if first == '`' {
            let inside = rest.trim_start_matches('`');
            let end = inside.find('`');
            if end.is_some_and(|end| end > 0) {
                all.push(Token::Name);
            }
            rest = end.and_then(|end| inside.get(end..)).unwrap_or(inside);
            rest = rest.trim_start_matches('`');
            continue;
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, '`' | '—' | '–' | '→' | '|');
        let end = rest.find(ends).filter(|end| *end > 0);
        let end = end.unwrap_or_else(|| match ends(first) {
            true => first.len_utf8(),
            false => rest.len(),
        });
        let (chunk, behind) = rest.split_at(end);
        rest = behind;
        take(chunk, &mut all);
    }
}

/// Takes what stands between two blanks.
fn take<'t>(chunk: &'t str, all: &mut Vec<Token<'t>>) {
    if matches!(chunk, "->" | "-->" | "=>" | "==>" | "→") {
        all.push(Token::Sign('→'));
        return;
    }
    if matches!(chunk, "-" | "--" | "—" | "–") {
        all.push(Token::Sign('-'));
        return;
    }
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '/' || c == '@';
    let sign = |c: char| "()[],;:.!?|~".contains(c).then_some(Token::Sign(c));
    let open = chunk.find(word).unwrap_or(chunk.len());
    let (before, inner) = chunk.split_at(open);
    all.extend(before.chars().filter_map(sign));
    let core = inner.trim_end_matches(|c| !word(c));
    if !core.is_empty() {
        let name = core.contains(['/', '_', '\\']) || core.contains("::") || has_ending(core);
        all.push(if name { Token::Name } else { Token::Word(core) });
    }
    let after = inner.get(core.len()..).unwrap_or_default();
    // What is shortened ends no sentence.
    let short = matches!(
        core,
        "etc" | "e.g" | "i.e" | "vs" | "cf" | "approx" | "incl"
    );
    let after = if short {
        after.trim_start_matches('.')
    } else {
        after
    };
    all.extend(after.chars().filter_map(sign));
}
