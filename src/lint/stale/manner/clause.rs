//! What the clause around a path says of it: verbs count by what they are said of and by their
//! tense, not by standing near.
//!
//! ```text
//! Removed rows stay hidden,  because  `x`  filters them  .
//!                                    own │ right          rest
//! ```

use std::ops::Range;

use super::lead::is_label;
use super::tokens::{Token, tokens};
use super::verb::{is_participle, is_past_form};
use super::words::{
    ADVERB, AGED, AT, CARRIED, CHANGED, DETERMINER, DOING, EVENT, FINISHED, FORMER, GONE, GONE_BY,
    IS, JOINS, OLD, PASSIVE, SUPPOSES, WAS, WHICH,
};
use crate::lint::pairs::table::MONTHS;

/// What stands around a path in its sentence.
pub(super) struct Clause<'a, 't> {
    /// What stands before its sentence.
    pub above: &'a [Token<'t>],
    /// The sentence up to the path.
    pub before: &'a [Token<'t>],
    /// The clause of the path up to it, and what parts it from what stands before.
    pub own: &'a [Token<'t>],
    pub cut: Option<Token<'t>>,
    /// The clause from the path on.
    pub right: &'a [Token<'t>],
    /// The line from the path on.
    pub after: &'a [Token<'t>],
}

/// Whether a line tells to make the path at these bytes of it.
pub(super) fn is_to_be_made(line: &str, path: &Range<usize>) -> bool {
    read(sides(line, path), |clause| clause.is_to_be_made())
}

/// What is asked of the clause around a path, by the line on both sides of it.
fn read((before, after): (&str, &str), ask: impl Fn(&Clause<'_, '_>) -> bool) -> bool {
    let (before, after) = (before.to_lowercase(), after.to_lowercase());
    let (before, after) = (before.replace('’', "'"), after.replace('’', "'"));
    let (before, after) = (tokens(&before), tokens(&after));
    let own = sentence(&before);
    let above = before.get(..before.len() - own.len());
    ask(&Clause::of(above.unwrap_or_default(), own, &after))
}

/// Whether a line speaks of the path at these bytes of it as of something that was.
pub(super) fn is_past(line: &str, path: &Range<usize>) -> bool {
    let (before, after) = sides(line, path);
    let asked = line.get(..path.start).is_some_and(is_asked_of_history);
    if is_struck(before, after) || is_ticked(line) || asked {
        return true;
    }
    read((before, after), |clause| clause.is_past())
}

/// The line on both sides of a path, without the code span or the link around it.
fn sides<'t>(line: &'t str, path: &Range<usize>) -> (&'t str, &'t str) {
    let mut before = line.get(..path.start).unwrap_or_default();
    let mut after = line.get(path.end..).unwrap_or_default();
    if before.matches('`').count() % 2 == 1
        && let (Some(open), Some(close)) = (before.rfind('`'), after.find('`'))
    {
        before = before.get(..open).unwrap_or_default();
        after = after.get(close + 1..).unwrap_or_default();
    }
    if before.ends_with("](")
        && let (Some(open), Some(close)) = (before.rfind('['), after.find(')'))
    {
        before = before.get(..open).unwrap_or_default();
        after = after.get(close + 1..).unwrap_or_default();
    }
    (before, after)
}

fn is_struck(before: &str, after: &str) -> bool {
    before.matches("~~").count() % 2 == 1 && after.contains("~~")
}

/// Whether a line is a task that is done.
fn is_ticked(line: &str) -> bool {
    let task = line.trim_start().trim_start_matches(['-', '*', '+', ' ']);
    task.starts_with("[x]") || task.starts_with("[X]")
}

/// Whether what stands in front of a path asks for its history: `git log --follow -- x`.
fn is_asked_of_history(before: &str) -> bool {
    let asked = ["git log ", "git show "].iter();
    let asked = asked.filter_map(|command| before.rsplit_once(command));
    let mut words = asked.map(|(_, words)| words.trim_end());
    words.any(|words| {
        words.ends_with("--") || words.split_whitespace().all(|word| word.starts_with('-'))
    })
}

