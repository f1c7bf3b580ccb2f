//! Days until which a text holds: `until 2024-03`, `remove after June 2025`, `freeze ends on …`.

use std::ops::Range;
use std::sync::LazyLock;

use chrono::{Datelike as _, Months, NaiveDate};
use regex::{Captures, Regex, RegexBuilder};

use crate::memory::date::MONTHS;

/// A day until which a text says that something holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deadline {
    /// The last day.
    pub last: NaiveDate,
    /// Whether it can mean nothing else: `remove after`, `valid until`.
    pub sure: bool,
    /// Whether something is to be done by then, or from then on, and the text does not end there.
    pub due: bool,
    /// Its bytes in the text, with the words before the day.
    pub bytes: Range<usize>,
}

/// Words before a day by which something is to be done then.
const DUE: &str = r"(?:remove|delete|drop|retire|disable|unpin|revert|clean up|revisit|reconsider|re-?check|re-?evaluate)(?: \w+){0,4}? (?:after|by|in|on|once past|from)|(?:can|may|should|must|to|will) be (?:removed|dropped|deleted|retired|disabled|reverted|unpinned)(?: \w+){0,3}? (?:after|by|on|in|once past)|(?:to-?do|fixme)[ :(\[-]{1,3}?(?:\w+ ){0,4}?(?:by|until|before)|deadline(?: for(?: \w+){1,4}?)?(?: is| of)?|due(?: date| on| by)?|no later than|(?:must|should|will)(?: \w+){1,6}? by|(?:to-?do|fixme|hack|xxx) ?\((?:[\w.@-]+[, ] ?)?|(?:review|remove|delete|revisit|re-?check)[-_](?:by|after|before|on)";

/// Words before a day by which something ends there and a reader should act.
const SURE: &str = r"expir(?:es|y|ing)(?: date)?(?: on| in| after| at)?|valid (?:until|till|through|to)|(?:freeze|ban|moratorium|embargo|workaround|exception|waiver|pin|trial|beta)(?: \w+){0,3}? (?:ends|until|till|lasts until|through|is over)(?: on| in)?|(?:can|may|should|must|to|will) be (?:discontinued|decommissioned|withdrawn|revoked|(?:shut|turned|switched|phased|taken) (?:down|off|out))(?: \w+){0,3}? (?:after|by|on|in|once past)|(?:scheduled|planned) (?:maintenance|downtime|outage|migration|upgrade|release|deployment|freeze|cutover|switch|window)(?: \w+){0,2}? (?:on|for|at)|temporar(?:y|ily) (?:until|till)|(?:not|don't|never)(?: \w+){1,4}? (?:until|till)|(?:not|don't|never) (?:merge|deploy|release|ship|publish|launch|announce|enable|activate|start|begin|switch|upgrade|turn|roll|cut|go)(?: [\w-]+){0,4}? before|(?:not|no) (?:before|earlier than|sooner than)|gilt bis(?: zum)?|(?:valable|valide) jusqu(?:'|’)(?:au|à|en)|(?:goes|go|going) away(?: on| in| after)?|expire(?:ra|nt)? (?:le|en|au)|(?:lifts|is lifted|are lifted)(?: on| in)?|sunset(?:s|ting)?(?: date)?(?: is| on| in| after| of)?|end[- ]of[- ]life(?: date)?(?: is| on| in)?";

/// What lasts from one day to another.
const LASTS: &str = r"(?:valid|freeze|frozen|closed|open|ban|moratorium|embargo|maintenance|trial|beta|promo|promotion|campaign|sale|leave|vacation|holidays?|away|unavailable|in force|in effect|appl(?:y|ies)|outage|downtime|exception|waiver|pilot|blackout|on call)(?: [\w-]+){0,3}? (?:from|between)";

/// Words before a day that mostly say until when something is to be done.
const ASKED: &str = r"by|(?:migrate|move|switch|upgrade|renew|rotate|replace|finish|complete|submit|port|convert|cancel|extend|prepare|register|decide|rewrite|pay|deliver)(?: [\w'-]+){1,8}? before";

/// Words before a day that mostly say until when something holds.
const LIKELY: &str = r"(?:until|till)(?: [\w'-]+){1,6}? \((?:on |in )?|(?:until|till)(?: (?:the|our|its|this)(?: [\w-]+){1,4}? (?:on|in))?|ends(?: on| in)?|through the end of|(?:keep|leave|hold|retain|maintain|supported|stays?|runs?|lasts?|frozen|continues?)(?: [\w-]+){0,8}? through|bis(?: zum| einschl\.| spätestens)?|jusqu(?:'|’)(?:au|à|en)(?: la)?(?: fin)?|hasta(?: el)?|fino al";

