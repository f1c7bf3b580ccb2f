//! Parses the value after `field:`, a text, a number, a date or a duration, and compares a field's
//! value with it.

use std::cmp::Ordering;

use chrono::{DateTime, Days, Months, TimeDelta};

use crate::memory::schema::Kind;
use crate::memory::{Timestamp, Value};
use crate::search::word as fold;

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    /// Without a sign: as the kind of field is usually meant.
    Like,
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Op {
    pub(super) const fn orders(self) -> bool {
        !matches!(self, Self::Like | Self::Equal)
    }

    const fn allows(self, order: Ordering) -> bool {
        match self {
            Self::Like | Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::More => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}

/// A point or a length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// An age, in milliseconds.
    Age(i64),
    /// From the first up to, not with, the second.
    Span(i64, i64),
}

/// A value that is asked for, in every way it can be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    pub(super) op: Op,
    pub(super) text: Box<str>,
    /// The text without case and accents.
    folded: Box<[char]>,
    /// It ended in `*`: what begins with the text.
    prefix: bool,
    number: Option<f64>,
    when: Option<When>,
}

impl Wanted {
    pub(super) fn new(op: Op, text: &str, prefix: bool) -> Self {
        Self {
            op,
            text: text.into(),
            folded: fold::folded(text),
            prefix,
            number: text.parse().ok().filter(|n: &f64| n.is_finite()),
            when: age(text).map(When::Age).or_else(|| span(text)),
        }
    }

    /// True if a field of this kind could have such a value.
    pub(super) fn suits(&self, kind: Kind) -> bool {
        match kind {
            Kind::Choice(choices) => self.choice(choices).is_some(),
            Kind::Number(..) => self.number.is_some(),
            Kind::Date => self.when.is_some(),
            Kind::Bool => truth(&self.text).is_some(),
            _ => !self.op.orders(),
        }
    }

    pub(super) fn accepts(&self, value: &Value, kind: Kind, now: Timestamp) -> bool {
        value.items().any(|item| match (kind, item) {
            (Kind::Choice(choices), _) => {
                let own = item.as_str();
                own.is_some_and(|own| self.accepts_choice(own, choices))
            }
            (Kind::Number(..), _) => self.accepts_number(number(item)),
            (Kind::Date, Value::Text(text)) => {
                Timestamp::parse_iso(text).is_some_and(|at| self.accepts_time(at, now))
            }
            (Kind::Date, _) => false,
            (Kind::Bool, Value::Bool(is)) => truth(&self.text) == Some(*is),
            (Kind::Tags, _) => item.as_str().is_some_and(|tag| match self.prefix {
                true => fold::starts_with(tag, &self.folded),
                false => fold::equals(tag, &self.folded),
            }),
            (_, Value::Text(text)) => self.accepts_text(text),
            (_, item) => self.accepts_text(&item.to_string()),
        })
    }

    /// True if a text has what is asked for: somewhere, unless asked otherwise.
    pub(super) fn accepts_text(&self, text: &str) -> bool {
        match self.op {
            _ if self.prefix => fold::starts_with(text, &self.folded),
            Op::Like => fold::contains(text, &self.folded),
            Op::Equal => fold::equals(text, &self.folded),
            _ => self.accepts_number(text.parse().ok()),
        }
    }

    pub(super) fn accepts_time(&self, at: Timestamp, now: Timestamp) -> bool {
        match self.when {
            Some(When::Age(age)) => {
                let order = now.0.saturating_sub(at.0).cmp(&age);
                // Hardly anything is exactly so old.
                self.op.allows(order) || !self.op.orders() && order.is_lt()
            }
            Some(When::Span(from, _)) if at.0 < from => self.op.allows(Ordering::Less),
            Some(When::Span(_, to)) if at.0 >= to => self.op.allows(Ordering::Greater),
            Some(When::Span(..)) => self.op.allows(Ordering::Equal),
            None => false,
        }
    }

    /// The same for something that is to come: a length of time is how far away it is.
    pub(super) fn accepts_coming(&self, at: Timestamp, now: Timestamp) -> bool {
        match self.when {
            Some(When::Age(_)) => {
                let away = at.0.saturating_sub(now.0);
                away >= 0 && self.accepts_time(Timestamp(now.0.saturating_sub(away)), now)
            }
            _ => self.accepts_time(at, now),
        }
    }

    fn accepts_number(&self, number: Option<f64>) -> bool {
        let order = number.zip(self.number);
        let order = order.and_then(|(is, wanted)| is.partial_cmp(&wanted));
        order.is_some_and(|order| self.op.allows(order))
    }

    fn accepts_choice(&self, own: &str, choices: &[&str]) -> bool {
        match self.op {
            Op::Equal if !self.prefix => fold::equals(own, &self.folded),
            Op::Like | Op::Equal => fold::starts_with(own, &self.folded),
            op => {
                let mut known = choices.iter();
                let rank = known.position(|choice| choice.eq_ignore_ascii_case(own));
                let ranks = rank.zip(self.choice(choices));
                ranks.is_some_and(|(is, wanted)| op.allows(is.cmp(&wanted)))
            }
        }
    }

    /// The choice that is meant, by its beginning: it is being typed.
    fn choice(&self, choices: &[&str]) -> Option<usize> {
        let is = |test: fn(&str, &[char]) -> bool| {
            let mut choices = choices.iter();
            choices.position(|choice| test(choice, &self.folded))
        };
        is(fold::equals).or_else(|| is(fold::starts_with))
    }
}

fn number(item: &Value) -> Option<f64> {
    match item {
        Value::Text(text) => text.trim().parse().ok(),
        number => number.as_f64(),
    }
}

fn truth(text: &str) -> Option<bool> {
    match &*text.to_ascii_lowercase() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}

const SECOND: i64 = 1000;
const DAY: i64 = 86_400 * SECOND;

/// Reads an age (`30d`), in milliseconds.
pub fn age(text: &str) -> Option<i64> {
    let unit = text.chars().next_back()?;
    let number = text.strip_suffix(unit)?;
    let unit = match unit {
        'm' => 60 * SECOND,
        'h' => 3600 * SECOND,
        'd' => DAY,
        'w' => 7 * DAY,
        'M' => 30 * DAY,
        'y' => 365 * DAY,
        _ => return None,
    };
    let is_number = number.bytes().all(|b| b.is_ascii_digit());
    let number: i64 = is_number.then(|| number.parse().ok())??;
    number.checked_mul(unit)
}

/// Reads a date (`2026`, `2026-03`, `2026-03-01`, with a time too).
fn span(text: &str) -> Option<When> {
    let from = DateTime::from_timestamp_millis(Timestamp::parse_iso(text)?.0)?;
    let is_time = text.contains('T');
    // A day that does not exist is none.
    if !is_time && !from.to_string().starts_with(text) {
        return None;
    }
    let to = match text.len() {
        _ if is_time => from.checked_add_signed(TimeDelta::milliseconds(1)),
        4 => from.checked_add_months(Months::new(12)),
        7 => from.checked_add_months(Months::new(1)),
        _ => from.checked_add_days(Days::new(1)),
    };
    Some(When::Span(from.timestamp_millis(), to?.timestamp_millis()))
}
