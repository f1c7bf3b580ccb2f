//! The expected values are what Node.js 20 answers.

use proptest::prelude::*;

use super::*;

mod node;

#[test]
fn says_where_a_pattern_is_wrong() {
    let offset = |source: &str| match RegExp::new(source, false) {
        Err(RegExpError::Syntax { offset, .. }) => Some(offset),
        _ => None,
    };
    assert_eq!(offset("😀a**"), Some(4), "counted in UTF-16 units");
    assert_eq!(offset("ab(cd"), Some(2), "the parenthesis left open");
    assert_eq!(offset("ab)"), Some(2));
    assert_eq!(offset("x[b-a]"), Some(2));
    assert_eq!(offset("xy\\"), Some(2));
}

#[test]
fn refuses_what_is_over_a_limit() {
    let error = |source: &str| RegExp::new(source, false).err();
    assert_eq!(error(&"(".repeat(100_000)), Some(RegExpError::TooLong));
    assert_eq!(error(&"a".repeat(10_000)), None);
    let nested = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
    assert_eq!(error(&nested(250)), None);
    assert_eq!(error(&nested(251)), Some(RegExpError::TooDeep));
    assert_eq!(error(&"(?:".repeat(3_000)), Some(RegExpError::TooDeep));
    assert_eq!(error(&"[é-ﬀ]".repeat(1_250)), None);
}

/// What Node.js would take minutes or years for: the answer, or `TooSlow` after so many steps.
#[test]
fn answers_in_bounded_time() {
    let a40 = "a".repeat(40) + "!";
    let words = "word ".repeat(20) + "!";
    let none = Ok(None);
    for (source, text, expected) in [
        ("(a+)+$", a40.clone(), none.clone()),
        ("(a|a)*b", a40.clone(), none.clone()),
        (r"^(\w+\s?)*$", words, none.clone()),
        ("(x+x+)+y", "x".repeat(2_000), none.clone()),
        (".*.*.*.*x", "a".repeat(2_000), none.clone()),
        (r"\s+$", " ".repeat(100_000) + "x", none.clone()),
        ("(?:.*,){11}P", ",x".repeat(500), none.clone()),
        ("(?:a?){30}a{30}b", "a".repeat(60), none.clone()),
        ("(?:(?:a*)*)*b", "a".repeat(50), none.clone()),
        (r"(?:\s*\w*,?)*!$", "ab cd, ".repeat(50), none.clone()),
        ("((((a{9}){99}){99}){99})", "a".repeat(2_000), none.clone()),
        ("(?=(a+)+$)x", a40.clone(), none.clone()),
        ("(?:a|b)*c", "ab".repeat(100_000), none),
        (r"(a*)*\1b", a40.clone(), Err(TooSlow)),
        (r"(a+)+\1b", a40.clone(), Err(TooSlow)),
        ("(?:(?=(a+)+$)x|a)b", a40, Err(TooSlow)),
        ("(?:a|b)*c(?=d)", "ab".repeat(500_000), Err(TooSlow)),
        ("(?:a?){2147483647}x", "x".to_owned(), Err(TooSlow)),
        ("(?:[ab]{1,50}){40}c", "abbabaab".repeat(200), Ok(None)),
    ] {
        for ignore_case in [false, true] {
            let pattern = RegExp::new(source, ignore_case).expect(source);
            let found = pattern.find(&Utf16Text::new(&text));
            assert_eq!(found, expected, "/{source}/ on {} bytes", text.len());
        }
    }
    let alternatives = vec!["b"; 5_000].join("|");
    let pattern = RegExp::new(&alternatives, false).unwrap();
    let text = Utf16Text::new(&"a".repeat(100_000));
    assert_eq!(pattern.find(&text), Ok(None));
}

#[test]
fn a_long_text_takes_no_stack() {
    let text = Utf16Text::new(&"ab".repeat(100_000));
    for source in ["(?:a|b)*$", "(?:ab)*?$", r"(?:(a)(b))*$", "(?:(?=a)ab)*$"] {
        let found = RegExp::new(source, false).unwrap().find(&text);
        assert_eq!(found, Ok(Some(0..200_000)), "/{source}/");
    }
}

#[test]
fn the_deepest_pattern_takes_little_stack() {
    let deep = |open: &str, close: &str| open.repeat(250) + &close.repeat(250);
    let text = Utf16Text::new(&("a".repeat(100) + "b"));
    for source in [
        deep("(?:a+", ")+") + "c",
        deep("(?:a*", ")*") + "c",
        deep("(?:a|bc*", ")?") + "c",
        deep("(?=a|", ")") + "c",
        deep("(a|^b", "){2}") + "c",
        deep("(a", "){1,2}") + r"\1c",
    ] {
        let pattern = RegExp::new(&source, true).expect(&source);
        let found = pattern.find(&text);
        assert!(matches!(found, Ok(None) | Err(TooSlow)), "{found:?}");
    }
}

#[test]
fn units_lead_back_to_bytes() {
    let text = Utf16Text::new("é😀x");
    assert_eq!(text.units.len(), 4);
    assert_eq!(text.byte_range(0..1), 0..2);
    assert_eq!(text.byte_range(1..3), 2..6);
    assert_eq!(text.byte_range(1..2), 2..6, "half a pair is all of it");
    assert_eq!(text.byte_range(2..3), 2..6);
    assert_eq!(text.byte_range(2..4), 2..7);
    assert_eq!(text.byte_range(2..2), 2..2, "nothing stays nothing");
    assert_eq!(text.byte_range(4..4), 7..7);
    assert_eq!(text.byte_range(9..12), 7..7);
    assert_eq!(Utf16Text::new("abc").byte_range(1..2), 1..2);
    assert_eq!(Utf16Text::new("").byte_range(0..0), 0..0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_pattern_panics(
        source in r"(\(\?[:=!<]?|\(\?<[=!n]>?|[()\[\]{}*+?|^$.\\,<>-]|\\[bBdDwWsSckux0-9]|[a-c0-9kKéσ😀]){0,24}|.{0,40}",
        text in "[a-cK0-9éςſ😀 \n-]{0,12}",
        ignore_case: bool,
    ) {
        if let Ok(pattern) = RegExp::new(&source, ignore_case) {
            let prepared = Utf16Text::new(&text);
            if let Ok(Some(found)) = pattern.find(&prepared) {
                prop_assert!(text.get(prepared.byte_range(found)).is_some());
            }
        }
    }
}
