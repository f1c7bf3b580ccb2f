//! What a text tells only to say that it holds no longer.

use super::body::Body;
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

/// Whether a body says what another says and takes it back: ``We used to say: … That is no longer
/// so.``
pub(super) fn withdraws(long: &Body<'_>, short: &Body<'_>) -> bool {
    let near = |one: &Statement<'_>| {
        let mut others = short.statements.iter().map(|said| &said.statement);
        others.any(|other| stands_in(other, one))
    };
    let said: Vec<&Statement<'_>> = long.statements.iter().map(|said| &said.statement).collect();
    let told = |one: &Statement<'_>| short.text.contains(&*one.text);
    let behind = said.windows(2).any(|two| match two {
        [one, next] => near(one) && takes_back(next) && !told(next),
        _ => false,
    });
    behind
        || said
            .iter()
            .any(|one| near(one) && is_former(one) && !told(one))
}

/// Whether nearly all words of one stand in the other.
fn stands_in(one: &Statement<'_>, other: &Statement<'_>) -> bool {
    let content = || one.tokens.iter().filter(|token| token.kind.is_content());
    let has = |token: &&Token| other.tokens.iter().any(|own| own.hash == token.hash);
    5 * content().filter(has).count() >= 4 * content().count()
}

/// Whether a sentence says of what stands before it that it holds no longer.
fn takes_back(one: &Statement<'_>) -> bool {
    const SUBJECT: usize = 3;
    const MOST: usize = 8;
    let word = |token: &Token| one.word(token).to_lowercase();
    let first = one.tokens.first().map(word).unwrap_or_default();
    let being = one.tokens.iter().take(SUBJECT).skip(1);
    let is = being
        .map(word)
        .any(|word| table::BEING.has(&word) || word == "was");
    table::BACK.has(&first) && is && is_over(one, MOST)
}

/// Whether a sentence begins with that the rest of it held once.
fn is_former(one: &Statement<'_>) -> bool {
    const MOST: usize = 5;
    let word = |n: usize| {
        one.tokens
            .get(n)
            .map(|token| one.word(token).to_lowercase())
    };
    let used =
        |n: usize| word(n).as_deref() == Some("used") && word(n + 1).as_deref() == Some("to");
    let label = one.label().unwrap_or_default();
    let words = one.tokens.iter().take(MOST);
    let led = words.take_while(|token| token.at.end <= label).count();
    used(0) || used(1) || (led > 0 && is_over(one, led))
}

/// Whether one of its first words says that something is over.
fn is_over(one: &Statement<'_>, first: usize) -> bool {
    let words: Vec<&Token> = one.tokens.iter().take(first).collect();
    let is = |token: &Token, words: &table::Words| words.has(&one.word(token).to_lowercase());
    let denied = words.windows(2).any(|two| match two {
        [not, holds] => not.kind == Kind::Negation && is(holds, &table::HOLDING),
        _ => false,
    });
    denied || words.iter().any(|token| is(token, &table::WITHDRAWN))
}
