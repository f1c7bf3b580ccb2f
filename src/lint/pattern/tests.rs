//! The rows of `tests/lint/patterns.toml`.

use serde::Deserialize;

use super::{Flaw, analyse, intent, sentence, syntax};

#[derive(Deserialize)]
struct Rows {
    flawed: Vec<[String; 2]>,
    working: Vec<String>,
    pieces: Vec<[String; 2]>,
    literal: Vec<String>,
    lists: Vec<[String; 2]>,
    sentences: Vec<String>,
    no_sentences: Vec<String>,
    meant: Vec<Vec<String>>,
}

#[test]
fn each_pattern_is_read_as_its_row_says() {
    let rows: Rows =
        toml::from_str(include_str!("../../../tests/lint/patterns.toml")).expect("rows");
    let rule = |written: &str| analyse::flaw(written).map(|flaw| flaw.rule);
    for [written, expected] in &rows.flawed {
        assert_eq!(rule(written), Some(&**expected), "{written}");
    }
    for (piece, count) in [("(", 400), ("x", 10_001)] {
        let written = format!("{}*", piece.repeat(count));
        assert_eq!(rule(&written), Some("pattern-too-slow"));
    }
    for written in &rows.working {
        assert_eq!(analyse::flaw(written), None, "{written}");
    }
    for [text, piece] in &rows.pieces {
        assert_eq!(syntax::of(text).as_ref(), Some(piece), "{text}");
    }
    for text in &rows.literal {
        assert_eq!(syntax::of(text), None, "{text}");
    }
    let sentence = |text: &str| sentence::flaw(text, &mut sentence::Others::new([].into_iter()));
    let cure = |flaw: Flaw| flaw.cure.map(|cure| cure.join(" "));
    for [text, items] in &rows.lists {
        assert_eq!(
            sentence(text).and_then(cure).as_ref(),
            Some(items),
            "{text}"
        );
    }
    for text in &rows.sentences {
        assert!(
            sentence(text).is_some_and(|flaw| flaw.cure.is_none()),
            "{text}"
        );
    }
    for text in &rows.no_sentences {
        assert_eq!(sentence(text), None, "{text}");
    }
    for row in &rows.meant {
        let meant = row.get(1..).filter(|meant| !meant.is_empty());
        assert_eq!(intent::rewrite(&row[0]).as_deref(), meant, "{}", row[0]);
    }
}

#[test]
fn the_evidence_is_a_task_that_is_missed_or_what_to_write() {
    for (written, evidence) in [
        (
            "tests/**/*.ts|spec",
            "`tests/**/*.ts|spec` never matches \"tests/a/a.ts\"",
        ),
        (
            "oauth|social.*auth",
            "`oauth|social.*auth` never matches \"social and auth\"",
        ),
        (
            "a.+b|cc",
            "a pattern that needs it works as an item of its own, without |",
        ),
        (".*auth$", "it does not match \"auth\""),
    ] {
        let flaw = analyse::flaw(written).expect(written);
        assert_eq!(flaw.evidence.last().map(String::as_str), Some(evidence));
    }
}
