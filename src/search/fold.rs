//! Characters as the search compares them: without case and without Latin accents. The rules are
//! nucleo's.

use nucleo::chars;

/// Returns the character without case and accent.
pub(super) fn fold(c: char) -> char {
    match c.is_ascii() {
        true => c.to_ascii_lowercase(),
        false => chars::to_lower_case(plain(c)),
    }
}

/// Returns a letter without its accent. nucleo knows most accents on lower-case letters only.
pub(super) fn plain(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let lower = chars::to_lower_case(c);
    let without = chars::normalize(lower);
    if lower == c {
        without
    } else if without == lower {
        c
    } else {
        without.to_ascii_uppercase()
    }
}

/// Returns a character as it is compared under a word's settings.
pub(super) fn adapt(c: char, ignore_case: bool, normalize: bool) -> char {
    let c = if normalize { plain(c) } else { c };
    match ignore_case {
        true if c.is_ascii() => c.to_ascii_lowercase(),
        true => chars::to_lower_case(c),
        false => c,
    }
}

/// True if a text contains another, neither case nor accents counting. `needle` is folded.
pub(super) fn contains(text: &str, needle: &[char]) -> bool {
    needle.is_empty()
        || text
            .char_indices()
            .any(|(at, _)| starts_with(text.get(at..).unwrap_or_default(), needle))
}

/// True if a text starts with another, neither case nor accents counting. `needle` is folded.
pub(super) fn starts_with(text: &str, needle: &[char]) -> bool {
    let mut chars = text.chars();
    needle.iter().all(|n| chars.next().map(fold) == Some(*n))
}

/// True if two texts are the same, neither case nor accents counting. `needle` is folded.
pub(super) fn equals(text: &str, needle: &[char]) -> bool {
    text.chars().map(fold).eq(needle.iter().copied())
}

/// Folds a text.
pub(super) fn folded(text: &str) -> Box<[char]> {
    text.chars().map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_the_same_for_all_that_can_match() {
        let odd: Vec<char> = (0..=0x0010_ffff)
            .filter_map(char::from_u32)
            .filter(|&c| {
                [(true, true), (true, false), (false, true)]
                    .iter()
                    .any(|&(case, norm)| fold(adapt(c, case, norm)) != fold(c))
            })
            .collect();
        assert!(odd.is_empty(), "{odd:?}");
    }

    #[test]
    fn texts_are_compared_without_case_and_accents() {
        assert!(contains("The Café au lait", &folded("CAFE")));
        assert!(!contains("The Café", &folded("cafés")));
        assert!(starts_with("Ärger", &folded("ar")));
        assert!(equals("ПРИВЕТ", &folded("привет")));
        assert!(contains("", &[]));
    }
}
