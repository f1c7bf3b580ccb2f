//! Splits a query into its tokens at blanks, minding `\` and quotes.

use std::ops::Range;

/// A character of a token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Char {
    pub(super) c: char,
    /// Position in the query.
    pub(super) at: usize,
    /// Escaped or quoted: it means itself.
    pub(super) plain: bool,
}

impl Char {
    /// True if it is this mark of the language.
    pub(super) const fn is(self, mark: char) -> bool {
        !self.plain && self.c == mark
    }
}

/// A token, and where it stands.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) chars: Vec<Char>,
    pub(super) span: Range<usize>,
    /// It begins with a quote (after `!`).
    pub(super) quoted: bool,
}

/// What `\` makes a plain character of; before anything else it means itself.
const ESCAPED: &str = " \t\\:!'^$|\"*,<>=";

/// The tokens of a query. A quote that is not closed goes to the end.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some(&(start, c)) = chars.peek() {
        if c.is_whitespace() {
            chars.next();
            continue;
        }
        let mut token = Token {
            chars: Vec::new(),
            span: start..text.len(),
            quoted: false,
        };
        let mut inside = false;
        while let Some(&(at, c)) = chars.peek() {
            if c.is_whitespace() && !inside {
                token.span.end = at;
                break;
            }
            chars.next();
            if c == '\\'
                && let Some(&(_, next)) = chars.peek()
                && ESCAPED.contains(next)
            {
                chars.next();
                token.push(next, at, true);
            } else if c == '"' && (inside || token.may_quote()) {
                token.quoted |= !inside && token.chars.iter().all(|c| c.is('!'));
                inside = !inside;
            } else {
                token.push(c, at, inside);
            }
        }
        tokens.push(token);
    }
    tokens
}

impl Token {
    fn push(&mut self, c: char, at: usize, plain: bool) {
        self.chars.push(Char { c, at, plain });
    }

    /// True if a value or word can begin here: a quote elsewhere is a plain character (`5"`).
    fn may_quote(&self) -> bool {
        self.chars
            .last()
            .is_none_or(|last| !last.plain && "!':,=<>^".contains(last.c))
    }

    /// True if it is `|` alone.
    pub(super) fn is_or(&self) -> bool {
        matches!(&*self.chars, [c] if c.is('|'))
    }
}
