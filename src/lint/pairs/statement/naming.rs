//! Which words of a statement name something.

use std::ops::Range;

use super::Statement;
use crate::lint::pairs::words::{Kind, Token};

impl Statement<'_> {
    /// Whether a token is the name of something: a path or code, a word that has a capital wherever
    /// it stands, a host, an address, a part number.
    pub fn names(&self, token: &Token) -> bool {
        let word = self.word(token);
        let inner = word.char_indices().skip(1);
        let mixed = inner.clone().any(|(_, c)| c.is_ascii_digit())
            || inner.clone().any(|(_, c)| matches!(c, '.' | '@' | ':'));
        match token.kind {
            Kind::Code => true,
            Kind::Name => {
                let begins = self.tokens.first().is_some_and(|one| one.at == token.at);
                !begins || mixed || inner.into_iter().any(|(_, c)| c.is_uppercase())
            }
            Kind::Word => mixed,
            _ => false,
        }
    }

    /// Whether it is a folder or what paths and branches begin with: a `/` ends it.
    pub fn is_folder(&self, token: &Token) -> bool {
        let after = self.text.get(token.at.end..).unwrap_or_default();
        let behind = after.strip_prefix('/');
        let ends = behind.is_some_and(|after| !after.starts_with(char::is_alphanumeric));
        ends || self.word(token).ends_with('/')
    }

    /// Whether a token is the name of something or stands in a code span.
    pub fn is_thing(&self, token: &Token) -> bool {
        self.names(token) || self.is_code(token)
    }

    /// Whether a token is a path or an identifier, or stands in a code span.
    pub fn is_code(&self, token: &Token) -> bool {
        let before = || self.text.get(..token.at.start).unwrap_or_default();
        let after = || self.text.get(token.at.end..).unwrap_or_default();
        token.kind == Kind::Code
            || (before().matches('`').count() % 2 == 1 && after().contains('`'))
    }

    /// Whether a token is called, `cn()`, and whether it is an option of a command, `--json`: what is
    /// of another form stands in no place of it.
    pub fn form(&self, token: &Token) -> (bool, bool) {
        let before = self.text.get(..token.at.start).unwrap_or_default();
        let after = self.text.get(token.at.end..).unwrap_or_default();
        let called = self.word(token).ends_with("()") || after.starts_with("()");
        let option = before.ends_with('-') || self.word(token).starts_with('-');
        (called, option)
    }

    /// Whether these tokens are all that stands in a code span.
    pub fn is_code_span(&self, at: &Range<usize>) -> bool {
        let Some([first, .., last]) = self.tokens.get(at.clone()) else {
            return false;
        };
        let before = self.text.get(..first.at.start).unwrap_or_default();
        let after = self.text.get(last.at.end..).unwrap_or_default();
        let opens = before.ends_with('`') && before.matches('`').count() % 2 == 1;
        opens && after.starts_with('`')
    }

    /// The tokens of the code span that one of them stands in.
    pub fn span(&self, at: usize) -> Option<Range<usize>> {
        let token = self.tokens.get(at)?;
        let before = self.text.get(..token.at.start)?;
        let open = before.rfind('`')?;
        let within = before.matches('`').count() % 2 == 1;
        let close = token.at.end + self.text.get(token.at.end..)?.find('`')?;
        let start = self.tokens.partition_point(|token| token.at.end <= open);
        let end = self.tokens.partition_point(|token| token.at.start < close);
        within.then_some(start..end)
    }
}
