//! Points in time, and the dates of the rawko formats: the ISO forms of ECMAScript, read the
//! way its `Date` reads them with UTC as the local zone.

use chrono::{DateTime, Datelike as _, NaiveDate};

use super::Value;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The last point in time that is known, in either direction: that of ECMAScript is later, in the
/// year 275,760, and chrono's is not.
const LIMIT: i64 = 8_200_000_000_000_000;

/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Reads `YYYY`, `YYYY-MM` or `YYYY-MM-DD` (years also as `±YYYYYY`), optionally with
    /// `THH:mm[:ss[.f+]]` and after that `Z` or `±HH:mm`.
    ///
    /// Without an offset the time is UTC. A 29th to 31st that does not exist rolls over into the
    /// next month, `24:00:00` is the next day, and of a fraction the first three digits count.
    pub fn parse_iso(text: &str) -> Option<Self> {
        let (date, time) = match text.split_once('T') {
            Some((date, time)) => (date, Some(time)),
            None => (text, None),
        };
        let at = days_of(date)? * DAY + time.map_or(Some(0), millis_of)?;
        (at.abs() <= LIMIT).then_some(Self(at))
    }

    /// The same of a day that there is: what a person writes as 30 February is a slip, and where
    /// a store holds a day or a number nobody would see that it has become 2 March.
    pub fn parse_existing(text: &str) -> Option<Self> {
        let at = Self::parse_iso(text)?;
        let day = text.split('T').next()?;
        // Behind a sign or a year: the month and the day.
        let whole = day.get(1..)?.matches('-').count() == 2;
        let same = |read: Self| day.get(day.len() - 2..) == read.date().rsplit('-').next();
        (!whole || same(Self::parse_iso(day)?)).then_some(at)
    }

    /// What `new Date(value)` makes of a field: null is 1970, text is read as a date.
    pub fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(Self(0)),
            Value::Text(text) => Self::parse_iso(text),
            _ => None,
        }
    }

    /// RFC 3339 in UTC; milliseconds only where there are some.
    pub fn to_rfc3339(self) -> String {
        let at = DateTime::from_timestamp_millis(self.0).unwrap_or_default();
        let time = match self.0 % 1000 {
            0 => at.format("T%H:%M:%SZ"),
            _ => at.format("T%H:%M:%S%.3fZ"),
        };
        format!("{}{time}", self.date())
    }

    /// The day, as `YYYY-MM-DD`; a year outside 0 to 9999 has a sign and six digits.
    pub fn date(self) -> String {
        let day = DateTime::from_timestamp_millis(self.0).unwrap_or_default();
        let (year, month, day) = (day.year(), day.month(), day.day());
        match year {
            0..=9999 => format!("{year:04}-{month:02}-{day:02}"),
            year => format!("{year:+07}-{month:02}-{day:02}"),
        }
    }

    /// How long ago it was, short enough for a column: `now`, `5m`, `3h`, `3d`, `8w`, `3M`, `2y`;
    /// with a `+` where it is still to come.
    pub fn age_words(self, now: Self) -> String {
        let age = now.0.saturating_sub(self.0);
        let sign = if age < 0 { "+" } else { "" };
        let age = age.saturating_abs();
        let days = age / DAY;
        let (count, unit) = match age {
            0..MINUTE => return "now".into(),
            MINUTE..HOUR => (age / MINUTE, 'm'),
            HOUR..DAY => (age / HOUR, 'h'),
            _ if days < 14 => (days, 'd'),
            _ if days < 60 => (days / 7, 'w'),
            // Of two years the months still tell something.
            _ if days < 730 => (days / 30, 'M'),
            _ => (days / 365, 'y'),
        };
        format!("{sign}{}{unit}", count.max(1))
    }
}

/// A number of exactly this many digits, at most `max`.
fn number(text: &str, count: usize, max: i64) -> Option<i64> {
    let is_number = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = is_number.then(|| text.parse().ok())??;
    (number <= max).then_some(number)
}

/// Days since 1970 of a year, month or day.
fn days_of(date: &str) -> Option<i64> {
    let is_long = date.starts_with(['+', '-']);
    let (year, rest) = date.split_at_checked(if is_long { 7 } else { 4 })?;
    let year = match (year.strip_prefix('-'), year.strip_prefix('+')) {
        // There is no year minus zero.
        (Some(year), _) => -Some(number(year, 6, 999_999)?).filter(|year| *year > 0)?,
        (None, Some(year)) => number(year, 6, 999_999)?,
        (None, None) => number(year, 4, 9999)?,
    };
    let mut parts = rest.split('-');
    parts.next().filter(|before| before.is_empty())?;
    let month = parts.next().map_or(Some(1), |month| number(month, 2, 12))?;
    let day = parts.next().map_or(Some(1), |day| number(day, 2, 31))?;
    let (year, month) = (i32::try_from(year).ok()?, u32::try_from(month).ok()?);
    let first =
        NaiveDate::from_ymd_opt(year, month, 1)?.signed_duration_since(NaiveDate::default());
    (day > 0 && parts.next().is_none()).then(|| first.num_days() + day - 1)
}

/// Milliseconds since midnight in UTC of `HH:mm[:ss[.f+]]` and perhaps an offset.
fn millis_of(time: &str) -> Option<i64> {
    let end = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, offset) = time.split_at_checked(end)?;
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    let mut parts = clock.split(':');
    let hour = number(parts.next()?, 2, 24)?;
    let minute = number(parts.next()?, 2, 59)?;
    let second = parts.next().map(|second| number(second, 2, 59));
    let milli = match (fraction, second) {
        (None, _) => 0,
        (Some(fraction), Some(_)) => {
            let is_right = !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit());
            let digits = is_right.then(|| fraction.chars().chain("00".chars()).take(3))?;
            digits.collect::<String>().parse().ok()?
        }
        (Some(_), None) => return None,
    };
    let time = hour * HOUR + minute * MINUTE + second.unwrap_or(Some(0))? * 1000 + milli;
    let offset = match (offset, offset.split_at_checked(1)) {
        ("" | "Z", _) => 0,
        (_, Some((sign, clock))) if sign != "Z" => {
            let (hour, minute) = clock.split_once(':')?;
            let offset = number(hour, 2, 23)? * HOUR + number(minute, 2, 59)? * MINUTE;
            if sign == "-" { -offset } else { offset }
        }
        _ => return None,
    };
    (time <= DAY && parts.next().is_none()).then_some(time - offset)
}

#[cfg(test)]
mod tests;