const DAY: &str = r"(?P<iso>\d{4}[-/]\d{2}[-/]\d{2})|(?P<dotted>\d{1,2}\.\d{1,2}\.\d{4})|(?P<slashed>\d{1,2}/\d{1,2}/\d{4})|(?P<month>\d{4}-\d{2})|(?P<quarter>Q[1-4][ /]\d{4})|(?P<name>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\.? (?:(?P<day>\d{1,2})(?:st|nd|rd|th)?,? )?(?P<year>\d{4})|(?P<day2>\d{1,2})(?:st|nd|rd|th)? (?P<name2>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\.? (?P<year2>\d{4})";

/// Each form in which a text says until when something holds; a day has its place behind the words.
static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let lead = r"(?:the )?(?:end of |start of |early |mid-?|late )?(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )?[`*]*";
    // The first of two days is not read.
    let first = nameless(DAY);
    let forms = [
        format!(
            r"\b(?:(?P<due>{DUE})|(?P<sure>{SURE})|(?P<asked>{ASKED})|(?P<likely>{LIKELY}))[:*]* *{lead}(?:{DAY})\b"
        ),
        format!(r"\b(?P<likely>{LIKELY}) (?:the )?end of (?P<whole>20\d{{2}})\b"),
        format!(
            r"\b(?P<sure>{LASTS}) {lead}(?:{first})[`*]* ?(?:to|until|till|through|and|–|—|-) ?{lead}(?:{DAY})\b"
        ),
        format!(
            r"\b(?P<due>once|when|as soon as) {lead}(?:{DAY})[`*]* (?:has (?:passed|gone by|come)|is (?:over|past|here|reached))\b"
        ),
        format!(
            r"\b(?P<due>after|from|as of) {lead}(?:{DAY})[`*]*,? (?:on,? )?(?:please )?(?:(?:[\w'/-]+ ){{1,8}}?(?:can|may|should|must|will|is to|are to) (?:be (?:removed|dropped|deleted|retired|disabled|reverted|unpinned)|go)|(?:remove|delete|drop|retire|disable|revert|unpin))\b"
        ),
        format!(
            r"\((?P<likely>expected|planned|eta|due)(?: on| in| by| for)?:? {lead}(?:{DAY})[`*]*\)"
        ),
    ];
    let built = forms.iter().map(|form| {
        let mut form = RegexBuilder::new(form);
        form.case_insensitive(true).unicode(false).build()
    });
    built.filter_map(Result::ok).collect()
});

/// The pattern of a day whose parts are not asked for.
fn nameless(day: &str) -> String {
    let parts = day.split("(?P<").enumerate().map(|(n, part)| match n {
        0 => part,
        _ => part.split_once('>').map_or(part, |(_, rest)| rest),
    });
    parts.collect::<Vec<_>>().join("(?:")
}

/// Words before a day by which it ends a stretch of the past: `from January until …`.
const STRETCH: &[&str] = &[
    "from ",
    "between ",
    "since ",
    "logs ",
    "data ",
    "records ",
    "released ",
    "e.g.",
    "example",
];

/// Words of a clause in front of `by` and a day in which something was done by then.
const DONE: &[&str] = &[
    "was", "were", "had", "been", "is", "are", "has", "have", "did", "written", "made", "seen",
];

/// What tests are made with.
const MADE_UP: &[&str] = &[
    "test", "fixture", "mock", "sample", "stub", "dummy", "fake", "golden",
];

/// Words of a line by which what stands in quotation marks is only shown.
const SHOWS: &[&str] = &[
    "say", "says", "said", "write", "writes", "wrote", "reads", "example", "prints", "shows",
    "text",
];

/// Bytes before the words that are read for what they are about.
const NEAR: usize = 80;

/// The days until which a text holds.
pub(super) fn deadlines(text: &str) -> Vec<Deadline> {
    // Every day has a year of this or the last century in it.
    let year = memchr::memmem::find(text.as_bytes(), b"20").is_some();
    if !year {
        return Vec::new();
    }
    let found = PATTERNS.iter().flat_map(|form| form.captures_iter(text));
    let mut all: Vec<Deadline> = found.filter_map(|found| deadline(text, &found)).collect();
    // What several forms find is told by the one that begins first.
    all.sort_by_key(|one| (one.bytes.end, one.bytes.start));
    all.dedup_by_key(|one| one.bytes.end);
    all.sort_by_key(|one| one.bytes.start);
    all
}

