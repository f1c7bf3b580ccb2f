//! Points in time with nanoseconds, as Java's `Instant` reads and compares them.

use std::sync::LazyLock;

use chrono::NaiveDate;
use regex::Regex;

use crate::memory::Timestamp;

const DAY: i64 = 86_400;

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds of that second.
    pub nanos: u32,
}

impl Instant {
    /// Reads `YYYY-MM-DDTHH:MM:SS[.n+]` with `Z` or an offset; nothing else is one.
    pub fn parse(text: &str) -> Option<Self> {
        let found = INSTANT.as_ref()?.captures(super::java::trim(text))?;
        let number = |group: usize| -> i64 {
            let digits = found.get(group).map(|group| group.as_str());
            digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
        };
        let clock = (number(2), number(3), number(4));
        let nanos = format!("{:0<9}", found.get(5).map_or("", |digits| digits.as_str()));
        let nanos: u32 = nanos.parse().ok()?;
        // A leap second is taken for the second before it.
        let second = if clock == (23, 59, 60) { 59 } else { clock.2 };
        let is_midnight = clock == (24, 0, 0) && nanos == 0;
        let is_clock = (clock.0 < 24 || is_midnight) && clock.1 < 60 && second < 60;
        let east = number(7) * 3600 + number(8) * 60 + number(9);
        let is_zone = number(7) < 60 && number(8) < 60 && number(9) < 60 && east <= 18 * 3600;
        let is_west = found.get(6).is_some_and(|sign| sign.as_str() == "-");
        let sign = if is_west { -1 } else { 1 };
        let seconds = date_days(found.get(1)?.as_str())? * DAY + clock.0 * 3600 + clock.1 * 60;
        (is_clock && is_zone).then_some(Self {
            seconds: seconds + second - sign * east,
            nanos,
        })
    }

    /// A number of seconds, as the reader takes a bare number for a date.
    pub fn of_seconds(seconds: f64) -> Option<Self> {
        let whole = seconds.floor();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked against the range that instants have"
        )]
        (whole.abs() < 3.1e16).then_some(Self {
            seconds: whole as i64,
            nanos: ((seconds - whole) * 1e9) as u32,
        })
    }

    /// The beginning of a day, by days since 1970.
    pub const fn of_day(day: i64) -> Self {
        Self {
            seconds: day.saturating_mul(DAY),
            nanos: 0,
        }
    }

    /// So many days later.
    pub const fn plus_days(self, days: i64) -> Self {
        Self {
            seconds: self.seconds.saturating_add(days.saturating_mul(DAY)),
            nanos: self.nanos,
        }
    }

    /// Whole days of 24 hours from this one to another; towards zero.
    pub fn days_until(self, other: Self) -> i64 {
        let nanos = |at: Self| i128::from(at.seconds) * 1_000_000_000 + i128::from(at.nanos);
        let days = (nanos(other) - nanos(self)) / (i128::from(DAY) * 1_000_000_000);
        i64::try_from(days).unwrap_or_default()
    }

    /// The same without what is less than a millisecond.
    pub const fn timestamp(self) -> Timestamp {
        Timestamp(
            self.seconds
                .saturating_mul(1000)
                .saturating_add(self.nanos as i64 / 1_000_000),
        )
    }
}

impl From<Timestamp> for Instant {
    fn from(at: Timestamp) -> Self {
        Self {
            seconds: at.0.div_euclid(1000),
            nanos: u32::try_from(at.0.rem_euclid(1000) * 1_000_000).unwrap_or_default(),
        }
    }
}

/// A date, then a time with `Z` or an offset.
static INSTANT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"(?ix)^([^t]+) t ([0-9]{2}):([0-9]{2}):([0-9]{2}) (?:\.([0-9]{0,9}))?
        (?:z | ([+-]) ([0-9]{2}) : ([0-9]{2}) (?: : ([0-9]{2}))?)$";
    Regex::new(pattern).ok()
});

/// A date; a sign is for years that need it.
static DATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = r"^(?:[0-9]{4}|\+[0-9]{5,10}|-[0-9]{4,10})-[0-9]{2}-[0-9]{2}$";
    Regex::new(pattern).ok()
});

/// The day of a date, as days since 1970; only real days.
pub fn date_days(text: &str) -> Option<i64> {
    DATE.as_ref()?.is_match(text).then_some(())?;
    let mut parts = text.rsplitn(3, '-');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let (month, day) = (month.parse().ok()?, day.parse().ok()?);
    let date = NaiveDate::from_ymd_opt(year.parse().ok()?, month, day)?;
    Some(date.signed_duration_since(NaiveDate::default()).num_days())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn instants_are_those_of_java() {
        for (text, expected) in rows! {
            "1970-01-01T00:00:00Z" => Some((0, 0)),
            "2026-02-22T10:00:00.123456Z" => Some((1_771_754_400, 123_456_000)),
            "2026-02-22T10:00:00.000000001Z" => Some((1_771_754_400, 1)),
            "2026-02-22T12:00:00+02:00" => Some((1_771_754_400, 0)),
            "1969-12-31T23:59:59.5Z" => Some((-1, 500_000_000)),
            "2026-02-30T10:00:00Z" => None,
            "2026-02-22T10:00:00.Z" => Some((1_771_754_400, 0)),
            "2026-02-22T24:00:00Z" => Some((1_771_804_800, 0)),
            "2026-02-22T23:59:60Z" => Some((1_771_804_799, 0)),
            "2026-02-22T10:00:00+02" => None,
            "2026-02-22T10:00:00+18:01" => None,
            "+2026-02-22T10:00:00Z" => None,
            "2026-02-22T10:00Z" => None,
            "2026-02-22T10:00:00" => None,
            "2026-02-22" => None,
            "2026-02-22 10:00:00Z" => None,
            "2026-2-22T10:00:00Z" => None,
            "2026-02-22T25:00:00Z" => None,
            "2026-02-22T10:00:00.1234567890Z" => None,
            "" => None,
        } {
            let found = Instant::parse(text).map(|at| (at.seconds, at.nanos));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn days_are_whole_and_cut_towards_zero() {
        let at = |seconds, nanos| Instant { seconds, nanos };
        assert_eq!(at(0, 1).days_until(at(DAY, 0)), 0);
        assert_eq!(at(0, 0).days_until(at(DAY, 0)), 1);
        assert_eq!(at(DAY, 0).days_until(at(0, 1)), 0);
        assert_eq!(at(DAY, 0).days_until(at(0, 0)), -1);
        assert_eq!(at(0, 0).days_until(at(2 * DAY - 1, 999)), 1);
    }
}
