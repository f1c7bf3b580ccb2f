//! Records by what stands in front of them: what was mended or went wrong, a piece of work that is
//! done, a check that was made, a program that gave up.

use super::clause::{Clause, skipped, undated, words};
use super::tokens::Token;
use super::verb::is_past_form;
use super::words::{AGAIN, CHANGED, FINISHED, IS, MUST, OCCASION, ORDER, WAS, WHICH, WHO};
use crate::lint::pairs::table::Words;

/// What goes wrong, as the label of what is told of it.
static TROUBLE: Words = Words::of(
    "bug bugfix incident outage regression crash failure problem issue symptom cause accident fault \
breakage hiccup mishap",
);

/// How somebody says that a check was made.
static PROVED: Words =
    Words::of("verified confirmed checked tested validated ensured double-checked rechecked");

/// What comes of a check: whoever finds it so says nothing of what to do.
static HELD: Words = Words::of(
    "passes pass compiles compile builds build works work runs run succeeds succeed parses parse \
loads load lints typechecks renders starts still now",
);

/// How programs begin what they say when they give up.
static LEVEL: Words = Words::of("error fatal panic exception err critical");

/// What they could not do to a file.
static TOUCHED: Words = Words::of(
    "open read load parse write stat import access compile execute process create delete remove \
copy move lock mount link include decode find locate resolve",
);

/// What may be said of a stretch of work in front of what was done in it.
static SUMMED: Words =
    Words::of("recap summary review retro retrospective report notes log is was now");

