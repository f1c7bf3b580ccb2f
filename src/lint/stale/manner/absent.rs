//! What says of a path that it is not there, or is not to be.

use super::clause::{Clause, skipped, words};
use super::tokens::Token;
use super::words::{AGAIN, GONE, PASSIVE, WAS};

impl Clause<'_, '_> {
    /// `if x is missing`, `x does not exist`, `there is no x`.
    pub(super) fn is_missing(&self) -> bool {
        let said = |tokens: &[Token<'_>], one: &[&str]| {
            tokens.windows(one.len()).any(|some| {
                some.iter()
                    .zip(one)
                    .all(|(token, word)| *token == Token::Word(word))
            })
        };
        let right = skipped(self.right);
        let not = ["doesn't", "didn't", "don't", "not"];
        let absent = matches!(
            right,
            [
                Token::Word("is" | "are"),
                Token::Word("missing" | "absent"),
                ..
            ]
        );
        absent
            || not.iter().any(|not| said(right, &[not, "exist"]))
            || ["is", "are"]
                .iter()
                .any(|be| said(self.own, &["there", be, "no"]))
            || ENDED.iter().any(|ended| said(self.own, ended))
            || (is_of_itself(right) && ENDED.iter().any(|ended| said(right, ended)))
    }

    /// `cannot find module x`, `module not found: x`, `x: no such file or directory`.
    pub(super) fn is_not_found(&self) -> bool {
        let near = self.near();
        let sought = matches!(near, [.., Token::Word("find" | "locate" | "resolve")]);
        let refused = matches!(
            near,
            [.., Token::Word("cannot" | "can't" | "couldn't"), _]
                | [
                    ..,
                    Token::Word("can" | "could" | "did"),
                    Token::Word("not"),
                    _
                ]
                | [.., Token::Word("unable" | "failed"), Token::Word("to"), _]
        );
        if sought && refused {
            return true;
        }
        // A page that is not found may be what the path draws.
        if let [
            ..,
            Token::Word(what),
            Token::Word("not"),
            Token::Word("found"),
            Token::Sign(':'),
        ] = self.before
        {
            return matches!(*what, "file" | "module" | "path" | "script" | "directory");
        }
        let ends = |rest: &[Token<'_>]| !matches!(rest.first(), Some(Token::Word(_) | Token::Name));
        match (self.before, self.after) {
            (_, [Token::Word("not"), Token::Word("found"), rest @ ..]) => ends(rest),
            (_, [Token::Sign(':'), rest @ ..]) if is_no_file(rest) => true,
            // `no such file or directory, open 'x'`
            ([told @ .., Token::Sign(','), Token::Word(_)] | [told @ .., Token::Sign(':')], _) => {
                told.windows(5).next_back().is_some_and(is_no_file)
                    || told.windows(3).next_back().is_some_and(is_no_file)
            }
            _ => false,
        }
    }

    /// `Do not make x again`, `Do not call x: it was removed`.
    pub(super) fn is_refused(&self) -> bool {
        let mut own = words(self.own);
        if !own.any(|word| matches!(word, "not" | "never" | "don't" | "no")) {
            return false;
        }
        let made = matches!(
            self.near(),
            [
                ..,
                Token::Word("create" | "make" | "introduce" | "add" | "put")
            ]
        );
        let again = matches!(self.right, [Token::Word("again" | "back" | "anew")]);
        own.any(|word| AGAIN.has(word)) || (made && again) || is_gone(self.after)
    }
}

/// Whether a text begins with what a system says of a file that is not there.
fn is_no_file(text: &[Token<'_>]) -> bool {
    let first: Vec<&str> = words(text).take(3).collect();
    first == ["no", "such", "file"]
}

/// `: it was removed`, ` because it has been renamed`.
fn is_gone(after: &[Token<'_>]) -> bool {
    let [
        Token::Sign(':' | ',' | ';' | '-') | Token::Word("because" | "since" | "as" | "for"),
        rest @ ..,
    ] = after
    else {
        return false;
    };
    let [
        Token::Word("it" | "they" | "that" | "both"),
        Token::Word(verb),
        rest @ ..,
    ] = rest
    else {
        return false;
    };
    let is = WAS.has(verb) || matches!(*verb, "is" | "are" | "has" | "have");
    let mut rest = words(skipped(rest));
    is && rest.next().is_some_and(|word| GONE.has(word))
}

/// Words by which something ended.
const ENDED: &[&[&str]] = &[
    &["no", "longer"],
    &["any", "more"],
    &["any", "longer"],
    &["anymore"],
    &["nicht", "mehr"],
];

/// Whether what is said behind a path is said of its being there, and not of what it does: `x no
/// longer exists`, `x is no longer used`, and `we do not use x any more`.
fn is_of_itself(right: &[Token<'_>]) -> bool {
    let mut all = words(right);
    let first = all.next().unwrap_or_default();
    let is = |word: &str| {
        PASSIVE.has(word)
            || matches!(
                word,
                "exist" | "exists" | "live" | "lives" | "wird" | "gibt"
            )
    };
    matches!(first, "any" | "anymore" | "nicht") || is(first) || all.take(3).any(is)
}
