//! The expected values are what Node.js 20 answers.

use proptest::prelude::*;

use super::*;

/// Pattern, flags, text, and the match in UTF-16 units.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    Option<(usize, usize)>,
);

/// Patterns that Node.js 20 refuses.
const REFUSED: &[&str] = &[
    "*a",
    "a**",
    "+",
    "?",
    "(",
    ")",
    "a)",
    "(a",
    "(?",
    "(?a)",
    "(?<",
    "(?<a",
    "(?<a)",
    "(?<>a)",
    "(?<1>a)",
    "(?<a b>c)",
    "(?<a>x)(?<a>y)",
    "(?<a>x)|(?<a>y)",
    "(?<a>x)\\k",
    "(?<a>x)\\k<b>",
    "(?<a>x)[\\k]",
    "(?i:a)",
    "(?-i:a)",
    "(?i)a",
    "(?s-i:a)",
    "(?P<n>a)",
    "(?#note)",
    "(?>a)",
    "[",
    "[a",
    "[^",
    "[b-a]",
    "[z-\\x61]",
    "[a-\\477-0]",
    "a{2,1}",
    "a{99999999999,5}",
    "{1}",
    "{1,2}",
    "{2,1}",
    "^*",
    "$+",
    "\\b?",
    "\\B{2}",
    "(?<=a)*",
    "(?<!a)+",
    "\\",
    "a|*",
    "(?:",
    "(?=",
    "x{1}{2}",
    "a+++",
    "a??? ",
    "(?<𝟙>a)",
];

