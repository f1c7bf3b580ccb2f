//! The rows of `tests/lint/patterns.toml`.

use super::{Flaw, analyse, sentence_flaw};

fn rows<T: serde::de::DeserializeOwned>(key: &str) -> Vec<T> {
    crate::text::rows("patterns", key)
}

#[test]
fn each_pattern_is_read_as_its_row_says() {
    let rule = |written: &str| analyse::flaw(written).map(|flaw| flaw.rule);
    for [written, expected] in &rows::<[String; 2]>("flawed") {
        assert_eq!(rule(written), Some(&**expected), "{written}");
    }
    for (piece, count) in [("(", 400), ("x", 10_001)] {
        let written = format!("{}*", piece.repeat(count));
        assert_eq!(rule(&written), Some("pattern-too-slow"));
    }
    for written in &rows::<String>("working") {
        assert_eq!(analyse::flaw(written), None, "{written}");
    }
    for [text, piece] in &rows::<[String; 2]>("pieces") {
        assert_eq!(analyse::piece(text).as_ref(), Some(piece), "{text}");
    }
    for text in &rows::<String>("literal") {
        assert_eq!(analyse::piece(text), None, "{text}");
    }
    let sentence = sentence_flaw;
    let cure = |flaw: Flaw| flaw.cure.map(|cure| cure.join(" "));
    for [text, items] in &rows::<[String; 2]>("lists") {
        let found = sentence(text).and_then(cure);
        assert_eq!(found.as_ref(), Some(items), "{text}");
    }
    for text in &rows::<String>("sentences") {
        let flaw = sentence(text).expect(text);
        assert_eq!(flaw.cure, None, "{text}");
    }
    for text in &rows::<String>("no_sentences") {
        assert_eq!(sentence(text), None, "{text}");
    }
    for row in &rows::<Vec<String>>("meant") {
        let meant = row.get(1..).filter(|meant| !meant.is_empty());
        assert_eq!(analyse::cure(&row[0]).as_deref(), meant, "{}", row[0]);
    }
}
