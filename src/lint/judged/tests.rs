use super::*;

#[test]
fn quotes_are_found_blanks_aside() {
    for [text, quoted, found] in crate::text::rows::<Vec<[String; 3]>>("tables", "quotes") {
        let range = Quotable::new(&text).find(&quoted);
        assert_eq!(&text[range.unwrap_or_default()], found, "{quoted}");
    }
}

#[test]
fn the_line_of_a_quote_is_shown_where_it_is_short() {
    let long = "x".repeat(LONGEST_EVIDENCE);
    let [two, y] = [format!("{long} two or more"), format!("{long}y")];
    for [body, quoted, shown] in [
        [
            "one\n  - two to three \nfour",
            "two to three",
            "- two to three",
        ],
        ["one", "one", "one"],
        [&two, "two or more", "two or more"],
        [&y, &y, &long],
    ] {
        let at = Quotable::new(body).find(quoted).unwrap();
        assert_eq!(&body[lines_around(body, &at)], shown);
    }
}
