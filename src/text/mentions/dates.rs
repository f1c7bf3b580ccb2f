//! Days that a text names: `2026-01-31`, `31.1.2026`, `Jan 31, 2026`, `June 2025`, `Q3 2025`.

use std::ops::Range;
use std::sync::LazyLock;

use chrono::{Months, NaiveDate};
use regex::{Captures, Regex};

use crate::memory::date::MONTHS;
use crate::text::patterns::compact;

/// A day, or a month, a quarter or a year, of which the last day counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateMention {
    /// Its bytes in the text.
    pub bytes: Range<usize>,
    /// The last day it stands for.
    pub last: NaiveDate,
}

static DATE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let month = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?";
    let forms = [
        r"(?P<y1>\d{4})[-/](?P<m1>\d\d)(?:[-/](?P<d1>\d\d))?".to_owned(),
        r"(?P<a>\d{1,2})(?P<sign>[./])(?P<b>\d{1,2})[./](?P<y2>\d{4})".to_owned(),
        format!(
            r"(?:(?P<d3>\d{{1,2}})(?:st|nd|rd|th)? )?(?P<m3>{month})(?: (?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,?)? (?P<y3>\d{{4}})"
        ),
        r"Q(?P<q>[1-4])[ /](?P<y4>\d{4})".to_owned(),
        r"end of (?P<y5>20\d\d)".to_owned(),
    ];
    compact(&format!(r"(?i)\b(?:{})\b", forms.join("|")))
});

/// The days that a text names, in order.
pub fn dates(text: &str) -> Vec<DateMention> {
    // Every date has a year of this or the last century.
    let has_year =
        |century: &str| memchr::memmem::find(text.as_bytes(), century.as_bytes()).is_some();
    if !has_year("20") && !has_year("19") {
        return Vec::new();
    }
    let found = DATE.iter().flat_map(|date| date.captures_iter(text));
    let mention = |found: Captures<'_>| {
        Some(DateMention {
            bytes: found.get(0)?.range(),
            last: last_day(&found)?,
        })
    };
    found.filter_map(mention).collect()
}

fn last_day(found: &Captures<'_>) -> Option<NaiveDate> {
    let number = |names: &[&str]| {
        let found = names.iter().find_map(|name| found.name(name))?;
        found.as_str().parse::<u32>().ok()
    };
    let year = i32::try_from(number(&["y1", "y2", "y3", "y4", "y5"])?).ok()?;
    let month = match (number(&["a"]), number(&["b"]), found.name("m3")) {
        (Some(a), Some(b), _) => {
            // The day comes first, unless only the other order is a date.
            let slashed = found.name("sign")?.as_str() == "/";
            let (day, month) = if slashed && b > 12 { (b, a) } else { (a, b) };
            return NaiveDate::from_ymd_opt(year, month, day);
        }
        (.., Some(name)) => {
            let name = name.as_str().trim_end_matches('.').to_lowercase();
            let position = MONTHS.iter().position(|month| {
                month.starts_with(&name) || (name == "sept" && *month == "september")
            });
            u32::try_from(position?).ok()? + 1
        }
        _ => number(&["m1"])
            .or(number(&["q"]).map(|quarter| quarter * 3))
            .unwrap_or(12),
    };
    match number(&["d1", "d3", "d4"]) {
        Some(day) => NaiveDate::from_ymd_opt(year, month, day),
        None => NaiveDate::from_ymd_opt(year, month, 1)?
            .checked_add_months(Months::new(1))?
            .pred_opt(),
    }
}