const ROWS: &[Row] = &[
    ("", "", "abc", Some((0, 0))),
    ("a", "", "bca", Some((2, 3))),
    ("a", "i", "bcA", Some((2, 3))),
    ("{", "", "a{", Some((1, 2))),
    ("}", "", "a}", Some((1, 2))),
    ("]", "", "a]", Some((1, 2))),
    ("a{", "", "a{", Some((0, 2))),
    ("a{,5}", "", "aaa a{,5}", Some((4, 9))),
    ("a{1", "", "aa{1", Some((1, 4))),
    ("a{1,", "", "aa{1,", Some((1, 5))),
    ("a{ 1}", "", "a{ 1}", Some((0, 5))),
    ("x{a}", "", "x{a}", Some((0, 4))),
    ("{}", "", "{}", Some((0, 2))),
    ("{a}", "", "{a}", Some((0, 3))),
    ("[]]", "", "a]", None),
    ("[]", "", "a", None),
    ("[^]", "", "\n", Some((0, 1))),
    ("[^]+", "", "a\n😀", Some((0, 4))),
    ("\\c", "", "a\\c", Some((1, 3))),
    ("\\cA", "", "A\u{1}", Some((1, 2))),
    ("\\c1", "", "\\c1", Some((0, 3))),
    ("[\\cA]", "", "cA\u{1}", Some((2, 3))),
    ("[\\c1]", "", "\u{11}", Some((0, 1))),
    ("[\\c_]", "", "\u{1f}", Some((0, 1))),
    ("[\\c]", "", "c", Some((0, 1))),
    ("[\\c]", "", "\\", Some((0, 1))),
    ("[\\c!]", "", "!", Some((0, 1))),
    ("\\c*", "", "\\ccc", Some((0, 4))),
    ("\\8", "", "a8", Some((1, 2))),
    ("\\9+", "", "a99", Some((1, 3))),
    ("\\18", "", "\u{1}8", Some((0, 2))),
    ("\\1", "", "\u{1}", Some((0, 1))),
    ("\\377", "", "ÿ", Some((0, 1))),
    ("\\400", "", " 0", Some((0, 2))),
    ("\\477", "", "'7", Some((0, 2))),
    ("[\\477]+", "", "7'", Some((0, 2))),
    ("\\08", "", "\u{0}8", Some((0, 2))),
    ("\\00", "", "\u{0}", Some((0, 1))),
    ("\\012", "", "\n", Some((0, 1))),
    ("(a)\\01", "", "a\u{1}", Some((0, 2))),
    ("(a)\\1", "", "aaa", Some((0, 2))),
    ("(a)\\2", "", "a\u{2}", Some((0, 2))),
    ("\\2(a)", "", "\u{2}a", Some((0, 2))),
    ("\\1(a)", "", "a", Some((0, 1))),
    ("(a)\\4294967297", "", "a\"94967297", Some((0, 10))),
    ("(a)\\10", "", "a\u{8}", Some((0, 2))),
    ("(a\\1)", "", "aa", Some((0, 1))),
    ("[\\1]", "", "\u{1}", Some((0, 1))),
    ("[\\8]", "", "8", Some((0, 1))),
    ("[\\18]+", "", "8\u{1}", Some((0, 2))),
    ("[\\b]", "", "a\u{8}", Some((1, 2))),
    ("a\\b", "", "ab a", Some((3, 4))),
    ("[\\B]", "", "B", Some((0, 1))),
    ("\\x4", "", "x4", Some((0, 2))),
    ("\\x41", "", "A", Some((0, 1))),
    ("\\xg", "", "xg", Some((0, 2))),
    ("\\u004", "", "u004", Some((0, 4))),
    ("\\u0041", "", "A", Some((0, 1))),
    ("\\u{3}", "", "uuu", Some((0, 3))),
    ("\\u{41}", "", "u{41}", None),
    ("\\p{L}", "", "é p{L}", Some((2, 6))),
    ("\\a\\e\\-\\/\\_", "", "ae-/_", Some((0, 5))),
    ("\\k", "", "k", Some((0, 1))),
    ("\\k<a>", "", "k<a>", Some((0, 4))),
    ("(?<a>x)\\k<a>", "", "xyxx", Some((2, 4))),
    ("\\k<a>(?<a>x)", "", "yx", Some((1, 2))),
    ("(?<a>x)\\k<\\u0061>", "", "xx", Some((0, 2))),
    ("(?<\\u{61}b>x)\\k<ab>", "", "xx", Some((0, 2))),
    ("(?<é>x)\\k<é>", "", "xx", Some((0, 2))),
    ("(?<$_1>a)", "", "a", Some((0, 1))),
    ("(?<𝒜>a)\\k<𝒜>", "", "aa", Some((0, 2))),
    ("\\d+", "", "a٣12", Some((2, 4))),
    ("\\D", "", "1٣", Some((1, 2))),
    ("\\w+", "", "é_a1-", Some((1, 4))),
    ("\\W", "", "aé", Some((1, 2))),
    ("\\s", "", "a\u{feff}", Some((1, 2))),
    ("\\s", "", "\u{85}\u{2028}", Some((1, 2))),
    ("\\s", "", "\u{180e}\u{3000}", Some((1, 2))),
    ("\\S", "", " \u{feff}\u{85}", Some((2, 3))),
    (".", "", "\n\u{d}\u{2028}\u{2029}\u{85}", Some((4, 5))),
    (".", "", "😀", Some((0, 1))),
    ("..", "", "😀", Some((0, 2))),
    ("^.$", "", "😀", None),
    ("^..$", "", "😀", Some((0, 2))),
    ("😀+", "", "😀😀", Some((0, 2))),
    ("(?:😀)+", "", "😀😀", Some((0, 4))),
    ("[😀]", "", "😀", Some((0, 1))),
    ("[😀]{2}", "", "😀", Some((0, 2))),
    ("[^😀]", "", "😀a", Some((2, 3))),
    ("\\ud83d", "", "😀", Some((0, 1))),
    ("\\ude00$", "", "😀", Some((1, 2))),
    ("[\\ud83d-\\ude00]+", "", "a😀", Some((1, 3))),
    ("a|😀b", "", "😀b", Some((0, 3))),
    ("^a", "", "ba", None),
    ("^b", "", "a\nb", None),
    ("a$", "", "a\nb", None),
    ("a$", "", "a\n", None),
    ("\\bcafé\\b", "", "café x", None),
    ("\\bé", "", "aé", Some((1, 2))),
    ("\\Bb", "", "b ab", Some((3, 4))),
    ("\\B", "", "", Some((0, 0))),
    ("\\b", "", " ", None),
    ("[a-]", "", "-", Some((0, 1))),
    ("[-a]", "", "-", Some((0, 1))),
    ("[--/]", "", ".", Some((0, 1))),
    ("[\\w-z]+", "", "-z_", Some((0, 3))),
    ("[a-\\d]+", "", "-5a", Some((0, 3))),
    ("[\\d-x-z]+", "", "y-x5", Some((1, 4))),
    ("[^^]", "", "^a", Some((1, 2))),
    ("[a^]", "", "^", Some((0, 1))),
    ("[&&]", "", "&", Some((0, 1))),
    ("[[:alpha:]]", "", "a]", Some((0, 2))),
    ("[[:alpha:]]", "", "a", None),
    ("[.*+?]", "", "a+", Some((1, 2))),
    ("[\\]]", "", "]", Some((0, 1))),
    ("[^\\W]+", "", "-ab", Some((1, 3))),
    ("[\\s\\S]+", "", "a\nb", Some((0, 3))),
    ("[\\d\\D]", "", "x", Some((0, 1))),
    ("é", "i", "É", Some((0, 1))),
    ("ß", "i", "ẞ", None),
    ("ß", "i", "SS", None),
    ("ẞ", "i", "ß", None),
    ("i", "i", "İ", None),
    ("i", "i", "ı", None),
    ("ı", "i", "I", None),
    ("İ", "i", "i", None),
    ("s", "i", "ſ", None),
    ("ſ", "i", "S", None),
    ("ſ", "i", "s", None),
    ("k", "i", "K", Some((0, 1))),
    ("K", "i", "k", Some((0, 1))),
    ("[k]", "i", "K", Some((0, 1))),
    ("µ", "i", "μ", Some((0, 1))),
    ("µ", "i", "Μ", Some((0, 1))),
    ("μ", "i", "µ", Some((0, 1))),
    ("σ", "i", "ς", Some((0, 1))),
    ("Σ", "i", "ς", Some((0, 1))),
    ("[ς]", "i", "Σ", Some((0, 1))),
    ("[^σ]", "i", "Σς", None),
    ("ǆ", "i", "ǅ", Some((0, 1))),
    ("Ǆ", "i", "ǅ", Some((0, 1))),
    ("å", "i", "Å", Some((0, 1))),
    ("Å", "i", "å", Some((0, 1))),
    ("[à-ü]", "i", "É", Some((0, 1))),
    ("[^à-ü]", "i", "É", None),
    ("[Z-a]", "i", "b", None),
    ("[Z-a]", "i", "A", Some((0, 1))),
    ("[_-a]", "i", "A", Some((0, 1))),
    ("\\w", "i", "ſK", Some((1, 2))),
    ("\\W", "i", "ſ", Some((0, 1))),
    ("[\\W]", "i", "s", None),
    ("[^\\W]", "i", "K", Some((0, 1))),
    ("[^x]", "i", "X", None),
    ("\\u0131", "i", "I", None),
    ("ŉ", "i", "ŉ", Some((0, 1))),
    ("ﬀ", "i", "FF", None),
    ("ⅷ", "i", "Ⅷ", Some((0, 1))),
    ("ⓐ", "i", "Ⓐ", Some((0, 1))),
    ("ა", "i", "Ა", Some((0, 1))),
    ("ꭰ", "i", "Ꭰ", Some((0, 1))),
    ("𐐀", "i", "𐐨", None),
    ("ΑΒΓ", "i", "αβγ", Some((0, 3))),
    ("a*?", "", "aaa", Some((0, 0))),
    ("a+?", "", "aaa", Some((0, 1))),
    ("a??b", "", "aab", Some((1, 3))),
    ("a{2}", "", "aaa", Some((0, 2))),
    ("a{2,}?", "", "aaaa", Some((0, 2))),
    ("a{0}", "", "a", Some((0, 0))),
    ("a{0,0}b", "", "ab", Some((1, 2))),
    ("(a){0}b", "", "ab", Some((1, 2))),
    ("a{99999999999}", "", "aaa", None),
    ("a{0,99999999999}", "", "aaa", Some((0, 3))),
    ("a{2147483648,}", "", "aaa", None),
    ("(?:|a)*", "", "aaa", Some((0, 3))),
    ("(?:|a)+", "", "aaa", Some((0, 3))),
    ("(?:a?)*?b", "", "aab", Some((0, 3))),
    ("(a*)*", "", "b", Some((0, 0))),
    ("(a*)+", "", "b", Some((0, 0))),
    ("(?:a*?)*", "", "aaa", Some((0, 3))),
    ("(?:a|b?)*c", "", "abac", Some((0, 4))),
    ("(?:a*b*)*c", "", "abbac", Some((0, 5))),
    ("(?:\\b|a)*", "", "aaa", Some((0, 3))),
    ("(?:a?b??)*", "", "ab", Some((0, 2))),
    ("(?:a?b??)*$", "", "abab", Some((0, 4))),
    ("(?:a??){2,3}", "", "aaa", Some((0, 1))),
    ("(?:a?){3}b", "", "ab", Some((0, 2))),
    ("(?:(?:a?)+)*b", "", "aab", Some((0, 3))),
    ("(z)((a+)?(b+)?(c))*", "", "zaacbbbcac", Some((0, 10))),
    ("(?:(a)|b)*\\1", "", "ab", Some((0, 2))),
    ("^(?:(a)|b)*\\1$", "", "ab", Some((0, 2))),
    ("^(?:(a)|b)*\\1$", "", "aba", None),
    ("(?:(a)|(b)|\\2x)+", "", "abx", Some((0, 3))),
    ("(a*)*\\1b", "", "aab", Some((0, 3))),
    ("(?=(a+))a*b\\1", "", "baaabac", Some((3, 6))),
    ("(?=(a+))", "", "baaabac", Some((1, 1))),
    ("(.*?)a(?!(a+)b\\2c)\\2(.*)", "", "baaabaac", Some((0, 8))),
    ("(?!(a))\\1b", "", "b", Some((0, 1))),
    ("(?:(?=(a))){2}\\1", "", "aa", Some((0, 1))),
    ("(?=(a))?\\1b", "", "ab", Some((1, 2))),
    ("(?=a)*b", "", "ab", Some((1, 2))),
    ("(?!a){2}b", "", "ab", Some((1, 2))),
    ("(?=a){0}b", "", "ab", Some((1, 2))),
    ("(a)\\1", "i", "aA", Some((0, 2))),
    ("(É)\\1", "i", "Éé", Some((0, 2))),
    ("(ſ)\\1", "i", "ſs", None),
    ("(😀)\\1", "", "😀😀", Some((0, 4))),
    ("(\\w+) \\1", "", "the the", Some((0, 7))),
    ("(?<=a)b", "", "ab", Some((1, 2))),
    ("(?<!a)b", "", "ab cb", Some((4, 5))),
    ("(?<=^a)b", "", "ab", Some((1, 2))),
    ("(?<=(\\d+)(\\d+))$", "", "1053", Some((4, 4))),
    ("(?<=\\1(a))b", "", "aab", Some((2, 3))),
    ("(?<=(a)\\1)b", "", "aab", Some((2, 3))),
    ("(?<=([abc]+)([abc]+))$", "", "abc", Some((3, 3))),
    ("(?<=a{2,3}?)b", "", "aaab", Some((3, 4))),
    ("(?<=a.*)c", "", "abbc", Some((3, 4))),
    ("(?<=(?=b)b)c", "", "bc", Some((1, 2))),
    ("(?<=😀)a", "", "😀a", Some((2, 3))),
    ("(?<=\\ude00)a", "", "😀a", Some((2, 3))),
    ("(?<!\\ud83d)\\ude00", "", "😀", None),
    ("(?<=\\b)a", "", " a", Some((1, 2))),
    ("(?<=(?<!c)ab)d", "", "cabd abd", Some((7, 8))),
    ("(?=.*b)(?!.*c)a", "", "ac\nab", Some((3, 4))),
    ("(?<=(?:a|bc)+)d", "", "abcad", Some((4, 5))),
    ("(?<=$)", "", "ab", Some((2, 2))),
    ("(?<=a(?=b(?<=ab)))b", "", "ab", Some((1, 2))),
    ("a|ab", "", "ab", Some((0, 1))),
    ("ab|a", "", "ab", Some((0, 2))),
    ("|a", "", "a", Some((0, 0))),
    ("a||b", "", "b", Some((0, 0))),
    ("(?:a|ab)(?:c|bcd)", "", "abcd", Some((0, 4))),
    ("implement.*auth", "", "implementing oauth", Some((0, 18))),
    ("implement..*auth", "", "implementauth", None),
    ("handle.*error", "i", "Handle the ERROR", Some((0, 16))),
    (
        "error|exception|handle.*error",
        "",
        "handle an exception",
        Some((10, 19)),
    ),
    ("social.*auth", "", "social media auth", Some((0, 17))),
    ("\\.rs$", "", "src/lib.rs", Some((7, 10))),
    ("^.*test", "", "unit\ntest", None),
    ("fix(es|ed)?:?", "i", "FIXED: x", Some((0, 6))),
    ("straße", "i", "STRASSE", None),
];

