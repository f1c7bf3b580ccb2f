//! What the verbs around a path say of it.

use super::clause::{Clause, skipped, undated, words};
use super::tokens::Token;
use super::words::{
    ADVERB, AGED, AT, BROUGHT, CARRIED, CHANGED, DETERMINER, GONE, IRREGULAR, IS, JOINS, ORDER,
    PASSIVE, STATE, WAS, WHICH, WHO,
};
use crate::lint::pairs::table::{Words, is_past};

impl<'t> Clause<'_, 't> {
    /// What the verb behind the path says: `x was removed`, `x is now y`, `x moved to y`. What is
    /// only supposed counts where it is of the past.
    pub(super) fn is_gone_by_its_verb(&self, supposed: bool) -> bool {
        let right = skipped(self.right);
        let (Some(first), rest) = (right.first(), right.get(1..).unwrap_or_default()) else {
            return false;
        };
        let Some(verb) = first.word() else {
            return false;
        };
        let plain = skipped(rest)
            .first()
            .and_then(|token| token.word())
            .unwrap_or_default();
        match verb {
            _ if supposed && IS.has(verb) => false,
            "is" | "are" | "being" | "got" => {
                // `legacy code` is there.
                let is = !AGED.has(plain) || is_participle(skipped(rest), &AGED);
                let ends = |word: &str| GONE.has(word) && is && !matches!(word, "moved");
                let now = rest.first() == Some(&Token::Word("now"));
                ends(plain) && (!AGED.has(plain) || !self.holds_on())
                    || matches!(plain, "going" | "phased")
                        && words(rest).any(|word| matches!(word, "away" | "phased"))
                    || now
                        && matches!(
                            rest.get(1),
                            Some(
                                Token::Name
                                    | Token::Word(
                                        "in" | "at"
                                            | "part"
                                            | "called"
                                            | "named"
                                            | "split"
                                            | "under"
                                            | "known"
                                    )
                            )
                        )
            }
            "has" | "have" => GONE.has(plain) || CARRIED.has(plain),
            "used" => rest.first() == Some(&Token::Word("to")),
            "never" if self.right.first() == Some(first) => {
                (is_past_form(plain) || WAS.has(plain)) && !self.holds_on()
            }
            _ if WAS.has(verb) && self.is_inside() => GONE.has(plain) || CARRIED.has(plain),
            _ if WAS.has(verb) => {
                let brought = BROUGHT.has(plain) && self.goes_on();
                !brought && (Self::is_ended(right) || !self.holds_on())
            }
            // `x held the rates`. What replaced something is there, and of what somebody keeps
            // sorted another verb is said before.
            _ => {
                let subject = words(self.own).all(|word| WHICH.has(word));
                let object = rest.first().and_then(|token| token.word());
                let object =
                    object.is_some_and(|word| DETERMINER.has(word) || (subject && is_object(word)));
                let past = is_past_form(verb) && !CARRIED.has(verb);
                (CHANGED.has(verb) && is_participle(right, &CHANGED))
                    || (past && object && !self.holds_on())
            }
        }
    }

    /// Whether what is told is told of something in it: `bugs in x were …`.
    fn is_inside(&self) -> bool {
        let at = |word: &str| AT.has(word) && word != "of";
        let last = self.own.last().and_then(|token| token.word());
        self.own.len() > 1 && last.is_some_and(at)
    }

    /// What is said before the path: `we removed x`, `Edited x`, `roles lived in x`.
    pub(super) fn is_done_to(&self, cut: Option<&str>) -> bool {
        let own = undated(self.own);
        let subject = skipped(self.right).first().and_then(|token| token.word());
        // `The roles that lived in x are …`: what is behind is said of the roles.
        let was_in =
            matches!(own, [.., Token::Word(was), Token::Word(at)] if WAS.has(was) && AT.has(at));
        let relative = matches!(cut, Some("that" | "which" | "who")) && was_in;
        if subject.is_some_and(|word| IS.has(word)) && !relative {
            return false;
        }
        let verb = |(at, token): (usize, &Token<'t>)| {
            let word = token.word()?;
            let before = at.checked_sub(1).and_then(|at| own.get(at)?.word());
            // `to run`, `the run`, `were run`, `be run`
            let noun = |before: &str| {
                DETERMINER.has(before) || WAS.has(before) || matches!(before, "to" | "be" | "been")
            };
            // What is told in the infinitive was when its verb was: `used to be`, `turned out to
            // be`; `code used to read it` says what for.
            let next = own.get(at + 1..).unwrap_or_default();
            if is_past_form(word)
                && let [Token::Word("to"), Token::Word(what), ..]
                | [Token::Word("out"), Token::Word("to"), Token::Word(what), ..] = next
            {
                let who = word == "used" && before.is_some_and(|word| WHO.has(word));
                let once = before.is_some_and(|word| !PASSIVE.has(word));
                return (once && (who || STATE.has(what))).then_some((at, "was"));
            }
            let other = before.is_some_and(noun) && !WAS.has(word);
            (!other && (WAS.has(word) || IS.has(word))).then_some((at, word))
        };
        let last = own.iter().enumerate().rev().find_map(verb);
        let carried = self.is_carried_to(own);
        if let Some((at, word)) = last
            && WAS.has(word)
        {
            let rest = own.get(at + 1..).unwrap_or_default();
            let brought = words(rest).any(|word| BROUGHT.has(word)) && self.goes_on();
            let there = matches!(word, "had" | "did" | "didn't") && self.holds_on();
            return !carried && !brought && !there;
        }
        // `Files are moved by x`: nothing before the last verb of the present counts.
        let from = last.map_or(0, |(at, _)| at);
        let perfect = last.is_some_and(|(_, word)| matches!(word, "has" | "have"));
        let start = cut.is_none_or(|word| !JOINS.has(word)) && last.is_none();
        for (at, token) in own.iter().enumerate().skip(from) {
            let Some(word) = token
                .word()
                .filter(|word| CHANGED.has(word) || is_past_form(word))
            else {
                continue;
            };
            let before = at.checked_sub(1).and_then(|at| own.get(at));
            let next = own.get(at + 1);
            let brought = BROUGHT.has(word) && self.goes_on();
            let who = before.and_then(|token| token.word());
            let past = if at == 0 {
                start && self.begins(word, next, own)
            } else if who.is_some_and(|who| WHO.has(who))
                || (perfect
                    && who.is_some_and(|who| {
                        matches!(who, "has" | "have" | "been") || ADVERB.has(who)
                    }))
            {
                !carried
            } else {
                let property = who.is_some_and(|who| {
                    WHICH.has(who) || PASSIVE.has(who) || AT.has(who) || IS.has(who)
                });
                let object = match next {
                    None | Some(Token::Name) => true,
                    Some(Token::Word(next)) => {
                        *next == "from" || (WHICH.has(next) && !matches!(*next, "and" | "or"))
                    }
                    Some(Token::Sign(_)) => false,
                };
                last.is_none() && CHANGED.has(word) && !property && object && !carried
            };
            if past && !brought {
                return Self::is_ended(own) || !self.holds_on();
            }
        }
        false
    }

    /// Whether a clause that begins with such a word begins with its verb: `Edited x`, `Fixed a
    /// race in x`, not `Cached prices in x`.
    fn begins(&self, word: &str, next: Option<&Token<'t>>, own: &[Token<'t>]) -> bool {
        if word == "used" || word == "based" {
            return false;
        }
        match next {
            None | Some(Token::Name) => true,
            // `Defined in x`, and `Extracted from x`.
            Some(Token::Word(next)) if AT.has(next) && own.len() == 2 => {
                *next == "from" && (CARRIED.has(word) || GONE.has(word))
            }
            Some(Token::Word(next)) if WHICH.has(next) || AT.has(next) => true,
            Some(Token::Word("up" | "out" | "off" | "back" | "away")) => true,
            // As notes are written: `Removed dead code from x`.
            Some(Token::Word(_)) => {
                let at = own.last().and_then(|token| token.word());
                CHANGED.has(word) && at.is_some_and(|at| AT.has(at) || WHICH.has(at))
            }
            Some(Token::Sign(_)) => false,
        }
    }

    /// Whether the path is where something came to: `moved to x`, `replaced with x`.
    fn is_carried_to(&self, own: &[Token<'t>]) -> bool {
        let near = self.near();
        let to = near
            .last()
            .and_then(|token| token.word())
            .unwrap_or_default();
        let carried = words(own).rev().find(|word| CARRIED.has(word));
        match (to, carried) {
            ("to" | "into", Some(_)) => true,
            ("with" | "by", Some(word)) => matches!(word, "replaced" | "superseded" | "swapped"),
            _ => false,
        }
    }

    pub(super) fn is_by_an_adverb(&self) -> bool {
        let told = |word: &str| matches!(word, "formerly" | "previously" | "originally");
        words(self.own).chain(words(self.right)).any(told)
    }

    /// Whether the line goes on with what is to be done with what was brought: `Added x: put
    /// every check there`.
    fn goes_on(&self) -> bool {
        let pairs = self.after.iter().zip(self.after.iter().skip(1));
        let mut pairs = pairs.filter_map(|(sign, next)| match sign {
            Token::Sign(':' | ';' | '.' | ',' | '-') => next.word(),
            Token::Word("so" | "and") => next.word(),
            _ => None,
        });
        pairs.any(|word| ORDER.has(word))
    }
}

/// Whether a word is the past of a verb by its form.
pub(super) fn is_past_form(word: &str) -> bool {
    is_past(word) || IRREGULAR.has(word)
}

/// Whether a word behind a verb is what it is done to: not how, where or by whom.
fn is_object(word: &str) -> bool {
    let how = word.ends_with("ly") || matches!(word, "and" | "or" | "last" | "on");
    !how && !AT.has(word) && !JOINS.has(word) && !ADVERB.has(word)
}

/// Whether a text begins with what was done to something, not with what it did itself: `removed
/// in May`, not `removed the rows`.
pub(super) fn is_participle(tokens: &[Token<'_>], set: &Words) -> bool {
    let mut all = tokens.iter();
    let Some(word) = all.next().and_then(|token| token.word()) else {
        return false;
    };
    let ends = match all.next() {
        None | Some(Token::Sign(_)) => true,
        Some(Token::Word(next)) => {
            AT.has(next)
                || JOINS.has(next)
                || ADVERB.has(next)
                || matches!(*next, "last" | "and" | "ago")
                || next.starts_with(|c: char| c.is_ascii_digit())
        }
        Some(Token::Name) => false,
    };
    set.has(word) && ends
}
