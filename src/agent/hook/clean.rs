//! Takes out of a text what a terminal obeys and what a person does not see.

use crate::ui::safe::{Piece, pieces};

/// The text without escape sequences, control characters, bidirectional controls and invisible
/// characters. Tabs and line ends stay; `\r\n` becomes `\n`.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = without_escapes(text);
    for piece in pieces(&text) {
        match piece {
            Piece::Clean(text) => out.push_str(text),
            Piece::Tab => out.push('\t'),
            Piece::Hostile("\n") => out.push('\n'),
            Piece::Hostile(_) => {}
        }
    }
    out
}

/// The text without escape sequences, wherever they end: a string without an end goes to the end of
/// its line.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let kind = match c {
            '\u{1b}' => chars.next_if(|next| !next.is_control()),
            '\u{9b}' => Some('['),
            '\u{9d}' => Some(']'),
            '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => Some('P'),
            c => {
                out.push(c);
                continue;
            }
        };
        match kind {
            // Parameters, then one letter.
            Some('[') => {
                while chars.next_if(|c| matches!(c, '\x20'..='\x3f')).is_some() {}
                chars.next_if(|c| matches!(c, '\x40'..='\x7e'));
            }
            // A string.
            Some(']' | 'P' | 'X' | '^' | '_') => {
                while let Some(c) = chars.next_if(|c| *c != '\n') {
                    if matches!(c, '\u{7}' | '\u{9c}') {
                        break;
                    }
                    if c == '\u{1b}' {
                        chars.next_if_eq(&'\\');
                        break;
                    }
                }
            }
            // One more character, as in the choice of a character set.
            Some('\x20'..='\x2f') => {
                chars.next_if(|c| !c.is_control());
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_obeyed_or_not_seen_is_taken_out() {
        for (text, cleaned) in [
            (
                "plain\ttext\r\nand é 👩\u{200d}👩",
                "plain\ttext\nand é 👩\u{200d}👩",
            ),
            ("a\x1b[31;1mred\x1b[0m", "ared"),
            ("a\x1b]52;c;aGk=\x07b\x1b]0;t\x1b\\c", "abc"),
            ("a\x1b]0;no end\nb", "a\nb"),
            ("\x1bPq#1\x1b\\x\x1b(By\u{9b}2Jz", "xyz"),
            ("a\u{202e}b\u{200b}c\u{feff}d\u{e0041}e\x00f\x7f", "abcdef"),
            ("\x1b", ""),
        ] {
            assert_eq!(clean(text), cleaned, "{text:?}");
        }
    }
}
