//! What is said of a thing that is in one state at a time: what it is, how it is called, whether it
//! is on.

use std::ops::Range;

use super::{Change, Pair};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::{Kind, Token};

/// Words of a state at most.
const PHRASE: usize = 2;

impl Pair<'_, '_> {
    /// Whether a word right before it says that something is that.
    pub(super) fn is_said_to_be(&self, change: &Change) -> bool {
        let before = change.a.start.checked_sub(1);
        let before = before.and_then(|n| self.a.tokens.get(n));
        before.is_some_and(|token| table::BEING.has(&self.a.word(token).to_lowercase()))
    }

    /// Whether they end in what something is: `the default branch of the fork is main`.
    pub(super) fn is_what_it_is(&self) -> bool {
        let last = |one: &Statement<'_>, at: &Range<usize>| {
            let before = at.start.checked_sub(1).and_then(|n| one.tokens.get(n));
            at.end == one.tokens.len()
                && (1..=PHRASE + 1).contains(&at.len())
                && before.is_some_and(|token| table::BEING.has(&one.word(token).to_lowercase()))
        };
        match self.changes.as_slice() {
            [change] => last(self.a, &change.a) && last(self.b, &change.b),
            _ => false,
        }
    }

    /// Whether they are two words, of which the last says how it is done: `tests run in parallel`.
    pub(super) fn is_said_of_all(&self) -> bool {
        match self.changes.as_slice() {
            [change] => {
                let ends =
                    change.a.end == self.a.tokens.len() && change.b.end == self.b.tokens.len();
                ends && self.shared(|token| token.kind.is_content()) >= 2
            }
            _ => false,
        }
    }

    /// Whether they say what something is called that has a name: `the default branch is main`.
    pub(super) fn is_called(&self) -> bool {
        let mut shared = self.shared.iter().filter_map(|n| self.a.tokens.get(*n));
        let noun = shared.rfind(|token| token.kind.is_content());
        let named = noun.is_some_and(|noun| table::CALLED.has(&self.a.word(noun).to_lowercase()));
        // What is frozen or protected says what was done with it.
        let state = |one: &Statement<'_>| {
            let last = one.tokens.last().map(|token| one.word(token));
            last.is_none_or(|last| ["ed", "en", "ing"].iter().any(|end| last.ends_with(end)))
        };
        named && !state(self.a) && !state(self.b)
    }

    /// Whether one word stands against its opposite: `on` and `off` as well.
    pub(super) fn is_opposed(&self, change: &Change) -> bool {
        let state = |one: &Statement<'_>, tokens: &[Token]| {
            let word = |token: &Token| one.word(token).to_lowercase();
            let (last, before) = tokens.split_last()?;
            match before {
                // `NOT NULL`
                [not] if not.kind == Kind::Negation => Some(format!("not-{}", word(last))),
                // `in plain text`
                _ => {
                    let own = before.iter().map(word);
                    let mut own: Vec<String> =
                        own.filter(|word| !table::TURNED.has(word)).collect();
                    own.push(word(last));
                    (own.len() <= PHRASE).then(|| own.join("-"))
                }
            }
        };
        let (a, b) = self.tokens(change);
        let states = state(self.a, a).zip(state(self.b, b));
        states.is_some_and(|(a, b)| table::opposed(&a, &b))
    }

    /// Whether each says, in whatever words, that something has to be so: `must`, `has to`.
    pub(super) fn obliges_as_much(&self, change: &Change) -> bool {
        let obliges = |one: &Statement<'_>, tokens: &[Token]| {
            let words: Vec<String> = tokens
                .iter()
                .map(|token| one.word(token).to_lowercase())
                .collect();
            match words.as_slice() {
                [must] => table::MUST.has(must),
                [has, to] => to == "to" && table::HAS_TO.has(has),
                _ => false,
            }
        };
        let (a, b) = self.tokens(change);
        obliges(self.a, a) && obliges(self.b, b)
    }

    /// Whether they say on which version `we` are.
    pub(super) fn is_ours(&self) -> bool {
        let first = |one: &Statement<'_>| {
            let first = one.tokens.first().map(|token| one.word(token));
            first.is_some_and(|first| first.eq_ignore_ascii_case("we"))
        };
        first(self.a) && first(self.b)
    }

    /// Whether another verb in front of a figure says no more of it: `runs on` and `listens on`.
    pub(super) fn says_as_much(&self, change: &Change) -> bool {
        let (a, b) = self.tokens(change);
        let figure = |token: &Token| token.kind.is_number();
        matches!((a, b), ([a], [b]) if table::says_as_much(
            &self.a.word(a).to_lowercase(),
            &self.b.word(b).to_lowercase(),
        )) && self.a.tokens.iter().skip(change.a.end).any(figure)
    }
}
