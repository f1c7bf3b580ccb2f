//! Lines of a file: the system splits at `\R` of Java, so a raw U+2028 inside a
//! text ends a line (formats: golemcore, "JSON line").

use std::ops::Range;

use memchr::{memchr, memchr3, memmem};

/// The lines of a file without their ends.
pub fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    if has_odd_ends(bytes) {
        return split(bytes, odd_end);
    }
    split(bytes, |bytes| memchr(b'\n', bytes).map(|at| (at, 1)))
}

/// The range of a line with its end.
pub fn with_end(bytes: &[u8], line: &Range<usize>) -> Range<usize> {
    let rest = bytes.get(line.end..).unwrap_or_default();
    let end = match odd_end(rest) {
        Some((0, len)) => len,
        _ => 0,
    };
    line.start..line.end + end
}

/// The line end that a file uses: that of its first line, else a line feed.
pub fn eol(bytes: &[u8]) -> &'static str {
    match memchr(b'\n', bytes) {
        Some(at) if at > 0 && bytes.get(at - 1) == Some(&b'\r') => "\r\n",
        _ => "\n",
    }
}

fn split(bytes: &[u8], end: impl Fn(&[u8]) -> Option<(usize, usize)>) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) {
        let (at, len) = end(rest).unwrap_or((rest.len(), 0));
        lines.push(start..start + at);
        start += at + len.max(usize::from(len == 0 && at == 0));
    }
    lines
}

fn has_odd_ends(bytes: &[u8]) -> bool {
    memchr3(b'\r', 0x0b, 0x0c, bytes).is_some()
        || memmem::find(bytes, b"\xC2\x85").is_some()
        || memmem::find(bytes, b"\xE2\x80\xA8").is_some()
        || memmem::find(bytes, b"\xE2\x80\xA9").is_some()
}

/// The first line end of any kind: where it begins and its length.
fn odd_end(bytes: &[u8]) -> Option<(usize, usize)> {
    bytes.iter().enumerate().find_map(|(at, byte)| {
        let next = |n: usize| bytes.get(at + n).copied();
        let len = match byte {
            b'\r' if next(1) == Some(b'\n') => 2,
            b'\n' | b'\r' | 0x0b | 0x0c => 1,
            0xC2 if next(1) == Some(0x85) => 2,
            0xE2 if next(1) == Some(0x80) && matches!(next(2), Some(0xA8 | 0xA9)) => 3,
            _ => return None,
        };
        Some((at, len))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let all = lines(text.as_bytes());
        all.into_iter().map(|line| &text[line]).collect()
    }

    #[test]
    fn lines_end_where_java_ends_them() {
        for (text, expected) in [
            ("", vec![]),
            ("a", vec!["a"]),
            ("a\n", vec!["a"]),
            ("a\n\nb", vec!["a", "", "b"]),
            ("a\r\nb\rc", vec!["a", "b", "c"]),
            (
                "a\u{b}b\u{c}c\u{85}d\u{2028}e\u{2029}f",
                vec!["a", "b", "c", "d", "e", "f"],
            ),
            ("“a”\n\u{2027}", vec!["“a”", "\u{2027}"]),
            ("\n\ra", vec!["", "", "a"]),
        ] {
            assert_eq!(texts(text), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_byte_is_lost(text in "[a\n\r\u{b}\u{85}\u{2028}é“]{0,20}") {
            let bytes = text.as_bytes();
            let mut at = 0;
            for line in lines(bytes) {
                prop_assert_eq!(line.start, at);
                let whole = with_end(bytes, &line);
                prop_assert!(whole.end == bytes.len() || whole.end > line.end);
                at = whole.end;
            }
            prop_assert_eq!(at, bytes.len());
        }

        #[test]
        fn any_bytes_are_split(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let all = lines(&bytes);
            prop_assert!(all.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }
}
