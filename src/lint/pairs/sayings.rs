//! Whether a text says a sentence already.

use super::compare::repeats;
use super::statement::{Statement, statements};
use super::words::tokens;

/// The statements of a text.
pub struct Sayings<'t>(Vec<Statement<'t>>);

impl<'t> Sayings<'t> {
    /// What a text says.
    pub fn of(text: &'t str) -> Self {
        Self(statements(text))
    }

    /// Whether one of its statements says what a sentence says, with all that this names.
    pub fn say(&self, sentence: &str) -> bool {
        let [own] = &*statements(sentence) else {
            return false;
        };
        // All of it has to be that statement.
        if own.tokens.len() != tokens(sentence).len() {
            return false;
        }
        let says = |known: &Statement<'_>| {
            let mut literal = own.text.split_whitespace().filter_map(literal);
            repeats(known, own) && literal.all(|word| known.text.contains(word))
        };
        self.0.iter().any(says)
    }
}

/// What of a word has to be letter for letter the same: `-D` is not `-d`.
fn literal(word: &str) -> Option<&str> {
    const AROUND: [char; 15] = [
        '*', '_', '`', '"', '\'', '“', '”', '(', ')', '.', ',', ';', ':', '!', '?',
    ];
    let word = word.trim_matches(AROUND);
    let mut rest = word.chars().skip(1);
    let plain = word.chars().all(char::is_alphabetic) && !rest.any(char::is_uppercase);
    (!plain).then_some(word)
}
