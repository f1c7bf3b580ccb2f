//! What says of a path that it is not there, or is not to be.

use super::clause::{Clause, skipped, undated, words};
use super::tokens::Token;
use super::words::{AGAIN, GONE, IS, PASSIVE, WAS, WHICH};

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
            || self.is_told_of()
            || (is_of_itself(right) && ENDED.iter().any(|ended| said(right, ended)))
    }

    /// `Create x for the new login`, `to create the file x`, `mkdir -p x`: it is not there yet.
    pub(super) fn is_to_be_made(&self) -> bool {
        let named = |token: &Token<'_>| {
            let word = token.word().unwrap_or_default();
            WHICH.has(word) || matches!(word, "new" | "empty" | "p")
        };
        let end = self.before.iter().rposition(|token| !named(token));
        let made = self.before.get(..end.map_or(0, |end| end + 1));
        let Some((Token::Word("create" | "scaffold" | "mkdir"), rest)) =
            made.and_then(<[_]>::split_last)
        else {
            return false;
        };
        match undated(rest).last() {
            None | Some(Token::Sign(_)) => true,
            Some(Token::Word(word)) => MAKES.contains(word),
            Some(Token::Name) => false,
        }
    }

    /// `There used to be a script, x`: there is none.
    pub(super) fn is_told_of(&self) -> bool {
        let begins = matches!(
            undated(self.before),
            [
                Token::Word("there"),
                Token::Word("was" | "were" | "used"),
                ..
            ]
        );
        let used = words(self.own).zip(words(self.own).skip(1));
        let used = used.take(2).any(|two| two == ("used", "to"));
        let named = self.cut == Some(Token::Sign(',')) && self.own.is_empty();
        begins && (named || used)
    }

    /// `the worker in x and its queue were removed`: two are said to be gone, and no verb before
    /// them says otherwise of the first.
    pub(super) fn is_gone_with_another(&self) -> bool {
        let is_verb = |word: &str| IS.has(word) || WAS.has(word);
        let [Token::Word("and"), Token::Word(which), rest @ ..] = self.after else {
            return false;
        };
        let of = |rest: &[Token<'_>]| {
            let verb = matches!(rest.first(), Some(Token::Word("were" | "have" | "are")));
            let rest = skipped(rest.get(1..).unwrap_or_default());
            let first = rest.first().and_then(|token| token.word());
            verb && first.is_some_and(|word| GONE.has(word))
        };
        let noun = |count: usize| {
            let (nouns, rest) = rest.split_at_checked(count)?;
            nouns
                .iter()
                .all(|token| token.word().is_some())
                .then_some(rest)
        };
        WHICH.has(which) && !words(self.own).any(is_verb) && (1..=3).filter_map(noun).any(of)
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
        let used = matches!(
            self.near(),
            [
                ..,
                Token::Word("use" | "import" | "call" | "take" | "require")
            ]
        );
        let other = used && self.right.is_empty() && is_other(self.after);
        own.any(|word| AGAIN.has(word)) || (made && again) || other || is_gone(self.after)
    }
}

/// `; use y`, `, but y`: another one is to be taken.
fn is_other(after: &[Token<'_>]) -> bool {
    let rest = match after {
        [Token::Sign(';' | ',' | '.' | ':' | '-'), rest @ ..] => rest,
        [Token::Word("but"), ..] => after,
        _ => return false,
    };
    let passed = |token: &Token<'_>| {
        let word = token.word().unwrap_or_default();
        WHICH.has(word)
            || matches!(
                word,
                "but" | "always" | "instead" | "only" | "use" | "import" | "call" | "take"
            )
    };
    let end = rest.iter().position(|token| !passed(token));
    let verb = rest.iter().take(end.unwrap_or_default()).any(|token| {
        token
            .word()
            .is_some_and(|word| matches!(word, "use" | "import" | "call" | "take" | "but"))
    });
    verb && end.and_then(|end| rest.get(end)) == Some(&Token::Name)
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

/// Words behind which it is said what is to be done.
const MAKES: &[&str] = &[
    "to", "please", "then", "first", "and", "or", "must", "should", "will", "we'll", "let's",
];

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
