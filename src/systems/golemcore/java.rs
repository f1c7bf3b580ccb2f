//! The parts of Java's strings that golemcore relies on, where they differ from Rust's, and its lines:
//! the system splits at `\R`, so a raw U+2028 inside a text ends a line (formats: golemcore, "JSON
//! line").

use std::ops::Range;

use memchr::memchr;

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

/// The lines of a file without their ends.
pub fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut lines, mut start) = (Vec::new(), 0);
    while let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) {
        let (at, length) = line_end(rest).unwrap_or((rest.len(), 0));
        lines.push(start..start + at);
        start += at + length;
    }
    lines
}

/// The range of a line with its end.
pub fn with_end(bytes: &[u8], line: &Range<usize>) -> Range<usize> {
    let rest = bytes.get(line.end..).unwrap_or_default();
    let end = line_end(rest).filter(|(at, _)| *at == 0);
    line.start..line.end + end.map_or(0, |(_, length)| length)
}

/// The line end that a file uses: that of its first line, else a line feed.
pub fn eol(bytes: &[u8]) -> &'static str {
    match memchr(b'\n', bytes).and_then(|at| bytes.get(at.checked_sub(1)?)) {
        Some(b'\r') => "\r\n",
        _ => "\n",
    }
}

/// The first line end of any kind: where it begins and its length.
fn line_end(bytes: &[u8]) -> Option<(usize, usize)> {
    bytes.iter().enumerate().find_map(|(at, byte)| {
        let next = |n: usize| bytes.get(at + n).copied();
        let length = match byte {
            b'\r' if next(1) == Some(b'\n') => 2,
            b'\n' | b'\r' | 0x0b | 0x0c => 1,
            0xC2 if next(1) == Some(0x85) => 2,
            0xE2 if next(1) == Some(0x80) && matches!(next(2), Some(0xA8 | 0xA9)) => 3,
            _ => return None,
        };
        Some((at, length))
    })
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
    }
}
