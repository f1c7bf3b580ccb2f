use super::*;
use crate::memory::rows;
use proptest::prelude::*;

const REFUSED: &[&str] = &[
    "| |2026-1-3|26-01-23|2026-13-01|2026-00-01|2026-01-00|2026-01-32|-000000-01-01",
    "-000000|2026-01-23Z|2026-01-23T|2026-01-23T10|2026-01-23T10Z|2026-01-23T10:60",
    "2026-01-23T10:30:60Z|2026-01-23T24:00:01Z|2026-01-23T24:00:00.001Z|2026-01-23T25:00Z",
    "2026-01-23T10:30:00.Z|2026-01-23T10:30:00+0200|2026-01-23T10:30:00+02",
    "2026-01-23T10:30:00 Z| 2026-01-23|2026-01-23 |2026-01-23t10:30Z|2026-01-23 10:30",
    "2026/01/23|January 23, 2026|yesterday|2026-01-23T10:30:00Zx|+2026-01-23",
    "+275760-09-13T00:00:00.001Z|２０２６|2026-|2026-01-23T10:30:00+02:60",
    "2026-01-23T10:30:00+24:00|１|2026-01-|-",
];

#[test]
fn reads_the_iso_forms_as_node_does() {
    // Results of node 20 with TZ=UTC.
    for (text, at) in rows! {
        "2026-01-23T10:30:00Z" => 1_769_164_200_000, "2026-01-23T10:30Z" => 1_769_164_200_000,
        "2026-01-23T10:30" => 1_769_164_200_000, "2026-01-23T10:30:00" => 1_769_164_200_000,
        "2026-01-23T10:30:00.5Z" => 1_769_164_200_500,
        "2026-01-23T10:30:00.123456789Z" => 1_769_164_200_123,
        "2026-01-23T10:30:00+02:00" => 1_769_157_000_000,
        "2026-01-23T10:30:00-05:30" => 1_769_184_000_000, "2026-01-23" => 1_769_126_400_000,
        "2026-01" => 1_767_225_600_000, "2026" => 1_767_225_600_000,
        "2026T10:00Z" => 1_767_261_600_000, "2026-01T10:00" => 1_767_261_600_000,
        "2026-02-30" => 1_772_409_600_000, "2026-02-29T00:00:00Z" => 1_772_323_200_000,
        "2026-01-23T24:00:00Z" => 1_769_212_800_000, "2026-01-23T24:00" => 1_769_212_800_000,
        "+002026-01-23" => 1_769_126_400_000, "-000001-01-01" => -62_198_755_200_000,
        "0000-01-01" => -62_167_219_200_000,
        "+261817-08-28T09:46:40.000Z" => 8_200_000_000_000_000, "1969-12-31T23:59:59.999Z" => -1,
    } {
        assert_eq!(Timestamp::parse_iso(text), Some(Timestamp(at)), "{text}");
    }
    for text in REFUSED.iter().flat_map(|texts| texts.split('|')) {
        assert_eq!(Timestamp::parse_iso(text), None, "{text}");
    }
}

#[test]
fn null_is_1970_and_what_is_not_text_is_no_date() {
    for (value, at) in rows! {
        Value::Null => Some(Timestamp(0)), Value::Int(2026) => None,
        "2026".into() => Timestamp::parse_iso("2026"), "soon".into() => None,
    } {
        assert_eq!(Timestamp::of_value(&value), at);
    }
}

#[test]
fn writes_rfc_3339() {
    for (at, text) in rows! {
        0 => "1970-01-01T00:00:00Z", -1 => "1969-12-31T23:59:59.999Z",
        1_769_164_200_000 => "2026-01-23T10:30:00Z", LIMIT => "+261817-08-28T09:46:40Z",
    } {
        assert_eq!(Timestamp(at).to_rfc3339(), text);
        assert!(text.starts_with(&Timestamp(at).date()));
    }
    assert!(!Timestamp(i64::MAX).to_rfc3339().is_empty());
    assert!(!Timestamp(i64::MIN).to_rfc3339().is_empty());
}

#[test]
fn ages_are_short() {
    for (age, words) in rows! {
        0 => "now", 59_999 => "now", MINUTE => "1m", 5 * MINUTE => "5m", 59 * MINUTE => "59m",
        HOUR => "1h", 23 * HOUR => "23h", DAY => "1d", 3 * DAY => "3d", 13 * DAY => "13d",
        14 * DAY => "2w", 35 * DAY => "5w", 55 * DAY => "7w", 59 * DAY => "8w", 60 * DAY => "2M",
        100 * DAY => "3M", 364 * DAY => "12M", 729 * DAY => "24M", 730 * DAY => "2y",
        800 * DAY => "2y", -3 * DAY => "+3d", -1000 => "now",
    } {
        let at = Timestamp(1_000_000_000_000);
        assert_eq!(at.age_words(Timestamp(at.0 + age)), words);
    }
    let longest = Timestamp(i64::MIN).age_words(Timestamp(i64::MAX));
    assert!(!longest.is_empty());
}

#[test]
fn a_day_that_does_not_exist_is_told_from_one_that_does() {
    for (text, exists) in rows! {
        "2026-02-28" => true, "2026-02-29" => false, "2024-02-29" => true,
        "2026-02-30T10:00:00Z" => false, "2026-04-31T23:59:59+02:00" => false,
        // The same moment is another day in UTC.
        "2026-03-01T00:30:00+02:00" => true, "2026-02-28T24:00" => true, "2026-02" => true,
        "2026" => true, "+002026-02-30" => false, "+002026-02-28" => true,
        "-000044-03-15" => true, "2026-02-00" => false, "" => false, "é" => false,
    } {
        assert_eq!(Timestamp::parse_existing(text).is_some(), exists, "{text}");
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(at in -LIMIT..=LIMIT) {
        prop_assert_eq!(Timestamp::parse_iso(&Timestamp(at).to_rfc3339()), Some(Timestamp(at)));
    }

    #[test]
    fn what_chrono_writes_is_read(at in -60_000_000_000_000_i64..200_000_000_000_000) {
        let time = DateTime::from_timestamp_millis(at).unwrap();
        prop_assert_eq!(Timestamp::parse_iso(&time.to_rfc3339()), Some(Timestamp(at)));
    }

    #[test]
    fn any_text_is_answered(text in "[-+0-9TZ:. é]{0,30}") {
        let at = Timestamp::parse_iso(&text);
        prop_assert!(Timestamp::parse_existing(&text).is_none_or(|existing| Some(existing) == at));
    }
}
