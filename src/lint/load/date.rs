//! Dates that are not ISO and still have only one reading.

use crate::memory::date::MONTHS;

/// The ISO form of a date that cannot be read otherwise; none where it could be two dates.
pub(super) fn recognise(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(iso) = epoch(text) {
        return Some(iso);
    }
    // A comma only ever stands between parts, a T between digits does too, and a weekday says
    // nothing new.
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    let mut at = 0;
    let parts: Vec<&str> = text
        .split(|c: char| {
            let here = at;
            at += c.len_utf8();
            let middle = c == 'T' && digit(here.checked_sub(1)) && digit(Some(here + 1));
            c.is_whitespace() || c == ',' || middle
        })
        .filter(|part| !part.is_empty() && !is_weekday(part))
        .collect();
    let (date, rest) = numeric(&parts).or_else(|| worded(&parts))?;
    let time = match rest {
        [] => String::new(),
        [time] => format!("T{}", clock(time, "")?),
        [time, zone] => format!("T{}", clock(time, zone)?),
        _ => return None,
    };
    Some(format!("{date}{time}"))
}

fn is_weekday(part: &str) -> bool {
    const DAYS: [&str; 7] = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let part = part.to_lowercase();
    part.len() >= 3 && DAYS.iter().any(|day| day.starts_with(&part))
}

/// Seconds or milliseconds since 1970, in the range of this century's dates.
fn epoch(text: &str) -> Option<String> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let millis = match text.len() {
        10 if digits => text.parse::<i64>().ok()?.checked_mul(1000)?,
        13 if digits => text.parse::<i64>().ok()?,
        _ => return None,
    };
    Some(crate::memory::Timestamp(millis).to_rfc3339())
}

fn number(text: &str, least: u32, most: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number: u32 = digits.then(|| text.parse().ok())??;
    (least..=most).contains(&number).then_some(number)
}

fn iso(year: &str, month: u32, day: &str) -> Option<String> {
    let day = number(day, 1, 31)?;
    let year = number(year, 1970, 2999)?;
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// `2026/1/23`, `2026.01.23`, `2026-1-23`, `20260123`: the year first, so the month is second.
fn numeric<'a>(parts: &'a [&'a str]) -> Option<(String, &'a [&'a str])> {
    let (first, rest) = parts.split_first()?;
    let date = if let (8, Some(year), Some(month), Some(day)) =
        (first.len(), first.get(..4), first.get(4..6), first.get(6..))
        && first.bytes().all(|b| b.is_ascii_digit())
    {
        iso(year, number(month, 1, 12)?, day)?
    } else {
        let mut split = first.split(['-', '/', '.']);
        let (year, month, day) = (split.next()?, split.next()?, split.next()?);
        if split.next().is_some() {
            return None;
        }
        iso(year, number(month, 1, 12)?, day)?
    };
    Some((date, rest))
}

/// `23 Jan 2026`, `January 23rd 2026`, `23-Jan-2026`.
fn worded<'a>(parts: &'a [&'a str]) -> Option<(String, &'a [&'a str])> {
    if let [first, rest @ ..] = parts
        && first.contains('-')
    {
        let split: Vec<&str> = first.split('-').collect();
        return worded(&split)
            .filter(|(_, more)| more.is_empty())
            .map(|(date, _)| (date, rest));
    }
    let [a, b, year, rest @ ..] = parts else {
        return None;
    };
    let (day, month) = month(b).map_or_else(|| Some((b, month(a)?)), |month| Some((a, month)))?;
    let day = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| day.strip_suffix(end))
        .unwrap_or(day);
    Some((iso(year, month, day)?, rest))
}

fn month(text: &str) -> Option<u32> {
    let text = text.trim_end_matches('.').to_lowercase();
    let sept = text == "sept";
    let at = MONTHS.iter().position(|month| {
        text == *month || (sept || text.len() == 3) && month.starts_with(&text)
    })?;
    u32::try_from(at + 1).ok()
}

/// `9:30`, `09:30:00`, with `Z`, `UTC`, `GMT` or an offset after it.
fn clock(time: &str, zone: &str) -> Option<String> {
    let (time, glued) = time
        .find(['Z', 'z', '+', '-'])
        .and_then(|at| time.split_at_checked(at))
        .unwrap_or((time, ""));
    let zone = match (glued, zone) {
        ("", zone) | (zone, "") => zone,
        _ => return None,
    };
    let mut parts = time.split(':');
    let hour = number(parts.next()?, 0, 23)?;
    let minute = number(parts.next()?, 0, 59)?;
    let second = match parts.next() {
        None => 0,
        Some(second) => number(second.split('.').next()?, 0, 59)?,
    };
    let zone = match zone {
        "" | "Z" | "z" | "UTC" | "GMT" => "Z".to_owned(),
        offset => {
            let sign = offset.get(..1).filter(|sign| matches!(*sign, "+" | "-"))?;
            let digits: String = offset.get(1..)?.chars().filter(|c| *c != ':').collect();
            let hours = number(digits.get(..2)?, 0, 14)?;
            let minutes = match digits.get(2..)? {
                "" => 0,
                minutes => number(minutes, 0, 59)?,
            };
            format!("{sign}{hours:02}:{minutes:02}")
        }
    };
    Some(format!("{hour:02}:{minute:02}:{second:02}{zone}"))
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
