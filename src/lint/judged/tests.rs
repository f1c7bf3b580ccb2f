use super::*;

#[test]
fn quotes_are_found_blanks_aside() {
    for [text, quoted, found] in crate::text::rows::<Vec<[String; 3]>>("tables", "quotes") {
        let range = find_quote(&text, &quoted);
        assert_eq!(&text[range.unwrap_or_default()], found, "{quoted}");
    }
}