/// Whether a word begins to say when: a year, a month, a version.
fn is_day(word: &str) -> bool {
    let number = word.strip_prefix('v').unwrap_or(word);
    number.starts_with(|c: char| c.is_ascii_digit())
        || MONTHS.split_whitespace().any(|month| month == word)
}

const fn ends_sentence(token: &Token<'_>) -> bool {
    matches!(token, Token::Sign('.' | '!' | '?' | ';' | '|'))
}

/// What belongs to the last sentence.
pub(super) fn sentence<'a, 't>(before: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let end = before.iter().rposition(ends_sentence);
    before
        .get(end.map_or(0, |end| end + 1)..)
        .unwrap_or_default()
}

pub(super) fn words<'a, 't: 'a>(
    tokens: &'a [Token<'t>],
) -> impl DoubleEndedIterator<Item = &'t str> + 'a {
    tokens.iter().filter_map(|token| token.word())
}

/// Without the mark of a list and the day with which a line of a log begins.
pub(super) fn undated<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let day = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word
                .chars()
                .all(|c| c.is_ascii_digit() || "-:.tz".contains(c))
    };
    let passed = |token: &Token<'_>| match token {
        Token::Sign(_) => true,
        Token::Word(word) => day(word),
        Token::Name => false,
    };
    let start = tokens.iter().position(|token| !passed(token));
    tokens
        .get(start.unwrap_or(tokens.len())..)
        .unwrap_or_default()
}

