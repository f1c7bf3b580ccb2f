//! Points in time with nanoseconds, as Java's `Instant` reads and compares them.

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
        let text = super::java::trim(text);
        let (date, time) = text.split_at_checked(text.find(['T', 't'])?)?;
        let days = date_days(date)?;
        let time = time.get(1..)?;
        let at = time.find(['Z', 'z', '+', '-'])?;
        let (clock, zone) = time.split_at_checked(at)?;
        let (seconds, nanos) = clock_seconds(clock)?;
        Some(Self {
            seconds: days * DAY + seconds - offset(zone)?,
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

    /// So many days later.
    pub const fn plus_days(self, days: i64) -> Self {
        Self {
            seconds: self.seconds.saturating_add(days.saturating_mul(DAY)),
            nanos: self.nanos,
        }
    }

    /// Whole days of 24 hours from this one to another; towards zero.
    pub const fn days_until(self, other: Self) -> i64 {
        let mut seconds = other.seconds - self.seconds;
        let nanos = other.nanos as i64 - self.nanos as i64;
        if seconds > 0 && nanos < 0 {
            seconds -= 1;
        } else if seconds < 0 && nanos > 0 {
            seconds += 1;
        }
        seconds / DAY
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

/// The day of a date, as days since 1970; only real days.
pub fn date_days(text: &str) -> Option<i64> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, text.get(1..)?),
        b'+' => (1, text.get(1..)?),
        _ => (1, text),
    };
    let mut parts = digits.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let signed = digits.len() != text.len();
    // A plus is for years that need it.
    let years = match (signed, sign) {
        (true, 1) => 5..=10,
        (true, _) => 4..=10,
        (false, _) => 4..=4,
    };
    if parts.next().is_some() || !years.contains(&year.len()) {
        return None;
    }
    let year = sign * i64::from(number(year)?);
    let (month, day) = (two(month)?, two(day)?);
    let date = chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    Some(
        date.signed_duration_since(chrono::NaiveDate::default())
            .num_days(),
    )
}

fn clock_seconds(text: &str) -> Option<(i64, u32)> {
    let (clock, nanos) = match text.split_once('.') {
        Some((clock, fraction)) => {
            let good =
                (0..=9).contains(&fraction.len()) && fraction.bytes().all(|b| b.is_ascii_digit());
            let padded = format!("{fraction:0<9}");
            (clock, good.then(|| padded.parse().ok())??)
        }
        None => (text, 0),
    };
    let mut parts = clock.split(':');
    let (hour, minute) = (two(parts.next()?)?, two(parts.next()?)?);
    let second = two(parts.next()?)?;
    let midnight = hour == 24 && minute == 0 && second == 0 && nanos == 0;
    let leap = (hour, minute, second) == (23, 59, 60);
    let good = parts.next().is_none() && (hour < 24 || midnight) && minute < 60;
    // A leap second is taken for the second before it.
    let second = if leap { 59 } else { second };
    (good && second < 60).then(|| (i64::from(hour * 3600 + minute * 60 + second), nanos))
}

/// Seconds east of Greenwich.
fn offset(zone: &str) -> Option<i64> {
    let (sign, rest) = match zone.as_bytes().first()? {
        b'Z' | b'z' => return (zone.len() == 1).then_some(0),
        b'+' => (1, zone.get(1..)?),
        _ => (-1, zone.get(1..)?),
    };
    let mut seconds = 0;
    if rest.len() < 5 {
        return None;
    }
    for (n, part) in rest.split(':').enumerate() {
        let unit = [3600, 60, 1].get(n)?;
        seconds += i64::from(two(part).filter(|value| *value < 60)?) * unit;
    }
    (seconds <= 18 * 3600).then_some(sign * seconds)
}

fn two(text: &str) -> Option<u32> {
    (text.len() == 2).then(|| number(text))?
}

fn number(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_those_of_java() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", Some((0, 0))),
            (
                "2026-02-22T10:00:00.123456Z",
                Some((1_771_754_400, 123_456_000)),
            ),
            ("2026-02-22T10:00:00.000000001Z", Some((1_771_754_400, 1))),
            ("2026-02-22T12:00:00+02:00", Some((1_771_754_400, 0))),
            ("1969-12-31T23:59:59.5Z", Some((-1, 500_000_000))),
            ("2026-02-30T10:00:00Z", None),
            ("2026-02-22T10:00:00.Z", Some((1_771_754_400, 0))),
            ("2026-02-22T24:00:00Z", Some((1_771_804_800, 0))),
            ("2026-02-22T23:59:60Z", Some((1_771_804_799, 0))),
            ("2026-02-22T10:00:00+02", None),
            ("2026-02-22T10:00:00+18:01", None),
            ("+2026-02-22T10:00:00Z", None),
            ("2026-02-22T10:00Z", None),
            ("2026-02-22T10:00:00", None),
            ("2026-02-22", None),
            ("2026-02-22 10:00:00Z", None),
            ("2026-2-22T10:00:00Z", None),
            ("2026-02-22T25:00:00Z", None),
            ("2026-02-22T10:00:00.1234567890Z", None),
            ("", None),
        ] {
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
