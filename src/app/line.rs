//! One line of text being typed: the filter, the task, the palette, answers to questions, the
//! fields of a form, a search.

use unicode_segmentation::UnicodeSegmentation;

use super::key::{Key, LineEdit, Outcome, Step};

/// The most bytes that a paste makes of a line: every key afterwards reads it again.
const LONGEST: usize = 4096;

/// A text with a cursor, which always stands between two graphemes: an accent is never parted from
/// its letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    text: String,
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

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub fn before(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or_default()
    }

    /// True if there is no text.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Removes the text.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Inserts text at the cursor; a control character becomes a blank.
    pub fn insert(&mut self, text: &str) {
        let text = text.replace(char::is_control, " ");
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        self.settle();
    }

    /// Inserts pasted text, cut where the line gets too long.
    pub fn paste(&mut self, text: &str) {
        let mut room = LONGEST.saturating_sub(self.text.len()).min(text.len());
        while !text.is_char_boundary(room) {
            room -= 1;
        }
        self.insert(text.get(..room).unwrap_or_default());
    }

    /// Takes a key of line editing.
    pub fn key(&mut self, key: Key) -> Outcome {
        let edit = key.line_edit();
        edit.map_or(Outcome::Nothing, |edit| self.edit(edit))
    }

    /// Makes an edit.
    pub fn edit(&mut self, edit: LineEdit) -> Outcome {
        match edit {
            LineEdit::Insert(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            LineEdit::Go(step) => {
                self.cursor = self.target(step);
                return Outcome::Redraw;
            }
            LineEdit::Delete(step) => {
                let target = self.target(step);
                let range = target.min(self.cursor)..target.max(self.cursor);
                if range.is_empty() {
                    return Outcome::Redraw;
                }
                self.cursor = range.start;
                self.text.replace_range(range, "");
                self.settle();
            }
        }
        Outcome::Changed
    }

    /// The first byte that is shown in a room of columns in which the cursor has one.
    pub fn shown_from(&self, room: usize, width: fn(&str) -> usize) -> usize {
        let mut used = 0;
        let fits = |(_, grapheme): &(usize, &str)| {
            used += width(grapheme).max(1);
            used < room
        };
        let shown = self.before().grapheme_indices(true).rev().take_while(fits);
        shown.last().map_or(self.cursor, |(at, _)| at)
    }

    fn target(&self, step: Step) -> usize {
        let (at, end) = (self.cursor, self.text.len());
        match step {
            Step::Left => self.stops().take_while(|s| *s < at).last().unwrap_or(0),
            Step::Right => self.stops().find(|s| *s > at).unwrap_or(end),
            Step::WordLeft => self.words().take_while(|s| *s < at).last().unwrap_or(0),
            Step::WordRight => self.words().find(|s| *s > at).unwrap_or(end),
            Step::Start => 0,
            Step::End => end,
        }
    }

    /// Moves to where a cursor may stand: a combining character joins the letter before it.
    fn settle(&mut self) {
        let stop = self.stops().find(|stop| *stop >= self.cursor);
        self.cursor = stop.unwrap_or(self.text.len());
    }

    /// The places of a cursor.
    fn stops(&self) -> impl Iterator<Item = usize> {
        let starts = self.text.grapheme_indices(true).map(|(at, _)| at);
        starts.chain([self.text.len()])
    }

    /// The beginnings of words.
    fn words(&self) -> impl Iterator<Item = usize> {
        self.text.unicode_word_indices().map(|(at, _)| at)
    }
}

/// Pasted text as one line: line ends and tabs are spaces, other control characters are left out,
/// for nobody meant to type them.
pub fn one_line(pasted: &str) -> String {
    let pasted = pasted.trim_end_matches(['\n', '\r']).replace("\r\n", " ");
    let chars = pasted.chars().filter_map(|c| match c {
        '\n' | '\r' | '\t' => Some(' '),
        c => (!c.is_control()).then_some(c),
    });
    chars.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(keys: &str) -> Line {
        let mut line = Line::default();
        for name in keys.split_whitespace() {
            let key = Key::parse(name).unwrap();
            assert_ne!(line.key(key), Outcome::Nothing, "{name}");
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
        line.paste("a\n\u{1b}[31m");
        assert_eq!(line.text(), "a  [31m");
        line.paste(&"x".repeat(10_000));
        assert_eq!(line.text().len(), LONGEST);
    }
}
