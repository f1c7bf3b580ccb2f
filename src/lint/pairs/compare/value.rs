//! What stands in a place of a statement: a quantity with its unit, an address, whoever it is about.

use std::ops::Range;

use super::change::content_of;
use super::{Change, Pair, Slot};
use crate::lint::pairs::statement::Statement;
use crate::lint::pairs::table;
use crate::lint::pairs::words::Token;

impl Pair<'_, '_> {
    /// Whether one says a name and the other, in a word or two, what is there in its place: `in UTC`
    /// and `in local time`.
    pub(super) fn is_value(&self, change: &Change) -> bool {
        const MOST: usize = 2;
        let (a, b) = self.tokens(change);
        let names = |one: &Statement<'_>, tokens: &[Token]| {
            let mut tokens = tokens.iter();
            tokens.any(|token| one.names(token))
        };
        (1..=MOST).contains(&a.len())
            && (1..=MOST).contains(&b.len())
            && (names(self.a, a) || names(self.b, b))
            && self.is_chosen_at(change)
    }

    /// Whether only some may, and all: `only admins may` and `everyone may`.
    pub(super) fn is_for_all(&self, change: &Change) -> bool {
        let (a, b) = self.tokens(change);
        let only = |one: &Statement<'_>, tokens: &[Token]| {
            let first = tokens.first();
            first.is_some_and(|first| one.word(first).eq_ignore_ascii_case("only"))
        };
        let all = |one: &Statement<'_>, tokens: &[Token]| match tokens {
            [word] => table::EVERYONE.has(&one.word(word).to_lowercase()),
            _ => false,
        };
        (only(self.a, a) && all(self.b, b)) || (all(self.a, a) && only(self.b, b))
    }

    /// Whether two quantities with their units are the same one, `90 s` and `1.5 min`; nothing
    /// where they are not of one dimension.
    pub(super) fn measured(&self, change: &Change) -> Option<bool> {
        let (a, b) = (quantity(self.a, &change.a)?, quantity(self.b, &change.b)?);
        // What is a thousand bytes to some is 1,024 to others.
        let room = if a.1 == b.1 { 1e-9 } else { 0.08 };
        let far = (a.2 - b.2).abs() > room * a.2.abs().max(b.2.abs());
        (a.0 == b.0).then_some(!far)
    }

    /// In what two units differ: behind numbers as how much there is, and elsewhere in what the
    /// numbers are that somebody writes there, `in seconds` and `in milliseconds`.
    pub(super) fn another_unit(&self, change: &Change) -> Option<Slot> {
        let word = |one: &Statement<'_>, at: &Range<usize>| {
            let mut content = content_of(one.tokens.get(at.clone())?).into_iter();
            let word = one.word(&content.next()?).to_lowercase();
            (content.next().is_none() && table::is_unit(&word)).then_some(word)
        };
        let (a, b) = (word(self.a, &change.a)?, word(self.b, &change.b)?);
        if table::is_one_unit(&a, &b) {
            return None;
        }
        let units = table::unit(&a).zip(table::unit(&b));
        let one = units.is_some_and(|(a, b)| a.dimension == b.dimension);
        let before = change.a.start.checked_sub(1);
        let counted = before.and_then(|n| self.a.tokens.get(n));
        if counted.is_some_and(|token| token.kind.is_number()) {
            let measured = units.is_some_and(|(a, b)| a.size.is_some() && b.size.is_some());
            return Some(if one && measured {
                Slot::Number
            } else {
                Slot::Unit
            });
        }
        (one && units.is_some_and(|(a, b)| a != b) && !self.is_subject(change))
            .then_some(Slot::Unit)
    }

    /// Whether all that differs is one quantity with its unit or one state, which is two words of a
    /// few.
    pub(super) fn is_measured(&self) -> bool {
        const LIKE: f64 = 0.5;
        let differs = |change| self.measured(change) == Some(false) || self.is_opposed(change);
        self.like >= LIKE && matches!(self.changes.as_slice(), [change] if differs(change))
    }

    /// Whether it is the number of an entry in a list of many: `ticket SHOP-12`.
    pub(super) fn is_entry(&self, change: &Change) -> bool {
        let entry = |one: &Statement<'_>, at: &Range<usize>| {
            let (list, number) = one.word(one.tokens.get(at.start)?).rsplit_once('-')?;
            let letters = list.chars().all(char::is_alphabetic);
            let digits = number.bytes().all(|byte| byte.is_ascii_digit());
            (letters && digits).then(|| list.to_lowercase())
        };
        let (a, b) = (entry(self.a, &change.a), entry(self.b, &change.b));
        a.is_some() && a == b && self.is_numbered(change)
    }
}

/// Whether it is the address of a machine: four numbers of a byte.
pub(super) fn is_address(word: &str) -> bool {
    word.split('.').count() == 4 && word.split('.').all(|part| part.parse::<u8>().is_ok())
}

/// Of which dimension and unit a quantity is, and how much: a number and, behind it or at its
/// end, its unit, and nothing else in these tokens.
fn quantity(one: &Statement<'_>, at: &Range<usize>) -> Option<(usize, f64, f64)> {
    let tokens = one.tokens.get(at.clone())?;
    let first = one.word(tokens.first()?);
    let digits = first
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .unwrap_or(first.len());
    let (number, unit) = first.split_at(digits);
    let behind = || one.tokens.get(at.start + 1).map(|token| one.word(token));
    let (unit, length) = match unit {
        "" => (behind()?, 2),
        unit => (unit, 1),
    };
    let unit = table::unit(&unit.to_lowercase())?;
    let (dimension, size) = (unit.dimension, unit.size?);
    let number: f64 = number.replace(',', "").parse().ok()?;
    (tokens.len() <= length).then_some((dimension, size, number * size))
}
