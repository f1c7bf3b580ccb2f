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
        let unit = if text.len() == 10 { 1000 } else { 1 };
        return Some(Timestamp(number.checked_mul(unit)?).to_rfc3339());
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

/// A date with single blanks, without weekday, ordinal endings, commas and the signs for UTC.
fn normal(text: &str) -> String {
    const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let mut parts: Vec<String> = Vec::new();
    for part in text.replace(',', " ").split_whitespace() {
        let lower = part.to_lowercase();
        let mut ends = ["st", "nd", "rd", "th"].iter();
        let day = ends.find_map(|end| lower.strip_suffix(end));
        let day = day.filter(|day| day.bytes().all(|byte| byte.is_ascii_digit()));
        match (lower.as_str(), day) {
            ("z" | "utc" | "gmt", _) => {}
            (_, Some(day)) => parts.push(day.to_owned()),
            (weekday, _) if WEEKDAYS.iter().any(|day| weekday.starts_with(day)) => {}
            _ => parts.push(part.trim_end_matches(['.', 'Z']).to_owned()),
        }
    }
    let text = parts.join(" ");
    let is_date = |date: &str| date.ends_with(|c: char| c.is_ascii_digit());
    match text.split_once('T') {
        Some((date, time)) if is_date(date) => split_offset(&format!("{date} {time}")),
        _ => split_offset(&text),
    }
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
