//! Dates that are not ISO and still have only one reading.

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, SecondsFormat};

use crate::memory::Timestamp;

/// Forms of a day in which the month cannot be taken for the day.
const DAYS: [&str; 9] = [
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%d %b %Y", "%b %d %Y", "%d %B %Y", "%B %d %Y",
    "%d-%b-%Y",
];
/// Forms of a time behind it.
const TIMES: [&str; 3] = ["%H:%M", "%H:%M:%S", "%H:%M:%S%.f"];

/// The ISO form of a date that cannot be read otherwise; none if it could be two dates.
pub(super) fn recognise(text: &str) -> Option<String> {
    let text = text.trim();
    if let (10 | 13, Ok(number)) = (text.len(), text.parse::<i64>()) {
        let millis = if text.len() == 10 {
            number.checked_mul(1000)?
        } else {
            number
        };
        return Some(Timestamp(millis).to_rfc3339());
    }
    let text = normal(text);
    DAYS.iter().find_map(|day| {
        let date = NaiveDate::parse_from_str(&text, day).ok();
        if let Some(date) = date.filter(|date| (1970..3000).contains(&date.year())) {
            return Some(date.to_string());
        }
        TIMES.iter().find_map(|time| {
            let form = format!("{day} {time}");
            let utc = NaiveDateTime::parse_from_str(&text, &form)
                .map(|time| time.and_utc().fixed_offset());
            let offset = || DateTime::parse_from_str(&text, &format!("{form} %z"));
            let time = utc.or_else(|_| offset()).ok()?;
            Some(time.to_rfc3339_opts(SecondsFormat::Secs, true))
        })
    })
}

/// A date with one blank between its parts, without the weekday, `st` and `th`, a comma, and the
/// signs for UTC.
fn normal(text: &str) -> String {
    const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let mut parts: Vec<String> = Vec::new();
    for part in text.replace(',', " ").split_whitespace() {
        let lower = part.to_lowercase();
        let day = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|end| lower.strip_suffix(end));
        let day = day.filter(|day| day.bytes().all(|byte| byte.is_ascii_digit()));
        match (lower.as_str(), day) {
            ("z" | "utc" | "gmt", _) => {}
            (_, Some(day)) => parts.push(day.to_owned()),
            (weekday, _) if WEEKDAYS.iter().any(|day| weekday.starts_with(day)) => {}
            _ => parts.push(part.trim_end_matches(['.', 'Z']).to_owned()),
        }
    }
    let text = parts.join(" ");
    let Some((date, time)) = text
        .split_once('T')
        .filter(|(date, _)| date.ends_with(|c: char| c.is_ascii_digit()))
    else {
        return split_offset(&text);
    };
    split_offset(&format!("{date} {time}"))
}

/// The same with a blank in front of an offset: `10:30+02:00`.
fn split_offset(text: &str) -> String {
    match text.rfind(['+', '-']) {
        Some(at) if text.get(..at).is_some_and(|before| before.contains(':')) => {
            let (before, offset) = text.split_at(at);
            format!("{} {offset}", before.trim_end())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_with_one_reading() {
        for (text, iso) in [
            ("2026/01/23", "2026-01-23"),
            ("2026.1.3", "2026-01-03"),
            ("20260123", "2026-01-23"),
            ("2026-1-3 10:00", "2026-01-03T10:00:00Z"),
            ("2026-01-23 10:30:05", "2026-01-23T10:30:05Z"),
            ("2026-01-23 10:30:05.123 UTC", "2026-01-23T10:30:05Z"),
            ("2026-01-23 10:30 +0200", "2026-01-23T10:30:00+02:00"),
            ("2026-01-23 10:30:00+02:00", "2026-01-23T10:30:00+02:00"),
            ("2026-01-23T9:30", "2026-01-23T09:30:00Z"),
            ("2026-01-23T10:30:00 Z", "2026-01-23T10:30:00Z"),
            ("23 Jan 2026", "2026-01-23"),
            ("January 23rd, 2026", "2026-01-23"),
            ("Fri, 23 Jan 2026 10:30:00 GMT", "2026-01-23T10:30:00Z"),
            ("Tue Mar 3 2026 08:00", "2026-03-03T08:00:00Z"),
            ("23-Jan-2026", "2026-01-23"),
            ("1769164200", "2026-01-23T10:30:00Z"),
            ("1769164200000", "2026-01-23T10:30:00Z"),
        ] {
            assert_eq!(recognise(text).as_deref(), Some(iso), "{text}");
        }
    }

    #[test]
    fn dates_with_two_readings_or_none() {
        for text in [
            "03/04/2026",
            "23/01/2026",
            "last Sunday, about 3 in the morning",
            "yesterday",
            "2026-13-01",
            "2026-01-23 25:00",
            "Jan 2026",
            "",
            "T",
            "2026-01-23 to 2026-01-25",
            "1.2.3",
        ] {
            assert_eq!(recognise(text), None, "{text}");
        }
    }
}
