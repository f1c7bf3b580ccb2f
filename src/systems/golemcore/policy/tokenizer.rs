//! The tokens of a text: runs of letters, digits and `_ . / # -` of the text in lower case.

use std::sync::LazyLock;

use crate::systems::golemcore::java;

/// UTF-16 units from which a token counts for a score.
const COUNTS: usize = 3;

/// The letters beyond ASCII (`\p{L}`), as ranges.
static LETTERS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let class = regex_syntax::parse(r"\p{L}").ok();
    match class.map(regex_syntax::hir::Hir::into_kind) {
        Some(regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class))) => class
            .iter()
            .map(|range| (range.start(), range.end()))
            .collect(),
        _ => Vec::new(),
    }
});

fn is_letter(c: char) -> bool {
    let after = LETTERS.partition_point(|(start, _)| *start <= c);
    let range = after.checked_sub(1).and_then(|at| LETTERS.get(at));
    range.is_some_and(|(_, end)| c <= *end)
}

/// True if a character is part of a token.
fn is_part(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '.' | '/' | '#' | '-' => true,
        c if c.is_ascii() => false,
        c => is_letter(c),
    }
}

/// The tokens of a text that is in lower case already, of any length.
pub fn tokens(lower: &str) -> impl Iterator<Item = &str> {
    lower
        .split(|c| !is_part(c))
        .filter(|token| !token.is_empty())
}

/// True if a token counts for a score.
pub fn counts(token: &str) -> bool {
    token.len() >= COUNTS && (token.is_ascii() || java::len(token) >= COUNTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_those_of_the_system() {
        let all = |text: &str| {
            let lower = text.to_lowercase();
            tokens(&lower).map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            all("Use src/A.java#x, v1-2 & OAuth_2!"),
            ["use", "src/a.java#x", "v1-2", "oauth_2"]
        );
        assert_eq!(all("É日本語²ⅷª"), ["é日本語", "ª"]);
        assert_eq!(all("𝐀𐐀"), ["𝐀𐐨"]);
        assert_eq!(all(" - "), ["-"]);
        assert_eq!(all("a\u{301}b"), ["a", "b"]);
        assert!(!counts("ab") && counts("abc") && !counts("日本") && counts("𝐀a"));
    }
}