impl<'t> Clause<'_, 't> {
    /// What was done in a stretch of work, and how it was before: `Sprint 12 recap: x hardened`,
    /// `Iteration 3 finished, x covered to 95 %`, `Before: charts used x`.
    pub(super) fn is_of_an_occasion(&self) -> bool {
        let before = undated(self.before);
        let end = before
            .iter()
            .position(|token| matches!(token, Token::Sign(_)));
        let Some((lead, rest)) = end.and_then(|end| before.split_at_checked(end)) else {
            return false;
        };
        let number = |word: &str| {
            word.trim_start_matches('#')
                .starts_with(|c: char| c.is_ascii_digit())
        };
        let summed = |token: &Token<'_>| {
            let word = token.word().unwrap_or_default();
            SUMMED.has(word) || FINISHED.has(word) || CHANGED.has(word)
        };
        let labels = rest.first().is_some_and(|sign| sign.is(':'));
        let occasion = match lead {
            [Token::Word(word), Token::Word(which), lead @ ..] => {
                let known =
                    OCCASION.has(word) || matches!(*word, "week" | "day" | "milestone" | "phase");
                known && number(which) && lead.iter().all(summed)
            }
            [Token::Word("previously" | "formerly")] if labels => return true,
            [Token::Word("before")] => labels,
            _ => false,
        };
        let holds = |word: &str| IS.has(word) || MUST.has(word) || ORDER.has(word);
        let told = || words(self.own).chain(words(self.right));
        occasion && told().any(is_past_form) && !told().any(holds)
    }

    /// `Should we bring back x?`: whoever asks that knows that it is gone.
    pub(super) fn is_asked_back(&self) -> bool {
        let [Token::Word(asks), Token::Word(who), rest @ ..] = undated(self.before) else {
            return false;
        };
        let back = |tokens: &[Token<'_>]| {
            tokens
                .iter()
                .any(|token| matches!(token, Token::Word("back")))
        };
        let brought = words(rest).any(|word| AGAIN.has(word) && word != "bring")
            || (words(rest).any(|word| word == "bring") && (back(rest) || back(self.right)));
        let ends = self.after.iter().position(|token| token.is('?'));
        let alone = ends.and_then(|end| self.after.get(..end));
        matches!(*asks, "should" | "shall" | "do" | "can" | "could")
            && WHO.has(who)
            && brought
            && alone.is_some_and(|alone| words(alone).all(|word| word == "back" || word == "again"))
    }

    /// What stands in front of the sign that parts the path's clause from it: `Fixed the leak` of
    /// `Fixed the leak: x …`, without what stands in front of that.
    fn head(&self) -> &[Token<'t>] {
        let end = self.before.len().saturating_sub(self.own.len() + 1);
        undated(self.before.get(..end).unwrap_or_default())
    }

    /// Whether the path is told of as the one that did something once: `Fixed the leak: x held a
    /// handle`, `Bug: x panicked on empty frames`.
    pub(super) fn is_culprit(&self) -> bool {
        let named = self.own.iter().all(|token| {
            token
                .word()
                .is_some_and(|word| WHICH.has(word) || word == "in")
        });
        if !matches!(self.cut, Some(Token::Sign(':' | '-'))) || !named {
            return false;
        }
        let head: Vec<&str> = words(self.head()).collect();
        let trouble = matches!(head.as_slice(), [.., last] if TROUBLE.has(last))
            && !head.iter().any(|word| *word == "known" || *word == "open");
        let mended = head
            .first()
            .is_some_and(|first| CHANGED.has(first) || *first == "resolved")
            || head.iter().any(|word| WAS.has(word));
        let verb = skipped(self.right).first().and_then(|token| token.word());
        let did = verb.is_some_and(|verb| is_past_form(verb) || WAS.has(verb) || verb == "never");
        let never = verb == Some("never");
        let past = words(self.right).take(3).any(is_past_form);
        (trouble || mended) && did && (!never || past) && !self.holds_on()
    }

    /// Whether it is listed behind a piece of work that is done: `Phase 2 complete. Files: x, y`.
    pub(super) fn is_of_what_is_done(&self) -> bool {
        let listed = self.cut == Some(Token::Sign(':'))
            && self.own.iter().all(|token| match token {
                Token::Name | Token::Sign(',') => true,
                Token::Word(word) => WHICH.has(word),
                Token::Sign(_) => false,
            });
        let label = self.head();
        let named = !label.is_empty()
            && label.iter().all(|token| match token {
                Token::Word(word) => WHICH.has(word) || *word == "files",
                _ => false,
            });
        let (above, end) = match self.above {
            [rest @ .., end @ Token::Sign('.' | '!' | ';')] => (rest, Some(end)),
            other => (other, None),
        };
        let last = above.last().and_then(|token| token.word());
        let done = last.is_some_and(|word| FINISHED.has(word) || word == "complete");
        // `When it is complete: …` is still to come.
        let sentence = super::clause::sentence(above);
        let open = words(sentence)
            .any(|word| MUST.has(word) || matches!(word, "when" | "until" | "once" | "if"));
        listed && named && done && !open && end.is_some()
    }

    /// Whether a check of it was made: `Verified that x passes lint`.
    pub(super) fn is_proved(&self) -> bool {
        let said = undated(self.before);
        let [Token::Word(verb), rest @ ..] = said else {
            return false;
        };
        let that = skipped(rest).is_empty() || rest.first() == Some(&Token::Word("that"));
        let near = rest.iter().all(|token| match token {
            Token::Word(word) => WHICH.has(word) || *word == "that",
            Token::Name => true,
            Token::Sign(sign) => *sign == ',',
        });
        let held = self.right.first().and_then(|token| token.word());
        PROVED.has(verb) && that && near && held.is_some_and(|held| HELD.has(held))
    }

    /// Whether a program says that it could do nothing with it: `ERROR: could not open x`.
    pub(super) fn is_given_up(&self) -> bool {
        let label: Vec<&str> = words(self.head()).collect();
        let level = matches!(label.as_slice(), [.., last] if LEVEL.has(last)) && label.len() < 3;
        let own: Vec<&str> = words(self.own).filter(|word| !WHICH.has(word)).collect();
        let failed = matches!(
            own.as_slice(),
            ["could" | "can" | "did", "not", verb]
            | ["cannot" | "couldn't" | "can't", verb]
            | ["unable" | "failed", "to", verb] if TOUCHED.has(verb)
        );
        self.cut == Some(Token::Sign(':')) && level && failed
    }
}