fn deadline(text: &str, found: &Captures<'_>) -> Option<Deadline> {
    let whole = found.get(0)?;
    let from = (whole.start().saturating_sub(NEAR)..=whole.start())
        .find(|at| text.is_char_boundary(*at))?;
    let before = text.get(from..whole.start())?.to_lowercase();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let before = line.rsplit(['.', ';']).next().unwrap_or_default();
    let words = whole.as_str().to_lowercase();
    let stretch = STRETCH.iter().any(|word| before.contains(word));
    // What was done by a day is over, whatever the day.
    let named = |group: &str| found.name(group).is_some();
    let by = words.starts_with("by ");
    let done = |word: &str| word.ends_with("ed") || DONE.contains(&word);
    let done = by && (before.trim().is_empty() || before.split_whitespace().any(done));
    let after = text.get(whole.end()..).unwrap_or_default();
    let after = after.lines().next().unwrap_or_default();
    let shown = is_shown(line, after);
    // Of what a test is made with, the day is the point.
    let states = words.starts_with("expir") || words.starts_with("valid");
    let made_up = MADE_UP.iter().any(|word| line.contains(word));
    Some(Deadline {
        last: last_day(found)?,
        sure: (named("sure") || named("due")) && !(states && made_up),
        due: named("due") || named("asked"),
        bytes: whole.range(),
    })
    .filter(|_| !stretch && !done && !shown)
}

/// Whether what stands between these stands in quotation marks, as something that is said there.
fn is_shown(before: &str, after: &str) -> bool {
    let quoted = |mark: char| before.matches(mark).count() % 2 == 1 && after.contains(mark);
    let curly = before.rfind('“') > before.rfind('”') && after.contains('”');
    let lower = after.to_lowercase();
    let mut words = [before, &lower]
        .into_iter()
        .flat_map(|part| part.split(|c: char| !c.is_alphabetic()));
    (quoted('"') || quoted('`') || curly) && words.any(|word| SHOWS.contains(&word))
}

/// The last day of what is named: of a month its last.
fn last_day(found: &Captures<'_>) -> Option<NaiveDate> {
    let text = |name: &str| found.name(name).map(|part| part.as_str());
    let end = |year: i32, month: u32| {
        let next = NaiveDate::from_ymd_opt(year, month, 1)?.checked_add_months(Months::new(1))?;
        next.pred_opt()
    };
    if let Some(day) = text("iso") {
        return day.replace('/', "-").parse().ok();
    }
    if let Some(day) = text("dotted").or(text("slashed")) {
        return in_numbers(day);
    }
    if let Some(year) = text("whole") {
        return end(year.parse().ok()?, 12);
    }
    if let Some((year, month)) = text("month").and_then(|month| month.split_once('-')) {
        return end(year.parse().ok()?, month.parse().ok()?);
    }
    if let Some(quarter) = text("quarter") {
        let number: u32 = quarter.get(1..2)?.parse().ok()?;
        return end(quarter.get(3..)?.parse().ok()?, number * 3);
    }
    let name = text("name").or(text("name2"))?;
    let year = text("year").or(text("year2"))?.parse().ok()?;
    let month = month(name)?;
    match text("day").or(text("day2")) {
        Some(day) => NaiveDate::from_ymd_opt(year, month, day.parse().ok()?),
        None => end(year, month),
    }
    .filter(|day| day.year() >= 2000)
}

/// A day in numbers, the year last. With points its day stands first; with strokes either may, and
/// where both can be, the later one holds.
fn in_numbers(day: &str) -> Option<NaiveDate> {
    let parts: Vec<u32> = day
        .split(['.', '/'])
        .map_while(|part| part.parse().ok())
        .collect();
    let [first, second, year] = parts[..] else {
        return None;
    };
    let year = i32::try_from(year).ok()?;
    let day_first = NaiveDate::from_ymd_opt(year, second, first);
    if day.contains('.') {
        return day_first;
    }
    day_first.max(NaiveDate::from_ymd_opt(year, first, second))
}

