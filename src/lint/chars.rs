//! Odd characters: control, bidirectional and invisible ones, and how to show them.

use std::borrow::Cow;
use std::ops::Range;

pub use crate::text::{cut, fence_after, last_of};

/// Why a character is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// A terminal obeys it.
    Control,
    /// It changes the direction of the text around it.
    Bidi,
    /// It has no width and no look.
    Invisible,
}

/// A text with other texts in the place of these parts, which are in order.
pub(super) fn replaced<T: AsRef<str>>(
    text: &str,
    parts: impl IntoIterator<Item = (Range<usize>, T)>,
) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for (at, new) in parts {
        out.push_str(text.get(from..at.start).unwrap_or_default());
        out.push_str(new.as_ref());
        from = at.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// Why a character is odd, whatever stands around it.
pub const fn oddity(c: char) -> Option<Oddity> {
    match c {
        '\t' | '\n' | '\r' => None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Oddity::Control),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(Oddity::Bidi)
        }
        _ if is_invisible(c) => Some(Oddity::Invisible),
        _ => None,
    }
}

/// True if a character has no width and no look.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// A text on one line: odd characters, line ends and tabs are written out as `\u{202e}` or `\n`.
pub fn visible(text: &str) -> Cow<'_, str> {
    let odd =
        |c: char| oddity(c).is_some() || matches!(c, '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}');
    if !text.contains(odd) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\t' => shown.push_str("\\t"),
            '\r' => shown.push_str("\\r"),
            c if odd(c) => shown += &format!("\\u{{{:x}}}", u32::from(c)),
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// A text of a memory as it stands in a message: visible, no longer than a line, in backticks.
pub fn quote(text: &str) -> String {
    const MOST: usize = 80;
    let shown = visible(text);
    match shown.char_indices().nth(MOST) {
        Some((at, _)) => format!("`{}…`", shown.get(..at).unwrap_or_default()),
        None => format!("`{shown}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_written_out() {
        assert_eq!(visible("plain äß 日本"), "plain äß 日本");
        assert_eq!(
            visible("a\x1b[31m\u{202e}b\nc"),
            "a\\u{1b}[31m\\u{202e}b\\nc"
        );
        assert_eq!(quote(&"x".repeat(100)), format!("`{}…`", "x".repeat(80)));
    }
}
