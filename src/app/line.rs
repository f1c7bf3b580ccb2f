//! One line of text being typed: the filter, the task, the palette.

use crossterm::event::{KeyCode, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

use super::key::Key;

/// The most bytes a line takes; a larger paste is cut, for every key afterwards reads it again.
const LONGEST: usize = 4096;

/// A text and a place in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    text: String,
    /// In bytes, always between two graphemes.
    cursor: usize,
}

impl Line {
    /// A line with a text, the cursor behind it.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            cursor: text.len(),
            text,
        }
    }

    /// What is typed so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub fn before(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or_default()
    }

    /// Whether nothing is typed.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Takes everything away.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Puts text in at the cursor; what cannot stand in a line becomes a blank.
    pub fn insert(&mut self, text: &str) {
        for c in text.chars() {
            let c = if c.is_control() { ' ' } else { c };
            if self.text.len() + c.len_utf8() > LONGEST {
                break;
            }
            self.text.insert(self.cursor, c);
            self.cursor += c.len_utf8();
        }
    }

    /// Puts a text in the place of what stands from a byte to the cursor.
    pub fn complete(&mut self, from: usize, text: &str) {
        self.cut(from, self.cursor);
        self.insert(text);
    }

    /// Does what a key does in a line; false where it is no key of a line.
    pub fn key(&mut self, key: Key) -> bool {
        if let Some(c) = key.typed() {
            self.insert(c.encode_utf8(&mut [0; 4]));
            return true;
        }
        let ctrl = key.mods == KeyModifiers::CONTROL;
        let alt = key.mods == KeyModifiers::ALT;
        match key.code {
            KeyCode::Left if ctrl || alt => self.cursor = self.word_left(),
            KeyCode::Right if ctrl || alt => self.cursor = self.word_right(),
            KeyCode::Char('b') if alt => self.cursor = self.word_left(),
            KeyCode::Char('f') if alt => self.cursor = self.word_right(),
            KeyCode::Left => self.cursor = self.left(),
            KeyCode::Right => self.cursor = self.right(),
            KeyCode::Char('b') if ctrl => self.cursor = self.left(),
            KeyCode::Char('f') if ctrl => self.cursor = self.right(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Char('a') if ctrl => self.cursor = 0,
            KeyCode::Char('e') if ctrl => self.cursor = self.text.len(),
            KeyCode::Backspace if ctrl || alt => self.cut(self.word_left(), self.cursor),
            KeyCode::Char('w') if ctrl => self.cut(self.word_left(), self.cursor),
            KeyCode::Backspace => self.cut(self.left(), self.cursor),
            KeyCode::Char('h') if ctrl => self.cut(self.left(), self.cursor),
            KeyCode::Delete => self.cut(self.cursor, self.right()),
            KeyCode::Char('d') if ctrl => self.cut(self.cursor, self.right()),
            KeyCode::Char('u') if ctrl => self.cut(0, self.cursor),
            KeyCode::Char('k') if ctrl => self.cut(self.cursor, self.text.len()),
            _ => return false,
        }
        true
    }

    fn cut(&mut self, from: usize, to: usize) {
        if self.text.get(from..to).is_some() {
            self.text.replace_range(from..to, "");
            self.cursor = from;
        }
    }

    fn after(&self) -> &str {
        self.text.get(self.cursor..).unwrap_or_default()
    }

    fn left(&self) -> usize {
        let last = self.before().graphemes(true).next_back();
        self.cursor - last.map_or(0, str::len)
    }

    fn right(&self) -> usize {
        let next = self.after().graphemes(true).next();
        self.cursor + next.map_or(0, str::len)
    }

    fn word_left(&self) -> usize {
        let before = self.before().trim_end();
        before.rfind(char::is_whitespace).map_or(0, |at| {
            at + before.get(at..).and_then(first_len).unwrap_or(1)
        })
    }

    fn word_right(&self) -> usize {
        let after = self.after();
        let word = after.len() - after.trim_start().len();
        let rest = after.get(word..).unwrap_or_default();
        self.cursor + word + rest.find(char::is_whitespace).unwrap_or(rest.len())
    }
}

/// Bytes of the first character.
fn first_len(text: &str) -> Option<usize> {
    text.chars().next().map(char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> Line {
        let mut line = Line::default();
        for name in keys.split_whitespace() {
            assert!(line.key(Key::parse(name).unwrap()), "{name}");
        }
        line
    }

    #[test]
    fn keys_of_a_line_do_what_shells_do() {
        assert_eq!(typed("a b c left backspace").text(), "ac");
        assert_eq!(typed("a space b c ctrl-w").text(), "a ");
        assert_eq!(typed("a space b c ctrl-u").text(), "");
        assert_eq!(typed("a b c home delete end d").text(), "bcd");
        assert_eq!(typed("a b ctrl-a x ctrl-e y").text(), "xaby");
        assert_eq!(typed("a space b alt-b ctrl-k c").text(), "a c");
    }

    #[test]
    fn a_grapheme_is_one_step_and_control_characters_stay_out() {
        let mut line = Line::new("e\u{301}👩‍👩‍👧");
        line.key(Key::parse("backspace").unwrap());
        assert_eq!(line.text(), "e\u{301}");
        line.key(Key::parse("backspace").unwrap());
        assert_eq!(line.text(), "");
        line.insert("a\n\u{1b}[31m");
        assert_eq!(line.text(), "a  [31m");
        line.insert(&"x".repeat(10_000));
        assert_eq!(line.text().len(), LONGEST);
    }
}
