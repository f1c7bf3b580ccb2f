//! What holds on for a path of which something is told that was: `x was written by hand and must
//! not be generated`, `the tests of x were slow, so mock it`.

use super::clause::Clause;
use super::tokens::Token;
use super::verb::is_past_form;
use super::words::{
    ADVERB, AGAIN, AGED, AT, BACK, CARRIED, DETERMINER, GONE, HENCE, IS, JOINS, MUST, PASSIVE,
    TAKE, WAS, WHO,
};

/// Sentences behind a path that may go back to it.
const SENTENCES: usize = 2;

impl<'t> Clause<'_, 't> {
    /// Whether the text goes back to the path with what is so now or is to be done with it.
    pub(super) fn holds_on(&self) -> bool {
        let mut sentences = 0;
        for (at, token) in self.after.iter().enumerate() {
            sentences += usize::from(token.is('.'));
            if sentences >= SENTENCES || token.is('|') {
                return false;
            }
            let parts = match token {
                Token::Sign(_) => true,
                Token::Word(word) => matches!(*word, "and" | "but" | "so") || HENCE.has(word),
                Token::Name => false,
            };
            let rest = self.after.get(at + 1..).unwrap_or_default();
            if parts && binds(*token, rest) {
                return true;
            }
        }
        false
    }

    /// Whether what is told says that the path itself came to an end: `x was removed`, `x was
    /// merged into y`; not `x was ported from C`.
    pub(super) fn is_ended(tokens: &[Token<'t>]) -> bool {
        let mut all = tokens
            .iter()
            .zip(tokens.iter().skip(1).map(Some).chain([None]));
        all.any(|(token, next)| {
            let word = token.word().unwrap_or_default();
            let made_of = CARRIED.has(word) && next == Some(&Token::Word("from"));
            !made_of && !AGED.has(word) && (GONE.has(word) || CARRIED.has(word))
        })
    }
}

/// Whether a clause behind this sign or word binds whoever reads it now to what was named before.
fn binds(sign: Token<'_>, rest: &[Token<'_>]) -> bool {
    let ends = |token: &Token<'_>| matches!(token, Token::Sign(_));
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    let clause = rest.get(..end).unwrap_or_default();
    let hence = |token: &Token<'_>| token.word().is_some_and(|word| HENCE.has(word));
    let follows = hence(&sign) || clause.first().is_some_and(hence);
    let joins = |word: &str| matches!(word, "and" | "but" | "so" | "please") || HENCE.has(word);
    let passed = |token: &&Token<'_>| {
        token
            .word()
            .is_some_and(|word| joins(word) || (ADVERB.has(word) && word != "not"))
    };
    let start = clause.iter().take_while(passed).count();
    let all: Vec<&str> = clause.iter().filter_map(|token| token.word()).collect();
    let own = clause.get(start..).unwrap_or_default();
    let words: Vec<&str> = own.iter().filter_map(|token| token.word()).collect();
    let Some((&first, more)) = words.split_first() else {
        return false;
    };
    // Something else took its place, or it is told further of what was.
    let other = own.contains(&Token::Name)
        || all
            .iter()
            .any(|word| matches!(*word, "instead" | "now" | "longer"))
        || own.windows(2).any(|two| {
            matches!(two, [Token::Word(be), Token::Word(gone)]
            if (PASSIVE.has(be) || *be == "been") && GONE.has(gone))
        });
    if other || own.first().is_none_or(|token| token.word().is_none()) {
        return false;
    }
    let was = words.iter().any(|word| WAS.has(word));
    let is = words.iter().any(|word| IS.has(word));
    if MUST.has(first) {
        // The subject is the one of before.
        return !was && !GONE.has(more.first().unwrap_or(&""));
    }
    if BACK.has(first) {
        return is && !was;
    }
    let back = more.iter().any(|word| BACK.has(word));
    let order = !WHO.has(first)
        && !DETERMINER.has(first)
        && !AT.has(first)
        && !WAS.has(first)
        && !is_past_form(first);
    if back && order && (is || more.first().is_some_and(|word| BACK.has(word))) {
        return !is_refused(&words);
    }
    // `it is legacy; keep changes small`, not `; use the queue`.
    let changes = matches!(first, "keep" | "change" | "edit" | "extend" | "test");
    (follows || changes) && is && !was && !words.iter().any(|word| TAKE.has(word))
}

/// Whether somebody is told not to take it at all: `do not use it`, not `do not use it for mail`.
fn is_refused(words: &[&str]) -> bool {
    let not = words
        .iter()
        .any(|word| matches!(*word, "not" | "never" | "don't"));
    let taken = words.iter().any(|word| TAKE.has(word) || AGAIN.has(word));
    let it = words.iter().position(|word| BACK.has(word));
    let mut behind = words.iter().skip(it.unwrap_or_default() + 1);
    not && taken && !behind.any(|word| AT.has(word) || JOINS.has(word) || *word == "without")
}
