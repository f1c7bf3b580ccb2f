//! The parts of Java's strings that golemcore relies on, where they differ from Rust's.

/// `Character.isWhitespace`: no no-break spaces and no U+0085, but the four separators of ASCII.
pub const fn is_space(c: char) -> bool {
    match c {
        '\u{1c}'..='\u{1f}' => true,
        '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        c => c.is_whitespace(),
    }
}

/// `\s` of a pattern.
pub const fn is_regex_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

/// `text.isBlank()`.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// `text.trim()`: everything up to U+0020 goes.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// `text.length()`.
pub fn len(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(char::len_utf16).sum()
    }
}

/// The first so many UTF-16 units of a text. Half a surrogate pair becomes U+FFFD, as it does
/// when such a string is written out.
pub fn head(text: &str, units: usize) -> String {
    let mut left = units;
    for (at, c) in text.char_indices() {
        if left < c.len_utf16() {
            let half = if left > 0 { "\u{FFFD}" } else { "" };
            return text.get(..at).unwrap_or_default().to_owned() + half;
        }
        left -= c.len_utf16();
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_those_of_java() {
        for (text, blank) in [
            ("", true),
            (" \t\n\u{1c}\u{1f}\u{3000}\u{2028}", true),
            ("\u{a0}", false),
            ("\u{85}", false),
            ("\u{2007}", false),
            ("\u{200b}", false),
        ] {
            assert_eq!(is_blank(text), blank, "{text:?}");
        }
        assert_eq!(trim("\u{0} a\u{a0}\u{1f}"), "a\u{a0}");
        assert_eq!(len("a😀"), 3);
        assert_eq!(head("a😀b", 2), "a\u{FFFD}");
        assert_eq!(head("a😀b", 3), "a😀");
    }
}