/// Whether something is only named: `the file`, `y and`, `both y and`.
fn is_bare(tokens: &[Token<'_>]) -> bool {
    tokens.iter().all(|token| match token {
        Token::Name | Token::Sign(',') => true,
        Token::Word(word) => WHICH.has(word),
        Token::Sign(_) => false,
    })
}

impl<'a, 't> Clause<'a, 't> {
    fn of(above: &'a [Token<'t>], before: &'a [Token<'t>], after: &'a [Token<'t>]) -> Self {
        let parts = |token: &Token<'_>| match token {
            Token::Sign(sign) => {
                matches!(sign, ',' | '(' | ')' | ':' | '-' | '→') || ends_sentence(token)
            }
            Token::Word(word) => JOINS.has(word),
            Token::Name => false,
        };
        // What is told of what has its place in brackets is told of the place: `the pool (x) was …`.
        let bracketed = match (before, after) {
            ([.., Token::Sign('(')], [Token::Sign(')'), ..]) => true,
            ([.., Token::Sign(',')], [Token::Sign(','), Token::Word(verb), ..]) => {
                PASSIVE.has(verb) || WAS.has(verb)
            }
            _ => false,
        };
        let after = after.get(usize::from(bracketed)..).unwrap_or_default();
        let end = after.iter().position(parts).unwrap_or(after.len());
        let mut right = after.get(..end).unwrap_or_default();
        // What is told of two is told of each: `x, y and z were removed`.
        if let Some(list) = after.iter().position(|token| !is_bare(&[*token]))
            && after.get(..list).is_some_and(|list| {
                list.contains(&Token::Name) || list.contains(&Token::Word("etc"))
            })
        {
            let rest = after.get(list..).unwrap_or_default();
            let end = rest.iter().position(parts).unwrap_or(rest.len());
            right = rest.get(..end).unwrap_or_default();
        }
        let subject = skipped(right)
            .first()
            .and_then(|token| token.word())
            .is_some_and(|word| IS.has(word) || WAS.has(word));
        let mut from = 0;
        let mut cut = None;
        for (at, token) in before.iter().enumerate() {
            let rest = before.get(at + 1..).unwrap_or_default();
            let here = match token {
                Token::Sign(',') => !is_bare(rest) || subject,
                Token::Sign(')' | ']') => false,
                Token::Sign(_) => true,
                Token::Word("and" | "or") => {
                    subject
                        && !rest.is_empty()
                        && is_bare(rest)
                        && from < at
                        && words(before.get(from..at).unwrap_or_default())
                            .any(|word| IS.has(word) || WAS.has(word))
                }
                Token::Word(word) => JOINS.has(word),
                Token::Name => false,
            };
            if here {
                from = at + 1;
                cut = Some(*token);
            }
        }
        Self {
            above,
            before,
            own: before.get(from..).unwrap_or_default(),
            cut,
            right,
            after,
        }
    }

    fn is_past(&self) -> bool {
        let cut = self.cut.and_then(Token::word);
        let supposed = cut.is_some_and(|word| SUPPOSES.has(word)) && !self.is_of_a_time(cut);
        if self.is_arrow() || self.is_other_taken() || self.is_called_old() || self.is_labelled() {
            return true;
        }
        if self.is_missing() || self.is_not_found() || self.is_refused() {
            return true;
        }
        if self.is_culprit() || self.is_of_what_is_done() || self.is_proved() || self.is_given_up()
        {
            return true;
        }
        if self.is_told_apart() || self.is_finished() || self.is_gone_with_another() {
            return true;
        }
        self.is_gone_by_its_verb(supposed)
            || (!supposed && self.is_done_to(cut))
            || self.is_by_an_adverb()
            || self.is_of_a_day()
            || self.is_of_an_old_one()
            || self.is_of_an_occasion()
            || self.is_asked_back()
    }

    /// `The old approach kept tokens in x`.
    fn is_of_an_old_one(&self) -> bool {
        let own = undated(self.own);
        let [Token::Word(which), Token::Word(old), rest @ ..] = own else {
            return false;
        };
        let told = |word: &str| is_past_form(word) && !CHANGED.has(word);
        DETERMINER.has(which)
            && FORMER.has(old)
            && words(rest).skip(1).any(told)
            && !words(own)
                .chain(words(skipped(self.right)).take(1))
                .any(|word| IS.has(word))
    }

    /// Whether the sentence begins with a day that is over and has a verb of the past: `Yesterday
    /// the import in x crashed`.
    fn is_of_a_day(&self) -> bool {
        let day = |word: &str| {
            let year = word.len() == 4 && (word.starts_with("20") || word.starts_with("19"));
            let date = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('-');
            year || date || MONTHS.split_whitespace().any(|month| month == word)
        };
        let begins = match self.before {
            [Token::Word("in" | "on"), Token::Word(word), ..] => day(word),
            [Token::Word(word), ..] => GONE_BY.has(word),
            _ => false,
        };
        let all = || words(self.own).chain(words(self.right));
        begins
            && all().any(|word| WAS.has(word) || is_past_form(word))
            && !all().any(|word| IS.has(word))
            && !self.holds_on()
    }

    /// Whether the sentence begins with a time: `Until May they went through x`, `Before 2026 mail
    /// was sent by x`. An `until` further on begins an aim, and a `before` without a day a step.
    fn is_of_a_time(&self, cut: Option<&str>) -> bool {
        let first = self.own.first().and_then(|token| token.word());
        let begins = match cut {
            Some("until" | "till") => true,
            Some("before") => first.is_some_and(is_day),
            _ => false,
        };
        begins && undated(self.before).len() == self.own.len() + 1
    }

    /// `x → y`, `x → removed`, and nothing else: more than one arrow is a way that something goes.
    fn is_arrow(&self) -> bool {
        let all = self.before.iter().chain(self.after);
        let one = all.filter(|token| token.is('→')).count() == 1;
        let alone =
            is_bare(undated(self.own)) && self.after.first().is_some_and(|first| first.is('→'));
        let to = self.after.get(1..).unwrap_or_default();
        let noun = matches!(to, [Token::Word("history" | "legacy" | "dead"), ..]);
        let end = to.first() == Some(&Token::Name) || (!noun && is_participle(to, &GONE));
        alone && one && end
    }

    /// What stands before the path without words that only say which one is meant.
    pub(super) fn near(&self) -> &'a [Token<'t>] {
        let which = |token: &Token<'_>| {
            token
                .word()
                .is_some_and(|word| WHICH.has(word) && word != "and" && word != "or")
        };
        let end = self.before.iter().rposition(|token| !which(token));
        self.before
            .get(..end.map_or(0, |end| end + 1))
            .unwrap_or_default()
    }

    /// `y, not x`, `instead of x`, `y replaces x`, `y (formerly x)`.
    fn is_other_taken(&self) -> bool {
        let mut near = self.near();
        if let Some((Token::Word("in" | "at" | "from"), rest)) = near.split_last()
            && matches!(
                rest.last(),
                Some(Token::Word(
                    "not" | "than" | "formerly" | "previously" | "was"
                ))
            )
        {
            near = rest;
        }
        match near {
            [.., Token::Word("instead" | "place"), Token::Word("of")]
            | [.., Token::Word("rather"), Token::Word("than")]
            | [.., Token::Sign(',' | '('), Token::Word("not")]
            | [.., Token::Sign('('), Token::Word("was")] => true,
            [.., Token::Word(word)] => matches!(
                *word,
                "replaces" | "supersedes" | "replacing" | "superseding" | "formerly" | "previously"
            ),
            _ => false,
        }
    }

    /// `the old x`, `the removal of x`, `after deleting x`.
    fn is_called_old(&self) -> bool {
        let near = self.near();
        let after =
            self.cut == Some(Token::Word("after")) || self.cut == Some(Token::Word("since"));
        match near {
            [.., Token::Word(event), Token::Word("of" | "from")] => EVENT.has(event),
            [.., Token::Word(word)] => {
                let own = near.len() > self.before.len() - self.own.len();
                // `Deleted: x` and `it is deprecated x` are for others to say.
                own && (OLD.has(word) || (after && DOING.has(word)))
            }
            _ => false,
        }
    }

    /// `Removed: x`.
    fn is_labelled(&self) -> bool {
        let colon = self.before.len() - self.own.len();
        let label = self
            .before
            .get(..colon.saturating_sub(1))
            .unwrap_or_default();
        let label = match label
            .iter()
            .rposition(|token| matches!(token, Token::Sign(':' | '-')))
        {
            Some(at)
                if words(label.get(at + 1..).unwrap_or_default())
                    .next()
                    .is_some() =>
            {
                label.get(at + 1..).unwrap_or_default()
            }
            _ => label,
        };
        // `Log: x` names the log; what is listed below `Log:` was logged.
        let thing = matches!(label, [.., Token::Word("history" | "changelog" | "log")])
            && words(label).count() == 1;
        matches!(self.cut, Some(Token::Sign(':' | '-')))
            && is_bare(self.own)
            && !thing
            && is_label(label)
    }

    /// `we will split x (done in April)`.
    fn is_finished(&self) -> bool {
        let mut sentence = self.after.split(ends_sentence);
        let mut parts = sentence
            .next()
            .unwrap_or_default()
            .split(|token| token.is('('));
        parts.next();
        parts.any(|part| is_participle(part, &FINISHED))
    }

    /// What is told of the path behind a comma, in brackets or behind a colon: `x (removed in
    /// May)`, `x, which had been renamed`, `(in x until March)`.
    fn is_told_apart(&self) -> bool {
        let Some((Token::Sign(sign), rest)) = self.after.split_first() else {
            let until = matches!(self.after, [Token::Word("until" | "till"), ..]);
            let place = self
                .own
                .iter()
                .all(|token| token.word().is_some_and(|word| AT.has(word)));
            return until && place && self.cut == Some(Token::Sign('('));
        };
        if !matches!(sign, ',' | '(' | '-' | ':') {
            return false;
        }
        let mut rest = rest;
        let relative = matches!(rest.first(), Some(Token::Word("which" | "that")));
        if relative {
            rest = rest.get(1..).unwrap_or_default();
            let end = rest
                .iter()
                .position(|token| matches!(token, Token::Sign(_)));
            let rest = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            return words(rest)
                .next()
                .is_some_and(|word| WAS.has(word) || word == "has")
                && words(rest).any(|word| GONE.has(word) || CARRIED.has(word));
        }
        let rest = skipped(rest);
        let aged = rest.first().and_then(|token| token.word());
        let aged = aged.is_some_and(|word| AGED.has(word));
        is_participle(rest, &GONE) && !(aged && self.holds_on())
    }
}

/// Without words that say which one is meant, and adverbs.
pub(super) fn skipped<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let passed = |token: &Token<'_>| {
        token
            .word()
            .is_some_and(|word| ADVERB.has(word) || WHICH.has(word))
    };
    let start = tokens.iter().position(|token| !passed(token));
    tokens
        .get(start.unwrap_or(tokens.len())..)
        .unwrap_or_default()
}
