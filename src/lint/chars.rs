//! Odd characters: control, bidirectional and invisible ones, and how to show them.

use std::borrow::Cow;
use std::fmt::Write as _;
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

/// The usual name of a character.
pub const fn name(c: char) -> &'static str {
    match c {
        '\0' => "null",
        '\u{7}' => "bell",
        '\u{8}' => "backspace",
        '\u{1b}' => "escape",
        '\u{7f}' => "delete",
        '\u{9b}' => "control sequence introducer",
        '\u{9d}' => "operating system command",
        '\0'..='\u{9f}' => "control character",
        '\u{ad}' => "soft hyphen",
        '\u{200b}' => "zero width space",
        '\u{200c}' => "zero width non-joiner",
        '\u{200d}' => "zero width joiner",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{61c}' | '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}' => "directional mark",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "variation selector",
        '\u{feff}' => "byte order mark",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        _ => "invisible character",
    }
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
            c if odd(c) => {
                // Writing to a String cannot fail.
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
            }
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

/// True if a character is drawn as a picture, so that joiners and selectors belong to it.
pub const fn is_pictograph(c: char) -> bool {
    matches!(c,
        '#' | '*' | '0'..='9' | '©' | '®' | '\u{203c}' | '\u{2049}' | '\u{20e3}'
        | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}'
        | '\u{24c2}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

/// True if a character is of a script in which joiners and non-joiners spell words.
pub const fn is_joining_script(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{f00}'..='\u{109f}'
        | '\u{1780}'..='\u{18af}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}

/// True if a character is written from right to left.
pub const fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{61b}' | '\u{61d}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// True if a character is one that a variation selector may follow outside pictures.
pub const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
        | '\u{1820}'..='\u{18aa}' | '\u{2200}'..='\u{22ff}')
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
