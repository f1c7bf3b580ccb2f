//! Parses the value after `field:`, a text, a number, a date or a duration, and compares a field's
//! value with it.

use std::cmp::Ordering;

use crate::memory::schema::Kind;
use crate::memory::{Timestamp, Value};
use crate::search::fold;

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
    /// True if it asks for an order.
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
pub(super) enum When {
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
    pub(super) prefix: bool,
    pub(super) number: Option<f64>,
    pub(super) when: Option<When>,
}

impl Wanted {
    pub(super) fn new(op: Op, text: &str, prefix: bool) -> Self {
        Self {
            op,
            text: text.into(),
            folded: fold::folded(text),
            prefix,
            number: text.parse().ok().filter(|n: &f64| n.is_finite()),
            when: when(text),
        }
    }

    /// True if a field of this kind could have such a value.
    pub(super) fn suits(&self, kind: Kind) -> bool {
        match kind {
            Kind::Choice(choices) => self.choice(choices).is_some(),
            Kind::Number(..) => self.number.is_some(),
            Kind::Date => self.when.is_some(),
            Kind::Bool => truth(&self.text).is_some(),
            Kind::Text
            | Kind::Tags
            | Kind::Patterns
            | Kind::Names
            | Kind::Lines
            | Kind::Entries => !self.op.orders(),
        }
    }

    /// True if a field's value is one that is asked for.
    pub(super) fn accepts(&self, value: &Value, kind: Kind, now: Timestamp) -> bool {
        value.items().any(|item| match kind {
            Kind::Choice(choices) => self.accepts_choice(item, choices),
            Kind::Number(..) => self.accepts_number(item),
            Kind::Date => match item {
                Value::Text(text) => {
                    Timestamp::parse_iso(text).is_some_and(|at| self.accepts_time(at, now))
                }
                _ => false,
            },
            Kind::Bool => match item {
                Value::Bool(is) => truth(&self.text) == Some(*is),
                item => self.accepts_text(&item.to_string()),
            },
            Kind::Tags => item.as_str().is_some_and(|tag| {
                if self.prefix {
                    fold::starts_with(tag, &self.folded)
                } else {
                    fold::equals(tag, &self.folded)
                }
            }),
            Kind::Text | Kind::Patterns | Kind::Names | Kind::Lines | Kind::Entries => match item {
                Value::Text(text) => self.accepts_text(text),
                item => self.accepts_text(&item.to_string()),
            },
        })
    }

    /// True if a text has what is asked for: somewhere, unless asked otherwise.
    pub(super) fn accepts_text(&self, text: &str) -> bool {
        match (self.op, self.prefix) {
            (_, true) => fold::starts_with(text, &self.folded),
            (Op::Like, false) => fold::contains(text, &self.folded),
            (Op::Equal, false) => fold::equals(text, &self.folded),
            (op, false) => match (self.number, text.parse::<f64>()) {
                (Some(wanted), Ok(is)) => is.partial_cmp(&wanted).is_some_and(|o| op.allows(o)),
                _ => false,
            },
        }
    }

    /// True if a point in time is one that is asked for.
    pub(super) fn accepts_time(&self, at: Timestamp, now: Timestamp) -> bool {
        match self.when {
            Some(When::Age(age)) => {
                let is = now.0.saturating_sub(at.0);
                match self.op {
                    // Hardly anything is exactly so old.
                    Op::Like | Op::Equal => is <= age,
                    op => op.allows(is.cmp(&age)),
                }
            }
            Some(When::Span(from, to)) => self.op.allows(if at.0 < from {
                Ordering::Less
            } else if at.0 >= to {
                Ordering::Greater
            } else {
                Ordering::Equal
            }),
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

    fn accepts_number(&self, item: &Value) -> bool {
        #[expect(
            clippy::cast_precision_loss,
            reason = "compared with what a person types"
        )]
        let is = match item {
            Value::Int(n) => Some(*n as f64),
            Value::Float(n) => Some(*n),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        is.zip(self.number)
            .and_then(|(is, wanted)| is.partial_cmp(&wanted))
            .is_some_and(|order| self.op.allows(order))
    }

    fn accepts_choice(&self, item: &Value, choices: &[&str]) -> bool {
        let Some(is) = item.as_str() else {
            return false;
        };
        if !self.op.orders() {
            return match self.op {
                Op::Equal if !self.prefix => fold::equals(is, &self.folded),
                _ => fold::starts_with(is, &self.folded),
            };
        }
        let rank = choices
            .iter()
            .position(|choice| choice.eq_ignore_ascii_case(is));
        rank.zip(self.choice(choices))
            .is_some_and(|(is, wanted)| self.op.allows(is.cmp(&wanted)))
    }

    /// The choice that is meant, by its beginning: it is being typed.
    fn choice(&self, choices: &[&str]) -> Option<usize> {
        let whole = choices.iter().position(|c| fold::equals(c, &self.folded));
        whole.or_else(|| {
            choices
                .iter()
                .position(|c| fold::starts_with(c, &self.folded))
        })
    }
}

fn truth(text: &str) -> Option<bool> {
    let is = |words: [&str; 2]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(["true", "yes"]) {
        Some(true)
    } else if is(["false", "no"]) {
        Some(false)
    } else {
        None
    }
}

const SECOND: i64 = 1000;
const DAY: i64 = 86_400 * SECOND;

/// Reads an age (`30d`) or a date (`2026`, `2026-03`, `2026-03-01`, with a time too).
fn when(text: &str) -> Option<When> {
    age(text).map(When::Age).or_else(|| span(text))
}

fn age(text: &str) -> Option<i64> {
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
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    number.parse::<i64>().ok()?.checked_mul(unit)
}

fn span(text: &str) -> Option<When> {
    use chrono::{Days, Months, NaiveDate};
    let mut parts = text.splitn(3, '-');
    let mut next = |digits: usize| match parts.next() {
        Some(part) if part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()) => {
            Some(part.parse::<u32>().ok())
        }
        Some(_) => Some(None),
        None => None,
    };
    let (year, month, day) = (next(4), next(2), next(2));
    let date =
        |year: u32, month, day| NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day);
    let (from, to) = match (year, month, day) {
        (Some(Some(year)), None, None) => {
            let from = date(year, 1, 1)?;
            (from, from.checked_add_months(Months::new(12))?)
        }
        (Some(Some(year)), Some(Some(month)), None) => {
            let from = date(year, month, 1)?;
            (from, from.checked_add_months(Months::new(1))?)
        }
        (Some(Some(year)), Some(Some(month)), Some(Some(day))) => {
            let from = date(year, month, day)?;
            (from, from.checked_add_days(Days::new(1))?)
        }
        _ if text.contains('T') => {
            let at = Timestamp::parse_iso(text)?;
            return Some(When::Span(at.0, at.0.saturating_add(1)));
        }
        _ => return None,
    };
    let start = |date: NaiveDate| {
        date.signed_duration_since(NaiveDate::default())
            .num_milliseconds()
    };
    Some(When::Span(start(from), start(to)))
}
