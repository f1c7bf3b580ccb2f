//! The parts of Java that golemcore relies on, where they differ from Rust: strings, points in time,
//! and lines. The system splits at `\R`, so a raw U+2028 inside a text ends a line (formats:
//! golemcore, "JSON line").

use std::ops::Range;
use std::sync::LazyLock;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use regex::Regex;

use crate::memory::Timestamp;
use crate::memory::document::is_crlf;

/// `Character.isWhitespace`: no no-break spaces and no U+0085, but the four separators of ASCII.
pub const fn is_space(c: char) -> bool {
    match c {
        '\u{1c}'..='\u{1f}' => true,
        '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        c => c.is_whitespace(),
    }
}

/// `\s` of a pattern.
pub const fn is_regex_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

/// `text.isBlank()`.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// `text.trim()`: everything up to U+0020 goes.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c| c <= ' ')
}

/// The lines of a file without their ends.
pub fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut lines, mut start) = (Vec::new(), 0);
    while let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) {
        let (at, length) = line_end(rest).unwrap_or((rest.len(), 0));
        lines.push(start..start + at);
        start += at + length;
    }
    lines
}

/// The range of a line with its end.
pub fn with_end(bytes: &[u8], line: &Range<usize>) -> Range<usize> {
    let rest = bytes.get(line.end..).unwrap_or_default();
    let end = line_end(rest).filter(|(at, _)| *at == 0);
    line.start..line.end + end.map_or(0, |(_, length)| length)
}

/// The line end that a file uses: that of its first line, else a line feed.
pub fn eol(bytes: &[u8]) -> &'static str {
    if is_crlf(bytes) { "\r\n" } else { "\n" }
}

/// The first line end of any kind: where it begins and its length.
fn line_end(bytes: &[u8]) -> Option<(usize, usize)> {
    bytes.iter().enumerate().find_map(|(at, byte)| {
        let next = |n: usize| bytes.get(at + n).copied();
        let length = match byte {
            b'\r' if next(1) == Some(b'\n') => 2,
            b'\n' | b'\r' | 0x0b | 0x0c => 1,
            0xC2 if next(1) == Some(0x85) => 2,
            0xE2 if next(1) == Some(0x80) && matches!(next(2), Some(0xA8 | 0xA9)) => 3,
            _ => return None,
        };
        Some((at, length))
    })
}

/// A point in time with nanoseconds, as Java's `Instant` reads and compares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(DateTime<Utc>);

impl Instant {
    /// Reads `YYYY-MM-DDTHH:MM:SS[.n+]` with `Z` or an offset; nothing else is one.
    pub fn parse(text: &str) -> Option<Self> {
        let found = INSTANT.as_ref()?.captures(trim(text))?;
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
        let east = if is_west { -east } else { east };
        let days = date_days(found.get(1)?.as_str())?;
        let seconds = days * 86_400 + clock.0 * 3600 + clock.1 * 60 + second - east;
        let at = DateTime::from_timestamp(seconds, nanos).filter(|_| is_clock && is_zone);
        at.map(Self)
    }

    /// A number of seconds, as the reader takes a bare number for a date.
    pub fn of_seconds(seconds: f64) -> Option<Self> {
        let nanos = (seconds - seconds.floor()) * 1e9;
        // What Java's years reach and ours do not is the last of ours.
        let whole = seconds.floor().clamp(-8e12, 8e12);
        let at = DateTime::from_timestamp(whole as i64, nanos as u32);
        at.filter(|_| seconds.abs() < 3.1e16).map(Self)
    }

    /// The beginning of a day, by days since 1970.
    pub fn of_day(day: i64) -> Self {
        Self(DateTime::UNIX_EPOCH).plus_days(day)
    }

    /// So many days later.
    pub fn plus_days(self, days: i64) -> Self {
        let later = TimeDelta::try_days(days).and_then(|days| self.0.checked_add_signed(days));
        Self(later.unwrap_or(match days {
            ..0 => DateTime::<Utc>::MIN_UTC,
            _ => DateTime::<Utc>::MAX_UTC,
        }))
    }

    /// Whole days of 24 hours from this one to another; towards zero.
    pub fn days_until(self, other: Self) -> i64 {
        other.0.signed_duration_since(self.0).num_days()
    }

    /// The same without what is less than a millisecond.
    pub const fn timestamp(self) -> Timestamp {
        Timestamp(self.0.timestamp_millis())
    }
}

impl From<Timestamp> for Instant {
    fn from(at: Timestamp) -> Self {
        Self(DateTime::from_timestamp_millis(at.0).unwrap_or_default())
    }
}

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
    fn blanks_are_those_of_java() {
        for (text, blank) in rows! {
            "" => true, " \t\n\u{1c}\u{1f}\u{3000}\u{2028}" => true, "\u{a0}" => false,
            "\u{85}" => false, "\u{2007}" => false, "\u{200b}" => false,
        } {
            assert_eq!(is_blank(text), blank, "{text:?}");
        }
        assert_eq!(trim("\u{0} a\u{a0}\u{1f}"), "a\u{a0}");
    }

    #[test]
    fn instants_are_those_of_java() {
        for (text, expected) in rows! {
            "1970-01-01T00:00:00Z" => Some((0, 0)),
            "2026-02-22T10:00:00.123456Z" => Some((1_771_754_400, 123_456_000)),
            "2026-02-22T10:00:00.000000001Z" => Some((1_771_754_400, 1)),
            "2026-02-22T12:00:00+02:00" => Some((1_771_754_400, 0)),
            "1969-12-31T23:59:59.5Z" => Some((-1, 500_000_000)), "2026-02-30T10:00:00Z" => None,
            "2026-02-22T10:00:00.Z" => Some((1_771_754_400, 0)),
            "2026-02-22T24:00:00Z" => Some((1_771_804_800, 0)),
            "2026-02-22T23:59:60Z" => Some((1_771_804_799, 0)), "2026-02-22T10:00:00+02" => None,
            "2026-02-22T10:00:00+18:01" => None, "+2026-02-22T10:00:00Z" => None,
            "2026-02-22T10:00Z" => None, "2026-02-22T10:00:00" => None, "2026-02-22" => None,
            "2026-02-22 10:00:00Z" => None, "2026-2-22T10:00:00Z" => None,
            "2026-02-22T25:00:00Z" => None, "2026-02-22T10:00:00.1234567890Z" => None, "" => None,
        } {
            let found =
                Instant::parse(text).map(|at| (at.0.timestamp(), at.0.timestamp_subsec_nanos()));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn days_are_whole_and_cut_towards_zero() {
        const DAY: i64 = 86_400;
        let at = |seconds, nanos| Instant(DateTime::from_timestamp(seconds, nanos).unwrap());
        for (from, to, days) in rows! {
            at(0, 1) => at(DAY, 0) => 0, at(0, 0) => at(DAY, 0) => 1, at(DAY, 0) => at(0, 1) => 0,
            at(DAY, 0) => at(0, 0) => -1, at(0, 0) => at(2 * DAY - 1, 999) => 1,
        } {
            assert_eq!(from.days_until(to), days);
        }
    }
}
