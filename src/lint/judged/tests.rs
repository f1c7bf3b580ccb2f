use super::finding::{LONGEST_EVIDENCE, lines_around};
use super::*;

#[test]
fn quotes_are_found_blanks_aside() {
    for (text, quoted, found) in [
        (
            "The pool\n  holds 10.",
            "pool holds 10",
            Some("pool\n  holds 10"),
        ),
        ("a\u{200b}b ü", "ab ü", Some("a\u{200b}b ü")),
        ("The pool holds 10.", "the pool", None),
        ("The pool holds 10.", " ", None),
        ("The pool holds 10.", "…", None),
        ("", "x", None),
    ] {
        let range = find_quote(text, quoted);
        assert_eq!(range.map(|range| &text[range]), found, "{quoted}");
    }
}

#[test]
fn the_line_of_a_quote_is_shown_where_it_is_short() {
    let long = "x".repeat(LONGEST_EVIDENCE);
    for (body, quoted, shown) in [
        (
            "one\n  - two three \nfour",
            "three",
            "- two three".to_owned(),
        ),
        ("one", "one", "one".to_owned()),
        (&format!("{long} two"), "two", "two".to_owned()),
        (&format!("{long}y"), &format!("{long}y"), long.clone()),
    ] {
        let at = find_quote(body, quoted).unwrap();
        assert_eq!(body[lines_around(body, &at)], shown);
    }
}
