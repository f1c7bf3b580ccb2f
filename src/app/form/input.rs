//! One line of text being typed: what the text, date and number fields and the entries of lists
//! are edited with.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

/// A line with a cursor. The cursor is a byte position between two graphemes, so that an accent
/// is never parted from its letter.
#[derive(Clone, Debug, Default)]
pub struct Input {
    text: String,
    cursor: usize,
}

/// What a key did to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The key means nothing here.
    Not,
    /// The cursor moved, or could not.
    Moved,
    /// The text changed.
    Changed,
}

/// Which way, and how far.
#[derive(Clone, Copy)]
enum Step {
    Left,
    Right,
    WordLeft,
    WordRight,
    Start,
    End,
}

impl Input {
    /// A line with the cursor at its end.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let cursor = text.len();
        Self { text, cursor }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the cursor stands, in bytes.
    pub const fn cursor(&self) -> usize {
        self.cursor
    }

    /// Whether the cursor stands behind the last character.
    pub const fn at_end(&self) -> bool {
        self.cursor == self.text.len()
    }

    /// Whether there is no text.
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Inserts text at the cursor.
    pub fn insert(&mut self, text: &str) {
        self.text.insert_str(self.cursor, text);
        self.cursor += text.len();
        self.settle();
    }

    /// Takes a key of line editing.
    pub fn key(&mut self, key: KeyEvent) -> Typed {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let far = ctrl || alt;
        match key.code {
            // Terminals of Windows report AltGr as Ctrl+Alt.
            KeyCode::Char(c) if ctrl == alt => {
                self.insert(c.encode_utf8(&mut [0; 4]));
                Typed::Changed
            }
            KeyCode::Left if far => self.go(Step::WordLeft),
            KeyCode::Right if far => self.go(Step::WordRight),
            KeyCode::Left => self.go(Step::Left),
            KeyCode::Right => self.go(Step::Right),
            KeyCode::Home => self.go(Step::Start),
            KeyCode::End => self.go(Step::End),
            KeyCode::Backspace if far => self.delete(Step::WordLeft),
            KeyCode::Delete if far => self.delete(Step::WordRight),
            KeyCode::Backspace => self.delete(Step::Left),
            KeyCode::Delete => self.delete(Step::Right),
            KeyCode::Char(c) if ctrl => self.ctrl(c),
            KeyCode::Char('b') => self.go(Step::WordLeft),
            KeyCode::Char('f') => self.go(Step::WordRight),
            KeyCode::Char('d') => self.delete(Step::WordRight),
            _ => Typed::Not,
        }
    }

    fn ctrl(&mut self, c: char) -> Typed {
        match c {
            'a' => self.go(Step::Start),
            'e' => self.go(Step::End),
            'b' => self.go(Step::Left),
            'f' => self.go(Step::Right),
            'h' => self.delete(Step::Left),
            'd' => self.delete(Step::Right),
            'w' => self.delete(Step::WordLeft),
            'u' => self.delete(Step::Start),
            'k' => self.delete(Step::End),
            _ => Typed::Not,
        }
    }

    fn go(&mut self, step: Step) -> Typed {
        self.cursor = self.target(step);
        Typed::Moved
    }

    fn delete(&mut self, step: Step) -> Typed {
        let target = self.target(step);
        let range = target.min(self.cursor)..target.max(self.cursor);
        if range.is_empty() {
            return Typed::Moved;
        }
        self.cursor = range.start;
        self.text.replace_range(range, "");
        self.settle();
        Typed::Changed
    }

    fn target(&self, step: Step) -> usize {
        match step {
            Step::Left => self.stops().take_while(|s| *s < self.cursor).last(),
            Step::Right => self.stops().find(|s| *s > self.cursor),
            Step::WordLeft => self.words().take_while(|s| *s < self.cursor).last(),
            Step::WordRight => self.words().find(|s| *s > self.cursor),
            Step::Start => Some(0),
            Step::End => Some(self.text.len()),
        }
        .unwrap_or(match step {
            Step::Right | Step::WordRight => self.text.len(),
            _ => 0,
        })
    }

    /// Moves to where a cursor may stand: a combining character joins what stands before it.
    fn settle(&mut self) {
        let stop = self.stops().find(|stop| *stop >= self.cursor);
        self.cursor = stop.unwrap_or(self.text.len());
    }

    /// Where a cursor may stand.
    fn stops(&self) -> impl Iterator<Item = usize> {
        self.text
            .grapheme_indices(true)
            .map(|(at, _)| at)
            .chain([self.text.len()])
    }

    /// Where words begin.
    fn words(&self) -> impl Iterator<Item = usize> {
        self.text.unicode_word_indices().map(|(at, _)| at)
    }
}

/// Pasted text as one line: line ends and tabs are spaces, other control characters are left out,
/// for nobody meant to type them.
pub fn one_line(pasted: &str) -> String {
    pasted
        .trim_end_matches(['\n', '\r'])
        .replace("\r\n", " ")
        .chars()
        .filter_map(|c| match c {
            '\n' | '\r' | '\t' => Some(' '),
            c if c.is_control() => None,
            c => Some(c),
        })
        .collect()
}
