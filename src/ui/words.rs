//! Numbers, ages and counts as a person reads them.

use crate::memory::Timestamp;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// An age in two or three cells: `5m`, `3h`, `6d`, `5w`, `8M`, `2y`; `new` for what is dated in
/// the future.
pub fn age(then: Timestamp, now: Timestamp) -> String {
    let passed = now.0.saturating_sub(then.0);
    let days = passed / DAY;
    match days {
        _ if passed < 0 => "new".to_owned(),
        0 if passed < DAY / 24 => format!("{}m", passed / (DAY / 24 / 60)),
        0 => format!("{}h", passed / (DAY / 24)),
        1..14 => format!("{days}d"),
        14..60 => format!("{}w", days / 7),
        60..730 => format!("{}M", days / 30),
        _ => format!("{}y", (days / 365).min(999)),
    }
}

/// An age in words: `3 days ago`.
pub fn ago(then: Timestamp, now: Timestamp) -> String {
    let short = age(then, now);
    let split = short.len().saturating_sub(1);
    let (number, unit) = short.split_at_checked(split).unwrap_or((&short, ""));
    let unit = match unit {
        "m" => "minute",
        "h" => "hour",
        "d" => "day",
        "w" if short != "new" => "week",
        "M" => "month",
        "y" => "year",
        _ => return "in the future".to_owned(),
    };
    match number {
        "0" => "just now".to_owned(),
        "1" => format!("1 {unit} ago"),
        _ => format!("{number} {unit}s ago"),
    }
}

/// A number with commas: `12,345`.
pub fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count with its noun: `1 memory`, `3 memories`.
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// Points without a useless fraction.
pub fn points(points: f64) -> String {
    if points.fract() == 0.0 {
        format!("{points:.0}")
    } else if points.abs() < 2.0 {
        format!("{points:.2}")
    } else {
        format!("{points:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_short_and_speak() {
        let now = Timestamp(1000 * DAY);
        let hour = DAY / 24;
        for (before, short, long) in [
            (0, "0m", "just now"),
            (5 * hour / 60, "5m", "5 minutes ago"),
            (hour, "1h", "1 hour ago"),
            (3 * DAY, "3d", "3 days ago"),
            (14 * DAY, "2w", "2 weeks ago"),
            (90 * DAY, "3M", "3 months ago"),
            (800 * DAY, "2y", "2 years ago"),
            (-DAY, "new", "in the future"),
        ] {
            let then = Timestamp(now.0 - before);
            assert_eq!(age(then, now), short);
            assert_eq!(ago(then, now), long);
        }
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(12_345), "12,345");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(count(1, "memory", "memories"), "1 memory");
        assert_eq!(points(55.0), "55");
        assert_eq!(points(7.25), "7.2");
    }
}