fn range(found: Option<Range<usize>>) -> Option<(usize, usize)> {
    found.map(|found| (found.start, found.end))
}

#[test]
fn refuses_what_node_refuses() {
    for source in REFUSED {
        let refused = RegExp::new(source, false).err();
        assert!(
            matches!(refused, Some(RegExpError::Syntax { .. })),
            "/{source}/ is {refused:?}"
        );
    }
}

#[test]
fn matches_what_node_matches() {
    for &(source, flags, text, expected) in ROWS {
        let pattern = RegExp::new(source, flags == "i").expect(source);
        let found = pattern.find(&Utf16Text::new(text)).expect(source);
        assert_eq!(range(found), expected, "/{source}/{flags} on {text:?}");
    }
}

#[test]
fn the_automaton_agrees_with_the_machine() {
    let mut compared = 0;
    for &(source, flags, text, expected) in ROWS {
        let pattern = RegExp::new(source, flags == "i").expect(source);
        if let Some(linear) = pattern.linear() {
            let found = linear.find(&Utf16Text::new(text)).expect(source);
            assert_eq!(range(found), expected, "/{source}/{flags} on {text:?}");
            compared += 1;
        }
    }
    assert!(compared > 150, "only {compared} rows have an automaton");
}

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
    assert_eq!(
        error(&vec!["a"; 20_000].join("|")),
        Some(RegExpError::TooLong)
    );
    assert_eq!(error(&"a".repeat(10_000)), None);
    let nested = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
    assert_eq!(error(&nested(250)), None);
    assert_eq!(error(&nested(251)), Some(RegExpError::TooDeep));
    assert_eq!(error(&"(?:".repeat(3_000)), Some(RegExpError::TooDeep));
    assert_eq!(
        error(&"[é-ﬀ]".repeat(1_250)),
        None,
        "one class, however often"
    );
    let classes = |count: u32| -> String {
        let class = |number| format!("[{}-ﬀ]", char::from_u32(0xE9 + number).unwrap());
        (0..count).map(class).collect()
    };
    assert!(RegExp::new(&classes(200), true).is_ok());
    assert_eq!(
        RegExp::new(&classes(1_200), true).err(),
        Some(RegExpError::TooLarge)
    );
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
        (
            "((((a{100}){100}){100}){100})",
            "a".repeat(2_000),
            none.clone(),
        ),
        ("(?=(a+)+$)x", a40.clone(), none.clone()),
        ("(?:a|b)*c", "ab".repeat(100_000), none),
        (r"(a*)*\1b", a40.clone(), Err(TooSlow)),
        (r"(a+)+\1b", a40.clone(), Err(TooSlow)),
        ("(?:(?=(a+)+$)x|a)b", a40, Err(TooSlow)),
        ("(?:a|b)*c(?=d)", "ab".repeat(500_000), Err(TooSlow)),
        ("(?:a?){2147483647}x", "x".to_owned(), Err(TooSlow)),
        ("(?:[ab]{1,50}){40}c", "abbabaab".repeat(200), Err(TooSlow)),
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
    assert_eq!(text.units().len(), 4);
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

#[test]
fn can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<RegExp>();
    shared::<Utf16Text>();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_pattern_panics(
        source in r"(\(\?[:=!<]?|\(\?<[=!n]>?|[()\[\]{}*+?|^$.\\,<>-]|\\[bBdDwWsSckux0-9]|[a-c0-9kKéσ😀]){0,24}",
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

    #[test]
    fn no_text_panics_as_a_pattern(source in ".{0,40}", ignore_case: bool) {
        if let Ok(pattern) = RegExp::new(&source, ignore_case) {
            let _ = pattern.find(&Utf16Text::new(&source));
        }
    }
}