fn month(name: &str) -> Option<u32> {
    let name = name.to_lowercase();
    let short = if name == "sept" { "sep" } else { &name };
    let found = MONTHS
        .iter()
        .position(|month| month.starts_with(short) && short.len() >= 3);
    u32::try_from(found? + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let all = deadlines(text);
        all.iter()
            .map(|one| format!("{}{}", one.last, if one.sure { "" } else { "?" }))
            .collect()
    }

    #[test]
    fn days_until_which_something_holds_are_found() {
        for (text, expected) in [
            ("Keep the flag until 2024-03.", &["2024-03-31?"][..]),
            ("Remove this after June 2025", &["2025-06-30"]),
            ("Code freeze ends on 2025-01-15", &["2025-01-15"]),
            (
                "The code freeze lasts until 5 January 2026",
                &["2026-01-05"],
            ),
            (
                "valid until **2025-02-01**; expires: 2025-02-03",
                &["2025-02-01", "2025-02-03"],
            ),
            (
                "Do not deploy on Fridays until Sept 3, 2025",
                &["2025-09-03"],
            ),
            ("must be migrated to v2 by Q3 2025", &["2025-09-30"]),
            ("until the end of March 2025", &["2025-03-31?"]),
            ("delete the shim by end of 2025-04", &["2025-04-30"]),
            ("Do not merge before 2025-05-02.", &["2025-05-02"]),
            (
                "Don't turn on the new tariff before May 5, 2025",
                &["2025-05-05"],
            ),
            ("Merge it, but not before **2025-05-06**", &["2025-05-06"]),
            ("Never deploy this until 2025-05-07", &["2025-05-07"]),
            ("The switch is no earlier than 2025-06", &["2025-06-30"]),
            ("The code is valid through 12/31/2025.", &["2025-12-31"]),
            ("It expires on 31.12.2025", &["2025-12-31"]),
            ("It expires on 3/4/2025", &["2025-04-03"]),
            ("Valid until: 2025/08/01", &["2025-08-01"]),
            ("Until the end of 2025 keep it", &["2025-12-31?"]),
            (
                "The promo runs until Friday, November 14th 2025",
                &["2025-11-14?"],
            ),
            ("Deadline for the audit: 2025-03-31", &["2025-03-31"]),
            ("It can be dropped after 2025-01-01.", &["2025-01-01"]),
            (
                "The old API will be shut down on 30 June 2025, so do not build on it",
                &["2025-06-30"],
            ),
            (
                "The relay is to be switched off in May 2025",
                &["2025-05-31"],
            ),
            ("TODO by 2025-03-31: rotate the key", &["2025-03-31"]),
            ("TODO (rotate the key before 2025-04-30)", &["2025-04-30"]),
            ("Support for v1 ends 2025-05-01", &["2025-05-01?"]),
            (
                "Scheduled maintenance on 2025-03-05, do not deploy",
                &["2025-03-05"],
            ),
            (
                "Until the release on 2025-04-01 all merges need two reviews.",
                &["2025-04-01?"],
            ),
            ("Keep the double write through Q2 2025.", &["2025-06-30?"]),
            ("The old feed stays up through June 2025", &["2025-06-30?"]),
            (
                "Migrate all meters to protocol 4 by 2025-08-31.",
                &["2025-08-31?"],
            ),
            ("Get a new licence by May 2025", &["2025-05-31?"]),
            ("TODO(joon, 2025-06-01): drop it", &["2025-06-01"]),
            ("FIXME(2025-06-02) drop it", &["2025-06-02"]),
            ("review-by: 2025-06-03", &["2025-06-03"]),
            (
                "Bis zum 30.06.2025 laufen beide Abrechnungen parallel.",
                &["2025-06-30?"],
            ),
            ("Der Schlüssel gilt bis 01.07.2025", &["2025-07-01"]),
            (
                "Test `a_test.go` uses a certificate that expires on 2025-02-01; freeze the clock",
                &["2025-02-01?"],
            ),
            (
                "The certificate of the gateway expires on 2025-02-01",
                &["2025-02-01"],
            ),
            (
                "Remove the feature flag once 2025-09-30 has passed.",
                &["2025-09-30"],
            ),
            ("After 2025-09-30 the flag can be removed.", &["2025-09-30"]),
            ("From June 2025 on the shim may go.", &["2025-06-30"]),
            (
                "Price list is valid from 2025-04-01 to 2025-10-31.",
                &["2025-10-31"],
            ),
            (
                "Code freeze from 2025-08-01 to 2025-08-15, no deploys.",
                &["2025-08-15"],
            ),
            (
                "The office is closed between 23 Dec 2024 and 2 Jan 2025",
                &["2025-01-02"],
            ),
            ("The API v1 sunset date is 2025-09-01.", &["2025-09-01"]),
            (
                "Until the new pier opens (1 October 2025) berth 7 is not bookable.",
                &["2025-10-01?"],
            ),
            (
                "Migrate to the new tide feed before October 2025.",
                &["2025-10-31?"],
            ),
            ("Renew the certificate before 2025-05-01", &["2025-05-01?"]),
            (
                "Jusqu'au 30/09/2025 les deux tarifs sont actifs.",
                &["2025-09-30?"],
            ),
            ("Hasta el 30/09/2025 se usa la API vieja", &["2025-09-30?"]),
            ("When 2025-10 is over, drop the old index.", &["2025-10-31"]),
            (
                "As of 2025-07-01 legacy tokens must be deleted by hand",
                &["2025-07-01"],
            ),
            (
                "Deprecated endpoints go away on 2025-09-01",
                &["2025-09-01"],
            ),
            ("The v1 routes are going away in May 2025", &["2025-05-31"]),
            ("La clé API expire le 01/08/2025", &["2025-08-01"]),
            ("Le jeton expirera le 2025-08-02", &["2025-08-02"]),
            ("Les accès expirent en 2025-08", &["2025-08-31"]),
            (
                "Embargo on the press release lifts 2025-09-30",
                &["2025-09-30"],
            ),
            (
                "The ban on merges is lifted on 3 June 2025",
                &["2025-06-03"],
            ),
            (
                "The vendor's fix is on its way (expected 2025-07-15).",
                &["2025-07-15?"],
            ),
            ("Waiting for the new key (ETA: June 2025)", &["2025-06-30?"]),
            (
                "Say `stop` to the bot: the token expires 2025-07-02",
                &["2025-07-02"],
            ),
            (
                "The \"blue\" tariff is valid until 2025-07-03 as they said",
                &["2025-07-03"],
            ),
            (
                "Keep the old table till our audit in June 2025.",
                &["2025-06-30?"],
            ),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn other_days_are_no_deadlines() {
        for text in [
            "Written on 2024-03-01 by Ada",
            "Logs from 2023-01 until 2024-03 are in the bucket",
            "Released 2024-03-01; see 2024-04",
            "until 2024 requests were made, 2024 until now",
            "until 2024-13 and until Smarch 2024",
            "Rows before 2024-03 have no fee",
            "Do not trust rows before 2024-03, and never delete logs before 2024-02-01",
            "It did not exist before 2024-03",
            "It was dropped on 2024-03-01; version 1.2.2024 is out, 3/4 of 2024 too",
            "expires on 45.13.2025 or 13/32/2025",
            "The maintenance on 2024-03-05 took two hours, and the relay was shut down in 2024-03",
            "The release on 2024-04-01 needed two reviews",
            "Add 2024-03-01 as an example: valid 2024-03-01",
            "All meters were migrated by 2024-03-01, written by 2024-03",
            "We walked through 2024-03-01 and went through March 2024",
            "The import was done by 2024-03; by 2024-03-01 it ran",
            "Finished by May 2024",
            "After 2024-03-01 the importer reads UTF-8; after 2024-03 nobody changed it",
            "Data from 2024-01-01 to 2024-03-31 is in the bucket; 40 rows from 2024-01 to 2024-02",
            "Once 2024-03-01 was a holiday; when 2024-03 began it was slow",
            "The team moved the feed before October 2024; migrated before 2024-03-01",
            "Orders from 2024-01-01 to 2024-02-01 are valid",
            "From 2024-03-01 on prices have two decimals",
            "In docs we say \"expires 2026-01-01\" as an example of a token.",
            "The page says “valid until 2024-03-01” whatever the plan",
            "An example: `expires: 2024-03-01` in the header",
            "Write \"offer ends on 2024-03-01\" into the banner",
            "The footer reads \"sunset on 2024-03-01\"",
            "The banner shows `expires on 2024-03-01` to testers",
            "The test expected 2024-03-01 and got 2024-03-02",
            "The parser (which expected 2024-03-01) failed; the lift on 2024-03-01 was stuck",
            "Le 30/09/2024 la table a été migrée",
            "",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
